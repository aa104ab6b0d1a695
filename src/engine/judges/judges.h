/* Who reads the code of sessions before it runs: sealed sessions that execute nothing of it, one for
 * all sessions of an owner that have the same interpreter and the same rules.
 *
 * Runs in: the broker, in any thread.
 * Hostile: the code, and so what a judge answers: data of one owner, who can mislead nobody else.
 * Life cycle: judges_init; judges_take and judges_leave for each session; judges_end when the engine
 *   closes, before its sessions do; judges_done.
 * Owns: the judges, as long as somebody has them.
 * Invariants: `lock` guards the list, and is held for moments only.
 * Tests: tests/system/test_judged.py
 */
#pragma once

#include <jansson.h>
#include <pthread.h>

#include "agent/review/reviewer.h"
#include "retort.h"

/* The list knows nothing of how a judge works, and is linked without that where nobody judges. */
struct code_judge {
    struct code_judge *next;
    unsigned refs;
    char *key; /* whose it is, and what it judges with */
    struct reviewer *reviewer;
    void (*end)(struct reviewer *reviewer);
};

struct judges {
    pthread_mutex_t lock;
    struct code_judge *first;
};

void judges_init(struct judges *j);
/* Their sessions end; nobody gets a verdict any more. */
void judges_end(struct judges *j);
void judges_done(struct judges *j);

/* One with this key, for one more; or NULL. */
struct code_judge *judges_find(struct judges *j, const char *key);
void judges_add(struct judges *j, struct code_judge *judge);
void judges_leave(struct judges *j, struct code_judge *judge); /* takes NULL */

/* judge.c */
/* One that works for this owner with these options: another's, or a new one, that has shown that it
 * can read the rules. */
int judges_take(struct judges *j, struct retort_engine *e, const char *owner,
                const struct reviewer_options *o, struct code_judge **ret,
                struct retort_error *err);
/* As reviewer_judge. */
json_t *judge_review(struct code_judge *judge, const char *language, const char *code,
                     struct retort_error *err);
