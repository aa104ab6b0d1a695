/* retort: the command line.
 *
 * Commands that need more than the engine (HTTP, TLS, a model's API) are in a program of their own,
 * retort-doors: loading their libraries would cost `retort run` more time than the sandbox does. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "engine/host/libexec.h"

static int cmd_help(int argc, char **argv);
static int cmd_elsewhere(int argc, char **argv);

static const struct command commands[] = {
    {"run", cmd_run, "run code in a sealed interpreter"},
    {"shell", cmd_elsewhere, "open an interactive session"},
    {"serve", cmd_elsewhere, "serve HTTP, JSON-RPC, MCP and events"},
    {"ui", cmd_elsewhere, "a page in the browser: sessions, cells, files"},
    {"mcp", cmd_elsewhere, "serve MCP on standard input and output"},
    {"rpc", cmd_elsewhere, "serve JSON-RPC on standard input and output"},
    {"agent", cmd_elsewhere, "solve a task with a model that writes code"},
    {"env", cmd_elsewhere, "make, list and remove environments with packages"},
    {"skill", cmd_elsewhere, "keep skills: add, find, test and remove them"},
    {"cluster", cmd_elsewhere, "see which nodes a cluster has, and end one"},
    {"check", cmd_check, "tell whether untrusted data can steer a program's tools"},
    {"review", cmd_review, "check code against rules, without running it"},
    {"log", cmd_log, "list recorded sessions, or what happened in one"},
    {"check-answer", cmd_check_answer, "compare the numbers of an answer with what ran"},
    {"verify", cmd_verify, "check the record of a session, byte by byte"},
    {"replay", cmd_replay, "run a recorded session again and compare"},
    {"export", cmd_export, "write a recorded session as a notebook or a page"},
    {"forget", cmd_forget, "remove a recorded session, leaving its hashes"},
    {"doctor", cmd_doctor, "tell what this host can enforce, layer by layer"},
    {"help", cmd_help, "print this; `help COMMAND` prints the options of a command"},
};

static int cmd_elsewhere(int argc, char **argv) {
    char dir[512], path[600];
    struct retort_error err = ERR_INIT;
    (void)argc;
    if (libexec_find(dir, sizeof dir, &err) < 0)
        return cli_fail("%s", err.message);
    snprintf(path, sizeof path, "%s/retort-doors", dir);
    execv(path, argv);
    return cli_fail("cannot start retort-doors: %s", strerror(errno));
}

static const struct command *command_find(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown(const char *name) {
    return cli_fail("unknown command '%.60s'; `retort help` lists them", name);
}

static int cmd_help(int argc, char **argv) {
    if (argc > 1) {
        const struct command *c = command_find(argv[1]);
        char *asked[] = {argv[1], "--help", NULL};
        return c && c->run != cmd_help ? c->run(2, asked) : unknown(argv[1]);
    }
    puts("usage: retort COMMAND [options]\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("  %-13s %s\n", commands[i].name, commands[i].summary);
    puts("\n`retort COMMAND --help` lists a command's options; `man retort` tells more.");
    return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return cli_fail("which command? `retort help` lists them");
    if (strcmp(argv[1], "--version") == 0) {
        puts("retort " RETORT_VERSION);
        return 0;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return cmd_help(0, NULL);
    const struct command *c = command_find(argv[1]);
    return c ? c->run(argc - 1, argv + 1) : unknown(argv[1]);
}
