#include "agent/evidence/evidence.h"

#include "agent/text/number_words.h"
#include "base/jsonwhole.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_REALS (JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) /* 2.2, not 2.2000000000000002 */
#define FEW_ALIKE 3   /* so many more under the same labels, and they tell nothing of one */
#define LONG_PRINT 12 /* a text with more numbers is bulk evidence, … */
#define FEW 4         /* … but for a print of so few */

void evidence_init(struct evidence *e) {
    *e = (struct evidence){0};
}

void evidence_done(struct evidence *e) {
    free(e->items);
    free(e->labels);
    free(e->pool);
    free(e->known);
    for (size_t i = 0; i < e->code.variable_count; i++)
        free(e->code.variables[i].name);
    free(e->code.variables);
    free(e->code.used);
    for (size_t i = 0; i < e->name_count; i++)
        free(e->names[i]);
    free(e->names);
    free(e->question_text);
    literals_done(&e->literals);
    free(e->typed.list);
    free(e->asked.list);
    index_done(&e->index);
    *e = (struct evidence){0};
}

int evidence_name(struct evidence *e, const char *name, uint32_t *ret) {
    char **names = realloc(e->names, (e->name_count + 1) * sizeof *names);
    if (!names)
        return -ENOMEM;
    e->names = names;
    if (!(names[e->name_count] = strdup(name)))
        return -ENOMEM;
    *ret = (uint32_t)++e->name_count; /* 0 is no name */
    return 0;
}

static int note_asked(struct evidence *e, size_t item) {
    struct evidence_asked *a = &e->asked;
    if (e->items[item].stream != EVIDENCE_QUESTION) {
        a->clocks += num_is_clock(&e->items[item].num);
        return 0;
    }
    uint32_t *list = list_grow(a->list, a->count, &a->room, sizeof *list);
    if (!list)
        return -ENOMEM;
    a->list = list;
    a->list[a->count++] = (uint32_t)item;
    return 0;
}

void evidence_unask(struct evidence *e, size_t from) {
    for (size_t i = from; i < e->count; i++)
        e->asked.clocks -=
            e->items[i].stream != EVIDENCE_QUESTION && num_is_clock(&e->items[i].num);
    while (e->asked.count && e->asked.list[e->asked.count - 1] >= from)
        e->asked.count--;
}

int evidence_push(struct evidence *e, const struct evidence_item *item) {
    if (e->count == MAX_EVIDENCE || !isfinite(item->value))
        return 0;
    struct evidence_item *items = list_grow(e->items, e->count, &e->room, sizeof *items);
    if (!items)
        return -ENOMEM;
    e->items = items;
    e->items[e->count] = *item;
    e->items[e->count].order = ++e->order;
    if (note_asked(e, e->count) < 0)
        return -ENOMEM;
    e->count++;
    e->sealed = false;
    return 0;
}

/* --- labels --- */

static bool same_label(const struct evidence *e, const struct label *l, const struct words *w) {
    return l->count == w->count &&
           memcmp(e->pool + l->first, w->hash, w->count * sizeof *w->hash) == 0;
}

static size_t known_slot(const struct evidence *e, const struct words *w) {
    uint32_t h = 2166136261u;
    for (unsigned i = 0; i < w->count; i++)
        h = (h ^ w->hash[i]) * 16777619u;
    size_t at = h & (e->known_room - 1);
    while (e->known[at] && !same_label(e, &e->labels[e->known[at]], w))
        at = (at + 1) & (e->known_room - 1);
    return at;
}

static int grow_known(struct evidence *e) {
    size_t room = e->known_room ? e->known_room * 2 : 256;
    uint32_t *old = e->known, *table = calloc(room, sizeof *table);
    size_t had = e->known_room;
    if (!table)
        return -ENOMEM;
    e->known = table;
    e->known_room = room;
    for (size_t i = 0; i < had; i++) {
        struct words w = {.count = 0};
        if (!old[i])
            continue;
        w.count = e->labels[old[i]].count;
        memcpy(w.hash, e->pool + e->labels[old[i]].first, w.count * sizeof *w.hash);
        e->known[known_slot(e, &w)] = old[i];
    }
    free(old);
    return 0;
}

