/* Secrets in what servers answer: stars instead, as many.
 *
 * Runs in: the gate. Pure.
 * Hostile: answers.
 * Tests: tests/unit/test_gate_head.c
 */
#pragma once

#include <stddef.h>

#define MAX_MASKED 4096 /* bytes of one secret */
#define MASKS 4

struct masks {
    char *texts[MASKS]; /* NULL after the last */
};

/* The secret by itself, and as base64. False: memory is out. */
int masks_init(struct masks *m, const char *secret);
void masks_done(struct masks *m);
/* Hides what stands whole in these bytes. */
void masks_apply(const struct masks *m, char *bytes, size_t len);
/* How many bytes at the end may be the beginning of one whose rest is still to come. */
size_t masks_open(const struct masks *m, const char *bytes, size_t len);
