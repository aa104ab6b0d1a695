#include "agent/evidence/literals.h"

#include "agent/text/python_lexer.h"
#include "base/list.h"
#include "base/maxima.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NESTING 64

struct bracket {
    bool list;   /* of a list, or inside of one: what stands here is data */
    bool passes; /* a literal inside may flow into the result */
    bool round;  /* its second argument is a number of digits */
};

struct literal_walk {
    struct literals *out;
    unsigned cell;
    struct py_scan scan;
    struct py_token last, before_last; /* significant tokens */
    struct py_token targets[4];        /* names before the last = outside of brackets, … */
    size_t target_count, commas;       /* … and commas since then */
    struct py_token names[4];          /* of this statement so far */
    size_t name_count;
    struct bracket stack[MAX_NESTING];
    size_t depth;
};

static int literals_push(struct literals *l, const struct literal *x) {
    if (l->count == MAX_LITERALS)
        return 0;
    struct literal *list = list_grow(l->list, l->count, &l->room, sizeof *list);
    if (!list)
        return -ENOMEM;
    l->list = list;
    l->list[l->count++] = *x;
    return 0;
}

/* Functions that hand their arguments on. */
static bool hands_on(const struct literal_walk *w, const struct py_token *name) {
    static const char *const names[] = {"print", "final_answer", "str",     "repr",
                                        "int",   "float",        "display", "dict",
                                        "round", "format",       "Decimal", "append"};
    bool method = w->before_last.kind == PY_MARK && w->scan.s[w->before_last.start] == '.';
    for (size_t i = method ? 9 : 0; i < sizeof names / sizeof *names;
         i++) /* x.format(…), not x.round(2) */
        if (py_is(&w->scan, name, names[i]))
            return true;
    return false;
}

static void open_bracket(struct literal_walk *w, char c) {
    bool after_value = w->last.kind == PY_NAME || w->last.kind == PY_STRING ||
                       (w->last.kind == PY_MARK && strchr(")]", w->scan.s[w->last.start]));
    struct bracket b = {.passes = true}, *outer = NULL;
    if (w->depth && w->depth <= MAX_NESTING)
        outer = &w->stack[w->depth - 1];
    b.list = (c != '{' && !after_value) || (outer && outer->list);
    b.round = after_value && w->last.kind == PY_NAME && py_is(&w->scan, &w->last, "round");
    if (after_value)
        b.passes = c == '(' && w->last.kind == PY_NAME && hands_on(w, &w->last);
    else if (outer && c != '[')
        b.passes = outer->passes;
    if (w->depth < MAX_NESTING)
        w->stack[w->depth] = b;
    w->depth++;
}

static bool is_operator(char c) {
    return c && strchr("+-*/%<>!&|^@~", c);
}

/* The mark before a literal, looking through a sign. */
static bool operand_before(const struct literal_walk *w) {
    if (w->last.kind != PY_MARK)
        return false;
    char c = w->scan.s[w->last.start];
    if (c == '=' && w->before_last.kind == PY_MARK)
        return strchr("=<>!", w->scan.s[w->before_last.start]) != NULL;
    if ((c == '-' || c == '+') && w->before_last.kind != PY_NAME &&
        w->before_last.kind != PY_NUMBER)
        return w->before_last.kind == PY_MARK && strchr(")]", w->scan.s[w->before_last.start]);
    return is_operator(c);
}

static bool operand_after(const struct literal_walk *w) {
    size_t i = w->scan.at;
    while (i < w->scan.len && (w->scan.s[i] == ' ' || w->scan.s[i] == '\t'))
        i++;
    if (i >= w->scan.len)
        return false;
    if (w->scan.s[i] == '=' && i + 1 < w->scan.len && w->scan.s[i + 1] == '=')
        return true;
    return is_operator(w->scan.s[i]);
}

