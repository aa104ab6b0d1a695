/* What code shows: the words of each print and of the last expression, with those of the variables
 * in them, and which print a line of output comes from. */
#include "agent/evidence/evidence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "agent/text/python_lexer.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/unconst.h"

#define MAX_PIECES 8
#define MAX_STATEMENT 400 /* tokens of a statement that are looked at */
#define LONG_TEXT 40      /* a string that is longer is no name of a column */
#define FEW_WORDS 12      /* a variable made of more is a table, and says little */

/* One print: the texts that it surely writes, and the words of what it is given. */
struct shown_print {
    const char *piece[MAX_PIECES];
    size_t piece_len[MAX_PIECES];
    unsigned pieces;
    uint32_t label;
    uint32_t text; /* hash of its source */
};

struct shown {
    struct evidence *e;
    unsigned cell;
    struct shown_print *prints;
    size_t count, room;
    size_t current; /* the print that the last line came from */
    bool ended;     /* what that print wrote is complete */
    bool begun;
    bool filled; /* it wrote this line, and texts of its own around what it was given */
    uint32_t value;
};

struct statement {
    struct evidence *e;
    const char *code;
    struct py_token tokens[MAX_STATEMENT];
    size_t count;
};

static bool token_is(const struct statement *s, size_t i, char c) {
    return i < s->count && s->tokens[i].kind == PY_MARK && s->code[s->tokens[i].start] == c;
}

static bool is_word(const struct statement *s, size_t i, const char *word) {
    return i < s->count && s->tokens[i].kind == PY_NAME && s->tokens[i].len == strlen(word) &&
           memcmp(s->code + s->tokens[i].start, word, s->tokens[i].len) == 0;
}

static struct variable *find_variable(const struct evidence *e, const char *name, size_t len) {
    for (size_t i = 0; i < e->code.variable_count; i++)
        if (strlen(e->code.variables[i].name) == len &&
            memcmp(e->code.variables[i].name, name, len) == 0)
            return &e->code.variables[i];
    return NULL;
}

static void set_variable(struct evidence *e, const char *name, size_t len, uint32_t label) {
    struct variable *v = find_variable(e, name, len);
    if (!v) {
        struct variable *list = list_grow(e->code.variables, e->code.variable_count,
                                          &e->code.variable_room, sizeof *list);
        char *copy = strndup(name, len);
        if (list)
            e->code.variables = list;
        if (!list || !copy) {
            free(copy);
            return;
        }
        v = &e->code.variables[e->code.variable_count++];
        v->name = copy;
    }
    v->label = label;
}

static void add_name(struct evidence *e, const char *name, size_t len, bool attribute,
                     struct words *w) {
    words_add(w, name, len);
    if (attribute)
        return;
    words_put(w, literal_name(name, len));
    const struct variable *v = find_variable(e, name, len);
    const struct label *l = v && v->label ? &e->labels[v->label] : NULL;
    for (size_t i = 0; l && l->count <= FEW_WORDS && i < l->count; i++)
        words_put(w, e->pool[l->first + i]);
}

/* Names in the fields of a formatted string. */
static void code_add_fields(struct evidence *e, const char *s, size_t len, struct words *w) {
    for (size_t i = 0; i < len; i++) {
        if (s[i] != '{')
            continue;
        struct py_scan scan = {s + i + 1, len - i - 1, 0};
        struct py_token t;
        char last = 0;
        while (py_next(&scan, &t)) {
            char c = t.kind == PY_MARK ? scan.s[t.start] : 0;
            if (c == '}' || c == ':' || c == '!')
                break;
            if (t.kind == PY_NAME)
                add_name(e, scan.s + t.start, t.len, last == '.', w);
            if (t.kind == PY_STRING)
                words_add(w, scan.s + t.body, t.body_len);
            last = c;
        }
        i += scan.at;
    }
}

static void add_tokens(const struct statement *s, size_t from, size_t to, struct words *w) {
    for (size_t i = from; i < to; i++) {
        const struct py_token *t = &s->tokens[i];
        if (t->kind == PY_NAME)
            add_name(s->e, s->code + t->start, t->len, i > from && token_is(s, i - 1, '.'), w);
        else if (t->kind == PY_STRING && t->formatted)
            code_add_fields(s->e, s->code + t->body, t->body_len, w);
        else if (t->kind == PY_STRING && t->body_len <= LONG_TEXT)
            words_add(w, s->code + t->body, t->body_len);
    }
}

