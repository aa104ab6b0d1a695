/* retort serve: HTTP, JSON-RPC, MCP and events for many clients. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "serve/server/activation.h"
#include "serve/server/server.h"
#include "serve/server/unprivileged.h"

struct serve_args {
    struct server_options door;
    struct opt_list hosts, origins;
    struct cli_network network;
    const char *user;
};

#define AT(field) offsetof(struct serve_args, field)

static const struct opt serve_rows[] = {
    {"--listen", 0, OPT_TEXT, "ADDR:PORT", AT(door.listen),
     "where to listen; 127.0.0.1:8700 if nothing else is given", 0},
    {"--socket", 0, OPT_TEXT, "PATH", AT(door.socket),
     "serve JSON-RPC lines on a Unix socket as well, or alone", 0},
    {"--token-file", 0, OPT_TEXT, "FILE", AT(door.token_file),
     "who may come in, one a line: TOKEN [name=…] [admin] [sessions=N] [LIMIT=N]…", 0},
    {"--no-auth", 0, OPT_FLAG, NULL, AT(door.no_auth),
     "let everybody on this machine in (loopback addresses only)", 0},
    {"--tls-cert", 0, OPT_TEXT, "FILE", AT(door.tls_cert), "certificate for TLS, in PEM", 0},
    {"--tls-key", 0, OPT_TEXT, "FILE", AT(door.tls_key), "its key", 0},
    {"--insecure", 0, OPT_FLAG, NULL, AT(door.insecure), "listen beyond the loopback without TLS",
     0},
    {"--host", 0, OPT_LIST, "NAME", AT(hosts), "a name the server is reached by; may be repeated",
     0},
    {"--e2b", 0, OPT_MAYBE, "[ADDR:PORT]", AT(door.e2b),
     "serve clients of E2B as well; at 127.0.0.1:8710 if nothing else is given", 0},
    {"--allow-origin", 0, OPT_LIST, "URL", AT(origins),
     "whose web pages may use the server (CORS); may be repeated", 0},
    CLI_NETWORK(AT(network)),
    {"--user", 0, OPT_TEXT, "NAME", AT(user),
     "the user that a server started as root becomes (retort, else nobody)", 0},
    OPT_END,
};

static const struct opt_table serve_table = {
    .usage = "serve [options]",
    .about = "Serves HTTP, JSON-RPC, MCP and events until it gets SIGTERM.",
    .rows = {serve_rows},
    .operand = OPT_NO_OPERAND,
};

static int become(void *user, struct retort_error *err) {
    return unprivileged_become(user, err);
}

/* As root, everything but the supervisor runs as somebody who may do nothing. */
static int give_up_root(struct serve_args *args, struct retort_engine_options *engine,
                        struct unprivileged *user, struct retort_error *err) {
    if (geteuid() != 0)
        return args->user ? err_set(err, ERR_CALLER, 0, "--user is for root") : 0;
    int r = unprivileged_prepare(args->user, user, err);
    engine->state_dir = args->door.state = user->state;
    args->door.before_listening = become;
    args->door.user = user;
    return r;
}

int cmd_serve(int argc, char **argv) {
    struct serve_args args = {0};
    struct activation activation;
    struct retort_engine_options engine_options = {.pool = 8};
    struct retort_engine *engine;
    struct retort_error error = {0};
    struct unprivileged user;
    struct retort_error err = ERR_INIT;
    int r;
    if (!cli_take(&serve_table, argc, argv, &args, &r))
        return r;
    if ((r = cli_network(&args.network, &args.door.network)))
        return r;
    args.door.hosts = args.hosts.n ? args.hosts.at : NULL;
    args.door.origins = args.origins.n ? args.origins.at : NULL;
    if (activation_take(&activation, &args.door, &err) < 0 || server_check(&args.door, &err) < 0 ||
        give_up_root(&args, &engine_options, &user, &err) < 0)
        return cli_fail("serve: %s", err.message);
    engine_options.home = args.door.e2b != NULL;
    if (retort_open(&engine_options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = server_run(engine, &args.door, &err);
    retort_close(engine);
    return r < 0 ? cli_fail("serve: %s", err.message) : 0;
}
