/* Numbers in text: printed tables, series, lists, JSON and plain lines, each with what the text says
 * about it. */
#include "agent/evidence/evidence_page.h"

#include <ctype.h>
#include <string.h>

#include "base/maxima.h"

size_t page_line_end(const struct text_reading *r, size_t i) {
    const char *eol = i < r->len ? memchr(r->s + i, '\n', r->len - i) : NULL;
    return eol ? (size_t)(eol - r->s) : r->len;
}

static bool is_quoted(const struct text_reading *r, size_t i) {
    size_t end = i;
    while (end < r->len && isdigit((unsigned char)r->s[end]))
        end++;
    return end + 1 < r->len && r->s[end] == r->s[i - 1] && r->s[end + 1] == ':';
}

bool page_starts_number(const struct text_reading *r, size_t i) {
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

static bool starts_year(const char *s, size_t len) {
    bool year = len >= 4 && (memcmp(s, "19", 2) == 0 || memcmp(s, "20", 2) == 0);
    return year && isdigit((unsigned char)s[2]) && isdigit((unsigned char)s[3]) &&
           (len == 4 || !(isdigit((unsigned char)s[4]) || s[4] == '.' || s[4] == ','));
}

/* Does the line above or below have a year at the same place, behind a name? */
static bool in_years(const struct text_page *p, size_t i) {
    const struct text_reading *r = p->r;
    size_t at = i - p->line, above = p->line ? p->line - 1 : 0, below = p->end + 1;
    bool name = isalpha((unsigned char)r->s[p->line]) || (unsigned char)r->s[p->line] >= 0x80;
    while (above > 0 && r->s[above - 1] != '\n')
        above--;
    if (!name || !starts_year(r->s + i, p->end - i))
        return false;
    size_t end = below < r->len ? page_line_end(r, below) : 0;
    return (p->line && above + at < p->line &&
            starts_year(r->s + above + at, p->line - 1 - above - at)) ||
           (below + at < end && starts_year(r->s + below + at, end - below - at));
}

/* "<30", "30-39" and "60+" at the beginning of a line name a group if a number follows: how long the rest
 * of the name is from i on, or 0. */
static size_t band_at(const struct text_page *p, size_t i) {
    const char *s = p->r->s;
    size_t from = p->line, end = i, at;
    while (from < i && s[from] == ' ')
        from++;
    bool bound = from < i && strchr("<>=", s[from]), more = false;
    while (from < i && strchr("<>= ", s[from]))
        from++;
    if (from < i)
        return 0;
    while (end < p->end && isdigit((unsigned char)s[end]))
        end++;
    size_t digits = end - i;
    if (end < p->end && s[end] == '+')
        end++;
    else if (end + 1 < p->end && s[end] == '-' && isdigit((unsigned char)s[end + 1]))
        for (end++; end < p->end && isdigit((unsigned char)s[end]); end++)
            ;
    for (at = end; at < p->end && !more; at++)
        more = isdigit((unsigned char)s[at]) != 0;
    return more && (bound || end > i + digits) && strchr(": \t|", s[end]) ? end - i : 0;
}

/* What is no number but names one: a date, or a year at the beginning of a line, before a number, or
 * among others; a band. */
size_t page_name_at(const struct text_page *p, size_t i) {
    const char *s = p->r->s;
    size_t n = date_at(p->r, i), end = i;
    while (end < p->end && isdigit((unsigned char)s[end]))
        end++;
    bool year = end == i + 4 && end < p->end && strchr(" :\t", s[end]) &&
                (memcmp(s + i, "19", 2) == 0 || memcmp(s + i, "20", 2) == 0);
    bool followed = end + 1 < p->end && (isdigit((unsigned char)s[end + 1]) || s[end + 1] == '-');
    bool named = i == p->line || (followed && s[i - 1] == ' ') || in_years(p, i);
    return n ? n : year && named ? 4 : band_at(p, i);
}

static bool negative(const struct text_reading *r, size_t i) {
    if (i == 0 || r->s[i - 1] != '-')
        return false;
    return i == 1 || !(isalnum((unsigned char)r->s[i - 2]) || strchr(")+", r->s[i - 2])); /* +-3 */
}

/* Does a percent sign stand there, or a word for it, or for percentage points? */
static bool says_percent(const struct text_reading *r, size_t i) {
    i += i < r->len && r->s[i] == ' ';
    size_t end = i;
    while (end < r->len && isalpha((unsigned char)r->s[end]))
        end++;
    return i < r->len &&
           (r->s[i] == '%' || words_any(r->s + i, end - i, "pp pct percent percentage Prozent"));
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
    item.percent = says_percent(r, i + n);
    item.statement = shown_statement(r->shown);
    if (!item.statement && p->layout == LAYOUT_TEXT && !p->depth)
        item.statement = p->words.shape; /* lines alike were written by one print */
    item.table = p->layout != LAYOUT_TEXT ? p->table : p->depth ? p->bracket : 0;
    item.several = p->layout == LAYOUT_TEXT ? p->words.several
                                            : p->layout == LAYOUT_TABLE && p->column_count > 2;
    item.own_code = p->layout == LAYOUT_TEXT && p->words.own_code;
    for (int k = 0; k < PARTS; k++)
        item.label[k] = label[k] ? label[k] : item.label[k];
    item.nth = p->layout != LAYOUT_TEXT ? 0 : ++p->words.numbers;
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
    return above || (next < r->len && commas_in(r, next, page_line_end(r, next)) == commas);
}

/* "1,234" is one number, but where commas separate. */
int page_push(struct text_page *p, size_t i, size_t *ret_len, const uint32_t label[PARTS]) {
    const struct text_reading *r = p->r;
    struct num num, grouped;
    size_t n = num_clock(r->s + i, p->end - i, &num);
    if (n) {
        *ret_len = n;
        p->count++;
        return text_push(p, i, n, &num, label);
    }
    n = num_scan(r->s + i, p->end - i, 0, &num);
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
        return table_end(p);
    }
    if (r->shown)
        p->code = shown_line(r->shown, r->s + p->line, p->end - p->line);
    if (p->layout == LAYOUT_TEXT && in_brackets(p))
        return page_plain_line(p);
    if (p->layout == LAYOUT_MARKS) {
        if (table_marks_in(r, p->line, p->end, p->mark) + 1 == p->column_count)
            return table_marks_row(p);
        int e = table_end(p);
        if (e < 0)
            return e;
    }
    if (p->layout == LAYOUT_SERIES)
        return table_series_row(p);
    if (p->layout == LAYOUT_TABLE) {
        size_t had = p->lines;
        if (had && !page_numbers_in_line(p) && table_try_head(p))
            return 0; /* another table with the same columns */
        bool row = table_has_columns(p);
        size_t items = r->e->count;
        int e = row ? table_row(p) : 0;
        if (!had && !page_numbers_in_line(p))
            table_take_index(p);
        if (e < 0 || r->e->count > items || (!page_numbers_in_line(p) && (row || !had)))
            return e;
        e = table_end(p);
        if (e < 0)
            return e;
    }
    if (r->like.stream != EVIDENCE_QUESTION && (table_try_head(p) || table_try_series(p)))
        return p->layout == LAYOUT_SERIES ? table_series_row(p) : 0;
    return r->like.stream != EVIDENCE_QUESTION && table_try_marks(p) ? 0 : page_plain_line(p);
}

int evidence_text(struct text_reading *r, size_t *ret_count) {
    struct text_page p = {.r = r};
    int e = 0;
    *ret_count = 0;
    for (size_t at = 0; e == 0 && at < r->len && r->e->count < MAX_EVIDENCE; at = p.end + 1) {
        p.line = at;
        p.end = page_line_end(r, at);
        if (p.end > at && r->s[p.end - 1] == '\r')
            p.end--;
        e = read_line(&p);
        if (p.end < r->len && r->s[p.end] == '\r')
            p.end++;
    }
    if (e == 0)
        e = table_end(&p);
    *ret_count = p.count;
    return e;
}
