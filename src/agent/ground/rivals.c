/* Which of the numbers that were shown a sentence speaks of: labels against words. */
#include "agent/ground/rivals.h"

#include "agent/ground/match.h"
#include "agent/ground/operands.h"
#include "agent/text/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COMMON 400      /* a label of more numbers says nothing about one of them */
#define COMMON_WORD 400 /* labels that have it */
#define LOOKED_AT 4000

static const struct label *label_of(const struct judge *j, const struct evidence_item *i,
                                    int part) {
    return i->label[part] ? &j->e->labels[i->label[part]] : NULL;
}

/* Units tell what a number is only where they are those of the claim: of "8.2 km/s" neither km nor
 * s alone is. */
static void drop_units(const struct judge *j, struct words *w) {
    unsigned n = 0, others = 0;
    bool same = j->units.count > 0;
    for (unsigned k = 0; k < j->units.count; k++)
        same = same && words_hold(w, j->units.hash[k]);
    for (unsigned k = 0; k < w->count; k++)
        others += !unit_word(w->hash[k]);
    for (unsigned k = 0; k < w->count && others; k++)
        if (!unit_word(w->hash[k]) || (same && words_hold(&j->units, w->hash[k])))
            w->hash[n++] = w->hash[k];
    w->count = others ? n : w->count;
}

/* The words that tell this number from others: of its row, column and line, or else of its code. */
static void rivals_words_of(const struct judge *j, const struct evidence_item *i, struct words *w) {
    w->count = 0;
    for (int part = 0; part < PARTS; part++) {
        const struct label *l = label_of(j, i, part);
        if (part == PART_CODE && (w->count || (i->several && !i->own_code)))
            break; /* it speaks of all that it shows */
        for (size_t k = 0; l && k < l->count; k++)
            words_put(w, j->e->pool[l->first + k]);
    }
    drop_units(j, w);
}

/* Once for each scope: thousands of numbers share a label. */
static const struct label_score *score_label(const struct judge *j, uint32_t label) {
    static const uint16_t weight[NOT_NEAR + 1] = {16, 13, 9, 7, 7, 4, 2, 0};
    struct label_score *s = &j->scores[label];
    const struct label *l = &j->e->labels[label];
    if (s->scope == j->scopes)
        return s;
    s->scope = j->scopes;
    s->own = s->code = 0;
    for (size_t k = 0; k < l->count; k++) {
        uint16_t w = weight[scope_near(&j->scope, j->e->pool[l->first + k])];
        s->own = (uint16_t)(s->own + w);
        s->code = (uint16_t)(s->code + w / 4);
    }
    return s;
}

unsigned rivals_score(const struct judge *j, const struct evidence_item *i) {
    unsigned sum = i->label[PART_CODE] ? score_label(j, i->label[PART_CODE])->code : 0;
    for (int part = 0; part < PART_CODE; part++)
        if (i->label[part])
            sum += score_label(j, i->label[part])->own;
    return sum;
}

unsigned rivals_stats(const struct judge *j, const struct evidence_item *i) {
    unsigned own = 0, code = 0;
    for (int part = 0; part < PART_CODE; part++)
        if (label_of(j, i, part))
            own |= label_of(j, i, part)->stats;
    if (label_of(j, i, PART_CODE) && (!i->several || i->own_code))
        code = label_of(j, i, PART_CODE)->stats;
    code &= ~(unsigned)(STAT_COUNT | STAT_CHANGE);
    if (i->num.places <= 0) /* a sum of truths is a count */
        code &= ~(unsigned)STAT_SUM;
    own = own & ~(unsigned)STAT_CHANGE;
    return own ? own : code & (code - 1) ? 0 : code; /* several in the code: not clear */
}

bool rivals_covers(const struct judge *j, const struct evidence_item *i) {
    struct words w;
    bool near = false;
    if (i->many)
        return false;
    rivals_words_of(j, i, &w);
    for (unsigned k = 0; k < w.count; k++) {
        enum nearness n = scope_near(&j->scope, w.hash[k]);
        if (n > NEAR_COMPARED)
            return false;
        near = near || n <= NEAR_BEHIND;
    }
    return near && (w.count > 1 || (w.count == 1 && !word_statistic(w.hash[0])));
}

