#include "agent/claims/template.h"

#include "agent/text/python_lexer.h"

#include <errno.h>
#include <string.h>

#define MAX_PLACEHOLDERS 64

struct placeholder {
    size_t start, end;         /* with the braces */
    size_t expression, length; /* without the format */
    size_t format, format_len;
};

static bool format_like(const char *s, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!strchr("<>=^+- #0123456789,._aAbcdeEfFgGnosxX%", s[i]))
            return false;
    return len > 0;
}

/* The last colon outside brackets and strings, if a format follows it. */
static void split_format(const char *s, struct placeholder *p) {
    struct py_scan scan = {s + p->expression, p->length, 0};
    struct py_token t;
    size_t depth = 0, colon = 0;
    bool found = false;
    while (py_next(&scan, &t)) {
        char c = t.kind == PY_MARK ? scan.s[t.start] : 0;
        if (c && strchr("([{", c))
            depth++;
        else if (c && strchr(")]}", c) && depth)
            depth--;
        else if (c == ':' && depth == 0) {
            colon = t.start;
            found = true;
        }
    }
    size_t rest = found ? p->length - colon - 1 : 0;
    if (!found || !format_like(s + p->expression + colon + 1, rest))
        return;
    p->format = p->expression + colon + 1;
    while (rest && s[p->format + rest - 1] == ' ')
        rest--;
    p->format_len = rest;
    p->length = colon;
}

/* One expression, not the end of one and the beginning of another. */
static bool is_balanced(const char *s, size_t len) {
    struct py_scan scan = {s, len, 0};
    struct py_token t;
    char open[64];
    size_t depth = 0;
    while (py_next(&scan, &t)) {
        char c = t.kind == PY_MARK ? s[t.start] : 0;
        if (c && strchr("([{", c)) {
            if (depth == sizeof open)
                return false;
            open[depth++] = c == '(' ? ')' : c == '[' ? ']' : '}';
        } else if (c && strchr(")]}", c) && (!depth || open[--depth] != c)) {
            return false;
        }
    }
    return depth == 0;
}

static bool next_placeholder(const char *s, size_t from, struct placeholder *p) {
    for (;;) {
        const char *open = strstr(s + from, "{{");
        const char *close = open ? strstr(open + 2, "}}") : NULL;
        if (!close)
            return false;
        while (close[2] == '}') /* {{ {1: 2}[1] }} and {{ {…} }} */
            close++;
        *p = (struct placeholder){.start = (size_t)(open - s), .end = (size_t)(close - s) + 2};
        p->expression = p->start + 2;
        p->length = p->end - 2 - p->expression;
        split_format(s, p);
        size_t blank = strspn(s + p->expression, " \t");
        if (blank < p->length && !memchr(s + p->expression, '\n', p->length) &&
            is_balanced(s + p->expression, p->length)) {
            p->expression += blank;
            p->length -= blank;
            return true;
        }
        from = p->end;
    }
}

int template_code(const char *answer, struct buf *code) {
    struct placeholder p = {0};
    int count = 0, r = buf_adds(code, "final_answer([");
    while (r == 0 && count < MAX_PLACEHOLDERS && next_placeholder(answer, p.end, &p)) {
        r = buf_printf(code, "%sformat((%.*s), \"%.*s\")", count ? ", " : "", (int)p.length,
                       answer + p.expression, (int)p.format_len, answer + p.format);
        count++;
    }
    if (r == 0)
        r = buf_adds(code, "])");
    return r < 0 ? r : count;
}

int template_fill(const char *answer, const json_t *values, struct buf *out, json_t **ret_spans) {
    struct placeholder p = {0};
    size_t at = 0;
    int r = 0;
    json_t *spans = *ret_spans = json_array();
    for (size_t i = 0; r == 0 && i < json_array_size(values); i++) {
        const char *text = json_string_value(json_array_get(values, i));
        if (!text || !next_placeholder(answer, at, &p))
            return -EINVAL;
        r = buf_add(out, answer + at, p.start - at);
        size_t start = out->len;
        if (r == 0)
            r = buf_adds(out, text);
        json_array_append_new(spans, json_pack("{s:I,s:I,s:s%}", "start", (json_int_t)start, "end",
                                               (json_int_t)out->len, "expression",
                                               answer + p.expression, (size_t)p.length));
        at = p.end;
    }
    return r < 0 ? r : buf_adds(out, answer + at);
}
