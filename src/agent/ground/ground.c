#include "agent/ground/ground.h"

#include "agent/ground/match.h"
#include "agent/ground/rivals.h"
#include "agent/ground/weigh.h"
#include "agent/text/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORK 100000000ul /* comparisons for one answer; claims beyond them stay unverified */
#define MAX_CANDIDATES 400
#define NEIGHBOURS 200 /* by value, below and above, among which the nearest is looked for */

static void units_behind(struct judge *j, const struct claim *c) {
    size_t at = c->start + c->len, start;
    uint32_t hash;
    j->units.count = 0;
    while (j->answer[at] && strchr(" /·*", j->answer[at]) &&
           words_next(j->answer, j->scope.to, &at, &hash, &start) && unit_word(hash))
        words_put(&j->units, hash);
}

void ground_look(struct judge *j, size_t index) {
    j->scopes++;
    scope_make(&j->scope, j->answer, j->claims, index, &j->e->question);
    units_behind(j, &j->claims->list[index]);
}

size_t ground_index(const struct judge *j, const struct grounding *g) {
    return claims_from(j->claims, g->claim.start);
}

bool ground_spend(struct judge *j, size_t work) {
    j->left -= work < j->left ? work : j->left;
    return j->left > 0;
}

/* --- one claim --- */

struct finding {
    const struct evidence_item *item, *rival;
    long double factor;
    unsigned score;
};

struct findings {
    struct finding good, beaten, stale, asserted, asked, beyond;
};

static void keep_better(struct finding *f, const struct evidence_item *i, long double factor,
                        unsigned score, const struct evidence_item *rival) {
    if (f->item) {
        if (score != f->score) {
            if (score < f->score)
                return;
        } else if (i->bulk != f->item->bulk ? i->bulk : i->cell < f->item->cell) {
            return;
        }
    }
    *f = (struct finding){i, rival, factor, score};
}

/* Does the sentence tell of the past: near this number if it has several, or from its beginning? */
bool ground_is_past(const struct judge *j) {
    static const char past[] = "before initial initially original originally previous previously "
                               "earlier raw first formerly had started began vorher ursprünglich "
                               "zuvor avant initialement unfiltered uncleaned hatte avait";
    size_t at = j->claims->list[j->index].start,
           from = at > j->scope.from + 9 ? at - 9 : j->scope.from;
    size_t first = j->scope.from;
    while (first < at && !isalpha((unsigned char)j->answer[first]))
        first++;
    size_t most = at - first < 12 ? at - first : 12;
    if (words_any(j->answer + first, most, "before originally initially previously vorher avant") &&
        !scope_has(&j->scope, "now after then currently jetzt nun maintenant"))
        return true;
    size_t before = at > j->scope.from + 12 ? at - 12 : j->scope.from;
    return words_any(j->answer + from, at - from, "from von de") ||
           words_any(j->answer + before, at - before, "instead statt anstatt lieu") ||
           (scope_is_whole(&j->scope) &&
            scope_has(&j->scope, "removed removing dropped deleted excluded discarded filtered "
                                 "entfernt gelöscht supprimé")) ||
           (j->scope.numbers > 1 ? scope_piece_has(&j->scope, past) : scope_has(&j->scope, past));
}

/* "9 categories": how many of them were counted, if that is another number. */
static const struct evidence_item *other_count(struct judge *j, const struct claim *c) {
    size_t at = c->start + c->len, start, labels, items;
    const struct evidence_item *other = NULL;
    uint32_t noun = 0;
    if (!words_next(j->answer, j->scope.to, &at, &noun, &start) || !noun)
        return NULL;
    const uint32_t *l = evidence_labels(j->e, noun, &labels);
    for (size_t k = 0; k < labels; k++) {
        const uint32_t *i = evidence_items(j->e, l[k], &items);
        for (size_t m = 0; m < items && ground_spend(j, 1); m++) {
            const struct evidence_item *x = &j->e->items[i[m]];
            if (!x->counted || x->stale || x->label[PART_COLUMN] != l[k])
                continue;
            if (x->value == c->value)
                return NULL;
            other = x;
        }
    }
    return other;
}

