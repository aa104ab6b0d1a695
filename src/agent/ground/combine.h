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

#define COMBINE_ROOM 112
#define MAX_BASES 128
#define PATTERN_HITS 24 /* of one number, that others may be computed alike to */

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
    SOURCE_BASE,  /* another number of the answer was computed with it */
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

/* How two numbers of an answer are computed alike, by what their operands have in common: the number itself,
 * the column, or where it stands in the answer, as "the number before". */
enum likewise {
    ALIKE_TOLD_SAME,
    ALIKE_TOLD_COLUMN,
    ALIKE_TOLD_TOLD,
    ALIKE_COLUMN_SAME,
    ALIKE_COLUMN_COLUMN,
    ALIKE_ONE, /* it has one operand */
    ALIKES,
};

/* How two operands stand to each other. */
enum relation {
    RELATION_COLUMN,
    RELATION_ROW,
    RELATION_TABLE,
    RELATION_BESIDE,
    RELATION_CELL,
    RELATION_OTHER_CELL,
    RELATION_TOLD, /* the answer has both, and one of them at least was not shown */
    RELATION_NONE,
    RELATION_AGAIN, /* two cells showed it: before and after */
    RELATIONS,
};

/* Which of them the sentence speaks of, by their rows or lines: here is the claim's piece of it. */
enum naming { NAMING_BOTH_HERE, NAMING_ONE_HERE, NAMING_BOTH, NAMING_ONE, NAMING_NONE, NAMINGS };

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
    TERM_AGAIN,
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
    TERM_ALIKE,                          /* other numbers follow likewise */
    TERM_RELATION = TERM_ALIKE + ALIKES, /* by the step */
    TERM_NAMING = TERM_RELATION + STEPS * RELATIONS,
    TERM_TOLD = TERM_NAMING + STEPS * NAMINGS, /* none, one or both are told */
    TERM_POINTS = TERM_TOLD + STEPS * 3,       /* the claim is a percentage */
    TERM_NOUN = TERM_POINTS + STEPS,           /* what is counted names one operand, or both */
    TERM_UNIT = TERM_NOUN + STEPS * 2,
    COMBINE_TERMS = TERM_UNIT + STEPS * 2,
};

extern const float combine_weights[COMBINE_TERMS];

struct combination {
    enum step step;
    const struct operand *a, *b; /* b: NULL for one number */
    long double value;
    struct tally tally;
    enum relation relation;
    enum naming naming;
    unsigned told;       /* operands that the answer has */
    unsigned asked;      /* 2: by words of the claim's piece, 1: of its sentence */
    unsigned sought;     /* operands that the claim's noun or unit names */
    enum source from[2]; /* the nearer operand, and the farther */
    float fit;           /* of the operand that the words fit less */
};

struct combined {
    double match, all; /* sums of exp(score): what reads like the claim, what has its size */
    double other;      /* what reads like it, and goes the other way */
    size_t tried, hits;
    struct combination best; /* of those that go the right way */
    struct operand from[2];
    bool found;
    float others;       /* the best score of what does not read like it, … */
    size_t passing;     /* … and how much scores as well as the best that does */
    float alike;        /* numbers that follow likewise, as what reads like it does, … */
    float alike_others; /* … and as the rest does */
};

/* How the numbers of an answer may have been computed. */
struct patterns {
    struct pattern {
        uint32_t hash;
        uint32_t number; /* in the report */
        float weight;    /* the more digits a number has, the less is it found by chance */
    } * list;
    size_t count, room;
    struct base { /* what was shown and used */
        const struct evidence_item *item;
        uint32_t number; /* in the report: for which */
    } bases[MAX_BASES];
    size_t base_count;
    float *used; /* of each number in the report: how likely others were computed with it */
};

/* How many numbers of the claim's digits are about as large as it is. */
double combine_space(const struct claim *c);
/* False: there is nothing to combine, or no work left. Without `known` the patterns of the claim are added to
 * `own`; with it what follows as other numbers of the answer do counts for more. */
bool combine_claim(struct judge *j, const struct grounding *g, const struct patterns *known,
                   struct patterns *own, struct combined *ret);
#ifdef GROUND_WATCH
void combine_watch(const struct combination *c, bool match);
#endif
