/* Running a recorded session again in a new one, and comparing each result with the record.
 *
 * Runs in: the broker.
 * Hostile: what was recorded of guests, and what they do this time.
 * Life cycle: replay() makes and closes the session.
 * Owns: nothing.
 * Tests: tests/system/test_deterministic.py, tests/system/test_log.py
 */
#pragma once

#include "engine/session/session.h"

struct comparison {
    unsigned cell;
    const char *what;
    json_t *expected, *got;
};

/* Code that is run in the new session before its past and after it. */
struct replay_watch {
    const char *before, *after;
    json_t *found; /* the final answer of `after` */
};

struct replay {
    struct replay_watch *watch; /* or NULL */
    void (*progress)(void *user, unsigned done, unsigned total, const char *verdict);
    void *user;
    unsigned done, total;
    bool differs;
    struct comparison first;
    json_t *unanswered; /* requests that are not on record */
    json_t *different;  /* every cell that came out differently, and in what */
};

/* Reads progress, user and watch of `x`; sets its `differs`. */
int replay(struct retort_engine *e, const char *id, struct replay *x, char **ret_json,
           struct retort_error *err);
