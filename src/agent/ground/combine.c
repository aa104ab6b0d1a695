/* All that follows by one step from the numbers that were shown or told: each result of about the
 * claim's size is weighed, and what reads like the claim is held against all of them. */
#include "agent/ground/combine.h"

#include "agent/ground/match.h"
#include "agent/ground/rivals.h"
#include "agent/text/units.h"
#include "base/list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_ROOM 44
#define AGAIN_ROOM 12 /* numbers that other cells showed before or after */
#define AGAIN_LOOKED 300
#define BASE_HITS 3 /* the best of a number, whose operands others may be computed with */
#define SCORES_ROOM 4096
#define TOTALS_ROOM 6
#define LIKENESS_ROOM 8192 /* a power of two */
#define LIKENESS_NEAR 8    /* numbers before and behind that may follow likewise */
#define MOST_ALIKE 2.0f
#define MOST_BASES 10
#define IDLE 0.01L /* what is less of the other number changes nothing that is worth telling */

/* What an operand may have in common with one of another number. */
enum key { KEY_TOLD, KEY_COLUMN, KEY_SAME, KEYS };

struct combine_operand {
    struct operand o;
    enum source source;
    struct tally tally;
    unsigned stats;
    unsigned others;         /* rows of its column that the sentence names, and not this one */
    uint32_t number;         /* that the answer tells, in the report */
    uint32_t key[KEYS];      /* 0: none */
    int named, column_named; /* its row or line: 2: in the claim's piece, 1: in its sentence */
    bool noun, unit;         /* the claim's noun names it, or one of its units */
};

/* The patterns of the numbers around a claim, by their hashes. */
struct likeness {
    bool any;
    struct {
        uint32_t hash, number;
        float weight;
    } table[LIKENESS_ROOM];
};

/* What a step is done with. */
struct combine_pair {
    const struct combine_operand *a, *b; /* b: NULL for one number */
    struct tally tally;
    enum relation relation;
    bool weighed;
};

/* The best of what reads like the claim. */
struct hit {
    enum step step;
    const struct combine_operand *a, *b;
    float score;
    bool kept;
};

struct combine {
    struct judge *j;
    const struct grounding *g;
    const struct claim *c;
    struct combine_operand list[COMBINE_ROOM];
    size_t count;
    bool asked[STEPS], asked_piece[STEPS];
    struct combined *ret;
    bool small;
    struct likeness *likeness; /* NULL: it is not known yet */
    struct hit hits[PATTERN_HITS];
    size_t hit_count;
    float scores[SCORES_ROOM]; /* of what does not read like the claim */
    size_t score_count;
};

static void combine_term(struct tally *t, int term, float value) {
    tally_add(t, combine_weights, term, value);
}

/* --- patterns --- */

static uint32_t combine_mix(uint32_t a, uint32_t b) {
    uint32_t h = (a ^ (b * 0x85ebca6bu)) * 0x9e3779b1u;
    h ^= h >> 15;
    return h ? h : 1;
}

static uint32_t key_of_value(long double v) {
    double d = (double)v;
    uint32_t part[2];
    memcpy(part, &d, sizeof part);
    return combine_mix(combine_mix(KEY_SAME, part[0]), part[1]);
}

/* What is of one column has one key: see operands_one_column. */
static uint32_t key_of_column(const struct evidence_item *i, enum source source) {
    uint32_t kind =
        combine_mix(KEY_COLUMN, source >= SOURCE_TOTAL && source <= SOURCE_NAMED ? source : 0);
    if (i->table)
        return i->label[PART_COLUMN] ? combine_mix(kind, i->label[PART_COLUMN])
                                     : combine_mix(combine_mix(kind, i->table), 0x10000 + i->nth);
    return combine_mix(combine_mix(kind, i->statement),
                       i->label[PART_LINE] ? i->label[PART_LINE] : 0x10000 + i->nth);
}

static enum likewise alike_of(int a, int b) {
    static const enum likewise kinds[KEYS][KEYS] = {
        {ALIKE_TOLD_TOLD, ALIKE_TOLD_COLUMN, ALIKE_TOLD_SAME},
        {ALIKE_TOLD_COLUMN, ALIKE_COLUMN_COLUMN, ALIKE_COLUMN_SAME},
        {ALIKE_TOLD_SAME, ALIKE_COLUMN_SAME, ALIKES}};
    return kinds[a][b];
}

/* Two numbers of which these are the first and the second key; those of one row are another pattern. */
static uint32_t pattern_hash(enum step step, const struct combine_operand *a, int ka,
                             const struct combine_operand *b, int kb) {
    bool even =
        step == STEP_SUM || step == STEP_PRODUCT || step == STEP_DIFFERENCE || step == STEP_MEAN;
    uint32_t x = a->key[ka], y = b->key[kb];
    const struct evidence_item *p = a->o.item, *q = b->o.item;
    bool row = ka == KEY_COLUMN && kb == KEY_COLUMN && p && q && p->label[PART_ROW] &&
               p->label[PART_ROW] == q->label[PART_ROW];
    return combine_mix(combine_mix(even ? x + y : combine_mix(x, y), step), row);
}

/* All patterns of a combination: the hash and the kind of each. */
static size_t patterns_of(enum step step, const struct combine_operand *a,
                          const struct combine_operand *b, uint32_t *hash, enum likewise *kind) {
    size_t n = 0;
    for (int x = 0; x < KEYS; x++)
        for (int y = 0; y < KEYS && b; y++)
            if (a->key[x] && b->key[y] && alike_of(x, y) != ALIKES) {
                kind[n] = alike_of(x, y);
                hash[n++] = pattern_hash(step, a, x, b, y);
            }
    for (int x = 0; x < KEY_SAME && !b; x++)
        if (a->key[x]) {
            kind[n] = ALIKE_ONE;
            hash[n++] = combine_mix(a->key[x], step);
        }
    return n;
}

