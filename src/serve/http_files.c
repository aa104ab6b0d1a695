#include "serve/http_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/maxima.h"
#include "serve/door.h"
#include "serve/fault.h"

#define PREFIX "/files/"
#define BLOCK (1u << 20)
#define UPLOAD_BLOCK (4u << 20) /* each is recorded, so they should be few */

/* ---- pure parts ---- */

static bool read_number(const char **at, uint64_t *ret) {
    uint64_t n = 0;
    const char *start = *at;

    for (; **at >= '0' && **at <= '9'; (*at)++) {
        if (n > (UINT64_MAX - 9) / 10)
            return false;
        n = n * 10 + (uint64_t)(**at - '0');
    }
    *ret = n;
    return *at != start;
}

int http_range(const char *header, uint64_t size, uint64_t *ret_first, uint64_t *ret_last) {
    uint64_t first = 0, last = 0;
    bool has_first, has_last;

    if (!header || strncmp(header, "bytes=", 6) != 0 || strchr(header, ','))
        return 0;
    header += 6;
    has_first = read_number(&header, &first);
    if (*header++ != '-')
        return 0;
    has_last = read_number(&header, &last);
    if (*header || (!has_first && !has_last) || (has_first && has_last && last < first))
        return 0;
    if (!has_first) {
        first = last < size ? size - last : 0;
        has_last = false;
        if (last == 0)
            return -ERANGE;
    }
    if (first >= size)
        return -ERANGE;
    *ret_first = first;
    *ret_last = has_last && last < size ? last : size - 1;
    return 1;
}