/* Has the sentence, near the number, no word of another one that this item has not? */
bool rivals_explains(const struct judge *j, const struct evidence_item *i) {
    struct words own, other;
    rivals_words_of(j, i, &own);
    for (size_t k = 0; k < j->rival_count; k++) {
        rivals_words_of(j, j->rivals[k], &other);
        for (unsigned m = 0; m < other.count; m++)
            if (scope_near(&j->scope, other.hash[m]) <= NEAR_BEHIND &&
                !words_hold(&own, other.hash[m]) && !word_statistic(other.hash[m]))
                return false;
    }
    return true;
}

/* --- finding them --- */

static void rivals_keep(struct judge *j, const struct evidence_item *i) {
    uint32_t *seen = &j->seen[i - j->e->items];
    if (*seen == j->scopes)
        return;
    *seen = j->scopes;
    unsigned score = rivals_score(j, i);
    size_t at = j->rival_count;
    if (at == MAX_RIVALS && j->rival_score[at - 1] >= score)
        return;
    at -= at == MAX_RIVALS;
    for (; at > 0 && j->rival_score[at - 1] < score; at--) {
        j->rivals[at] = j->rivals[at - 1];
        j->rival_score[at] = j->rival_score[at - 1];
    }
    j->rivals[at] = i;
    j->rival_score[at] = score;
    j->rival_count += j->rival_count < MAX_RIVALS;
}

/* `common`: the words that many labels have. */
static void rivals_look_at(struct judge *j, uint32_t word, bool common, size_t *left) {
    size_t labels, items;
    const uint32_t *l = evidence_labels(j->e, word, &labels);
    bool clock = num_is_clock(&j->claims->list[j->index].num); /* times are held against times */
    if (common != (labels > COMMON_WORD))
        return;
    for (size_t k = 0; k < labels && *left; k++) {
        const uint32_t *i = evidence_items(j->e, l[k], &items);
        for (size_t m = 0; m < items && items <= COMMON && *left; m++) {
            const struct evidence_item *x = &j->e->items[i[m]];
            --*left;
            if (x->stream != EVIDENCE_QUESTION && num_is_clock(&x->num) == clock)
                rivals_keep(j, x);
        }
    }
}

/* In a long session a word that many labels have is asked only if the others name nothing. */
void rivals_find(struct judge *j) {
    size_t left = LOOKED_AT;
    j->rival_count = 0;
    for (int common = 0; common <= 1 && !j->rival_count; common++)
        for (int near = NEAR_BEFORE; near <= NEAR_CONTEXT; near++)
            for (unsigned k = 0; k < j->scope.count; k++)
                if (scope_near(&j->scope, j->scope.words[k]) == (enum nearness)near)
                    rivals_look_at(j, j->scope.words[k], common, &left);
    ground_spend(j, LOOKED_AT - left);
}

/* --- holding two against each other --- */

/* Numbers that could be taken for each other: of one table, of one print, or alike by their words.
 */
static bool comparable(const struct evidence_item *a, const struct evidence_item *b,
                       const struct words *x, const struct words *y) {
    if (a->table && a->table == b->table)
        return a->label[PART_ROW] == b->label[PART_ROW] ||
               a->label[PART_COLUMN] == b->label[PART_COLUMN];
    if (!a->table && !b->table && a->cell == b->cell)
        return true;
    for (unsigned k = 0; k < x->count; k++)
        if (words_hold(y, x->hash[k]))
            return true;
    return false;
}

/* What tells a number: its words, those of its row, and those of the code that showed it. */
struct naming {
    struct words words;
    uint32_t row, column, code;
};

static struct naming naming_of(const struct judge *j, const struct evidence_item *i) {
    struct naming n = {.row = i->label[PART_ROW],
                       .column = i->table ? i->label[PART_COLUMN] : 0,
                       .code = i->label[PART_CODE]};
    rivals_words_of(j, i, &n.words);
    return n;
}

