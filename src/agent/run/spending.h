/* What a run and all that it starts have used of their budgets.
 *
 * There is one for all tries of a run and for all that its code asks, at any depth, so that none of
 * them can spend what another has spent. It is asked before each call.
 *
 * Runs in: the broker's process, in the threads of all that share it.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_loop.c, tests/system/test_agent_tries.py,
 *   tests/system/test_agent_queries.py
 */
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct agent_budgets;

struct spending {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    unsigned long long prompt, completion; /* tokens of models */
    double cost;                           /* of them, in the currency of the prices */
    unsigned calls, in_flight;             /* questions of code */
    char breached[80];                     /* the limit that one of them met, or "" */
    double cpu;                            /* seconds of cells */
    uint64_t started;                      /* see now_ns */
    unsigned sharers;                      /* how many may ask at the same time */
};

void spending_init(struct spending *s);
void spending_done(struct spending *s);
void spending_tokens_add(struct spending *s, unsigned long long prompt,
                         unsigned long long completion);
/* Whether all of these models, NULL-terminated, have one: a sum without some of them would be none.
 * `ret_without` is one that has none, "" if it has no name. */
bool spending_priced(const json_t *prices, const char *const *models, const char **ret_without);
/* What a reply of this model costs by {"MODEL": {"input", "output"}, …}, of a million tokens each; 0
 * where there are no prices. It is added. */
double spending_cost_add(struct spending *s, const json_t *prices, const char *model,
                         unsigned long long prompt, unsigned long long completion);
void spending_cpu_add(struct spending *s, double cpu);
/* A question of code begins, as soon as there are not too many others. -EDQUOT: a limit is reached,
 * and `why` names it. */
int spending_begin(struct spending *s, const struct agent_budgets *limits, char *why, size_t size);
/* … and has ended, with the tokens of its reply. */
void spending_end(struct spending *s, unsigned long long prompt, unsigned long long completion);
/* How many may ask at the same time from now on. */
void spending_share(struct spending *s, unsigned sharers);

double spending_wall(const struct spending *s);
double spending_cpu(struct spending *s);
unsigned long long spending_tokens(struct spending *s);
/* One sharer's part of what is left of so many tokens; at least 1. */
unsigned long long spending_part(struct spending *s, unsigned long long limit);