static size_t likeness_at(const struct likeness *l, uint32_t hash) {
    size_t at = hash & (LIKENESS_ROOM - 1);
    while (l->table[at].hash && l->table[at].hash != hash)
        at = (at + 1) & (LIKENESS_ROOM - 1);
    return at;
}

/* Numbers of one kind near the claim, which are not the same number once more. */
static bool may_be_alike(const struct combine *s, size_t number) {
    const struct grounding *list = s->j->report->list, *x = &list[number];
    size_t self = (size_t)(s->g - list);
    size_t away = number < self ? self - number : number - self;
    return away && away <= LIKENESS_NEAR && x->claim.unit == s->c->unit &&
           x->claim.value != s->c->value;
}

static void likeness_fill(struct combine *s, const struct patterns *known) {
    size_t n = 0;
    for (size_t i = 0; i < known->count && n < LIKENESS_ROOM / 2; i++) {
        const struct pattern *p = &known->list[i];
        if (!may_be_alike(s, p->number))
            continue;
        size_t at = likeness_at(s->likeness, p->hash);
        n += !s->likeness->table[at].hash;
        if (s->likeness->table[at].hash && s->likeness->table[at].number == p->number)
            continue;
        s->likeness->table[at].hash = p->hash;
        s->likeness->table[at].number = p->number;
        s->likeness->table[at].weight += p->weight;
        s->likeness->any = true;
    }
}

/* How many numbers around follow likewise, in sum of their weights. */
static float combine_weigh_alike(const struct combine *s, struct tally *t, enum step step,
                                 const struct combine_operand *a, const struct combine_operand *b) {
    uint32_t hash[KEYS * KEYS];
    enum likewise kind[KEYS * KEYS];
    float most[ALIKES] = {0}, best = 0;
    if (!s->likeness || !s->likeness->any)
        return 0;
    size_t n = patterns_of(step, a, b, hash, kind);
    for (size_t i = 0; i < n; i++) {
        float w = s->likeness->table[likeness_at(s->likeness, hash[i])].weight;
        w = w > MOST_ALIKE ? MOST_ALIKE : w;
        most[kind[i]] = w > most[kind[i]] ? w : most[kind[i]];
        best = w > best ? w : best;
    }
    for (int k = 0; k < ALIKES; k++)
        if (most[k] > 0)
            combine_term(t, TERM_ALIKE + k, most[k]);
    return best;
}

static void keep_hit(struct combine *s, const struct hit *h) {
    size_t at = s->hit_count;
    if (s->hit_count == PATTERN_HITS) {
        at = 0;
        for (size_t i = 1; i < PATTERN_HITS; i++)
            at = s->hits[i].score < s->hits[at].score ? i : at;
        if (s->hits[at].score >= h->score)
            return;
    } else {
        s->hit_count++;
    }
    s->hits[at] = *h;
}

static bool patterns_put(struct patterns *p, const struct pattern *x) {
    struct pattern *list = list_grow(p->list, p->count, &p->room, sizeof *list);
    if (!list)
        return false;
    p->list = list;
    p->list[p->count++] = *x;
    return true;
}

/* Notes what one of the likeliest ways to compute the claim takes: what was shown, and what is told. */
static void keep_operand(struct combine *s, const struct combine_operand *x, float share,
                         struct patterns *own) {
    uint32_t self = (uint32_t)(s->g - s->j->report->list);
    if (x && x->source <= SOURCE_FAR && x->number != self)
        own->used[x->number] += share;
    if (x && x->o.item && x->source == SOURCE_SHOWN && own->base_count < MAX_BASES)
        own->bases[own->base_count++] = (struct base){x->o.item, self};
}

static void keep_operands(struct combine *s, struct patterns *own) {
    for (int n = 0; n < BASE_HITS; n++) {
        struct hit *best = NULL;
        for (size_t i = 0; i < s->hit_count; i++)
            if (!s->hits[i].kept && (!best || s->hits[i].score > best->score))
                best = &s->hits[i];
        if (!best)
            return;
        best->kept = true;
        float share = (float)(exp((double)best->score) / s->ret->all);
        keep_operand(s, best->a, share, own);
        keep_operand(s, best->b, share, own);
    }
}

double combine_space(const struct claim *c) {
    return 1.5 * fabs((double)c->value) * (double)num_pow10(ground_places(c));
}

/* Notes how the claim may have been computed. */
static void keep_patterns(struct combine *s, double space, struct patterns *own) {
    uint32_t hash[KEYS * KEYS];
    enum likewise kind[KEYS * KEYS];
    struct pattern x = {.number = (uint32_t)(s->g - s->j->report->list)};
    double digits = log10(space + 1) / 3;
    x.weight = digits > 1 ? 1 : (float)digits;
    keep_operands(s, own);
    for (size_t i = 0; i < s->hit_count; i++) {
        size_t n = patterns_of(s->hits[i].step, s->hits[i].a, s->hits[i].b, hash, kind);
        for (size_t k = 0; k < n; k++) {
            x.hash = hash[k];
            if (!patterns_put(own, &x))
                return; /* without memory there is less to compare with */
        }
    }
}

/* --- operands --- */

