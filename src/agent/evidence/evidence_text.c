/* Numbers in text: printed tables, series, lists, JSON and plain lines, each with what the text says
 * about it. */
#include "agent/evidence/evidence.h"
#include "base/maxima.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 64
#define MAX_NESTING 8
#define LONG_BLOCK 400 /* lines in which the end of a series is looked for */
#define LONG_NAME 80   /* a quoted text that is longer is no name */
#define LONG_ROW 400   /* bytes beside a number in which its dictionary names it */

struct text_column {
    size_t start, end; /* in its line */
    size_t edge;       /* its end in characters: by these tables are aligned */
    uint32_t label;
};

enum layout { LAYOUT_TEXT, LAYOUT_TABLE, LAYOUT_SERIES, LAYOUT_MARKS };

struct text_page {
    struct text_reading *r;
    size_t line, end; /* of the line that is read */
    enum layout layout;
    struct text_column columns[MAX_COLUMNS];
    size_t column_count;
    char mark;            /* of LAYOUT_MARKS */
    size_t rows;          /* of the table so far */
    uint32_t table, name; /* the table, and its label if it has only one column, … */
    uint32_t index;       /* … and what its rows are called */
    struct words outer;   /* of the row before: what its left part says, … */
    size_t outer_end;     /* … and where that ends */
    struct words heading;
    struct words keys[MAX_NESTING]; /* of open brackets */
    size_t depth, entries;          /* … and what the outermost has at its own level */
    uint32_t bracket, printed;      /* their table, and the print that wrote it */
    uint32_t code;
    size_t open;        /* behind the last bracket or number of a plain line, … */
    size_t before_open; /* … and behind what stands before that bracket */
    struct {
        struct words last; /* of the number before */
        struct words cell; /* of the first cell, if marks cut the line */
        uint32_t numbers;  /* so far */
    } line_words;
    bool several; /* the plain line has more than one number */
    size_t count;
};

static size_t text_line_end(const struct text_reading *r, size_t i) {
    const char *eol = i < r->len ? memchr(r->s + i, '\n', r->len - i) : NULL;
    return eol ? (size_t)(eol - r->s) : r->len;
}

static bool is_quoted(const struct text_reading *r, size_t i) {
    size_t end = i;
    while (end < r->len && isdigit((unsigned char)r->s[end]))
        end++;
    return end + 1 < r->len && r->s[end] == r->s[i - 1] && r->s[end + 1] == ':';
}

static bool starts_number(const struct text_reading *r, size_t i) {
    unsigned char c = (unsigned char)r->s[i];
    bool point = c == '.' && i + 1 < r->len && isdigit((unsigned char)r->s[i + 1]);
    if (!isdigit(c) && !point)
        return false;
    if (i == 0)
        return true;
    unsigned char p = (unsigned char)r->s[i - 1];
    if ((p == '\'' || p == '"') && is_quoted(r, i)) /* a key */
        return false;
    return !isalnum(p) && p != '_' && p != '^' &&
           !(p == '.' && i > 1 && isalnum((unsigned char)r->s[i - 2]));
}

/* 2024-02 and 2024-02-05 are names: how long it is, or 0. */
static size_t date_at(const struct text_reading *r, size_t i) {
    static const char form[] = "dddd-dd-dd";
    size_t n = 0;
    while (n < 10 && i + n < r->len &&
           (form[n] == 'd' ? isdigit((unsigned char)r->s[i + n]) : r->s[i + n] == '-'))
        n++;
    n = n == 10 ? 10 : n >= 7 ? 7 : 0;
    bool ends = i + n == r->len || !isdigit((unsigned char)r->s[i + n]);
    return n && ends && (r->s[i] == '1' || r->s[i] == '2') ? n : 0;
}

/* What is no number but names one: a date, or a year at the beginning of a line or before a number. */
static size_t line_name_at(const struct text_page *p, size_t i) {
    const char *s = p->r->s;
    size_t n = date_at(p->r, i), end = i;
    while (end < p->end && isdigit((unsigned char)s[end]))
        end++;
    bool year = end == i + 4 && end < p->end && strchr(" :\t", s[end]) &&
                (memcmp(s + i, "19", 2) == 0 || memcmp(s + i, "20", 2) == 0);
    bool followed = end + 1 < p->end && (isdigit((unsigned char)s[end + 1]) || s[end + 1] == '-');
    return n ? n : year && (i == p->line || (followed && s[i - 1] == ' ')) ? 4 : 0;
}

static bool negative(const struct text_reading *r, size_t i) {
    if (i == 0 || r->s[i - 1] != '-')
        return false;
    return i == 1 || !(isalnum((unsigned char)r->s[i - 2]) || r->s[i - 2] == ')');
}

static void copy_around(struct evidence_item *item, const struct text_reading *r, size_t i,
                        size_t end) {
    size_t before = i < EVIDENCE_CONTEXT ? i : EVIDENCE_CONTEXT;
    size_t after = r->len - end < LITERAL_CONTEXT ? r->len - end : LITERAL_CONTEXT;
    memcpy(item->before, r->s + i - before, before);
    memcpy(item->after, r->s + end, after);
}

static int text_push(struct text_page *p, size_t i, size_t n, const struct num *num,
                     const uint32_t label[PARTS]) {
    const struct text_reading *r = p->r;
    struct evidence_item item = r->like;
    item.num = *num;
    item.value = negative(r, i) ? -num->value : num->value;
    item.position = i;
    size_t behind = i + n;
    behind += behind < r->len && r->s[behind] == ' ';
    item.percent = behind < r->len && r->s[behind] == '%';
    item.statement = shown_statement(r->shown);
    item.table = p->layout != LAYOUT_TEXT ? p->table : p->depth ? p->bracket : 0;
    item.several =
        p->layout == LAYOUT_TEXT ? p->several : p->layout == LAYOUT_TABLE && p->column_count > 2;
    for (int k = 0; k < PARTS; k++)
        item.label[k] = label[k] ? label[k] : item.label[k];
    item.nth = item.table ? 0 : ++p->line_words.numbers;
    copy_around(&item, r, i, i + n);
    return evidence_push(r->e, &item);
}

