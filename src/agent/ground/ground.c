#include "agent/ground/ground.h"

#include "agent/ground/rivals.h"
#include "agent/ground/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORK 100000000ul /* comparisons for one answer; claims beyond them stay unverified */
#define MAX_CANDIDATES 400
#define FEW_LABELLED 64 /* numbers of a label by which is seen what it names */
#define NEIGHBOURS 200  /* by value, below and above, among which the nearest is looked for */

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

bool ground_spend(struct judge *j, size_t work) {
    j->left -= work < j->left ? work : j->left;
    return j->left > 0;
}

/* --- does the number match --- */

size_t ground_factors(const struct claim *c, long double *out) {
    out[0] = 1;
    if (c->scale > 0 &&
        c->unit == CLAIM_PLAIN) { /* the table may be in millions, or in thousands */
        out[1] = num_pow10(c->scale);
        out[2] = num_pow10(c->scale - 3);
        return c->scale > 3 ? 3 : 2;
    }
    if (c->unit == CLAIM_PERCENT)
        out[1] = 100;
    if (c->unit == CLAIM_BASIS_POINTS)
        out[1] = 100, out[2] = 10000;
    return c->unit == CLAIM_PLAIN ? 1 : c->unit == CLAIM_PERCENT ? 2 : 3;
}

static bool has_label(const struct evidence *e, const struct evidence_item *i, const char *word) {
    uint32_t hash = word_hash(word);
    for (int part = 0; part < PARTS; part++) {
        const struct label *l = i->label[part] ? &e->labels[i->label[part]] : NULL;
        for (size_t k = 0; l && k < l->count; k++)
            if (e->pool[l->first + k] == hash)
                return true;
    }
    return false;
}

#define SCALE_WORDS 5

static const char *const *scale_words(int scale) {
    static const char *const words[][SCALE_WORDS] = {
        {"thousand", "k", "tsd", "millier", "thousands"},
        {"million", "mio", "mal", "mn", "m"}, /* M is read as male */
        {"billion", "bn", "mrd", "milliard", "b"}};
    return scale > 0 && scale % 3 == 0 && scale <= 9 ? words[scale / 3 - 1] : NULL;
}

bool ground_tells_scale(const struct evidence *e, int scale) {
    const char *const *words = scale_words(scale);
    for (int k = 0; words && k < SCALE_WORDS; k++) {
        size_t labels;
        evidence_labels(e, word_hash(words[k]), &labels);
        if (words_hold(&e->question, word_hash(words[k])) ||
            (labels && strlen(words[k]) > 1 && strcmp(words[k], "mal") != 0))
            return true;
    }
    return false;
}

/* Does what names the number, or stands behind it, say so? */
static bool has_scale(const struct evidence *e, const struct evidence_item *i, int scale) {
    const char *const *words = scale_words(scale);
    struct evidence_item own = *i;
    size_t n = strcspn(i->after, " ,;)\n") ? 0 : 1;
    size_t len = i->after[0] == ' ' ? strcspn(i->after + n, " ,;)\n") : 0;
    own.label[PART_CODE] = 0;
    for (int k = 0; words && k < SCALE_WORDS; k++)
        if (has_label(e, &own, words[k]) || (len && words_any(i->after + n, len, words[k])))
            return true;
    return false;
}

/* Does the evidence, or the question, say that it counts in thousands or millions? */
static bool says_scale(const struct evidence *e, const struct evidence_item *i, int scale) {
    for (int other = 3; other <= 9; other += 3)
        if (other != scale && has_scale(e, i, other))
            return false;
    const char *const *words = scale_words(scale);
    for (int k = 0; words && k < SCALE_WORDS; k++)
        if (strlen(words[k]) > 1 && strcmp(words[k], "mal") != 0 && has_label(e, i, words[k]))
            return true;
    return has_scale(e, i, scale) || ground_tells_scale(e, scale);
}

/* "0.4 %" is not proved by a ratio of 0.4: unscaled evidence has to be a percentage itself. */
static bool factor_fits(const struct evidence *e, const struct evidence_item *i,
                        const struct claim *c, long double factor) {
    if (c->unit == CLAIM_PLAIN && c->scale > 3 && factor == num_pow10(c->scale - 3))
        return has_scale(e, i, c->scale - 3);
    if (c->unit == CLAIM_PLAIN)
        return factor == 1 || says_scale(e, i, c->scale);
    bool named = i->percent || has_label(e, i, "percent");
    if (c->unit == CLAIM_PERCENT)
        return factor == 100
                   ? !i->percent
                   : named || (fabsl(i->value) > 1 && (c->num.places <= 0 || i->num.places > 0));
    if (factor == 100)
        return named;
    return factor == 10000 || has_label(e, i, "bps") || fabsl(i->value) > 1;
}

