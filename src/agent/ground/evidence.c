#include "agent/ground/evidence.h"

#include "agent/ground/claims.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_REALS (JSON_ENCODE_ANY | JSON_REAL_PRECISION(15)) /* 2.2, not 2.2000000000000002 */
#define LONG_LINE 4096 /* bytes of a table's line that are looked through for its columns */
#define LONG_PRINT 12  /* a text with more numbers is bulk evidence */

void evidence_init(struct evidence *e) {
    *e = (struct evidence){0};
}

void evidence_done(struct evidence *e) {
    free(e->items);
    for (size_t i = 0; i < e->name_count; i++)
        free(e->names[i]);
    free(e->names);
    literals_done(&e->literals);
    *e = (struct evidence){0};
}

static int evidence_add_name(struct evidence *e, const char *name, uint32_t *ret) {
    char **names = realloc(e->names, (e->name_count + 1) * sizeof *names);
    if (!names)
        return -ENOMEM;
    e->names = names;
    if (!(names[e->name_count] = strdup(name)))
        return -ENOMEM;
    *ret = (uint32_t)++e->name_count; /* 0 is no name */
    return 0;
}

static int evidence_push(struct evidence *e, const struct evidence_item *item) {
    if (e->count == MAX_EVIDENCE || !isfinite(item->value))
        return 0;
    struct evidence_item *items = list_grow(e->items, e->count, &e->room, sizeof *items);
    if (!items)
        return -ENOMEM;
    e->items = items;
    e->items[e->count++] = *item;
    e->sealed = false;
    return 0;
}

/* --- numbers in text --- */

struct reading {
    struct evidence *e;
    const char *s;
    size_t len;
    struct evidence_item like; /* what every item of this text has in common */
    struct words fallback;     /* for lines without a word */
    char mark;                 /* of a table in text: what separates its columns, … */
    size_t header;             /* … and the length of its first line, which names them; else 0 */
};

static bool starts_number(const struct reading *r, size_t i) {
    unsigned char c = (unsigned char)r->s[i];
    bool point = c == '.' && i + 1 < r->len && isdigit((unsigned char)r->s[i + 1]);
    if (!isdigit(c) && !point)
        return false;
    if (i == 0)
        return true;
    unsigned char p = (unsigned char)r->s[i - 1];
    return !isalnum(p) && p != '_' && !(p == '.' && i > 1 && isalnum((unsigned char)r->s[i - 2]));
}

static bool negative(const struct reading *r, size_t i) {
    if (i == 0 || r->s[i - 1] != '-')
        return false;
    return i == 1 || !(isalnum((unsigned char)r->s[i - 2]) || r->s[i - 2] == ')');
}

/* What the line says about the number: its words, or those of the code that printed it. */
static void line_words(const struct reading *r, size_t i, struct words *w) {
    size_t from = i, to = i;
    while (from > 0 && r->s[from - 1] != '\n' && i - from < 120)
        from--;
    while (to < r->len && r->s[to] != '\n' && to - i < 60)
        to++;
    const char *cut = NULL;
    for (size_t k = i; k > from && !r->header;
         k--) /* words of an earlier number in a list belong to that one */
        if (strchr(",;|", r->s[k - 1]) && !(k < r->len && isdigit((unsigned char)r->s[k]))) {
            cut = r->s + k;
            break;
        }
    size_t near = cut ? (size_t)(cut - r->s) : from;
    words_add(w, r->s + near, i - near);
    if (!w->count)
        words_add(w, r->s + from, to - from);
    if (!w->count)
        *w = r->fallback;
}

static void copy_around(struct evidence_item *item, const struct reading *r, size_t i, size_t end) {
    size_t before = i < LITERAL_CONTEXT ? i : LITERAL_CONTEXT;
    size_t after = r->len - end < LITERAL_CONTEXT ? r->len - end : LITERAL_CONTEXT;
    memcpy(item->before, r->s + i - before, before);
    memcpy(item->after, r->s + end, after);
}

/* In a table the column's name belongs to the number as well. */
static void column_words(const struct reading *r, size_t i, struct words *w) {
    size_t column = 0, at = 0;
    for (size_t k = i; k > 0 && r->s[k - 1] != '\n'; k--) {
        if (i - k > LONG_LINE)
            return;
        column += r->s[k - 1] == r->mark;
    }
    while (column && at < r->header)
        column -= r->s[at++] == r->mark;
    size_t end = at;
    while (end < r->header && r->s[end] != r->mark)
        end++;
    if (i > r->header)
        words_add(w, r->s + at, end - at);
}

