/* What guests and servers say to the gate, as its decoders read it: the first byte says which. What
 * was accepted lies within the bytes; a head that is passed on is one again, with the same target
 * and the same body; a body that is cut elsewhere has the same end. */
#include <stdlib.h>
#include <string.h>

#include "gate/hello.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int fact) {
    if (!fact)
        abort();
}

/* As it comes `step` bytes at a time. */
static long end_of_head(const char *bytes, size_t len, size_t step) {
    size_t seen = 0, have = 0;
    long n;
    do {
        have = len - have < step ? len : have + step;
        n = head_end(bytes, have, &seen);
    } while (n == 0 && have < len);
    return n;
}

static void check_forward(const struct http_head *h, const struct target *t) {
    scoped_buf text = BUF_INIT(4 * MAX_HEAD);
    struct http_head again;
    struct target same;
    if (h->count + 2 > MAX_HEADERS) /* with Host and Connection it has more than are read here */
        return;
    must(head_forward(h, t, 80, NULL, &text) == 0 && buf_adds(&text, "\r\n") == 0);
    must(end_of_head(text.data, text.len, text.len) == (long)text.len);
    must(head_request(text.data, text.len, &again));
    must(target_origin(&again, t, &same));
    must(strcmp(same.host, t->host) == 0 && same.port == t->port &&
         strcmp(same.path, t->path) == 0);
    must(again.framing == h->framing && again.length == h->length);
}

static void as_head(const char *bytes, size_t len) {
    long n = end_of_head(bytes, len, len ? len : 1);
    static struct http_head h;
    struct target t;
    must(n >= -1 && n <= (long)len);
    must(end_of_head(bytes, len, 1) == n && end_of_head(bytes, len, 7) == n);
    if (n <= 0)
        return;
    if (head_request(bytes, (size_t)n, &h) && target_proxy(&h, &t) && t.path[0])
        check_forward(&h, &t);
    if (head_answer(bytes, (size_t)n, &h))
        must(h.status >= 100 && h.status < 1000);
}

static size_t end_of_body(const char *bytes, size_t len, size_t step) {
    struct http_body b;
    size_t at = 0;
    body_begin(&b, FRAMING_CHUNKS, 0);
    while (!b.done && at < len) {
        size_t n = len - at < step ? len - at : step;
        long took = body_take(&b, bytes + at, n);
        must(took >= -1 && took <= (long)n);
        if (took < 0)
            return (size_t)-1;
        at += (size_t)took;
    }
    return b.done ? at : (size_t)-2;
}

static void as_body(const char *bytes, size_t len) {
    size_t whole = end_of_body(bytes, len, len ? len : 1);
    must(whole == end_of_body(bytes, len, 1));
    must(whole == end_of_body(bytes, len, 7));
}

static void as_hello(const char *bytes, size_t len) {
    char name[HOST_SIZE], again[HOST_SIZE];
    struct target t;
    long n = hello_name(bytes, len, name);
    must(n >= -1 && n <= (long)len && strlen(name) < HOST_SIZE);
    if (n > 0 && name[0])
        must(host_normalise(name, strlen(name), again) && strcmp(name, again) == 0);
    n = socks_greeting(bytes, len);
    must(n >= -1 && n <= (long)len);
    n = socks_request(bytes, len, &t);
    must(n >= -1 && n <= (long)len && (n <= 0 || (t.port && t.host[0])));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const as[])(const char *, size_t) = {as_head, as_body, as_hello};
    char *bytes = size ? malloc(size) : NULL; /* of its own, so that one byte too far is seen */
    if (!bytes)
        return 0;
    memcpy(bytes, data + 1, size - 1);
    as[*data % 3](bytes, size - 1);
    free(bytes);
    return 0;
}
