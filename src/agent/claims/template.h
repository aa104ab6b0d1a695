/* {{expr}} and {{expr:.2f}} in an answer: expressions that the session fills in.
 *
 * Runs in: the broker's process.
 * Hostile: the answer; the expressions run in the session only.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_repeat.c
 */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* Appends the code that evaluates all placeholders. Returns how many there are, or -errno. */
int template_code(const char *answer, struct buf *code);
/* Appends the answer with the placeholders replaced by the texts of a JSON list; *ret_spans, to be
 * released, says where they are: [{"start", "end", "expression"}, …]. */
int template_fill(const char *answer, const json_t *values, struct buf *out, json_t **ret_spans);
