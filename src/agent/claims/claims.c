#include "agent/claims/claims.h"

#include "agent/claims/claims_mask.h"
#include "agent/text/number_words.h"
#include "agent/text/words.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct reader {
    const char *s;
    size_t len;
    char *mask;
    struct claims *out;
    bool continental; /* 1.234,5 is how it writes numbers */
};

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define LONG_CLAUSE 60 /* bytes before a bound in which it may be denied */
#define ONE_IN 16      /* bytes before the "in" of "one visitor in twenty" */
#define LONG_LIST 4096 /* bytes before a number in which its bracket may have been opened */

static bool is_digit(const struct reader *r, size_t i) {
    return i < r->len && r->s[i] >= '0' && r->s[i] <= '9';
}

static char claims_at(const struct reader *r, size_t i) {
    return i < r->len ? r->s[i] : 0;
}

static uint32_t cp_at(const struct reader *r, size_t i) {
    uint32_t cp = 0;
    if (i < r->len)
        utf8_at(r->s + i, r->len - i, &cp);
    return cp;
}

/* The code point that ends before i, and where it starts. */
static uint32_t cp_before(const struct reader *r, size_t i, size_t *ret_start) {
    if (i == 0)
        return 0;
    size_t k = i - 1;
    while (k > 0 && i - k < 4 && utf8_goes_on(r->s[k]))
        k--;
    if (ret_start)
        *ret_start = k;
    return cp_at(r, k);
}

static bool one_of(const char *w, size_t len, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == len && strncasecmp(w, list[i], len) == 0)
            return true;
    return false;
}

/* The word before i on the same line, skipping blanks and markup. */
static size_t word_before(const struct reader *r, size_t i, const char **ret) {
    while (i > 0 && strchr(" \t*_(\"':=", r->s[i - 1]))
        i--;
    size_t end = i;
    if (end > 0 && r->s[end - 1] == '.')
        end = --i;
    while (i > 0 && isalpha((unsigned char)r->s[i - 1]))
        i--;
    *ret = r->s + i;
    return end - i;
}

static size_t word_after(const struct reader *r, size_t i, const char **ret) {
    while (claims_at(r, i) == ' ' || claims_at(r, i) == '-')
        i++;
    size_t n = 0;
    while (isalpha((unsigned char)claims_at(r, i + n)))
        n++;
    *ret = r->s + i;
    return n;
}

static const char *const months[] = {
    "january",   "february", "march",    "april",    "may",  "june", "july", "august",
    "september", "october",  "november", "december", "jan",  "feb",  "mar",  "apr",
    "jun",       "jul",      "aug",      "sep",      "sept", "oct",  "nov",  "dec"};

static bool is_month(const char *w, size_t len) {
    return one_of(w, len, months, COUNT(months));
}

/* Digits at i, then repeatedly one of `marks` and digits; fills the lengths of up to four runs. */
static size_t runs_at(const struct reader *r, size_t i, const char *marks, size_t *runs,
                      size_t *ret_count) {
    size_t n = 0, k = i;
    char mark = 0;
    while (n < 4) {
        size_t d = 0;
        while (is_digit(r, k + d))
            d++;
        if (!d)
            break;
        runs[n++] = d;
        k += d;
        char c = claims_at(r, k);
        if (!c || !strchr(marks, c) || (mark && c != mark) || !is_digit(r, k + 1))
            break;
        mark = c;
        k++;
    }
    *ret_count = n;
    return k - i;
}

/* 2024-01-05, 5/1/2024, 05.01.2024, 10:30, 10:30:05, 2024-01, each with a time after it. */
static size_t numeric_date(const struct reader *r, size_t i) {
    size_t runs[4], n, len;
    len = runs_at(r, i, ":", runs, &n);
    if (n >= 2 && runs[0] <= 2 && runs[1] == 2)
        return len;
    len = runs_at(r, i, "-/.", runs, &n);
    char mark = claims_at(r, i + runs[0]);
    bool year_first = runs[0] == 4 && n >= 2 && runs[1] <= 2 && mark != '.';
    bool year_last = n == 3 && runs[0] <= 2 && runs[1] <= 2 && (runs[2] == 4 || runs[2] == 2);
    if (n == 3 && mark == '.' && runs[2] != 4)
        return 0;
    if (!(year_first && (n == 3 || (n == 2 && runs[1] == 2 && mark == '-'))) && !year_last)
        return 0;
    if (claims_at(r, i + len) == 'T' && is_digit(r, i + len + 1))
        len += 1 + runs_at(r, i + len + 1, ":", runs, &n);
    return len;
}

