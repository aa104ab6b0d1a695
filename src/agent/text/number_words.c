#include "agent/text/number_words.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    int value;
} small[] = {
    {"zero", 0},     {"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},
    {"five", 5},     {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},
    {"ten", 10},     {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14},
    {"fifteen", 15}, {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19},
    {"twenty", 20},  {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},
    {"seventy", 70}, {"eighty", 80},  {"ninety", 90},    {"dozen", 12},
};

static const struct {
    const char *word;
    int exponent;
} scales[] = {{"hundred", 2},   {"thousand", 3}, {"million", 6}, {"billion", 9},
              {"trillion", 12}, {"mn", 6},       {"mio", 6},     {"bn", 9},
              {"thousands", 3}, {"millions", 6}, {"billions", 9}};

static int small_value(const char *w, size_t len) {
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (strlen(small[i].word) == len && strncasecmp(small[i].word, w, len) == 0)
            return small[i].value;
    return -1;
}

static int scale_of(const char *w, size_t len) {
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (strlen(scales[i].word) == len && strncasecmp(scales[i].word, w, len) == 0)
            return scales[i].exponent;
    return 0;
}

int numwords_multiplier(const char *word, size_t len, bool after_currency) {
    if (len == 1) {
        if (*word == 'k' || *word == 'K')
            return 3;
        if (*word == 'M' || (*word == 'm' && after_currency))
            return 6;
        return (*word == 'B' || *word == 'b') && after_currency ? 9 : 0;
    }
    return scale_of(word, len);
}

static size_t word_at(const char *s, size_t len) {
    size_t n = 0;
    while (n < len && isalpha((unsigned char)s[n]))
        n++;
    return n;
}

struct spoken_number {
    long double total, group;
    int last;  /* value of the last small word, or -1 after a scale */
    int count; /* of number words */
    int scale; /* exponent of the last scale */
};

/* "twenty" may be followed by "one", "seven" may not. */
static bool accept_small(struct spoken_number *w, int value) {
    if (w->count && w->last >= 0 && !(w->last >= 20 && w->last % 10 == 0 && value && value < 10))
        return false;
    w->group += value;
    w->last = value;
    w->count++;
    return true;
}

static bool accept_scale(struct spoken_number *w, int exponent) {
    if (!w->count)
        return false;
    if (exponent == 2) {
        w->group *= 100;
    } else {
        w->total += w->group * num_pow10(exponent);
        w->group = 0;
    }
    w->last = -1;
    w->scale = exponent;
    w->count++;
    return true;
}

static bool accept(struct spoken_number *w, const char *s, size_t n) {
    int value = small_value(s, n);
    if (value >= 0)
        return accept_small(w, value);
    int exponent = scale_of(s, n);
    return exponent && accept_scale(w, exponent);
}

/* The gap between two number words: blanks or a hyphen, and perhaps "and". */
static size_t gap_at(const char *s, size_t len, bool after_scale) {
    size_t n = 0;
    while (n < len && (s[n] == ' ' || s[n] == '-'))
        n++;
    if (n && after_scale && len - n > 4 && strncasecmp(s + n, "and ", 4) == 0)
        n += 4;
    return n;
}

size_t numwords_scan(const char *s, size_t len, struct num *ret) {
    struct spoken_number w = {.last = 0};
    size_t end = 0, at = 0;
    bool only_one = false;
    for (;;) {
        size_t n = word_at(s + at, len - at);
        if (!n || !accept(&w, s + at, n))
            break;
        only_one = w.count == 1 && w.last == 1;
        end = at + n;
        size_t gap = gap_at(s + end, len - end, w.last < 0);
        if (!gap)
            break;
        at = end + gap;
    }
    if (!end || only_one)
        return 0;
    long double v = w.total + w.group;
    *ret = (struct num){.value = v, .sig = 1};
    for (long double x = v; x >= 10; x /= 10)
        ret->sig++;
    return end;
}
