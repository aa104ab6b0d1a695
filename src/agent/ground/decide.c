/* Whether a number is accepted: the verdict of the rules is one voice among others. Numbers that the
 * sentence may speak of are weighed, those that read like the claim against the rest; if the rules
 * did not find it, so is all that follows by one step. */
#include "agent/ground/decide.h"

#include "agent/ground/match.h"
#include "agent/ground/rivals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING (-20.0f) /* the logarithm of no weight at all */
#define MOST_MARGIN 8.0f
#define NO_RIVAL 9.0f
#define NO_MATCH 10.0f
#define TRUSTED 0.37    /* from here on a flag is taken back, if it was shown, … */
#define FOLLOWS 0.45    /* … and if it follows by one step */
#define DOUBTED 0.35    /* below it a claim is flagged */
#define MAX_SEARCHES 40 /* of combinations, for one answer */

double decide_trust(const float *f) {
    double sum = (double)decide_base;
    for (size_t i = 0; i < decide_tree_count; i++) {
        const struct tree *t = &decide_trees[i];
        int node = 0;
        while (node < TREE_NODES)
            node = 2 * node + (f[t->feature[node]] > t->at[node] ? 2 : 1);
        sum += (double)t->leaf[node - TREE_NODES];
    }
    return 1 / (1 + exp(-sum));
}

/* --- what the sentence may speak of --- */

/* Is it so far away that no rounding leads there? Nine of ten are. */
static bool is_far(const struct claim *c, const struct evidence_item *i, long double factor) {
    long double v = fabsl(c->value), away = fabsl(fabsl(i->value * factor) - v);
    return c->bound <= CLAIM_ABOUT && !c->num.digits && !i->num.digits &&
           away > 0.06L * v + num_pow10(-c->num.places);
}

static bool reads_like(const struct decision *d, const struct evidence_item *i,
                       long double *ret_factor) {
    for (size_t k = 0; k < d->factor_count; k++)
        if (!is_far(&d->g->claim, i, d->factors[k]) &&
            ground_matches(d->j, &d->g->claim, i, d->factors[k])) {
            *ret_factor = d->factors[k];
            return true;
        }
    return false;
}

/* What evidence may be multiplied by to be in the claim's unit. */
static void decide_factors(struct decision *d) {
    long double clock = ground_clock_factor(d->j, &d->g->claim);
    d->factor_count = ground_factors(&d->g->claim, d->factors);
    if (clock != 0 && clock != 1 && d->factor_count < 3)
        d->factors[d->factor_count++] = clock;
}

static void decide_add(struct decision *d, const struct weigh_told *told,
                       const struct evidence_item *i, bool match) {
    if (d->count == WEIGHED || !ground_spend(d->j, 8))
        return;
    struct tally t = weigh_item(d->j, d->n, told, i);
    struct weighed_item *w = &d->list[d->count++];
    *w = (struct weighed_item){i, t.sum, match, weigh_is_told(d->j, &told[i - d->j->e->items])};
}

static void decide_add_matches(struct decision *d, const struct weigh_told *told) {
    struct judge *j = d->j;
    long double low, high;
    size_t n;
    for (size_t k = 0; k < d->factor_count; k++) {
        ground_range(&d->g->claim, d->factors[k], &low, &high);
        size_t from = evidence_between(j->e, low, high, &n);
        for (size_t m = from; m < from + n && d->count < WEIGHED && ground_spend(j, 4); m++) {
            const struct evidence_item *i = evidence_at(j->e, m);
            uint32_t *seen = &j->seen[i - j->e->items];
            if (*seen == j->scopes || i->stream == EVIDENCE_QUESTION ||
                !ground_matches(j, &d->g->claim, i, d->factors[k]))
                continue;
            *seen = j->scopes;
            decide_add(d, told, i, true);
        }
    }
}

