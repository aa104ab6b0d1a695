/* Derivations: a difference, ratio, share, change, sum, mean or product of numbers that were shown,
 * computed again here, exactly, and only if the sentence speaks of it. Operands are the other
 * numbers of the sentence, then what the sentence names, then whole columns, then all that was
 * shown; the more there are to choose from, the more digits a result must have. */
#include "agent/ground/derive.h"

#include "agent/ground/match.h"
#include "agent/ground/rivals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FEW_SHOWN 60 /* numbers: of more, one fits a claim of three digits by chance */

/* "Ten more square metres cost 113.71 more": so many times what was shown for one. */
static bool try_times(struct judge *j, struct grounding *g) {
    char formula[120];
    for (size_t i = 0; i < j->report->count; i++) {
        struct grounding *x = &j->report->list[i];
        long double n = x->claim.value;
        if (x == g || x->claim.start < j->scope.from || x->claim.start >= j->scope.to ||
            x->claim.unit != CLAIM_PLAIN || x->claim.num.places > 0 || n < 2 || n > 1000 ||
            g->claim.num.sig < 3)
            continue;
        for (size_t k = 0; k < j->rival_count && j->rival_score[k] >= 7; k++) {
            long double v = j->rivals[k]->value;
            if (j->rivals[k]->counted || derive_is_power(fabsl(v)) ||
                !derive_fits(&g->claim, n * v))
                continue;
            if (ground_flagged(x->verdict))
                x->verdict = GROUND_METHOD; /* it was chosen */
            snprintf(formula, sizeof formula, "%.10Lg * %.10Lg = %.10Lg", n, v, n * v);
            g->operands[0] = n;
            g->operands[1] = v;
            return derive_prove(g, formula, n * v);
        }
    }
    return false;
}

/* Is it a round number that the sentence supposes: "for 10,000 EUR", "100 hp more"? */
static bool is_supposed(const struct judge *j, const struct grounding *x) {
    return x->claim.unit == CLAIM_PLAIN && x->claim.value >= 10 &&
           derive_is_power(x->claim.value) && x->claim.start >= j->scope.from &&
           x->claim.start < j->scope.to &&
           (x->verdict == GROUND_UNVERIFIED || x->verdict == GROUND_METHOD);
}

/* A number that was shown and is v at the digits that make `c` of it; NULL if there is none, or too
 * many to choose from. */
static const struct evidence_item *shown_for(struct judge *j, const struct claim *c, long double n,
                                             long double v) {
    long double half = 0.5L * num_pow10(-c->num.places) / n;
    size_t count, at = evidence_between(j->e, fabsl(v) - half, fabsl(v) + half, &count);
    for (size_t i = at; i < at + count && ground_spend(j, 1); i++) {
        const struct evidence_item *x = evidence_at(j->e, i);
        if (!x->counted && x->stream != EVIDENCE_QUESTION && !derive_is_power(fabsl(x->value)) &&
            x->num.sig > 1 && !evidence_asserted(j->e, x) &&
            (j->e->count < FEW_SHOWN || rivals_score(j, x) >= 7))
            return x;
    }
    return NULL;
}

/* "100 hp more cost about 5,742 more", "10,000 would have become 10,631": what was shown for one, or
 * as a return, for a round number that was chosen. */
static bool try_supposed(struct judge *j, struct grounding *g) {
    char formula[120];
    long double c = g->claim.value;
    bool grows = scope_has(&j->scope, "become becomes became worth grown grow turned würde wären");
    if (g->claim.unit != CLAIM_PLAIN || g->claim.num.sig < 2 || derive_is_power(c) ||
        !(grows || scope_has(&j->scope, "would more less fewer additional extra every each per if "
                                        "for expect expected cost costs mehr wenn pro plus")))
        return false;
    for (size_t i = 0; i < j->report->count; i++) {
        struct grounding *x = &j->report->list[i];
        long double n = x->claim.value;
        if (x == g || !is_supposed(j, x))
            continue;
        const struct evidence_item *one =
            g->claim.num.sig > 2 || c < n ? shown_for(j, &g->claim, n, c / n) : NULL;
        const struct evidence_item *rate =
            !one && grows && g->claim.num.sig > 3 ? shown_for(j, &g->claim, n, c / n - 1) : NULL;
        if (!one && (!rate || (rate->value > 0) != (c > n)))
            continue;
        snprintf(formula, sizeof formula,
                 one ? "%.10Lg * %.10Lg = %.10Lg" : "%.10Lg * (1 + %.10Lg) = %.10Lg", n,
                 one ? one->value : rate->value, one ? n * one->value : n * (1 + rate->value));
        x->verdict = GROUND_METHOD; /* it was chosen */
        g->operands[0] = n;
        g->operands[1] = one ? one->value : rate->value;
        return derive_prove(g, formula, one ? n * one->value : n * (1 + rate->value));
    }
    return false;
}