/* --- commas that separate --- */

static size_t commas_in(const struct text_reading *r, size_t from, size_t to) {
    size_t n = 0;
    for (; from < to; from++)
        n += r->s[from] == ',';
    return n;
}

static bool only_numbers(const struct text_reading *r, size_t from, size_t to) {
    for (; from < to; from++)
        if (!isdigit((unsigned char)r->s[from]) && !strchr(",.-", r->s[from]))
            return false;
    return true;
}

/* A row of a CSV: commas separate, whatever stands between them. Beside an input file that is a
 * line which has nothing but numbers and commas and a neighbour with as many. */
static bool in_row(const struct text_page *p, size_t i, size_t end) {
    const struct text_reading *r = p->r;
    if (r->like.stream == EVIDENCE_INPUT || (p->layout == LAYOUT_MARKS && p->mark == ','))
        return !(i > 0 && r->s[i - 1] == '"');
    if ((i > 0 && r->s[i - 1] == ',') || (end < r->len && r->s[end] == ','))
        return true;
    if (!only_numbers(r, p->line, p->end))
        return false;
    size_t commas = commas_in(r, p->line, p->end), before = p->line;
    while (before > 1 && r->s[before - 2] != '\n')
        before--;
    bool above = p->line > 1 && commas_in(r, before - 1, p->line) == commas;
    size_t next = p->end + 1;
    return above || (next < r->len && commas_in(r, next, text_line_end(r, next)) == commas);
}

/* "1,234" is one number, but where commas separate. */
static int push_readings(struct text_page *p, size_t i, size_t *ret_len,
                         const uint32_t label[PARTS]) {
    const struct text_reading *r = p->r;
    struct num num, grouped;
    size_t n = num_scan(r->s + i, p->end - i, 0, &num);
    size_t g = n ? num_scan(r->s + i, p->end - i, NUM_GROUPS, &grouped) : 0;
    *ret_len = n;
    if (!n)
        return 0;
    p->count++;
    if (g <= n || in_row(p, i, i + g))
        return text_push(p, i, n, &num, label);
    *ret_len = g;
    return text_push(p, i, g, &grouped, label);
}

/* --- tables by columns --- */

static bool number_cell(const struct text_reading *r, size_t from, size_t to) {
    size_t digits = 0;
    if (to - from == 3 && memcmp(r->s + from, "NaN", 3) == 0)
        return true;
    for (size_t i = from; i < to; i++) {
        digits += isdigit((unsigned char)r->s[i]) != 0;
        if (!isdigit((unsigned char)r->s[i]) && !strchr("+-.,%e$", r->s[i]))
            return false;
    }
    return digits > 0;
}

/* A blank ends a cell if another follows, or if numbers stand on both sides. */
static bool ends_cell(const struct text_reading *r, size_t start, size_t i, size_t to) {
    if (i + 1 >= to || r->s[i + 1] == ' ')
        return true;
    size_t next = i + 1;
    while (next < to && r->s[next] != ' ')
        next++;
    return number_cell(r, start, i) && number_cell(r, i + 1, next);
}

/* Cells of a line are at least two blanks apart, or numbers. */
static size_t text_cells_of(const struct text_reading *r, size_t from, size_t to,
                            struct text_column *out) {
    size_t n = 0, i = from, wide = 0; /* bytes that begin no character */
    while (i < to && n < MAX_COLUMNS) {
        while (i < to && r->s[i] == ' ')
            i++;
        size_t start = i;
        while (i < to && !(r->s[i] == ' ' && ends_cell(r, start, i, to)))
            i++;
        for (size_t k = start; k < i; k++)
            wide += ((unsigned char)r->s[k] & 0xc0) == 0x80;
        if (i > start)
            out[n++] = (struct text_column){start - from, i - from, i - from - wide, 0};
    }
    return n;
}

static bool right_of(const struct text_column *columns, size_t count, size_t edge, size_t *ret) {
    for (size_t i = 0; i < count; i++)
        if (columns[i].edge == edge) {
            *ret = i;
            return true;
        }
    return false;
}

/* The first of the lines below that has numbers: its cells, and where it begins. pandas names the
 * index on a line of its own. */
static size_t first_row(const struct text_page *p, struct text_column *cells, size_t *ret_from) {
    const struct text_reading *r = p->r;
    size_t next = p->end + 1, n = 0;
    for (int tries = 0; tries < 2 && next < r->len; tries++) {
        n = text_cells_of(r, next, text_line_end(r, next), cells);
        *ret_from = next;
        for (size_t i = 0; i < n; i++)
            if (number_cell(r, next + cells[i].start, next + cells[i].end))
                return n;
        next = text_line_end(r, next) + 1;
    }
    return 0;
}

/* "25%" and "2023" may name a column, where other numbers would be data. */
static bool names_column(const struct text_reading *r, size_t from, size_t to) {
    bool year =
        to - from == 4 && (memcmp(r->s + from, "19", 2) == 0 || memcmp(r->s + from, "20", 2) == 0);
    for (size_t i = from; i < to && year; i++)
        year = isdigit((unsigned char)r->s[i]) != 0;
    return year || r->s[to - 1] == '%' || !number_cell(r, from, to);
}