/* Lists of one are no lists: [0.93] is typed in. */
static bool in_list(const struct literal_walk *w) {
    const struct bracket *b = w->depth && w->depth <= MAX_NESTING ? &w->stack[w->depth - 1] : NULL;
    size_t i = w->scan.at;
    while (i < w->scan.len && w->scan.s[i] == ' ')
        i++;
    bool first = w->last.kind == PY_MARK && strchr("[(", w->scan.s[w->last.start]);
    return b && b->list && !(first && i < w->scan.len && strchr("])+-*/%", w->scan.s[i]));
}

static bool compared(const struct literal_walk *w) {
    size_t i = w->scan.at;
    while (i < w->scan.len && w->scan.s[i] == ' ')
        i++;
    char before = w->last.kind == PY_MARK ? w->scan.s[w->last.start] : 0;
    char after = i < w->scan.len ? w->scan.s[i] : 0;
    bool twice = before == '=' && operand_before(w);
    return twice || (before && strchr("<>!", before)) || (after && strchr("<>!", after));
}

static bool flows(const struct literal_walk *w) {
    if (operand_before(w) || operand_after(w))
        return false;
    if (!w->depth)
        return true;
    const struct bracket *b = &w->stack[w->depth <= MAX_NESTING ? w->depth - 1 : MAX_NESTING - 1];
    /* round(x, 2): only the first of its arguments is handed on */
    bool second = w->last.kind == PY_MARK && w->scan.s[w->last.start] == ',' && b->round;
    return b->passes && !second;
}

/* Compared with, an index or an argument: nothing of it is shown. An operand of arithmetic that is
 * as long as the result is the result. */
static bool only_operand(const struct literal_walk *w, const struct num *num) {
    if (flows(w))
        return false;
    const struct bracket *b = w->depth && w->depth <= MAX_NESTING ? &w->stack[w->depth - 1] : NULL;
    return num->sig <= 2 || (b && !b->passes) || compared(w);
}

static size_t scan_python(const char *s, size_t len, struct num *ret) {
    char plain[64];
    size_t n = 0;
    for (size_t i = 0; i < len && n < sizeof plain - 1; i++)
        if (s[i] != '_')
            plain[n++] = s[i];
    return num_scan(plain, n, 0, ret);
}

uint32_t literal_name(const char *name, size_t len) {
    uint32_t h = 0x5bd1e995u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h ? h : 1;
}

static int add_number(struct literal_walk *w, const struct py_token *t) {
    struct literal x = {.cell = w->cell};
    if (!scan_python(w->scan.s + t->start, t->len, &x.num) || in_list(w))
        return 0;
    x.operand = only_operand(w, &x.num);
    if (w->target_count) {
        const struct py_token *name =
            &w->targets[w->commas < w->target_count ? w->commas : w->target_count - 1];
        x.name = literal_name(w->scan.s + name->start, name->len);
    }
    return literals_push(w->out, &x);
}

/* A replacement field at s: its length; *ret_plain says whether it is nothing but a number. */
static size_t field_at(const char *s, size_t len, bool formatted, bool *ret_plain) {
    const char *end = memchr(s, '}', len);
    *ret_plain = false;
    if (!end)
        return 0;
    size_t n = (size_t)(end - s) + 1, body = 1;
    struct num num;
    size_t digits = num_scan(s + 1, n - 2, 0, &num);
    if (digits)
        body += digits;
    if (formatted) {
        *ret_plain = digits && (s[body] == '}' || s[body] == ':');
        return n;
    }
    return n <= 12 && (s[body] == '}' || s[body] == ':') && !memchr(s, '"', n) ? n : 0;
}

static void copy_context(struct literal *x, const char *s, size_t len, size_t at, size_t n) {
    size_t from = at, to = at + n;
    while (from > 0 && at - from < LITERAL_CONTEXT && !strchr("{}%\\\n", s[from - 1]))
        from--;
    /* An escape such as \n ends the context, and its letter is no part of it. */
    if (from > 0 && s[from - 1] == '\\' && from < at)
        from++;
    while (to < len && to - at - n < LITERAL_CONTEXT && !strchr("{}%\\\n", s[to]))
        to++;
    memcpy(x->before, s + from, at - from);
    memcpy(x->after, s + at + n, to - at - n);
}

