#include "agent/reply/repair.h"

#include "agent/text/number.h"
#include "agent/text/python_lexer.h"
#include "base/err.h"

#include <ctype.h>
#include <string.h>

static int unix_lines(const char *s, size_t len, struct buf *out) {
    for (size_t i = 0; i < len; i++) {
        if (s[i] == '\r' && (i + 1 == len || s[i + 1] == '\n'))
            continue;
        TRY(buf_add(out, s[i] == '\r' ? "\n" : s + i, 1));
    }
    return 0;
}

/* The plain form of a character that cannot stand outside of a string; NULL if it can. */
static const char *plain_form(uint32_t cp) {
    switch (cp) {
    case 0x201c:
    case 0x201d:
    case 0x201e: return "\"";
    case 0x2018:
    case 0x2019: return "'";
    case 0x2013:
    case 0x2212: return "-";
    case 0xa0:
    case 0x202f:
    case 0x2009: return " ";
    case 0x200b:
    case 0xfeff: return "";
    default: return NULL;
    }
}

static const struct {
    const char *entity, *plain;
} entities[] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&#39;", "'"}};

static size_t entity_at(const char *s, size_t len, const char **ret_plain) {
    for (size_t k = 0; k < sizeof entities / sizeof *entities; k++) {
        size_t n = strlen(entities[k].entity);
        if (len >= n && memcmp(s, entities[k].entity, n) == 0) {
            *ret_plain = entities[k].plain;
            return n;
        }
    }
    return 0;
}

/* Copies a smart-quoted string up to its closing quote as it is. Returns the bytes consumed. */
static size_t smart_string(const char *s, size_t len, const char *quote, struct buf *out) {
    for (size_t i = 0; i < len && s[i] != '\n';) {
        uint32_t cp;
        size_t n = utf8_at(s + i, len - i, &cp);
        const char *plain = plain_form(cp);
        if (plain && strcmp(plain, quote) == 0) {
            if (buf_add(out, s, i) < 0 || buf_adds(out, quote) < 0)
                return 0;
            return i + n;
        }
        i += n;
    }
    return 0;
}

/* One stretch of bytes outside strings and comments. */
static int plain_piece(const char *s, size_t end, size_t len, struct buf *out, size_t *ret_used,
                       bool *changed) {
    size_t i = 0;
    while (i < end) {
        uint32_t cp;
        const char *plain = NULL;
        size_t n = entity_at(s + i, len - i, &plain);
        if (!n) {
            n = utf8_at(s + i, len - i, &cp);
            plain = plain_form(cp);
        }
        TRY(plain ? buf_adds(out, plain) : buf_add(out, s + i, n));
        *changed = *changed || plain;
        i += n;
        if (plain && (*plain == '"' || *plain == '\'')) {
            i += smart_string(s + i, len - i, plain, out);
            break; /* the scanner starts anew behind the string */
        }
    }
    *ret_used = i;
    return 0;
}

static int plain_typography(const char *s, size_t len, struct buf *out, bool *changed) {
    struct py_scan p = {s, len, 0};
    struct py_token t;
    while (py_next(&p, &t)) {
        if (t.kind == PY_STRING || t.kind == PY_COMMENT) {
            TRY(buf_add(out, s + t.start, t.len));
            continue;
        }
        size_t used;
        TRY(plain_piece(s + t.start, t.len, len - t.start, out, &used, changed));
        if (t.start + used > p.at || used < t.len)
            p.at = t.start + used;
    }
    return 0;
}

/* Is there a backslash-n outside strings in code that has no real line end? */
static bool newlines_escaped(const char *s, size_t len) {
    if (memchr(s, '\n', len))
        return false;
    struct py_scan p = {s, len, 0};
    struct py_token t;
    while (py_next(&p, &t))
        if (t.kind == PY_MARK && s[t.start] == '\\' && t.start + 1 < len && s[t.start + 1] == 'n')
            return true;
    return false;
}

