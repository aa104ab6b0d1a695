/* retort rpc, retort mcp: one client on standard input and output. */
#include <string.h>

#include "cli/cli.h"
#include "serve/door.h"
#include "serve/serve.h"

static const struct opt_table rpc_table = {
    .usage = "rpc",
    .about = "Serves JSON-RPC on standard input and output, one object a line.",
    .operand = OPT_NO_OPERAND,
};

static const struct opt_table mcp_table = {
    .usage = "mcp",
    .about = "Serves MCP on standard input and output.",
    .operand = OPT_NO_OPERAND,
};

static int serve_stdio(const struct opt_table *table, int argc, char **argv, unsigned pool,
                       int (*door)(struct retort_engine *engine)) {
    struct retort_engine_options options = {.pool = pool};
    struct retort_engine *engine;
    struct retort_error error = {0};
    int r;
    if (!cli_take(table, argc, argv, &options, &r))
        return r;
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = door(engine);
    retort_close(engine);
    return r < 0 ? cli_fail("%s: %s", argv[0], strerror(-r)) : 0;
}

int cmd_rpc(int argc, char **argv) {
    return serve_stdio(&rpc_table, argc, argv, 2, serve_rpc_stdio);
}

int cmd_mcp(int argc, char **argv) {
    return serve_stdio(&mcp_table, argc, argv, 1, door_mcp_stdio);
}
