#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "agent/text/python_lexer.h"
#include "cli/shell/shell.h"

static const char *const keywords[] = {
    "False",  "None",     "True",   "and", "as",    "assert", "async",  "await",    "break", "case",
    "class",  "continue", "def",    "del", "elif",  "else",   "except", "finally",  "for",   "from",
    "global", "if",       "import", "in",  "is",    "lambda", "match",  "nonlocal", "not",   "or",
    "pass",   "raise",    "return", "try", "while", "with",   "yield"};

static bool shell_colour_is_keyword(const struct py_scan *scan, const struct py_token *t) {
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (py_is(scan, t, keywords[i]))
            return true;
    return false;
}

static const char *colour_of(const struct py_scan *scan, const struct py_token *t) {
    switch (t->kind) {
    case PY_STRING: return "32";
    case PY_NUMBER: return "36";
    case PY_COMMENT: return "2";
    case PY_NAME: return shell_colour_is_keyword(scan, t) ? "35" : NULL;
    default: return NULL;
    }
}

void code_colour(const char *code, size_t from, struct buf *ret) {
    struct py_scan scan = {.s = code, .len = strlen(code)};
    struct py_token t;
    buf_reset(ret);
    while (py_next(&scan, &t)) {
        size_t end = t.start + t.len, start = t.start < from ? from : t.start;
        const char *colour = colour_of(&scan, &t);
        if (end <= from)
            continue;
        if (colour)
            buf_printf(ret, "\033[%sm", colour);
        buf_add(ret, code + start, end - start);
        if (colour)
            buf_adds(ret, "\033[0m");
    }
}
