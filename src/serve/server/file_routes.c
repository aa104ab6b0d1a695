#include "serve/server/file_routes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/fault.h"
#include "serve/http/download.h"
#include "serve/server/server.h"

#define PREFIX "/files/"
#define UPLOAD_BLOCK (1u << 20)

/* --- the session and path that a request names --- */

static struct serve *file_route_serve_of(const struct http_request *request) {
    return &((struct server *)http_user(request))->serve;
}

/* With a reference; answers 404 if there is none. *ret_path is "" for the session itself. */
static struct hosted *target(struct http_request *request, const char **ret_path) {
    const char *rest = request->path + strlen(PREFIX) - 1;
    size_t len = *rest == '/' ? strcspn(rest + 1, "/") : 0;
    struct hosted *hosted = NULL;

    if (len > 0 && len < sizeof request->session) {
        snprintf(request->session, sizeof request->session, "%.*s", (int)len, rest + 1);
        hosted = clustered_get(file_route_serve_of(request), &request->peer, request->session);
    }
    if (!hosted) {
        http_reply_error(request, 404, "no such session");
        return NULL;
    }
    rest += 1 + len;
    *ret_path = *rest == '/' ? rest + 1 : rest;
    return hosted;
}

static enum http_result reply_fault(struct http_request *request,
                                    const struct retort_error *error) {
    return http_reply_error(request, fault_row(error)->http_status, error->message);
}

/* --- download --- */

static enum http_result send_list(struct http_request *request, struct hosted *hosted) {
    struct retort_error error;
    char *text;
    enum http_result r;
    int more = retort_file_list(hosted->session, &text, &error);

    if (more < 0)
        return reply_fault(request, &error);
    request->incomplete = more > 0;
    r = http_reply(request, 200, "application/json", text, strlen(text));
    retort_free(text);
    return r;
}

enum http_result http_files_get(struct http_request *request) {
    struct retort_error error = {0};
    const char *path;
    struct hosted *hosted = target(request, &path);
    enum http_result r;
    uint64_t size;
    int fd;

    if (!hosted)
        return HTTP_DONE;
    if (!path[0])
        r = send_list(request, hosted);
    else if (retort_file_open(hosted->session, path, &fd, &size, &error) < 0)
        r = reply_fault(request, &error);
    else
        r = http_download(request, path, fd);
    registry_unref(file_route_serve_of(request)->registry, hosted);
    return r;
}

/* --- upload --- */

struct upload {
    struct hosted *hosted;
    struct retort_upload *upload;
    struct buf block;
    uint64_t written;
    bool failed;
    struct retort_error error;
};

static int begin_upload(struct http_request *request, struct upload *u, const char *path) {
    const char *length = http_header(request, "Content-Length");
    uint64_t size = length ? strtoull(length, NULL, 10) : 0;
    int r;

    http_busy(request);
    r = retort_upload_begin(u->hosted->session, path, size, &u->upload, &u->error);
    http_ready(request);
    u->failed = r < 0;
    /* A client that sends its body without waiting would not see an early answer: we read its body
     * and throw it away. */
    return u->failed && http_header(request, "Expect") ? (reply_fault(request, &u->error), 1) : 0;
}

int http_files_put_begin(struct http_request *request) {
    struct upload *u = calloc(1, sizeof *u);
    const char *path;

    if (!u)
        return http_reply_error(request, 503, "out of memory"), 1;
    u->block = BUF_INIT(2 * UPLOAD_BLOCK);
    request->state = u;
    u->hosted = target(request, &path);
    if (!u->hosted)
        return 1;
    if (!path[0])
        return http_reply_error(request, 400, "a path is needed: /files/SESSION/PATH"), 1;
    return begin_upload(request, u, path);
}

static void flush_block(struct http_request *request, struct upload *u) {
    if (u->failed || !u->block.len)
        return;
    http_busy(request);
    u->failed = retort_upload_write(u->upload, u->block.data, u->block.len, &u->error) < 0;
    http_ready(request);
    u->written += u->block.len;
    buf_reset(&u->block);
}

int http_files_put_data(struct http_request *request, const char *data, size_t len) {
    struct upload *u = request->state;

    if (u->failed)
        return -EIO;
    if (buf_add(&u->block, data, len) < 0) {
        u->failed = true;
        return err_set(&u->error, ERR_HOST, ENOMEM, "cannot hold a piece of the file");
    }
    if (u->block.len >= UPLOAD_BLOCK)
        flush_block(request, u);
    return 0;
}

enum http_result http_files_put(struct http_request *request) {
    struct upload *u = request->state;
    char text[60];
    int n;

    flush_block(request, u);
    if (!u->failed) {
        u->failed = retort_upload_finish(u->upload, &u->error) < 0;
        u->upload = NULL;
    }
    if (u->failed)
        return reply_fault(request, &u->error);
    n = snprintf(text, sizeof text, "{\"written\":%llu}\n", (unsigned long long)u->written);
    return http_reply(request, 201, "application/json", text, (size_t)n);
}

/* An unfinished upload leaves nothing behind. */
void http_files_put_done(struct http_request *request) {
    struct upload *u = request->state;

    if (!u)
        return;
    retort_upload_cancel(u->upload);
    registry_unref(file_route_serve_of(request)->registry, u->hosted);
    buf_done(&u->block);
    free(u);
}

enum http_result http_files_delete(struct http_request *request) {
    struct retort_error error = {0};
    const char *path;
    struct hosted *hosted = target(request, &path);
    int r;

    if (!hosted)
        return HTTP_DONE;
    r = retort_file_delete(hosted->session, path, &error);
    registry_unref(file_route_serve_of(request)->registry, hosted);
    return r < 0 ? reply_fault(request, &error) : http_reply(request, 204, NULL, "", 0);
}
