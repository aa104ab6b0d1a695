/* One-step derivations: a difference, ratio, share, change or sum of numbers that are proved in the
 * same answer, recomputed here from the evidence and only if the sentence speaks of it. */
#include "agent/ground/ground.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum operation { DIFFERENCE, RATIO, SHARE, CHANGE, SUM, OPERATIONS };

static const struct {
    const char *words;
    const char *format; /* of the formula: two operands and the result */
} operations[OPERATIONS] = {
    [DIFFERENCE] =
        {"difference more less higher lower gap increase increased decrease decreased "
         "fewer remaining remain left exceeds margin minus greater smaller apart rose fell",
         "%.10Lg - %.10Lg = %.10Lg"},
    [RATIO] = {"times ratio fold twice x factor per", "%.10Lg / %.10Lg = %.10Lg"},
    [SHARE] = {"share percent percentage of proportion portion accounts rate",
               "%.10Lg / %.10Lg = %.10Lg %%"},
    [CHANGE] = {"increase increased decrease decreased growth grew change changed rose fell higher "
                "lower more less up down percent",
                "%.10Lg against %.10Lg = %.10Lg %%"},
    [SUM] = {"sum total together combined altogether both plus overall",
             "%.10Lg + %.10Lg = %.10Lg"},
};

static long double derive_apply(enum operation op, long double a, long double b) {
    switch (op) {
    case DIFFERENCE: return a - b;
    case RATIO: return b != 0 ? a / b : NAN;
    case SHARE: return b != 0 ? 100 * a / b : NAN;
    case CHANGE: return b != 0 ? 100 * (a - b) / b : NAN;
    default: return a + b;
    }
}

static bool derive_asked_for(enum operation op, const struct claim *c, const char *s, size_t len) {
    bool percent = c->unit == CLAIM_PERCENT;
    if (percent != (op == SHARE || op == CHANGE) && !(percent && op == DIFFERENCE))
        return false;
    if (op == SHARE && percent)
        return true;
    return words_any(s, len, operations[op].words);
}

/* Operands stand in the same sentence or the one before it; "2." at the start of a line is none. */
static void search_window(const char *answer, size_t claim, size_t *ret_from, size_t *ret_to) {
    size_t from, before, end;
    ground_sentence(answer, claim, &from, ret_to);
    before = from;
    while (before > 2 && from - before < 8)
        ground_sentence(answer, before - 2, &before, &end);
    *ret_from = before;
}

struct trial {
    struct ground_report *report;
    const char *answer;
    size_t index; /* of the claim to be derived */
    size_t operands[16];
    size_t operand_count;
};

static void find_operands(struct trial *t) {
    const struct grounding *u = &t->report->list[t->index];
    size_t from, to;
    search_window(t->answer, u->claim.start, &from, &to);
    for (size_t i = 0; i < t->report->count && t->operand_count < 16; i++) {
        const struct grounding *g = &t->report->list[i];
        if (i != t->index && g->verdict <= GROUND_QUESTION && g->verdict != GROUND_DERIVED &&
            g->claim.start >= from && g->claim.start < to)
            t->operands[t->operand_count++] = i;
    }
}

static bool derive_fits(const struct claim *c, long double x) {
    return isfinite(x) && (num_rounds_to(x, c->value, c->num.places) ||
                           (!c->signed_ && num_rounds_to(-x, c->value, c->num.places)));
}

/* With many operands some pair gives any number: few candidates, or many digits. */
static bool few_candidates(const struct trial *t, const struct claim *c) {
    size_t n = t->operand_count;
    return n <= 2 || (double)(n * (n - 1)) / ground_space(c) < 0.05;
}

static bool try_pairs(struct trial *t, enum operation op) {
    struct grounding *u = &t->report->list[t->index];
    for (size_t a = 0; a < t->operand_count; a++)
        for (size_t b = 0; b < t->operand_count; b++) {
            if (a == b || (op == SUM && b < a))
                continue;
            long double x = t->report->list[t->operands[a]].exact;
            long double y = t->report->list[t->operands[b]].exact, r = derive_apply(op, x, y);
            if (!derive_fits(&u->claim, r))
                continue;
            u->verdict = GROUND_DERIVED;
            u->exact = r;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(u->formula, sizeof u->formula, operations[op].format, x, y, r);
#pragma GCC diagnostic pop
            return true;
        }
    return false;
}

/* "… in total 12" after several addends. */
static bool try_sum(struct trial *t) {
    struct grounding *u = &t->report->list[t->index];
    long double sum = 0;
    for (size_t i = 0; i < t->operand_count; i++)
        sum += t->report->list[t->operands[i]].exact;
    if (t->operand_count < 3 || !derive_fits(&u->claim, sum))
        return false;
    u->verdict = GROUND_DERIVED;
    u->exact = sum;
    snprintf(u->formula, sizeof u->formula, "sum of %zu numbers = %.10Lg", t->operand_count, sum);
    return true;
}

static void derive(struct trial *t) {
    const struct claim *c = &t->report->list[t->index].claim;
    size_t from, to;
    ground_sentence(t->answer, c->start, &from, &to);
    find_operands(t);
    if (t->operand_count < 2)
        return;
    for (int op = 0; op < OPERATIONS; op++) {
        if (!derive_asked_for((enum operation)op, c, t->answer + from, to - from))
            continue;
        if (few_candidates(t, c) && try_pairs(t, (enum operation)op))
            return;
        if (op == SUM && try_sum(t))
            return;
    }
}

void derive_all(struct ground_report *report, const char *answer) {
    for (size_t i = 0; i < report->count; i++) {
        struct trial t = {.report = report, .answer = answer, .index = i};
        if (report->list[i].verdict == GROUND_UNVERIFIED &&
            report->list[i].claim.bound <= CLAIM_ABOUT)
            derive(&t);
    }
}