static int add_reading(struct reading *r, size_t i, size_t n, const struct num *num) {
    struct evidence_item item = r->like;
    item.num = *num;
    item.value = negative(r, i) ? -num->value : num->value;
    item.position = i;
    item.percent = i + n < r->len && r->s[i + n] == '%';
    line_words(r, i, &item.words);
    if (r->header)
        column_words(r, i, &item.words);
    copy_around(&item, r, i, i + n);
    return evidence_push(r->e, &item);
}

static size_t commas_in_line(const struct reading *r, size_t i) {
    size_t n = 0;
    while (i > 0 && r->s[i - 1] != '\n')
        i--;
    for (; i < r->len && r->s[i] != '\n'; i++)
        n += r->s[i] == ',';
    return n;
}

/* A row of a CSV: commas separate, whatever stands between them. Beside an input file that is a line
 * which has nothing but digits and commas and a neighbour with as many. */
static bool in_row(const struct reading *r, size_t i, size_t end) {
    if (r->like.stream == EVIDENCE_INPUT)
        return !(i > 0 && r->s[i - 1] == '"');
    size_t from = i, commas = commas_in_line(r, i);
    if ((i > 0 && r->s[i - 1] == ',') || (end < r->len && r->s[end] == ','))
        return true;
    while (from > 0 && r->s[from - 1] != '\n')
        from--;
    while (end < r->len && r->s[end] != '\n')
        end++;
    for (size_t k = from; k < end; k++)
        if (!isdigit((unsigned char)r->s[k]) && !strchr(",.-", r->s[k]))
            return false;
    return (from > 1 && commas_in_line(r, from - 1) == commas) ||
           (end + 1 < r->len && commas_in_line(r, end + 1) == commas);
}

/* "1,234" in output may be one number or two: both readings are kept. */
static int read_numbers(struct reading *r, size_t *ret_count) {
    *ret_count = 0;
    for (size_t i = 0; i < r->len && r->e->count < MAX_EVIDENCE;) {
        struct num num, grouped;
        size_t n = starts_number(r, i) ? num_scan(r->s + i, r->len - i, 0, &num) : 0;
        if (!n) {
            i++;
            continue;
        }
        ++*ret_count;
        size_t g = num_scan(r->s + i, r->len - i, NUM_GROUPS, &grouped);
        int e = add_reading(r, i, n, &num);
        if (e == 0 && g > n && !in_row(r, i, i + g))
            e = add_reading(r, i, g, &grouped);
        if (e < 0)
            return e;
        i += n;
    }
    return 0;
}

static int evidence_read_text(struct reading *r) {
    size_t first = r->e->count, count;
    int e = read_numbers(r, &count);
    if (e < 0)
        return e;
    if (count > LONG_PRINT)
        for (size_t i = first; i < r->e->count; i++)
            r->e->items[i].bulk = true;
    if (!r->like.bulk && count && count <= EVIDENCE_FEW)
        r->e->last_cell = r->like.cell;
    return 0;
}

/* Numbers that the question has in words, such as "two". */
static int add_spoken(struct evidence *e, const char *text, const struct evidence_item *like) {
    struct claims claims;
    int r = claims_read(text, strlen(text), &claims);
    for (size_t i = 0; r == 0 && i < claims.count; i++) {
        const struct claim *c = &claims.list[i];
        struct evidence_item item = *like;
        item.value = c->value;
        item.num = c->num;
        item.position = c->start;
        if (c->class == CLAIM_VALUE && isalpha((unsigned char)text[c->start]))
            r = evidence_push(e, &item);
    }
    claims_done(&claims);
    return r;
}

int evidence_question(struct evidence *e, const char *text) {
    struct reading r = {.e = e, .s = text, .len = strlen(text)};
    r.like.stream = EVIDENCE_QUESTION;
    r.like.bulk = true;
    words_add(&e->question, text, r.len);
    int x = evidence_read_text(&r);
    return x < 0 ? x : add_spoken(e, text, &r.like);
}

/* A first line without digits but with separators names the columns. */
static void find_header(struct reading *r) {
    const char *eol = memchr(r->s, '\n', r->len);
    size_t n = eol ? (size_t)(eol - r->s) : 0;
    for (size_t i = 0; i < n; i++) {
        if (isdigit((unsigned char)r->s[i]))
            return;
        if (!r->mark && strchr(",;\t|", r->s[i]))
            r->mark = r->s[i];
    }
    r->header = r->mark ? n : 0;
}

int evidence_input(struct evidence *e, const char *name, const char *data, size_t len) {
    struct reading r = {.e = e, .s = data, .len = len};
    find_header(&r);
    r.like.stream = EVIDENCE_INPUT;
    r.like.bulk = true;
    int x = evidence_add_name(e, name, &r.like.source);
    return x < 0 ? x : evidence_read_text(&r);
}

