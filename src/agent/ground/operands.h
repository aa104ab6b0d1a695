/* Operands: the numbers that a claim may be computed from, and where the sentence speaks of each.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/ground/ground_judge.h"

#define MAX_OPERANDS 96

/* How an operand is known: the answer has it, the sentence names it, or it was shown. */
enum known_by { KNOWN_SHOWN, KNOWN_NAMED, KNOWN_SAID };

struct operand {
    long double value;
    long place; /* where the sentence speaks of it; -1 when it does not */
    enum known_by by;
    const struct evidence_item *item; /* or NULL */
    bool sum;                         /* of a column */
    bool percent;                     /* the sentence has it as a percentage */
};

struct operands {
    struct operand list[MAX_OPERANDS];
    size_t count;
};

void operands_add(struct operands *o, struct operand x); /* unless its value is there */
/* Was it derived from what the claim says? Then it proves nothing. */
bool operands_circular(const struct claim *c, const struct grounding *g);
/* The other numbers of the sentence and of the one before it. */
void operands_said(struct judge *j, const struct grounding *self, struct operands *o);
/* What the sentence names: by its row, if it names rows of this column. */
void operands_named(struct judge *j, struct operands *o);
/* Everything that was shown, if that is little. */
void operands_shown(struct judge *j, const struct operands *named, struct operands *o);

/* Has a label of the item the word? With `parts` PART_CODE those of the code do not count. */
bool operand_named_by(const struct judge *j, const struct evidence_item *i, uint32_t word,
                      int parts);
/* Where the sentence speaks of the item by one of its labels, or by any; -1: nowhere. */
long derive_mention_of(const struct judge *j, const struct evidence_item *i, enum part part);
long derive_mention(const struct judge *j, const struct evidence_item *i);
/* Written by one print, beside each other: "yes 12 no 9"; or at the same place of two lines. */
bool operands_beside(const struct evidence_item *a, const struct evidence_item *b);
bool operands_same_place(const struct evidence_item *x, const struct evidence_item *y);
/* Do they stand at the same place of two lines of one form: "control: 492/8204", "test: 568/8177"? */
bool operands_parallel(const struct evidence_item *x, const struct evidence_item *y);
bool operands_one_column(const struct operand *a, const struct operand *b);
/* Is it one of the two numbers of its column? Only what was shown around it is looked at. */
bool operands_of_two(const struct judge *j, const struct evidence_item *x);

/* Data that the code has in its own text: where the sentence speaks of one, whether it was computed
 * with, and whether two are of one column. */
long typed_mention(const struct judge *j, const struct evidence_item *x);
bool typed_is_data(const struct judge *j, const struct evidence_item *x);
bool typed_one_column(const struct evidence_item *x, const struct evidence_item *y);

/* Does one of the words stand before a place, without a number or a comma between them? */
bool derive_preceded(const char *s, size_t from, size_t at, const char *list);
/* Is what stands at a place what something is compared with? */
bool derive_is_base(const struct judge *j, size_t at);
