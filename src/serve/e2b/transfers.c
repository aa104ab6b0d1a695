/* Files of a sandbox, as bytes: below its home, which is the session's /work. */
#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "serve/e2b/routes.h"
#include "serve/http/download.h"

#define PIECE (1u << 20)
#define ELSEWHERE "only files below /home/user can be transferred: use commands for others"

/* --- download --- */

enum http_result e2b_download(struct http_request *request) {
    struct e2b *e2b = e2b_of(request);
    const char *asked = http_query(request, "path"), *path = asked ? e2b_work_path(asked) : NULL;
    struct sandbox *s = e2b_sandbox(request);
    struct retort_error error = {0};
    struct hosted *hosted;
    uint64_t size;
    int fd, r;

    if (!s)
        return HTTP_DONE;
    if (!path)
        r = err_set(&error, ERR_CALLER, EINVAL, ELSEWHERE);
    else
        r = sandbox_session(e2b->sandboxes, s, &hosted, &error);
    sandbox_unref(e2b->sandboxes, s);
    if (r >= 0) {
        r = retort_file_open(hosted->session, path, &fd, &size, &error);
        registry_unref(e2b->serve->registry, hosted);
    }
    return r < 0 ? e2b_fault(request, &error) : http_download(request, path, fd);
}

/* --- upload --- */

struct incoming {
    struct sandbox *sandbox;
    struct hosted *hosted;
    struct MHD_PostProcessor *form; /* NULL: the body is the file */
    struct retort_upload *upload;
    struct buf block;
    char *path; /* the file that comes now, */
    bool empty; /* of which no byte has come yet */
    json_t *written;
    bool failed;
    struct retort_error error;
};

static void incoming_fail(struct incoming *in, int eno, const char *message) {
    in->failed = true;
    err_set(&in->error, ERR_CALLER, eno, "%s", message);
}

static void flush_piece(struct http_request *request, struct incoming *in) {
    if (in->failed || !in->block.len)
        return;
    http_busy(request);
    in->failed = retort_upload_write(in->upload, in->block.data, in->block.len, &in->error) < 0;
    http_ready(request);
    buf_reset(&in->block);
}

static json_t *written_json(const char *path) {
    const char *slash = strrchr(path, '/');
    scoped_buf whole = BUF_INIT(8192);

    buf_printf(&whole, "%s%s", path[0] == '/' ? "" : "/home/user/", path);
    return json_pack("{s:s, s:s, s:s}", "name", slash ? slash + 1 : path, "type", "file", "path",
                     whole.data ? whole.data : path);
}

static void end_file(struct http_request *request, struct incoming *in) {
    if (!in->path)
        return;
    flush_piece(request, in);
    if (!in->failed) {
        in->failed = retort_upload_finish(in->upload, &in->error) < 0;
        in->upload = NULL;
    }
    if (!in->failed)
        json_array_append_new(in->written, written_json(in->path));
    free(in->path);
    in->path = NULL;
}

static void begin_file(struct http_request *request, struct incoming *in, const char *path,
                       uint64_t size) {
    const char *work = path && path[0] ? e2b_work_path(path) : NULL;

    end_file(request, in);
    if (in->failed)
        return;
    if (!work || !work[0]) {
        incoming_fail(in, EINVAL, work || !path ? "a path is needed" : ELSEWHERE);
        return;
    }
    in->path = strdup(path);
    in->empty = true;
    http_busy(request);
    in->failed = !in->path ||
                 retort_upload_begin(in->hosted->session, work, size, &in->upload, &in->error) < 0;
    http_ready(request);
}

static void add_data(struct http_request *request, struct incoming *in, const char *data,
                     size_t len) {
    if (in->failed || !in->path)
        return;
    in->empty = in->empty && len == 0;
    if (buf_add(&in->block, data, len) < 0)
        incoming_fail(in, ENOMEM, "cannot hold a piece of the file");
    if (in->block.len >= PIECE)
        flush_piece(request, in);
}

/* Each field is another file. Its name is the file's path, unless the address has one. */
static enum MHD_Result on_field(void *cls, enum MHD_ValueKind kind, const char *key,
                                const char *filename, const char *type, const char *encoding,
                                const char *data, uint64_t offset, size_t size) {
    struct http_request *request = cls;
    struct incoming *in = request->state;
    const char *named = http_query(request, "path");

    (void)kind, (void)type, (void)encoding;
    if (!key || strcmp(key, "file") != 0 || !(named || filename))
        return MHD_YES;
    /* libmicrohttpd tells of a field before its first byte comes, so this may be the second
     * time. */
    if (offset == 0 && !(in->path && in->empty && strcmp(in->path, named ? named : filename) == 0))
        begin_file(request, in, named ? named : filename, 0);
    add_data(request, in, data, size);
    return MHD_YES;
}

static struct incoming *incoming_new(struct http_request *request) {
    struct incoming *in = calloc(1, sizeof *in);

    request->state = in;
    if (!in)
        return NULL;
    in->block = BUF_INIT(4 * PIECE);
    in->written = json_array();
    return in;
}

int e2b_upload_begin(struct http_request *request) {
    const char *type = http_header(request, "Content-Type"),
               *length = http_header(request, "Content-Length"),
               *encoding = http_header(request, "Content-Encoding");
    struct incoming *in = incoming_new(request);

    if (!in)
        return e2b_error(request, 503, "out of memory"), 1;
    in->sandbox = e2b_sandbox(request);
    if (!in->sandbox)
        return 1;
    if (sandbox_session(e2b_of(request)->sandboxes, in->sandbox, &in->hosted, &in->error) < 0) {
        in->failed = true;
        return 0;
    }
    if (encoding && strcasecmp(encoding, "identity") != 0)
        incoming_fail(in, EINVAL, "a compressed body is not supported");
    else if (type && strncasecmp(type, "multipart/form-data", 19) == 0)
        in->form = MHD_create_post_processor(request->mhd, 65536, on_field, request);
    else
        begin_file(request, in, http_query(request, "path"),
                   length ? strtoull(length, NULL, 10) : 0);
    return 0;
}

int e2b_upload_data(struct http_request *request, const char *data, size_t len) {
    struct incoming *in = request->state;

    if (in->form && MHD_post_process(in->form, data, len) != MHD_YES && !in->failed)
        incoming_fail(in, EINVAL, "the form is malformed");
    else if (!in->form)
        add_data(request, in, data, len);
    return 0;
}

enum http_result e2b_upload(struct http_request *request) {
    struct incoming *in = request->state;

    if (in->form) {
        MHD_destroy_post_processor(in->form);
        in->form = NULL;
    }
    end_file(request, in);
    if (!in->failed && json_array_size(in->written) == 0)
        incoming_fail(in, EINVAL, "there is no file in this form");
    if (in->failed)
        return e2b_fault(request, &in->error);
    return e2b_reply(request, 200, json_incref(in->written));
}

/* An unfinished upload leaves nothing behind. */
void e2b_upload_done(struct http_request *request) {
    struct incoming *in = request->state;
    struct e2b *e2b = e2b_of(request);

    if (!in)
        return;
    if (in->form)
        MHD_destroy_post_processor(in->form);
    retort_upload_cancel(in->upload);
    if (in->hosted)
        registry_unref(e2b->serve->registry, in->hosted);
    sandbox_unref(e2b->sandboxes, in->sandbox);
    buf_done(&in->block);
    json_decref(in->written);
    free(in->path);
    free(in);
}
