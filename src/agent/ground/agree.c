/* Numbers of an answer that have to agree with each other: "fell from 80 to 120", "12 of 48 (30 %)", the
 * columns of a table. */
#include "agent/ground/derive.h"

#include "agent/ground/match.h"

#include <stdio.h>
#include <string.h>

/* --- "fell from 80 to 120" --- */

static bool follows(const char *s, const struct claim *a, const struct claim *b, const char *word) {
    size_t from = a->start + a->len;
    return b->start > from && b->start - from < 60 && words_any(s + from, b->start - from, word) &&
           !memmem(s + from, b->start - from, ", ", 2);
}

/* Have they a row in common, or a word of it? */
static bool of_one_thing(const struct judge *j, const struct evidence_item *a,
                         const struct evidence_item *b) {
    const struct label *l = a->label[PART_ROW] ? &j->e->labels[a->label[PART_ROW]] : NULL;
    for (size_t k = 0; l && k < l->count; k++)
        if (operand_named_by(j, b, j->e->pool[l->first + k], PART_COLUMN))
            return true;
    return a->label[PART_ROW] == b->label[PART_ROW];
}

/* "from 388 to 412", where 412 was the earlier one: both are of one row, and labels say when. */
static bool told_backwards(const struct judge *j, const struct grounding *a,
                           const struct grounding *b) {
    if (ground_flagged(a->verdict) || ground_flagged(b->verdict) || !a->item || !b->item ||
        a->item->value == b->item->value || !of_one_thing(j, a->item, b->item))
        return false;
    int x = derive_time_of(j, &(struct operand){.value = a->item->value, .item = a->item}),
        y = derive_time_of(j, &(struct operand){.value = b->item->value, .item = b->item});
    return x && y && x > y && (x > 12) == (y > 12);
}

static void agree_directions(struct judge *j) {
    for (size_t i = 0; i + 1 < j->report->count; i++) {
        struct grounding *a = &j->report->list[i], *b = a + 1;
        size_t from, to, before;
        sentence_at(j->answer, a->claim.start, &from, &to);
        before = a->claim.start > from + 60 ? a->claim.start - 60 : from;
        size_t n = a->claim.start - before;
        bool path = b->claim.start < to &&
                    derive_preceded(j->answer, from, a->claim.start, "from von de") &&
                    follows(j->answer, &a->claim, &b->claim, "to auf à");
        bool up = words_any(j->answer + before, n, ground_rising);
        bool down = words_any(j->answer + before, n, ground_falling);
        if (path && told_backwards(j, a, b)) {
            a->verdict = b->verdict = GROUND_CONTRADICTED;
            a->disagrees = b->disagrees = true;
            snprintf(b->formula, sizeof b->formula, "%.10Lg was before %.10Lg", b->claim.value,
                     a->claim.value);
            memcpy(a->formula, b->formula, sizeof a->formula);
        }
        if (!path || up == down || ground_flagged(b->verdict))
            continue;
        if (a->claim.value != b->claim.value && (b->claim.value > a->claim.value) != up) {
            b->verdict = GROUND_CONTRADICTED;
            b->disagrees = true;
            snprintf(b->formula, sizeof b->formula, "%.10Lg is %s than %.10Lg", b->claim.value,
                     up ? "less" : "more", a->claim.value);
        }
    }
}

/* --- "gained 5.3 %" for -4462 / 84112 --- */

/* Was it computed from a change, which has a sign, and not as the difference of two numbers? */
static bool from_change(const struct judge *j, const struct grounding *g) {
    return g->from[0] && ground_is_change(j, g->from[0]) && strchr(g->formula, '/');
}

static void agree_signs(struct judge *j) {
    for (size_t i = 0; i < j->report->count; i++) {
        struct grounding *g = &j->report->list[i];
        if (g->verdict != GROUND_DERIVED || g->claim.signed_ || g->exact == 0)
            continue;
        ground_turn_to(j, ground_index(j, g));
        int up = derive_direction(j);
        if ((up > 0 && g->exact < 0) || (up < 0 && g->exact > 0 && from_change(j, g)))
            g->verdict = GROUND_CONTRADICTED;
    }
}

/* --- a share, and what it is the share of --- */

