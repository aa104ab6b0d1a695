/* Combinations: all that follows by one step from the numbers which were shown or told, and how likely
 * the sentence speaks of each.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/ground/derive.h"
#include "agent/ground/tally.h"

#define COMBINE_ROOM 72

/* Where an operand comes from. */
enum source {
    SOURCE_HERE,  /* the sentence has it */
    SOURCE_NEAR,  /* the sentence before or behind has it */
    SOURCE_FAR,   /* the answer has it */
    SOURCE_SHOWN, /* it was shown */
    SOURCE_TOTAL, /* the sum of a column */
    SOURCE_MEAN,
    SOURCE_RANGE,
    SOURCE_ROWS,  /* how many numbers of a column are so */
    SOURCE_NAMED, /* the sum of the rows that are named */
    SOURCE_ASKED, /* the question has it */
    SOURCE_TYPED, /* data of the code's own text */
    SOURCES,
};

/* What is done with them; the first six are those of enum operation. */
enum step {
    STEP_DIFFERENCE,
    STEP_CHANGE,
    STEP_SHARE,
    STEP_RATIO,
    STEP_SUM,
    STEP_MEAN,
    STEP_PRODUCT,
    STEP_NONE,
    STEP_REST,
    STEP_UNIT,
    STEPS,
};

enum combine_term {
    TERM_SOURCE,
    TERM_ADJACENT = TERM_SOURCE + SOURCES, /* the number before or behind the claim */
    TERM_PIECE,                            /* told in the claim's piece */
    TERM_FLAGGED,
    TERM_FIT, /* of the item, in sum */
    TERM_ROW_PIECE,
    TERM_ROW_HERE,
    TERM_ROW_OTHER, /* has a row, and the sentence does not name it */
    TERM_COLUMN_PIECE,
    TERM_COLUMN_HERE,
    TERM_LINE_PIECE,
    TERM_LINE_HERE,
    TERM_BULK,
    TERM_COUNTED,
    TERM_STALE,
    TERM_ASSERTED,
    TERM_OTHERS_NAMED, /* the sentence names other rows of its column */
    TERM_STEP,
    TERM_ASKED_PIECE = TERM_STEP + STEPS,
    TERM_ASKED = TERM_ASKED_PIECE + STEPS,
    TERM_SAME_COLUMN = TERM_ASKED + STEPS,
    TERM_SAME_ROW,
    TERM_SAME_TABLE,
    TERM_BESIDE,
    TERM_SAME_CELL,
    TERM_OTHER_CELL,
    TERM_BOTH_TOLD,
    TERM_ONE_TOLD,
    TERM_WHOLE,       /* the base is the sum of the column */
    TERM_OTHER_WHOLE, /* … of another one */
    TERM_MIXED_PLACES,
    TERM_MIXED_SHARE, /* a percentage and an amount */
    TERM_SHARE_OF_SHARE,
    TERM_MIXED_STATS,
    TERM_STAT_ASKED,
    TERM_STAT_OTHER,
    TERM_OVER_WHOLE, /* more than all */
    TERM_BELOW_ONE,  /* a ratio */
    TERM_UNEQUAL_SIZE,
    TERM_NOT_WHOLE, /* a small whole number, rounded */
    TERM_COUNT_RATIO,
    COMBINE_TERMS,
};

extern const float combine_weights[COMBINE_TERMS];

struct combination {
    enum step step;
    const struct operand *a, *b; /* b: NULL for one number */
    long double value;
    struct tally tally;
};

struct combined {
    double match, all; /* sums of exp(score): what reads like the claim, what has its size */
    double other;      /* what reads like it, and goes the other way */
    size_t tried, hits;
    struct combination best; /* of those that go the right way */
    struct operand from[2];
    bool found;
};

/* False: there is nothing to combine, or no work left. */
bool combine_claim(struct judge *j, const struct grounding *g, struct combined *ret);
#ifdef GROUND_WATCH
void combine_watch(const struct combination *c, bool match);
#endif
