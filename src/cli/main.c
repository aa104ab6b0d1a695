/* retort: the command line. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static int cmd_help(int argc, char **argv);

static const struct command commands[] = {
    {"run", cmd_run, "run code in a sealed interpreter"},
    {"serve", cmd_serve, "serve HTTP, JSON-RPC, MCP and events"},
    {"mcp", cmd_mcp, "serve MCP on standard input and output"},
    {"rpc", cmd_rpc, "serve JSON-RPC on standard input and output"},
    {"doctor", cmd_doctor, "tell what this host can enforce, layer by layer"},
    {"help", cmd_help, "print this"},
};

int cli_fail(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fputs("retort: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    return EXIT_OWN_FAILURE;
}

int cli_fail_error(const struct retort_error *error) {
    return cli_fail("%s", error->message);
}

static int cmd_help(int argc, char **argv) {
    (void)argc;
    (void)argv;
    puts("usage: retort COMMAND [options]\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    printf("\nOptions of run:\n%s", cli_options_help);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return cli_fail("which command? `retort help` lists them");
    if (strcmp(argv[1], "--version") == 0) {
        puts("retort " RETORT_VERSION);
        return 0;
    }
    if (strcmp(argv[1], "--help") == 0)
        return cmd_help(0, NULL);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    return cli_fail("unknown command '%.60s'; `retort help` lists them", argv[1]);
}
