/* Calls from text to reply, and whole conversations over a socket, with an engine made of strings.
 */
#include "unit.h"

#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "fake_engine.h"
#include "serve/hosted/tools.h"
#include "serve/rpc/call.h"
#include "serve/rpc/handlers.h"
#include "serve/rpc/lines.h"

/* --- single calls --- */

struct world {
    struct serve serve;
    struct peer alice, bob;
};

static void world_open(struct world *w) {
    assert_int_equal(serve_init(&w->serve, &fake_engine), 0);
    w->alice = (struct peer){.owner = "alice", .max_sessions = 2};
    w->bob = (struct peer){.owner = "bob"};
}

static void world_close(struct world *w) {
    serve_done(&w->serve);
    assert_int_equal(fake_open_sessions, 0);
}

/* The reply's result, or its error with the member "code". */
static json_t *ask(struct world *w, struct peer *peer, const char *method, const char *params) {
    scoped_buf text = BUF_INIT(1 << 20), reply = BUF_INIT(1 << 20);
    struct call *call;
    json_t *root, *answer;

    buf_printf(&text, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"%s\",\"params\":%s}", method,
               params);
    call = call_begin(&w->serve, peer, text.data, text.len);
    assert_non_null(call);
    call_run(call, &reply);
    call_free(call);
    root = json_loads(reply.data, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "id")), 5);
    answer = json_object_get(root, "result") ? json_object_get(root, "result")
                                             : json_object_get(root, "error");
    json_incref(answer);
    json_decref(root);
    return answer;
}

static void expect_code(struct world *w, struct peer *peer, const char *method, const char *params,
                        int code) {
    scoped_json *error = ask(w, peer, method, params);

    if (json_integer_value(json_object_get(error, "code")) != code)
        fail_msg("%s %s: %s", method, params, serve_json_text(error));
}

static void new_session(struct world *w, struct peer *peer, char id[64]) {
    scoped_json *made = ask(w, peer, "session.create", "{}");

    assert_true(json_is_string(json_object_get(made, "session")));
    snprintf(id, 64, "%s", json_string_value(json_object_get(made, "session")));
}

static void a_session_lives_from_create_to_close(void **state) {
    (void)state;
    struct world w;
    char id[64], params[200];

    world_open(&w);
    new_session(&w, &w.alice, id);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"code\":\"print hi\"}", id);
    for (int cell = 1; cell <= 3; cell++) {
        scoped_json *result = ask(&w, &w.alice, "session.execute", params);

        assert_int_equal(json_integer_value(json_object_get(result, "cell")), cell);
        assert_string_equal(json_string_value(json_object_get(result, "stdout")), "hi");
    }
    snprintf(params, sizeof params, "{\"session\":\"%s\"}", id);
    scoped_json *info = ask(&w, &w.alice, "session.info", params);
    assert_int_equal(json_integer_value(json_object_get(info, "cells")), 3);
    assert_true(json_is_false(json_object_get(info, "running")));
    scoped_json *closed = ask(&w, &w.alice, "session.close", params);
    assert_true(json_is_true(json_object_get(closed, "closed")));
    assert_int_equal(fake_open_sessions, 0);
    expect_code(&w, &w.alice, "session.close", params, RPC_NOT_FOUND);
    world_close(&w);
}

static void another_owners_session_is_unknown(void **state) {
    (void)state;
    static const char *const with_session[] = {
        "session.execute", "session.interrupt", "session.info",  "session.close",
        "files.list",      "files.read",        "files.write",   "files.delete",
        "output.read",     "tools.register",    "session.undo",  "session.resume",
        "session.branch",  "session.keep",      "ledger.verify", "ledger.replay"};
    struct world w;
    char id[64], params[300];

    world_open(&w);
    new_session(&w, &w.alice, id);
    for (size_t i = 0; i < sizeof with_session / sizeof *with_session; i++) {
        const struct method *m = methods_find(with_session[i]);
        scoped_json *given = json_loads(m->example, 0, NULL);
        scoped_json *theirs = NULL, *unknown = NULL;
        scoped_free char *text = NULL, *other = NULL;

        json_object_set_new(given, "session", json_string(id));
        text = serve_json_text(given);
        theirs = ask(&w, &w.bob, m->name, text);
        json_object_set_new(given, "session", json_string("s_none"));
        other = serve_json_text(given);
        unknown = ask(&w, &w.bob, m->name, other);
        assert_int_equal(json_integer_value(json_object_get(theirs, "code")), RPC_NOT_FOUND);
        assert_true(json_equal(theirs, unknown));
    }
    scoped_json *list = ask(&w, &w.bob, "session.list", "{}");
    assert_int_equal(json_array_size(json_object_get(list, "sessions")), 0);
    snprintf(params, sizeof params, "{\"session\":\"%s\"}", id);
    scoped_json *mine = ask(&w, &w.alice, "session.info", params);
    assert_true(json_is_string(json_object_get(mine, "session")));
    world_close(&w);
}

