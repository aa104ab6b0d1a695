/* Cassettes: recorded conversations with a model, one JSON object a line.
 *
 *   {"request": "sha256:…", "dialogue": "sha256:…", "reply": {…}}     as recorded
 *   {"match": {"turn": 2, "last": "10466", "task": "primes"}, "reply": {…}}   as written by hand
 *
 * A recorded entry is found by the content of the whole request, with times, sizes and addresses
 * taken out of it; if none is, by the task and the replies so far. A written entry is found by
 * texts that the last message and the task contain. Of several that fit, the first one not yet used
 * is taken. Of a run with several tries an entry, or what it matches, has "try": of which it is; of
 * a question that code asks "depth", which is not 0.
 * A reply is {"text", "calls": [{"id", "name", "arguments"}], "prompt_tokens",
 * "completion_tokens", "finish", "thought", "blocks"}, or {"fault": "context_overflow"}.
 *
 * Runs in: the broker's process.
 * Hostile: the file.
 * Owns: its entries.
 * Tests: tests/unit/test_agent_model.c
 */
#pragma once

#include "agent/model/model.h"

struct cassette;

/* Opens a file for replay if it exists, for recording if not, or if somebody `records` it already.
 * 0 or -errno. */
int cassette_open(const char *path, bool records, struct cassette **ret, struct model_error *error);
/* A cassette that is not a file: replies in their order. */
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

/* As cassette_replay, but a reply is given once. 1: there is one, or `error` was what there was; 0:
 * there is none; or -errno. */
int cassette_recall(struct cassette *c, const struct model_request *request,
                    const struct model_listener *listener, struct model_reply *ret,
                    struct model_error *error);
/* The request begins a run, and this is not how the recorded one began. */
bool cassette_contradicts(const struct cassette *c, const struct model_request *request);
size_t cassette_size(const struct cassette *c);
