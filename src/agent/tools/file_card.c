#include "agent/tools/file_card.h"

#include "agent/text/number.h"
#include "base/err.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_COLUMNS 60
#define FIRST_ROWS 3
#define SAMPLES 4
#define SHOWN 40 /* bytes of one field */

/* --- reading fields --- */

struct table {
    const char *s;
    size_t len, at;
    char mark;
    char field[256]; /* the newest field, without quotes, cut */
};

/* Reads one field into t->field. Returns what ended it: the mark, a line end, or 0 at the end. */
static char next_field(struct table *t) {
    size_t n = 0;
    bool quoted = t->at < t->len && t->s[t->at] == '"';
    t->at += quoted;
    while (t->at < t->len) {
        char c = t->s[t->at++];
        if (quoted && c == '"') {
            if (t->at < t->len && t->s[t->at] == '"')
                t->at++;
            else {
                quoted = false;
                continue;
            }
        } else if (!quoted && (c == t->mark || c == '\n')) {
            t->field[n] = 0;
            return c;
        }
        if (n < sizeof t->field - 1 && (quoted || c != '\r'))
            t->field[n++] = c;
    }
    t->field[n] = 0;
    return 0;
}

/* The separator that cuts the first lines into the same number of fields, more than one. */
static char find_mark(const char *s, size_t len) {
    static const char marks[] = ",;\t|";
    char best = ',';
    size_t most = 1;
    for (const char *m = marks; *m; m++) {
        struct table t = {.s = s, .len = len, .mark = *m};
        size_t first = 0, fields = 0, lines = 0;
        bool same = true;
        while (lines < 5 && t.at < len) {
            char end = next_field(&t);
            fields++;
            if (end == *m)
                continue;
            if (!lines)
                first = fields;
            same = same && fields == first;
            fields = 0;
            lines++;
        }
        if (same && first > most) {
            most = first;
            best = *m;
        }
    }
    return best;
}

/* --- columns --- */

struct column {
    char name[64];
    size_t values, nulls, integers, numbers, dates, flags;
    double low, high;
    char samples[SAMPLES][SHOWN + 1];
    size_t sample_count;
};

static bool is_null(const char *s) {
    static const char *const names[] = {"", "na", "n/a", "nan", "null", "none"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(s, names[i]) == 0)
            return true;
    return false;
}

static bool is_date(const char *s) {
    int y, m, d, end = 0;
    return sscanf(s, "%4d-%2d-%2d%n", &y, &m, &d, &end) == 3 && end == 10 && m >= 1 && m <= 12;
}

static bool is_flag(const char *s) {
    return strcasecmp(s, "true") == 0 || strcasecmp(s, "false") == 0;
}

static void add_sample(struct column *c, const char *s) {
    for (size_t i = 0; i < c->sample_count; i++)
        if (strncmp(c->samples[i], s, SHOWN) == 0)
            return;
    if (c->sample_count < SAMPLES)
        snprintf(c->samples[c->sample_count++], SHOWN + 1, "%.*s", SHOWN, s);
}

static void card_add_value(struct column *c, const char *s) {
    char *end;
    if (is_null(s)) {
        c->nulls++;
        return;
    }
    c->values++;
    add_sample(c, s);
    double v = strtod(s, &end);
    if (end != s && !*end && isfinite(v)) {
        c->low = c->numbers && c->low < v ? c->low : v;
        c->high = c->numbers && c->high > v ? c->high : v;
        c->numbers++;
        c->integers += strspn(s, "+-0123456789") == strlen(s);
    }
    c->dates += is_date(s);
    c->flags += is_flag(s);
}

static const char *card_type_of(const struct column *c) {
    if (!c->values)
        return "empty";
    if (c->integers == c->values)
        return "integer";
    if (c->numbers == c->values)
        return "number";
    if (c->dates == c->values)
        return "date";
    return c->flags == c->values ? "boolean" : "text";
}

static int card_show_column(const struct column *c, struct buf *out) {
    TRY(buf_printf(out, "- %s: %s", c->name, card_type_of(c)));
    if (c->values && c->numbers == c->values)
        TRY(buf_printf(out, ", %.10g to %.10g", c->low, c->high));
    else
        for (size_t i = 0; i < c->sample_count; i++)
            TRY(buf_printf(out, "%s%s", i ? ", " : ", such as ", c->samples[i]));
    if (c->nulls)
        TRY(buf_printf(out, ", %zu empty", c->nulls));
    return buf_adds(out, "\n");
}

/* --- tables --- */

static size_t read_header(struct table *t, struct column *columns) {
    for (size_t n = 0;;) {
        char end = next_field(t);
        if (n < MAX_COLUMNS)
            snprintf(columns[n].name, sizeof columns[n].name, "%.63s", t->field);
        n += n < MAX_COLUMNS;
        if (end != t->mark)
            return n;
    }
}

static size_t card_read_rows(struct table *t, struct column *columns, size_t count,
                             size_t *ret_ragged) {
    size_t rows = 0;
    *ret_ragged = 0;
    while (t->at < t->len) {
        char end = t->mark;
        size_t n = 0;
        while (end == t->mark) {
            end = next_field(t);
            if (n == 0 && end != t->mark && !t->field[0])
                break;
            if (n < count)
                card_add_value(&columns[n], t->field);
            n++;
        }
        rows += n > 0;
        *ret_ragged += n > 0 && n != count && count < MAX_COLUMNS;
    }
    return rows;
}