/* Does the line name the columns of the one that follows? Their right edges agree. */
static bool is_head(const struct text_page *p, const struct text_column *head, size_t count) {
    const struct text_reading *r = p->r;
    struct text_column cells[MAX_COLUMNS];
    size_t from = 0, aligned = 0, numbers = 0, column, own = 0, named = 0;
    size_t n = first_row(p, cells, &from);
    for (size_t i = 0; i < n; i++) {
        bool number = number_cell(r, from + cells[i].start, from + cells[i].end);
        numbers += number;
        aligned += number && right_of(head, count, cells[i].edge, &column);
        named += number && right_of(head, count, cells[i].edge, &column) &&
                 names_column(r, from + cells[i].start, from + cells[i].end);
    }
    bool words = false;
    for (size_t i = p->line; i < p->end && !words; i++)
        words = isalpha((unsigned char)r->s[i]) != 0;
    for (size_t i = 0; i < count; i++)
        own += !names_column(r, p->line + head[i].start, p->line + head[i].end);
    return aligned && aligned * 2 >= numbers && named < aligned &&
           (own == 0 || (own == count && !words && head[0].start > 0));
}

/* Names of columns that stand one blank apart: what stands above a number ends where it ends. */
static size_t split_head(const struct text_page *p, struct text_column *head, size_t count) {
    struct text_column cells[MAX_COLUMNS], out[MAX_COLUMNS];
    size_t from = 0, n = first_row(p, cells, &from), made = 0;
    for (size_t i = 0; i < count && made < MAX_COLUMNS; i++) {
        struct text_column rest = head[i];
        for (size_t k = 0; k < n && made + 1 < MAX_COLUMNS; k++) {
            size_t at = rest.end - (rest.edge - cells[k].edge);
            if (cells[k].edge >= rest.edge || cells[k].edge + rest.end <= rest.edge + rest.start ||
                p->r->s[p->line + at] != ' ')
                continue;
            out[made++] = (struct text_column){rest.start, at, cells[k].edge, 0};
            rest.start = at + 1;
        }
        out[made++] = rest;
    }
    for (size_t k = 0, column; k < n; k++) /* "True " has a blank behind it */
        for (size_t i = 0; i < made && !right_of(out, made, cells[k].edge, &column); i++)
            if (out[i].edge + 1 == cells[k].edge && p->line + out[i].end < p->end &&
                number_cell(p->r, from + cells[k].start, from + cells[k].end))
                out[i].edge++;
    memcpy(head, out, made * sizeof *out);
    return made;
}

static void begin_table(struct text_page *p, enum layout layout) {
    p->layout = layout;
    p->table = ++p->r->e->tables;
    p->rows = 0;
    p->name = p->index = 0;
    p->outer = (struct words){0};
    p->outer_end = 0;
}

static int end_table(struct text_page *p) {
    struct evidence_item item = p->r->like;
    enum layout was = p->layout;
    p->layout = LAYOUT_TEXT;
    if (was != LAYOUT_TEXT && p->rows) /* what follows has its own */
        p->heading = (struct words){0};
    if (was == LAYOUT_TEXT || p->rows < 2)
        return 0;
    item.value = (long double)p->rows;
    item.num = (struct num){.value = item.value, .sig = p->rows < 10 ? 1 : 2};
    item.counted = true;
    item.bulk = false;
    item.table = p->table;
    item.position = p->line;
    item.label[PART_COLUMN] = p->index;
    item.label[PART_CODE] = p->code ? p->code : item.label[PART_CODE];
    return evidence_push(p->r->e, &item);
}

/* A line that has nothing but the name of the index, above the first row. */
static void take_index(struct text_page *p) {
    struct words w = {0};
    words_add(&w, p->r->s + p->line, p->end - p->line);
    p->index = evidence_label(p->r->e, &w);
}

static bool is_margin(const struct text_reading *r, size_t from, size_t to) {
    return to - from == 3 && memcmp(r->s + from, "All", 3) == 0;
}

/* The words of a name; "All" is what pandas calls the sum over rows or columns. */
static void cell_words(const struct text_page *p, size_t from, size_t to, struct words *w) {
    words_add(w, p->r->s + from, to - from);
    if (is_margin(p->r, from, to))
        words_put(w, word_hash("overall"));
}

/* pandas writes columns of two levels in two lines: the upper name stands over the first of its
 * columns. */
static void upper_words(const struct text_page *p, const struct text_column *column,
                        struct words *w) {
    const struct text_reading *r = p->r;
    struct text_column cells[MAX_COLUMNS];
    size_t from = p->line, to = p->line ? p->line - 1 : 0, n;
    while (from > 1 && r->s[from - 2] != '\n')
        from--;
    from = from ? from - 1 : 0;
    n = to > from && r->s[from] == ' ' ? text_cells_of(r, from, to, cells) : 0;
    for (size_t i = 0; i < n; i++)
        if (number_cell(r, from + cells[i].start, from + cells[i].end))
            return;
    for (size_t i = n; i-- > 0;)
        if (cells[i].edge <= column->edge) {
            words_add(w, r->s + from + cells[i].start, cells[i].end - cells[i].start);
            return;
        }
}

static bool try_head(struct text_page *p) {
    struct text_column head[MAX_COLUMNS];
    size_t n = text_cells_of(p->r, p->line, p->end, head);
    if (!n || strchr("[{(", p->r->s[p->line + head[0].start])) /* rows of a matrix */
        return false;
    n = split_head(p, head, n);
    if (!is_head(p, head, n))
        return false;
    if (end_table(p) < 0)
        return true;
    begin_table(p, LAYOUT_TABLE);
    for (size_t i = 0; i < n; i++) {
        struct words w = {0};
        cell_words(p, p->line + head[i].start, p->line + head[i].end, &w);
        upper_words(p, &head[i], &w);
        head[i].label = evidence_label(p->r->e, &w);
        p->columns[i] = head[i];
    }
    p->column_count = n;
    return true;
}

