#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum value { NO_VALUE, TEXT, SECONDS, MEGABYTES, KILOBYTES, COUNT, NUMBER, LIST };

/* One row per option: what it takes and where it goes. */
struct option_row {
    const char *name, *metavar;
    enum value value;
    size_t where;
    size_t count; /* LIST: where the count is */
};

#define AT(field) offsetof(struct cli_options, field)

static const struct option_row rows[] = {
    {"-l", "LANGUAGE", TEXT, AT(session.language), 0},
    {"--language", "LANGUAGE", TEXT, AT(session.language), 0},
    {"-c", "CODE", TEXT, AT(code), 0},
    {"--json", NULL, NO_VALUE, AT(json), 0},
    {"--timeout", "SECONDS", SECONDS, AT(session.limits.timeout), 0},
    {"--cpu", "SECONDS", SECONDS, AT(session.limits.cpu), 0},
    {"--memory", "MB", MEGABYTES, AT(session.limits.memory), 0},
    {"--disk", "MB", MEGABYTES, AT(session.limits.disk), 0},
    {"--pids", "N", COUNT, AT(session.limits.pids), 0},
    {"--output", "KB", KILOBYTES, AT(session.limits.output), 0},
    {"--file", "SRC[:NAME]", LIST, AT(files), AT(nfiles)},
    {"--out", "DIR", TEXT, AT(out_dir), 0},
    {"--python", "PATH", TEXT, AT(session.python), 0},
    {"--environment", "NAME", TEXT, AT(session.environment), 0},
    {"--env", "NAME=VALUE", LIST, AT(env), AT(nenv)},
    {"--seed", "N", NUMBER, AT(session.seed), 0},
    {"--deterministic", NULL, NO_VALUE, AT(session.deterministic), 0},
    {"--fresh", NULL, NO_VALUE, AT(session.fresh), 0},
    {"--record", NULL, NO_VALUE, AT(record), 0},
    {"--strict", NULL, NO_VALUE, AT(session.strict), 0},
    {"--allow-missing", "LAYER", LIST, AT(allow_missing), AT(nmissing)},
    {"--help", NULL, NO_VALUE, AT(help), 0},
};

const char cli_options_help[] =
    "  -l LANGUAGE           python (default), bash or javascript\n"
    "  -c CODE | FILE | -    the code: an argument, a file, or standard input\n"
    "  --json                print the result object instead of passing output through\n"
    "  --timeout S --cpu S   wall clock and CPU time (30, 60 seconds)\n"
    "  --memory MB --disk MB memory of the whole tree, /work + /tmp + /dev/shm (512, 256)\n"
    "  --pids N --output KB  processes, output kept per stream (64, 64)\n"
    "  --file SRC[:NAME]     put a file into /work; may be repeated\n"
    "  --out DIR             bring files that the code made or changed out to DIR\n"
    "  --python PATH         interpreter or virtual environment to use\n"
    "  --environment NAME    a configured environment\n"
    "  --env NAME=VALUE      environment variable for the code; may be repeated\n"
    "  --seed N              seed of random and numpy\n"
    "  --deterministic       clock and entropy from the seed too\n"
    "  --record              keep the run in the ledger; prints the session id on stderr\n"
    "  --strict              refuse to run without a uid and a cgroup of the session's own\n"
    "  --allow-missing LAYER run without this layer if it cannot be set up; may be repeated\n";

static const struct option_row *find(const char *name, size_t len) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == len && strncmp(rows[i].name, name, len) == 0)
            return &rows[i];
    return NULL;
}

static int bad(struct err *err, const struct option_row *row, const char *text) {
    return err_set(err, ERR_CALLER, EINVAL, "%s takes %s, not '%.60s'", row->name, row->metavar,
                   text);
}

static int parse_number(const struct option_row *row, const char *text, double *ret,
                        struct err *err) {
    char *end;
    errno = 0;
    double v = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(v) || v <= 0 || v > 1e15)
        return bad(err, row, text);
    *ret = v;
    return 0;
}

static int parse_seed(const struct option_row *row, const char *text, uint64_t *ret,
                      struct err *err) {
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (end == text || *end || errno || text[0] == '-' || v >= 1ull << 53)
        return bad(err, row, text);
    *ret = v;
    return 0;
}

static int store(const struct option_row *row, char *text, struct cli_options *o, struct err *err) {
    void *at = (char *)o + row->where;
    double v = 0;
    int r = 0;
    switch (row->value) {
    case NO_VALUE: *(bool *)at = true; return 0;
    case TEXT: *(const char **)at = text; return 0;
    case LIST: {
        size_t *count = (size_t *)((char *)o + row->count);
        if (*count >= CLI_MAX_LIST)
            return err_set(err, ERR_CALLER, E2BIG, "%s may be given at most %d times", row->name,
                           CLI_MAX_LIST);
        ((const char **)at)[(*count)++] = text;
        return 0;
    }
    case NUMBER: return parse_seed(row, text, (uint64_t *)at, err);
    case SECONDS:
    case MEGABYTES:
    case KILOBYTES:
    case COUNT: break;
    }
    if ((r = parse_number(row, text, &v, err)) < 0)
        return r;
    if (row->value == SECONDS)
        *(double *)at = v;
    else if (row->value == COUNT) {
        if (v > 1e9 || v != floor(v))
            return bad(err, row, text);
        *(uint32_t *)at = (uint32_t)v;
    } else
        *(uint64_t *)at = (uint64_t)(v * (row->value == MEGABYTES ? 1048576 : 1024));
    return 0;
}

static int operand(struct cli_options *o, const char *text, struct err *err) {
    if (o->script || o->code)
        return err_set(err, ERR_CALLER, EINVAL, "unexpected argument '%.60s'", text);
    o->script = text;
    return 0;
}

int cli_parse(int argc, char **argv, struct cli_options *ret, struct err *err) {
    int r = 0;
    for (int i = 1; r == 0 && i < argc; i++) {
        char *arg = argv[i];
        if (arg[0] != '-' || !arg[1]) {
            r = operand(ret, arg, err);
            continue;
        }
        char *equals = arg[1] == '-' ? strchr(arg, '=') : NULL;
        const struct option_row *row = find(arg, equals ? (size_t)(equals - arg) : strlen(arg));
        if (!row)
            return err_set(err, ERR_CALLER, EINVAL, "unknown option '%.60s'", arg);
        char *text = equals ? equals + 1 : NULL;
        if (row->value != NO_VALUE && !text && !(text = argv[++i]))
            return err_set(err, ERR_CALLER, EINVAL, "%s needs a value: %s", row->name,
                           row->metavar);
        if (row->value == NO_VALUE && text)
            return err_set(err, ERR_CALLER, EINVAL, "%s takes no value", row->name);
        r = store(row, text, ret, err);
        if (row->value == NUMBER)
            ret->session.has_seed = true;
    }
    if (r == 0 && ret->script && ret->code)
        r = err_set(err, ERR_CALLER, EINVAL, "give either -c CODE or a file, not both");
    ret->session.env = ret->env;
    ret->session.allow_missing = ret->allow_missing;
    return r;
}