static void decide_list(struct decision *d, const struct weigh_told *told) {
    struct judge *j = d->j;
    long double factor;
    decide_factors(d);
    for (size_t k = 0; k < j->rival_count && k < WEIGHED_RIVALS; k++)
        decide_add(d, told, j->rivals[k], reads_like(d, j->rivals[k], &factor));
    decide_add_matches(d, told);
    for (size_t k = 0; k < d->count; k++) {
        const struct weighed_item **at = d->list[k].match ? &d->best : &d->rival;
        if (!*at || d->list[k].score > (*at)->score)
            *at = &d->list[k];
    }
}

/* --- features --- */

static float log_weight(const struct decision *d, bool match, bool other) {
    double sum = 0;
    for (size_t k = 0; k < d->count; k++)
        if (d->list[k].match ? match : other)
            sum += exp((double)d->list[k].score);
    return sum > 0 ? (float)log(sum) : NOTHING;
}

/* Numbers that the claim could tell as well: a share is none if it is an amount. */
static bool decide_same_kind(const struct decision *d, const struct evidence_item *a,
                             const struct evidence_item *b) {
    return a->percent == b->percent &&
           (d->g->claim.num.places <= 0 || (a->num.places > 0) == (b->num.places > 0));
}

static bool is_later(const struct evidence_item *a, const struct evidence_item *b) {
    return a->cell > b->cell && a->label[PART_ROW] == b->label[PART_ROW] &&
           a->label[PART_COLUMN] == b->label[PART_COLUMN] &&
           a->label[PART_LINE] == b->label[PART_LINE];
}

static void keep_margin(struct decision *d, enum feature feature, float score) {
    float margin = d->best->score - score, *f = &d->f[feature];
    margin = margin > MOST_MARGIN ? MOST_MARGIN : margin < -MOST_MARGIN ? -MOST_MARGIN : margin;
    *f = margin < *f ? margin : *f;
}

static void decide_margins(struct decision *d) {
    for (int k = FEATURE_OVER_COLUMN; k <= FEATURE_OVER_LATER; k++)
        d->f[k] = d->best ? NO_RIVAL : NO_MATCH;
    for (size_t k = 0; k < d->count && d->best; k++) {
        const struct weighed_item *w = &d->list[k];
        const struct evidence_item *i = w->item, *own = d->best->item;
        bool column = weigh_one_column(i, own), row = weigh_one_row(i, own);
        if (w->match)
            continue;
        d->f[FEATURE_ROWS] += column && d->f[FEATURE_ROWS] < 20;
        if (column)
            keep_margin(d, FEATURE_OVER_COLUMN, w->score);
        else if (row)
            keep_margin(d, FEATURE_OVER_ROW, w->score);
        else
            keep_margin(d, FEATURE_OVER_OTHERS, w->score);
        if (!column && !row && i->cell == own->cell)
            keep_margin(d, FEATURE_OVER_CELL, w->score);
        if (!w->told && decide_same_kind(d, i, own))
            keep_margin(d, FEATURE_OVER_KIND, w->score);
        if (is_later(i, own))
            keep_margin(d, FEATURE_OVER_LATER, w->score);
    }
}

static void decide_shown(struct decision *d) {
    struct judge *j = d->j;
    float *f = d->f;
    for (size_t k = 0; k < d->count; k++)
        f[FEATURE_MATCHES] += d->list[k].match && f[FEATURE_MATCHES] < 10;
    f[FEATURE_FIT] = d->best ? d->best->score : NOTHING;
    f[FEATURE_RIVAL_FIT] = d->rival ? d->rival->score : NOTHING;
    f[FEATURE_FITS] = log_weight(d, true, false);
    f[FEATURE_RIVAL_FITS] = log_weight(d, false, true);
    f[FEATURE_MASS] = d->best ? f[FEATURE_FITS] - log_weight(d, true, true) : NOTHING;
    f[FEATURE_MARGIN] = f[FEATURE_FIT] - f[FEATURE_RIVAL_FIT];
    decide_margins(d);
    f[FEATURE_RIVAL_COVERED] = d->rival && rivals_covers(j, d->rival->item);
    f[FEATURE_RATIO] = -1;
    if (!d->best)
        return;
    const struct evidence_item *i = d->best->item;
    f[FEATURE_MANY] = i->many;
    f[FEATURE_BULK] = i->bulk;
    f[FEATURE_STALE] = i->stale;
    f[FEATURE_TOLD] = d->best->told;
    f[FEATURE_STAT_CONFLICT] = ground_excludes(rivals_stats(j, i), j->stats);
    if (d->rival) {
        double ratio = fabs(
            log10((fabs((double)d->rival->item->value) + 1e-9) / (fabs((double)i->value) + 1e-9)));
        f[FEATURE_RATIO] = (float)(ratio > 5 ? 5 : ratio);
    }
}