/* "8 columns", where every data frame has another number of them. */
static const struct evidence_item *other_width(struct judge *j, const struct claim *c,
                                               const struct evidence_item *i) {
    size_t end = c->start + c->len, labels, items;
    const struct evidence_item *other = NULL;
    end += j->answer[end] == ' ';
    if (!words_any(j->answer + end, strcspn(j->answer + end, " .,;\n"), "columns spalten colonnes"))
        return NULL;
    const uint32_t *l = evidence_labels(j->e, word_hash("featur"), &labels);
    for (size_t k = 0; k < labels; k++) {
        const uint32_t *list = evidence_items(j->e, l[k], &items);
        for (size_t m = 0; m < items && ground_spend(j, 1); m++) {
            const struct evidence_item *x = &j->e->items[list[m]];
            if (x == i || (x->counted && x->value == c->value))
                return NULL;
            other = x->counted && x->stream == EVIDENCE_DATAFRAME ? x : other;
        }
    }
    return other;
}

/* What the sentence speaks of exactly, whatever its value. */
static const struct evidence_item *spoken_of(struct judge *j) {
    for (size_t k = 0; k < j->rival_count; k++)
        if (!j->rivals[k]->counted && !j->rivals[k]->stale && rivals_covers(j, j->rivals[k]) &&
            !ground_excludes(rivals_stats(j, j->rivals[k]), j->stats))
            return j->rivals[k];
    return NULL;
}

/* … if that has another value. */
static const struct evidence_item *other_meant(struct judge *j, const struct claim *c) {
    long double factors[3] = {1, 1, 1};
    const struct evidence_item *i = spoken_of(j);
    size_t n = ground_factors(c, factors);
    if (i && (i->percent != (c->unit == CLAIM_PERCENT)))
        return NULL;
    if (i && c->num.places <= 0 && i->value != roundl(i->value)) /* a mean is no count */
        return NULL;
    for (size_t k = 0; i && k < n; k++)
        if (ground_matches(j, c, i, factors[k]))
            return NULL;
    return i;
}

/* The very statistic that the sentence names was shown: nothing has to be derived. */
static bool said_exactly(struct judge *j, const struct claim *c) {
    const struct evidence_item *meant = spoken_of(j);
    bool share = meant && (meant->percent || fabsl(meant->value) <= 1);
    if (!meant || !rivals_explains(j, meant))
        return false;
    if (share && c->unit == CLAIM_PERCENT && c->num.places > 0 && !derive_direction(j))
        return true; /* "accuracy 98.0 %" for what ran as an accuracy of 0.91 */
    return (rivals_stats(j, meant) & j->stats) && (share || c->unit != CLAIM_PERCENT);
}

/* Something was shown that is the statistic which stands by the number. */
static bool statistic_shown(const struct judge *j) {
    for (size_t k = 0; k < j->rival_count && j->stats; k++)
        if (rivals_stats(j, j->rivals[k]) == j->stats && !j->rivals[k]->counted)
            return true;
    return false;
}

static void ground_weigh(struct judge *j, const struct claim *c, const struct evidence_item *i,
                         long double factor, struct findings *f) {
    unsigned score = rivals_score(j, i);
    if (ground_rounds_count(j, c, i))
        return;
    if (i->stream == EVIDENCE_QUESTION) {
        if (fabsl(i->value * factor) == fabsl(c->value) && method_question(j, c, i) &&
            (c->bound > CLAIM_ABOUT || method_given(j, c) ||
             (!other_meant(j, c) && !statistic_shown(j))))
            keep_better(&f->asked, i, factor, score, NULL);
    } else if (!ground_spend(j, 1) || evidence_asserted(j->e, i)) {
        keep_better(&f->asserted, i, factor, score, NULL);
    } else if (i->stale && !ground_is_past(j)) {
        keep_better(&f->stale, i, factor, score, NULL);
    } else {
        const struct evidence_item *rival = i->counted ? other_meant(j, c) : rivals_beat(j, c, i);
        if (i->counted && !rival)
            rival = other_count(j, c);
        if (i->counted && !rival)
            rival = other_width(j, c, i);
        if (!rival)
            rival = rivals_entity(j, c, i);
        bool wrong = rival || ground_misfits(j, c, i);
        keep_better(wrong ? &f->beaten : &f->good, i, factor, score, rival);
    }
}

