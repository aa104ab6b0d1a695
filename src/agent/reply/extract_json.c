#include "agent/reply/extract_json.h"

#include "agent/text/python_lexer.h"
#include "base/buf.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static bool contains(const char *name, const char *part) {
    return strcasestr(name, part) != NULL;
}

const char *extract_call_language(const char *name) {
    static const char *const python[] = {"python", "code", "execute", "run", "interpreter", "repl"};
    if (contains(name, "final"))
        return "final";
    if (contains(name, "bash") || contains(name, "shell"))
        return "bash";
    if (contains(name, "sql"))
        return "sql";
    if (contains(name, "javascript"))
        return "javascript";
    for (size_t i = 0; i < COUNT(python); i++)
        if (contains(name, python[i]))
            return "python";
    return NULL;
}

static int extract_json_set_code(struct extract *x, const char *language, const char *code) {
    x->kind = EXTRACT_CODE;
    x->language = strdup(language);
    x->code = strdup(code);
    return x->language && x->code ? 1 : -ENOMEM;
}

static int set_final(struct extract *x, const json_t *value) {
    x->kind = EXTRACT_FINAL;
    x->text = json_is_string(value) ? strdup(json_string_value(value))
                                    : json_whole(value, JSON_ENCODE_ANY | JSON_SORT_KEYS);
    return x->text ? 1 : -ENOMEM;
}

static const json_t *first_of(const json_t *o, const char *const *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const json_t *v = json_object_get(o, keys[i]);
        if (v)
            return v;
    }
    return NULL;
}

static int action_in(const json_t *o, const char *name, int depth, struct extract *x);

/* Arguments may be an object, JSON text, or the code itself. */
static int action_in_arguments(const json_t *arguments, const char *name, int depth,
                               struct extract *x) {
    if (json_is_object(arguments))
        return action_in(arguments, name, depth + 1, x);
    if (!json_is_string(arguments))
        return 0;
    const char *text = json_string_value(arguments);
    json_t *inner = json_in_text(text, 0, NULL);
    if (inner) {
        int r = action_in(inner, name, depth + 1, x);
        json_decref(inner);
        return r;
    }
    const char *language = name ? extract_call_language(name) : NULL;
    if (language && strcmp(language, "final") == 0)
        return set_final(x, arguments);
    return language ? extract_json_set_code(x, language, text) : 0;
}

static int final_in(const json_t *o, const char *name, struct extract *x) {
    static const char *const keys[] = {"final_answer", "answer", "value", "text", "result"};
    bool called =
        name && extract_call_language(name) && strcmp(extract_call_language(name), "final") == 0;
    const json_t *v = first_of(o, keys, called ? COUNT(keys) : 2);
    if (v)
        return set_final(x, v);
    return called ? set_final(x, o) : 0;
}

static int code_in(const json_t *o, const char *name, struct extract *x) {
    static const char *const keys[] = {"code",    "source", "script", "python",
                                       "command", "sql",    "query",  "cmd"};
    const json_t *v = first_of(o, keys, COUNT(keys));
    if (json_is_array(v)) { /* a list of lines of code */
        scoped_buf lines = BUF_INIT(MAX_CODE);
        for (size_t i = 0; i < json_array_size(v); i++) {
            const char *line = json_string_value(json_array_get(v, i));
            if (!line || buf_printf(&lines, "%s\n", line) < 0)
                return 0;
        }
        return extract_json_set_code(x, "python", lines.data ? lines.data : "");
    }
    if (!json_is_string(v))
        return 0;
    const char *language = json_string_value(json_object_get(o, "language"));
    if (!language)
        language = name ? extract_call_language(name) : NULL;
    bool known =
        language && (strcasecmp(language, "bash") == 0 || strcasecmp(language, "sql") == 0);
    return extract_json_set_code(x, known ? language : "python", json_string_value(v));
}

