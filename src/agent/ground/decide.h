/* Decisions: what speaks for a claim and against it, as numbers, and trees that say what it comes to.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_weigh.c
 */
#pragma once

#include "agent/ground/combine.h"
#include "agent/ground/weigh.h"

enum feature {
    FEATURE_VERDICT, /* of the rules */
    FEATURE_MEANING,
    FEATURE_FORMULA,
    FEATURE_OWN_WORDS,   /* of what they took it from, … */
    FEATURE_RIVAL_WORDS, /* … and of what they hold against it */
    FEATURE_MATCHES,     /* what was shown and reads like it */
    FEATURE_FIT,         /* the best of these, by its weight */
    FEATURE_FITS,        /* all of them */
    FEATURE_RIVAL_FIT,
    FEATURE_RIVAL_FITS,
    FEATURE_MASS, /* their share in all that the sentence may speak of */
    FEATURE_MARGIN,
    FEATURE_OVER_COLUMN, /* margin over other rows, over other columns, … */
    FEATURE_OVER_ROW,
    FEATURE_OVER_CELL,
    FEATURE_OVER_OTHERS,
    FEATURE_OVER_KIND,  /* … over numbers that could be told so and are not */
    FEATURE_OVER_LATER, /* … over what a later cell has under the same labels */
    FEATURE_RATIO,
    FEATURE_ROWS,
    FEATURE_RIVAL_COVERED,
    FEATURE_MANY,
    FEATURE_BULK,
    FEATURE_STALE,
    FEATURE_TOLD,
    FEATURE_STAT_CONFLICT,
    FEATURE_SEARCHED, /* combinations */
    FEATURE_COMBINED, /* the share of those that give it, … */
    FEATURE_CHANCE,   /* … held against what a wrong number would have */
    FEATURE_OTHER_WAY,
    FEATURE_DIRECTION,
    FEATURE_TRIED,
    FEATURE_DENSITY,
    FEATURE_ALIKE,        /* other numbers of the answer follow likewise … */
    FEATURE_ALIKE_OTHERS, /* … as what does not give it */
    FEATURE_USED,         /* others were computed with it */
    FEATURE_COMBINED_BEST,
    FEATURE_STEP,
    FEATURE_LEADS,   /* of what follows, the best that reads like it over the best of the rest */
    FEATURE_PASSING, /* how often a wrong number would have one as good */
    FEATURE_RELATION,
    FEATURE_NAMING,
    FEATURE_BOTH_TOLD,
    FEATURE_STEP_ASKED,
    FEATURE_SOUGHT,
    FEATURE_NEARER,
    FEATURE_FARTHER,
    FEATURE_HITS,
    FEATURE_OPERAND_FIT,
    FEATURE_SPACE,
    FEATURE_PLACES,
    FEATURE_PERCENT,
    FEATURE_BOUND,
    FEATURE_SMALL,
    FEATURE_NUMBERS, /* of the sentence */
    FEATURE_WHOLE,
    FEATURE_GROUP,
    FEATURE_METHOD,
    FEATURE_ASKED,
    FEATURE_ASKED_NAMED,
    FEATURE_TYPED,
    FEATURE_TABLE,
    FEATURE_EXTREME, /* it is the highest, where one is told; -1: it is not */
    FEATURE_ORDER,   /* it goes up or down with those that are told alike; -1: it alone does not */
    FEATURE_RANKED,  /* "A, followed by B" */
    FEATURE_KIN,     /* so many are told alike, … */
    FEATURE_KIN_OTHER, /* … the share of them that stand in another column */
    FEATURE_ROW_OTHER, /* of those of its line, in another row */
    FEATURE_UP,        /* the words say up or down */
    FEATURE_PATH,      /* "from A to B": B was shown later; -1: earlier */
    FEATURE_REPLACED,  /* a later cell has another number of this name */
    FEATURE_ELSEWHERE, /* what it follows from stands in a row that is named elsewhere */
    FEATURE_PAST,      /* the sentence tells of what was before */
    FEATURES,
};

#define TREE_NODES 15

struct tree {
    uint8_t feature[TREE_NODES];
    float at[TREE_NODES]; /* to the left if it is not more */
    float leaf[TREE_NODES + 1];
};

extern const struct tree decide_trees[];
extern const size_t decide_tree_count;
extern const float decide_base;

#define WEIGHED_RIVALS 96
#define WEIGHED 144

struct weighed_item {
    const struct evidence_item *item;
    float score;
    bool match, told;
};

struct decision {
    struct judge *j;
    struct grounding *g;
    size_t n; /* in the report */
    long double factors[3];
    size_t factor_count;
    struct weighed_item list[WEIGHED]; /* what the sentence may speak of, and what reads like it */
    size_t count;
    const struct weighed_item *best, *rival; /* of those that match, and of the others; or NULL */
    bool searched;
    struct combined combined;
    float f[FEATURES];
};

/* How sure it is that the claim is right, from 0 to 1. */
double decide_trust(const float *features);
#ifdef GROUND_WATCH
extern bool decide_is_watched; /* by fit.py: the verdicts of the rules stay */
void decide_watch(const struct decision *d, const struct weigh_told *told);
#endif
