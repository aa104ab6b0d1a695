/* Model protocols without a network: streams in any portions, quirks, requests, errors, cassettes.
 */
#include "agent/model/cassette.h"
#include "agent/model/model.h"
#include "agent/model/sse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct reading {
    struct model_reply reply;
    struct model_error error;
    struct model_stream stream;
    bool anthropic;
};

static void start(struct reading *r, bool anthropic) {
    *r = (struct reading){.anthropic = anthropic};
    model_reply_init(&r->reply);
    r->stream.reply = &r->reply;
    r->stream.error = &r->error;
}

static void finish(struct reading *r) {
    model_stream_done(&r->stream);
    model_reply_done(&r->reply);
}

static int on_event(void *user, const char *event, const char *data, size_t len) {
    struct reading *r = user;
    return r->anthropic ? anthropic_event(&r->stream, event, data, len)
                        : openai_event(&r->stream, data, len);
}

/* Feeds a stream in portions of `step` bytes. */
static int feed(struct reading *r, const char *text, size_t step) {
    struct sse sse;
    int e = 0;
    sse_init(&sse);
    for (size_t i = 0; e == 0 && i < strlen(text); i += step) {
        size_t n = strlen(text) - i;
        e = sse_feed(&sse, text + i, n < step ? n : step, on_event, r);
    }
    if (e == 0)
        e = sse_finish(&sse, on_event, r);
    sse_done(&sse);
    return e;
}

static const char openai_text[] =
    ": keep-alive\r\n\r\n"
    "data: "
    "{\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\r\n\r\n"
    "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hello \"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"w\u00f6rld\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":12}}\n\n"
    "data: [DONE]\n\n";

static void openai_text_in_any_portions(void **state) {
    (void)state;
    for (size_t step = 1; step < 40; step++) {
        struct reading r;
        start(&r, false);
        assert_int_equal(feed(&r, openai_text, step), 0);
        assert_string_equal(r.reply.text.data, "Hello w\u00f6rld");
        assert_string_equal(r.reply.thought.data, "hm");
        assert_true(r.reply.complete);
        assert_int_equal(r.reply.prompt_tokens, 3);
        assert_int_equal(r.reply.completion_tokens, 12);
        finish(&r);
    }
}

static void expect_calls(const char *stream, bool anthropic, const char *const *arguments) {
    struct reading r;
    size_t n = 0;
    start(&r, anthropic);
    assert_int_equal(feed(&r, stream, 7), 0);
    for (; arguments[n]; n++) {
        assert_true(n < r.reply.call_count);
        assert_string_equal(r.reply.calls[n].name, "run_python");
        assert_string_equal(r.reply.calls[n].arguments.data, arguments[n]);
        assert_true(r.reply.calls[n].id[0]);
    }
    assert_int_equal(r.reply.call_count, n);
    finish(&r);
}

static void openai_call_in_fragments(void **state) {
    (void)state;
    expect_calls(
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":"
        "{\"name\":\"run_python\",\"arguments\":\"{\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":"
        "{\"arguments\":\"\\\"code\\\":1}\"}}]}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
        false, (const char *const[]){"{\"code\":1}", NULL});
}

/* All calls have index 0, each whole, each with an id of its own. */
static void ollama_parallel_calls(void **state) {
    (void)state;
    expect_calls(
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":"
        "{\"name\":\"run_python\",\"arguments\":\"{1}\"}},{\"index\":0,\"id\":\"b\","
        "\"function\":{\"name\":\"run_python\",\"arguments\":\"{2}\"}}]}}]}\n\n"
        "data: [DONE]\n\n",
        false, (const char *const[]){"{1}", "{2}", NULL});
}

/* No index, no id, arguments as an object. */
static void old_ollama_calls(void **state) {
    (void)state;
    expect_calls("data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":"
                 "\"run_python\",\"arguments\":{\"code\":\"1\"}}},{\"function\":{\"name\":"
                 "\"run_python\",\"arguments\":{\"code\":\"2\"}}}]}}]}\n\ndata: [DONE]\n\n",
                 false, (const char *const[]){"{\"code\":\"1\"}", "{\"code\":\"2\"}", NULL});
}

static void expect_error(const char *stream, bool anthropic, enum model_fault fault,
                         bool retryable) {
    struct reading r;
    start(&r, anthropic);
    assert_true(feed(&r, stream, 5) < 0);
    assert_int_equal(r.error.fault, fault);
    assert_int_equal(r.error.retryable, retryable);
    finish(&r);
}

static void errors_in_the_stream(void **state) {
    (void)state;
    expect_error(
        "data: {\"error\":{\"code\":500,\"message\":\"peg\",\"type\":\"server_error\"}}\n\n", false,
        MODEL_OVERLOADED, true);
    expect_error("data: {\"error\":{\"code\":400,\"message\":\"x\",\"type\":"
                 "\"exceed_context_size_error\"}}\n\n",
                 false, MODEL_CONTEXT_OVERFLOW, false);
    expect_error("data: {oops\n\n", false, MODEL_BAD_REPLY, true);
    expect_error("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                 "\"message\":\"busy\"}}\n\n",
                 true, MODEL_OVERLOADED, true);
    expect_error(
        "event: error\ndata: {\"code\":500,\"message\":\"m\",\"type\":\"server_error\"}\n\n", true,
        MODEL_OVERLOADED, true);
}

