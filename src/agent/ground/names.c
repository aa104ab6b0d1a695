/* Numbers that are names of rows or columns, and units that are told once for two numbers. */
#include "agent/ground/ground_judge.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define FEW_LABELLED 64 /* numbers of a label by which is seen what it names */

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

/* Is something called by this word, and by those beside it? */
static bool calls_something(const struct evidence *e, uint32_t word, const uint32_t beside[2],
                            bool enough, bool bracket) {
    size_t n;
    const uint32_t *labels = evidence_labels(e, word, &n);
    for (size_t i = 0; i < n; i++) {
        const struct label *l = &e->labels[labels[i]];
        if ((enough || label_holds(e, l, beside[0]) || label_holds(e, l, beside[1]) ||
             (bracket && l->count == 1) || names_row(e, l, beside[0])) &&
            labels_shown(e, labels[i]))
            return true;
    }
    return false;
}

/* A year of the question; 2000 is an amount as well. */
static bool asked_year(const struct evidence *e, const struct claim *c, uint32_t word) {
    return words_hold(&e->question, word) && (int)c->value % 100 != 0;
}

/* Is it the first cell of a table's line? */
static bool leads_row(const char *s, size_t at) {
    while (at > 0 && strchr(" *", s[at - 1]))
        at--;
    return at > 0 && s[at - 1] == '|' && (at == 1 || s[at - 2] == '\n');
}

/* What stands between the ends of a range: "1-3", "5 to 10". */
static bool joins_range(const char *s, size_t n) {
    static const char *const marks[] = {"-",     "\u2013", " to ",    " and ",
                                        " bis ", " und ",  " \u00e0 "};
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if (strlen(marks[k]) == n && memcmp(s, marks[k], n) == 0)
            return true;
    return false;
}

/* Is a row called by these two numbers: "5-10 years"? */
static bool band_shown(const struct evidence *e, const char *a, const char *b) {
    size_t n;
    const uint32_t *labels = evidence_labels(e, word_hash(a), &n);
    for (size_t i = 0; i < n; i++) {
        const struct label *l = &e->labels[labels[i]];
        if (l->count < 5 && label_holds(e, l, word_hash(b)) && labels_shown(e, labels[i]))
            return true;
    }
    return false;
}

/* "the 1-3 year band": one of two numbers that some row is called by. */
static bool is_band(const struct evidence *e, const char *s, const struct claim *c) {
    size_t end = c->start + c->len, from = c->start, gap = 0;
    char own[24], other[24] = "";
    snprintf(own, sizeof own, "%.0Lf", c->value);
    while (gap < 5 && s[end + gap] && !isdigit((unsigned char)s[end + gap]))
        gap++;
    if (joins_range(s + end, gap)) {
        snprintf(other, sizeof other, "%.*s", (int)strspn(s + end + gap, "0123456789"),
                 s + end + gap);
        if (*other && band_shown(e, own, other))
            return true;
    }
    while (from > 0 && c->start - from < 5 && !isdigit((unsigned char)s[from - 1]))
        from--;
    size_t first = from;
    while (first > 0 && isdigit((unsigned char)s[first - 1]))
        first--;
    snprintf(other, sizeof other, "%.*s", (int)(from - first), s + first);
    return *other && joins_range(s + from, c->start - from) && band_shown(e, other, own);
}

/* "Paracetamol 500", "under four hours", "2023": the number is part of what a row, a column or a
 * line is called. */
