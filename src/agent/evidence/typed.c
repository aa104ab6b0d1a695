/* Data that stand in a program's text: lists, dictionaries, records, tables as text, and single numbers
 * that were given a name. They are inputs like a file's, each with its labels: keys, the texts of its
 * record, the variable. What they are not is results: see literals.h. */
#include "agent/evidence/evidence.h"

#include "agent/text/python_lexer.h"
#include "base/list.h"
#include "base/maxima.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TYPED_DEPTH 12
#define TYPED_NAMES 4
#define LONG_TEXT 40 /* a longer string is no name */

struct typed_bracket {
    bool
        data; /* a list, a dictionary or a record, not an index or the arguments of some function */
    struct words texts, key;
    size_t first; /* of what stands in it */
    uint32_t nth;
};

struct typed_walk {
    struct evidence *e;
    unsigned cell;
    struct py_scan scan;
    struct py_token last, before_last;  /* significant tokens */
    struct py_token names[TYPED_NAMES]; /* that the statement begins with */
    size_t name_count;
    uint32_t commas; /* since its = */
    bool assigned;
    uint32_t table;
    bool listed; /* the bracket that was closed last stood in another one */
    struct typed_bracket stack[TYPED_DEPTH];
    size_t depth;
};

static int typed_push(struct evidence *e, const struct evidence_item *item) {
    if (e->typed.count == MAX_LITERALS)
        return 0;
    struct evidence_item *list =
        list_grow(e->typed.list, e->typed.count, &e->typed.room, sizeof *list);
    if (!list)
        return -ENOMEM;
    e->typed.list = list;
    e->typed.list[e->typed.count++] = *item;
    return 0;
}

static char mark_of(const struct typed_walk *w, const struct py_token *t) {
    return t->kind == PY_MARK ? w->scan.s[t->start] : 0;
}

static struct typed_bracket *innermost(struct typed_walk *w) {
    return w->depth && w->depth <= TYPED_DEPTH ? &w->stack[w->depth - 1] : NULL;
}

/* The next byte that is no blank. */
static char typed_peek(const struct typed_walk *w) {
    size_t i = w->scan.at;
    while (i < w->scan.len && strchr(" \t", w->scan.s[i]))
        i++;
    return i < w->scan.len ? w->scan.s[i] : '\n';
}

/* --- brackets --- */

/* Moon("Io", 1.771) and VALUES (1, 'Looms') are records, and so is any call inside of a list. */
static bool opens_data(struct typed_walk *w, char c) {
    const struct typed_bracket *outer = innermost(w);
    char before = mark_of(w, &w->last);
    bool inside = outer && outer->data;
    if (w->last.kind == PY_NAME && c == '(')
        return inside || isupper((unsigned char)w->scan.s[w->last.start]) ||
               py_is(&w->scan, &w->last, "dict");
    return !(w->last.kind == PY_NAME && c == '[') && w->last.kind != PY_STRING &&
           !(before && strchr(")]", before));
}

static void typed_open(struct typed_walk *w, char c) {
    bool data = opens_data(w, c);
    w->listed = false;
    if (w->depth < TYPED_DEPTH)
        w->stack[w->depth] = (struct typed_bracket){.data = data, .first = w->e->typed.count};
    if (data && (!w->depth || !w->stack[w->depth <= TYPED_DEPTH ? w->depth - 1 : 0].data))
        w->table = ++w->e->tables;
    w->depth++;
}

static void add_label_words(const struct evidence *e, uint32_t label, struct words *w) {
    const struct label *l = label ? &e->labels[label] : NULL;
    for (size_t k = 0; l && k < l->count; k++)
        words_put(w, e->pool[l->first + k]);
}

/* What stood in a bracket is of the record that its texts and the key before it name: {"drug": {"n":
 * 412}}. The keys of a dictionary that is in no other name its rows, or the lists that it has. */
static void typed_close(struct typed_walk *w) {
    struct typed_bracket *b = innermost(w);
    w->depth -= w->depth > 0;
    if (!b || !b->data)
        return;
    const struct typed_bracket *outer = innermost(w);
    bool inside = outer && outer->data;
    uint32_t key = inside ? evidence_label(w->e, &outer->key) : 0;
    for (size_t i = b->first; i < w->e->typed.count; i++) {
        struct evidence_item *x = &w->e->typed.list[i];
        struct words row = b->texts;
        if (!(x->label[PART_ROW] | x->label[PART_COLUMN]) && key && !row.count) {
            x->label[PART_COLUMN] = key; /* "json": [41.8, 42.3] */
            x->nth = 0;
            continue;
        }
        if (!inside && !row.count && !x->label[PART_ROW] && !w->listed) {
            x->label[PART_ROW] = x->label[PART_COLUMN];
            x->label[PART_COLUMN] = 0;
        }
        add_label_words(w->e, key, &row);
        add_label_words(w->e, x->label[PART_ROW], &row);
        x->label[PART_ROW] = evidence_label(w->e, &row);
    }
    w->listed = inside;
}

/* --- numbers --- */

static uint32_t label_of_name(struct typed_walk *w, const struct py_token *name) {
    struct words words = {0};
    words_add(&words, w->scan.s + name->start, name->len);
    return evidence_label(w->e, &words);
}

static const struct py_token *typed_target(const struct typed_walk *w) {
    size_t k = w->depth ? 0 : w->commas;
    return w->assigned && w->name_count ? &w->names[k < w->name_count ? k : w->name_count - 1]
                                        : NULL;
}

