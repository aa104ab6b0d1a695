/* Units of which one is so many of another: 60 minutes are an hour.
 *
 * Runs in: the broker's process.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include <stddef.h>

struct conversion {
    long double factor;
    const char *small, *large; /* blank-separated words for each */
};

extern const struct conversion conversions[];
extern const size_t conversion_count;