static void weigh_place(struct combine *s, struct combine_operand *x) {
    static const int piece[] = {TERM_ROW_PIECE, TERM_COLUMN_PIECE, TERM_LINE_PIECE};
    static const int here[] = {TERM_ROW_HERE, TERM_COLUMN_HERE, TERM_LINE_HERE};
    const struct evidence_item *i = x->o.item;
    for (int part = 0; part < PART_CODE; part++) {
        long at = derive_mention_of(s->j, i, (enum part)part);
        if (at >= 0)
            combine_term(&x->tally, derive_in_piece(s->j, at) ? piece[part] : here[part], 1);
        else if (part == PART_ROW && i->label[PART_ROW])
            combine_term(&x->tally, TERM_ROW_OTHER, 1);
    }
    for (int part = 0; part < PART_CODE; part++) {
        long at = derive_mention_of(s->j, i, (enum part)part);
        int *known = part == PART_COLUMN ? &x->column_named : &x->named,
            named = at < 0                      ? 0
                    : derive_in_piece(s->j, at) ? 2
                                                : 1;
        *known = named > *known ? named : *known;
    }
    x->noun = s->j->noun && operand_named_by(s->j, i, s->j->noun, PARTS);
    for (unsigned k = 0; k < s->j->units.count; k++)
        x->unit = x->unit || operand_named_by(s->j, i, s->j->units.hash[k], PARTS);
    combine_term(&x->tally, TERM_BULK, i->bulk);
    combine_term(&x->tally, TERM_COUNTED, i->counted);
    combine_term(&x->tally, TERM_STALE, i->stale);
    if (x->source != SOURCE_ASKED && x->source != SOURCE_TYPED) {
        float fit = (float)rivals_score(s->j, i) / 16;
        combine_term(&x->tally, TERM_FIT, fit > 4 ? 4 : fit);
        combine_term(&x->tally, TERM_ASSERTED, evidence_asserted(s->j->e, i));
        x->stats = rivals_stats(s->j, i);
    }
}

static struct combine_operand *combine_add(struct combine *s, enum source source,
                                           struct operand o) {
    bool year = derive_is_whole(o.value) && o.value >= 1900 && o.value < 2100 &&
                (!o.item || o.item->num.places <= 0);
    if (s->count == COMBINE_ROOM || o.value == 0 || !isfinite(o.value) ||
        (year && source != SOURCE_HERE) || (o.item && o.item->num.digits))
        return NULL;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].o.value == o.value && s->list[i].o.percent == o.percent) {
            if (o.item && !s->list[i].key[KEY_COLUMN])
                s->list[i].key[KEY_COLUMN] = key_of_column(o.item, source);
            return NULL;
        }
    struct combine_operand *x = &s->list[s->count++];
    *x = (struct combine_operand){.o = o, .source = source};
    x->key[KEY_SAME] = key_of_value(o.value);
    x->key[KEY_COLUMN] = o.item ? key_of_column(o.item, source) : 0;
    combine_term(&x->tally, TERM_SOURCE + (int)source, 1);
    if (o.item)
        weigh_place(s, x);
    return x;
}

static void combine_add_number(struct combine *s, size_t n, enum source source) {
    const struct grounding *g = &s->j->report->list[n], *self = s->g;
    bool ran = g->verdict == GROUND_GROUNDED || g->verdict == GROUND_DERIVED;
    struct operand o = {.place = (long)g->claim.start, .by = KNOWN_SAID, .value = g->claim.value};
    o.item = g->verdict == GROUND_GROUNDED ? g->item : NULL;
    o.percent = g->claim.unit == CLAIM_PERCENT;
    if (g == self || operands_circular(s->c, g) || g->claim.num.digits)
        return;
    for (int k = 0; k < 2; k++) {
        if (k == 0 && !ran)
            continue;
        o.value = k == 0 ? g->exact : g->claim.value;
        struct combine_operand *x = combine_add(s, source, o);
        if (!x)
            continue;
        x->number = (uint32_t)n;
        x->key[KEY_TOLD] = combine_mix(KEY_TOLD, (uint32_t)(g - self));
        combine_term(&x->tally, TERM_FLAGGED, ground_flagged(g->verdict));
        combine_term(&x->tally, TERM_ADJACENT, g == self - 1 || g == self + 1);
        combine_term(&x->tally, TERM_PIECE, derive_in_piece(s->j, o.place));
    }
}

static void combine_add_told(struct combine *s) {
    const struct scope *scope = &s->j->scope;
    size_t from = scope->from, to = scope->to, end;
    if (from > 2)
        sentence_at(s->j->answer, from - 2, &from, &end);
    if (s->j->answer[to] && s->j->answer[to + 1] && s->j->answer[to + 2])
        sentence_at(s->j->answer, to + 2, &end, &to);
    for (int source = SOURCE_HERE; source <= SOURCE_FAR; source++)
        for (size_t i = 0; i < s->j->report->count && s->count < COMBINE_ROOM / 2; i++) {
            size_t at = s->j->report->list[i].claim.start;
            enum source own = at >= scope->from && at < scope->to ? SOURCE_HERE
                              : at >= from && at < to             ? SOURCE_NEAR
                                                                  : SOURCE_FAR;
            if (own == (enum source)source && (own != SOURCE_FAR || s->j->report->count < 40))
                combine_add_number(s, i, own);
        }
}

static void combine_add_item(struct combine *s, const struct evidence_item *i, enum source source) {
    if (i->stream == EVIDENCE_QUESTION || i->stream == EVIDENCE_STDERR)
        return;
    combine_add(
        s, source,
        (struct operand){i->value, derive_mention(s->j, i), KNOWN_NAMED, i, false, i->percent});
}

/* --- columns --- */