/* "5 January", "January 5", "Jan. 5th" */
static bool named_date(const struct reader *r, size_t i, size_t end, size_t digits) {
    const char *w;
    if (digits > 2)
        return false;
    size_t n = word_before(r, i, &w);
    if (is_month(w, n))
        return true;
    n = word_after(r, end, &w);
    return is_month(w, n) && (n > 3 || !islower((unsigned char)*w));
}

static bool ordinal_suffix(const struct reader *r, size_t end) {
    /* French: 95e, 1er */
    if (r->continental && claims_at(r, end) == 'e' && !num_letter(cp_at(r, end + 1)))
        return true;
    static const char *const suffixes[] = {"st", "nd", "rd", "th"};
    return one_of(r->s + end, r->len - end < 2 ? r->len - end : 2, suffixes, 4) &&
           !isalpha((unsigned char)claims_at(r, end + 2));
}

static size_t year_digits(const struct reader *r, size_t i) {
    size_t n = 0;
    while (is_digit(r, i + n))
        n++;
    return n;
}

static bool is_year(const struct reader *r, size_t i, size_t digits) {
    static const char *const before[] = {"in",    "since",  "during", "year",   "years",   "until",
                                         "fy",    "summer", "spring", "autumn", "winter",  "fall",
                                         "early", "late",   "seit",   "jahr",   "jahre",   "depuis",
                                         "année", "from",   "to",     "and",    "between", "en"};
    if (digits != 4 || (claims_at(r, i) != '1' && claims_at(r, i) != '2'))
        return false;
    int year = (claims_at(r, i) - '0') * 10 + (claims_at(r, i + 1) - '0');
    if (year < 19 || year > 20)
        return false;
    const char *w;
    size_t n = word_before(r, i, &w);
    if (one_of(w, n, before, COUNT(before)) || is_month(w, n))
        return true;
    if (i >= 3 && (claims_at(r, i - 3) == 'Q' || claims_at(r, i - 3) == 'q') && is_digit(r, i - 2))
        return true;
    if (i >= 2 && claims_at(r, i - 1) == ' ' && claims_at(r, i - 2) == ',' &&
        i >= 4) { /* "January 5, 2024" */
        size_t k = i - 2;
        while (k > 0 &&
               (isdigit((unsigned char)r->s[k - 1]) || isalpha((unsigned char)r->s[k - 1])))
            k--;
        n = word_before(r, k, &w);
        if (is_digit(r, k) && is_month(w, n))
            return true;
    }
    size_t dash = cp_at(r, i + 4) == 0x2013 ? 3 : claims_at(r, i + 4) == '-';
    if (dash && claims_at(r, i + 4 + dash) && strchr("12", claims_at(r, i + 4 + dash)) &&
        year_digits(r, i + 4 + dash) == 4) /* "1991-2020" */
        return true;
    bool alone = claims_at(r, i - 1) == '(' && i > 0 && claims_at(r, i + 4) == ')';
    bool decade = claims_at(r, i + 4) == 's' && !isalpha((unsigned char)claims_at(r, i + 5));
    return alone || decade;
}

/* The number that the first cell of a table's line has, -1 if that has something else. */
static long first_cell(const struct reader *r, size_t line) {
    size_t n = 0;
    long v = 0;
    if (claims_at(r, line++) != '|')
        return -1;
    while (claims_at(r, line) == ' ')
        line++;
    for (; is_digit(r, line + n) && n < 4; n++)
        v = 10 * v + (claims_at(r, line + n) - '0');
    while (claims_at(r, line + n) == ' ')
        line++;
    return n && claims_at(r, line + n) == '|' ? v : -1;
}

/* "| 1 | Kings |" and "| 2 | Wolves |" in the lines of a table: ranks. */
static bool is_rank(const struct reader *r, size_t i) {
    size_t line = i, before, next = i;
    while (line > 0 && r->s[line - 1] != '\n')
        line--;
    for (size_t k = line; k < i; k++)
        if (!strchr("| ", r->s[k]))
            return false;
    while (next < r->len && r->s[next] != '\n')
        next++;
    for (before = line ? line - 1 : 0; before > 0 && r->s[before - 1] != '\n';)
        before--;
    long v = first_cell(r, line);
    return v > 0 && ((line && first_cell(r, before) == v - 1) || first_cell(r, next + 1) == v + 1);
}

/* "1. ", "2) " or "(3) " at the start of a line. */
static bool is_marker(const struct reader *r, size_t i, size_t digits) {
    if (digits > 2)
        return false;
    size_t k = i, end = i + digits;
    if (is_rank(r, i))
        return true;
    if (k > 0 && r->s[k - 1] == '(' && claims_at(r, end) == ')')
        k--;
    while (k > 0 && strchr(" \t#>*", r->s[k - 1]))
        k--;
    if (k > 0 && r->s[k - 1] != '\n')
        return false;
    if (claims_at(r, end) != '.' && claims_at(r, end) != ')')
        return false;
    return claims_at(r, end + 1) == ' ' && claims_at(r, end + 2) != 0 &&
           claims_at(r, end + 2) != '\n';
}