static void errors_have_their_codes(void **state) {
    (void)state;
    struct world w;
    char id[64], params[300];

    world_open(&w);
    expect_code(&w, &w.alice, "session.explode", "{}", RPC_NO_METHOD);
    expect_code(&w, &w.alice, "session.create", "{\"colour\":1}", RPC_PARAMS);
    expect_code(&w, &w.alice, "session.create", "{\"env\":{\"BROKEN\":\"1\"}}", RPC_HOST);
    expect_code(&w, &w.alice, "session.create", "{\"environment\":\"unknown\"}", RPC_PARAMS);
    expect_code(&w, &w.alice, "session.create", "{\"env\":{\"A\":1}}", RPC_PARAMS);
    expect_code(&w, &w.alice, "session.create", "{\"env\":{\"A=\":\"1\"}}", RPC_PARAMS);
    expect_code(&w, &w.alice, "session.create", "{\"files\":[{\"path\":\"a\"}]}", RPC_PARAMS);
    expect_code(&w, &w.alice, "session.create", "{\"files\":[{\"path\":\"a\",\"base64\":\"?\"}]}",
                RPC_PARAMS);
    expect_code(&w, &w.alice, "tools.result", "{\"call\":\"t_1\",\"result\":1}", RPC_NOT_FOUND);
    expect_code(&w, &w.alice, "tools.result", "{\"call\":\"t_1\"}", RPC_PARAMS);
    assert_int_equal(fake_open_sessions, 0);
    new_session(&w, &w.alice, id);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"code\":\"fail\"}", id);
    expect_code(&w, &w.alice, "session.execute", params, RPC_BUG);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"path\":\"none\"}", id);
    expect_code(&w, &w.alice, "files.read", params, RPC_NOT_FOUND);
    snprintf(params, sizeof params,
             "{\"session\":\"%s\",\"path\":\"f\",\"base64\":\"YWJj\",\"offset\":255}", id);
    expect_code(&w, &w.alice, "files.write", params, RPC_LIMIT);
    new_session(&w, &w.alice, id);
    expect_code(&w, &w.alice, "session.create", "{}", RPC_BUSY);
    atomic_store(&w.serve.stopping, true);
    expect_code(&w, &w.alice, "session.list", "{}", RPC_BUSY);
    world_close(&w);
}

static void notifications_are_never_answered(void **state) {
    (void)state;
    const char *texts[] = {
        "{\"jsonrpc\":\"2.0\",\"method\":\"session.list\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"no.such\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"session.list\",\"params\":{\"x\":1}}"};
    struct world w;

    world_open(&w);
    for (int i = 0; i < 3; i++) {
        scoped_buf reply = BUF_INIT(1000);
        struct call *call = call_begin(&w.serve, &w.alice, texts[i], strlen(texts[i]));

        call_run(call, &reply);
        assert_int_equal(reply.len, 0);
        call_free(call);
    }
    world_close(&w);
}

static void files_come_and_go(void **state) {
    (void)state;
    struct world w;
    char id[64], params[300];

    world_open(&w);
    scoped_json *made = ask(&w, &w.alice, "session.create",
                            "{\"files\":[{\"path\":\"a.txt\",\"text\":\"hello\"}]}");
    snprintf(id, sizeof id, "%s", json_string_value(json_object_get(made, "session")));
    snprintf(params, sizeof params,
             "{\"session\":\"%s\",\"path\":\"a.txt\",\"offset\":1,\"length\":3}", id);
    scoped_json *read = ask(&w, &w.alice, "files.read", params);
    assert_string_equal(json_string_value(json_object_get(read, "base64")), "ZWxs");
    assert_int_equal(json_integer_value(json_object_get(read, "size")), 5);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"path\":\"a.txt\"}", id);
    json_decref(ask(&w, &w.alice, "files.delete", params));
    expect_code(&w, &w.alice, "files.read", params, RPC_NOT_FOUND);
    world_close(&w);
}