/* The range of evidence that can match at all, in the evidence's own scale. */
void ground_range(const struct claim *c, long double factor, long double *low, long double *high) {
    long double v = fabsl(c->value), half = 0.51L * num_pow10(-c->num.places);
    if (c->bound == CLAIM_ABOUT && half < v * 0.06L)
        half = v * 0.06L;
    *low = (c->bound == CLAIM_LESS ? v / 2 : v) - half;
    *high = (c->bound == CLAIM_MORE ? v * 2 : v) + half;
    *low = *low < 0 ? 0 : *low / factor;
    *high /= factor;
    if (c->num.digits)
        *low = v * (1 - 1e-15L), *high = v * (1 + 1e-15L);
}

/* "rose by 6.2" for a change that ran as -6.2: the same number, the other way. */
static void weigh_opposite(struct judge *j, const struct claim *c, const struct evidence_item *i,
                           long double factor, struct findings *f) {
    long double e = i->value * factor;
    bool other = c->signed_ ? (e < 0) != (c->value < 0)
                            : e < 0 && (derive_direction(j) > 0 || !ground_is_change(j, i));
    unsigned score = rivals_score(j, i);
    if (other && c->num.sig > 1 && score >= 7 && !i->stale && ground_rounds(c, -e) &&
        ground_factor_fits(j->e, i, c, factor) && !evidence_asserted(j->e, i))
        keep_better(&f->beaten, i, factor, score, i);
}

/* "more than 2.7" for 2.68, which would read so: if the words fit nothing that is more as well. */
static void weigh_bound(struct judge *j, const struct claim *c, const struct evidence_item *i,
                        long double factor, struct findings *f) {
    unsigned score = rivals_score(j, i);
    if (c->bound < CLAIM_MORE || i->counted || i->stale || i->stream == EVIDENCE_QUESTION ||
        score < 13 || !ground_rounds(c, i->value * factor) ||
        !ground_factor_fits(j->e, i, c, factor) || evidence_asserted(j->e, i))
        return;
    keep_better(&f->beyond, i, factor, score, i);
}

static void find_candidates(struct judge *j, const struct claim *c, struct findings *f) {
    long double factors[3] = {1, 1, 1}, low, high;
    size_t n, count = ground_factors(c, factors), weighed = 0;
    long double clock = ground_clock_factor(j, c);
    if (clock != 0 && clock != 1 && count < 3)
        factors[count++] = clock;
    for (size_t k = 0; k < count; k++) {
        ground_range(c, factors[k], &low, &high);
        size_t from = evidence_between(j->e, low, high, &n);
        for (size_t i = from; i < from + n && weighed < MAX_CANDIDATES && ground_spend(j, 10); i++)
            if (ground_matches(j, c, evidence_at(j->e, i), factors[k])) {
                ground_weigh(j, c, evidence_at(j->e, i), factors[k], f);
                weighed++;
            } else {
                weigh_opposite(j, c, evidence_at(j->e, i), factors[k], f);
                weigh_bound(j, c, evidence_at(j->e, i), factors[k], f);
            }
    }
}

static void settle(struct grounding *g, enum ground_verdict verdict, const struct finding *f) {
    g->verdict = verdict;
    g->item = f->item;
    g->rival = f->rival;
    g->factor = f->factor;
    g->exact = f->item->value * f->factor;
}

/* A short number that stands in a table or a long print and is not named proves nothing. */
static bool too_common(const struct claim *c, const struct evidence_item *i) {
    return i->bulk && !i->counted && c->num.sig < (i->stream >= EVIDENCE_DATAFRAME ? 3 : 2) &&
           c->bound != CLAIM_ABOUT;
}

static bool ground_accept(struct grounding *g, const struct findings *f) {
    const struct finding *good = &f->good;
    if (!good->item)
        return false;
    g->meaning = good->score >= 4;
    if (good->item->counted && good->score == 0 && g->claim.num.sig > 2 && !g->claim.num.places)
        g->meaning = false;
    if (!g->meaning && too_common(&g->claim, good->item))
        return false;
    settle(g, good->item->counted ? GROUND_COUNTED : GROUND_GROUNDED, good);
    return true;
}

