/* Puts right what typography and escaping do to code on its way out of a model.
 *
 * Runs in: the broker's process.
 * Hostile: the code.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_extract.c
 */
#pragma once

#include "base/buf.h"

/* Rewrites `code` (line ends, smart quotes, entities, escaped newlines, prompts, indentation) into
 * `out`. `*ret_changed` says whether more than line ends and outer blanks changed. */
int repair_code(const char *code, size_t len, bool python, struct buf *out, bool *ret_changed);
