/* Derivations from whole columns: their sum, mean and range, shares in them, how many rows are so. */
#include "agent/ground/derive.h"

#include "agent/ground/rivals.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#define LISTED_ROOM 10 /* rows that a sentence may name behind how many there are */

struct derive_column derive_column_of(const struct judge *j, const struct evidence_item *like) {
    struct derive_column c = {
        .like = like, .table = like->table, .label = like->label[PART_COLUMN]};
    if (!c.table)
        c.label = like->label[PART_LINE];
    size_t n = j->e->count;
    const uint32_t *list = n > MANY_ITEMS ? evidence_items(j->e, c.label, &n) : NULL;
    bool by_place = !c.table && !c.label && like->statement && like->nth;
    for (size_t i = 0; i < n; i++) {
        const struct evidence_item *x = &j->e->items[list ? list[i] : i];
        bool placed =
            !c.table && !x->table && (operands_same_place(x, like) || operands_parallel(x, like));
        if ((by_place && (!placed || x->nth != like->nth)) ||
            (!c.table && x->percent != like->percent))
            continue;
        if (c.table && !c.label && x->nth != like->nth)
            continue;
        if (x->table != c.table || (!c.table && x->cell != like->cell))
            continue;
        if (x->counted && !x->label[PART_ROW] && !c.rows)
            c.rows = (size_t)x->value;
        if (x->counted || (x->label[c.table ? PART_COLUMN : PART_LINE] != c.label && !placed) ||
            (x->label[PART_ROW] && j->e->labels[x->label[PART_ROW]].stats))
            continue; /* a mean or a total among them is none of what it is of */
        c.high = !c.count || x->value > c.high ? x->value : c.high;
        c.low = !c.count || x->value < c.low ? x->value : c.low;
        c.sum += x->value;
        c.count++;
    }
    return c;
}

static bool names_a_row(const struct judge *j, const struct derive_column *c) {
    for (size_t k = 0; k < j->rival_count; k++)
        if (j->rivals[k]->table == c->table && c->table &&
            j->rivals[k]->label[PART_COLUMN] == c->label &&
            derive_mention_of(j, j->rivals[k], PART_ROW) >= 0)
            return true;
    return false;
}

static bool column_has(const struct judge *j, uint32_t label, uint32_t word) {
    const struct label *l = &j->e->labels[label];
    for (size_t k = 0; k < l->count; k++)
        if (j->e->pool[l->first + k] == word)
            return true;
    return false;
}

/* Does the sentence name another column of the table, and not this one? */
static bool derive_other_column(const struct judge *j, const struct derive_column *c) {
    if (!c->table || derive_mention_of(j, c->like, PART_COLUMN) >= 0)
        return false;
    for (size_t k = 0; k < j->rival_count; k++)
        if (j->rivals[k]->table == c->table && !j->rivals[k]->counted &&
            derive_in_piece(j, derive_mention_of(j, j->rivals[k], PART_COLUMN)))
            return true;
    return false;
}

static bool try_column(struct judge *j, struct grounding *g, const struct derive_column *c) {
    char formula[120];
    long double mean = c->sum / (long double)c->count;
    enum part part = c->table ? PART_COLUMN : PART_LINE;
    uint32_t noun = scope_noun(&j->scope, &g->claim);
    bool named = (g->claim.num.sig > 2 && derive_mention_of(j, c->like, part) >= 0) ||
                 (noun && g->claim.num.sig > 1 && c->label && column_has(j, c->label, noun));
    named = named || (g->claim.num.sig > 1 && c->table && derive_is_whole(c->sum) &&
                      derive_is_whole(c->high) && !names_a_row(j, c) &&
                      derive_in_piece(j, derive_mention_of(j, c->like, part)));
    if (derive_other_column(j, c))
        return false;
    bool certain = g->claim.num.sig > 4 && g->claim.bound == CLAIM_EXACT; /* no chance */
    if ((named || certain || derive_asked_for(j, SUM, &g->claim)) &&
        derive_fits(&g->claim, c->sum)) {
        snprintf(formula, sizeof formula, "sum of %zu numbers of a column = %.10Lg", c->count,
                 c->sum);
        return derive_prove(g, formula, c->sum);
    }
    bool whole = !derive_is_small(&g->claim) || derive_is_whole(c->high - c->low);
    if (derive_asked_for(j, MEAN, &g->claim) && derive_fits(&g->claim, mean)) {
        snprintf(formula, sizeof formula, "mean of %zu numbers of a column = %.10Lg", c->count,
                 mean);
        return derive_prove(g, formula, mean);
    }
    if (whole && derive_asked_for(j, DIFFERENCE, &g->claim) &&
        derive_fits(&g->claim, c->high - c->low) && !names_a_row(j, c)) {
        snprintf(formula, sizeof formula, "%.10Lg - %.10Lg = %.10Lg", c->high, c->low,
                 c->high - c->low);
        return derive_prove(g, formula, c->high - c->low);
    }
    return false;
}

