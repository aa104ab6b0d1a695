/* Whether the words around a claim agree with the number that it matches. */
#include "agent/ground/fits.h"

#include "agent/ground/rivals.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

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