static const char anthropic_text[] =
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":"
    "{\"input_tokens\":9}}}\n\n"
    "event: ping\ndata: {\"type\":\"ping\"}\n\n"
    "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
    "\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":"
    "\"hm\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"signature_delta\",\"signature\":"
    "\"sig\"}}\n\n"
    "data: {\"type\":\"content_block_stop\"}\n\n"
    "data: "
    "{\"type\":\"content_block_start\",\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
    "data: "
    "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"Hi\"}}\n\n"
    "data: {\"type\":\"content_block_stop\"}\n\n"
    "data: "
    "{\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\","
    "\"name\":\"run_python\",\"input\":{}}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\","
    "\"partial_json\":\"\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\","
    "\"partial_json\":\"{\\\"code\\\":\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\","
    "\"partial_json\":\"\\\"1\\\"}\"}}\n\n"
    "data: {\"type\":\"content_block_stop\"}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":"
    "{\"output_tokens\":4}}\n\n"
    "data: {\"type\":\"message_stop\"}\n\n";

static void anthropic_in_any_portions(void **state) {
    (void)state;
    for (size_t step = 1; step < 30; step++) {
        struct reading r;
        start(&r, true);
        assert_int_equal(feed(&r, anthropic_text, step), 0);
        assert_string_equal(r.reply.text.data, "Hi");
        assert_string_equal(r.reply.thought.data, "hm");
        assert_int_equal(r.reply.call_count, 1);
        assert_string_equal(r.reply.calls[0].arguments.data, "{\"code\":\"1\"}");
        assert_string_equal(r.reply.finish, "tool_use");
        assert_int_equal(r.reply.prompt_tokens, 9);
        assert_int_equal(r.reply.completion_tokens, 4);
        assert_int_equal(json_array_size(r.reply.blocks), 3);
        assert_string_equal(
            json_string_value(json_object_get(json_array_get(r.reply.blocks, 0), "signature")),
            "sig");
        finish(&r);
    }
}

static json_t *conversation(void) {
    json_t *o = json_loads(
        "[{\"role\":\"system\",\"content\":\"S\"},{\"role\":\"user\",\"content\":\"T\"},"
        "{\"role\":\"assistant\",\"content\":\"go\",\"calls\":[{\"id\":\"a\",\"name\":\"run_"
        "python\","
        "\"arguments\":\"{oops\"},{\"id\":\"b\",\"name\":\"run_python\",\"arguments\":\"{}\"}]},"
        "{\"role\":\"tool\",\"call\":\"a\",\"content\":\"[cell 1: ok, 12 ms, 71 MB]\\n42\","
        "\"images\":[\"aGk=\"]},"
        "{\"role\":\"tool\",\"call\":\"b\",\"content\":\"not run\",\"failed\":true}]",
        0, NULL);
    assert_non_null(o);
    return o;
}

static const char *path(const json_t *o, const char *text) {
    while (o && *text) {
        size_t n = strcspn(text, "/");
        char key[40];
        snprintf(key, sizeof key, "%.*s", (int)n, text);
        o = json_is_array(o) ? json_array_get(o, (size_t)strtoul(key, NULL, 10))
                             : json_object_get(o, key);
        text += n + (text[n] == '/');
    }
    return json_string_value(o) ? json_string_value(o) : "";
}

static void a_request_to_openai(void **state) {
    (void)state;
    json_t *messages = conversation(), *tools = json_loads("[{\"name\":\"run_python\"}]", 0, NULL);
    struct model_request r = {.messages = messages, .tools = tools, .model = "m", .max_tokens = 5};
    json_t *o = openai_request(&r, true);
    assert_string_equal(path(o, "messages/0/role"), "system");
    assert_string_equal(path(o, "messages/2/tool_calls/0/function/arguments"), "{}");
    assert_string_equal(path(o, "messages/3/tool_call_id"), "a");
    assert_string_equal(path(o, "messages/4/content/1/image_url/url"),
                        "data:image/png;base64,aGk=");
    assert_string_equal(path(o, "messages/5/tool_call_id"), "b");
    assert_string_equal(path(o, "tools/0/function/name"), "run_python");
    assert_int_equal(json_integer_value(json_object_get(o, "max_completion_tokens")), 5);
    json_decref(o);
    json_decref(messages);
    json_decref(tools);
}

