/* Plain lines of a printed text, and what stands in brackets: what each number of them is about. */
#include "agent/evidence/evidence_page.h"

#include <ctype.h>
#include <string.h>

#define LONG_NAME 80 /* a quoted text that is longer is no name */
#define LONG_ROW 400 /* bytes beside a number in which its dictionary names it */

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
        p->brackets[p->depth].key = (struct words){0};
        words_add(&p->brackets[p->depth].key, p->r->s + from, i - from);
        p->brackets[p->depth].at = i;
        p->brackets[p->depth].commas = 0;
    }
    p->depth++;
}

/* The open_bracket open bracket; 0 if there is none. */
static char inner_bracket(const struct text_page *p) {
    return p->depth && p->depth <= MAX_NESTING ? p->r->s[p->brackets[p->depth - 1].at] : 0;
}

/* Does a tuple begin there, and no remark in brackets? */
static bool opens_tuple(const struct text_page *p, size_t i) {
    size_t at = p->line;
    while (at < i && p->r->s[at] == ' ')
        at++;
    return p->r->s[i] == '(' && (p->depth || at == i) && memchr(p->r->s + i, ')', p->end - i);
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
    item.label[PART_COLUMN] = evidence_label(p->r->e, &p->brackets[0].key);
    item.label[PART_CODE] = p->code ? p->code : item.label[PART_CODE];
    return evidence_push(p->r->e, &item);
}

static int track_bracket(struct text_page *p, size_t from, size_t i) {
    char c = p->r->s[i];
    if (c == '{' || c == '[' || opens_tuple(p, i))
        bracket_opens(p, from, i);
    else if (c == '}' || c == ']' || (c == ')' && inner_bracket(p) == '('))
        return bracket_closes(p, i);
    p->entries += c == ',' && p->depth == 1;
    if (c == ',' && inner_bracket(p))
        p->brackets[p->depth - 1].commas++;
    return 0;
}

