/* How well the words around a claim fit a number that was shown. */
#include "agent/ground/weigh.h"

#include "agent/ground/match.h"
#include "agent/ground/operands.h"
#include "agent/ground/rivals.h"
#include "agent/text/units.h"

#include <math.h>
#include <stdlib.h>

#define WORDS_ALIKE 3    /* more words of one label at one nearness say no more */
#define BESIDE_BYTES 160 /* numbers that are farther away stand for themselves */
#define LATER_ITEMS 200  /* under one label, of later cells */
#define TOLD_ITEMS 400   /* that one claim may tell */

static void item_add(struct tally *t, int term, bool value) {
    if (value)
        tally_add(t, item_weights, term, 1);
}

/* --- who tells a number --- */

static void told_between(struct judge *j, struct weigh_told *told, size_t index,
                         long double scale) {
    const struct claim *c = &j->claims->list[index];
    long double v = fabsl(c->value), half = 0.51L * num_pow10(-c->num.places);
    size_t n, from = evidence_between(j->e, (v - half) / scale, (v + half) / scale, &n);
    for (size_t k = from; k < from + n && k < from + TOLD_ITEMS && ground_spend(j, 1); k++) {
        const struct evidence_item *i = evidence_at(j->e, k);
        struct weigh_told *t = &told[i - j->e->items];
        if (!ground_rounds(c, i->value * scale) && !ground_rounds(c, -i->value * scale))
            continue;
        t->first = t->first ? t->first : (uint32_t)index + 1;
        t->last = (uint32_t)index + 1;
    }
}

struct weigh_told *weigh_told(struct judge *j) {
    struct weigh_told *told = calloc(j->e->count + 1, sizeof *told);
    for (size_t i = 0; told && i < j->claims->count; i++) {
        const struct claim *c = &j->claims->list[i];
        if (c->class != CLAIM_VALUE || c->num.sig < 2 || c->num.digits)
            continue;
        told_between(j, told, i, 1);
        if (c->unit == CLAIM_PERCENT)
            told_between(j, told, i, 100);
    }
    return told;
}

/* By another number, of this sentence or not of it. */
static bool weigh_told_by(const struct judge *j, const struct weigh_told *told, bool here) {
    for (int k = 0; k < 2; k++) {
        uint32_t by = k ? told->last : told->first;
        size_t at = by ? j->claims->list[by - 1].start : 0;
        if (by && by - 1 != j->index && (at >= j->scope.from && at < j->scope.to) == here)
            return true;
    }
    return false;
}

bool weigh_is_told(const struct judge *j, const struct weigh_told *told) {
    return weigh_told_by(j, told, true);
}

/* --- words --- */

static const struct label *weigh_label(const struct judge *j, const struct evidence_item *i,
                                       int part) {
    return i->label[part] ? &j->e->labels[i->label[part]] : NULL;
}

static void weigh_words(const struct judge *j, const struct label *l, int part, struct tally *t) {
    unsigned count[NOT_NEAR + 1] = {0}, here = 0, all = 0;
    for (size_t k = 0; k < l->count; k++) {
        uint32_t word = j->e->pool[l->first + k];
        if (word_statistic(word) || unit_word(word))
            continue;
        enum nearness n = scope_near(&j->scope, word);
        count[n] += count[n] < WORDS_ALIKE;
        here += n <= NEAR_COMPARED;
        all++;
    }
    for (int n = 0; n <= NOT_NEAR; n++)
        if (count[n])
            tally_add(t, item_weights, ITEM_NEAR + part * (NOT_NEAR + 1) + n, (float)count[n]);
    if (part < PART_CODE) {
        item_add(t, ITEM_NONE + part, all && !here);
        item_add(t, ITEM_ALL + part, all && here == all);
    }
}

/* Once for each scope: thousands of numbers share a label. */
static void weigh_part(const struct judge *j, const struct evidence_item *i, int part,
                       struct tally *t) {
    const struct label *l = weigh_label(j, i, part);
    struct label_score *known = l ? &j->scores[i->label[part]] : NULL;
    struct tally own = {.sum = 0};
    if (!known)
        return;
    if (known->weighed[part] != j->scopes || TALLY_KEEPS_TERMS) {
        weigh_words(j, l, part, &own);
        known->weighed[part] = j->scopes;
        known->weight[part] = own.sum;
    }
    own.sum = known->weight[part];
    tally_join(t, &own);
}

