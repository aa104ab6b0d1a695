#include "cli/commands/ledgercmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/jsonout.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "engine/host/statedir.h"

const struct opt ledgercmd_json[] = {
    {"--json", 0, OPT_FLAG, NULL, LEDGER_AT(json), "print it as JSON", 0},
    OPT_END,
};

bool ledgercmd_take(const struct opt_table *t, int argc, char **argv, struct ledger_args *ret,
                    int *ret_status) {
    if (!cli_take(t, argc, argv, ret, ret_status))
        return false;
    if (!ret->session)
        *ret_status = cli_fail("which session? usage: retort %s", t->usage);
    return ret->session != NULL;
}

int ledgercmd_open(struct ledger **ret) {
    struct retort_error err = ERR_INIT;
    char path[MAX_PATH];
    int r = statedir_find(NULL, path, sizeof path, &err);
    if (r == 0)
        r = ledger_open(path, NULL, ret, &err);
    return r < 0 ? cli_fail("%s", err.message) : 0;
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
    scoped_free char *text = json_out(value, JSON_INDENT(1));
    bool failed = !text || puts(text) < 0;
    return fflush(stdout) != 0 || failed ? cli_fail("cannot write: %s", strerror(errno)) : 0;
}
