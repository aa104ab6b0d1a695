/* The JSON-RPC methods: each takes typed parameters, calls retort.h and returns JSON text.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: only the contents of strings; methods_check has checked the parameters.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include "serve/hosted/sessions.h"
#include "serve/rpc/methods.h"

struct request {
    struct serve *serve;
    struct peer *peer;
    const json_t *params;  /* NULL if none were given */
    struct hosted *hosted; /* of an ordered method */
};

/* Packages and skills run in every session that asks for them, so only an administrator may add
 * them. */
int handlers_check_admin(const struct request *request, struct retort_error *error);

method_handler handle_session_create, handle_session_execute, handle_session_interrupt,
    handle_session_undo, handle_session_branch, handle_session_resume, handle_session_compare,
    handle_session_keep, handle_session_info, handle_session_list, handle_session_sleep,
    handle_session_rename, handle_session_close;
method_handler handle_session_check;
method_handler handle_files_list, handle_files_read, handle_files_write, handle_files_delete,
    handle_output_read;
method_handler handle_tools_register, handle_tools_result, handle_tools_approve;
method_handler handle_server_info, handle_metrics;