static bool label_has(const struct judge *j, uint32_t label, uint32_t word) {
    const struct label *l = label ? &j->e->labels[label] : NULL;
    for (size_t k = 0; l && k < l->count; k++)
        if (j->e->pool[l->first + k] == word)
            return true;
    return false;
}

/* Does the code of one have the other's name of a column? Then it does not tell them apart. */
static bool code_names(const struct judge *j, const struct naming *in, const struct naming *out,
                       uint32_t word) {
    return out->code != in->code && !word_statistic(word) && label_has(j, out->code, word) &&
           label_has(j, in->column, word) && !label_has(j, in->row, word);
}

static unsigned only_in(const struct judge *j, const struct naming *in, const struct naming *out,
                        enum nearness within) {
    unsigned n = 0;
    for (unsigned k = 0; k < in->words.count; k++) {
        uint32_t word = in->words.hash[k];
        n += scope_near(&j->scope, word) <= within && !words_hold(&out->words, word) &&
             !code_names(j, in, out, word);
    }
    return n;
}

/* Other rows of a table, which may have been printed and be a frame as well, or what one print wrote
 * at the same place. */
static bool other_row(const struct evidence_item *a, const struct evidence_item *b) {
    if (a->label[PART_ROW] == b->label[PART_ROW] || a->cell != b->cell)
        return false;
    if (a->table && b->table)
        return a->label[PART_COLUMN] == b->label[PART_COLUMN] &&
               (a->table == b->table || a->label[PART_COLUMN]);
    return !a->table && !b->table && a->statement && a->statement == b->statement &&
           a->label[PART_ROW] && b->label[PART_ROW] && a->label[PART_LINE] == b->label[PART_LINE];
}

/* Numbers that differ in one respect: of one row or column of a table, or written by one print. */
static bool siblings(const struct evidence_item *a, const struct evidence_item *b) {
    if (a->table || b->table)
        return a->table == b->table && (a->label[PART_ROW] == b->label[PART_ROW] ||
                                        a->label[PART_COLUMN] == b->label[PART_COLUMN]);
    return a->cell == b->cell && a->statement && a->statement == b->statement;
}

/* Does the sentence state this number somewhere else? */
static bool stated_elsewhere(const struct judge *j, const struct evidence_item *r) {
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *c = &j->claims->list[i];
        if (i != j->index && c->class == CLAIM_VALUE && c->start >= j->scope.from &&
            c->start < j->scope.to &&
            (ground_rounds(c, r->value) || ground_rounds(c, -r->value) ||
             (c->unit == CLAIM_PERCENT && ground_rounds(c, r->value * 100))))
            return true;
    }
    return false;
}

/* Columns like petal_length and petal_width: what tells them apart is told. */
static bool shares_word(const struct judge *j, const struct evidence_item *a,
                        const struct evidence_item *b) {
    const struct label *l = label_of(j, a, PART_COLUMN);
    for (size_t k = 0; l && k < l->count; k++)
        if (label_has(j, b->label[PART_COLUMN], j->e->pool[l->first + k]))
            return true;
    return false;
}

/* "9 hours" of a row that has its hours, and nothing in the sentence speaks of the column of 9. */
static bool is_told_by_noun(const struct judge *j, const struct evidence_item *r,
                            const struct evidence_item *i, uint32_t noun) {
    const struct label *own = label_of(j, i, PART_COLUMN);
    if (!i->table || i->table != r->table || i->label[PART_ROW] != r->label[PART_ROW] || !own ||
        !label_has(j, r->label[PART_COLUMN], noun) || label_has(j, i->label[PART_ROW], noun) ||
        word_statistic(noun))
        return false;
    for (size_t k = 0; k < own->count; k++)
        if (scope_near(&j->scope, j->e->pool[own->first + k]) <= NEAR_COMPARED)
            return false;
    return true;
}

