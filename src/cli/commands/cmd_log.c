/* retort log: shows recorded sessions as a tree, or what happened in one. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "cli/term.h"
#include "engine/api/ledgerapi.h"

#define MAX_DEPTH 64 /* branches of branches are indented at most this deep */
#define NEWEST 20    /* sessions that are listed unless -n says otherwise */

/* Sessions in the order in which they were made, with the index of each one's parent. */
struct log_listing {
    const json_t *sessions;
    size_t *parents; /* NO_PARENT: none, or one that is not listed */
    size_t count;
    unsigned width;           /* columns of a line */
    bool more[MAX_DEPTH + 1]; /* the ancestor at this depth has siblings below it */
};

#define NO_PARENT SIZE_MAX

static size_t cmd_log_place_of(const json_t *places, const char *id) {
    const json_t *place = json_object_get(places, id);
    return place ? (size_t)json_integer_value(place) : NO_PARENT;
}

static bool listing_init(struct log_listing *l, const json_t *sessions) {
    json_t *places = json_object();
    const json_t *s;
    size_t i;
    l->sessions = sessions;
    l->count = json_array_size(sessions);
    l->parents = calloc(l->count + 1, sizeof *l->parents);
    json_array_foreach(sessions, i, s) {
        json_object_set_new(places, ledgercmd_text(s, "session"), json_integer((json_int_t)i));
    }
    for (i = 0; l->parents && i < l->count; i++)
        l->parents[i] =
            cmd_log_place_of(places, ledgercmd_text(json_array_get(sessions, i), "parent"));
    json_decref(places);
    return l->parents != NULL;
}

/* "11-15 18:51", or with the year if it is another year. */
static void short_time(const json_t *ms, char ret[32]) {
    char now[32], when[32];
    json_t *today = json_integer((json_int_t)time(NULL) * 1000);
    ledgercmd_time(today, now);
    ledgercmd_time(ms, when);
    json_decref(today);
    bool this_year = strncmp(now, when, 4) == 0;
    snprintf(ret, 32, "%.*s", this_year ? 11 : 16, when + (this_year ? 5 : 0));
}

static void print_session(const struct log_listing *l, size_t at, unsigned depth) {
    const json_t *s = json_array_get(l->sessions, at);
    const char *state = ledgercmd_text(s, "state");
    bool closed = strcmp(state, "closed") == 0;
    scoped_buf line = BUF_INIT(MAX_TEXT), cut = BUF_INIT(MAX_TEXT);
    char when[32];
    short_time(json_object_get(s, "created_ms"), when);
    for (unsigned d = 1; d < depth; d++)
        buf_adds(&line, l->more[d] ? "│  " : "   ");
    if (depth)
        buf_adds(&line, l->more[depth] ? "├─ " : "└─ ");
    buf_printf(&line, "%s  %s  %-6s %-10s %3lld  %s%s%s%s", ledgercmd_text(s, "session"), when,
               ledgercmd_text(s, "door"), ledgercmd_text(s, "language"),
               (long long)json_integer_value(json_object_get(s, "cells")), closed ? "" : "(",
               closed ? "" : state, closed ? "" : ") ", ledgercmd_text(s, "title"));
    term_line(line.data ? line.data : "", l->width, &cut);
    puts(cut.data);
}

/* The next child of `parent` after `at`; sessions without a parent are listed newest first. */
static size_t next_child(const struct log_listing *l, size_t parent, size_t at) {
    size_t step = parent == NO_PARENT ? (size_t)-1 : 1;
    for (at += step; at < l->count; at += step)
        if (l->parents[at] == parent)
            return at;
    return NO_PARENT;
}

static size_t first_child(const struct log_listing *l, size_t parent) {
    return next_child(l, parent, parent == NO_PARENT ? l->count : (size_t)-1);
}

/* Prints at most `most` children; returns how many more there are. */
static size_t print_children(struct log_listing *l, size_t parent, unsigned depth, uint64_t most) {
    size_t at = first_child(l, parent), left = 0;
    for (; at != NO_PARENT && most > 0; most--) {
        size_t next = next_child(l, parent, at);
        l->more[depth] = next != NO_PARENT;
        print_session(l, at, depth);
        if (depth < MAX_DEPTH)
            print_children(l, at, depth + 1, UINT64_MAX);
        at = next;
    }
    for (; at != NO_PARENT; at = next_child(l, parent, at))
        left++;
    return left;
}

static int print_tree(const json_t *sessions, uint64_t most) {
    /* One column less, for the mark of a line that was cut. */
    struct log_listing l = {.width = term_columns(1) - 1};
    if (!listing_init(&l, sessions))
        return cli_fail("out of memory");
    size_t left = print_children(&l, NO_PARENT, 0, most);
    free(l.parents);
    if (left)
        fprintf(stderr, "%zu older; `retort log -n 0` lists all\n", left);
    return 0;
}

/* Keeps the sessions that mention the text. */
static void keep_matching(struct ledger *ledger, json_t *sessions, const char *text) {
    for (size_t i = json_array_size(sessions); i-- > 0;) {
        const char *id = ledgercmd_text(json_array_get(sessions, i), "session");
        if (strcmp(id, text) != 0 && !ledgerapi_mentions(ledger, id, text))
            json_array_remove(sessions, i);
    }
}

static int cmd_log_show(struct ledger *l, const struct ledger_args *args) {
    struct retort_error err = ERR_INIT;
    json_t *log;
    int r = 0;
    if (ledgerapi_log(l, args->session, &log, &err) < 0)
        return cli_fail("%s", err.message);
    uint64_t most = args->has_most ? args->most : args->json ? 0 : NEWEST;
    if (args->search)
        keep_matching(l, log, args->search);
    if (args->json && most)
        while (json_array_size(log) > most)
            json_array_remove(log, 0);
    if (args->json)
        r = ledgercmd_print(log);
    else if (args->session)
        ledgercmd_entries(log);
    else
        r = print_tree(log, most ? most : UINT64_MAX);
    json_decref(log);
    return r == 0 && fflush(stdout) != 0 ? cli_fail("cannot write: %s", strerror(errno)) : r;
}

static const struct opt log_rows[] = {
    {NULL, 'n', OPT_NUMBER, "N", LEDGER_AT(most), "the N newest sessions (20); 0: all",
     LEDGER_AT(has_most)},
    {"--search", 0, OPT_TEXT, "TEXT", LEDGER_AT(search),
     "only sessions in whose code or task TEXT occurs", 0},
    OPT_END,
};

static const struct opt_table log_table = {
    .usage = "log [SESSION | -n N | --search TEXT] [--json]",
    .about = "Lists recorded sessions, the newest first, or what happened in one.",
    .rows = {log_rows, ledgercmd_json},
    .operand = LEDGER_AT(session),
};

int cmd_log(int argc, char **argv) {
    struct ledger_args args = {0};
    struct ledger *ledger;
    int r;
    if (!cli_take(&log_table, argc, argv, &args, &r))
        return r;
    if (args.session && (args.search || args.has_most))
        return cli_fail("-n and --search are for the list of sessions");
    if ((r = ledgercmd_open(&ledger)))
        return r;
    r = cmd_log_show(ledger, &args);
    ledger_close(ledger);
    return r;
}
