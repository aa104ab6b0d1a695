#include "agent/ground/ground.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNLIKELY 0.01    /* fewer expected chance matches than this make a match no chance */
#define WORK 100000000ul /* comparisons for one answer; claims beyond them stay unverified */
#define SENTENCE 1000    /* bytes before and after a claim that may belong to its sentence */

/* What was found out about a pool of evidence for the claim that is judged. */
struct known_chance {
    bool has_chance, has_size;
    double chance;
    size_t size;
};

struct judge {
    const struct evidence *e;
    const char *answer;
    size_t len;
    size_t strong; /* distinct numbers that are not bulk */
    size_t left;   /* of WORK: a cell can print the same number a hundred thousand times */

    /* Of the claim: its sentence, the words around it, the pools it was held against. */
    size_t from, to;
    struct words context;
    struct known_chance known[2][MAX_WORDS + 1];
};

static bool spend(struct judge *j, size_t work) {
    j->left -= work < j->left ? work : j->left;
    return j->left > 0;
}

/* The factors by which evidence may differ from a claim, because the claim's unit asks for it. */
static size_t factors_of(const struct claim *c, long double *out) {
    out[0] = 1;
    if (c->unit == CLAIM_PERCENT)
        out[1] = 100;
    if (c->unit == CLAIM_BASIS_POINTS)
        out[1] = 100, out[2] = 10000;
    return c->unit == CLAIM_PLAIN ? 1 : c->unit == CLAIM_PERCENT ? 2 : 3;
}

/* "0.4 %" is not proved by a ratio of 0.4: unscaled evidence has to be a percentage itself. */
static bool factor_fits(const struct evidence_item *i, const struct claim *c, long double factor) {
    if (c->unit == CLAIM_PLAIN)
        return true;
    bool named = i->percent || words_have(&i->words, "percent") || words_have(&i->words, "pct") ||
                 words_have(&i->words, "percentage");
    if (c->unit == CLAIM_PERCENT)
        return factor == 100 ? !i->percent : named || fabsl(i->value) > 1;
    if (factor == 100)
        return named;
    return factor == 10000 || words_have(&i->words, "bps") || fabsl(i->value) > 1;
}

static bool falls(struct judge *j) {
    spend(j, 10 * (j->to - j->from));
    return words_any(j->answer + j->from, j->to - j->from,
                     "fell fall falls falling decrease decreased decreases drop dropped drops loss "
                     "lost lower down decline declined reduction reduced negative minus");
}

static bool rounds(const struct claim *c, long double e) {
    long double v = c->value;
    if (c->bound == CLAIM_ABOUT &&
        fabsl(num_significant(e, 2) - num_significant(v, 2)) <= 1e-9L * fabsl(v))
        return true;
    if (v == 0)
        return e == 0 || (c->num.places > 1 && num_rounds_to(e, v, c->num.places));
    return num_rounds_to(e, v, c->num.places);
}

static bool bounded(const struct claim *c, long double e) {
    long double v = c->value;
    if (c->bound == CLAIM_MORE)
        return e >= v && v > 0 && v >= e / 2;
    return c->bound == CLAIM_LESS && e <= v && v > 0 && e >= v / 2;
}

static bool matches(struct judge *j, const struct claim *c, const struct evidence_item *i,
                    long double factor) {
    if (!factor_fits(i, c, factor))
        return false;
    if (c->num.digits || i->num.digits)
        return c->num.digits == i->num.digits;
    long double e = i->value * factor;
    if (rounds(c, e) || bounded(c, e))
        return true;
    return e < 0 && !c->signed_ && rounds(c, -e) && falls(j);
}

/* --- how likely is a match by chance --- */

double ground_space(const struct claim *c) {
    long double v = fabsl(c->value);
    if (v == 0)
        return 1;
    int decade = (int)floorl(log10l(v));
    return (double)(9 * num_pow10(decade + c->num.places));
}

struct pool {
    bool strong;                 /* only evidence that is not bulk */
    const struct words *context; /* with `common`: only what shares that many words with it */
    unsigned common;
};