static size_t rows_beyond(const struct judge *j, const struct derive_column *c, long double limit,
                          bool more) {
    size_t n = 0;
    for (size_t i = 0; i < j->e->count; i++) {
        const struct evidence_item *x = &j->e->items[i];
        if (x->table == c->table && !x->counted && x->label[PART_COLUMN] == c->label &&
            !(x->label[PART_ROW] && j->e->labels[x->label[PART_ROW]].stats))
            n += more ? x->value > limit : x->value < limit;
    }
    return n;
}

static void combine_add_rows(struct combine *s, const struct derive_column *c) {
    struct judge *j = s->j;
    if (!c->table || s->c->unit != CLAIM_PLAIN || s->c->num.places > 0)
        return;
    struct operand o = {.place = -1, .item = c->like};
    for (int more = 0; more < 2 && c->low < 0 && c->high > 0; more++) {
        o.value = (long double)rows_beyond(j, c, 0, more);
        combine_add(s, SOURCE_ROWS, o);
    }
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *l = &j->claims->list[i];
        if (i == j->index || l->class != CLAIM_VALUE || l->start < j->scope.from ||
            l->start >= j->scope.to || l->value < c->low || l->value > c->high)
            continue;
        for (int more = 0; more < 2; more++) {
            if (l->bound == CLAIM_MORE ? !more : l->bound == CLAIM_LESS ? more : false)
                continue;
            o.value = (long double)rows_beyond(j, c, l->value, more);
            combine_add(s, SOURCE_ROWS, o);
        }
    }
}

/* From the first row that the sentence names to the last: "June to August". */
static void combine_add_span(struct combine *s, const struct derive_column *c,
                             const struct evidence_item *first, const struct evidence_item *last,
                             size_t named) {
    long double sum = 0;
    size_t n = 0;
    for (const struct evidence_item *x = first; x <= last; x++) {
        if (x->table != c->table || x->counted ||
            !operands_one_column(&(struct operand){.item = c->like}, &(struct operand){.item = x}))
            continue;
        sum += x->value;
        n++;
    }
    struct operand o = {sum, -1, KNOWN_SHOWN, c->like, true, c->like->percent};
    if (n <= named || n >= c->count)
        return;
    combine_add(s, SOURCE_NAMED, o);
    o.value = sum / (long double)n;
    combine_add(s, SOURCE_NAMED, o);
}

static void combine_add_named(struct combine *s, const struct derive_column *c) {
    struct judge *j = s->j;
    long double sum = 0;
    size_t n = 0;
    const struct evidence_item *first = NULL, *last = NULL;
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (r->counted || r->table != c->table || r->percent != c->like->percent ||
            !operands_one_column(&(struct operand){.item = c->like},
                                 &(struct operand){.item = r}) ||
            derive_mention_of(j, r, PART_ROW) < 0)
            continue;
        sum += r->value;
        n++;
        first = !first || r < first ? r : first;
        last = !last || r > last ? r : last;
    }
    if (n < 2 || n >= c->count)
        return;
    struct operand o = {sum, -1, KNOWN_SHOWN, c->like, true, c->like->percent};
    combine_add(s, SOURCE_NAMED, o);
    if (n > 2) {
        o.value = sum / (long double)n;
        combine_add(s, SOURCE_NAMED, o);
    }
    combine_add_span(s, c, first, last, n);
}

static void combine_add_column(struct combine *s, const struct evidence_item *x) {
    struct judge *j = s->j;
    if (!(x->table || x->statement) || j->e->count > MANY_ITEMS || x->counted ||
        !ground_spend(j, j->e->count))
        return;
    struct derive_column c = derive_column_of(j, x);
    if (c.count < 2 || (x->stream == EVIDENCE_DATAFRAME && c.rows != c.count))
        return;
    struct operand o = {c.sum, -1, KNOWN_SHOWN, x, true, x->percent};
    combine_add(s, SOURCE_TOTAL, o);
    o.value = c.sum / (long double)c.count;
    combine_add(s, SOURCE_MEAN, o);
    o.value = c.high - c.low;
    combine_add(s, SOURCE_RANGE, o);
    combine_add_named(s, &c);
    combine_add_rows(s, &c);
}

static void combine_add_columns(struct combine *s) {
    const struct evidence_item *done[TOTALS_ROOM];
    size_t n = 0;
    for (size_t k = 0; k < s->j->rival_count && n < TOTALS_ROOM; k++) {
        const struct evidence_item *r = s->j->rivals[k];
        bool known = r->counted || r->stale;
        for (size_t i = 0; i < n && !known; i++)
            known = operands_one_column(&(struct operand){.item = done[i]},
                                        &(struct operand){.item = r});
        if (known)
            continue;
        done[n++] = r;
        combine_add_column(s, r);
    }
}

static void combine_add_given(struct combine *s) {
    struct judge *j = s->j;
    for (size_t i = 0; i < j->e->asked.count && i < 8; i++) {
        const struct evidence_item *x = &j->e->items[j->e->asked.list[i]];
        combine_add(s, SOURCE_ASKED,
                    (struct operand){x->value, -1, KNOWN_SHOWN, x, false, x->percent});
    }
    size_t n = 0;
    for (size_t i = 0; i < j->e->typed.count && n < 8 && ground_spend(j, 1); i++) {
        const struct evidence_item *x = &j->e->typed.list[i];
        long at = typed_is_data(j, x) ? typed_mention(j, x) : -1;
        if (at < 0 || (x->label[PART_ROW] && derive_mention_of(j, x, PART_ROW) < 0))
            continue;
        n += combine_add(s, SOURCE_TYPED,
                         (struct operand){x->value, at, KNOWN_NAMED, x, false, false}) != NULL;
    }
}

