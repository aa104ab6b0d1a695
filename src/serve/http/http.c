#include "serve/http/http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"
#include "base/unconst.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/json.h"
#include "serve/hosted/peers.h"
#include "serve/http/http_strict.h"
#include "serve/http/relay.h"
#include "serve/http/response.h"

#define IDLE_S 60.0       /* seconds for the head of the next request */
#define STRANGER_S 10.0   /* the same for a connection that has not shown a token yet */
#define MOMENT_S 1.0      /* within which a client with a token shows it */
#define MAX_STRANGERS 256 /* connections without a token; at most half of them from one place */
#define PLACES 256
#define BODY_S 30.0             /* seconds for a body, and */
#define SLOWEST (16.0 * 1024.0) /* bytes a second beyond that, for replies too */
#define REPLY_S 60.0
#define HEAD_SIZE (64u << 10) /* memory of a connection: all headers, and one piece of a body */
#define BACKLOG 511
#define STACK_SIZE (1u << 20)
#define BLOCK_SIZE (256u << 10)
#define STILL_HERE ": still here\n\n"
/* There may be many readers of events, and they need not read: each can make us hold only this
 * much. */
#define SMALL_BLOCK (16u << 10)
#define SMALL_BUFFER (64 << 10) /* in the kernel */

struct connection {
    struct connection *next;
    struct http *http;
    int fd;
    _Atomic uint64_t deadline_ns; /* 0: none */
    uint64_t opened_ns;
    unsigned char place;    /* made from the client's address, see `reap_strangers` */
    char owner[OWNER_SIZE]; /* of the token it came with; "": none yet. Under http->lock */
    size_t body;            /* bytes of a long body that we hold. Under http->lock */
};

struct http {
    struct http_config config;
    struct MHD_Daemon *daemon;
    uint16_t port;
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct connection *connections;
    unsigned active; /* requests between their head and their end */
    bool draining;
    struct ticker reaper;
};

/* --- connections and their deadlines --- */

static uint64_t seconds_from_now(double seconds) {
    return seconds > 0 ? now_ns() + (uint64_t)(seconds * 1e9) : 0;
}

void http_deadline(struct http_request *request, double seconds) {
    request->connection->deadline_ns = seconds_from_now(seconds);
}

int http_socket(const struct http_request *request) {
    return request->connection->fd;
}

/* One of PLACES, the same for all of an IPv4 address or of an IPv6 network of 64 bits. */
static unsigned char http_place_of(struct MHD_Connection *mhd) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    const unsigned char *bytes = NULL;
    size_t len = 0;
    uint32_t sum = 2166136261u;

    if (address && address->sa_family == AF_INET) {
        bytes = (const unsigned char *)&((const struct sockaddr_in *)address)->sin_addr;
        len = 4;
    } else if (address && address->sa_family == AF_INET6) {
        bytes = (const unsigned char *)&((const struct sockaddr_in6 *)address)->sin6_addr;
        len = 8;
    }
    for (size_t i = 0; i < len; i++)
        sum = (sum ^ bytes[i]) * 16777619u;
    return (unsigned char)(sum >> 24);
}

static void open_connection(struct http *http, struct MHD_Connection *mhd, void **context) {
    struct connection *c = calloc(1, sizeof *c);

    *context = c;
    if (!c)
        return;
    c->http = http;
    c->fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    c->deadline_ns = seconds_from_now(STRANGER_S);
    c->opened_ns = now_ns();
    c->place = http_place_of(mhd);
    pthread_mutex_lock(&http->lock);
    c->next = http->connections;
    http->connections = c;
    pthread_mutex_unlock(&http->lock);
    atomic_fetch_add(&http->config.metrics->connections, 1);
}

static void close_connection(struct http *http, struct connection *c) {
    if (!c)
        return;
    pthread_mutex_lock(&http->lock);
    LIST_DROP(http->connections, c, next);
    pthread_mutex_unlock(&http->lock);
    atomic_fetch_sub(&http->config.metrics->connections, 1);
    free(c);
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode code) {
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        open_connection(cls, mhd, context);
    else
        close_connection(cls, *context);
}

