/* UTF-8. No other file knows how a character is made of bytes. Pure.
 *
 * Tests: tests/unit/test_utf8.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Whether the byte goes on with a character that has begun before it. */
static inline bool utf8_goes_on(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The longest beginning of `text` that has at most `most` bytes and no half character at its end.
 * `text[most]` can be read. */
static inline size_t utf8_cut(const char *text, size_t most) {
    while (most > 0 && utf8_goes_on(text[most]))
        most--;
    return most;
}

/* Characters, however broken they are. */
static inline size_t utf8_count(const char *text, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += !utf8_goes_on(text[i]);
    return n;
}

/* Bytes at the end of `text` that begin a character without ending it. */
static inline size_t utf8_unfinished(const char *text, size_t len) {
    for (size_t back = 1; back <= 3 && back <= len; back++) {
        unsigned char c = (unsigned char)text[len - back];
        if (utf8_goes_on(text[len - back]))
            continue;
        size_t need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        return need > back ? back : 0;
    }
    return 0;
}

/* Length of the well-formed sequence at `p`, 0 if there is none. */
static inline size_t utf8_length(const unsigned char *p, size_t len) {
    if (p[0] < 0x80)
        return 1;
    size_t n = p[0] >= 0xc2 && p[0] < 0xe0   ? 2
               : (p[0] & 0xf0) == 0xe0       ? 3
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
                                             : 0;
    if (!n || n > len)
        return 0;
    for (size_t i = 1; i < n; i++)
        if (!utf8_goes_on((char)p[i]))
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0, beyond = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : n;
}

/* Copies as many whole characters as fit; a byte that belongs to no character becomes '?'. */
static inline void utf8_copy(char *to, size_t size, const char *from) {
    size_t at = 0, len = strlen(from);
    for (size_t i = 0, n; i < len; i += n ? n : 1) {
        n = utf8_length((const unsigned char *)from + i, len - i);
        if (at + (n ? n : 1) >= size)
            break;
        if (n)
            memcpy(to + at, from + i, n);
        else
            to[at] = '?';
        at += n ? n : 1;
    }
    to[at] = 0;
}
