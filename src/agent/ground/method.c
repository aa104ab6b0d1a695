/* Numbers that are no results: constants of a method that ran, and numbers of the question. */
#include "agent/ground/match.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "agent/ground/operands.h"
#include "agent/ground/rivals.h"
#include "agent/text/units.h"

#define AROUND 40 /* bytes beside a number that say what it is for */

struct around {
    const char *before, *behind;
    size_t before_len, behind_len;
};

/* So many of these bytes as end with a word, or begin with one. */
static size_t whole_behind(const char *s, size_t have, size_t most) {
    if (have <= most)
        return have;
    while (most > 0 && isalnum((unsigned char)s[most]) && isalnum((unsigned char)s[most - 1]))
        most--;
    return most;
}

static size_t whole_before(const char *end, size_t have, size_t most) {
    if (have <= most)
        return have;
    while (most > 0 && isalnum((unsigned char)end[-(long)most]) &&
           isalnum((unsigned char)end[-(long)most - 1]))
        most--;
    return most;
}

static struct around around_of(const char *s, const struct claim *c, size_t from, size_t to) {
    size_t end = c->start + c->len;
    size_t a = whole_before(s + c->start, c->start - from, AROUND);
    size_t b = to > end ? whole_behind(s + end, to - end, AROUND) : 0;
    return (struct around){s + c->start - a, s + end, a, b};
}

static bool is_among(long double v, const double *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (fabsl(v - (long double)list[i]) < 1e-9L)
            return true;
    return false;
}

