/* What a client does with its sessions, whichever way it came: make, run, take back, branch, end.
 *
 * Runs in: broker, the thread of the request.
 * Hostile: the contents of strings; types of parameters were checked before.
 * Tests: tests/unit/test_call.c, tests/system/test_rpc.py
 */
#pragma once

#include <jansson.h>

#include "serve/hosted/serve.h"

int session_make(struct serve *serve, struct peer *peer, const json_t *params,
                 struct hosted **ret_hosted, struct retort_error *error);
/* A recorded session that the peer owns comes back. */
int session_resume(struct serve *serve, struct peer *peer, const char *id,
                   struct hosted **ret_hosted, struct retort_error *error);
/* `cancel` (may be NULL) becomes true, before session_stop is called, when the client gives the
 * request up: then also a cell that has not started yet ends as interrupted. */
int session_run(struct serve *serve, struct peer *peer, struct hosted *hosted, const char *code,
                size_t len, const struct retort_limits *limits, const atomic_bool *cancel,
                struct retort_result **ret_result, struct retort_error *error);
/* For those who listen to /events: a cell begins; it has ended, with the text of its result or
 * (NULL) with why it has none. */
void session_tell_begin(struct serve *serve, struct hosted *hosted);
void session_tell_end(struct serve *serve, struct hosted *hosted, const char *result, size_t len,
                      const char *failure);
#define MAX_BRANCHES 64

int session_undo(struct hosted *hosted, json_int_t cells, char **ret_json,
                 struct retort_error *error);
/* Appends the ids of the new sessions to `ids`. */
int session_branch(struct serve *serve, struct peer *peer, struct hosted *hosted, json_int_t count,
                   json_t *ids, struct retort_error *error);
/* Interrupts what runs and fails its open tool calls. Returns whether a cell was running. */
bool session_stop(struct serve *serve, struct hosted *hosted);
void session_end(struct serve *serve, struct hosted *hosted);