/* The nearest words that tell the two apart decide. Those that stand by another number count only if
 * the sentence has none for this one. */
static bool fits_better(const struct judge *j, const struct evidence_item *r,
                        const struct evidence_item *i, const struct naming *rival,
                        const struct naming *own) {
    uint32_t noun = scope_noun(&j->scope, &j->claims->list[j->index]);
    if (noun && is_told_by_noun(j, r, i, noun))
        return true;
    if (only_in(j, own, rival, NEAR_SENTENCE) > only_in(j, rival, own, NEAR_SENTENCE))
        return false;
    if (noun && words_hold(&own->words, noun) && !words_hold(&rival->words, noun))
        return false;
    for (int near = NEAR_BEFORE; near <= NEAR_CONTEXT; near++) {
        if (near > (j->scope.piece_numbers > 1 ? NEAR_BEHIND
                    : j->scope.numbers > 1     ? NEAR_PIECE
                                               : NEAR_SENTENCE))
            break; /* words of another number */
        unsigned a = only_in(j, rival, own, (enum nearness)near);
        unsigned b = only_in(j, own, rival, (enum nearness)near);
        if (a || b)
            return a && !b;
    }
    bool rows = i->label[PART_COLUMN] == r->label[PART_COLUMN] ||
                (i->table && i->table == r->table && shares_word(j, i, r)) ||
                (own->row && j->e->labels[own->row].stats);
    return rows && siblings(i, r) && only_in(j, rival, own, NEAR_SENTENCE) &&
           !only_in(j, own, rival, NEAR_CONTEXT) && !stated_elsewhere(j, r);
}

/* A share is no rival of an amount, nor is a count one of a number with decimals. */
static bool same_kind(const struct claim *c, const struct evidence_item *i,
                      const struct evidence_item *r, bool led) {
    if (c->unit == CLAIM_PERCENT && !r->percent && fabsl(r->value) == 1) /* the whole */
        return false;
    if (c->unit == CLAIM_PERCENT && !r->percent && i->table != r->table && !other_row(i, r))
        return false; /* nothing says that it is one */
    if (c->unit == CLAIM_PERCENT && c->num.places > 0 && i->num.places > 0 && r->num.places <= 0)
        return r->percent;
    if (c->unit == CLAIM_PERCENT)
        return r->percent || (!i->percent && fabsl(r->value) <= (fabsl(i->value) <= 1 ? 1 : 100));
    if (c->num.places > 0 && i->num.places > 0 && r->num.places <= 0 &&
        !(i->table && i->table == r->table && i->label[PART_COLUMN] == r->label[PART_COLUMN]))
        return false;
    long double a = fabsl(i->value), b = fabsl(r->value);
    if (!led && i->cell != r->cell && (a > 8 * b || b > 8 * a)) /* nobody takes one for the other */
        return false;
    return !r->percent || i->percent;
}

/* Words of the row that the sentence and what stands before it do not have. */
static unsigned row_unnamed(const struct judge *j, const struct evidence_item *i) {
    const struct label *l = label_of(j, i, PART_ROW);
    unsigned n = 0;
    for (size_t k = 0; l && k < l->count; k++)
        n += scope_near(&j->scope, j->e->pool[l->first + k]) > NEAR_CONTEXT;
    return n;
}

/* Does it depend on the sentence which row is meant? Not if both are of one, of which nothing is
 * said. */
static bool chooses_row(const struct judge *j, const struct evidence_item *r,
                        const struct evidence_item *i) {
    const struct label *l = label_of(j, r, PART_ROW);
    unsigned unnamed = row_unnamed(j, r);
    return r->label[PART_ROW] != i->label[PART_ROW] || (unnamed && unnamed < l->count);
}

/* The rival is a row of a finer table, which the sentence does not single out. */
static bool is_finer(const struct judge *j, const struct evidence_item *r,
                     const struct evidence_item *i) {
    return r->label[PART_ROW] != i->label[PART_ROW] && row_unnamed(j, r) > row_unnamed(j, i);
}