static bool is_reference(const struct reader *r, size_t i) {
    static const char *const before[] = {
        "step",     "steps",   "figure", "fig",      "table",    "section", "cell",
        "cells",    "chapter", "page",   "pages",    "line",     "lines",   "item",
        "question", "task",    "option", "equation", "appendix", "example", "part",
        "phase",    "chart",   "plot",   "no",       "top",      "id",      "last",
        "first",    "bottom",  "past",   "next",     "letzten",  "ersten",  "premiers"};
    const char *w;
    size_t n = word_before(r, i, &w), digits = 0;
    while (is_digit(r, i + digits))
        digits++;
    char mark = claims_at(r, i + digits);
    if ((mark == '.' || mark == ',') && is_digit(r, i + digits + 1)) /* "top 88.5" is measured */
        return false;
    return one_of(w, n, before, COUNT(before)) || (i > 0 && claims_at(r, i - 1) == '#');
}

static bool is_version(const struct reader *r, size_t i, size_t *ret_len) {
    static const char *const before[] = {"version", "python", "release", "numpy", "pandas", "v"};
    size_t runs[4], n;
    size_t len = runs_at(r, i, ".", runs, &n);
    bool thousands = n >= 3 && runs[0] <= 3;
    for (size_t k = 1; k < n; k++)
        thousands = thousands && runs[k] == 3;
    const char *w;
    size_t wn = word_before(r, i, &w);
    if (n < 3 || thousands) {
        if (!one_of(w, wn, before, COUNT(before)))
            return false;
    }
    size_t build = n >= 3 && claims_at(r, i + len) == '-' ? 1 : 0; /* 6.1.0-18 */
    while (build && is_digit(r, i + len + build))
        build++;
    *ret_len = len + (build > 1 ? build : 0);
    return true;
}

static int claims_push(struct reader *r, const struct claim *c) {
    struct claims *out = r->out;
    if ((out->count & (out->count - 1)) == 0) {
        size_t room = out->count ? out->count * 2 : 1;
        struct claim *list = realloc(out->list, room * sizeof *list);
        if (!list)
            return -ENOMEM;
        out->list = list;
    }
    out->list[out->count++] = *c;
    return 0;
}

static bool is_currency(uint32_t cp) {
    return cp == '$' || cp == 0xa3 || cp == 0xa5 || (cp >= 0x20a0 && cp <= 0x20c0);
}

/* Takes "-$", "€-", "±", "+" before the number into the claim. */
static void read_sign(const struct reader *r, struct claim *c, bool *ret_currency) {
    *ret_currency = false;
    for (int round = 0; round < 3; round++) {
        size_t k = c->start;
        uint32_t cp = cp_before(r, c->start, &k);
        if (is_currency(cp) && !*ret_currency) {
            *ret_currency = true;
        } else if ((cp == '-' || cp == 0x2212 || cp == 0x2013 || cp == '+' || cp == 0xb1) &&
                   !c->signed_) {
            uint32_t prev = cp_before(r, k, NULL);
            if (cp != 0xb1 && (num_letter(prev) || (prev >= '0' && prev <= '9') || prev == ')'))
                break;
            c->signed_ = cp != 0xb1;
            if (cp != '+' && cp != 0xb1)
                c->value = -c->value;
        } else {
            break;
        }
        c->start = k;
    }
}

static void scale_by(struct claim *c, int exponent) {
    c->scale += exponent;
    c->num.value *= num_pow10(exponent);
    c->num.places -= exponent;
    c->num.digits = 0;
}

static size_t blanks_at(const struct reader *r, size_t i) {
    size_t n = 0;
    for (;;) {
        if (claims_at(r, i + n) == ' ')
            n++;
        else if (cp_at(r, i + n) == 0xa0)
            n += 2;
        else if (cp_at(r, i + n) == 0x202f || cp_at(r, i + n) == 0x2009)
            n += 3;
        else
            return n;
    }
}

