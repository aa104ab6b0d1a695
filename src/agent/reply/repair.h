/* Repairs code that a model wrote with typographic characters or wrong escapes.
 *
 * Runs in: the broker's process.
 * Hostile: the code.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_extract.c
 */
#pragma once

#include "base/buf.h"

/* Writes `code` to `out` with repaired line ends, smart quotes, entities, escaped newlines, prompts
 * and indentation. `*ret_changed` says whether more than line ends and outer blanks changed. */
int repair_code(const char *code, size_t len, bool python, struct buf *out, bool *ret_changed);
