/* Judges: sealed sessions that read the code of other sessions before it runs, and execute none of
 * it. All sessions of one owner that have the same interpreter and the same rules share a judge.
 *
 * Runs in: the broker, in any thread.
 * Hostile: the code, and therefore the answer of the judge that read it. An owner who misleads a
 *   judge misleads only himself.
 * Life cycle: judges_init; judges_take and judges_leave for each session; judges_end when the engine
 *   closes, before its sessions do; judges_done.
 * Owns: the judges, as long as somebody uses them.
 * Invariants: `lock` guards the list, and is held for moments only.
 * Tests: tests/system/test_judged.py
 */
#pragma once

#include <jansson.h>
#include <pthread.h>

#include "agent/review/reviewer.h"
#include "retort.h"

/* judges.c keeps the list and calls a judge by `end` only: programs in which nobody judges are linked
 * without judge.c and the reviewer. */
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
/* Ends the sessions of all judges; nobody gets a verdict any more. */
void judges_end(struct judges *j);
void judges_done(struct judges *j);

/* The judge with this key, which has one user more now; or NULL. */
struct code_judge *judges_find(struct judges *j, const char *key);
void judges_add(struct judges *j, struct code_judge *judge);
void judges_leave(struct judges *j, struct code_judge *judge); /* takes NULL */

/* judge.c */
/* A judge for this owner and these options: one that another session has already, or a new one. A new
 * one gives a first verdict here, so wrong rules are found at once. */
int judges_take(struct judges *j, struct retort_engine *e, const char *owner,
                const struct reviewer_options *o, struct code_judge **ret,
                struct retort_error *err);
/* As reviewer_judge. */
json_t *judge_review(struct code_judge *judge, const char *language, const char *code,
                     struct retort_error *err);
/* As reviewer_follow. */
json_t *judge_follow(struct code_judge *judge, const char *tools, const char *cells,
                     struct retort_error *err);