/* "percent", "per cent", "percentage points", "pp", "%", "bp", "bps", "basis points" at i. */
static size_t unit_at(const struct reader *r, size_t i, enum claim_unit *ret) {
    static const struct {
        const char *text;
        enum claim_unit unit;
    } units[] = {{"percentage points", CLAIM_PERCENT},
                 {"percentage point", CLAIM_PERCENT},
                 {"percent", CLAIM_PERCENT},
                 {"per cent", CLAIM_PERCENT},
                 {"%", CLAIM_PERCENT},
                 {"\\%", CLAIM_PERCENT},
                 {"pp", CLAIM_PERCENT},
                 {"basis points", CLAIM_BASIS_POINTS},
                 {"basis point", CLAIM_BASIS_POINTS},
                 {"bps", CLAIM_BASIS_POINTS},
                 {"bp", CLAIM_BASIS_POINTS}};
    for (size_t k = 0; k < COUNT(units); k++) {
        size_t n = strlen(units[k].text);
        if (r->len - i < n || strncasecmp(r->s + i, units[k].text, n) != 0)
            continue;
        if (isalpha((unsigned char)units[k].text[n - 1]) && num_letter(cp_at(r, i + n)))
            continue;
        *ret = units[k].unit;
        return n;
    }
    return 0;
}

/* Reads what follows the digits: k, M, million, %, bp. Returns the end of the claim. */
static size_t read_unit(const struct reader *r, struct claim *c, size_t end, bool currency) {
    size_t gap = blanks_at(r, end), n = 0;
    size_t w = claims_at(r, end) == '-' ? end + 1 : end + gap;
    while (isalpha((unsigned char)claims_at(r, w + n)))
        n++;
    int exponent = n ? numwords_multiplier(r->s + w, n, currency) : 0;
    if (exponent && !num_letter(cp_at(r, w + n)) && !(exponent == 2)) {
        scale_by(c, exponent);
        end = w + n;
        gap = blanks_at(r, end);
    }
    enum claim_unit unit = CLAIM_PLAIN;
    n = end + gap < r->len ? unit_at(r, end + gap, &unit) : 0;
    if (n && !(unit == CLAIM_BASIS_POINTS && c->num.value >= 1000)) { /* base pairs */
        c->unit = unit;
        return end + gap + n;
    }
    uint32_t cp = cp_at(r, end + gap);
    return is_currency(cp) && cp != '$' ? end + gap + 3 - (cp < 0x800 ? 1 : 0) : end;
}

static bool phrase_before(const struct reader *r, size_t i, const char *phrase) {
    size_t n = strlen(phrase);
    if (i < n || strncasecmp(r->s + i - n, phrase, n) != 0)
        return false;
    return !isalpha((unsigned char)*phrase) || i == n || !isalnum((unsigned char)r->s[i - n - 1]);
}

/* "add up to", "amounts up to": a sum, not a bound. */
static bool sums_up(const struct reader *r, size_t i) {
    static const char *const verbs[] = {"add",  "adds", "added", "adding",  "sum",
                                        "sums", "come", "comes", "amounts", "amount"};
    const char *w;
    size_t n = phrase_before(r, i, "up to") ? word_before(r, i - strlen("up to"), &w) : 0;
    return n && one_of(w, n, verbs, COUNT(verbs));
}

struct bounding {
    const char *phrase;
    enum claim_bound bound;
};

static const struct bounding boundings[] = {{"close to", CLAIM_ABOUT},
                                            {"à peu près", CLAIM_ABOUT},
                                            {"some", CLAIM_ABOUT},
                                            {"rund", CLAIM_ABOUT},
                                            {"etwa", CLAIM_ABOUT},
                                            {"ungefähr", CLAIM_ABOUT},
                                            {"knapp", CLAIM_ABOUT},
                                            {"gut", CLAIM_ABOUT},
                                            {"fast", CLAIM_ABOUT},
                                            {"presque", CLAIM_ABOUT},
                                            {"environ", CLAIM_ABOUT},
                                            {"près de", CLAIM_ABOUT},
                                            {"mehr als", CLAIM_MORE},
                                            {"mindestens", CLAIM_MORE},
                                            {"plus de", CLAIM_MORE},
                                            {"weniger als", CLAIM_LESS},
                                            {"höchstens", CLAIM_LESS},
                                            {"moins de", CLAIM_LESS},
                                            {"about", CLAIM_ABOUT},
                                            {"roughly", CLAIM_ABOUT},
                                            {"approximately", CLAIM_ABOUT},
                                            {"approx.", CLAIM_ABOUT},
                                            {"approx", CLAIM_ABOUT},
                                            {"around", CLAIM_ABOUT},
                                            {"nearly", CLAIM_ABOUT},
                                            {"almost", CLAIM_ABOUT},
                                            {"circa", CLAIM_ABOUT},
                                            {"ca.", CLAIM_ABOUT},
                                            {"~", CLAIM_ABOUT},
                                            {"\u2248", CLAIM_ABOUT},
                                            {"more than", CLAIM_MORE},
                                            {"over", CLAIM_MORE},
                                            {"above", CLAIM_MORE},
                                            {"at least", CLAIM_MORE},
                                            {"greater than", CLAIM_MORE},
                                            {"exceeds", CLAIM_MORE},
                                            {">", CLAIM_MORE},
                                            {"\u2265", CLAIM_MORE},
                                            {"less than", CLAIM_LESS},
                                            {"under", CLAIM_LESS},
                                            {"below", CLAIM_LESS},
                                            {"fewer than", CLAIM_LESS},
                                            {"at most", CLAIM_LESS},
                                            {"up to", CLAIM_LESS},
                                            {"\u2264", CLAIM_LESS},
                                            {"<", CLAIM_LESS}};