static void weigh_stats(const struct judge *j, const struct evidence_item *i, struct tally *t) {
    unsigned stats = rivals_stats(j, i);
    const struct label *code = weigh_label(j, i, PART_CODE);
    item_add(t, ITEM_STAT_AGREE, stats & j->stats);
    item_add(t, ITEM_STAT_CONFLICT, ground_excludes(stats, j->stats));
    item_add(t, ITEM_STAT_UNSAID, stats && !j->stats);
    item_add(t, ITEM_STAT_MISSING, !stats && j->stats);
    item_add(t, ITEM_STAT_CODE, code && (code->stats & j->stats));
}

/* Has one of the labels a unit? */
static bool has_unit(const struct judge *j, const struct evidence_item *i) {
    for (int part = 0; part < PART_CODE; part++) {
        const struct label *l = weigh_label(j, i, part);
        for (size_t k = 0; l && k < l->count; k++)
            if (unit_word(j->e->pool[l->first + k]))
                return true;
    }
    return false;
}

static void weigh_units(const struct judge *j, const struct claim *c, const struct evidence_item *i,
                        struct tally *t) {
    bool same = false, percent = c->unit == CLAIM_PERCENT && !i->percent;
    for (unsigned k = 0; k < j->units.count; k++)
        same = same || operand_named_by(j, i, j->units.hash[k], PART_CODE);
    item_add(t, ITEM_UNIT, same);
    item_add(t, ITEM_UNIT_OTHER, j->units.count && !same && has_unit(j, i));
    item_add(t, ITEM_UNIT_NO_PERCENT, percent && has_unit(j, i));
}

/* --- what kind of number it is --- */

static void weigh_kind(struct judge *j, const struct claim *c, const struct evidence_item *i,
                       struct tally *t) {
    bool percent = c->unit == CLAIM_PERCENT, amount = fabsl(i->value) > 1;
    item_add(t, ITEM_PERCENT_BOTH, percent && i->percent);
    item_add(t, ITEM_PERCENT_FRACTION, percent && !i->percent && !amount);
    item_add(t, ITEM_PERCENT_AMOUNT, percent && !i->percent && amount);
    item_add(t, ITEM_PERCENT_ONLY, !percent && i->percent);
    item_add(t, ITEM_FEWER_PLACES, c->num.places > 0 && i->num.places <= 0);
    item_add(t, ITEM_MORE_PLACES, c->num.places <= 0 && !c->scale && i->num.places > 0);
    item_add(t, ITEM_COUNTED, i->counted);
    item_add(t, ITEM_STALE, i->stale);
    item_add(t, ITEM_STALE_PAST, i->stale && ground_is_past(j));
    item_add(t, ITEM_BULK, i->bulk);
    item_add(t, ITEM_MANY, i->many);
    item_add(t, ITEM_ASSERTED, evidence_asserted(j->e, i));
    item_add(t, ITEM_FRAME, i->stream >= EVIDENCE_DATAFRAME);
    item_add(t, ITEM_VALUE, i->stream == EVIDENCE_VALUE);
    item_add(t, ITEM_LAST_CELL, i->cell == j->last_cell);
    if (i->value != 0 && !c->signed_ && ground_is_change(j, i)) {
        int up = derive_direction(j);
        item_add(t, ITEM_OTHER_WAY, up && (i->value > 0) != (up > 0));
    }
}

/* --- what the numbers beside it were taken from --- */

static bool one_print(const struct evidence_item *a, const struct evidence_item *b) {
    return !a->table && !b->table && a->cell == b->cell && a->statement &&
           a->statement == b->statement;
}

static bool one_table(const struct evidence_item *a, const struct evidence_item *b) {
    return a->table && a->table == b->table;
}

bool weigh_one_row(const struct evidence_item *a, const struct evidence_item *b) {
    return a != b && (one_table(a, b) || one_print(a, b)) &&
           a->label[PART_ROW] == b->label[PART_ROW];
}

bool weigh_one_column(const struct evidence_item *a, const struct evidence_item *b) {
    if (a->label[PART_ROW] == b->label[PART_ROW])
        return false;
    return (one_table(a, b) && a->label[PART_COLUMN] == b->label[PART_COLUMN]) ||
           (one_print(a, b) && a->label[PART_LINE] == b->label[PART_LINE]);
}

