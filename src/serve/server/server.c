#include "serve/server/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "serve/cluster/cluster_door.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_retort.h"
#include "serve/mcp/mcp_skills.h"
#include "serve/server/relays.h"
#include "serve/server/unix_socket.h"

#define DEFAULT_LISTEN "127.0.0.1:8700"
#define E2B_LISTEN "127.0.0.1:8710"
#define MAX_CONNECTIONS 1024
#define GRACE_S 10.0 /* for running requests when the server stops */
#define LAST_S 5.0   /* for them to be answered after they were interrupted */
#define MAX_PEM (256u << 10)

/* --- options --- */

static bool is_loopback(const char *address) {
    struct in_addr v4;
    struct in6_addr v6;

    if (inet_pton(AF_INET, address, &v4) == 1)
        return ntohl(v4.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, address, &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

int server_parse_address(const char *text, char *address, size_t size, uint16_t *ret_port,
                         bool *ret_loopback) {
    const char *colon = strrchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : 0;
    struct in6_addr any; /* as large as either */
    char *end;
    unsigned long port;

    if (len > 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
    }
    if (len == 0 || len >= size || colon[1] < '0' || colon[1] > '9')
        return -EINVAL;
    port = strtoul(colon + 1, &end, 10);
    if (*end || port > 65535)
        return -EINVAL;
    snprintf(address, size, "%.*s", (int)len, text);
    if (strcmp(address, "localhost") == 0)
        snprintf(address, size, "127.0.0.1");
    if (inet_pton(AF_INET, address, &any) != 1 && inet_pton(AF_INET6, address, &any) != 1)
        return -EINVAL;
    *ret_port = (uint16_t)port;
    *ret_loopback = is_loopback(address);
    return 0;
}

static const char *listen_text(const struct server_options *options) {
    return options->listen ? options->listen : options->socket ? NULL : DEFAULT_LISTEN;
}

static const char *e2b_text(const struct server_options *options) {
    return options->e2b && !options->e2b[0] ? E2B_LISTEN : options->e2b;
}

int server_check(const struct server_options *options, struct retort_error *err) {
    const char *listen = listen_text(options);
    char address[64];
    uint16_t port;
    bool loopback;

    if (options->idle > 0 && (!options->socket || listen_text(options) || options->e2b))
        return err_set(err, ERR_CALLER, EINVAL, "--idle is for a server that has but a socket");
    if (!options->tls_cert != !options->tls_key)
        return err_set(err, ERR_CALLER, EINVAL, "--tls-cert and --tls-key belong together");
    if (options->token_file && options->no_auth)
        return err_set(err, ERR_CALLER, EINVAL, "--token-file and --no-auth exclude each other");
    for (const char *const *one = options->origins; one && *one; one++)
        if (!guard_is_origin(*one))
            return err_set(err, ERR_CALLER, EINVAL,
                           "--allow-origin wants http(s)://HOST[:PORT] and nothing behind it, not "
                           "'%.80s'",
                           *one);
    if (options->e2b &&
        server_parse_address(e2b_text(options), address, sizeof address, &port, &loopback) < 0)
        return err_set(err, ERR_CALLER, EINVAL, "--e2b wants ADDRESS:PORT, not '%.80s'",
                       options->e2b);
    if (options->e2b && !loopback && !options->tls_cert && !options->insecure)
        return err_set(err, ERR_CALLER, EINVAL,
                       "--e2b beyond the loopback wants --tls-cert and --tls-key, or --insecure");
    if (!listen)
        return 0;
    if (server_parse_address(listen, address, sizeof address, &port, &loopback) < 0)
        return err_set(err, ERR_CALLER, EINVAL, "--listen wants ADDRESS:PORT, not '%.80s'", listen);
    if (!options->token_file && !options->no_auth && !options->token)
        return err_set(err, ERR_CALLER, EINVAL,
                       "give --token-file FILE, or --no-auth to let everybody on this machine in");
    if (!loopback && options->no_auth)
        return err_set(err, ERR_CALLER, EINVAL, "--no-auth is for loopback addresses only");
    if (!loopback && !options->tls_cert && !options->insecure)
        return err_set(err, ERR_CALLER, EINVAL,
                       "beyond the loopback give --tls-cert and --tls-key, or --insecure");
    return 0;
}

static int read_pem(const char *path, char **ret_text, struct retort_error *err) {
    scoped_free char *text = calloc(1, MAX_PEM);
    ssize_t n = text ? read_file_at(AT_FDCWD, path, text, MAX_PEM) : -ENOMEM;

    if (n <= 0)
        return err_errno(err, ERR_CALLER, n < 0 ? (int)-n : EINVAL, "cannot read %s", path);
    *ret_text = TAKE(text);
    return 0;
}

/* --- logs --- */

static void add_time(json_t *entry) {
    struct timespec now;
    struct tm utc;
    char text[40];

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    json_object_set_new(entry, "time", json_sprintf("%s.%03ldZ", text, now.tv_nsec / 1000000));
}

/* Takes the entry; NULL values are left out. */
static void log_entry(json_t *entry) {
    scoped_buf line = BUF_INIT(64u << 10);

    add_time(entry);
    if (buf_json(&line, entry) >= 0 && buf_adds(&line, "\n") >= 0)
        write_all(STDERR_FILENO, line.data, line.len);
    json_decref(entry);
}

/* The same, unless the log is off. */
static void server_log(const struct server *server, json_t *entry) {
    if (server->options->ready)
        json_decref(entry);
    else
        log_entry(entry);
}

static void log_request(const struct http_request *request) {
    json_t *entry = json_pack("{s:s, s:o, s:i, s:f, s:o}", "event", "request", "method",
                              serve_json_string(request->method), "status", request->status, "ms",
                              (double)(now_ns() - request->started_ns) / 1e6, "client",
                              serve_json_string(request->name));

    json_object_set_new(entry, "path", serve_json_string(request->path));
    if (request->rpc[0])
        json_object_set_new(entry, "rpc", json_string(request->rpc));
    if (request->session[0])
        json_object_set_new(entry, "session", serve_json_string(request->session));
    if (request->cell)
        json_object_set_new(entry, "cell", json_integer(request->cell));
    log_entry(entry);
}

/* --- running --- */

/* Reads files that perhaps only root can read. */
static int load_secrets(struct server *server, const struct server_options *options, bool loopback,
                        struct retort_error *err) {
    int r = guard_new(options->token_file, loopback, options->hosts, &server->guard, err);

    if (r >= 0 && options->token && guard_lock(server->guard, options->token) < 0)
        r = err_memory(err);
    if (r >= 0)
        guard_allow_origins(server->guard, options->origins);
    if (r >= 0 && options->tls_cert)
        r = read_pem(options->tls_cert, &server->cert, err);
    if (r >= 0 && options->tls_key)
        r = read_pem(options->tls_key, &server->key, err);
    return r;
}

static struct http_config http_config_of(struct server *server, const char *address,
                                         uint16_t port) {
    return (struct http_config){.address = address,
                                .port = port,
                                .routes = server_routes,
                                .user = server,
                                .metrics = &server->serve.metrics,
                                .guard = server->guard,
                                .cert = server->cert,
                                .key = server->key,
                                .max_connections = MAX_CONNECTIONS,
                                .log = server->options->ready ? NULL : log_request};
}

static int open_e2b(struct server *server, const char *listen, struct retort_error *err) {
    char address[64];
    uint16_t port = 0;
    bool loopback = false;
    int r = server_parse_address(listen, address, sizeof address, &port, &loopback);
    struct http_config config = http_config_of(server, address, port);

    if (r >= 0)
        r = e2b_open(&server->serve, &config, &server->e2b, err);
    if (r >= 0)
        log_entry(json_pack("{s:s, s:s, s:i, s:b, s:s}", "event", "listening", "address", address,
                            "port", e2b_port(server->e2b), "tls", config.cert != NULL, "door",
                            "e2b"));
    return r;
}

static int open_http(struct server *server, const char *address, uint16_t port, int fd,
                     struct retort_error *err) {
    struct http_config config = http_config_of(server, address, port);
    int r;

    config.fd = fd;
    config.relay = relays_find;
    hub_open(server->serve.hub);
    r = http_start(&config, &server->http, err);
    if (r >= 0 && server->serve.clustered)
        r = http_relayed(&config, server->serve.clustered, RELAYS_DOOR, &server->relayed, err);
    if (r >= 0)
        server_log(server,
                   json_pack("{s:s, s:s, s:i, s:b}", "event", "listening", "address", address,
                             "port", http_port(server->http), "tls", config.cert != NULL));
    if (r >= 0 && server->options->ready)
        server->options->ready(server->options, http_port(server->http));
    return r;
}

static int open_socket(struct server *server, const char *path, int fd, struct retort_error *err) {
    int r = unix_socket_open(&server->serve, path, fd, &server->unix_socket, err);

    if (r >= 0)
        log_entry(json_pack("{s:s, s:s}", "event", "listening", "socket", path));
    return r;
}

static int open_listeners(struct server *server, const struct server_options *options,
                          struct retort_error *err) {
    char address[64] = "";
    uint16_t port = 0;
    bool loopback = true;
    int r = 0;

    if (listen_text(options))
        r = server_parse_address(listen_text(options), address, sizeof address, &port, &loopback);
    if (r >= 0)
        r = load_secrets(server, options, loopback, err);
    if (r >= 0 && options->before_listening)
        r = options->before_listening(options->user, err);
    if (r >= 0) /* from here on the server is its own user, who has to own the index of skills */
        server->watch = mcp_skills_watch(server->mcp_http.mcp, &server->serve);
    if (r >= 0 && options->socket)
        r = open_socket(server, options->socket, options->socket_fd, err);
    if (r >= 0 && listen_text(options))
        r = open_http(server, address, port, options->listen_fd, err);
    if (r >= 0 && options->e2b)
        r = open_e2b(server, e2b_text(options), err);
    return r;
}

static int open_cluster(struct server *server, struct cluster *cluster, struct retort_error *err) {
    int r = cluster_door_open(&server->serve, cluster, &server->cluster, err);

    if (r >= 0)
        log_entry(json_pack("{s:s, s:s, s:s, s:f}", "event", "cluster", "name",
                            cluster_name(cluster), "node", cluster_node(cluster), "lease",
                            cluster_lease(cluster)));
    return r;
}

static int open_server(struct server *server, struct retort_engine *engine,
                       const struct server_options *options, struct retort_error *err) {
    int r = serve_init(&server->serve, engine);

    if (r < 0)
        return err_memory(err);
    serve_limit(&server->serve, options->cells, options->wait);
    server->serve.network = options->terms.network;
    server->serve.state = options->state;
    server->serve.review = options->terms.review;
    server->serve.rules = options->terms.rules;
    server->serve.skills = options->terms.skills;
    server->serve.own = options->own;
    server->retort = mcp_retort_new(&server->serve);
    if (server->retort)
        server->mcp_http.mcp = mcp_new(mcp_retort_table(server->retort));
    if (!server->mcp_http.mcp)
        return err_memory(err);
    server->mcp_http.began = relays_keep;
    if (options->cluster)
        r = open_cluster(server, options->cluster, err);
    return r < 0 ? r : open_listeners(server, options, err);
}

/* Whether the running requests of all doors ended within this many seconds. */
static bool server_drain(struct server *server, double seconds) {
    uint64_t start = now_ns();
    bool idle;

    serve_drain(&server->serve, 0); /* from here on no door takes anything new */
    idle = !server->http || http_drain(server->http, seconds);
    idle = (!server->relayed || http_drain(server->relayed, 0)) && idle;
    idle = (!server->e2b || e2b_drain(server->e2b, seconds)) && idle;
    seconds -= (double)(now_ns() - start) / 1e9;
    return serve_drain(&server->serve, seconds > 0 ? seconds : 0) && idle;
}

/* Running requests may end by themselves; those that do not are interrupted. Every request is
 * answered. */
static void close_server(struct server *server) {
    struct mcp *mcp = server->mcp_http.mcp;

    if (mcp) {
        mcp_input_ended(mcp);
        if (!server_drain(server, GRACE_S)) {
            serve_stop(&server->serve);
            mcp_stop(mcp);
            server_drain(server, LAST_S);
        }
        if (server->cluster)
            cluster_door_drain(server->cluster);
        serve_stop(&server->serve);
        hub_end(server->serve.hub);
    }
    unix_socket_close(server->unix_socket);
    if (server->relayed)
        http_stop(server->relayed);
    if (server->http)
        http_stop(server->http);
    e2b_close(server->e2b);
    cluster_door_close(server->cluster);
    mcp_skills_unwatch(server->watch);
    mcp_free(mcp);
    mcp_retort_free(server->retort);
    serve_done(&server->serve);
    guard_free(server->guard);
    free(server->cert);
    free(server->key);
}

static void block_signals(sigset_t *ret_ending) {
    sigset_t pipe;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigemptyset(ret_ending);
    sigaddset(ret_ending, SIGTERM);
    sigaddset(ret_ending, SIGINT);
    pthread_sigmask(SIG_BLOCK, ret_ending, NULL);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
}

/* Returns the signal that ends the server; 0: nobody has used it for long enough. */
static int server_await(const struct server *server, const sigset_t *ending, double idle) {
    struct timespec second = {.tv_sec = 1};
    int number;

    if (idle <= 0)
        return sigwait(ending, &number) == 0 ? number : 0;
    do
        number = sigtimedwait(ending, NULL, &second);
    while (number < 0 && unix_socket_idle(server->unix_socket) < idle);
    return number > 0 ? number : 0;
}

int server_run(struct retort_engine *engine, const struct server_options *options,
               struct retort_error *err) {
    struct server server = {.options = options};
    sigset_t ending;
    int r;

    block_signals(&ending);
    if (options->state)
        server_log(&server, json_pack("{s:s, s:s}", "event", "state", "path", options->state));
    r = open_server(&server, engine, options, err);
    if (r >= 0)
        server_log(&server, json_pack("{s:s, s:i}", "event", "stopping", "signal",
                                      server_await(&server, &ending, options->idle)));
    close_server(&server);
    if (r >= 0)
        server_log(&server, json_pack("{s:s}", "event", "stopped"));
    if (r >= 0 && atomic_load(&server.serve.unable))
        r = err_set(err, ERR_HOST, ECHILD,
                    "this node could start no sessions any more and has ended: start it again");
    return r;
}

int server_mcp_stdio(struct retort_engine *engine, const struct serve_defaults *defaults) {
    struct mcp_retort *retort;
    struct serve serve;
    struct mcp *mcp;
    int r = serve_init_stdio(&serve, engine, defaults);

    if (r < 0)
        return r;
    retort = mcp_retort_new(&serve);
    mcp = retort ? mcp_new(mcp_retort_table(retort)) : NULL;
    struct skills_watch *watch = mcp_skills_watch(mcp, &serve);
    r = mcp ? mcp_lines_run(mcp, STDIN_FILENO, STDOUT_FILENO) : -ENOMEM;
    mcp_skills_unwatch(watch);
    mcp_free(mcp);
    mcp_retort_free(retort);
    serve_done(&serve);
    return r;
}
