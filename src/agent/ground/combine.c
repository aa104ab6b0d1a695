/* All that follows by one step from the numbers that were shown or told: each result of about the
 * claim's size is weighed, and what reads like the claim is held against all of them. */
#include "agent/ground/combine.h"

#include "agent/ground/match.h"
#include "agent/ground/rivals.h"
#include "agent/text/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_ROOM 36
#define TOTALS_ROOM 6
#define IDLE 0.01L /* what is less of the other number changes nothing that is worth telling */

struct combine_operand {
    struct operand o;
    enum source source;
    struct tally tally;
    unsigned stats;
    unsigned others; /* rows of its column that the sentence names, and not this one */
};

struct combine {
    struct judge *j;
    const struct grounding *g;
    const struct claim *c;
    struct combine_operand list[COMBINE_ROOM];
    size_t count;
    bool asked[STEPS], asked_piece[STEPS];
    struct combined *ret;
    bool small;
};

static void combine_term(struct tally *t, int term, float value) {
    tally_add(t, combine_weights, term, value);
}

/* --- operands --- */

static void weigh_place(struct combine *s, struct combine_operand *x) {
    static const int piece[] = {TERM_ROW_PIECE, TERM_COLUMN_PIECE, TERM_LINE_PIECE};
    static const int here[] = {TERM_ROW_HERE, TERM_COLUMN_HERE, TERM_LINE_HERE};
    const struct evidence_item *i = x->o.item;
    for (int part = 0; part < PART_CODE; part++) {
        long at = derive_mention_of(s->j, i, (enum part)part);
        if (at >= 0)
            combine_term(&x->tally, derive_in_piece(s->j, at) ? piece[part] : here[part], 1);
        else if (part == PART_ROW && i->label[PART_ROW])
            combine_term(&x->tally, TERM_ROW_OTHER, 1);
    }
    combine_term(&x->tally, TERM_BULK, i->bulk);
    combine_term(&x->tally, TERM_COUNTED, i->counted);
    combine_term(&x->tally, TERM_STALE, i->stale);
    if (x->source != SOURCE_ASKED && x->source != SOURCE_TYPED) {
        float fit = (float)rivals_score(s->j, i) / 16;
        combine_term(&x->tally, TERM_FIT, fit > 4 ? 4 : fit);
        combine_term(&x->tally, TERM_ASSERTED, evidence_asserted(s->j->e, i));
        x->stats = rivals_stats(s->j, i);
    }
}

static struct combine_operand *combine_add(struct combine *s, enum source source,
                                           struct operand o) {
    bool year = derive_is_whole(o.value) && o.value >= 1900 && o.value < 2100 &&
                (!o.item || o.item->num.places <= 0);
    if (s->count == COMBINE_ROOM || o.value == 0 || !isfinite(o.value) ||
        (year && source != SOURCE_HERE) || (o.item && o.item->num.digits))
        return NULL;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].o.value == o.value && s->list[i].o.percent == o.percent)
            return NULL;
    struct combine_operand *x = &s->list[s->count++];
    *x = (struct combine_operand){.o = o, .source = source};
    combine_term(&x->tally, TERM_SOURCE + (int)source, 1);
    if (o.item)
        weigh_place(s, x);
    return x;
}

static void combine_add_number(struct combine *s, size_t n, enum source source) {
    const struct grounding *g = &s->j->report->list[n], *self = s->g;
    bool ran = g->verdict == GROUND_GROUNDED || g->verdict == GROUND_DERIVED;
    struct operand o = {.place = (long)g->claim.start, .by = KNOWN_SAID, .value = g->claim.value};
    o.item = g->verdict == GROUND_GROUNDED ? g->item : NULL;
    o.percent = g->claim.unit == CLAIM_PERCENT;
    if (g == self || operands_circular(s->c, g) || g->claim.num.digits)
        return;
    for (int k = 0; k < 2; k++) {
        if (k == 0 && !ran)
            continue;
        o.value = k == 0 ? g->exact : g->claim.value;
        struct combine_operand *x = combine_add(s, source, o);
        if (!x)
            continue;
        combine_term(&x->tally, TERM_FLAGGED, ground_flagged(g->verdict));
        combine_term(&x->tally, TERM_ADJACENT, g == self - 1 || g == self + 1);
        combine_term(&x->tally, TERM_PIECE, derive_in_piece(s->j, o.place));
    }
}

