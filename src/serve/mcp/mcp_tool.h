/* What the files of Retort's own tools share: the session that a call is about.
 *
 * A client has one session, which every call without a handle works on: it is made when it is first
 * needed and ends with the client (serve/mcp/mcp.h says who is one client). The first result from a
 * new session says that it is new, so that no model looks for variables that are gone.
 *
 * Runs in: broker; a visit belongs to the thread of its call.
 * Hostile: arguments come from a model; output from guest code.
 * Life cycle: visit_join; visit_enter; visit_leave. What is said about the session comes in
 *   between.
 * Tests: tests/unit/test_mcp.c
 */
#pragma once

#include "serve/hosted/sessions.h"
#include "serve/hosted/tools.h"
#include "serve/mcp/mcp.h"
#include "serve/mcp/mcp_progress.h"

struct visit {
    struct peer peer; /* first: peer->send finds the visit by it */
    struct mcp_call *call;
    struct hosted *hosted;
    uint64_t ticket;
    bool fresh, lost; /* the session was made for this call; there had been another one */
    struct buf note;  /* what its result says about the session */
    struct progress progress;
    struct mcp_ask *ask; /* the client's user is asked about a call, or NULL */
    char asked[96];      /* which */
};

/* What Retort's own tools have in common: the user of their table. */
struct mcp_place {
    struct serve *serve;
    struct holds *holds;
};

struct serve *visit_serve(const struct mcp_call *call);
const char *mcp_argument(const json_t *arguments, const char *name); /* "" if it is missing */

/* Which session a call wants if it names none. */
enum visit_wish {
    VISIT_OLD, /* the one there is */
    VISIT_ANY, /* or a new one */
    VISIT_RUN, /* one in which code can run */
};

/* The session that is meant and a place in its queue: in the order in which the calls came. -1, and
 * *ret_result tells why not. */
int visit_join(struct visit *visit, struct mcp_call *call, const json_t *arguments,
               enum visit_wish wish, json_t **ret_result);
/* Waits for its turn; the client is told about the waiting. */
void visit_enter(struct visit *visit);
void visit_leave(struct visit *visit);
/* A result of these blocks and, where there is something to say about the session, one more. Takes
 * `content`. */
json_t *visit_result(const struct visit *visit, json_t *content, bool is_error);

/* To the client whose call it is: output, as log and progress. */
void visit_tell(struct mcp_call *call, struct progress *progress, const struct serve_event *event);

/* Ends the session that is meant, or the client's own, and starts an empty one. */
int visit_reset(struct mcp_call *call, const json_t *arguments, json_t **ret_result);
/* For a table: the client is gone, and its session ends. */
void visit_ended(void *user, void *session_data);

/* Runs a cell, as run_code does: `arguments` are of that. */
void mcp_run_in(struct visit *visit, const json_t *arguments, json_t **ret_result);

json_t *mcp_text_block(const char *text);

#define FAILURE_TEXT 800 /* bytes */
/* Why something did not work, and what would help: who reads it may be able to do that. */
void mcp_failure_text(const struct retort_error *error, char text[FAILURE_TEXT]);
json_t *mcp_failure(const struct retort_error *error);

/* For the text of run_code: what is really there, language, libraries and limits. Free it; "" if
 * sessions cannot be made as they should be, which the first call will tell. */
char *mcp_facts(const struct serve *serve);

mcp_handler mcp_files;
mcp_handler mcp_list_resources, mcp_list_templates, mcp_read_resource;