/* Does the second begin a bracket that stands behind the first and its noun? */
static bool opens_bracket(const char *s, const struct claim *a, const struct claim *b) {
    size_t from = a->start + a->len, to = b->start;
    if (to < from + 2 || to - from > 36 || s[to - 1] != '(')
        return false;
    for (size_t i = from; i + 1 < to; i++)
        if (strchr(",.;:()\n", s[i]))
            return false;
    return true;
}

/* "15 % (91 of 600)", "91 of 600 customers (15 %)": the two numbers that a percentage is made of. */
static bool share_told(const struct judge *j, size_t i, size_t *ret_part, size_t *ret_whole) {
    const struct grounding *list = j->report->list, *g = &list[i];
    const char *s = j->answer;
    if (i + 2 < j->report->count && opens_bracket(s, &g->claim, &list[i + 1].claim)) {
        *ret_part = i + 1;
        *ret_whole = i + 2;
    } else if (i >= 2 && opens_bracket(s, &list[i - 1].claim, &g->claim)) {
        *ret_part = i - 2;
        *ret_whole = i - 1;
    } else {
        return false;
    }
    const struct claim *a = &list[*ret_part].claim, *b = &list[*ret_whole].claim;
    return a->unit == CLAIM_PLAIN && b->unit == CLAIM_PLAIN && b->value != 0 &&
           a->start + a->len < b->start && scope_is_partitive(s, a->start + a->len, b->start);
}

static void agree_shares(struct judge *j) {
    struct grounding *list = j->report->list;
    for (size_t i = 0, part, whole; i < j->report->count; i++) {
        if (list[i].claim.unit != CLAIM_PERCENT || list[i].claim.bound > CLAIM_ABOUT ||
            !share_told(j, i, &part, &whole) || list[i].expression)
            continue;
        long double share = 100 * list[part].claim.value / list[whole].claim.value;
        if (ground_rounds(&list[i].claim, share) || ground_flagged(list[i].verdict) ||
            ground_flagged(list[part].verdict) || ground_flagged(list[whole].verdict))
            continue;
        list[i].verdict = list[part].verdict = GROUND_CONTRADICTED;
        list[i].disagrees = list[part].disagrees = true;
        snprintf(list[i].formula, sizeof list[i].formula, "%.10Lg / %.10Lg = %.10Lg %%",
                 list[part].claim.value, list[whole].claim.value, share);
        memcpy(list[part].formula, list[i].formula, sizeof list[part].formula);
    }
}

/* --- a number in brackets behind another one --- */

/* What stands in the column of `like`, in the row of `of`. */
static const struct evidence_item *same_row(struct judge *j, const struct evidence_item *like,
                                            const struct evidence_item *of) {
    size_t n;
    const uint32_t *items = evidence_items(j->e, of->label[PART_ROW], &n);
    for (size_t i = 0; i < n && ground_spend(j, 1); i++) {
        const struct evidence_item *x = &j->e->items[items[i]];
        if (x->table == like->table && x->label[PART_ROW] == of->label[PART_ROW] &&
            x->label[PART_COLUMN] == like->label[PART_COLUMN] && x->percent == like->percent)
            return x;
    }
    return NULL;
}

/* "64 (16.2 %)" where the 64 are those against, and 16.2 % the undecided. */
static void agree_brackets(struct judge *j) {
    for (size_t i = 1; i < j->report->count; i++) {
        struct grounding *g = &j->report->list[i], *a = g - 1;
        size_t end = a->claim.start + a->claim.len;
        if (g->verdict != GROUND_GROUNDED || a->verdict != GROUND_GROUNDED || !g->item ||
            !a->item || g->claim.start != end + 2 || memcmp(j->answer + end, " (", 2) != 0 ||
            g->expression || !g->item->table || !a->item->table)
            continue;
        uint32_t own = g->item->label[PART_ROW], row = a->item->label[PART_ROW];
        if (!own || !row || own == row || j->e->labels[own].stats || j->e->labels[row].stats)
            continue;
        const struct evidence_item *x = same_row(j, g->item, a->item);
        if (!x || ground_rounds(&g->claim, x->value * g->factor))
            continue;
        g->verdict = GROUND_MISMATCH;
        g->rival = x;
    }
}

/* --- numbers that are told alike --- */

#define MAX_SERIES 40 /* numbers of a column of the answer, of a list or of a sentence */

