/* MCP in both eras, with an engine made of strings: what is answered, cancelled, remembered,
 * forgotten. */
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/maxima.h"
#include "fake_engine.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_impl.h"
#include "serve/mcp/mcp_progress.h"
#include "serve/mcp/mcp_retort.h"
#include "serve/rpc/rpc.h"

#define MODERN                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define RUN(code) "\"name\":\"run_code\",\"arguments\":{\"code\":\"" code "\",\"details\":true}"

struct recorder {
    struct mcp_link link;
    pthread_mutex_t lock;
    struct buf heard; /* one message a line */
};

struct world {
    struct serve serve;
    struct mcp_retort *retort;
    struct mcp *mcp;
    struct mcp_session *session;
    struct recorder recorder;
};

static void record(struct mcp_link *link, const char *text, size_t len) {
    struct recorder *r = (struct recorder *)link;

    pthread_mutex_lock(&r->lock);
    buf_add(&r->heard, text, len);
    buf_add(&r->heard, "\n", 1);
    pthread_mutex_unlock(&r->lock);
}

static void world_open(struct world *w) {
    *w = (struct world){0};
    assert_int_equal(serve_init(&w->serve, &fake_engine), 0);
    w->retort = mcp_retort_new(&w->serve);
    w->mcp = mcp_new(mcp_retort_table(w->retort));
    w->recorder = (struct recorder){.link.send = record, .heard = BUF_INIT(1 << 20)};
    pthread_mutex_init(&w->recorder.lock, NULL);
    w->session = mcp_session_new(w->mcp, "local", &w->recorder.link);
}

static void world_close(struct world *w) {
    mcp_session_end(w->mcp, w->session);
    mcp_session_unref(w->mcp, w->session);
    mcp_free(w->mcp);
    mcp_retort_free(w->retort);
    serve_done(&w->serve);
    buf_done(&w->recorder.heard);
    assert_int_equal(fake_open_sessions, 0);
}

static struct peer local = {.owner = "local"};

/* The whole reply; NULL if there is none. */
static json_t *send(struct world *w, const char *text) {
    scoped_buf reply = BUF_INIT(1 << 20);
    struct mcp_call *call =
        mcp_call_new(w->mcp, &(struct mcp_origin){w->session, &local, &w->recorder.link, NULL},
                     text, strlen(text));
    json_t *value;

    mcp_call_run(call, &reply);
    mcp_call_free(call);
    if (!reply.len)
        return NULL;
    value = json_loads(reply.data, 0, NULL);
    assert_non_null(value);
    return value;
}

static json_t *ask(struct world *w, const char *method, const char *params) {
    scoped_buf text = BUF_INIT(1 << 16);

    buf_printf(&text, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":{%s}}", method,
               params);
    return send(w, text.data);
}

static const json_t *at(const json_t *value, const char *path) {
    char copy[200], *rest = copy, *name;

    snprintf(copy, sizeof copy, "%s", path);
    while (value && (name = strsep(&rest, "/")))
        value = json_is_array(value) ? json_array_get(value, strtoul(name, NULL, 10))
                                     : json_object_get(value, name);
    return value;
}

static const char *text_at(const json_t *value, const char *path) {
    const char *text = json_string_value(at(value, path));

    return text ? text : "";
}

static void initialize_settles_the_version(void **state) {
    (void)state;
    static const char *const versions[][2] = {{"2024-11-05", "2024-11-05"},
                                              {"2025-06-18", "2025-06-18"},
                                              {"2025-11-25", "2025-11-25"},
                                              {"1999-01-01", "2025-11-25"},
                                              {"2026-07-28", "2025-11-25"}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct world w;
        char params[200];

        world_open(&w);
        snprintf(params, sizeof params, "\"protocolVersion\":\"%s\",\"capabilities\":{}",
                 versions[i][0]);
        scoped_json *reply = ask(&w, "initialize", params);
        assert_string_equal(text_at(reply, "result/protocolVersion"), versions[i][1]);
        assert_true(strlen(text_at(reply, "result/instructions")) > 100);
        world_close(&w);
    }
}

static void a_legacy_session_keeps_its_own_state(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    scoped_json *one = ask(&w, "tools/call", RUN("print a"));
    scoped_json *two = ask(&w, "tools/call", RUN("print b"));
    assert_int_equal(json_integer_value(at(one, "result/structuredContent/cell")), 1);
    assert_int_equal(json_integer_value(at(two, "result/structuredContent/cell")), 2);
    assert_string_equal(text_at(two, "result/content/0/text"), "b\n[value]\nnone");
    assert_int_equal(fake_open_sessions, 1);
    scoped_json *reset = ask(&w, "tools/call", "\"name\":\"reset\",\"arguments\":{}");
    assert_null(strstr(text_at(reset, "result/content/0/text"),
                       text_at(one, "result/structuredContent/session")));
    assert_int_equal(fake_open_sessions, 1);
    world_close(&w);
}

