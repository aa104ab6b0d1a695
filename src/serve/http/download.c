#include "serve/http/download.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mime.h"
#include "base/scope.h"
#include "serve/http/response.h"

#define BLOCK (256u << 10)

/* --- pure parts --- */

static bool download_read_number(const char **at, uint64_t *ret) {
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
    has_first = download_read_number(&header, &first);
    if (*header++ != '-')
        return 0;
    has_last = download_read_number(&header, &last);
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

/* We assume that text is UTF-8. */
static const char *http_type_of(const char *path, char to[120]) {
    const char *mime = mime_of(path);

    snprintf(to, 120, "%s%s", mime, strncmp(mime, "text/", 5) == 0 ? "; charset=utf-8" : "");
    return to;
}

/* --- one version --- */

/* What the file was when we opened it. */
struct version {
    uint64_t inode, changed_ns, written_ns, size;
};

struct download {
    struct http_request *request; /* set to NULL before free_download */
    int fd;
    struct version version;
    uint64_t first, end;
};

static uint64_t nanoseconds(const struct timespec *t) {
    return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

static bool download_version_of(int fd, struct version *ret) {
    struct stat st;

    if (fstat(fd, &st) < 0)
        return false;
    *ret = (struct version){st.st_ino, nanoseconds(&st.st_ctim), nanoseconds(&st.st_mtim),
                            (uint64_t)st.st_size};
    return true;
}

/* The times of files are as coarse as the clock's tick: a second change within one tick does not
 * show. Once that tick is over, every later change does. */
static bool settled_version(int fd, struct version *ret) {
    for (int tries = 0; tries < 50 && download_version_of(fd, ret); tries++) {
        struct timespec now;

        clock_gettime(CLOCK_REALTIME_COARSE, &now);
        if (ret->changed_ns < nanoseconds(&now))
            return true;
        usleep(1000);
    }
    return false;
}

/* A file that lost its name has another change time, but the same bytes. */
static bool download_same_bytes(const struct version *a, const struct version *b) {
    return a->written_ns == b->written_ns && a->size == b->size;
}

/* We send a piece only if the file is still the same after we read the piece. So a client gets
 * bytes of one version, or the response ends before its length. */
static ssize_t read_download(void *cls, uint64_t pos, char *out, size_t max) {
    struct download *d = cls;
    uint64_t offset = d->first + pos;
    size_t want = d->end - offset < max ? (size_t)(d->end - offset) : max;
    struct version now;
    ssize_t n;

    if (offset >= d->end)
        return MHD_CONTENT_READER_END_OF_STREAM;
    http_deadline(d->request, 60.0);
    n = pread(d->fd, out, want, (off_t)offset);
    if (n <= 0 || !download_version_of(d->fd, &now) || !download_same_bytes(&now, &d->version))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    return n;
}

static void free_download(void *cls) {
    struct download *d = cls;

    fd_done(&d->fd);
    free(d);
}

#define ETAG_SIZE 80

/* A plot never changes, and has no times of its own. */
static void write_etag(const char *path, const struct version *v, char etag[ETAG_SIZE]) {
    if (strncmp(path, ".plots/", 7) == 0)
        snprintf(etag, ETAG_SIZE, "\"plot-%llx\"", (unsigned long long)v->size);
    else
        snprintf(etag, ETAG_SIZE, "\"%llx-%llx-%llx\"", (unsigned long long)v->inode,
                 (unsigned long long)v->changed_ns, (unsigned long long)v->size);
}

bool http_etag_listed(const char *header, const char *etag) {
    size_t len = strlen(etag);

    for (const char *at = header; at && *at;) {
        at += strspn(at, " \t,");
        if (*at == '*')
            return true;
        if (strncmp(at, "W/", 2) == 0)
            at += 2;
        if (strncmp(at, etag, len) == 0 && strchr(" \t,", at[len]))
            return true;
        at += strcspn(at, ",");
    }
    return false;
}

/* 0, or the status that the conditions of the request ask for. */
static int check_conditions(const struct http_request *request, const char *etag) {
    const char *match = http_header(request, "If-Match"),
               *none = http_header(request, "If-None-Match");

    if (match && !http_etag_listed(match, etag))
        return 412;
    return none && http_etag_listed(none, etag) ? 304 : 0;
}

/* With If-Range, the client gets a range only of the version that it has the rest of; else it gets
 * the whole file. */
static const char *wanted_range(const struct http_request *request, const char *etag) {
    const char *version = http_header(request, "If-Range");

    return version && strcmp(version, etag) != 0 ? NULL : http_header(request, "Range");
}

static enum http_result send_empty(struct http_request *request, int status, const char *name,
                                   const char *value) {
    struct MHD_Response *response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);

    if (response)
        MHD_add_response_header(response, name, value);
    return http_send(request, status, response);
}

static enum http_result not_satisfiable(struct http_request *request, uint64_t size) {
    char text[40];

    snprintf(text, sizeof text, "bytes */%llu", (unsigned long long)size);
    return send_empty(request, 416, "Content-Range", text);
}

static struct MHD_Response *download_response(struct download *d, const char *path, bool part,
                                              const char *etag) {
    struct MHD_Response *response = MHD_create_response_from_callback(
        d->end - d->first, BLOCK, read_download, d, free_download);
    char text[120];

    if (!response)
        return NULL;
    MHD_add_response_header(response, "Content-Type", http_type_of(path, text));
    MHD_add_response_header(response, "Accept-Ranges", "bytes");
    MHD_add_response_header(response, "ETag", etag);
    MHD_add_response_header(response, "Cache-Control", "no-cache");
    MHD_add_response_header(response, "Content-Security-Policy", "sandbox; default-src 'none'");
    if (part) {
        snprintf(text, sizeof text, "bytes %llu-%llu/%llu", (unsigned long long)d->first,
                 (unsigned long long)d->end - 1, (unsigned long long)d->version.size);
        MHD_add_response_header(response, "Content-Range", text);
    }
    return response;
}

/* Takes the download. */
static enum http_result send_download(struct http_request *request, struct download *d,
                                      const char *path, const char *etag) {
    uint64_t first = 0, last = 0;
    int range = http_range(wanted_range(request, etag), d->version.size, &first, &last);
    struct MHD_Response *response;

    if (range < 0) {
        uint64_t size = d->version.size;

        free_download(d);
        return not_satisfiable(request, size);
    }
    d->first = range ? first : 0;
    d->end = range ? last + 1 : d->version.size;
    response = download_response(d, path, range > 0, etag);
    if (!response)
        free_download(d);
    return http_send(request, range ? 206 : 200, response);
}

enum http_result http_download(struct http_request *request, const char *path, int fd) {
    struct download *d = calloc(1, sizeof *d);
    char etag[ETAG_SIZE];
    int status;

    if (!d) {
        close(fd);
        return http_reply_error(request, 503, "out of memory");
    }
    *d = (struct download){.request = request, .fd = fd};
    if (!settled_version(fd, &d->version)) {
        free_download(d);
        return http_reply_error(request, 503, "the file is being written all the time");
    }
    write_etag(path, &d->version, etag);
    status = check_conditions(request, etag);
    if (!status)
        return send_download(request, d, path, etag);
    free_download(d);
    return status == 304
               ? send_empty(request, 304, "ETag", etag)
               : http_reply_error(request, 412, "the file is not the version that is asked for");
}