static bool combine_shown_again(const struct evidence_item *x, const struct evidence_item *y) {
    return x->cell != y->cell && x->label[PART_ROW] == y->label[PART_ROW] &&
           x->label[PART_COLUMN] == y->label[PART_COLUMN] &&
           x->label[PART_LINE] == y->label[PART_LINE] &&
           (x->label[PART_ROW] | x->label[PART_COLUMN] | x->label[PART_LINE]);
}

/* What another cell showed of the same thing: the mean before and after a row was dropped. */
static void combine_add_again(struct combine *s) {
    struct judge *j = s->j;
    size_t count = s->count, added = 0;
    for (size_t i = 0; i < count && added < AGAIN_ROOM; i++) {
        const struct evidence_item *x = s->list[i].o.item;
        if (!x || s->list[i].source > SOURCE_SHOWN || !ground_spend(j, AGAIN_LOOKED))
            continue;
        uint32_t label = x->label[PART_LINE]  ? x->label[PART_LINE]
                         : x->label[PART_ROW] ? x->label[PART_ROW]
                                              : x->label[PART_COLUMN];
        size_t n;
        const uint32_t *items = label ? evidence_items(j->e, label, &n) : NULL;
        for (size_t k = 0; items && k < n && k < AGAIN_LOOKED && added < AGAIN_ROOM; k++) {
            const struct evidence_item *y = &j->e->items[items[k]];
            size_t before = s->count;
            if (combine_shown_again(x, y) && y->counted == x->counted)
                combine_add_item(s, y, SOURCE_SHOWN);
            added += s->count > before;
        }
    }
}

/* What numbers around the claim were computed with: "a third of the 8,682 (29.8 %), … (10.0 %)". */
static void combine_add_bases(struct combine *s, const struct patterns *known) {
    size_t self = (size_t)(s->g - s->j->report->list), n = 0;
    for (size_t i = 0; known && i < known->base_count && n < MOST_BASES; i++) {
        size_t at = known->bases[i].number, count = s->count;
        if (at == self || (at < self ? self - at : at - self) > LIKENESS_NEAR)
            continue;
        combine_add_item(s, known->bases[i].item, SOURCE_BASE);
        n += s->count > count;
    }
}

static void combine_add_all(struct combine *s, const struct patterns *known) {
    struct judge *j = s->j;
    combine_add_told(s);
    combine_add_bases(s, known);
    size_t told = s->count;
    for (size_t k = 0; k < j->rival_count && s->count < told + SHOWN_ROOM - 12; k++)
        if (derive_mention(j, j->rivals[k]) >= 0)
            combine_add_item(s, j->rivals[k], SOURCE_SHOWN);
    for (size_t k = 0; k < j->rival_count && s->count < told + SHOWN_ROOM - 6; k++)
        combine_add_item(s, j->rivals[k], SOURCE_SHOWN);
    for (size_t i = 0; i < j->e->count && i < 2000 && s->count < told + SHOWN_ROOM; i++)
        if (!j->e->items[i].bulk && !j->e->items[i].stale)
            combine_add_item(s, &j->e->items[i], SOURCE_SHOWN);
    combine_add_again(s);
    combine_add_given(s);
    combine_add_columns(s);
}

/* How many other rows of its column does the sentence name? */
static void weigh_others(struct combine *s) {
    for (size_t i = 0; i < s->count; i++) {
        struct combine_operand *x = &s->list[i];
        if (x->source != SOURCE_SHOWN || derive_mention_of(s->j, x->o.item, PART_ROW) >= 0)
            continue;
        for (size_t k = 0; k < s->count; k++) {
            const struct combine_operand *y = &s->list[k];
            x->others += y->o.item && y->source <= SOURCE_SHOWN &&
                         operands_one_column(&x->o, &y->o) &&
                         derive_mention_of(s->j, y->o.item, PART_ROW) >= 0;
        }
        combine_term(&x->tally, TERM_OTHERS_NAMED, x->others > 0);
    }
}

/* --- results --- */

static bool combine_is_share(const struct operand *o) {
    return o->percent || (o->item && o->item->percent);
}

static bool combine_is_fraction(const struct operand *o) {
    return !combine_is_share(o) && fabsl(o->value) <= 1 && !derive_is_whole(o->value);
}

static long double step_value(const struct combine *s, enum step step, const struct operand *a,
                              const struct operand *b) {
    bool percent = s->c->unit == CLAIM_PERCENT, share = combine_is_share(a) && combine_is_share(b),
         fraction = combine_is_fraction(a) && combine_is_fraction(b);
    long double x = a->value, y = b->value, points = percent && fraction ? 100 : 1;
    switch (step) {
    case STEP_DIFFERENCE: return percent && !share && !fraction ? NAN : points * (x - y);
    case STEP_SUM: return percent && !share && !fraction ? NAN : points * (x + y);
    case STEP_MEAN: return percent && !share && !fraction ? NAN : points * (x + y) / 2;
    case STEP_CHANGE: return percent && y != 0 ? 100 * (x - y) / fabsl(y) : NAN;
    case STEP_SHARE: return percent && y != 0 ? 100 * x / y : NAN;
    case STEP_RATIO:
        if (percent || derive_is_power(fabsl(y)))
            return NAN;
        return combine_is_share(b) && !combine_is_share(a) ? 100 * x / y : x / y;
    case STEP_PRODUCT:
        if (percent || derive_is_power(fabsl(x)) || derive_is_power(fabsl(y)))
            return NAN;
        return x * y / (combine_is_share(a) != combine_is_share(b) ? 100 : 1);
    case STEP_NONE: return points * x;
    default: return NAN;
    }
}