static void branches_belong_to_the_same_owner(void **state) {
    (void)state;
    struct world w;
    char id[64], params[200];

    world_open(&w);
    new_session(&w, &w.bob, id);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"count\":3}", id);
    scoped_json *made = ask(&w, &w.bob, "session.branch", params);
    assert_int_equal(json_array_size(json_object_get(made, "sessions")), 3);
    scoped_json *list = ask(&w, &w.bob, "session.list", "{}");
    assert_int_equal(json_array_size(json_object_get(list, "sessions")), 4);
    expect_code(&w, &w.bob, "session.branch", "{\"session\":\"s_1\",\"count\":0}", RPC_NOT_FOUND);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"count\":65}", id);
    expect_code(&w, &w.bob, "session.branch", params, RPC_PARAMS);
    world_close(&w);
}

static void keeping_one_branch_ends_its_siblings_alone(void **state) {
    (void)state;
    struct world w;
    char id[64], params[200];

    world_open(&w);
    new_session(&w, &w.bob, id);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"count\":2}", id);
    json_decref(ask(&w, &w.bob, "session.branch", params)); /* another branching */
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"count\":3}", id);
    scoped_json *made = ask(&w, &w.bob, "session.branch", params);
    const char *first = json_string_value(json_array_get(json_object_get(made, "sessions"), 0));
    snprintf(params, sizeof params, "{\"session\":\"%s\"}", first);
    scoped_json *done = ask(&w, &w.bob, "session.keep", params);
    assert_string_equal(json_string_value(json_object_get(done, "kept")), first);
    assert_int_equal(json_array_size(json_object_get(done, "closed")), 2);
    assert_int_equal(fake_open_sessions, 4);
    snprintf(params, sizeof params, "{\"session\":\"%s\"}", id);
    scoped_json *none = ask(&w, &w.bob, "session.keep", params);
    assert_int_equal(json_array_size(json_object_get(none, "closed")), 0);
    world_close(&w);
}

static void only_ones_own_sessions_are_compared(void **state) {
    (void)state;
    struct world w;
    char mine[64], theirs[64], params[300];

    world_open(&w);
    new_session(&w, &w.alice, mine);
    new_session(&w, &w.bob, theirs);
    snprintf(params, sizeof params, "{\"sessions\":[\"%s\",\"%s\"]}", mine, mine);
    scoped_json *seen = ask(&w, &w.alice, "session.compare", params);
    assert_int_equal(json_integer_value(json_object_get(seen, "count")), 2);
    snprintf(params, sizeof params, "{\"sessions\":[\"%s\",\"%s\"]}", mine, theirs);
    expect_code(&w, &w.alice, "session.compare", params, RPC_NOT_FOUND);
    snprintf(params, sizeof params, "{\"sessions\":[\"%s\",7]}", mine);
    expect_code(&w, &w.alice, "session.compare", params, RPC_PARAMS);
    snprintf(params, sizeof params, "{\"sessions\":[\"%s\"]}", mine);
    expect_code(&w, &w.alice, "session.compare", params, RPC_PARAMS);
    world_close(&w);
}

static void branches_beyond_the_limit_are_closed(void **state) {
    (void)state;
    struct world w;
    char id[64], params[200];

    world_open(&w);
    new_session(&w, &w.alice, id);
    snprintf(params, sizeof params, "{\"session\":\"%s\",\"count\":3}", id);
    expect_code(&w, &w.alice, "session.branch", params, RPC_BUSY);
    assert_int_equal(fake_open_sessions, 2);
    world_close(&w);
}

static void the_ledger_shows_what_is_the_callers_own(void **state) {
    (void)state;
    struct world w;
    char id[64], params[200];

    world_open(&w);
    fake_forget();
    new_session(&w, &w.alice, id); /* s_1 */
    snprintf(params, sizeof params, "{\"session\":\"%s\"}", id);
    json_decref(ask(&w, &w.alice, "session.close", params));
    scoped_json *own = ask(&w, &w.alice, "ledger.list", "{}");
    assert_int_equal(json_array_size(json_object_get(own, "sessions")), 1);
    scoped_json *none = ask(&w, &w.bob, "ledger.list", "{}");
    assert_int_equal(json_array_size(json_object_get(none, "sessions")), 0);
    scoped_json *entries = ask(&w, &w.alice, "ledger.list", params);
    assert_int_equal(json_array_size(json_object_get(entries, "entries")), 1);
    expect_code(&w, &w.bob, "ledger.list", params, RPC_NOT_FOUND);
    w.bob.sees_all = true;
    scoped_json *all = ask(&w, &w.bob, "ledger.list", "{}");
    assert_int_equal(json_array_size(json_object_get(all, "sessions")), 3);
    world_close(&w);
}

