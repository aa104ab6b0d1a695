/* Derivations from two numbers: which of them go together, what the sentence asks for, and whether it is so. */
#include "agent/ground/derive.h"

#include "agent/ground/match.h"
#include "agent/ground/rivals.h"
#include "agent/text/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *words;
    const char *format; /* of the formula: two operands and the result */
} operations[OPERATIONS] = {
    [DIFFERENCE] =
        {"removed removing excluded dropping without high low away differ differs missing surplus "
         "deficit shortfall net saved savings remains "
         "leaves empty difference more "
         "less higher lower gap increase increased decrease decreased "
         "fewer remaining remain left exceeds exceeded margin minus greater smaller apart "
         "rose fell reduces reduced raises raised larger above below lead leads behind ahead range "
         "spread dropped drop "
         "overrun between zwischen entre grew grown gained lost change changed up down faster "
         "slower longer shorter older "
         "younger cheaper heavier lighter mehr weniger höher niedriger differenz "
         "unterschied abstand plus moins écart différence",
         "%.10Lg - %.10Lg = %.10Lg"},
    [CHANGE] =
        {"premium discount markup surcharge overrun increase increased increases decrease "
         "decreased growth "
         "grew change changed rose "
         "fell higher lower more less up down percent dropped drop declined decline reduction "
         "reduced gain gained improvement improved larger smaller greater faster slower rise "
         "fall grown wuchs stieg sank zunahme rückgang mehr weniger hausse baisse plus moins "
         "above below longer shorter heavier cheaper lowers raises cuts uplift lift savings saved",
         "(%.10Lg - base) / base with base %.10Lg = %.10Lg %%"},
    [SHARE] = {"", "%.10Lg / %.10Lg = %.10Lg %%"},
    [RATIO] = {"times ratio fold twice factor per average mean each rate x multiple odds every "
               "durchschnitt durchschnittlich pro je mal moyenne par fois half third quarter",
               "%.10Lg / %.10Lg = %.10Lg"},
    [SUM] = {"sum total totals together combined altogether both plus overall jointly summe "
             "insgesamt zusammen gesamt total ensemble somme add adds across misclassified "
             "misclassifications",
             "%.10Lg + %.10Lg = %.10Lg"},
    [MEAN] = {"average mean averaged midpoint durchschnitt mittel moyenne",
              "(%.10Lg + %.10Lg) / 2 = %.10Lg"},
    [PRODUCT] = {"product multiplied × *", "%.10Lg * %.10Lg = %.10Lg"},
};

static long double apply(enum operation op, long double a, long double b) {
    switch (op) {
    case DIFFERENCE: return a - b;
    case CHANGE: return b != 0 ? 100 * (a - b) / fabsl(b) : NAN;
    case SHARE: return b != 0 ? 100 * a / b : NAN;
    case RATIO: return b != 0 ? a / b : NAN;
    case MEAN: return (a + b) / 2;
    case PRODUCT: return a * b;
    default: return a + b;
    }
}

/* "1.31 longer than": a difference, whatever else the sentence says. */
static bool is_compared(const struct judge *j, const struct claim *c) {
    size_t from = c->start + c->len, n = 0;
    while (from + n < j->scope.to && n < 32 && !strchr(",;(", j->answer[from + n]))
        n++;
    return words_any(j->answer + from, n, "than als que") &&
           !words_any(j->answer + from, n, "times") &&
           (words_any(j->answer + from, n, ground_rising) ||
            words_any(j->answer + from, n, ground_falling));
}