static unsigned combine_stat(unsigned s) {
    return s & (STAT_MEAN | STAT_MEDIAN | STAT_STD | STAT_STDERR | STAT_VAR | STAT_MIN | STAT_MAX |
                STAT_Q1 | STAT_Q3);
}

static enum relation relation_of(const struct combine_operand *a, const struct combine_operand *b) {
    const struct evidence_item *x = a->o.item, *y = b->o.item;
    if (!x || !y)
        return a->o.by == KNOWN_SAID && b->o.by == KNOWN_SAID ? RELATION_TOLD : RELATION_NONE;
    if (combine_shown_again(x, y))
        return RELATION_AGAIN;
    if (operands_one_column(&a->o, &b->o))
        return RELATION_COLUMN;
    bool table = x->table && x->table == y->table;
    if (table)
        return x->label[PART_ROW] == y->label[PART_ROW] ? RELATION_ROW : RELATION_TABLE;
    if (operands_beside(x, y))
        return RELATION_BESIDE;
    return x->cell == y->cell ? RELATION_CELL : RELATION_OTHER_CELL;
}

static enum naming naming_between(const struct combine_operand *a, const struct combine_operand *b,
                                  enum relation relation) {
    bool row = relation == RELATION_ROW; /* then their columns tell them apart */
    int x = row ? a->column_named : a->named, y = row ? b->column_named : b->named;
    int here = (x > 1) + (y > 1), sentence = (x > 0) + (y > 0);
    if (here)
        return here > 1 ? NAMING_BOTH_HERE : NAMING_ONE_HERE;
    return sentence > 1 ? NAMING_BOTH : sentence ? NAMING_ONE : NAMING_NONE;
}

/* What speaks for this step with these two, who stand to each other so. */
static void weigh_together(const struct combine *s, struct tally *t, int step,
                           const struct combine_pair *p) {
    const struct combine_operand *a = p->a, *b = p->b;
    int told = (a->o.by == KNOWN_SAID) + (b->o.by == KNOWN_SAID), noun = a->noun + b->noun,
        unit = a->unit + b->unit;
    combine_term(t, TERM_RELATION + step * RELATIONS + (int)p->relation, 1);
    combine_term(t, TERM_NAMING + step * NAMINGS + (int)naming_between(a, b, p->relation), 1);
    combine_term(t, TERM_TOLD + step * 3 + told, 1);
    combine_term(t, TERM_POINTS + step, s->c->unit == CLAIM_PERCENT);
    if (noun)
        combine_term(t, TERM_NOUN + step * 2 + noun - 1, 1);
    if (unit)
        combine_term(t, TERM_UNIT + step * 2 + unit - 1, 1);
}

static void weigh_relation(struct combine *s, struct combine_pair *p) {
    const struct combine_operand *a = p->a, *b = p->b;
    struct tally *t = &p->tally;
    const struct evidence_item *x = a->o.item, *y = b->o.item;
    bool told = a->o.by == KNOWN_SAID, told2 = b->o.by == KNOWN_SAID;
    if (told || told2)
        combine_term(t, told && told2 ? TERM_BOTH_TOLD : TERM_ONE_TOLD, 1);
    if (p->weighed)
        return;
    p->weighed = true;
    p->relation = relation_of(a, b);
    if (p->relation == RELATION_AGAIN)
        combine_term(t, TERM_AGAIN, 1);
    else if (x && y)
        combine_term(t, TERM_SAME_COLUMN + (int)p->relation, 1);
    unsigned first = combine_stat(a->stats), second = combine_stat(b->stats);
    combine_term(t, TERM_MIXED_STATS, first != second);
    unsigned asked = combine_stat(s->j->stats);
    combine_term(t, TERM_STAT_ASKED, asked && (((first | second) & asked) != 0));
    combine_term(t, TERM_STAT_OTHER, asked && (first | second) && !((first | second) & asked));
    combine_term(t, TERM_MIXED_SHARE,
                 combine_is_share(&a->o) != combine_is_share(&b->o) ||
                     combine_is_fraction(&a->o) != combine_is_fraction(&b->o));
}

static bool combine_has_places(const struct operand *o) {
    return o->item ? o->item->num.places > 0 : !derive_is_whole(o->value);
}

static void weigh_step(struct combine *s, struct tally *t, enum step step,
                       const struct combine_pair *p, long double value) {
    const struct combine_operand *a = p->a, *b = p->b;
    combine_term(t, TERM_STEP + (int)step, 1);
    if (s->asked_piece[step])
        combine_term(t, TERM_ASKED_PIECE + (int)step, 1);
    else if (s->asked[step])
        combine_term(t, TERM_ASKED + (int)step, 1);
    combine_term(t, TERM_NOT_WHOLE, s->small && !derive_is_whole(value));
    if (!b)
        return;
    weigh_together(s, t, (int)step, p);
    long double x = fabsl(a->o.value), y = fabsl(b->o.value);
    bool part = step == STEP_SHARE || step == STEP_RATIO;
    if (step != STEP_RATIO && step != STEP_PRODUCT)
        combine_term(t, TERM_MIXED_PLACES, combine_has_places(&a->o) != combine_has_places(&b->o));
    if (step == STEP_SHARE) {
        combine_term(t, TERM_SHARE_OF_SHARE, combine_is_share(&a->o) || combine_is_share(&b->o));
        combine_term(t, TERM_OVER_WHOLE, x > y);
    }
    if (b->source == SOURCE_TOTAL && part && a->o.item)
        combine_term(t, operands_one_column(&a->o, &b->o) ? TERM_WHOLE : TERM_OTHER_WHOLE, 1);
    combine_term(t, TERM_BELOW_ONE, step == STEP_RATIO && x < y);
    if (step == STEP_DIFFERENCE || step == STEP_CHANGE || step == STEP_SUM || step == STEP_MEAN)
        combine_term(t, TERM_UNEQUAL_SIZE, x > 20 * y || y > 20 * x);
    combine_term(t, TERM_COUNT_RATIO,
                 step == STEP_RATIO && !combine_has_places(&a->o) && !combine_has_places(&b->o));
}