static void a_recorded_session_comes_back_to_its_owner_alone(void **state) {
    (void)state;
    struct world w;
    char id[64], params[200];

    world_open(&w);
    fake_forget();
    new_session(&w, &w.alice, id);
    world_close(&w);
    world_open(&w); /* another server */
    snprintf(params, sizeof params, "{\"session\":\"%s\"}", id);
    expect_code(&w, &w.alice, "session.info", params, RPC_NOT_FOUND);
    expect_code(&w, &w.bob, "session.resume", params, RPC_NOT_FOUND);
    for (int i = 0; i < 2; i++) { /* the second time it is there already */
        scoped_json *back = ask(&w, &w.alice, "session.resume", params);

        assert_string_equal(json_string_value(json_object_get(back, "session")), id);
        assert_int_equal(fake_open_sessions, 1);
    }
    json_decref(ask(&w, &w.alice, "session.info", params));
    expect_code(&w, &w.bob, "session.info", params, RPC_NOT_FOUND);
    world_close(&w);
}

/* --- interrupts --- */

struct moment {
    struct world *w;
    char params[100];
    bool running; /* what the interrupt was answered */
};

static void interrupt_now(void *arg) {
    struct moment *m = arg;
    scoped_json *answer = ask(m->w, &m->w->alice, "session.interrupt", m->params);

    m->running = json_is_true(json_object_get(answer, "interrupted"));
}

static void expect_interrupted(struct world *w, const char *execute, bool interrupted) {
    scoped_json *result = ask(w, &w->alice, "session.execute", execute);

    assert_string_equal(json_string_value(json_object_get(result, "status")),
                        interrupted ? "interrupted" : "ok");
    assert_string_equal(json_string_value(json_object_get(result, "stdout")),
                        interrupted ? "" : "hi");
}

static void an_interrupt_before_the_start_counts_for_that_cell_alone(void **state) {
    (void)state;
    struct world w;
    struct moment m = {.w = &w};
    char id[64], execute[200];

    world_open(&w);
    new_session(&w, &w.alice, id);
    snprintf(m.params, sizeof m.params, "{\"session\":\"%s\"}", id);
    snprintf(execute, sizeof execute, "{\"session\":\"%s\",\"code\":\"print hi\"}", id);
    fake_moment_arg = &m;
    interrupt_now(&m);
    assert_false(m.running);
    expect_interrupted(&w, execute, false);
    fake_before_start = interrupt_now;
    expect_interrupted(&w, execute, true);
    assert_true(m.running);
    fake_before_start = NULL;
    expect_interrupted(&w, execute, false);
    world_close(&w);
}

static void stop_now(void *arg) {
    serve_stop(&((struct moment *)arg)->w->serve);
}

static void a_stop_before_the_start_counts_too(void **state) {
    (void)state;
    struct world w;
    struct moment m = {.w = &w};
    char id[64], execute[200];

    world_open(&w);
    new_session(&w, &w.alice, id);
    snprintf(execute, sizeof execute, "{\"session\":\"%s\",\"code\":\"print hi\"}", id);
    fake_moment_arg = &m;
    fake_before_start = stop_now;
    expect_interrupted(&w, execute, true);
    fake_before_start = NULL;
    expect_code(&w, &w.alice, "session.execute", execute, RPC_BUSY);
    world_close(&w);
}