bool ground_rounds(const struct claim *c, long double e) {
    long double v = c->value;
    bool rounded = fabsl(num_significant(v, 2) - v) <= 1e-9L * fabsl(v);
    if (c->bound == CLAIM_ABOUT && rounded &&
        fabsl(num_significant(e, 2) - num_significant(v, 2)) <= 1e-9L * fabsl(v))
        return true;
    if (v == 0)
        return e == 0 || (c->num.places > 1 && num_rounds_to(e, v, c->num.places));
    return num_rounds_to(e, v, c->num.places);
}

static bool bounded(const struct claim *c, const struct evidence_item *i, long double e) {
    long double v = c->value;
    if (c->num.places > 0 && (c->num.sig > 3 || i->num.places <= 0))
        return false;
    /* Nobody says "over 289,918" of something larger, or "at most 367" of 300. */
    if (c->num.places <= 0 && fabsl(num_significant(v, 3) - v) > 1e-9L * fabsl(v))
        return false;
    bool round = c->num.places > 0 || fabsl(num_significant(v, 2) - v) <= 1e-9L * fabsl(v);
    long double far = round ? 2 : 1.05L;
    if (c->bound == CLAIM_MORE)
        return e >= v && v > 0 && v * far >= e;
    return c->bound == CLAIM_LESS && e <= v && v > 0 && e * far >= v;
}

static bool says_negative(const struct judge *j) {
    int up = derive_direction(j);
    if (up || j->scope.numbers > 1)
        return up < 0 ||
               (!up && scope_piece_has(&j->scope, "away takes reduces lowers sinkt perdu"));
    return scope_has(&j->scope, "loss losses lost negative minus deficit below away takes "
                                "reduces reduce lowers sinkt verlust perte perdu worst drawdown");
}

/* "more than 40" of something else than the sentence speaks of proves nothing. */
static bool holds_bound(const struct judge *j, const struct evidence_item *i) {
    unsigned quantiles = STAT_Q1 | STAT_MEDIAN | STAT_Q3;
    size_t at = j->claims->list[j->index].start;
    if (at > 6 && memcmp(j->answer + at - 6, "up to ", 6) == 0) /* which is the most there is */
        return false;
    bool nameless = !(i->label[PART_ROW] | i->label[PART_COLUMN] | i->label[PART_LINE]);
    return j->stats & quantiles ? rivals_stats(j, i) & j->stats
                                : nameless || !i->bulk || rivals_score(j, i) >= 4;
}

/* "a drawdown of 38 %" for what ran as a drawdown of -38: its name says which way it goes. */
static bool named_negative(const struct evidence *e, const struct evidence_item *i) {
    static const char *const names[] = {"drawdown", "loss",   "declin",    "drop",    "deficit",
                                        "decreas",  "worst",  "reduction", "verlust", "shortfall",
                                        "below",    "saving", "rückgang"};
    struct evidence_item own = *i;
    own.label[PART_CODE] = 0; /* df.drop(…) says nothing */
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (has_label(e, &own, names[k]))
            return true;
    return false;
}

bool ground_matches(struct judge *j, const struct claim *c, const struct evidence_item *i,
                    long double factor) {
    if (!factor_fits(j->e, i, c, factor))
        return false;
    if (c->num.digits || i->num.digits)
        return c->num.digits == i->num.digits;
    if (i->counted && (c->num.places > 0 || c->unit != CLAIM_PLAIN))
        return false;
    long double e = i->value * factor;
    if (ground_rounds(c, e) || (!i->counted && bounded(c, i, e) && holds_bound(j, i)))
        return true;
    return e < 0 && !c->signed_ && ground_rounds(c, -e) &&
           (says_negative(j) || (derive_direction(j) <= 0 && named_negative(j->e, i)));
}

double ground_space(const struct claim *c) {
    long double v = fabsl(c->value);
    if (v == 0)
        return 1;
    int decade = (int)floorl(log10l(v));
    return (double)(9 * num_pow10(decade + c->num.places));
}