static void combine_add_told(struct combine *s) {
    const struct scope *scope = &s->j->scope;
    size_t from = scope->from, to = scope->to, end;
    if (from > 2)
        sentence_at(s->j->answer, from - 2, &from, &end);
    if (s->j->answer[to] && s->j->answer[to + 1] && s->j->answer[to + 2])
        sentence_at(s->j->answer, to + 2, &end, &to);
    for (int source = SOURCE_HERE; source <= SOURCE_FAR; source++)
        for (size_t i = 0; i < s->j->report->count && s->count < COMBINE_ROOM / 2; i++) {
            size_t at = s->j->report->list[i].claim.start;
            enum source own = at >= scope->from && at < scope->to ? SOURCE_HERE
                              : at >= from && at < to             ? SOURCE_NEAR
                                                                  : SOURCE_FAR;
            if (own == (enum source)source && (own != SOURCE_FAR || s->j->report->count < 40))
                combine_add_number(s, i, own);
        }
}

static void combine_add_item(struct combine *s, const struct evidence_item *i) {
    if (i->stream == EVIDENCE_QUESTION || i->stream == EVIDENCE_STDERR)
        return;
    combine_add(
        s, SOURCE_SHOWN,
        (struct operand){i->value, derive_mention(s->j, i), KNOWN_NAMED, i, false, i->percent});
}

/* --- columns --- */

static size_t rows_beyond(const struct judge *j, const struct derive_column *c, long double limit,
                          bool more) {
    size_t n = 0;
    for (size_t i = 0; i < j->e->count; i++) {
        const struct evidence_item *x = &j->e->items[i];
        if (x->table == c->table && !x->counted && x->label[PART_COLUMN] == c->label &&
            !(x->label[PART_ROW] && j->e->labels[x->label[PART_ROW]].stats))
            n += more ? x->value > limit : x->value < limit;
    }
    return n;
}

static void combine_add_rows(struct combine *s, const struct derive_column *c) {
    struct judge *j = s->j;
    if (!c->table || s->c->unit != CLAIM_PLAIN || s->c->num.places > 0)
        return;
    struct operand o = {.place = -1, .item = c->like};
    for (int more = 0; more < 2 && c->low < 0 && c->high > 0; more++) {
        o.value = (long double)rows_beyond(j, c, 0, more);
        combine_add(s, SOURCE_ROWS, o);
    }
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *l = &j->claims->list[i];
        if (i == j->index || l->class != CLAIM_VALUE || l->start < j->scope.from ||
            l->start >= j->scope.to || l->value < c->low || l->value > c->high)
            continue;
        for (int more = 0; more < 2; more++) {
            if (l->bound == CLAIM_MORE ? !more : l->bound == CLAIM_LESS ? more : false)
                continue;
            o.value = (long double)rows_beyond(j, c, l->value, more);
            combine_add(s, SOURCE_ROWS, o);
        }
    }
}

static void combine_add_named(struct combine *s, const struct derive_column *c) {
    struct judge *j = s->j;
    long double sum = 0;
    size_t n = 0;
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (r->counted || r->table != c->table || r->percent != c->like->percent ||
            !operands_one_column(&(struct operand){.item = c->like},
                                 &(struct operand){.item = r}) ||
            derive_mention_of(j, r, PART_ROW) < 0)
            continue;
        sum += r->value;
        n++;
    }
    if (n > 1 && n < c->count)
        combine_add(s, SOURCE_NAMED,
                    (struct operand){sum, -1, KNOWN_SHOWN, c->like, true, c->like->percent});
}

static void combine_add_column(struct combine *s, const struct evidence_item *x) {
    struct judge *j = s->j;
    if (!(x->table || x->statement) || j->e->count > MANY_ITEMS || x->counted ||
        !ground_spend(j, j->e->count))
        return;
    struct derive_column c = derive_column_of(j, x);
    if (c.count < 2 || (x->stream == EVIDENCE_DATAFRAME && c.rows != c.count))
        return;
    struct operand o = {c.sum, -1, KNOWN_SHOWN, x, true, x->percent};
    combine_add(s, SOURCE_TOTAL, o);
    o.value = c.sum / (long double)c.count;
    combine_add(s, SOURCE_MEAN, o);
    o.value = c.high - c.low;
    combine_add(s, SOURCE_RANGE, o);
    combine_add_named(s, &c);
    combine_add_rows(s, &c);
}