static void a_stopping_server_takes_only_what_ends_calls(void **state) {
    (void)state;
    struct world w;
    char id[64], text[200];
    scoped_buf reply = BUF_INIT(1 << 16);

    world_open(&w);
    new_session(&w, &w.alice, id);
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.execute\",\"params\":"
             "{\"session\":\"%s\",\"code\":\"print hi\"}}",
             id);
    struct call *begun = call_begin(&w.serve, &w.alice, text, strlen(text));
    struct call *waits = call_begin(&w.serve, &w.alice, text, strlen(text));
    assert_false(serve_drain(&w.serve, 0));
    expect_code(&w, &w.alice, "session.create", "{}", RPC_BUSY);
    snprintf(text, sizeof text, "{\"session\":\"%s\"}", id);
    scoped_json *answer = ask(&w, &w.alice, "session.interrupt", text);
    assert_true(json_is_false(json_object_get(answer, "interrupted")));
    assert_int_equal(call_run(begun, &reply), 200);
    assert_non_null(memmem(reply.data, reply.len, "\"ok\"", 4));
    call_free(begun);
    assert_false(serve_drain(&w.serve, 0));
    serve_stop(&w.serve);
    assert_int_equal(call_run(waits, &reply), 503);
    call_free(waits);
    assert_true(serve_drain(&w.serve, 0));
    world_close(&w);
}

/* --- conversations --- */

struct conversation {
    struct serve serve;
    int fd;  /* the client's end */
    int far; /* the server's */
    pthread_t thread;
    FILE *in;
};

static void *serve_far_end(void *arg) {
    struct conversation *c = arg;

    lines_run(&c->serve, "local", c->far, c->far, LINES_ALONE);
    shutdown(c->far, SHUT_RDWR);
    return NULL;
}

static void talk(struct conversation *c) {
    int pair[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    c->fd = pair[0];
    c->far = pair[1];
    c->in = fdopen(dup(c->fd), "r");
    assert_int_equal(serve_init(&c->serve, &fake_engine), 0);
    assert_int_equal(pthread_create(&c->thread, NULL, serve_far_end, c), 0);
}

static void hang_up(struct conversation *c) {
    shutdown(c->fd, SHUT_WR);
    pthread_join(c->thread, NULL);
    fclose(c->in);
    close(c->fd);
    close(c->far);
    serve_done(&c->serve);
    assert_int_equal(fake_open_sessions, 0);
}

static void say(struct conversation *c, const char *text) {
    assert_int_equal(write_all(c->fd, text, strlen(text)), 0);
    assert_int_equal(write_all(c->fd, "\n", 1), 0);
}

static json_t *hear(struct conversation *c) {
    char *line = NULL;
    size_t size = 0;
    json_t *value;

    if (getline(&line, &size, c->in) < 0) {
        free(line);
        return NULL;
    }
    value = json_loads(line, 0, NULL);
    free(line);
    assert_non_null(value);
    return value;
}

static void hear_id(struct conversation *c, const char *id) {
    scoped_json *value = hear(c);
    scoped_free char *text = serve_json_text(json_object_get(value, "id"));

    assert_non_null(text);
    assert_string_equal(text, id);
}

static json_int_t hear_error(struct conversation *c) {
    scoped_json *value = hear(c);

    return json_integer_value(json_object_get(json_object_get(value, "error"), "code"));
}

static void create(struct conversation *c, char id[64]) {
    say(c, "{\"jsonrpc\":\"2.0\",\"id\":\"new\",\"method\":\"session.create\"}");
    scoped_json *made = hear(c);

    snprintf(id, 64, "%s",
             json_string_value(json_object_get(json_object_get(made, "result"), "session")));
}

static void execute(struct conversation *c, const char *id, const char *session, const char *code) {
    char text[500];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"session.execute\","
             "\"params\":{\"session\":\"%s\",\"code\":\"%s\"}}",
             id, session, code);
    say(c, text);
}

static void interrupt(struct conversation *c, const char *id, const char *session) {
    char text[300];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"session.interrupt\",\"params\":{"
             "\"session\":\"%s\"}}",
             id, session);
    say(c, text);
}

/* Only a cell that is running can be interrupted. */
static void await_running(struct conversation *c, const char *session) {
    struct hosted *hosted = registry_get(c->serve.registry, "local", session);
    bool waiting = false;

    assert_non_null(hosted);
    while (!waiting) {
        pthread_mutex_lock(&hosted->session->lock);
        waiting = hosted->session->waiting;
        pthread_mutex_unlock(&hosted->session->lock);
        usleep(1000);
    }
    registry_unref(c->serve.registry, hosted);
}

static void a_running_cell_blocks_nobody_else(void **state) {
    (void)state;
    struct conversation c;
    char one[64], two[64];

    talk(&c);
    create(&c, one);
    create(&c, two);
    execute(&c, "1", one, "wait");
    execute(&c, "2", two, "nothing");
    hear_id(&c, "2");
    await_running(&c, one);
    interrupt(&c, "3", one);
    scoped_json *a = hear(&c), *b = hear(&c);
    int first = (int)json_integer_value(json_object_get(a, "id"));
    assert_int_equal(first + json_integer_value(json_object_get(b, "id")), 4);
    hang_up(&c);
}

