#include "agent/reply/reply_blocks.h"

#include "agent/text/python_lexer.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Most bytes that we search for closing tags and fences, in sum: a reply may open a hundred
 * thousand tags and close none. After that, everything is text. */
#define MAX_SEARCHED (64u << 20)

struct reply_text {
    const char *s;
    size_t len;
    size_t *searched;
};

static bool may_search(const struct reply_text *t) {
    return *t->searched < MAX_SEARCHED;
}

static char blocks_at(const struct reply_text *t, size_t i) {
    return i < t->len ? t->s[i] : 0;
}

static size_t blocks_line_end(const struct reply_text *t, size_t i) {
    while (i < t->len && t->s[i] != '\n')
        i++;
    return i;
}

static size_t blocks_next_line(const struct reply_text *t, size_t i) {
    i = blocks_line_end(t, i);
    return i < t->len ? i + 1 : i;
}

static size_t run_of(const struct reply_text *t, size_t i, char c) {
    size_t n = 0;
    while (blocks_at(t, i + n) == c)
        n++;
    return n;
}

static size_t skip_blank(const struct reply_text *t, size_t i) {
    while (blocks_at(t, i) == ' ' || blocks_at(t, i) == '\t')
        i++;
    return i;
}

/* One name for all names of a language; an unknown name stays as it is. */
static void language_name(const char *s, size_t len, char *out, size_t size) {
    static const char *const names[][2] = {{"py", "python"},
                                           {"python3", "python"},
                                           {"ipython", "python"},
                                           {"python", "python"},
                                           {"py3", "python"},
                                           {"sh", "bash"},
                                           {"tool_code", "python"},
                                           {"shell", "bash"},
                                           {"bash", "bash"},
                                           {"zsh", "bash"},
                                           {"js", "javascript"},
                                           {"node", "javascript"},
                                           {"code", "python"},
                                           {"execute", "python"},
                                           {"execute_python", "python"},
                                           {"sqlite", "sql"},
                                           {"execute_ipython", "python"},
                                           {"execute_bash", "bash"},
                                           {"execute_sql", "sql"},
                                           {"execute_javascript", "javascript"},
                                           {"python-repl", "python"}};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strlen(names[i][0]) == len && strncasecmp(s, names[i][0], len) == 0) {
            snprintf(out, size, "%s", names[i][1]);
            return;
        }
    size_t n = len < size - 1 ? len : size - 1;
    for (size_t i = 0; i < n; i++)
        out[i] = (char)tolower((unsigned char)s[i]);
    out[n] = 0;
}

/* Answers, for growing positions, whether a position stands inside a closed Python string. */
struct strings {
    struct py_scan scan;
    struct py_token token;
    size_t body;
};

static struct strings strings_from(const struct reply_text *t, size_t body) {
    return (struct strings){.scan = {t->s + body, t->len - body, 0}, .body = body};
}

static bool blocks_in_string(struct strings *q, size_t pos) {
    size_t at = pos - q->body;
    while (q->token.start + q->token.len <= at)
        if (!py_next(&q->scan, &q->token))
            return false;
    return q->token.kind == PY_STRING && q->token.closed;
}

/* Whether this line closes a fence: it has only fence marks, at least as many as opened it. */
static bool closes(const struct reply_text *t, size_t line, char mark, size_t width) {
    size_t i = skip_blank(t, line), n = run_of(t, i, mark);
    return n >= width && skip_blank(t, i + n) == blocks_line_end(t, i + n);
}

static size_t find_close_line(const struct reply_text *t, size_t body, char mark, size_t width,
                              bool outside_strings) {
    struct strings strings = strings_from(t, body);
    for (size_t i = body; i < t->len && may_search(t); i = blocks_next_line(t, i)) {
        *t->searched += blocks_line_end(t, i) + 1 - i;
        if (closes(t, i, mark, width) && !(outside_strings && blocks_in_string(&strings, i)))
            return i;
        if (blocks_line_end(t, i) == t->len)
            break;
    }
    return t->len + 1;
}

