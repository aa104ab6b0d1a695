/* Whether a claim is what a number reads when it is rounded and told in the claim's unit.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/ground/ground_judge.h"

bool ground_matches(struct judge *j, const struct claim *c, const struct evidence_item *i,
                    long double factor);
/* Decimals that the claim is told to: "about 23,950" is told in tens, so that it has -1. */
int ground_places(const struct claim *c);
bool ground_rounds(const struct claim *c, long double value);
/* What evidence may be multiplied by to be in the claim's unit: how many, at most 3. */
size_t ground_factors(const struct claim *c, long double *out);
bool ground_factor_fits(const struct evidence *e, const struct evidence_item *i,
                        const struct claim *c, long double factor);
/* What makes hours, minutes or seconds of a time, by the word behind the claim; 0: no such word. */
long double ground_clock_factor(const struct judge *j, const struct claim *c);
/* Does the question say that numbers are in thousands, millions, …? */
bool ground_asks_scale(const struct evidence *e, int scale);
/* Does a label or the question say that numbers are in thousands, millions, …? */
bool ground_tells_scale(const struct evidence *e, int scale);
/* How many numbers of the claim's form exist: 900 for NN.N. */
double ground_space(const struct claim *c);

/* Do the words speak of something else than this number is? */
bool ground_misfits(struct judge *j, const struct claim *c, const struct evidence_item *i);
/* Is it a number of the data, where the sentence tells of a mean or the like? */
bool ground_is_raw(const struct judge *j, const struct evidence_item *i);
/* Is a number of one statistic surely none of another? */
bool ground_excludes(unsigned a, unsigned b);
/* Is it told how far two are apart, so that a sign may be left out? */
bool ground_tells_size(const struct judge *j, const struct claim *c);
bool ground_is_change(const struct judge *j, const struct evidence_item *i);
/* "2 patients" for 2.417: who counts does not round. */
bool ground_rounds_count(const struct judge *j, const struct claim *c,
                         const struct evidence_item *i);
