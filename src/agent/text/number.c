#include "agent/text/number.h"
#include "base/utf8.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct scan {
    const char *s;
    size_t len;
};

static bool digit_at(const struct scan *t, size_t i) {
    return i < t->len && t->s[i] >= '0' && t->s[i] <= '9';
}

static char byte_at(const struct scan *t, size_t i) {
    return i < t->len ? t->s[i] : 0;
}

static size_t digits_from(const struct scan *t, size_t i) {
    size_t n = 0;
    while (digit_at(t, i + n))
        n++;
    return n;
}

size_t utf8_at(const char *s, size_t len, uint32_t *ret_cp) {
    unsigned char c = len ? (unsigned char)s[0] : 0;
    size_t n = c < 0x80 ? 1 : utf8_length((const unsigned char *)s, len);
    *ret_cp = n == 0 ? 0xfffd : n == 1 ? c : c & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        *ret_cp = *ret_cp << 6 | ((unsigned char)s[i] & 0x3f);
    return n ? n : 1;
}

bool num_letter(uint32_t cp) {
    uint32_t lower = cp | 0x20;
    if ((lower >= 'a' && lower <= 'z' && cp < 0x80) || cp == '_')
        return true;
    return (cp >= 0xc0 && cp <= 0x24f && cp != 0xd7 && cp != 0xf7) || (cp >= 0x370 && cp <= 0x52f);
}

/* Length of a digit-group separator at i: comma, point, apostrophe, underscore, or a kind of space.
 */
static size_t separator_at(const struct scan *t, size_t i, unsigned flags, uint32_t *ret_kind) {
    uint32_t cp;
    if (i >= t->len)
        return 0;
    size_t n = utf8_at(t->s + i, t->len - i, &cp);
    if (cp == 0x2019)
        cp = '\'';
    bool space = cp == ' ' || cp == 0xa0 || cp == 0x2009 || cp == 0x202f;
    bool mark = cp == ',' || cp == '.' || cp == '\'' || cp == '_';
    if (!(space && (flags & NUM_SPACES)) && !(mark && (flags & NUM_GROUPS)))
        return 0;
    *ret_kind = cp;
    return n;
}

/* Length of ",234,567" from i on with one kind of separator; *ret_groups counts the groups. */
static size_t groups_from(const struct scan *t, size_t i, unsigned flags, uint32_t *ret_kind,
                          int *ret_groups) {
    size_t at = i;
    uint32_t first = 0, kind = 0;
    *ret_groups = 0;
    for (;;) {
        size_t n = separator_at(t, at, flags, &kind);
        if (!n || (first && kind != first) || digits_from(t, at + n) != 3)
            break;
        first = kind;
        at += n + 3;
        ++*ret_groups;
    }
    *ret_kind = first;
    return at - i;
}

/* A single point before three digits is a decimal point, unless a decimal comma follows or the
 * caller knows better. */
static bool groups_hold(const struct scan *t, size_t first, size_t end, uint32_t kind, int groups) {
    if (!groups || first == 0 || first > 3 || byte_at(t, 0) == '0')
        return false;
    if (kind == '.' && groups == 1)
        return byte_at(t, end) == ',' && digit_at(t, end + 1);
    return true;
}

struct mantissa {
    char digits[64];
    size_t count; /* all digits, also those that did not fit */
    int decimals;
};

static void mantissa_add(struct mantissa *m, const struct scan *t, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (!digit_at(t, i))
            continue;
        if (m->count < sizeof m->digits)
            m->digits[m->count] = t->s[i];
        m->count++;
    }
}

/* Is the mark at i a decimal mark: digits after it, and no further mark with digits (a version)? */
static size_t decimals_from(const struct scan *t, size_t i, char mark) {
    if (byte_at(t, i) != mark)
        return 0;
    size_t n = digits_from(t, i + 1);
    if (!n)
        return 0;
    char after = byte_at(t, i + 1 + n);
    if ((after == '.' || after == mark) && digit_at(t, i + 2 + n))
        return 0;
    return n;
}

