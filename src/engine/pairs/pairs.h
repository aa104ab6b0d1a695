/* All pairs of an engine, and which of them a session comes from.
 *
 * A supervisor has one thread, so several of them can make sessions at the same time if there are
 * processors for it. A session that is forked from a zygote comes from a pair that is warm, which
 * means that its zygote has loaded the session's libraries. A pair is warm after the first such
 * session. Another is made warm, ahead of need, when two sessions are wanted of one pair at the
 * same moment. Of the warm pairs the one with the fewest sessions gets the next; one that has failed
 * to make some counts as if it had more.
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
#define MAX_WARMTHS 64 /* environments; sessions of any other environment come from any pair */

struct warmth;

struct pairs {
    struct pair_settings settings; /* constant once they have started */
    unsigned count;
    struct pair at[MAX_PAIRS];
    pthread_mutex_t lock;
    struct warmth *warmths;
    unsigned nwarmths;
};

/* How many pay on a machine with so many processors: one supervisor makes as many sessions as three of
 * them can run (docs/performance.md). Pure. */
unsigned pairs_for(unsigned processors);
/* Those that this process may use. */
unsigned pairs_processors(void);

void pairs_init(struct pairs *all, const struct pair_settings *settings, unsigned count);
void pairs_done(struct pairs *all);
int pairs_start(struct pairs *all, struct retort_error *err);
void pairs_stop(struct pairs *all);

/* Chooses the pair that is to make this session, and counts the session there (pair_join). One whose
 * supervisor is being replaced is chosen, and waited for, only where there is no other. *ret_generation is
 * the supervisor that is to be asked. */
struct pair *pairs_place(struct pairs *all, const struct ctl_create *create,
                         unsigned *ret_generation);
/* Called when that one has made it. */
void pairs_made(struct pairs *all, struct pair *p, const struct ctl_create *create,
                unsigned generation);
/* Called when it has failed to, with -errno in `r`: has it replaced if it is gone. True: try again, there
 * is a pair that can; false: it would fail again. */
bool pairs_mend(struct pairs *all, struct pair *p, const struct ctl_create *create,
                unsigned generation, int r);
/* Ends the sessions that pairs were asked for only to become warm; called now and then. */
void pairs_tidy(struct pairs *all);
