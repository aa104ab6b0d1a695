/* UTF-8, one sequence at a time. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

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
        if ((p[i] & 0xc0) != 0x80)
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
