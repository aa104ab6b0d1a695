/* Grounding: a verdict for every number in an answer.
 *
 * A claim is matched by rounding the evidence to the digits that the claim shows. Evidence that
 * stands alone (the value of a cell, a short print) grounds it; evidence that is one of many does
 * so only if the match is unlikely to be chance, or if the answer names the number by the words it
 * stands with.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: the report.
 * Tests: tests/unit/test_agent_ground.c, tests/unit/test_agent_odds.c
 */
#pragma once

#include "agent/ground/claims.h"
#include "agent/ground/evidence.h"
#include "base/buf.h"

enum ground_verdict {
    GROUND_GROUNDED,
    GROUND_DERIVED,
    GROUND_QUESTION,
    GROUND_ASSERTED,
    GROUND_UNVERIFIED,
};

struct grounding {
    struct claim claim;
    enum ground_verdict verdict;
    const struct evidence_item *item;    /* what proves it; NULL for derived and unverified */
    const struct evidence_item *nearest; /* for unverified, may be NULL */
    long double exact;                   /* the evidence in the claim's unit */
    char formula[128];                   /* for derived */
};

struct ground_report {
    struct grounding *list; /* of values only; dates, names and the like need no proof */
    size_t count;
    size_t unproved; /* asserted or unverified */
};

/* Seals the evidence. 0 or -ENOMEM. The report points into the evidence. */
int ground_answer(struct evidence *e, const char *answer, struct ground_report *ret);
void ground_done(struct ground_report *report);

const char *ground_verdict_name(enum ground_verdict verdict);
/* [{"text", "value", "start", "end", "verdict", "cell", "stream", "position", "formula",
 * "nearest"}] */
json_t *ground_json(const struct ground_report *report, const struct evidence *e,
                    const char *answer);
/* What to tell the model about each number that has no proof, a line each. */
int ground_advice(const struct ground_report *report, const struct evidence *e, const char *answer,
                  struct buf *out);

/* For derive.c: the sentence around a claim. */
void ground_sentence(const char *answer, size_t at, size_t *ret_from, size_t *ret_to);
/* How many numbers of the claim's form exist: 900 for NN.N. */
double ground_space(const struct claim *c);
/* Second pass: tries one-step derivations for the claims that are still unverified. */
void derive_all(struct ground_report *report, const char *answer);
