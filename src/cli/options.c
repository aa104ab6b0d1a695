#include <stdio.h>

#include "cli/cli.h"

#define AT CLI_AT

const struct opt cli_limits[] = {
    {"--timeout", 0, OPT_SECONDS, "SECONDS", AT(session.limits.timeout),
     "wall-clock time of a cell (30; of a shell: none)", 0},
    {"--cpu", 0, OPT_SECONDS, "SECONDS", AT(session.limits.cpu),
     "processor time of a cell (60; of a shell: none)", 0},
    {"--memory", 0, OPT_MEGABYTES, "MB", AT(session.limits.memory),
     "memory of all its processes (512)", 0},
    {"--disk", 0, OPT_MEGABYTES, "MB", AT(session.limits.disk),
     "files in /work, /tmp and /dev/shm together (256)", 0},
    {"--pids", 0, OPT_COUNT, "N", AT(session.limits.pids), "processes and threads (64)", 0},
    {"--output", 0, OPT_KILOBYTES, "KB", AT(session.limits.output),
     "output kept in the result, per stream (64)", 0},
    OPT_END,
};

const struct opt cli_interpreter[] = {
    {"--file", 0, OPT_LIST, "SRC[:NAME]", AT(files), "put a file into /work; may be repeated", 0},
    {"--python", 0, OPT_TEXT, "PATH", AT(session.python),
     "interpreter or virtual environment to use", 0},
    {"--environment", 0, OPT_TEXT, "NAME", AT(session.environment),
     "the environment that sessions have", 0},
    {"--env", 0, OPT_LIST, "NAME=VALUE", AT(env),
     "environment variable for the code; may be repeated", 0},
    CLI_NETWORK(AT(network)),
    CLI_REVIEW(AT(session.review), AT(rules)),
    {"--seed", 0, OPT_NUMBER, "N", AT(session.seed), "seed for random and numpy",
     AT(session.has_seed)},
    {"--deterministic", 0, OPT_FLAG, NULL, AT(session.deterministic),
     "take clock and entropy from the seed as well", 0},
    {"--fresh", 0, OPT_FLAG, NULL, AT(session.fresh),
     "start a new interpreter instead of forking a warm one", 0},
    {"--strict", 0, OPT_FLAG, NULL, AT(session.strict),
     "refuse to run without a uid and a cgroup of the session's own", 0},
    {"--allow-missing", 0, OPT_LIST, "LAYER", AT(allow_missing),
     "go on without this layer if it cannot be set up; may be repeated", 0},
    OPT_END,
};

bool cli_take(const struct opt_table *t, int argc, char **argv, void *ret, int *ret_status) {
    struct retort_error err = ERR_INIT;
    int r = opt_parse(t, argc, argv, ret, &err);
    if (r == 0)
        return true;
    if (r > 0)
        opt_help(t);
    *ret_status = r > 0 && fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
    if (r < 0)
        cli_fail("%s", err.message);
    return false;
}

bool cli_take_session(const struct opt_table *t, int argc, char **argv, struct cli_options *ret,
                      int *ret_status) {
    if (!cli_take(t, argc, argv, ret, ret_status))
        return false;
    ret->session.env = ret->env.at;
    ret->session.allow_missing = ret->allow_missing.at;
    *ret_status = cli_network(&ret->network, &ret->session.network);
    if (*ret_status == 0)
        *ret_status = cli_rules(ret->session.review, ret->rules, &ret->session.rules);
    return *ret_status == 0;
}
