#include "serve/hosted/json.h"

#include <errno.h>
#include <string.h>

#include "base/jsonout.h"
#include "base/jsonshape.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/utf8.h"

static const char *excess(const char *text, size_t len) {
    struct json_shape shape = json_shape(text, len);
    return shape.depth > MAX_JSON_DEPTH     ? "nests too deep"
           : shape.values > MAX_JSON_VALUES ? "has too many values"
                                            : NULL;
}

json_t *serve_json_parse(const char *text, size_t len, struct retort_error *err) {
    json_error_t error;
    json_t *value;

    const char *what = excess(text, len);

    if (what) {
        err_set(err, ERR_CALLER, EINVAL, "the JSON %s: %d levels and %d values are allowed", what,
                MAX_JSON_DEPTH, MAX_JSON_VALUES);
        return NULL;
    }
    value = json_in(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!value && json_in_short(&error))
        err_memory(err);
    else if (!value)
        err_set(err, ERR_CALLER, EINVAL, "not JSON: %s (byte %d)", error.text, error.position);
    return value;
}

json_t *serve_json_stringn(const char *text, size_t len) {
    json_t *value = json_stringn(text, len);
    scoped_buf quoted = BUF_INIT(MAX_REPLY);

    if (!value && buf_json_string(&quoted, text, len) >= 0)
        value = json_in(quoted.data, quoted.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    return value;
}

json_t *serve_json_string(const char *text) {
    return serve_json_stringn(text, strlen(text));
}

char *serve_json_text(const json_t *value) {
    return json_out(value, JSON_COMPACT | JSON_ENCODE_ANY);
}

int buf_json(struct buf *b, const json_t *value) {
    return json_out_buf(b, value, JSON_COMPACT | JSON_ENCODE_ANY);
}

static int add_escaped(struct buf *b, unsigned char c) {
    switch (c) {
    case '"': return buf_add(b, "\\\"", 2);
    case '\\': return buf_add(b, "\\\\", 2);
    case '\n': return buf_add(b, "\\n", 2);
    case '\r': return buf_add(b, "\\r", 2);
    case '\t': return buf_add(b, "\\t", 2);
    default: return buf_printf(b, "\\u%04x", c);
    }
}

int buf_json_string(struct buf *b, const char *text, size_t len) {
    const unsigned char *s = (const unsigned char *)text;
    size_t plain = 0, i = 0;
    int r = buf_add(b, "\"", 1);

    while (i < len && r >= 0) {
        size_t n = utf8_length(s + i, len - i);

        if (n > 0 && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\') {
            i += n;
            continue;
        }
        r = buf_add(b, text + plain, i - plain);
        if (r >= 0)
            r = n ? add_escaped(b, s[i]) : buf_add(b, "\xef\xbf\xbd", 3);
        plain = ++i;
    }
    if (r >= 0)
        r = buf_add(b, text + plain, i - plain);
    return r < 0 ? r : buf_add(b, "\"", 1);
}

/* --- members without parsing --- */

/* Returns the place after the string that begins here. */
static const char *skip_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : end;
}

/* Returns the place after the value that begins here. */
static const char *skip_value(const char *at, const char *end) {
    int depth = 0;

    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        if (depth == 0 && (*at == ',' || *at == '}' || *at == ']'))
            break;
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    }
    return at;
}

void serve_json_members(const char *text, size_t len, const char *const *names, size_t count,
                        struct json_span *ret_spans) {
    const char *at = text + 1, *end = text + len;

    memset(ret_spans, 0, count * sizeof *ret_spans);
    while (at < end && *at == '"') {
        const char *name = at + 1, *value = skip_string(at, end) + 1;
        size_t name_len = (size_t)(value - name) - 2;

        at = skip_value(value, end);
        for (size_t i = 0; i < count; i++)
            if (strlen(names[i]) == name_len && strncmp(names[i], name, name_len) == 0)
                ret_spans[i] = (struct json_span){value, (size_t)(at - value)};
        at += at < end && *at == ',';
    }
}