/* A quotient or a difference of sums is no sum. */
static void drop_statistics(const struct statement *s, size_t from, size_t to, struct words *w) {
    bool computed = false;
    unsigned n = 0;
    for (size_t i = from + 1; i < to && !computed; i++)
        computed = token_is(s, i, '/') ||
                   (token_is(s, i, '-') && !token_is(s, i - 1, '(') && !token_is(s, i - 1, ','));
    for (unsigned i = 0; i < w->count; i++)
        if (!computed || !word_statistic(w->hash[i]))
            w->hash[n++] = w->hash[i];
    w->count = n;
}

static void code_add_piece(struct shown_print *p, const char *s, size_t len) {
    while (len && isspace((unsigned char)*s))
        s++, len--;
    while (len && isspace((unsigned char)s[len - 1]))
        len--;
    if (len && p->pieces < MAX_PIECES) {
        p->piece[p->pieces] = s;
        p->piece_len[p->pieces++] = len;
    }
}

/* The parts of a string that come out as they are: not fields, not escapes. */
static void code_add_pieces(struct shown_print *p, const char *s, size_t len, bool formatted) {
    size_t from = 0, depth = 0;
    for (size_t i = 0; i <= len; i++) {
        bool field = i < len && formatted && (s[i] == '{' || s[i] == '}');
        bool escape = i < len && s[i] == '\\';
        if (i < len && !field && !escape)
            continue;
        if (!depth)
            code_add_piece(p, s + from, i - from);
        depth += field && s[i] == '{';
        depth -= field && s[i] == '}' && depth;
        i += escape;
        from = i + 1;
    }
}

static void add_print(struct shown *shown, const struct statement *s, size_t from, size_t to) {
    struct shown_print p = {.pieces = 0};
    struct words w = {0};
    for (size_t i = from; i < to; i++) {
        const struct py_token *t = &s->tokens[i];
        bool keyword = i > from && token_is(s, i - 1, '=');
        bool subscript = i > from && (token_is(s, i - 1, '[') || token_is(s, i - 1, '('));
        if (t->kind == PY_STRING && !keyword && !(subscript && i - 1 > from))
            code_add_pieces(&p, s->code + t->body, t->body_len, t->formatted);
    }
    add_tokens(s, from, to, &w);
    drop_statistics(s, from, to, &w);
    p.label = evidence_label(shown->e, &w);
    const struct py_token *last = &s->tokens[to < s->count ? to : s->count - 1];
    p.text = literal_name(s->code + s->tokens[from].start, last->start - s->tokens[from].start);
    struct shown_print *list =
        list_grow(shown->prints, shown->count, &shown->room, sizeof *shown->prints);
    if (!list)
        return;
    shown->prints = list;
    shown->prints[shown->count++] = p;
}

static size_t closing(const struct statement *s, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < s->count; i++) {
        depth += token_is(s, i, '(') || token_is(s, i, '[') || token_is(s, i, '{');
        if ((token_is(s, i, ')') || token_is(s, i, ']') || token_is(s, i, '}')) && --depth == 0)
            return i;
    }
    return s->count;
}

/* a = …, a, b = …: the index of the =, or 0. */
static size_t assignment(const struct statement *s) {
    for (size_t i = 1; i < s->count; i++) {
        if (token_is(s, i, '='))
            return token_is(s, i + 1, '=') ? 0 : i;
        if (s->tokens[i].kind != PY_NAME && !token_is(s, i, ','))
            return 0;
    }
    return 0;
}

/* The name at i is only shown, or handed on to be shown. */
static bool only_shown(const struct statement *s, size_t from, size_t i) {
    bool left = i == from || token_is(s, i - 1, '(') || token_is(s, i - 1, ',') ||
                token_is(s, i - 1, '=') || is_word(s, i - 1, "return");
    bool right = i + 1 == s->count || token_is(s, i + 1, ')') || token_is(s, i + 1, ',');
    size_t depth = 0, k = i;
    if (!left || !right)
        return false;
    while (k-- > from) {
        depth += token_is(s, k, ')') || token_is(s, k, ']');
        if ((token_is(s, k, '(') || token_is(s, k, '[')) && depth-- == 0)
            break;
    }
    if (k + 1 <= from)
        return true;
    static const char *const showing[] = {"print", "str", "format", "display", "final_answer",
                                          "float", "int", "repr",   "round"};
    for (size_t n = 0; n < sizeof showing / sizeof *showing; n++)
        if (k > 0 && is_word(s, k - 1, showing[n]))
            return true;
    return false;
}

static void use(struct evidence *e, const char *name, size_t len) {
    uint32_t *list = list_grow(e->code.used, e->code.used_count, &e->code.used_room, sizeof *list);
    if (!list || e->code.used_count > MAX_LITERALS)
        return;
    e->code.used = list;
    e->code.used[e->code.used_count++] = literal_name(name, len);
}

