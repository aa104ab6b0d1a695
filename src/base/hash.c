#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>

/* These are OpenSSL's plain functions, although new programs are told to use EVP. EVP looks
 * algorithms up in providers, and linking those into the command cost a cold run half a
 * millisecond. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

struct hasher {
    SHA256_CTX state;
};

struct hasher *hasher_new(void) {
    struct hasher *h = malloc(sizeof *h);
    if (h)
        SHA256_Init(&h->state);
    return h;
}

int hasher_add(struct hasher *h, const void *data, size_t len) {
    return SHA256_Update(&h->state, data, len) == 1 ? 0 : -ENOMEM;
}

int hasher_finish(struct hasher *h, struct hash *ret) {
    return SHA256_Final(ret->bytes, &h->state) == 1 ? 0 : -ENOMEM;
}

void hasher_free(struct hasher *h) {
    free(h);
}

int hash_bytes(const void *data, size_t len, struct hash *ret) {
    struct hasher h;
    SHA256_Init(&h.state);
    int r = hasher_add(&h, data, len);
    return r < 0 ? r : hasher_finish(&h, ret);
}

void hash_text(const struct hash *h, char ret[HASH_TEXT_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    memcpy(ret, "sha256:", 7);
    for (size_t i = 0; i < HASH_SIZE; i++) {
        ret[7 + 2 * i] = digits[h->bytes[i] >> 4];
        ret[8 + 2 * i] = digits[h->bytes[i] & 15];
    }
    ret[HASH_TEXT_SIZE - 1] = '\0';
}

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int hash_parse(const char *text, struct hash *ret) {
    struct hash h;
    if (strncmp(text, "sha256:", 7) == 0)
        text += 7;
    if (strlen(text) != (size_t)HASH_SIZE * 2)
        return -EINVAL;
    for (size_t i = 0; i < HASH_SIZE; i++) {
        int hi = digit(text[2 * i]), lo = digit(text[2 * i + 1]);
        if (hi < 0 || lo < 0)
            return -EINVAL;
        h.bytes[i] = (unsigned char)(hi << 4 | lo);
    }
    *ret = h;
    return 0;
}