/* "no point is off by more than", "never went above" */
static bool is_denied(const struct reader *r, size_t i) {
    size_t from = i > LONG_CLAUSE ? i - LONG_CLAUSE : 0;
    for (size_t k = from; k < i; k++)
        if (strchr(".,;:\n(", r->s[k]) && !is_digit(r, k + 1))
            from = k + 1;
    return words_any(
        r->s + from, i - from,
        "no not never none nobody nothing kein keine keiner nie nicht aucun aucune jamais");
}

static enum claim_bound opposite(enum claim_bound bound) {
    return bound == CLAIM_MORE ? CLAIM_LESS : bound == CLAIM_LESS ? CLAIM_MORE : bound;
}

static enum claim_bound bound_before(const struct reader *r, size_t i) {
    while (i > 0 && strchr(" \t*_`$", r->s[i - 1]))
        i--;
    if (sums_up(r, i))
        return CLAIM_EXACT;
    for (size_t k = 0; k < COUNT(boundings); k++)
        if (phrase_before(r, i, boundings[k].phrase))
            return is_denied(r, i) ? opposite(boundings[k].bound) : boundings[k].bound;
    return CLAIM_EXACT;
}

/* "6 or less", "18 and older": the bound stands behind. */
static enum claim_bound bound_behind(const struct reader *r, size_t end) {
    static const struct bounding tails[] = {
        {" or more", CLAIM_MORE},    {" or less", CLAIM_LESS},      {" or above", CLAIM_MORE},
        {" or below", CLAIM_LESS},   {" or higher", CLAIM_MORE},    {" or lower", CLAIM_LESS},
        {" or better", CLAIM_MORE},  {" or worse", CLAIM_LESS},     {" or older", CLAIM_MORE},
        {" or younger", CLAIM_LESS}, {" or fewer", CLAIM_LESS},     {" or longer", CLAIM_MORE},
        {" or over", CLAIM_MORE},    {" or under", CLAIM_LESS},     {" and above", CLAIM_MORE},
        {" and over", CLAIM_MORE},   {" and older", CLAIM_MORE},    {" and below", CLAIM_LESS},
        {" oder mehr", CLAIM_MORE},  {" oder weniger", CLAIM_LESS}, {" ou plus", CLAIM_MORE},
        {" ou moins", CLAIM_LESS}};
    for (size_t k = 0; k < COUNT(tails); k++) {
        size_t n = strlen(tails[k].phrase);
        if (r->len - end >= n && strncasecmp(r->s + end, tails[k].phrase, n) == 0 &&
            !isalpha((unsigned char)claims_at(r, end + n)))
            return tails[k].bound;
    }
    return CLAIM_EXACT;
}

/* "3/4" with no further slash. */
static size_t fraction_from(const struct reader *r, struct claim *c, size_t end) {
    struct num den;
    if (claims_at(r, end) != '/' || !is_digit(r, end + 1) || c->num.places != 0)
        return end;
    size_t n = num_scan(r->s + end + 1, r->len - end - 1, 0, &den);
    if (den.value == 0 || den.places != 0 || claims_at(r, end + 1 + n) == '/')
        return end;
    c->over = den.value;
    c->num.value /= den.value;
    return end + 1 + n;
}

static bool glued_to_name(const struct reader *r, size_t i) {
    size_t k = i;
    uint32_t prev = cp_before(r, i, &k);
    if (num_letter(prev))
        return true;
    if (prev == '{' && k > 0 && r->s[k - 1] == '^') /* LaTeX: T^{2} */
        k--, prev = '^';
    return (prev == '-' || prev == '^') && k > 0 && num_letter(cp_before(r, k, NULL));
}

