/* Derivations: a difference, ratio, share, change, sum, mean or product of numbers that were shown,
 * computed again here, exactly, and only if the sentence speaks of it. Operands are the other
 * numbers of the sentence, then what the sentence names, then whole columns, then all that was
 * shown; the more there are to choose from, the more digits a result must have. */
#include "agent/ground/rivals.h"
#include "agent/ground/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MAX_OPERANDS 96
#define MAX_NAMED 24
#define MAX_COLUMNS 12
#define MANY_ITEMS 20000 /* with more, only those with the column's label are looked at */

enum operation { DIFFERENCE, CHANGE, SHARE, RATIO, SUM, MEAN, PRODUCT, OPERATIONS };

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
             "insgesamt zusammen gesamt total ensemble somme add adds across",
             "%.10Lg + %.10Lg = %.10Lg"},
    [MEAN] = {"average mean averaged midpoint durchschnitt mittel moyenne",
              "(%.10Lg + %.10Lg) / 2 = %.10Lg"},
    [PRODUCT] = {"product multiplied × *", "%.10Lg * %.10Lg = %.10Lg"},
};

/* How an operand is known: the answer has it, the sentence names it, or it was shown. */
enum known_by { KNOWN_SHOWN, KNOWN_NAMED, KNOWN_SAID };

struct operand {
    long double value;
    long place; /* where the sentence speaks of it; -1 when it does not */
    enum known_by by;
    const struct evidence_item *item; /* or NULL */
    bool sum;                         /* of a column */
};

