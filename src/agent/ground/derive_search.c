/* Derivations that no word singles out: all that can be computed from the numbers which the sentence has
 * or names, those nearest to it first. Chance decides: how many different results were tried, held
 * against how many numbers of the claim's size and digits there are, is how often a wrong number would
 * be found as well. */
#include "agent/ground/derive.h"

#include "agent/ground/match.h"
#include "agent/ground/rivals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SOURCES 48
#define MAX_TRIPLES 10 /* operands of which three are combined */
#define SEEN_ROOM 8192 /* a power of two */
#define NAMED_ROOM 20
#define TOTALS_ROOM 14
#define KIN_LIMIT 0.12
#define LISTED_ROOM 10
#define ASKED_ROOM 8
#define TYPED_ROOM 12

/* How near an operand is to the claim. */
enum level { IN_SENTENCE, NAMED_HERE, IN_NEIGHBOUR, NAMED, TOTAL, LEVELS };

struct derive_source {
    struct operand o;
    enum level level;
};

struct derive_search {
    struct judge *j;
    struct grounding *g;
    const struct claim *c;
    int places;        /* at which the claim is told */
    long double width; /* of the claim's last digit */
    double space;      /* numbers of this size and these digits */
    struct derive_source list[MAX_SOURCES];
    size_t count;
    int64_t seen[SEEN_ROOM]; /* results, in last digits of the claim; 0: free */
    size_t results;          /* how many of them */
    bool hit, wrong;
    bool own;         /* the operands are the sentence's own numbers */
    bool strict;      /* the sentence names something else */
    bool piece_names; /* the claim's piece of it names something */
    struct operand from[2];
    long double exact;
    char formula[160];
};

/* --- results --- */

static bool search_is_new(struct derive_search *s, long double x) {
    int64_t k = (int64_t)llroundl(fabsl(x) / s->width);
    size_t at = ((uint64_t)k * 0x9e3779b97f4a7c15u >> 40) & (SEEN_ROOM - 1);
    while (s->seen[at] && s->seen[at] != k)
        at = (at + 1) & (SEEN_ROOM - 1);
    if (s->seen[at] || !k)
        return false;
    s->seen[at] = k;
    s->results++;
    return true;
}

/* One more result; true if the claim may be this. What is far from it in size would be no other number
 * of its kind, and does not count. */
static bool search_offer(struct derive_search *s, long double x) {
    long double v = fabsl(s->c->value);
    for (int k = -3; k <= 3 && s->own && s->c->num.sig > 2; k++) /* a slip of the point */
        if (k && num_rounds_to(fabsl(x) * num_pow10(k), v, s->places))
            s->wrong = true;
    if (!isfinite(x) || fabsl(x) < v / 2 || fabsl(x) > 2 * v || s->results > SEEN_ROOM / 2)
        return false;
    search_is_new(s, x);
    return !s->hit && derive_fits(s->c, x);
}

static void search_take(struct derive_search *s, long double x, const struct operand *a,
                        const struct operand *b) {
    s->hit = true;
    s->exact = x;
    s->from[0] = *a;
    s->from[1] = b ? *b : (struct operand){.value = 0};
}

/* --- two numbers --- */

static bool search_is_part(const struct operand *o) {
    return o->percent || (o->item && o->item->percent);
}

static bool search_fraction(const struct operand *o) {
    return !search_is_part(o) && fabsl(o->value) <= 1 && !derive_is_whole(o->value);
}

static bool has_decimals(const struct operand *o) {
    return o->item ? o->item->num.places > 0 : !derive_is_whole(o->value);
}

/* Counts are compared with counts, measures with measures; large amounts are told with and without
 * decimals. */
static bool search_same_kind(const struct operand *a, const struct operand *b) {
    if (search_is_part(a) != search_is_part(b) || search_fraction(a) != search_fraction(b))
        return false;
    bool large = fabsl(a->value) >= 100 && fabsl(b->value) >= 100;
    return large || has_decimals(a) == has_decimals(b);
}

