/* Cards: what a data file holds, in a few lines for a prompt, instead of the file.
 *
 * Runs in: the broker's process.
 * Hostile: the data.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_card.c
 */
#pragma once

#include "base/buf.h"

/* By the ending of the name: CSV, TSV and their like, JSON; anything else by its size and first
 * lines. 0 or -errno. */
int card_add(const char *name, const char *data, size_t len, struct buf *out);