/* What the rows of a table have on their left: the text, and numbers that have no column. */
static void row_words(struct text_page *p, const struct text_column *cells, size_t count,
                      struct words *w) {
    const struct text_reading *r = p->r;
    size_t column;
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        size_t from = p->line + cells[i].start, to = p->line + cells[i].end;
        bool has_column = right_of(p->columns, p->column_count, cells[i].edge, &column);
        if (number_cell(r, from, to) && (has_column || i > 0))
            continue;
        if (first && cells[i].start > 0 && p->outer_end && p->outer_end <= cells[i].start)
            for (unsigned k = 0; k < p->outer.count; k++)
                words_put(w, p->outer.hash[k]);
        if (first && cells[i].start == 0 && count > 1) {
            p->outer = (struct words){0};
            words_add(&p->outer, r->s + from, to - from);
            p->outer_end = cells[i].end;
        }
        cell_words(p, from, to, w);
        first = false;
    }
}

static bool is_digits(const struct text_reading *r, size_t from, size_t to) {
    while (from < to && isdigit((unsigned char)r->s[from]))
        from++;
    return from == to;
}

/* A table of nothing but numbers: the first column that has whole ones names the row. */
static void key_words(const struct text_page *p, const struct text_column *cells, size_t count,
                      struct words *w) {
    const struct text_reading *r = p->r;
    size_t column;
    for (size_t i = 0; i < count; i++)
        for (size_t k = p->line + cells[i].start; k < p->line + cells[i].end; k++)
            if (isalpha((unsigned char)r->s[k]) || (unsigned char)r->s[k] >= 0x80)
                return;
    for (size_t i = 0; i < count && i < 2; i++) {
        size_t from = p->line + cells[i].start, to = p->line + cells[i].end;
        if (!right_of(p->columns, p->column_count, cells[i].edge, &column) || column > 1 ||
            !is_digits(r, from, to) || to - from > 2)
            continue;
        *w = (struct words){0};
        words_add(w, r->s + from, to - from);
        return;
    }
}

static bool has_columns(const struct text_page *p) {
    struct text_column cells[MAX_COLUMNS];
    size_t n = text_cells_of(p->r, p->line, p->end, cells), column, aligned = 0;
    for (size_t i = 0; i < n; i++)
        aligned += right_of(p->columns, p->column_count, cells[i].edge, &column);
    size_t most = n < p->column_count ? n : p->column_count;
    return aligned * 2 >= most && aligned;
}

static int table_row(struct text_page *p) {
    struct text_column cells[MAX_COLUMNS];
    size_t n = text_cells_of(p->r, p->line, p->end, cells), column, used, numbers = 0;
    struct words w = {0};
    uint32_t label[PARTS] = {
        [PART_CODE] = p->code, [PART_LINE] = evidence_label(p->r->e, &p->heading)};
    row_words(p, cells, n, &w);
    key_words(p, cells, n, &w);
    label[PART_ROW] = evidence_label(p->r->e, &w);
    for (size_t i = 0; i < n; i++) {
        size_t from = p->line + cells[i].start, to = p->line + cells[i].end;
        while (from < to && !starts_number(p->r, from))
            from++;
        if (from == to || !number_cell(p->r, p->line + cells[i].start, to))
            continue;
        bool has_column = right_of(p->columns, p->column_count, cells[i].edge, &column);
        if (!has_column && i == 0)
            continue; /* the index */
        label[PART_COLUMN] = has_column ? p->columns[column].label : 0;
        int e = push_readings(p, from, &used, label);
        if (e < 0)
            return e;
        numbers++;
    }
    bool group = !label[PART_ROW] || !p->r->e->labels[label[PART_ROW]].stats;
    p->rows += numbers > 0 && group && !is_margin(p->r, p->line, p->line + cells[0].end);
    return 0;
}

/* --- series: a label and a number in each line, the name in the last --- */

static bool line_starts(const struct text_reading *r, size_t i, const char *text) {
    return r->len - i >= strlen(text) && memcmp(r->s + i, text, strlen(text)) == 0;
}

static bool try_series(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t at = p->line, lines = 0;
    while (at < r->len && lines++ < LONG_BLOCK) {
        size_t end = text_line_end(r, at);
        if (line_starts(r, at, "Name: ") || line_starts(r, at, "dtype: "))
            break;
        struct text_column cells[MAX_COLUMNS];
        size_t n = text_cells_of(r, at, end, cells);
        bool last = n > 1 && number_cell(r, at + cells[n - 1].start, at + cells[n - 1].end);
        for (size_t i = 0; n > 2 && i + 1 < n; i++)
            last = last && !number_cell(r, at + cells[i].start, at + cells[i].end);
        if (n == 0 || (!last && at > p->line))
            return false;
        at = end + 1;
    }
    if (at >= r->len || lines < 2 || lines > LONG_BLOCK ||
        !(line_starts(r, at, "Name: ") || line_starts(r, at, "dtype: ")))
        return false;
    begin_table(p, LAYOUT_SERIES);
    if (line_starts(r, at, "Name: ")) {
        struct words w = {0};
        size_t end = text_line_end(r, at), name = at + strlen("Name: ");
        const char *comma = memchr(r->s + name, ',', end - name);
        words_add(&w, r->s + name, (comma ? (size_t)(comma - r->s) : end) - name);
        p->name = evidence_label(r->e, &w);
    }
    return true;
}