/* A mean has no difference from a deviation. */
static bool same_stats(const struct judge *j, const struct operand *a, const struct operand *b) {
    unsigned spread = STAT_STD | STAT_STDERR | STAT_VAR;
    unsigned x = a->item ? rivals_stats(j, a->item) & spread : 0,
             y = b->item ? rivals_stats(j, b->item) & spread : 0;
    return x == y || !a->item || !b->item;
}

/* A sum of a column is the whole of what stands in it, and of nothing else. */
static bool search_whole_of(const struct operand *whole, const struct operand *part) {
    return !whole->sum || !part->item || operands_one_column(whole, part);
}

static long double share_of(const struct operand *a, const struct operand *b) {
    return search_is_part(a) || !search_same_kind(a, b) || fabsl(a->value) > fabsl(b->value) ||
                   !search_whole_of(b, a)
               ? NAN
               : 100 * a->value / b->value;
}

static bool one_row(const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    return x && y && x->cell == y->cell && x->label[PART_ROW] &&
           x->label[PART_ROW] == y->label[PART_ROW] && x->table == y->table;
}

static long double ratio_of(const struct judge *j, const struct operand *a,
                            const struct operand *b) {
    bool times = scope_piece_has(&j->scope, "times fold twice factor multiple mal fois x");
    if (times && one_row(a, b)) /* it is told of two things, not of one */
        return NAN;
    if (derive_is_power(fabsl(b->value)) || (times && !search_same_kind(a, b)) ||
        (search_is_part(a) && !search_is_part(b)))
        return NAN;
    return search_is_part(b) && !search_is_part(a) ? 100 * a->value / b->value
                                                   : a->value / b->value;
}

static long double product_of(const struct operand *a, const struct operand *b) {
    if (derive_is_power(fabsl(a->value)) || derive_is_power(fabsl(b->value)) || a->value < 0 ||
        b->value < 0 || (search_is_part(a) && search_is_part(b)))
        return NAN;
    return a->value * b->value / (search_is_part(a) || search_is_part(b) ? 100 : 1);
}

/* The result of an operation in the claim's unit; NAN if nobody computes this. */
static long double result_of(const struct derive_search *s, enum operation op,
                             const struct operand *a, const struct operand *b) {
    bool percent = s->c->unit == CLAIM_PERCENT,
         fractions = search_fraction(a) && search_fraction(b);
    bool shares = fractions || (search_is_part(a) && search_is_part(b));
    long double x = a->value, y = b->value;
    bool points = percent && shares && (op == DIFFERENCE || op == SUM);
    if (y == 0 || percent != (op == SHARE || op == CHANGE || points))
        return NAN;
    switch (op) {
    case DIFFERENCE:
    case SUM:
        if (!search_same_kind(a, b) || !search_whole_of(a, b) || !search_whole_of(b, a) ||
            !same_stats(s->j, a, b))
            return NAN;
        return (percent && fractions ? 100 : 1) * (op == SUM ? x + y : x - y);
    case SHARE: return share_of(a, b);
    case CHANGE:
        return search_same_kind(a, b) && fabsl(x) < 20 * fabsl(y) && fabsl(y) < 20 * fabsl(x)
                   ? 100 * (x - y) / fabsl(y)
                   : NAN;
    case RATIO: return ratio_of(s->j, a, b);
    case PRODUCT: return product_of(a, b);
    default: return NAN;
    }
}

static void offer_pair(struct derive_search *s, enum operation op, const struct operand *a,
                       const struct operand *b) {
    static const char *const signs[OPERATIONS] = {"-", "after", "/", "/", "+", "", "*"};
    long double x = result_of(s, op, a, b);
    if (derive_is_small(s->c) && op != RATIO && !derive_is_whole(x)) /* a count is not rounded */
        return;
    if (!search_offer(s, x))
        return;
    if (!derive_direction_holds(s->j, s->c, op, a, b) &&
        (op == CHANGE || !derive_direction_holds(s->j, s->c, op, b, a))) {
        s->wrong = s->own;
        return;
    }
    snprintf(s->formula, sizeof s->formula, "%.10Lg %s %.10Lg = %.10Lg%s", a->value, signs[op],
             b->value, x, s->c->unit == CLAIM_PERCENT ? " %" : "");
    search_take(s, x, a, b);
}