static json_t *run_text(struct world *w, const char *code, const char *more) {
    char params[300];

    snprintf(params, sizeof params,
             "\"name\":\"run_code\",\"arguments\":{\"code\":\"%s\",\"details\":true%s}", code,
             more);
    return ask(w, "tools/call", params);
}

static void a_reset_ends_the_session_it_names(void **state) {
    (void)state;
    struct world w;
    char params[200];

    world_open(&w);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    json_decref(run_text(&w, "x", ""));
    scoped_json *made = ask(&w, "tools/call", "\"name\":\"branch\",\"arguments\":{}");
    scoped_json *sessions = json_loads(text_at(made, "result/content/0/text"), 0, NULL);
    const char *branch = text_at(sessions, "sessions/0");
    snprintf(params, sizeof params, "\"name\":\"reset\",\"arguments\":{\"session\":\"%s\"}",
             branch);
    scoped_json *fresh = ask(&w, "tools/call", params);
    assert_non_null(strstr(text_at(fresh, "result/content/0/text"), "New, empty session: s_"));
    scoped_json *own = run_text(&w, "x", ",\"session\":null");
    assert_int_equal(json_integer_value(at(own, "result/structuredContent/cell")), 2);
    assert_int_equal(fake_open_sessions, 2);
    snprintf(params, sizeof params, ",\"session\":\"%s\"", branch);
    scoped_json *gone = run_text(&w, "x", params);
    assert_true(json_is_true(at(gone, "result/isError")));
    world_close(&w);
}

static void tokens_have_their_number_of_sessions(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    local.max_sessions = 1;
    scoped_json *one = run_text(&w, "x", "");
    assert_true(json_is_false(at(one, "result/isError")));
    scoped_json *more = ask(&w, "tools/call", "\"name\":\"branch\",\"arguments\":{}");
    assert_true(json_is_true(at(more, "result/isError")));
    scoped_json *fresh = ask(&w, "tools/call", "\"name\":\"reset\",\"arguments\":{}");
    assert_true(json_is_false(at(fresh, "result/isError")));
    assert_int_equal(fake_open_sessions, 1);
    local.max_sessions = 0;
    world_close(&w);
}

static void what_would_help_is_told_where_a_session_cannot_be_made(void **state) {
    (void)state;
    static const char *const calls[] = {"\"name\":\"run_code\",\"arguments\":{\"code\":\"1\"}",
                                        "\"name\":\"files\",\"arguments\":{\"action\":\"list\"}",
                                        "\"name\":\"reset\",\"arguments\":{}"};
    static const char *const env[] = {"BROKEN=1", NULL};
    struct serve_defaults defaults = {.options.env = env};
    struct world w;

    world_open(&w);
    w.serve.defaults = &defaults;
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        scoped_json *reply = ask(&w, "tools/call", calls[i]);

        assert_true(json_is_true(at(reply, "result/isError")));
        assert_string_equal(text_at(reply, "result/content/0/text"), "no seccomp\n[hint] allow it");
    }
    world_close(&w);
}

static void sessions_that_nobody_ends_are_crowded_out(void **state) {
    (void)state;
    struct world w;
    char first[48] = "";

    world_open(&w);
    for (int i = 0; i < 2 * MAX_MCP_SESSIONS; i++) {
        struct mcp_session *s = mcp_session_make(w.mcp, "local");

        assert_non_null(s);
        if (i == 0)
            snprintf(first, sizeof first, "%s", mcp_session_id(s));
        mcp_session_unref(w.mcp, s);
        s = mcp_session_find(w.mcp, "local", first); /* which keeps it */
        assert_non_null(s);
        mcp_session_unref(w.mcp, s);
    }
    unsigned count = 0;
    for (const struct mcp_session *s = w.mcp->sessions; s; s = s->next)
        count++;
    assert_int_equal(count, MAX_MCP_SESSIONS);
    assert_ptr_equal(w.session->link, &w.recorder.link); /* the one of the connection is in use */
    assert_false(mcp_session_is_over(w.mcp, w.session));
    world_close(&w);
}

struct late {
    struct world *w;
    struct mcp_call *call;
    struct buf reply;
};

static void *run_late(void *arg) {
    struct late *late = arg;

    mcp_call_run(late->call, &late->reply);
    mcp_call_free(late->call);
    return NULL;
}

