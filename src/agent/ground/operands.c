/* What a derivation may be computed from: the other numbers of the sentence, what the sentence names, what
 * was shown. */
#include "agent/ground/operands.h"

#include "agent/ground/match.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#define MAX_NAMED 24
#define MANY_SHOWN 2000 /* of more numbers, what is not named is hardly meant */
#define AROUND_ITEM 128 /* numbers before and behind one, in which its column is looked for */

bool derive_preceded(const char *s, size_t from, size_t at, const char *list) {
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
bool derive_is_base(const struct judge *j, size_t at) {
    static const char base[] = "from than versus vs compared against over relative von als "
                               "gegenüber de que unlike behind base above below instead statt "
                               "anstatt lieu rather";
    size_t n = 0;
    bool before = derive_preceded(j->answer, j->scope.from, at, base);
    while (before && n < at && n < 28 && !words_any(j->answer + at - n, n, base))
        n++;
    return before && !words_any(j->answer + at - n, n, "to auf à");
}

void operands_add(struct operands *o, struct operand x) {
    if (x.item && x.item->num.digits) /* a time, or too long to compute with */
        return;
    for (size_t i = 0; i < o->count; i++)
        if (o->list[i].value == x.value) {
            if (o->list[i].place < 0)
                o->list[i] = x;
            return;
        }
    if (o->count < MAX_OPERANDS)
        o->list[o->count++] = x;
}

bool operands_circular(const struct claim *c, const struct grounding *g) {
    for (int k = 0; k < 2 && g->verdict == GROUND_DERIVED; k++)
        if (g->operands[k] != 0 && ground_rounds(c, fabsl(g->operands[k])))
            return true;
    return false;
}

/* The other numbers of the sentence and of the one before it. */
void operands_said(struct judge *j, const struct grounding *self, struct operands *o) {
    size_t from = j->scope.from, before, end;
    before = from;
    while (before > 2 && from - before < 8 && j->answer[from] != '|') /* a row of a table */
        sentence_at(j->answer, before - 2, &before, &end);
    for (size_t i = 0; i < j->report->count && o->count < 16; i++) {
        const struct grounding *g = &j->report->list[i];
        if (g == self || ground_flagged(g->verdict) || g->claim.start < before ||
            g->claim.start >= j->scope.to || operands_circular(&self->claim, g))
            continue;
        long double v = g->verdict == GROUND_GROUNDED || g->verdict == GROUND_DERIVED
                            ? g->exact
                            : g->claim.value;
        struct operand x = {.value = v, .place = (long)g->claim.start, .by = KNOWN_SAID};
        x.item = g->verdict == GROUND_GROUNDED ? g->item : NULL;
        x.percent = g->claim.unit == CLAIM_PERCENT;
        operands_add(o, x);
        for (int k = 0; k < 2 && g->verdict == GROUND_DERIVED && g->operands[1] != 0; k++)
            operands_add(
                o, (struct operand){
                       .value = g->operands[k], .place = -1, .by = KNOWN_SAID, .item = g->from[k]});
    }
}

/* Has a label of the item the word? With `parts` PART_CODE those of the code do not count. */
bool operand_named_by(const struct judge *j, const struct evidence_item *i, uint32_t word,
                      int parts) {
    for (int part = 0; part < parts; part++) {
        const struct label *l = i->label[part] ? &j->e->labels[i->label[part]] : NULL;
        for (size_t k = 0; l && k < l->count; k++)
            if (j->e->pool[l->first + k] == word)
                return true;
    }
    return false;
}

/* The words of the sentence, read once for each claim: they are asked for with every number. */
static const struct told_words *told_of(const struct judge *j) {
    struct told_words *told = j->told;
    const struct scope *s = &j->scope;
    size_t at = 0, start;
    uint32_t hash;
    if (told->scope == j->scopes)
        return told;
    told->scope = j->scopes;
    told->count = 0;
    while (told->count < TOLD_WORDS &&
           words_next(s->text + s->from, s->to - s->from, &at, &hash, &start)) {
        if (!hash || (at - start < 3 && islower((unsigned char)s->text[s->from + start])))
            continue; /* "kg" speaks of nothing, "S1" does */
        told->list[told->count].hash = word_statistic(hash) ? 0 : hash;
        told->list[told->count].root = scope_root(s->text + s->from + start, at - start);
        told->list[told->count].weekend = hash == word_hash("weekend");
        told->list[told->count++].at = s->from + start;
    }
    return told;
}

long derive_mention_of(const struct judge *j, const struct evidence_item *i, enum part part) {
    const struct label *l = i->label[part] ? &j->e->labels[i->label[part]] : NULL;
    const struct told_words *told = l ? told_of(j) : NULL;
    for (size_t n = 0; told && n < told->count; n++)
        for (size_t k = 0; k < l->count; k++) {
            uint32_t word = j->e->pool[l->first + k];
            if (word == told->list[n].hash || word == told->list[n].root ||
                (told->list[n].weekend && (word == word_hash("sat") || word == word_hash("sun"))))
                return (long)told->list[n].at;
        }
    return -1;
}

/* Where the sentence speaks of the item, by its row if it has one. */
long derive_mention(const struct judge *j, const struct evidence_item *i) {
    long at = derive_mention_of(j, i, PART_ROW);
    if (at < 0)
        at = derive_mention_of(j, i, PART_LINE);
    if (at < 0 && !(i->label[PART_ROW] | i->label[PART_LINE]))
        at = derive_mention_of(j, i, PART_CODE);
    return at;
}

/* Written by one print, beside each other: "yes 12 no 9". */
bool operands_beside(const struct evidence_item *a, const struct evidence_item *b) {
    return !a->table && !b->table && a->cell == b->cell && a->statement &&
           a->statement == b->statement && a->label[PART_ROW] == b->label[PART_ROW] &&
           a->label[PART_LINE] != b->label[PART_LINE];
}

/* What one print wrote at the same place of two lines. */
bool operands_same_place(const struct evidence_item *x, const struct evidence_item *y) {
    return x->cell == y->cell && x->statement && x->statement == y->statement &&
           ((x->label[PART_LINE] && x->label[PART_LINE] == y->label[PART_LINE]) ||
            (x->nth && x->nth == y->nth));
}

static char last_mark(const char *s) {
    size_t n = strlen(s);
    while (n && s[n - 1] == ' ')
        n--;
    return n ? s[n - 1] : 0;
}

bool operands_parallel(const struct evidence_item *x, const struct evidence_item *y) {
    return x->cell == y->cell && !x->table && !y->table && x->several && y->several && x->nth &&
           x->nth == y->nth && x->num.places == y->num.places && x->percent == y->percent &&
           ispunct((unsigned char)last_mark(x->before)) &&
           last_mark(x->before) == last_mark(y->before) &&
           x->after[strspn(x->after, " ")] == y->after[strspn(y->after, " ")];
}

/* What a print shows is often in a frame as well: columns of one name are one. So are the lines that
 * one print writes. */
bool operands_one_column(const struct operand *a, const struct operand *b) {
    const struct evidence_item *x = a->item, *y = b->item;
    if (x && y && !x->table && !y->table)
        return operands_same_place(x, y);
    if (!x || !y || !x->table || !y->table || x->label[PART_COLUMN] != y->label[PART_COLUMN])
        return false;
    if (!x->label[PART_COLUMN] && x->nth && y->nth)
        return x->table == y->table && x->nth == y->nth;
    return x->table == y->table || x->label[PART_COLUMN];
}

bool operands_of_two(const struct judge *j, const struct evidence_item *x) {
    if (x->stream == EVIDENCE_CODE) /* which is not among the others */
        return false;
    const struct operand self = {.item = x};
    size_t at = (size_t)(x - j->e->items), from = at > AROUND_ITEM ? at - AROUND_ITEM : 0, n = 0;
    for (size_t i = from; i < j->e->count && i < at + AROUND_ITEM && n < 3; i++) {
        const struct evidence_item *y = &j->e->items[i];
        n += y->cell == x->cell && y->table == x->table && !y->counted &&
             y->percent == x->percent && operands_one_column(&self, &(struct operand){.item = y});
    }
    return n == 2;
}

/* Is one what the other is not: with rain, and without? */
static bool is_opposite(const struct judge *j, const struct evidence_item *x,
                        const struct evidence_item *o) {
    const struct label *l = o->label[PART_ROW] ? &j->e->labels[o->label[PART_ROW]] : NULL;
    for (size_t k = 0; l && x->label[PART_ROW] && k < l->count; k++)
        if (operand_named_by(j, x, word_not(j->e->pool[l->first + k]), PART_COLUMN))
            return true;
    return false;
}

/* Is it of a column of which the sentence names other rows? */
static bool others_are_named(const struct judge *j, const struct evidence_item *x,
                             const struct operands *named) {
    for (size_t i = 0; i < named->count && !x->table && x->label[PART_ROW] && x->statement; i++) {
        const struct evidence_item *o = named->list[i].item;
        if (o && !o->table && o->cell == x->cell && o->statement == x->statement &&
            o->label[PART_LINE] == x->label[PART_LINE] &&
            o->label[PART_ROW] != x->label[PART_ROW] && derive_mention_of(j, o, PART_ROW) >= 0 &&
            !derive_is_base(j, (size_t)derive_mention_of(j, o, PART_ROW)))
            return derive_mention_of(j, x, PART_ROW) < 0 && !operands_of_two(j, x);
    }
    for (size_t i = 0; i < named->count && x->table && x->label[PART_ROW]; i++) {
        const struct evidence_item *o = named->list[i].item;
        bool column = o && o->table && o->label[PART_COLUMN] == x->label[PART_COLUMN];
        if (column && (o->table == x->table || x->label[PART_COLUMN]) && !is_opposite(j, x, o) &&
            derive_mention_of(j, o, PART_ROW) >= 0)
            return derive_mention_of(j, x, PART_ROW) < 0;
    }
    return false;
}

/* What the sentence names: by its row, if it names rows of this column. */
void operands_named(struct judge *j, struct operands *o) {
    struct operands all = {.count = 0};
    for (size_t k = 0; k < j->rival_count && all.count < MAX_NAMED; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (j->rival_score[k] < 7 || evidence_asserted(j->e, r))
            continue;
        long at = derive_mention(j, r);
        operands_add(&all, (struct operand){r->value, at, KNOWN_NAMED, r, false, false});
    }
    for (size_t k = 0; k < all.count; k++)
        if (!others_are_named(j, all.list[k].item, &all))
            operands_add(o, all.list[k]);
}

static void add_shown(struct judge *j, const struct evidence_item *x, const struct operands *named,
                      struct operands *o) {
    if (others_are_named(j, x, named))
        return;
    if (x->stream == EVIDENCE_STDERR || (x->bulk && x->stream >= EVIDENCE_DATAFRAME) ||
        evidence_asserted(j->e, x))
        return;
    operands_add(o, (struct operand){x->value, -1, KNOWN_SHOWN, x, false, false});
}

/* Everything that was shown, if that is little: what the sentence may speak of first. */
void operands_shown(struct judge *j, const struct operands *named, struct operands *o) {
    if (!ground_spend(j, j->e->count))
        return;
    for (size_t k = 0; k < j->rival_count && k < MAX_OPERANDS / 2; k++)
        add_shown(j, j->rivals[k], named, o);
    for (size_t i = 0; i < j->e->count && o->count < MAX_OPERANDS && i < MANY_SHOWN; i++)
        add_shown(j, evidence_at(j->e, i), named, o);
    for (size_t i = 0; i < j->e->literals.count && o->count < MAX_OPERANDS; i++)
        if (!j->e->literals.list[i].text && j->e->literals.list[i].num.sig > 1)
            operands_add(o,
                         (struct operand){.value = j->e->literals.list[i].num.value, .place = -1});
}

long typed_mention(const struct judge *j, const struct evidence_item *x) {
    long at = derive_mention_of(j, x, PART_ROW);
    at = at < 0 ? derive_mention_of(j, x, PART_COLUMN) : at;
    return at < 0 ? derive_mention_of(j, x, PART_LINE) : at;
}

bool typed_is_data(const struct judge *j, const struct evidence_item *x) {
    return x->table || !x->statement || evidence_used(j->e, x->statement);
}

bool typed_one_column(const struct evidence_item *x, const struct evidence_item *y) {
    return x->table && x->table == y->table && x->label[PART_COLUMN] == y->label[PART_COLUMN] &&
           (x->label[PART_COLUMN] || x->nth == y->nth);
}
