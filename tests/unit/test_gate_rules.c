/* Rules and addresses: what is read, what it allows. */
#include "unit.h"

#include <string.h>

#include "engine/gateway/uplink.h"
#include "gate/rules/rules.h"

static struct rules *rules_of(const char *text) {
    struct retort_error err = ERR_INIT;
    json_t *network = json_loads(text, JSON_DECODE_ANY, NULL);
    struct rules *rules = NULL;
    assert_non_null(network);
    assert_int_equal(rules_new(network, &rules, &err), 0);
    json_decref(network);
    return rules;
}

static void refuse(const char *text, const char *why) {
    struct retort_error err = ERR_INIT;
    json_t *network = json_loads(text, JSON_DECODE_ANY, NULL);
    struct rules *rules = NULL;
    assert_non_null(network);
    assert_true(rules_new(network, &rules, &err) < 0);
    assert_int_equal(err.fault, ERR_CALLER);
    assert_non_null(strstr(err.message, why));
    json_decref(network);
}

static void names_become_one_form(void **state) {
    (void)state;
    char host[HOST_SIZE];
    assert_true(host_normalise("API.Example.COM.", 16, host));
    assert_string_equal(host, "api.example.com");
    assert_true(host_normalise("[::ffff:10.0.0.1]", 17, host));
    assert_string_equal(host, "10.0.0.1");
    assert_true(host_normalise("::1", 3, host));
    assert_string_equal(host, "::1");
    static const char *const none[] = {"",           ".",          "a..b",       "127.1",
                                       "2130706433", "0x7f.1",     "a b",        "a/b",
                                       "user@host",  "127.0.0.1.", "0177.0.0.1", "fe80::1%lo",
                                       "-\x01",      "1.2.3.4.5",  "\xc3\xa4.de"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(host_normalise(none[i], strlen(none[i]), host));
}

static void public_addresses_are_few(void **state) {
    (void)state;
    static const char *const inside[] = {"127.0.0.1",
                                         "10.1.2.3",
                                         "172.31.0.1",
                                         "192.168.1.1",
                                         "169.254.169.254",
                                         "0.0.0.0",
                                         "100.64.0.1",
                                         "224.0.0.1",
                                         "255.255.255.255",
                                         "::",
                                         "::1",
                                         "fe80::1",
                                         "fc00::1",
                                         "64:ff9b::a00:1",
                                         "2002:a00:1::",
                                         "2001:0:a00:1::",
                                         "2001:db8::1",
                                         "::ffff:127.0.0.1",
                                         "::127.0.0.1",
                                         "ff02::1",
                                         "198.18.0.1",
                                         "168.63.129.16",
                                         "2606:4700::5efe:10.0.0.1",
                                         "2606:4700::200:5efe:a00:1",
                                         "64:ff9b:1::a00:1",
                                         "192.0.2.1"};
    struct address a;
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        assert_true(address_parse(inside[i], &a));
        assert_false(address_is_public(&a));
    }
    static const char *const outside[] = {"1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111",
                                          "::ffff:8.8.8.8"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        assert_true(address_parse(outside[i], &a));
        assert_true(address_is_public(&a));
    }
}

static void rules_are_followed(void **state) {
    (void)state;
    struct rules *r =
        rules_of("[\"a.test\", \"*.b.test:8443\", \"[::1]:80\", {\"host\": \"c.test\","
                 " \"ports\": [1, 2], \"methods\": [\"GET\"], \"paths\": [\"/v1\", \"/x/\"]}]");
    char text[200];
    assert_int_equal(rules_find(r, "a.test", 443, NULL, NULL), 0);
    assert_int_equal(rules_find(r, "a.test", 80, "GET", "/"), 0);
    assert_int_equal(rules_find(r, "a.test", 8080, NULL, NULL), -1);
    assert_int_equal(rules_find(r, "x.a.test", 443, NULL, NULL), -1);
    assert_int_equal(rules_find(r, "xa.test", 443, NULL, NULL), -1);
    assert_int_equal(rules_find(r, "b.test", 8443, NULL, NULL), -1);
    assert_int_equal(rules_find(r, "x.y.b.test", 8443, NULL, NULL), 1);
    assert_int_equal(rules_find(r, "xb.test", 8443, NULL, NULL), -1);
    assert_int_equal(rules_find(r, "::1", 80, NULL, NULL), 2);
    assert_int_equal(rules_find(r, "c.test", 1, "GET", "/v1"), 3);
    assert_int_equal(rules_find(r, "c.test", 2, "GET", "/v1/a?b=/../"), 3);
    assert_int_equal(rules_find(r, "c.test", 2, "GET", "/v1?q"), 3);
    assert_int_equal(rules_find(r, "c.test", 2, "GET", "/v10"), -1);
    assert_int_equal(rules_find(r, "c.test", 2, "POST", "/v1"), -1);
    assert_int_equal(rules_find(r, "c.test", 2, "get", "/v1"), -1);
    static const char *const tricks[] = {
        "/v1/../y",       "/v1/..",           "/v1/%2e%2e/y",
        "/v1//y",         "/v1\\..\\y",       "/v1/..;/y",
        "/v1/%252e%252e", "/v1/%c0%ae%c0%ae", "/v1/\xc0\xae\xc0\xae"};
    for (size_t i = 0; i < sizeof tricks / sizeof *tricks; i++)
        assert_int_equal(rules_find(r, "c.test", 1, "GET", tricks[i]), -1);
    assert_false(rules_read(r, "a.test", 80));
    assert_true(rules_read(r, "c.test", 1));
    rules_text(r, text, sizeof text);
    assert_string_equal(text, "a.test, *.b.test:8443, ::1:80, c.test:1");
    rules_text(r, text, 12);
    assert_int_equal(strlen(text), 11);
    rules_free(r);
}

