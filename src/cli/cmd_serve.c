/* retort serve: HTTP, JSON-RPC, MCP and events for many clients. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "serve/door.h"

static const char help[] =
    "usage: retort serve [options]\n\n"
    "  --listen ADDR:PORT   where to listen; 127.0.0.1:8700 if nothing else is given\n"
    "  --socket PATH        also (or only) a Unix socket with JSON-RPC lines\n"
    "  --token-file FILE    who may come in: TOKEN [name=…] [sessions=N], one a line\n"
    "  --no-auth            everybody on this machine (loopback addresses only)\n"
    "  --tls-cert FILE --tls-key FILE\n"
    "  --insecure           without TLS beyond the loopback\n"
    "  --host NAME          a name the server is reached by; may be repeated\n";

enum { LISTEN = 1, SOCKET, TOKENS, NO_AUTH, CERT, KEY, INSECURE, HOST, HELP };

static const struct option table[] = {{"listen", required_argument, NULL, LISTEN},
                                      {"socket", required_argument, NULL, SOCKET},
                                      {"token-file", required_argument, NULL, TOKENS},
                                      {"no-auth", no_argument, NULL, NO_AUTH},
                                      {"tls-cert", required_argument, NULL, CERT},
                                      {"tls-key", required_argument, NULL, KEY},
                                      {"insecure", no_argument, NULL, INSECURE},
                                      {"host", required_argument, NULL, HOST},
                                      {"help", no_argument, NULL, HELP},
                                      {NULL, 0, NULL, 0}};

static const char *hosts[CLI_MAX_LIST + 1];
static size_t nhosts;

static int take_option(int option, struct door_options *o) {
    switch (option) {
    case LISTEN: o->listen = optarg; break;
    case SOCKET: o->socket = optarg; break;
    case TOKENS: o->token_file = optarg; break;
    case NO_AUTH: o->no_auth = true; break;
    case CERT: o->tls_cert = optarg; break;
    case KEY: o->tls_key = optarg; break;
    case INSECURE: o->insecure = true; break;
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

int cmd_serve(int argc, char **argv) {
    struct door_options options = {0};
    struct retort_engine_options engine_options = {.pool = 8};
    struct retort_engine *engine;
    struct retort_error error = {0};
    struct err err = ERR_INIT;
    int option, r;

    opterr = 0;
    while ((option = getopt_long(argc, argv, "", table, NULL)) != -1) {
        if (option == HELP)
            return fputs(help, stdout) < 0;
        r = take_option(option, &options);
        if (r)
            return r;
    }
    if (optind < argc)
        return cli_fail("serve: what is '%.60s'?", argv[optind]);
    if (door_check(&options, &err) < 0)
        return cli_fail("serve: %s", err.msg);
    if (retort_open(&engine_options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = door_run(engine, &options, &err);
    retort_close(engine);
    return r < 0 ? cli_fail("serve: %s", err.msg) : 0;
}
