#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

#include "base/base64.h"
#include "base/err.h"
#include "base/scope.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const unsigned char *data, size_t len, char *text) {
    for (; len; data += 3, text += 4, len -= len < 3 ? len : 3) {
        uint32_t word = (uint32_t)data[0] << 16 | (len > 1 ? (uint32_t)data[1] << 8 : 0) |
                        (len > 2 ? data[2] : 0);
        text[0] = digits[word >> 18];
        text[1] = digits[word >> 12 & 63];
        text[2] = len > 1 ? digits[word >> 6 & 63] : '=';
        text[3] = len > 2 ? digits[word & 63] : '=';
    }
    *text = 0;
}

static int value_of(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes four digits, of which the last `pad` are missing. False if a character is no digit, or if
 * bits are set that belong to no byte: so every text stands for other bytes. */
static bool decode_group(const char *text, size_t pad, unsigned char *data) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4; i++) {
        int value = i < 4 - pad ? value_of(text[i]) : 0;
        if (value < 0)
            return false;
        word = word << 6 | (uint32_t)value;
    }
    for (size_t i = 0; i < 3 - pad; i++)
        data[i] = (unsigned char)(word >> (16 - 8 * i));
    return (word & (pad == 2 ? 0xffffu : pad == 1 ? 0xffu : 0)) == 0;
}

/* `data` must have room for three bytes per four digits. Returns how many bytes there are, or
 * -EINVAL. */
static ssize_t decode(const char *text, size_t len, unsigned char *data) {
    if (len % 4)
        return -EINVAL;
    size_t pad = len && text[len - 1] == '=' ? 1u + (text[len - 2] == '=') : 0;
    for (size_t i = 0; i < len; i += 4)
        if (!decode_group(text + i, i + 4 == len ? pad : 0, data + i / 4 * 3))
            return -EINVAL;
    return (ssize_t)(len / 4 * 3 - pad);
}

char *base64_text(const void *data, size_t len) {
    if (len > INT_MAX / 2)
        return NULL;
    char *text = malloc((len + 2) / 3 * 4 + 1);
    if (text)
        encode(data, len, text);
    return text;
}

int base64_bytes(const char *text, size_t len, char **ret, size_t *ret_len) {
    if (len == 0 || len > INT_MAX / 2)
        return -EINVAL;
    scoped_free char *data = malloc(len / 4 * 3 + 1);
    if (!data)
        return -ENOMEM;
    ssize_t n = decode(text, len, (unsigned char *)data);
    if (n < 0)
        return (int)n;
    *ret = TAKE(data);
    *ret_len = (size_t)n;
    return 0;
}

int base64_encode(struct buf *b, const void *data, size_t len) {
    if (!len)
        return 0;
    size_t more = (len + 2) / 3 * 4;
    TRY(buf_reserve(b, more));
    encode(data, len, b->data + b->len);
    b->len += more;
    return 0;
}

int base64_decode(struct buf *b, const char *text, size_t len) {
    if (!len)
        return 0;
    TRY(buf_reserve(b, len / 4 * 3));
    ssize_t n = decode(text, len, (unsigned char *)b->data + b->len);
    b->len += n > 0 ? (size_t)n : 0;
    b->data[b->len] = 0;
    return n < 0 ? (int)n : 0;
}