bool derive_asked_for(const struct judge *j, enum operation op, const struct claim *c) {
    static const char *const signs[OPERATIONS] = {
        [DIFFERENCE] = " - ", [RATIO] = " / ", [SUM] = " + ", [PRODUCT] = " * "};
    bool percent = c->unit == CLAIM_PERCENT;
    if (percent != (op == SHARE || op == CHANGE) &&
        !(percent && (op == DIFFERENCE || op == SUM || op == MEAN)))
        return false;
    bool points = percent && memmem(j->answer + c->start, c->len, "point", 5);
    if (points)
        return op == DIFFERENCE;
    if (op == DIFFERENCE && !percent && scope_has(&j->scope, "not nicht pas")) /* "did not vote" */
        return true;
    if (op == SHARE)
        return true;
    if (op == RATIO && c->over != 0)
        return true;
    if ((op == RATIO || op == SUM || op == MEAN) && is_compared(j, c))
        return false;
    const struct scope *s = &j->scope;
    if (op == SUM && memmem(s->text + s->from, s->to - s->from, " in all", strlen(" in all")))
        return true;
    if ((op == DIFFERENCE || op == CHANGE) &&
        (scope_has(s, ground_rising) || scope_has(s, ground_falling)))
        return true;
    return (signs[op] && memmem(s->text + s->from, s->to - s->from, signs[op], 3)) ||
           scope_has(s, operations[op].words);
}

bool derive_fits(const struct claim *c, long double x) {
    return isfinite(x) && (ground_rounds(c, x) || (!c->signed_ && ground_rounds(c, -x)) ||
                           (c->over != 0 && fabsl(x - c->value) < 0.02L));
}

/* A whole number of one or two digits, told as it is. */
bool derive_is_small(const struct claim *c) {
    return c->unit == CLAIM_PLAIN && !c->scale && c->num.places <= 0 && c->num.sig < 3 &&
           c->over == 0 && c->bound != CLAIM_ABOUT;
}

bool derive_is_whole(long double v) {
    return fabsl(v - roundl(v)) <= 1e-6L;
}

bool derive_prove(struct grounding *g, const char *formula, long double x) {
    if (formula != g->formula)
        snprintf(g->formula, sizeof g->formula, "%s", formula);
    g->verdict = GROUND_DERIVED;
    g->item = NULL;
    g->rival = NULL;
    g->exact = x;
    return true;
}

/* A factor of ten is a slip of the point. */
bool derive_is_power(long double v) {
    long double digits = v > 0 ? log10l(v) : 0.5L;
    return fabsl(digits - roundl(digits)) < 1e-12L;
}

/* One of the operands changes nothing that can be seen: the other is the number, not a proof. */
static bool changes_nothing(const struct claim *c, enum operation op, const struct operand *a,
                            const struct operand *b) {
    if (op == SHARE || op == CHANGE)
        return false;
    return derive_fits(c, a->value) || derive_fits(c, -a->value) ||
           (op != RATIO && (derive_fits(c, b->value) || derive_fits(c, -b->value)));
}

/* Of one table: what is compared stands in one row or in one column. */
static bool go_together(const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if (!x || !y || !x->table || x->table != y->table ||
        (a->by == KNOWN_SAID && b->by == KNOWN_SAID))
        return true;
    return x->label[PART_ROW] == y->label[PART_ROW] ||
           x->label[PART_COLUMN] == y->label[PART_COLUMN];
}

/* One table, or one print. */
static bool derive_are_kin(const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if (!x || !y)
        return false;
    if (x->cell != y->cell) /* before and after */
        return x->stale != y->stale && !x->table && !y->table &&
               x->label[PART_LINE] == y->label[PART_LINE] &&
               x->label[PART_ROW] == y->label[PART_ROW];
    if (x->table)
        return x->table == y->table;
    return (x->statement && x->statement == y->statement) || operands_parallel(x, y);
}

static bool is_share(const struct evidence_item *i) {
    return i->percent || (i->num.places > 0 && fabsl(i->value) <= 100);
}

static bool is_unit_share(const struct evidence_item *i) {
    return !i->percent && fabsl(i->value) <= 1;
}

bool derive_in_piece(const struct judge *j, long at) {
    return at >= (long)j->scope.piece_from && at < (long)j->scope.piece_to;
}