/* Does it stand by itself, between commas or brackets, and is it no key? */
static bool stands_alone(const struct typed_walk *w) {
    char before = mark_of(w, &w->last), after = typed_peek(w);
    if (before == '-')
        before = mark_of(w, &w->before_last);
    return before && strchr("([{,:=", before) && strchr(",)]};#\n\r", after);
}

static int typed_number(struct typed_walk *w, const struct py_token *t) {
    const struct typed_bracket *b = innermost(w);
    const struct py_token *target = typed_target(w);
    struct evidence_item x = {.stream = EVIDENCE_CODE, .cell = w->cell, .bulk = true};
    char plain[64];
    size_t n = 0;
    for (size_t i = 0; i < t->len && n < sizeof plain; i++)
        if (w->scan.s[t->start + i] != '_')
            plain[n++] = w->scan.s[t->start + i];
    if (!stands_alone(w) || !num_scan(plain, n, 0, &x.num) || (w->depth ? !b : !target))
        return 0;
    if (b && !b->data && !b->key.count)
        return 0;
    x.value = mark_of(w, &w->last) == '-' ? -x.num.value : x.num.value;
    x.position = t->start;
    if (b) {
        x.table = b->data ? w->table : 0;
        x.nth = w->depth > 1 && w->stack[w->depth - 2].data ? b->nth + 1 : 0;
        x.label[b->data ? PART_COLUMN : PART_LINE] = evidence_label(w->e, &b->key);
    }
    if (target && (!b || b->data)) {
        x.label[PART_LINE] = label_of_name(w, target);
        x.statement = literal_name(w->scan.s + target->start, target->len);
    }
    return typed_push(w->e, &x);
}

/* --- texts --- */

static int typed_walk(struct evidence *e, unsigned cell, const char *s, size_t len, int nested);

/* A table that is typed in as text, or statements of SQL that insert one. */
static int typed_table(struct typed_walk *w, const char *s, size_t len) {
    struct evidence *e = w->e;
    if (memmem(s, len, "INSERT INTO", strlen("INSERT INTO")) ||
        memmem(s, len, "insert into", strlen("insert into")))
        return typed_walk(e, w->cell, s, len, 1);
    struct text_reading r = {.e = e, .s = s, .len = len};
    size_t first = e->count, count;
    r.like = (struct evidence_item){.stream = EVIDENCE_CODE, .cell = w->cell, .bulk = true};
    int x = evidence_text(&r, &count);
    for (size_t i = first; i < e->count && x == 0; i++)
        if (!e->items[i].counted)
            x = typed_push(e, &e->items[i]);
    evidence_unask(e, first);
    e->count = first;
    return x;
}

static int typed_string(struct typed_walk *w, const struct py_token *t, int nested) {
    const char *s = w->scan.s + t->body;
    struct typed_bracket *b = innermost(w);
    if (!t->formatted && !nested && literal_is_table(s, t->body_len))
        return typed_table(w, s, t->body_len);
    if (b && typed_peek(w) == ':') {
        b->key.count = 0;
        words_add(&b->key, s, t->body_len);
    } else if (b && b->data && t->body_len <= LONG_TEXT) {
        words_add(&b->texts, s, t->body_len);
    }
    return 0;
}

/* --- the whole --- */

static void typed_mark(struct typed_walk *w, char c) {
    struct typed_bracket *b = innermost(w);
    if (strchr("([{", c)) {
        typed_open(w, c);
    } else if (strchr(")]}", c)) {
        typed_close(w);
    } else if (c == ',' && b) {
        b->nth++;
        b->key.count = 0;
    } else if (c == ',' && !w->depth) {
        w->commas++;
    } else if (c == ';' && !w->depth) {
        w->name_count = 0;
        w->assigned = false;
    } else if (c == '=' && typed_peek(w) != '=') {
        bool name = w->last.kind == PY_NAME;
        if (b && name) {
            b->key.count = 0;
            words_add(&b->key, w->scan.s + w->last.start, w->last.len);
        } else if (!w->depth && (name || mark_of(w, &w->last) == ']')) {
            w->assigned = true;
            w->commas = 0;
        }
    }
}

static int typed_token(struct typed_walk *w, const struct py_token *t, int nested) {
    struct typed_bracket *b = innermost(w);
    int r = 0;
    if (t->kind == PY_NEWLINE && !w->depth) {
        w->name_count = 0;
        w->assigned = false;
    } else if (t->kind == PY_NAME && !w->depth && !w->assigned && w->name_count < TYPED_NAMES) {
        w->names[w->name_count++] = *t;
    } else if (t->kind == PY_NUMBER && b && typed_peek(w) == ':') {
        b->key.count = 0;
        words_add(&b->key, w->scan.s + t->start, t->len);
    } else if (t->kind == PY_NUMBER) {
        r = typed_number(w, t);
    } else if (t->kind == PY_STRING) {
        r = typed_string(w, t, nested);
    } else if (t->kind == PY_MARK) {
        typed_mark(w, w->scan.s[t->start]);
    }
    if (t->kind != PY_BLANK && t->kind != PY_COMMENT && t->kind != PY_NEWLINE) {
        w->before_last = w->last;
        w->last = *t;
    }
    return r;
}

static int typed_walk(struct evidence *e, unsigned cell, const char *s, size_t len, int nested) {
    struct typed_walk *w = calloc(1, sizeof *w);
    struct py_token t;
    int r = w ? 0 : -ENOMEM;
    if (w)
        *w = (struct typed_walk){.e = e, .cell = cell, .scan = {s, len, 0}};
    while (r == 0 && py_next(&w->scan, &t))
        r = typed_token(w, &t, nested);
    free(w);
    return r;
}

int typed_add(struct evidence *e, unsigned cell, const char *code) {
    return typed_walk(e, cell, code, strlen(code), 0);
}