static bool combine_is_idle(const struct claim *c, enum step step, const struct operand *a,
                            const struct operand *b) {
    if (step == STEP_SHARE || step == STEP_CHANGE || !b)
        return false;
    long double x = fabsl(a->value), y = fabsl(b->value), small = x < y ? x : y;
    if ((step == STEP_SUM || step == STEP_DIFFERENCE) && small < IDLE * (x + y) &&
        (a->by != KNOWN_SAID || b->by != KNOWN_SAID))
        return true; /* 215,015.51 is no other number than 215,016.78 */
    return derive_fits(c, a->value) || (step != STEP_RATIO && derive_fits(c, b->value));
}

/* "The spread is 7,000 in Sales": two numbers of another row do not give it. */
static bool combine_other_row(const struct combine *s, const struct combination *c) {
    const struct evidence_item *x = c->a->item, *y = c->b ? c->b->item : NULL;
    return x && y && x->table && x->table == y->table && x->label[PART_ROW] == y->label[PART_ROW] &&
           c->a->by != KNOWN_SAID && c->b->by != KNOWN_SAID && derive_told_elsewhere(s->j, x);
}

/* Does it go the way that the words say, and is a share of a saving one of what was before? */
static bool combine_holds(struct combine *s, enum step step, const struct combination *c) {
    int up = s->c->signed_ || step == STEP_DIFFERENCE ? 0 : derive_direction(s->j);
    bool change = c->a->item && ground_is_change(s->j, c->a->item);
    if ((up > 0 && c->value < 0) || (up < 0 && c->value > 0 && change && step == STEP_SHARE))
        return false; /* "gained 5.3 %" for -4462 / 84112 */
    if (combine_other_row(s, c))
        return false;
    if (step == STEP_SHARE)
        return !derive_wrong_base(s->j, s->c, c->a, c->b);
    return step > STEP_CHANGE ||
           derive_direction_holds(s->j, s->c, (enum operation)step, c->a, c->b) ||
           (step == STEP_DIFFERENCE && derive_direction_holds(s->j, s->c, DIFFERENCE, c->b, c->a));
}

/* What trees are told of the best. */
static void combine_tell(const struct combine *s, const struct combine_pair *p,
                         struct combination *c) {
    const struct combine_operand *a = p->a, *b = p->b ? p->b : p->a;
    c->relation = p->b ? p->relation : RELATION_NONE;
    c->naming = naming_between(a, b, c->relation);
    c->told = (unsigned)((a->o.by == KNOWN_SAID) + (b->o.by == KNOWN_SAID));
    c->asked = s->asked_piece[c->step] ? 2 : s->asked[c->step];
    c->sought = (unsigned)((a->noun || a->unit) + (b->noun || b->unit));
    c->from[0] = a->source < b->source ? a->source : b->source;
    c->from[1] = a->source < b->source ? b->source : a->source;
    c->fit = a->tally.sum < b->tally.sum ? a->tally.sum : b->tally.sum;
}

/* One more result: it counts if it has about the claim's size. */
static void combine_offer(struct combine *s, enum step step, struct combine_pair *p,
                          long double value) {
    const struct combine_operand *a = p->a, *b = p->b;
    long double v = fabsl(s->c->value);
    if (!isfinite(value) || fabsl(value) < v / 2 || fabsl(value) > 2 * v)
        return;
    if (b)
        weigh_relation(s, p);
    struct combination c = {.step = step, .a = &a->o, .b = b ? &b->o : NULL, .value = value};
    c.tally = p->tally;
    weigh_step(s, &c.tally, step, p, value);
    combine_tell(s, p, &c);
    float alike = combine_weigh_alike(s, &c.tally, step, a, b);
    double weight = exp((double)c.tally.sum);
    bool fits = derive_fits(s->c, value) && !combine_is_idle(s->c, step, c.a, c.b);
    s->ret->all += weight;
    s->ret->tried++;
#ifdef GROUND_WATCH
    if (s->likeness)
        combine_watch(&c, fits);
#endif
    float *others = &s->ret->alike_others;
    *others = !fits && alike > *others ? alike : *others;
    if (!fits) {
        s->ret->others = c.tally.sum > s->ret->others ? c.tally.sum : s->ret->others;
        if (s->score_count < SCORES_ROOM)
            s->scores[s->score_count++] = c.tally.sum;
        return;
    }
    bool holds = combine_holds(s, step, &c);
    s->ret->hits++;
    *(holds ? &s->ret->match : &s->ret->other) += weight;
    if (holds && !s->likeness)
        keep_hit(s, &(struct hit){step, a, b, c.tally.sum, false});
    s->ret->alike = holds && alike > s->ret->alike ? alike : s->ret->alike;
    if (!holds || (s->ret->found && c.tally.sum <= s->ret->best.tally.sum))
        return;
    s->ret->best = c;
    s->ret->found = true;
}

/* A mean and a deviation have no difference and no sum; and of a column of which the sentence names two
 * rows, these are compared. */