/* A fence directly behind the last line of code: "print(1)```". */
static size_t find_close_glued(const struct reply_text *t, size_t body, char mark, size_t width) {
    struct strings strings = strings_from(t, body);
    for (size_t i = body; i < t->len && may_search(t); i++, ++*t->searched)
        if (t->s[i] == mark && run_of(t, i, mark) >= width && !blocks_in_string(&strings, i))
            return i;
    return t->len + 1;
}

static void fence_body(const struct reply_text *t, struct block *b, char mark, size_t width) {
    size_t end = find_close_line(t, b->body, mark, width, true);
    if (end > t->len)
        end = find_close_line(t, b->body, mark, width, false);
    if (end > t->len)
        end = find_close_glued(t, b->body, mark, width);
    b->closed = end <= t->len;
    if (!b->closed)
        end = t->len;
    b->body_len = end - b->body;
    b->end = b->closed ? skip_blank(t, end) + run_of(t, skip_blank(t, end), mark) : end;
}

/* "```python print(1)```" on one line. */
static bool fence_inline(const struct reply_text *t, struct block *b, size_t info, char mark,
                         size_t width) {
    size_t eol = blocks_line_end(t, info);
    for (size_t i = info; i < eol; i++) {
        if (run_of(t, i, mark) < width)
            continue;
        size_t word = info;
        while (word < i && (isalnum((unsigned char)t->s[word]) || t->s[word] == '_'))
            word++;
        language_name(t->s + info, word - info, b->language, sizeof b->language);
        bool named = strcmp(b->language, "python") == 0 || strcmp(b->language, "bash") == 0;
        b->body = named ? word : info;
        if (!named)
            b->language[0] = 0;
        b->body_len = i - b->body;
        b->end = i + run_of(t, i, mark);
        b->closed = true;
        return true;
    }
    return false;
}

/* A fence that opens at i (past blanks and list marks). False if there is none. */
static bool fence_at(const struct reply_text *t, size_t i, struct block *b) {
    char mark = blocks_at(t, i);
    size_t width = mark == '`' || mark == '~' ? run_of(t, i, mark) : 0;
    if (width < 3)
        return false;
    *b = (struct block){.kind = BLOCK_FENCE, .start = i};
    size_t info = skip_blank(t, i + width);
    if (fence_inline(t, b, info, mark, width))
        return true;
    while (blocks_at(t, info) == '{' || blocks_at(t, info) == '.')
        info++;
    size_t word = info;
    while (word < t->len && (isalnum((unsigned char)t->s[word]) || strchr("_-+#", t->s[word])))
        word++;
    language_name(t->s + info, word - info, b->language, sizeof b->language);
    b->body = blocks_next_line(t, info);
    fence_body(t, b, mark, width);
    return true;
}

struct tag {
    size_t len; /* of the opening tag */
    char name[24];
    char attribute[24]; /* the value of language="…", lang="…" or name="…", or of <function=…> */
};

static void tag_attribute(const struct reply_text *t, size_t from, size_t to, struct tag *tag) {
    for (size_t i = from; i < to; i++) {
        if (t->s[i] != '=')
            continue;
        i++;
        if (blocks_at(t, i) == '"' || blocks_at(t, i) == '\'')
            i++;
        size_t n = 0;
        while (i + n < to && (isalnum((unsigned char)t->s[i + n]) || t->s[i + n] == '_') &&
               n < sizeof tag->attribute - 1) {
            tag->attribute[n] = t->s[i + n];
            n++;
        }
        tag->attribute[n] = 0;
        return;
    }
}

static bool tag_at(const struct reply_text *t, size_t i, struct tag *tag) {
    *tag = (struct tag){0};
    size_t k = i + 1, n = 0;
    while (isalpha((unsigned char)blocks_at(t, k)) || blocks_at(t, k) == '_') {
        if (n < sizeof tag->name - 1)
            tag->name[n++] = (char)tolower((unsigned char)t->s[k]);
        k++;
    }
    size_t from = k;
    while (k < t->len && k - from < 80 && t->s[k] != '>' && t->s[k] != '\n' && t->s[k] != '<')
        k++;
    if (!n || blocks_at(t, k) != '>')
        return false;
    tag_attribute(t, from, k, tag);
    tag->len = k + 1 - i;
    return true;
}