static int add_label(struct evidence *e, const struct words *w) {
    struct label *labels = list_grow(e->labels, e->label_count, &e->label_room, sizeof *labels);
    if (!labels)
        return -ENOMEM;
    e->labels = labels;
    struct label l = {.first = (uint32_t)e->pool_count, .count = (uint16_t)w->count};
    for (unsigned i = 0; i < w->count; i++) {
        uint32_t *pool = list_grow(e->pool, e->pool_count, &e->pool_room, sizeof *pool);
        if (!pool)
            return -ENOMEM;
        e->pool = pool;
        e->pool[e->pool_count++] = w->hash[i];
        l.stats |= (uint16_t)word_statistic(w->hash[i]);
    }
    e->labels[e->label_count++] = l;
    return 0;
}

uint32_t evidence_label(struct evidence *e, const struct words *w) {
    if (!w->count || (e->label_count == 0 && add_label(e, &(struct words){0}) < 0))
        return 0;
    if (e->label_count * 2 >= e->known_room && grow_known(e) < 0)
        return 0;
    size_t at = known_slot(e, w);
    if (!e->known[at] && add_label(e, w) == 0)
        e->known[at] = (uint32_t)e->label_count - 1;
    return e->known[at];
}

/* --- texts --- */

/* Numbers that the question has in words, such as "two". */
static int add_spoken(struct evidence *e, const char *text, const struct evidence_item *like) {
    size_t len = strlen(text);
    for (size_t i = 0; i < len; i++) {
        struct evidence_item item = *like;
        if (!isalpha((unsigned char)text[i]) || (i && isalpha((unsigned char)text[i - 1])))
            continue;
        if (!numwords_scan(text + i, len - i, &item.num))
            continue;
        item.value = item.num.value;
        item.position = i;
        int r = evidence_push(e, &item);
        if (r < 0)
            return r;
    }
    return 0;
}

/* Questions of a conversation stand one after the other; positions are in all of them. */
static int append_question(struct evidence *e, const char *text, size_t *ret_offset) {
    size_t had = e->question_text ? strlen(e->question_text) + 1 : 0;
    char *all = malloc(had + strlen(text) + 1);
    if (!all)
        return -ENOMEM;
    if (had) {
        memcpy(all, e->question_text, had);
        all[had - 1] = '\n';
    }
    memcpy(all + had, text, strlen(text) + 1);
    free(e->question_text);
    e->question_text = all;
    *ret_offset = had;
    return 0;
}

int evidence_question(struct evidence *e, const char *text) {
    struct text_reading r = {.e = e, .s = text, .len = strlen(text)};
    size_t count, first = e->count, offset = 0;
    r.like.stream = EVIDENCE_QUESTION;
    r.like.bulk = true;
    words_add(&e->question, text, r.len);
    int x = append_question(e, text, &offset);
    if (x == 0)
        x = evidence_text(&r, &count);
    if (x == 0)
        x = add_spoken(e, text, &r.like);
    for (size_t i = first; i < e->count; i++)
        e->items[i].position += offset;
    return x;
}

int evidence_input(struct evidence *e, const char *name, const char *data, size_t len) {
    struct text_reading r = {.e = e, .s = data, .len = len};
    size_t count;
    r.like.stream = EVIDENCE_INPUT;
    r.like.bulk = true;
    int x = evidence_name(e, name, &r.like.source);
    return x < 0 ? x : evidence_text(&r, &count);
}

int evidence_tool(struct evidence *e, unsigned cell, const char *name, const char *json) {
    struct text_reading r = {.e = e, .s = json, .len = strlen(json)};
    struct words w = {0};
    size_t count;
    r.like.stream = EVIDENCE_TOOL;
    r.like.cell = cell;
    r.like.bulk = true;
    words_add(&w, name, strlen(name));
    r.like.label[PART_CODE] = evidence_label(e, &w);
    int x = evidence_name(e, name, &r.like.source);
    return x < 0 ? x : evidence_text(&r, &count);
}

/* --- result objects --- */

static size_t list_length(const char *s) {
    size_t depth = 0, count = 1;
    if ((*s != '[' && *s != '(' && *s != '{') || strchr("])}", s[1]))
        return 0;
    for (; *s; s++) {
        depth += strchr("([{", *s) != NULL;
        if (strchr(")]}", *s) && --depth == 0)
            return s[1] && s[1] != '\n' ? 0 : count;
        count += *s == ',' && depth == 1;
    }
    return 0;
}