static bool in_pool(const struct pool *p, const struct evidence_item *i) {
    if (i->stream == EVIDENCE_QUESTION || (p->strong && i->bulk))
        return false;
    return !p->common || words_common(&i->words, p->context) >= p->common;
}

/* Distinct numbers, as the claim would show them, with low <= |value| < high. */
static size_t distinct(struct judge *j, const struct pool *p, long double low, long double high,
                       long double scale, long double *not_this) {
    size_t n, count = 0, from = evidence_between(j->e, low, high, &n);
    long double last = -1;
    spend(j, n);
    for (size_t k = from; k < from + n; k++) {
        const struct evidence_item *i = &j->e->items[k];
        long double shown = roundl(fabsl(i->value) * scale);
        if (shown == last || (not_this && shown == *not_this) || !in_pool(p, i))
            continue;
        last = shown;
        count++;
    }
    return count;
}

static double count_chance(struct judge *j, const struct claim *c, const struct pool *p) {
    long double factors[3] = {1, 1, 1}, v = fabsl(c->value), unit = num_pow10(c->num.places);
    size_t n = factors_of(c, factors);
    double whole = 0, near = 0;
    if (v == 0)
        return 1;
    long double decade = num_pow10((int)floorl(log10l(v)));
    for (size_t k = 0; k < n; k++) {
        long double f = factors[k], scale = f * unit, self = roundl(v * unit);
        whole += (double)distinct(j, p, decade / f, decade * 10 / f, scale, NULL);
        near += (double)distinct(j, p, v * 0.9L / f, v * 1.1L / f, scale, &self);
    }
    double around = (double)(0.2L * v * unit);
    whole /= ground_space(c);
    near = around >= 1 ? near / around : near;
    return whole > near ? whole : near;
}

static double chance(struct judge *j, const struct claim *c, const struct pool *p) {
    struct known_chance *known = &j->known[p->strong][p->common];
    if (!known->has_chance)
        known->chance = count_chance(j, c, p);
    known->has_chance = true;
    return known->chance;
}

/* --- is this piece of evidence the one that is meant --- */

void ground_sentence(const char *s, size_t at, size_t *ret_from, size_t *ret_to) {
    size_t from = at, to = at;
    while (from > 0 && at - from < SENTENCE && s[from - 1] != '\n' &&
           !(strchr(".!?", s[from - 1]) && isspace((unsigned char)s[from])))
        from--;
    while (s[to] && to - at < SENTENCE && s[to] != '\n' &&
           !(strchr(".!?", s[to]) && (!s[to + 1] || isspace((unsigned char)s[to + 1]))))
        to++;
    *ret_from = from;
    *ret_to = to;
}

/* The words of the claim's sentence; for a bare number, also those before it and of the question.
 */
static void look_around(struct judge *j, const struct claim *c) {
    struct words *w = &j->context;
    ground_sentence(j->answer, c->start, &j->from, &j->to);
    *w = (struct words){0};
    memset(j->known, 0, sizeof j->known);
    words_add(w, j->answer + j->from, j->to - j->from);
    if (w->count >= 2)
        return;
    size_t before = j->from > 80 ? j->from - 80 : 0;
    words_add(w, j->answer + before, j->from - before);
    for (unsigned i = 0; i < j->e->question.count && w->count < MAX_WORDS; i++)
        w->hash[w->count++] = j->e->question.hash[i];
}

static bool says_cell(struct judge *j, unsigned cell) {
    char name[32];
    int n = snprintf(name, sizeof name, "cell %u", cell);
    const char *at = memmem(j->answer + j->from, j->to - j->from, name, (size_t)n);
    spend(j, j->to - j->from);
    return at && !isdigit((unsigned char)at[n]);
}

/* The answer repeats the output around the number, or is that output. */
static bool verbatim(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    size_t before = strlen(i->before), after = strlen(i->after), end = c->start + c->len;
    bool percent = c->unit != CLAIM_PLAIN && i->percent;
    if (c->start < before || memcmp(j->answer + c->start - before, i->before, before) != 0)
        return false;
    size_t from = percent ? end - 1 : end;
    if (j->len - from < after || memcmp(j->answer + from, i->after, after) != 0)
        return false;
    size_t letters = 0;
    for (size_t k = 0; k < before; k++)
        letters += isalpha((unsigned char)i->before[k]) != 0;
    for (size_t k = 0; k < after; k++)
        letters += isalpha((unsigned char)i->after[k]) != 0;
    return letters >= 5 || (i->stream == EVIDENCE_VALUE && i->position == c->start);
}

