/* How strictly code is held against rules before it runs: what clients, servers, tokens and sessions
 * say about it, in one order. Of two of them the larger one holds.
 *
 * Runs in: broker.
 * Hostile: the words that clients say.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/unit/test_guard.c, tests/system/test_judged.py
 */
#pragma once

#include "base/err.h"

enum strictness {
    STRICT_OFF,    /* nothing is looked at */
    STRICT_NOTE,   /* the result has what was found */
    STRICT_REPAIR, /* code that should be changed is not run, the first time for each rule */
    STRICT_BLOCK   /* and what should not be used never is, nor what nothing is known of */
};

const char *strictness_name(enum strictness s);
/* NULL is off. -EINVAL with an error that says what there is. */
int strictness_parse(const char *word, enum strictness *ret, struct retort_error *err);