static bool is_said(const struct derive_source *x) {
    return x->level == IN_SENTENCE || x->level == IN_NEIGHBOUR;
}

/* Is it in the sentence, or of what the claim's piece of it names? */
static bool is_near(const struct derive_source *x) {
    return x->level < NAMED;
}

/* Of one table: what is compared stands in one row or in one column. If the piece names something, it
 * is told of that. */
static bool belong(const struct derive_search *s, const struct derive_source *a,
                   const struct derive_source *b) {
    const struct evidence_item *x = a->o.item, *y = b->o.item;
    if (s->piece_names && !is_near(a) && !is_near(b))
        return false;
    if (!x || !y || (is_said(a) && is_said(b)) || !x->table || x->table != y->table)
        return true;
    return x->label[PART_ROW] == y->label[PART_ROW] ||
           x->label[PART_COLUMN] == y->label[PART_COLUMN];
}

static bool search_is_asked(const struct derive_search *s, enum operation op) {
    if (op == PRODUCT && s->c->unit == CLAIM_PLAIN &&
        scope_has(&s->j->scope, "would could if at rate worth cost costs würde wäre bei serait à"))
        return true;
    return derive_asked_for(s->j, op, s->c);
}

/* All pairs whose farther operand is at this level, by the operations that the words ask for or by the
 * others. */
static void offer_pairs(struct derive_search *s, enum level level, bool asked) {
    static const enum operation ops[] = {DIFFERENCE, RATIO, SHARE, CHANGE, SUM, PRODUCT};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        bool even = ops[k] == SUM || ops[k] == PRODUCT || ops[k] == DIFFERENCE;
        if (search_is_asked(s, ops[k]) != asked ||
            (!asked && level > IN_SENTENCE && ops[k] != DIFFERENCE && ops[k] != RATIO))
            continue;
        for (size_t b = 0; b < s->count; b++)
            for (size_t a = 0; a < s->count; a++) {
                const struct derive_source *x = &s->list[a], *y = &s->list[b];
                enum level far = x->level > y->level ? x->level : y->level;
                if (a != b && far == level && !(even && a > b) && belong(s, x, y) &&
                    !(x->level == TOTAL && y->level == TOTAL))
                    offer_pair(s, ops[k], &x->o, &y->o);
            }
    }
}

/* Counts of one row have shares and differences; its amounts are told per count if the words ask. */
static bool row_allows(const struct derive_search *s, enum operation op, const struct operand *a,
                       const struct operand *b) {
    bool counts = a->item->num.places <= 0 && b->item->num.places <= 0 && !search_is_part(a) &&
                  !search_is_part(b);
    switch (op) {
    case SHARE: return counts;
    case DIFFERENCE: return counts || derive_asked_for(s->j, op, s->c);
    case PRODUCT: return search_is_part(a) != search_is_part(b);
    default:
        return derive_asked_for(s->j, op, s->c) &&
               !scope_piece_has(&s->j->scope, "times fold twice factor multiple mal fois x");
    }
}

/* What the piece names, by itself: of one row, or a row's share in its column. */
static void offer_kin(struct derive_search *s) {
    static const enum operation ops[] = {SHARE, RATIO, DIFFERENCE, PRODUCT};
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        for (size_t b = 0; b < s->count; b++)
            for (size_t a = 0; a < s->count; a++) {
                const struct derive_source *x = &s->list[a], *y = &s->list[b];
                bool share = ops[k] == SHARE && y->o.sum && operands_one_column(&x->o, &y->o);
                bool row = y->level == NAMED_HERE && one_row(&x->o, &y->o) &&
                           row_allows(s, ops[k], &x->o, &y->o);
                if (a != b && x->level == NAMED_HERE && (share || row))
                    offer_pair(s, ops[k], &x->o, &y->o);
            }
}