static size_t pool_size(struct judge *j, const struct pool *p, const struct claim *c) {
    struct known_chance *known = &j->known[p->strong][p->common];
    if (!known->has_size)
        known->size =
            distinct(j, p, 0, INFINITY, num_pow10(c->num.places > 6 ? c->num.places : 6), NULL);
    known->has_size = true;
    return known->size;
}

static bool strong_is_meant(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    unsigned common = words_common(&i->words, &j->context);
    struct pool all = {.strong = true};
    struct pool named = {.strong = true, .context = &j->context, .common = common};
    if (j->strong <= EVIDENCE_FEW || (i->cell == j->e->last_cell && i->cell))
        return true;
    if (common && pool_size(j, &named, c) <= EVIDENCE_FEW)
        return true;
    return chance(j, c, &all) < UNLIKELY || (common && chance(j, c, &named) < UNLIKELY);
}

static bool bulk_is_meant(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    unsigned common = words_common(&i->words, &j->context);
    struct pool all = {0}, named = {.context = &j->context, .common = common};
    if (common > 1 && pool_size(j, &named, c) <= EVIDENCE_FEW / 2)
        return true;
    return chance(j, c, &all) < UNLIKELY || (common > 1 && chance(j, c, &named) < UNLIKELY);
}

static bool is_meant(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    if (c->bound == CLAIM_MORE || c->bound == CLAIM_LESS)
        return !i->bulk && (j->strong <= 2 || words_common(&i->words, &j->context) > 0);
    if (i->rows)
        return true;
    if (i->counted)
        return words_common(&i->words, &j->context) > 0;
    if (says_cell(j, i->cell) || verbatim(j, c, i))
        return true;
    return i->bulk ? bulk_is_meant(j, c, i) : strong_is_meant(j, c, i);
}

/* --- one claim --- */

static bool better(const struct evidence_item *a, const struct evidence_item *b,
                   const struct words *context) {
    if (!b)
        return true;
    if (a->bulk != b->bulk)
        return !a->bulk;
    unsigned x = words_common(&a->words, context), y = words_common(&b->words, context);
    if (x != y)
        return x > y;
    return a->stream != b->stream ? a->stream < b->stream : a->cell > b->cell;
}

static void ground_settle(struct grounding *g, enum ground_verdict verdict,
                          const struct evidence_item *i, long double factor) {
    g->verdict = verdict;
    g->item = i;
    g->exact = i->value * factor;
}

static void judge_item(struct judge *j, struct grounding *g, const struct evidence_item *i,
                       long double factor) {
    const struct claim *c = &g->claim;
    if (!matches(j, c, i, factor) || !spend(j, j->e->literals.count))
        return;
    if (i->stream == EVIDENCE_QUESTION) {
        if (g->verdict > GROUND_QUESTION && fabsl(i->value * factor) == fabsl(c->value))
            ground_settle(g, GROUND_QUESTION, i, factor);
    } else if (evidence_asserted(j->e, i)) {
        if (g->verdict > GROUND_ASSERTED)
            ground_settle(g, GROUND_ASSERTED, i, factor);
    } else if (is_meant(j, c, i)) {
        if (g->verdict != GROUND_GROUNDED || better(i, g->item, &j->context))
            ground_settle(g, GROUND_GROUNDED, i, factor);
    }
}

/* The range of evidence that can match at all, in the evidence's own scale. */
static void search_range(const struct claim *c, long double factor, long double *low,
                         long double *high) {
    long double v = fabsl(c->value), half = 0.51L * num_pow10(-c->num.places);
    if (c->bound == CLAIM_ABOUT && half < v * 0.06L)
        half = v * 0.06L;
    *low = (c->bound == CLAIM_LESS ? v / 2 : v) - half;
    *high = (c->bound == CLAIM_MORE ? v * 2 : v) + half;
    *low = *low < 0 ? 0 : *low / factor;
    *high /= factor;
    if (c->num.digits)
        *low = v * (1 - 1e-15L), *high = v * (1 + 1e-15L);
}