/* {name} and {name:.2f} show it; any other field computes. */
static void use_fields(struct evidence *e, const char *s, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (s[i] != '{')
            continue;
        size_t n = 1, end = i + 1;
        while (i + n < len && (isalnum((unsigned char)s[i + n]) || s[i + n] == '_'))
            n++;
        if (i + n < len && (s[i + n] == '}' || s[i + n] == ':' || s[i + n] == '!'))
            continue;
        while (end < len && s[end] != '}')
            end++;
        struct py_scan scan = {s + i + 1, end - i - 1, 0};
        struct py_token t;
        while (py_next(&scan, &t))
            if (t.kind == PY_NAME)
                use(e, scan.s + t.start, t.len);
        i = end;
    }
}

static void use_names(const struct statement *s, size_t from) {
    for (size_t i = from; i < s->count; i++) {
        const struct py_token *t = &s->tokens[i];
        if (t->kind == PY_NAME && !(i && token_is(s, i - 1, '.')) && !only_shown(s, from, i))
            use(s->e, s->code + t->start, t->len);
        else if (t->kind == PY_STRING && t->formatted)
            use_fields(s->e, s->code + t->body, t->body_len);
    }
}

/* lengths = [0.2, 0.4, 0.6]: so many are there. */
static void count_elements(const struct shown *shown, const struct statement *s, size_t from) {
    size_t open = from, depth = 0, count = 1;
    while (open < s->count && !token_is(s, open, '[') && !token_is(s, open, '{'))
        open++;
    size_t end = closing(s, open);
    bool called = open > from && token_is(s, open - 1, '('); /* np.array([…]) */
    if (open + 2 > s->count || (open > from && !called) || end + 1 + called < s->count)
        return;
    for (size_t i = open; i < end; i++) {
        depth += token_is(s, i, '(') || token_is(s, i, '[') || token_is(s, i, '{');
        depth -= token_is(s, i, ')') || token_is(s, i, ']') || token_is(s, i, '}');
        count += depth == 1 && token_is(s, i, ',') && i + 1 < end;
        if (is_word(s, i, "for"))
            return;
    }
    struct evidence_item item = {.stream = EVIDENCE_VALUE, .cell = shown->cell, .counted = true};
    struct words w = {0};
    words_add(&w, s->code + s->tokens[0].start, s->tokens[0].len);
    item.value = (long double)count;
    item.num = (struct num){.value = item.value, .sig = count < 10 ? 1 : 2};
    item.label[PART_COLUMN] = evidence_label(s->e, &w);
    if (count > 1 && item.label[PART_COLUMN])
        evidence_push(s->e, &item);
}

static void take_statement(struct shown *shown, struct statement *s) {
    size_t equals = s->count ? assignment(s) : 0;
    struct words w = {0};
    use_names(s, equals ? equals + 1 : 0);
    for (size_t i = 0; i + 1 < s->count; i++)
        if (is_word(s, i, "print") && token_is(s, i + 1, '('))
            add_print(shown, s, i + 1, closing(s, i + 1));
    if (is_word(s, 0, "for") && s->count > 3) {
        add_tokens(s, 2, s->count, &w);
        set_variable(s->e, s->code + s->tokens[1].start, s->tokens[1].len,
                     evidence_label(s->e, &w));
    } else if (equals) {
        add_tokens(s, equals + 1, s->count, &w);
        drop_statistics(s, equals + 1, s->count, &w);
        uint32_t label = evidence_label(s->e, &w);
        if (equals == 1)
            count_elements(shown, s, equals + 1);
        for (size_t i = 0; i < equals; i++)
            if (s->tokens[i].kind == PY_NAME)
                set_variable(s->e, s->code + s->tokens[i].start, s->tokens[i].len, label);
    } else if (s->count && !is_word(s, 0, "print")) {
        add_tokens(s, 0, s->count, &w);
        shown->value = evidence_label(s->e, &w);
    }
    s->count = 0;
}

