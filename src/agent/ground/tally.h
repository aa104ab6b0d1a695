/* A weighted sum of what speaks for something. In the build that tests/provenance/fit.py makes, its terms
 * are kept: the weights are fitted to them.
 *
 * Runs in: the broker's process.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_weigh.c
 */
#pragma once

#include <stdbool.h>

#ifdef TALLY_TERMS
#define TALLY_KEEPS_TERMS true
#else
#define TALLY_KEEPS_TERMS false
#endif

#define TALLY_ROOM 384

struct tally {
    float sum;
#ifdef TALLY_TERMS
    float term[TALLY_ROOM];
#endif
};

static inline void tally_add(struct tally *t, const float *weights, int term, float value) {
    t->sum += weights[term] * value;
#ifdef TALLY_TERMS
    t->term[term] += value;
#endif
}

static inline void tally_join(struct tally *t, const struct tally *other) {
    t->sum += other->sum;
#ifdef TALLY_TERMS
    for (int i = 0; i < TALLY_ROOM; i++)
        t->term[i] += other->term[i];
#endif
}
