/* retort-doors: the commands of `retort` that need HTTP, TLS or a model's API. retort starts it,
 * with the command as argv[0]. */
#include <string.h>

#include "base/io.h"
#include "cli/cli.h"

static const struct command commands[] = {
    {"shell", cmd_shell, NULL}, {"serve", cmd_serve, NULL}, {"mcp", cmd_mcp, NULL},
    {"rpc", cmd_rpc, NULL},     {"agent", cmd_agent, NULL}, {"env", cmd_env, NULL},
    {"ui", cmd_serve, NULL},    {"skill", cmd_skill, NULL}, {"cluster", cmd_cluster, NULL},
};

int main(int argc, char **argv) {
    descriptors_raise(); /* each session takes ten */
    for (size_t i = 0; argc > 0 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc, argv);
    return cli_fail("this program is started by `retort`");
}