static bool matches_too(struct judge *j, const struct claim *c, const struct evidence_item *r) {
    long double factors[3] = {1, 1, 1};
    size_t n = ground_factors(c, factors);
    for (size_t k = 0; k < n; k++)
        if (ground_matches(j, c, r, factors[k]))
            return true;
    return false;
}

/* Does the sentence say as much of another number, with another value? Then it speaks of neither. */
static bool one_of_several(struct judge *j, const struct evidence_item *r, const struct words *w) {
    ground_spend(j, j->rival_count);
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *x = j->rivals[k];
        struct words other;
        bool all = !x->counted && x->value != r->value && x->table == r->table && other_row(x, r);
        rivals_words_of(j, x, &other);
        for (unsigned m = 0; m < w->count && all; m++)
            all =
                scope_near(&j->scope, w->hash[m]) > NEAR_SENTENCE || words_hold(&other, w->hash[m]);
        if (all)
            return true;
    }
    return false;
}

/* "Tom's pace" for that of somebody else: whichever of Tom's is meant, it is none of his. */
static bool names_other(const struct judge *j, const struct evidence_item *r,
                        const struct naming *own) {
    const struct label *row = label_of(j, r, PART_ROW),
                       *mine = own->row ? &j->e->labels[own->row] : NULL;
    bool named = false;
    for (size_t k = 0; mine && k < mine->count; k++)
        if (scope_near(&j->scope, j->e->pool[mine->first + k]) != NOT_NEAR)
            return false;
    for (size_t k = 0; row && mine && k < row->count; k++) {
        uint32_t word = j->e->pool[row->first + k];
        named = named || (scope_near(&j->scope, word) <= NEAR_BEHIND && !word_statistic(word) &&
                          !words_hold(&own->words, word));
    }
    return named;
}

/* Nothing but code says what it is. */
static bool is_nameless(const struct evidence_item *i) {
    return !(i->label[PART_ROW] | i->label[PART_COLUMN] | i->label[PART_LINE]);
}

/* "In the morning you sell 925 cups" beside "cups: 1445": a part has the name of the whole. */
static bool is_whole_of_kind(const struct claim *c, const struct evidence_item *r,
                             const struct words *name) {
    return name->count == 1 && c->unit == CLAIM_PLAIN && c->num.places <= 0 && r->num.places <= 0 &&
           r->value > c->value;
}

/* The sentence has it, as the name of something: "at n = 100,000". */
static bool rival_is_named(const struct judge *j, const struct evidence_item *r) {
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *c = &j->claims->list[i];
        if (c->class == CLAIM_NAME && c->value == r->value && c->start >= j->scope.from &&
            c->start < j->scope.to)
            return true;
    }
    return false;
}

/* The number that its row is called by: "episode 4". */
static bool is_key(const struct judge *j, const struct evidence_item *r) {
    char digits[24];
    if (!r->table || !r->label[PART_ROW] || r->num.places > 0 || r->value < 0 || r->value > 1e6L)
        return false;
    snprintf(digits, sizeof digits, "%.0Lf", r->value);
    return label_has(j, r->label[PART_ROW], word_hash(digits)) &&
           label_of(j, r, PART_ROW)->count == 1;
}

/* Measures of such sizes are not taken for each other, unless they have a name in common: n=1000 and
 * n=100000. */
static bool is_unlike(const struct judge *j, const struct evidence_item *i,
                      const struct evidence_item *r) {
    long double a = fabsl(i->value), b = fabsl(r->value);
    return (a > 40 * b || b > 40 * a) && !other_row(i, r) &&
           !(i->table == r->table && shares_word(j, i, r));
}

/* What can be held against the item at all: it has a name of its own, and the words fit it better in
 * sum. */
static bool may_beat(struct judge *j, const struct evidence_item *r,
                     const struct evidence_item *i) {
    bool itself =
        (r->label[PART_ROW] && r->label[PART_ROW] == r->label[PART_COLUMN]) || rival_is_named(j, r);
    return r != i && !r->counted && !r->many && !itself && !is_key(j, r) && !ground_is_raw(j, r) &&
           rivals_score(j, r) > rivals_score(j, i);
}

