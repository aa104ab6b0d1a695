/* Cassettes: recorded conversations with a model, one JSON object a line.
 *
 *   {"request": "sha256:…", "dialogue": "sha256:…", "reply": {…}}     as recorded
 *   {"match": {"turn": 2, "last": "10466", "task": "primes"}, "reply": {…}}   as written by hand
 *
 * A recorded entry is found by the content of the whole request, without times, sizes and
 * addresses; if there is none, by the task and the replies so far. A written entry is found by
 * texts that the last message and the task contain. Of several that fit, the first one not yet used
 * is taken. In a run with several tries, an entry, or its "match", has "try": the number of the
 * try. For a question that code asks it has "depth", which is not 0. A reply is {"text", "calls":
 * [{"id", "name", "arguments"}], "prompt_tokens", "completion_tokens", "finish", "thought",
 * "blocks"}, or {"fault": "context_overflow"}.
 *
 * Runs in: the broker's process.
 * Hostile: the file.
 * Owns: its entries.
 * Tests: tests/unit/test_agent_model.c
 */
#pragma once

#include "agent/model/model.h"

struct cassette;

/* Opens a file for replay if it exists; for recording if it does not, or if another model already
 * `records` it. 0 or -errno. */
int cassette_open(const char *path, bool records, struct cassette **ret, struct model_error *error);
/* A cassette without a file: the replies in their order. */
int cassette_of(const json_t *replies, struct cassette **ret);
void cassette_free(struct cassette *c);
bool cassette_replays(const struct cassette *c);

int cassette_replay(struct cassette *c, const struct model_request *request,
                    const struct model_listener *listener, struct model_reply *ret,
                    struct model_error *error);
/* `reply` NULL: the conversation was too long for the model. */
int cassette_record(struct cassette *c, const struct model_request *request,
                    const struct model_reply *reply);

/* --- for journals: see journal.h --- */

/* As cassette_replay, but gives each reply once. 1: there is one, or `error` is the recorded fault;
 * 0: there is none; or -errno. */
int cassette_recall(struct cassette *c, const struct model_request *request,
                    const struct model_listener *listener, struct model_reply *ret,
                    struct model_error *error);
/* Whether the request begins a run that differs from the recorded one. */
bool cassette_contradicts(const struct cassette *c, const struct model_request *request);
size_t cassette_size(const struct cassette *c);
