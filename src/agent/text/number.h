/* Numbers as people and programs write them: digits, separators, decimals, exponents.
 *
 * Runs in: the broker's process.
 * Hostile: the text (model replies, guest output); every function is pure and reads only [s, s +
 *   len).
 * Owns: nothing.
 * Tests: tests/unit/test_agent_claims.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct num {
    long double value; /* without sign; exponent applied */
    int places;        /* decimals shown, less the exponent: 1.25e3 has -1, 0.50 has 2 */
    int sig;           /* significant digits shown; trailing zeros count, leading ones do not */
    uint64_t digits;   /* hash of all digits, for integers too long for a long double; else 0 */
};

enum {
    NUM_GROUPS = 1, /* 1,234 · 1'234 · 1.234,5 and a decimal comma */
    NUM_SPACES = 2, /* 1 234, also with thin and no-break spaces */
    NUM_POWERS = 4, /* 1.2×10^6 beside 1.2e6 */
    NUM_POINTS = 8, /* 1.234 is 1234, and 1,234 is a little more than 1 */
};

/* Scans the unsigned number at s. Returns its length, 0 if there is none. */
size_t num_scan(const char *s, size_t len, unsigned flags, struct num *ret);

/* A time such as 25:51 or 3:47:54 at s: its length, 0 if there is none. Its value is what it counts in
 * its last part; its digits are the same for 0:07:25 and 7:25. */
size_t num_clock(const char *s, size_t len, struct num *ret);
bool num_is_clock(const struct num *num);

/* Decodes one code point of UTF-8; returns its length (1 and U+FFFD when malformed). */
size_t utf8_at(const char *s, size_t len, uint32_t *ret_cp);
/* Letters that glue to a number and make it a name: Latin, Greek, Cyrillic and the underscore. */
bool num_letter(uint32_t cp);

/* Does `evidence`, rounded half up or half even to `places` decimals, read `shown`? */
bool num_rounds_to(long double evidence, long double shown, int places);
/* x rounded to n significant digits. */
long double num_significant(long double x, int n);
long double num_pow10(int exponent);