static void weigh_beside(const struct judge *j, size_t n, const struct evidence_item *i,
                         struct tally *t) {
    const struct grounding *list = j->report->list, *g = &list[n];
    for (long d = -2; d <= 2; d++) {
        size_t k = n + (size_t)d;
        if (!d || k >= j->report->count || !list[k].item ||
            list[k].item->stream >= EVIDENCE_QUESTION)
            continue;
        size_t a = list[k].claim.start, b = g->claim.start;
        const struct evidence_item *o = list[k].item;
        if ((a < b ? b - a : a - b) > BESIDE_BYTES)
            continue;
        float weight = d == 1 || d == -1 ? 1 : 0.5f;
        bool kin = one_table(i, o) || one_print(i, o);
        if (weigh_one_row(i, o))
            tally_add(t, item_weights, ITEM_ROW_BESIDE, weight);
        if (weigh_one_column(i, o))
            tally_add(t, item_weights, ITEM_COLUMN_BESIDE, weight);
        if (kin)
            tally_add(t, item_weights, i->table ? ITEM_TABLE_BESIDE : ITEM_PRINT_BESIDE, weight);
        if (i->cell == o->cell)
            tally_add(t, item_weights, ITEM_CELL_BESIDE, weight);
        if (kin && i != o && (d < 0) == (i < o))
            tally_add(t, item_weights, ITEM_OUT_OF_ORDER, weight);
    }
}

/* --- what is told alike --- */

static bool told_alike(const struct judge *j, size_t a, size_t b) {
    const struct grounding *x = &j->report->list[a], *y = &j->report->list[b];
    const struct place *p = &j->places[ground_index(j, x)], *q = &j->places[ground_index(j, y)];
    if (x->claim.unit != y->claim.unit || p->paragraph != q->paragraph)
        return false;
    if (p->column || (p->item && q->item && p->line != q->line))
        return p->column == q->column && (p->column || p->nth == q->nth);
    return y->claim.start >= j->scope.from && y->claim.start < j->scope.to &&
           (x->claim.num.places > 0) == (y->claim.num.places > 0);
}

void weigh_kin_of(struct judge *j, size_t n) {
    struct weigh_kin *kin = j->kin;
    const struct place *own = &j->places[ground_index(j, &j->report->list[n])];
    size_t from = n > 4 * KIN_ROOM ? n - 4 * KIN_ROOM : 0;
    kin->columns = kin->rows = 0;
    for (size_t k = from; k < j->report->count && k < n + 4 * KIN_ROOM && ground_spend(j, 1); k++) {
        const struct place *p = &j->places[ground_index(j, &j->report->list[k])];
        bool row = p->line == own->line && (own->table || own->item);
        if (k != n && told_alike(j, n, k) && kin->columns < KIN_ROOM)
            kin->column[kin->columns++] = (uint16_t)k;
        if (k != n && row && kin->rows < KIN_ROOM)
            kin->row[kin->rows++] = (uint16_t)k;
    }
}

static const struct evidence_item *kin_item(const struct judge *j, size_t k) {
    const struct grounding *g = &j->report->list[k];
    return g->item && !ground_flagged(g->verdict) && g->item->stream < EVIDENCE_QUESTION ? g->item
                                                                                         : NULL;
}

static void weigh_alike(const struct judge *j, const struct evidence_item *i, struct tally *t) {
    const struct weigh_kin *kin = j->kin;
    float with = 0, without = 0, all = 0;
    for (size_t k = 0; k < kin->columns; k++) {
        const struct evidence_item *o = kin_item(j, kin->column[k]);
        all += o != NULL;
        with += o && weigh_one_column(i, o);
        without += o && !weigh_one_column(i, o);
    }
    if (all > 0) {
        tally_add(t, item_weights, ITEM_COLUMN_KIN, with / all);
        tally_add(t, item_weights, ITEM_COLUMN_OTHER, without > 1 ? without / all : 0);
    }
    with = without = all = 0;
    for (size_t k = 0; k < kin->rows; k++) {
        const struct evidence_item *o = kin_item(j, kin->row[k]);
        bool one = o && (weigh_one_row(i, o) ||
                         (i->label[PART_ROW] && i->label[PART_ROW] == o->label[PART_ROW]));
        all += o != NULL;
        with += one;
        without += o && !one;
    }
    if (all > 0) {
        tally_add(t, item_weights, ITEM_ROW_KIN, with / all);
        tally_add(t, item_weights, ITEM_ROW_OTHER, without / all);
    }
}

