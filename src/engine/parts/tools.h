/* Host tools on offer to the cells of a session.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: calls of guests; toolcall.c takes them.
 * Life cycle: zero; flow_offer; json_decref of `offered`.
 * Owns: the list.
 * Invariants: what is not offered was neither sent nor recorded.
 * Tests: tests/system/test_rpc.py, tests/fuzz/fuzz_cell.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct host_tools {
    json_t *offered; /* [{name, description, parameters, source, sinks}], or NULL */
    unsigned sent;   /* 1 << language: to the interpreter that there is */
    bool recorded;   /* in the ledger, for a replay */
    bool unknown;    /* what its cells did is only on record: nothing is proved of the next ones */
    char origin[96]; /* the first tool whose answer is not trusted, and its cell; "": none was */
};
