#include "cli/ledgercmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/maxima.h"
#include "cli/cli.h"
#include "engine/statedir.h"

#define AT(field) offsetof(struct ledger_args, field)

static const struct {
    const char *name, *metavar;
    size_t where;
} rows[] = {{"--json", NULL, AT(json)},
            {"--head", "HASH", AT(head)},
            {"--ipynb", "FILE", AT(ipynb)},
            {"--html", "FILE", AT(html)},
            {"--help", NULL, AT(help)}};

static bool listed(const char *options, const char *name) {
    size_t len = strlen(name);
    const char *at = strstr(options, name);
    return strcmp(name, "--help") == 0 || (at && (at[len] == ' ' || !at[len]));
}

static int take_option(char **argv, int *at, const char *options, struct ledger_args *ret) {
    const char *arg = argv[*at];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t len = strlen(rows[i].name);
        if (strncmp(arg, rows[i].name, len) != 0 || (arg[len] && arg[len] != '=') ||
            !listed(options, rows[i].name))
            continue;
        void *where = (char *)ret + rows[i].where;
        if (!rows[i].metavar) {
            *(bool *)where = true;
            return arg[len] ? cli_fail("%s takes no value", rows[i].name) : 0;
        }
        const char *value = arg[len] ? arg + len + 1 : argv[++*at];
        *(const char **)where = value;
        return value ? 0 : cli_fail("%s needs a value: %s", rows[i].name, rows[i].metavar);
    }
    return cli_fail("unknown option '%.60s'", arg);
}

int ledgercmd_parse(int argc, char **argv, const char *options, struct ledger_args *ret) {
    int r = 0;
    for (int i = 1; r == 0 && i < argc; i++) {
        if (argv[i][0] == '-')
            r = take_option(argv, &i, options, ret);
        else if (ret->session)
            r = cli_fail("unexpected argument '%.60s'", argv[i]);
        else
            ret->session = argv[i];
    }
    return r;
}

int ledgercmd_help(const char *usage) {
    puts(usage);
    return 0;
}

int ledgercmd_open(struct ledger **ret) {
    struct err err = ERR_INIT;
    char path[MAX_PATH];
    int r = statedir_find(NULL, path, sizeof path, &err);
    if (r == 0)
        r = ledger_open(path, NULL, ret, &err);
    return r < 0 ? cli_fail("%s", err.msg) : 0;
}

const char *ledgercmd_text(const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

void ledgercmd_time(const json_t *ms, char ret[32]) {
    time_t when = (time_t)(json_integer_value(ms) / 1000);
    struct tm parts;
    if (!localtime_r(&when, &parts) || !strftime(ret, 32, "%Y-%m-%d %H:%M:%S", &parts))
        snprintf(ret, 32, "?");
}

int ledgercmd_print(const json_t *value) {
    bool failed = json_dumpf(value, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) < 0;
    putchar('\n');
    return fflush(stdout) != 0 || failed ? cli_fail("cannot write: %s", strerror(errno)) : 0;
}
