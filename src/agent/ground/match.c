/* Whether a claim is what a number reads when it is rounded and told in the claim's unit. */
#include "agent/ground/match.h"

#include "agent/ground/rivals.h"
#include "agent/text/units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

size_t ground_factors(const struct claim *c, long double *out) {
    out[0] = 1;
    if (c->scale > 0 &&
        c->unit == CLAIM_PLAIN) { /* the table may be in millions, or in thousands */
        out[1] = num_pow10(c->scale);
        out[2] = num_pow10(c->scale - 3);
        return c->scale > 3 ? 3 : 2;
    }
    if (c->unit == CLAIM_PLAIN && c->num.places <= 0 && c->value != 0 &&
        fmodl(c->value, 1000) == 0) { /* 377,000 for 377 thousand */
        out[1] = 1000;
        return 2;
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

bool ground_asks_scale(const struct evidence *e, int scale) {
    const char *const *words = scale_words(scale);
    for (int k = 0; words && k < SCALE_WORDS; k++)
        if (words_hold(&e->question, word_hash(words[k])))
            return true;
    return false;
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
bool ground_factor_fits(const struct evidence *e, const struct evidence_item *i,
                        const struct claim *c, long double factor) {
    if (c->unit == CLAIM_PLAIN && c->scale > 3 && factor == num_pow10(c->scale - 3))
        return has_scale(e, i, c->scale - 3) || ground_asks_scale(e, c->scale - 3);
    if (c->unit == CLAIM_PLAIN && !c->scale && factor == 1000)
        return c->num.sig > 3 && i->num.places <= 0 &&
               (has_scale(e, i, 3) || ground_asks_scale(e, 3));
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

int ground_places(const struct claim *c) {
    int places = c->num.places;
    long double v = fabsl(c->value);
    while (c->bound == CLAIM_ABOUT && places <= 0 && v >= 100 * num_pow10(-places) &&
           fmodl(v, num_pow10(1 - places)) == 0)
        places--;
    return places;
}

bool ground_rounds(const struct claim *c, long double e) {
    long double v = c->value;
    if (c->bound == CLAIM_ABOUT && num_rounds_to(e, v, ground_places(c)))
        return true;
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
    bool share = i->percent || fabsl(e) <= 100;
    if (c->unit == CLAIM_PERCENT && !share)
        return false;
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

/* "more than 2.7" for 2.68: it would read so, but is not more. */
static bool breaks_bound(const struct claim *c, long double e) {
    long double slack = 1e-9L * fabsl(c->value);
    return (c->bound == CLAIM_MORE && e < c->value - slack) ||
           (c->bound == CLAIM_LESS && e > c->value + slack);
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
    unsigned quantiles = STAT_Q1 | STAT_MEDIAN | STAT_Q3, ends = STAT_MIN | STAT_MAX;
    size_t at = j->claims->list[j->index].start;
    if (at > 6 && memcmp(j->answer + at - 6, "up to ", 6) == 0) /* which is the most there is */
        return false;
    if (j->stats & ends) /* "never above 40" is told of the most there is */
        return (rivals_stats(j, i) & j->stats) || (!i->bulk && rivals_score(j, i) >= 7);
    bool nameless = !(i->label[PART_ROW] | i->label[PART_COLUMN] | i->label[PART_LINE]);
    long double v = j->claims->list[j->index].value;
    if ((j->stats & quantiles) && fabsl(num_significant(v, 1) - v) > 1e-9L * v &&
        fabsl(i->value - v) > 0.05L * v) /* "half are below 77.7" is not told of 71.7 */
        return false;
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

/* "the gap is 8.3", "won by 26": how far two are apart is told without a sign. */
bool ground_tells_size(const struct judge *j, const struct claim *c) {
    return scope_follows(&j->scope, c->start, "by um") ||
           scope_piece_has(&j->scope, "difference differences differ differs gap separation "
                                      "distance apart margin unterschied differenz abstand "
                                      "différence écart");
}

long double ground_clock_factor(const struct judge *j, const struct claim *c) {
    const char *s = j->answer + c->start + c->len;
    size_t n = strcspn(s + (*s == ' '), " .,;)\n") + (*s == ' ');
    if (c->unit != CLAIM_PLAIN || c->scale || c->num.digits)
        return 0;
    for (size_t k = 0; k < conversion_count; k++) {
        if (!words_any("s", 1, conversions[k].small))
            continue;
        if (words_any(s, n, conversions[k].large))
            return 1 / conversions[k].factor;
        if (words_any(s, n, conversions[k].small))
            return 1;
    }
    return 0;
}

/* "under 27 minutes" of 25:51: a time is told in the unit that the claim has, or as it is. */
static bool clock_matches(const struct judge *j, const struct claim *c,
                          const struct evidence_item *i, long double factor) {
    long double unit = ground_clock_factor(j, c);
    return unit != 0 && unit == factor &&
           (ground_rounds(c, i->value * factor) || bounded(c, i, i->value * factor));
}

bool ground_matches(struct judge *j, const struct claim *c, const struct evidence_item *i,
                    long double factor) {
    if (num_is_clock(&i->num) && !c->num.digits)
        return clock_matches(j, c, i, factor);
    if (!ground_factor_fits(j->e, i, c, factor))
        return false;
    if (c->num.digits || i->num.digits)
        return c->num.digits == i->num.digits;
    if (i->counted && (c->num.places > 0 || c->unit != CLAIM_PLAIN))
        return false;
    long double e = i->value * factor;
    if (c->value > 0 && e > 0 && breaks_bound(c, e))
        return false;
    if (ground_rounds(c, e) || (!i->counted && bounded(c, i, e) && holds_bound(j, i)))
        return true;
    return e < 0 && !c->signed_ && ground_rounds(c, -e) &&
           (says_negative(j) ||
            (derive_direction(j) <= 0 && (named_negative(j->e, i) || ground_tells_size(j, c))));
}

double ground_space(const struct claim *c) {
    long double v = fabsl(c->value);
    if (v == 0)
        return 1;
    int decade = (int)floorl(log10l(v));
    return (double)(9 * num_pow10(decade + c->num.places));
}

/* --- whether the words agree --- */

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

bool ground_is_change(const struct judge *j, const struct evidence_item *i) {
    size_t n = strlen(i->before);
    bool change = n && i->before[n - 1] == '+';
    for (int part = 0; part < PARTS; part++)
        change = change || (i->label[part] && (j->e->labels[i->label[part]].stats & STAT_CHANGE));
    return change;
}

/* "fell from 350 to 76": where it began and where it ended is no change. */
static bool is_level(const struct judge *j, const struct claim *c) {
    return scope_follows(&j->scope, c->start, "from to von auf de à");
}

/* A change has a sign, and "rose" or "fell" has to agree with it. */
static bool wrong_direction(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    int up = derive_direction(j);
    if (!ground_is_change(j, i) || !up || c->signed_ || i->value == 0 || is_level(j, c))
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
bool ground_rounds_count(const struct judge *j, const struct claim *c,
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

bool ground_misfits(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    return ground_excludes(rivals_stats(j, i), j->stats) || ground_is_raw(j, i) ||
           unsaid_statistic(j, i) || wrong_extreme(j, i) || wrong_direction(j, c, i) ||
           wrong_unit(j, c, i) || only_one_of_all(j, i);
}