/* Two calls come in one order and their threads start in the other. */
static void calls_run_in_the_order_in_which_they_came(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"run_code\","
        "\"arguments\":{\"code\":\"print first\",\"details\":true}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"run_code\","
        "\"arguments\":{\"code\":\"print second\",\"details\":true}}}"};
    struct world w;
    struct late late[2];
    pthread_t thread;

    world_open(&w);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    struct mcp_origin from = {w.session, &local, &w.recorder.link, NULL};
    for (int i = 0; i < 2; i++)
        late[i] = (struct late){.w = &w,
                                .call = mcp_call_new(w.mcp, &from, texts[i], strlen(texts[i])),
                                .reply = BUF_INIT(1 << 20)};
    assert_int_equal(pthread_create(&thread, NULL, run_late, &late[1]), 0);
    usleep(20000);
    run_late(&late[0]);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++) {
        scoped_json *reply = json_loadb(late[i].reply.data, late[i].reply.len, 0, NULL);

        assert_int_equal(json_integer_value(at(reply, "result/structuredContent/cell")), i + 1);
        buf_done(&late[i].reply);
    }
    assert_int_equal(fake_open_sessions, 1);
    world_close(&w);
}

/* As over HTTP, where a modern call belongs to no session. */
static json_t *ask_as(struct world *w, const char *owner, const char *params) {
    scoped_buf text = BUF_INIT(1 << 16), reply = BUF_INIT(1 << 20);
    struct peer peer = {0};
    struct mcp_call *call;

    snprintf(peer.owner, sizeof peer.owner, "%s", owner);
    buf_printf(&text,
               "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{%s," MODERN
               "}}",
               params);
    call = mcp_call_new(w->mcp, &(struct mcp_origin){NULL, &peer, &w->recorder.link, NULL},
                        text.data, text.len);
    mcp_call_run(call, &reply);
    mcp_call_free(call);
    return json_loads(reply.data, 0, NULL);
}

static json_int_t cell_of(const json_t *reply) {
    return json_integer_value(at(reply, "result/structuredContent/cell"));
}

static void a_modern_client_on_stdio_has_one_session(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    for (int i = 1; i <= 300; i++) {
        scoped_json *reply = ask(&w, "tools/call", RUN("x") "," MODERN);

        assert_int_equal(cell_of(reply), i);
        assert_string_equal(text_at(reply, "result/resultType"), "complete");
    }
    assert_int_equal(fake_open_sessions, 1);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    scoped_json *legacy = run_text(&w, "x", "");
    assert_int_equal(cell_of(legacy), 301);
    world_close(&w);
}

static void a_modern_owner_over_http_has_one_session(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    for (int i = 1; i <= 20; i++) {
        scoped_json *one = ask_as(&w, "one", RUN("x")), *two = ask_as(&w, "two", RUN("x"));

        assert_int_equal(cell_of(one), i);
        assert_int_equal(cell_of(two), i);
    }
    assert_int_equal(fake_open_sessions, 2);
    for (int i = 0; i < 2 * MAX_MCP_SESSIONS; i++) /* legacy clients do not crowd it out */
        mcp_session_unref(w.mcp, mcp_session_make(w.mcp, "one"));
    scoped_json *again = ask_as(&w, "one", RUN("x"));
    assert_int_equal(cell_of(again), 21);
    world_close(&w);
}

static void a_handle_stays_a_choice(void **state) {
    (void)state;
    struct world w;
    char params[200];

    world_open(&w);
    scoped_json *one = ask_as(&w, "one", RUN("x"));
    const char *handle = text_at(one, "result/structuredContent/session");
    snprintf(params, sizeof params,
             "\"name\":\"run_code\",\"arguments\":{\"code\":\"x\",\"details\":true,"
             "\"session\":\"%s\"}",
             handle);
    scoped_json *again = ask_as(&w, "one", params), *other = ask_as(&w, "two", params);
    assert_int_equal(cell_of(again), 2);
    assert_true(json_is_true(at(other, "result/isError")));
    world_close(&w);
}

static const char *last_text(const json_t *reply) {
    const json_t *content = at(reply, "result/content");

    return text_at(json_array_get(content, json_array_size(content) - 1), "text");
}

static void close_all(struct world *w) {
    struct hosted **list;
    size_t n = registry_list(w->serve.registry, NULL, &list);

    for (size_t i = 0; i < n; i++) {
        registry_remove(w->serve.registry, list[i]);
        registry_unref(w->serve.registry, list[i]);
    }
    free(list);
}

static void a_new_session_says_so_once(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    scoped_json *first = ask(&w, "tools/call", RUN("x")), *second = ask(&w, "tools/call", RUN("x"));
    assert_non_null(strstr(last_text(first), "[new session s_"));
    assert_null(strstr(last_text(second), "session"));
    close_all(&w);
    scoped_json *lost =
        ask(&w, "tools/call", "\"name\":\"files\",\"arguments\":{\"action\":\"list\"}");
    assert_non_null(strstr(last_text(lost), "its variables and files are gone"));
    json_decref(ask(&w, "tools/call", "\"name\":\"branch\",\"arguments\":{}"));
    scoped_json *several = ask(&w, "tools/call", RUN("x"));
    assert_int_equal(strncmp(last_text(several), "[session s_", 11), 0);
    world_close(&w);
}

