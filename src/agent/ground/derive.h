/* Derivations: a claim that follows from numbers that were shown, computed again.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/ground/operands.h"

#define MAX_COLUMNS 12
#define MANY_ITEMS 20000 /* with more, only those with the column's label are looked at */

enum operation { DIFFERENCE, CHANGE, SHARE, RATIO, SUM, MEAN, PRODUCT, OPERATIONS };

struct derive_column {
    const struct evidence_item *like; /* one of it */
    uint32_t table, label;
    long double sum, high, low;
    size_t count, rows; /* of its numbers; of the table, 0 if that is not known */
};

struct columns {
    struct derive_column list[MAX_COLUMNS];
    size_t count;
};

/* What is tried with two numbers. */
struct trial {
    bool wanted[OPERATIONS], asked;
    double most; /* results that are tried */
};

/* direction.c */
/* When what was shown was, in months, by its labels; 0 if these do not say. */
int derive_time_of(const struct judge *j, const struct operand *o);
/* "40 more than B": is what is compared with B the larger one? */
bool derive_direction_holds(const struct judge *j, const struct claim *c, enum operation op,
                            const struct operand *a, const struct operand *b);

/* derive_pairs.c */
/* Is it a whole number of one or two digits, told as it is? */
bool derive_is_small(const struct claim *c);
bool derive_try_rest(struct judge *j, struct grounding *g);
bool derive_is_whole(long double v);
/* Does x read so, whatever its sign? */
bool derive_fits(const struct claim *c, long double x);
/* Do the words of the sentence ask for this operation? */
bool derive_asked_for(const struct judge *j, enum operation op, const struct claim *c);
bool derive_is_meant(const struct judge *j, enum operation op, const struct operand *o);
bool derive_is_power(long double v);
bool derive_in_piece(const struct judge *j, long at);
/* Does the sentence speak of it elsewhere, and here of another one of its column? */
bool derive_told_elsewhere(const struct judge *j, const struct evidence_item *x);
/* Notes that the claim is x by this formula; true. */
bool derive_prove(struct grounding *g, const char *formula, long double x);
/* The pairs of one rank, 3 if both stand in the answer. *ret_wrong: it fits with the other sign. */
bool derive_try(struct judge *j, struct grounding *g, const struct operands *o, unsigned rank,
                bool *ret_wrong);
bool derive_try_rank(struct judge *j, struct grounding *g, const struct operands *o, unsigned rank,
                     const struct trial *t, bool *ret_wrong);

/* "a saving of 71, or 22 %" of what is left: it is one of what was before. */
bool derive_wrong_base(const struct judge *j, const struct claim *c, const struct operand *a,
                       const struct operand *b);
/* Does a label of the operand, or what stands behind it, have the unit? */
bool derive_in_unit(const struct judge *j, const struct operand *o, const char *list);
/* Does the sentence say what the claim is the share of, as "16 % (63 of 400)"? */
bool derive_is_stated(const struct judge *j, const struct grounding *g);

/* derive_columns.c */
/* A sum in the answer's own table, of the numbers above it. */
bool derive_try_table(struct judge *j, struct grounding *g);
/* Columns that the sentence names, then any; adds those looked at to `seen`. */
bool derive_try_columns(struct judge *j, struct grounding *g, struct columns *seen);
bool derive_try_sums(struct judge *j, struct grounding *g, const struct columns *seen,
                     const struct operands *said);
struct derive_column derive_column_of(const struct judge *j, const struct evidence_item *like);