static int show_first_lines(const char *s, size_t len, size_t lines, struct buf *out) {
    for (size_t i = 0; lines && i < len; lines--) {
        const char *eol = memchr(s + i, '\n', len - i);
        size_t n = eol ? (size_t)(eol - s) - i : len - i;
        size_t shown = n <= 200 ? n : utf8_cut(s + i, 200);
        TRY(buf_printf(out, "    %.*s%s\n", (int)shown, s + i, shown < n ? " …" : ""));
        i += n + 1;
    }
    return 0;
}

static const char *encoding_of(const char *s, size_t len) {
    if (len >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        return "UTF-8 with a byte order mark";
    if (len >= 2 && (memcmp(s, "\xff\xfe", 2) == 0 || memcmp(s, "\xfe\xff", 2) == 0))
        return "UTF-16";
    json_t *probe = json_stringn(s, len);
    json_decref(probe);
    return probe ? "UTF-8" : "not UTF-8, perhaps Latin-1 or cp1252";
}

static int table_card(const char *name, const char *s, size_t len, struct buf *out) {
    scoped_free struct column *columns = calloc(MAX_COLUMNS, sizeof *columns);
    if (!columns)
        return -ENOMEM;
    size_t skip = len >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, ragged;
    struct table t = {.s = s + skip, .len = len - skip};
    t.mark = find_mark(t.s, t.len);
    size_t count = read_header(&t, columns), rows = card_read_rows(&t, columns, count, &ragged);
    TRY(buf_printf(out, "%s: table, %zu rows, %zu columns, delimiter %s, %s, %zu bytes\n", name,
                   rows, count, t.mark == '\t' ? "tab" : (char[]){'"', t.mark, '"', 0},
                   encoding_of(s, len), len));
    for (size_t i = 0; i < count; i++)
        TRY(card_show_column(&columns[i], out));
    if (ragged)
        TRY(buf_printf(out, "- %zu rows have another number of fields\n", ragged));
    TRY(buf_adds(out, "  first lines:\n"));
    return show_first_lines(t.s, t.len, FIRST_ROWS + 1, out);
}

/* --- JSON --- */

static const char *json_kind(const json_t *v) {
    static const char *const names[] = {"object", "list",    "text",    "integer",
                                        "number", "boolean", "boolean", "null"};
    return names[json_typeof(v)];
}

static int describe_json(const json_t *v, int depth, struct buf *out) {
    const char *key;
    json_t *inner;
    size_t shown = 0;
    if (json_is_array(v)) {
        TRY(buf_printf(out, "list of %zu", json_array_size(v)));
        if (json_array_size(v) && depth < 4) {
            TRY(buf_adds(out, ", the first: "));
            TRY(describe_json(json_array_get(v, 0), depth + 1, out));
        }
        return 0;
    }
    if (!json_is_object(v))
        return buf_adds(out, json_kind(v));
    TRY(buf_adds(out, "{"));
    json_object_foreach(unconst(v), key, inner) {
        if (shown == 20) {
            TRY(buf_printf(out, ", and %zu more", json_object_size(v) - shown));
            break;
        }
        TRY(buf_printf(out, "%s%.60s: ", shown++ ? ", " : "", key));
        TRY(depth < 4 ? describe_json(inner, depth + 1, out) : buf_adds(out, json_kind(inner)));
    }
    return buf_adds(out, "}");
}

static int json_card(const char *name, const char *s, size_t len, struct buf *out) {
    json_error_t error;
    json_t *o = json_in(s, len, JSON_DECODE_ANY, &error);
    int r;
    if (!o) {
        r = buf_printf(out, "%s: %zu bytes, not one JSON value (%s at line %d); first lines:\n",
                       name, len, error.text, error.line);
        return r < 0 ? r : show_first_lines(s, len, FIRST_ROWS, out);
    }
    r = buf_printf(out, "%s: JSON, %zu bytes: ", name, len);
    if (r == 0)
        r = describe_json(o, 0, out);
    json_decref(o);
    return r < 0 ? r : buf_adds(out, "\n");
}

static bool card_ends_with(const char *name, const char *suffix) {
    size_t n = strlen(name), k = strlen(suffix);
    return n > k && strcasecmp(name + n - k, suffix) == 0;
}

/* Bytes that are cut in mid-character, or in another encoding, must not spoil the whole prompt. */
static void clean(char *s, size_t len) {
    for (size_t i = 0; i < len;) {
        uint32_t cp;
        size_t n = utf8_at(s + i, len - i, &cp);
        json_t *probe = json_stringn(s + i, n);
        if (!probe || (n == 1 && (unsigned char)s[i] >= 0x80))
            memset(s + i, '?', n);
        json_decref(probe);
        i += n;
    }
}

static int add_by_name(const char *name, const char *data, size_t len, struct buf *out) {
    if (card_ends_with(name, ".csv") || card_ends_with(name, ".tsv") ||
        card_ends_with(name, ".tab"))
        return table_card(name, data, len, out);
    if (card_ends_with(name, ".json"))
        return json_card(name, data, len, out);
    bool text = !memchr(data, 0, len < 4096 ? len : 4096);
    TRY(buf_printf(out, "%s: %s, %zu bytes\n", name, text ? encoding_of(data, len) : "binary",
                   len));
    return text ? show_first_lines(data, len, FIRST_ROWS, out) : 0;
}

int card_add(const char *name, const char *data, size_t len, struct buf *out) {
    size_t from = out->len;
    int r = add_by_name(name, data, len, out);
    if (out->len > from)
        clean(out->data + from, out->len - from);
    return r;
}
