/* Host tools: functions of the client that code in a session calls.
 *
 * The guest's call blocks the thread that executes the cell. It goes to the client as a
 * notification tools.call (before it, where the tool asks for that, tools.approval waits for
 * somebody's consent) and comes back as a request tools.result, over whatever door; both are
 * checked against the tool's schema and against limits of number, size, depth and time.
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

/* Skills that the code may call besides, in place of those it had; they become the session's. */
int tools_use(struct hosted *hosted, struct skillset *skills, struct retort_error *error);
/* Names and schemas of a list. */
int tools_check(const json_t *list, struct retort_error *error);
/* Of the server's own file: those that are commands. */
int tools_equip(struct serve *serve, struct hosted *hosted, struct retort_error *error);
/* Checks and remembers the list, and tells the session, with `files` and `policy` if they are there. */
int tools_register(struct hosted *hosted, const json_t *params, struct retort_error *error);
/* The callback of retort_execute: JSON text, or NULL with *ret_failure; both made with malloc. */
char *tools_call(struct serve *serve, struct hosted *hosted, struct peer *peer, const char *name,
                 const char *arguments, char **ret_failure);
/* NULL, with the text as *ret_failure: how a call fails. */
char *tools_refuse(char **ret_failure, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The one of this name in a list, or NULL. */
const json_t *tools_find_tool(const json_t *list, const char *name);
/* Answers a call. Exactly one of value and failure is given. */
int tools_answer(struct tools *tools, const char *owner, const char *call, const json_t *value,
                 const char *failure, struct retort_error *error);
/* May this call be made? */
struct tools_question {
    const char *call, *name;
    const json_t *arguments;
};
/* Arguments as somebody reads them who decides: JSON, in ASCII where something in it could turn or
 * hide text. Free it; NULL when memory is out. */
char *tools_shown(const json_t *arguments);
/* What somebody says about a call; `by` and `reason` may be NULL. */
struct tools_decision {
    bool allow;
    const char *by, *reason, *door;
};
int tools_approve(struct tools *tools, const char *owner, const char *call,
                  const struct tools_decision *decision, struct retort_error *error);
/* Nobody will decide about it any more. */
void tools_withdraw(struct tools *tools, const char *call, const char *reason);
/* Whether a call from this session may have to be allowed first. */
bool tools_may_ask(struct hosted *hosted);
/* Puts what was decided in the cell that has ended on the record. */
void tools_note_approvals(struct hosted *hosted);
/* The same of a list, which it takes; or NULL. */
void tools_note(struct retort_session *session, json_t *decisions);
/* Open calls fail: of a session, of a peer, or (both NULL) all. */
void tools_cancel(struct tools *tools, const struct hosted *hosted, const struct peer *peer,
                  const char *reason);