/* --- do the words agree --- */

bool ground_excludes(unsigned a, unsigned b) {
    if (!a || !b || (a & b))
        return false;
    unsigned amounts = STAT_SUM | STAT_COUNT; /* a total may be a count */
    return !((a & amounts) && (b & amounts));
}

/* A mean or a sum is none of the data's own numbers. */
bool ground_is_raw(const struct judge *j, const struct evidence_item *i) {
    unsigned made = STAT_MEAN | STAT_MEDIAN | STAT_STD | STAT_VAR | STAT_SUM,
             rank = STAT_Q1 | STAT_Q3;
    bool named = i->label[PART_ROW] | i->label[PART_COLUMN] | i->label[PART_LINE];
    if ((j->stats & rank) && !(rivals_stats(j, i) & j->stats) && (named || rivals_stats(j, i)))
        return true;
    bool raw = i->stream == EVIDENCE_DATAFRAME || i->stream == EVIDENCE_INPUT;
    return raw && !i->counted && !rivals_stats(j, i) && (j->stats & made) && !(j->stats & ~made);
}

static bool speaks_of(const struct judge *j, const char *word, const char *others) {
    return scope_near(&j->scope, word_hash(word)) != NOT_NEAR || scope_has(&j->scope, others);
}

/* Was a mean shown, of which one would think first? */
static bool mean_shown(const struct judge *j, const struct evidence_item *i) {
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (r->cell == i->cell && (i->table ? r->table == i->table : !r->table) &&
            (rivals_stats(j, r) & STAT_MEAN))
            return true;
    }
    return false;
}

/* Nobody gives a median, a quartile or a deviation without a word for it. */
static bool unsaid_statistic(const struct judge *j, const struct evidence_item *i) {
    unsigned own = 0, spread = STAT_STD | STAT_STDERR, quartiles = STAT_Q1 | STAT_Q3;
    for (int part = 0; part < PART_CODE; part++)
        own |= i->label[part] ? j->e->labels[i->label[part]].stats : 0;
    if (!own || (own & ~(STAT_MEDIAN | spread | quartiles)) || i->value < 0 || !j->rival_count)
        return false; /* or in a language of which nothing is understood */
    if (!mean_shown(j, i))
        return false;
    if (own & STAT_MEDIAN)
        return !speaks_of(j, "median",
                          "half typical typically middle midpoint usual hälfte typisch moitié");
    if (own & quartiles)
        return !speaks_of(j, own & STAT_Q1 ? "q1" : "q3",
                          "quarter quarters quartile quartiles interquartile IQR percentile half "
                          "middle viertel quart quarts upper lower");
    return !speaks_of(j, "std",
                      "deviation volatility spread scatter sigma variance variation vary varies "
                      "variability fluctuates fluctuation error streuung streut écart noise ±") &&
           !speaks_of(j, "var", "SE SEM") && !speaks_of(j, "stderr", "standard");
}

/* "highest" for what is not the largest of its column, or another statistic. */
static bool wrong_extreme(struct judge *j, const struct evidence_item *i) {
    static const char top[] = "highest largest biggest greatest most maximum max strongest "
                              "höchste höchsten größte größten meisten";
    static const char low[] = "lowest smallest fewest least minimum min weakest niedrigste "
                              "niedrigsten kleinste kleinsten schwächste";
    bool high = scope_piece_has(&j->scope, top), down = scope_piece_has(&j->scope, low);
    unsigned stats = rivals_stats(j, i),
             row = i->label[PART_ROW] ? j->e->labels[i->label[PART_ROW]].stats : 0;
    if (high == down || scope_piece_has(&j->scope, "second third zweite dritte"))
        return false;
    unsigned one = STAT_MAX | STAT_MIN | STAT_MEAN | STAT_MEDIAN | STAT_STD | STAT_Q1 | STAT_Q3;
    /* Of a column of means the highest is meant, of a row the statistic is. */
    if (i->table && i->label[PART_COLUMN] && !(stats & (STAT_MAX | STAT_MIN)) && !(row & one))
        return false;
    return ground_excludes(stats, high ? STAT_MAX : STAT_MIN) && !j->stats && (stats & one);
}

static bool is_change(const struct judge *j, const struct evidence_item *i) {
    size_t n = strlen(i->before);
    bool change = n && i->before[n - 1] == '+';
    for (int part = 0; part < PARTS; part++)
        change = change || (i->label[part] && (j->e->labels[i->label[part]].stats & STAT_CHANGE));
    return change;
}