static void one_session_answers_in_order(void **state) {
    (void)state;
    struct conversation c;
    char session[64];

    talk(&c);
    create(&c, session);
    for (int i = 0; i < 100; i++) {
        char id[12];

        snprintf(id, sizeof id, "%d", i);
        execute(&c, id, session, "nothing");
    }
    for (int i = 0; i < 100; i++) {
        scoped_json *value = hear(&c);

        /* Replies may overtake each other on the way out; cells may not. */
        json_int_t id = json_integer_value(json_object_get(value, "id"));
        assert_int_equal(
            json_integer_value(json_object_get(json_object_get(value, "result"), "cell")), id + 1);
    }
    hang_up(&c);
}

static void output_is_told_before_the_result(void **state) {
    (void)state;
    struct conversation c;
    char session[64];

    talk(&c);
    create(&c, session);
    execute(&c, "1", session, "print one\\nshow {}");
    scoped_json *output = hear(&c), *display = hear(&c);
    json_t *params = json_object_get(output, "params");
    assert_string_equal(json_string_value(json_object_get(output, "method")), "session.output");
    assert_string_equal(json_string_value(json_object_get(params, "text")), "one");
    assert_int_equal(json_integer_value(json_object_get(params, "cell")), 1);
    assert_string_equal(json_string_value(json_object_get(display, "method")), "session.display");
    hear_id(&c, "1");
    hang_up(&c);
}

static void an_open_id_is_not_taken_twice(void **state) {
    (void)state;
    struct conversation c;
    char one[64];

    talk(&c);
    create(&c, one);
    execute(&c, "1", one, "wait");
    execute(&c, "1", one, "nothing");
    assert_int_equal(hear_error(&c), RPC_INVALID);
    await_running(&c, one);
    interrupt(&c, "2", one);
    json_decref(hear(&c));
    json_decref(hear(&c));
    execute(&c, "1", one, "nothing");
    hear_id(&c, "1");
    hang_up(&c);
}

static void requests_beyond_the_maximum_are_refused(void **state) {
    (void)state;
    struct conversation c;
    char one[64], id[12];
    int refused = 0;

    talk(&c);
    create(&c, one);
    execute(&c, "0", one, "wait");
    await_running(&c, one);
    for (int i = 1; i < MAX_IN_FLIGHT + 10; i++) {
        snprintf(id, sizeof id, "%d", i);
        execute(&c, id, one, "nothing");
    }
    interrupt(&c, "\"stop\"", one);
    for (int i = 0; i < MAX_IN_FLIGHT + 11; i++)
        refused += hear_error(&c) == RPC_BUSY;
    assert_true(refused >= 10);
    assert_true(refused < 20);
    hang_up(&c);
}

static void a_long_line_costs_one_error(void **state) {
    (void)state;
    struct conversation c;
    scoped_free char *junk = malloc(1 << 20);

    talk(&c);
    memset(junk, 'x', 1 << 20);
    for (unsigned i = 0; i < (MAX_REQUEST >> 20) + 2; i++)
        assert_int_equal(write_all(c.fd, junk, 1 << 20), 0);
    say(&c, "");
    assert_int_equal(hear_error(&c), RPC_PARSE);
    say(&c, "\n  \n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.list\"}");
    hear_id(&c, "1");
    hang_up(&c);
}

static void input_that_ends_is_answered_first(void **state) {
    (void)state;
    struct conversation c;
    char session[64];

    talk(&c);
    create(&c, session);
    execute(&c, "1", session, "print a");
    assert_int_equal(
        write_all(c.fd, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"session.list\"}", 46), 0);
    shutdown(c.fd, SHUT_WR);
    int answers = 0;
    for (json_t *value; (value = hear(&c)); json_decref(value))
        answers += json_object_get(value, "id") != NULL;
    assert_int_equal(answers, 2);
    hang_up(&c);
}

/* --- host tools --- */

