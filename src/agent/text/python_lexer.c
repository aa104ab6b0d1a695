#include "agent/text/python_lexer.h"

#include <ctype.h>
#include <string.h>

static char lexer_at(const struct py_scan *p, size_t i) {
    return i < p->len ? p->s[i] : 0;
}

static bool name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Length of a string prefix (r, b, f, u in any case, up to two) if a quote follows it. */
static bool string_starts(const struct py_scan *p, size_t *ret_prefix, bool *ret_f) {
    size_t n = 0;
    *ret_f = false;
    while (n < 2 && lexer_at(p, p->at + n) && strchr("rRbBfFuU", lexer_at(p, p->at + n))) {
        *ret_f = *ret_f || (lexer_at(p, p->at + n) | 0x20) == 'f';
        n++;
    }
    char q = lexer_at(p, p->at + n);
    *ret_prefix = n;
    return q == '"' || q == '\'';
}

static void scan_string(struct py_scan *p, size_t prefix, struct py_token *t) {
    size_t i = p->at + prefix;
    char q = lexer_at(p, i);
    bool triple = lexer_at(p, i + 1) == q && lexer_at(p, i + 2) == q;
    size_t width = triple ? 3 : 1;
    i += width;
    t->kind = PY_STRING;
    t->body = i;
    for (; i < p->len; i++) {
        if (p->s[i] == '\\')
            i++;
        else if (!triple && p->s[i] == '\n')
            break;
        else if (p->s[i] == q &&
                 (!triple || (lexer_at(p, i + 1) == q && lexer_at(p, i + 2) == q))) {
            t->closed = true;
            break;
        }
    }
    if (i > p->len)
        i = p->len;
    t->body_len = i - t->body;
    t->len = i + (t->closed ? width : 0) - t->start;
}

static size_t number_len(const struct py_scan *p) {
    size_t i = p->at;
    while (isalnum((unsigned char)lexer_at(p, i)) || lexer_at(p, i) == '_' ||
           lexer_at(p, i) == '.' ||
           ((lexer_at(p, i) == '-' || lexer_at(p, i) == '+') &&
            (lexer_at(p, i - 1) | 0x20) == 'e' && isdigit((unsigned char)lexer_at(p, i + 1))))
        i++;
    return i - p->at;
}

static size_t span(const struct py_scan *p, bool (*take)(char)) {
    size_t i = p->at;
    while (i < p->len && take(p->s[i]))
        i++;
    return i - p->at;
}

static bool not_newline(char c) {
    return c != '\n';
}

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool py_next(struct py_scan *p, struct py_token *t) {
    *t = (struct py_token){.start = p->at, .kind = PY_END};
    if (p->at >= p->len)
        return false;
    size_t prefix;
    char c = p->s[p->at];
    if (string_starts(p, &prefix, &t->formatted))
        scan_string(p, prefix, t);
    else if (c == '#')
        t->kind = PY_COMMENT, t->len = span(p, not_newline);
    else if (c == '\n')
        t->kind = PY_NEWLINE, t->len = 1;
    else if (blank(c))
        t->kind = PY_BLANK, t->len = span(p, blank);
    else if (isdigit((unsigned char)c) ||
             (c == '.' && isdigit((unsigned char)lexer_at(p, p->at + 1))))
        t->kind = PY_NUMBER, t->len = number_len(p);
    else if (name_byte(c))
        t->kind = PY_NAME, t->len = span(p, name_byte);
    else
        t->kind = PY_MARK, t->len = 1;
    p->at += t->len;
    return true;
}

bool py_is(const struct py_scan *p, const struct py_token *t, const char *text) {
    return strlen(text) == t->len && memcmp(p->s + t->start, text, t->len) == 0;
}