int evidence_tool(struct evidence *e, unsigned cell, const char *name, const char *json) {
    struct reading r = {.e = e, .s = json, .len = strlen(json)};
    r.like.stream = EVIDENCE_TOOL;
    r.like.cell = cell;
    r.like.bulk = true;
    words_add(&r.fallback, name, strlen(name));
    int x = evidence_add_name(e, name, &r.like.source);
    return x < 0 ? x : evidence_read_text(&r);
}

/* --- result objects --- */

/* The words of the lines that print, or of the last line: what an unlabelled number is about. */
static void code_words(const char *code, bool printing, struct words *w) {
    const char *last = code;
    for (const char *line = code; *line;) {
        size_t n = strcspn(line, "\n");
        if (printing && memmem(line, n, "print", 5))
            words_add(w, line, n);
        if (n && *line != '#')
            last = line;
        line += n + (line[n] == '\n');
    }
    if (!w->count || !printing)
        words_add(w, last, strcspn(last, "\n"));
}

static size_t list_length(const char *s) {
    size_t depth = 0, count = 1;
    if ((*s != '[' && *s != '(' && *s != '{') || strchr("])}", s[1]))
        return 0;
    for (; *s; s++) {
        depth += strchr("([{", *s) != NULL;
        if (strchr(")]}", *s) && --depth == 0)
            return s[1] ? 0 : count;
        count += *s == ',' && depth == 1;
    }
    return 0;
}

static int add_count(struct evidence *e, unsigned cell, const char *text) {
    size_t n = list_length(text);
    if (n < 2)
        return 0;
    struct evidence_item item = {.value = n, .num = {.value = n, .sig = 1}, .counted = true};
    item.cell = cell;
    words_add(&item.words, "count number items elements", 27);
    return evidence_push(e, &item);
}

static int evidence_add_stream(struct evidence *e, const char *text, size_t len, const char *code,
                               const struct evidence_item *like) {
    struct reading r = {.e = e, .s = text, .len = len, .like = *like};
    code_words(code, like->stream == EVIDENCE_STDOUT, &r.fallback);
    return evidence_read_text(&r);
}

static int add_json_text(struct evidence *e, const json_t *v, const char *code,
                         enum evidence_stream stream, unsigned cell, bool bulk) {
    struct evidence_item like = {.stream = stream, .cell = cell, .bulk = bulk};
    if (json_is_string(v))
        return evidence_add_stream(e, json_string_value(v), json_string_length(v), code, &like);
    return 0;
}

/* A value: {"text/plain": …}, or any JSON. */
static int evidence_add_value(struct evidence *e, const json_t *v, const char *code, unsigned cell,
                              bool bulk) {
    const json_t *plain = json_object_get(v, "text/plain");
    if (plain)
        v = plain;
    if (!v || json_is_null(v))
        return 0;
    scoped_free char *text =
        json_is_string(v) ? strdup(json_string_value(v)) : json_dumps(v, SHORT_REALS);
    if (!text)
        return -ENOMEM;
    struct evidence_item like = {.stream = EVIDENCE_VALUE, .cell = cell, .bulk = bulk};
    int r = evidence_add_stream(e, text, strlen(text), code, &like);
    return r < 0 ? r : add_count(e, cell, text);
}

/* Numbers anywhere in a JSON value, labelled with the keys and texts they stand with. */
static int add_json_numbers(struct evidence *e, const json_t *v, struct evidence_item *like,
                            int depth) {
    if (depth > 8)
        return 0;
    if (json_is_number(v)) {
        struct evidence_item item = *like;
        char shown[40];
        snprintf(shown, sizeof shown, "%.15g", fabs(json_number_value(v)));
        item.value = json_number_value(v);
        if (!num_scan(shown, strlen(shown), 0, &item.num))
            return 0;
        like->position++;
        return evidence_push(e, &item);
    }
    if (json_is_string(v)) {
        struct reading r = {.e = e, .s = json_string_value(v), .len = json_string_length(v)};
        size_t count;
        r.like = *like;
        r.fallback = like->words;
        like->position++;
        return read_numbers(&r, &count);
    }
    const char *key;
    json_t *inner;
    size_t i;
    int r = 0;
    if (json_is_array(v)) {
        json_array_foreach(v, i, inner) {
            if ((r = add_json_numbers(e, inner, like, depth + 1)) < 0)
                return r;
        }
    } else {
        json_object_foreach(unconst(v), key, inner) {
            if (strstr(key, "_ticks")) /* chosen by the plot, not by the data */
                continue;
            struct words kept = like->words;
            words_add(&like->words, key, strlen(key));
            if ((r = add_json_numbers(e, inner, like, depth + 1)) < 0)
                return r;
            like->words = kept;
        }
    }
    return r;
}