static void combine_add_columns(struct combine *s) {
    const struct evidence_item *done[TOTALS_ROOM];
    size_t n = 0;
    for (size_t k = 0; k < s->j->rival_count && n < TOTALS_ROOM; k++) {
        const struct evidence_item *r = s->j->rivals[k];
        bool known = r->counted || r->stale;
        for (size_t i = 0; i < n && !known; i++)
            known = operands_one_column(&(struct operand){.item = done[i]},
                                        &(struct operand){.item = r});
        if (known)
            continue;
        done[n++] = r;
        combine_add_column(s, r);
    }
}

static void combine_add_given(struct combine *s) {
    struct judge *j = s->j;
    for (size_t i = 0; i < j->e->asked.count && i < 8; i++) {
        const struct evidence_item *x = &j->e->items[j->e->asked.list[i]];
        combine_add(s, SOURCE_ASKED,
                    (struct operand){x->value, -1, KNOWN_SHOWN, x, false, x->percent});
    }
    size_t n = 0;
    for (size_t i = 0; i < j->e->typed.count && n < 8 && ground_spend(j, 1); i++) {
        const struct evidence_item *x = &j->e->typed.list[i];
        long at = typed_is_data(j, x) ? typed_mention(j, x) : -1;
        if (at < 0 || (x->label[PART_ROW] && derive_mention_of(j, x, PART_ROW) < 0))
            continue;
        n += combine_add(s, SOURCE_TYPED,
                         (struct operand){x->value, at, KNOWN_NAMED, x, false, false}) != NULL;
    }
}

static void combine_add_all(struct combine *s) {
    struct judge *j = s->j;
    combine_add_told(s);
    size_t told = s->count;
    for (size_t k = 0; k < j->rival_count && s->count < told + SHOWN_ROOM - 12; k++)
        if (derive_mention(j, j->rivals[k]) >= 0)
            combine_add_item(s, j->rivals[k]);
    for (size_t k = 0; k < j->rival_count && s->count < told + SHOWN_ROOM - 6; k++)
        combine_add_item(s, j->rivals[k]);
    for (size_t i = 0; i < j->e->count && i < 2000 && s->count < told + SHOWN_ROOM; i++)
        if (!j->e->items[i].bulk && !j->e->items[i].stale)
            combine_add_item(s, &j->e->items[i]);
    combine_add_given(s);
    combine_add_columns(s);
}

/* How many other rows of its column does the sentence name? */
static void weigh_others(struct combine *s) {
    for (size_t i = 0; i < s->count; i++) {
        struct combine_operand *x = &s->list[i];
        if (x->source != SOURCE_SHOWN || derive_mention_of(s->j, x->o.item, PART_ROW) >= 0)
            continue;
        for (size_t k = 0; k < s->count; k++) {
            const struct combine_operand *y = &s->list[k];
            x->others += y->o.item && y->source <= SOURCE_SHOWN &&
                         operands_one_column(&x->o, &y->o) &&
                         derive_mention_of(s->j, y->o.item, PART_ROW) >= 0;
        }
        combine_term(&x->tally, TERM_OTHERS_NAMED, x->others > 0);
    }
}

/* --- results --- */

static bool combine_is_share(const struct operand *o) {
    return o->percent || (o->item && o->item->percent);
}

static bool combine_is_fraction(const struct operand *o) {
    return !combine_is_share(o) && fabsl(o->value) <= 1 && !derive_is_whole(o->value);
}

