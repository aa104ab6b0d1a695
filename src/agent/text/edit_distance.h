/* The most similar of some names: did you mean …?
 *
 * Runs in: the broker's process.
 * Hostile: the names.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_sql.c
 */
#pragma once

#include <stddef.h>

struct similar {
    char wanted[64], best[64];
    size_t distance; /* of the best; names further than a third of the length do not count */
};

void similar_start(struct similar *s, const char *wanted);
void similar_try(struct similar *s, const char *name);