/* --- one number, three numbers --- */

/* A month's for a year's, seconds for minutes: where the sentence has both units, or one of them and
 * "per". */
static void offer_singles(struct derive_search *s, enum level level) {
    static const struct {
        double n;
        const char *words;
    } spans[] = {{12, "month months monthly annual annually annualised annualized yearly year "
                      "monat monate jahr mois an"},
                 {60, "minute minutes min hour hours second seconds s h sekunden minuten stunden "
                      "heures secondes"},
                 {24, "hours h day days stunden tage heures jours"},
                 {7, "week weeks weekly day days woche wochen tag semaine"},
                 {365, "day days daily tag tage jour jours"},
                 {366, "day days daily tag tage jour jours"},
                 {52, "week weeks weekly woche wochen semaine"}};
    for (size_t k = 0; k < sizeof spans / sizeof *spans && s->c->unit == CLAIM_PLAIN; k++)
        for (size_t i = 0; i < 2 * s->count; i++) {
            const struct operand *o = &s->list[i / 2].o;
            long double n = spans[k].n, x = i % 2 ? o->value / n : o->value * n;
            if (s->list[i / 2].level != level || search_is_part(o) ||
                !scope_piece_has(&s->j->scope, spans[k].words) || !search_offer(s, x))
                continue;
            snprintf(s->formula, sizeof s->formula, "%.10Lg %c %.10Lg = %.10Lg", o->value,
                     i % 2 ? '/' : '*', n, x);
            search_take(s, x, o, NULL);
        }
}

static void offer_three(struct derive_search *s, const struct operand *a, const struct operand *b,
                        const struct operand *c) {
    bool percent = s->c->unit == CLAIM_PERCENT;
    long double x = a->value, y = b->value, z = c->value, f = percent ? 100 : 1;
    if (search_is_part(a) || search_is_part(b) || search_is_part(c) || !search_same_kind(a, b))
        return;
    bool kind = search_same_kind(b, c);
    const struct {
        long double r;
        const char *format;
    } results[] = {
        {f * (x - y) / z, "(%.10Lg - %.10Lg) / %.10Lg = %.10Lg"},
        {x < y ? f * (x + y) / z : NAN, "(%.10Lg + %.10Lg) / %.10Lg = %.10Lg"},
        {y < z && kind ? f * x / (y + z) : NAN, "%.10Lg / (%.10Lg + %.10Lg) = %.10Lg"},
        {y < z && kind && !percent ? x - y - z : NAN, "%.10Lg - %.10Lg - %.10Lg = %.10Lg"},
        {x < y && y < z && kind && !percent ? x + y + z : NAN, "%.10Lg + %.10Lg + %.10Lg = %.10Lg"},
    };
    for (size_t k = 0; k < sizeof results / sizeof *results; k++)
        if (search_offer(s, results[k].r)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            snprintf(s->formula, sizeof s->formula, results[k].format, x, y, z, results[k].r);
#pragma GCC diagnostic pop
            search_take(s, results[k].r, a, b);
        }
}

static void offer_triples(struct derive_search *s) {
    size_t n = s->count < MAX_TRIPLES ? s->count : MAX_TRIPLES;
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++)
            for (size_t c = 0; c < n; c++)
                if (a != b && a != c && b != c && s->list[c].level < TOTAL)
                    offer_three(s, &s->list[a].o, &s->list[b].o, &s->list[c].o);
}

/* --- operands --- */

static void add_source(struct derive_search *s, enum level level, struct operand o) {
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].o.value == o.value && search_is_part(&s->list[i].o) == search_is_part(&o))
            return;
    if (o.item && o.item->num.digits) /* a time, or too long to compute with */
        return;
    bool year = derive_is_whole(o.value) && o.value >= 1900 && o.value < 2100 &&
                (!o.item || o.item->num.places <= 0);
    if (s->count < MAX_SOURCES && o.value != 0 && !year)
        s->list[s->count++] = (struct derive_source){o, level};
}