static bool combine_allows(enum step step, const struct combine_operand *a,
                           const struct combine_operand *b) {
    unsigned spread = STAT_STD | STAT_STDERR | STAT_VAR;
    bool adds =
        step == STEP_DIFFERENCE || step == STEP_SUM || step == STEP_MEAN || step == STEP_CHANGE;
    if (!a->o.item || !b->o.item)
        return true;
    if ((a->others > 1 || b->others > 1) && (adds || step == STEP_RATIO) &&
        operands_one_column(&a->o, &b->o))
        return false;
    return !adds || (a->stats & spread) == (b->stats & spread);
}

static void combine_pairs(struct combine *s) {
    for (size_t b = 0; b < s->count; b++)
        for (size_t a = 0; a < s->count; a++) {
            const struct combine_operand *x = &s->list[a], *y = &s->list[b];
            if (a == b || x->source == SOURCE_ROWS || y->source == SOURCE_ROWS ||
                x->source == SOURCE_RANGE || y->source == SOURCE_RANGE)
                continue;
            struct combine_pair pair = {.a = x, .b = y, .tally = x->tally};
            tally_join(&pair.tally, &y->tally);
            for (int step = 0; step < STEP_NONE; step++) {
                bool even = step == STEP_SUM || step == STEP_PRODUCT || step == STEP_DIFFERENCE ||
                            step == STEP_MEAN;
                if ((even && a > b) || !combine_allows((enum step)step, x, y))
                    continue;
                combine_offer(s, (enum step)step, &pair,
                              step_value(s, (enum step)step, &x->o, &y->o));
            }
        }
}

static void combine_singles(struct combine *s) {
    bool percent = s->c->unit == CLAIM_PERCENT;
    for (size_t i = 0; i < s->count; i++) {
        const struct combine_operand *x = &s->list[i];
        struct combine_pair one = {.a = x, .tally = x->tally};
        if (x->source >= SOURCE_TOTAL && x->source <= SOURCE_NAMED)
            combine_offer(s, STEP_NONE, &one, step_value(s, STEP_NONE, &x->o, &x->o));
        if (percent && (combine_is_share(&x->o) || combine_is_fraction(&x->o)))
            combine_offer(s, STEP_REST, &one,
                          100 - (combine_is_share(&x->o) ? 1 : 100) * x->o.value);
        for (size_t k = 0; k < conversion_count && !percent; k++) {
            const struct conversion *u = &conversions[k];
            if (scope_piece_has(&s->j->scope, u->large) && derive_in_unit(s->j, &x->o, u->small))
                combine_offer(s, STEP_UNIT, &one, x->o.value / u->factor);
            if (scope_piece_has(&s->j->scope, u->small) && derive_in_unit(s->j, &x->o, u->large))
                combine_offer(s, STEP_UNIT, &one, x->o.value * u->factor);
        }
    }
}

static void combine_ask(struct combine *s) {
    struct scope *scope = &s->j->scope;
    size_t from = scope->from, to = scope->to;
    for (int k = 0; k < OPERATIONS; k++)
        s->asked[k] = derive_asked_for(s->j, (enum operation)k, s->c);
    s->asked[STEP_REST] = scope_has(scope, "remaining rest other others without not remainder "
                                           "übrigen restlichen reste autres missed failed "
                                           "abandoned unsold unpaid empty lost rejected unused "
                                           "never misses miss missing wrong undetected outside "
                                           "incorrectly misclassified");
    s->asked[STEP_NONE] = s->asked[STEP_SUM] || s->asked[STEP_MEAN];
    struct scope_asked none = {.count = 0}, *known = scope->asked;
    scope->asked = &none;
    scope->from = scope->piece_from;
    scope->to = scope->piece_to;
    for (int k = 0; k < OPERATIONS; k++)
        s->asked_piece[k] = derive_asked_for(s->j, (enum operation)k, s->c);
    scope->from = from;
    scope->to = to;
    scope->asked = known;
}

static void combine_free(struct combine *s) {
    if (s)
        free(s->likeness);
    free(s);
}

static struct combine *combine_new(struct judge *j, const struct grounding *g, bool likeness) {
    struct combine *s = calloc(1, sizeof *s);
    if (s && likeness)
        s->likeness = calloc(1, sizeof *s->likeness);
    if (!s || (likeness && !s->likeness)) {
        combine_free(s);
        return NULL;
    }
    s->j = j, s->g = g, s->c = &g->claim;
    s->small = derive_is_small(s->c);
    return s;
}

bool combine_claim(struct judge *j, const struct grounding *g, const struct patterns *known,
                   struct patterns *own, struct combined *ret) {
    const struct claim *c = &g->claim;
    *ret = (struct combined){.others = -20};
    if (c->num.digits || c->value == 0 || !ground_spend(j, COMBINE_ROOM * COMBINE_ROOM))
        return false;
    struct combine *s = combine_new(j, g, known);
    if (!s)
        return false;
    s->ret = ret;
    if (known)
        likeness_fill(s, known);
    combine_ask(s);
    combine_add_all(s, known);
    weigh_others(s);
    combine_pairs(s);
    combine_singles(s);
    if (ret->found) {
        ret->from[0] = *ret->best.a;
        ret->from[1] = ret->best.b ? *ret->best.b : (struct operand){.value = 0};
        for (size_t i = 0; i < s->score_count; i++)
            ret->passing += s->scores[i] >= ret->best.tally.sum;
    }
    if (own)
        keep_patterns(s, combine_space(c), own);
    combine_free(s);
    return ret->found;
}
