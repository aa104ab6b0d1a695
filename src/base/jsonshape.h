/* Finds out how deep JSON nests and how many values it has, before it is parsed.
 *
 * jansson recurses up to 2,048 levels, which is more than a small thread stack holds, and a value
 * of two bytes takes a hundred in memory. So all code that parses what a guest or a client wrote
 * looks at its shape first.
 *
 * Runs in: broker.
 * Hostile: the text. Pure; it need not be JSON.
 * Owns: nothing.
 * Tests: tests/unit/test_jsonout.c, tests/fuzz/fuzz_rpc.c, tests/fuzz/fuzz_cell.c
 */
#pragma once

#include <stddef.h>

struct json_shape {
    size_t depth;  /* of arrays and objects within each other */
    size_t values; /* an upper bound: every comma and every bracket counts as a value */
};

struct json_shape json_shape(const char *text, size_t len);