static int add_shape(struct evidence *e, const json_t *frame, const struct evidence_item *like) {
    static const char *const what[] = {"row count number entries records", "column count number"};
    const json_t *shape = json_object_get(frame, "shape");
    for (size_t i = 0; i < json_array_size(shape) && i < 2; i++) {
        struct evidence_item item = *like;
        item.bulk = false;
        item.rows = i == 0;
        item.value = json_number_value(json_array_get(shape, i));
        char shown[32];
        snprintf(shown, sizeof shown, "%.0Lf", item.value);
        num_scan(shown, strlen(shown), 0, &item.num);
        words_add(&item.words, what[i], strlen(what[i]));
        int r = evidence_push(e, &item);
        if (r < 0)
            return r;
    }
    return 0;
}

static const char *column_name(const json_t *frame, size_t i) {
    const json_t *c = json_array_get(json_object_get(frame, "columns"), i);
    const char *name = json_string_value(json_is_object(c) ? json_object_get(c, "name") : c);
    return name ? name : "";
}

/* A row as a list, labelled with the column and with the texts of the row. */
static int add_row(struct evidence *e, const json_t *frame, const json_t *row,
                   struct evidence_item *like) {
    struct words texts = like->words;
    const json_t *cell;
    size_t i;
    json_array_foreach(row, i, cell) {
        if (json_is_string(cell))
            words_add(&texts, json_string_value(cell), json_string_length(cell));
    }
    json_array_foreach(row, i, cell) {
        struct evidence_item item = *like;
        item.words = texts;
        words_add(&item.words, column_name(frame, i), strlen(column_name(frame, i)));
        int r = add_json_numbers(e, cell, &item, 0);
        if (r < 0)
            return r;
        like->position++;
    }
    return 0;
}

static int add_frame(struct evidence *e, const json_t *frame, unsigned cell, const char *code) {
    const char *name = json_string_value(json_object_get(frame, "name"));
    const char *change = json_string_value(json_object_get(frame, "change"));
    struct evidence_item like = {.stream = EVIDENCE_DATAFRAME, .cell = cell, .bulk = true};
    if (change && strcmp(change, "same") == 0)
        return 0;
    words_add(&like.words, name ? name : "", name ? strlen(name) : 0);
    int r = evidence_add_name(e, name ? name : "?", &like.source);
    if (r < 0 || (r = add_shape(e, frame, &like)) < 0)
        return r;
    const json_t *head = json_object_get(frame, "head"), *row;
    size_t i;
    json_array_foreach(head, i, row) {
        r = json_is_array(row) ? add_row(e, frame, row, &like) : add_json_numbers(e, row, &like, 0);
        if (r < 0)
            return r;
    }
    if (json_array_size(head) == 0)
        return add_json_text(e, json_object_get(frame, "repr"), code, EVIDENCE_DATAFRAME, cell,
                             true);
    return 0;
}

static int add_lists(struct evidence *e, const json_t *result, const char *code, unsigned cell) {
    const json_t *x;
    size_t i;
    int r = 0;
    json_array_foreach(json_object_get(result, "dataframes"), i, x) {
        if ((r = add_frame(e, x, cell, code)) < 0)
            return r;
    }
    json_array_foreach(json_object_get(result, "plots"), i, x) {
        struct evidence_item like = {.stream = EVIDENCE_CHART, .cell = cell, .bulk = true};
        if ((r = add_json_numbers(e, json_object_get(x, "chart"), &like, 0)) < 0)
            return r;
    }
    json_array_foreach(json_object_get(result, "displays"), i, x) {
        const json_t *plain = json_object_get(json_object_get(x, "mime"), "text/plain");
        if ((r = add_json_text(e, plain, code, EVIDENCE_STDOUT, cell, true)) < 0)
            return r;
    }
    return 0;
}

int evidence_result(struct evidence *e, const char *code, const json_t *result) {
    unsigned cell = (unsigned)json_integer_value(json_object_get(result, "cell"));
    const char *status = json_string_value(json_object_get(result, "status"));
    bool bulk = (!status || strcmp(status, "ok") != 0) && !json_object_get(result, "final");
    int r = literals_add(&e->literals, cell, code, strlen(code));
    if (r == 0)
        r = add_json_text(e, json_object_get(result, "stdout"), code, EVIDENCE_STDOUT, cell, bulk);
    if (r == 0)
        r = add_json_text(e, json_object_get(result, "stderr"), code, EVIDENCE_STDERR, cell, true);
    if (r == 0)
        r = evidence_add_value(e, json_object_get(result, "value"), code, cell, bulk);
    if (r == 0)
        r = evidence_add_value(e, json_object_get(result, "final"), code, cell, bulk);
    return r == 0 ? add_lists(e, result, code, cell) : r;
}