/* "The largest region makes 28 %": it is named by its size. */
static bool try_extreme_share(struct judge *j, struct grounding *g, const struct derive_column *c) {
    bool top = scope_has(&j->scope, "largest biggest highest top most leading best strongest "
                                    "größte größten grösste plus"),
         low = scope_has(&j->scope, "smallest lowest least fewest weakest kleinste kleinsten");
    long double part = top ? c->high : c->low, share = c->sum != 0 ? 100 * part / c->sum : NAN;
    char formula[120];
    if (top == low || c->count < 3 || g->claim.num.sig < 2 || names_a_row(j, c) ||
        !derive_fits(&g->claim, share))
        return false;
    snprintf(formula, sizeof formula, "%.10Lg / %.10Lg (sum of a column) = %.10Lg %%", part, c->sum,
             share);
    return derive_prove(g, formula, share);
}

/* Shares in the sum of a column, of what the sentence names or speaks of. */
static bool try_shares(struct judge *j, struct grounding *g, const struct derive_column *c) {
    char formula[120];
    if (g->claim.unit != CLAIM_PERCENT || g->claim.num.sig < 2 || derive_other_column(j, c))
        return false;
    if (try_extreme_share(j, g, c))
        return true;
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        long double share = c->sum != 0 ? 100 * r->value / c->sum : NAN;
        if (r->table != c->table || r->label[c->table ? PART_COLUMN : PART_LINE] != c->label ||
            (r->label[PART_ROW] ? derive_mention_of(j, r, PART_ROW) : derive_mention(j, r)) < 0 ||
            !derive_fits(&g->claim, share) || derive_told_elsewhere(j, r))
            continue;
        bool counts = c->label && (j->e->labels[c->label].stats & STAT_COUNT);
        if (c->table && c->label && g->claim.num.sig < 3 && !counts &&
            derive_mention_of(j, r, PART_COLUMN) < 0)
            continue;
        snprintf(formula, sizeof formula, "%.10Lg / %.10Lg (sum of a column) = %.10Lg %%", r->value,
                 c->sum, share);
        return derive_prove(g, formula, share);
    }
    return false;
}

/* "Mara has 206, Jonas 148": what has a number of its own between them is not told together. */
static bool number_between(const struct judge *j, long from, long to) {
    size_t i = claims_from(j->claims, (size_t)from + 1), end = claims_from(j->claims, (size_t)to);
    while (i < end && j->claims->list[i].class != CLAIM_VALUE)
        i++;
    return i < end;
}

/* The rows of a column that the sentence names, together: "North and West make 54 % of it". */
static bool try_named_rows(struct judge *j, struct grounding *g, const struct derive_column *c) {
    long double sum = 0;
    size_t count = 0;
    long first = LONG_MAX, last = -1;
    char formula[140];
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        const struct operand self = {.item = r};
        if (r->counted || r->table != c->table || r->percent != c->like->percent ||
            !operands_one_column(&(struct operand){.item = c->like}, &self) ||
            derive_mention_of(j, r, PART_ROW) < 0)
            continue;
        long at = derive_mention_of(j, r, PART_ROW);
        first = at < first ? at : first;
        last = at > last ? at : last;
        sum += r->value;
        count++;
    }
    long double share = c->sum != 0 ? 100 * sum / c->sum : NAN;
    if (count < 2 || count == c->count || number_between(j, first, last) ||
        (g->claim.num.sig < 2 && !derive_asked_for(j, SUM, &g->claim)))
        return false;
    if (derive_fits(&g->claim, sum) &&
        (g->claim.num.sig > 3 || derive_asked_for(j, SUM, &g->claim))) {
        snprintf(formula, sizeof formula, "sum of %zu rows of a column = %.10Lg", count, sum);
        return derive_prove(g, formula, sum);
    }
    snprintf(formula, sizeof formula, "%zu rows / %.10Lg (sum of a column) = %.10Lg %%", count,
             c->sum, share);
    return g->claim.unit == CLAIM_PERCENT && derive_fits(&g->claim, share) &&
           derive_prove(g, formula, share);
}