static void a_short_answer_is_short(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    json_decref(run_text(&w, "x", ""));
    scoped_json *reply =
        ask(&w, "tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":\"print 42\"}");
    scoped_free char *text = serve_json_text(at(reply, "result"));
    assert_string_equal(text, "{\"content\":[{\"type\":\"text\",\"text\":\"42\\n[value]\\nnone\"}],"
                              "\"isError\":false}");
    world_close(&w);
}

static void tools_promise_no_structured_content(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    scoped_json *reply = ask(&w, "tools/list", MODERN);
    const json_t *tools = at(reply, "result/tools");
    assert_int_equal(json_array_size(tools), 6);
    for (size_t i = 0; i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);

        assert_null(json_object_get(tool, "outputSchema"));
        assert_true(json_is_object(json_object_get(tool, "inputSchema")));
        assert_true(strlen(text_at(tool, "description")) > 30);
    }
    world_close(&w);
}

static const struct {
    const char *method, *params;
    int code;
} wrong[] = {
    {"no/such", "", RPC_NO_METHOD},
    {"prompts/list", "", RPC_NO_METHOD},
    {"subscriptions/listen", "\"notifications\":{}," MODERN, RPC_NO_METHOD},
    {"initialize", MODERN, RPC_NO_METHOD},
    {"ping", MODERN, RPC_NO_METHOD},
    {"server/discover", "", RPC_PARAMS},
    {"server/discover",
     "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2099-01-01\","
     "\"io.modelcontextprotocol/clientCapabilities\":{}}",
     MCP_UNSUPPORTED_VERSION},
    {"tools/call", "\"name\":\"no_such\"", RPC_PARAMS},
    {"tools/call", "\"name\":7", RPC_PARAMS},
    {"tools/call", "\"name\":\"run_code\"", RPC_PARAMS},
    {"tools/call", "\"name\":\"run_code\",\"arguments\":[]", RPC_PARAMS},
    {"tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":7}", RPC_PARAMS},
    {"tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":\"\",\"timeout\":-1}",
     RPC_PARAMS},
    {"tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":\"\",\"tiemout\":1}", RPC_PARAMS},
    {"tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":\"\",\"session\":1}", RPC_PARAMS},
    {"tools/call", "\"name\":\"undo\",\"arguments\":{\"cells\":\"2\"}", RPC_PARAMS},
    {"tools/call", "\"name\":\"branch\",\"arguments\":{\"count\":0}", RPC_PARAMS},
    {"tools/call", "\"name\":\"files\",\"arguments\":{\"action\":\"burn\"}", RPC_PARAMS},
    {"tools/call", "\"name\":\"files\",\"arguments\":{\"action\":\"read\"}", RPC_PARAMS},
    {"tools/call", "\"name\":\"files\",\"inputResponses\":7,\"arguments\":{}", RPC_PARAMS},
    {"resources/read", "", RPC_PARAMS},
    {"resources/read", "\"uri\":\"retort://s_none/a\"", RPC_PARAMS},
    {"resources/read", "\"uri\":\"file:///etc/passwd\"", RPC_PARAMS},
    {"logging/setLevel", "\"level\":\"loud\"", RPC_PARAMS},
};

static void wrong_requests_have_their_codes(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scoped_json *reply = ask(&w, wrong[i].method, wrong[i].params);

        if (json_integer_value(at(reply, "error/code")) != wrong[i].code)
            fail_msg("%s %s: %s", wrong[i].method, wrong[i].params, serve_json_text(reply));
        assert_int_equal(json_integer_value(at(reply, "id")), 7);
    }
    world_close(&w);
}

static void an_unknown_session_is_told_to_the_model(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    scoped_json *reply =
        ask(&w, "tools/call",
            "\"name\":\"run_code\",\"arguments\":{\"code\":\"\",\"session\":\"s_x\"}");
    assert_true(json_is_true(at(reply, "result/isError")));
    world_close(&w);
}

static void files_are_resources(void **state) {
    (void)state;
    struct world w;
    char params[200];

    world_open(&w);
    scoped_json *written = ask(&w, "tools/call",
                               "\"name\":\"files\",\"arguments\":{\"action\":\"write\","
                               "\"path\":\"a b.txt\",\"text\":\"hello\"}");
    assert_true(json_is_false(at(written, "result/isError")));
    scoped_json *list = ask(&w, "resources/list", "");
    const char *uri = text_at(list, "result/resources/0/uri");
    assert_non_null(strstr(uri, "/a%20b.txt"));
    snprintf(params, sizeof params, "\"uri\":\"%s\"", uri);
    scoped_json *read = ask(&w, "resources/read", params);
    assert_string_equal(text_at(read, "result/contents/0/text"), "hello");
    world_close(&w);
}

