/* JSON of clients: parsing with limits, and building text around pieces that are JSON already.
 *
 * Runs in: broker.
 * Hostile: every byte given to serve_json_parse, which is pure.
 * Tests: tests/unit/test_rpc.c, tests/fuzz/fuzz_rpc.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/jsonscope.h"

/* NULL and `err` when the text is not JSON, nests too deep, has too many values or repeats a key.
 */
json_t *serve_json_parse(const char *text, size_t len, struct retort_error *err);

/* A string that may hold bytes which are not UTF-8, because it was cut: they are replaced. */
json_t *serve_json_string(const char *text);
json_t *serve_json_stringn(const char *text, size_t len);

/* Text of a value; free it. NULL when memory is out. */
char *serve_json_text(const json_t *value);

/* Finds the values of members in the text of an object, which must be valid JSON without spaces
 * between its parts; {NULL, 0} for a member that is not there. Parses nothing, because results may
 * be large. */
struct json_span {
    const char *text;
    size_t len;
};
void serve_json_members(const char *text, size_t len, const char *const *names, size_t count,
                        struct json_span *ret_spans);

int buf_json(struct buf *b, const json_t *value);                 /* compact */
int buf_json_string(struct buf *b, const char *text, size_t len); /* quoted; bad UTF-8 replaced */
