/* retort serve and retort mcp: the doors, opened and closed in order.
 *
 * Runs in: broker. It is the main loop of its process: it takes SIGTERM and SIGINT, and logs to
 *   standard error, one JSON object a line.
 * Life cycle: everything is checked before anything listens; on a signal no new connections are
 *   taken, running requests get ten seconds, then their cells are interrupted and answered as such,
 *   then sessions end.
 * Tests: tests/system/test_serve.py
 */
#pragma once

#include "base/err.h"
#include "retort.h"
#include "serve/e2b/e2b.h"
#include "serve/hosted/serve.h"
#include "serve/http/http.h"
#include "serve/server/mcp_http.h"

/* What holds for the sessions of all clients; members may be NULL. */
struct server_terms {
    const char *network;        /* rules */
    const char *review, *rules; /* of their code: the least strict */
    const json_t *skills;       /* the skills that they have, see struct serve */
};

struct server_options {
    const char *listen;       /* ADDR:PORT; NULL: 127.0.0.1:8700, or nothing if there is a socket */
    const char *socket;       /* path of a Unix socket, or NULL */
    int listen_fd, socket_fd; /* both listen already (serve/server/activation.h); 0: to be opened */
    const char *token_file;
    bool no_auth, insecure;
    struct server_terms terms;
    const char *tls_cert, *tls_key; /* paths of PEM files */
    const char *const *hosts;       /* NULL-terminated, or NULL */
    const char *e2b;                /* ADDR:PORT for clients of E2B; "": the usual; NULL: none */
    const char *const *origins;     /* whose pages may use the server; the same */
    const struct own_door *own;     /* for programs of the same user; or NULL */
    uint32_t cells;                 /* cells that run at once; 0: the default */
    double wait;                    /* seconds that a request waits for its turn; 0: the default */
    double idle;                    /* the server ends when nobody has used the socket for this
                                       long; 0: never */
    const char *state;              /* the state directory, for the log; NULL: the usual one */
    /* Called when the server has read everything that only root may read, before it listens; may be
     * NULL. */
    int (*before_listening)(void *user, struct retort_error *err);
    void *user;
    /* A private server: the holder of this token is its only user. `ready` is told where it
     * listens, and it logs nothing. */
    const char *token;
    void (*ready)(const struct server_options *options, uint16_t port);
    struct cluster *cluster; /* the cluster of which this server is a node; or NULL */
};

struct server {               /* the user pointer of the routes (http_user) */
    struct mcp_http mcp_http; /* first */
    struct serve serve;
    const struct server_options *options;
    struct mcp_retort *retort;
    struct guard *guard;
    struct http *http;
    struct http *relayed; /* of other nodes of the cluster; or NULL */
    struct e2b *e2b;
    struct unix_socket *unix_socket;
    struct cluster_door *cluster;
    struct skills_watch *watch;
    char *cert, *key;
};

int server_check(const struct server_options *options, struct retort_error *err);
int server_run(struct retort_engine *engine, const struct server_options *options,
               struct retort_error *err);
int server_mcp_stdio(struct retort_engine *engine, const struct serve_defaults *defaults);

/* ADDR:PORT or [V6]:PORT into its parts. Pure. -EINVAL. */
int server_parse_address(const char *text, char *address, size_t size, uint16_t *ret_port,
                         bool *ret_loopback);

extern const struct http_route server_routes[];
json_t *openapi_document(void);