static long double step_value(const struct combine *s, enum step step, const struct operand *a,
                              const struct operand *b) {
    bool percent = s->c->unit == CLAIM_PERCENT, share = combine_is_share(a) && combine_is_share(b),
         fraction = combine_is_fraction(a) && combine_is_fraction(b);
    long double x = a->value, y = b->value, points = percent && fraction ? 100 : 1;
    switch (step) {
    case STEP_DIFFERENCE: return percent && !share && !fraction ? NAN : points * (x - y);
    case STEP_SUM: return percent && !share && !fraction ? NAN : points * (x + y);
    case STEP_MEAN: return percent && !share && !fraction ? NAN : points * (x + y) / 2;
    case STEP_CHANGE: return percent && y != 0 ? 100 * (x - y) / fabsl(y) : NAN;
    case STEP_SHARE: return percent && y != 0 ? 100 * x / y : NAN;
    case STEP_RATIO:
        if (percent || derive_is_power(fabsl(y)))
            return NAN;
        return combine_is_share(b) && !combine_is_share(a) ? 100 * x / y : x / y;
    case STEP_PRODUCT:
        if (percent || derive_is_power(fabsl(x)) || derive_is_power(fabsl(y)))
            return NAN;
        return x * y / (combine_is_share(a) != combine_is_share(b) ? 100 : 1);
    case STEP_NONE: return points * x;
    default: return NAN;
    }
}

static unsigned combine_stat(unsigned s) {
    return s & (STAT_MEAN | STAT_MEDIAN | STAT_STD | STAT_STDERR | STAT_VAR | STAT_MIN | STAT_MAX |
                STAT_Q1 | STAT_Q3);
}

static void weigh_relation(struct combine *s, struct tally *t, const struct combine_operand *a,
                           const struct combine_operand *b) {
    const struct evidence_item *x = a->o.item, *y = b->o.item;
    bool told = a->o.by == KNOWN_SAID, told2 = b->o.by == KNOWN_SAID;
    if (told || told2)
        combine_term(t, told && told2 ? TERM_BOTH_TOLD : TERM_ONE_TOLD, 1);
    if (x && y) {
        bool table = x->table && x->table == y->table;
        if (operands_one_column(&a->o, &b->o))
            combine_term(t, TERM_SAME_COLUMN, 1);
        else if (table && x->label[PART_ROW] == y->label[PART_ROW])
            combine_term(t, TERM_SAME_ROW, 1);
        else if (table)
            combine_term(t, TERM_SAME_TABLE, 1);
        else if (operands_beside(x, y))
            combine_term(t, TERM_BESIDE, 1);
        else
            combine_term(t, x->cell == y->cell ? TERM_SAME_CELL : TERM_OTHER_CELL, 1);
    }
    unsigned p = combine_stat(a->stats), q = combine_stat(b->stats);
    combine_term(t, TERM_MIXED_STATS, p != q);
    unsigned asked = combine_stat(s->j->stats);
    combine_term(t, TERM_STAT_ASKED, asked && (((p | q) & asked) != 0));
    combine_term(t, TERM_STAT_OTHER, asked && (p | q) && !((p | q) & asked));
    combine_term(t, TERM_MIXED_SHARE,
                 combine_is_share(&a->o) != combine_is_share(&b->o) ||
                     combine_is_fraction(&a->o) != combine_is_fraction(&b->o));
}

static bool combine_has_places(const struct operand *o) {
    return o->item ? o->item->num.places > 0 : !derive_is_whole(o->value);
}

static void weigh_step(struct combine *s, struct tally *t, enum step step,
                       const struct combine_operand *a, const struct combine_operand *b,
                       long double value) {
    combine_term(t, TERM_STEP + (int)step, 1);
    if (s->asked_piece[step])
        combine_term(t, TERM_ASKED_PIECE + (int)step, 1);
    else if (s->asked[step])
        combine_term(t, TERM_ASKED + (int)step, 1);
    combine_term(t, TERM_NOT_WHOLE, s->small && !derive_is_whole(value));
    if (!b)
        return;
    long double x = fabsl(a->o.value), y = fabsl(b->o.value);
    bool part = step == STEP_SHARE || step == STEP_RATIO;
    if (step != STEP_RATIO && step != STEP_PRODUCT)
        combine_term(t, TERM_MIXED_PLACES, combine_has_places(&a->o) != combine_has_places(&b->o));
    if (step == STEP_SHARE) {
        combine_term(t, TERM_SHARE_OF_SHARE, combine_is_share(&a->o) || combine_is_share(&b->o));
        combine_term(t, TERM_OVER_WHOLE, x > y);
    }
    if (b->source == SOURCE_TOTAL && part && a->o.item)
        combine_term(t, operands_one_column(&a->o, &b->o) ? TERM_WHOLE : TERM_OTHER_WHOLE, 1);
    combine_term(t, TERM_BELOW_ONE, step == STEP_RATIO && x < y);
    if (step == STEP_DIFFERENCE || step == STEP_CHANGE || step == STEP_SUM || step == STEP_MEAN)
        combine_term(t, TERM_UNEQUAL_SIZE, x > 20 * y || y > 20 * x);
    combine_term(t, TERM_COUNT_RATIO,
                 step == STEP_RATIO && !combine_has_places(&a->o) && !combine_has_places(&b->o));
}