static float clipped(double x, double low, double high) {
    return (float)(x < low ? low : x > high ? high : x);
}

static void decide_combined(struct decision *d) {
    float *f = d->f;
    const struct combined *c = &d->combined;
    double space = combine_space(&d->g->claim);
    f[FEATURE_SPACE] = (float)log10(space + 1e-9);
    f[FEATURE_SEARCHED] = d->searched;
    for (int k = FEATURE_COMBINED; k <= FEATURE_OPERAND_FIT; k++)
        f[k] = NOTHING;
    if (!d->searched)
        return;
    double match = log(c->match + 1e-12), other = log(c->other + 1e-12), all = log(c->all + 1e-12);
    f[FEATURE_TRIED] = (float)log10((double)c->tried + 1);
    f[FEATURE_DENSITY] = f[FEATURE_TRIED] - f[FEATURE_SPACE];
    f[FEATURE_ALIKE] = c->alike;
    f[FEATURE_ALIKE_OTHERS] = c->alike_others;
    if (!c->hits)
        return;
    f[FEATURE_COMBINED] = clipped(match - all, -15, 0);
    f[FEATURE_CHANCE] = clipped(match - all + log(space + 1e-9), -15, 10);
    f[FEATURE_OTHER_WAY] = clipped(other - all + log(space + 1e-9), -15, 10);
    f[FEATURE_DIRECTION] = clipped(match - other, -15, 15);
    if (!c->found)
        return;
    f[FEATURE_COMBINED_BEST] = clipped((double)c->best.tally.sum, -10, 20);
    f[FEATURE_STEP] = (float)c->best.step;
    f[FEATURE_LEADS] = clipped((double)(c->best.tally.sum - c->others), -10, 20);
    f[FEATURE_PASSING] = (float)(log10((double)c->passing + 1) - log10(space + 1e-9));
    f[FEATURE_RELATION] = (float)c->best.relation;
    f[FEATURE_NAMING] = (float)c->best.naming;
    f[FEATURE_BOTH_TOLD] = (float)c->best.told;
    f[FEATURE_STEP_ASKED] = (float)c->best.asked;
    f[FEATURE_SOUGHT] = (float)c->best.sought;
    f[FEATURE_NEARER] = (float)c->best.from[0];
    f[FEATURE_FARTHER] = (float)c->best.from[1];
    f[FEATURE_HITS] = (float)log10((double)c->hits);
    f[FEATURE_OPERAND_FIT] = clipped((double)c->best.fit, -10, 10);
    for (int k = 0; k < 2; k++)
        if (c->from[k].item && derive_told_elsewhere(d->j, c->from[k].item))
            f[FEATURE_ELSEWHERE] = 1;
}

static bool decide_typed(const struct judge *j, const struct claim *c) {
    long double v = fabsl(c->value), half = num_pow10(-c->num.places);
    size_t n, at = evidence_literals(j->e, v - half, v + half, &n);
    for (size_t i = at; i < at + n; i++)
        if (num_rounds_to(evidence_literal(j->e, i)->num.value, v, c->num.places))
            return true;
    return false;
}