/* "three of them took less than 2 days", "two regions lost": so many rows of a column are so. */
static size_t count_rows(const struct judge *j, const struct derive_column *c,
                         const struct claim *limit, int sign) {
    size_t n = 0, items = j->e->count;
    const uint32_t *list = items > MANY_ITEMS ? evidence_items(j->e, c->label, &items) : NULL;
    for (size_t i = 0; i < items; i++) {
        const struct evidence_item *x = &j->e->items[list ? list[i] : i];
        if (x->table != c->table || x->counted || x->label[PART_COLUMN] != c->label)
            continue;
        n += limit
                 ? (limit->bound == CLAIM_MORE ? x->value > limit->value : x->value < limit->value)
                 : x->value * sign > 0;
    }
    return n;
}

/* The bound that the sentence sets, beside the number itself. */
static const struct claim *bound_beside(const struct judge *j, const struct claim *self) {
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *c = &j->claims->list[i];
        if (c->class == CLAIM_VALUE && c->start != self->start && c->bound > CLAIM_ABOUT &&
            c->start >= j->scope.from && c->start < j->scope.to)
            return c;
    }
    return NULL;
}

static bool try_rows(struct judge *j, struct grounding *g, const struct derive_column *c) {
    const struct claim *limit = bound_beside(j, &g->claim);
    int sign = derive_direction(j);
    bool change = c->low < 0 && c->high > 0;
    if (!c->table || g->claim.unit != CLAIM_PLAIN || g->claim.num.places > 0 || g->claim.scale ||
        g->claim.value < 1 || g->claim.value >= (long double)c->count ||
        (!limit && !(change && sign)) || !ground_spend(j, j->e->count))
        return false;
    size_t n = count_rows(j, c, limit, sign);
    char formula[120];
    if ((long double)n != g->claim.value)
        return false;
    if (limit)
        snprintf(formula, sizeof formula, "%zu of %zu numbers of a column are %s than %.10Lg", n,
                 c->count, limit->bound == CLAIM_MORE ? "more" : "less", limit->value);
    else
        snprintf(formula, sizeof formula, "%zu of %zu numbers of a column are %s", n, c->count,
                 sign > 0 ? "positive" : "negative");
    return derive_prove(g, formula, (long double)n);
}

/* The column that a number stands in, unless it was looked at. */
static bool try_column_of(struct judge *j, struct grounding *g, const struct evidence_item *r,
                          struct columns *seen) {
    uint32_t label = r->label[r->table ? PART_COLUMN : PART_LINE];
    bool known = (!r->table && !label && !r->nth) || r->counted || seen->count == MAX_COLUMNS;
    for (size_t i = 0; i < seen->count; i++)
        known = known || (seen->list[i].table == r->table && seen->list[i].label == label &&
                          (label || seen->list[i].like->nth == r->nth) &&
                          (r->table || seen->list[i].like->statement == r->statement));
    if (known || !derive_is_meant(j, DIFFERENCE, &(struct operand){.item = r}) ||
        !ground_spend(j, j->e->count))
        return false;
    struct derive_column c = seen->list[seen->count++] = derive_column_of(j, r);
    for (size_t i = 0; i + 1 < seen->count; i++)
        if (label && seen->list[i].label == label && seen->list[i].sum == c.sum &&
            seen->list[i].count == c.count) {
            seen->count--; /* a frame that was printed, too */
            return false;
        }
    bool whole = r->stream != EVIDENCE_DATAFRAME || c.rows == c.count;
    return c.count > 1 && whole &&
           (try_column(j, g, &c) || try_shares(j, g, &c) || try_named_rows(j, g, &c) ||
            try_rows(j, g, &c));
}