#define AMONG(v, ...) \
    is_among(v, (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

/* Does the code say this number, for whatever purpose? */
static bool method_in_code(const struct judge *j, const struct claim *c) {
    for (size_t i = 0; i < j->e->literals.count; i++) {
        long double v = j->e->literals.list[i].num.value, x = fabsl(c->value);
        if (v == x || (c->unit == CLAIM_PERCENT && fabsl(v * 100 - x) < 1e-9L))
            return true;
    }
    return false;
}

static bool method_is_power(long double v) {
    for (long double p = 100; p <= 1e9L; p *= 10)
        if (v == p)
            return true;
    return false;
}

static bool known_constant(const struct claim *c, const struct around *a) {
    long double v = fabsl(c->value);
    bool critical = AMONG(v, 1.645, 1.64, 1.96, 2.576, 2.58, 3.84);
    if (critical && words_any(a->behind, whole_behind(a->behind, a->behind_len, 20),
                              "SE SEs standard sigma standardfehler erreurs"))
        return true;
    if (v == 0 && words_any(a->before, a->before_len,
                            "above below exclude excludes excluding include includes contain "
                            "contains than around not from über unter ausschließt exclut zéro "
                            "cross crosses"))
        return true;
    if (c->unit == CLAIM_PERCENT && AMONG(v, 80, 90, 95, 98, 99, 99.9))
        return words_any(a->behind, a->behind_len,
                         "confidence CI interval level significance konfidenzintervall confiance "
                         "konfidenz intervalle credible") ||
               words_any(a->before, a->before_len, "confidence CI konfidenz confiance");
    if (critical)
        return words_any(a->behind, a->behind_len, "significance needed critical level") ||
               words_any(a->before, a->before_len, "critical threshold z beyond cutoff");
    if (AMONG(v, 1, 1.5, 2, 2.5, 3))
        return words_any(a->behind, a->behind_len,
                         "IQR interquartile sigma σ interquartilsabstand standardabweichungen") ||
               (v >= 2 &&
                words_any(a->behind, whole_behind(a->behind, a->behind_len, 24), "deviations sds"));
    if (a->before_len > 1 &&
        strchr("=:", a->before[a->before_len - 1 - (a->before[a->before_len - 1] == ' ')]))
        return false; /* "p = 0.05" is a result */
    if (AMONG(v, 0.1, 0.05, 0.01, 0.005, 0.001) || (c->unit == CLAIM_PERCENT && AMONG(v, 1, 5, 10)))
        return words_any(a->before, a->before_len,
                         "p alpha α significance level signifikanzniveau seuil niveau threshold") ||
               words_any(a->behind, a->behind_len, "significance level signifikanzniveau");
    size_t near = a->before_len < 8 ? a->before_len : 8;
    return method_is_power(v) && words_any(a->before + a->before_len - near, near,
                                           "per je pro pour every each chaque alle");
}

/* "95 % of all requests are done within": a quantile that the code or the evidence has. */
static bool quantile(const struct judge *j, const struct claim *c, const struct around *a) {
    char name[16];
    snprintf(name, sizeof name, "p%.0Lf", fabsl(c->value));
    size_t labels;
    evidence_labels(j->e, word_hash(name), &labels);
    return c->unit == CLAIM_PERCENT && AMONG(fabsl(c->value), 5, 10, 25, 50, 75, 90, 95, 99) &&
           (labels || method_in_code(j, c)) &&
           words_any(a->behind, a->behind_len, "within below under faster quicker innerhalb unter");
}

static bool calendar(const struct claim *c, const struct around *a) {
    long double v = fabsl(c->value);
    size_t n = whole_behind(a->behind, a->behind_len, 12);
    return (v == 12 && words_any(a->behind, n, "month months monate monaten mois")) ||
           (v == 7 && words_any(a->behind, n, "day days tage jours")) ||
           (v == 24 && words_any(a->behind, n, "hour hours stunden heures")) ||
           (AMONG(v, 365, 366) && words_any(a->behind, n, "day days tage jours")) ||
           (v == 52 && words_any(a->behind, n, "week weeks wochen semaines")) ||
           (v == 4 && words_any(a->behind, n, "quarter quarters quartale trimestres"));
}

static size_t word_beside(const char *s, size_t at, int step, char *out, size_t size) {
    size_t n = 0;
    long i = (long)at;
    while (i >= 0 && s[i] && strchr(" *_\"'($", s[i]))
        i += step;
    long end = i;
    while (i >= 0 && s[i] && (isalnum((unsigned char)s[i]) || (unsigned char)s[i] >= 0x80))
        i += step;
    long from = step > 0 ? end : i + 1, to = step > 0 ? i : end + 1;
    for (; from < to && n + 1 < size; from++)
        out[n++] = (char)tolower((unsigned char)s[from]);
    out[n] = 0;
    return n;
}

/* Is there another number in the sentence, behind this one? */
static bool is_followed(const struct judge *j, const struct claim *c) {
    for (size_t i = 0; i < j->claims->count; i++) {
        const struct claim *x = &j->claims->list[i];
        if (x->class == CLAIM_VALUE && x->start > c->start && x->start < j->scope.to)
            return true;
    }
    return false;
}

/* "your 10,000", "below the 5 minutes", "every 60 seconds": what is known already, or what something is
 * held against, and no result. */
static bool is_definite(const struct judge *j, const struct claim *c) {
    char before[24];
    return c->start > 0 && word_beside(j->answer, c->start - 1, -1, before, sizeof before) &&
           words_any(
               before, strlen(before),
               "the your our these those this their below above under over than against every "
               "per each dem den die der das ihre deine unter über gegen als pro je le la les "
               "votre vos notre nos ces chaque contre same");
}

/* A literal with which something was computed. */
static bool is_used(const struct judge *j, const struct claim *c) {
    size_t n;
    long double v = fabsl(c->value);
    size_t from = evidence_literals(j->e, v * (1 - 1e-12L), v * (1 + 1e-12L), &n);
    for (size_t i = from; i < from + n; i++) {
        const struct literal *l = evidence_literal(j->e, i);
        if (!l->text && (l->operand || (l->name && evidence_used(j->e, l->name))))
            return true;
    }
    return false;
}

/* A parameter: what it is called says that it was chosen, and the code has it. */
static bool parameter(const struct judge *j, const struct claim *c, const struct around *a,
                      bool shown) {
    static const char names[] =
        "threshold cutoff cut-off limit alpha window rolling lag lags seed random_state fold folds "
        "cross-validation bin bins cluster clusters neighbours neighbors iterations epochs trees "
        "degree degrees order horizon tolerance level minimum_support quantile percentile split "
        "test_size train bootstrap resamples samples draws simulations permutations k schwelle "
        "schwellenwert grenzwert fenster seuil fenêtre rule multiplier factor target goal budget "
        "rate discount limit scale point-scale";
    size_t before = whole_before(a->before + a->before_len, a->before_len, 32);
    size_t behind = whole_behind(a->behind, a->behind_len, 24);
    /* "for 70 m² at 3.5 km": what a result is given for */
    char beside[24];
    bool given = !shown && is_followed(j, c) && c->start > 0 &&
                 word_beside(j->answer, c->start - 1, -1, beside, sizeof beside) &&
                 words_any(beside, strlen(beside),
                           "for at with after within bei für nach mit pour avec après à");
    bool usual = words_any(a->before + a->before_len - before, before,
                           "usual textbook typical conventional standard reference nominal");
    bool chosen = !shown && scope_has(&j->scope, "used using assumed assuming assume assumes "
                                                 "simulated parameters settings annahme verwendet");
    if (chosen && method_in_code(j, c))
        return true;
    return (usual && words_any(a->before, a->before_len, "usual conventional textbook")) ||
           (method_in_code(j, c) && (given || usual)) ||
           (method_in_code(j, c) && (words_any(a->before + a->before_len - before, before, names) ||
                                     words_any(a->behind, behind, names)));
}

static bool is_spoken_of(const struct judge *j, uint32_t name) {
    for (size_t i = 0; i < j->e->code.variable_count; i++) {
        const char *text = j->e->code.variables[i].name;
        size_t at = 0, start;
        uint32_t word;
        if (literal_name(text, strlen(text)) != name)
            continue;
        while (words_next(text, strlen(text), &at, &word, &start))
            if (word && scope_near(&j->scope, word) <= NEAR_PIECE)
                return true;
    }
    return false;
}

/* A list is data, and has many. */
static bool is_scalar_name(const struct judge *j, uint32_t name) {
    size_t n = 0;
    for (size_t i = 0; i < j->e->literals.count; i++)
        n += j->e->literals.list[i].name == name;
    return n == 1;
}

/* "815 eligible students" for eligible = 815, with which something was computed. */
static bool given_input(const struct judge *j, const struct claim *c) {
    size_t n;
    long double v = fabsl(c->value);
    size_t from = evidence_literals(j->e, v * (1 - 1e-12L), v * (1 + 1e-12L), &n);
    for (size_t i = from; i < from + n; i++) {
        const struct literal *l = evidence_literal(j->e, i);
        if (l->name && !l->text && evidence_used(j->e, l->name) && is_scalar_name(j, l->name) &&
            is_spoken_of(j, l->name))
            return true;
    }
    return false;
}

/* "159 of the 180 spam mails" for [1] * 180: the whole that the code made. */
static bool made_whole(const struct judge *j, const struct claim *c) {
    size_t n, at = c->start, from = at > j->scope.from + 9 ? at - 9 : j->scope.from;
    long double v = fabsl(c->value);
    bool whole = scope_is_whole(&j->scope) ||
                 (words_any(j->answer + from, at - from, "of der des") &&
                  words_any(j->answer + from, at - from, "the your our all these den aller"));
    size_t first = evidence_literals(j->e, v, v, &n);
    for (size_t i = first; i < first + n && whole; i++)
        if (!evidence_literal(j->e, i)->text &&
            (evidence_literal(j->e, i)->operand ||
             evidence_used(j->e, evidence_literal(j->e, i)->name)))
            return c->num.sig > 1 && c->num.places <= 0 && scope_noun(&j->scope, c);
    return false;
}

/* "88 orders were above 200": what the code has as a bound, beside the number that is told. */
static bool threshold(const struct judge *j, const struct claim *c) {
    bool told = j->scope.numbers > 1 ||
                scope_has(&j->scope, "half third quarter majority most few many hälfte moitié");
    return c->bound > CLAIM_ABOUT && told && method_in_code(j, c);
}

/* "p > 0.05" says something about the p that ran. */
static bool held_by_evidence(const struct judge *j, const struct claim *c) {
    for (size_t k = 0; k < j->rival_count; k++) {
        const struct evidence_item *r = j->rivals[k];
        if (r->counted || rivals_score(j, r) < 13 || !rivals_covers(j, r))
            continue;
        if (c->bound == CLAIM_LESS)
            return r->value <= c->value;
        if (c->bound == CLAIM_MORE)
            return r->value >= c->value;
    }
    return true;
}

bool method_constant(struct judge *j, const struct claim *c, bool shown) {
    struct around a = around_of(j->answer, c, j->scope.from, j->scope.to);
    return (known_constant(c, &a) || threshold(j, c) || quantile(j, c, &a) || calendar(c, &a) ||
            parameter(j, c, &a, shown) ||
            (!shown && c->num.sig > 1 && is_definite(j, c) && is_used(j, c)) ||
            (!shown && (given_input(j, c) || made_whole(j, c)))) &&
           held_by_evidence(j, c);
}

/* --- the question --- */

static bool same_beside(const char *a, size_t x, const char *b, size_t y, int step) {
    char one[40], two[40];
    size_t n = word_beside(a, x, step, one, sizeof one);
    return n > 1 && n == word_beside(b, y, step, two, sizeof two) && memcmp(one, two, n) == 0 &&
           !words_any(one, n,
                      step < 0 ? "is was are of the a be and in at by with were" : "is was and");
}

/* "20,000 points" for "20,000 random points" */
static bool same_behind(const char *a, size_t x, const char *b, size_t y) {
    if (same_beside(a, x, b, y, 1))
        return true;
    char word[40];
    size_t n = word_beside(b, y, 1, word, sizeof word);
    while (b[y] == ' ')
        y++;
    return n > 1 && same_beside(a, x, b, y + n, 1);
}

/* "primes below 50"; and "root of two", where "of" alone would say nothing. */
static bool same_before(const char *a, size_t x, const char *b, size_t y) {
    char one[40], two[40];
    if (!x || !y)
        return false;
    if (same_beside(a, x - 1, b, y - 1, -1))
        return true;
    size_t n = word_beside(a, x - 1, -1, one, sizeof one);
    size_t m = word_beside(b, y - 1, -1, two, sizeof two);
    return n && n == m && memcmp(one, two, n) == 0 && x > n + 2 && y > n + 2 &&
           same_beside(a, x - n - 2, b, y - n - 2, -1);
}

/* "the goal of 10,000", "the 80 % goal": it was asked for, not found. */
bool method_given(const struct judge *j, const struct claim *c) {
    static const char words[] = "goal target threshold limit budget required requirement asked "
                                "desired planned ziel grenzwert schwelle objectif seuil limite";
    struct around a = around_of(j->answer, c, j->scope.from, j->scope.to);
    size_t before = whole_before(a.before + a.before_len, a.before_len, 24);
    size_t behind = whole_behind(a.behind, a.behind_len, 20);
    return words_any(a.before + a.before_len - before, before, words) ||
           words_any(a.behind, behind, words);
}

static bool asked_stops(const char *q, size_t i) {
    return strchr(",;.?!():=/\n", q[i]) ||
           (isdigit((unsigned char)q[i]) && (i == 0 || strchr(" $\n", q[i - 1])));
}

/* The words that the question has by a number of its own: up to a mark or to the next number. */
static void words_asked(const char *q, size_t at, size_t end, struct words *w) {
    size_t from = at, to = end;
    while (from > 0 && !asked_stops(q, from - 1))
        from--;
    while (q[to] && !asked_stops(q, to))
        to++;
    w->count = 0;
    words_add(w, q + from, at - from);
    words_add(w, q + end, to - end);
}

static size_t asked_end(const char *q, size_t end) {
    while (isalnum((unsigned char)q[end]) ||
           (q[end] && strchr(".,", q[end]) && isdigit((unsigned char)q[end + 1])))
        end++;
    size_t blank = q[end] == ' ';
    return end + (q[end + blank] == '%' ? blank + 1 : 0);
}

/* How many words that the question has by a number stand by the claim, too. */
static unsigned asked_words(const struct judge *j, const struct evidence_item *i,
                            enum nearness within) {
    const char *q = j->e->question_text;
    struct words w;
    unsigned named = 0;
    if (!q || i->stream != EVIDENCE_QUESTION || i->position >= strlen(q))
        return 0;
    words_asked(q, i->position, asked_end(q, i->position), &w);
    for (unsigned k = 0; k < w.count; k++)
        named += scope_near(&j->scope, w.hash[k]) <= within && !unit_word(w.hash[k]);
    return named;
}

/* "your critical value of 7.81": by its words no other number of the question is meant. */
static bool method_named(const struct judge *j, const struct evidence_item *i,
                         enum nearness within) {
    unsigned own = asked_words(j, i, within);
    for (size_t k = 0; k < j->e->asked.count && own; k++) {
        const struct evidence_item *x = &j->e->items[j->e->asked.list[k]];
        if (x->value != i->value && asked_words(j, x, NEAR_SENTENCE) > own)
            return false;
    }
    return own > 0;
}

/* The number of the question stands here beside the same word as there, or is called so. */
bool method_question(struct judge *j, const struct claim *c, const struct evidence_item *i) {
    const char *q = j->e->question_text;
    if (!q || i->position >= strlen(q))
        return false;
    size_t end = asked_end(q, i->position);
    return same_before(j->answer, c->start, q, i->position) || method_given(j, c) ||
           is_definite(j, c) || same_behind(j->answer, c->start + c->len, q, end) ||
           (i->percent == (c->unit == CLAIM_PERCENT) && method_named(j, i, NEAR_BEFORE));
}

/* --- data in the code's own text --- */

/* Is another number of its column better named? */
static bool typed_beaten(const struct judge *j, const struct evidence_item *x, unsigned score) {
    for (size_t i = 0; i < j->e->typed.count; i++) {
        const struct evidence_item *y = &j->e->typed.list[i];
        if (y->value != x->value && typed_one_column(x, y) && rivals_score(j, y) > score)
            return true;
    }
    return false;
}

/* "300 g" for mass_g = [250, 300, 350] */
static bool typed_in_unit(const struct judge *j, const struct evidence_item *x) {
    for (unsigned k = 0; k < j->units.count; k++)
        if (operand_named_by(j, x, j->units.hash[k], PART_CODE))
            return true;
    return false;
}

/* Is something that ran, and is told in the same way, named as well as this? Then that is meant. */
static bool typed_is_shown(const struct judge *j, const struct evidence_item *x, unsigned score) {
    for (size_t k = 0; k < j->rival_count && j->rival_score[k] >= score; k++)
        if (!j->rivals[k]->counted && !j->rivals[k]->stale && !j->rivals[k]->percent &&
            (j->rivals[k]->num.places > 0) == (x->num.places > 0))
            return true;
    return false;
}

/* "412 got the drug" for {"drug": {"n": 412}}: it is named by its record, its column or its list. */
static bool typed_is_told(struct judge *j, const struct claim *c, const struct evidence_item *x) {
    unsigned score = rivals_score(j, x);
    bool row = x->label[PART_ROW] && derive_mention_of(j, x, PART_ROW) >= 0;
    if (score < 7 || (x->label[PART_ROW] && !row) ||
        (typed_mention(j, x) < 0 && !typed_in_unit(j, x)) ||
        c->num.sig < (row && score >= 13 ? 2 : 3) || !typed_is_data(j, x))
        return false;
    return ground_spend(j, j->e->typed.count) && !typed_beaten(j, x, score) &&
           (row || !typed_is_shown(j, x, score));
}

bool method_typed(struct judge *j, struct grounding *g) {
    long double factors[3] = {1, 1, 1};
    size_t n = ground_factors(&g->claim, factors);
    if (g->item || g->claim.bound > CLAIM_ABOUT || !ground_spend(j, j->e->typed.count))
        return false;
    for (size_t i = 0; i < j->e->typed.count; i++) {
        const struct evidence_item *x = &j->e->typed.list[i];
        for (size_t k = 0; k < n; k++) {
            if (!ground_rounds(&g->claim, x->value * factors[k]) ||
                (g->claim.num.sig < 3 && x->num.sig > g->claim.num.sig) ||
                !ground_factor_fits(j->e, x, &g->claim, factors[k]) ||
                !typed_is_told(j, &g->claim, x))
                continue;
            g->verdict = GROUND_GROUNDED;
            g->meaning = true;
            g->item = x;
            g->rival = NULL;
            g->factor = factors[k];
            g->exact = x->value * factors[k];
            return true;
        }
    }
    return false;
}
