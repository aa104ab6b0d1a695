/* What a client does with its sessions, whichever way it came: make, run, take back, branch, end.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: the contents of strings; types of parameters were checked before.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include <jansson.h>

#include "serve/hosted/serve.h"

/* What a session is made with: what the client asks for, as far as the server and its token let it.
 */
struct session_plan {
    struct retort_session_options
        options; /* refers to what follows, to the parameters and the peer */
    struct retort_limits caps;
    char **env;
    char *network, *rules;
};

/* To be ended whatever it returns. */
int session_plan(const struct serve *serve, const struct peer *peer, const json_t *params,
                 struct session_plan *ret, struct retort_error *error);
void session_plan_done(struct session_plan *plan);
int session_make(struct serve *serve, struct peer *peer, const json_t *params,
                 struct hosted **ret_hosted, struct retort_error *error);
/* Skills for its code, in place of those it has: a list of NAME and NAME@VERSION. In the session's
 * turn. */
int session_use(struct serve *serve, struct hosted *hosted, const json_t *names,
                struct retort_error *error);
/* The names among which "*" stands for every skill with functions that there is; `asked` NULL: what the
 * server gives everybody. A new list, or NULL with an error. */
json_t *session_skills(const struct serve *serve, const json_t *asked, struct retort_error *error);
/* A recorded session that the peer owns comes back. */
int session_resume(struct serve *serve, struct peer *peer, const char *id,
                   struct hosted **ret_hosted, struct retort_error *error);

/* The turn to make or bring back a session, to be left; sessions.c takes it by itself. */
int await_birth(struct serve *serve, const struct peer *peer, struct lane_pass *ret_pass,
                struct retort_error *error);

struct cell_request {
    struct serve *serve;
    struct peer *peer;
    struct hosted *hosted;
    const char *code;
    size_t len;
    const char *language; /* NULL: the session's */
    const char *request;  /* NULL: nobody asks for it again */
    struct retort_limits limits;
    /* Becomes true, before session_stop is called, when the client gives the request up: then also
     * a cell that has not started yet ends as interrupted. May be NULL. */
    const atomic_bool *cancel;
};

/* Who asked for a cell hears this of it; see retort_callbacks. */
struct cell_listener {
    void *user;
    void (*output)(void *user, enum retort_stream stream, const char *text, size_t len,
                   uint64_t time_ns);
    void (*display)(void *user, const char *display_json);
    void (*network)(void *user, const char *event_json); /* may be NULL */
    char *(*tool)(void *user, const char *name, const char *arguments_json, char **ret_failure);
    /* Before others hear that the cell has ended; `result` is NULL if there is none. May be NULL.
     */
    void (*ended)(void *user, const struct retort_result *result);
};

/* Runs a cell; those who listen to /events hear when it begins and how it ended. */
int session_execute(const struct cell_request *request, const struct cell_listener *told,
                    struct retort_result **ret_result, struct retort_error *error);
/* The same, and the peer is notified of output, displays, calls of tools and files. */
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