static int repair_unescape(const char *s, size_t len, struct buf *out) {
    for (size_t i = 0; i < len; i++) {
        char c = s[i];
        if (c == '\\' && i + 1 < len && strchr("nt\"'\\", s[i + 1])) {
            i++;
            c = s[i] == 'n' ? '\n' : s[i] == 't' ? '\t' : s[i];
        }
        TRY(buf_add(out, &c, 1));
    }
    return 0;
}

static size_t line_len(const char *s, size_t len) {
    const char *eol = memchr(s, '\n', len);
    return eol ? (size_t)(eol - s) + 1 : len;
}

static bool starts(const char *s, size_t len, const char *prefix) {
    size_t n = strlen(prefix);
    return len >= n && memcmp(s, prefix, n) == 0;
}

static bool is_blank_line(const char *s, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!isspace((unsigned char)s[i]))
            return false;
    return true;
}

/* Keeps the code of ">>> x" and "... y" lines, and drops lines of output between them. */
static int drop_prompts(const char *s, size_t len, struct buf *out, bool *changed) {
    if (!starts(s, len, ">>> "))
        return buf_add(out, s, len);
    *changed = true;
    for (size_t i = 0; i < len;) {
        size_t n = line_len(s + i, len - i);
        if (starts(s + i, n, ">>> ") || starts(s + i, n, "... "))
            TRY(buf_add(out, s + i + 4, n - 4));
        i += n;
    }
    return 0;
}

static size_t indent_of(const char *s, size_t len) {
    size_t n = 0;
    while (n < len && (s[n] == ' ' || s[n] == '\t'))
        n++;
    return n;
}

static size_t common_indent(const char *s, size_t len) {
    size_t common = SIZE_MAX;
    for (size_t i = 0; i < len;) {
        size_t n = line_len(s + i, len - i);
        size_t indent = indent_of(s + i, n);
        if (!is_blank_line(s + i, n) && indent < common)
            common = indent;
        i += n;
    }
    return common == SIZE_MAX ? 0 : common;
}

/* Removes the common indentation, and blank lines at both ends. */
static int dedent(const char *s, size_t len, struct buf *out) {
    size_t common = common_indent(s, len);
    bool begun = false;
    for (size_t i = 0; i < len;) {
        size_t n = line_len(s + i, len - i);
        bool blank = is_blank_line(s + i, n);
        begun = begun || !blank;
        if (begun && blank)
            TRY(buf_adds(out, "\n"));
        else if (begun)
            TRY(buf_add(out, s + i + common, n - common));
        i += n;
    }
    while (out->len && isspace((unsigned char)out->data[out->len - 1]))
        out->data[--out->len] = 0;
    return 0;
}

/* "```\npython\nprint(1)": the language is in the first line of the code. */
static size_t slipped_language(const char *s, size_t len) {
    size_t n = line_len(s, len);
    if (n == len)
        return 0;
    return (n == 7 && starts(s, n, "python")) || (n == 3 && starts(s, n, "py")) ? n : 0;
}

int repair_code(const char *code, size_t len, bool python, struct buf *out, bool *ret_changed) {
    scoped_buf a = BUF_INIT(out->max), b = BUF_INIT(out->max);
    bool changed = false;
    TRY(unix_lines(code, len, &a));
    if (!a.len)
        return buf_adds(out, "");
    if (python && newlines_escaped(a.data, a.len)) {
        TRY(repair_unescape(a.data, a.len, &b));
        changed = true;
    } else {
        TRY(buf_add(&b, a.data, a.len));
    }
    buf_reset(&a);
    TRY(dedent(b.data, b.len, &a));
    buf_reset(&b);
    if (!a.len)
        return buf_adds(out, "");
    size_t skip = python ? slipped_language(a.data, a.len) : 0;
    TRY(python ? drop_prompts(a.data + skip, a.len - skip, &b, &changed)
               : buf_add(&b, a.data, a.len));
    *ret_changed = changed || skip;
    if (!python || !b.len)
        return buf_add(out, b.data, b.len);
    TRY(plain_typography(b.data, b.len, out, ret_changed));
    while (out->len && isspace((unsigned char)out->data[out->len - 1]))
        out->data[--out->len] = 0;
    return 0;
}