static int add_count(struct evidence *e, size_t n, const char *what,
                     const struct evidence_item *like) {
    struct evidence_item item = *like;
    struct words w = {0};
    char shown[32];
    snprintf(shown, sizeof shown, "%zu", n);
    num_scan(shown, strlen(shown), 0, &item.num);
    item.value = n;
    item.counted = true;
    item.bulk = false;
    words_add(&w, what, strlen(what));
    item.label[PART_COLUMN] = evidence_label(e, &w);
    return evidence_push(e, &item);
}

/* Is it of a print that wrote but a few? */
static bool is_of_few(const struct evidence *e, size_t first, size_t i) {
    uint32_t statement = e->items[i].statement;
    size_t from = i, to = i;
    while (from > first && i - from < FEW && e->items[from - 1].statement == statement)
        from--;
    while (to + 1 < e->count && to - i < FEW && e->items[to + 1].statement == statement)
        to++;
    return statement && to - from < FEW;
}

static int add_stream(struct evidence *e, const char *text, size_t len, struct shown *shown,
                      const struct evidence_item *like) {
    struct text_reading r = {.e = e, .s = text, .len = len, .like = *like, .shown = shown};
    size_t first = e->count, count;
    int x = evidence_text(&r, &count);
    if (x == 0 && count > LONG_PRINT)
        for (size_t i = first; i < e->count; i++)
            e->items[i].bulk =
                e->items[i].bulk || (!e->items[i].counted && !is_of_few(e, first, i));
    size_t n = list_length(text);
    return x == 0 && n > 1 ? add_count(e, n, "count number item element", like) : x;
}

static int add_json_text(struct evidence *e, const json_t *v, struct shown *shown,
                         const struct evidence_item *like) {
    return json_is_string(v)
               ? add_stream(e, json_string_value(v), json_string_length(v), shown, like)
               : 0;
}

/* A value: {"text/plain": …}, or any JSON. */
static int add_value(struct evidence *e, const json_t *v, struct shown *shown, unsigned cell,
                     bool bulk) {
    const json_t *plain = json_object_get(v, "text/plain");
    if (plain)
        v = plain;
    if (!v || json_is_null(v))
        return 0;
    scoped_free char *text =
        json_is_string(v) ? strdup(json_string_value(v)) : json_whole(v, SHORT_REALS);
    if (!text)
        return -ENOMEM;
    struct evidence_item like = {.stream = EVIDENCE_VALUE, .cell = cell, .bulk = bulk};
    like.label[PART_CODE] = shown_value(shown);
    return add_stream(e, text, strlen(text), NULL, &like);
}

static int push_number(struct evidence *e, double v, struct evidence_item *like) {
    struct evidence_item item = *like;
    char shown[40];
    snprintf(shown, sizeof shown, "%.15g", fabs(v));
    item.value = v;
    if (!num_scan(shown, strlen(shown), 0, &item.num))
        return 0;
    like->position++;
    return evidence_push(e, &item);
}

/* Numbers anywhere in a JSON value, labelled with the keys and texts they stand with. */
static int add_json_numbers(struct evidence *e, const json_t *v, struct evidence_item *like,
                            struct words *keys, int depth);

/* Of lists that stand side by side, the one with names as long as this one. */
static const json_t *names_for(const json_t *object, const json_t *list) {
    const char *key;
    json_t *other;
    json_object_foreach(unconst(object), key, other) {
        if (other != list && json_array_size(other) == json_array_size(list) &&
            json_is_string(json_array_get(other, 0)))
            return other;
    }
    return NULL;
}

/* The values of a chart, each with its category. */
static int add_named_list(struct evidence *e, const json_t *list, const json_t *names,
                          struct evidence_item *like, struct words *keys) {
    const json_t *x;
    size_t i;
    int r = 0;
    json_array_foreach(list, i, x) {
        const json_t *name = json_array_get(names, i);
        struct words w = {0};
        words_add(&w, json_string_value(name), json_string_length(name));
        like->label[PART_ROW] = evidence_label(e, &w);
        r = r < 0 ? r : add_json_numbers(e, x, like, keys, 1);
    }
    like->label[PART_ROW] = 0;
    return r;
}