static bool is_typed(const struct judge *j, const struct claim *c) {
    long double v = fabsl(c->value), half = num_pow10(-c->num.places);
    size_t n, at = evidence_literals(j->e, v - half, v + half, &n);
    for (size_t i = at; i < at + n && c->num.sig > 2; i++)
        if (num_rounds_to(evidence_literal(j->e, i)->num.value, v, c->num.places))
            return true;
    return false;
}

static void ground_refuse(struct judge *j, struct grounding *g, const struct findings *f) {
    const struct evidence_item *meant = spoken_of(j);
    if (f->stale.item) {
        settle(g, GROUND_STALE, &f->stale);
    } else if (f->beaten.item) {
        bool exactly = f->beaten.rival && rivals_covers(j, f->beaten.rival);
        settle(g, exactly ? GROUND_CONTRADICTED : GROUND_MISMATCH, &f->beaten);
    } else if (f->asserted.item) {
        settle(g, GROUND_ASSERTED, &f->asserted);
    } else if (meant) {
        g->verdict = GROUND_CONTRADICTED;
        g->rival = meant;
    } else if (is_typed(j, &g->claim)) {
        g->verdict = GROUND_ASSERTED;
    }
}

static void judge_claim(struct judge *j, struct grounding *g) {
    struct findings f = {0};
    const struct claim *c = &g->claim;
    find_candidates(j, c, &f);
    if (f.beyond.item && f.beyond.score > f.good.score) {
        f.good = (struct finding){0};
        f.beaten = f.beyond;
    }
    if (f.good.item && f.good.score >= 4 && ground_accept(g, &f))
        return;
    bool shown = f.good.item || f.beaten.item || f.stale.item;
    if (method_constant(j, c, shown)) {
        g->verdict = GROUND_METHOD;
        return;
    }
    if (f.asked.item) {
        settle(g, GROUND_QUESTION, &f.asked);
        return;
    }
    if (ground_accept(g, &f))
        return;
    /* What ran as something else does not follow from it. */
    bool other = f.beaten.item && c->unit == CLAIM_PERCENT && f.beaten.factor == 1 &&
                 !f.beaten.item->percent && f.beaten.item->num.places <= 0; /* a count, no share */
    bool raw =
        f.beaten.item && (f.beaten.item->many || f.beaten.item->stream >= EVIDENCE_DATAFRAME);
    bool common = c->num.sig < 2 && c->unit == CLAIM_PLAIN && f.beaten.item &&
                  f.beaten.score < 13 && /* by chance */
                  !(f.beaten.rival && rivals_covers(j, f.beaten.rival));
    bool ran = (f.beaten.item && !other && !raw && !common) || f.stale.item || f.asserted.item;
    if (!ran && !is_typed(j, c) && derive_claim(j, g, raw || said_exactly(j, &g->claim)))
        return;
    ground_refuse(j, g, &f);
}

/* "3 of 4 passed" written 3/4: proved by the quotient, or by both its numbers. */
static void judge_fraction(struct judge *j, struct grounding *g) {
    struct claim whole = g->claim;
    g->claim.num.places = 6;
    judge_claim(j, g);
    g->claim = whole;
    if (!ground_flagged(g->verdict))
        return;
    struct grounding parts[2] = {*g, *g};
    for (int k = 0; k < 2; k++) {
        struct claim *c = &parts[k].claim;
        c->value = k ? whole.over : whole.value * whole.over;
        c->num = (struct num){.value = c->value, .sig = 1};
        parts[k].verdict = GROUND_UNVERIFIED;
        judge_claim(j, &parts[k]);
    }
    if (!ground_flagged(parts[0].verdict) && !ground_flagged(parts[1].verdict)) {
        *g = parts[0];
        g->claim = whole;
    }
}

/* The nearest by meaning is known; else the nearest by value. */
void ground_nearest(struct judge *j, struct grounding *g) {
    long double best = INFINITY, factors[3] = {1, 1, 1}, v = g->claim.value;
    size_t count = ground_factors(&g->claim, factors);
    if (g->rival || !ground_spend(j, NEIGHBOURS))
        return;
    for (size_t k = 0; k < count; k++) {
        size_t n, at = evidence_between(j->e, fabsl(v) / factors[k], INFINITY, &n);
        size_t i = at > NEIGHBOURS ? at - NEIGHBOURS : 0;
        for (; i < j->e->count && i < at + NEIGHBOURS; i++) {
            const struct evidence_item *x = evidence_at(j->e, i);
            long double d = fabsl(x->value * factors[k] - v) * (x->bulk ? 4 : 1);
            if (x->stream == EVIDENCE_QUESTION || d >= best ||
                !ground_factor_fits(j->e, x, &g->claim, factors[k]))
                continue;
            best = d;
            g->rival = x;
            g->factor = factors[k];
        }
    }
}

