/* The methods of the record: ledger.*.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: only the contents of strings.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include "serve/rpc/methods.h"

method_handler handle_ledger_list, handle_ledger_result, handle_ledger_export, handle_ledger_verify,
    handle_ledger_replay;
