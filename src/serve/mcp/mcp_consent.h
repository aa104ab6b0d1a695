/* Asks the user of an MCP client whether a host tool may be called: elicitation.
 *
 * A legacy client is sent elicitation/create while its call runs. A modern one gets the question as
 * the result of its call, and repeats the call with the answer: so the cell runs in a thread of its
 * own (a hold), and one request after the other waits for it.
 *
 * Runs in: broker; answers come in any thread, the cell of a hold has its own.
 * Hostile: names and arguments come from a guest, answers and states from a client.
 * Life cycle: holds_new; hold_begin, hold_resume; holds_free when no call is open.
 * Locks: that of the holds is taken before those that mcp_impl.h lists.
 * Tests: tests/system/test_mcp_consent.py
 */
#pragma once

#include "serve/mcp/mcp_tool.h"

/* For a visit's peer, see serve/hosted/serve.h: asks a legacy client that has elicitation. */
bool consent_ask(struct peer *peer, const struct tools_question *question);
void consent_asked(struct peer *peer);

struct holds;

struct holds *holds_new(void);
void holds_free(struct holds *holds);
/* Runs the cell of a modern client whose user may have to be asked. False: the client is no such
 * client; else the visit is over, and *ret_result is the result, or the question. */
bool hold_begin(struct visit *visit, const json_t *arguments, json_t **ret_result);
/* The same for a call that is repeated with an answer. */
int hold_resume(struct mcp_call *call, json_t **ret_result);
