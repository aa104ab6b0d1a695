/* Numbers of a sentence that have to agree with each other: "fell from 80 to 120", "12 of 48 (30 %)". */
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
            snprintf(b->formula, sizeof b->formula, "%.10Lg was before %.10Lg", b->claim.value,
                     a->claim.value);
            memcpy(a->formula, b->formula, sizeof a->formula);
        }
        if (!path || up == down || ground_flagged(b->verdict))
            continue;
        if (a->claim.value != b->claim.value && (b->claim.value > a->claim.value) != up) {
            b->verdict = GROUND_CONTRADICTED;
            snprintf(b->formula, sizeof b->formula, "%.10Lg is %s than %.10Lg", b->claim.value,
                     up ? "less" : "more", a->claim.value);
        }
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

void ground_agree(struct judge *j) {
    agree_directions(j);
    agree_shares(j);
    agree_brackets(j);
}
