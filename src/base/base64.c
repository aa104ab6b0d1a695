#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
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

/* What is no digit counts as nothing: the caller compares. */
static uint32_t value_of(char c) {
    if (c >= 'A' && c <= 'Z')
        return (uint32_t)(c - 'A');
    if (c >= 'a' && c <= 'z')
        return (uint32_t)(c - 'a') + 26;
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0') + 52;
    return c == '+' ? 62 : c == '/' ? 63 : 0;
}

static void decode(const char *text, size_t len, unsigned char *data) {
    for (; len; text += 4, data += 3, len -= 4) {
        uint32_t word = value_of(text[0]) << 18 | value_of(text[1]) << 12 | value_of(text[2]) << 6 |
                        value_of(text[3]);
        data[0] = (unsigned char)(word >> 16);
        data[1] = (unsigned char)(word >> 8);
        data[2] = (unsigned char)word;
    }
}

char *base64_text(const void *data, size_t len) {
    if (len > INT_MAX / 2)
        return NULL;
    char *text = malloc((len + 2) / 3 * 4 + 1);
    if (text)
        encode(data, len, text);
    return text;
}

/* Only what base64_text would have written: that is checked by writing it again, so bytes and text
 * can stand for each other. */
int base64_bytes(const char *text, size_t len, char **ret, size_t *ret_len) {
    if (len == 0 || len % 4 || len > INT_MAX / 2)
        return -EINVAL;
    scoped_free char *data = malloc(len / 4 * 3 + 1);
    if (!data)
        return -ENOMEM;
    decode(text, len, (unsigned char *)data);
    size_t size = len / 4 * 3 - (text[len - 1] == '=') - (text[len - 2] == '=');
    scoped_free char *again = base64_text(data, size);
    if (!again)
        return -ENOMEM;
    if (strlen(again) != len || memcmp(again, text, len) != 0)
        return -EINVAL;
    *ret = TAKE(data);
    *ret_len = size;
    return 0;
}