static void pictures_come_as_pictures(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    json_decref(ask(&w, "tools/call",
                    "\"name\":\"files\",\"arguments\":{\"action\":\"write\",\"path\":\"a.jpg\","
                    "\"base64\":\"/9j/4A==\"}"));
    scoped_json *read =
        ask(&w, "tools/call",
            "\"name\":\"files\",\"arguments\":{\"action\":\"read\",\"path\":\"a.jpg\"}");
    assert_string_equal(text_at(read, "result/content/0/mimeType"), "image/jpeg");
    assert_string_equal(text_at(read, "result/content/0/data"), "/9j/4A==");
    world_close(&w);
}

static void a_message_that_was_cut_is_still_told(void **state) {
    (void)state;
    scoped_json *result = mcp_text_result("caf\xc3", true);

    assert_string_equal(text_at(result, "content/0/text"), "caf\xef\xbf\xbd");
}

static void output_becomes_progress_and_log(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    json_decref(ask(&w, "tools/call",
                    "\"name\":\"run_code\",\"arguments\":{\"code\":\"print hi\"},"
                    "\"_meta\":{\"progressToken\":\"p\"}"));
    assert_non_null(strstr(w.recorder.heard.data, "\"message\":\"hi\""));
    assert_non_null(strstr(w.recorder.heard.data, "notifications/message"));
    buf_reset(&w.recorder.heard);
    json_decref(ask(&w, "logging/setLevel", "\"level\":\"error\""));
    json_decref(
        ask(&w, "tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":\"print hi\"}"));
    assert_int_equal(w.recorder.heard.len, 0);
    world_close(&w);
}

static void *run_endless(void *arg) {
    return ask(arg, "tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":\"wait\"}");
}

static void await_running(struct world *w) {
    bool waiting = false;

    while (!waiting) {
        struct hosted **list;
        size_t n = registry_list(w->serve.registry, NULL, &list);

        for (size_t i = 0; i < n; i++) {
            pthread_mutex_lock(&list[i]->session->lock);
            waiting = waiting || list[i]->session->waiting;
            pthread_mutex_unlock(&list[i]->session->lock);
            registry_unref(w->serve.registry, list[i]);
        }
        free(list);
        usleep(1000);
    }
}

static void a_cancelled_call_is_interrupted_and_not_answered(void **state) {
    (void)state;
    struct world w;
    pthread_t thread;
    void *reply;

    world_open(&w);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    assert_int_equal(pthread_create(&thread, NULL, run_endless, &w), 0);
    await_running(&w);
    assert_null(send(&w, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                         "cancelled\",\"params\":{\"requestId\":99}}"));
    assert_null(send(&w, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                         "cancelled\",\"params\":{\"requestId\":7}}"));
    pthread_join(thread, &reply);
    assert_null(reply);
    scoped_json *after = ask(&w, "tools/call", RUN("x"));
    assert_int_equal(json_integer_value(at(after, "result/structuredContent/cell")), 2);
    world_close(&w);
}

static void cancel_now(void *arg) {
    assert_null(send(arg, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                          "cancelled\",\"params\":{\"requestId\":7}}"));
}

static void a_call_cancelled_before_its_start_does_not_run(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    fake_moment_arg = &w;
    fake_before_start = cancel_now;
    assert_null(ask(&w, "tools/call", "\"name\":\"run_code\",\"arguments\":{\"code\":\"wait\"}"));
    fake_before_start = NULL;
    scoped_json *after = ask(&w, "tools/call", RUN("print x"));
    assert_string_equal(text_at(after, "result/structuredContent/stdout"), "x");
    world_close(&w);
}

struct waiting {
    struct world *w;
    json_t *reply;
};

static void *run_behind(void *arg) {
    struct waiting *waiting = arg;

    waiting->reply = send(waiting->w, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\","
                                      "\"params\":{\"name\":\"run_code\",\"arguments\":"
                                      "{\"code\":\"wait\"}}}");
    return NULL;
}

/* Both calls have their tickets. */
static void await_queue(struct world *w) {
    for (bool queued = false; !queued; usleep(1000)) {
        struct hosted **list;
        size_t n = registry_list(w->serve.registry, NULL, &list);

        for (size_t i = 0; i < n; i++) {
            queued = queued || list[i]->next_ticket == list[i]->serving + 2;
            registry_unref(w->serve.registry, list[i]);
        }
        free(list);
    }
}

