/* Raw bytes on a connection to the HTTP front, as a client or a careless proxy may send them: the
 * strict reading of heads, who may come in, routes, bodies in pieces, several requests after each
 * other. No more requests may be found in the bytes than request lines, and every answer is one. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/hosted/metrics.h"
#include "serve/http/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct metrics metrics;
static atomic_uint requests;

static int nothing(struct http_request *request, const char *data, size_t len) {
    (void)data;
    return len > 40000 ? -1 : request->received > 100000;
}

static enum http_result answer(struct http_request *request) {
    const char *query = http_query(request, "a"), *kind = http_header(request, "Content-Type");

    requests++;
    if (request->too_large)
        return http_reply_error(request, 413, "too large");
    return kind ? http_reply(request, 200, "text/plain", kind, strlen(kind))
                : http_reply(request, 200, "text/plain", query ? query : "",
                             query ? strlen(query) : 0);
}

static const struct http_route routes[] = {
    {.method = "POST", .path = "/rpc", .max_body = 4096, .finish = answer},
    {.method = "GET", .path = "/events", .finish = answer},
    {.method = "PUT",
     .path = "/files/",
     .prefix = true,
     .max_body = 1 << 20,
     .data = nothing,
     .finish = answer},
    {.method = "GET", .path = "/healthz", .open = true, .finish = answer},
    {.method = NULL}};

static uint16_t serve(void) {
    static struct http *http;
    struct http_config config = {
        .address = "127.0.0.1", .routes = routes, .metrics = &metrics, .max_connections = 64};
    struct retort_error err = ERR_INIT;

    if (!http && (guard_new(NULL, true, NULL, &config.guard, &err) < 0 ||
                  http_start(&config, &http, &err) < 0))
        abort();
    return http_port(http);
}

static int call(void) {
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(serve()), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) < 0)
        abort();
    return fd;
}

/* What came back, up to its room; the rest is read and forgotten. */
static size_t hear(int fd, char *text, size_t room) {
    char rest[4096];
    size_t len = 0;
    ssize_t n;

    while ((n = len < room ? recv(fd, text + len, room - len, 0) : recv(fd, rest, sizeof rest, 0)) >
           0)
        len += len < room ? (size_t)n : 0;
    return len;
}

static unsigned lines_of_requests(const uint8_t *data, size_t size) {
    unsigned n = 0;

    for (size_t i = 0; i + 7 <= size; i++)
        n += memcmp(data + i, "HTTP/1.", 7) == 0;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[65536];
    int fd = call();
    size_t half = size ? data[0] * size / 256 : 0; /* in two pieces */

    requests = 0;
    if (send(fd, data, half, MSG_NOSIGNAL) == (ssize_t)half)
        send(fd, data + half, size - half, MSG_NOSIGNAL);
    shutdown(fd, SHUT_WR);
    size_t len = hear(fd, text, sizeof text);
    close(fd);
    if (requests > lines_of_requests(data, size))
        abort();
    if (len >= 9 && memcmp(text, "HTTP/1.1 ", 9) != 0 && memcmp(text, "HTTP/1.0 ", 9) != 0)
        abort();
    return 0;
}
