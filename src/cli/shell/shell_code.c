#include <string.h>

#include "cli/shell/shell.h"

struct code_scan {
    unsigned depth;  /* of brackets */
    char quote;      /* that ends the string we are in, or 0 */
    bool triple;     /* … and the string is triple-quoted */
    bool joined;     /* the line ends with a backslash … */
    bool continued;  /* … and nothing of the next line was read yet */
    bool any, block; /* there was code; a line opened a block */
    bool opens;      /* the last line with code opened one: it ended with a colon, or began with
                        @ */
    bool line_decorates;
    char last; /* last character of code in this line, or 0 */
};

static void shell_code_end_line(struct code_scan *s) {
    if (s->quote && !s->triple)
        s->quote = 0; /* Python itself shall report this error */
    if (s->quote || s->depth || s->joined)
        return;
    if (s->last) {
        s->any = true;
        s->opens = s->last == ':' || s->line_decorates;
        s->block |= s->opens;
    }
    s->last = 0;
    s->line_decorates = false;
}

static const char *shell_code_in_string(struct code_scan *s, const char *at) {
    if (*at == '\\' && at[1])
        return at + 2;
    if (*at != s->quote)
        return at + 1;
    if (s->triple && (at[1] != s->quote || at[2] != s->quote))
        return at + 1;
    at += s->triple ? 3 : 1;
    s->quote = 0;
    return at;
}

static const char *in_code(struct code_scan *s, const char *at) {
    char c = *at;
    if (c == '#')
        return at + strcspn(at, "\n");
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f')
        return at + 1;
    if (c == '\\' && at[1] == '\n') {
        s->joined = true;
        return at + 1;
    }
    if (!s->last && c == '@')
        s->line_decorates = true;
    s->last = c;
    if (c == '"' || c == '\'') {
        s->quote = c;
        s->triple = at[1] == c && at[2] == c;
        return at + (s->triple ? 3 : 1);
    }
    if (strchr("([{", c))
        s->depth++;
    else if (strchr(")]}", c) && s->depth)
        s->depth--;
    return at + 1;
}

static struct code_scan scan(const char *code) {
    struct code_scan s = {0};
    for (const char *at = code; *at;) {
        s.continued = false;
        if (*at == '\n' && !(s.quote && s.triple)) {
            shell_code_end_line(&s);
            s.continued = s.joined;
            s.joined = false;
            at++;
        } else
            at = s.quote ? shell_code_in_string(&s, at) : in_code(&s, at);
    }
    if (!s.continued)
        shell_code_end_line(&s);
    return s;
}

/* A cell in another language, or with a cell magic: an empty line ends it. */
static bool shell_code_is_magic(const char *code) {
    return strncmp(code, "%%", 2) == 0;
}

static bool ends_with_empty_line(const char *code) {
    size_t len = strlen(code);
    return len > 1 && code[len - 1] == '\n' && code[len - 2] == '\n';
}

enum code_state code_state(const char *code) {
    if (shell_code_is_magic(code))
        return CODE_BLOCK;
    struct code_scan s = scan(code);
    if (s.depth || s.quote || s.continued)
        return CODE_OPEN;
    if (!s.any)
        return CODE_EMPTY;
    return s.block ? CODE_BLOCK : CODE_WHOLE;
}

static bool begins_with_word(const char *line, const char *word) {
    size_t len = strlen(word);
    return strncmp(line, word, len) == 0 && (strchr(" \t:(\n", line[len]) || !line[len]);
}

static bool shell_code_continues(const char *line) {
    return begins_with_word(line, "else") || begins_with_word(line, "elif") ||
           begins_with_word(line, "except") || begins_with_word(line, "finally");
}

bool code_goes_on(const char *code, const char *line) {
    if (shell_code_is_magic(code))
        return !ends_with_empty_line(code);
    switch (code_state(code)) {
    case CODE_EMPTY:
    case CODE_OPEN: return true;
    case CODE_WHOLE: return shell_code_continues(line);
    case CODE_BLOCK: break;
    }
    return strchr(" \t\r\n#", line[0]) || !line[0] || shell_code_continues(line) ||
           scan(code).opens;
}