static bool blocks_named(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return true;
    return false;
}

static bool is_code_tag(const char *name) {
    static const char *const names[] = {
        "execute_python", "execute_ipython", "execute", "python",
        "code",           "tool_code",       "py",      "execute_bash",
        "bash",           "execute_sql",     "sql",     "execute_javascript"};
    return blocks_named(name, names, COUNT(names));
}

static bool is_call_tag(const char *name) {
    static const char *const names[] = {"tool_call", "function_call", "function", "invoke"};
    return blocks_named(name, names, COUNT(names));
}

static bool is_final_tag(const char *name) {
    static const char *const names[] = {"final_answer", "solution", "answer", "final"};
    return blocks_named(name, names, COUNT(names));
}

static size_t close_tag_at(const struct reply_text *t, size_t i, const char *name) {
    size_t n = strlen(name);
    if (blocks_at(t, i) != '<' || blocks_at(t, i + 1) != '/' || t->len - i < n + 2 ||
        strncasecmp(t->s + i + 2, name, n) != 0)
        return 0;
    size_t k = skip_blank(t, i + 2 + n);
    return blocks_at(t, k) == '>' ? k + 1 - i : 0;
}

static size_t find_close_tag(const struct reply_text *t, size_t body, const char *name, bool strict,
                             size_t *ret_len) {
    struct strings strings = strings_from(t, body);
    for (size_t i = body; i < t->len && may_search(t); i++, ++*t->searched) {
        size_t n = t->s[i] == '<' ? close_tag_at(t, i, name) : 0;
        if (n && !(strict && blocks_in_string(&strings, i))) {
            *ret_len = n;
            return i;
        }
    }
    return t->len + 1;
}

static bool first_on_line(const struct reply_text *t, size_t i) {
    while (i > 0 && (t->s[i - 1] == ' ' || t->s[i - 1] == '\t'))
        i--;
    return i == 0 || t->s[i - 1] == '\n';
}

/* Code, a call or an answer in tags. In prose, <code>x</code> is only a typeface. */
static bool tagged_at(const struct reply_text *t, size_t i, struct block *b) {
    struct tag tag;
    size_t n = 0;
    if (!tag_at(t, i, &tag))
        return false;
    *b = (struct block){.start = i, .body = i + tag.len};
    if (is_code_tag(tag.name))
        b->kind = BLOCK_TAG;
    else if (is_call_tag(tag.name))
        b->kind = BLOCK_TOOL_CALL;
    else if (is_final_tag(tag.name))
        b->kind = BLOCK_FINAL;
    else
        return false;
    size_t end = find_close_tag(t, b->body, tag.name, b->kind == BLOCK_TAG, &n);
    if (end > t->len)
        end = find_close_tag(t, b->body, tag.name, false, &n);
    b->closed = end <= t->len;
    if (!b->closed) {
        if (!first_on_line(t, i))
            return false;
        end = t->len;
    }
    bool one_line = !memchr(t->s + i, '\n', end - i);
    if (b->kind == BLOCK_TAG && one_line && !first_on_line(t, i) && !strchr(tag.name, '_'))
        return false;
    b->body_len = end - b->body;
    b->end = end + n;
    const char *language = tag.attribute[0] ? tag.attribute : tag.name;
    language_name(language, strlen(language), b->language, sizeof b->language);
    return true;
}

static size_t code_span(const struct reply_text *t, size_t i) {
    size_t width = run_of(t, i, '`');
    for (size_t k = i + width; k < t->len && t->s[k] != '\n'; k++, ++*t->searched)
        if (t->s[k] == '`' && run_of(t, k, '`') == width)
            return k + width;
    return i + width;
}

static bool fence_may_open(const struct reply_text *t, size_t i) {
    while (i > 0 && t->s[i - 1] != '\n' && strchr(" \t>-*0123456789.)", t->s[i - 1]))
        i--;
    return i == 0 || t->s[i - 1] == '\n';
}

