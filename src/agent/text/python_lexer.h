/* A scanner for Python source as models write it: strings, comments, numbers, names, marks.
 *
 * It never fails: what it cannot read is a mark. Used to find closing tags that do not stand in a
 * string, to repair typography outside strings, and to list the literals of a program.
 *
 * Runs in: the broker's process.
 * Hostile: the source.
 * Owns: nothing.
 * Tests: tests/unit/test_agent_extract.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum py_kind { PY_END, PY_NAME, PY_NUMBER, PY_STRING, PY_COMMENT, PY_NEWLINE, PY_BLANK, PY_MARK };

struct py_token {
    enum py_kind kind;
    size_t start, len;
    size_t body, body_len; /* of a string: what stands between its quotes */
    bool closed;           /* of a string: the closing quotes were found */
    bool formatted;        /* of a string: an f-string */
};

struct py_scan {
    const char *s;
    size_t len, at;
};

bool py_next(struct py_scan *scan, struct py_token *ret); /* false at the end */
bool py_is(const struct py_scan *scan, const struct py_token *t, const char *text);