const struct evidence_item *rivals_beat(struct judge *j, const struct claim *c,
                                        const struct evidence_item *i) {
    struct naming own = naming_of(j, i);
    uint32_t lead = scope_lead(&j->scope, c->start);
    bool past = i->stale && ground_is_past(j);
    ground_spend(j, j->rival_count);
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        if ((r->stale && !past) || !may_beat(j, r, i))
            continue;
        struct naming other = naming_of(j, r);
        bool led = lead && words_hold(&other.words, lead) && !words_hold(&own.words, lead);
        if (!led && c->num.sig > 2 && is_unlike(j, i, r))
            continue;
        if (!same_kind(c, i, r, led) || ground_excludes(rivals_stats(j, r), j->stats))
            continue;
        bool covers = rivals_covers(j, r);
        if (is_nameless(i) && (!covers || is_whole_of_kind(c, r, &other.words)))
            continue;
        if (own.words.count ? !comparable(i, r, &own.words, &other.words) && !covers
                            : !covers || other.words.count < 2)
            continue;
        if (fits_better(j, r, i, &other, &own) && !is_finer(j, r, i) && !matches_too(j, c, r) &&
            (!chooses_row(j, r, i) || !one_of_several(j, r, &other.words) ||
             names_other(j, r, &own)))
            return r;
    }
    return NULL;
}

/* --- rows that are named --- */

/* Do all words of the row stand so near? */
static bool names_row_within(const struct judge *j, const struct evidence_item *i,
                             enum nearness most) {
    const struct label *row = label_of(j, i, PART_ROW);
    if (!row || row->stats || !row->count)
        return false;
    for (size_t k = 0; k < row->count; k++)
        if (scope_near(&j->scope, j->e->pool[row->first + k]) > most)
            return false;
    return true;
}

/* Has the sentence, or what stands before it, a word of the row? */
static bool touches_row(const struct judge *j, const struct evidence_item *i) {
    const struct label *row = label_of(j, i, PART_ROW);
    for (size_t k = 0; row && k < row->count; k++)
        if (scope_near(&j->scope, j->e->pool[row->first + k]) <= NEAR_COMPARED)
            return true;
    return false;
}

const struct evidence_item *rivals_entity(struct judge *j, const struct claim *c,
                                          const struct evidence_item *i) {
    const struct label *row = label_of(j, i, PART_ROW);
    const struct operand self = {.item = i};
    if (!row || row->stats || i->counted || touches_row(j, i))
        return NULL;
    enum nearness most = j->scope.numbers > 1 ? NEAR_PIECE : NEAR_SENTENCE;
    for (size_t k = 0; k < j->rival_count && ground_spend(j, 1); k++) {
        const struct evidence_item *r = j->rivals[k];
        if (r->label[PART_ROW] != i->label[PART_ROW] && r->value != i->value && !r->counted &&
            names_row_within(j, r, most) && r->cell == i->cell && r->table == i->table &&
            same_kind(c, i, r, false) && operands_one_column(&self, &(struct operand){.item = r}) &&
            !matches_too(j, c, r))
            return r;
    }
    return NULL;
}

/* --- words that belong to several numbers of a sentence --- */

static bool item_has_word(const struct judge *j, const struct evidence_item *i, uint32_t word) {
    struct words w;
    rivals_words_of(j, i, &w);
    return words_hold(&w, word);
}

/* The number of the sentence that stands nearest to a place. */
static const struct grounding *nearest_number(struct judge *j, size_t at) {
    const struct grounding *best = NULL;
    size_t least = SIZE_MAX;
    bool affordable = ground_spend(j, j->report->count);
    for (size_t i = 0; affordable && i < j->report->count; i++) {
        const struct grounding *g = &j->report->list[i];
        size_t start = g->claim.start, end = start + g->claim.len;
        size_t away = at < start ? start - at : at > end ? at - end : 0;
        if (start < j->scope.from || start >= j->scope.to || away >= least)
            continue;
        least = away;
        best = g;
    }
    return best;
}