static void decide_claim_itself(struct decision *d) {
    struct judge *j = d->j;
    const struct claim *c = &d->g->claim;
    float *f = d->f;
    f[FEATURE_PLACES] = (float)c->num.places;
    f[FEATURE_PERCENT] = c->unit == CLAIM_PERCENT;
    f[FEATURE_BOUND] = (float)c->bound;
    f[FEATURE_SMALL] = derive_is_small(c);
    f[FEATURE_NUMBERS] = (float)j->scope.numbers;
    f[FEATURE_WHOLE] = scope_is_whole(&j->scope);
    f[FEATURE_GROUP] = j->scope.group;
    f[FEATURE_METHOD] = ground_flagged(d->g->verdict) && method_constant(j, c, false);
    f[FEATURE_TYPED] = decide_typed(j, c);
    f[FEATURE_TABLE] = j->places[j->index].table;
    for (size_t k = 0; k < j->e->asked.count && ground_spend(j, 1); k++) {
        const struct evidence_item *x = &j->e->items[j->e->asked.list[k]];
        if (!ground_rounds(c, x->value))
            continue;
        f[FEATURE_ASKED] = 1;
        f[FEATURE_ASKED_NAMED] = f[FEATURE_ASKED_NAMED] != 0 || method_question(j, c, x);
    }
}

/* "from A to B", of which the claim is one: was B shown later? */
static int decide_path(const struct decision *d) {
    struct judge *j = d->j;
    const struct grounding *list = j->report->list, *a = NULL, *b = NULL;
    if (scope_follows(&j->scope, d->g->claim.start, "from von de") && d->n + 1 < j->report->count)
        a = d->g, b = d->g + 1;
    else if (scope_follows(&j->scope, d->g->claim.start, "to auf à") && d->n > 0)
        a = d->g - 1, b = d->g;
    if (!a || a < list || !a->item || !b->item || a->item == b->item ||
        b->claim.start >= j->scope.to || a->claim.start < j->scope.from)
        return 0;
    return a->item->cell != b->item->cell ? (b->item->cell > a->item->cell ? 1 : -1)
                                          : (b->item->order > a->item->order ? 1 : -1);
}

static void decide_kin(struct decision *d) {
    struct judge *j = d->j;
    const struct weigh_kin *kin = j->kin;
    const struct evidence_item *i = d->best ? d->best->item : NULL;
    float *f = d->f, other = 0, all = 0;
    f[FEATURE_ORDER] = (float)weigh_order(j, d->n);
    f[FEATURE_RANKED] =
        scope_has(&j->scope, "followed ahead behind gefolgt vor suivi devant respectively");
    f[FEATURE_KIN] = kin->columns > 6 ? 6 : (float)kin->columns;
    f[FEATURE_UP] = (float)derive_direction(j);
    f[FEATURE_PATH] = (float)decide_path(d);
    f[FEATURE_PAST] = ground_is_past(j);
    f[FEATURE_KIN_OTHER] = f[FEATURE_ROW_OTHER] = -1;
    if (!i)
        return;
    f[FEATURE_REPLACED] = weigh_replaced(j, i);
    int here = weigh_extreme(j, i, true);
    f[FEATURE_EXTREME] = (float)here + 0.5f * (float)(here ? 0 : weigh_extreme(j, i, false));
    for (size_t k = 0; k < kin->columns; k++) {
        const struct evidence_item *o = j->report->list[kin->column[k]].item;
        all += o != NULL;
        other += o && !weigh_one_column(i, o);
    }
    f[FEATURE_KIN_OTHER] = all > 0 ? other / all : -1;
    other = all = 0;
    for (size_t k = 0; k < kin->rows; k++) {
        const struct evidence_item *o = j->report->list[kin->row[k]].item;
        all += o != NULL;
        other += o && o->label[PART_ROW] != i->label[PART_ROW];
    }
    f[FEATURE_ROW_OTHER] = all > 0 ? other / all : -1;
}