static size_t scan_mantissa(const struct scan *t, unsigned flags, struct mantissa *m) {
    size_t first = digits_from(t, 0), at = first;
    uint32_t kind = 0;
    int groups = 0;
    size_t n = groups_from(t, first, flags, &kind, &groups);
    if (kind == ',' && flags & NUM_POINTS && groups == 1) /* the comma is the decimal mark there */
        groups = 0, n = 0;
    bool grouped = groups_hold(t, first, first + n, kind, groups) ||
                   (flags & NUM_POINTS && kind == '.' && groups && first && first <= 3 &&
                    byte_at(t, 0) != '0' && !digit_at(t, first + n));
    if (grouped)
        at += n;
    mantissa_add(m, t, 0, at);
    char mark = grouped && kind == '.' ? ',' : '.';
    size_t decimals = decimals_from(t, at, mark);
    bool comma_may_be = first && (flags & NUM_GROUPS) && !(grouped && (kind == ',' || kind == '.'));
    bool not_a_group =
        grouped || byte_at(t, 0) == '0' || digits_from(t, at + 1) != 3 || flags & NUM_POINTS;
    if (!decimals && comma_may_be && not_a_group)
        decimals = decimals_from(t, at, ',');
    if (!decimals)
        return first ? at : 0;
    mantissa_add(m, t, at + 1, at + 1 + decimals);
    m->decimals = (int)(decimals < 1000 ? decimals : 1000);
    return at + 1 + decimals;
}

static size_t scan_int(const struct scan *t, size_t i, int *ret) {
    size_t at = i;
    bool negative = byte_at(t, at) == '-';
    if (byte_at(t, at) == '-' || byte_at(t, at) == '+')
        at++;
    size_t n = digits_from(t, at);
    if (!n || n > 4)
        return 0;
    int v = 0;
    for (size_t k = 0; k < n; k++)
        v = v * 10 + (t->s[at + k] - '0');
    *ret = negative ? -v : v;
    return at + n - i;
}

static int superscript(uint32_t cp) {
    if (cp == 0xb9)
        return 1;
    if (cp == 0xb2 || cp == 0xb3)
        return (int)(cp - 0xb0);
    return cp == 0x2070 || (cp >= 0x2074 && cp <= 0x2079) ? (int)(cp - 0x2070) : -1;
}

static size_t scan_superscript(const struct scan *t, size_t i, int *ret) {
    size_t at = i;
    uint32_t cp;
    int sign = 1, v = 0, count = 0;
    while (at < t->len && count < 4) {
        size_t n = utf8_at(t->s + at, t->len - at, &cp);
        if (cp == 0x207b && !count)
            sign = -1;
        else if (superscript(cp) >= 0 && ++count)
            v = v * 10 + superscript(cp);
        else
            break;
        at += n;
    }
    *ret = sign * v;
    return count ? at - i : 0;
}

/* "×10^6", " x 10**-3", "·10⁶" */
static size_t scan_power(const struct scan *t, size_t i, int *ret) {
    size_t at = i;
    uint32_t cp;
    while (byte_at(t, at) == ' ')
        at++;
    if (at >= t->len)
        return 0;
    size_t n = utf8_at(t->s + at, t->len - at, &cp);
    if (cp != 0xd7 && cp != 0xb7 && cp != 0x22c5 && cp != 'x' && cp != '*')
        return 0;
    at += n;
    while (byte_at(t, at) == ' ')
        at++;
    if (byte_at(t, at) != '1' || byte_at(t, at + 1) != '0')
        return 0;
    at += 2;
    if ((n = scan_superscript(t, at, ret)))
        return at + n - i;
    if (byte_at(t, at) == '^')
        at += byte_at(t, at + 1) == '{' ? 2 : 1;
    else if (byte_at(t, at) == '*' && byte_at(t, at + 1) == '*')
        at += 2;
    else
        return 0;
    if (!(n = scan_int(t, at, ret)))
        return 0;
    at += n;
    return (byte_at(t, at) == '}' ? at + 1 : at) - i;
}

static size_t scan_exponent(const struct scan *t, size_t i, unsigned flags, int *ret) {
    if (byte_at(t, i) == 'e' || byte_at(t, i) == 'E') {
        size_t n = scan_int(t, i + 1, ret);
        uint32_t cp = 0;
        if (n && i + 1 + n < t->len)
            utf8_at(t->s + i + 1 + n, t->len - i - 1 - n, &cp);
        return n && !num_letter(cp) ? n + 1 : 0;
    }
    return flags & NUM_POWERS ? scan_power(t, i, ret) : 0;
}