static void a_request_to_anthropic(void **state) {
    (void)state;
    json_t *messages = conversation();
    struct model_request r = {.messages = messages, .model = "m"};
    json_t *o = anthropic_request(&r);
    assert_string_equal(path(o, "system"), "S");
    assert_int_equal(json_array_size(json_object_get(o, "messages")), 3);
    assert_string_equal(path(o, "messages/1/content/1/type"), "tool_use");
    assert_string_equal(path(o, "messages/2/content/0/tool_use_id"), "a");
    assert_string_equal(path(o, "messages/2/content/0/content/1/source/data"), "aGk=");
    assert_string_equal(path(o, "messages/2/content/1/tool_use_id"), "b");
    assert_null(json_object_get(o, "tools"));
    assert_true(json_integer_value(json_object_get(o, "max_tokens")) > 0);
    json_decref(o);
    json_decref(messages);
}

static void server_errors(void **state) {
    (void)state;
    static const struct {
        long status;
        const char *body;
        enum model_fault fault;
    } cases[] = {
        {401, "{}", MODEL_BAD_KEY},
        {404, "{\"error\":{\"message\":\"model not found\"}}", MODEL_UNKNOWN},
        {400, "{\"error\":{\"message\":\"x\",\"code\":\"context_length_exceeded\"}}",
         MODEL_CONTEXT_OVERFLOW},
        {400, "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long\"}}",
         MODEL_CONTEXT_OVERFLOW},
        {429, "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"m\"}}", MODEL_QUOTA},
        {429, "{}", MODEL_OVERLOADED},
        {529, "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}", MODEL_OVERLOADED},
        {422, "{\"error\":\"bad\"}", MODEL_BAD_REQUEST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct model_error e = {0};
        json_t *body = json_loads(cases[i].body, 0, NULL);
        assert_true(model_server_error(&e, cases[i].status, body) < 0);
        assert_int_equal(e.fault, cases[i].fault);
        assert_int_equal(e.retryable, cases[i].fault == MODEL_OVERLOADED);
        json_decref(body);
    }
}

static void expect_replay(const char *file, const json_t *messages, const char *text) {
    struct cassette *c;
    struct model_error error = {0};
    struct model_reply reply;
    struct model_request request = {.messages = messages};
    assert_int_equal(cassette_open(file, false, &c, &error), 0);
    model_reply_init(&reply);
    int r = cassette_replay(c, &request, NULL, &reply, &error);
    if (text) {
        assert_int_equal(r, 0);
        assert_string_equal(reply.text.data, text);
    } else {
        assert_true(r < 0);
        assert_int_equal(error.fault, MODEL_NO_CASSETTE_ENTRY);
    }
    model_reply_done(&reply);
    cassette_free(c);
}

static void a_cassette_is_replayed(void **state) {
    (void)state;
    char file[] = "/tmp/test_agent_cassette_XXXXXX";
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    close(fd);
    unlink(file);
    struct cassette *c;
    struct model_error error = {0};
    struct model_reply reply;
    json_t *messages = conversation();
    struct model_request request = {.messages = messages};
    assert_int_equal(cassette_open(file, false, &c, &error), 0);
    assert_false(cassette_replays(c));
    model_reply_init(&reply);
    buf_adds(&reply.text, "recorded");
    assert_int_equal(cassette_record(c, &request, &reply), 0);
    struct cassette *second; /* of the same run: the file is there by now */
    assert_int_equal(cassette_open(file, true, &second, &error), 0);
    assert_false(cassette_replays(second));
    cassette_free(second);
    model_reply_done(&reply);
    cassette_free(c);

    expect_replay(file, messages, "recorded");
    json_t *observation = json_array_get(messages, 3);
    json_object_set_new(observation, "content", json_string("[cell 1: ok, 99 ms, 3 MB]\n42"));
    expect_replay(file, messages, "recorded"); /* times and sizes do not matter */
    json_object_set_new(json_array_get(messages, 0), "content", json_string("another prompt"));
    expect_replay(file, messages, "recorded");
    json_object_set_new(json_array_get(messages, 1), "content", json_string("another task"));
    expect_replay(file, messages, NULL);
    json_decref(messages);
    unlink(file);
}

static void written_cassette(void **state) {
    (void)state;
    char file[] = "/tmp/test_agent_cassette_XXXXXX";
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    static const char text[] = "{\"match\":{\"turn\":1},\"reply\":{\"text\":\"first\"}}\n"
                               "{\"match\":{\"last\":\"42\"},\"reply\":{\"text\":\"seen\"}}\n";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    json_t *messages = conversation(), *task = json_array();
    json_array_append(task, json_array_get(messages, 1));
    json_array_remove(messages, 4);
    expect_replay(file, task, "first");
    expect_replay(file, messages, "seen");
    json_decref(messages);
    json_decref(task);
    unlink(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openai_text_in_any_portions),
        cmocka_unit_test(openai_call_in_fragments),
        cmocka_unit_test(ollama_parallel_calls),
        cmocka_unit_test(old_ollama_calls),
        cmocka_unit_test(errors_in_the_stream),
        cmocka_unit_test(anthropic_in_any_portions),
        cmocka_unit_test(a_request_to_openai),
        cmocka_unit_test(a_request_to_anthropic),
        cmocka_unit_test(server_errors),
        cmocka_unit_test(a_cassette_is_replayed),
        cmocka_unit_test(written_cassette),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