static int action_in(const json_t *o, const char *name, int depth, struct extract *x) {
    static const char *const inner[] = {"arguments",    "parameters", "input",
                                        "action_input", "tool_input", "args"};
    static const char *const names[] = {"name", "tool", "action", "tool_name", "function"};
    if (depth > 4)
        return 0;
    if (json_is_array(o) && json_array_size(o) && json_is_object(json_array_get(o, 0)))
        return action_in(json_array_get(o, 0), name, depth + 1, x);
    const json_t *n = first_of(o, names, COUNT(names));
    if (json_is_object(n))
        return action_in(n, name, depth + 1, x);
    if (!name && json_is_string(n))
        name = json_string_value(n);
    int r = code_in(o, name, x);
    if (!r)
        r = action_in_arguments(first_of(o, inner, COUNT(inner)), name, depth, x);
    return r ? r : final_in(o, name, x);
}

/* Escapes raw line ends inside strings, the commonest fault of hand-written JSON. */
static json_t *load_escaped(const char *text, size_t len) {
    scoped_buf b = BUF_INIT(MAX_CODE * 2);
    bool string = false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '"')
            string = !string;
        if (string && c == '\\' && i + 1 < len) {
            if (buf_add(&b, text + i++, 2) < 0)
                return NULL;
        } else if (string && (c == '\n' || c == '\t' || c == '\r')) {
            if (buf_adds(&b, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r") < 0)
                return NULL;
        } else if (buf_add(&b, &c, 1) < 0) {
            return NULL;
        }
    }
    return b.len ? json_in(b.data, b.len, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
}

static int unescape_python(const char *s, size_t len, struct buf *out) {
    for (size_t i = 0; i < len; i++) {
        char c = s[i];
        if (c == '\\' && i + 1 < len) {
            c = s[++i];
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        int r = buf_add(out, &c, 1);
        if (r < 0)
            return r;
    }
    return 0;
}

/* {'code': 'print(1)'} and {"code": """…"""}: a Python dict instead of JSON. */
static int code_in_dict(const char *text, size_t len, struct extract *x) {
    struct py_scan p = {text, len, 0};
    struct py_token t;
    int seen = 0; /* 1: the key, 2: the colon */
    while (py_next(&p, &t)) {
        if (t.kind == PY_BLANK || t.kind == PY_NEWLINE)
            continue;
        if (seen == 2 && t.kind == PY_STRING && t.closed) {
            scoped_buf code = BUF_INIT(MAX_CODE);
            if (unescape_python(text + t.body, t.body_len, &code) < 0)
                return -ENOMEM;
            x->repaired = true;
            return extract_json_set_code(x, "python", code.data ? code.data : "");
        }
        bool key = t.kind == PY_STRING && t.body_len == 4 && memcmp(text + t.body, "code", 4) == 0;
        seen = key ? 1 : seen == 1 && py_is(&p, &t, ":") ? 2 : 0;
    }
    return 0;
}

int extract_json(const char *text, size_t len, const char *name, struct extract *x) {
    json_t *o = json_in(text, len, JSON_DECODE_ANY, NULL);
    if (!o && (o = load_escaped(text, len)))
        x->repaired = true;
    if (!o) {
        int r = code_in_dict(text, len, x);
        return r ? r : -EINVAL;
    }
    int r = json_is_string(o) ? action_in_arguments(o, name, 0, x) : action_in(o, name, 0, x);
    json_decref(o);
    return r;
}

int extract_json_text(const char *text, size_t len, struct extract *x) {
    while (len && isspace((unsigned char)text[0]))
        text++, len--;
    while (len && isspace((unsigned char)text[len - 1]))
        len--;
    if (len < 2 ||
        !((text[0] == '{' && text[len - 1] == '}') || (text[0] == '[' && text[len - 1] == ']')))
        return 0;
    int r = extract_json(text, len, NULL, x);
    return r == -EINVAL ? 0 : r;
}