static void mantissa_value(const struct mantissa *m, struct num *ret) {
    long double v = 0;
    size_t lead = 0, kept = m->count < sizeof m->digits ? m->count : sizeof m->digits;
    uint64_t hash = 14695981039346656037ull;
    for (size_t i = 0; i < kept; i++) {
        v = v * 10 + (m->digits[i] - '0');
        if (m->digits[i] == '0' && lead == i)
            lead++;
        else
            hash = (hash ^ (unsigned char)m->digits[i]) * 1099511628211ull;
    }
    size_t lost = m->count - kept;
    ret->value = v * num_pow10((int)(lost < 4000 ? lost : 4000) - m->decimals);
    if (m->decimals > 0 && !lost)
        ret->value = v / num_pow10(m->decimals);
    ret->sig = m->count > lead ? (int)(m->count - lead) : 1;
    ret->places = m->decimals;
    ret->digits = m->count - lead > 18 && !m->decimals ? hash : 0;
}

size_t num_scan(const char *s, size_t len, unsigned flags, struct num *ret) {
    struct scan t = {s, len};
    struct mantissa m = {.count = 0};
    size_t n = scan_mantissa(&t, flags, &m);
    if (!n)
        return 0;
    mantissa_value(&m, ret);
    int exponent = 0;
    size_t e = scan_exponent(&t, n, flags, &exponent);
    if (e) {
        ret->value *= num_pow10(exponent);
        ret->places -= exponent;
        ret->digits = 0;
    }
    return n + e;
}

/* Asked for several times with every number: powl takes ten times as long. */
long double num_pow10(int exponent) {
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                         1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                         1e14L, 1e15L, 1e16L, 1e17L, 1e18L};
    int count = sizeof powers / sizeof *powers;
    if (exponent >= 0 && exponent < count)
        return powers[exponent];
    return exponent < 0 && -exponent < count ? 1 / powers[-exponent] : powl(10.0L, exponent);
}

bool num_rounds_to(long double evidence, long double shown, int places) {
    if (!isfinite(evidence) || !isfinite(shown))
        return false;
    long double scale = num_pow10(places > 0 ? places : -places);
    long double e = places >= 0 ? evidence * scale : evidence / scale;
    long double c = places >= 0 ? shown * scale : shown / scale;
    long double slack = 1e-15L * (fabsl(e) + 1), distance = fabsl(e - c);
    if (distance < 0.5L - slack)
        return true;
    if (distance > 0.5L + slack)
        return false;
    /* A tie: away from zero is half up, to the even neighbour is half even. */
    return fabsl(c) > fabsl(e) || fmodl(fabsl(roundl(c)), 2) == 0;
}

long double num_significant(long double x, int n) {
    if (x == 0 || !isfinite(x))
        return x;
    int k = (int)floorl(log10l(fabsl(x))) - n + 1;
    long double scale = num_pow10(k > 0 ? k : -k);
    return k >= 0 ? roundl(x / scale) * scale : roundl(x * scale) / scale;
}

#define CLOCK (UINT64_C(1) << 63) /* in `digits`: seconds, whatever hours and minutes are written */

static bool two_digits(const char *s, size_t len, size_t i) {
    return i + 2 <= len && isdigit((unsigned char)s[i]) && isdigit((unsigned char)s[i + 1]) &&
           (i + 2 == len || !isdigit((unsigned char)s[i + 2])) && s[i] < '6';
}

size_t num_clock(const char *s, size_t len, struct num *ret) {
    uint64_t v = 0;
    size_t n = 0, parts = 1;
    while (n < len && n < 3 && isdigit((unsigned char)s[n]))
        v = v * 10 + (uint64_t)(s[n++] - '0');
    if (n == 0 || n > 2)
        return 0;
    while (parts < 3 && n < len && s[n] == ':' && two_digits(s, len, n + 1)) {
        v = v * 60 + (uint64_t)((s[n + 1] - '0') * 10 + s[n + 2] - '0');
        n += 3;
        parts++;
    }
    if (parts < 2 || (n < len && s[n] == ':'))
        return 0;
    *ret = (struct num){.value = (long double)v, .sig = (int)(2 * parts), .digits = CLOCK | v};
    return n;
}

bool num_is_clock(const struct num *num) {
    return num->digits >> 32 == CLOCK >> 32;
}