static int series_row(struct text_page *p) {
    struct text_column cells[MAX_COLUMNS];
    size_t n = text_cells_of(p->r, p->line, p->end, cells), used;
    uint32_t label[PARTS] = {[PART_CODE] = p->code,
                             [PART_COLUMN] = p->name,
                             [PART_LINE] = evidence_label(p->r->e, &p->heading)};
    struct words w = {0};
    if (line_starts(p->r, p->line, "Name: ") || line_starts(p->r, p->line, "dtype: "))
        return end_table(p);
    if (n < 2) {
        take_index(p);
        return 0;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        if (i == 0 && cells[0].start > 0 && p->outer_end && p->outer_end <= cells[0].start)
            w = p->outer;
        if (i == 0 && cells[0].start == 0 && n > 2) {
            p->outer = (struct words){0};
            words_add(&p->outer, p->r->s + p->line, cells[0].end);
            p->outer_end = cells[0].end;
        }
        words_add(&w, p->r->s + p->line + cells[i].start, cells[i].end - cells[i].start);
    }
    label[PART_ROW] = evidence_label(p->r->e, &w);
    size_t from = p->line + cells[n - 1].start;
    while (from < p->end && !starts_number(p->r, from))
        from++;
    if (from == p->end) { /* the names of an index of several levels */
        take_index(p);
        return 0;
    }
    p->rows++;
    return push_readings(p, from, &used, label);
}

/* --- tables by marks: CSV, and the lines of Markdown --- */

static size_t marks_in(const struct text_reading *r, size_t from, size_t to, char mark) {
    size_t n = 0;
    for (; from < to; from++)
        n += r->s[from] == mark;
    return n;
}

static bool try_marks(struct text_page *p) {
    const struct text_reading *r = p->r;
    static const char marks[] = ",;\t|";
    size_t next = p->end + 1, column = 0, from = p->line;
    for (size_t i = p->line; i < p->end; i++)
        if (isdigit((unsigned char)r->s[i]) &&
            (i == p->line || !isalpha((unsigned char)r->s[i - 1])))
            return false;
    p->mark = 0;
    for (const char *m = marks; *m && !p->mark; m++) {
        size_t n = marks_in(r, p->line, p->end, *m);
        if (n && next < r->len && marks_in(r, next, text_line_end(r, next), *m) == n)
            p->mark = *m;
    }
    if (!p->mark)
        return false;
    begin_table(p, LAYOUT_MARKS);
    for (size_t i = p->line; i <= p->end && column < MAX_COLUMNS; i++) {
        if (i < p->end && r->s[i] != p->mark)
            continue;
        struct words w = {0};
        words_add(&w, r->s + from, i - from);
        p->columns[column++].label = evidence_label(r->e, &w);
        from = i + 1;
    }
    p->column_count = column;
    return true;
}

static void texts_of_row(const struct text_page *p, struct words *w) {
    size_t from = p->line;
    for (size_t i = p->line; i <= p->end; i++) {
        if (i < p->end && p->r->s[i] != p->mark)
            continue;
        bool text = false;
        for (size_t k = from; k < i && !text; k++)
            text = isalpha((unsigned char)p->r->s[k]) || (unsigned char)p->r->s[k] >= 0x80;
        if (text || from == p->line)
            words_add(w, p->r->s + from, i - from);
        from = i + 1;
    }
}

static int marks_row(struct text_page *p) {
    uint32_t label[PARTS] = {[PART_CODE] = p->code};
    struct words w = {0};
    size_t column = 0, used;
    texts_of_row(p, &w);
    label[PART_ROW] = evidence_label(p->r->e, &w);
    for (size_t i = p->line; i < p->end; i += used) {
        used = 1;
        if (p->r->s[i] == p->mark) {
            column++;
        } else if (starts_number(p->r, i)) {
            label[PART_COLUMN] = column < p->column_count ? p->columns[column].label : 0;
            int e = push_readings(p, i, &used, label);
            if (e < 0)
                return e;
            used = used ? used : 1;
        }
    }
    p->rows++;
    return 0;
}

/* --- plain text --- */

/* "all amounts in million euros": a label of no number says so. */
static void take_scale(struct text_page *p, size_t from, size_t end) {
    struct words w = {0};
    words_add(&w, p->r->s + from, end - from);
    evidence_label(p->r->e, &w);
}

static bool ends_in_colon(const struct text_page *p) {
    size_t end = p->end;
    while (end > p->line && p->r->s[end - 1] == ' ')
        end--;
    return end > p->line && p->r->s[end - 1] == ':';
}

/* A line without a number that announces the ones below it. */
static void take_heading(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t end = p->end, from = p->line;
    while (end > from && isspace((unsigned char)r->s[end - 1]))
        end--;
    if (end == from || (p->heading.count && !memchr(r->s + from, ' ', end - from)))
        return; /* one word under a heading is the name of an index */
    bool colon = r->s[end - 1] == ':', decorated = strchr("=#-*", r->s[from]) != NULL;
    p->heading = (struct words){0};
    if (colon || decorated)
        words_add(&p->heading, r->s + from, end - from);
    else if (words_any(r->s + from, end - from, "thousand thousands million millions billion"))
        take_scale(p, from, end);
}

static bool separates(char c) {
    return c == ',' || c == ';' || c == '|' || c == '{' || c == '[' || c == '(' || c == ')' ||
           c == ']' || c == '}' || c == '\t';
}

