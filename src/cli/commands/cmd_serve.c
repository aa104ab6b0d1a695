/* retort serve: HTTP, JSON-RPC, MCP and events for many clients. retort ui: the same for one person
 * with a browser. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/commands/clusteropts.h"
#include "cli/run/once.h"
#include "cli/run/once_door.h"
#include "cluster/cluster.h"
#include "engine/api/clusterapi.h"
#include "serve/server/activation.h"
#include "serve/server/server.h"
#include "serve/server/unprivileged.h"

#define RESIDENT_POOL 4     /* sessions that are kept ready */
#define RESIDENT_IDLE 300.0 /* it ends after this many seconds without a run */

struct serve_args {
    struct server_options door;
    struct opt_list hosts, origins;
    struct cli_network network;
    const char *user, *rules;
    struct cli_skills skills;
    uint32_t supervisors;
    struct cluster_args cluster;
    bool resident;
    char place[MAX_PATH];
};

#define AT(field) offsetof(struct serve_args, field)

static const struct opt serve_rows[] = {
    {"--listen", 0, OPT_TEXT, "ADDR:PORT", AT(door.listen),
     "where to listen; 127.0.0.1:8700 if nothing else is given", 0},
    {"--socket", 0, OPT_MAYBE, "[PATH]", AT(door.socket),
     "serve JSON-RPC lines on a Unix socket; without PATH, where `retort run` looks for it", 0},
    {"--resident", 0, OPT_FLAG, NULL, AT(resident),
     "serve `retort run` of the same user alone, and record nothing", 0},
    {"--idle", 0, OPT_SECONDS, "SECONDS", AT(door.idle),
     "end when nobody has used the socket for this time (300 with --resident)", 0},
    {"--token-file", 0, OPT_TEXT, "FILE", AT(door.token_file),
     "who may connect, one a line: TOKEN [name=…] [admin] [sessions=N] [review=MODE] [LIMIT=N]…",
     0},
    {"--no-auth", 0, OPT_FLAG, NULL, AT(door.no_auth),
     "let everybody on this machine connect (loopback addresses only)", 0},
    {"--tls-cert", 0, OPT_TEXT, "FILE", AT(door.tls_cert), "certificate for TLS, in PEM", 0},
    {"--tls-key", 0, OPT_TEXT, "FILE", AT(door.tls_key), "its key", 0},
    {"--insecure", 0, OPT_FLAG, NULL, AT(door.insecure), "listen beyond the loopback without TLS",
     0},
    {"--host", 0, OPT_LIST, "NAME", AT(hosts),
     "a name of this server, or .NAME for all names below it; may be repeated", 0},
    {"--e2b", 0, OPT_MAYBE, "[ADDR:PORT]", AT(door.e2b),
     "serve clients of E2B as well; at 127.0.0.1:8710 if nothing else is given", 0},
    {"--allow-origin", 0, OPT_LIST, "URL", AT(origins),
     "a web origin whose pages may use the server (CORS); may be repeated", 0},
    CLI_NETWORK(AT(network)),
    CLI_REVIEW(AT(door.terms.review), AT(rules)),
    CLI_SKILLS(AT(skills)),
    {"--at-once", 0, OPT_COUNT, "N", AT(door.cells),
     "how many cells run at the same time; more wait, owner by owner (256)", 0},
    {"--wait", 0, OPT_SECONDS, "SECONDS", AT(door.wait),
     "how long a request waits for its turn before it is refused (30)", 0},
    {"--supervisors", 0, OPT_COUNT, "N", AT(supervisors), CLI_SUPERVISORS, 0},
    {"--cluster", 0, OPT_TEXT, "URL,…", AT(cluster.urls),
     "be a node of a cluster whose log is at these servers of NATS (nats://HOST:PORT)", 0},
    {"--replicas", 0, OPT_COUNT, "N", AT(cluster.replicas),
     "how many servers of NATS keep each entry (3), for a new cluster", 0},
    {"--lease", 0, OPT_SECONDS, "SECONDS", AT(cluster.lease),
     "how long others wait for this node before they take its sessions (10)", 0},
    {"--log-space", 0, OPT_MEGABYTES, "MB", AT(cluster.space),
     "the most that the log of the cluster may take up, and the same for its files (no limit)", 0},
    CLUSTER_ROWS(AT(cluster)),
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

/* Reads the rules of the network and of the review. */
static int serve_rules(struct serve_args *args) {
    int r = cli_network(&args->network, &args->door.terms.network);
    return r ? r : cli_rules(args->door.terms.review, args->rules, &args->door.terms.rules);
}

static int become(void *user, struct retort_error *err) {
    return unprivileged_become(user, err);
}

/* Started as root, only the supervisor stays root; everything else runs as a user without
 * rights. */
static int give_up_root(struct serve_args *args, struct retort_engine_options *engine,
                        struct unprivileged *user, struct retort_error *err) {
    if (geteuid() != 0)
        return args->user ? err_set(err, ERR_CALLER, 0, "--user is for root") : 0;
    int r = unprivileged_prepare(args->user, user, err);
    engine->state_dir = args->door.state = user->state;
    args->door.before_listening = become;
    args->door.user = user;
    engine->keep_rights = 1;
    return r;
}

/* The socket that `retort run` looks for. */
static int find_place(struct serve_args *args, struct retort_error *err) {
    int r = once_place_make(args->place, sizeof args->place);
    size_t len = strlen(args->place);

    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot use the directory %.300s", args->place);
    snprintf(args->place + len, sizeof args->place - len, "/" ONCE_SOCKET);
    args->door.socket = args->place;
    return 0;
}

/* If several servers are started at once, one stays: it holds the lock of the directory as long as
 * it lives. 0; 1: there is one already. */
static int take_place(const struct serve_args *args) {
    scoped_free char *path = strdup(args->place);
    scoped_fd dir = path ? open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

    if (dir >= 0 && flock(dir, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        return 1;
    take_fd(&dir);
    return 0;
}

static int prepare_resident(struct serve_args *args, struct retort_engine_options *engine,
                            struct retort_error *err) {
    int r = 0;

    if (args->door.listen || args->door.e2b || args->user)
        return err_set(err, ERR_CALLER, EINVAL,
                       "--resident has no other door, and stays the user that it is");
    if (!args->door.socket)
        r = find_place(args, err);
    engine->no_state = true;
    engine->pool = RESIDENT_POOL;
    if (args->door.idle <= 0)
        args->door.idle = RESIDENT_IDLE;
    return r == 0 && args->place[0] ? take_place(args) : r;
}

/* Makes a first session, so that the engine loads what all later ones use. */
static int warm_up(struct retort_engine *engine, struct retort_error *error) {
    struct retort_session_options options = {.no_record = true};
    struct retort_session *session;
    int r = retort_session_new(engine, &options, &session, error);

    if (r == 0)
        retort_session_close(session);
    return r;
}

/* 1: there is nothing to do. */
static int serve_prepare(struct serve_args *args, struct activation *activation,
                         struct retort_engine_options *engine, struct unprivileged *user,
                         struct retort_error *err) {
    int r = activation_take(activation, &args->door, err);

    if (r == 0 && args->resident)
        r = prepare_resident(args, engine, err);
    else if (r == 0 && args->door.socket && !args->door.socket[0])
        r = find_place(args, err);
    if (r == 0)
        r = server_check(&args->door, err);
    if (r == 0 && !args->resident && give_up_root(args, engine, user, err) < 0)
        r = -EPERM;
    return r;
}

/* Called before root is given up: only root may be able to read the files that the options name. */
static int join_cluster(struct serve_args *args, struct retort_engine *engine, struct cluster **ret,
                        struct retort_error *err) {
    struct cluster_options options;
    int r = args->cluster.urls ? cluster_args_read(&args->cluster, &options, err) : 0;

    if (r < 0 || !args->cluster.urls)
        return r;
    if (!engine_record(engine))
        return err_set(err, ERR_CALLER, EINVAL, "--cluster is for a server that keeps a record");
    r = cluster_open(&options, engine_record(engine), ret, err);
    args->door.cluster = *ret;
    return r;
}

static int serve_with(struct serve_args *args, const struct retort_engine_options *options) {
    struct retort_engine *engine;
    struct cluster *cluster = NULL;
    struct retort_error err = ERR_INIT;
    int r = retort_open(options, &engine, &err);

    if (r < 0)
        return cli_fail_error(&err);
    r = join_cluster(args, engine, &cluster, &err);
    if (r >= 0 && args->resident)
        r = warm_up(engine, &err);
    if (r >= 0)
        r = server_run(engine, &args->door, &err);
    retort_close(engine);
    cluster_close(cluster); /* last: the engine writes to the cluster's log until it has closed */
    if (r == -ECHILD) {
        cli_fail("serve: %s", err.message);
        return EXIT_UNABLE;
    }
    return r < 0 ? cli_fail("serve: %s", err.message) : 0;
}

/* --- retort ui --- */

struct ui_args {
    struct serve_args serve; /* first */
    bool open;
    char token[33];
    char file[128]; /* file that leads a browser to the page; "": there is none */
};

static const struct opt ui_rows[] = {
    {"--open", 0, OPT_FLAG, NULL, offsetof(struct ui_args, open), "open it in a browser", 0},
    {"--listen", 0, OPT_TEXT, "ADDR:PORT", AT(door.listen),
     "where to listen; 127.0.0.1 and any free port if not given", 0},
    CLI_NETWORK(AT(network)),
    CLI_REVIEW(AT(door.terms.review), AT(rules)),
    CLI_SKILLS(AT(skills)),
    OPT_END,
};

static const struct opt_table ui_table = {
    .usage = "ui [options]",
    .about = "Shows sessions, cells and files on a page in the browser, until Ctrl-C.",
    .rows = {ui_rows},
    .operand = OPT_NO_OPERAND,
};

/* Everybody can read the arguments of a program, and the address holds the token. So the browser
 * gets the address from a file that only its owner can read. */
static int ui_write_file(struct ui_args *args, const char *address) {
    const char *dir = getenv("XDG_RUNTIME_DIR");
    scoped_fd fd = -1;

    snprintf(args->file, sizeof args->file, "%.90s/retort-ui-XXXXXX.html", dir ? dir : "/tmp");
    fd = mkostemps(args->file, 5, O_CLOEXEC);
    if (fd >= 0 && dprintf(fd,
                           "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url=%s\">"
                           "<a href=\"%s\">Retort</a>\n",
                           address, address) > 0)
        return 0;
    args->file[0] = 0;
    return -1;
}

static void ui_open(const struct ui_args *args) {
    sigset_t none;

    if (fork() != 0)
        return;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid(); /* so that Ctrl-C reaches only the server */
    execlp("xdg-open", "xdg-open", args->file, (char *)NULL);
    fputs("retort: ui: there is no xdg-open; open the address yourself\n", stderr);
    _exit(1);
}

static void ui_ready(const struct server_options *options, uint16_t port) {
    /* `options` is the first member of the first member of ui_args. */
    struct ui_args *args = (struct ui_args *)(uintptr_t)options;
    char name[64], address[160];
    uint16_t asked;
    bool loopback;

    server_parse_address(options->listen, name, sizeof name, &asked, &loopback);
    snprintf(address, sizeof address,
             strchr(name, ':') ? "http://[%s]:%u/#token=%s" : "http://%s:%u/#token=%s", name, port,
             args->token);
    printf("%s\nWhoever has this address may use it. Ctrl-C ends it.\n", address);
    fflush(stdout);
    if (args->open && ui_write_file(args, address) == 0)
        ui_open(args);
}

static void ui_make_token(struct ui_args *args) {
    unsigned char bytes[16];

    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(args->token + 2 * i, 3, "%02x", bytes[i]);
    args->serve.door.token = args->token;
}

static int cmd_ui(int argc, char **argv) {
    struct ui_args args = {.serve.door.ready = ui_ready};
    struct retort_engine_options engine_options = {.pool = 8, .supervisors = 1};
    struct unprivileged user;
    struct retort_error err = ERR_INIT;
    char name[64];
    uint16_t port;
    bool loopback;
    int r;
    if (!cli_take(&ui_table, argc, argv, &args, &r))
        return r;
    if ((r = serve_rules(&args.serve)))
        return r;
    if (!args.serve.door.listen)
        args.serve.door.listen = "127.0.0.1:0";
    if (server_parse_address(args.serve.door.listen, name, sizeof name, &port, &loopback) < 0 ||
        !loopback)
        return cli_fail("ui: --listen wants a loopback address and a port, not '%.80s'",
                        args.serve.door.listen);
    scoped_json *skills = cli_skill_names(&args.serve.skills);
    args.serve.door.terms.skills = skills;
    ui_make_token(&args);
    if (server_check(&args.serve.door, &err) < 0 ||
        give_up_root(&args.serve, &engine_options, &user, &err) < 0)
        return cli_fail("ui: %s", err.message);
    r = serve_with(&args.serve, &engine_options);
    if (args.file[0])
        unlink(args.file);
    return r;
}

/* --- retort serve --- */

int cmd_serve(int argc, char **argv) {
    struct serve_args args = {0};
    struct activation activation;
    struct retort_engine_options engine_options = {.pool = 8};
    scoped_buf likeness = BUF_INIT(4 * MAX_PATH);
    struct own_door own = {.serve = once_door, .user = &likeness};
    struct unprivileged user;
    struct retort_error err = ERR_INIT;
    int r;
    if (strcmp(argv[0], "ui") == 0)
        return cmd_ui(argc, argv);
    if (!cli_take(&serve_table, argc, argv, &args, &r))
        return r;
    if ((r = serve_rules(&args)))
        return r;
    scoped_json *skills = cli_skill_names(&args.skills);
    args.door.terms.skills = skills;
    args.door.hosts = args.hosts.n ? args.hosts.at : NULL;
    args.door.origins = args.origins.n ? args.origins.at : NULL;
    r = serve_prepare(&args, &activation, &engine_options, &user, &err);
    if (r != 0)
        return r < 0 ? cli_fail("serve: %s", err.message) : 0;
    engine_options.home = args.door.e2b != NULL;
    engine_options.supervisors = args.supervisors;
    if (once_likeness(&likeness) == 0)
        args.door.own = &own;
    return serve_with(&args, &engine_options);
}
