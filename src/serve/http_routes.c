#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/maxima.h"
#include "serve/call.h"
#include "serve/door.h"
#include "serve/http_files.h"
#include "serve/json.h"

static struct serve *serve_of(const struct http_request *request) {
    return &((struct door *)http_user(request))->serve;
}

/* ---- POST /rpc ---- */

static enum MHD_Result rpc_post(struct http_request *request) {
    const char *type = http_header(request, "Content-Type");
    struct buf reply = BUF_INIT(MAX_REPLY);
    struct call *call;
    enum MHD_Result r;
    int status;

    /* Browsers send other types across origins without asking. */
    if (!type || strncasecmp(type, "application/json", 16) != 0)
        return http_reply_error(request, 415, "Content-Type must be application/json");
    call = call_begin(serve_of(request), &request->peer,
                      request->body.data ? request->body.data : "", request->body.len);
    if (!call)
        return http_reply_error(request, 503, "out of memory");
    status = call_run(call, &reply);
    call_describe(call, request->rpc, sizeof request->rpc, request->session,
                  sizeof request->session, &request->cell);
    call_free(call);
    r = reply.len ? http_reply(request, status, "application/json", reply.data, reply.len)
                  : http_reply(request, 204, NULL, "", 0);
    buf_done(&reply);
    return r;
}

/* ---- GET /events ---- */

struct events {
    struct hub *hub;
    struct hub_reader *reader;
    struct buf lines;
    unsigned long long id;
};

static int add_line(struct events *e, struct buf *out, const char *line, size_t len) {
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"method\":\"";
    const char *name = len > sizeof head && strncmp(line, head, sizeof head - 1) == 0
                           ? line + sizeof head - 1
                           : "";
    int r =
        buf_printf(out, "id: %llu\nevent: %.*s\ndata: ", ++e->id, (int)strcspn(name, "\"\n"), name);

    if (r >= 0)
        r = buf_add(out, line, len);
    return r < 0 ? r : buf_adds(out, "\n\n");
}

static int events_take(void *cls, struct buf *out) {
    struct events *e = cls;
    int dropped = hub_take(e->hub, e->reader, &e->lines);
    const char *at = e->lines.data;

    if (dropped < 0)
        return dropped;
    for (const char *end;
         e->lines.len && (end = memchr(at, '\n', (size_t)(e->lines.data + e->lines.len - at)));
         at = end + 1)
        add_line(e, out, at, (size_t)(end - at));
    buf_reset(&e->lines);
    if (dropped > 0)
        buf_printf(out, "event: events.dropped\ndata: {\"count\":%d}\n\n", dropped);
    return 0;
}

static void events_free(void *cls) {
    struct events *e = cls;

    hub_unsubscribe(e->hub, e->reader);
    buf_done(&e->lines);
    free(e);
}

/* What the running cell has said so far comes first, and nothing falls between. */
static struct hub_reader *attach(struct serve *serve, const char *owner, struct live *live) {
    struct hub_reader *reader;

    pthread_mutex_lock(&live->lock);
    reader = hub_subscribe(serve->hub, owner, live->id, live->running ? &live->backlog : NULL);
    pthread_mutex_unlock(&live->lock);
    return reader;
}

static struct hub_reader *subscribe(struct http_request *request, const char *session) {
    struct serve *serve = serve_of(request);
    struct hub_reader *reader;
    struct live *live;

    if (!session)
        return hub_subscribe(serve->hub, request->peer.owner, NULL, NULL);
    live = registry_get(serve->registry, request->peer.owner, session);
    if (!live)
        return NULL;
    reader = attach(serve, request->peer.owner, live);
    registry_unref(serve->registry, live);
    return reader;
}

static enum MHD_Result events_get(struct http_request *request) {
    struct hub_reader *reader = subscribe(request, http_query(request, "session"));
    struct events *e = reader ? calloc(1, sizeof *e) : NULL;

    if (!reader)
        return http_reply_error(request, 404, "no such session");
    if (!e) {
        hub_unsubscribe(serve_of(request)->hub, reader);
        return http_reply_error(request, 503, "out of memory");
    }
    *e = (struct events){
        .hub = serve_of(request)->hub, .reader = reader, .lines = BUF_INIT(2 * MAX_EVENT_QUEUE)};
    return http_stream(request, &(struct http_events){.fd = hub_reader_fd(reader),
                                                      .take = events_take,
                                                      .free = events_free,
                                                      .listens = true,
                                                      .cls = e});
}

/* ---- the rest ---- */

static enum MHD_Result health_get(struct http_request *request) {
    bool stopping = atomic_load(&serve_of(request)->stopping);
    const char *text = stopping ? "{\"status\":\"stopping\"}\n" : "{\"status\":\"ok\"}\n";

    return http_reply(request, stopping ? 503 : 200, "application/json", text, strlen(text));
}

static enum MHD_Result metrics_get(struct http_request *request) {
    struct buf text = BUF_INIT(1 << 20);
    enum MHD_Result r = MHD_NO;

    if (metrics_text(serve_of(request), &text) >= 0)
        r = http_reply(request, 200, "text/plain; version=0.0.4; charset=utf-8", text.data,
                       text.len);
    buf_done(&text);
    return r;
}

static enum MHD_Result openapi_get(struct http_request *request) {
    scoped_json *document = openapi_document();
    struct buf text = BUF_INIT(1 << 20);
    enum MHD_Result r = MHD_NO;

    if (document && buf_json(&text, document) >= 0)
        r = http_reply(request, 200, "application/json", text.data, text.len);
    buf_done(&text);
    return r;
}

#define MAX_UPLOAD (64ull << 30) /* the session's disk limit ends it before */

const struct http_route door_routes[] = {
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
    MCP_HTTP_ROUTES,
    {.method = NULL},
};