/* Shutting a socket down wakes its connection's thread, wherever that waits. The descriptor cannot
 * belong to another connection by then: connections leave the list before it is closed. */
static void http_reap(struct http *http) {
    uint64_t now = now_ns();

    for (struct connection *c = http->connections; c; c = c->next) {
        uint64_t deadline = c->deadline_ns;

        if (deadline && deadline < now)
            shutdown(c->fd, SHUT_RDWR);
    }
}

/* Connections without a token must not keep out those with one. Of the connections without a token
 * that are older than a moment, the oldest are closed first; one place may have only half of them.
 * The list has the newest first. */
static void reap_strangers(struct http *http) {
    unsigned all = 0, places[PLACES] = {0};
    uint64_t before = now_ns() - (uint64_t)(MOMENT_S * 1e9);

    for (struct connection *c = http->connections; c; c = c->next) {
        if (c->owner[0])
            continue;
        all++;
        places[c->place]++;
        if ((all > MAX_STRANGERS || places[c->place] > MAX_STRANGERS / 2) && c->opened_ns < before)
            shutdown(c->fd, SHUT_RDWR);
    }
}

static void reap_all(void *user) {
    struct http *http = user;

    pthread_mutex_lock(&http->lock);
    http_reap(http);
    reap_strangers(http);
    pthread_mutex_unlock(&http->lock);
}

/* --- answering --- */

void *http_user(const struct http_request *request) {
    return request->http->config.user;
}

const char *http_header(const struct http_request *request, const char *name) {
    return MHD_lookup_connection_value(request->mhd, MHD_HEADER_KIND, name);
}

const char *http_query(const struct http_request *request, const char *name) {
    return MHD_lookup_connection_value(request->mhd, MHD_GET_ARGUMENT_KIND, name);
}

/* The headers that a page of an allowed origin may read. The answer depends on the origin, and Vary
 * tells caches so. */
static void add_cors(const struct http_request *request, struct MHD_Response *response) {
    const char *origin = http_header(request, "Origin");

    if (!guard_origin(request->http->config.guard, origin))
        return;
    MHD_add_response_header(response, "Access-Control-Allow-Origin", origin);
    MHD_add_response_header(response, "Vary", "Origin");
    MHD_add_response_header(response, "Access-Control-Expose-Headers",
                            "Content-Range, ETag, Mcp-Session-Id, WWW-Authenticate");
}

enum http_result http_send(struct http_request *request, int status,
                           struct MHD_Response *response) {
    if (!response)
        return HTTP_DROP;
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    add_cors(request, response);
    if (request->last)
        MHD_add_response_header(response, "Connection", "close");
    if (status == 429) {
        char seconds[16];
        snprintf(seconds, sizeof seconds, "%u", request->retry_after ? request->retry_after : 1);
        MHD_add_response_header(response, "Retry-After", seconds);
    }
    if (request->incomplete)
        MHD_add_response_header(response, "Retort-Incomplete", "true");
    request->status = status;
    request->answered = true;
    enum MHD_Result queued = MHD_queue_response(request->mhd, (unsigned)status, response);
    MHD_destroy_response(response);
    return queued == MHD_YES ? HTTP_DONE : HTTP_DROP;
}

#define SHORT_BODY (64u << 10) /* every connection may hold this much */

/* Whether there is room for a body of this length so far, and a reply. One owner must not use all
 * the room of the server, and all owners together only so much. */
static bool body_fits(const struct http_request *request, size_t len) {
    struct http *http = request->http;
    struct connection *own = request->connection;
    uint64_t all = len, owners = len;

    if (len <= SHORT_BODY)
        return true;
    pthread_mutex_lock(&http->lock);
    for (struct connection *c = http->connections; c; c = c->next) {
        all += c == own ? 0 : c->body;
        owners += c == own || strcmp(c->owner, own->owner) != 0 ? 0 : c->body;
    }
    bool fits = all <= MAX_BODIES && owners <= MAX_OWN_BODIES;
    if (fits)
        own->body = len;
    pthread_mutex_unlock(&http->lock);
    return fits;
}

