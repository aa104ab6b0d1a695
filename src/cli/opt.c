#include "cli/opt.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- help --- */

#define HELP_COLUMN 26

/* Counts characters, not bytes: one of the names has a character of three bytes. */
static size_t columns_of(const char *text) {
    size_t n = 0;
    for (; *text; text++)
        n += (*text & 0xC0) != 0x80;
    return n;
}

static void help_row(const char *names, const char *text) {
    size_t len = columns_of(names);
    printf("  %s", names);
    if (len + 2 > HELP_COLUMN)
        printf("\n%*s%s\n", HELP_COLUMN + 2, "", text);
    else
        printf("%*s%s\n", (int)(HELP_COLUMN - len), "", text);
}

/* "-l, --language LANGUAGE" */
static void opt_names_of(const struct opt *row, char *to, size_t size) {
    snprintf(to, size, "%s%.*s%s%s%s%s", row->letter ? "-" : "", row->letter ? 1 : 0, &row->letter,
             row->letter && row->name ? ", " : "", row->name ? row->name : "",
             row->metavar ? " " : "", row->metavar ? row->metavar : "");
}

/* The row at `at`, or NULL after the last one. */
static const struct opt *row_at(const struct opt_table *t, size_t at) {
    for (const struct opt *const *part = t->rows; *part; part++)
        for (const struct opt *row = *part; row->help; row++)
            if (at-- == 0)
                return row;
    return NULL;
}

void opt_help(const struct opt_table *t) {
    const struct opt *row;
    char names[80];
    printf("usage: retort %s\n", t->usage);
    if (t->about)
        printf("\n%s\n", t->about);
    puts("");
    for (size_t i = 0; (row = row_at(t, i)); i++) {
        opt_names_of(row, names, sizeof names);
        help_row(names, row->help);
    }
    help_row("-h, --help", "print this");
    if (t->more)
        printf("\n%s", t->more);
}

/* --- values --- */

/* The option's name as the user knows it. */
static const char *called(const struct opt *row) {
    static _Thread_local char letter[3];
    if (row->name)
        return row->name;
    snprintf(letter, sizeof letter, "-%c", row->letter);
    return letter;
}

static int bad_value(const struct opt *row, const char *text, struct retort_error *err) {
    return err_set(err, ERR_CALLER, EINVAL, "%s takes %s, not '%.60s'", called(row), row->metavar,
                   text);
}

static int parse_amount(const struct opt *row, const char *text, double *ret,
                        struct retort_error *err) {
    char *end;
    errno = 0;
    double v = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(v) || v <= 0 || v > 1e15 ||
        (row->kind == OPT_COUNT && (v > UINT32_MAX || v != floor(v))))
        return bad_value(row, text, err);
    *ret = v;
    return 0;
}

static int store_number(const struct opt *row, const char *text, void *at,
                        struct retort_error *err) {
    char *end;
    errno = 0;
    uint64_t v = strtoull(text, &end, 10);
    if (end == text || *end || errno || strchr(text, '-') || v >= 1ull << 53)
        return bad_value(row, text, err);
    memcpy(at, &v, sizeof v);
    return 0;
}

static int store_amount(const struct opt *row, const char *text, void *at,
                        struct retort_error *err) {
    double v = 0;
    int r = parse_amount(row, text, &v, err);
    uint32_t count = (uint32_t)v;
    uint64_t bytes = (uint64_t)(v * (row->kind == OPT_MEGABYTES ? 1048576 : 1024));
    if (r < 0)
        return r;
    if (row->kind == OPT_SECONDS)
        memcpy(at, &v, sizeof v);
    else if (row->kind == OPT_COUNT)
        memcpy(at, &count, sizeof count);
    else
        memcpy(at, &bytes, sizeof bytes);
    return 0;
}

static int store_list(const struct opt *row, const char *text, struct opt_list *list,
                      struct retort_error *err) {
    if (list->n == OPT_MAX_LIST)
        return err_set(err, ERR_CALLER, EINVAL, "%s may be given at most %d times", called(row),
                       OPT_MAX_LIST);
    list->at[list->n++] = text;
    return 0;
}

