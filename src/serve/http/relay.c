#include "serve/http/relay.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "serve/hosted/json.h"
#include "serve/hosted/peers.h"
#include "serve/http/response.h"

#define MAX_HEAD (64u << 10)
#define RELAY_BLOCK (64u << 10)
#define CHUNK_LINE 32
#define MAX_LIST (16u << 20)
#define LIST_MS 10000

struct relay {
    int fd;
    bool chunked, broken;
    struct {
        bool used, begun;
        uint64_t left;
    } chunks;           /* state of a chunked answer */
    struct buf head;    /* of the answer, with the part of its body that came along */
    struct pollfd wait; /* wakes us when the client goes away */
};

/* --- the request --- */

/* Headers that are for one hop only, and the client's credentials, which we have checked. */
static bool stays_here(const char *name) {
    static const char *const names[] = {
        "Host",    "Connection", "Authorization",  "X-API-KEY",
        "Origin",  "Expect",     "Content-Length", "Transfer-Encoding",
        "Upgrade", "Keep-Alive", "Retort-Peer",    "TE",
        NULL};

    for (const char *const *one = names; *one; one++)
        if (strcasecmp(name, *one) == 0)
            return true;
    return false;
}

static void escape_but(struct buf *out, const char *text, const char *plain) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool as_it_is = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || strchr(plain, c);
        if (as_it_is)
            buf_add(out, text, 1);
        else
            buf_printf(out, "%%%02X", c);
    }
}

void http_escape(struct buf *out, const char *text) {
    escape_but(out, text, "-._~");
}

static enum MHD_Result add_query(void *cls, enum MHD_ValueKind kind, const char *name,
                                 const char *value) {
    struct buf *out = cls;

    (void)kind;
    buf_adds(out, memchr(out->data, '?', out->len) ? "&" : "?");
    http_escape(out, name);
    if (value) {
        buf_adds(out, "=");
        http_escape(out, value);
    }
    return MHD_YES;
}

static enum MHD_Result add_header(void *cls, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    (void)kind;
    if (!stays_here(name))
        buf_printf(cls, "%s: %s\r\n", name, value ? value : "");
    return MHD_YES;
}

static int add_peer(struct buf *out, const struct peer *peer) {
    scoped_json *told = peer_json(peer);
    scoped_free char *text = told ? serve_json_text(told) : NULL;

    return text ? buf_printf(out, "Host: relay\r\nConnection: close\r\nRetort-Peer: %s\r\n", text)
                : -ENOMEM;
}

static int relay_head(struct http_request *request, struct buf *out, bool *ret_chunked) {
    const char *length = http_header(request, "Content-Length");
    int r;

    buf_printf(out, "%s ", request->method);
    escape_but(out, request->path, "-._~/");
    MHD_get_connection_values(request->mhd, MHD_GET_ARGUMENT_KIND, add_query, out);
    buf_adds(out, " HTTP/1.1\r\n");
    r = add_peer(out, &request->peer);
    MHD_get_connection_values(request->mhd, MHD_HEADER_KIND, add_header, out);
    *ret_chunked = !length && http_header(request, "Transfer-Encoding");
    if (length)
        buf_printf(out, "Content-Length: %s\r\n", length);
    else if (*ret_chunked)
        buf_adds(out, "Transfer-Encoding: chunked\r\n");
    buf_adds(out, "\r\n");
    return r < 0 ? r : out->lost ? -ENOMEM : 0;
}