/* The quoted text at i, if it is a name and no number: how long it is with its quotes. */
static size_t quoted_name(const struct text_page *p, size_t i) {
    const char *s = p->r->s;
    size_t rest = page_line_end(p->r, i) - i, most = rest < LONG_NAME ? rest : LONG_NAME;
    const char *end = s[i] == '\'' || s[i] == '"' ? memchr(s + i + 1, s[i], most - 1) : NULL;
    bool letters = false;
    for (const char *c = s + i + 1; end && c < end; c++)
        letters = letters || isalpha((unsigned char)*c) || (unsigned char)*c >= 0x80;
    bool key = end && end + 1 < s + p->r->len && end[1] == ':'; /* '60+': 12 */
    return letters || key ? (size_t)(end - s) - i + 1 : 0;
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

static void put_more(struct words *w, const struct words *more) {
    for (unsigned m = 0; m < more->count; m++)
        words_put(w, more->hash[m]);
}

/* A word that no sentence has, for the numbers at one place of several rows. */
static uint32_t place_word(size_t place) {
    static const char *const places[] = {"(1", "(2", "(3", "(4", "(5", "(6", "(7", "(8"};
    return place < sizeof places / sizeof *places ? word_hash(places[place]) : 0;
}

static uint32_t place_label(const struct text_page *p, size_t place) {
    struct words w = {0};
    words_put(&w, place_word(place));
    return evidence_label(p->r->e, &w);
}

/* The texts that stand in the tuple or list around i are what it is about; which of its numbers it is
 * tells them apart. */
static void words_of_tuple(const struct text_page *p, struct words *row, struct words *column) {
    const char *s = p->r->s;
    size_t open = p->brackets[p->depth - 1].at, texts = 0, numbers = 0, k = open + 1;
    size_t most = p->r->len - open < LONG_ROW ? p->r->len - open : LONG_ROW;
    char close = s[open] == '(' ? ')' : ']';
    if (close == ']' && !memchr(s + open, '\'', most) && !memchr(s + open, '"', most))
        return; /* nothing but numbers */
    for (; k < p->r->len && k - open < LONG_ROW && s[k] != close; k++) {
        size_t n = quoted_name(p, k);
        if (n && texts++ < 3)
            words_add(row, s + k, n);
        numbers += !n && page_starts_number(p->r, k);
        k += n ? n - 1 : 0;
    }
    uint32_t place = place_word(p->brackets[p->depth - 1].commas);
    if (numbers > 1 && place && (texts || close == ')'))
        words_put(column, place);
}

/* In brackets: what is a row, and what a column? `key` is what the number stands behind. */
static void bracket_labels(struct text_page *p, size_t i, const struct words *key, bool keyed,
                           uint32_t label[PARTS]) {
    struct words row = {0}, empty = {0};
    for (size_t k = 1; k < p->depth && k < MAX_NESTING; k++)
        for (unsigned m = 0; m < p->brackets[k].key.count; m++)
            words_put(&row, p->brackets[k].key.hash[m]);
    if (keyed)
        words_of_dictionary(p, i, &row);
    struct words place = p->brackets[0].key;
    if (inner_bracket(p) == '(' || inner_bracket(p) == '[')
        words_of_tuple(p, &row, &place);
    bool tuple = place.count > p->brackets[0].key.count;
    const struct words *column = row.count && !tuple ? key : &empty;
    if (!row.count && !tuple)
        row = *key;
    if (p->brackets[0].at >= p->line)
        put_more(&row, &p->words.key);
    label[PART_ROW] = evidence_label(p->r->e, &row);
    label[PART_COLUMN] = evidence_label(p->r->e, column->count ? column : &place);
    label[PART_LINE] = column->count ? evidence_label(p->r->e, &p->brackets[0].key) : 0;
}

/* "cluster 0: 60 customers, mean age 22": the first number has a name of its own behind it. */
static bool is_named_behind(const struct text_page *p, size_t first) {
    const char *s = p->r->s;
    struct num num;
    size_t i = first + num_scan(s + first, p->end - first, NUM_GROUPS, &num), letters = 0;
    if (memchr(s + i, ':', p->end - i) || memchr(s + i, '=', p->end - i))
        return false;
    for (; i < p->end && !separates(s[i]) && !page_starts_number(p->r, i); i++)
        letters += isalpha((unsigned char)s[i]) != 0;
    return letters > 2 && i < p->end && s[i] == ',';
}

/* "North: mean 3, median 4": what the line begins with holds for all of it. What stands just before
 * the first number holds for the others only if nothing stands before them: "total: 12, mean: 3". */
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
    while (i < p->end && !page_starts_number(p->r, i))
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
    if (from + 1 < p->end && s[from] == ' ' && s[from + 1] == ' ') /* "units 12  n 5" */
        return from;
    while (next < p->end && !separates(s[next]) && !page_starts_number(p->r, next))
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
    if (between && from + 1 < p->end && s[from] == ' ' && s[from + 1] == ' ')
        return;
    while (i < p->end && !separates(s[i]) && !page_starts_number(p->r, i) && s[i] != ':' &&
           s[i] != '=')
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

size_t page_numbers_in_line(const struct text_page *p) {
    size_t n = 0, used;
    struct num num;
    for (size_t i = p->line; i < p->end; i += used) {
        used = page_starts_number(p->r, i) && !page_name_at(p, i)
                   ? num_scan(p->r->s + i, p->end - i, NUM_GROUPS, &num)
                   : 0;
        n += used > 0;
        used = used ? used : 1;
    }
    return n;
}

/* At least two numbers, and nothing else. */
static bool only_numbers_in(const char *s, size_t from, size_t to) {
    bool blank = false;
    for (size_t i = from; i < to; i++) {
        if (!isdigit((unsigned char)s[i]) && !strchr(" .,-+%\t", s[i]))
            return false;
        blank = blank || (i > from && i + 1 < to && strchr(" \t", s[i]));
    }
    return blank;
}

/* Has the line nothing but numbers, and so has one beside it? */
static bool is_bare(const struct text_page *p) {
    const char *s = p->r->s;
    size_t above = p->line ? p->line - 1 : 0;
    while (above > 0 && s[above - 1] != '\n')
        above--;
    return only_numbers_in(s, p->line, p->end) &&
           ((p->line && only_numbers_in(s, above, p->line - 1)) ||
            (p->end < p->r->len &&
             only_numbers_in(s, p->end + 1, page_line_end(p->r, p->end + 1))));
}

/* "7 852 0.17", one of many such lines: the first number says which it is. */
static void line_key(const struct text_page *p, size_t first, struct words *row) {
    const char *s = p->r->s;
    size_t end = first;
    while (end < p->end && isdigit((unsigned char)s[end]))
        end++;
    if (p->words.bare && end < p->end && strchr(" \t", s[end]) && end - first < 5 && !row->count)
        words_add(row, s + first, end - first);
}

/* "Faber  49  6337.02", "Tue 03 Sep 5 2 08:00": a name, and so many numbers; how many, or 0. */
static uint32_t row_shape(const struct text_page *p, size_t from, size_t to, size_t *ret_name) {
    const char *s = p->r->s;
    uint32_t numbers = 0;
    size_t name = to, i;
    while (name > from && !isalpha((unsigned char)s[name - 1]))
        name--;
    for (i = name;
         name > from && i + 1 < to && (s[i] == '-' || s[i] == '+' || isdigit((unsigned char)s[i]));
         i++)
        if (s[i + 1] == ' ') /* US-05, x1 */
            name = i + 1;
    for (i = from; i < name; i++)
        if (strchr(":;,=([{", s[i]))
            return 0;
    for (i = name; i < to && strchr(" _-./'|", s[i]); i++)
        ;
    *ret_name = name;
    while (i < to && name > from) {
        struct num num;
        size_t n = num_clock(s + i, to - i, &num);
        n = n ? n : num_scan(s + i, to - i, NUM_GROUPS, &num);
        if (!n)
            return 0;
        numbers++;
        for (i += n; i < to && strchr(" \t%-+|", s[i]); i++)
            ;
    }
    return numbers;
}

/* … and a line above or below has as many. */
static uint32_t shared_shape(const struct text_page *p, size_t *ret_name) {
    const struct text_reading *r = p->r;
    size_t above = p->line ? p->line - 1 : 0, below = p->end + 1, other;
    uint32_t shape = row_shape(p, p->line, p->end, ret_name);
    while (above > 0 && r->s[above - 1] != '\n')
        above--;
    bool digits = shape && isdigit((unsigned char)r->s[*ret_name - 1]) &&
                  !memmem(r->s + p->line, *ret_name - p->line, "  ", 2);
    bool shared =
        (shape > 1 || digits) &&
        ((p->line && row_shape(p, above, p->line - 1, &other) == shape) ||
         (below < r->len && row_shape(p, below, page_line_end(r, below), &other) == shape));
    return shared ? shape : 0;
}

/* The whole number that a line begins with, and the word behind it: how long both are, or 0. */
static size_t leading_number(const char *s, size_t from, size_t to, size_t *ret_word) {
    size_t i = from, digits, word;
    while (i < to && s[i] == ' ')
        i++;
    for (digits = i; i < to && isdigit((unsigned char)s[i]); i++)
        ;
    *ret_word = word = i + 1;
    if (i == digits || i - digits > 4 || word >= to || s[i] != ' ' ||
        !isalpha((unsigned char)s[word]))
        return 0;
    for (i = word; i < to && isalpha((unsigned char)s[i]); i++)
        ;
    return i - from;
}

/* "2 agents …" above "3 agents …": the number says which it is. */
static void leading_key(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t word, other, n = leading_number(r->s, p->line, p->end, &word), m;
    size_t above = p->line ? p->line - 1 : 0, below = p->end + 1;
    while (above > 0 && r->s[above - 1] != '\n')
        above--;
    bool same = false;
    if (n && p->line) {
        m = leading_number(r->s, above, p->line - 1, &other);
        same = m && above + m - other == p->line + n - word &&
               memcmp(r->s + other, r->s + word, p->line + n - word) == 0;
    }
    if (n && !same && below < r->len) {
        m = leading_number(r->s, below, page_line_end(r, below), &other);
        same = m && below + m - other == p->line + n - word &&
               memcmp(r->s + other, r->s + word, p->line + n - word) == 0;
    }
    if (same)
        words_add(&p->words.key, r->s + p->line, word - p->line);
}

/* Where the first cell of a line ends, if words stand in the next: two blanks or more lie between. */
static size_t leading_cell(const char *s, size_t from, size_t to, size_t *ret_next) {
    const char *gap = memmem(s + from, to - from, "  ", 2);
    size_t end = gap ? (size_t)(gap - s) : to, next = end;
    while (next < to && s[next] == ' ')
        next++;
    *ret_next = next;
    for (size_t i = from; i < end; i++)
        if (strchr(":;,=([{|", s[i]))
            return 0;
    return end > from && next < to && isalpha((unsigned char)s[next]) ? end : 0;
}

/* "North  mean 3  sd 2" above "South  mean 4  sd 1": the first cell says which it is. */
static void leading_name(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t above = p->line ? p->line - 1 : 0, below = p->end + 1, next, other, end, word;
    size_t own = leading_cell(r->s, p->line, p->end, &next);
    while (above > 0 && r->s[above - 1] != '\n')
        above--;
    for (word = next; word < p->end && !strchr(" =:", r->s[word]); word++)
        ;
    bool same = false;
    for (int k = 0; k < 2 && own && word < p->end && !same; k++) {
        size_t from = k ? below : above, to = k         ? page_line_end(r, below)
                                              : p->line ? p->line - 1
                                                        : 0;
        end = from < to ? leading_cell(r->s, from, to, &other) : 0;
        same = end && to - other > word - next &&
               memcmp(r->s + other, r->s + next, word + 1 - next) == 0;
    }
    if (!same)
        return;
    words_add(&p->words.key, r->s + p->line, own - p->line);
    p->words.name_end = own;
}

/* Of several numbers of a line, each has the words of what the print was given for it; where the line
 * has none, these stand for it. */
static void code_words(struct text_page *p, size_t i, uint32_t label[PARTS]) {
    const struct text_reading *r = p->r;
    struct shown_words w;
    bool known = shown_number(r->shown, r->s + p->line, p->end - p->line, i - p->line, &w);
    p->words.own_code = known && w.all && p->words.several;
    if (p->words.own_code)
        label[PART_CODE] = w.all;
    if (known && !label[PART_LINE])
        label[PART_LINE] = w.own;
    if (!label[PART_LINE] && p->words.shape)
        label[PART_LINE] = place_label(p, p->words.numbers);
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
        before = line = p->words.last; /* "variant B: 486 of 8000" */
    p->words.last = before;
    if (p->depth) {
        bool keyed = i > near + 1 && memchr(r->s + near, ':', i - near);
        bracket_labels(p, i, &line, keyed, label);
        return page_push(p, i, ret_used, label);
    }
    prefix_words(p, first, i, named, &row);
    put_more(&row, &p->words.cell);
    divide_line(p, i, &row, &line);
    if (p->words.shape) { /* a row of a table without a head */
        row = p->heading;
        words_add(&row, r->s + p->line, p->words.name_end - p->line);
        line = (struct words){0};
    }
    put_more(&row, &p->words.key);
    if (first < i)
        line_key(p, first, &row);
    label[PART_LINE] = evidence_label(r->e, &line);
    label[PART_ROW] = evidence_label(r->e, &row);
    code_words(p, i, label);
    return page_push(p, i, ret_used, label);
}

/* "best day Sat (210)", but not "k(210)" */
static bool aside(const struct text_page *p, size_t i) {
    return p->r->s[i] == '(' && i > p->line && p->r->s[i - 1] == ' ';
}

/* "over 30 min: 42", "frost days: 26 days above 20: 31": the number is part of what the line calls
 * the one behind the colon. `near`: where what tells of it begins. */
static bool names_line(const struct text_page *p, size_t near, size_t i) {
    const char *s = p->r->s, *colon = memchr(s + i, ':', p->end - i);
    size_t at = colon ? (size_t)(colon - s) : p->end, behind = at + 1;
    bool words = false;
    if (p->depth || at + 1 >= p->end || s[at + 1] != ' ' || memchr(s + near, ':', i - near))
        return false;
    for (size_t k = near; k < at; k++) {
        if (strchr(",;|=[{", s[k]))
            return false;
        words = words || isalpha((unsigned char)s[k]);
    }
    while (behind < p->end && !page_starts_number(p->r, behind))
        behind++;
    return words && i > near && behind < p->end;
}

/* "{41: 308.4, 43: 367.7}" */
static bool is_numeric_key(const struct text_page *p, size_t i) {
    const char *s = p->r->s;
    size_t n = 0;
    while (i + n < p->end && isdigit((unsigned char)s[i + n]))
        n++;
    return inner_bracket(p) == '{' && (s[i - 1] == '{' || s[i - 1] == ' ') && i + n + 1 < p->end &&
           s[i + n] == ':' && s[i + n + 1] == ' ';
}

static uint32_t key_label(const struct text_page *p) {
    return p->depth ? evidence_label(p->r->e, &p->brackets[0].key) : 0;
}

/* What is known of the line before its numbers are read. */
static size_t begin_line(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t numbers = page_numbers_in_line(p);
    p->open = p->before_open = p->line;
    if (p->depth && r->s[p->brackets[0].at] == '(') /* a remark that no bracket closes */
        p->depth = 0;
    p->words = (struct page_line){.several = numbers > 1, .bare = numbers > 1 && is_bare(p)};
    p->words.shape = p->depth ? 0 : shared_shape(p, &p->words.name_end);
    if (!p->words.shape)
        p->words.name_end = p->line;
    if (!p->depth && !p->words.shape)
        leading_name(p);
    if (!p->depth && p->words.name_end == p->line)
        leading_key(p);
    if (!numbers || (numbers == 1 && ends_in_colon(p) &&
                     !memchr(r->s + p->line, '(', p->end - p->line))) /* "growth since 2021:" */
        take_heading(p);
    return numbers;
}

/* What separates: a bracket, a comma, a bar. `near`: where what tells of the next number begins. */
static int plain_mark(struct text_page *p, size_t i, size_t near, bool first, bool behind) {
    char c = p->r->s[i];
    int e = track_bracket(p, near, i);
    if (e < 0)
        return e;
    if (strchr("|\t", c) && first && near == p->line && !p->depth)
        words_add(&p->words.cell, p->r->s + near, i - near);
    if (p->depth && strchr("([{", c))
        p->words.numbers = 0;
    if (strchr("([{|;", c))
        p->before_open = aside(p, i) ? near : i + 1, p->open = i + 1;
    else if (behind) /* what stands here belongs to the number before */
        p->open = p->before_open = i + 1;
    return 0;
}

int page_plain_line(struct text_page *p) {
    const struct text_reading *r = p->r;
    size_t numbers = begin_line(p), used, first = p->end, near = p->words.name_end;
    bool behind = false;    /* a number, without anything that separates */
    size_t remark = p->end; /* what stands before a bracket that has had no number so far */
    for (size_t i = p->words.name_end; i < p->end; i += used) {
        used = 1;
        size_t name = p->depth || (i && r->s[i - 1] == '(') ? quoted_name(p, i) : 0;
        if (name) {
            used = name;
        } else if (separates(r->s[i])) {
            int e = plain_mark(p, i, near, first == p->end, behind);
            if (e < 0)
                return e;
            if (r->s[i] == '(' && !behind)
                remark = near;
            near = r->s[i] == ')' && remark < i ? remark : i + 1; /* "cost (EUR) 12" */
            remark = r->s[i] == '(' ? remark : p->end;
            behind = false;
        } else if (page_starts_number(r, i) && page_name_at(p, i)) {
            used = page_name_at(p, i);
            if (!p->depth)
                words_add(&p->words.key, r->s + i, used);
        } else if (page_starts_number(r, i) &&
                   (is_numeric_key(p, i) || names_line(p, near, i))) { /* of what follows */
            uint32_t label[PARTS] = {
                [PART_COLUMN] = key_label(p), [PART_CODE] = key_label(p) ? p->code : 0};
            int e = page_push(p, i, &used, label);
            if (e < 0)
                return e;
            used = used ? used : 1;
        } else if (page_starts_number(r, i)) {
            remark = p->end;
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
