/* What judges the claims of one answer, shared by the files of this folder.
 *
 * Runs in: the broker's process.
 * Hostile: the answer and the evidence.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_ground.c
 */
#pragma once

#include "agent/claims/places.h"
#include "agent/claims/scope.h"
#include "agent/ground/ground.h"

#define MAX_RIVALS 256

/* What the words of a scope make of a label, in a row, column or line, and in code. */
struct label_score {
    uint32_t scope; /* for which it was computed */
    uint16_t own, code;
    uint32_t weighed[PARTS]; /* the scope for which … */
    float weight[PARTS];     /* … it has this weight */
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

/* What was found out about a claim when it was looked at first. */
struct looked_at {
    bool done;
    unsigned stats;
    uint32_t lead, noun;
    uint16_t rival_count, rival_score[MAX_RIVALS];
    uint32_t rivals[MAX_RIVALS]; /* places in the evidence */
};

struct judge {
    struct evidence *e;
    const char *answer;
    const struct claims *claims; /* of the answer, all classes */
    struct ground_report *report;
    struct place *places;     /* of each claim */
    struct looked_at *looked; /* at each claim */
    const struct ground_filled *filled;
    size_t index; /* of the claim in `claims` */
    size_t left;  /* comparisons that are left for this answer */
    struct scope scope;
    struct scope_asked asked;
    uint32_t scopes;            /* so many were made: the number of this one */
    uint32_t *seen;             /* for each item, the scope in which it was looked at */
    struct label_score *scores; /* for each label */
    struct told_words *told;
    uint8_t *noted;        /* weigh.c: about each item */
    struct weigh_kin *kin; /* of the claim */
    unsigned last_cell;
    uint32_t lead, noun;                            /* of the claim: scope_lead, scope_noun */
    unsigned stats;                                 /* of the scope */
    struct words units;                             /* of the claim: km and h of "42.3 km/h" */
    const struct evidence_item *rivals[MAX_RIVALS]; /* what the sentence may speak of, best first */
    unsigned rival_score[MAX_RIVALS];
    size_t rival_count;
};

bool ground_spend(struct judge *j, size_t work);    /* false: none is left */
void ground_turn_to(struct judge *j, size_t index); /* makes it the claim that is judged */
void ground_look(struct judge *j, size_t index);    /* makes only the scope that of this claim */
size_t ground_index(const struct judge *j, const struct grounding *g); /* in `claims` */
/* What can match at all, in the evidence's own scale. */
void ground_range(const struct claim *c, long double factor, long double *low, long double *high);
void ground_nearest(struct judge *j, struct grounding *g); /* notes what comes closest by value */
bool ground_is_past(const struct judge *j); /* Does the sentence tell of what was before? */

/* derive.c: the claim follows from numbers that were shown. */
bool derive_claim(struct judge *j, struct grounding *g, bool strict);
bool derive_share(struct judge *j, struct grounding *g); /* of two numbers of its sentence */
bool derive_said(struct judge *j, struct grounding *g);  /* what the words ask for, of such two */

/* So many rows of one column are named behind it. */
bool derive_named_rows(struct judge *j, struct grounding *g);
bool derive_restated(struct judge *j, struct grounding *g); /* rounded, what the sentence has */

/* decide.c: whether a number is accepted, by all that speaks for it and against it. */
void ground_decide(struct judge *j);

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

/* … or it is of the data that the code has in its own text, by its name. */
bool method_typed(struct judge *j, struct grounding *g);

/* … and the statistic that the words by this claim name, 0 if none. */
unsigned ground_stats_asked(const struct judge *j, size_t index);

/* names.c */
/* "Paracetamol 500", "under four hours": the number is part of what something shown is called. */
bool ground_is_name(const struct evidence *e, const char *answer, const struct claim *c);
/* Times of the answer become claims if the evidence has times. */
void ground_read_clocks(const struct evidence *e, const char *answer, struct claims *claims);
/* "0.21 to 1.64 %": what is said of one of them holds for the other. */
void ground_share_units(const char *answer, struct claims *claims);
