/* retort log: recorded sessions as a tree, or what happened in one. */
#include <errno.h>
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

static void print_session(const json_t *s, unsigned depth) {
    char when[32];
    ledgercmd_time(json_object_get(s, "created_ms"), when);
    long long cells = json_integer_value(json_object_get(s, "cells"));
    printf("%*s%s%-24s  %s  %-11s  %lld cell%s\n", (int)(depth ? 3 * (depth - 1) : 0), "",
           depth ? "└─ " : "", ledgercmd_text(s, "session"), when, ledgercmd_text(s, "state"),
           cells, cells == 1 ? "" : "s");
}

#define MAX_DEPTH 64 /* branches of branches are indented so far and no farther */

static void print_children(const json_t *sessions, const char *parent, unsigned depth) {
    const json_t *s;
    size_t i;
    json_array_foreach(sessions, i, s) {
        const char *of = ledgercmd_text(s, "parent");
        bool root = !of[0] || !has(sessions, of);
        if (depth ? root || strcmp(of, parent) != 0 : !root)
            continue;
        print_session(s, depth);
        if (depth < MAX_DEPTH)
            print_children(sessions, ledgercmd_text(s, "session"), depth + 1);
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
    else
        print_children(log, "", 0);
    json_decref(log);
    return r == 0 && fflush(stdout) != 0 ? cli_fail("cannot write: %s", strerror(errno)) : r;
}

int cmd_log(int argc, char **argv) {
    struct ledger_args args = {0};
    struct ledger *ledger;
    int r = ledgercmd_parse(argc, argv, "--json", &args);
    if (r || args.help)
        return r ? r : ledgercmd_help("usage: retort log [SESSION] [--json]");
    if ((r = ledgercmd_open(&ledger)))
        return r;
    r = show(ledger, &args);
    ledger_close(ledger);
    return r;
}
