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

static void weigh_units(const struct judge *j, const struct evidence_item *i, struct tally *t) {
    bool same = false, other = false;
    for (unsigned k = 0; k < j->units.count; k++)
        same = same || operand_named_by(j, i, j->units.hash[k], PART_CODE);
    for (int part = 0; part < PART_CODE && j->units.count && !same; part++) {
        const struct label *l = weigh_label(j, i, part);
        for (size_t k = 0; l && k < l->count; k++)
            other = other || unit_word(j->e->pool[l->first + k]);
    }
    item_add(t, ITEM_UNIT, same);
    item_add(t, ITEM_UNIT_OTHER, other);
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

struct tally weigh_item(struct judge *j, size_t n, const struct weigh_told *told,
                        const struct evidence_item *i) {
    struct tally t = {.sum = 0};
    const struct claim *c = &j->report->list[n].claim;
    for (int part = 0; part < PARTS; part++)
        weigh_part(j, i, part, &t);
    weigh_stats(j, i, &t);
    weigh_units(j, i, &t);
    weigh_kind(j, c, i, &t);
    item_add(&t, ITEM_LEAD, j->lead && operand_named_by(j, i, j->lead, PART_CODE));
    item_add(&t, ITEM_NOUN, j->noun && operand_named_by(j, i, j->noun, PART_CODE));
    item_add(&t, ITEM_TOLD, weigh_told_by(j, &told[i - j->e->items], true));
    item_add(&t, ITEM_TOLD_FAR, weigh_told_by(j, &told[i - j->e->items], false));
    weigh_beside(j, n, i, &t);
    return t;
}