static bool combine_is_idle(const struct claim *c, enum step step, const struct operand *a,
                            const struct operand *b) {
    if (step == STEP_SHARE || step == STEP_CHANGE || !b)
        return false;
    long double x = fabsl(a->value), y = fabsl(b->value), small = x < y ? x : y;
    if ((step == STEP_SUM || step == STEP_DIFFERENCE) && small < IDLE * (x + y) &&
        (a->by != KNOWN_SAID || b->by != KNOWN_SAID))
        return true; /* 215,015.51 is no other number than 215,016.78 */
    return derive_fits(c, a->value) || (step != STEP_RATIO && derive_fits(c, b->value));
}

/* Does it go the way that the words say, and is a share of a saving one of what was before? */
static bool combine_holds(struct combine *s, enum step step, const struct combination *c) {
    int up = s->c->signed_ || step == STEP_DIFFERENCE ? 0 : derive_direction(s->j);
    bool change = c->a->item && ground_is_change(s->j, c->a->item);
    if ((up > 0 && c->value < 0) || (up < 0 && c->value > 0 && change && step == STEP_SHARE))
        return false; /* "gained 5.3 %" for -4462 / 84112 */
    if (step == STEP_SHARE)
        return !derive_wrong_base(s->j, s->c, c->a, c->b);
    return step > STEP_CHANGE ||
           derive_direction_holds(s->j, s->c, (enum operation)step, c->a, c->b) ||
           (step == STEP_DIFFERENCE && derive_direction_holds(s->j, s->c, DIFFERENCE, c->b, c->a));
}

/* One more result: it counts if it has about the claim's size. */
static void combine_offer(struct combine *s, enum step step, const struct combine_operand *a,
                          const struct combine_operand *b, const struct tally *pair,
                          long double value) {
    long double v = fabsl(s->c->value);
    if (!isfinite(value) || fabsl(value) < v / 2 || fabsl(value) > 2 * v)
        return;
    struct combination c = {.step = step, .a = &a->o, .b = b ? &b->o : NULL, .value = value};
    c.tally = *pair;
    weigh_step(s, &c.tally, step, a, b, value);
    double weight = exp((double)c.tally.sum);
    bool fits = derive_fits(s->c, value) && !combine_is_idle(s->c, step, c.a, c.b);
    s->ret->all += weight;
    s->ret->tried++;
#ifdef GROUND_WATCH
    combine_watch(&c, fits);
#endif
    if (!fits)
        return;
    bool holds = combine_holds(s, step, &c);
    s->ret->hits++;
    *(holds ? &s->ret->match : &s->ret->other) += weight;
    if (!holds || (s->ret->found && c.tally.sum <= s->ret->best.tally.sum))
        return;
    s->ret->best = c;
    s->ret->found = true;
}

/* A mean and a deviation have no difference and no sum; and of a column of which the sentence names two
 * rows, these are compared. */
static bool combine_allows(enum step step, const struct combine_operand *a,
                           const struct combine_operand *b) {
    unsigned spread = STAT_STD | STAT_STDERR | STAT_VAR;
    bool adds =
        step == STEP_DIFFERENCE || step == STEP_SUM || step == STEP_MEAN || step == STEP_CHANGE;
    if (!a->o.item || !b->o.item)
        return true;
    if ((a->others > 1 || b->others > 1) && (adds || step == STEP_RATIO) &&
        operands_one_column(&a->o, &b->o))
        return false;
    return !adds || (a->stats & spread) == (b->stats & spread);
}

