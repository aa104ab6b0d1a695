/* retort rpc: JSON-RPC on standard input and output, for one client. */
#include <string.h>

#include "cli/cli.h"
#include "serve/serve.h"

int cmd_rpc(int argc, char **argv) {
    struct retort_engine_options options = {.pool = 2};
    struct retort_engine *engine;
    struct retort_error error = {0};
    int r;

    if (argc > 1)
        return cli_fail("rpc takes no arguments, but got '%.60s'", argv[1]);
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = serve_rpc_stdio(engine);
    retort_close(engine);
    return r < 0 ? cli_fail("rpc: %s", strerror(-r)) : 0;
}
