/* What the files of Retort's own tools share: the session that a call is about.
 *
 * A client has one session, and every call without a handle works on it. It is made when it is
 * first needed and ends with the client (serve/mcp/mcp.h says what counts as one client). The first
 * result from a new session says that it is new, so that no model looks for variables that are
 * gone.
 *
 * Runs in: broker; a visit belongs to the thread of its call.
 * Hostile: arguments come from a model; output from guest code.
 * Life cycle: visit_join; visit_enter; visit_leave. Notes about the session are added in between.
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
    bool fresh, lost; /* the session was made for this call; the client had another one, which is
                         gone */
    struct buf note;  /* what the result says about the session */
    struct progress progress;
    struct mcp_ask *ask; /* the open question to the client's user, or NULL */
    char asked[96];      /* the tool call that it is about */
};

/* What Retort's own tools share: the user pointer of their table. */
struct mcp_place {
    struct serve *serve;
    struct holds *holds;
};

struct serve *visit_serve(const struct mcp_call *call);
const char *mcp_argument(const json_t *arguments, const char *name); /* "" if it is missing */

/* Which session a call wants if it names none. */
enum visit_wish {
    VISIT_OLD, /* the session there is, or none */
    VISIT_ANY, /* the session there is, or a new one */
    VISIT_RUN, /* the same, and code can run in it */
};

/* Finds the session that is meant, and takes a place in its queue, in the order of the calls. -1:
 * *ret_result says why not. */
int visit_join(struct visit *visit, struct mcp_call *call, const json_t *arguments,
               enum visit_wish wish, json_t **ret_result);
/* Waits for the session's turn, and tells the client so meanwhile. */
void visit_enter(struct visit *visit);
void visit_leave(struct visit *visit);
/* A result of these blocks and, if there are notes about the session, one more. Takes `content`. */
json_t *visit_result(const struct visit *visit, json_t *content, bool is_error);

/* Sends output to the call's client, as log and progress. */
void visit_tell(struct mcp_call *call, struct progress *progress, const struct serve_event *event);

/* Ends the session that is named, or the client's own, and starts an empty one. */
int visit_reset(struct mcp_call *call, const json_t *arguments, json_t **ret_result);
/* For a table: the client is gone, and its session ends. */
void visit_ended(void *user, void *session_data);

/* Runs a cell with the arguments of run_code. */
void mcp_run_in(struct visit *visit, const json_t *arguments, json_t **ret_result);

json_t *mcp_text_block(const char *text);

#define FAILURE_TEXT 800 /* bytes */
/* Why something did not work, and what would help: the reader may be able to do that. */
void mcp_failure_text(const struct retort_error *error, char text[FAILURE_TEXT]);
json_t *mcp_failure(const struct retort_error *error);

/* For the description of run_code: the language, libraries and limits that sessions have. Free it;
 * "" if no session can be made, which the first call will report. */
char *mcp_facts(const struct serve *serve);

mcp_handler mcp_files;
mcp_handler mcp_list_resources, mcp_list_templates, mcp_read_resource;