static void offer_price(struct conversation *c, const char *session) {
    char text[500];

    snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":\"offer\",\"method\":\"tools.register\",\"params\":{"
        "\"session\":\"%s\",\"tools\":"
        "[{\"name\":\"price\",\"parameters\":{\"type\":\"object\",\"properties\":{\"article\":"
        "{\"type\":\"string\"}},\"required\":[\"article\"],\"additionalProperties\":false}}]}}",
        session);
    say(c, text);
    hear_id(c, "\"offer\"");
}

static void answer(struct conversation *c, json_t *call, const char *how) {
    char text[300];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"method\":\"tools.result\",\"params\":{\"call\":\"%s\",%s}}",
             json_string_value(json_object_get(json_object_get(call, "params"), "call")), how);
    say(c, text);
}

static void expect_answer(struct conversation *c, const char *value) {
    scoped_json *reply = hear(c);
    json_t *result = json_object_get(reply, "result");

    assert_string_equal(
        json_string_value(json_object_get(json_object_get(result, "value"), "text/plain")), value);
}

static void tools_are_called_and_answered(void **state) {
    (void)state;
    struct conversation c;
    char session[64];

    talk(&c);
    create(&c, session);
    offer_price(&c, session);
    execute(&c, "1", session, "tool price {\\\"article\\\":\\\"tea\\\"}");
    scoped_json *call = hear(&c);
    assert_string_equal(json_string_value(json_object_get(call, "method")), "tools.call");
    answer(&c, call, "\"result\":9.5");
    expect_answer(&c, "9.5");
    execute(&c, "2", session, "tool price {\\\"article\\\":\\\"tea\\\"}");
    scoped_json *again = hear(&c);
    answer(&c, again, "\"error\":\"sold out\"");
    expect_answer(&c, "sold out");
    hang_up(&c);
}

/* A decision is the owner's, once, and no answer of the tool takes its place. */
static void consent_is_the_owners(void **state) {
    (void)state;
    struct conversation c;
    struct retort_error err = ERR_INIT;
    struct tools_decision yes = {.allow = true};
    char session[64], text[300];

    talk(&c);
    create(&c, session);
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":\"offer\",\"method\":\"tools.register\",\"params\":{"
             "\"session\":\"%s\",\"tools\":[{\"name\":\"price\",\"approval\":\"ask\"}]}}",
             session);
    say(&c, text);
    hear_id(&c, "\"offer\"");
    execute(&c, "1", session, "tool price {}");
    scoped_json *asked = hear(&c);
    assert_string_equal(json_string_value(json_object_get(asked, "method")), "tools.approval");
    const char *id = json_string_value(json_object_get(json_object_get(asked, "params"), "call"));
    assert_int_equal(tools_approve(c.serve.tools, "bob", id, &yes, &err), -ENOENT);
    assert_int_equal(tools_answer(c.serve.tools, "local", id, NULL, "no", &err), -ENOENT);
    assert_int_equal(tools_approve(c.serve.tools, "local", id, &yes, &err), 0);
    assert_int_equal(tools_approve(c.serve.tools, "local", id, &yes, &err), -ENOENT);
    scoped_json *told = hear(&c);
    assert_string_equal(json_string_value(json_object_get(told, "method")), "tools.decided");
    scoped_json *call = hear(&c);
    assert_string_equal(json_string_value(json_object_get(call, "method")), "tools.call");
    answer(&c, call, "\"result\":9.5");
    expect_answer(&c, "9.5");
    hang_up(&c);
}

static void bad_tool_calls_never_reach_the_client(void **state) {
    (void)state;
    struct conversation c;
    char session[64];

    talk(&c);
    create(&c, session);
    offer_price(&c, session);
    execute(&c, "1", session, "tool cost {}");
    expect_answer(&c, "there is no tool cost");
    execute(&c, "2", session, "tool price {}");
    expect_answer(&c, "bad arguments: /: lacks article");
    execute(&c, "3", session, "tool price {\\\"article\\\":5}");
    expect_answer(&c, "bad arguments: /article: must be of type string");
    execute(&c, "4", session, "tool price [1]");
    expect_answer(&c, "the arguments of price are not a JSON object");
    hang_up(&c);
}

static void a_client_that_leaves_fails_its_tool_calls(void **state) {
    (void)state;
    struct conversation c;
    char session[64];

    talk(&c);
    create(&c, session);
    offer_price(&c, session);
    execute(&c, "1", session, "tool price {\\\"article\\\":\\\"tea\\\"}");
    json_decref(hear(&c));
    shutdown(c.fd, SHUT_WR);
    expect_answer(&c, "the client has gone");
    hang_up(&c);
}