static void a_call_cancelled_in_the_queue_does_not_run(void **state) {
    (void)state;
    struct world w;
    struct waiting waiting = {.w = &w};
    pthread_t first, second;
    void *reply;

    world_open(&w);
    json_decref(ask(&w, "initialize", "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}"));
    assert_int_equal(pthread_create(&first, NULL, run_endless, &w), 0);
    await_running(&w);
    assert_int_equal(pthread_create(&second, NULL, run_behind, &waiting), 0);
    await_queue(&w);
    assert_null(send(&w, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                         "cancelled\",\"params\":{\"requestId\":8}}"));
    await_running(&w); /* the first one was not meant */
    cancel_now(&w);
    pthread_join(first, &reply);
    pthread_join(second, NULL); /* it would wait for an interrupt for ever */
    assert_null(reply);
    assert_null(waiting.reply);
    world_close(&w);
}

static void ending_a_session_interrupts_it(void **state) {
    (void)state;
    struct world w;
    pthread_t thread;
    void *reply;

    world_open(&w);
    assert_int_equal(pthread_create(&thread, NULL, run_endless, &w), 0);
    await_running(&w);
    mcp_stop(w.mcp);
    pthread_join(thread, &reply);
    json_decref(reply);
    world_close(&w);
}

static void results_for_models_hold_no_base64(void **state) {
    (void)state;
    scoped_json *result = json_loads(
        "{\"session\":\"s_1\",\"cell\":3,\"status\":\"error\",\"stdout\":\"out\",\"stderr\":\"\","
        "\"value\":{\"text/plain\":\"5\",\"text/html\":\"<b>\"},\"displays\":[{\"mime\":"
        "{\"image/png\":\"QUJD\",\"text/"
        "plain\":\"Figure\"}}],\"error\":{\"name\":\"E\",\"message\":\"m\","
        "\"traceback\":\"T\",\"hint\":\"try\"},\"files\":[{\"path\":\"a "
        "b\",\"size\":3,\"mime\":\"text/plain\","
        "\"change\":\"created\"},{\"path\":\"c\",\"change\":\"deleted\"}],\"state\":\"rolled_"
        "back\","
        "\"truncated\":{\"stdout\":{\"kept\":3,\"total\":9}}}",
        0, NULL);
    scoped_json *structured = mcp_result_structured(result), *content = mcp_result_content(result),
                *links = mcp_result_links("s_1", json_object_get(result, "files"));
    scoped_free char *text = serve_json_text(structured);

    assert_null(strstr(text, "QUJD"));
    assert_string_equal(text_at(structured, "value"), "5");
    assert_string_equal(text_at(structured, "displays/0/types/0"), "image/png");
    assert_int_equal(json_array_size(content), 2);
    assert_string_equal(
        text_at(content, "0/text"),
        "out\n[value]\n5\n[error] E: m\n[traceback]\nT\n[hint] try\n[file created] a b (3 bytes)\n"
        "[file deleted] c\n[state] the session is as it was before this call");
    assert_string_equal(text_at(content, "1/data"), "QUJD");
    assert_int_equal(json_array_size(links), 1);
    assert_string_equal(text_at(links, "0/uri"), "retort://s_1/a%20b");
}

static void models_see_what_was_displayed(void **state) {
    (void)state;
    scoped_json *result = json_loads(
        "{\"session\":\"s_1\",\"cell\":1,\"status\":\"error\",\"stdout\":\"a\\u0000b\","
        "\"displays\":["
        "{\"mime\":{\"text/plain\":\"table\",\"text/html\":\"<table>\"}},"
        "{\"mime\":{\"text/plain\":\"obj\",\"text/markdown\":\"*m*\"}}],"
        "\"value\":{\"text/plain\":\"Image\",\"image/jpeg\":\"SlBH\"},\"error\":{\"name\":\"E\","
        "\"message\":\"m\",\"values\":{\"x\":\"1\"}},\"flags\":[\"disk_full\",\"truncated\"],"
        "\"state_notes\":[\"a note\"]}",
        JSON_ALLOW_NUL, NULL);
    scoped_json *content = mcp_result_content(result);
    const json_t *text = at(content, "0/text");
    static const char expected[] = "a\0b\ntable\n*m*\n[error] E: m\n[values]\nx = 1\n"
                                   "[state] a note\n[flag] disk_full";

    assert_int_equal(json_string_length(text), sizeof expected - 1);
    assert_memory_equal(json_string_value(text), expected, sizeof expected);
    assert_string_equal(text_at(content, "1/data"), "SlBH");
}

static json_t *result_with(const char *stream, const char *filler, size_t times) {
    scoped_buf text = BUF_INIT(1 << 20);

    for (size_t i = 0; i < times; i++)
        buf_adds(&text, filler);
    return json_pack("{s:i, s:s, s:s}", "cell", 3, "status", "ok", stream, text.data);
}

