/* Weighing: how well the words around a claim fit a number that was shown, as one sum of weighted
 * terms. The weights are fitted (weights.c).
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_weigh.c
 */
#pragma once

#include "agent/ground/ground_judge.h"
#include "agent/ground/tally.h"

enum item_term {
    ITEM_NEAR, /* words of its labels, by part and nearness: at most 3 each */
    ITEM_NONE = ITEM_NEAR + PARTS * (NOT_NEAR + 1), /* the sentence has none of the row, … */
    ITEM_ALL = ITEM_NONE + PART_CODE,               /* … or all of it */
    ITEM_STAT_AGREE = ITEM_ALL + PART_CODE,
    ITEM_STAT_CONFLICT,
    ITEM_STAT_UNSAID, /* it is a mean or the like, and nothing says so */
    ITEM_STAT_MISSING,
    ITEM_STAT_CODE, /* the code says so */
    ITEM_PERCENT_BOTH,
    ITEM_PERCENT_FRACTION, /* 0.12, and the claim is a percentage */
    ITEM_PERCENT_AMOUNT,
    ITEM_PERCENT_ONLY, /* and the claim is none */
    ITEM_FEWER_PLACES,
    ITEM_MORE_PLACES,
    ITEM_COUNTED,
    ITEM_STALE,
    ITEM_STALE_PAST, /* and the sentence tells of the past */
    ITEM_BULK,
    ITEM_MANY,
    ITEM_ASSERTED,
    ITEM_FRAME, /* of a data frame, a chart, a tool or an input */
    ITEM_VALUE,
    ITEM_LEAD, /* "the slope is 2" */
    ITEM_NOUN, /* "6 shows" */
    ITEM_UNIT,
    ITEM_UNIT_OTHER,
    ITEM_UNIT_NO_PERCENT, /* the claim is a percentage, and it has a unit */
    ITEM_LAST_CELL,
    ITEM_TOLD, /* another number of the sentence tells it */
    ITEM_TOLD_FAR,
    ITEM_OTHER_WAY,  /* "rose" of a change that is negative */
    ITEM_ROW_BESIDE, /* of one row with what the numbers beside the claim were taken from */
    ITEM_COLUMN_BESIDE,
    ITEM_TABLE_BESIDE,
    ITEM_PRINT_BESIDE,
    ITEM_CELL_BESIDE,
    ITEM_OUT_OF_ORDER,
    ITEM_COLUMN_KIN, /* of one column with what the numbers told like the claim were taken from */
    ITEM_COLUMN_OTHER,
    ITEM_ROW_KIN, /* of one row with what the others of its line were taken from */
    ITEM_ROW_OTHER,
    ITEM_EXTREME, /* "the highest is …": it is that of its column, … */
    ITEM_NO_EXTREME,
    ITEM_EXTREME_HERE, /* … or the sentence says so of something */
    ITEM_NO_EXTREME_HERE,
    ITEM_REPLACED, /* a later cell has another number of this name */
    ITEM_REPLACED_PAST,
    ITEM_TERMS,
};

extern const float item_weights[ITEM_TERMS];

/* The claims that tell a number, by its value: 1 + index of the first and the last; 0: none. */
struct weigh_told {
    uint32_t first, last;
};
struct weigh_told *weigh_told(struct judge *j); /* of all items; NULL: no memory */
/* Does another number of the sentence tell it? */
bool weigh_is_told(const struct judge *j, const struct weigh_told *told);

#define KIN_ROOM 40

/* Other claims that are told like the one that is judged: in a column of the answer's table, at one place
 * of the items of a list, in one form in a sentence; and those of its row of a table or its item. */
struct weigh_kin {
    uint16_t column[KIN_ROOM], row[KIN_ROOM]; /* places in the report, in order */
    size_t columns, rows;
};
void weigh_kin_of(struct judge *j, size_t n);
/* Do the numbers of a column go up or down all the way? 1 with this one, -1 without it only, 0 else. */
int weigh_order(const struct judge *j, size_t n);

/* Is the number the largest or the smallest of its column? */
enum extreme { EXTREME_UNKNOWN, EXTREME_NONE, EXTREME_NEITHER, EXTREME_HIGH, EXTREME_LOW };
/* Has a later cell another number for the same row and column? */
bool weigh_replaced(struct judge *j, const struct evidence_item *i);
/* Whether it is what words like "highest" say: 1, -1, or 0 if none does. */
int weigh_extreme(struct judge *j, const struct evidence_item *i, bool piece);

/* For the claim that is judged; `n` is its number in the report. */
struct tally weigh_item(struct judge *j, size_t n, const struct weigh_told *told,
                        const struct evidence_item *i);
/* One row, or one column and two rows, of a table or of what one print wrote. */
bool weigh_one_row(const struct evidence_item *a, const struct evidence_item *b);
bool weigh_one_column(const struct evidence_item *a, const struct evidence_item *b);
