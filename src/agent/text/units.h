/* Units of which one is so many of another: 60 minutes are an hour.
 *
 * Runs in: the broker's process.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct conversion {
    long double factor;
    const char *small, *large; /* blank-separated words for each */
};

/* Is this the word of a unit, such as km or EUR? It says how much is counted, not what. */
bool unit_word(uint32_t hash);

extern const struct conversion conversions[];
extern const size_t conversion_count;