static void a_long_output_is_cut_and_says_how_to_see_it(void **state) {
    (void)state;
    scoped_json *short_one = result_with("stdout", "é", 8000);
    scoped_json *long_one = result_with("stderr", "é", 30000);
    scoped_json *whole = mcp_result_content(short_one), *cut = mcp_result_content(long_one);
    const char *text = text_at(cut, "0/text");

    assert_int_equal(strlen(text_at(whole, "0/text")), 16000);
    assert_true(strlen(text) < 17000);
    assert_non_null(strstr(text, "43616 of 60000 bytes left out: files {\"action\":\"output\","
                                 "\"cell\":3,\"stream\":\"stderr\",\"offset\":12288}"));
}

static void errors_tell_name_line_and_hint(void **state) {
    (void)state;
    scoped_json *result = json_loads(
        "{\"status\":\"error\",\"error\":{\"name\":\"KeyError\",\"message\":\"'b'\",\"line\":3,"
        "\"source\":\"> 3 | d['b']\",\"traceback\":\"T\\n  File \\\"<cell 1>\\\", line "
        "3\\nKeyError\","
        "\"hint\":\"the keys are 'a'\"}}",
        0, NULL);
    scoped_json *content = mcp_result_content(result);

    assert_string_equal(text_at(content, "0/text"),
                        "[error] KeyError: 'b' (line 3)\n> 3 | d['b']\n[hint] the keys are 'a'");
}

static void a_text_that_is_bare_json_has_a_word_before_it(void **state) {
    (void)state;
    static const char *const bare[] = {"42",     " -1.5e3\n", "[1, 2]", "[]",
                                       "[null]", "\"a\"",     "true",   "null"};
    static const char *const other[] = {"",    "4 2", "{\"a\": 1}", "[error] E", "[no output]",
                                        "nul", "'a'"};

    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        scoped_json *content = json_pack("[{s:s, s:s}]", "type", "text", "text", bare[i]);

        mcp_result_head(content);
        assert_string_equal(text_at(content, "0/text"), "[result]");
        assert_string_equal(text_at(content, "1/text"), bare[i]);
    }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        scoped_json *content = json_pack("[{s:s, s:s}]", "type", "text", "text", other[i]);

        mcp_result_head(content);
        assert_int_equal(json_array_size(content), 1);
    }
}

static void a_silent_picture_is_only_a_picture(void **state) {
    (void)state;
    scoped_json *result = json_loads(
        "{\"status\":\"ok\",\"displays\":[{\"mime\":{\"image/png\":\"QUJD\"}}]}", 0, NULL);
    scoped_json *content = mcp_result_content(result);

    assert_int_equal(json_array_size(content), 1);
    assert_string_equal(text_at(content, "0/type"), "image");
}

static void a_progress_bar_is_shown_as_on_a_terminal(void **state) {
    (void)state;
    scoped_json *result =
        json_pack("{s:s, s:s}", "stdout", "\r 10%\r 20%\r100%\nno\rnone\r\nend\r", "status", "ok");
    scoped_json *content = mcp_result_content(result);

    assert_string_equal(text_at(content, "0/text"), "100%\nnone\nend");
}

static const struct {
    const char *output, *line;
    double percent;
} bars[] = {
    {"\r 45%|####      | 45/100 [00:01<00:01]", " 45%|####      | 45/100 [00:01<00:01]", 45},
    {"a\r10%\r20%\r30%\r", "30%", 30},
    {"step 1\ndone 12.5 % \n", "done 12.5 %", 12.5},
    {"epoch 3: 99.5% (eta 3 s)\n\n", "epoch 3: 99.5% (eta 3 s)", 99.5},
    {"\x1b[2K 7%\x07", "[2K 7%", 7},
    {"%", "%", -1},
    {"100%", "100%", 100},
    {"250% more", "250% more", -1},
    {"1111111111111111111111111111111%", "1111111111111111111111111111111%", -1},
    {"...%", "...%", 0},
    {"\xff\xfe 3%", " 3%", 3},
    {"\n\r \n", "", -1},
    {"", "", -1},
};

static void percentages_are_found_in_hostile_output(void **state) {
    (void)state;
    char line[PROGRESS_LINE + 1], wide[1000];

    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        progress_line(bars[i].output, strlen(bars[i].output), line);
        assert_string_equal(line, bars[i].line);
        assert_true(progress_percent(line) == bars[i].percent);
    }
    for (size_t i = 0; i + 1 < sizeof wide; i++)
        wide[i] = i % 2 ? (char)0xa9 : (char)0xc3; /* é, cut nowhere inside */
    wide[sizeof wide - 1] = 0;
    assert_int_equal(progress_line(wide, 998, line), PROGRESS_LINE);
    assert_int_equal(progress_line("x\0y 5%", 6, line), 5);
}

