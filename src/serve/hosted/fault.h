/* Whose fault an error was. One table of JSON-RPC codes and HTTP statuses, the same for every door.
 *
 * Runs in: broker.
 * Tests: tests/unit/test_rpc.c
 */
#pragma once

#include "base/err.h"
#include "retort.h"

enum rpc_code {
    RPC_PARSE = -32700,
    RPC_INVALID = -32600,
    RPC_NO_METHOD = -32601,
    RPC_PARAMS = -32602,
    RPC_BUG = -32603,
    RPC_NOT_FOUND = -32001, /* no such session, file, cell or call, or not yours */
    RPC_DENIED = -32003,    /* not allowed with this token */
    RPC_BUSY = -32002,      /* too many requests, sessions, or the server is stopping */
    RPC_GUEST = -32010,
    RPC_LIMIT = -32011,
    RPC_HOST = -32012,
};

struct fault_row {
    enum retort_fault fault;
    int eno; /* 0: any */
    int rpc_code;
    int http_status;
    const char *meaning;
};

/* The row for an error; always found. */
const struct fault_row *fault_row(const struct retort_error *error);
/* Ends with a row whose meaning is NULL. */
extern const struct fault_row fault_table[];
