/* retort mcp: the Model Context Protocol on standard input and output. */
#include <string.h>

#include "cli/cli.h"
#include "serve/door.h"

int cmd_mcp(int argc, char **argv) {
    struct retort_engine_options options = {.pool = 1};
    struct retort_engine *engine;
    struct retort_error error = {0};
    int r;

    if (argc > 1)
        return cli_fail("mcp takes no arguments, but got '%.60s'", argv[1]);
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = door_mcp_stdio(engine);
    retort_close(engine);
    return r < 0 ? cli_fail("mcp: %s", strerror(-r)) : 0;
}