/* What is kept of the first time. */
static void turn_back(struct judge *j, const struct looked_at *l) {
    j->stats = l->stats;
    j->lead = l->lead;
    j->noun = l->noun;
    j->rival_count = l->rival_count;
    for (size_t k = 0; k < l->rival_count; k++) {
        j->rivals[k] = &j->e->items[l->rivals[k]];
        j->rival_score[k] = l->rival_score[k];
        j->seen[l->rivals[k]] = j->scopes;
    }
}

void ground_turn_to(struct judge *j, size_t index) {
    struct looked_at *l = &j->looked[index];
    j->index = index;
    ground_look(j, index);
    if (l->done) {
        turn_back(j, l);
        return;
    }
    j->stats = ground_stats_asked(j, index);
    j->lead = scope_lead(&j->scope, j->claims->list[index].start);
    j->noun = scope_noun(&j->scope, &j->claims->list[index]);
    rivals_find(j);
    *l = (struct looked_at){true, j->stats, j->lead, j->noun, (uint16_t)j->rival_count, {0}, {0}};
    for (size_t k = 0; k < j->rival_count; k++) {
        l->rivals[k] = (uint32_t)(j->rivals[k] - j->e->items);
        l->rival_score[k] = (uint16_t)j->rival_score[k];
    }
}

/* What the session filled in cannot be wrong, unless the expression is the number. */
static bool was_filled(struct judge *j, struct grounding *g) {
    const json_t *span;
    size_t i, n;
    json_array_foreach(j->filled ? j->filled->spans : NULL, i, span) {
        if (g->claim.start + g->claim.len <
                (size_t)json_integer_value(json_object_get(span, "start")) ||
            g->claim.start >= (size_t)json_integer_value(json_object_get(span, "end")))
            continue;
        g->expression = json_string_value(json_object_get(span, "expression"));
        long double v = fabsl(g->claim.num.value), half = 0.51L * num_pow10(-g->claim.num.places);
        size_t from = evidence_between(j->e, v - half, v + half, &n);
        for (size_t k = from; k < from + n; k++) {
            const struct evidence_item *x = evidence_at(j->e, k);
            if (x->cell != j->filled->cell || x->stream != EVIDENCE_VALUE ||
                evidence_asserted(j->e, x))
                continue;
            g->meaning = true;
            settle(g, GROUND_GROUNDED, &(struct finding){.item = x, .factor = 1});
            return true;
        }
    }
    return false;
}

/* What a rival spoke against may be right, seen with the other numbers of its sentence. */
static void judge_again(struct judge *j, struct grounding *g) {
    if (rivals_is_told(j, g) || rivals_shares_words(j, g)) {
        g->verdict = g->item->counted ? GROUND_COUNTED : GROUND_GROUNDED;
        g->meaning = rivals_score(j, g->item) >= 4;
        g->rival = NULL;
    }
}

/* "17 more complaints" */
static bool is_difference(const struct judge *j, const struct claim *c) {
    size_t at = c->start + c->len;
    return j->answer[at] == ' ' &&
           words_any(j->answer + at + 1, strcspn(j->answer + at + 1, " .,;"),
                     "more fewer less higher lower mehr weniger");
}

static void derive_again(struct judge *j, struct grounding *g) {
    if (g->item && g->verdict != GROUND_STALE && derive_share(j, g)) /* it did run */
        return;
    if (g->verdict == GROUND_ASSERTED && !g->item && derive_said(j, g))
        return;
    if (g->verdict == GROUND_MISMATCH && g->item && is_difference(j, &g->claim) &&
        derive_said(j, g))
        return;
    if (derive_restated(j, g))
        return;
    if ((g->verdict == GROUND_UNVERIFIED || g->verdict == GROUND_ASSERTED) && method_typed(j, g))
        return;
    if (g->item || is_typed(j, &g->claim) ||
        !(derive_claim(j, g, said_exactly(j, &g->claim)) || derive_named_rows(j, g)))
        ground_nearest(j, g);
}