/* Letters right behind the digits that make a name of it: 2D, 3f2a, 4x4. */
static bool runs_into_name(const struct reader *r, size_t end) {
    size_t n = 0;
    while (isalnum((unsigned char)claims_at(r, end + n)) || claims_at(r, end + n) == '_')
        n++;
    if (!n)
        return false;
    if (n == 1 && claims_at(r, end) && strchr("ADEHPQRSUXYZd", claims_at(r, end))) /* no unit */
        return true;
    if (n == 2 && strncmp(r->s + end, "xx", 2) == 0) /* 5xx */
        return true;
    for (size_t k = 0; k < n; k++)
        if (is_digit(r, end + k) || claims_at(r, end + k) == '_')
            return true;
    return false;
}

static int push_class(struct reader *r, enum claim_class class, size_t start, size_t len,
                      const struct num *num) {
    struct claim c = {.class = class, .start = start, .len = len, .num = *num, .value = num->value};
    return claims_push(r, &c);
}

/* A second number of a year range, "2019-2023", is a year too. */
static size_t year_end(const struct reader *r, size_t i) {
    size_t k = i + 4;
    uint32_t cp = cp_at(r, k);
    if (cp != '-' && cp != 0x2013 && cp != '/')
        return k;
    k += cp == 0x2013 ? 3 : 1;
    size_t d = 0;
    while (is_digit(r, k + d))
        d++;
    return d == 4 || d == 2 ? k + d : i + 4;
}

/* "9:3:3:1", "1:2:4": a ratio that something is held against. */
static size_t ratio_at(const struct reader *r, size_t i) {
    size_t runs[4], n, len = runs_at(r, i, ":", runs, &n);
    for (size_t k = 0; k < n; k++)
        if (runs[k] > 2)
            return 0;
    return n > 2 ? len : 0;
}

/* Not claims: returns the end of the token, or 0 when it may be a claim. */
static size_t classify(const struct reader *r, size_t i, size_t digits, enum claim_class *ret) {
    size_t len;
    bool money = is_currency(cp_before(r, i, NULL));
    if (glued_to_name(r, i) || runs_into_name(r, i + digits)) {
        *ret = CLAIM_NAME;
        len = digits;
        while (isalnum((unsigned char)claims_at(r, i + len)) || claims_at(r, i + len) == '_' ||
               (claims_at(r, i + len) == '.' && is_digit(r, i + len + 1)))
            len++;
        return ordinal_suffix(r, i + digits) ? 0 : i + len;
    }
    if (!money && (len = ratio_at(r, i)) && !numeric_date(r, i)) {
        *ret = CLAIM_NAME;
        return i + len;
    }
    if (!money && (len = numeric_date(r, i))) {
        *ret = CLAIM_DATE;
        return i + len;
    }
    if (ordinal_suffix(r, i + digits)) {
        *ret = named_date(r, i, i + digits + 2, digits) ? CLAIM_DATE : CLAIM_ORDINAL;
        return i + digits + 2;
    }
    if (is_marker(r, i, digits)) {
        *ret = CLAIM_MARKER;
        return i + digits;
    }
    if (is_version(r, i, &len)) {
        *ret = CLAIM_VERSION;
        return i + len;
    }
    bool whole = claims_at(r, i + digits) != '.' || !is_digit(r, i + digits + 1);
    whole = whole && (claims_at(r, i + digits) != ',' || !is_digit(r, i + digits + 1));
    if (whole && !money && named_date(r, i, i + digits, digits)) {
        *ret = CLAIM_DATE;
        return i + digits;
    }
    if (whole && !money && is_year(r, i, digits)) {
        *ret = CLAIM_YEAR;
        return year_end(r, i);
    }
    if (is_reference(r, i)) {
        *ret = CLAIM_REFERENCE;
        return i + digits;
    }
    return 0;
}

/* "310.500 €", or a text that writes "1.234,5" elsewhere: a point groups digits there. */
static bool points_group(const struct reader *r, size_t i) {
    size_t n = 0;
    while (is_digit(r, i + n) || claims_at(r, i + n) == '.')
        n++;
    return r->continental || cp_at(r, i + n + blanks_at(r, i + n)) == 0x20ac;
}

/* Commas inside square brackets separate list items. */
static unsigned flags_at(const struct reader *r, size_t i) {
    for (size_t k = i; k > 0 && i - k < LONG_LIST && r->s[k - 1] != '\n'; k--) {
        if (r->s[k - 1] == ']')
            break;
        if (r->s[k - 1] == '[')
            return NUM_POWERS;
    }
    if (i > 1 && (r->s[i - 1] == ',' || r->s[i - 1] == '.') && is_digit(r, i - 2))
        return NUM_POWERS;
    size_t k = i;
    while (k > 0 && r->s[k - 1] == ' ')
        k--;
    bool after_number = k < i && k > 0 && isdigit((unsigned char)r->s[k - 1]);
    return NUM_GROUPS | NUM_POWERS | (after_number ? 0 : NUM_SPACES) |
           (points_group(r, i) ? NUM_POINTS : 0);
}

