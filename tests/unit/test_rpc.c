/* JSON-RPC messages: what is a request, what is refused and with which code; base64; faults. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "serve/hosted/json.h"
#include "serve/rpc/rpc.h"

static const struct {
    const char *text;
    int code;
    const char *id; /* of the message, and of the error reply */
} messages[] = {
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}", 0, "1"},
    {"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"a\",\"params\":{}}", 0, "0"},
    {"{\"jsonrpc\":\"2.0\",\"id\":\"x y\",\"method\":\"a\"}", 0, "\"x y\""},
    {"{\"jsonrpc\":\"2.0\",\"id\":-1.5,\"method\":\"a\"}", 0, "-1.5"},
    {"{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"a\"}", 0, "9007199254740993"},
    {" \t{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r", 0, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}", 0, "3"},
    {"{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":1}}", 0, "3"},
    {"", RPC_PARSE, "null"},
    {"{", RPC_PARSE, "null"},
    {"nonsense", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"} x", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"a\"}", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\\ud800\"}", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\x80\"}", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"method\":\"a\"}", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"a\"}", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"a\"}", RPC_PARSE, "null"},
    {"{'jsonrpc':'2.0'}", RPC_PARSE, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",}", RPC_PARSE, "null"},
    {"\xef\xbb\xbf{}", RPC_PARSE, "null"},
    {"[]", RPC_INVALID, "null"},
    {"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}]", RPC_INVALID, "null"},
    {"1", RPC_INVALID, "null"},
    {"null", RPC_INVALID, "null"},
    {"\"a\"", RPC_INVALID, "null"},
    {"{}", RPC_INVALID, "null"},
    {"{\"id\":7,\"method\":\"a\"}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"a\"}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":2.0,\"id\":7,\"method\":\"a\"}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}", RPC_INVALID, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"a\"}", RPC_INVALID, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"a\"}", RPC_INVALID, "null"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":7}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\\u0000b\"}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":[1]}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":\"x\"}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":null}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1,\"error\":{}}", RPC_INVALID, "7"},
    {"{\"jsonrpc\":\"2.0\",\"id\":7}", RPC_INVALID, "7"},
};

static void messages_get_their_code_and_id(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct rpc_message msg;
        char reason[200] = "";
        int code =
            rpc_parse(messages[i].text, strlen(messages[i].text), &msg, reason, sizeof reason);

        if (code != messages[i].code || strcmp(msg.id, messages[i].id) != 0)
            fail_msg("%s: code %d, id %s, %s", messages[i].text, code, msg.id, reason);
        assert_int_equal(code != 0, reason[0] != 0);
        rpc_message_done(&msg);
    }
}

/* Beginning and end of a message, with a newline between them. */
static void what_is_too_long_has_its_id(void **state) {
    (void)state;
    static const char *const ends[][2] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":7,\"params\":{\"code\":\"aa\naa\"}}", "7"},
        {"{\"id\" : \"a\\\"b\" ,\"method\":\"m\",\"params\":{\naa\"}}", "\"a\\\"b\""},
        {"{\"method\":\"id\",\"params\":{\"id\":1,\"code\":\"aa\naa\"},\"id\":9}", "9"},
        {"{\"method\":\"a\",\"params\":{\"code\":\"\naa\"},\"id\": \"x\" } \r", "\"x\""},
        {"{\"params\":{\"code\":\"\\\"id\\\":3,\naa\"}}", "null"},
        {"{\"params\":{\"code\":\"aa\naa\\\"id\\\":3}", "null"},
        {"{\"params\":{\"code\":\"aa\naa\",\"id\":3}}", "null"},
        {"{\"id\":12\n345,\"a\":1}", "null"},
        {"{\"id\":{},\"a\":\"\naa\"}", "null"},
        {"\n", "null"},
        {"aaaa", "null"},
        {"\"\\", "null"},
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct rpc_message msg;
        char reason[200];
        assert_int_equal(
            rpc_parse(ends[i][0], (size_t)MAX_REQUEST + 1, &msg, reason, sizeof reason), RPC_PARSE);
        assert_string_equal(msg.id, ends[i][1]);
        assert_non_null(strstr(reason, "33554432 bytes"));
        rpc_message_done(&msg);
    }
}

static void kinds_are_told_apart(void **state) {
    (void)state;
    const char *texts[] = {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}",
                           "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}",
                           "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":null}"};
    enum rpc_kind kinds[] = {RPC_REQUEST, RPC_NOTIFICATION, RPC_RESPONSE};

    for (int i = 0; i < 3; i++) {
        struct rpc_message msg;
        char reason[100];

        assert_int_equal(rpc_parse(texts[i], strlen(texts[i]), &msg, reason, sizeof reason), 0);
        assert_int_equal(msg.kind, kinds[i]);
        rpc_message_done(&msg);
    }
}

