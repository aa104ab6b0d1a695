/* SHA-256, and its text form "sha256:" + 64 hexadecimal digits.
 *
 * Runs in: broker, gate, command line.
 * Hostile: the bytes that are hashed.
 * Owns: nothing.
 * Tests: tests/unit/test_hash.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define HASH_SIZE 32
#define HASH_TEXT_SIZE 72 /* with the final NUL */

struct hash {
    unsigned char bytes[HASH_SIZE];
};

struct hasher;

struct hasher *hasher_new(void); /* NULL: out of memory */
int hasher_add(struct hasher *h, const void *data, size_t len);
int hasher_finish(struct hasher *h, struct hash *ret); /* once; then only hasher_free */
void hasher_free(struct hasher *h);

/* 0 or -ENOMEM. */
int hash_bytes(const void *data, size_t len, struct hash *ret);

void hash_text(const struct hash *h, char ret[HASH_TEXT_SIZE]);
/* Takes the text form, with or without its prefix. 0 or -EINVAL. */
int hash_parse(const char *text, struct hash *ret);

static inline bool hash_equal(const struct hash *a, const struct hash *b) {
    return memcmp(a->bytes, b->bytes, HASH_SIZE) == 0;
}