static int store(const struct opt *row, const char *text, void *ret, struct retort_error *err) {
    void *at = (char *)ret + row->where;
    int r = 0;
    switch (row->kind) {
    case OPT_FLAG: *(bool *)at = true; break;
    case OPT_MAYBE:
    case OPT_TEXT: *(const char **)at = text; break;
    case OPT_LIST: r = store_list(row, text, at, err); break;
    case OPT_NUMBER: r = store_number(row, text, at, err); break;
    default: r = store_amount(row, text, at, err);
    }
    if (r == 0 && row->given)
        *((bool *)ret + row->given) = true;
    return r;
}

/* --- arguments --- */

struct parsing {
    const struct opt_table *table;
    char **argv;
    int at;
    uint64_t seen; /* a bit for each row */
    struct retort_error *err;
};

static bool is_called(const struct opt *row, const char *arg) {
    size_t len = row->name ? strlen(row->name) : 0;
    if (len && strncmp(arg, row->name, len) == 0 && (!arg[len] || arg[len] == '='))
        return true;
    return row->letter && arg[1] == row->letter && (!arg[2] || row->kind != OPT_FLAG);
}

static const struct opt *opt_find(const struct opt_table *t, const char *arg, size_t *ret_at) {
    const struct opt *row;
    for (size_t i = 0; (row = row_at(t, i)); i++)
        if (is_called(row, arg)) {
            *ret_at = i;
            return row;
        }
    return NULL;
}

/* The value in the same argument: --name=VALUE, -nVALUE. */
static const char *attached(const char *arg) {
    if (arg[1] != '-')
        return arg[2] ? arg + 2 : NULL;
    const char *equals = strchr(arg, '=');
    return equals ? equals + 1 : NULL;
}

static int take_option(struct parsing *p, void *ret) {
    const char *arg = p->argv[p->at], *text = attached(arg);
    size_t at = 0;
    const struct opt *row = opt_find(p->table, arg, &at);
    if (!row)
        return err_set(p->err, ERR_CALLER, EINVAL,
                       "unknown option '%.60s'; `retort %s --help` lists them", arg, p->argv[0]);
    if (row->kind == OPT_FLAG && text)
        return err_set(p->err, ERR_CALLER, EINVAL, "%s takes no value", called(row));
    if (p->seen >> at & 1 && row->kind != OPT_LIST)
        return err_set(p->err, ERR_CALLER, EINVAL, "%s may be given only once", called(row));
    p->seen |= 1ull << at;
    if (row->kind == OPT_MAYBE && !text && (!p->argv[p->at + 1] || p->argv[p->at + 1][0] == '-'))
        text = "";
    if (row->kind != OPT_FLAG && !text && !(text = p->argv[++p->at]))
        return err_set(p->err, ERR_CALLER, EINVAL, "%s needs a value: %s", called(row),
                       row->metavar);
    return store(row, text, ret, p->err);
}

static int take_operand(struct parsing *p, void *ret) {
    const char **to = p->table->operand == OPT_NO_OPERAND
                          ? NULL
                          : (const char **)((char *)ret + p->table->operand);
    if (to && *to && p->table->second)
        to = (const char **)((char *)ret + p->table->second);
    if (!to || *to)
        return err_set(p->err, ERR_CALLER, EINVAL, "unexpected argument '%.60s'; usage: retort %s",
                       p->argv[p->at], p->table->usage);
    *to = p->argv[p->at];
    return 0;
}

static bool asks_help(const char *arg) {
    return strcmp(arg, "-h") == 0 || strcmp(arg, "--help") == 0;
}

int opt_parse(const struct opt_table *t, int argc, char **argv, void *ret,
              struct retort_error *err) {
    struct parsing p = {.table = t, .argv = argv, .at = 1, .err = err};
    bool options = true;
    int r = 0;
    for (; r == 0 && p.at < argc; p.at++) {
        const char *arg = argv[p.at];
        if (options && strcmp(arg, "--") == 0)
            options = false;
        else if (options && asks_help(arg))
            return 1;
        else if (options && arg[0] == '-' && arg[1])
            r = take_option(&p, ret);
        else
            r = take_operand(&p, ret);
    }
    return r;
}