static bool glued(const char *s, size_t i) {
    if (i == 0)
        return false;
    if (i > 1 && s[i - 2] == '\\')
        return false;
    return isalnum((unsigned char)s[i - 1]) || s[i - 1] == '_' || s[i - 1] == '%' ||
           (s[i - 1] == '.' && i > 1 && s[i - 2] == '%');
}

/* A replacement field: only one that is nothing but a number shows a literal. */
static int add_field(struct literal_walk *w, const char *field, size_t len, bool plain) {
    struct literal x = {.cell = w->cell, .text = true};
    if (!plain || !num_scan(field + 1, len - 1, 0, &x.num))
        return 0;
    return literals_push(w->out, &x);
}

static int add_in_string(struct literal_walk *w, const char *s, size_t len, size_t i,
                         size_t *ret_used) {
    struct literal x = {.cell = w->cell, .text = true};
    *ret_used = 1;
    size_t n = isdigit((unsigned char)s[i]) ? num_scan(s + i, len - i, NUM_GROUPS, &x.num) : 0;
    if (!n)
        return 0;
    *ret_used = n;
    if (glued(s, i))
        return 0;
    copy_context(&x, s, len, i, n);
    if (!x.before[0] && !x.after[0]) /* a key or a format; printed alone it is a number again */
        x.operand = !flows(w);
    return literals_push(w->out, &x);
}

bool literal_is_table(const char *s, size_t len) {
    size_t lines = 0;
    for (size_t i = 0; i < len; i++)
        lines += s[i] == '\n' || (s[i] == '\\' && i + 1 < len && s[i + 1] == 'n');
    return lines > 1;
}

static int add_string(struct literal_walk *w, const struct py_token *t) {
    const char *s = w->scan.s + t->body;
    int r = 0;
    if (!t->formatted && (literal_is_table(s, t->body_len) || in_list(w)))
        return 0;
    for (size_t i = 0; r == 0 && i < t->body_len;) {
        bool plain;
        size_t n = s[i] == '{' ? field_at(s + i, t->body_len - i, t->formatted, &plain) : 0;
        r = n ? add_field(w, s + i, n, plain) : add_in_string(w, s, t->body_len, i, &n);
        i += n;
    }
    return r;
}

/* "a, b = 3, 4": a gets the first, b the second. */
static void track_targets(struct literal_walk *w, const struct py_token *t, char c) {
    if (w->depth)
        return;
    if (t->kind == PY_NEWLINE || c == ';') {
        w->name_count = w->target_count = 0;
    } else if (c == '=' && w->last.kind == PY_NAME) {
        memcpy(w->targets, w->names, sizeof w->targets);
        w->target_count = w->name_count;
        w->commas = 0;
    } else if (c == ',') {
        w->commas++;
    } else if (t->kind == PY_NAME && w->name_count < 4) {
        w->names[w->name_count++] = *t;
    }
}

int literals_add(struct literals *l, unsigned cell, const char *code, size_t len) {
    struct literal_walk w = {.out = l, .cell = cell, .scan = {code, len, 0}};
    struct py_token t;
    while (py_next(&w.scan, &t)) {
        int r = t.kind == PY_NUMBER   ? add_number(&w, &t)
                : t.kind == PY_STRING ? add_string(&w, &t)
                                      : 0;
        if (r < 0)
            return r;
        char c = t.kind == PY_MARK ? code[t.start] : 0;
        track_targets(&w, &t, c);
        if (c && strchr("([{", c))
            open_bracket(&w, c);
        else if (c && strchr(")]}", c) && w.depth)
            w.depth--;
        if (t.kind != PY_BLANK && t.kind != PY_COMMENT && t.kind != PY_NEWLINE) {
            w.before_last = w.last;
            w.last = t;
        }
    }
    return 0;
}

void literals_done(struct literals *l) {
    free(l->list);
    *l = (struct literals){0};
}