static void values_are_counted(void **state) {
    (void)state;
    for (int more = 0; more < 2; more++) {
        scoped_buf text = BUF_INIT(4 * MAX_JSON_VALUES);
        struct retort_error err = ERR_INIT;

        buf_adds(&text, "[\",,,\"");
        for (int i = 0; i < MAX_JSON_VALUES - 2 + more; i++)
            buf_adds(&text, ",1");
        buf_adds(&text, "]");
        scoped_json *value = serve_json_parse(text.data, text.len, &err);
        assert_int_equal(value == NULL, more);
    }
}

static json_t *parse_nested(int depth, const char *open, const char *shut,
                            struct retort_error *err) {
    scoped_buf text = BUF_INIT(1 << 20);

    for (int i = 0; i < depth; i++)
        buf_adds(&text, open);
    buf_adds(&text, "1");
    for (int i = 0; i < depth; i++)
        buf_adds(&text, shut);
    return serve_json_parse(text.data, text.len, err);
}

static void nesting_ends_at_the_maximum(void **state) {
    (void)state;
    struct retort_error err = ERR_INIT;
    json_t *value = parse_nested(MAX_JSON_DEPTH, "[", "]", &err);

    assert_non_null(value);
    json_decref(value);
    assert_null(parse_nested(MAX_JSON_DEPTH + 1, "[", "]", &err));
    assert_null(parse_nested(MAX_JSON_DEPTH + 1, "{\"a\":", "}", &err));
    assert_null(parse_nested(100000, "[", "]", &err));
    assert_non_null(strstr(err.message, "nests too deep"));
    /* Brackets inside strings are text. */
    value = serve_json_parse("\"[[[[\\\"[[\"", 10, &err);
    assert_non_null(value);
    json_decref(value);
}

static void strings_are_quoted_for_json(void **state) {
    (void)state;
    static const struct {
        const char *in, *out;
        size_t len;
    } cases[] = {
        {"plain", "\"plain\"", 5},
        {"a\"b\\c\n\t\x01", "\"a\\\"b\\\\c\\n\\t\\u0001\"", 8},
        {"\xc3\xa9\xf0\x9f\x98\x80", "\"\xc3\xa9\xf0\x9f\x98\x80\"", 6},
        {"a\xff"
         "b\xc3",
         "\"a\xef\xbf\xbd"
         "b\xef\xbf\xbd\"",
         4},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", 3},
        {"a\0b", "\"a\\u0000b\"", 3},
        {"", "\"\"", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scoped_buf b = BUF_INIT(1000);

        assert_int_equal(buf_json_string(&b, cases[i].in, cases[i].len), 0);
        assert_string_equal(b.data, cases[i].out);
    }
}

static void every_fault_has_a_code_and_a_status(void **state) {
    (void)state;
    for (int fault = RETORT_FAULT_CALLER; fault <= RETORT_FAULT_BUG; fault++) {
        struct retort_error error = {.fault = (enum retort_fault)fault, .code = EXDEV};

        assert_non_null(fault_row(&error)->meaning);
        assert_int_equal(fault_row(&error)->fault, fault);
    }
    assert_int_equal(fault_row(&(struct retort_error){.code = ENOENT, .fault = RETORT_FAULT_CALLER})
                         ->http_status,
                     404);
    assert_int_equal(fault_row(&(struct retort_error){0})->rpc_code, RPC_BUG);
}

static void a_fault_names_its_layer(void **state) {
    (void)state;
    struct retort_error error = {
        .fault = RETORT_FAULT_HOST, .layer = "seccomp", .message = "no \"it\"", .hint = "allow it"};
    scoped_buf reply = BUF_INIT(1000);

    assert_int_equal(rpc_fault_reply(&reply, "7", &error), 0);
    assert_string_equal(
        reply.data,
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32012,\"message\":\"no \\\"it\\\"\","
        "\"data\":{\"fault\":\"host\",\"layer\":\"seccomp\",\"hint\":\"allow it\"}}}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_get_their_code_and_id),
        cmocka_unit_test(what_is_too_long_has_its_id),
        cmocka_unit_test(kinds_are_told_apart),
        cmocka_unit_test(values_are_counted),
        cmocka_unit_test(nesting_ends_at_the_maximum),
        cmocka_unit_test(strings_are_quoted_for_json),
        cmocka_unit_test(every_fault_has_a_code_and_a_status),
        cmocka_unit_test(a_fault_names_its_layer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
