/* retort rpc, retort mcp: one client on standard input and output. */
#include <string.h>

#include "cli/cli.h"
#include "serve/door.h"
#include "serve/serve.h"

static int serve_stdio(int argc, char **argv, unsigned pool,
                       int (*door)(struct retort_engine *engine)) {
    struct retort_engine_options options = {.pool = pool};
    struct retort_engine *engine;
    struct retort_error error = {0};
    if (argc > 1)
        return cli_fail("%s takes no arguments, but got '%.60s'", argv[0], argv[1]);
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    int r = door(engine);
    retort_close(engine);
    return r < 0 ? cli_fail("%s: %s", argv[0], strerror(-r)) : 0;
}

int cmd_rpc(int argc, char **argv) {
    return serve_stdio(argc, argv, 2, serve_rpc_stdio);
}

int cmd_mcp(int argc, char **argv) {
    return serve_stdio(argc, argv, 1, door_mcp_stdio);
}