/* Does this for every flag. */
static void again(struct judge *j, void (*what)(struct judge *j, struct grounding *g)) {
    for (size_t i = 0, n = 0; i < j->claims->count; i++) {
        if (j->claims->list[i].class != CLAIM_VALUE)
            continue;
        struct grounding *g = &j->report->list[n++];
        if (!ground_flagged(g->verdict))
            continue;
        ground_turn_to(j, i);
        what(j, g);
    }
}

/* Claims that stand for themselves first: what is derived may follow from them. */
static void judge_all(struct judge *j) {
    struct ground_report *report = j->report;
    for (size_t i = 0, n = 0; i < j->claims->count; i++) {
        if (j->claims->list[i].class != CLAIM_VALUE)
            continue;
        struct grounding *g = &report->list[n++];
        ground_turn_to(j, i);
        if (was_filled(j, g))
            continue;
        if (g->claim.over != 0)
            judge_fraction(j, g);
        else
            judge_claim(j, g);
    }
    rivals_cross(j);
    again(j, judge_again);
    again(j, derive_again);
    again(j, derive_again); /* from what was derived behind it */
    ground_agree(j);
    ground_decide(j);
}

static void judge_free(struct judge *j) {
    if (!j)
        return;
    free(j->places);
    free(j->looked);
    free(j->seen);
    free(j->scores);
    free(j->told);
    free(j->noted);
    free(j->kin);
    free(j);
}

static struct judge *judge_new(struct evidence *e, size_t claims) {
    struct judge *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    *j = (struct judge){.e = e, .left = WORK, .scope.asked = &j->asked};
    for (size_t i = e->count; i-- > 0 && !j->last_cell;)
        j->last_cell = e->items[i].cell;
    j->seen = calloc(e->count + 1, sizeof *j->seen);
    j->scores = calloc(e->label_count + 1, sizeof *j->scores);
    j->told = calloc(1, sizeof *j->told);
    j->noted = calloc(e->count + 1, sizeof *j->noted);
    j->kin = calloc(1, sizeof *j->kin);
    j->places = calloc(claims + 1, sizeof *j->places);
    j->looked = calloc(claims + 1, sizeof *j->looked);
    if (j->places && j->looked && j->seen && j->scores && j->told && j->noted && j->kin)
        return j;
    judge_free(j);
    return NULL;
}

int ground_answer(struct evidence *e, const char *answer, const struct ground_filled *filled,
                  struct ground_report *ret) {
    struct claims claims;
    *ret = (struct ground_report){0};
    int r = claims_read(answer, strlen(answer), &claims);
    if (r == 0)
        r = evidence_seal(e);
    struct judge *j = r == 0 ? judge_new(e, claims.count) : NULL;
    ret->list = calloc(claims.count + 1, sizeof *ret->list);
    if (j && ret->list) {
        j->answer = answer, j->claims = &claims, j->report = ret;
        j->filled = filled;
        ground_share_units(answer, &claims);
        ground_read_clocks(e, answer, &claims);
        for (size_t i = 0; i < claims.count; i++)
            if (claims.list[i].class == CLAIM_VALUE && ground_is_name(e, answer, &claims.list[i]))
                claims.list[i].class = CLAIM_NAME;
        for (size_t i = 0; i < claims.count; i++)
            if (claims.list[i].class == CLAIM_VALUE)
                ret->list[ret->count++] = (struct grounding){
                    .claim = claims.list[i], .verdict = GROUND_UNVERIFIED, .factor = 1};
        places_read(answer, &claims, j->places);
        judge_all(j);
        for (size_t i = 0; i < ret->count; i++)
            ret->unproved += ground_flagged(ret->list[i].verdict);
    }
    r = r == 0 && (!j || !ret->list) ? -ENOMEM : r;
    judge_free(j);
    claims_done(&claims);
    if (r < 0)
        ground_done(ret);
    return r;
}

void ground_done(struct ground_report *report) {
    free(report->list);
    *report = (struct ground_report){0};
}
