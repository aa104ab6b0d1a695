/* Which bytes of a text are code, addresses or file names, and so state no number.
 *
 * A code span that holds nothing but a number is a number in another typeface, not code.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_claims.c
 */
#pragma once

#include <stddef.h>

/* Sets mask[i] to 1 where the text is not prose; `mask` has `len` zero bytes. */
void claims_mask(const char *text, size_t len, char *mask);
