/* Tells a model about a cell: its result in few words.
 *
 * Runs in: the broker's process.
 * Hostile: every field of the result.
 * Owns: nothing.
 * Invariants: the text never exceeds the budget.
 * Tests: tests/unit/test_agent_observe.c
 */
#pragma once

#include "base/buf.h"

#include <jansson.h>

#define OBSERVE_BUDGET 8000 /* characters, unless the caller has another */

/* Appends the observation. `note` (may be NULL) comes first. 0 or -errno. */
int observe_result(const json_t *result, const char *note, size_t budget, struct buf *out);
/* The first 60 % and the last 40 % of a text, cut between characters, with a note of what is
 * missing; `cell` 0: the note offers no way to read the rest. */
int observe_cut(const char *text, size_t len, size_t budget, unsigned cell, struct buf *out);