/* The numbers that the text has from one place to another, as they are told and as they ran. */
static void add_said(struct derive_search *s, size_t from, size_t to, enum level level) {
    for (size_t i = 0; i < s->j->report->count; i++) {
        const struct grounding *g = &s->j->report->list[i];
        if (g == s->g || ground_flagged(g->verdict) || g->claim.start < from ||
            g->claim.start >= to || operands_circular(s->c, g))
            continue;
        bool ran = g->verdict == GROUND_GROUNDED || g->verdict == GROUND_DERIVED;
        struct operand o = {.place = (long)g->claim.start,
                            .by = KNOWN_SAID,
                            .value = ran ? g->exact : g->claim.value};
        o.item = g->verdict == GROUND_GROUNDED ? g->item : NULL;
        o.percent = g->claim.unit == CLAIM_PERCENT;
        add_source(s, level, o);
        o.value = g->claim.value;
        add_source(s, level, o);
    }
}

static void add_sentences(struct derive_search *s) {
    const struct scope *scope = &s->j->scope;
    size_t from = scope->from, to = scope->to, end;
    add_said(s, from, to, IN_SENTENCE);
    if (from > 2)
        sentence_at(s->j->answer, from - 2, &from, &end);
    if (s->j->answer[to])
        sentence_at(s->j->answer, to + 2 < strlen(s->j->answer) ? to + 2 : to, &end, &to);
    add_said(s, from, to, IN_NEIGHBOUR);
}

/* What the sentence names, and where. */
struct named_item {
    const struct evidence_item *item;
    long at;
    bool piece; /* in the number's own piece of it */
};

/* Results come last, and what is in the number's own piece is nearer. */
static int nearer(const void *a, const void *b) {
    const struct named_item *x = a, *y = b;
    if (x->piece != y->piece)
        return x->piece ? -1 : 1;
    if (x->item->cell != y->item->cell)
        return x->item->cell > y->item->cell ? -1 : 1;
    return x->item < y->item ? -1 : x->item > y->item;
}

/* What the sentence names by its row or its line. */
static void add_named(struct derive_search *s) {
    struct judge *j = s->j;
    struct named_item list[MAX_RIVALS];
    size_t n = 0;
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        long at = derive_mention(j, r);
        if (at >= 0 && !r->counted && !r->stale && r->stream != EVIDENCE_QUESTION &&
            !evidence_asserted(j->e, r))
            list[n++] = (struct named_item){r, at, derive_in_piece(j, at)};
    }
    qsort(list, n, sizeof *list, nearer);
    for (size_t k = 0; k < n && k < NAMED_ROOM; k++) {
        const struct evidence_item *r = list[k].item;
        add_source(s, list[k].piece ? NAMED_HERE : NAMED,
                   (struct operand){r->value, list[k].at, KNOWN_NAMED, r, false, false});
        s->piece_names = s->piece_names || list[k].piece;
    }
}

/* Sums of the columns that named numbers stand in, what was shown by itself, counts. */
static void add_totals(struct derive_search *s) {
    struct judge *j = s->j;
    size_t known = s->count, n = 0;
    for (size_t i = 0; i < known && n < TOTALS_ROOM / 2; i++) {
        const struct evidence_item *x = s->list[i].o.item;
        if (!x || !(x->table || x->statement) || j->e->count > MANY_ITEMS ||
            !ground_spend(j, j->e->count))
            continue;
        struct derive_column c = derive_column_of(j, x);
        if (c.count < 2 || derive_other_column(j, &c) ||
            (x->stream == EVIDENCE_DATAFRAME && c.rows != c.count))
            continue;
        add_source(s, TOTAL, (struct operand){c.sum, -1, KNOWN_SHOWN, x, true, false});
        n++;
    }
    for (size_t i = 0; i < j->e->count && i < MANY_ITEMS && n < TOTALS_ROOM; i++) {
        const struct evidence_item *x = &j->e->items[i];
        if (x->bulk || x->stale || x->label[PART_ROW] || x->table ||
            (x->counted && x->value < 10) || evidence_asserted(j->e, x))
            continue;
        add_source(s, TOTAL, (struct operand){x->value, -1, KNOWN_SHOWN, x, false, false});
        n++;
    }
}

