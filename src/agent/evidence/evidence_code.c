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

#define MAX_PIECES 12
#define MAX_GIVEN 12
#define MAX_STATEMENT 400 /* tokens of a statement that are looked at */
#define LONG_TEXT 40      /* a string that is longer is no name of a column */
#define FEW_WORDS 12      /* a variable made of more is a table, and says little */

/* What a print is given: its words with those of the variables in it, and its own. */
struct shown_field {
    uint32_t label, name;
    unsigned behind; /* so many pieces */
    bool number;     /* its format says so */
};

/* One line that a print writes: the texts that it surely has, and the words of what it is given. */
struct shown_print {
    const char *piece[MAX_PIECES];
    size_t piece_len[MAX_PIECES];
    unsigned pieces;
    struct shown_field field[MAX_GIVEN];
    unsigned fields;
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

/* A part of a line between pieces, and how many of them stand before it. */
struct shown_gap {
    size_t from, to;
    unsigned pieces;
};

/* What a print writes, argument by argument. */
struct writing {
    struct shown *shown;
    const struct statement *s;
    struct shown_print line;
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

/* What stands in a field of a formatted string, behind its bracket: how long it is up to its format. */
static size_t field_words(struct evidence *e, const char *s, size_t len, struct words *w,
                          struct words *direct) {
    struct py_scan scan = {s, len, 0};
    struct py_token t;
    size_t depth = 0;
    char last = 0;
    while (py_next(&scan, &t)) {
        char c = t.kind == PY_MARK ? s[t.start] : 0;
        if (!depth && c && strchr("}:!", c))
            return t.start;
        depth += c && strchr("([{", c);
        depth -= c && strchr(")]}", c) && depth;
        if (t.kind == PY_NAME) {
            add_name(e, s + t.start, t.len, last == '.', w);
            if (t.len > 1) /* a letter says nothing */
                words_add(direct, s + t.start, t.len);
        } else if (t.kind == PY_STRING) {
            words_add(w, s + t.body, t.body_len);
            words_add(direct, s + t.body, t.body_len);
        }
        last = c;
    }
    return len;
}

/* Names in the fields of a formatted string. */
static void code_add_fields(struct evidence *e, const char *s, size_t len, struct words *w) {
    struct words direct = {0};
    for (size_t i = 0; i < len; i++)
        if (s[i] == '{')
            i += 1 + field_words(e, s + i + 1, len - i - 1, w, &direct);
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

static size_t closing(const struct statement *s, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < s->count; i++) {
        depth += token_is(s, i, '(') || token_is(s, i, '[') || token_is(s, i, '{');
        if ((token_is(s, i, ')') || token_is(s, i, ']') || token_is(s, i, '}')) && --depth == 0)
            return i;
    }
    return s->count;
}

/* The end of an argument: a comma, or what ends them all. */
static size_t argument_end(const struct statement *s, size_t from, size_t to) {
    while (from < to && !token_is(s, from, ','))
        from = strchr("([{", s->code[s->tokens[from].start]) ? closing(s, from) + 1 : from + 1;
    return from < to ? from : to;
}

/* --- what a print writes --- */

static void end_line(struct writing *w) {
    struct shown *shown = w->shown;
    struct shown_print *list =
        w->line.pieces || w->line.fields
            ? list_grow(shown->prints, shown->count, &shown->room, sizeof *shown->prints)
            : NULL;
    if (list) {
        shown->prints = list;
        shown->prints[shown->count++] = w->line;
    }
    w->line.pieces = w->line.fields = 0;
}

static void write_field(struct writing *w, const struct words *all, const struct words *own,
                        bool number) {
    struct shown_print *p = &w->line;
    if (p->fields < MAX_GIVEN && p->pieces < MAX_PIECES)
        p->field[p->fields++] = (struct shown_field){.label = evidence_label(w->shown->e, all),
                                                     .name = evidence_label(w->shown->e, own),
                                                     .behind = p->pieces,
                                                     .number = number};
}

static void write_tokens(struct writing *w, size_t from, size_t to, bool number) {
    struct words all = {0}, own = {0};
    add_tokens(w->s, from, to, &all);
    drop_statistics(w->s, from, to, &all);
    for (size_t i = from; i < to; i++) {
        const struct py_token *t = &w->s->tokens[i];
        if (t->kind == PY_NAME && t->len > 1)
            words_add(&own, w->s->code + t->start, t->len);
        else if (t->kind == PY_STRING && t->body_len <= LONG_TEXT)
            words_add(&own, w->s->code + t->body, t->body_len);
    }
    drop_statistics(w->s, from, to, &own);
    write_field(w, &all, &own, number);
}

/* What a string is filled with: its own fields, or arguments one after the other. */
enum filling { FILLED_NOT, FILLED_ITSELF, FILLED_BRACES, FILLED_PERCENT };

struct filler {
    enum filling how;
    size_t from, to; /* the arguments that are left */
};

static void write_argument_of(struct writing *w, struct filler *f, bool number) {
    size_t end = argument_end(w->s, f->from, f->to);
    if (f->from < end)
        write_tokens(w, f->from, end, number);
    f->from = end < f->to ? end + 1 : f->to;
}

static bool formats_number(const char *s, size_t len) {
    return len && (strchr("fFdeEgG%", s[len - 1]) || memchr(s, ',', len));
}

/* {…}: how long it is. */
static size_t write_braces(struct writing *w, struct filler *f, const char *s, size_t len) {
    size_t end = 1, depth = 1;
    for (; end < len && depth; end++) {
        depth += s[end] == '{';
        depth -= s[end] == '}';
    }
    struct words all = {0}, own = {0};
    size_t format = 1 + field_words(w->s->e, s + 1, end - 1, &all, &own);
    bool number = formats_number(s + format, end - 1 > format ? end - 1 - format : 0);
    if (f->how == FILLED_BRACES) {
        write_argument_of(w, f, number);
        return end;
    }
    write_field(w, &all, &own, number);
    return end;
}

/* %.1f: how long it is. */
static size_t write_percent(struct writing *w, struct filler *f, const char *s, size_t len) {
    size_t n = 1;
    while (n < len && !isalpha((unsigned char)s[n]))
        n++;
    write_argument_of(w, f, n < len && formats_number(s + n, 1));
    return n + 1;
}

/* The parts of a string that come out as they are, and what stands between them. */
static void write_string(struct writing *w, const struct py_token *t, struct filler *f) {
    const char *s = w->s->code + t->body;
    size_t len = t->body_len, from = 0, n;
    bool braces = f->how == FILLED_ITSELF || f->how == FILLED_BRACES;
    for (size_t i = 0; i < len; i += n) {
        bool twice = i + 1 < len && s[i] == s[i + 1];
        n = 1;
        if (s[i] != '\\' && !(braces && (s[i] == '{' || (s[i] == '}' && twice))) &&
            !(f->how == FILLED_PERCENT && s[i] == '%'))
            continue;
        code_add_piece(&w->line, s + from, i - from);
        if (s[i] == '\\' || twice)
            n = 2;
        else
            n = s[i] == '%' ? write_percent(w, f, s + i, len - i)
                            : write_braces(w, f, s + i, len - i);
        if (s[i] == '\\' && i + 1 < len && s[i + 1] == 'n')
            end_line(w);
        from = i + n;
    }
    if (from < len)
        code_add_piece(&w->line, s + from, len - from);
}

/* A string, and what it is filled with if that stands behind it: the token behind all that. */
static size_t write_text(struct writing *w, size_t i, size_t to) {
    const struct statement *s = w->s;
    struct filler f = {s->tokens[i].formatted ? FILLED_ITSELF : FILLED_NOT, to, to};
    size_t next = i + 1;
    if (token_is(s, next, '%')) {
        bool several = token_is(s, next + 1, '(') && closing(s, next + 1) + 1 >= to;
        f = (struct filler){FILLED_PERCENT, next + 1 + several, several ? to - 1 : to};
        next = to;
    } else if (token_is(s, next, '.') && is_word(s, next + 1, "format") &&
               token_is(s, next + 2, '(')) {
        size_t end = closing(s, next + 2);
        f = (struct filler){FILLED_BRACES, next + 3, end < to ? end : to};
        next = end + 1;
    }
    write_string(w, &s->tokens[i], &f);
    return next;
}

/* Is it surely text that is written, or does it decide or work on it? */
static bool is_written(const struct statement *s, size_t from, size_t to) {
    bool text = false;
    for (size_t i = from; i < to;) {
        if (is_word(s, i, "if") || is_word(s, i, "for"))
            return false;
        text = text || s->tokens[i].kind == PY_STRING;
        if (s->tokens[i].kind == PY_STRING && token_is(s, i + 1, '.') &&
            !is_word(s, i + 2, "format"))
            return false;
        i = strchr("([{", s->code[s->tokens[i].start]) ? closing(s, i) + 1 : i + 1;
    }
    return text;
}

static void write_argument(struct writing *w, size_t from, size_t to) {
    const struct statement *s = w->s;
    size_t run = from;
    if (s->tokens[from].kind == PY_NAME && token_is(s, from + 1, '=') &&
        !token_is(s, from + 2, '='))
        return; /* sep= */
    if (!is_written(s, from, to)) {
        write_tokens(w, from, to, false);
        return;
    }
    for (size_t i = from; i < to;) {
        bool text = s->tokens[i].kind == PY_STRING, plus = token_is(s, i, '+');
        if ((text || plus) && run < i)
            write_tokens(w, run, i, false);
        size_t next = strchr("([{", s->code[s->tokens[i].start]) ? closing(s, i) + 1 : i + 1;
        i = text ? write_text(w, i, to) : next;
        run = text || plus ? i : run;
    }
    if (run < to)
        write_tokens(w, run, to, false);
}

static void add_print(struct shown *shown, const struct statement *s, size_t from, size_t to) {
    struct writing writing = {.shown = shown, .s = s};
    struct words w = {0};
    add_tokens(s, from, to, &w);
    drop_statistics(s, from, to, &w);
    writing.line.label = evidence_label(shown->e, &w);
    const struct py_token *last = &s->tokens[to < s->count ? to : s->count - 1];
    writing.line.text =
        literal_name(s->code + s->tokens[from].start, last->start - s->tokens[from].start);
    for (size_t at = from + 1, end; at < to; at = end + 1) {
        end = argument_end(s, at, to);
        if (at < end)
            write_argument(&writing, at, end);
    }
    end_line(&writing);
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
    return at < len && line[at] == ':' &&
           !(at + 1 < len && isdigit((unsigned char)line[at + 1])); /* 26:33 is a time */
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

/* Where the text between two pieces of the print stands in the line; false: the place is in neither. */
static bool gap_around(const struct shown_print *p, const char *line, size_t len, size_t at,
                       struct shown_gap *ret) {
    size_t from = 0;
    for (unsigned i = 0; i <= p->pieces; i++) {
        const char *found =
            i < p->pieces ? memmem(line + from, len - from, p->piece[i], p->piece_len[i]) : NULL;
        size_t to = found ? (size_t)(found - line) : len;
        if (at >= from && at < to) {
            *ret = (struct shown_gap){from, to, i};
            return true;
        }
        if (!found)
            return false;
        from = to + p->piece_len[i];
    }
    return false;
}

static size_t words_between(const char *line, size_t from, size_t to) {
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        n += !isspace((unsigned char)line[i]) && (i == from || isspace((unsigned char)line[i - 1]));
    return n;
}

static size_t numbers_between(const char *line, size_t from, size_t to) {
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        n += isdigit((unsigned char)line[i]) &&
             (i == from || !(isalnum((unsigned char)line[i - 1]) || strchr("._,:", line[i - 1])));
    return n;
}

/* Which of the fields of a gap wrote what stands at a place: by its words, or by its numbers. */
static size_t given_at(const struct shown_print *p, const char *line, size_t at,
                       const struct shown_gap *gap) {
    size_t first = 0, count = 0, numbers = 0;
    for (unsigned k = 0; k < p->fields; k++) {
        first += p->field[k].behind < gap->pieces;
        count += p->field[k].behind == gap->pieces;
        numbers += p->field[k].behind == gap->pieces && p->field[k].number;
    }
    size_t shown = numbers_between(line, gap->from, gap->to),
           nth = numbers_between(line, gap->from, at);
    if (count < 2 || shown == count)
        return count < 2 ? (count ? first : MAX_GIVEN) : first + nth;
    if (words_between(line, gap->from, gap->to) == count)
        return first + words_between(line, gap->from, at + 1) - 1;
    for (size_t k = first; k < first + count && numbers == shown; k++)
        if (p->field[k].number && nth-- == 0)
            return k;
    return MAX_GIVEN;
}

bool shown_number(const struct shown *s, const char *line, size_t len, size_t at,
                  struct shown_words *ret) {
    const struct shown_print *p = s && s->begun ? &s->prints[s->current] : NULL;
    struct shown_gap gap;
    if (!p || (!s->filled && p->pieces) || !gap_around(p, line, len, at, &gap))
        return false;
    if (!s->filled && words_between(line, 0, len) != p->fields)
        return false; /* it may be a part of something long */
    size_t k = given_at(p, line, at, &gap);
    if (k >= p->fields)
        return false;
    *ret = (struct shown_words){p->field[k].label, p->field[k].name};
    return true;
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
    if (!best && s->begun && (is_last(line, len) || s->prints[s->current].fields > 1))
        s->ended = true;
    return s->begun ? s->prints[s->current].label : 0;
}
