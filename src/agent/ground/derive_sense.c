/* Whether anybody would compute with these two numbers to say what the sentence says. */
#include "agent/ground/derive.h"

#include "agent/ground/rivals.h"

#include <math.h>
#include <string.h>

/* Numbers of one measure: of one column, or with a word in common that is not their row's. */
static bool are_alike(const struct judge *j, const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if (operands_one_column(a, b))
        return true;
    if (!x || !y || (x->label[PART_ROW] && x->label[PART_ROW] == y->label[PART_ROW]))
        return false;
    for (int part = PART_COLUMN; part <= PART_LINE; part++) {
        const struct label *l = x->label[part] ? &j->e->labels[x->label[part]] : NULL;
        for (size_t k = 0; l && k < l->count; k++)
            if (operand_named_by(j, y, j->e->pool[l->first + k], PART_CODE))
                return true;
    }
    return false;
}

/* The first word of the text that some number is called by, within a few; 0 if there is none. */
static uint32_t noun_of(const struct judge *j, size_t at, size_t to) {
    size_t start, labels;
    uint32_t hash;
    for (int n = 0; n < 3 && words_next(j->answer, to, &at, &hash, &start); n++) {
        if (words_any(j->answer + start, at - start,
                      "below above under over with in who which that are is was were have has"))
            return 0;
        if (!hash || word_statistic(hash))
            continue;
        evidence_labels(j->e, hash, &labels);
        if (labels)
            return hash;
    }
    return 0;
}

static size_t clause_end(const struct judge *j, size_t at) {
    while (at < j->scope.to && !strchr(",;()", j->answer[at]))
        at++;
    return at;
}

/* "46 % of all cups": what the whole is, if something is called so. */
static uint32_t whole_noun(const struct judge *j, const struct claim *c) {
    size_t at = c->start + c->len, start = at;
    while (j->answer[at] == ' ')
        at++;
    size_t n = strcspn(j->answer + at, " ");
    return words_any(j->answer + at, n, "of der des von aller") && at > start
               ? noun_of(j, at + n, clause_end(j, at))
               : 0;
}

/* "21.72 per sale": what it is told for each of. */
static uint32_t per_noun(const struct judge *j, const struct claim *c) {
    size_t at = c->start + c->len, end = clause_end(j, at);
    for (size_t i = at; i + 4 < end && i < at + 24; i++)
        if (j->answer[i] == ' ' &&
            (strncmp(j->answer + i, " per ", 5) == 0 || strncmp(j->answer + i, " je ", 4) == 0 ||
             strncmp(j->answer + i, " pro ", 5) == 0 || strncmp(j->answer + i, " par ", 5) == 0))
            return noun_of(j, i + 3, end);
    return 0;
}

static bool operand_is_called(const struct judge *j, const struct operand *o, uint32_t noun) {
    return !noun || !o->item || o->by == KNOWN_SAID ||
           operand_named_by(j, o->item, noun, o->item->several ? PART_CODE : PARTS);
}

/* "of total revenue", "of all cups": not of one row of them. */
static bool asks_for_total(const struct judge *j, const struct claim *c) {
    size_t at = c->start + c->len, end = clause_end(j, at);
    size_t n = end - at < 20 ? end - at : 20;
    return words_any(j->answer + at, n, "of der des") &&
           words_any(j->answer + at, n, "total all combined overall entire aller gesamten");
}

static bool is_row(const struct judge *j, const struct operand *o) {
    const struct label *row =
        o->item && o->item->label[PART_ROW] ? &j->e->labels[o->item->label[PART_ROW]] : NULL;
    return row && !row->stats && !o->item->counted && o->by != KNOWN_SAID &&
           !operand_named_by(j, o->item, word_hash("overall"), PART_CODE);
}

/* Is a row of some table named in the piece? Then something is told of it. */
static bool names_entity(const struct judge *j) {
    for (size_t k = 0; k < j->rival_count && k < 64; k++) {
        const struct evidence_item *r = j->rivals[k];
        const struct label *row = r->label[PART_ROW] ? &j->e->labels[r->label[PART_ROW]] : NULL;
        bool all = row && !row->stats && !r->counted;
        for (size_t m = 0; all && m < row->count; m++)
            all = scope_near(&j->scope, j->e->pool[row->first + m]) <= NEAR_PIECE;
        if (all)
            return true;
    }
    return false;
}

/* Does the sentence have this number, or speak of its row? */
static bool is_about(const struct judge *j, const struct operand *o) {
    if (o->by == KNOWN_SAID || !o->item)
        return o->by == KNOWN_SAID;
    return o->item->label[PART_ROW] ? derive_mention_of(j, o->item, PART_ROW) >= 0
                                    : derive_mention(j, o->item) >= 0;
}

/* The sentence tells of a year, and this is of another one. */
static bool of_another_year(const struct judge *j, const struct operand *o) {
    int year = o->by != KNOWN_SAID ? derive_time_of(j, o) / 12 : 0;
    bool told = false;
    if (!year || scope_has(&j->scope, "before previous last since compared prior earlier than from "
                                      "vorjahr seit zuvor précédente depuis"))
        return false;
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *c = &j->claims->list[i];
        if (c->start < j->scope.from || c->start >= j->scope.to || c->class == CLAIM_VALUE ||
            c->value < 1900 || c->value >= 2100 || c->len != 4)
            continue;
        if ((int)c->value == year)
            return false;
        told = true;
    }
    return told;
}