/* Numbers of the question that the sentence speaks of: "4.2 above the literature". */
static void add_asked(struct derive_search *s) {
    struct judge *j = s->j;
    size_t n = 0;
    for (size_t i = 0; i < j->e->asked.count && n < ASKED_ROOM; i++) {
        const struct evidence_item *x = &j->e->items[j->e->asked.list[i]];
        if (derive_is_power(fabsl(x->value)) || !ground_spend(j, j->e->asked.count) ||
            !method_named(j, x, NEAR_SENTENCE))
            continue;
        add_source(s, NAMED, (struct operand){x->value, -1, KNOWN_SHOWN, x, false, x->percent});
        n++;
    }
}

/* Data of the code's own text that the sentence names, and what their columns come to. */
static void add_typed(struct derive_search *s) {
    struct judge *j = s->j;
    size_t n = 0, count;
    if (!ground_spend(j, j->e->typed.count))
        return;
    for (size_t i = 0; i < j->e->typed.count && n < TYPED_ROOM; i++) {
        const struct evidence_item *x = &j->e->typed.list[i];
        long at = typed_is_data(j, x) ? typed_mention(j, x) : -1;
        if (at < 0 || (x->label[PART_ROW] && derive_mention_of(j, x, PART_ROW) < 0))
            continue;
        add_source(s, derive_in_piece(j, at) ? NAMED_HERE : NAMED,
                   (struct operand){x->value, at, KNOWN_NAMED, x, false, false});
        n++;
        long double sum = typed_sum(j, x, &count);
        if (count > 1 && ground_spend(j, j->e->typed.count))
            add_source(s, TOTAL, (struct operand){sum, -1, KNOWN_SHOWN, x, true, false});
    }
}

/* --- the search --- */

/* At most this share of wrong numbers may be found as well. */
static bool is_sure(const struct derive_search *s, double share) {
    return s->hit && !s->wrong && (double)s->results <= share * s->space;
}

/* "25 of its 137 pupils": what is a part of. */
static const struct grounding *search_whole(const struct derive_search *s) {
    const struct claim *c = s->c;
    size_t end = c->start + c->len;
    for (size_t i = 0; i < s->j->report->count; i++) {
        const struct grounding *g = &s->j->report->list[i];
        if (g->claim.start > end && g->claim.start < end + 24 && !ground_flagged(g->verdict) &&
            g->claim.value > c->value && g->claim.unit == CLAIM_PLAIN &&
            words_any(s->j->answer + end, g->claim.start - end, "of der des von sur"))
            return g;
    }
    return NULL;
}

/* A count that is told as a part of another one: the whole less what was shown of it, or a share that
 * was shown of the whole, or of the rest. */
static void offer_parts(struct derive_search *s) {
    const struct grounding *g =
        s->c->unit == CLAIM_PLAIN && s->c->num.places == 0 ? search_whole(s) : NULL;
    long double whole = g ? g->claim.value : 0;
    for (size_t i = 0; i < s->count && g; i++) {
        const struct operand *o = &s->list[i].o;
        bool part = search_is_part(o) || search_fraction(o);
        long double p = search_is_part(o) ? o->value / 100 : o->value, x = roundl(p * whole);
        int places = o->item ? o->item->num.places + (search_is_part(o) ? 2 : 0) : 3;
        if (p < 0 || s->list[i].level == IN_NEIGHBOUR || (!part && s->list[i].level == TOTAL) ||
            (part && (p >= 1 || !num_rounds_to(x / whole, p, places))) ||
            (!part && (!derive_is_whole(p) || p >= whole || s->list[i].level == IN_SENTENCE)))
            continue;
        for (int rest = part ? 0 : 1; rest < 2; rest++) {
            long double r = rest ? whole - x : x;
            r = part ? r : whole - p;
            if (!search_offer(s, r))
                continue;
            snprintf(s->formula, sizeof s->formula,
                     part ? "%.10Lg of %.10Lg: %.10Lg" : "%.10Lg out of %.10Lg leaves %.10Lg",
                     o->value, whole, r);
            search_take(s, r, o, NULL);
        }
    }
}

