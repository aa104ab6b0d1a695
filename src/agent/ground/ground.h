/* Grounding: a verdict for every number in an answer, with its reason.
 *
 * A claim is matched by rounding the evidence to the digits that the claim shows. Then the words
 * decide: which of the matching numbers the sentence speaks of, and whether it rather speaks of
 * another one (a rival), which has another value. What matches nothing may follow from numbers that
 * were shown; that is computed again, exactly.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: the report.
 * Tests: tests/unit/test_agent_ground.c, tests/unit/test_agent_odds.c
 */
#pragma once

#include "agent/evidence/evidence.h"
#include "agent/ground/claims.h"
#include "agent/ground/scope.h"
#include "base/buf.h"

enum ground_verdict {
    GROUND_GROUNDED,
    GROUND_DERIVED,
    GROUND_COUNTED,
    GROUND_QUESTION,
    GROUND_METHOD,
    GROUND_CONTRADICTED, /* from here on: flags */
    GROUND_MISMATCH,
    GROUND_STALE,
    GROUND_ASSERTED,
    GROUND_UNVERIFIED,
};

struct grounding {
    struct claim claim;
    enum ground_verdict verdict;
    bool meaning;                        /* of grounded: words agree, not the number alone */
    const struct evidence_item *item;    /* what proves it, or what it was taken from */
    const struct evidence_item *rival;   /* what the words speak of instead, or the nearest */
    const char *expression;              /* that the session filled in, or NULL */
    long double exact;                   /* the evidence in the claim's unit */
    long double factor;                  /* from the evidence's unit to the claim's */
    long double operands[2];             /* of a derivation from two numbers, … */
    const struct evidence_item *from[2]; /* … and what these are, or NULL */
    char formula[160];                   /* for derived, and for what was computed wrong */
};

struct ground_report {
    struct grounding *list; /* of values only; dates, names and the like need no proof */
    size_t count;
    size_t unproved; /* flags */
};

/* Parts of the answer that the session filled in, [{"start", "end", "expression"}, …], and the cell
 * that did. */
struct ground_filled {
    const json_t *spans;
    unsigned cell;
};

static inline bool ground_flagged(enum ground_verdict verdict) {
    return verdict >= GROUND_CONTRADICTED;
}

/* Seals the evidence. 0 or -ENOMEM. The report points into the evidence and into the spans, which
 * may be NULL. */
int ground_answer(struct evidence *e, const char *answer, const struct ground_filled *filled,
                  struct ground_report *ret);
void ground_done(struct ground_report *report);

const char *ground_verdict_name(enum ground_verdict verdict);
/* [{"text", "value", "start", "end", "verdict", "strength", "reason", "cell", "stream", "position",
 * "formula", "nearest"}] */
json_t *ground_json(const struct ground_report *report, const struct evidence *e,
                    const char *answer);
/* What to tell the model about each flag, a line each. */
int ground_advice(const struct ground_report *report, const struct evidence *e, const char *answer,
                  struct buf *out);

/* --- between ground.c and what it judges by: rivals.h, derive.h, direction.c and method.c --- */

#define MAX_RIVALS 256

/* What the words of a scope make of a label, in a row, column or line, and in code. */
struct label_score {
    uint32_t scope; /* for which it was computed */
    uint16_t own, code;
};

#define TOLD_WORDS 256

/* The words of a sentence and where they stand, for those who ask for a label in it. */
struct told_words {
    uint32_t scope; /* for which they were read */
    size_t count;
    struct {
        uint32_t hash, root; /* 0: a statistic; of nothing */
        bool weekend;
        size_t at;
    } list[TOLD_WORDS];
};

struct judge {
    struct evidence *e;
    const char *answer;
    const struct claims *claims; /* of the answer, all classes */
    struct ground_report *report;
    const struct ground_filled *filled;
    size_t index; /* of the claim in `claims` */
    size_t left;  /* comparisons that are left for this answer */
    struct scope scope;
    struct scope_asked asked;
    uint32_t scopes;            /* so many were made: the number of this one */
    uint32_t *seen;             /* for each item, the scope in which it was looked at */
    struct label_score *scores; /* for each label */
    struct told_words *told;
    unsigned stats;                                 /* of the scope */
    struct words units;                             /* of the claim: km and h of "42.3 km/h" */
    const struct evidence_item *rivals[MAX_RIVALS]; /* what the sentence may speak of, best first */
    unsigned rival_score[MAX_RIVALS];
    size_t rival_count;
};

bool ground_spend(struct judge *j, size_t work); /* false: none is left */
void ground_look(struct judge *j, size_t index); /* makes the scope that of this claim */
bool ground_matches(struct judge *j, const struct claim *c, const struct evidence_item *i,
                    long double factor);
/* Is it a number of the data, where the sentence tells of a mean or the like? */
bool ground_is_raw(const struct judge *j, const struct evidence_item *i);
bool ground_rounds(const struct claim *c, long double value);
size_t ground_factors(const struct claim *c, long double *out);
/* Does a label or the question say that numbers are in thousands, millions, …? */
bool ground_tells_scale(const struct evidence *e, int scale);
bool ground_is_past(const struct judge *j); /* Does the sentence tell of what was before? */
/* Is a number of one statistic surely none of another? */
bool ground_excludes(unsigned a, unsigned b);
/* How many numbers of the claim's form exist: 900 for NN.N. */
double ground_space(const struct claim *c);

/* derive.c: the claim follows from numbers that were shown. */
bool derive_claim(struct judge *j, struct grounding *g, bool strict);
bool derive_share(struct judge *j, struct grounding *g); /* of two numbers of its sentence */
bool derive_said(struct judge *j, struct grounding *g);  /* what the words ask for, of such two */

/* agree.c: flags numbers that contradict each other. */
void ground_agree(struct judge *j);

/* direction.c: words that say up or down. */
extern const char ground_rising[], ground_falling[];
/* Words that say up or down near the claim: 1, -1, or 0. */
int derive_direction(const struct judge *j);

/* method.c: the claim is a constant of a method, or of the question. */
bool method_constant(struct judge *j, const struct claim *c, bool shown);
bool method_given(const struct judge *j, const struct claim *c);
bool method_question(struct judge *j, const struct claim *c, const struct evidence_item *i);