/* A change has a sign, and "rose" or "fell" has to agree with it. */
static bool wrong_direction(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    int up = derive_direction(j);
    if (!is_change(j, i) || !up || c->signed_ || i->value == 0)
        return false;
    return (i->value > 0) != (up > 0);
}

/* "88.4 GB" for what was printed as "88.4 MB". */
static size_t unit_of(const char *s, char *out, size_t size) {
    size_t n = 0;
    s += *s == ' ';
    while (n + 1 < size && (isalpha((unsigned char)s[n]) || (unsigned char)s[n] >= 0xc2 ||
                            (n && (unsigned char)s[n] >= 0x80)))
        n++;
    memcpy(out, s, n);
    out[n] = 0;
    return n;
}

static bool wrong_unit(const struct judge *j, const struct claim *c,
                       const struct evidence_item *i) {
    static const char units[] = "B b Wh W J Pa m g s V A Hz mol t bit";
    char a[12], b[12];
    size_t x = unit_of(j->answer + c->start + c->len, a, sizeof a),
           y = unit_of(i->after, b, sizeof b);
    if (!x || !y || strcmp(a, b) == 0)
        return false;
    bool prefix_a = x > 1 && strchr("kMGTmun", a[0]), prefix_b = y > 1 && strchr("kMGTmun", b[0]);
    const char *core_a = a + prefix_a, *core_b = b + prefix_b;
    return strcmp(core_a, core_b) == 0 && words_any(core_a, strlen(core_a), units);
}

/* "2 patients" for 2.417: who counts does not round. 16.000000000000004 is 16. */
static bool rounded_count(const struct judge *j, const struct claim *c,
                          const struct evidence_item *i) {
    return c->unit == CLAIM_PLAIN && !c->scale && c->num.places <= 0 && c->num.sig < 3 &&
           c->bound == CLAIM_EXACT && c->over == 0 &&
           fabsl(i->value - roundl(i->value)) > 1e-9L * fabsl(i->value) && !rivals_covers(j, i);
}

/* "all shops" for what is one of them. */
static bool only_one_of_all(const struct judge *j, const struct evidence_item *i) {
    const struct label *row = i->label[PART_ROW] ? &j->e->labels[i->label[PART_ROW]] : NULL;
    bool truth =
        row && row->count == 1 &&
        (j->e->pool[row->first] == word_hash("0") || j->e->pool[row->first] == word_hash("1"));
    if (!row || row->stats || i->counted || truth ||
        !scope_piece_has(&j->scope, "overall across altogether insgesamt total combined"))
        return false;
    for (size_t k = 0; k < row->count; k++)
        if (scope_near(&j->scope, j->e->pool[row->first + k]) != NOT_NEAR)
            return false;
    return i->table || i->label[PART_LINE];
}

/* --- one claim --- */

struct finding {
    const struct evidence_item *item, *rival;
    long double factor;
    unsigned score;
};

struct findings {
    struct finding good, beaten, stale, asserted, asked;
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
    return words_any(j->answer + from, at - from, "from von de") ||
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
    return meant && (rivals_stats(j, meant) & j->stats) && rivals_explains(j, meant) &&
           (share || c->unit != CLAIM_PERCENT);
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
    if (rounded_count(j, c, i))
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
        bool wrong = rival || ground_excludes(rivals_stats(j, i), j->stats) ||
                     ground_is_raw(j, i) || unsaid_statistic(j, i) || wrong_extreme(j, i) ||
                     wrong_direction(j, c, i) || wrong_unit(j, c, i) || only_one_of_all(j, i);
        keep_better(wrong ? &f->beaten : &f->good, i, factor, score, rival);
    }
}

/* The range of evidence that can match at all, in the evidence's own scale. */
static void search_range(const struct claim *c, long double factor, long double *low,
                         long double *high) {
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
                            : e < 0 && (derive_direction(j) > 0 || !is_change(j, i));
    unsigned score = rivals_score(j, i);
    if (other && c->num.sig > 1 && score >= 7 && !i->stale && ground_rounds(c, -e) &&
        factor_fits(j->e, i, c, factor) && !evidence_asserted(j->e, i))
        keep_better(&f->beaten, i, factor, score, i);
}

