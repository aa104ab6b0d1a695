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

#include "agent/claims/claims.h"
#include "agent/evidence/evidence.h"
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
    bool disagrees;                      /* of a flag: with other numbers of the answer */
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