/* "0.68² ≈ 0.46" */
static bool try_square(struct judge *j, struct grounding *g) {
    char formula[120];
    for (size_t i = 0; i < j->report->count; i++) {
        const struct grounding *x = &j->report->list[i];
        long double v = x->claim.value, r = v * v;
        if (x == g || ground_flagged(x->verdict) || x->claim.start < j->scope.from ||
            x->claim.start >= j->scope.to ||
            strncmp(j->answer + x->claim.start + x->claim.len, "\u00b2", 2) != 0 ||
            !derive_fits(&g->claim, g->claim.unit == CLAIM_PERCENT ? 100 * r : r))
            continue;
        snprintf(formula, sizeof formula, "%.10Lg * %.10Lg = %.10Lg", v, v, r);
        return derive_prove(g, formula, g->claim.unit == CLAIM_PERCENT ? 100 * r : r);
    }
    return false;
}

/* "almost 20 hours: 19.29 h", "about 1,500 (1,496.3)": told once more, rounded. */
bool derive_restated(struct judge *j, struct grounding *g) {
    const struct claim *c = &g->claim;
    char formula[120];
    if (c->bound == CLAIM_EXACT || c->num.sig > 2 || g->verdict == GROUND_STALE)
        return false;
    for (size_t i = 0; i < j->report->count; i++) {
        const struct grounding *x = &j->report->list[i];
        long double v = x->claim.value, away = fabsl(v - c->value);
        if (x == g || ground_flagged(x->verdict) || x->claim.start < j->scope.from ||
            x->claim.start >= j->scope.to || x->claim.unit != c->unit ||
            x->claim.num.sig <= c->num.sig || away > 0.05L * fabsl(v) ||
            (c->bound == CLAIM_MORE && v < c->value) || (c->bound == CLAIM_LESS && v > c->value))
            continue;
        snprintf(formula, sizeof formula, "%.10Lg, rounded", v);
        return derive_prove(g, formula, v);
    }
    return false;
}

/* "16 % (63 of 400)": the sentence says what it is the share of. */
static bool stated_share(const struct judge *j, const struct grounding *g, struct operands *o) {
    for (size_t i = 0; i + 1 < j->report->count && g->claim.unit == CLAIM_PERCENT; i++) {
        const struct grounding *a = &j->report->list[i], *b = a + 1;
        size_t end = a->claim.start + a->claim.len;
        if (a->claim.start < j->scope.from || b->claim.start >= j->scope.to || b == g || a == g ||
            a->claim.unit != CLAIM_PLAIN || b->claim.unit != CLAIM_PLAIN ||
            !scope_is_partitive(j->answer, end, b->claim.start))
            continue;
        *o = (struct operands){.count = 2};
        o->list[0] =
            (struct operand){a->claim.value, (long)a->claim.start, KNOWN_SAID, NULL, false, false};
        o->list[1] =
            (struct operand){b->claim.value, (long)b->claim.start, KNOWN_SAID, NULL, false, false};
        return true;
    }
    return false;
}

static bool has_one_percent(const struct judge *j) {
    size_t n = 0;
    for (size_t i = 0; i < j->report->count; i++)
        n += j->report->list[i].claim.unit == CLAIM_PERCENT &&
             j->report->list[i].claim.start >= j->scope.from &&
             j->report->list[i].claim.start < j->scope.to;
    return n == 1;
}

bool derive_is_stated(const struct judge *j, const struct grounding *g) {
    struct operands o;
    return has_one_percent(j) && stated_share(j, g, &o);
}