/* Numbers of an answer that stand in one column of its table, or at one place of the items of a list, or
 * that a sentence tells one after the other: they are of one measure, each of another thing. */
struct series {
    struct grounding *list[MAX_SERIES];
    size_t count;
    bool written; /* in a table or a list, not in a sentence */
};

static bool one_measure(const struct evidence_item *a, const struct evidence_item *b) {
    if (a->cell != b->cell || a->percent != b->percent)
        return false;
    if (a->table || b->table)
        return a->table == b->table && a->label[PART_COLUMN] == b->label[PART_COLUMN];
    return a->statement && a->statement == b->statement && a->label[PART_ROW] &&
           b->label[PART_ROW] && a->label[PART_LINE] == b->label[PART_LINE];
}

static bool reads_as(const struct judge *j, const struct claim *c, const struct evidence_item *x) {
    long double factors[3] = {1, 1, 1};
    size_t n = ground_factors(c, factors);
    for (size_t k = 0; k < n; k++)
        if (ground_factor_fits(j->e, x, c, factors[k]) && ground_rounds(c, x->value * factors[k]))
            return true;
    return ground_rounds(c, x->value); /* 0.8 % beside 1.2 %: the others tell the unit */
}

/* What the claim may have been taken from, among the numbers of this one's measure. */
static const struct evidence_item *taken_from(struct judge *j, const struct claim *c,
                                              const struct evidence_item *like) {
    size_t n;
    uint32_t label = like->label[like->table ? PART_COLUMN : PART_LINE];
    const uint32_t *items = label ? evidence_items(j->e, label, &n) : NULL;
    for (size_t k = 0; items && k < n && ground_spend(j, 1); k++) {
        const struct evidence_item *x = &j->e->items[items[k]];
        if (!x->counted && one_measure(x, like) &&
            (reads_as(j, c, x) || (!c->signed_ && ground_rounds(c, -x->value))))
            return x;
    }
    return NULL;
}

/* Do all words of the row stand by the number? */
static bool row_named(const struct judge *j, const struct evidence_item *x) {
    const struct label *row = x->label[PART_ROW] ? &j->e->labels[x->label[PART_ROW]] : NULL;
    for (size_t k = 0; row && k < row->count; k++)
        if (scope_near(&j->scope, j->e->pool[row->first + k]) > NEAR_BEHIND)
            return false;
    return row && row->count;
}

/* The number of this measure that stands in the row which is named, or in that of the item: the one that
 * the claim tells, if there are several. */
static const struct evidence_item *series_in_row(struct judge *j, const struct claim *c,
                                                 const struct evidence_item *like,
                                                 const struct evidence_item *item) {
    const struct evidence_item *named = NULL, *found = NULL;
    size_t n;
    uint32_t label = like->label[like->table ? PART_COLUMN : PART_LINE];
    const uint32_t *items = label ? evidence_items(j->e, label, &n) : NULL;
    for (size_t k = 0; items && k < n && ground_spend(j, 1); k++) {
        const struct evidence_item *x = &j->e->items[items[k]];
        if (x->counted || x->stale || !one_measure(x, like))
            continue;
        bool said = row_named(j, x),
             same = item && item->label[PART_ROW] && x->label[PART_ROW] == item->label[PART_ROW];
        if ((said || same) && reads_as(j, c, x))
            return x;
        named = said ? x : named;
        found = same ? x : found;
    }
    return named ? named : found;
}

/* The measure that most of the series are of; NULL if there is none. */
static const struct evidence_item *measure_of(struct judge *j, const struct series *s,
                                              size_t *ret_count) {
    const struct evidence_item *best = NULL;
    *ret_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct evidence_item *like = s->list[i]->item;
        size_t n = 0;
        if (!like || like->counted || ground_flagged(s->list[i]->verdict))
            continue;
        for (size_t k = 0; k < s->count; k++)
            n += taken_from(j, &s->list[k]->claim, like) != NULL;
        if (n > *ret_count) {
            *ret_count = n;
            best = like;
        }
    }
    return best;
}

/* In a sentence, what has its own word for its measure is no part of the series. */
static bool names_own_measure(const struct judge *j, const struct evidence_item *i) {
    const struct label *l = i->label[PART_COLUMN] ? &j->e->labels[i->label[PART_COLUMN]] : NULL;
    for (size_t k = 0; l && k < l->count; k++)
        if (scope_near(&j->scope, j->e->pool[l->first + k]) <= NEAR_PIECE)
            return true;
    return !l;
}