/* Does the sentence speak of it elsewhere, and here of another one of its column or its print? */
bool derive_told_elsewhere(const struct judge *j, const struct evidence_item *x) {
    const struct operand self = {.item = x};
    long at = derive_mention(j, x);
    if (derive_in_piece(j, at) || (at < 0 && (x->table || j->scope.numbers < 2)))
        return false;
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        bool apart = at >= 0 && !r->table && !x->table && r->cell == x->cell &&
                     r->num.places == x->num.places;
        if (r->value != x->value && !r->counted &&
            (operands_one_column(&self, &(struct operand){.item = r}) || operands_beside(r, x) ||
             apart) &&
            derive_in_piece(j, derive_mention(j, r)))
            return true;
    }
    return false;
}

/* Shown by itself, not as one of many. */
static bool is_total(const struct operand *o) {
    return o->sum || (o->item && !o->item->bulk && !o->item->counted && !o->item->label[PART_ROW]);
}

/* Two of a column are no part and whole, unless both are named; nor are means and the like. */
static bool part_of_whole(const struct judge *j, const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    unsigned none = STAT_MEAN | STAT_MEDIAN | STAT_STD | STAT_Q1 | STAT_Q3;
    if (x->percent != y->percent || ((rivals_stats(j, x) | rivals_stats(j, y)) & none))
        return false;
    if (derive_told_elsewhere(j, x) || (x->counted && !a->by))
        return false;
    if (a->by && b->by)
        return true;
    bool whole = (rivals_stats(j, y) & STAT_SUM) || is_total(b);
    bool row = x->table && x->table == y->table && x->label[PART_ROW] == y->label[PART_ROW];
    return (x->num.places > 0) == (y->num.places > 0) &&
           (whole || ((row || !y->table) && !operands_one_column(a, b)));
}

/* The two ends of a range: only these differ as statistics and have a difference. */
static bool are_ends(unsigned s, unsigned t) {
    return (s | t) == (STAT_MAX | STAT_MIN) || (s | t) == (STAT_Q1 | STAT_Q3);
}

/* "Mean and median differ by 13.39": the sentence asks for just this. */
static bool names_both(const struct judge *j, unsigned s, unsigned t) {
    unsigned named = 0;
    for (unsigned k = 0; k < j->scope.count; k++)
        if (scope_near(&j->scope, j->scope.words[k]) <= NEAR_SENTENCE)
            named |= word_statistic(j->scope.words[k]);
    return (s & named) && (t & named);
}

/* "The gap of the medians" does not follow from means, nor is a mean made of two of them. */
bool derive_is_meant(const struct judge *j, enum operation op, const struct operand *o) {
    unsigned centre = STAT_MEAN | STAT_MEDIAN | STAT_STD,
             own = o->item ? rivals_stats(j, o->item) : 0;
    if (op == MEAN)
        return !(own & centre);
    return !(j->stats & centre) || !(own & centre) || (own & j->stats) || names_both(j, own, own);
}

/* A mean and a deviation have no difference, nor have a count and a measure, or a share and an
 * amount. */