static int add_json_numbers(struct evidence *e, const json_t *v, struct evidence_item *like,
                            struct words *keys, int depth) {
    const char *key;
    json_t *inner;
    size_t i;
    int r = 0;
    if (depth > 8)
        return 0;
    like->label[PART_LINE] = evidence_label(e, keys);
    if (json_is_number(v))
        return push_number(e, json_number_value(v), like);
    if (json_is_string(v)) {
        struct text_reading t = {.e = e, .s = json_string_value(v), .len = json_string_length(v)};
        t.like = *like;
        like->position++;
        return evidence_text(&t, &i);
    }
    json_array_foreach(v, i, inner) {
        if ((r = add_json_numbers(e, inner, like, keys, depth + 1)) < 0)
            return r;
    }
    json_object_foreach(unconst(v), key, inner) {
        struct words kept = *keys;
        if (strstr(key, "_ticks")) /* chosen by the plot, not by the data */
            continue;
        words_add(keys, key, strlen(key));
        const json_t *names = json_is_array(inner) && json_is_number(json_array_get(inner, 0))
                                  ? names_for(v, inner)
                                  : NULL;
        r = names ? add_named_list(e, inner, names, like, keys)
                  : add_json_numbers(e, inner, like, keys, depth + 1);
        if (r < 0)
            return r;
        *keys = kept;
    }
    return r;
}

static int add_shape(struct evidence *e, const json_t *frame, const struct evidence_item *like) {
    static const char *const what[] = {"records entries observations", "features fields"};
    const json_t *shape = json_object_get(frame, "shape");
    int r = 0;
    for (size_t i = 0; r == 0 && i < json_array_size(shape) && i < 2; i++)
        r = add_count(e, (size_t)json_integer_value(json_array_get(shape, i)), what[i], like);
    return r;
}

static const char *column_name(const json_t *frame, size_t i) {
    const json_t *c = json_array_get(json_object_get(frame, "columns"), i);
    const char *name = json_string_value(json_is_object(c) ? json_object_get(c, "name") : c);
    return name ? name : "";
}

/* A row as a list, labelled with the column and with the texts of the row. */
static int add_row(struct evidence *e, const json_t *frame, const json_t *row,
                   struct evidence_item *like) {
    struct words texts = {0};
    const json_t *cell;
    size_t i;
    int r = 0;
    json_array_foreach(row, i, cell) {
        if (json_is_string(cell))
            words_add(&texts, json_string_value(cell), json_string_length(cell));
        json_int_t year = json_integer_value(cell);
        char text[24];
        if (year > 1900 && year < 2100 && strcasecmp(column_name(frame, i), "year") == 0)
            words_add(&texts, text, (size_t)snprintf(text, sizeof text, "%d", (int)year));
    }
    like->label[PART_ROW] = evidence_label(e, &texts);
    json_array_foreach(row, i, cell) {
        struct words column = {0};
        words_add(&column, column_name(frame, i), strlen(column_name(frame, i)));
        like->label[PART_COLUMN] = evidence_label(e, &column);
        if (json_is_number(cell))
            r = push_number(e, json_number_value(cell), like);
        if (r < 0)
            return r;
    }
    return 0;
}

/* Does the frame's index name its rows? Its rows as lists have no index, its text has. */
static bool names_rows(const char *repr) {
    const char *line = repr ? strchr(repr, '\n') : NULL;
    if (!line || line == repr || line[-1] == '\\')
        return false;
    while (line && line[1]) {
        const char *word = line + 1;
        while (*word == ' ')
            word++;
        if (isdigit((unsigned char)*word))
            return *word != '0' || (word[1] != ' ' && word[1] != '.');
        size_t n = strcspn(word, "\n");
        if (isalpha((unsigned char)*word) && strcspn(word, "0123456789") < n)
            return true;
        line = word[n] ? word + n : NULL;
    }
    return false;
}

/* How many items of a column are missing, under its name: "Age has 2 missing values". */
static int add_missing(struct evidence *e, const json_t *frame, struct evidence_item like) {
    static const char what[] = "missing null nan empty fehlend manquant";
    const json_t *column;
    struct words w = {0};
    size_t i;
    int r = 0;
    words_add(&w, what, sizeof what - 1);
    like.table = ++e->tables;
    like.label[PART_COLUMN] = evidence_label(e, &w);
    json_array_foreach(json_object_get(frame, "columns"), i, column) {
        json_int_t missing = json_integer_value(json_object_get(column, "missing"));
        const char *name = column_name(frame, i);
        struct words row = {0};
        words_add(&row, name, strlen(name));
        like.label[PART_ROW] = evidence_label(e, &row);
        if (missing > 0 && r == 0)
            r = push_number(e, (double)missing, &like);
    }
    return r;
}

