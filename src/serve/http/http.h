/* HTTP for the doors: connections, limits, who may come in, and routes. libmicrohttpd, one thread a
 * connection.
 *
 * A thread a connection lets a route block for as long as a cell runs and stream bodies of any size
 * both ways in constant memory. What a connection may take is bounded by deadlines that a reaper
 * thread enforces: slow heads, slow bodies and readers that do not read lose their connection and
 * nothing else.
 *
 * Runs in: broker.
 * Hostile: everything that comes in. Host and Origin are checked before anything else, then the
 *   token.
 * Life cycle: http_start; http_stop waits for running requests, then closes everything.
 * Tests: tests/system/test_serve.py, tests/unit/test_guard.c
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "serve/hosted/serve.h"
#include "serve/http/guard.h"

struct http;
struct http_request;
struct connection;
struct MHD_Connection;

/* What becomes of a request: it has its answer, or its connection ends without one. */
enum http_result { HTTP_DROP, HTTP_DONE };

struct http_route {
    const char *method; /* NULL ends a list */
    const char *path;
    bool prefix;     /* path and everything below it */
    bool open;       /* needs no token */
    bool late;       /* refuses by itself what the stopping server does not take any more */
    size_t max_body; /* 0: a body is refused */
    /* Headers are known. Answer (and return 1) to refuse, or return 0. May be NULL. */
    int (*begin)(struct http_request *request);
    /* A piece of the body. NULL: it is collected in request->body. Negative: refused, answer at the
     * end. */
    int (*data)(struct http_request *request, const char *data, size_t len);
    /* The request is complete: answer. */
    enum http_result (*finish)(struct http_request *request);
    void (*done)(struct http_request *request); /* releases request->state; may be NULL */
};

struct http_request {
    struct http *http;
    struct connection *connection;
    struct MHD_Connection *mhd; /* of libmicrohttpd; see response.h */
    const char *method, *path;
    const struct http_route *route;
    struct peer peer;
    char name[48]; /* of the token, for logs */
    struct buf body;
    uint64_t received;
    bool too_large, no_room, answered, listens;
    bool last; /* of its connection */
    int status;
    uint64_t started_ns, busy_ns;
    void *state;               /* of the route */
    bool incomplete;           /* a list that is not whole; a header says so */
    unsigned retry_after;      /* seconds, for one who is told 429; 0: one */
    char session[64], rpc[40]; /* for the log: what the request was about */
    unsigned cell;
};

struct http_config {
    const char *address; /* "127.0.0.1", "::1", … */
    uint16_t port;       /* 0: any */
    int fd;              /* a socket that listens there already; 0: none */
    const struct http_route *routes;
    void *user;
    struct metrics *metrics;
    struct guard *guard;
    const char *cert, *key; /* PEM text; NULL: no TLS */
    unsigned max_connections;
    /* Whose token a request shows, where it does so in another way than by Authorization; else NULL.
     */
    const struct guard_token *(*token_of)(const struct http_request *request);
    void (*log)(const struct http_request *request); /* or NULL */
    /* Where a request is served by another node: a connection to it. -ENOENT: it is served here; 0: it was answered. Or NULL. */
    int (*relay)(struct http_request *request);
    bool
        relayed; /* it listens nowhere: what comes was passed on by other nodes, with the header Retort-Peer */
};

int http_start(const struct http_config *config, struct http **ret_http, struct retort_error *err);
uint16_t http_port(const struct http *http);
/* The same door for what other nodes pass on. */
int http_relayed(const struct http_config *config, struct clustered *cluster, const char *door,
                 struct http **ret_http, struct retort_error *err);
/* Who comes with this token. */
void http_peer(const struct guard_token *token, struct peer *ret);
void *http_user(const struct http_request *request);
/* No new connections; waits up to `seconds` for running requests. True if none is left. */
bool http_drain(struct http *http, double seconds);
void http_stop(struct http *http);

/* --- for routes --- */

const char *http_header(const struct http_request *request, const char *name); /* or NULL */
const char *http_query(const struct http_request *request, const char *name);
/* Copies the text. */
enum http_result http_reply(struct http_request *request, int status, const char *type,
                            const char *text, size_t len);
/* JSON with one header more, unless its value is NULL. Copies the text. */
enum http_result http_reply_json(struct http_request *request, int status, const struct buf *json,
                                 const char *name, const char *value);
enum http_result http_reply_error(struct http_request *request, int status, const char *message);
/* For readers of long responses: the client has this long to take what was given. 0: as long as it
 * likes. */
void http_deadline(struct http_request *request, double seconds);
int http_socket(const struct http_request *request);
/* Around what keeps us from reading a body, such as a session that is busy: the client's time does
 * not run meanwhile. */
void http_busy(struct http_request *request);
void http_ready(struct http_request *request);
/* Seconds that a client still has for a body of which so much has come; always more than 0. */
double http_patience(uint64_t waited_ns, uint64_t received);

/* Server-sent events, or pieces of another type: `take` appends finished events to `out` and returns 0, or -EPIPE when there
 * will be no more; `fd` is readable when take has something. Where there is `read` instead, events
 * are copied from where they are kept: it returns how many bytes, 0 when there is nothing and the
 * last event was complete, or -EPIPE. `free` is called when the response is gone: then the client
 * has it all, or went away. */
struct http_events {
    int fd;
    int (*take)(void *cls, struct buf *out);
    ssize_t (*read)(void *cls, char *data, size_t max);
    void (*free)(void *cls);
    void *cls;
    bool listens;     /* nothing is lost when it ends: http_drain does not wait for it */
    const char *type; /* of what is no stream of events; NULL: it is one */
    const char
        *alive; /* what keeps it going while nothing happens, with its length; NULL: a comment */
    size_t alive_len;
};
enum http_result http_stream(struct http_request *request, const struct http_events *events);
/* Waits for `fd` or for the client to go away. True if fd is readable, false if the client went or
 * `ms` passed. */
bool http_wait(const struct http_request *request, int fd, int ms, bool *ret_gone);
int sse_event(struct buf *out, const char *event, const char *text, size_t len);