static void a_percentage_becomes_progress_and_total(void **state) {
    (void)state;
    struct world w;

    world_open(&w);
    json_decref(ask(&w, "tools/call",
                    "\"name\":\"run_code\",\"arguments\":{\"code\":\"print 10%\\nprint 60%\\nprint "
                    "5%\"},\"_meta\":{\"progressToken\":\"p\"}"));
    static const char *const heard[] = {"\"progress\":10.0,\"total\":100.0,\"message\":\"10%\"",
                                        "\"progress\":60.0,\"total\":100.0,\"message\":\"60%\"",
                                        ",\"message\":\"5%\""};
    const char *from = w.recorder.heard.data;
    for (size_t i = 0; i < 3; i++) {
        from = strstr(from, heard[i]);
        assert_non_null(from);
    }
    assert_null(strstr(from, "total")); /* another bar: no total that it would lie about */
    world_close(&w);
}

static void a_silent_cell_is_told_about(void **state) {
    (void)state;
    static const char text[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{"
        "\"_meta\":{\"progressToken\":7}}}";
    struct progress p;
    struct world w;

    world_open(&w);
    struct mcp_call *call =
        mcp_call_new(w.mcp, &(struct mcp_origin){w.session, &local, &w.recorder.link, NULL}, text,
                     sizeof text - 1);
    progress_begin(&p, call, "running");
    buf_reset(&w.recorder.heard);
    progress_tick(&p, "running"); /* something was said just now */
    assert_int_equal(w.recorder.heard.len, 0);
    p.began_ns -= 12000000000ull;
    p.said_ns -= 4000000000ull;
    progress_tick(&p, "running");
    assert_non_null(strstr(w.recorder.heard.data, "\"progressToken\":7"));
    assert_non_null(strstr(w.recorder.heard.data, "\"message\":\"running, 12 s\""));
    mcp_call_free(call);
    world_close(&w);
}

static void the_list_of_resources_waits_for_nobody(void **state) {
    (void)state;
    struct world w;
    pthread_t thread;
    void *reply;

    world_open(&w);
    json_decref(ask(&w, "tools/call",
                    "\"name\":\"files\",\"arguments\":{\"action\":\"write\",\"path\":\"a\","
                    "\"text\":\"1\"}"));
    assert_int_equal(pthread_create(&thread, NULL, run_endless, &w), 0);
    await_running(&w);
    scoped_json *busy = ask(&w, "resources/list", "");
    assert_int_equal(json_array_size(at(busy, "result/resources")), 0);
    cancel_now(&w);
    pthread_join(thread, &reply);
    scoped_json *idle = ask(&w, "resources/list", "");
    assert_int_equal(json_array_size(at(idle, "result/resources")), 1);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialize_settles_the_version),
        cmocka_unit_test(a_legacy_session_keeps_its_own_state),
        cmocka_unit_test(a_reset_ends_the_session_it_names),
        cmocka_unit_test(tokens_have_their_number_of_sessions),
        cmocka_unit_test(what_would_help_is_told_where_a_session_cannot_be_made),
        cmocka_unit_test(sessions_that_nobody_ends_are_crowded_out),
        cmocka_unit_test(calls_run_in_the_order_in_which_they_came),
        cmocka_unit_test(pictures_come_as_pictures),
        cmocka_unit_test(a_message_that_was_cut_is_still_told),
        cmocka_unit_test(models_see_what_was_displayed),
        cmocka_unit_test(a_modern_client_on_stdio_has_one_session),
        cmocka_unit_test(a_modern_owner_over_http_has_one_session),
        cmocka_unit_test(a_handle_stays_a_choice),
        cmocka_unit_test(a_new_session_says_so_once),
        cmocka_unit_test(a_short_answer_is_short),
        cmocka_unit_test(tools_promise_no_structured_content),
        cmocka_unit_test(a_long_output_is_cut_and_says_how_to_see_it),
        cmocka_unit_test(errors_tell_name_line_and_hint),
        cmocka_unit_test(a_text_that_is_bare_json_has_a_word_before_it),
        cmocka_unit_test(a_silent_picture_is_only_a_picture),
        cmocka_unit_test(percentages_are_found_in_hostile_output),
        cmocka_unit_test(a_percentage_becomes_progress_and_total),
        cmocka_unit_test(the_list_of_resources_waits_for_nobody),
        cmocka_unit_test(a_silent_cell_is_told_about),
        cmocka_unit_test(a_progress_bar_is_shown_as_on_a_terminal),
        cmocka_unit_test(wrong_requests_have_their_codes),
        cmocka_unit_test(an_unknown_session_is_told_to_the_model),
        cmocka_unit_test(files_are_resources),
        cmocka_unit_test(output_becomes_progress_and_log),
        cmocka_unit_test(a_cancelled_call_is_interrupted_and_not_answered),
        cmocka_unit_test(a_call_cancelled_before_its_start_does_not_run),
        cmocka_unit_test(a_call_cancelled_in_the_queue_does_not_run),
        cmocka_unit_test(ending_a_session_interrupts_it),
        cmocka_unit_test(results_for_models_hold_no_base64),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