static bool commensurable(const struct judge *j, const struct claim *c, enum operation op,
                          const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    bool shares = c->unit == CLAIM_PERCENT && op != SHARE && op != CHANGE; /* in points */
    long double u = fabsl(a->value), v = fabsl(b->value);
    if (op == CHANGE && (u > 20 * v || v > 20 * u))
        return false;
    if (!derive_is_meant(j, op, a) || !derive_is_meant(j, op, b))
        return false;
    if (op != RATIO && op != PRODUCT && (!x || !y) && !a->sum && !b->sum && !(a->by && b->by) &&
        !(op == SHARE && a->by == KNOWN_SAID && is_total(b)) && (c->num.sig < 4 || op != SHARE))
        return false; /* a literal, of which nothing is known */
    if (op == SHARE && (a->percent || b->percent))
        return false;
    if ((op == DIFFERENCE || op == SUM) && c->unit == CLAIM_PLAIN && a->percent != b->percent &&
        derive_is_whole(a->percent ? b->value : a->value))
        return false;
    if (!x || !y || op == RATIO || op == PRODUCT)
        return true;
    if (shares && (!is_share(x) || !is_share(y) || is_unit_share(x) != is_unit_share(y)))
        return false;
    if (a->by == KNOWN_SAID && b->by == KNOWN_SAID)
        return op != SHARE ||
               !((rivals_stats(j, y) & (STAT_MIN | STAT_MAX)) && y->table == x->table);
    if (op == SHARE)
        return u <= v && part_of_whole(j, a, b);
    if (operands_one_column(a, b)) /* of many rows two have a sum only if they are named */
        return op != SUM || !x->table ||
               (derive_mention_of(j, x, PART_ROW) >= 0 && derive_mention_of(j, y, PART_ROW) >= 0) ||
               derive_column_of(j, x).count == 2;
    unsigned s = rivals_stats(j, x), t = rivals_stats(j, y);
    bool alike = !s || !t || s == t || are_ends(s, t) || names_both(j, s, t);
    long double whole = x->num.places > 0 ? v : u; /* of the two: 250,000 - 217,375.61 */
    return alike && x->percent == y->percent &&
           ((x->num.places > 0) == (y->num.places > 0) || whole >= 10000);
}

static bool is_fraction(const struct operand *o) {
    return o->item && !o->item->percent && o->item->num.places > 1 && fabsl(o->value) <= 1;
}

/* How much speaks for computing with these two, 3 at most. */
static unsigned rank_of(const struct operand *a, const struct operand *b, bool digits) {
    if (a->by == KNOWN_SAID && b->by == KNOWN_SAID)
        return 3;
    bool kin = derive_are_kin(a, b), one = a->by || b->by;
    bool whole = (a->by == KNOWN_SAID && is_total(b)) || (b->by == KNOWN_SAID && is_total(a));
    if ((a->by && b->by) || (one && kin) || (whole && digits))
        return 2;
    return kin || (one && a->item && b->item && a->item->cell == b->item->cell) ? 1 : 0;
}

/* A small whole number is found by chance too easily: it takes numbers of the sentence, whole ones,
 * or a word for just this. */
static bool is_chance(const struct judge *j, const struct claim *c, enum operation op,
                      const struct operand *a, const struct operand *b) {
    if (!derive_is_small(c))
        return false;
    if (op == RATIO)
        return !scope_piece_has(&j->scope, "times fold twice factor ratio every mal fois x");
    bool said = a->by == KNOWN_SAID && b->by == KNOWN_SAID;
    if (!said && op == DIFFERENCE && !scope_piece_has(&j->scope, "not nicht pas") &&
        !scope_piece_has(&j->scope, operations[op].words) &&
        !scope_piece_has(&j->scope, ground_rising) && !scope_piece_has(&j->scope, ground_falling))
        return true;
    if (!a->by && !b->by && op != SHARE && op != CHANGE)
        return true;
    return (a->by != KNOWN_SAID || b->by != KNOWN_SAID) &&
           !derive_is_whole(apply(op, a->value, b->value));
}

/* "7.6 % of its 5,087 visitors": the whole stands behind it. */
static const struct claim *whole_behind_of(const struct judge *j, const struct claim *c) {
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *x = &j->claims->list[i];
        size_t end = c->start + c->len;
        if (x->class == CLAIM_VALUE && x->unit == CLAIM_PLAIN && x->start > end &&
            x->start < end + 16 && scope_is_partitive(j->answer, end, x->start))
            return x;
    }
    return NULL;
}

/* --- whether anybody would compute with these two to say what the sentence says --- */

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
bool derive_wrong_base(const struct judge *j, const struct claim *c, const struct operand *a,
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

static bool derive_is_sensible(const struct judge *j, const struct claim *c, enum operation op,
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
        if (asks_for_total(j, c) ? is_row(j, b) : derive_wrong_base(j, c, a, b))
            return false;
        return operand_is_called(j, b, whole_noun(j, c)) || b->sum ||
               (a->item && b->item && operands_beside(a->item, b->item));
    default: return true;
    }
}

