/* Who may come in: token lines, Host and Origin; addresses to listen on; ranges of files. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_engine.h"
#include "serve/http/download.h"
#include "serve/http/guard.h"
#include "serve/mcp/mcp_transport.h"
#include "serve/server/server.h"

#define TOKEN "0123456789abcdef"

static void token_lines(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int result;
        const char *name;
        unsigned sessions;
    } cases[] = {
        {TOKEN, 1, "", 0},
        {TOKEN " name=alice sessions=7\n", 1, "alice", 7},
        {"\t" TOKEN "  sessions=7\r\n", 1, "", 7},
        {"", 0, NULL, 0},
        {"   \n", 0, NULL, 0},
        {"# " TOKEN, 0, NULL, 0},
        {"short", -EINVAL, NULL, 0},
        {TOKEN " sessions=-1", -EINVAL, NULL, 0},
        {TOKEN " timeout=2.5 sessions=7 memory=64", 1, "", 7},
        {TOKEN " review=block sessions=7", 1, "", 7},
        {TOKEN " review=much", -EINVAL, NULL, 0},
        {TOKEN " timeout=", -EINVAL, NULL, 0},
        {TOKEN " timeout", -EINVAL, NULL, 0},
        {TOKEN " timeout=0", -EINVAL, NULL, 0},
        {TOKEN " memory=1e99", -EINVAL, NULL, 0},
        {TOKEN " memory=64x", -EINVAL, NULL, 0},
        {TOKEN " memry=64", -EINVAL, NULL, 0},
        {TOKEN " sessions=many", -EINVAL, NULL, 0},
        {TOKEN " sessions=99999999999", -EINVAL, NULL, 0},
        {TOKEN " name=", -EINVAL, NULL, 0},
        {TOKEN " colour=red", -EINVAL, NULL, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct guard_token token = {0};
        char text[64];
        int r = guard_parse_line(cases[i].line, text, sizeof text, &token);

        if (r != cases[i].result)
            fail_msg("%s: %d", cases[i].line, r);
        if (r != 1)
            continue;
        assert_string_equal(text, TOKEN);
        assert_string_equal(token.name, cases[i].name);
        assert_int_equal(token.sessions, cases[i].sessions);
    }
}

static struct guard *guard_of(const char *tokens, bool loopback, const char *const *hosts) {
    char path[] = "/tmp/test-guard-XXXXXX";
    struct retort_error err = ERR_INIT;
    struct guard *guard = NULL;
    int fd = tokens ? mkstemp(path) : -1;

    if (tokens) {
        assert_true(fd >= 0);
        assert_int_equal(write(fd, tokens, strlen(tokens)), strlen(tokens));
        close(fd);
    }
    assert_int_equal(guard_new(tokens ? path : NULL, loopback, hosts, &guard, &err), 0);
    if (tokens)
        unlink(path);
    return guard;
}

/* The end of a long comment must not become a token. */
static void long_lines_are_refused(void **state) {
    (void)state;
    char path[] = "/tmp/test-guard-XXXXXX", text[3000];
    struct retort_error err = ERR_INIT;
    struct guard *guard = NULL;
    int fd = mkstemp(path);

    memset(text, 'x', sizeof text);
    text[0] = '#';
    assert_int_equal(write(fd, text, sizeof text), sizeof text);
    assert_int_equal(write(fd, "\n" TOKEN "\n", strlen(TOKEN) + 2), strlen(TOKEN) + 2);
    close(fd);
    assert_int_equal(guard_new(path, true, NULL, &guard, &err), -EINVAL);
    assert_non_null(strstr(err.message, "line 1:"));
    unlink(path);
}

static void only_whole_tokens_let_in(void **state) {
    (void)state;
    struct guard *guard = guard_of(TOKEN " name=a\n" TOKEN "x name=a\n", true, NULL);
    const struct guard_token *one = guard_token(guard, "Bearer " TOKEN);
    const struct guard_token *two = guard_token(guard, "bearer  " TOKEN "x");

    assert_non_null(one);
    assert_non_null(two);
    assert_string_not_equal(one->owner, two->owner);
    assert_false(one->alone);
    assert_null(guard_token(guard, NULL));
    assert_null(guard_token(guard, ""));
    assert_null(guard_token(guard, TOKEN));
    assert_null(guard_token(guard, "Basic " TOKEN));
    assert_null(guard_token(guard, "Bearer 0123456789abcde"));
    assert_null(guard_token(guard, "Bearer " TOKEN " "));
    guard_free(guard);
}

static const struct {
    const char *host, *origin;
    bool loopback, named,
        open; /* whether it passes on loopback, with a list of names, beyond without one */
} visits[] = {
    {"localhost", NULL, true, false, true},
    {"LOCALHOST:8700", NULL, true, false, true},
    {"127.0.0.1:80", "http://127.0.0.1:80", true, false, true},
    {"[::1]:80", "https://localhost", true, false, false},
    {"retort.example", NULL, false, true, true},
    {"retort.example:443", "https://retort.example", false, true, true},
    {"retort.example", "https://evil.example", false, false, false},
    {"evil.example", NULL, false, false, true},
    {"evil.example", "https://evil.example", false, false, true},
    {"1-a.boxes.localhost:80", "http://b.localhost", true, false, false},
    {"xlocalhost", NULL, false, false, true},
    {".localhost", NULL, false, false, true},
    {"localhost.evil.example", NULL, false, false, true},
    {"1-a.boxes.example", "https://2-b.boxes.example", false, true, false},
    {"boxes.example", NULL, false, false, true},
    {"evilboxes.example", NULL, false, false, true},
    {"localhost", "null", false, false, false},
    {"localhost", "http://", false, false, false},
    {"localhost", "http://localhost@evil.example", false, false, false},
    {"localhost:8700x", NULL, false, false, false},
    {"localhost/x", NULL, false, false, false},
    {"[::1", NULL, false, false, false},
    {"", NULL, false, false, false},
    {NULL, NULL, false, false, false},
};

