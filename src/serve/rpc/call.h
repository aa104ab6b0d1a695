/* One JSON-RPC call from its text to its reply, the same for every door.
 *
 * call_begin is cheap and is done in the order in which messages come: it parses, checks, finds the
 * session and takes a place in its queue. call_run may block for as long as a cell runs, so each
 * call has a thread.
 *
 * Runs in: broker, any thread.
 * Hostile: the text.
 * Owns: a call owns its message and its reference to a session; call_free gives them back.
 * Tests: tests/unit/test_call.c
 */
#pragma once

#include "serve/hosted/serve.h"
#include "serve/rpc/rpc.h"

struct call;

/* NULL only when memory is out. A text that is no request makes a call whose reply is the error. */
struct call *call_begin(struct serve *serve, struct peer *peer, const char *text, size_t len);
/* JSON text of its id; NULL for notifications and for what is no request. */
const char *call_id(const struct call *call);
/* Makes call_run answer with this error and run nothing. */
void call_refuse(struct call *call, int code, const char *message);
/* Whether call_run returns at once: then it needs no thread of its own. */
bool call_is_quick(const struct call *call);
/* Runs it. `reply` stays empty for notifications. Returns the HTTP status that fits. */
int call_run(struct call *call, struct buf *reply);
/* For logs: the method, session and cell of the call; "" and 0 where there is none. */
void call_describe(const struct call *call, char *method, size_t method_size, char *session,
                   size_t session_size, unsigned *ret_cell);
/* Whether call_run refused it before anything was done, and another node may take it. */
bool call_was_not_taken(const struct call *call);
void call_free(struct call *call);