static void find_candidates(struct judge *j, const struct claim *c, struct findings *f) {
    long double factors[3] = {1, 1, 1}, low, high;
    size_t n, count = ground_factors(c, factors), weighed = 0;
    for (size_t k = 0; k < count; k++) {
        search_range(c, factors[k], &low, &high);
        size_t from = evidence_between(j->e, low, high, &n);
        for (size_t i = from; i < from + n && weighed < MAX_CANDIDATES && ground_spend(j, 10); i++)
            if (ground_matches(j, c, evidence_at(j->e, i), factors[k])) {
                ground_weigh(j, c, evidence_at(j->e, i), factors[k], f);
                weighed++;
            } else {
                weigh_opposite(j, c, evidence_at(j->e, i), factors[k], f);
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

static bool ground_accept(struct judge *j, struct grounding *g, const struct findings *f) {
    const struct finding *good = &f->good;
    if (!good->item)
        return false;
    g->meaning = good->score >= 4;
    if (good->item->counted && good->score == 0 && g->claim.num.sig > 2 && !g->claim.num.places)
        g->meaning = false;
    if (!g->meaning && too_common(&g->claim, good->item))
        return false;
    (void)j;
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
    if (f.good.item && f.good.score >= 4 && ground_accept(j, g, &f))
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
    if (ground_accept(j, g, &f))
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
static void find_nearest(struct judge *j, struct grounding *g) {
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
                !factor_fits(j->e, x, &g->claim, factors[k]))
                continue;
            best = d;
            g->rival = x;
            g->factor = factors[k];
        }
    }
}

static bool stands_before(const struct judge *j, size_t at, const char *list) {
    size_t from = at > j->scope.from + 9 ? at - 9 : j->scope.from;
    return words_any(j->answer + from, at - from, list);
}

/* Is this "from 20 to 65", "between 20 and 65"? */
static bool is_range(const struct judge *j, const struct claim *low, const struct claim *high) {
    size_t end = low->start + low->len;
    return high->start > end && high->start < end + 12 &&
           stands_before(j, low->start, "from between") &&
           words_any(j->answer + end, high->start - end, "to and");
}

/* "ranges from 20 to 65", "half of them lie between 7 and 8": which end of which range it is. */
static unsigned range_end(const struct judge *j, size_t index) {
    const struct claim *c = &j->claims->list[index];
    bool quartiles = scope_has(&j->scope, "interquartile IQR half");
    if (!quartiles && !scope_has(&j->scope, "range ranges ranged ranging span spans vary varies"))
        return 0;
    if (index + 1 < j->claims->count && is_range(j, c, c + 1))
        return quartiles ? STAT_Q1 : STAT_MIN;
    if (index && c[-1].start >= j->scope.from && is_range(j, c - 1, c))
        return quartiles ? STAT_Q3 : STAT_MAX;
    return 0;
}

/* Where the clause of a place begins. */
static size_t clause_of(const struct judge *j, size_t at) {
    size_t from = at;
    while (from > j->scope.from && !strchr(",;(:", j->answer[from - 1]) &&
           !(from >= j->scope.from + 5 && memcmp(j->answer + from - 5, " and ", 5) == 0))
        from--;
    return from;
}

/* "a quarter earns more than 81", "half of them are younger than 29": a bound that is a quantile. */
static unsigned quantile_bound(const struct judge *j, const struct claim *c) {
    size_t from = clause_of(j, c->start), n = c->start - from;
    const char *s = j->answer + from;
    bool more =
             words_any(s, n, "more over above older longer higher larger heavier mehr über plus"),
         less = words_any(s, n,
                          "less fewer under below younger shorter lower smaller within cheaper "
                          "faster weniger unter moins");
    bool three = words_any(s, n, "three drei trois");
    size_t last = n < 18 ? n : 18;
    size_t end = c->start + c->len, rest = j->scope.to - end < 24 ? j->scope.to - end : 24;
    const char *either = memmem(j->answer + end, rest, " or ", 4);
    size_t behind = either ? (size_t)(j->answer + end + rest - either) - 4 : 0;
    if (either && words_any(either + 4, behind, "less fewer lower under")) /* "13 months or less" */
        less = true, more = false;
    else if (either && words_any(either + 4, behind, "more higher longer above"))
        more = true, less = false;
    else if (c->bound == CLAIM_MORE || c->bound == CLAIM_LESS)
        more = c->bound == CLAIM_MORE, less = !more;
    else if (!words_any(s + n - last, last, "than over above under below within als unter über"))
        return 0;
    if (more == less)
        return 0;
    if (memchr(s, '%', n) && words_any(s, n, "of der des"))
        return STAT_QUANTILE;
    if (words_any(s, n, "half hälfte moitié"))
        return STAT_MEDIAN;
    if (!words_any(s, n, "quarter quarters viertel quart quarts"))
        return 0;
    return more != three ? STAT_Q3 : STAT_Q1;
}

/* "up to 36", "as cold as -11" */
static unsigned utmost(const struct judge *j, const struct claim *c) {
    size_t from = c->start > j->scope.from + 14 ? c->start - 14 : j->scope.from;
    size_t n = c->start - from;
    const char *s = j->answer + from;
    bool sums = words_any(s, n, "add adds added adding sum sums come comes amount amounts");
    if ((!sums && memmem(s, n, "up to ", 6)) ||
        (words_any(s, n, "as") && words_any(s, n, "high hot much many long")))
        return STAT_MAX;
    size_t clause = clause_of(j, c->start), m = c->start - clause;
    if (words_any(j->answer + clause, m,
                  "than above over below under exceeds exceeded als über unter de") &&
        words_any(j->answer + clause, m, "never nobody none no nie niemand kein keine jamais"))
        return words_any(j->answer + clause, m, "fewer less below under weniger unter moins")
                   ? STAT_MIN
                   : STAT_MAX;
    bool low = memmem(s, n, "down to ", 8) ||
               (words_any(s, n, "as") && words_any(s, n, "low cold little few short"));
    return low ? STAT_MIN : 0;
}

/* "8.6 % of the total" is no total. */
static bool is_of_total(const struct judge *j, const struct claim *c) {
    size_t end = c->start + c->len, n = j->scope.to - end < 14 ? j->scope.to - end : 14;
    return words_any(j->answer + end, n, "of der des") && words_any(j->answer + end, n, "total");
}

/* "On average the high was 20 and the low 11": it holds for all of the sentence. */
static bool opens_with_average(const struct judge *j) {
    size_t n = j->scope.to - j->scope.from;
    return words_any(j->answer + j->scope.from, n < 14 ? n : 14,
                     "average schnitt mittel durchschnitt moyenne");
}

static unsigned stats_of(const struct judge *j, size_t index) {
    const struct claim *c = &j->claims->list[index];
    unsigned range = range_end(j, index), bound = range ? range : quantile_bound(j, c);
    unsigned named = bound ? bound : scope_stats(&j->scope);
    if (c->unit == CLAIM_PERCENT && (named & STAT_SUM) && is_of_total(j, c))
        named &= ~(unsigned)STAT_SUM;
    if ((named & (STAT_MIN | STAT_MAX)) && !bound && opens_with_average(j))
        named |= STAT_MEAN;
    return named ? named : utmost(j, c);
}

static void look_around(struct judge *j, size_t index) {
    j->index = index;
    ground_look(j, index);
    j->stats = stats_of(j, index);
    rivals_find(j);
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

static void derive_again(struct judge *j, struct grounding *g) {
    if (g->item && g->verdict != GROUND_STALE && derive_share(j, g)) /* it did run */
        return;
    if (g->verdict == GROUND_ASSERTED && !g->item && derive_said(j, g))
        return;
    if (g->item || is_typed(j, &g->claim) || !derive_claim(j, g, said_exactly(j, &g->claim)))
        find_nearest(j, g);
}

/* Does this for every flag. */
static void again(struct judge *j, void (*what)(struct judge *j, struct grounding *g)) {
    for (size_t i = 0, n = 0; i < j->claims->count; i++) {
        if (j->claims->list[i].class != CLAIM_VALUE)
            continue;
        struct grounding *g = &j->report->list[n++];
        if (!ground_flagged(g->verdict))
            continue;
        look_around(j, i);
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
        look_around(j, i);
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
    ground_agree(j);
}

static void judge_free(struct judge *j) {
    if (!j)
        return;
    free(j->seen);
    free(j->scores);
    free(j->told);
    free(j);
}

static struct judge *judge_new(struct evidence *e) {
    struct judge *j = calloc(1, sizeof *j);
    if (!j)
        return NULL;
    *j = (struct judge){.e = e, .left = WORK, .scope.asked = &j->asked};
    j->seen = calloc(e->count + 1, sizeof *j->seen);
    j->scores = calloc(e->label_count + 1, sizeof *j->scores);
    j->told = calloc(1, sizeof *j->told);
    if (j->seen && j->scores && j->told)
        return j;
    judge_free(j);
    return NULL;
}

/* --- numbers that are names --- */

static size_t word_start(const char *s, size_t at) {
    while (at > 0 && (isalnum((unsigned char)s[at - 1]) || (unsigned char)s[at - 1] >= 0x80))
        at--;
    return at;
}

/* The words beside a number, as in "Paracetamol 500" and "four hours"; 0 if there is none. */
static void words_beside(const char *s, size_t start, size_t end, uint32_t out[2]) {
    size_t at = start, from = 0;
    out[0] = out[1] = 0;
    while (at > 0 && (s[at - 1] == ' ' || s[at - 1] == '-'))
        at--;
    size_t before = word_start(s, at);
    if (before < at && at < start)
        words_next(s + before, at - before, &(size_t){0}, &out[0], &from);
    at = end;
    while (s[at] == ' ' || s[at] == '-')
        at++;
    if (at > end && words_next(s, at + strcspn(s + at, " \n"), &(size_t){at}, &out[1], &from) &&
        from != at)
        out[1] = 0;
}

static bool label_holds(const struct evidence *e, const struct label *l, uint32_t word) {
    for (size_t k = 0; word && k < l->count; k++)
        if (e->pool[l->first + k] == word)
            return true;
    return false;
}

static bool labels_shown(const struct evidence *e, uint32_t label) {
    size_t n;
    const uint32_t *items = evidence_items(e, label, &n);
    for (size_t i = 0; i < n; i++)
        if (e->items[items[i]].label[PART_CODE] != label &&
            e->items[items[i]].stream != EVIDENCE_QUESTION)
            return true;
    return false;
}

/* "(404)", "(404 or 500)": nothing but names of rows in a bracket. */
static bool stands_in_bracket(const char *s, size_t start, size_t end) {
    size_t from = start, to = end;
    while (from > 0 && (isalnum((unsigned char)s[from - 1]) || strchr(" ,/", s[from - 1])))
        from--;
    while (s[to] && (isalnum((unsigned char)s[to]) || strchr(" ,/", s[to])))
        to++;
    if (from == 0 || s[from - 1] != '(' || s[to] != ')')
        return false;
    for (size_t i = from; i < to; i++) {
        size_t n = strcspn(s + i, " ,/)");
        if (n && !isdigit((unsigned char)s[i]) && !words_any(s + i, n, "and or to und oder et ou"))
            return false;
        i += n;
    }
    return true;
}

/* "status 404", "month 10": the row is called so, and something has the name that stands before. */
static bool names_row(const struct evidence *e, const struct label *l, uint32_t before) {
    size_t n = 0;
    if (l->count == 1 && before && !word_statistic(before))
        evidence_labels(e, before, &n);
    return n > 0;
}

/* "F(2, 12) = 65.9": what stands in the bracket says which F it is. */
static bool is_argument(const char *s, const struct claim *c) {
    size_t from = c->start;
    while (from > 0 && (isdigit((unsigned char)s[from - 1]) || strchr(", .", s[from - 1])))
        from--;
    size_t end = c->start + c->len;
    end += strspn(s + end, "0123456789, .");
    return from > 1 && s[from - 1] == '(' && isalpha((unsigned char)s[from - 2]) &&
           (from < 3 || !isalpha((unsigned char)s[from - 3])) && s[end] == ')' &&
           strspn(s + end + 1, " ") < 2 && strchr("=<>", s[end + 1 + strspn(s + end + 1, " ")]);
}

/* Does it name a column or a line, and not one row of the data? */
static bool labels_measure(const struct evidence *e, uint32_t label) {
    size_t n;
    const uint32_t *items = evidence_items(e, label, &n);
    for (size_t i = 0; i < n && i < FEW_LABELLED; i++)
        if (e->items[items[i]].label[PART_COLUMN] == label ||
            e->items[items[i]].label[PART_LINE] == label)
            return e->items[items[i]].stream != EVIDENCE_QUESTION;
    return false;
}

/* "100,000 items" for the column n=100000, however it is written. */
static bool is_long_name(const struct evidence *e, const struct claim *c) {
    char digits[24];
    size_t n;
    if (c->num.places > 0 || c->value < 1000 || c->value > 1e15L)
        return false;
    snprintf(digits, sizeof digits, "%.0Lf", c->value);
    size_t at = evidence_between(e, c->value, c->value, &n);
    for (size_t i = at; i < at + n; i++)
        if (evidence_at(e, i)->stream == EVIDENCE_QUESTION)
            return false;
    const uint32_t *labels = evidence_labels(e, word_hash(digits), &n);
    for (size_t i = 0; i < n; i++)
        if (e->labels[labels[i]].count < 4 && labels_measure(e, labels[i]))
            return true;
    return false;
}

/* "Paracetamol 500", "under four hours", "2023": the number is part of what a row, a column or a
 * line is called. */
static bool is_label(const struct evidence *e, const char *s, const struct claim *c) {
    size_t start = word_start(s, c->start), at = start, from, n;
    uint32_t word, beside[2];
    if (c->unit != CLAIM_PLAIN || c->scale || c->signed_ || c->num.places > 0 ||
        !words_next(s, strlen(s), &at, &word, &from) || from != start || !word)
        return false;
    if (is_long_name(e, c) || is_argument(s, c))
        return true;
    bool year = at - from == 4 && c->value >= 1900 && c->value < 2100;
    words_beside(s, start, at, beside);
    bool bracket = stands_in_bracket(s, start, at);
    const uint32_t *labels = evidence_labels(e, word, &n);
    for (size_t i = 0; i < n; i++) {
        const struct label *l = &e->labels[labels[i]];
        if ((year || label_holds(e, l, beside[0]) || label_holds(e, l, beside[1]) ||
             (bracket && l->count == 1) || names_row(e, l, beside[0])) &&
            labels_shown(e, labels[i]))
            return true;
    }
    return false;
}

/* --- units that are told once --- */

static bool is_plain(const struct claim *c) {
    return c->class == CLAIM_VALUE && c->unit == CLAIM_PLAIN && !c->scale;
}

/* "0.21 to 1.64 %", "0.93 percentage points, with an interval of 0.21 to 1.64 points": what is said of
 * one of them holds for the other. */
static void share_units(const char *s, struct claims *claims) {
    static const char *const between[] = {" to ",  " and ", "-",     "\u2013",  " \u2013 ",
                                          " bis ", " auf ", " und ", " \u00e0 "};
    for (size_t i = claims->count; i-- > 0;) {
        struct claim *c = &claims->list[i];
        size_t end = c->start + c->len, from, to;
        sentence_at(s, c->start, &from, &to);
        if (is_plain(c) && strncmp(s + end, " points", 7) == 0 && c->num.places > 0 &&
            memmem(s + from, c->start - from, "percentage point", 16))
            c->unit = CLAIM_PERCENT;
        const struct claim *next = i + 1 < claims->count ? c + 1 : NULL;
        size_t n = next && next->start > end ? next->start - end : 0;
        for (size_t k = 0; n && k < sizeof between / sizeof *between; k++)
            if (is_plain(c) && next->unit == CLAIM_PERCENT && strlen(between[k]) == n &&
                memcmp(s + end, between[k], n) == 0 && c->num.places == next->num.places)
                c->unit = CLAIM_PERCENT;
    }
}

int ground_answer(struct evidence *e, const char *answer, const struct ground_filled *filled,
                  struct ground_report *ret) {
    struct claims claims;
    *ret = (struct ground_report){0};
    int r = claims_read(answer, strlen(answer), &claims);
    if (r == 0)
        r = evidence_seal(e);
    struct judge *j = r == 0 ? judge_new(e) : NULL;
    ret->list = calloc(claims.count + 1, sizeof *ret->list);
    if (j && ret->list) {
        j->answer = answer, j->claims = &claims, j->report = ret;
        j->filled = filled;
        share_units(answer, &claims);
        for (size_t i = 0; i < claims.count; i++)
            if (claims.list[i].class == CLAIM_VALUE && is_label(e, answer, &claims.list[i]))
                claims.list[i].class = CLAIM_NAME;
        for (size_t i = 0; i < claims.count; i++)
            if (claims.list[i].class == CLAIM_VALUE)
                ret->list[ret->count++] = (struct grounding){
                    .claim = claims.list[i], .verdict = GROUND_UNVERIFIED, .factor = 1};
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