#define NO_ROOM "too many large replies at once"

static bool reply_fits(const struct http_request *request, size_t len) {
    return len <= SHORT_BODY || body_fits(request, request->body.len + len);
}

enum http_result http_reply(struct http_request *request, int status, const char *type,
                            const char *text, size_t len) {
    if (!reply_fits(request, len))
        return http_reply_error(request, 503, NO_ROOM);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(len, unconst(text), MHD_RESPMEM_MUST_COPY);

    if (response && type)
        MHD_add_response_header(response, "Content-Type", type);
    if (response && status == 401)
        MHD_add_response_header(response, "WWW-Authenticate", "Bearer realm=\"retort\"");
    http_deadline(request, REPLY_S + (double)len / SLOWEST);
    return http_send(request, status, response);
}

enum http_result http_reply_json(struct http_request *request, int status, const struct buf *json,
                                 const char *name, const char *value) {
    if (!reply_fits(request, json->len))
        return http_reply_error(request, 503, NO_ROOM);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(json->len, json->data, MHD_RESPMEM_MUST_COPY);
    if (response)
        MHD_add_response_header(response, "Content-Type", "application/json");
    if (response && value)
        MHD_add_response_header(response, name, value);
    http_deadline(request, REPLY_S + (double)json->len / SLOWEST);
    return http_send(request, status, response);
}

enum http_result http_reply_error(struct http_request *request, int status, const char *message) {
    scoped_buf text = BUF_INIT(4096);

    buf_adds(&text, "{\"error\":");
    buf_json_string(&text, message, strlen(message));
    buf_adds(&text, "}\n");
    return http_reply(request, status, "application/json", text.data, text.len);
}

/* --- requests --- */

static bool path_fits(const struct http_route *route, const char *path) {
    size_t len = strlen(route->path);

    if (strncmp(path, route->path, len) != 0)
        return false;
    return path[len] == 0 || (route->prefix && path[len] == '/');
}