struct caller {
    struct conversation *c;
    char session[64];
};

static void stop_the_session(void *arg) {
    const struct caller *caller = arg;
    struct serve *serve = &caller->c->serve;
    struct hosted *hosted = registry_get(serve->registry, "local", caller->session);

    assert_true(session_stop(serve, hosted));
    registry_unref(serve->registry, hosted);
}

static void an_interrupt_before_a_tool_call_ends_it(void **state) {
    (void)state;
    struct conversation c;
    struct caller caller = {.c = &c};

    talk(&c);
    create(&c, caller.session);
    offer_price(&c, caller.session);
    fake_moment_arg = &caller;
    fake_before_tool = stop_the_session;
    execute(&c, "1", caller.session, "tool price {\\\"article\\\":\\\"tea\\\"}");
    expect_answer(&c, "interrupted"); /* and no tools.call before it */
    hang_up(&c);
    fake_before_tool = NULL;
}

/* --- listeners --- */

static void heard(struct hub *hub, struct hub_reader *reader, const char *expected) {
    char data[4096], seen[4096] = "";
    ssize_t n = hub_read(hub, reader, data, sizeof data - 1);

    assert_true(n >= 0);
    data[n] = 0;
    for (char *at = strstr(data, "data: "); at; at = strstr(at + 1, "data: "))
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%.*s ",
                 (int)strcspn(at + 6, "\n"), at + 6);
    assert_string_equal(seen, expected);
}

static void listeners_hear_their_owner_only(void **state) {
    (void)state;
    struct hub *hub = hub_new();
    struct hub_start now = {0};
    char byte;

    hub_open(hub);
    struct hub_reader *all = hub_subscribe(hub, "alice", NULL, &now);
    struct hub_reader *one = hub_subscribe(hub, "alice", "s_1", &now);
    struct hub_reader *bob = hub_subscribe(hub, "bob", NULL, &now);
    assert_int_equal(hub_publish(hub, "alice", "s_1", "x", 1), 2);
    assert_int_equal(hub_publish(hub, "alice", "s_2", "y", 1), 1);
    heard(hub, all, "x y ");
    heard(hub, one, "x ");
    heard(hub, bob, "");
    hub_end(hub);
    assert_int_equal(hub_read(hub, all, &byte, 1), -EPIPE);
    hub_unsubscribe(hub, all);
    hub_unsubscribe(hub, one);
    hub_unsubscribe(hub, bob);
    hub_free(hub);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_lives_from_create_to_close),
        cmocka_unit_test(another_owners_session_is_unknown),
        cmocka_unit_test(errors_have_their_codes),
        cmocka_unit_test(notifications_are_never_answered),
        cmocka_unit_test(files_come_and_go),
        cmocka_unit_test(branches_belong_to_the_same_owner),
        cmocka_unit_test(branches_beyond_the_limit_are_closed),
        cmocka_unit_test(keeping_one_branch_ends_its_siblings_alone),
        cmocka_unit_test(only_ones_own_sessions_are_compared),
        cmocka_unit_test(the_ledger_shows_what_is_the_callers_own),
        cmocka_unit_test(a_recorded_session_comes_back_to_its_owner_alone),
        cmocka_unit_test(an_interrupt_before_the_start_counts_for_that_cell_alone),
        cmocka_unit_test(a_stop_before_the_start_counts_too),
        cmocka_unit_test(a_stopping_server_takes_only_what_ends_calls),
        cmocka_unit_test(a_running_cell_blocks_nobody_else),
        cmocka_unit_test(one_session_answers_in_order),
        cmocka_unit_test(output_is_told_before_the_result),
        cmocka_unit_test(an_open_id_is_not_taken_twice),
        cmocka_unit_test(requests_beyond_the_maximum_are_refused),
        cmocka_unit_test(a_long_line_costs_one_error),
        cmocka_unit_test(input_that_ends_is_answered_first),
        cmocka_unit_test(tools_are_called_and_answered),
        cmocka_unit_test(consent_is_the_owners),
        cmocka_unit_test(bad_tool_calls_never_reach_the_client),
        cmocka_unit_test(a_client_that_leaves_fails_its_tool_calls),
        cmocka_unit_test(an_interrupt_before_a_tool_call_ends_it),
        cmocka_unit_test(listeners_hear_their_owner_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