/* Dictionaries that one print writes line by line are one table. */
static void bracket_opens(struct text_page *p, size_t from, size_t i) {
    uint32_t statement = shown_statement(p->r->shown);
    if (!p->depth && (!p->bracket || !statement || statement != p->printed)) {
        p->bracket = ++p->r->e->tables;
        p->printed = statement;
    }
    if (!p->depth)
        p->entries = 1;
    if (p->depth < MAX_NESTING) {
        p->keys[p->depth] = (struct words){0};
        words_add(&p->keys[p->depth], p->r->s + from, i - from);
    }
    p->depth++;
}

static int bracket_closes(struct text_page *p, size_t i) {
    if (!p->depth || --p->depth || p->entries < 2)
        return 0;
    struct evidence_item item = p->r->like;
    item.value = (long double)p->entries;
    item.num = (struct num){.value = item.value, .sig = p->entries < 10 ? 1 : 2};
    item.counted = true;
    item.bulk = false;
    item.table = p->bracket;
    item.position = i;
    item.label[PART_COLUMN] = evidence_label(p->r->e, &p->keys[0]);
    item.label[PART_CODE] = p->code ? p->code : item.label[PART_CODE];
    return evidence_push(p->r->e, &item);
}

static int track_bracket(struct text_page *p, size_t from, size_t i) {
    char c = p->r->s[i];
    if (c == '{' || c == '[')
        bracket_opens(p, from, i);
    else if (c == '}' || c == ']')
        return bracket_closes(p, i);
    p->entries += c == ',' && p->depth == 1;
    return 0;
}

/* The quoted text at i, if it is a name and no number: how long it is with its quotes. */
static size_t quoted_name(const struct text_page *p, size_t i) {
    const char *s = p->r->s;
    size_t rest = text_line_end(p->r, i) - i, most = rest < LONG_NAME ? rest : LONG_NAME;
    const char *end = s[i] == '\'' || s[i] == '"' ? memchr(s + i + 1, s[i], most - 1) : NULL;
    bool letters = false;
    for (const char *c = s + i + 1; end && c < end; c++)
        letters = letters || isalpha((unsigned char)*c) || (unsigned char)*c >= 0x80;
    return letters ? (size_t)(end - s) - i + 1 : 0;
}

/* The texts that stand as values in the dictionary around i: {'name': 'Kepler-10b', 'mass': 3.3} */
static void words_of_dictionary(const struct text_page *p, size_t i, struct words *w) {
    const char *s = p->r->s;
    size_t from = i, to = i;
    while (from > 0 && i - from < LONG_ROW && s[from - 1] != '{' && s[from - 1] != '}')
        from--;
    while (to < p->r->len && to - i < LONG_ROW && s[to] != '{' && s[to] != '}')
        to++;
    for (size_t k = from; k < to; k++) {
        size_t n = quoted_name(p, k);
        if (n && k > from + 1 && s[k - 1] == ' ' && s[k - 2] == ':')
            words_add(w, s + k, n);
        k += n ? n - 1 : 0;
    }
}

/* In brackets: what is a row, and what a column? `key` is what the number stands behind. */
static void bracket_labels(struct text_page *p, size_t i, const struct words *key, bool keyed,
                           uint32_t label[PARTS]) {
    struct words row = {0}, empty = {0};
    for (size_t k = 1; k < p->depth && k < MAX_NESTING; k++)
        for (unsigned m = 0; m < p->keys[k].count; m++)
            words_put(&row, p->keys[k].hash[m]);
    if (!row.count && keyed)
        words_of_dictionary(p, i, &row);
    const struct words *column = row.count ? key : &empty;
    if (!row.count)
        row = *key;
    label[PART_ROW] = evidence_label(p->r->e, &row);
    label[PART_COLUMN] = evidence_label(p->r->e, column->count ? column : &p->keys[0]);
    label[PART_LINE] = column->count ? evidence_label(p->r->e, &p->keys[0]) : 0;
}

/* "North: mean 3, median 4": what the line begins with holds for all of it. What stands just before
 * the first number holds for the others only if nothing stands before them: "total: 12, mean: 3". */
/* "cluster 0: 60 customers, mean age 22": the first number has a name of its own behind it. */
static bool is_named_behind(const struct text_page *p, size_t first) {
    const char *s = p->r->s;
    struct num num;
    size_t i = first + num_scan(s + first, p->end - first, NUM_GROUPS, &num), letters = 0;
    if (memchr(s + i, ':', p->end - i) || memchr(s + i, '=', p->end - i))
        return false;
    for (; i < p->end && !separates(s[i]) && !starts_number(p->r, i); i++)
        letters += isalpha((unsigned char)s[i]) != 0;
    return letters > 2 && i < p->end && s[i] == ',';
}

static void prefix_words(const struct text_page *p, size_t first, size_t i, bool named,
                         struct words *w) {
    const char *colon = memchr(p->r->s + p->line, ':', first - p->line);
    if (!colon || first == i)
        return;
    size_t at = (size_t)(colon - p->r->s), behind = at + 1;
    while (behind < first && strchr(" +-$", p->r->s[behind]))
        behind++;
    if (behind < first || !named || is_named_behind(p, first))
        words_add(w, p->r->s + p->line, at - p->line);
}

static bool is_unit(const char *s, size_t len) {
    return words_any(
        s, len,
        "kg g mg t tonnes km m cm mm mi miles l ml s sec seconds ms us min minutes h hrs "
        "hours days weeks months years kwh mwh gwh wh kw w kb mb gb tb kib mib gib bn mn "
        "k m2 m3 ha eur usd gbp chf euro euros dollars percent pct pp bp bps points "
        "degrees c f hz bar pa n v a stunden tage jahre minuten sekunden");
}