static void decide_features(struct decision *d) {
    struct judge *j = d->j;
    const struct grounding *g = d->g;
    float *f = d->f;
    f[FEATURE_VERDICT] = (float)g->verdict;
    f[FEATURE_MEANING] = g->meaning;
    f[FEATURE_FORMULA] = g->formula[0] != 0;
    f[FEATURE_OWN_WORDS] = g->item ? (float)rivals_score(j, g->item) : 0;
    f[FEATURE_RIVAL_WORDS] = g->rival ? (float)rivals_score(j, g->rival) : 0;
    decide_shown(d);
    decide_combined(d);
    decide_claim_itself(d);
    decide_kin(d);
}

/* --- verdicts --- */

static bool accept_shown(struct decision *d) {
    struct grounding *g = d->g;
    const struct evidence_item *i = d->best ? d->best->item : NULL;
    if (!i || g->verdict == GROUND_ASSERTED || evidence_asserted(d->j->e, i) ||
        !reads_like(d, i, &g->factor))
        return false;
    g->verdict = i->counted ? GROUND_COUNTED : GROUND_GROUNDED;
    g->meaning = rivals_score(d->j, i) >= 4;
    g->item = i;
    g->exact = i->value * g->factor;
    return true;
}

/* "4 go down" from 2.31 + 2: a small whole number is no rounded result that nobody asks for. */
static bool is_rounded_by_chance(const struct decision *d) {
    const struct combination *c = &d->combined.best;
    const struct claim *claim = &d->g->claim;
    return claim->unit == CLAIM_PLAIN && claim->bound == CLAIM_EXACT && !claim->scale &&
           claim->num.places <= 0 && fabsl(claim->value) < 10 && !c->asked &&
           fabsl(c->value - roundl(c->value)) > 1e-9L;
}

static bool accept_combined(struct decision *d) {
    static const char *const signs[STEPS] = {"-", "after", "/", "/", "+", "and", "*", "", "", ""};
    struct grounding *g = d->g;
    const struct combined *c = &d->combined;
    const char *unit = g->claim.unit == CLAIM_PERCENT ? " %" : "";
    char formula[160];
    if (!d->searched || !c->found || is_rounded_by_chance(d))
        return false;
    if (c->best.step == STEP_NONE)
        snprintf(formula, sizeof formula, "of the numbers of a column: %.10Lg", c->best.value);
    else if (c->best.step == STEP_REST)
        snprintf(formula, sizeof formula, "100 - %.10Lg = %.10Lg%s", 100 - c->best.value,
                 c->best.value, unit);
    else if (c->best.step == STEP_UNIT)
        snprintf(formula, sizeof formula, "%.10Lg in another unit: %.10Lg", c->from[0].value,
                 c->best.value);
    else
        snprintf(formula, sizeof formula, "%.10Lg %s %.10Lg = %.10Lg%s", c->from[0].value,
                 signs[c->best.step], c->from[1].value, c->best.value, unit);
    for (int k = 0; k < 2; k++) {
        g->operands[k] = c->from[k].value;
        g->from[k] = c->from[k].item;
    }
    return derive_prove(g, formula, c->best.value);
}

static void decide_accept(struct decision *d, double trust) {
    struct grounding *g = d->g;
    bool shown = accept_shown(d);
    if (!shown && (trust < FOLLOWS || !accept_combined(d)))
        return; /* nothing would prove it */
    g->rival = NULL;
    if (shown)
        g->formula[0] = 0;
}

static void decide_flag(struct decision *d) {
    struct grounding *g = d->g;
    const struct weighed_item *r = d->rival;
    bool better = r && !r->told && (!d->best || r->score > d->best->score);
    g->formula[0] = 0;
    g->rival = better ? r->item : NULL;
    if (better && rivals_covers(d->j, r->item)) {
        g->verdict = GROUND_CONTRADICTED;
    } else if (better && g->item) {
        g->verdict = GROUND_MISMATCH;
    } else {
        g->verdict = GROUND_UNVERIFIED;
        g->item = NULL;
        g->rival = NULL;
        ground_nearest(d->j, g);
    }
}

