/* How strictly code is compared with rules before it runs. Clients, servers, tokens and sessions
 * each name a level; the strictest one holds.
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
    STRICT_REPAIR, /* the first time that a rule wants code changed, it is not run */
    STRICT_BLOCK   /* and code never runs that a rule forbids, or that cannot be judged */
};

const char *strictness_name(enum strictness s);
/* NULL means off. -EINVAL: the error lists the levels. */
int strictness_parse(const char *word, enum strictness *ret, struct retort_error *err);
