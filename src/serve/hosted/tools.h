/* Host tools: code in a session calls functions of the client.
 *
 * The guest's call blocks the thread that executes the cell. It goes to the client as a
 * notification tools.call (if the tool asks for consent, tools.approval comes first, and somebody
 * has to allow the call) and comes back as a request tools.result, through any door. Arguments are
 * checked against the tool's schema; both are held to limits of number, size, depth and time.
 *
 * Runs in: broker, any thread.
 * Hostile: names and arguments come from the guest; results from a client, who may answer only its
 *   own calls.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py, tests/system/test_approvals.py
 */
#pragma once

#include <jansson.h>

#include "serve/hosted/serve.h"

struct tools *tools_new(void);
void tools_free(struct tools *tools);

/* Replaces the skills that the session's code may call; takes them. */
int tools_use(struct hosted *hosted, struct skillset *skills, struct retort_error *error);
/* Checks the names and schemas of a list. */
int tools_check(const json_t *list, struct retort_error *error);
/* Registers the tools of the server's own file: those that are commands. */
int tools_equip(struct serve *serve, struct hosted *hosted, struct retort_error *error);
/* Checks and remembers the list, and tells the session, with `files` and `policy` if they are
 * there. */
int tools_register(struct hosted *hosted, const json_t *params, struct retort_error *error);
/* The callback of retort_execute: JSON text, or NULL with *ret_failure; both made with malloc. */
char *tools_call(struct serve *serve, struct hosted *hosted, struct peer *peer, const char *name,
                 const char *arguments, char **ret_failure);
/* NULL, with the text as *ret_failure: how a call fails. */
char *tools_refuse(char **ret_failure, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The tool of this name in a list, or NULL. */
const json_t *tools_find_tool(const json_t *list, const char *name);
/* Answers a call. Exactly one of value and failure is given. */
int tools_answer(struct tools *tools, const char *owner, const char *call, const json_t *value,
                 const char *failure, struct retort_error *error);
/* A question: may this call be made? */
struct tools_question {
    const char *call, *name;
    const json_t *arguments;
};
/* The arguments as a person reads them to decide: JSON, with everything that could reverse or hide
 * text written in ASCII. Free it; NULL when memory is out. */
char *tools_shown(const json_t *arguments);
/* Somebody's decision about a call; `by` and `reason` may be NULL. */
struct tools_decision {
    bool allow;
    const char *by, *reason, *door;
};
int tools_approve(struct tools *tools, const char *owner, const char *call,
                  const struct tools_decision *decision, struct retort_error *error);
/* Takes the question about a call back: nobody will decide. */
void tools_withdraw(struct tools *tools, const char *call, const char *reason);
/* Whether a call from this session may need approval. */
bool tools_may_ask(struct hosted *hosted);
/* Writes the decisions of the cell that has ended to the record. */
void tools_note_approvals(struct hosted *hosted);
/* The same for a list, which it takes; or NULL. */
void tools_note(struct retort_session *session, json_t *decisions);
/* Makes open calls fail: of a session, of a peer, or (both NULL) all. */
void tools_cancel(struct tools *tools, const struct hosted *hosted, const struct peer *peer,
                  const char *reason);