static void hosts_and_origins(void **state) {
    (void)state;
    const char *const names[] = {"retort.example", ".boxes.example", NULL};
    struct guard *loopback = guard_of(NULL, true, NULL);
    struct guard *named = guard_of(NULL, false, names);
    struct guard *open = guard_of(NULL, false, NULL);

    for (size_t i = 0; i < sizeof visits / sizeof *visits; i++)
        if (guard_host(loopback, visits[i].host, visits[i].origin) != visits[i].loopback ||
            guard_host(named, visits[i].host, visits[i].origin) != visits[i].named ||
            guard_host(open, visits[i].host, visits[i].origin) != visits[i].open)
            fail_msg("%s, %s", visits[i].host, visits[i].origin);
    guard_free(loopback);
    guard_free(named);
    guard_free(open);
}

static void addresses(void **state) {
    (void)state;
    static const struct {
        const char *text, *address;
        int port;
        bool loopback;
    } cases[] = {
        {"127.0.0.1:8700", "127.0.0.1", 8700, true},
        {"127.9.9.9:0", "127.9.9.9", 0, true},
        {"localhost:1", "127.0.0.1", 1, true},
        {"0.0.0.0:65535", "0.0.0.0", 65535, false},
        {"[::1]:80", "::1", 80, true},
        {"[::]:80", "::", 80, false},
        {"127.0.0.1", NULL, 0, false},
        {":80", NULL, 0, false},
        {"127.0.0.1:", NULL, 0, false},
        {"127.0.0.1:65536", NULL, 0, false},
        {"127.0.0.1:-1", NULL, 0, false},
        {"example.org:80", NULL, 0, false},
        {"127.0.0.1:80x", NULL, 0, false},
        {"[]:80", NULL, 0, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char address[64] = "";
        uint16_t port = 0;
        bool loopback = false;
        int r = server_parse_address(cases[i].text, address, sizeof address, &port, &loopback);

        if ((r == 0) != (cases[i].address != NULL))
            fail_msg("%s: %d", cases[i].text, r);
        if (r < 0)
            continue;
        assert_string_equal(address, cases[i].address);
        assert_int_equal(port, cases[i].port);
        assert_int_equal(loopback, cases[i].loopback);
    }
}

static void ranges(void **state) {
    (void)state;
    static const struct {
        const char *header;
        int result;
        uint64_t first, last;
    } cases[] = {
        {"bytes=0-0", 1, 0, 0},
        {"bytes=2-", 1, 2, 9},
        {"bytes=-4", 1, 6, 9},
        {"bytes=-40", 1, 0, 9},
        {"bytes=3-400", 1, 3, 9},
        {"bytes=9-9", 1, 9, 9},
        {"bytes=10-", -ERANGE, 0, 0},
        {"bytes=-0", -ERANGE, 0, 0},
        {"bytes=5-4", 0, 0, 0},
        {"bytes=-", 0, 0, 0},
        {"bytes=", 0, 0, 0},
        {"bytes=1-2,3-4", 0, 0, 0},
        {"items=1-2", 0, 0, 0},
        {"bytes=1-2x", 0, 0, 0},
        {"bytes=18446744073709551616-", 0, 0, 0},
        {"bytes=+1-2", 0, 0, 0},
        {NULL, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t first = 0, last = 0;
        int r = http_range(cases[i].header, 10, &first, &last);

        if (r != cases[i].result || first != cases[i].first || last != cases[i].last)
            fail_msg("%s: %d, %d-%d", cases[i].header, r, (int)first, (int)last);
    }
    uint64_t first, last;
    assert_int_equal(http_range("bytes=0-", 0, &first, &last), -ERANGE);
}

static void name_headers(void **state) {
    (void)state;
    assert_true(mcp_header_equals("run_code", "run_code"));
    assert_true(mcp_header_equals("  run_code\t", "run_code"));
    assert_true(mcp_header_equals("=?base64?cnVuX2NvZGU=?=", "run_code"));
    assert_true(mcp_header_equals("=?base64?cnVu", "=?base64?cnVu"));
    assert_false(mcp_header_equals("=?base64?cnVuX2NvZGU?=", "run_code"));
    assert_false(mcp_header_equals("=?base64?!!!!?=", "run_code"));
    assert_false(mcp_header_equals("Run_code", "run_code"));
    assert_false(mcp_header_equals(NULL, "run_code"));
    assert_false(mcp_header_equals("", "run_code"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_lines),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(only_whole_tokens_let_in),
        cmocka_unit_test(hosts_and_origins),
        cmocka_unit_test(addresses),
        cmocka_unit_test(ranges),
        cmocka_unit_test(name_headers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
