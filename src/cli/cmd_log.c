/* retort log: recorded sessions as a tree, or what happened in one. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/ledgercmd.h"
#include "engine/ledgerapi.h"

static bool has(const json_t *sessions, const char *id) {
    const json_t *s;
    size_t i;
    json_array_foreach(sessions, i, s) {
        if (strcmp(ledgercmd_text(s, "session"), id) == 0)
            return true;
    }
    return false;
}

#define MAX_DEPTH 64 /* branches of branches are indented so far and no farther */

/* `more[d]`: the session's ancestor at depth d has siblings below it, so its line goes on. */
static void print_session(const json_t *s, const bool *more, unsigned depth) {
    char when[32];
    ledgercmd_time(json_object_get(s, "created_ms"), when);
    long long cells = json_integer_value(json_object_get(s, "cells"));
    for (unsigned d = 1; d < depth; d++)
        fputs(more[d] ? "│  " : "   ", stdout);
    printf("%s%-24s  %s  %-11s  %lld cell%s\n",
           depth == 0    ? ""
           : more[depth] ? "├─ "
                         : "└─ ",
           ledgercmd_text(s, "session"), when, ledgercmd_text(s, "state"), cells,
           cells == 1 ? "" : "s");
}

/* The next session of this parent ("": of none) from `i` on, or NULL. */
static const json_t *next_child(const json_t *sessions, const char *parent, size_t *i) {
    for (; *i < json_array_size(sessions); ++*i) {
        const json_t *s = json_array_get(sessions, *i);
        const char *of = ledgercmd_text(s, "parent");
        if (strcmp(of[0] && has(sessions, of) ? of : "", parent) == 0)
            return s;
    }
    return NULL;
}

static void print_children(const json_t *sessions, const char *parent, bool *more, unsigned depth) {
    size_t i = 0;
    const json_t *s = next_child(sessions, parent, &i);
    while (s) {
        i++;
        const json_t *next = next_child(sessions, parent, &i);
        more[depth] = next != NULL;
        print_session(s, more, depth);
        if (depth < MAX_DEPTH)
            print_children(sessions, ledgercmd_text(s, "session"), more, depth + 1);
        s = next;
    }
}

static int show(struct ledger *l, const struct ledger_args *args) {
    struct err err = ERR_INIT;
    json_t *log;
    int r = 0;
    if (ledgerapi_log(l, args->session, &log, &err) < 0)
        return cli_fail("%s", err.msg);
    if (args->json)
        r = ledgercmd_print(log);
    else if (args->session)
        ledgercmd_entries(log);
    else {
        bool more[MAX_DEPTH + 1] = {false};
        print_children(log, "", more, 0);
    }
    json_decref(log);
    return r == 0 && fflush(stdout) != 0 ? cli_fail("cannot write: %s", strerror(errno)) : r;
}

static const struct opt_table log_table = {
    .usage = "log [SESSION] [--json]",
    .about = "Lists recorded sessions, or what happened in one.",
    .rows = {ledgercmd_json},
    .operand = LEDGER_AT(session),
};

int cmd_log(int argc, char **argv) {
    struct ledger_args args = {0};
    struct ledger *ledger;
    int r;
    if (!cli_take(&log_table, argc, argv, &args, &r))
        return r;
    if ((r = ledgercmd_open(&ledger)))
        return r;
    r = show(ledger, &args);
    ledger_close(ledger);
    return r;
}