/* All words of the sentence name a number that was shown, and none asks for what gives this one: then it
 * follows by chance. */
static bool decide_by_chance(const struct decision *d) {
    const struct weighed_item *r = d->rival;
    const struct combined *c = &d->combined;
    if (!d->searched || d->best || d->j->scope.numbers > 1 || !r || r->item->counted ||
        r->item->stale || !rivals_covers(d->j, r->item) || !rivals_explains(d->j, r->item))
        return false;
    if (c->found && c->best.step < STEP_PRODUCT)
        return !derive_asked_for(d->j, (enum operation)c->best.step, &d->g->claim);
    for (int k = 0; k < OPERATIONS; k++)
        if (derive_asked_for(d->j, (enum operation)k, &d->g->claim))
            return false;
    return !c->found || c->best.step == STEP_PRODUCT;
}

/* The words say what the number is, or that its sign is left out. */
static bool decide_is_named(const struct decision *d) {
    const struct evidence_item *i = d->g->item;
    return i && (rivals_covers(d->j, i) ||
                 (i->value < 0 && !d->g->claim.signed_ && ground_tells_size(d->j, &d->g->claim)));
}

static void decide_verdict(struct decision *d) {
    double trust = decide_trust(d->f);
    bool flagged = ground_flagged(d->g->verdict);
    if (decide_by_chance(d))
        trust = 0;
    if (flagged && trust >= TRUSTED && !d->g->disagrees)
        decide_accept(d, trust);
    else if (!flagged && trust < DOUBTED && !decide_is_named(d))
        decide_flag(d);
}

/* Combinations are tried for what was not shown, and not typed into the code. */
static bool decide_searches(const struct judge *j, const struct grounding *g) {
    enum ground_verdict v = g->verdict;
    return (v == GROUND_DERIVED || ground_flagged(v)) && v != GROUND_ASSERTED &&
           !derive_is_stated(j, g);
}

/* How the numbers that were not shown may have been computed, for those that follow likewise. */
static void decide_patterns(struct judge *j, struct patterns *ret) {
    size_t searches = 0;
    struct combined combined;
    for (size_t n = 0; n < j->report->count && searches < MAX_SEARCHES; n++) {
        const struct grounding *g = &j->report->list[n];
        if (g->expression)
            continue;
        ground_turn_to(j, ground_index(j, g));
        if (!decide_searches(j, g))
            continue;
        searches++;
        combine_claim(j, g, NULL, ret, &combined);
    }
}

static void decide_all(struct judge *j, const struct weigh_told *told,
                       const struct patterns *patterns, struct decision *d) {
    size_t searches = 0;
    for (size_t n = 0; n < j->report->count; n++) {
        struct grounding *g = &j->report->list[n];
        if (g->expression)
            continue;
        *d = (struct decision){.j = j, .g = g, .n = n};
        ground_turn_to(j, ground_index(j, g));
        if (decide_searches(j, g) && searches++ < MAX_SEARCHES) {
            combine_claim(j, g, patterns, NULL, &d->combined);
            d->searched = true;
        }
        weigh_kin_of(j, n);
        decide_list(d, told);
        decide_features(d);
        d->f[FEATURE_USED] = patterns->used[n];
#ifdef GROUND_WATCH
        decide_watch(d, told);
        if (decide_is_watched)
            continue;
#endif
        decide_verdict(d);
    }
}

void ground_decide(struct judge *j) {
    struct weigh_told *told = weigh_told(j);
    struct decision *d = told ? calloc(1, sizeof *d) : NULL;
    struct patterns patterns = {.used = calloc(j->report->count + 1, sizeof *patterns.used)};
    if (d && patterns.used) {
        decide_patterns(j, &patterns);
        decide_all(j, told, &patterns, d);
    }
    free(patterns.list);
    free(patterns.used);
    free(d);
    free(told);
}
