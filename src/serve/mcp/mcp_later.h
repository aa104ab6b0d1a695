/* Questions for whose answer no thread waits, and calls that outlive the request they began with.
 *
 * Runs in: broker; `answered` in the thread that brought the answer.
 * Hostile: answers come from a client.
 * Life cycle: mcp_ask_begin, mcp_ask_end; mcp_call_fork, mcp_call_lean whenever a request waits for
 *   it, mcp_call_free. mcp_free waits for those that are left.
 * Tests: tests/system/test_mcp_consent.py
 */
#pragma once

#include "serve/mcp/mcp_transport.h"

struct mcp_ask;

/* Whether the client has elicitation by a form. A client that names no mode has it. */
bool mcp_client_has_forms(const struct mcp_call *call);

/* Legacy: asks the client and does not wait. Takes `params`. `answered` is called at most once,
 * from another thread and under the layer's lock: with the result, or with NULL if there will be
 * none. mcp_ask_end takes the question back. NULL when memory is out. */
typedef void mcp_answered(void *user, const json_t *result);
struct mcp_ask *mcp_ask_begin(struct mcp_call *call, const char *method, json_t *params,
                              mcp_answered *answered, void *user);
void mcp_ask_end(struct mcp_ask *ask);

/* A call of the same client whose messages nobody hears. It goes on when this call has been
 * answered; it ends with mcp_call_free, and is cancelled when the client goes. NULL when memory is
 * out. */
struct mcp_call *mcp_call_fork(const struct mcp_call *call);
/* From now on, cancelling `call` cancels `on`, too; NULL: only itself again. */
void mcp_call_lean(struct mcp_call *call, struct mcp_call *on);