/* Does the line say what a number is before the first one, in words of its own? */
static bool labels_lead(const struct text_page *p) {
    const char *s = p->r->s;
    size_t i = p->line;
    struct words before = {0}, filled = {0};
    while (i < p->end && !starts_number(p->r, i))
        i++;
    words_add(&before, s + p->line, i - p->line);
    shown_filled(p->r->shown, s + p->line, i - p->line, &filled);
    return before.count > filled.count && !memchr(s + p->line, ':', p->end - p->line);
}

/* Does "name:" or "name=" stand before the number at a place? */
static bool is_told_before(const struct text_page *p, size_t i) {
    while (i > p->line && strchr(" +-$", p->r->s[i - 1]))
        i--;
    return i > p->line && strchr(":=", p->r->s[i - 1]);
}

/* Where the word behind a number ends, if it is its unit: others stand between it and the next. */
static size_t unit_end(const struct text_page *p, size_t from) {
    const char *s = p->r->s;
    size_t at = from, start, next = from;
    uint32_t unit, hash = 0;
    while (next < p->end && !separates(s[next]) && !starts_number(p->r, next))
        next++;
    if (next == p->end || separates(s[next]) || !words_next(s, next, &at, &unit, &start) ||
        word_statistic(unit))
        return from;
    size_t end = at;
    const char *gap = memmem(s + end, next - end, "  ", 2);
    if (gap && gap + 2 < s + next) /* "421.8 thousand km   T = 1.8" */
        return (size_t)(gap - s);
    if (is_unit(s + start, at - start)) /* "141.9 km 4320 m" */
        return end;
    if (is_told_before(p, next)) /* "best day: 12 worst day: 3" */
        return from;
    if (labels_lead(p) && !is_unit(s + start, at - start))
        return from;
    while (!hash && words_next(s, next, &at, &hash, &start))
        ;
    return hash ? end : from;
}

/* The words behind a number, unless they announce the next. `between`: so do those that stand just
 * before it. */
static void words_behind(const struct text_page *p, size_t from, bool between, struct words *w) {
    const char *s = p->r->s;
    struct num whole;
    if (p->end - from > 4 && memcmp(s + from, " of ", 4) == 0) /* "486 of 8000 bought" */
        from += 4 + num_scan(s + from + 4, p->end - from - 4, NUM_GROUPS, &whole);
    size_t i = from;
    while (i < p->end && !separates(s[i]) && !starts_number(p->r, i) && s[i] != ':' && s[i] != '=')
        i++;
    size_t unit = unit_end(p, from);
    if (unit > from && unit < i) { /* "2060 hits  median 67.4" */
        words_add(w, s + from, unit - from);
        return;
    }
    bool own = i == p->end || (s[i] != ':' && s[i] != '=' && (separates(s[i]) || !between));
    size_t start;
    uint32_t hash;
    while (own && words_next(s, i, &from, &hash, &start))
        if (!word_statistic(hash) || !between) /* "19.5 min" is no minimum */
            words_put(w, hash);
}

/* What the print filled in before the number, or else anywhere in the line, is a row; the rest of
 * the line is a column then. */
static void divide_line(const struct text_page *p, size_t i, struct words *row,
                        struct words *line) {
    struct words filled = {0}, rest = {0};
    shown_filled(p->r->shown, p->r->s + p->line, i - p->line, &filled);
    if (!filled.count)
        shown_filled(p->r->shown, p->r->s + p->line, p->end - p->line, &filled);
    for (unsigned m = 0; m < filled.count; m++)
        words_put(row, filled.hash[m]);
    for (unsigned m = 0; m < line->count; m++)
        if (!words_hold(&filled, line->hash[m]))
            words_put(&rest, line->hash[m]);
    if (rest.count)
        *line = rest;
}

static size_t numbers_in_line(const struct text_page *p) {
    size_t n = 0, used;
    struct num num;
    for (size_t i = p->line; i < p->end; i += used) {
        used = starts_number(p->r, i) && !line_name_at(p, i)
                   ? num_scan(p->r->s + i, p->end - i, NUM_GROUPS, &num)
                   : 0;
        n += used > 0;
        used = used ? used : 1;
    }
    return n;
}

static int plain_number(struct text_page *p, size_t i, size_t near, size_t first, bool alone,
                        size_t *ret_used) {
    const struct text_reading *r = p->r;
    struct words line = {0}, row = p->heading;
    uint32_t label[PARTS] = {[PART_CODE] = p->code};
    struct num num;
    size_t n = num_scan(r->s + i, p->end - i, NUM_GROUPS, &num);
    words_add_from(&line, r->s, near, i);
    if (!line.count)
        words_add(&line, r->s + p->open, i - p->open); /* ('butter', 145) */
    if (!line.count && p->open == near && !p->depth)   /* "best day Sat (210)" */
        words_add(&line, r->s + p->before_open, near - p->before_open);
    struct words before = line;
    bool named = line.count > 0;
    if (!p->depth || !line.count)
        words_behind(p, i + n, line.count && !alone, &line);
    if (!line.count && first < i)
        before = line = p->line_words.last; /* "variant B: 486 of 8000" */
    p->line_words.last = before;
    if (p->depth) {
        bool keyed = i > near + 1 && memchr(r->s + near, ':', i - near);
        bracket_labels(p, i, &line, keyed, label);
        return push_readings(p, i, ret_used, label);
    }
    prefix_words(p, first, i, named, &row);
    for (unsigned m = 0; m < p->line_words.cell.count; m++)
        words_put(&row, p->line_words.cell.hash[m]);
    divide_line(p, i, &row, &line);
    label[PART_LINE] = evidence_label(r->e, &line);
    label[PART_ROW] = evidence_label(r->e, &row);
    return push_readings(p, i, ret_used, label);
}

