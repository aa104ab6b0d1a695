/* HTTP for the doors: connections, limits, access, and routes. It uses libmicrohttpd, with one
 * thread per connection.
 *
 * With a thread per connection, a route may block for as long as a cell runs and stream bodies of
 * any size both ways in constant memory. A reaper thread enforces deadlines on connections: slow
 * heads, slow bodies and readers that do not read lose their connection and nothing else.
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

/* How a request ends: it was answered, or its connection is closed without an answer. */
enum http_result { HTTP_DROP, HTTP_DONE };

struct http_route {
    const char *method; /* NULL ends a list */
    const char *path;
    bool prefix;     /* path and everything below it */
    bool open;       /* needs no token */
    bool late;       /* still takes some requests while the server stops, and refuses the others
                        itself */
    size_t max_body; /* 0: a body is refused */
    /* Called when the headers are known. Return 0 to go on, or refuse with an answer and return 1.
     * May be NULL. */
    int (*begin)(struct http_request *request);
    /* Called with a piece of the body. NULL: the body is collected in request->body. Negative:
     * refused; finish must answer. */
    int (*data)(struct http_request *request, const char *data, size_t len);
    /* Called when the request is complete: must answer. */
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
    bool last; /* the connection ends with this request */
    int status;
    uint64_t started_ns, busy_ns;
    void *state;               /* of the route */
    bool incomplete;           /* the answer is a list that is not complete; a header says so */
    unsigned retry_after;      /* seconds, for an answer 429; 0: one */
    char session[64], rpc[40]; /* for the log: what the request was about */
    unsigned cell;
};

struct http_config {
    const char *address; /* "127.0.0.1", "::1", … */
    uint16_t port;       /* 0: any */
    int fd;              /* a socket that listens at this address already; 0: none */
    const struct http_route *routes;
    void *user;
    struct metrics *metrics;
    struct guard *guard;
    const char *cert, *key; /* PEM text; NULL: no TLS */
    unsigned max_connections;
    /* The token of a request that does not show it in Authorization; else NULL. */
    const struct guard_token *(*token_of)(const struct http_request *request);
    void (*log)(const struct http_request *request); /* or NULL */
    /* If another node serves the request, connects to it and returns the descriptor. -ENOENT: it is
     * served here; 0: it was answered. Or NULL. */
    int (*relay)(struct http_request *request);
    bool relayed; /* it has no listener: its connections come from other nodes, with the header
                     Retort-Peer */
};

int http_start(const struct http_config *config, struct http **ret_http, struct retort_error *err);
uint16_t http_port(const struct http *http);
/* The same door for requests that other nodes pass on. */
int http_relayed(const struct http_config *config, struct clustered *cluster, const char *door,
                 struct http **ret_http, struct retort_error *err);
/* The peer that has this token. */
void http_peer(const struct guard_token *token, struct peer *ret);
void *http_user(const struct http_request *request);
/* Takes no new connections; waits up to `seconds` for running requests. True if none is left. */
bool http_drain(struct http *http, double seconds);
void http_stop(struct http *http);

/* --- for routes --- */

const char *http_header(const struct http_request *request, const char *name); /* or NULL */
const char *http_query(const struct http_request *request, const char *name);
/* Copies the text. */
enum http_result http_reply(struct http_request *request, int status, const char *type,
                            const char *text, size_t len);
/* JSON with one more header, unless its value is NULL. Copies the text. */
enum http_result http_reply_json(struct http_request *request, int status, const struct buf *json,
                                 const char *name, const char *value);
enum http_result http_reply_error(struct http_request *request, int status, const char *message);
/* For readers of long responses: the client has this long to take what was given. 0: as long as it
 * likes. */
void http_deadline(struct http_request *request, double seconds);
int http_socket(const struct http_request *request);
/* Call these around a wait that keeps us from reading a body, such as for a busy session: the
 * client's time stops meanwhile. */
void http_busy(struct http_request *request);
void http_ready(struct http_request *request);
/* Seconds that a client still has for a body of which so much has come; always more than 0. */
double http_patience(uint64_t waited_ns, uint64_t received);

/* Server-sent events, or pieces of another type. `take` appends finished events to `out` and
 * returns 0, or -EPIPE when no more will come; `fd` is readable when take has something. `read`, if
 * it is set, replaces take and copies events from where they are kept: it returns the number of
 * bytes, 0 when there are none and the last event was complete, or -EPIPE. `free` is called when
 * the response is gone: the client has it all, or went away. */
struct http_events {
    int fd;
    int (*take)(void *cls, struct buf *out);
    ssize_t (*read)(void *cls, char *data, size_t max);
    void (*free)(void *cls);
    void *cls;
    bool listens;      /* nothing is lost if the response is cut: http_drain does not wait for it */
    const char *type;  /* MIME type of pieces that are no events; NULL: they are events */
    const char *alive; /* sent while nothing happens, with its length; NULL: a comment */
    size_t alive_len;
};
enum http_result http_stream(struct http_request *request, const struct http_events *events);
/* Waits for `fd` or for the client to go away. True if fd is readable, false if the client went or
 * `ms` passed. */
bool http_wait(const struct http_request *request, int fd, int ms, bool *ret_gone);
int sse_event(struct buf *out, const char *event, const char *text, size_t len);