static bool derive_as_told(struct judge *j, struct grounding *g, bool strict) {
    bool wrong = false;
    struct columns columns = {.count = 0};
    struct operands o = {.count = 0}, named = {.count = 0};
    if (g->claim.bound > CLAIM_ABOUT || g->claim.num.digits || !ground_spend(j, 1))
        return false;
    if (has_one_percent(j) && stated_share(j, g, &o))
        return derive_try(j, g, &o, 3, &wrong);
    if (derive_try_table(j, g))
        return true;
    operands_said(j, g, &o);
    if (derive_try(j, g, &o, 3, &wrong) || (!wrong && derive_try_rest(j, g)))
        return true;
    operands_named(j, &named);
    for (size_t i = 0; i < named.count; i++)
        operands_add(&o, named.list[i]);
    struct operands near = o;
    operands_shown(j, &named, &o);
    if (derive_try(j, g, &o, 2, &wrong) ||
        (!wrong && !strict && derive_try_columns(j, g, &columns)))
        return true;
    if (!wrong && (derive_try_sums(j, g, &columns, &near) || try_times(j, g) ||
                   try_supposed(j, g) || try_square(j, g)))
        return true;
    for (unsigned rank = 2; rank-- > 0 && !wrong && !strict;)
        if (derive_try(j, g, &o, rank, &wrong))
            return true;
    if (wrong)
        g->verdict = GROUND_CONTRADICTED;
    else
        g->formula[0] = 0;
    return false;
}

/* "Of 48,210 visitors 1,296 bought, i.e. 2.69 %": the sentence has both numbers of the share. */
bool derive_share(struct judge *j, struct grounding *g) {
    struct operands all = {.count = 0}, o = {.count = 0};
    struct trial t = {.wanted[SHARE] = true, .most = MAX_OPERANDS};
    bool wrong = false;
    if (g->claim.unit != CLAIM_PERCENT || g->claim.num.sig < 2 || !ground_spend(j, 1))
        return false;
    operands_said(j, g, &all);
    for (size_t i = 0; i < all.count; i++)
        if (all.list[i].place >= (long)j->scope.from)
            operands_add(&o, all.list[i]);
    return derive_try_rank(j, g, &o, 3, &t, &wrong);
}

bool derive_said(struct judge *j, struct grounding *g) {
    struct operands all = {.count = 0}, o = {.count = 0};
    struct trial t = {.asked = true, .most = MAX_OPERANDS};
    bool wrong = false;
    if (g->claim.bound > CLAIM_ABOUT || !ground_spend(j, 1))
        return false;
    for (int op = 0; op < OPERATIONS; op++)
        t.wanted[op] = derive_asked_for(j, (enum operation)op, &g->claim);
    operands_said(j, g, &all);
    for (size_t i = 0; i < all.count; i++) /* what ran as something else: of its own sentence */
        if (!g->item || all.list[i].place >= (long)j->scope.from)
            operands_add(&o, all.list[i]);
    return derive_try_rank(j, g, &o, 3, &t, &wrong);
}

/* The scale in which the evidence may tell what the claim does: "685,000 more" of what was shown in
 * thousands. */
static int derive_scale(const struct judge *j, const struct claim *c) {
    bool thousands = c->num.places <= 0 && c->num.sig > 3 && fmodl(c->value, 1000) == 0;
    if (c->unit != CLAIM_PLAIN)
        return 0;
    if (c->scale > 0)
        return ground_tells_scale(j->e, c->scale) ? c->scale : 0;
    return thousands && ground_asks_scale(j->e, 3) ? 3 : 0;
}

bool derive_claim(struct judge *j, struct grounding *g, bool strict) {
    if (derive_as_told(j, g, strict))
        return true;
    struct claim whole = g->claim;
    enum ground_verdict verdict = g->verdict;
    int scale = derive_scale(j, &whole);
    if (!scale)
        return false;
    g->claim.value /= num_pow10(scale); /* what was shown is in millions */
    g->claim.num.places = whole.scale ? whole.num.places + scale : 0;
    bool derived = derive_as_told(j, g, strict);
    g->claim = whole;
    g->exact *= derived ? num_pow10(scale) : 1;
    g->verdict = derived ? g->verdict : verdict;
    return derived;
}