bool ground_is_name(const struct evidence *e, const char *s, const struct claim *c) {
    size_t start = word_start(s, c->start), at = start, from;
    uint32_t word, beside[2];
    if (c->unit != CLAIM_PLAIN || c->scale || c->signed_ || c->num.places > 0 ||
        !words_next(s, strlen(s), &at, &word, &from) || from != start || !word)
        return false;
    if (is_long_name(e, c) || is_argument(s, c))
        return true;
    char digits[24];
    snprintf(digits, sizeof digits, "%.0Lf", c->value);
    uint32_t figure = isalpha((unsigned char)s[start]) ? word_hash(digits) : 0;
    bool year = at - from == 4 && c->value >= 1900 && c->value < 2100;
    bool lettered = isdigit((unsigned char)s[start]) && at - from > c->len; /* the 30s */
    if ((year && asked_year(e, c, word)) || is_band(e, s, c))
        return true;
    words_beside(s, start, at, beside);
    bool bracket = stands_in_bracket(s, start, at);
    return calls_something(e, word, beside, year || lettered || leads_row(s, start), bracket) ||
           (figure && calls_something(e, figure, beside, false, bracket)); /* "three" of month_3 */
}

/* --- units that are told once --- */

static bool is_plain(const struct claim *c) {
    return c->class == CLAIM_VALUE && c->unit == CLAIM_PLAIN && !c->scale;
}

/* "0.95 percentage points (95 % CI 0.20 to 1.70)" */
static bool is_interval_of_share(const char *s, const struct claims *claims, size_t i,
                                 size_t from) {
    const struct claim *c = &claims->list[i];
    for (size_t k = i; k-- > 0 && claims->list[k].start >= from;) {
        const struct claim *x = &claims->list[k];
        size_t end = x->start + x->len;
        if (x->class == CLAIM_VALUE && x->unit == CLAIM_PERCENT && x->num.places == c->num.places)
            return words_any(s + end, c->start - end, "CI interval KI IC konfidenzintervall");
    }
    return false;
}

/* "0.21 to 1.64 %", "0.93 percentage points, with an interval of 0.21 to 1.64 points": what is said of
 * one of them holds for the other. */
void ground_share_units(const char *s, struct claims *claims) {
    static const char *const between[] = {" to ",  " and ", "-",     "\u2013",  " \u2013 ",
                                          " bis ", " auf ", " und ", " \u00e0 "};
    for (size_t i = claims->count; i-- > 0;) {
        struct claim *c = &claims->list[i];
        size_t end = c->start + c->len, from, to;
        sentence_at(s, c->start, &from, &to);
        if (is_plain(c) && strncmp(s + end, " points", 7) == 0 && c->num.places > 0 &&
            memmem(s + from, c->start - from, "percentage point", 16))
            c->unit = CLAIM_PERCENT;
        if (is_plain(c) && c->num.places > 0 && is_interval_of_share(s, claims, i, from))
            c->unit = CLAIM_PERCENT;
        const struct claim *next = i + 1 < claims->count ? c + 1 : NULL;
        size_t n = next && next->start > end ? next->start - end : 0;
        for (size_t k = 0; n && k < sizeof between / sizeof *between; k++)
            if (is_plain(c) && next->unit == CLAIM_PERCENT && strlen(between[k]) == n &&
                memcmp(s + end, between[k], n) == 0 && c->num.places == next->num.places)
                c->unit = CLAIM_PERCENT;
    }
}

/* "at 10:30", "from 09:00 to 11:59" */
static bool is_time_of_day(const char *answer, const struct claim *c) {
    size_t n = c->start < 8 ? c->start : 8;
    const char *s = answer + c->start;
    bool hours = c->len == 5 && (s[0] < '2' || (s[0] == '2' && s[1] < '4'));
    return words_any(s - n, n, "at around um gegen à vers until since") ||
           (hours && words_any(s - n, n, "from to between and von bis zwischen und de et"));
}

/* "3:47:54" is a result where times were shown, unless it is a time of day: "at 10:30". */
void ground_read_clocks(const struct evidence *e, const char *answer, struct claims *claims) {
    struct num num;
    for (size_t i = 0; i < claims->count && e->asked.clocks; i++) {
        struct claim *c = &claims->list[i];
        if (c->class != CLAIM_DATE || num_clock(answer + c->start, c->len, &num) != c->len ||
            is_time_of_day(answer, c))
            continue;
        c->class = CLAIM_VALUE;
        c->num = num;
        c->value = num.value;
    }
}
