/* Host tools on offer to the cells of a session.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: calls of guests; toolcall.c takes them.
 * Life cycle: zero; flow_offer; tools_share in a branch; tools_done.
 * Owns: its JSON.
 * Invariants: what was sent is offered.
 * Tests: tests/system/test_rpc.py, tests/fuzz/fuzz_cell.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct cell;

struct host_tools {
    json_t *offered; /* [{name, description, parameters, source, sinks}], or NULL */
    unsigned sent;   /* 1 << language: sent to the interpreters that there are now */
    bool recorded;   /* in the ledger, for a replay */
    bool unknown;    /* its earlier cells are only on record: nothing is proved of the next ones */
    json_t *policy;  /* {"files": {pattern: {source, sink}}, "policy": "block"}, or NULL */
    json_t *held;    /* {path: cell} of files that are sinks and were written by cells that are not
                        proved; or NULL */
    struct cell *caller; /* the call that waits for the host's answer; NULL: none */
    char origin[96]; /* the first tool whose answer is not trusted, and its cell; "": none was */
};

/* A copy that owns what it has. */
static inline void tools_share(struct host_tools *to, const struct host_tools *from) {
    *to = *from;
    to->sent = 0;
    to->caller = NULL;
    to->recorded = false;
    json_incref(to->offered);
    json_incref(to->policy);
    to->held = from->held ? json_copy(from->held) : NULL;
}

static inline void tools_done(struct host_tools *t) {
    json_decref(t->offered);
    json_decref(t->policy);
    json_decref(t->held);
}
