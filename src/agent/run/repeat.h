/* Detects that the model goes in circles, by fingerprints of errors and of code, and says what to
 * do.
 *
 *   the same twice running         a hint to take another way
 *   three times                    one fresh start
 *   three times again after it     stop
 *   A B A B A B                    stop
 *
 * Runs in: the broker's process.
 * Hostile: messages and code.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_repeat.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum repeat_verdict { REPEAT_NEW, REPEAT_HINT, REPEAT_FRESH, REPEAT_STOP, REPEAT_ALTERNATING };

struct repeat {
    uint64_t last[6]; /* the newest first */
    unsigned count;   /* of steps since the fresh start */
    unsigned running; /* how often the newest came in a row */
    bool fresh;       /* the fresh start was taken */
};

enum repeat_verdict repeat_add(struct repeat *r, uint64_t fingerprint);
/* For an error: type, message without numbers and addresses, source line; for other steps: the
 * code. */
uint64_t repeat_of_result(const json_t *result, const char *code);
uint64_t repeat_of_text(const char *text);
