/* Heads of HTTP, bodies, and the first bytes of SOCKS and TLS: one reading of each, or none. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "gate/hello.h"
#include "gate/mask.h"

static long end_of(const char *text, size_t len) {
    size_t seen = 0;
    return head_end(text, len, &seen);
}

static bool request(const char *text, struct http_head *h) {
    long n = end_of(text, strlen(text));
    return n == (long)strlen(text) && head_request(text, (size_t)n, h);
}

static void requests(void **state) {
    (void)state;
    struct http_head h;
    struct target t;
    assert_true(request("GET http://A.test:81/x?y HTTP/1.1\r\nHost: a.test:81\r\n\r\n", &h));
    assert_true(target_proxy(&h, &t));
    assert_string_equal(t.host, "a.test");
    assert_string_equal(t.path, "/x?y");
    assert_int_equal(t.port, 81);
    assert_true(request("CONNECT a.test:443 HTTP/1.1\r\nHost: whatever\r\n\r\n", &h));
    assert_true(target_proxy(&h, &t) && t.port == 443 && !t.path[0]);
    assert_true(request("GET http://[::1]/ HTTP/1.0\r\n\r\n", &h));
    assert_true(target_proxy(&h, &t) && t.port == 80);
    assert_string_equal(t.host, "::1");
    assert_true(request("GET /p HTTP/1.1\r\nHost: a.test\r\n\r\n", &h));
    assert_false(target_proxy(&h, &t));
    struct target to = {.host = "a.test", .port = 80};
    assert_true(target_origin(&h, &to, &t));
    assert_string_equal(t.path, "/p");
    to.port = 8080;
    assert_false(target_origin(&h, &to, &t));
}

static void hosts_that_differ(void **state) {
    (void)state;
    static const char *const all[] = {
        "GET http://a.test/ HTTP/1.1\r\nHost: b.test\r\n\r\n",
        "GET http://a.test/ HTTP/1.1\r\nHost: a.test:81\r\n\r\n",
        "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nHost: a.test\r\n\r\n",
        "GET http://a.test/ HTTP/1.1\r\nX: y\r\n\r\n",
        "GET http://a.test@b.test/ HTTP/1.1\r\nHost: b.test\r\n\r\n",
        "GET https://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET http://127.1/ HTTP/1.1\r\nHost: 127.1\r\n\r\n",
        "CONNECT a.test HTTP/1.1\r\n\r\n",
        "CONNECT ::1:80 HTTP/1.1\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct http_head h;
        struct target t;
        assert_true(request(all[i], &h));
        assert_false(target_proxy(&h, &t));
    }
}

static void heads_with_two_readings(void **state) {
    (void)state;
#define POST "POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\n"
    static const char *const all[] = {
        POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
        POST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        POST "Transfer-Encoding: gzip, chunked\r\n\r\n",
        POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        POST "Content-Length: +1\r\n\r\n",
        POST "Content-Length: 1,1\r\n\r\n",
        POST "Content-Length:\r\n\r\n",
        POST "Content-Length : 1\r\n\r\n",
        POST "X: a\r\n folded\r\n\r\n",
        POST ": a\r\n\r\n",
        "POST  http://a.test/ HTTP/1.1\r\n\r\n",
        "POST http://a.test/ HTTP/2.0\r\n\r\n",
        "POST http://a.test/#f HTTP/1.1\r\n\r\n",
        "GET\r\n\r\n",
    };
    struct http_head h;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_false(request(all[i], &h));
    assert_int_equal(end_of("GET / HTTP/1.1\nHost: a\n\n", 24), -1);
    assert_int_equal(end_of("GET / HTTP/1.1\r\nX: a\rb\r\n\r\n", 26), -1);
    assert_int_equal(end_of("GET / HTTP/1.1\r\nX: \0\r\n\r\n", 25), -1);
    assert_int_equal(end_of("GET / HTTP/1.1\r\n", 16), 0);
    char *much = calloc(1, MAX_HEAD + 1);
    memset(much, 'a', MAX_HEAD + 1);
    assert_int_equal(end_of(much, MAX_HEAD + 1), -1);
    free(much);
}

/* What comes byte by byte is looked at once: bytes that were seen may be anything by then. */
static void heads_that_come_in_pieces(void **state) {
    (void)state;
    static const char *const all[] = {
        "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET http://a.test/ HTTP/1.1\r\nX: a\rb\r\n\r\n",
        "GET http://a.test/ HTTP/1.1\r\nX: a\nb\r\n\r\n",
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        scoped_free char *bytes = strdup(all[i]);
        size_t len = strlen(bytes), seen = 0;
        long n = 0;
        for (size_t have = 0; n == 0 && have < len;) {
            n = head_end(bytes, ++have, &seen);
            if (seen > 3)
                bytes[seen - 3] = 0;
        }
        assert_int_equal(n, end_of(all[i], len));
    }
}

