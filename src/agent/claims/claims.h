/* Claims: the numbers that a text states, and those in it that state nothing.
 *
 * Dates, years, ordinals, versions, list markers, references and names are found as well, and
 * classed: they need no proof. Everything else must be traced to something that ran.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: the list it returns (claims_done).
 * Tests: tests/unit/test_agent_claims.c
 */
#pragma once

#include "agent/text/number.h"

enum claim_class {
    CLAIM_VALUE,
    CLAIM_DATE,
    CLAIM_YEAR,
    CLAIM_ORDINAL,
    CLAIM_VERSION,
    CLAIM_MARKER,    /* of a list */
    CLAIM_REFERENCE, /* step 3, figure 2 */
    CLAIM_NAME,      /* part of a word, a file name or code */
};

enum claim_unit { CLAIM_PLAIN, CLAIM_PERCENT, CLAIM_BASIS_POINTS };
enum claim_bound { CLAIM_EXACT, CLAIM_ABOUT, CLAIM_MORE, CLAIM_LESS };

struct claim {
    enum claim_class class;
    enum claim_unit unit;
    enum claim_bound bound;
    size_t start, len; /* in the text, with sign, currency and unit */
    struct num num;    /* k, M, bn and their words are applied; % and bp are not */
    long double value; /* with sign */
    bool signed_;      /* a sign was written */
    int scale;         /* the exponent that a word like million stands for, else 0 */
    long double over;  /* the denominator of a fraction, else 0; `value` is the quotient */
};

struct claims {
    struct claim *list; /* each begins behind the place where the one before begins */
    size_t count;
};

/* 0 or -ENOMEM. Past MAX_CLAIMS numbers the rest is not read. */
int claims_read(const char *text, size_t len, struct claims *ret);
void claims_done(struct claims *claims);
/* The first that begins at a place or behind it. An answer may have thousands: nobody who looks for those
 * of one place goes through all. */
size_t claims_from(const struct claims *claims, size_t at);
const char *claim_class_name(enum claim_class class);
