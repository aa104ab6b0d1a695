/* Small sets of content words, by hash: what a number is about, and what a sentence is about.
 *
 * Words are lower-cased, split at underscores and case changes, and lose a plural s; words that
 * could stand in any sentence are left out.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_WORDS 24

struct words {
    uint32_t hash[MAX_WORDS];
    unsigned count;
};

void words_add(struct words *w, const char *text,
               size_t len); /* past the maximum the rest is dropped */
unsigned words_common(const struct words *a, const struct words *b);
bool words_have(const struct words *w, const char *word);
/* Is one of the words (blank-separated list) a whole word of the text? Any case. */
bool words_any(const char *text, size_t len, const char *list);