const char *http_type_of(const char *path) {
    static const struct {
        const char *suffix, *type;
    } types[] = {
        {".txt", "text/plain; charset=utf-8"},
        {".csv", "text/csv; charset=utf-8"},
        {".json", "application/json"},
        {".html", "text/html; charset=utf-8"},
        {".md", "text/markdown; charset=utf-8"},
        {".py", "text/x-python; charset=utf-8"},
        {".png", "image/png"},
        {".jpg", "image/jpeg"},
        {".jpeg", "image/jpeg"},
        {".gif", "image/gif"},
        {".svg", "image/svg+xml"},
        {".webp", "image/webp"},
        {".pdf", "application/pdf"},
        {".zip", "application/zip"},
        {".gz", "application/gzip"},
        {".xml", "application/xml"},
        {".wav", "audio/wav"},
        {".mp3", "audio/mpeg"},
        {".mp4", "video/mp4"},
        {".parquet", "application/vnd.apache.parquet"},
        {".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    };
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (strcasecmp(dot, types[i].suffix) == 0)
            return types[i].type;
    return "application/octet-stream";
}

/* ---- the session and path that a request names ---- */

static struct serve *serve_of(const struct http_request *request) {
    return &((struct door *)http_user(request))->serve;
}

/* With a reference; answers 404 if there is none. *ret_path is "" for the session itself. */
static struct live *target(struct http_request *request, const char **ret_path) {
    const char *rest = request->path + strlen(PREFIX) - 1;
    size_t len = *rest == '/' ? strcspn(rest + 1, "/") : 0;
    struct live *live = NULL;

    if (len > 0 && len < sizeof request->session) {
        snprintf(request->session, sizeof request->session, "%.*s", (int)len, rest + 1);
        live = registry_get(serve_of(request)->registry, request->peer.owner, request->session);
    }
    if (!live) {
        http_reply_error(request, 404, "no such session");
        return NULL;
    }
    rest += 1 + len;
    *ret_path = *rest == '/' ? rest + 1 : rest;
    return live;
}

static enum MHD_Result reply_fault(struct http_request *request, const struct retort_error *error) {
    return http_reply_error(request, fault_row(error)->http_status, error->message);
}

/* ---- download ---- */

struct download {
    struct http_request *request; /* gone before free_download */
    struct registry *registry;
    struct live *live;
    char path[MAX_PATH];
    uint64_t first, end;
    char *block; /* the last piece read, */
    size_t len;  /* its length, */
    uint64_t at; /* and where it stands in the file */
};

static bool fetch_block(struct download *d, uint64_t offset) {
    struct retort_error error;
    uint64_t size, want = d->end - offset < BLOCK ? d->end - offset : BLOCK;

    retort_free(d->block);
    d->block = NULL;
    d->len = 0;
    http_deadline(d->request, 0); /* a running cell may keep the session busy */
    if (retort_file_read(d->live->session, d->path, offset, (size_t)want, &d->block, &d->len, &size,
                         &error) < 0)
        return false;
    d->at = offset;
    return d->len > 0;
}

static ssize_t read_download(void *cls, uint64_t pos, char *out, size_t max) {
    struct download *d = cls;
    uint64_t offset = d->first + pos;
    size_t len;

    if (offset >= d->end)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if ((offset < d->at || offset >= d->at + d->len) && !fetch_block(d, offset))
        return MHD_CONTENT_READER_END_WITH_ERROR; /* it shrank meanwhile */
    http_deadline(d->request, 60.0);
    len = (size_t)(d->at + d->len - offset);
    len = len < max ? len : max;
    memcpy(out, d->block + (offset - d->at), len);
    return (ssize_t)len;
}

static void free_download(void *cls) {
    struct download *d = cls;

    registry_unref(d->registry, d->live);
    retort_free(d->block);
    free(d);
}

static struct MHD_Response *download_response(struct download *d, int status, uint64_t size) {
    struct MHD_Response *response = MHD_create_response_from_callback(
        d->end - d->first, BLOCK / 4, read_download, d, free_download);
    char text[80];

    if (!response)
        return NULL;
    MHD_add_response_header(response, "Content-Type", http_type_of(d->path));
    MHD_add_response_header(response, "Accept-Ranges", "bytes");
    MHD_add_response_header(response, "Content-Security-Policy", "sandbox; default-src 'none'");
    if (status == 206) {
        snprintf(text, sizeof text, "bytes %llu-%llu/%llu", (unsigned long long)d->first,
                 (unsigned long long)d->end - 1, (unsigned long long)size);
        MHD_add_response_header(response, "Content-Range", text);
    }
    return response;
}

static enum MHD_Result not_satisfiable(struct http_request *request, uint64_t size) {
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    char text[40];

    snprintf(text, sizeof text, "bytes */%llu", (unsigned long long)size);
    if (response)
        MHD_add_response_header(response, "Content-Range", text);
    return http_send(request, 416, response);
}

/* Takes the reference to the session. */
static enum MHD_Result send_file(struct http_request *request, struct live *live, const char *path,
                                 uint64_t size) {
    struct download *d = calloc(1, sizeof *d);
    struct MHD_Response *response;
    uint64_t first = 0, last = 0;
    int range = http_range(http_header(request, "Range"), size, &first, &last);

    if (!d || range < 0) {
        free(d);
        registry_unref(serve_of(request)->registry, live);
        return range < 0 ? not_satisfiable(request, size)
                         : http_reply_error(request, 503, "out of memory");
    }
    *d = (struct download){.request = request,
                           .registry = serve_of(request)->registry,
                           .live = live,
                           .first = range ? first : 0,
                           .end = range ? last + 1 : size};
    snprintf(d->path, sizeof d->path, "%s", path);
    response = download_response(d, range ? 206 : 200, size);
    if (!response)
        free_download(d);
    return http_send(request, range ? 206 : 200, response);
}

static enum MHD_Result send_list(struct http_request *request, struct live *live) {
    struct retort_error error;
    char *text;
    enum MHD_Result r;

    if (retort_file_list(live->session, &text, &error) < 0)
        return reply_fault(request, &error);
    r = http_reply(request, 200, "application/json", text, strlen(text));
    retort_free(text);
    return r;
}

enum MHD_Result http_files_get(struct http_request *request) {
    struct retort_error error = {0};
    const char *path;
    struct live *live = target(request, &path);
    enum MHD_Result r;
    uint64_t size;
    size_t len;
    char *data;

    if (!live)
        return MHD_YES;
    if (!path[0]) {
        r = send_list(request, live);
        registry_unref(serve_of(request)->registry, live);
        return r;
    }
    if (retort_file_read(live->session, path, 0, 0, &data, &len, &size, &error) < 0) {
        registry_unref(serve_of(request)->registry, live);
        return reply_fault(request, &error);
    }
    retort_free(data);
    return send_file(request, live, path, size);
}

/* ---- upload ---- */

struct upload {
    struct live *live;
    const char *path;
    struct buf block;
    uint64_t written;
    bool begun, failed;
    struct retort_error error;
};

int http_files_put_begin(struct http_request *request) {
    struct upload *u = calloc(1, sizeof *u);

    if (!u)
        return http_reply_error(request, 503, "out of memory"), 1;
    u->block = BUF_INIT(2 * UPLOAD_BLOCK);
    request->state = u;
    u->live = target(request, &u->path);
    if (!u->live)
        return 1;
    if (!u->path[0])
        return http_reply_error(request, 400, "a path is needed: /files/SESSION/PATH"), 1;
    return 0;
}

static void flush_block(struct http_request *request, struct upload *u) {
    if (u->failed)
        return;
    http_busy(request);
    if (retort_file_write(u->live->session, u->path, u->written, u->block.data ? u->block.data : "",
                          u->block.len, !u->begun, &u->error) < 0)
        u->failed = true;
    http_ready(request);
    u->begun = true;
    u->written += u->block.len;
    buf_reset(&u->block);
}

int http_files_put_data(struct http_request *request, const char *data, size_t len) {
    struct upload *u = request->state;

    if (u->failed)
        return -EIO;
    buf_add(&u->block, data, len);
    if (u->block.len >= UPLOAD_BLOCK)
        flush_block(request, u);
    return 0;
}

enum MHD_Result http_files_put(struct http_request *request) {
    struct upload *u = request->state;
    char text[60];
    int n;

    if (!u->begun || u->block.len)
        flush_block(request, u);
    if (u->failed)
        return reply_fault(request, &u->error);
    n = snprintf(text, sizeof text, "{\"written\":%llu}\n", (unsigned long long)u->written);
    return http_reply(request, 201, "application/json", text, (size_t)n);
}

void http_files_put_done(struct http_request *request) {
    struct upload *u = request->state;

    if (!u)
        return;
    registry_unref(serve_of(request)->registry, u->live);
    buf_done(&u->block);
    free(u);
}

enum MHD_Result http_files_delete(struct http_request *request) {
    struct retort_error error = {0};
    const char *path;
    struct live *live = target(request, &path);
    int r;

    if (!live)
        return MHD_YES;
    r = retort_file_delete(live->session, path, &error);
    registry_unref(serve_of(request)->registry, live);
    return r < 0 ? reply_fault(request, &error) : http_reply(request, 204, NULL, "", 0);
}
