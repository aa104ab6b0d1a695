#include "asked.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "wire/frame.h"

enum { MOST = 200, SHORT = 200 };

void asked_quote(struct buf *b, const char *text, size_t len) {
    buf_adds(b, "'");
    for (size_t i = 0; i < len; i++)
        if (text[i] == '\'')
            buf_adds(b, "'\\''");
        else
            buf_add(b, &text[i], 1);
    buf_adds(b, "'\n");
}

/* --- completion --- */

static size_t asked_byte_at(const char *code, size_t len, size_t characters) {
    size_t at = 0;
    while (at < len && characters > 0) {
        at++;
        while (at < len && (code[at] & 0xc0) == 0x80)
            at++;
        characters--;
    }
    return at;
}

static size_t asked_characters(const char *text, size_t len) {
    size_t n = 0;
    for (size_t i = 0; i < len; i++)
        n += (text[i] & 0xc0) != 0x80;
    return n;
}

static bool parts_words(char c) {
    return strchr(" \t\n;|&()<>\"'`={}$", c) != NULL;
}

static bool begins_command(const char *code, size_t at) {
    while (at > 0 && (code[at - 1] == ' ' || code[at - 1] == '\t'))
        at--;
    return at == 0 || strchr("\n;|&({", code[at - 1]);
}

void asked_word(const char *code, size_t len, size_t cursor, struct buf *command,
                int64_t *ret_start) {
    size_t end = asked_byte_at(code, len, cursor), at = end;
    while (at > 0 && !parts_words(code[at - 1]))
        at--;
    bool braced = at > 1 && code[at - 1] == '{' && code[at - 2] == '$';
    bool variable = braced || (at > 0 && code[at - 1] == '$');
    bool first = !variable && begins_command(code, at) && !memchr(code + at, '/', end - at);
    *ret_start = (int64_t)asked_characters(code, at);
    if (first && at == end)
        return;
    buf_printf(command, "builtin compgen -%s -- ", variable ? "v" : first ? "c" : "f");
    asked_quote(command, code + at, end - at);
}

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void asked_names(const struct buf *lines, struct buf *frame) {
    scoped_free char *text = strndup(lines->data ? lines->data : "", lines->len);
    scoped_free char **all = calloc(lines->len / 2 + 1, sizeof *all);
    size_t n = 0;
    char *rest = NULL;
    for (char *line = text && all ? strtok_r(text, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "__retort", 8) != 0)
            all[n++] = line;
    if (n)
        qsort(all, n, sizeof *all, compare_lines);
    for (size_t i = 0, put = 0; i < n && put < MOST; i++)
        if (i == 0 || strcmp(all[i], all[i - 1]) != 0) {
            frame_put_text(frame, F_NAME, all[i]);
            put++;
        }
}

/* --- variables --- */

struct declared {
    const char *flags, *name, *value;
    size_t flags_len, name_len, value_len;
};

/* A value continues in the next line while a quote is open. */
static size_t end_of(const struct buf *b, size_t at) {
    char quote = 0;
    for (; at < b->len; at++) {
        char c = b->data[at];
        if (c == '\\')
            at++;
        else if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '\n')
            break;
    }
    return at < b->len ? at : b->len;
}

static bool declared_next(const struct buf *b, size_t *pos, struct declared *ret) {
    static const char start[] = "declare -";
    while (*pos < b->len) {
        const char *line = b->data + *pos;
        size_t len = end_of(b, *pos) - *pos;
        *pos += len + 1;
        const char *end = line + len, *flags = line + sizeof start - 1;
        const char *blank = len < sizeof start || memcmp(line, start, sizeof start - 1) != 0
                                ? NULL
                                : memchr(flags, ' ', (size_t)(end - flags));
        if (!blank)
            continue;
        const char *equals = memchr(blank, '=', (size_t)(end - blank));
        const char *name_end = equals ? equals : end, *value = equals ? equals + 1 : end;
        *ret = (struct declared){flags,
                                 blank + 1,
                                 value,
                                 (size_t)(blank - flags),
                                 (size_t)(name_end - blank - 1),
                                 (size_t)(end - value)};
        return true;
    }
    return false;
}

static bool same_name(const struct declared *a, const struct declared *b) {
    return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0;
}

/* Whether the variable is bash's, or ours. */
static bool belongs_to_bash(const struct declared *d, const struct buf *own) {
    static const char *const begins[] = {"BASH", "__retort", "_=", "PIPESTATUS=", "OLDPWD="};
    struct declared other;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(d->name, begins[i], strlen(begins[i])) == 0)
            return true;
    for (size_t pos = 0; declared_next(own, &pos, &other);)
        if (same_name(d, &other))
            return true;
    return false;
}

static const char *declared_kind(const struct declared *d) {
    static const struct {
        char flag;
        const char *name;
    } kinds[] = {{'f', "function"},
                 {'A', "associative array"},
                 {'a', "array"},
                 {'n', "reference"},
                 {'i', "integer"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (memchr(d->flags, kinds[i].flag, d->flags_len))
            return kinds[i].name;
    return "string";
}

static void put_json(struct buf *b, const char *text, size_t len) {
    buf_adds(b, "\"");
    for (size_t i = 0, n; i < len; i += n) {
        unsigned char c = (unsigned char)text[i];
        n = utf8_length((const unsigned char *)text + i, len - i);
        if (n == 0)
            buf_adds(b, "\xef\xbf\xbd");
        else if (c < ' ' || c == '"' || c == '\\')
            buf_printf(b, "\\u%04x", c);
        else
            buf_add(b, text + i, n);
        n += n == 0;
    }
    buf_adds(b, "\"");
}

void asked_variables(const struct buf *printed, const struct buf *own, struct buf *json) {
    struct declared d;
    size_t count = 0;
    buf_adds(json, "[");
    for (size_t pos = 0; declared_next(printed, &pos, &d);) {
        if (belongs_to_bash(&d, own) || count == MOST)
            continue;
        buf_adds(json, count++ ? ", {\"name\": " : "{\"name\": ");
        put_json(json, d.name, d.name_len);
        buf_printf(json, ", \"type\": \"%s\", \"repr\": ", declared_kind(&d));
        put_json(json, d.value, d.value_len < SHORT ? d.value_len : SHORT);
        buf_adds(json, "}");
    }
    buf_adds(json, "]");
}