static int add_frame(struct evidence *e, const json_t *frame, unsigned cell) {
    const char *name = json_string_value(json_object_get(frame, "name"));
    const char *change = json_string_value(json_object_get(frame, "change"));
    struct evidence_item like = {.stream = EVIDENCE_DATAFRAME, .cell = cell, .bulk = true};
    struct words w = {0};
    if (change && strcmp(change, "same") == 0)
        return 0;
    words_add(&w, name ? name : "", name ? strlen(name) : 0);
    like.label[PART_CODE] = evidence_label(e, &w);
    like.table = ++e->tables;
    int r = evidence_name(e, name ? name : "?", &like.source);
    if (r < 0 || (r = add_shape(e, frame, &like)) < 0 || (r = add_missing(e, frame, like)) < 0)
        return r;
    const json_t *head = json_object_get(frame, "head"), *row,
                 *repr = json_object_get(frame, "repr");
    size_t i;
    if (json_array_size(head) == 0 || names_rows(json_string_value(repr)))
        return add_json_text(e, repr, NULL, &like);
    json_array_foreach(head, i, row) {
        r = json_is_array(row) ? add_row(e, frame, row, &like) : 0;
        if (r < 0)
            return r;
    }
    return 0;
}

static int add_lists(struct evidence *e, const json_t *result, struct shown *shown, unsigned cell) {
    const json_t *x;
    size_t i;
    int r = 0;
    json_array_foreach(json_object_get(result, "dataframes"), i, x) {
        if ((r = add_frame(e, x, cell)) < 0)
            return r;
    }
    json_array_foreach(json_object_get(result, "plots"), i, x) {
        struct evidence_item like = {.stream = EVIDENCE_CHART, .cell = cell, .bulk = true};
        struct words keys = {0};
        like.table = ++e->tables;
        if ((r = add_json_numbers(e, json_object_get(x, "chart"), &like, &keys, 0)) < 0)
            return r;
    }
    json_array_foreach(json_object_get(result, "displays"), i, x) {
        const json_t *plain = json_object_get(json_object_get(x, "mime"), "text/plain");
        struct evidence_item like = {.stream = EVIDENCE_STDOUT, .cell = cell, .bulk = true};
        if ((r = add_json_text(e, plain, shown, &like)) < 0)
            return r;
    }
    return 0;
}

static int add_result(struct evidence *e, const json_t *result, struct shown *shown) {
    unsigned cell = (unsigned)json_integer_value(json_object_get(result, "cell"));
    const char *status = json_string_value(json_object_get(result, "status"));
    bool bulk = (!status || strcmp(status, "ok") != 0) && !json_object_get(result, "final");
    struct evidence_item like = {.stream = EVIDENCE_STDOUT, .cell = cell, .bulk = bulk};
    int r = add_json_text(e, json_object_get(result, "stdout"), shown, &like);
    like.stream = EVIDENCE_STDERR;
    like.bulk = true;
    if (r == 0)
        r = add_json_text(e, json_object_get(result, "stderr"), NULL, &like);
    if (r == 0)
        r = add_value(e, json_object_get(result, "value"), shown, cell, bulk);
    if (r == 0)
        r = add_value(e, json_object_get(result, "final"), shown, cell, bulk);
    return r == 0 ? add_lists(e, result, shown, cell) : r;
}

void evidence_forget(struct evidence *e, unsigned cell) {
    size_t kept = 0;
    evidence_unask(e, 0);
    for (size_t i = 0; i < e->count; i++)
        if (e->items[i].cell <= cell) { /* inputs and the question have no cell: 0 */
            e->items[kept] = e->items[i];
            note_asked(e, kept++); /* there is room: they were noted before */
        }
    e->count = kept;
    kept = 0;
    for (size_t i = 0; i < e->typed.count; i++)
        if (e->typed.list[i].cell <= cell)
            e->typed.list[kept++] = e->typed.list[i];
    e->typed.count = kept;
    index_done(&e->index);
    e->sealed = false;
}

