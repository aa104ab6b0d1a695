#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/maxima.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/json.h"
#include "serve/http/page.h"
#include "serve/rpc/call.h"
#include "serve/rpc/metrics_report.h"
#include "serve/server/file_routes.h"
#include "serve/server/server.h"

static struct serve *routes_serve_of(const struct http_request *request) {
    return &((struct server *)http_user(request))->serve;
}

/* --- POST /rpc --- */

static enum http_result rpc_post(struct http_request *request) {
    const char *type = http_header(request, "Content-Type");
    struct buf reply = BUF_INIT(MAX_REPLY);
    struct call *call;
    enum http_result r;
    int status;

    /* Browsers send some other types across origins without asking first. */
    if (!type || strncasecmp(type, "application/json", 16) != 0)
        return http_reply_error(request, 415, "Content-Type must be application/json");
    call = call_begin(routes_serve_of(request), &request->peer,
                      request->body.data ? request->body.data : "", request->body.len);
    if (!call)
        return http_reply_error(request, 503, "out of memory");
    status = call_run(call, &reply);
    if (status == 429)
        request->retry_after = serve_retry_after(routes_serve_of(request));
    call_describe(call, request->rpc, sizeof request->rpc, request->session,
                  sizeof request->session, &request->cell);
    call_free(call);
    r = reply.len ? http_reply(request, status, "application/json", reply.data, reply.len)
                  : http_reply(request, 204, NULL, "", 0);
    buf_done(&reply);
    return r;
}

/* --- GET /events --- */

struct events {
    struct hub *hub;
    struct hub_reader *reader;
};

static ssize_t events_read(void *cls, char *data, size_t max) {
    struct events *e = cls;

    return hub_read(e->hub, e->reader, data, max);
}

static void events_free(void *cls) {
    struct events *e = cls;

    hub_unsubscribe(e->hub, e->reader);
    free(e);
}

/* The reader first gets what the running cell has printed so far, unless the client says which
 * event it got last. */
static struct hub_reader *routes_attach(struct serve *serve, const char *last,
                                        struct hosted *hosted) {
    struct hub_start start = {.last = last};
    struct hub_reader *reader;

    pthread_mutex_lock(&hosted->lock);
    start.first = hosted->running ? hosted->first_event : 0;
    reader = hub_subscribe(serve->hub, hosted->owner, hosted->id, &start);
    pthread_mutex_unlock(&hosted->lock);
    return reader;
}

/* Answers 404 or 503 if there is none. */
static int subscribe(struct http_request *request, struct hub_reader **ret_reader) {
    const char *session = http_query(request, "session"),
               *last = http_header(request, "Last-Event-ID");
    struct serve *serve = routes_serve_of(request);
    struct hosted *hosted;

    if (!session) {
        *ret_reader =
            hub_subscribe(serve->hub, request->peer.owner, NULL, &(struct hub_start){.last = last});
        return *ret_reader ? 200 : 503;
    }
    hosted = clustered_get(serve, &request->peer, session);
    if (!hosted)
        return 404;
    *ret_reader = routes_attach(serve, last, hosted);
    registry_unref(serve->registry, hosted);
    return *ret_reader ? 200 : 503;
}

static enum http_result events_get(struct http_request *request) {
    struct events *e = calloc(1, sizeof *e);
    int status = e ? subscribe(request, &e->reader) : 503;

    if (status != 200) {
        free(e);
        return http_reply_error(request, status,
                                status == 404 ? "no such session" : "out of memory");
    }
    e->hub = routes_serve_of(request)->hub;
    return http_stream(request, &(struct http_events){.fd = hub_reader_fd(e->reader),
                                                      .read = events_read,
                                                      .free = events_free,
                                                      .listens = true,
                                                      .cls = e});
}

/* --- the rest --- */

static enum http_result health_get(struct http_request *request) {
    struct serve *serve = routes_serve_of(request);
    struct clustered *cluster = serve->clustered;
    bool stopping = atomic_load(&serve->stopping), cut_off = cluster && !cluster->healthy(cluster);
    const char *text = stopping  ? "{\"status\":\"stopping\"}\n"
                       : cut_off ? "{\"status\":\"no quorum\"}\n"
                                 : "{\"status\":\"ok\"}\n";

    return http_reply(request, stopping || cut_off ? 503 : 200, "application/json", text,
                      strlen(text));
}

static enum http_result metrics_get(struct http_request *request) {
    struct buf text = BUF_INIT(1 << 20);
    enum http_result r = HTTP_DROP;

    if (!peer_oversees(&request->peer))
        return http_reply_error(request, 403,
                                "only administrators may see this: tokens with the word admin");
    if (metrics_text(routes_serve_of(request), &text) >= 0)
        r = http_reply(request, 200, "text/plain; version=0.0.4; charset=utf-8", text.data,
                       text.len);
    buf_done(&text);
    return r;
}

static enum http_result openapi_get(struct http_request *request) {
    scoped_json *document = openapi_document();
    struct buf text = BUF_INIT(1 << 20);
    enum http_result r = HTTP_DROP;

    if (document && buf_json(&text, document) >= 0)
        r = http_reply(request, 200, "application/json", text.data, text.len);
    buf_done(&text);
    return r;
}

#define MAX_UPLOAD (64ull << 30) /* the session's disk limit ends it before that */

const struct http_route server_routes[] = {
    {.method = "POST", .path = "/rpc", .late = true, .max_body = MAX_REQUEST, .finish = rpc_post},
    {.method = "GET", .path = "/events", .finish = events_get},
    {.method = "GET", .path = "/files", .prefix = true, .finish = http_files_get},
    {.method = "PUT",
     .path = "/files",
     .prefix = true,
     .max_body = MAX_UPLOAD,
     .begin = http_files_put_begin,
     .data = http_files_put_data,
     .finish = http_files_put,
     .done = http_files_put_done},
    {.method = "DELETE", .path = "/files", .prefix = true, .finish = http_files_delete},
    {.method = "GET", .path = "/healthz", .open = true, .finish = health_get},
    {.method = "GET", .path = "/metrics", .finish = metrics_get},
    {.method = "GET", .path = "/openapi.json", .open = true, .finish = openapi_get},
    {.method = "GET", .path = "/", .open = true, .finish = page_get},
    {.method = "GET", .path = "/page", .prefix = true, .open = true, .finish = page_get},
    MCP_HTTP_ROUTES,
    {.method = NULL},
};
