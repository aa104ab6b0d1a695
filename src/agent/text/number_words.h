/* Numbers in words, up to the millions: "forty-seven", "two hundred and five thousand".
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_claims.c
 */
#pragma once

#include "agent/text/number.h"

/* The number in words that starts at s (a word start). Returns its length, 0 if there is none. A
 * bare "one" is a pronoun more often than a number and is none. */
size_t numwords_scan(const char *s, size_t len, struct num *ret);
/* What "thousand", "k", "million", "M", "bn" … multiply by, as an exponent of ten; 0 if nothing. */
int numwords_multiplier(const char *word, size_t len, bool after_currency);