/* Is it of the same row of the same table, without a word for its own column? */
static bool slipped_aside(const struct judge *j, const struct evidence_item *i,
                          const struct evidence_item *meant) {
    return i && i->table && i->table == meant->table &&
           i->label[PART_ROW] == meant->label[PART_ROW] && !names_own_measure(j, i);
}

static void judge_in_series(struct judge *j, const struct series *s, struct grounding *g,
                            const struct evidence_item *like) {
    ground_turn_to(j, ground_index(j, g));
    const struct evidence_item *own = taken_from(j, &g->claim, like),
                               *meant = series_in_row(j, &g->claim, like, own ? own : g->item);
    if (!meant || g->expression)
        return;
    bool right = reads_as(j, &g->claim, meant) || ground_matches(j, &g->claim, meant, 1),
         named = row_named(j, meant);
    bool doubted = g->verdict == GROUND_MISMATCH || g->verdict == GROUND_CONTRADICTED,
         trusted = g->verdict == GROUND_GROUNDED || g->verdict == GROUND_DERIVED;
    if (right && doubted && s->written && named) {
        g->verdict = GROUND_GROUNDED;
        g->meaning = true;
        g->item = meant;
        g->rival = NULL;
        *g->formula = 0;
    } else if (!right && trusted && (s->written ? named : slipped_aside(j, g->item, meant))) {
        g->verdict = g->item ? GROUND_MISMATCH : GROUND_CONTRADICTED;
        g->rival = meant;
        *g->formula = 0;
    }
}

static void agree_series(struct judge *j, const struct series *s) {
    size_t n;
    const struct evidence_item *like = s->count > 2 ? measure_of(j, s, &n) : NULL;
    if (!like || n < 2 || n + 1 + s->count / 6 < s->count)
        return;
    for (size_t i = 0; i < s->count; i++)
        judge_in_series(j, s, s->list[i], like);
}

/* Do two values stand in one column of a table, or at one place of the items of a list? */
static bool written_alike(const struct judge *j, size_t a, size_t b) {
    const struct place *x = &j->places[a], *y = &j->places[b];
    return j->claims->list[a].class == CLAIM_VALUE && x->column == y->column &&
           (x->column || (x->item && y->item && x->nth == y->nth));
}

static bool written_before(struct judge *j, size_t index) {
    for (size_t k = index; k-- > 0 && ground_spend(j, 1);) {
        if (j->places[k].paragraph != j->places[index].paragraph)
            return false;
        if (written_alike(j, k, index))
            return true;
    }
    return false;
}

static void agree_written(struct judge *j) {
    for (size_t i = 0; i < j->claims->count; i++) {
        struct series s = {.written = true};
        if (!written_alike(j, i, i) || written_before(j, i))
            continue;
        for (size_t k = i; k < j->claims->count && s.count < MAX_SERIES && ground_spend(j, 1);
             k++) {
            if (j->places[k].paragraph != j->places[i].paragraph)
                break;
            if (written_alike(j, k, i) && j->claims->list[k].unit == j->claims->list[i].unit)
                s.list[s.count++] = &j->report->list[j->places[k].before];
        }
        agree_series(j, &s);
    }
}

/* "wheat (8.13), barley (6.81) and rapeseed (3.48)" */
static void agree_told(struct judge *j) {
    for (size_t i = 0; i < j->report->count;) {
        struct series s = {0};
        size_t from, to, k = i;
        sentence_at(j->answer, j->report->list[i].claim.start, &from, &to);
        for (; k < j->report->count && j->report->list[k].claim.start < to; k++)
            if (s.count < MAX_SERIES && j->report->list[k].claim.num.places > 0 &&
                j->report->list[k].claim.num.places == j->report->list[i].claim.num.places &&
                j->report->list[k].claim.unit == j->report->list[i].claim.unit)
                s.list[s.count++] = &j->report->list[k];
        agree_series(j, &s);
        i = k > i ? k : i + 1;
    }
}

void ground_agree(struct judge *j) {
    agree_directions(j);
    agree_signs(j);
    agree_shares(j);
    agree_brackets(j);
    agree_written(j);
    agree_told(j);
}