static void judge_claim(struct judge *j, struct grounding *g) {
    long double factors[3] = {1, 1, 1}, low, high;
    look_around(j, &g->claim);
    size_t n, count = factors_of(&g->claim, factors);
    for (size_t k = 0; k < count; k++) {
        search_range(&g->claim, factors[k], &low, &high);
        size_t from = evidence_between(j->e, low, high, &n);
        for (size_t i = from; i < from + n && spend(j, 10); i++)
            judge_item(j, g, &j->e->items[i], factors[k]);
    }
    if (g->verdict == GROUND_UNVERIFIED && spend(j, j->e->literals.count) &&
        evidence_literal(j->e, g->claim.value, g->claim.num.places) && g->claim.num.sig > 2)
        g->verdict = GROUND_ASSERTED;
}

/* "3 of 4 passed" written 3/4: proved by the quotient, or by both its numbers. */
static void judge_fraction(struct judge *j, struct grounding *g) {
    struct claim whole = g->claim;
    g->claim.num.places = 6;
    judge_claim(j, g);
    g->claim = whole;
    if (g->verdict <= GROUND_QUESTION)
        return;
    struct grounding parts[2] = {*g, *g};
    for (int k = 0; k < 2; k++) {
        struct claim *c = &parts[k].claim;
        c->value = k ? whole.over : whole.value * whole.over;
        c->num = (struct num){.value = c->value, .sig = 1};
        parts[k].verdict = GROUND_UNVERIFIED;
        judge_claim(j, &parts[k]);
    }
    if (parts[0].verdict <= GROUND_QUESTION && parts[1].verdict <= GROUND_QUESTION)
        ground_settle(g, GROUND_GROUNDED, parts[0].item, 1);
}

static void find_nearest(struct judge *j, struct grounding *g) {
    long double best = INFINITY, factors[3] = {1, 1, 1}, v = g->claim.value;
    size_t count = factors_of(&g->claim, factors);
    if (!spend(j, j->e->count))
        return;
    for (size_t i = 0; i < j->e->count; i++) {
        const struct evidence_item *x = &j->e->items[i];
        for (size_t k = 0; k < count && x->stream != EVIDENCE_QUESTION; k++) {
            long double d = fabsl(x->value * factors[k] - v) * (x->bulk ? 4 : 1);
            if (d < best && factor_fits(x, &g->claim, factors[k])) {
                best = d;
                g->nearest = x;
            }
        }
    }
}

int ground_answer(struct evidence *e, const char *answer, struct ground_report *ret) {
    struct claims claims;
    *ret = (struct ground_report){0};
    int r = claims_read(answer, strlen(answer), &claims);
    if (r < 0)
        return r;
    evidence_seal(e);
    struct judge j = {.e = e, .answer = answer, .len = strlen(answer), .left = WORK};
    struct pool strong = {.strong = true};
    j.strong = distinct(&j, &strong, 0, INFINITY, 1e6L, NULL);
    ret->list = calloc(claims.count + 1, sizeof *ret->list);
    for (size_t i = 0; ret->list && i < claims.count; i++) {
        if (claims.list[i].class != CLAIM_VALUE)
            continue;
        struct grounding *g = &ret->list[ret->count++];
        *g = (struct grounding){.claim = claims.list[i], .verdict = GROUND_UNVERIFIED};
        if (g->claim.over != 0)
            judge_fraction(&j, g);
        else
            judge_claim(&j, g);
    }
    claims_done(&claims);
    if (!ret->list)
        return -ENOMEM;
    derive_all(ret, answer);
    for (size_t i = 0; i < ret->count; i++) {
        struct grounding *g = &ret->list[i];
        if (g->verdict == GROUND_UNVERIFIED)
            find_nearest(&j, g);
        ret->unproved += g->verdict > GROUND_QUESTION;
    }
    return 0;
}

void ground_done(struct ground_report *report) {
    free(report->list);
    *report = (struct ground_report){0};
}
