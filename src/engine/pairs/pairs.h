/* All pairs of an engine, and which of them a session comes from.
 *
 * A supervisor has one thread, so that more of them make more sessions at a time where there are
 * processors for it. A session that is forked from a zygote comes from a pair whose zygote has
 * loaded its libraries: the first that anybody asked for it, and further ones that were made to do
 * so ahead when two sessions were wanted of one at the same moment. Of those the pair with the
 * fewest sessions gets the next.
 *
 * Runs in: the broker, in any thread.
 * Hostile: nothing.
 * Life cycle: pairs_init, pairs_start; pairs_stop, pairs_done.
 * Owns: the pairs, and sockets of sessions that are made only to warm a pair up.
 * Invariants: `lock` guards the list of what is warm, is held for moments, and no other lock is
 *   taken with it held.
 * Tests: tests/unit/test_pairs.c, tests/system/test_pairs.py
 */
#pragma once

#include "engine/pairs/pair.h"

#define MAX_PAIRS 8
#define MAX_WARMTHS 64 /* environments; sessions of others come from any pair */

struct warmth;

struct pairs {
    struct pair_settings settings; /* constant once they have started */
    unsigned count;
    struct pair at[MAX_PAIRS];
    pthread_mutex_t lock;
    struct warmth *warmths;
    unsigned nwarmths;
};

void pairs_init(struct pairs *all, const struct pair_settings *settings, unsigned count);
void pairs_done(struct pairs *all);
int pairs_start(struct pairs *all, struct retort_error *err);
void pairs_stop(struct pairs *all);

/* The pair that is to make this session, which has joined it. */
struct pair *pairs_place(struct pairs *all, const struct ctl_create *create);
/* After a pair did not make a session, and `r` is how it failed: sees to it that there is one that
 * can. False: it would fail again. */
bool pairs_mend(struct pairs *all, struct pair *p, unsigned generation, int r);