static int read_digits(struct reader *r, size_t i, size_t *ret_next) {
    struct claim c = {.start = i};
    size_t digits = 0;
    while (is_digit(r, i + digits))
        digits++;
    size_t n = num_scan(r->s + i, r->len - i, flags_at(r, i), &c.num);
    enum claim_class class;
    size_t end = digits ? classify(r, i, digits, &class) : 0;
    if (end) {
        *ret_next = end;
        return push_class(r, class, i, end - i, &c.num);
    }
    bool currency;
    end = fraction_from(r, &c, i + n);
    c.value = 1;
    read_sign(r, &c, &currency);
    end = read_unit(r, &c, end, currency);
    c.value *= c.num.value;
    c.bound = bound_before(r, c.start);
    c.bound = c.bound ? c.bound : bound_behind(r, end);
    c.len = end - c.start;
    *ret_next = end;
    return claims_push(r, &c);
}

static long double vulgar(uint32_t cp) {
    return cp == 0xbc ? 0.25L : cp == 0xbd ? 0.5L : cp == 0xbe ? 0.75L : 0;
}

static int read_vulgar(struct reader *r, size_t i, size_t *ret_next) {
    struct claim c = {.start = i, .len = 2, .num = {.value = vulgar(cp_at(r, i)), .sig = 1}};
    c.num.places = c.num.value == 0.5L ? 1 : 2;
    c.value = c.num.value;
    c.over = c.num.value == 0.5L ? 2 : 4;
    *ret_next = i + 2;
    return claims_push(r, &c);
}

/* "the two groups", "both", "first three": words that point back rather than state. */
static bool points_back(const struct reader *r, size_t i) {
    static const char *const before[] = {"the",     "these",   "those", "first",  "last",
                                         "other",   "all",     "any",   "each",   "no",
                                         "every",   "between", "top",   "bottom", "largest",
                                         "biggest", "best",    "worst", "next",   "past"};
    const char *w;
    size_t n = word_before(r, i, &w);
    return one_of(w, n, before, COUNT(before));
}

/* Is there a number in words, or one of digits, at i? */
static bool number_at(const struct reader *r, size_t i) {
    struct num num;
    return is_digit(r, i) || numwords_scan(r->s + i, r->len - i, &num);
}

/* "two thirds", "one in twenty", "nine in ten", "two and a half": as rough as "half", and no number to
 * be proved to the digit. */
static bool is_rough(const struct reader *r, size_t i, size_t end) {
    static const char *const parts[] = {"thirds", "quarters", "fifths", "sixths", "tenths"};
    const char *w;
    size_t n = word_after(r, end, &w);
    if (one_of(w, n, parts, COUNT(parts)) ||
        (r->len - end > 11 && strncmp(r->s + end, " and a half", 11) == 0))
        return true;
    if (n == 2 && strncasecmp(w, "in", 2) == 0 && number_at(r, (size_t)(w - r->s) + 3))
        return true;
    n = word_before(r, i, &w);
    size_t from = (size_t)(w - r->s);
    size_t back = from < ONE_IN ? from : ONE_IN;
    return n == 2 && strncasecmp(w, "in", 2) == 0 &&
           words_any(w - back, back, "one two three four seven eight nine");
}

/* "Three things stand out": how many remarks follow. */
static bool counts_remarks(const struct reader *r, size_t end) {
    static const char *const words[] = {
        "things",  "points",    "reasons", "takeaways", "findings", "observations", "remarks",
        "caveats", "notes",     "lessons", "messages",  "dinge",    "punkte",       "gründe",
        "choses",  "remarques", "aspects", "insights",  "facts",    "conclusions",  "patterns"};
    const char *w;
    size_t n = word_after(r, end, &w);
    return one_of(w, n, words, COUNT(words)) || (n == 3 && strncasecmp(w, "key", 3) == 0);
}

static int read_spelled_out(struct reader *r, size_t i, size_t *ret_next) {
    struct claim c = {.start = i};
    size_t n = numwords_scan(r->s + i, r->len - i, &c.num);
    if (!n || num_letter(cp_at(r, i + n)) || points_back(r, i) || is_rough(r, i, i + n) ||
        (isupper((unsigned char)r->s[i]) && counts_remarks(r, i + n)))
        return 0;
    size_t end = read_unit(r, &c, i + n, false);
    c.value = c.num.value;
    c.bound = bound_before(r, i);
    c.len = end - i;
    *ret_next = end;
    return claims_push(r, &c);
}

