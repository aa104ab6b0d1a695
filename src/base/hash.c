#include "base/hash.h"

#include <errno.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <stdlib.h>

/* Fetched once: EVP_sha256() looks the algorithm up again at every use, which costs more than
 * hashing a short entry does. */
static EVP_MD *sha256;
static pthread_once_t sha256_once = PTHREAD_ONCE_INIT;

static void sha256_fetch(void) {
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
}

static const EVP_MD *algorithm(void) {
    pthread_once(&sha256_once, sha256_fetch);
    return sha256;
}

struct hasher *hasher_new(void) {
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    if (ctx && EVP_DigestInit_ex2(ctx, algorithm(), NULL) != 1) {
        EVP_MD_CTX_free(ctx);
        return NULL;
    }
    return (struct hasher *)ctx;
}

int hasher_add(struct hasher *h, const void *data, size_t len) {
    return EVP_DigestUpdate((EVP_MD_CTX *)h, data, len) == 1 ? 0 : -ENOMEM;
}

int hasher_finish(struct hasher *h, struct hash *ret) {
    return EVP_DigestFinal_ex((EVP_MD_CTX *)h, ret->bytes, NULL) == 1 ? 0 : -ENOMEM;
}

void hasher_free(struct hasher *h) {
    EVP_MD_CTX_free((EVP_MD_CTX *)h);
}

int hash_bytes(const void *data, size_t len, struct hash *ret) {
    if (!algorithm())
        return -ENOMEM;
    return EVP_Digest(data, len, ret->bytes, NULL, algorithm(), NULL) == 1 ? 0 : -ENOMEM;
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
