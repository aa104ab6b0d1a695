/* What the JSON-RPC methods do: typed parameters in, calls of retort.h, JSON text out.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: nothing any more but the contents of strings; methods_check has seen the parameters.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include "serve/methods.h"
#include "serve/serve.h"

struct request {
    struct serve *serve;
    struct peer *peer;
    const json_t *params; /* NULL if none were given */
    struct live *live;    /* of an ordered method */
};

method_handler handle_session_create, handle_session_execute, handle_session_interrupt,
    handle_session_undo, handle_session_branch, handle_session_resume, handle_session_compare,
    handle_session_keep, handle_session_info, handle_session_list, handle_session_close;
method_handler handle_ledger_list, handle_ledger_verify, handle_ledger_replay;
method_handler handle_files_list, handle_files_read, handle_files_write, handle_files_delete,
    handle_output_read;
method_handler handle_tools_register, handle_tools_result;
method_handler handle_agent_run;
method_handler handle_environments_list, handle_server_info, handle_metrics;

/* session.create and session.execute for other doors (MCP). The result is the caller's to free. */
int session_make(struct serve *serve, struct peer *peer, const json_t *params,
                 struct live **ret_live, struct retort_error *error);
/* `cancel` (may be NULL) becomes true, before session_stop is called, when the client gives the
 * request up: then also a cell that has not started yet ends as interrupted. */
/* A recorded session that the peer owns comes back. */
int session_resume(struct serve *serve, struct peer *peer, const char *id, struct live **ret_live,
                   struct retort_error *error);
int session_run(struct serve *serve, struct peer *peer, struct live *live, const char *code,
                size_t len, const struct retort_limits *limits, const atomic_bool *cancel,
                struct retort_result **ret_result, struct retort_error *error);
/* For those who listen to /events: a cell begins; it has ended, with the text of its result or
 * (NULL) with why it has none. */
void session_tell_begin(struct serve *serve, struct live *live);
void session_tell_end(struct serve *serve, struct live *live, const char *result, size_t len,
                      const char *failure);
int session_undo(struct live *live, json_int_t cells, char **ret_json, struct retort_error *error);
/* Appends the ids of the new sessions to `ids`. */
int session_branch(struct serve *serve, struct peer *peer, struct live *live, json_int_t count,
                   json_t *ids, struct retort_error *error);
/* Interrupts what runs and fails its open tool calls. Returns whether a cell was running. */
bool session_stop(struct serve *serve, struct live *live);
void session_end(struct serve *serve, struct live *live);