/* First those that the sentence names, then, with digits enough, any that was shown. */
bool derive_try_columns(struct judge *j, struct grounding *g, struct columns *seen) {
    for (size_t k = 0; k < j->rival_count; k++)
        if (try_column_of(j, g, j->rivals[k], seen))
            return true;
    bool rows = g->claim.unit == CLAIM_PLAIN && g->claim.num.places <= 0 &&
                (bound_beside(j, &g->claim) || derive_direction(j));
    size_t n = (g->claim.num.sig > 2 || rows) && j->e->count <= MANY_ITEMS ? j->e->count : 0;
    for (size_t i = 0; i < n && seen->count < MAX_COLUMNS; i++)
        if ((evidence_at(j->e, i)->table || evidence_at(j->e, i)->statement) &&
            try_column_of(j, g, evidence_at(j->e, i), seen))
            return true;
    return false;
}

/* Is a column like this one named, and not this one: m3_2022, and not m3_2023? */
static bool sibling_named(const struct judge *j, const struct derive_column *c) {
    const struct label *own = c->label ? &j->e->labels[c->label] : NULL;
    bool other = false;
    for (size_t k = 0; own && k < own->count; k++)
        if (derive_mention_of(j, c->like, PART_COLUMN) >= 0 && own->count == 1)
            return false;
    for (size_t k = 0; k < j->rival_count && own && !other; k++) {
        const struct evidence_item *r = j->rivals[k];
        const struct label *l = r->label[PART_COLUMN] ? &j->e->labels[r->label[PART_COLUMN]] : NULL;
        if (!l || r->table != c->table || r->label[PART_COLUMN] == c->label || l->count < 2)
            continue;
        unsigned shared = 0, named = 0;
        for (size_t m = 0; m < l->count; m++) {
            bool has = column_has(j, c->label, j->e->pool[l->first + m]);
            shared += has;
            named += !has && scope_near(&j->scope, j->e->pool[l->first + m]) <= NEAR_SENTENCE;
        }
        other = shared && named;
    }
    return other;
}

/* Sums of columns, and what they may be shared out among: months, what the sentence has. */
bool derive_try_sums(struct judge *j, struct grounding *g, const struct columns *seen,
                     const struct operands *said) {
    static const struct {
        const char *words;
        double count;
    } spans[] = {{"month months monthly monat monate mois", 12},
                 {"week weeks woche semaine", 52},
                 {"day days daily tag tage jour", 7},
                 {"hour hours stunde heure", 24},
                 {"quarter quarters quartal trimestre", 4}};
    struct operands o = {.count = 0};
    bool wrong = false;
    for (size_t i = 0; i < seen->count; i++) {
        bool named = g->claim.num.sig > 3 || g->claim.unit == CLAIM_PERCENT ||
                     derive_mention_of(j, seen->list[i].like, PART_COLUMN) >= 0;
        if (seen->list[i].count > 1 && !sibling_named(j, &seen->list[i]))
            operands_add(&o, (struct operand){.value = seen->list[i].sum,
                                              .place = -1,
                                              .by = named ? KNOWN_NAMED : KNOWN_SHOWN,
                                              .sum = true});
    }
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (scope_has(&j->scope, spans[i].words))
            operands_add(&o,
                         (struct operand){.value = spans[i].count, .place = -1, .by = KNOWN_NAMED});
    for (size_t i = 0; i < said->count; i++)
        operands_add(&o, said->list[i]);
    return g->claim.num.sig > 1 && derive_try(j, g, &o, 2, &wrong);
}

/* A line of the answer's own table that sums up those above it. */
bool derive_try_table(struct judge *j, struct grounding *g) {
    const struct place *at = &j->places[j->index];
    size_t count = 0;
    long double sum = 0;
    char formula[120];
    if (!at->table || g->claim.unit != CLAIM_PLAIN || g->claim.num.sig < 2)
        return false;
    for (size_t i = j->index; i-- > 0 && ground_spend(j, 1);) {
        const struct place *p = &j->places[i];
        if (p->paragraph != at->paragraph)
            break;
        if (j->claims->list[i].class != CLAIM_VALUE || !p->table || p->column != at->column ||
            p->line == at->line)
            continue;
        const struct grounding *x = &j->report->list[p->before];
        if (ground_flagged(x->verdict) || x->claim.unit != CLAIM_PLAIN)
            return false;
        sum += x->claim.value;
        count++;
    }
    if (count < 2 || !derive_fits(&g->claim, sum))
        return false;
    snprintf(formula, sizeof formula, "sum of the %zu numbers above it = %.10Lg", count, sum);
    return derive_prove(g, formula, sum);
}

/* "Two towns shrank: Oakley and Wickham": so many rows of one column are named behind it. */
bool derive_named_rows(struct judge *j, struct grounding *g) {
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