static void combine_pairs(struct combine *s) {
    for (size_t b = 0; b < s->count; b++)
        for (size_t a = 0; a < s->count; a++) {
            const struct combine_operand *x = &s->list[a], *y = &s->list[b];
            if (a == b || x->source == SOURCE_ROWS || y->source == SOURCE_ROWS ||
                x->source == SOURCE_RANGE || y->source == SOURCE_RANGE)
                continue;
            struct tally pair = x->tally;
            tally_join(&pair, &y->tally);
            bool weighed = false;
            for (int step = 0; step < STEP_NONE; step++) {
                bool even = step == STEP_SUM || step == STEP_PRODUCT || step == STEP_DIFFERENCE ||
                            step == STEP_MEAN;
                if ((even && a > b) || !combine_allows((enum step)step, x, y))
                    continue;
                long double value = step_value(s, (enum step)step, &x->o, &y->o),
                            size = fabsl(value), v = fabsl(s->c->value);
                if (!(size >= v / 2 && size <= 2 * v))
                    continue;
                if (!weighed)
                    weigh_relation(s, &pair, x, y);
                weighed = true;
                combine_offer(s, (enum step)step, x, y, &pair, value);
            }
        }
}

static void combine_singles(struct combine *s) {
    bool percent = s->c->unit == CLAIM_PERCENT;
    for (size_t i = 0; i < s->count; i++) {
        const struct combine_operand *x = &s->list[i];
        if (x->source >= SOURCE_TOTAL && x->source <= SOURCE_NAMED)
            combine_offer(s, STEP_NONE, x, NULL, &x->tally, step_value(s, STEP_NONE, &x->o, &x->o));
        if (percent && (combine_is_share(&x->o) || combine_is_fraction(&x->o)))
            combine_offer(s, STEP_REST, x, NULL, &x->tally,
                          100 - (combine_is_share(&x->o) ? 1 : 100) * x->o.value);
        for (size_t k = 0; k < conversion_count && !percent; k++) {
            const struct conversion *u = &conversions[k];
            if (scope_piece_has(&s->j->scope, u->large) && derive_in_unit(s->j, &x->o, u->small))
                combine_offer(s, STEP_UNIT, x, NULL, &x->tally, x->o.value / u->factor);
            if (scope_piece_has(&s->j->scope, u->small) && derive_in_unit(s->j, &x->o, u->large))
                combine_offer(s, STEP_UNIT, x, NULL, &x->tally, x->o.value * u->factor);
        }
    }
}

static void combine_ask(struct combine *s) {
    struct scope *scope = &s->j->scope;
    size_t from = scope->from, to = scope->to;
    for (int k = 0; k < OPERATIONS; k++)
        s->asked[k] = derive_asked_for(s->j, (enum operation)k, s->c);
    s->asked[STEP_REST] = scope_has(scope, "remaining rest other others without not remainder "
                                           "übrigen restlichen reste autres missed failed "
                                           "abandoned unsold unpaid empty lost rejected unused "
                                           "never misses miss missing wrong undetected outside "
                                           "incorrectly misclassified");
    s->asked[STEP_NONE] = s->asked[STEP_SUM] || s->asked[STEP_MEAN];
    struct scope_asked none = {.count = 0}, *known = scope->asked;
    scope->asked = &none;
    scope->from = scope->piece_from;
    scope->to = scope->piece_to;
    for (int k = 0; k < OPERATIONS; k++)
        s->asked_piece[k] = derive_asked_for(s->j, (enum operation)k, s->c);
    scope->from = from;
    scope->to = to;
    scope->asked = known;
}

bool combine_claim(struct judge *j, const struct grounding *g, struct combined *ret) {
    const struct claim *c = &g->claim;
    *ret = (struct combined){.tried = 0};
    if (c->num.digits || c->value == 0 || !ground_spend(j, COMBINE_ROOM * COMBINE_ROOM))
        return false;
    struct combine *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->j = j, s->g = g, s->c = c, s->ret = ret;
    s->small = derive_is_small(c);
    combine_ask(s);
    combine_add_all(s);
    weigh_others(s);
    combine_pairs(s);
    combine_singles(s);
    if (ret->found) {
        ret->from[0] = *ret->best.a;
        ret->from[1] = ret->best.b ? *ret->best.b : (struct operand){.value = 0};
    }
    free(s);
    return ret->found;
}
