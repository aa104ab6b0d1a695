/* Fenced blocks and tagged blocks in a model's text.
 *
 * Runs in: the broker's process.
 * Hostile: the text.
 * Owns: nothing; blocks point into the text.
 * Tests: tests/unit/test_agent_extract.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define MAX_BLOCKS 64

enum block_kind { BLOCK_FENCE, BLOCK_TAG, BLOCK_TOOL_CALL, BLOCK_FINAL };

struct block {
    enum block_kind kind;
    size_t start, end;     /* in the text, markup included */
    size_t body, body_len; /* the text between the markup */
    char language[16];     /* "python", "json", "bash", …; "" when a fence names none */
    bool closed;
};

struct blocks {
    struct block list[MAX_BLOCKS];
    size_t count;
};

void blocks_find(const char *text, size_t len, struct blocks *ret);
/* Whether these lines look like Python code. `all`: every line must. */
bool blocks_look_like_code(const char *text, size_t len, bool all);