static bool search_run(struct derive_search *s) {
    static const struct {
        double asked, others;
    } limits[LEVELS] = {{0.1, 0.02}, {0.08, 0.02}, {0.06, 0.01}, {0.05, 0.01}, {0.04, 0.01}};
    offer_parts(s);
    if (s->hit)
        return is_sure(s, KIN_LIMIT);
    for (enum level level = 0; level < LEVELS; level++) {
        s->own = level == IN_SENTENCE;
        if (level == NAMED_HERE)
            offer_kin(s);
        if (s->hit || s->wrong)
            return is_sure(s, KIN_LIMIT);
        offer_pairs(s, level, true);
        offer_singles(s, level);
        if (s->hit || s->wrong)
            return is_sure(s, limits[level].asked / (s->strict ? 4 : 1));
        if (!s->strict)
            offer_pairs(s, level, false);
        if (s->hit || s->wrong)
            return is_sure(s, limits[level].others);
    }
    if (!s->strict)
        offer_triples(s);
    return is_sure(s, 0.003);
}

/* "Two towns shrank: Oakley and Wickham": so many rows of one column are named behind it. */
static bool names_so_many(struct judge *j, struct grounding *g) {
    const struct claim *c = &g->claim;
    const struct evidence_item *rows[LISTED_ROOM] = {NULL};
    size_t count = 0;
    if (c->unit != CLAIM_PLAIN || c->num.places > 0 || c->scale || c->bound != CLAIM_EXACT ||
        c->value < 2 || c->value >= LISTED_ROOM)
        return false;
    for (size_t k = 0; k < j->rival_count && count < LISTED_ROOM; k++) {
        const struct evidence_item *r = j->rivals[k];
        bool known = !r->label[PART_ROW] || r->counted || (count && rows[0]->table != r->table) ||
                     derive_mention_of(j, r, PART_ROW) < (long)(c->start + c->len);
        for (size_t i = 0; i < count && !known; i++)
            known = rows[i]->label[PART_ROW] == r->label[PART_ROW] ||
                    derive_mention_of(j, rows[i], PART_ROW) == derive_mention_of(j, r, PART_ROW);
        if (!known)
            rows[count++] = r;
    }
    char formula[60];
    snprintf(formula, sizeof formula, "%zu of them are named", count);
    return (long double)count == c->value && derive_prove(g, formula, c->value);
}

bool derive_search(struct judge *j, struct grounding *g) {
    const struct claim *c = &g->claim;
    if (names_so_many(j, g))
        return true;
    if (g->formula[0] || c->bound > CLAIM_ABOUT || c->num.digits || c->value == 0 || c->over != 0 ||
        c->unit == CLAIM_BASIS_POINTS || !ground_spend(j, SEEN_ROOM))
        return false;
    struct derive_search *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    s->j = j, s->g = g, s->c = c;
    s->strict = g->verdict == GROUND_CONTRADICTED;
    s->places = ground_places(c);
    s->width = num_pow10(-s->places);
    s->space = (double)(1.5L * fabsl(c->value) / s->width);
    add_sentences(s);
    add_named(s);
    add_asked(s);
    add_typed(s);
    add_totals(s);
    bool found = search_run(s);
    if (found) {
        derive_prove(g, s->formula, s->exact);
        for (int k = 0; k < 2; k++) {
            g->operands[k] = s->from[k].value;
            g->from[k] = s->from[k].item;
        }
    }
    free(s);
    return found;
}