struct shown *shown_new(struct evidence *e, const char *code, unsigned cell) {
    struct shown *shown = calloc(1, sizeof *shown);
    struct statement *s = calloc(1, sizeof *s);
    struct py_scan scan = {code, strlen(code), 0};
    struct py_token t;
    size_t depth = 0;
    if (!shown || !s) {
        free(shown);
        free(s);
        return NULL;
    }
    shown->e = s->e = e;
    shown->cell = cell;
    s->code = code;
    while (py_next(&scan, &t)) {
        char c = t.kind == PY_MARK ? code[t.start] : 0;
        depth += c && strchr("([{", c);
        depth -= c && strchr(")]}", c) && depth;
        if (!depth && (t.kind == PY_NEWLINE || c == ';'))
            take_statement(shown, s);
        else if (t.kind != PY_BLANK && t.kind != PY_COMMENT && t.kind != PY_NEWLINE &&
                 s->count < MAX_STATEMENT)
            s->tokens[s->count++] = t;
    }
    take_statement(shown, s);
    free(s);
    return shown;
}

void shown_free(struct shown *s) {
    if (s)
        free(s->prints);
    free(s);
}

uint32_t shown_statement(const struct shown *s) {
    return s && s->begun ? s->prints[s->current].text : 0;
}

uint32_t shown_value(const struct shown *s) {
    return s ? s->value : 0;
}

/* --- which print wrote this line --- */

static size_t matched(const struct shown_print *p, const char *line, size_t len) {
    size_t at = 0, sum = 0;
    for (unsigned i = 0; i < p->pieces; i++) {
        const char *found = memmem(line + at, len - at, p->piece[i], p->piece_len[i]);
        if (!found)
            return i ? sum / 2 : 0; /* what comes after \n stands on another line */
        at = (size_t)(found - line) + p->piece_len[i];
        sum += p->piece_len[i];
    }
    return sum;
}

static bool is_scalar(const char *line, size_t len) {
    bool digit = false;
    for (size_t i = 0; i < len; i++) {
        digit = digit || isdigit((unsigned char)line[i]);
        if (!isdigit((unsigned char)line[i]) && !strchr("+-.,e%", line[i]))
            return false;
    }
    return digit;
}

static bool is_last(const char *line, size_t len) {
    bool bracket = strchr("[{(", line[0]) && strchr("]})", line[len - 1]);
    return bracket || is_scalar(line, len) || (len > 5 && memcmp(line, "Name:", 5) == 0) ||
           (len > 6 && memcmp(line, "dtype:", 6) == 0);
}

static bool is_header(const char *line, size_t len) {
    size_t digits = 0;
    for (size_t i = 0; i < len; i++)
        digits += isdigit((unsigned char)line[i]) != 0;
    return len > 2 && line[0] == ' ' && line[1] == ' ' && !digits;
}

/* The next print that writes no text of its own. */
static void advance(struct shown *s) {
    size_t from = s->begun ? s->current + 1 : 0;
    for (size_t i = from; i < s->count; i++)
        if (!s->prints[i].pieces) {
            s->current = i;
            s->begun = true;
            return;
        }
}

static bool colon_follows(const char *line, size_t at, size_t len) {
    while (at < len && (isdigit((unsigned char)line[at]) || line[at] == '-'))
        at++;
    return at < len && line[at] == ':';
}

/* A number is filled in as a name only before a colon: "cluster 0: 60 customers". */
static void words_filled(const char *line, size_t from, size_t to, size_t len, struct words *w) {
    size_t start;
    uint32_t hash;
    while (words_next(line, to, &from, &hash, &start))
        if (!isdigit((unsigned char)line[start]) || colon_follows(line, from, len))
            words_put(w, hash);
}

void shown_filled(const struct shown *s, const char *line, size_t len, struct words *w) {
    const struct shown_print *p = s && s->filled ? &s->prints[s->current] : NULL;
    size_t at = 0;
    for (unsigned i = 0; p && i < p->pieces; i++) {
        const char *found = memmem(line + at, len - at, p->piece[i], p->piece_len[i]);
        if (!found)
            break;
        words_filled(line, at, (size_t)(found - line), len, w);
        at = (size_t)(found - line) + p->piece_len[i];
    }
    if (p)
        words_filled(line, at, len, len, w);
}

uint32_t shown_line(struct shown *s, const char *line, size_t len) {
    size_t best = 0, which = 0;
    if (!s || !s->count || !len)
        return 0;
    for (size_t i = 0; i < s->count; i++) {
        size_t n = matched(&s->prints[i], line, len);
        if (n > best ||
            (n && n == best && s->begun && which <= s->current && i > s->current && s->ended)) {
            best = n;
            which = i;
        }
    }
    if (best) {
        s->current = which;
        s->begun = true;
        s->ended = true;
    } else if (!s->begun || s->ended || is_header(line, len)) {
        advance(s);
        s->ended = false;
    }
    s->filled = best > 0;
    if (!best && is_last(line, len))
        s->ended = true;
    return s->begun ? s->prints[s->current].label : 0;
}