static void whoever_may_have_every_path_may(void **state) {
    (void)state;
    struct rules *r = rules_of("[{\"host\": \"a.test\", \"paths\": [\"/\"]}]");
    assert_int_equal(rules_find(r, "a.test", 80, "GET", "/@scope%2fname"), 0);
    assert_int_equal(rules_find(r, "a.test", 80, "GET", "/a/../b"), 0);
    rules_free(r);
}

static void addresses_are_named(void **state) {
    (void)state;
    struct rules *r = rules_of(
        "{\"rules\": [{\"host\": \"db.test\", \"address\": \"10.0.0.5\", \"protocol\": \"tcp\"},"
        " \"10.0.0.6\"], \"connections\": 3, \"rate\": 7, \"bytes\": 9}");
    char text[64];
    address_text(&r->list[0].address, text, sizeof text);
    assert_string_equal(text, "10.0.0.5");
    address_text(&r->list[1].address, text, sizeof text);
    assert_string_equal(text, "10.0.0.6");
    assert_true(r->list[0].raw && !r->list[1].raw);
    assert_true(r->connections == 3 && r->rate == 7 && r->bytes == 9);
    rules_free(r);
}

#define GIVEN                                                                                    \
    "[\"api.test\", {\"host\": \"*.wide.test\", \"ports\": [443, 8443], \"paths\": [\"/v1/\"]}," \
    " {\"host\": \"deep.wide.test\", \"ports\": [80]}]"

static void expect_narrowed(const char *given, const char *hosts, const char *expected) {
    struct retort_error err = ERR_INIT;
    json_t *network = json_loads(given, 0, NULL), *asked = json_loads(hosts, 0, NULL), *got = NULL;
    assert_non_null(network);
    assert_non_null(asked);
    int r = rules_narrow(network, asked, &got, &err);
    if (expected[0] == '{') {
        json_t *want = json_loads(expected, 0, NULL);
        assert_non_null(want);
        assert_int_equal(r, 0);
        assert_true(json_equal(got, want));
        json_decref(want);
    } else {
        assert_true(r < 0);
        assert_int_equal(err.fault, ERR_CALLER);
        assert_non_null(strstr(err.message, expected));
    }
    json_decref(network);
    json_decref(asked);
    json_decref(got);
}

static void fewer_are_never_more(void **state) {
    (void)state;
    expect_narrowed(GIVEN, "[]", "{\"rules\": []}");
    expect_narrowed(GIVEN, "[\"API.test\"]",
                    "{\"rules\": [{\"host\": \"api.test\", \"ports\": [80, 443]}]}");
    expect_narrowed(GIVEN, "[\"api.test:443\"]",
                    "{\"rules\": [{\"host\": \"api.test\", \"ports\": [443]}]}");
    expect_narrowed(GIVEN, "[\"deep.wide.test\"]",
                    "{\"rules\": [{\"host\": \"deep.wide.test\", \"ports\": [443, 8443], "
                    "\"paths\": [\"/v1/\"]},"
                    " {\"host\": \"deep.wide.test\", \"ports\": [80]}]}");
    expect_narrowed(
        GIVEN, "[{\"host\": \"*.wide.test\", \"ports\": [8443]}]",
        "{\"rules\": [{\"host\": \"*.wide.test\", \"ports\": [8443], \"paths\": [\"/v1/\"]}]}");
    expect_narrowed(
        "{\"rules\": [{\"host\": \"a.b.test\", \"address\": \"10.0.0.1\"}], \"bytes\": 9}",
        "[\"*.test\"]",
        "{\"rules\": [{\"host\": \"a.b.test\", \"address\": \"10.0.0.1\", \"ports\": "
        "[80, 443]}], \"bytes\": 9}");
    expect_narrowed(GIVEN, "[\"wide.test\"]", "wide.test is not among");
    expect_narrowed(GIVEN, "[\"other.test\"]", "other.test is not among");
    expect_narrowed(GIVEN, "[\"notapi.test\", \"api.test\"]", "notapi.test is not among");
    expect_narrowed(GIVEN, "[\"api.test:22\"]", "api.test is not among");
    expect_narrowed(GIVEN, "[{\"host\": \"api.test\", \"address\": \"10.0.0.1\"}]", "ports alone");
    expect_narrowed(GIVEN, "[{\"host\": \"api.test\", \"protocol\": \"tcp\"}]", "ports alone");
    expect_narrowed(GIVEN, "{\"rules\": [\"api.test\"]}", "a list of hosts");
}