static void what_is_passed_on(void **state) {
    (void)state;
    struct http_head h;
    struct target t;
    scoped_buf out = BUF_INIT(8192);
    assert_true(request(
        POST "Connection: X-Mine, content-length\r\nX-Mine: 1\r\nProxy-Authorization: p\r\n"
             "Upgrade: h2c\r\nContent-Length: 3\r\nAccept: */*\r\nAuthorization: mine\r\n\r\n",
        &h));
    assert_true(target_proxy(&h, &t));
    assert_int_equal(head_forward(&h, &t, 80, "authorization", &out), 0);
    assert_string_equal(out.data, "POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n"
                                  "Content-Length: 3\r\nAccept: */*\r\n");
    buf_reset(&out);
    static const char answer[] =
        "HTTP/1.1 404 Not here\r\nKeep-Alive: 5\r\nContent-Length: 2\r\n\r\n";
    assert_true(head_answer(answer, sizeof answer - 1, &h));
    assert_int_equal(h.status, 404);
    assert_int_equal(head_return(&h, &out), 0);
    assert_string_equal(out.data,
                        "HTTP/1.1 404 Not here\r\nConnection: close\r\nContent-Length: 2\r\n\r\n");
}

static void bodies(void **state) {
    (void)state;
    struct http_body b;
    body_begin(&b, FRAMING_LENGTH, 3);
    assert_int_equal(body_take(&b, "abcGET /", 8), 3);
    assert_true(b.done);
    body_begin(&b, FRAMING_NONE, 0);
    assert_true(b.done);
    static const char chunks[] = "3\r\nabc\r\n0A\r\n0123456789\r\n0\r\n\r\nGET /";
    for (size_t step = 1; step < sizeof chunks; step++) { /* however it is cut */
        size_t at = 0;
        body_begin(&b, FRAMING_CHUNKS, 0);
        while (!b.done && at < sizeof chunks - 1) {
            size_t n = sizeof chunks - 1 - at < step ? sizeof chunks - 1 - at : step;
            long took = body_take(&b, chunks + at, n);
            assert_true(took > 0);
            at += (size_t)took;
        }
        assert_true(b.done);
        assert_string_equal(chunks + at, "GET /");
    }
    static const char *const wrong[] = {
        "x\r\n",    "\r\n",      "3 \r\n",    "3;a=b\r\n",           "3\n",
        "3\r3\r\n", "3\r\nabcd", "0\r\nX: y", "fffffffffffffff\r\n", "-1\r\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        body_begin(&b, FRAMING_CHUNKS, 0);
        assert_int_equal(body_take(&b, wrong[i], strlen(wrong[i])), -1);
    }
}