/* --- looking up --- */

static int by_size(const void *a, const void *b) {
    long double x = fabsl(((const struct evidence_item *)a)->value);
    long double y = fabsl(((const struct evidence_item *)b)->value);
    return (x > y) - (x < y);
}

static bool same_size(const struct evidence_item *a, const struct evidence_item *b) {
    return fabsl(fabsl(a->value) - fabsl(b->value)) <= 1e-15L * fabsl(b->value);
}

/* Marks what data has as well: the nearest number of data is the one before or the one behind. */
static void mark_data(struct evidence *e) {
    const struct evidence_item *data = NULL;
    for (size_t i = 0; i < e->count; i++) {
        data = e->items[i].stream >= EVIDENCE_TOOL ? &e->items[i] : data;
        e->items[i].in_data = data && same_size(data, &e->items[i]);
    }
    data = NULL;
    for (size_t i = e->count; i-- > 0;) {
        data = e->items[i].stream >= EVIDENCE_TOOL ? &e->items[i] : data;
        e->items[i].in_data = e->items[i].in_data || (data && same_size(data, &e->items[i]));
    }
}

void evidence_forget(struct evidence *e, unsigned cell) {
    size_t kept = 0;
    for (size_t i = 0; i < e->count; i++)
        if (e->items[i].cell <= cell) /* inputs and the question have no cell: 0 */
            e->items[kept++] = e->items[i];
    e->count = kept;
    e->last_cell = e->last_cell <= cell ? e->last_cell : 0;
    e->sealed = false;
}

void evidence_seal(struct evidence *e) {
    if (!e->sealed && e->count) {
        qsort(e->items, e->count, sizeof *e->items, by_size);
        mark_data(e);
    }
    e->sealed = true;
}

/* The first item that is not smaller than x, or that is larger. */
static size_t bound(const struct evidence *e, long double x, bool larger) {
    size_t low = 0, high = e->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        long double value = fabsl(e->items[mid].value);
        if (value < x || (larger && value == x))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

size_t evidence_between(const struct evidence *e, long double low, long double high,
                        size_t *ret_count) {
    size_t from = bound(e, low, false), to = bound(e, high, true);
    *ret_count = to > from ? to - from : 0;
    return from;
}

static bool evidence_ends_with(const char *s, const char *tail) {
    size_t a = strlen(s), b = strlen(tail);
    return b <= a && memcmp(s + a - b, tail, b) == 0;
}

/* Could this literal have been shown as this number? Short literals only as they are. */
static bool shows(const struct literal *l, const struct num *shown, bool percent) {
    if (l->num.digits || shown->digits)
        return l->num.digits == shown->digits;
    if (l->num.value == shown->value)
        return true;
    if (percent && num_rounds_to(l->num.value * 100, shown->value, shown->places))
        return true;
    return l->num.sig > 2 && shown->sig >= (l->num.sig < 3 ? l->num.sig : 3) &&
           num_rounds_to(l->num.value, shown->value, shown->places);
}

bool evidence_asserted(const struct evidence *e, const struct evidence_item *item) {
    if (item->stream >= EVIDENCE_TOOL || item->counted)
        return false;
    bool literal = false;
    for (size_t i = 0; i < e->literals.count && !literal; i++) {
        const struct literal *l = &e->literals.list[i];
        if (l->cell > item->cell || !shows(l, &item->num, item->percent))
            continue;
        literal = !l->text || (evidence_ends_with(item->before, l->before) &&
                               strncmp(item->after, l->after, strlen(l->after)) == 0);
    }
    return literal && !item->in_data;
}

bool evidence_literal(const struct evidence *e, long double value, int places) {
    for (size_t i = 0; i < e->literals.count; i++)
        if (num_rounds_to(e->literals.list[i].num.value, fabsl(value), places))
            return true;
    return false;
}

const char *evidence_stream_name(enum evidence_stream stream) {
    static const char *const names[] = {"value", "stdout", "stderr", "dataframe",
                                        "chart", "tool",   "input",  "question"};
    return names[stream];
}

const char *evidence_place(const struct evidence *e, const struct evidence_item *item) {
    return item->source ? e->names[item->source - 1] : "";
}
