/* Whether the words around a claim agree with the number that it matches.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/ground/ground_judge.h"

/* Do the words speak of something else than this number is? */
bool ground_misfits(struct judge *j, const struct claim *c, const struct evidence_item *i);
/* Is it a number of the data, where the sentence tells of a mean or the like? */
bool ground_is_raw(const struct judge *j, const struct evidence_item *i);
/* Is a number of one statistic surely none of another? */
bool ground_excludes(unsigned a, unsigned b);
bool ground_is_change(const struct judge *j, const struct evidence_item *i);
/* "2 patients" for 2.417: who counts does not round. */
bool ground_rounds_count(const struct judge *j, const struct claim *c,
                         const struct evidence_item *i);