/* If the node has answered before it has read everything, we stop writing and read its answer. */
static void relay_write(struct relay *r, const char *data, size_t len) {
    while (len && !r->broken) {
        ssize_t n = send(r->fd, data, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            r->broken = true;
        else {
            data += n;
            len -= (size_t)n;
        }
    }
}

static int relay_data(struct http_request *request, const char *data, size_t len) {
    struct relay *r = request->state;
    char size[24];

    http_busy(request);
    snprintf(size, sizeof size, "%zx\r\n", len);
    if (r->chunked)
        relay_write(r, size, strlen(size));
    relay_write(r, data, len);
    if (r->chunked)
        relay_write(r, "\r\n", 2);
    http_ready(request);
    return 0;
}

/* --- the answer --- */

static void relay_free(void *cls) {
    struct relay *r = cls;

    if (!r)
        return;
    if (r->fd >= 0)
        close(r->fd);
    buf_done(&r->head);
    free(r);
}

/* Reads more of the answer, unless the client goes away first. */
static ssize_t relay_more(struct relay *r, char *data, size_t max) {
    struct pollfd fds[2] = {{.fd = r->fd, .events = POLLIN}, r->wait};

    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        ;
    return fds[0].revents ? read(r->fd, data, max) : -EPIPE;
}

static ssize_t relay_some(struct relay *r, char *data, size_t max) {
    size_t held = r->head.len < max ? r->head.len : max;

    if (held == 0)
        return relay_more(r, data, max);
    memcpy(data, r->head.data, held);
    buf_drop(&r->head, held);
    return (ssize_t)held;
}

static int relay_line(struct relay *r, char ret[CHUNK_LINE]) {
    const char *end;

    while (!(end = r->head.len ? memmem(r->head.data, r->head.len, "\r\n", 2) : NULL)) {
        char piece[CHUNK_LINE];
        ssize_t n = r->head.len < sizeof piece ? relay_more(r, piece, sizeof piece) : -EIO;
        if (n <= 0 || buf_add(&r->head, piece, (size_t)n) < 0)
            return -EIO;
    }
    size_t len = (size_t)(end - r->head.data);
    if (len >= CHUNK_LINE)
        return -EIO;
    memcpy(ret, r->head.data, len);
    ret[len] = 0;
    return buf_drop(&r->head, len + 2), 0;
}

/* Goes to the next chunk; a chunk of length 0 is the last. */
static int relay_chunk(struct relay *r) {
    char line[CHUNK_LINE], *end;

    if (r->chunks.begun && (relay_line(r, line) < 0 || *line))
        return -EIO;
    r->chunks.begun = true;
    if (relay_line(r, line) < 0)
        return -EIO;
    r->chunks.left = strtoull(line, &end, 16);
    return end > line && !*end ? 0 : -EIO;
}

/* If the node dies in the middle of its answer, the answer must not look complete: it comes in
 * chunks, of which the last one marks the end. */
static ssize_t relay_read(void *cls, uint64_t pos, char *data, size_t max) {
    struct relay *r = cls;

    (void)pos;
    if (r->chunks.used && r->chunks.left == 0) {
        if (relay_chunk(r) < 0)
            return MHD_CONTENT_READER_END_WITH_ERROR;
        if (r->chunks.left == 0)
            return MHD_CONTENT_READER_END_OF_STREAM;
    }
    ssize_t n = relay_some(r, data, r->chunks.used && r->chunks.left < max ? r->chunks.left : max);
    if (n <= 0)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (r->chunks.used)
        r->chunks.left -= (uint64_t)n;
    return n;
}

/* Reads up to the empty line; returns the length of the head, or -EIO. */
static ssize_t relay_read_head(struct relay *r) {
    char piece[TINY(8192, 61)];
    const char *end = NULL;

    while (!end) {
        ssize_t n = relay_more(r, piece, sizeof piece);
        if (n <= 0 || buf_add(&r->head, piece, (size_t)n) < 0)
            return -EIO;
        end = memmem(r->head.data, r->head.len, "\r\n\r\n", 4);
    }
    return end + 4 - r->head.data;
}

/* Headers that our own HTTP server adds or decides. */
static bool is_own_header(const char *name) {
    static const char *const names[] = {"Connection",
                                        "Date",
                                        "Keep-Alive",
                                        "Vary",
                                        "Content-Length",
                                        "X-Content-Type-Options",
                                        "Retry-After",
                                        "Transfer-Encoding",
                                        NULL};

    for (const char *const *one = names; *one; one++)
        if (strcasecmp(name, *one) == 0)
            return true;
    return strncasecmp(name, "Access-Control-", 15) == 0;
}

struct answer_head {
    int status;
    uint64_t length; /* MHD_SIZE_UNKNOWN: in chunks */
    unsigned retry_after;
    char *lines; /* the headers, each with its final NUL, and an empty one at the end */
};

/* Moves the head out of the bytes that were read. */
static int relay_parse(struct relay *r, size_t len, struct answer_head *ret) {
    char *at = strndup(r->head.data, len), *lines = at ? strstr(at, "\r\n") : NULL;

    *ret = (struct answer_head){.length = MHD_SIZE_UNKNOWN, .lines = at};
    if (!lines || sscanf(at, "HTTP/1.%*1d %3d", &ret->status) != 1 || ret->status < 200)
        return -EIO;
    buf_drop(&r->head, len);
    memmove(at, lines + 2, strlen(lines + 2) + 1);
    for (char *line = at; *line;) {
        char *end = strstr(line, "\r\n");
        if (!end)
            break;
        *end = 0;
        if (strncasecmp(line, "Content-Length:", 15) == 0)
            ret->length = strtoull(line + 15, NULL, 10);
        if (strncasecmp(line, "Transfer-Encoding:", 18) == 0)
            r->chunks.used = true;
        if (strncasecmp(line, "Retry-After:", 12) == 0)
            ret->retry_after = (unsigned)strtoul(line + 12, NULL, 10);
        memmove(end + 1, end + 2, strlen(end + 2) + 1);
        line = end + 1;
    }
    return 0;
}

static void add_answer_headers(struct MHD_Response *response, char *lines) {
    for (char *line = lines; *line; line += strlen(line) + 1) {
        char *colon = strchr(line, ':');
        size_t whole = strlen(line);

        if (!colon || whole == 0)
            continue;
        *colon = 0;
        if (!is_own_header(line))
            MHD_add_response_header(response, line, colon + 1 + strspn(colon + 1, " "));
        *colon = ':';
    }
}

static enum http_result relay_answer(struct http_request *request, const struct answer_head *head) {
    struct relay *r = request->state;
    bool empty = head->status == 204 || head->status == 304 || head->length == 0;
    struct MHD_Response *response;

    if (empty)
        response = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
    else {
        response =
            MHD_create_response_from_callback(head->length, RELAY_BLOCK, relay_read, r, relay_free);
        if (response)
            request->state = NULL; /* the response owns it now */
    }
    if (response)
        add_answer_headers(response, head->lines);
    request->retry_after = head->retry_after;
    return http_send(request, head->status, response);
}

static enum http_result relay_finish(struct http_request *request) {
    struct relay *r = request->state;
    struct answer_head head = {.lines = NULL};
    enum http_result done;

    if (r->chunked)
        relay_write(r, "0\r\n\r\n", 5);
    ssize_t len = relay_read_head(r);
    if (len < 0 || relay_parse(r, (size_t)len, &head) < 0)
        done = http_reply_error(request, 503, "the node that has this does not answer: ask again");
    else
        done = relay_answer(request, &head);
    free(head.lines);
    return done;
}

static void relay_done(struct http_request *request) {
    relay_free(request->state);
    request->state = NULL;
}

static const struct http_route relay_route = {
    .data = relay_data, .finish = relay_finish, .done = relay_done, .max_body = SIZE_MAX};

int relay_begin(struct http_request *request, int fd) {
    struct relay *r = calloc(1, sizeof *r);
    scoped_buf head = BUF_INIT(2 * MAX_HEAD);

    if (!r || relay_head(request, &head, &r->chunked) < 0) {
        close(fd);
        free(r);
        http_reply_error(request, 503, "out of memory");
        return 1;
    }
    r->fd = fd;
    r->head = BUF_INIT(MAX_HEAD);
    r->wait = (struct pollfd){.fd = http_socket(request), .events = POLLRDHUP};
    request->route = &relay_route;
    request->state = r;
    relay_write(r, head.data, head.len);
    return 0;
}

/* --- a list --- */

int relay_get(int fd, const struct peer *peer, const char *path, struct buf *ret) {
    struct relay r = {.fd = fd, .head = BUF_INIT(MAX_LIST), .wait = {.fd = -1}};
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    scoped_buf head = BUF_INIT(MAX_HEAD);
    struct answer_head answer = {.lines = NULL};
    char piece[8192];
    ssize_t n = 0;

    buf_printf(&head, "GET %s HTTP/1.1\r\n", path);
    int done = add_peer(&head, peer);
    buf_adds(&head, "\r\n");
    if (done == 0 && head.lost)
        done = -ENOMEM;
    if (done == 0)
        relay_write(&r, head.data, head.len);
    while (done == 0 && poll(&wait, 1, LIST_MS) > 0 && (n = read(fd, piece, sizeof piece)) > 0)
        done = buf_add(&r.head, piece, (size_t)n);
    const char *end = r.head.len ? memmem(r.head.data, r.head.len, "\r\n\r\n", 4) : NULL;
    done = done == 0 && end && n == 0 &&
                   relay_parse(&r, (size_t)(end + 4 - r.head.data), &answer) == 0 &&
                   answer.status / 100 == 2 && answer.length == r.head.len
               ? buf_add(ret, r.head.data ? r.head.data : "", r.head.len)
               : -EIO;
    free(answer.lines);
    buf_done(&r.head);
    close(fd);
    return done;
}
