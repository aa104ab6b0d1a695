/* Printed tables: by columns, as series of pandas, by marks as in CSV and Markdown. */
#include "agent/evidence/evidence_page.h"
#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

#define NO_LEVEL SIZE_MAX /* more than two, or names of several words */
#define LONG_BLOCK 400    /* lines in which the end of a series is looked for */

/* --- tables by columns --- */

static bool number_cell(const struct text_reading *r, size_t from, size_t to) {
    size_t digits = 0;
    if (to - from == 3 && memcmp(r->s + from, "NaN", 3) == 0)
        return true;
    for (size_t i = from; i < to; i++) {
        bool inside = i > from && isdigit((unsigned char)r->s[i - 1]);
        digits += isdigit((unsigned char)r->s[i]) != 0;
        if (!isdigit((unsigned char)r->s[i]) && !strchr("+-.,%e$", r->s[i]))
            return false;
        if (strchr("+-", r->s[i]) && inside) /* 2024-02 and 60+ are names */
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
            wide += utf8_goes_on(r->s[k]);
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

/* What is known of a table before a row is read. */
struct known_columns {
    const struct text_column *list;
    size_t count;
    size_t level; /* where the inner of two levels of the index begins; 0: there are none */
};

/* "US-05 1.052": what ends where a column does is a cell, and so is what stands before the inner of two
 * levels; one blank is enough behind it. */
static size_t split_cells(const struct text_reading *r, size_t line, struct known_columns known,
                          struct text_column *cells, size_t count) {
    struct text_column out[MAX_COLUMNS];
    size_t made = 0, column;
    for (size_t i = 0; i < count && made < MAX_COLUMNS; i++) {
        struct text_column rest = cells[i];
        size_t wide = rest.end - rest.edge;
        for (size_t at = rest.start; at < rest.end; at++) /* of what stands before the cell */
            wide -= utf8_goes_on(r->s[line + at]);
        for (size_t at = rest.start; at < rest.end && made + 1 < MAX_COLUMNS; at++) {
            wide += utf8_goes_on(r->s[line + at]);
            if (r->s[line + at] != ' ' || at == rest.start ||
                !(right_of(known.list, known.count, at - wide, &column) ||
                  (i == 0 && at - wide + 1 == known.level)))
                continue;
            out[made++] = (struct text_column){rest.start, at, at - wide, 0};
            rest.start = at + 1;
        }
        out[made++] = rest;
    }
    memcpy(cells, out, made * sizeof *out);
    return made;
}

/* The first of the lines below that has numbers: its cells, and where it begins. pandas names the
 * index on a line of its own. */
static size_t first_row(const struct text_page *p, struct known_columns head,
                        struct text_column *cells, size_t *ret_from) {
    const struct text_reading *r = p->r;
    size_t next = p->end + 1, n = 0;
    for (int tries = 0; tries < 2 && next < r->len; tries++) {
        n = text_cells_of(r, next, page_line_end(r, next), cells);
        n = split_cells(r, next, head, cells, n);
        *ret_from = next;
        for (size_t i = 0; i < n; i++)
            if (number_cell(r, next + cells[i].start, next + cells[i].end))
                return n;
        next = page_line_end(r, next) + 1;
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

/* "month  0  1  2", and below it a line with nothing but the name of the index. */
static bool is_counted_head(const struct text_page *p, const struct text_column *head,
                            size_t count) {
    const struct text_reading *r = p->r;
    size_t next = p->end + 1, last = 0;
    if (count < 3 || head[0].start > 0 ||
        number_cell(r, p->line + head[0].start, p->line + head[0].end) || next >= r->len)
        return false;
    for (size_t i = 1; i < count; i++) {
        size_t value = 0;
        for (size_t k = p->line + head[i].start; k < p->line + head[i].end; k++) {
            if (!isdigit((unsigned char)r->s[k]) || value > 9999)
                return false;
            value = value * 10 + (size_t)(r->s[k] - '0');
        }
        if (i > 1 && value <= last)
            return false;
        last = value;
    }
    for (size_t end = page_line_end(r, next); next < end; next++)
        if (isdigit((unsigned char)r->s[next]))
            return false;
    return isalpha((unsigned char)r->s[p->end + 1]);
}

/* "lag 1" may name a column, but "price 12.5" has a number of its own. */
static bool is_column_name(const struct text_reading *r, size_t from, size_t to) {
    size_t last = to;
    while (last > from && r->s[last - 1] != ' ')
        last--;
    return names_column(r, from, to) &&
           (last == from || to - last < 4 || names_column(r, last, to));
}

/* Is the first row not the next line, and does that one name more of its columns? */
static bool names_less(const struct text_page *p, const struct text_column *cells, size_t count,
                       size_t row, size_t aligned) {
    const struct text_reading *r = p->r;
    struct text_column between[MAX_COLUMNS];
    size_t next = p->end + 1, column, better = 0;
    size_t n = row > next ? text_cells_of(r, next, page_line_end(r, next), between) : 0;
    for (size_t i = 0; i < count; i++)
        better += number_cell(r, row + cells[i].start, row + cells[i].end) &&
                  right_of(between, n, cells[i].edge, &column);
    return better > aligned;
}

/* Does the line name the columns of the one that follows? Their right edges agree. */
static bool is_head(const struct text_page *p, const struct text_column *head, size_t count) {
    const struct text_reading *r = p->r;
    struct text_column cells[MAX_COLUMNS];
    size_t from = 0, aligned = 0, numbers = 0, column, own = 0, named = 0;
    size_t n = first_row(p, (struct known_columns){head, count, 0}, cells, &from);
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
        own += !is_column_name(r, p->line + head[i].start, p->line + head[i].end);
    return aligned && aligned * 2 >= numbers && named < aligned &&
           !names_less(p, cells, n, from, aligned) &&
           (own == 0 || (own == count && !words && head[0].start > 0) ||
            is_counted_head(p, head, count));
}

static bool has_digit(const struct text_reading *r, size_t from, size_t to) {
    for (; from < to; from++)
        if (isdigit((unsigned char)r->s[from]))
            return true;
    return false;
}

/* Names of columns that stand one blank apart: what stands above a number ends where it ends. */
static size_t split_head(const struct text_page *p, struct text_column *head, size_t count) {
    struct text_column cells[MAX_COLUMNS], out[MAX_COLUMNS];
    size_t from = 0, made = 0;
    size_t n = first_row(p, (struct known_columns){NULL, 0, 0}, cells, &from);
    for (size_t i = 0; i < count && made < MAX_COLUMNS; i++) {
        struct text_column rest = head[i];
        for (size_t k = 0; k < n && made + 1 < MAX_COLUMNS; k++) {
            size_t at = rest.end - (rest.edge - cells[k].edge);
            if (cells[k].edge >= rest.edge || cells[k].edge + rest.end <= rest.edge + rest.start)
                continue;
            bool number = number_cell(p->r, from + cells[k].start, from + cells[k].end) &&
                          !has_digit(p->r, p->line + head[i].start, p->line + head[i].end);
            at -= number && p->r->s[p->line + at] != ' ' && at > rest.start + 1; /* "mean " */
            if (p->r->s[p->line + at] != ' ')
                continue;
            out[made++] = (struct text_column){rest.start, at, cells[k].edge, 0};
            rest.start = at + 1;
        }
        out[made++] = rest;
    }
    for (size_t k = 0, column; k < n; k++) /* "True " has a blank behind it */
        for (size_t i = 0; i < made && !right_of(out, made, cells[k].edge, &column); i++)
            if (out[i].edge + 1 == cells[k].edge &&
                (p->line + out[i].end < p->end || p->r->s[p->line] == ' ') &&
                number_cell(p->r, from + cells[k].start, from + cells[k].end))
                out[i].edge++;
    memcpy(head, out, made * sizeof *out);
    return made;
}

static void begin_table(struct text_page *p, enum layout layout) {
    p->layout = layout;
    p->table = ++p->r->e->tables;
    p->rows = p->lines = 0;
    p->name = p->index.label = 0;
    p->index.truth = false;
    p->index.level = 0;
    p->index.none = false;
    p->outer = (struct words){0};
    p->outer_end = 0;
}

int table_end(struct text_page *p) {
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
    item.label[PART_COLUMN] = p->index.label;
    item.label[PART_CODE] = p->code ? p->code : item.label[PART_CODE];
    return evidence_push(p->r->e, &item);
}

/* A line that has nothing but the name of the index, above the first row. */
void table_take_index(struct text_page *p) {
    struct words w = {0};
    size_t end = p->end;
    words_add(&w, p->r->s + p->line, p->end - p->line);
    while (end > p->line && p->r->s[end - 1] == ' ')
        end--;
    p->index.truth = end > p->line + 3 && memcmp(p->r->s + end - 2, "ed", 2) == 0;
    p->index.label = evidence_label(p->r->e, &w);
    p->index.level = 0;
    for (size_t i = p->line + 1; i < end && isalpha((unsigned char)p->r->s[p->line]); i++)
        if (p->r->s[i] != ' ' && p->r->s[i - 1] == ' ')
            p->index.level = p->index.level ? NO_LEVEL : i - p->line;
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

enum truth { TRUTH_NONE, TRUTH_YES, TRUTH_NO };

static enum truth truth_of(const char *s, size_t n) {
    while (n && s[n - 1] == ' ')
        n--;
    if (n > 5)
        return TRUTH_NONE;
    return words_any(s, n, "True yes ja oui")     ? TRUTH_YES
           : words_any(s, n, "False no nein non") ? TRUTH_NO
                                                  : TRUTH_NONE;
}

/* What is called True or yes is what the others are called, too, or is not that. */
static void put_truth(const struct words *name, enum truth truth, struct words *w) {
    for (unsigned k = 0; k < name->count && truth != TRUTH_NONE; k++)
        words_put(w, truth == TRUTH_YES ? name->hash[k] : word_not(name->hash[k]));
}

static void column_truth(const struct text_page *p, const struct text_column *name,
                         const struct text_column *column, struct words *w) {
    struct words all = {0};
    words_add(&all, p->r->s + p->line + name->start, name->end - name->start);
    put_truth(&all, truth_of(p->r->s + p->line + column->start, column->end - column->start), w);
}

/* Is the first column one of texts, with a name of its own? */
static bool has_no_index(const struct text_page *p, const struct text_column *head, size_t count) {
    const struct text_reading *r = p->r;
    struct text_column cells[MAX_COLUMNS];
    size_t from = 0, n = first_row(p, (struct known_columns){head, count, 0}, cells, &from), at;
    if (!n || cells[0].edge != head[0].edge)
        return false;
    for (at = cells[0].end; at > cells[0].start && r->s[from + at - 1] != ' '; at--)
        ;
    return !number_cell(r, from + at, from + cells[0].end);
}

bool table_try_head(struct text_page *p) {
    struct text_column head[MAX_COLUMNS];
    size_t n = text_cells_of(p->r, p->line, p->end, head);
    if (!n || strchr("[{(", p->r->s[p->line + head[0].start])) /* rows of a matrix */
        return false;
    n = split_head(p, head, n);
    if (!is_head(p, head, n))
        return false;
    if (table_end(p) < 0)
        return true;
    begin_table(p, LAYOUT_TABLE);
    p->index.none = has_no_index(p, head, n);
    for (size_t i = 0; i < n; i++) {
        struct words w = {0};
        cell_words(p, p->line + head[i].start, p->line + head[i].end, &w);
        if (head[0].start == 0 && i > 0) /* what pandas calls all columns stands before them */
            column_truth(p, &head[0], &head[i], &w);
        upper_words(p, &head[i], &w);
        head[i].label = evidence_label(p->r->e, &w);
        p->columns[i] = head[i];
    }
    p->column_count = n;
    return true;
}

/* Rows called True and False, or 1 and 0 of what is "churned", are what the index is called, or not;
 * those of a count of values what the values are called. */
static void truth_words(const struct text_page *p, size_t from, size_t to, struct words *w) {
    const char *s = p->r->s + from;
    size_t n = to - from;
    enum truth truth = truth_of(s, n);
    uint32_t label = p->index.label ? p->index.label : p->name;
    if (n == 1 && p->index.truth)
        truth = *s == '1' ? TRUTH_YES : *s == '0' ? TRUTH_NO : TRUTH_NONE;
    const struct label *l = truth != TRUTH_NONE && label ? &p->r->e->labels[label] : NULL;
    struct words name = {0};
    for (size_t k = 0; l && k < l->count; k++)
        words_put(&name, p->r->e->pool[l->first + k]);
    put_truth(&name, truth, w);
}

/* The 6 of what is called month is June, the 0 of "dayofweek" Monday. */
static void calendar_words(const struct text_page *p, const struct text_column *cell,
                           uint32_t label, struct words *w) {
    const struct label *l = label ? &p->r->e->labels[label] : NULL;
    const char *s = p->r->s + p->line;
    unsigned value = 0;
    for (size_t i = cell->start; i < cell->end; i++) {
        if (!isdigit((unsigned char)s[i]) || value > 99)
            return;
        value = value * 10 + (unsigned)(s[i] - '0');
    }
    for (size_t k = 0; l && k < l->count; k++) {
        uint32_t word = p->r->e->pool[l->first + k];
        if (word == word_hash("month") || word == word_hash("dayofweek") ||
            word == word_hash("weekday"))
            words_put(w, word == word_hash("month") ? word_month(value) : word_weekday(value));
    }
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
        if (first)
            truth_words(p, from, to, w);
        first = false;
    }
    for (size_t i = 0; i < count && i < 2; i++) {
        bool has_column = right_of(p->columns, p->column_count, cells[i].edge, &column);
        if (i == 0 || has_column)
            calendar_words(p, &cells[i], has_column ? p->columns[column].label : p->index.label, w);
    }
}

/* 7, 12 or 1.6 */
static bool is_row_key(const struct text_reading *r, size_t from, size_t to) {
    size_t at = from, points = 0;
    for (; at < to && (isdigit((unsigned char)r->s[at]) || r->s[at] == '.'); at++)
        points += r->s[at] == '.';
    return at == to && points < 2 && to - from <= (points ? 4 : 2);
}

/* A table of nothing but numbers: the first column that has short ones names the row. */
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
        bool has_column = right_of(p->columns, p->column_count, cells[i].edge, &column);
        if (!has_column && i == 0)
            return; /* it names the row already */
        if (!has_column || column > 1 || !is_row_key(r, from, to))
            continue;
        *w = (struct words){0};
        words_add(w, r->s + from, to - from);
        return;
    }
}

/* Where the numbers begin that a cell ends with, behind a name; its end if there are none. */
static size_t numbers_behind(const struct text_reading *r, size_t from, size_t to) {
    size_t numbers = to;
    for (size_t end = to, at = to; at > from; end = at - 1) {
        for (at = end; at > from && r->s[at - 1] != ' '; at--)
            ;
        if (at == from || !number_cell(r, at, end))
            break;
        numbers = at;
    }
    for (size_t i = from; i < numbers; i++)
        if (strchr(":=", r->s[i]))
            return to;
    return numbers;
}

/* "max_drawdown -0.0799": one blank stands between a long name and what ends where a column does. */
static size_t row_cells(const struct text_page *p, struct text_column *cells) {
    const struct text_reading *r = p->r;
    struct text_column rest[MAX_COLUMNS];
    size_t n = text_cells_of(r, p->line, p->end, cells), column;
    struct known_columns known = {p->columns, p->column_count, p->index.level};
    n = split_cells(r, p->line, known, cells, n);
    if (!n || p->index.none || !right_of(p->columns, p->column_count, cells[0].edge, &column))
        return n;
    size_t from = p->line + cells[0].start, to = p->line + cells[0].end;
    size_t at = numbers_behind(r, from, to);
    if (at == to)
        return n;
    size_t before = at - p->line, wide = cells[0].end - cells[0].edge;
    size_t m = text_cells_of(r, at, p->end, rest);
    if (!m || !number_cell(r, at, at + rest[0].end))
        return n;
    cells[0].end = before - 1;
    cells[0].edge = before - 1 - wide;
    for (n = 0; n < m && n + 1 < MAX_COLUMNS; n++)
        cells[n + 1] = (struct text_column){rest[n].start + before, rest[n].end + before,
                                            rest[n].edge + before - wide, 0};
    return n + 1;
}

bool table_has_columns(const struct text_page *p) {
    struct text_column cells[MAX_COLUMNS];
    size_t n = row_cells(p, cells), column, aligned = 0;
    for (size_t i = 0; i < n; i++)
        aligned += right_of(p->columns, p->column_count, cells[i].edge, &column);
    size_t most = n < p->column_count ? n : p->column_count;
    return aligned * 2 >= most && aligned;
}

int table_row(struct text_page *p) {
    struct text_column cells[MAX_COLUMNS];
    size_t n = row_cells(p, cells), column, used, numbers = 0;
    struct words w = {0};
    uint32_t label[PARTS] = {
        [PART_CODE] = p->code, [PART_LINE] = evidence_label(p->r->e, &p->heading)};
    row_words(p, cells, n, &w);
    key_words(p, cells, n, &w);
    label[PART_ROW] = evidence_label(p->r->e, &w);
    for (size_t i = 0; i < n; i++) {
        size_t from = p->line + cells[i].start, to = p->line + cells[i].end;
        while (from < to && !page_starts_number(p->r, from))
            from++;
        if (from == to || !number_cell(p->r, p->line + cells[i].start, to))
            continue;
        bool has_column = right_of(p->columns, p->column_count, cells[i].edge, &column);
        if (!has_column && i == 0)
            continue; /* the index */
        label[PART_COLUMN] = has_column ? p->columns[column].label : 0;
        int e = page_push(p, from, &used, label);
        if (e < 0)
            return e;
        numbers++;
    }
    bool group = !label[PART_ROW] || !p->r->e->labels[label[PART_ROW]].stats;
    p->lines += numbers > 0;
    p->rows += numbers > 0 && group && !is_margin(p->r, p->line, p->line + cells[0].end);
    return 0;
}

/* --- series: a label and a number in each line, the name in the last --- */

static bool line_starts(const struct text_reading *r, size_t i, const char *text) {
    return r->len - i >= strlen(text) && memcmp(r->s + i, text, strlen(text)) == 0;
}

/* One blank is enough before the number. */
static size_t series_cells(const struct text_page *p, size_t from, size_t to,
                           struct text_column *cells) {
    const struct text_reading *r = p->r;
    struct known_columns known = {NULL, 0, p->layout == LAYOUT_SERIES ? p->index.level : 0};
    size_t n = split_cells(r, from, known, cells, text_cells_of(r, from, to, cells)), at, end;
    struct text_column *last = n ? &cells[n - 1] : NULL;
    for (at = end = last ? last->end : 0; at > 0 && r->s[from + at - 1] != ' '; at--)
        ;
    if (!last || at <= last->start || n == MAX_COLUMNS || !number_cell(r, from + at, from + end) ||
        number_cell(r, from + last->start, from + last->end))
        return n;
    cells[n] = (struct text_column){at, end, last->edge, 0};
    last->edge -= end - (at - 1);
    last->end = at - 1;
    return n + 1;
}

bool table_try_series(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t at = p->line, lines = 0;
    while (at < r->len && lines++ < LONG_BLOCK) {
        size_t end = page_line_end(r, at);
        if (line_starts(r, at, "Name: ") || line_starts(r, at, "dtype: "))
            break;
        struct text_column cells[MAX_COLUMNS];
        size_t n = series_cells(p, at, end, cells);
        bool last = n > 1 && number_cell(r, at + cells[n - 1].start, at + cells[n - 1].end);
        for (size_t i = 0; n > 2 && i + 1 < n; i++)
            last = last && !number_cell(r, at + cells[i].start, at + cells[i].end);
        if (n == 0 || (!last && (at > p->line || has_digit(r, at, end))))
            return false; /* but for the name of the index, on the first line */
        at = end + 1;
    }
    if (at >= r->len || lines < 2 || lines > LONG_BLOCK ||
        !(line_starts(r, at, "Name: ") || line_starts(r, at, "dtype: ")))
        return false;
    begin_table(p, LAYOUT_SERIES);
    if (line_starts(r, at, "Name: ")) {
        struct words w = {0};
        size_t end = page_line_end(r, at), name = at + strlen("Name: ");
        const char *comma = memchr(r->s + name, ',', end - name);
        words_add(&w, r->s + name, (comma ? (size_t)(comma - r->s) : end) - name);
        p->name = evidence_label(r->e, &w);
    }
    return true;
}

int table_series_row(struct text_page *p) {
    struct text_column cells[MAX_COLUMNS];
    size_t n = series_cells(p, p->line, p->end, cells), used;
    uint32_t label[PARTS] = {[PART_CODE] = p->code,
                             [PART_COLUMN] = p->name,
                             [PART_LINE] = evidence_label(p->r->e, &p->heading)};
    struct words w = {0};
    if (line_starts(p->r, p->line, "Name: ") || line_starts(p->r, p->line, "dtype: "))
        return table_end(p);
    if (n < 2) {
        table_take_index(p);
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
    truth_words(p, p->line + cells[0].start, p->line + cells[0].end, &w);
    label[PART_ROW] = evidence_label(p->r->e, &w);
    size_t from = p->line + cells[n - 1].start;
    while (from < p->end && !page_starts_number(p->r, from))
        from++;
    if (from == p->end) { /* the names of an index of several levels */
        table_take_index(p);
        return 0;
    }
    p->rows++;
    return page_push(p, from, &used, label);
}

/* --- tables by marks: CSV, and the lines of Markdown --- */

size_t table_marks_in(const struct text_reading *r, size_t from, size_t to, char mark) {
    size_t n = 0;
    for (; from < to; from++)
        n += r->s[from] == mark;
    return n;
}

/* A word of a head has no digit but in a name (p95), of a year or with a percent sign. */
static bool is_head_word(const struct text_reading *r, size_t from, size_t to) {
    bool letters = false, digits = false;
    for (size_t i = from; i < to; i++) {
        if (strchr("=:", r->s[i]))
            return false;
        letters = letters || isalpha((unsigned char)r->s[i]) || (unsigned char)r->s[i] >= 0x80;
        digits = digits || isdigit((unsigned char)r->s[i]);
    }
    return !digits || (letters && !isdigit((unsigned char)r->s[from])) ||
           (number_cell(r, from, to) && names_column(r, from, to));
}

/* Does the line consist of such words, with a letter in at least one? */
static bool marks_head(const struct text_page *p, char mark) {
    const char *s = p->r->s;
    char ends[] = {' ', '"', '\'', mark, 0};
    bool letters = false;
    for (size_t i = p->line, from; i < p->end; i++) {
        for (from = i; i < p->end && !strchr(ends, s[i]); i++)
            letters = letters || isalpha((unsigned char)s[i]) || (unsigned char)s[i] >= 0x80;
        if (i > from && !is_head_word(p->r, from, i))
            return false;
    }
    return letters;
}

bool table_try_marks(struct text_page *p) {
    const struct text_reading *r = p->r;
    static const char marks[] = ",;\t|";
    size_t next = p->end + 1, column = 0, from = p->line;
    p->mark = 0;
    for (const char *m = marks; *m && !p->mark; m++) {
        size_t n = table_marks_in(r, p->line, p->end, *m);
        if (n && next < r->len && table_marks_in(r, next, page_line_end(r, next), *m) == n &&
            marks_head(p, *m))
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
        if (text || from == p->line || (from == p->line + 1 && p->r->s[p->line] == p->mark))
            words_add(w, p->r->s + from, i - from);
        from = i + 1;
    }
}

int table_marks_row(struct text_page *p) {
    uint32_t label[PARTS] = {[PART_CODE] = p->code};
    struct words w = {0};
    size_t column = 0, used;
    texts_of_row(p, &w);
    label[PART_ROW] = evidence_label(p->r->e, &w);
    for (size_t i = p->line; i < p->end; i += used) {
        used = 1;
        if (p->r->s[i] == p->mark) {
            column++;
        } else if (page_starts_number(p->r, i)) {
            label[PART_COLUMN] = column < p->column_count ? p->columns[column].label : 0;
            int e = page_push(p, i, &used, label);
            if (e < 0)
                return e;
            used = used ? used : 1;
        }
    }
    p->rows++;
    return 0;
}