static bool is_monotone(const long double *v, size_t n) {
    bool up = true, down = true;
    for (size_t k = 1; k < n; k++) {
        up = up && v[k] >= v[k - 1];
        down = down && v[k] <= v[k - 1];
    }
    return up || down;
}

int weigh_order(const struct judge *j, size_t n) {
    const struct weigh_kin *kin = j->kin;
    long double all[KIN_ROOM + 1], others[KIN_ROOM];
    size_t at = 0;
    if (kin->columns < 2)
        return 0;
    for (size_t k = 0; k < kin->columns; k++)
        others[k] = j->report->list[kin->column[k]].claim.value;
    while (at < kin->columns && kin->column[at] < n)
        at++;
    for (size_t k = 0; k <= kin->columns; k++)
        all[k] = k == at ? j->report->list[n].claim.value : others[k < at ? k : k - 1];
    return is_monotone(all, kin->columns + 1) ? 1 : is_monotone(others, kin->columns) ? -1 : 0;
}

/* --- the highest and the lowest --- */

static bool is_of_column(const struct judge *j, const struct evidence_item *x,
                         const struct evidence_item *i) {
    const struct label *row = weigh_label(j, x, PART_ROW);
    uint32_t overall = word_hash("overall");
    bool margin = !row || row->stats;
    for (size_t k = 0; row && k < row->count && !margin; k++)
        margin = j->e->pool[row->first + k] == overall;
    return !margin && !x->counted && (x == i || weigh_one_column(x, i));
}

#define NOTED_EXTREME 7u
#define NOTED_LOOKED 8u /* for what replaced it */
#define NOTED_REPLACED 16u

static enum extreme noted_extreme(const struct judge *j, const struct evidence_item *i) {
    return (enum extreme)(j->noted[i - j->e->items] & NOTED_EXTREME);
}

static void note_extreme(struct judge *j, const struct evidence_item *i, enum extreme extreme) {
    uint8_t *noted = &j->noted[i - j->e->items];
    *noted = (uint8_t)((*noted & ~NOTED_EXTREME) | (unsigned)extreme);
}

/* Notes it for all numbers of the column. */
static void look_for_extremes(struct judge *j, const struct evidence_item *i) {
    uint32_t label = i->label[i->table ? PART_COLUMN : PART_LINE];
    long double low = i->value, high = i->value;
    size_t n = 0, count = 0;
    const uint32_t *items = label ? evidence_items(j->e, label, &n) : NULL;
    note_extreme(j, i, EXTREME_NONE);
    if (!is_of_column(j, i, i) || i->stream >= EVIDENCE_DATAFRAME || !ground_spend(j, 2 * n))
        return;
    for (size_t k = 0; k < n; k++) {
        const struct evidence_item *x = &j->e->items[items[k]];
        if (!is_of_column(j, x, i))
            continue;
        count++;
        low = x->value < low ? x->value : low;
        high = x->value > high ? x->value : high;
    }
    for (size_t k = 0; k < n && count > 1 && low < high; k++) {
        const struct evidence_item *x = &j->e->items[items[k]];
        if (is_of_column(j, x, i))
            note_extreme(j, x,
                         x->value == high  ? EXTREME_HIGH
                         : x->value == low ? EXTREME_LOW
                                           : EXTREME_NEITHER);
    }
}

