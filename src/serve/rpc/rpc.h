/* JSON-RPC 2.0: messages in, replies out. This layer knows no transport, no session and no method.
 *
 * Runs in: broker.
 * Hostile: the text given to rpc_parse, which is pure.
 * Owns: a message owns its JSON value and its copy of the id.
 * Tests: tests/unit/test_rpc.c, tests/fuzz/fuzz_rpc.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"
#include "retort.h"
#include "serve/hosted/fault.h"

enum rpc_kind {
    RPC_REQUEST,
    RPC_NOTIFICATION,
    RPC_RESPONSE, /* the peer's answer to a request of ours: only MCP has those */
};

struct rpc_message {
    enum rpc_kind kind;
    json_t *root;
    char *id; /* JSON text, kept as it came; "null" where none could be read */
    const char *method;
    json_t *params; /* borrowed from root; NULL if absent */
    json_t *result; /* of a response: result or error, borrowed */
    bool is_error;
};

/* For a message that is longer than MAX_REQUEST, rpc_parse gets this many bytes of its beginning, a
 * newline, and as many of its end. That is mostly enough to find the id; without it, the client
 * would wait for ever. */
#define RPC_ENDS 256

/* Returns 0, or an RPC_ code with the reason in `reason`; then msg->id is what the error reply must
 * carry. Release the message in either case. */
int rpc_parse(const char *text, size_t len, struct rpc_message *msg, char *reason, size_t size);
void rpc_message_done(struct rpc_message *msg);

/* Reply texts, without a newline. `result` is JSON text. */
int rpc_reply(struct buf *out, const char *id, const char *result, size_t len);
int rpc_error_reply(struct buf *out, const char *id, int code, const char *message,
                    const json_t *data);
int rpc_fault_reply(struct buf *out, const char *id, const struct retort_error *error);