struct operands {
    struct operand list[MAX_OPERANDS];
    size_t count;
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

static bool derive_asked_for(const struct judge *j, enum operation op, const struct claim *c) {
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

/* --- operands --- */

static bool preceded_by(const char *s, size_t from, size_t at, const char *list) {
    size_t room =
        at < from ? at : at - from; /* a number of the sentence before has its own words */
    size_t n = room < 32 ? room : 32;
    size_t i = at - n;
    for (size_t k = i; k < at; k++) /* not across another number or a comma */
        if (isdigit((unsigned char)s[k]) || s[k] == ',' || s[k] == '(')
            i = k + 1;
    return words_any(s + i, at - i, list);
}

/* "from A to B": the last such word before a place says which of them it is. */
static bool is_base(const struct judge *j, size_t at) {
    static const char base[] = "from than versus vs compared against over relative von als "
                               "gegenüber de que unlike behind base above below instead statt "
                               "anstatt lieu rather";
    size_t n = 0;
    bool before = preceded_by(j->answer, j->scope.from, at, base);
    while (before && n < at && n < 28 && !words_any(j->answer + at - n, n, base))
        n++;
    return before && !words_any(j->answer + at - n, n, "to auf à");
}

static void add_operand(struct operands *o, struct operand x) {
    for (size_t i = 0; i < o->count; i++)
        if (o->list[i].value == x.value) {
            if (o->list[i].place < 0)
                o->list[i] = x;
            return;
        }
    if (o->count < MAX_OPERANDS)
        o->list[o->count++] = x;
}

/* The other numbers of the sentence and of the one before it. */
static void operands_said(struct judge *j, const struct grounding *self, struct operands *o) {
    size_t from = j->scope.from, before, end;
    before = from;
    while (before > 2 && from - before < 8)
        sentence_at(j->answer, before - 2, &before, &end);
    for (size_t i = 0; i < j->report->count && o->count < 16; i++) {
        const struct grounding *g = &j->report->list[i];
        if (g == self || ground_flagged(g->verdict) || g->claim.start < before ||
            g->claim.start >= j->scope.to)
            continue;
        long double v = g->verdict == GROUND_GROUNDED || g->verdict == GROUND_DERIVED
                            ? g->exact
                            : g->claim.value;
        struct operand x = {.value = v, .place = (long)g->claim.start, .by = KNOWN_SAID};
        x.item = g->verdict == GROUND_GROUNDED ? g->item : NULL;
        add_operand(o, x);
        for (int k = 0; k < 2 && g->verdict == GROUND_DERIVED && g->operands[1] != 0; k++)
            add_operand(o,
                        (struct operand){.value = g->operands[k], .place = -1, .by = KNOWN_SAID});
    }
}

/* Has a label of the item the word? With `parts` PART_CODE those of the code do not count. */
static bool label_names(const struct judge *j, const struct evidence_item *i, uint32_t word,
                        int parts) {
    for (int part = 0; part < parts; part++) {
        const struct label *l = i->label[part] ? &j->e->labels[i->label[part]] : NULL;
        for (size_t k = 0; l && k < l->count; k++)
            if (j->e->pool[l->first + k] == word)
                return true;
    }
    return false;
}

static long mention_of(const struct judge *j, const struct evidence_item *i, enum part part) {
    size_t at = 0, start;
    uint32_t hash;
    const struct scope *s = &j->scope;
    const struct label *l = i->label[part] ? &j->e->labels[i->label[part]] : NULL;
    while (l && words_next(s->text + s->from, s->to - s->from, &at, &hash, &start)) {
        if (at - start < 3 && islower((unsigned char)s->text[s->from + start]))
            continue; /* "kg" speaks of nothing, "S1" does */
        for (size_t k = 0; hash && k < l->count; k++)
            if (j->e->pool[l->first + k] == hash && !word_statistic(hash))
                return (long)(s->from + start);
    }
    return -1;
}

/* Where the sentence speaks of the item, by its row if it has one. */
static long mention(const struct judge *j, const struct evidence_item *i) {
    long at = mention_of(j, i, PART_ROW);
    if (at < 0)
        at = mention_of(j, i, PART_LINE);
    if (at < 0 && !(i->label[PART_ROW] | i->label[PART_LINE]))
        at = mention_of(j, i, PART_CODE);
    return at;
}

/* Written by one print, beside each other: "yes 12 no 9". */
static bool beside(const struct evidence_item *a, const struct evidence_item *b) {
    return !a->table && !b->table && a->cell == b->cell && a->statement &&
           a->statement == b->statement && a->label[PART_ROW] == b->label[PART_ROW] &&
           a->label[PART_LINE] != b->label[PART_LINE];
}

/* Is it of a column of which the sentence names other rows? */
static bool others_are_named(const struct judge *j, const struct evidence_item *x,
                             const struct operands *named) {
    for (size_t i = 0; i < named->count && !x->table && x->label[PART_ROW] && x->statement; i++) {
        const struct evidence_item *o = named->list[i].item;
        if (o && !o->table && o->cell == x->cell && o->statement == x->statement &&
            o->label[PART_LINE] == x->label[PART_LINE] &&
            o->label[PART_ROW] != x->label[PART_ROW] && mention_of(j, o, PART_ROW) >= 0 &&
            !is_base(j, (size_t)mention_of(j, o, PART_ROW)))
            return mention_of(j, x, PART_ROW) < 0;
    }
    for (size_t i = 0; i < named->count && x->table && x->label[PART_ROW]; i++) {
        const struct evidence_item *o = named->list[i].item;
        bool column = o && o->table && o->label[PART_COLUMN] == x->label[PART_COLUMN];
        if (column && (o->table == x->table || x->label[PART_COLUMN]) &&
            mention_of(j, o, PART_ROW) >= 0)
            return mention_of(j, x, PART_ROW) < 0;
    }
    return false;
}

/* What the sentence names: by its row, if it names rows of this column. */
static void operands_named(struct judge *j, struct operands *o) {
    struct operands all = {.count = 0};
    for (size_t k = 0; k < j->rival_count && all.count < MAX_NAMED; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (j->rival_score[k] < 7 || evidence_asserted(j->e, r))
            continue;
        long at = mention(j, r);
        add_operand(&all, (struct operand){r->value, at, KNOWN_NAMED, r, false});
    }
    for (size_t k = 0; k < all.count; k++)
        if (!others_are_named(j, all.list[k].item, &all))
            add_operand(o, all.list[k]);
}

static void add_shown(struct judge *j, const struct evidence_item *x, const struct operands *named,
                      struct operands *o) {
    if (others_are_named(j, x, named))
        return;
    if (x->stream == EVIDENCE_STDERR || (x->bulk && x->stream >= EVIDENCE_DATAFRAME) ||
        evidence_asserted(j->e, x))
        return;
    add_operand(o, (struct operand){x->value, -1, KNOWN_SHOWN, x, false});
}

/* Everything that was shown, if that is little: what the sentence may speak of first. */
static void operands_shown(struct judge *j, const struct operands *named, struct operands *o) {
    if (!ground_spend(j, j->e->count))
        return;
    for (size_t k = 0; k < j->rival_count && k < MAX_OPERANDS / 2; k++)
        add_shown(j, j->rivals[k], named, o);
    for (size_t i = 0; i < j->e->count && o->count < MAX_OPERANDS; i++)
        add_shown(j, evidence_at(j->e, i), named, o);
    for (size_t i = 0; i < j->e->literals.count && o->count < MAX_OPERANDS; i++)
        if (!j->e->literals.list[i].text && j->e->literals.list[i].num.sig > 1)
            add_operand(o,
                        (struct operand){.value = j->e->literals.list[i].num.value, .place = -1});
}

/* --- results --- */

static bool derive_fits(const struct claim *c, long double x) {
    return isfinite(x) && (ground_rounds(c, x) || (!c->signed_ && ground_rounds(c, -x)) ||
                           (c->over != 0 && fabsl(x - c->value) < 0.02L));
}

/* A whole number of one or two digits, told as it is. */
static bool is_small(const struct claim *c) {
    return c->unit == CLAIM_PLAIN && !c->scale && c->num.places <= 0 && c->num.sig < 3 &&
           c->over == 0 && c->bound != CLAIM_ABOUT;
}

static bool is_whole(long double v) {
    return fabsl(v - roundl(v)) <= 1e-6L;
}

static bool prove(struct grounding *g, const char *formula, long double x) {
    if (formula != g->formula)
        snprintf(g->formula, sizeof g->formula, "%s", formula);
    g->verdict = GROUND_DERIVED;
    g->item = NULL;
    g->rival = NULL;
    g->exact = x;
    return true;
}

/* Where the sentence has a word that names this one and not the other; -1: nowhere. */
static long mention_apart(const struct judge *j, const struct evidence_item *x,
                          const struct evidence_item *y) {
    size_t at = 0, start;
    uint32_t hash;
    const struct scope *s = &j->scope;
    while (words_next(s->text + s->from, s->to - s->from, &at, &hash, &start))
        if (hash && !word_statistic(hash) && label_names(j, x, hash, PART_CODE) &&
            !label_names(j, y, hash, PART_CODE))
            return (long)(s->from + start);
    return -1;
}

/* Where the sentence speaks of this one of two: by the column, if they stand in one row. */
static long place_of(const struct judge *j, const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if (a->by != KNOWN_NAMED || !x || !y)
        return a->place;
    if (x->table && x->table == y->table && x->label[PART_ROW] == y->label[PART_ROW])
        return mention_of(j, x, PART_COLUMN);
    if (x->cell != y->cell)
        return a->place;
    long apart = mention_apart(j, x, y);
    return apart < 0 && mention_apart(j, y, x) < 0 ? a->place : apart;
}

static bool is_older(const struct operand *a, const struct operand *b) {
    return a->item && b->item && a->item->cell < b->item->cell;
}

/* The year that a number is labelled with, or 0. */
static int year_of(const struct judge *j, const struct operand *o) {
    char text[8];
    for (int year = 1950; o->item && year < 2050; year++) {
        snprintf(text, sizeof text, "%d", year);
        uint32_t word = word_hash(text);
        for (int part = 0; part < PART_CODE; part++) {
            const struct label *l =
                o->item->label[part] ? &j->e->labels[o->item->label[part]] : NULL;
            for (size_t k = 0; l && k < l->count; k++)
                if (j->e->pool[l->first + k] == word)
                    return year;
        }
    }
    return 0;
}

/* -1 for what a label calls the earlier one, 1 for the later one, 0 if it does not say. */
static int age_of(const struct judge *j, const struct operand *o) {
    static const char *const ages[][8] = {
        {"before", "first", "start", "initial", "old", "previou", "begin", "vorher"},
        {"after", "last", "end", "final", "new", "current", "now", "nachher"}};
    bool told[2] = {false, false};
    for (int age = 0; age < 2 && o->item; age++)
        for (int k = 0; k < 8; k++)
            told[age] = told[age] || label_names(j, o->item, word_hash(ages[age][k]), PARTS);
    return told[0] == told[1] ? 0 : told[0] ? -1 : 1;
}

/* "between A and B it rose": the first of them is where it began. */
static bool is_between(const struct judge *j, long at, long before) {
    size_t first = (size_t)(at < before ? at : before);
    return at >= 0 && before >= 0 && at != before &&
           preceded_by(j->answer, j->scope.from, first, "between zwischen entre");
}

/* What one print wrote at the same place of two lines. */
static bool in_same_place(const struct evidence_item *x, const struct evidence_item *y) {
    return x->cell == y->cell && x->statement && x->statement == y->statement &&
           (x->label[PART_LINE] == y->label[PART_LINE] || (x->nth && x->nth == y->nth));
}

/* What a print shows is often in a frame as well: columns of one name are one. So are the lines that
 * one print writes. */
static bool in_one_column(const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if (x && y && !x->table && !y->table)
        return in_same_place(x, y);
    if (!x || !y || !x->table || !y->table || x->label[PART_COLUMN] != y->label[PART_COLUMN])
        return false;
    return x->table == y->table || x->label[PART_COLUMN];
}

/* "40 more than B": B is taken from what is compared with it, and what is left has that sign. */
static bool direction_holds(const struct judge *j, const struct claim *c, enum operation op,
                            const struct operand *a, const struct operand *b) {
    int up = derive_direction(j);
    long at = place_of(j, a, b), before = place_of(j, b, a);
    bool right = (a->value > b->value) == (up > 0);
    if ((op != DIFFERENCE && op != CHANGE) || !up || c->signed_)
        return true;
    if (at == before && at >= 0 && (is_older(a, b) || is_older(b, a))) /* before and after */
        return is_older(b, a) && right;
    bool base_a = at >= 0 && is_base(j, (size_t)at);
    bool base_b = before >= 0 && is_base(j, (size_t)before);
    if (base_a != base_b)
        return base_b && right;
    int year = year_of(j, a), other = year_of(j, b);
    if (year && other && year != other)
        return year > other && right;
    if ((year != 0) != (other != 0) && a->item->label[PART_ROW] == b->item->label[PART_ROW] &&
        scope_has(&j->scope, "today now since seit heute depuis"))
        return other && right; /* "since 2013": the other is of today */
    int age = age_of(j, a), older = age_of(j, b);
    if (age && older && age != older)
        return age > older && right;
    if (is_between(j, at, before))
        return before < at && right;
    bool verb =
        scope_has(&j->scope, "rose fell increased decreased grew dropped declined rise fall "
                             "increase decrease change stieg sank");
    if (!verb && (at < 0) != (before < 0) && a->item && b->item && in_one_column(a, b))
        return at >= 0 && right; /* "B's rate is 1.3 points higher" */
    if (verb || at < 0 || before < 0)
        return right; /* both orders are tried */
    return at < before && right;
}

/* A factor of ten is a slip of the point. */
static bool derive_is_power(long double v) {
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
static bool are_kin(const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if (!x || !y || x->cell != y->cell)
        return false;
    return x->table ? x->table == y->table : x->statement && x->statement == y->statement;
}

static bool is_share(const struct evidence_item *i) {
    return i->percent || (i->num.places > 0 && fabsl(i->value) <= 100);
}

static bool is_unit_share(const struct evidence_item *i) {
    return !i->percent && fabsl(i->value) <= 1;
}

static bool in_piece(const struct judge *j, long at) {
    return at >= (long)j->scope.piece_from && at < (long)j->scope.piece_to;
}

/* Does the sentence speak of it elsewhere, and here of another one of its column or its print? */
static bool told_elsewhere(const struct judge *j, const struct evidence_item *x) {
    const struct operand self = {.item = x};
    long at = mention(j, x);
    if (in_piece(j, at) || (at < 0 && (x->table || j->scope.numbers < 2)))
        return false;
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (r->value != x->value && !r->counted &&
            (in_one_column(&self, &(struct operand){.item = r}) || beside(r, x)) &&
            in_piece(j, mention(j, r)))
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
    if (told_elsewhere(j, x) || (x->counted && !a->by))
        return false;
    if (a->by && b->by)
        return true;
    bool whole = (rivals_stats(j, y) & STAT_SUM) || is_total(b);
    bool row = x->table && x->table == y->table && x->label[PART_ROW] == y->label[PART_ROW];
    return (x->num.places > 0) == (y->num.places > 0) &&
           (whole || ((row || !y->table) && !in_one_column(a, b)));
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
static bool is_meant(const struct judge *j, enum operation op, const struct operand *o) {
    unsigned centre = STAT_MEAN | STAT_MEDIAN | STAT_STD,
             own = o->item ? rivals_stats(j, o->item) : 0;
    if (op == MEAN)
        return !(own & centre);
    return !(j->stats & centre) || !(own & centre) || (own & j->stats) || names_both(j, own, own);
}

/* --- columns --- */

struct derive_column {
    const struct evidence_item *like; /* one of it */
    uint32_t table, label;
    long double sum, high, low;
    size_t count, rows; /* of its numbers; of the table, 0 if that is not known */
};

static struct derive_column column_of(const struct judge *j, const struct evidence_item *like) {
    struct derive_column c = {
        .like = like, .table = like->table, .label = like->label[PART_COLUMN]};
    if (!c.table)
        c.label = like->label[PART_LINE];
    size_t n = j->e->count;
    const uint32_t *list = n > MANY_ITEMS ? evidence_items(j->e, c.label, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct evidence_item *x = &j->e->items[list ? list[i] : i];
        bool placed = !c.table && !x->table && in_same_place(x, like);
        if (x->table != c.table || (!c.table && x->cell != like->cell))
            continue;
        if (x->counted && !x->label[PART_ROW] && !c.rows)
            c.rows = (size_t)x->value;
        if (x->counted || (x->label[c.table ? PART_COLUMN : PART_LINE] != c.label && !placed) ||
            (rivals_stats(j, x) & STAT_SUM && x->label[PART_ROW] &&
             j->e->labels[x->label[PART_ROW]].stats))
            continue;
        c.high = !c.count || x->value > c.high ? x->value : c.high;
        c.low = !c.count || x->value < c.low ? x->value : c.low;
        c.sum += x->value;
        c.count++;
    }
    return c;
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
    if (!is_meant(j, op, a) || !is_meant(j, op, b))
        return false;
    if (op != RATIO && op != PRODUCT && (!x || !y) && !a->sum && !b->sum && !(a->by && b->by) &&
        (c->num.sig < 4 || op != SHARE))
        return false; /* a literal, of which nothing is known */
    if (!x || !y || op == RATIO || op == PRODUCT || (a->by == KNOWN_SAID && b->by == KNOWN_SAID))
        return true;
    if (shares && (!is_share(x) || !is_share(y) || is_unit_share(x) != is_unit_share(y)))
        return false;
    if (op == SHARE)
        return u <= v && part_of_whole(j, a, b);
    if (in_one_column(a, b)) /* of many rows two have a sum only if they are named */
        return op != SUM || !x->table ||
               (mention_of(j, x, PART_ROW) >= 0 && mention_of(j, y, PART_ROW) >= 0) ||
               column_of(j, x).count == 2;
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
    bool kin = are_kin(a, b), one = a->by || b->by;
    bool whole = (a->by == KNOWN_SAID && is_total(b)) || (b->by == KNOWN_SAID && is_total(a));
    if ((a->by && b->by) || (one && kin) || (whole && digits))
        return 2;
    return kin || (one && a->item && b->item && a->item->cell == b->item->cell) ? 1 : 0;
}

/* A small whole number is found by chance too easily: it takes numbers of the sentence, whole ones,
 * or a word for just this. */
static bool is_chance(const struct judge *j, const struct claim *c, enum operation op,
                      const struct operand *a, const struct operand *b) {
    if (!is_small(c))
        return false;
    if (op == RATIO)
        return !scope_piece_has(&j->scope, "times fold twice factor ratio every mal fois x");
    return (a->by != KNOWN_SAID || b->by != KNOWN_SAID) && !is_whole(apply(op, a->value, b->value));
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
    if (shift || !derive_fits(c, r) || changes_nothing(c, op, x, y) || is_chance(j, c, op, x, y))
        return false;
    char formula[160];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(formula, sizeof formula, operations[op].format, x->value, y->value, r);
#pragma GCC diagnostic pop
    if (direction_holds(j, c, op, x, y)) {
        g->operands[0] = x->value;
        g->operands[1] = y->value;
        return prove(g, formula, r);
    }
    *ret_wrong = true;
    snprintf(g->formula, sizeof g->formula, "%s", formula);
    return false;
}

/* Two rows of a column, and the sentence names both: hardly by chance. */
static bool named_rows(const struct judge *j, const struct operand *a, const struct operand *b) {
    return a->item && b->item && a->by == KNOWN_NAMED && b->by == KNOWN_NAMED &&
           scope_has(&j->scope, "than compared versus vs from als gegenüber que times as") &&
           in_one_column(a, b) && a->item->label[PART_ROW] != b->item->label[PART_ROW] &&
           mention_of(j, a->item, PART_ROW) >= 0 && mention_of(j, b->item, PART_ROW) >= 0;
}

struct trial {
    bool wanted[OPERATIONS], asked;
    double most; /* results that are tried */
};

/* The pairs of one rank, what the sentence is about first, until as many results were tried as may
 * fit by chance. */
static bool try_rank(struct judge *j, struct grounding *g, const struct operands *o, unsigned rank,
                     const struct trial *t, bool *ret_wrong) {
    size_t tried = 0, end = g->claim.start + g->claim.len;
    bool digits = g->claim.num.sig > 2 || (g->claim.unit == CLAIM_PERCENT && g->claim.num.sig > 1 &&
                                           words_any(j->answer + end, 5, "of der des von"));
    for (size_t b = 1; b < o->count; b++) {
        for (size_t k = 0; k < 2 * b; k++) {
            const struct operand *x = &o->list[k % 2 ? b : k / 2];
            const struct operand *y = &o->list[k % 2 ? k / 2 : b];
            if (rank_of(x, y, digits) != rank || !go_together(x, y))
                continue;
            for (int op = 0; op < OPERATIONS; op++) {
                if (!t->wanted[op] || !commensurable(j, &g->claim, (enum operation)op, x, y))
                    continue;
                bool sure = op != SHARE && t->asked && named_rows(j, x, y);
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
    if (count < 3)
        return false;
    if (derive_asked_for(j, SUM, &g->claim) && derive_fits(&g->claim, sum)) {
        snprintf(formula, sizeof formula, "sum of %zu numbers = %.10Lg", count, sum);
        return prove(g, formula, sum);
    }
    sum /= (long double)count;
    snprintf(formula, sizeof formula, "mean of %zu numbers = %.10Lg", count, sum);
    return derive_asked_for(j, MEAN, &g->claim) && derive_fits(&g->claim, sum) &&
           prove(g, formula, sum);
}

/* Does a label of the operand, what was printed behind it, or the sentence have the unit? */
static bool is_in_unit(const struct judge *j, const struct operand *o, const char *list) {
    size_t at = 0, start;
    uint32_t word;
    while (o->item && words_next(list, strlen(list), &at, &word, &start))
        if (word && !word_statistic(word) && label_names(j, o->item, word, PARTS))
            return true;
    return (o->item && words_any(o->item->after, strlen(o->item->after), list)) ||
           words_any(j->answer + j->scope.from, j->scope.to - j->scope.from, list);
}

/* 240 minutes are 4 hours. */
static bool try_units(struct judge *j, struct grounding *g, const struct operand *o) {
    char formula[120];
    for (size_t k = 0; k < conversion_count; k++) {
        long double factor = conversions[k].factor, v = o->value;
        bool sure = g->claim.num.sig > 4; /* no chance */
        bool up = derive_fits(&g->claim, v / factor) &&
                  scope_piece_has(&j->scope, conversions[k].large) &&
                  (sure || is_in_unit(j, o, conversions[k].small));
        bool down = !up && derive_fits(&g->claim, v * factor) &&
                    (sure ? scope_piece_has(&j->scope, conversions[k].large)
                          : scope_piece_has(&j->scope, conversions[k].small) &&
                                is_in_unit(j, o, conversions[k].large));
        if (!up && !down)
            continue;
        long double r = up ? v / factor : v * factor;
        snprintf(formula, sizeof formula, "%.10Lg %c %.10Lg = %.10Lg", v, up ? '/' : '*', factor,
                 r);
        return prove(g, formula, r);
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
            return prove(g, formula, r * 100 / whole);
        }
        if (c->unit == CLAIM_PLAIN && !c->scale && try_units(j, g, &o->list[i]))
            return true;
    }
    return false;
}

/* "56 %, 28 % and 16 %": the last of several shares that make a whole. */
static bool try_rest(struct judge *j, struct grounding *g) {
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
    return prove(g, formula, rest);
}

/* What the words ask for; then, with digits enough, what they do not. */
static bool try_operands(struct judge *j, struct grounding *g, const struct operands *o,
                         unsigned rank, bool *ret_wrong) {
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
    if (try_rank(j, g, o, rank, &asked, ret_wrong))
        return true;
    if ((rank > 1 && try_all(j, g, o, rank)) ||
        ((rank > 1 || g->claim.num.sig > (percent ? 2 : 4)) && try_single(j, g, o, rank)))
        return true;
    return g->claim.num.sig > 2 && try_rank(j, g, o, rank, &others, ret_wrong);
}

/* --- whole columns --- */

static bool names_a_row(const struct judge *j, const struct derive_column *c) {
    for (size_t k = 0; k < j->rival_count; k++)
        if (j->rivals[k]->table == c->table && c->table &&
            j->rivals[k]->label[PART_COLUMN] == c->label &&
            mention_of(j, j->rivals[k], PART_ROW) >= 0)
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
static bool other_column_named(const struct judge *j, const struct derive_column *c) {
    if (!c->table || mention_of(j, c->like, PART_COLUMN) >= 0)
        return false;
    for (size_t k = 0; k < j->rival_count; k++)
        if (j->rivals[k]->table == c->table && !j->rivals[k]->counted &&
            in_piece(j, mention_of(j, j->rivals[k], PART_COLUMN)))
            return true;
    return false;
}

static bool try_column(struct judge *j, struct grounding *g, const struct derive_column *c) {
    char formula[120];
    long double mean = c->sum / (long double)c->count;
    enum part part = c->table ? PART_COLUMN : PART_LINE;
    uint32_t noun = scope_noun(&j->scope, &g->claim);
    bool named = (g->claim.num.sig > 2 && mention_of(j, c->like, part) >= 0) ||
                 (noun && g->claim.num.sig > 1 && c->label && column_has(j, c->label, noun));
    if (other_column_named(j, c))
        return false;
    if ((named || derive_asked_for(j, SUM, &g->claim)) && derive_fits(&g->claim, c->sum)) {
        snprintf(formula, sizeof formula, "sum of %zu numbers of a column = %.10Lg", c->count,
                 c->sum);
        return prove(g, formula, c->sum);
    }
    bool whole = !is_small(&g->claim) || is_whole(c->high - c->low);
    if (derive_asked_for(j, MEAN, &g->claim) && derive_fits(&g->claim, mean)) {
        snprintf(formula, sizeof formula, "mean of %zu numbers of a column = %.10Lg", c->count,
                 mean);
        return prove(g, formula, mean);
    }
    if (whole && derive_asked_for(j, DIFFERENCE, &g->claim) &&
        derive_fits(&g->claim, c->high - c->low) && !names_a_row(j, c)) {
        snprintf(formula, sizeof formula, "%.10Lg - %.10Lg = %.10Lg", c->high, c->low,
                 c->high - c->low);
        return prove(g, formula, c->high - c->low);
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
    return prove(g, formula, share);
}

/* Shares in the sum of a column, of what the sentence names or speaks of. */
static bool try_shares(struct judge *j, struct grounding *g, const struct derive_column *c) {
    char formula[120];
    if (g->claim.unit != CLAIM_PERCENT || other_column_named(j, c))
        return false;
    if (try_extreme_share(j, g, c))
        return true;
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        long double share = c->sum != 0 ? 100 * r->value / c->sum : NAN;
        if (r->table != c->table || r->label[c->table ? PART_COLUMN : PART_LINE] != c->label ||
            (r->label[PART_ROW] ? mention_of(j, r, PART_ROW) : mention(j, r)) < 0 ||
            !derive_fits(&g->claim, share) || told_elsewhere(j, r))
            continue;
        bool counts = c->label && (j->e->labels[c->label].stats & STAT_COUNT);
        if (c->table && c->label && g->claim.num.sig < 3 && !counts &&
            mention_of(j, r, PART_COLUMN) < 0)
            continue;
        snprintf(formula, sizeof formula, "%.10Lg / %.10Lg (sum of a column) = %.10Lg %%", r->value,
                 c->sum, share);
        return prove(g, formula, share);
    }
    return false;
}

/* The rows of a column that the sentence names, together: "North and West make 54 % of it". */
static bool try_named_rows(struct judge *j, struct grounding *g, const struct derive_column *c) {
    long double sum = 0;
    size_t count = 0;
    char formula[140];
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (r->counted || r->table != c->table || !c->table || r->label[PART_COLUMN] != c->label ||
            mention_of(j, r, PART_ROW) < 0)
            continue;
        sum += r->value;
        count++;
    }
    long double share = c->sum != 0 ? 100 * sum / c->sum : NAN;
    if (count < 2 || count == c->count ||
        (g->claim.num.sig < 2 && !derive_asked_for(j, SUM, &g->claim)))
        return false;
    if (derive_fits(&g->claim, sum) &&
        (g->claim.unit != CLAIM_PERCENT || derive_asked_for(j, SUM, &g->claim))) {
        snprintf(formula, sizeof formula, "sum of %zu rows of a column = %.10Lg", count, sum);
        return prove(g, formula, sum);
    }
    snprintf(formula, sizeof formula, "%zu rows / %.10Lg (sum of a column) = %.10Lg %%", count,
             c->sum, share);
    return g->claim.unit == CLAIM_PERCENT && derive_fits(&g->claim, share) &&
           prove(g, formula, share);
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
    return prove(g, formula, (long double)n);
}

struct columns {
    struct derive_column list[MAX_COLUMNS];
    size_t count;
};

/* The column that a number stands in, unless it was looked at. */
static bool try_column_of(struct judge *j, struct grounding *g, const struct evidence_item *r,
                          struct columns *seen) {
    uint32_t label = r->label[r->table ? PART_COLUMN : PART_LINE];
    bool known = (!r->table && !label) || r->counted || seen->count == MAX_COLUMNS;
    for (size_t i = 0; i < seen->count; i++)
        known = known || (seen->list[i].table == r->table && seen->list[i].label == label);
    if (known || !is_meant(j, DIFFERENCE, &(struct operand){.item = r}) ||
        !ground_spend(j, j->e->count))
        return false;
    struct derive_column c = seen->list[seen->count++] = column_of(j, r);
    bool whole = r->stream != EVIDENCE_DATAFRAME || c.rows == c.count;
    return c.count > 1 && whole &&
           (try_column(j, g, &c) || try_shares(j, g, &c) || try_named_rows(j, g, &c) ||
            try_rows(j, g, &c));
}

/* First those that the sentence names, then, with digits enough, any that was shown. */
static bool try_columns(struct judge *j, struct grounding *g, struct columns *seen) {
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

/* Sums of columns, and what they may be shared out among: months, what the sentence has. */
static bool try_sums(struct judge *j, struct grounding *g, const struct columns *seen,
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
                     mention_of(j, seen->list[i].like, PART_COLUMN) >= 0;
        if (seen->list[i].count > 1)
            add_operand(&o, (struct operand){.value = seen->list[i].sum,
                                             .place = -1,
                                             .by = named ? KNOWN_NAMED : KNOWN_SHOWN,
                                             .sum = true});
    }
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (scope_has(&j->scope, spans[i].words))
            add_operand(&o,
                        (struct operand){.value = spans[i].count, .place = -1, .by = KNOWN_NAMED});
    for (size_t i = 0; i < said->count; i++)
        add_operand(&o, said->list[i]);
    return g->claim.num.sig > 1 && try_operands(j, g, &o, 2, &wrong);
}

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
            return prove(g, formula, n * v);
        }
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
            (struct operand){a->claim.value, (long)a->claim.start, KNOWN_SAID, NULL, false};
        o->list[1] =
            (struct operand){b->claim.value, (long)b->claim.start, KNOWN_SAID, NULL, false};
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

static bool derive_as_told(struct judge *j, struct grounding *g, bool strict) {
    bool wrong = false;
    struct columns columns = {.count = 0};
    struct operands o = {.count = 0}, named = {.count = 0};
    if (g->claim.bound > CLAIM_ABOUT || g->claim.num.digits || !ground_spend(j, 1))
        return false;
    if (has_one_percent(j) && stated_share(j, g, &o))
        return try_operands(j, g, &o, 3, &wrong);
    operands_said(j, g, &o);
    if (try_operands(j, g, &o, 3, &wrong) || (!wrong && try_rest(j, g)))
        return true;
    operands_named(j, &named);
    for (size_t i = 0; i < named.count; i++)
        add_operand(&o, named.list[i]);
    struct operands near = o;
    operands_shown(j, &named, &o);
    if (try_operands(j, g, &o, 2, &wrong) || (!wrong && !strict && try_columns(j, g, &columns)))
        return true;
    if (!wrong && (try_sums(j, g, &columns, &near) || try_times(j, g)))
        return true;
    for (unsigned rank = 2; rank-- > 0 && !wrong && !strict;)
        if (try_operands(j, g, &o, rank, &wrong))
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
            add_operand(&o, all.list[i]);
    return try_rank(j, g, &o, 3, &t, &wrong);
}

bool derive_said(struct judge *j, struct grounding *g) {
    struct operands o = {.count = 0};
    struct trial t = {.asked = true, .most = MAX_OPERANDS};
    bool wrong = false;
    if (g->claim.bound > CLAIM_ABOUT || !ground_spend(j, 1))
        return false;
    for (int op = 0; op < OPERATIONS; op++)
        t.wanted[op] = derive_asked_for(j, (enum operation)op, &g->claim);
    operands_said(j, g, &o);
    return try_rank(j, g, &o, 3, &t, &wrong);
}

bool derive_claim(struct judge *j, struct grounding *g, bool strict) {
    if (derive_as_told(j, g, strict))
        return true;
    struct claim whole = g->claim;
    enum ground_verdict verdict = g->verdict;
    if (whole.scale <= 0 || whole.unit != CLAIM_PLAIN || !ground_tells_scale(j->e, whole.scale))
        return false;
    g->claim.value /= num_pow10(whole.scale); /* what was shown is in millions */
    g->claim.num.places += whole.scale;
    bool derived = derive_as_told(j, g, strict);
    g->claim = whole;
    g->exact *= derived ? num_pow10(whole.scale) : 1;
    g->verdict = derived ? g->verdict : verdict;
    return derived;
}

/* --- "fell from 80 to 120" --- */

static bool follows(const char *s, const struct claim *a, const struct claim *b, const char *word) {
    size_t from = a->start + a->len;
    return b->start > from && b->start - from < 60 && words_any(s + from, b->start - from, word) &&
           !memmem(s + from, b->start - from, ", ", 2);
}

void derive_directions(struct judge *j) {
    for (size_t i = 0; i + 1 < j->report->count; i++) {
        struct grounding *a = &j->report->list[i], *b = a + 1;
        size_t from, to, before;
        sentence_at(j->answer, a->claim.start, &from, &to);
        before = a->claim.start > from + 60 ? a->claim.start - 60 : from;
        size_t n = a->claim.start - before;
        bool path = b->claim.start < to &&
                    preceded_by(j->answer, from, a->claim.start, "from von de") &&
                    follows(j->answer, &a->claim, &b->claim, "to auf à");
        bool up = words_any(j->answer + before, n, ground_rising);
        bool down = words_any(j->answer + before, n, ground_falling);
        if (!path || up == down || ground_flagged(b->verdict))
            continue;
        if (a->claim.value != b->claim.value && (b->claim.value > a->claim.value) != up) {
            b->verdict = GROUND_CONTRADICTED;
            snprintf(b->formula, sizeof b->formula, "%.10Lg is %s than %.10Lg", b->claim.value,
                     up ? "less" : "more", a->claim.value);
        }
    }
}