static bool sensible_ratio(const struct judge *j, const struct claim *c, const struct operand *a,
                           const struct operand *b) {
    bool said = a->by == KNOWN_SAID && b->by == KNOWN_SAID;
    if (scope_piece_has(&j->scope, "times fold twice factor ratio multiple mal fois x"))
        return a->value / b->value > 0 && (said || c->num.sig > 3 || are_alike(j, a, b));
    return operand_is_called(j, b, per_noun(j, c)) &&
           (said || (derive_is_whole(b->value) && b->value > 1));
}

/* Has the sentence all words of this label? */
static bool names_all(const struct judge *j, const struct evidence_item *i, enum part part) {
    const struct label *l = i->label[part] ? &j->e->labels[i->label[part]] : NULL;
    for (size_t k = 0; l && k < l->count; k++)
        if (scope_near(&j->scope, j->e->pool[l->first + k]) > NEAR_COMPARED)
            return false;
    return l != NULL;
}

/* Two of several rows have no sum or mean, unless they are named. */
static bool sensible_sum(const struct judge *j, const struct operand *a, const struct operand *b) {
    if (!a->item || !b->item || (a->by == KNOWN_SAID && b->by == KNOWN_SAID))
        return true;
    if (!operands_one_column(a, b))
        return are_alike(j, a, b) || operands_beside(a->item, b->item) || derive_are_kin(a, b);
    enum part part = a->item->label[PART_ROW] && b->item->label[PART_ROW] ? PART_ROW : PART_LINE;
    return (names_all(j, a->item, part) && names_all(j, b->item, part)) ||
           derive_column_of(j, a->item).count == 2;
}

/* "a saving of 71, or 22 %" of what is left: the share of a difference is a change, and is of what
 * was before. */
static bool wrong_base(const struct judge *j, const struct claim *c, const struct operand *a,
                       const struct operand *b) {
    for (size_t i = 0; i < j->report->count && a->by == KNOWN_SAID && derive_direction(j); i++) {
        const struct grounding *g = &j->report->list[i];
        if (g->verdict != GROUND_DERIVED || g->operands[1] == 0 || g->claim.start < j->scope.from ||
            g->claim.start >= j->scope.to ||
            fabsl(g->operands[0] - g->operands[1]) != fabsl(a->value))
            continue;
        int base = b->value == g->operands[0] ? 0 : b->value == g->operands[1] ? 1 : -1;
        if (base < 0)
            continue;
        struct operand x = {.value = g->operands[!base], .place = -1, .by = KNOWN_NAMED};
        struct operand y = {.value = g->operands[base], .place = -1, .by = KNOWN_NAMED};
        x.item = g->from[!base];
        y.item = g->from[base];
        x.place = x.item ? derive_mention(j, x.item) : -1;
        y.place = y.item ? derive_mention(j, y.item) : -1;
        return !derive_direction_holds(j, c, CHANGE, &x, &y);
    }
    return false;
}

bool derive_is_sensible(const struct judge *j, const struct claim *c, enum operation op,
                        const struct operand *a, const struct operand *b) {
    if ((!is_about(j, a) && !is_about(j, b) && names_entity(j)) || of_another_year(j, a) ||
        of_another_year(j, b))
        return false;
    switch (op) {
    case RATIO: return c->over != 0 || sensible_ratio(j, c, a, b);
    case SUM:
    case MEAN: return sensible_sum(j, a, b);
    case DIFFERENCE:
        if (a->item && b->item && a->item->table && a->item->table == b->item->table &&
            a->item->label[PART_ROW] == b->item->label[PART_ROW] &&
            derive_told_elsewhere(j, a->item))
            return false; /* "the spread is 7,000 in Sales", and this is of another row */
        return !(a->sum && a->value < 0) && !(b->sum && b->value < 0);
    case SHARE:
        if (a->item && b->item && a->by != KNOWN_SAID && a->item->table &&
            a->item->table == b->item->table &&
            a->item->label[PART_ROW] == b->item->label[PART_ROW] &&
            (a->item->num.places > 0) != (b->item->num.places > 0))
            return false; /* of one row, but of no one kind */
        if (asks_for_total(j, c) ? is_row(j, b) : wrong_base(j, c, a, b))
            return false;
        return operand_is_called(j, b, whole_noun(j, c)) || b->sum ||
               (a->item && b->item && operands_beside(a->item, b->item));
    default: return true;
    }
}

/* The sentence names one of the two rows that there are: the other is what it is compared with. */
bool derive_the_other_one(const struct judge *j, const struct claim *c, const struct operand *a,
                          const struct operand *b) {
    return a->by != b->by && c->num.sig > 1 && operands_one_column(a, b) &&
           (is_about(j, a) || is_about(j, b)) && operands_of_two(j, a->item);
}
