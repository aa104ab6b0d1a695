/* Which statistic a sentence tells of with one of its numbers. */
#include "agent/ground/ground_judge.h"

#include <string.h>

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

unsigned ground_stats_asked(const struct judge *j, size_t index) {
    const struct claim *c = &j->claims->list[index];
    unsigned range = range_end(j, index), bound = range ? range : quantile_bound(j, c);
    unsigned named = bound ? bound : scope_stats(&j->scope);
    if (c->unit == CLAIM_PERCENT && (named & STAT_SUM) && is_of_total(j, c))
        named &= ~(unsigned)STAT_SUM;
    if ((named & (STAT_MIN | STAT_MAX)) && !bound && opens_with_average(j))
        named |= STAT_MEAN;
    return named ? named : utmost(j, c);
}