/* The sentence names one of the two rows that there are: the other is what it is compared with. */
static bool derive_the_other_one(const struct judge *j, const struct claim *c,
                                 const struct operand *a, const struct operand *b) {
    return a->by != b->by && c->num.sig > 1 && operands_one_column(a, b) &&
           (is_about(j, a) || is_about(j, b)) && operands_of_two(j, a->item);
}

/* --- trying --- */

static bool try_pair(struct judge *j, struct grounding *g, enum operation op,
                     const struct operand *x, const struct operand *y, bool *ret_wrong) {
    const struct claim *c = &g->claim;
    bool shift = (op == RATIO || op == PRODUCT) && derive_is_power(y->value);
    long double r = apply(op, x->value, y->value);
    if (op == DIFFERENCE && c->unit == CLAIM_PERCENT && is_fraction(x) && is_fraction(y))
        r *= 100; /* 0.883 - 0.842 in points */
    const struct claim *whole = op == SHARE ? whole_behind_of(j, c) : NULL;
    if (whole && !ground_rounds(whole, y->value))
        return false;
    if (shift || !derive_fits(c, r) || changes_nothing(c, op, x, y) || is_chance(j, c, op, x, y) ||
        !derive_is_sensible(j, c, op, x, y))
        return false;
    char formula[160];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(formula, sizeof formula, operations[op].format, x->value, y->value, r);
#pragma GCC diagnostic pop
    if (derive_direction_holds(j, c, op, x, y)) {
        g->operands[0] = x->value;
        g->operands[1] = y->value;
        g->from[0] = x->item;
        g->from[1] = y->item;
        return derive_prove(g, formula, r);
    }
    *ret_wrong = true;
    snprintf(g->formula, sizeof g->formula, "%s", formula);
    return false;
}

/* Two rows of a column, and the sentence names both: hardly by chance. */
static bool named_rows(const struct judge *j, const struct operand *a, const struct operand *b) {
    return a->item && b->item && a->by == KNOWN_NAMED && b->by == KNOWN_NAMED &&
           scope_has(&j->scope, "than compared versus vs from als gegenüber que times as") &&
           operands_one_column(a, b) && a->item->label[PART_ROW] != b->item->label[PART_ROW] &&
           derive_mention_of(j, a->item, PART_ROW) >= 0 &&
           derive_mention_of(j, b->item, PART_ROW) >= 0;
}

/* "42,650, or 2.6 %", "12 (5 %)": the same, told once more. */
static const struct claim *apposed_to(const struct judge *j, const struct claim *c) {
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *x = &j->claims->list[i];
        size_t end = x->start + x->len;
        if (x->class == CLAIM_VALUE && end < c->start && end + 12 > c->start &&
            x->start >= j->scope.from)
            return j->answer[c->start - 1] == '(' || words_any(j->answer + end, c->start - end,
                                                               "or i.e oder also soit d.h that is")
                       ? x
                       : NULL;
    }
    return NULL;
}

/* The pairs of one rank, what the sentence is about first, until as many results were tried as may
 * fit by chance. */