/* Reads the token at i, if it is one, and says where to go on. */
static int read_token(struct reader *r, size_t i, size_t *ret_next) {
    uint32_t cp = cp_at(r, i);
    bool point =
        cp == '.' && is_digit(r, i + 1) && (i == 0 || !isalnum((unsigned char)r->s[i - 1]));
    if (is_digit(r, i) || point)
        return read_digits(r, i, ret_next);
    if (vulgar(cp) != 0)
        return read_vulgar(r, i, ret_next);
    if (cp < 0x80 && isalpha((int)cp) && !num_letter(cp_before(r, i, NULL))) {
        size_t n = 1;
        while (isalpha((unsigned char)claims_at(r, i + n)))
            n++;
        *ret_next = i + n;
        return read_spelled_out(r, i, ret_next);
    }
    return 0;
}

/* How many numbers have this decimal mark for sure: as many digits behind it as no group has. */
static size_t sure_decimals(const struct reader *r, char mark) {
    size_t n = 0;
    for (size_t i = 1; i + 1 < r->len; i++) {
        size_t end = i + 1;
        if (r->s[i] != mark || !is_digit(r, i - 1) || !is_digit(r, end))
            continue;
        size_t from = i;
        while (from > 0 && is_digit(r, from - 1))
            from--;
        if (from > 0 && strchr(",.([", r->s[from - 1])) /* (12,34) */
            continue;
        while (end < r->len && is_digit(r, end))
            end++;
        bool more = end + 1 < r->len && strchr(",.", r->s[end]) && is_digit(r, end + 1);
        n += end - i - 1 != 3 && !more;
        i = end;
    }
    return n;
}

/* German or Italian, by "1.234,5" or by words that are in every text. */
static bool is_continental(const char *text, size_t len) {
    static const char *const words[] = {
        " der ",     " die ",   " und ",     " ist ",    " das ",   " mit ",   " sind ",
        " im ",      " von ",   " beträgt ", " liegt ",  " um ",    " auf ",   " bei ",
        " le ",      " la ",    " les ",     " est ",    " des ",   " et ",    " une ",
        " de ",      " en ",    " du ",      " pour ",   " avec ",  " es ",    " gab ",
        " nur ",     " ein ",   " eine ",    " wurden ", " davon ", " den ",   " dem ",
        " sur ",     " dans ",  " au ",      " dont ",   " par ",   " als ",   " hatte ",
        " hat ",     " mehr ",  " weniger ", " kamen ",  " wurde ", " nicht ", " für ",
        " aus ",     " zu ",    " pro ",     " etwa ",   " rund ",  " am ",    " zum ",
        " haben ",   " waren ", "Die ",      "Der ",     "Im ",     "Das ",    "Insgesamt ",
        "Zusammen ", "Les ",    "Le ",       "La ",      " que ",   " soit ",  " entre ",
        " ü",        "ä",       "ö",         "ß",        "é",       "è",       "ç"};
    struct reader r = {.s = text, .len = len};
    size_t found = 0;
    for (size_t k = 0; k < COUNT(words); k++)
        found += memmem(text, len, words[k], strlen(words[k])) != NULL;
    for (size_t i = 1; i + 2 < len && found == 2; i++) /* two such words, and 3,5 somewhere */
        found += strchr(",.", text[i]) && is_digit(&r, i - 1) && is_digit(&r, i + 1);
    if (sure_decimals(&r, ',') && !sure_decimals(&r, '.'))
        return true;
    for (size_t i = 1; i + 5 < len && found < 3; i++)
        if (text[i] == '.' && is_digit(&r, i - 1) && text[i + 4] == ',' && is_digit(&r, i + 3) &&
            is_digit(&r, i + 5))
            found = 3;
    return found >= 3;
}

int claims_read(const char *text, size_t len, struct claims *ret) {
    scoped_free char *mask = calloc(1, len + 1);
    *ret = (struct claims){0};
    if (!mask)
        return -ENOMEM;
    claims_mask(text, len, mask);
    struct reader r = {text, len, mask, ret, is_continental(text, len)};
    for (size_t i = 0; i < len && ret->count < MAX_CLAIMS;) {
        uint32_t cp;
        size_t next = i + utf8_at(text + i, len - i, &cp);
        int e = mask[i] ? 0 : read_token(&r, i, &next);
        if (e < 0) {
            claims_done(ret);
            return e;
        }
        i = next;
    }
    return 0;
}

void claims_done(struct claims *claims) {
    free(claims->list);
    *claims = (struct claims){0};
}

const char *claim_class_name(enum claim_class class) {
    static const char *const names[] = {"value",   "date",   "year",      "ordinal",
                                        "version", "marker", "reference", "name"};
    return names[class];
}

size_t claims_from(const struct claims *claims, size_t at) {
    size_t low = 0, high = claims->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (claims->list[middle].start < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
