/* Judges of several tries at one task. They compute; none of them asks a model.
 *
 * Runs in: the broker's process; a judge that is code runs in a sealed session of its own, one for
 *   each try, with the time of a cell.
 * Hostile: answers; the verdict of a judge that is code is data.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_judge.c, tests/system/test_agent_tries.py
 */
#pragma once

#include "agent/run/agent.h"

/* What is known of a try that has ended. */
struct judged {
    bool answered, verified;
    bool failed; /* the judge itself failed */
    double score;
    char *key; /* what it votes for; NULL: nothing */
    char message[300];
};

/* The judge that is used if none is named. */
enum agent_judge judge_of(const struct agent_options *options);
const char *judge_name(enum agent_judge judge);
/* Judges one try by itself; votes are counted by judge_count. `cancel` ends a judge that is code. */
void judge_try(struct retort_engine *engine, const struct agent_options *options,
               const struct agent_outcome *outcome, const atomic_bool *cancel, struct judged *ret);
/* Sets the score of each try to the number of tries that say the same. */
void judge_count(struct judged *tries, unsigned count);
/* Whether the tries that still run can no longer change who wins. */
bool judge_settled(enum agent_judge judge, const struct judged *tries, unsigned count,
                   unsigned running);
/* The index of the best one that has answered; `count`: none has. */
unsigned judge_best(const struct judged *tries, unsigned count);
/* Whether the judge itself accepted this try. */
bool judge_accepted(const struct judged *one);
/* The one with most votes, whatever the judge said of it. */
unsigned judge_most_votes(const struct judged *tries, unsigned count);
/* The text that an answer votes for: its computed numbers in order, or else its words. NULL: no
 * memory. */
char *judge_key(const char *answer, const json_t *provenance);