bool derive_try_rank(struct judge *j, struct grounding *g, const struct operands *o, unsigned rank,
                     const struct trial *t, bool *ret_wrong) {
    size_t tried = 0, end = g->claim.start + g->claim.len;
    const struct claim *apposed = apposed_to(j, &g->claim);
    bool digits =
        g->claim.num.sig > 2 || (g->claim.unit == CLAIM_PERCENT && g->claim.num.sig > 1 &&
                                 (words_any(j->answer + end, 5, "of der des von") || apposed));
    for (size_t b = 1; b < o->count; b++) {
        for (size_t k = 0; k < 2 * b; k++) {
            const struct operand *x = &o->list[k % 2 ? b : k / 2];
            const struct operand *y = &o->list[k % 2 ? k / 2 : b];
            if (rank_of(x, y, digits) != rank || !go_together(x, y))
                continue;
            for (int op = 0; op < OPERATIONS; op++) {
                if (!t->wanted[op] || !commensurable(j, &g->claim, (enum operation)op, x, y))
                    continue;
                bool sure = (op != SHARE && t->asked && named_rows(j, x, y)) ||
                            (op == SHARE && apposed && x->place == (long)apposed->start) ||
                            (op != SHARE && t->asked && derive_the_other_one(j, &g->claim, x, y));
                if ((double)++tried > t->most && !sure)
                    continue;
                if (try_pair(j, g, (enum operation)op, x, y, ret_wrong))
                    return true;
            }
        }
        ground_spend(j, 2 * b);
    }
    return false;
}

/* "120 took part: 63 women and 57 men": what follows the colon makes it up. */
static bool is_announced(const struct judge *j, const struct claim *c) {
    size_t end = c->start + c->len, n = 0;
    while (end + n < j->scope.to && !strchr(":,;(", j->answer[end + n]))
        n++;
    return end + n < j->scope.to && j->answer[end + n] == ':';
}

/* "… in total 12", "12 on average": of all the numbers of the sentence, or of all it names. */
static bool try_all(struct judge *j, struct grounding *g, const struct operands *o, unsigned rank) {
    long double sum = 0;
    size_t count = 0;
    char formula[100];
    for (size_t i = 0; i < o->count; i++)
        if (o->list[i].by == (enum known_by)(rank - 1)) {
            sum += o->list[i].value;
            count++;
        }
    if (rank == 3 && count > 1 && is_announced(j, &g->claim) && sum == g->claim.value) {
        snprintf(formula, sizeof formula, "sum of %zu numbers = %.10Lg", count, sum);
        return derive_prove(g, formula, sum);
    }
    if (count < 3)
        return false;
    if (derive_asked_for(j, SUM, &g->claim) && derive_fits(&g->claim, sum)) {
        snprintf(formula, sizeof formula, "sum of %zu numbers = %.10Lg", count, sum);
        return derive_prove(g, formula, sum);
    }
    sum /= (long double)count;
    snprintf(formula, sizeof formula, "mean of %zu numbers = %.10Lg", count, sum);
    return derive_asked_for(j, MEAN, &g->claim) && derive_fits(&g->claim, sum) &&
           derive_prove(g, formula, sum);
}

/* Does a label of the operand, or what stands behind it, have the unit? */
bool derive_in_unit(const struct judge *j, const struct operand *o, const char *list) {
    size_t at = 0, start;
    uint32_t word;
    while (o->item && words_next(list, strlen(list), &at, &word, &start))
        if (word && !word_statistic(word) && operand_named_by(j, o->item, word, PARTS))
            return true;
    if (o->item && words_any(o->item->after, strlen(o->item->after), list))
        return true;
    size_t from = o->place > 0 ? (size_t)o->place : j->scope.from, to = j->scope.to;
    return o->by == KNOWN_SAID && from < to &&
           words_any(j->answer + from, to - from < 24 ? to - from : 24, list);
}

/* 240 minutes are 4 hours. */
static bool try_units(struct judge *j, struct grounding *g, const struct operand *o) {
    char formula[120];
    for (size_t k = 0; k < conversion_count; k++) {
        long double factor = conversions[k].factor, v = o->value;
        bool sure = g->claim.num.sig > 4; /* no chance */
        bool up = derive_fits(&g->claim, v / factor) &&
                  scope_piece_has(&j->scope, conversions[k].large) &&
                  (sure || derive_in_unit(j, o, conversions[k].small));
        bool down = !up && derive_fits(&g->claim, v * factor) &&
                    (sure ? scope_piece_has(&j->scope, conversions[k].large)
                          : scope_piece_has(&j->scope, conversions[k].small) &&
                                derive_in_unit(j, o, conversions[k].large));
        if (!up && !down)
            continue;
        long double r = up ? v / factor : v * factor;
        snprintf(formula, sizeof formula, "%.10Lg %c %.10Lg = %.10Lg", v, up ? '/' : '*', factor,
                 r);
        return derive_prove(g, formula, r);
    }
    return false;
}