int evidence_result(struct evidence *e, const char *code, const json_t *result) {
    unsigned cell = (unsigned)json_integer_value(json_object_get(result, "cell"));
    int r = literals_add(&e->literals, cell, code, strlen(code));
    if (r == 0)
        r = typed_add(e, cell, code);
    if (r < 0)
        return r;
    struct shown *shown = shown_new(e, code, cell);
    if (!shown)
        return -ENOMEM;
    r = add_result(e, result, shown);
    shown_free(shown);
    return r;
}

/* --- looking up --- */

static bool ends_with(const char *s, const char *tail) {
    size_t a = strlen(s), b = strlen(tail);
    return b <= a && memcmp(s + a - b, tail, b) == 0;
}

/* Could this literal have been shown as this number? Short literals only as they are. */
static bool shows(const struct literal *l, const struct num *shown, bool percent) {
    if (l->num.digits || shown->digits)
        return l->num.digits == shown->digits;
    if (l->num.value == shown->value && (l->num.sig > 2 || l->num.places == shown->places))
        return true; /* a 6 is not shown as 6.0 */
    if (percent && num_rounds_to(l->num.value * 100, shown->value, shown->places))
        return true;
    return l->num.sig > 2 && shown->sig >= (l->num.sig < 3 ? l->num.sig : 3) &&
           num_rounds_to(l->num.value, shown->value, shown->places);
}

/* A short literal that got a name speaks for what is shown by that name, one without for what its
 * own cell shows: a 5 is in every program. */
static bool speaks_for(const struct evidence *e, const struct literal *l,
                       const struct evidence_item *item) {
    if (l->num.sig > 2)
        return true;
    if (!l->name || !item->label[PART_CODE])
        return l->cell == item->cell;
    const struct label *code = &e->labels[item->label[PART_CODE]];
    for (size_t i = 0; i < code->count; i++)
        if (e->pool[code->first + i] == l->name)
            return true;
    return false;
}

/* What was computed with is an input, not a result that was typed in. */
bool evidence_used(const struct evidence *e, uint32_t name) {
    for (size_t i = 0; name && i < e->code.used_count; i++)
        if (e->code.used[i] == name)
            return true;
    return false;
}

/* "predicted for 60 m2:", where 60 was computed with. */
static bool is_parameter(const struct evidence *e, const struct literal *l) {
    long double v = fabsl(l->num.value);
    size_t n, at = evidence_literals(e, v, v, &n);
    for (size_t i = at; i < at + n && l->text && l->num.sig > 1; i++)
        if (evidence_literal(e, i)->operand && !evidence_literal(e, i)->text)
            return true;
    return false;
}

static bool asserts(const struct evidence *e, const struct literal *l,
                    const struct evidence_item *item) {
    if (l->cell > item->cell || l->operand || !shows(l, &item->num, item->percent) ||
        !speaks_for(e, l, item) || evidence_used(e, l->name) || is_parameter(e, l))
        return false;
    return !l->text || (ends_with(item->before, l->before) &&
                        strncmp(item->after, l->after, strlen(l->after)) == 0);
}

bool evidence_asserted(const struct evidence *e, const struct evidence_item *item) {
    long double v = item->num.value, half = num_pow10(-item->num.places) + v * 1e-12L;
    if (item->stream >= EVIDENCE_TOOL || item->counted || evidence_in_data(e, item))
        return false;
    int ways = item->percent ? 2 : 1; /* shown as they are, or times 100 */
    for (int k = 0; k < ways; k++) {
        long double scale = k ? 100 : 1;
        size_t n, at = evidence_literals(e, (v - half) / scale, (v + half) / scale, &n);
        for (size_t i = at; i < at + n; i++)
            if (asserts(e, evidence_literal(e, i), item))
                return true;
    }
    return false;
}

const char *evidence_stream_name(enum evidence_stream stream) {
    static const char *const names[] = {"value", "stdout", "stderr",   "dataframe", "chart",
                                        "tool",  "input",  "question", "code"};
    return names[stream];
}

const char *evidence_place(const struct evidence *e, const struct evidence_item *item) {
    return item->source ? e->names[item->source - 1] : "";
}
