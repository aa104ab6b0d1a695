/* Rivals: which of the numbers that were shown a sentence speaks of, and whether it is another one
 * than the number that it states.
 *
 * Labels are held against words, near ones first. A rival has to fit better, to have another value,
 * and to be singled out: what fits several rows of a table alike is none.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing; the lists are the judge's.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/ground/ground_judge.h"

void rivals_find(struct judge *j);
unsigned rivals_score(const struct judge *j, const struct evidence_item *i);
/* What the words of the claim fit better than this item; NULL if nothing. */
const struct evidence_item *rivals_beat(struct judge *j, const struct claim *c,
                                        const struct evidence_item *i);
/* The number of its column that is of the row which the sentence names, if that is another row. */
const struct evidence_item *rivals_entity(struct judge *j, const struct claim *c,
                                          const struct evidence_item *i);
/* Do all labels of this item stand in the sentence, one of them near the number? */
bool rivals_covers(const struct judge *j, const struct evidence_item *i);
/* Has the sentence, near the number, no word of another one that this item has not? */
bool rivals_explains(const struct judge *j, const struct evidence_item *i);
/* Is the rival what another number of the sentence was taken from, and fits better there? */
bool rivals_is_told(struct judge *j, const struct grounding *g);
/* Does the sentence name the flagged number's own evidence by a word that is not its rival's, and
 * that no other number of the sentence has for itself? */
bool rivals_shares_words(struct judge *j, const struct grounding *g);
/* Flags two numbers of a sentence each of which fits the other's words better. */
void rivals_cross(struct judge *j);
unsigned rivals_stats(const struct judge *j, const struct evidence_item *i);