int weigh_extreme(struct judge *j, const struct evidence_item *i, bool piece) {
    static const char
        top[] =
            "highest largest biggest greatest most maximum max strongest tallest longest oldest "
            "heaviest busiest peak peaks peaked top leads lead tops warmest hottest wettest "
            "dearest priciest richest widest deepest commonest favourite favorite höchste "
            "höchsten höchster größte größten größter meisten stärkste stärksten längste "
            "längsten älteste teuerste teuersten wärmste wärmsten spitzenreiter",
        low[] = "lowest smallest fewest least minimum min weakest shortest youngest lightest "
                "cheapest coldest driest quietest trough rarest poorest niedrigste niedrigsten "
                "kleinste kleinsten wenigsten schwächste schwächsten kürzeste kürzesten jüngste "
                "billigste billigsten günstigste günstigsten kälteste kältesten schlusslicht",
        either[] =
            "best worst fastest slowest closest farthest latest earliest winner leader beste "
            "besten schlechteste schlechtesten schnellste schnellsten langsamste "
            "langsamsten meilleur meilleure pire champion";
    bool (*has)(const struct scope *, const char *) = piece ? scope_piece_has : scope_has;
    bool up = has(&j->scope, top), down = has(&j->scope, low);
    if ((up == down && !(up || has(&j->scope, either))) ||
        has(&j->scope, "second third fourth zweite zweiten dritte dritten deuxième"))
        return 0;
    if (noted_extreme(j, i) == EXTREME_UNKNOWN)
        look_for_extremes(j, i);
    enum extreme known = noted_extreme(j, i);
    if (known == EXTREME_NONE)
        return 0;
    if (known == EXTREME_NEITHER)
        return -1;
    bool any = up == down || i->value < 0;
    return any || (known == EXTREME_HIGH) == up ? 1 : -1;
}

static bool has_same_name(const struct evidence_item *a, const struct evidence_item *b) {
    if (a->label[PART_ROW] != b->label[PART_ROW] || !a->table != !b->table)
        return false;
    return a->table ? a->label[PART_COLUMN] == b->label[PART_COLUMN] && a->label[PART_COLUMN] &&
                          a->label[PART_ROW]
                    : a->label[PART_LINE] == b->label[PART_LINE] && a->label[PART_LINE];
}

static bool look_for_later(struct judge *j, const struct evidence_item *i) {
    uint32_t label = i->label[PART_ROW] ? i->label[PART_ROW] : i->label[PART_LINE];
    size_t n = 0, looked = 0;
    const uint32_t *items = label ? evidence_items(j->e, label, &n) : NULL;
    if (i->stale || i->counted || i->stream >= EVIDENCE_DATAFRAME)
        return i->stale;
    while (n-- > 0 && looked++ < LATER_ITEMS && ground_spend(j, 1)) {
        const struct evidence_item *x = &j->e->items[items[n]];
        if (x->cell <= i->cell)
            break;
        if (!x->counted && x->stream < EVIDENCE_DATAFRAME && x->value != i->value &&
            has_same_name(x, i))
            return true;
    }
    return false;
}

bool weigh_replaced(struct judge *j, const struct evidence_item *i) {
    uint8_t *noted = &j->noted[i - j->e->items];
    if (!(*noted & NOTED_LOOKED))
        *noted |= (uint8_t)(NOTED_LOOKED | (look_for_later(j, i) ? NOTED_REPLACED : 0));
    return *noted & NOTED_REPLACED;
}

static void weigh_extremes(struct judge *j, const struct evidence_item *i, struct tally *t) {
    int here = weigh_extreme(j, i, true), there = here ? here : weigh_extreme(j, i, false);
    item_add(t, here > 0 ? ITEM_EXTREME : ITEM_NO_EXTREME, here != 0);
    item_add(t, there > 0 ? ITEM_EXTREME_HERE : ITEM_NO_EXTREME_HERE, !here && there != 0);
}

struct tally weigh_item(struct judge *j, size_t n, const struct weigh_told *told,
                        const struct evidence_item *i) {
    struct tally t = {.sum = 0};
    const struct claim *c = &j->report->list[n].claim;
    for (int part = 0; part < PARTS; part++)
        weigh_part(j, i, part, &t);
    weigh_stats(j, i, &t);
    weigh_units(j, c, i, &t);
    weigh_kind(j, c, i, &t);
    item_add(&t, ITEM_LEAD, j->lead && operand_named_by(j, i, j->lead, PART_CODE));
    item_add(&t, ITEM_NOUN, j->noun && operand_named_by(j, i, j->noun, PART_CODE));
    item_add(&t, ITEM_TOLD, weigh_told_by(j, &told[i - j->e->items], true));
    item_add(&t, ITEM_TOLD_FAR, weigh_told_by(j, &told[i - j->e->items], false));
    weigh_beside(j, n, i, &t);
    weigh_alike(j, i, &t);
    weigh_extremes(j, i, &t);
    if (weigh_replaced(j, i))
        item_add(&t, ground_is_past(j) ? ITEM_REPLACED_PAST : ITEM_REPLACED, true);
    return t;
}