/* Does the sentence begin with it, as in "Of 80 people 31 …"? */
static bool is_whole_of(const struct judge *j, const struct claim *c) {
    size_t from = j->scope.from;
    while (from < c->start && !isalpha((unsigned char)j->answer[from]))
        from++;
    return c->start > from && c->start - from < 12 &&
           words_any(j->answer + from, c->start - from, "of von sur among");
}

/* "31 of the 80", "of 80 people 31": crossed, the part would be more than the whole. */
static bool part_and_whole(const struct judge *j, const struct grounding *a,
                           const struct grounding *b) {
    const struct claim *first = a->claim.start < b->claim.start ? &a->claim : &b->claim;
    const struct claim *second = first == &a->claim ? &b->claim : &a->claim;
    if (is_whole_of(j, first))
        return second->value <= first->value;
    return first->value <= second->value &&
           scope_is_partitive(j->answer, first->start + first->len, second->start);
}

/* "from 402 to 414": what was shown first comes first. */
static bool told_as_path(const struct judge *j, const struct grounding *a,
                         const struct grounding *b) {
    const struct grounding *x = a->claim.start < b->claim.start ? a : b, *y = x == a ? b : a;
    size_t end = x->claim.start + x->claim.len;
    size_t before = x->claim.start > j->scope.from + 12 ? x->claim.start - 12 : j->scope.from;
    return y->claim.start < end + 12 && x->item->order < y->item->order &&
           words_any(j->answer + before, x->claim.start - before, "from von de") &&
           words_any(j->answer + end, y->claim.start - end, "to auf à");
}

/* How well two numbers of the answer fit what they match, and each what the other matches. */
static bool fit_as_they_are(struct judge *j, const struct grounding *a, const struct grounding *b) {
    unsigned straight = rivals_score(j, a->item), crossed = rivals_score(j, b->item);
    size_t self = j->index, other = 0;
    while (j->claims->list[other].start != b->claim.start)
        other++;
    ground_look(j, other);
    straight += rivals_score(j, b->item);
    crossed += rivals_score(j, a->item);
    ground_look(j, self);
    bool one_line = a->item->cell == b->item->cell && a->item->label[PART_LINE] &&
                    a->item->label[PART_LINE] == b->item->label[PART_LINE];
    bool unnamed = !a->item->label[PART_ROW] && b->item->label[PART_ROW];
    return straight > crossed || (straight == crossed && (one_line || unnamed)) ||
           part_and_whole(j, a, b) || told_as_path(j, a, b);
}

bool rivals_is_told(struct judge *j, const struct grounding *g) {
    for (size_t i = 0; i < j->report->count && g->item && g->rival; i++) {
        const struct grounding *x = &j->report->list[i];
        if (x != g && x->claim.start >= j->scope.from && x->claim.start < j->scope.to &&
            !ground_flagged(x->verdict) && x->item && x->item->value == g->rival->value)
            return fit_as_they_are(j, g, x);
    }
    return false;
}

bool rivals_shares_words(struct judge *j, const struct grounding *g) {
    const struct scope *s = &j->scope;
    size_t at = 0, start;
    uint32_t hash;
    struct words own, other;
    if (!g->item || !g->rival || siblings(g->item, g->rival) || other_row(g->item, g->rival))
        return false;
    rivals_words_of(j, g->item, &own);
    rivals_words_of(j, g->rival, &other);
    uint32_t lead = scope_lead(s, g->claim.start);
    if (lead && words_hold(&other, lead) && !words_hold(&own, lead))
        return false;
    while (words_next(s->text + s->from, s->to - s->from, &at, &hash, &start)) {
        if (!hash || !words_hold(&own, hash) || words_hold(&other, hash))
            continue;
        const struct grounding *owner = nearest_number(j, s->from + start);
        if (!owner || owner == g || ground_flagged(owner->verdict))
            continue;
        if (owner->verdict == GROUND_METHOD || (owner->item && item_has_word(j, owner->item, hash)))
            return true;
    }
    return false;
}