/* 100 % less a share; minutes for seconds. */
static bool try_single(struct judge *j, struct grounding *g, const struct operands *o,
                       unsigned rank) {
    const struct claim *c = &g->claim;
    bool rest =
        scope_has(&j->scope, "remaining rest other others without not remainder übrigen "
                             "restlichen reste autres missed failed abandoned unsold "
                             "unpaid empty lost rejected unused never misses miss missing wrong "
                             "undetected outside incorrectly misclassified");
    for (size_t i = 0; i < o->count; i++) {
        long double v = o->list[i].value, whole = fabsl(v) <= 1 ? 1 : 100, r = whole - v;
        char formula[120];
        if (o->list[i].by != (enum known_by)(rank > 1 ? rank - 1 : 0))
            continue;
        if (c->unit == CLAIM_PERCENT && rest && derive_fits(c, r * 100 / whole)) {
            snprintf(formula, sizeof formula, "%.10Lg - %.10Lg = %.10Lg", whole, v, r);
            return derive_prove(g, formula, r * 100 / whole);
        }
        if (c->unit == CLAIM_PLAIN && !c->scale && try_units(j, g, &o->list[i]))
            return true;
    }
    return false;
}

/* "56 %, 28 % and 16 %": the last of several shares that make a whole. */
bool derive_try_rest(struct judge *j, struct grounding *g) {
    long double rest = 100;
    size_t count = 0;
    for (size_t i = 0; i < j->report->count; i++) {
        const struct grounding *x = &j->report->list[i];
        if (x == g || x->claim.unit != CLAIM_PERCENT || x->claim.start < j->scope.from ||
            x->claim.start >= j->scope.to)
            continue;
        if (ground_flagged(x->verdict))
            return false;
        rest -= x->exact;
        count++;
    }
    if (g->claim.unit != CLAIM_PERCENT || count < 2 || rest <= 0 || !derive_fits(&g->claim, rest))
        return false;
    char formula[100];
    snprintf(formula, sizeof formula, "100 less %zu other shares = %.10Lg", count, rest);
    return derive_prove(g, formula, rest);
}

/* What the words ask for; then, with digits enough, what they do not. */
bool derive_try(struct judge *j, struct grounding *g, const struct operands *o, unsigned rank,
                bool *ret_wrong) {
    static const struct {
        double asked, least, others; /* shares of all numbers of this form; tried in any case */
    } bounds[] = {{0.05, 0, 0.001}, {0.1, 8, 0.001}, {0.1, 16, 0.02}, {0.06, 24, 0.02}};
    struct trial asked = {.asked = true}, others = {.most = 0};
    bool percent = g->claim.unit == CLAIM_PERCENT;
    double space = ground_space(&g->claim);
    asked.most = bounds[rank].asked * space;
    asked.most = asked.most > bounds[rank].least ? asked.most : bounds[rank].least;
    others.most = bounds[rank].others * space;
    for (int op = 0; op < OPERATIONS; op++) {
        asked.wanted[op] = derive_asked_for(j, (enum operation)op, &g->claim);
        others.wanted[op] = !asked.wanted[op] && percent == (op == SHARE || op == CHANGE) &&
                            op != PRODUCT && (rank == 3 || op == DIFFERENCE || op == CHANGE);
    }
    if (derive_try_rank(j, g, o, rank, &asked, ret_wrong))
        return true;
    if ((rank > 1 && try_all(j, g, o, rank)) ||
        ((rank > 1 || g->claim.num.sig > (percent ? 2 : 4)) && try_single(j, g, o, rank)))
        return true;
    return g->claim.num.sig > 2 && derive_try_rank(j, g, o, rank, &others, ret_wrong);
}