/* "best day Sat (210)", but not "k(210)" */
static bool aside(const struct text_page *p, size_t i) {
    return p->r->s[i] == '(' && i > p->line && p->r->s[i - 1] == ' ';
}

/* "over 30 min: 42": the number is part of what the line calls the one behind the colon. */
static bool names_line(const struct text_page *p, size_t i) {
    const char *s = p->r->s, *colon = memchr(s + i, ':', p->end - i);
    size_t at = colon ? (size_t)(colon - s) : p->end, behind = at + 1;
    bool words = false;
    if (p->depth || at + 1 >= p->end || s[at + 1] != ' ' || memchr(s + p->line, ':', i - p->line))
        return false;
    for (size_t k = p->line; k < at; k++) {
        if (strchr(",;|=[{", s[k]))
            return false;
        words = words || isalpha((unsigned char)s[k]);
    }
    while (behind < p->end && !starts_number(p->r, behind))
        behind++;
    return words && i > p->line && behind < p->end;
}

static int plain_line(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t near = p->line, used, first = p->end;
    bool behind = false; /* a number, without anything that separates */
    p->open = p->before_open = p->line;
    p->line_words.last = p->line_words.cell = (struct words){0};
    size_t numbers = numbers_in_line(p);
    p->several = numbers > 1;
    p->line_words.numbers = 0;
    if (!numbers || (numbers == 1 && ends_in_colon(p) &&
                     !memchr(r->s + p->line, '(', p->end - p->line))) /* "growth since 2021:" */
        take_heading(p);
    for (size_t i = p->line; i < p->end; i += used) {
        used = 1;
        size_t name = p->depth || (i && r->s[i - 1] == '(') ? quoted_name(p, i) : 0;
        if (name) {
            used = name;
        } else if (separates(r->s[i])) {
            int e = track_bracket(p, near, i);
            if (e < 0)
                return e;
            bool first_cell = strchr("|\t", r->s[i]) && first == p->end && near == p->line;
            if (first_cell && !p->depth)
                words_add(&p->line_words.cell, r->s + near, i - near);
            if (strchr("([{|;", r->s[i]))
                p->before_open = aside(p, i) ? near : i + 1, p->open = i + 1;
            else if (behind) /* what stands here belongs to the number before */
                p->open = p->before_open = i + 1;
            near = i + 1;
            behind = false;
        } else if (starts_number(r, i) && line_name_at(p, i)) {
            used = line_name_at(p, i);
        } else if (starts_number(r, i) && names_line(p, i)) {
            int e = push_readings(p, i, &used, (const uint32_t[PARTS]){0});
            if (e < 0)
                return e;
            used = used ? used : 1;
        } else if (starts_number(r, i)) {
            first = first < i ? first : i;
            int e = plain_number(p, i, near, first, numbers == 1, &used);
            if (e < 0)
                return e;
            used = used ? used : 1;
            p->open = p->before_open = near = unit_end(p, i + used);
            behind = true;
        }
    }
    return 0;
}

/* --- the whole --- */

static bool is_blank(const struct text_page *p) {
    for (size_t i = p->line; i < p->end; i++)
        if (!isspace((unsigned char)p->r->s[i]))
            return false;
    return true;
}

/* A line of a list or dictionary that is written on several: its commas make no columns. */
static bool in_brackets(const struct text_page *p) {
    size_t i = p->line;
    while (i < p->end && p->r->s[i] == ' ')
        i++;
    return p->depth && strchr("\"'{}[]", p->r->s[i]);
}

static int read_line(struct text_page *p) {
    struct text_reading *r = p->r;
    if (is_blank(p)) {
        p->heading = (struct words){0};
        return end_table(p);
    }
    if (r->shown)
        p->code = shown_line(r->shown, r->s + p->line, p->end - p->line);
    if (p->layout == LAYOUT_TEXT && in_brackets(p))
        return plain_line(p);
    if (p->layout == LAYOUT_MARKS) {
        if (marks_in(r, p->line, p->end, p->mark) + 1 == p->column_count)
            return marks_row(p);
        int e = end_table(p);
        if (e < 0)
            return e;
    }
    if (p->layout == LAYOUT_SERIES)
        return series_row(p);
    if (p->layout == LAYOUT_TABLE) {
        size_t had = p->rows;
        bool row = has_columns(p);
        size_t items = r->e->count;
        int e = row ? table_row(p) : 0;
        if (!had && !p->rows && !numbers_in_line(p))
            take_index(p);
        if (e < 0 || r->e->count > items || (!numbers_in_line(p) && (row || !had)))
            return e;
        e = end_table(p);
        if (e < 0)
            return e;
    }
    if (r->like.stream != EVIDENCE_QUESTION && (try_head(p) || try_series(p)))
        return p->layout == LAYOUT_SERIES ? series_row(p) : 0;
    return r->like.stream != EVIDENCE_QUESTION && try_marks(p) ? 0 : plain_line(p);
}

int evidence_text(struct text_reading *r, size_t *ret_count) {
    struct text_page p = {.r = r};
    int e = 0;
    *ret_count = 0;
    for (size_t at = 0; e == 0 && at < r->len && r->e->count < MAX_EVIDENCE; at = p.end + 1) {
        p.line = at;
        p.end = text_line_end(r, at);
        if (p.end > at && r->s[p.end - 1] == '\r')
            p.end--;
        e = read_line(&p);
        if (p.end < r->len && r->s[p.end] == '\r')
            p.end++;
    }
    if (e == 0)
        e = end_table(&p);
    *ret_count = p.count;
    return e;
}
