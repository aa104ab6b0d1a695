/* What a run and all that it starts have used of their budgets.
 *
 * There is one for all tries of a run, so that none of them can spend what another has spent.
 *
 * Runs in: the broker's process, in the threads of all that share it.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_loop.c, tests/system/test_agent_tries.py
 */
#pragma once

#include <pthread.h>
#include <stdint.h>

struct spending {
    pthread_mutex_t lock;
    unsigned long long tokens; /* of models, both ways */
    double cpu;                /* seconds of cells */
    uint64_t started;          /* see now_ns */
    unsigned sharers;          /* how many may ask at the same time */
};

void spending_init(struct spending *s);
void spending_done(struct spending *s);
void spending_add(struct spending *s, unsigned long long tokens, double cpu);
/* How many may ask at the same time from now on. */
void spending_share(struct spending *s, unsigned sharers);

double spending_wall(const struct spending *s);
double spending_cpu(struct spending *s);
unsigned long long spending_tokens(struct spending *s);
/* One sharer's part of what is left of so many tokens; at least 1. */
unsigned long long spending_part(struct spending *s, unsigned long long limit);