/* --- numbers that stand in each other's place --- */

#define MAX_CROSSED 24 /* numbers of a sentence that are held against each other */

struct crossing {
    struct grounding *list[MAX_CROSSED];
    unsigned score[MAX_CROSSED][MAX_CROSSED]; /* of a claim, and of what each was taken from */
    size_t count;
};

/* Where the sentence first has a word that this item has and the other has not; SIZE_MAX: nowhere. */
static size_t named_at(const struct judge *j, const struct evidence_item *i,
                       const struct evidence_item *other) {
    size_t at = 0, start;
    uint32_t hash;
    const struct scope *s = &j->scope;
    while (words_next(s->text + s->from, s->to - s->from, &at, &hash, &start))
        if (hash && item_has_word(j, i, hash) && !item_has_word(j, other, hash))
            return s->from + start;
    return SIZE_MAX;
}

/* "North and South sold 12 and 9": named first, then told in the same order. */
static bool told_in_order(const struct judge *j, const struct grounding *a,
                          const struct grounding *b) {
    size_t x = named_at(j, a->item, b->item), y = named_at(j, b->item, a->item);
    return x < y && y < a->claim.start && y != SIZE_MAX;
}

/* "A has more than B (9 versus 12)": both are named, then told in the other order. */
static bool told_crossed(const struct judge *j, const struct grounding *a,
                         const struct grounding *b) {
    size_t from = a->claim.start + a->claim.len, to = b->claim.start;
    size_t x = named_at(j, a->item, b->item), y = named_at(j, b->item, a->item);
    static const char comparing[] = "than as versus vs and compared against als und wie que et";
    return x != SIZE_MAX && y < x && x < a->claim.start && from < to && to - from < 24 &&
           words_any(j->answer + y, x - y, comparing) &&
           !memchr(j->answer + from, '(', to - from) &&
           words_any(j->answer + from, to - from,
                     "versus vs against compared and gegen gegenüber "
                     "und contre et respectively to");
}

static bool can_cross(const struct grounding *g) {
    return g->verdict == GROUND_GROUNDED && g->item && !g->item->counted && !g->expression;
}

/* The numbers from `first` on that stand in one sentence. */
static size_t crossing_make(struct judge *j, size_t first, struct crossing *c) {
    size_t n = first;
    c->count = 0;
    ground_look(j, ground_index(j, &j->report->list[first]));
    size_t to = j->scope.to;
    for (; n < j->report->count && j->report->list[n].claim.start < to; n++)
        if (c->count < MAX_CROSSED && can_cross(&j->report->list[n]))
            c->list[c->count++] = &j->report->list[n];
    for (size_t a = 0; a < c->count && c->count > 1 && ground_spend(j, c->count); a++) {
        ground_look(j, ground_index(j, c->list[a]));
        for (size_t b = 0; b < c->count; b++)
            c->score[a][b] = rivals_score(j, c->list[b]->item);
    }
    return n;
}

static void flag_crossed(struct grounding *g, const struct grounding *other) {
    g->verdict = GROUND_MISMATCH;
    g->rival = other->item;
}

void rivals_cross(struct judge *j) {
    struct crossing c;
    for (size_t i = 0; i < j->report->count;) {
        i = crossing_make(j, i, &c);
        for (size_t a = 0; a < c.count; a++)
            for (size_t b = a + 1; b < c.count; b++) {
                struct grounding *x = c.list[a], *y = c.list[b];
                if (!can_cross(x) || !can_cross(y) || !other_row(x->item, y->item) ||
                    x->item->value == y->item->value || x->claim.unit != y->claim.unit)
                    continue;
                bool crossed = c.score[a][b] + c.score[b][a] > c.score[a][a] + c.score[b][b];
                if ((crossed && !told_in_order(j, x, y)) || told_crossed(j, x, y)) {
                    flag_crossed(x, y);
                    flag_crossed(y, x);
                }
            }
    }
}