/* Whether the fence only wraps the whole reply, or tags: then we look inside. */
static bool is_wrapping(const struct reply_text *t, const struct block *b) {
    if (strcmp(b->language, "markdown") == 0 || strcmp(b->language, "md") == 0)
        return true;
    if (strcmp(b->language, "python") == 0 || strcmp(b->language, "json") == 0)
        return false;
    size_t i = b->body;
    while (i < b->body + b->body_len && isspace((unsigned char)t->s[i]))
        i++;
    struct tag tag;
    return blocks_at(t, i) == '<' && tag_at(t, i, &tag) &&
           (is_code_tag(tag.name) || is_call_tag(tag.name) || is_final_tag(tag.name));
}

static bool blocks_quoted(const struct reply_text *t, size_t i) {
    return i > 0 && (t->s[i - 1] == '"' || t->s[i - 1] == '\'' || t->s[i - 1] == '`');
}

void blocks_find(const char *text, size_t len, struct blocks *ret) {
    size_t searched = 0;
    struct reply_text t = {text, len, &searched};
    struct block b;
    ret->count = 0;
    for (size_t i = 0; i < len && ret->count < MAX_BLOCKS && may_search(&t);) {
        bool found = false;
        size_t next = i + 1;
        if ((text[i] == '`' || text[i] == '~') && fence_may_open(&t, i) && fence_at(&t, i, &b)) {
            found = !is_wrapping(&t, &b);
            next = found ? b.end : b.body;
        } else if (text[i] == '`') {
            next = code_span(&t, i);
        } else if (text[i] == '<' && !blocks_quoted(&t, i) && tagged_at(&t, i, &b)) {
            found = true;
            next = b.end;
        }
        if (found)
            ret->list[ret->count++] = b;
        i = next > i ? next : i + 1;
    }
}

static bool has_prefix(const char *s, size_t len, const char *prefix) {
    return len >= strlen(prefix) && memcmp(s, prefix, strlen(prefix)) == 0;
}

/* name = …, name.attr[…] += …, name(…) */
static bool statement_line(const char *s, size_t len) {
    size_t i = 0;
    while (i < len && (isalnum((unsigned char)s[i]) || strchr("_.", s[i])))
        i++;
    if (i == 0 || isdigit((unsigned char)s[0]))
        return false;
    if (i < len && s[i] == '(' && (s[len - 1] == ')' || s[len - 1] == '('))
        return true;
    while (i < len &&
           (s[i] == ' ' || s[i] == ',' || s[i] == '[' || s[i] == ']' || s[i] == '_' ||
            s[i] == '\'' || isalnum((unsigned char)s[i])) &&
           s[i] != '=')
        i++;
    if (i < len && strchr("+-*/", s[i]))
        i++;
    return i + 1 < len && s[i] == '=' && s[i + 1] != '=' && memchr(s, ' ', i) == memrchr(s, ' ', i);
}

static bool code_line(const char *s, size_t len) {
    static const char *const heads[] = {"import ", "def ",   "class ", "@",    "print(",
                                        "#",       "async ", "%",      "!pip "};
    static const char *const colons[] = {
        "for ", "while ", "if ", "with ", "try:", "else:", "elif ", "except", "finally:"};
    for (size_t i = 0; i < COUNT(heads); i++)
        if (has_prefix(s, len, heads[i]))
            return true;
    for (size_t i = 0; i < COUNT(colons); i++)
        if (has_prefix(s, len, colons[i]) && memchr(s, ':', len))
            return true;
    if (has_prefix(s, len, "from ") && memmem(s, len, " import ", 8))
        return true;
    return (len == 1 && strchr(")]}", *s)) || statement_line(s, len);
}

bool blocks_look_like_code(const char *text, size_t len, bool all) {
    struct reply_text t = {text, len, NULL};
    size_t lines = 0, code = 0;
    for (size_t i = 0; i < len; i = blocks_next_line(&t, i)) {
        size_t end = blocks_line_end(&t, i), n = end - i;
        while (n && isspace((unsigned char)text[i + n - 1]))
            n--;
        if (n && text[i] != ' ' && text[i] != '\t') {
            lines++;
            code += code_line(text + i, n);
        }
        if (end == len)
            break;
    }
    return code && (all ? code == lines : code * 2 >= lines);
}
