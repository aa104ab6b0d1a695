/* Cards: a few lines for a prompt that describe a data file.
 *
 * Runs in: the broker's process.
 * Hostile: the data.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_card.c
 */
#pragma once

#include "base/buf.h"

/* Goes by the ending of the name: CSV, TSV and similar, JSON; of any other file it gives the size
 * and the first lines. 0 or -errno. */
int card_add(const char *name, const char *data, size_t len, struct buf *out);