/* Who declares hosts without knowing what there is gets what both have, and nothing for the rest. */
static void what_both_have(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    json_t *given = json_loads(
               "[{\"host\": \"*.test\", \"ports\": [443, 5432], \"paths\": [\"/\"]}]", 0, NULL),
           *hosts = json_loads("[\"a.test\", \"b.test:5432\", \"test\", \"c.other\"]", 0, NULL),
           *want = json_loads(
               "{\"rules\": [{\"host\": \"a.test\", \"ports\": [443], \"paths\": [\"/\"]},"
               " {\"host\": \"b.test\", \"ports\": [5432], \"paths\": [\"/\"]}]}",
               0, NULL),
           *got = NULL;
    assert_int_equal(rules_within(given, hosts, &got, &err), 0);
    assert_true(json_equal(got, want));
    json_decref(given);
    json_decref(hosts);
    json_decref(want);
    json_decref(got);
}

static void mistakes_are_named(void **state) {
    (void)state;
    refuse("{\"rules\": 1}", "must be a list");
    refuse("[1]", "text or an object");
    refuse("[\"a b\"]", "no name or address");
    refuse("[\"a.test:x\"]", "no port");
    refuse("[\"a.test:0\"]", "65535");
    refuse("[\"*.10.0.0.1\"]", "names below");
    refuse("[{\"ports\": [80]}]", "needs a host");
    refuse("[{\"host\": \"a\", \"port\": 80}]", "a rule has");
    refuse("[{\"host\": \"a\", \"ports\": []}]", "list of numbers");
    refuse("[{\"host\": \"a\", \"paths\": [\"v1\"]}]", "v1");
    refuse("[{\"host\": \"a\", \"paths\": [\"/a/../b\"]}]", "/a/../b");
    refuse("[{\"host\": \"a\", \"methods\": [\"G T\"]}]", "G T");
    refuse("[{\"host\": \"a\", \"protocol\": \"udp\"}]", "http");
    refuse("[{\"host\": \"a\", \"protocol\": \"tcp\", \"methods\": [\"GET\"]}]", "plain tcp");
    refuse("[{\"host\": \"10.0.0.1\", \"address\": \"10.0.0.2\"}]", "has a name");
    refuse("[{\"host\": \"a\", \"secret\": {\"header\": \"X\"}}]", "a header and a value");
    refuse("[{\"host\": \"a\", \"secret\": {\"header\": \"X:\", \"value\": \"${A}\"}}]",
           "a header and a value");
    refuse("{\"rules\": [], \"bytes\": 0}", "greater than 0");
    refuse("{\"rules\": [], \"speed\": 1}", "connections");
}

static void events_become_json(void **state) {
    (void)state;
    struct gate_event e = {
        .connection = 2, .verdict = GATE_REFUSED, .rule = -1, .port = 80, .us = 1234};
    memcpy(e.host, "\xff\x01", 3);
    json_t *o = uplink_json(&e);
    assert_string_equal(json_string_value(json_object_get(o, "verdict")), "refused");
    assert_true(json_is_string(json_object_get(o, "host")));
    assert_null(json_object_get(o, "rule"));
    assert_null(json_object_get(o, "open"));
    json_decref(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_one_form), cmocka_unit_test(public_addresses_are_few),
        cmocka_unit_test(rules_are_followed),    cmocka_unit_test(whoever_may_have_every_path_may),
        cmocka_unit_test(addresses_are_named),   cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(events_become_json),    cmocka_unit_test(fewer_are_never_more),
        cmocka_unit_test(what_both_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