static void socks(void **state) {
    (void)state;
    struct target t;
    assert_int_equal(socks_greeting("\x05\x01\x00", 3), 3);
    assert_int_equal(socks_greeting("\x05\x02\x00", 3), 0);
    assert_int_equal(socks_greeting("\x05\x01\x02", 3), -1);
    assert_int_equal(socks_greeting("\x04\x01\x00", 3), -1);
    static const char named[] = "\x05\x01\x00\x03\x06"
                                "a.test"
                                "\x01\xbb";
    assert_int_equal(socks_request(named, sizeof named - 1, &t), (long)sizeof named - 1);
    assert_string_equal(t.host, "a.test");
    assert_int_equal(t.port, 443);
    assert_int_equal(socks_request(named, 8, &t), 0);
    assert_int_equal(socks_request("\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50", 10, &t), 10);
    assert_string_equal(t.host, "127.0.0.1");
    assert_int_equal(socks_request("\x05\x02\x00\x01\x7f\x00\x00\x01\x00\x50", 10, &t), -1);
    assert_int_equal(socks_request("\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x00", 10, &t), -1);
}

/* A client hello with these extensions, in records of at most `most` bytes. */
static size_t hello(char *to, const char *extensions, size_t len, size_t most) {
    char body[512] = {1, 0, 0, 0, 3, 3};
    size_t n = 6 + 32, at = 0;
    body[n++] = 0; /* session */
    memcpy(body + n, "\x00\x02\x13\x01\x01\x00", 6);
    n += 6;
    body[n++] = (char)(len >> 8);
    body[n++] = (char)len;
    memcpy(body + n, extensions, len);
    n += len;
    body[2] = (char)((n - 4) >> 8);
    body[3] = (char)(n - 4);
    for (size_t from = 0; from < n;) {
        size_t piece = n - from < most ? n - from : most;
        memcpy(to + at, (char[]){22, 3, 1, (char)(piece >> 8), (char)piece}, 5);
        memcpy(to + at + 5, body + from, piece);
        at += 5 + piece;
        from += piece;
    }
    return at;
}

static void hellos(void **state) {
    (void)state;
    char bytes[4096], name[HOST_SIZE];
    static const char sni[] = "\x00\x00\x00\x0b\x00\x09\x00\x00\x06"
                              "A.test";
    size_t n = hello(bytes, sni, sizeof sni - 1, 400);
    assert_int_equal(hello_name(bytes, n, name), (long)n);
    assert_string_equal(name, "a.test");
    for (size_t i = 0; i < n; i++)
        assert_int_equal(hello_name(bytes, i, name), 0);
    n = hello(bytes, sni, sizeof sni - 1, 7);
    assert_int_equal(hello_name(bytes, n, name), (long)n);
    assert_string_equal(name, "a.test");
    n = hello(bytes, "", 0, 400);
    assert_int_equal(hello_name(bytes, n, name), (long)n);
    assert_string_equal(name, "");
    static const char encrypted[] = "\x00\x00\x00\x0b\x00\x09\x00\x00\x06"
                                    "a.test"
                                    "\xfe\x0d\x00\x01x";
    n = hello(bytes, encrypted, sizeof encrypted - 1, 400);
    assert_int_equal(hello_name(bytes, n, name), (long)n);
    assert_string_equal(name, "");
    static const char twice[] = "\x00\x00\x00\x0b\x00\x09\x00\x00\x06"
                                "a.test"
                                "\x00\x00\x00\x0b\x00\x09\x00\x00\x06"
                                "b.test";
    n = hello(bytes, twice, sizeof twice - 1, 400);
    assert_int_equal(hello_name(bytes, n, name), -1);
    assert_int_equal(hello_name("\x17\x03\x01\x00\x01x", 6, name), -1);
}

static void secrets_are_hidden(void **state) {
    (void)state;
    struct masks m;
    assert_int_equal(masks_init(&m, "sk-secret"), 0);
    char text[] = "a sk-secret b c2stc2VjcmV0 sk-secre";
    masks_apply(&m, text, sizeof text - 1);
    assert_string_equal(text, "a ********* b ************ sk-secre");
    assert_int_equal(masks_open(&m, text, sizeof text - 1), 8);
    assert_int_equal(masks_open(&m, "xs", 2), 1);
    assert_int_equal(masks_open(&m, "c2stc2VjcmV", 11), 11);
    assert_int_equal(masks_open(&m, "sk-x", 4), 0);
    masks_done(&m);
    assert_int_equal(masks_init(&m, "s/\"%25x>"),
                     0); /* its % is no escape in JSON, and one in a URL */
    char mixed[] = "s\\/\\\"%25x> s%2F%22%2525x%3E";
    masks_apply(&m, mixed, strlen(mixed));
    assert_null(strpbrk(mixed, "sx%"));
    masks_done(&m);
    assert_int_equal(masks_init(&m, "abc"), 0); /* too short to hide anything */
    assert_null(m.texts[0]);
}

