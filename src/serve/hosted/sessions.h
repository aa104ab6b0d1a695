/* What a client does with its sessions, through whatever door: make, run, resume, branch, end.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: the contents of strings; types of parameters were checked before.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include <jansson.h>

#include "serve/hosted/serve.h"

/* The options of a session that is to be made: what the client asks for, within what the server and
 * its token allow. */
struct session_plan {
    struct retort_session_options
        options; /* points into the members below, the parameters and the peer */
    struct retort_limits caps;
    char **env;
    char *network, *rules;
};

/* End the plan also if this fails. */
int session_plan(const struct serve *serve, const struct peer *peer, const json_t *params,
                 struct session_plan *ret, struct retort_error *error);
void session_plan_done(struct session_plan *plan);
int session_make(struct serve *serve, struct peer *peer, const json_t *params,
                 struct hosted **ret_hosted, struct retort_error *error);
/* Replaces the skills that the session's code may call: a list of NAME and NAME@VERSION. The caller
 * has the session's turn. */
int session_use(struct serve *serve, struct hosted *hosted, const json_t *names,
                struct retort_error *error);
/* The list of names in which "*" was replaced by every skill with functions; `asked` NULL: the
 * names that the server gives to everybody. A new list, or NULL with an error. */
json_t *session_skills(const struct serve *serve, const json_t *asked, struct retort_error *error);
/* Brings back a recorded session that the peer owns. */
int session_resume(struct serve *serve, struct peer *peer, const char *id,
                   struct hosted **ret_hosted, struct retort_error *error);

/* Waits for the turn to make or bring back a session; the caller must leave it. Functions of
 * sessions.c take it themselves. */
int await_birth(struct serve *serve, const struct peer *peer, struct lane_pass *ret_pass,
                struct retort_error *error);

struct cell_request {
    struct serve *serve;
    struct peer *peer;
    struct hosted *hosted;
    const char *code;
    size_t len;
    const char *language; /* NULL: the session's */
    const char *request;  /* NULL: no client asks for this cell again */
    struct retort_limits limits;
    /* True when the client has given the request up, set before session_stop is called: then even a
     * cell that has not started ends as interrupted. May be NULL. */
    const atomic_bool *cancel;
};

/* What the caller hears of its cell; see retort_callbacks. */
struct cell_listener {
    void *user;
    void (*output)(void *user, enum retort_stream stream, const char *text, size_t len,
                   uint64_t time_ns);
    void (*display)(void *user, const char *display_json);
    void (*network)(void *user, const char *event_json); /* may be NULL */
    char *(*tool)(void *user, const char *name, const char *arguments_json, char **ret_failure);
    /* Called before others hear that the cell has ended; `result` is NULL if there is none. May be
     * NULL. */
    void (*ended)(void *user, const struct retort_result *result);
};

/* Runs a cell. Readers of /events hear when it begins and how it ended. */
int session_execute(const struct cell_request *request, const struct cell_listener *told,
                    struct retort_result **ret_result, struct retort_error *error);
/* The same, and notifies the peer of output, displays, calls of tools and files. */
int session_run(const struct cell_request *request, struct retort_result **ret_result,
                struct retort_error *error);

#define MAX_BRANCHES 64

int session_undo(struct hosted *hosted, json_int_t cells, char **ret_json,
                 struct retort_error *error);
/* Appends the ids of the new sessions to `ids`. */
int session_branch(struct serve *serve, struct peer *peer, struct hosted *hosted, json_int_t count,
                   json_t *ids, struct retort_error *error);
/* Interrupts what runs and fails its open tool calls. Returns whether a cell was running. */
bool session_stop(struct serve *serve, struct hosted *hosted);
void session_end(struct serve *serve, struct hosted *hosted);
