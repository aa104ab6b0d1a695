/* retort serve: HTTP, JSON-RPC, MCP and events for many clients. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/unprivileged.h"
#include "serve/door.h"

static const char help[] =
    "usage: retort serve [options]\n\n"
    "  --listen ADDR:PORT   where to listen; 127.0.0.1:8700 if nothing else is given\n"
    "  --socket PATH        also (or only) a Unix socket with JSON-RPC lines\n"
    "  --token-file FILE    who may come in: TOKEN [name=…] [sessions=N], one a line\n"
    "  --no-auth            everybody on this machine (loopback addresses only)\n"
    "  --tls-cert FILE --tls-key FILE\n"
    "  --insecure           without TLS beyond the loopback\n"
    "  --host NAME          a name the server is reached by; may be repeated\n"
    "  --user NAME          whom to become when started as root; retort, else nobody\n";

enum { LISTEN = 1, SOCKET, TOKENS, NO_AUTH, CERT, KEY, INSECURE, HOST, USER, HELP };

static const struct option table[] = {{"listen", required_argument, NULL, LISTEN},
                                      {"socket", required_argument, NULL, SOCKET},
                                      {"token-file", required_argument, NULL, TOKENS},
                                      {"no-auth", no_argument, NULL, NO_AUTH},
                                      {"tls-cert", required_argument, NULL, CERT},
                                      {"tls-key", required_argument, NULL, KEY},
                                      {"insecure", no_argument, NULL, INSECURE},
                                      {"host", required_argument, NULL, HOST},
                                      {"user", required_argument, NULL, USER},
                                      {"help", no_argument, NULL, HELP},
                                      {NULL, 0, NULL, 0}};

static const char *hosts[CLI_MAX_LIST + 1];
static size_t nhosts;
static const char *user_name;
static bool help_asked;

static int take_option(int option, struct door_options *o) {
    switch (option) {
    case LISTEN: o->listen = optarg; break;
    case SOCKET: o->socket = optarg; break;
    case TOKENS: o->token_file = optarg; break;
    case NO_AUTH: o->no_auth = true; break;
    case CERT: o->tls_cert = optarg; break;
    case KEY: o->tls_key = optarg; break;
    case INSECURE: o->insecure = true; break;
    case HELP: help_asked = true; break;
    case USER: user_name = optarg; break;
    case HOST:
        if (nhosts == CLI_MAX_LIST)
            return cli_fail("--host: too many");
        hosts[nhosts++] = optarg;
        o->hosts = hosts;
        break;
    default:
        return cli_fail("serve: unknown or incomplete option; `retort serve --help` lists them");
    }
    return 0;
}

static int become(void *user, struct err *err) {
    return unprivileged_become(user, err);
}

/* As root, everything but the supervisor runs as somebody who may do nothing. */
static int give_up_root(struct door_options *options, struct retort_engine_options *engine,
                        struct unprivileged *user, struct err *err) {
    int r;

    if (geteuid() != 0)
        return user_name ? err_set(err, ERR_CALLER, 0, "--user is for root") : 0;
    r = unprivileged_prepare(user_name, user, err);
    engine->state_dir = options->state = user->state;
    options->before_listening = become;
    options->user = user;
    return r;
}

static int parse(int argc, char **argv, struct door_options *options) {
    int option, r;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
        r = take_option(option, options);
        if (r)
            return r;
    }
    return optind < argc ? cli_fail("serve: what is '%.60s'?", argv[optind]) : 0;
}

int cmd_serve(int argc, char **argv) {
    struct door_options options = {0};
    struct retort_engine_options engine_options = {.pool = 8};
    struct retort_engine *engine;
    struct retort_error error = {0};
    struct unprivileged user;
    struct err err = ERR_INIT;
    int r = parse(argc, argv, &options);

    if (help_asked)
        return fputs(help, stdout) < 0;
    if (r)
        return r;
    if (door_check(&options, &err) < 0 || give_up_root(&options, &engine_options, &user, &err) < 0)
        return cli_fail("serve: %s", err.msg);
    if (retort_open(&engine_options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = door_run(engine, &options, &err);
    retort_close(engine);
    return r < 0 ? cli_fail("serve: %s", err.msg) : 0;
}