static void hides(const struct masks *m, const char *text, const char *expected) {
    char bytes[200];
    size_t len = strlen(text);
    for (size_t cut = 0; cut <= len; cut++) { /* as a server may send it, in two parts */
        memcpy(bytes, text, len + 1);
        masks_apply(m, bytes, cut);
        size_t held = masks_open(m, bytes, cut);
        masks_apply(m, bytes + cut - held, len - cut + held);
        assert_string_equal(bytes, expected);
    }
}

static void secrets_are_hidden_however_they_are_written(void **state) {
    (void)state;
    struct masks m;
    assert_int_equal(masks_init(&m, "k/ey+>\"%~"), 0);
    hides(&m, "a k/ey+>\"%~ b", "a ********* b");
    hides(&m, "x=k%2Fey%2b%3E%22%25~&", "x=*******************&");
    hides(&m, "[\"k\\/ey+\\u003e\\\"%~\"]", "[\"****************\"]");
    hides(&m, "ay9leSs+IiV+=", "************=");            /* by itself */
    hides(&m, "ay9leSs-IiV-", "************");              /* in the alphabet of URLs */
    hides(&m, "ay9l\r\neSs+\\nIiV+", "****\r\n**********"); /* in lines */
    hides(&m, "ay9leSs%2BIiV%2B", "****************");
    hides(&m, "dTprL2V5Kz4iJX4=", "dTp***********4="); /* behind "u:" */
    hides(&m, "OmsvZXkrPiIlfjo=", "Om***********jo="); /* between colons */
    hides(&m, "6b2f65792b3e22257e 6B2F65792B3E22257E", "****************** ******************");
    hides(&m, "k/ey+>\"%", "k/ey+>\"%"); /* not all of it */
    masks_done(&m);
    assert_int_equal(masks_init(&m, "%41%41 \\"), 0); /* which looks like what URLs write */
    hides(&m, "%41%41 \\", "********");
    hides(&m, "%2541%2541+%5c", "**************");
    masks_done(&m);
    assert_int_equal(masks_init(&m, "four"), 0);
    hides(&m, "Zm91cg==", "*****g=="); /* its last bits stand beside those of what follows */
    hides(&m, "Zm91cjo=", "*****jo=");
    masks_done(&m);
}

static void overrides_are_left_out(void **state) {
    (void)state;
    struct http_head h;
    assert_true(
        request("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX-HTTP-Method-Override: PUT\r\n"
                "x_http_method: PUT\r\nX-Original-URL: /b\r\nX-Http: y\r\n\r\n",
                &h));
    head_drop_overrides(&h);
    assert_true(h.count == 2 && head_find(&h, "x-http"));
    head_drop(&h, "x-http-more");
    assert_int_equal(h.count, 2);
}

static void tunnels_have_no_tunnels(void **state) {
    (void)state;
    struct http_head h;
    struct target t, to = {.host = "a.test", .port = 80};
    assert_true(request("CONNECT / HTTP/1.1\r\nHost: a.test\r\n\r\n", &h));
    assert_false(target_origin(&h, &to, &t));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests),
        cmocka_unit_test(hosts_that_differ),
        cmocka_unit_test(heads_with_two_readings),
        cmocka_unit_test(heads_that_come_in_pieces),
        cmocka_unit_test(what_is_passed_on),
        cmocka_unit_test(bodies),
        cmocka_unit_test(socks),
        cmocka_unit_test(hellos),
        cmocka_unit_test(secrets_are_hidden),
        cmocka_unit_test(secrets_are_hidden_however_they_are_written),
        cmocka_unit_test(overrides_are_left_out),
        cmocka_unit_test(tunnels_have_no_tunnels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