/* HEAD is GET without a body; libmicrohttpd leaves the body out. */
static bool method_fits(const struct http_route *route, const char *method) {
    return strcmp(route->method, method) == 0 ||
           (strcmp(route->method, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

static const struct http_route *find_route(const struct http *http, const char *method,
                                           const char *path, bool *ret_path_known) {
    *ret_path_known = false;
    for (const struct http_route *route = http->config.routes; route->method; route++)
        if (path_fits(route, path)) {
            *ret_path_known = true;
            if (method_fits(route, method))
                return route;
        }
    return NULL;
}

static int http_refuse(struct http_request *request, int status, const char *message) {
    atomic_fetch_add(&request->http->config.metrics->http_refused, 1);
    http_reply_error(request, status, message);
    return 1;
}

/* The connection has shown a token. False: its owner has its share of connections already. */
static bool introduce(struct http_request *request, const char *owner) {
    struct http *http = request->http;
    struct connection *own = request->connection;
    unsigned count = 0;

    pthread_mutex_lock(&http->lock);
    if (strcmp(own->owner, owner) != 0) {
        for (struct connection *c = http->connections; c; c = c->next)
            count += strcmp(c->owner, owner) == 0;
        if (count < http->config.max_connections / 2)
            snprintf(own->owner, sizeof own->owner, "%s", owner);
    }
    pthread_mutex_unlock(&http->lock);
    return count < http->config.max_connections / 2;
}

void http_peer(const struct guard_token *token, struct peer *ret) {
    snprintf(ret->owner, sizeof ret->owner, "%s", token->owner);
    snprintf(ret->name, sizeof ret->name, "%s", token->name);
    ret->max_sessions = token->sessions;
    ret->caps = token->caps;
    ret->review = token->review;
    ret->sees_all = token->alone;
    ret->admin = token->admin;
}

static int http_check_token(struct http_request *request) {
    const struct http_config *config = &request->http->config;
    const struct guard_token *token =
        config->token_of ? config->token_of(request)
                         : guard_token(config->guard, http_header(request, "Authorization"));

    if (!token && !(request->route && request->route->open))
        return http_refuse(request, 401, "a valid token is needed: Authorization: Bearer TOKEN");
    request->peer.door = "http";
    if (token && !introduce(request, token->owner)) {
        request->last = true;
        return http_refuse(request, 503, "this token has too many connections");
    }
    if (token) {
        snprintf(request->name, sizeof request->name, "%s", token->name);
        http_peer(token, &request->peer);
    }
    return 0;
}

/* Another node has checked the client's token, and tells us who it is. If it names no owner, the
 * request opens one thing by itself, and we check that. */
static int http_check_relayed(struct http_request *request) {
    const char *text = http_header(request, "Retort-Peer");
    scoped_json *told = text ? json_in_text(text, 0, NULL) : NULL;

    if (peer_read(told, &request->peer) < 0)
        return http_refuse(request, 400, "no other node says who this is");
    if (!request->peer.owner[0])
        return http_check_token(request);
    snprintf(request->name, sizeof request->name, "%s", request->peer.owner);
    return introduce(request, request->peer.owner)
               ? 0
               : http_refuse(request, 503, "this token has too many connections");
}

/* A browser asks before it sends a request with a token, and sends no token with the question. */
static bool is_preflight(const struct http_request *request) {
    return strcmp(request->method, "OPTIONS") == 0 &&
           http_header(request, "Access-Control-Request-Method") &&
           guard_origin(request->http->config.guard, http_header(request, "Origin"));
}

static int answer_preflight(struct http_request *request) {
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);

    if (response) {
        MHD_add_response_header(response, "Access-Control-Allow-Methods",
                                "GET, HEAD, POST, PUT, DELETE");
        MHD_add_response_header(response, "Access-Control-Allow-Headers",
                                "Authorization, Content-Type, Range, If-Match, If-None-Match, "
                                "If-Range, Last-Event-ID, Mcp-Session-Id, Mcp-Protocol-Version, "
                                "Mcp-Method, Mcp-Name");
        MHD_add_response_header(response, "Access-Control-Max-Age", "600");
    }
    http_send(request, 204, response);
    return 1;
}

/* The paths where clients look for an authorization server. We have none: if we answered that a
 * token is wanted, they would believe in one that refuses them. */
static bool is_discovery(const char *path) {
    static const char *const paths[] = {"/register", "/authorize", "/token", NULL};

    for (const char *const *one = paths; *one; one++)
        if (strcmp(path, *one) == 0)
            return true;
    return strncmp(path, "/.well-known/", 13) == 0;
}

/* The connection ends with this answer, because nobody knows where the next request begins. */
static int refuse_unclear(struct http_request *request, const char *why) {
    request->last = true;
    return http_refuse(request, 400, why);
}

/* 1: the request was answered already. */
static int check_head(struct http_request *request, const char *version) {
    const char *length = http_header(request, "Content-Length");
    const char *unclear = http_strict(request->mhd, request->method, version);
    bool path_known;

    if (unclear)
        return refuse_unclear(request, unclear);
    request->route = find_route(request->http, request->method, request->path, &path_known);
    bool relayed = request->http->config.relayed;
    if (!relayed && !guard_host(request->http->config.guard, http_header(request, "Host"),
                                http_header(request, "Origin")))
        return http_refuse(request, 403, "this Host or Origin is not served here");
    if (is_preflight(request))
        return answer_preflight(request);
    if (is_discovery(request->path))
        return http_refuse(request, 404, "no such path: tokens are given by the operator");
    if (relayed ? http_check_relayed(request) : http_check_token(request))
        return 1;
    if (!request->route)
        return http_refuse(request, path_known ? 405 : 404,
                           path_known ? "no such method here" : "no such path");
    if (length && strtoull(length, NULL, 10) > request->route->max_body)
        return http_refuse(request, 413, "the body is too large");
    if (request->http->draining && !request->route->open && !request->route->late)
        return http_refuse(request, 503, "the server is stopping");
    if (request->http->config.relay) {
        int fd = request->http->config.relay(request);
        if (fd != -ENOENT)
            return fd > 0 ? relay_begin(request, fd) : 1;
    }
    return request->route->begin ? request->route->begin(request) : 0;
}

static struct http_request *request_new(struct http *http, struct MHD_Connection *mhd,
                                        const char *method, const char *path) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct http_request *request = calloc(1, sizeof *request);

    if (!request || !info || !info->socket_context) {
        free(request);
        return NULL;
    }
    request->http = http;
    request->connection = info->socket_context;
    request->mhd = mhd;
    request->method = method;
    request->path = path;
    request->started_ns = now_ns();
    request->body = BUF_INIT(MAX_REQUEST);
    http_deadline(request, BODY_S);
    atomic_fetch_add(&http->config.metrics->http_requests, 1);
    pthread_mutex_lock(&http->lock);
    http->active++;
    pthread_mutex_unlock(&http->lock);
    return request;
}

double http_patience(uint64_t waited_ns, uint64_t received) {
    double left = BODY_S - (double)waited_ns / 1e9 + (double)received / SLOWEST;

    return left > 0.001 ? left : 0.001; /* 0 would mean for ever */
}

void http_busy(struct http_request *request) {
    http_deadline(request, 0);
    request->busy_ns -= now_ns();
}

void http_ready(struct http_request *request) {
    request->busy_ns += now_ns();
    http_deadline(request, http_patience(now_ns() - request->started_ns - request->busy_ns,
                                         request->received));
}

static void collect_body(struct http_request *request, const char *data, size_t len) {
    request->no_room = !body_fits(request, request->body.len + len);
    if (request->no_room)
        buf_done(&request->body);
    else if (buf_add(&request->body, data, len) < 0)
        request->too_large = true;
}

static void take_body(struct http_request *request, const char *data, size_t len) {
    request->received += len;
    if (request->received > request->route->max_body)
        request->too_large = true;
    http_deadline(request, http_patience(now_ns() - request->started_ns - request->busy_ns,
                                         request->received));
    if (request->too_large || request->no_room || request->answered)
        return;
    if (request->route->data)
        request->route->data(request, data, len);
    else
        collect_body(request, data, len);
}

static enum http_result answer_whole(struct http_request *request) {
    if (request->answered)
        return HTTP_DONE;
    http_deadline(request, 0);
    if (request->too_large)
        return http_reply_error(request, 413, "the body is too large");
    if (request->no_room)
        return http_reply_error(request, 503, "too many large requests at once");
    return request->route->finish(request);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state) {
    struct http_request *request = *state;

    if (!request) {
        request = *state = request_new(cls, mhd, method, path);
        if (!request)
            return MHD_NO;
        check_head(request, version);
        return MHD_YES;
    }
    if (*size > 0) {
        if (!request->answered)
            take_body(request, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return answer_whole(request) == HTTP_DONE ? MHD_YES : MHD_NO;
}

static void forget_body(struct http_request *request) {
    pthread_mutex_lock(&request->http->lock);
    request->connection->body = 0;
    pthread_mutex_unlock(&request->http->lock);
    buf_done(&request->body);
}

static void count_down(struct http *http) {
    pthread_mutex_lock(&http->lock);
    http->active--;
    pthread_cond_broadcast(&http->change);
    pthread_mutex_unlock(&http->lock);
}

static void on_completed(void *cls, struct MHD_Connection *mhd, void **state,
                         enum MHD_RequestTerminationCode code) {
    struct http *http = cls;
    struct http_request *request = *state;

    (void)mhd, (void)code;
    if (!request)
        return;
    if (request->route && request->route->done)
        request->route->done(request);
    if (http->config.log)
        http->config.log(request);
    http_deadline(request, request->name[0] ? IDLE_S : STRANGER_S);
    forget_body(request);
    if (!request->listens)
        count_down(http);
    free(request);
}

/* --- events --- */

struct event_stream {
    struct http_request *request;
    struct http_events events;
    struct buf out;
    bool ended, half_closed;
};

int sse_event(struct buf *out, const char *event, const char *text, size_t len) {
    int r = buf_printf(out, "event: %s\ndata: ", event);

    if (r >= 0)
        r = buf_add(out, text, len);
    return r < 0 ? r : buf_adds(out, "\n\n");
}

bool http_wait(const struct http_request *request, int fd, int ms, bool *ret_gone) {
    struct pollfd fds[2] = {{.fd = fd, .events = POLLIN},
                            {.fd = request->connection->fd, .events = POLLRDHUP}};

    *ret_gone = false;
    if (poll(fds, 2, ms) <= 0)
        return false;
    *ret_gone = fds[1].revents != 0;
    return fds[0].revents != 0;
}

/* A client that has shut its sending side may be gone or may still read: sending a comment finds
 * out. */
static void wait_for_events(struct event_stream *s) {
    struct pollfd fds[2] = {
        {.fd = s->events.fd, .events = POLLIN},
        {.fd = s->request->connection->fd, .events = s->half_closed ? 0 : POLLRDHUP}};
    int n = poll(fds, 2, s->half_closed ? 500 : 15000);

    if (n == 0 || (n > 0 && fds[1].revents & POLLRDHUP && !fds[0].revents))
        buf_add(&s->out, s->events.alive, s->events.alive_len);
    if (n > 0 && fds[1].revents & (POLLERR | POLLHUP))
        s->ended = true;
    if (n > 0 && fds[1].revents & POLLRDHUP)
        s->half_closed = true;
}

static size_t take_out(struct event_stream *s, char *data, size_t max) {
    size_t len = s->out.len < max ? s->out.len : max;

    if (len) {
        memcpy(data, s->out.data, len);
        buf_drop(&s->out, len);
    }
    return len;
}

/* Only a stream of events can carry the reason, as a comment. */
static void give_up_reply(struct event_stream *s) {
    buf_done(&s->out);
    if (!s->events.type)
        buf_adds(&s->out, ": " NO_ROOM "\n\n");
    s->ended = true;
}

/* Bytes in `out` come first: they were left over, or are a comment between events. */
static size_t next_events(struct event_stream *s, char *data, size_t max) {
    ssize_t n;

    if (s->out.len)
        return take_out(s, data, max);
    n = s->events.read ? s->events.read(s->events.cls, data, max)
                       : s->events.take(s->events.cls, &s->out);
    if (n < 0)
        s->ended = true;
    if (!reply_fits(s->request, s->out.len))
        give_up_reply(s);
    return n > 0 ? (size_t)n : take_out(s, data, max);
}

static ssize_t read_events(void *cls, uint64_t pos, char *data, size_t max) {
    struct event_stream *s = cls;
    size_t len;

    (void)pos;
    while ((len = next_events(s, data, max)) == 0 && !s->ended) {
        http_deadline(s->request, 0);
        wait_for_events(s);
    }
    http_deadline(s->request, REPLY_S);
    return len ? (ssize_t)len : MHD_CONTENT_READER_END_OF_STREAM;
}

static void free_stream(void *cls) {
    struct event_stream *s = cls;

    if (s->events.free)
        s->events.free(s->events.cls);
    buf_done(&s->out);
    free(s);
}

enum http_result http_stream(struct http_request *request, const struct http_events *events) {
    struct event_stream *s = calloc(1, sizeof *s);
    struct MHD_Response *response;
    int small = SMALL_BUFFER;

    if (!s)
        return HTTP_DROP;
    *s = (struct event_stream){.request = request, .events = *events, .out = BUF_INIT(MAX_STREAM)};
    if (!s->events.alive) {
        s->events.alive = STILL_HERE;
        s->events.alive_len = strlen(STILL_HERE);
    }
    response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, events->listens ? SMALL_BLOCK : BLOCK_SIZE, read_events, s, free_stream);
    if (!response) {
        free_stream(s);
        return HTTP_DROP;
    }
    if (events->listens) {
        request->listens = true;
        setsockopt(request->connection->fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
        count_down(request->http);
    }
    MHD_add_response_header(response, "Content-Type",
                            events->type ? events->type : "text/event-stream");
    MHD_add_response_header(response, "Cache-Control", "no-cache");
    MHD_add_response_header(response, "X-Accel-Buffering", "no");
    return http_send(request, 200, response);
}

/* --- starting and stopping --- */

static int make_address(const struct http_config *config, struct sockaddr_storage *ret) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)ret;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)ret;

    *ret = (struct sockaddr_storage){0};
    if (inet_pton(AF_INET, config->address, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(config->port);
        return 0;
    }
    if (inet_pton(AF_INET6, config->address, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(config->port);
        return 0;
    }
    return -EINVAL;
}

/* We open the listener ourselves, because libmicrohttpd would set SO_REUSEPORT: two servers could
 * then share a port, and each request would reach one of them by chance. */
static int open_listener(const struct sockaddr_storage *address) {
    socklen_t size =
        address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    scoped_fd fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
        (address->ss_family == AF_INET6 &&
         setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0) ||
        bind(fd, (const struct sockaddr *)address, size) < 0 || listen(fd, BACKLOG) < 0)
        return -errno;
    return take_fd(&fd);
}

static uint16_t port_of(int fd) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address = {0};
    socklen_t size = sizeof address;

    if (getsockname(fd, &address.any, &size) < 0)
        return 0;
    return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

static void ignore_log(void *cls, const char *fmt, va_list ap) {
    (void)cls, (void)fmt, (void)ap;
}

/* As libmicrohttpd does it, but %00 stays as it is: decoded, it would cut the path short. */
static size_t http_unescape(void *cls, struct MHD_Connection *mhd, char *text) {
    char *out = text;

    (void)cls, (void)mhd;
    for (const char *in = text; *in; out++) {
        int high = *in == '%' ? hex_digit(in[1]) : -1, low = high >= 0 ? hex_digit(in[2]) : -1;

        *out = *in;
        if (low >= 0 && (high || low)) {
            *out = (char)(high << 4 | low);
            in += 2;
        }
        in++;
    }
    *out = 0;
    return (size_t)(out - text);
}

/* From here on the listener belongs to libmicrohttpd, unless this fails. */
static int start_daemon(struct http *http, int listener, bool v6) {
    const struct http_config *config = &http->config;
    unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
                     MHD_USE_POLL | MHD_USE_ITC | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem tls[] = {{MHD_OPTION_HTTPS_MEM_CERT, 0, unconst(config->cert)},
                                   {MHD_OPTION_HTTPS_MEM_KEY, 0, unconst(config->key)},
                                   {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem place[] = {{MHD_OPTION_LISTEN_SOCKET, listener, NULL},
                                     {MHD_OPTION_END, 0, NULL}};

    if (v6)
        flags |= MHD_USE_IPv6;
    if (config->relayed)
        flags |= MHD_USE_NO_LISTEN_SOCKET;
    if (config->cert)
        flags |= MHD_USE_TLS;
    http->daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, on_request, http, MHD_OPTION_EXTERNAL_LOGGER, ignore_log, NULL,
        MHD_OPTION_UNESCAPE_CALLBACK, http_unescape, NULL, MHD_OPTION_ARRAY,
        config->relayed ? place + 1 : place, MHD_OPTION_NOTIFY_CONNECTION, on_connection, http,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, http, MHD_OPTION_CONNECTION_LIMIT,
        config->max_connections, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD_SIZE,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_SIZE, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_ARRAY, config->cert ? tls : tls + 2, MHD_OPTION_END);
    return http->daemon ? 0 : -EINVAL;
}

static void http_free(struct http *http) {
    pthread_cond_destroy(&http->change);
    pthread_mutex_destroy(&http->lock);
    free(http);
}

static struct http *http_alloc(const struct http_config *config) {
    struct http *http = calloc(1, sizeof *http);

    if (!http)
        return NULL;
    http->config = *config;
    pthread_mutex_init(&http->lock, NULL);
    cond_init_monotonic(&http->change);
    return http;
}

static int http_listen(struct http *http, const struct sockaddr_storage *address,
                       struct retort_error *err) {
    const struct http_config *config = &http->config;
    int fd = config->relayed ? MHD_INVALID_SOCKET
             : config->fd    ? config->fd
                             : open_listener(address);

    if (fd == -EADDRINUSE)
        return err_set(err, ERR_CALLER, 0,
                       "port %u of %s is in use by another program (a second retort serve?): stop "
                       "it, or choose another port with --listen",
                       config->port, config->address);
    if (fd < 0 && !config->relayed)
        return err_errno(err, ERR_HOST, -fd, "cannot listen on %s, port %u", config->address,
                         config->port);
    http->port = port_of(fd);
    if (start_daemon(http, fd, address->ss_family == AF_INET6) < 0) {
        if (fd >= 0)
            close(fd);
        return err_set(err, ERR_HOST, 0, "the HTTP server does not start%s",
                       config->cert ? ": the certificate or its key is bad" : "");
    }
    if (ticker_start(&http->reaper, reap_all, http) < 0) {
        MHD_stop_daemon(http->daemon);
        return err_errno(err, ERR_HOST, EAGAIN, "cannot start a thread");
    }
    return 0;
}

int http_start(const struct http_config *config, struct http **ret_http, struct retort_error *err) {
    struct http *http = http_alloc(config);
    struct sockaddr_storage address;
    int r;

    if (!http)
        return err_memory(err);
    if (make_address(config, &address) < 0)
        r = err_set(err, ERR_CALLER, EINVAL, "%s is no address to listen on", config->address);
    else
        r = http_listen(http, &address, err);
    if (r < 0)
        http_free(http);
    else
        *ret_http = http;
    return r;
}

uint16_t http_port(const struct http *http) {
    return http->port;
}

static void http_take(void *user, int fd) {
    struct sockaddr_un nowhere = {.sun_family = AF_UNIX};
    struct http *http = user;

    MHD_add_connection(http->daemon, fd, (const struct sockaddr *)&nowhere, sizeof nowhere);
}

int http_relayed(const struct http_config *config, struct clustered *cluster, const char *door,
                 struct http **ret_http, struct retort_error *err) {
    struct http_config own = *config;
    int r;

    own.relayed = true;
    own.relay = NULL;
    own.cert = own.key = NULL;
    r = http_start(&own, ret_http, err);
    if (r >= 0)
        cluster->offer(cluster, door, http_take, *ret_http);
    return r;
}

bool http_drain(struct http *http, double seconds) {
    struct timespec end;
    MHD_socket listener;
    bool idle;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)seconds;
    listener = MHD_quiesce_daemon(http->daemon);
    if (listener != MHD_INVALID_SOCKET)
        close(listener);
    pthread_mutex_lock(&http->lock);
    http->draining = true;
    while (http->active > 0)
        if (pthread_cond_timedwait(&http->change, &http->lock, &end) == ETIMEDOUT)
            break;
    idle = http->active == 0;
    pthread_mutex_unlock(&http->lock);
    return idle;
}

void http_stop(struct http *http) {
    pthread_mutex_lock(&http->lock);
    /* Otherwise we would wait for idle keep-alive connections. */
    for (struct connection *c = http->connections; c; c = c->next)
        shutdown(c->fd, SHUT_RDWR);
    pthread_mutex_unlock(&http->lock);
    ticker_stop(&http->reaper);
    MHD_stop_daemon(http->daemon);
    http_free(http);
}
