/* Replaces secrets in the answers of servers by as many stars.
 *
 * We look for a secret as it is, as base64 (also as a part of something longer that was encoded, in
 * the alphabet of URLs, and in lines) and in hexadecimal; each of its characters may be written as
 * URLs and JSON write what is special to them: %2B, \/, \u002b.
 *
 * Runs in: the gate. Pure.
 * Hostile: answers.
 * Tests: tests/unit/test_gate_head.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MAX_MASKED 4096 /* bytes of one secret */
#define MASKS 6

struct masks {
    char *texts[MASKS]; /* the secret, then its encodings; NULL after the last */
    bool first[256];    /* whether one of them may begin with this byte */
};

/* 0, or -ENOMEM. We do not look for secrets of less than four bytes. */
int masks_init(struct masks *m, const char *secret);
void masks_done(struct masks *m);
/* Masks secrets that are complete in these bytes. */
void masks_apply(const struct masks *m, char *bytes, size_t len);
/* How many bytes at the end may begin a secret whose rest has not come yet. */
size_t masks_open(const struct masks *m, const char *bytes, size_t len);
