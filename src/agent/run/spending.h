/* What a run and everything that it starts have used of their budgets.
 *
 * All tries of a run and all questions of its code, at any depth, share one account, so that none
 * can spend what another has spent. Each call asks it first.
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
    double cost;                           /* of the tokens, in the currency of the prices */
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
/* Whether all of these models, NULL-terminated, have a price: a sum without some of them would be
 * wrong. `ret_without` is one that has none, "" if it has no name. */
bool spending_priced(const json_t *prices, const char *const *models, const char **ret_without);
/* Adds and returns the cost of a reply of this model, by {"MODEL": {"input", "output"}, …} for a
 * million tokens; 0 if there are no prices. */
double spending_cost_add(struct spending *s, const json_t *prices, const char *model,
                         unsigned long long prompt, unsigned long long completion);
void spending_cpu_add(struct spending *s, double cpu);
/* Begins a question of code, as soon as not too many others run. -EDQUOT: a limit is reached, and
 * `why` names it. */
int spending_begin(struct spending *s, const struct agent_budgets *limits, char *why, size_t size);
/* … and ends it, with the tokens of its reply. */
void spending_end(struct spending *s, unsigned long long prompt, unsigned long long completion);
/* Sets how many may ask at the same time. */
void spending_share(struct spending *s, unsigned sharers);

double spending_wall(const struct spending *s);
double spending_cpu(struct spending *s);
unsigned long long spending_tokens(struct spending *s);
/* One sharer's part of the remaining tokens; at least 1. */
unsigned long long spending_part(struct spending *s, unsigned long long limit);
