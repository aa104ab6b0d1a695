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

/* For the claim that is judged; `n` is its number in the report. */
struct tally weigh_item(struct judge *j, size_t n, const struct weigh_told *told,
                        const struct evidence_item *i);
/* One row, or one column and two rows, of a table or of what one print wrote. */
bool weigh_one_row(const struct evidence_item *a, const struct evidence_item *b);
bool weigh_one_column(const struct evidence_item *a, const struct evidence_item *b);
