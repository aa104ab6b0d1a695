/* The memory of runs: records events in the session's ledger, and reads the conversation back.
 *
 * Every event is a note in the ledger, except deltas and live output, whose sum is in later events.
 * Results are not stored again: an observation names its cell. After the last event comes {"event":
 * "conversation", "messages": […]}. Nothing in it comes from a request header, so no key can be in
 * it.
 *
 * Runs in: the broker's process.
 * Hostile: replies and results, which are only passed on.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_loop.c, tests/system/test_agent.py
 */
#pragma once

#include "retort.h"

#include <jansson.h>

#define MEMORY_SOURCE "agent" /* of the notes */

/* The event in the form that is recorded, or NULL if it is not. `text` keeps what the model was
 * told of a cell, if that is more than the cell's own result. */
json_t *memory_event(const json_t *event, bool text);
/* A copy of the conversation without its images. */
json_t *memory_messages(const json_t *messages);
/* The conversation in the form that is recorded; without images, which their cells have. */
json_t *memory_conversation(const json_t *messages);
/* Removes whole turns, the oldest first, until the conversation has at most `most` characters; the
 * newest stays. A line takes their place. */
/* Characters of one, and of all of them. */
size_t memory_size_of(const json_t *message);
size_t memory_size(const json_t *messages);
void memory_shorten(json_t *messages, size_t most);
/* The conversation of the last run in a session; NULL when there is none. */
json_t *memory_load(struct retort_engine *engine, const char *session);
