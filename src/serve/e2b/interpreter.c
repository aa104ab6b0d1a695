/* The code interpreter: code runs as a cell of the sandbox's session, and its output and result go
 * out line by line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"
#include "base/unconst.h"
#include "serve/e2b/chart.h"
#include "serve/e2b/routes.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"
#include "serve/http/outbox.h"

#define ALIVE "{\"type\":\"keepalive\"}\n"
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

struct execution {
    struct peer peer; /* first: execution_send finds the execution by it */
    struct e2b *e2b;
    struct sandbox *sandbox;
    struct hosted *hosted;
    uint64_t ticket;
    json_t *body;
    const char *language;
    char interpreter[E2B_INTERPRETER]; /* the interpreter's name in the session */
    struct outbox *outbox;
    json_t *pictures; /* displays that wait for the numbers of their plots */
    unsigned dropped; /* lines that the client did not read in time */
    pthread_mutex_t lock;
    unsigned refs;
    bool running;
    atomic_bool cancel;
};

static void execution_unref(struct execution *x) {
    if (!last_reference(&x->lock, &x->refs))
        return;
    registry_unref(x->e2b->serve->registry, x->hosted);
    sandbox_unref(x->e2b->sandboxes, x->sandbox);
    json_decref(x->body);
    json_decref(x->pictures);
    outbox_unref(x->outbox);
    pthread_mutex_destroy(&x->lock);
    free(x);
}

/* --- lines --- */

/* Writes ASCII, because clients decode each piece from the network by itself. While the cell runs,
 * a line that the client does not read in time is dropped: a slow client must not keep us from
 * looking after the cell. Takes the value. */
static void put_line(struct execution *x, json_t *value) {
    scoped_json *held = value;
    char *text = json_whole(held, JSON_COMPACT | JSON_ENSURE_ASCII);
    size_t len = text ? strlen(text) : 0;

    if (!text)
        return;
    text[len] = '\n'; /* replaces the NUL */
    if (!x->peer.send)
        outbox_bytes(x->outbox, text, len + 1);
    else if (!outbox_try(x->outbox, text, len + 1))
        x->dropped++;
    free(text);
}

static void put_output(struct execution *x, const struct serve_event *event) {
    char stamp[40];
    time_t now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    put_line(x, json_pack("{s:s, s:o, s:s}", "type", serve_event_stream(event), "text",
                          serve_json_stringn(event->text, event->len), "timestamp", stamp));
}

static const struct {
    const char *mime, *key;
    bool json;
} kinds[] = {{"text/plain", "text", false},        {"text/html", "html", false},
             {"text/markdown", "markdown", false}, {"image/svg+xml", "svg", false},
             {"image/png", "png", false},          {"image/jpeg", "jpeg", false},
             {"application/pdf", "pdf", false},    {"text/latex", "latex", false},
             {"application/json", "json", true},   {"application/javascript", "javascript", false}};

/* A string is shown without its quotes. */
static json_t *plain_text(const json_t *text) {
    const char *t = json_string_value(text);
    size_t len = json_string_length(text);

    if (len >= 2 && (t[0] == '\'' || t[0] == '"') && t[len - 1] == t[0])
        return json_stringn(t + 1, len - 2);
    return json_deep_copy(text);
}

static json_t *result_line(const json_t *mime, bool main) {
    json_t *line = json_pack("{s:s, s:b}", "type", "result", "is_main_result", main);
    json_t *value;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_t *data = json_object_get(mime, kinds[i].mime);

        if (!data)
            continue;
        value = i == 0 ? plain_text(data) : json_deep_copy(data);
        if (kinds[i].json && json_is_string(data)) {
            json_decref(value);
            value = json_in_text(json_string_value(data), JSON_DECODE_ANY, NULL);
        }
        json_object_set_new(line, kinds[i].key, value ? value : json_null());
    }
    return line;
}

static void put_display(struct execution *x, const struct serve_event *event) {
    scoped_json *display = json_in(event->text, event->len, 0, NULL);
    json_t *mime = json_object_get(display, "mime");

    if (json_object_get(mime, "image/png"))
        json_array_append(x->pictures, mime);
    else
        put_line(x, result_line(mime, false));
}

/* Sends events while the client's cell runs; our own cells have none to send. */
static void execution_send(struct peer *peer, struct serve_event *event) {
    struct execution *x = (struct execution *)peer;

    if (event->kind == EVENT_OUTPUT)
        put_output(x, event);
    if (event->kind == EVENT_DISPLAY)
        put_display(x, event);
}

/* --- the result --- */

static size_t decoded_size(const json_t *base64) {
    size_t len = json_string_length(base64);
    const char *text = json_string_value(base64);

    return len < 4 ? 0 : len / 4 * 3 - (text[len - 1] == '=') - (text[len - 2] == '=');
}

/* The plots come in the order of their pictures, but not every picture is a plot. */
static void put_pictures(struct execution *x, const json_t *result) {
    const json_t *plots = json_object_get(result, "plots"), *mime;
    size_t i, next = 0;

    json_array_foreach(x->pictures, i, mime) {
        json_t *line = result_line(mime, false);
        const json_t *plot = json_array_get(plots, next);

        if (plot && (size_t)json_integer_value(json_object_get(plot, "size")) ==
                        decoded_size(json_object_get(mime, "image/png"))) {
            json_object_set_new(line, "chart", chart_json(json_object_get(plot, "chart")));
            next++;
        }
        put_line(x, line);
    }
}

static void line_error(struct execution *x, const char *name, const char *value,
                       const char *trace) {
    put_line(x, json_pack("{s:s, s:s, s:s, s:s}", "type", "error", "name", name, "value", value,
                          "traceback", trace));
}

static const char *member(const json_t *object, const char *name, const char *otherwise) {
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : otherwise;
}

/* A cell that did not end by itself has a status and perhaps no error. */
static void put_result(struct execution *x, const json_t *result) {
    const json_t *value = json_object_get(result, "value"),
                 *error = json_object_get(result, "error");
    const char *status = member(result, "status", "failed");
    char code[24];

    put_pictures(x, result);
    if (json_is_object(value))
        put_line(x, result_line(value, true));
    if (json_is_object(error)) {
        const char *message = member(error, "message", "");
        line_error(x, member(error, "name", status), message, member(error, "traceback", message));
    } else if (strcmp(status, "exit") == 0) {
        snprintf(code, sizeof code, "%lld",
                 (long long)json_integer_value(json_object_get(result, "exit_code")));
        line_error(x, "SystemExit", code, code);
    } else if (strcmp(status, "ok") != 0)
        line_error(x, status, status, status);
}

/* --- variables of one execution --- */

static int add_bash(struct buf *code, const json_t *variables, bool before) {
    const char *name;
    json_t *value;
    int r = 0;

    json_object_foreach(unconst(variables), name, value) {
        r = buf_printf(code, before ? "export %s='" : "unset %s\n", name);
        for (const char *at = json_string_value(value); before && at && *at && r >= 0; at++)
            r = *at == '\'' ? buf_adds(code, "'\\''") : buf_add(code, at, 1);
        if (before && r >= 0)
            r = buf_adds(code, "'\n");
    }
    return r;
}

static bool are_variables(const json_t *variables) {
    const char *name;
    json_t *value;

    json_object_foreach(unconst(variables), name, value) {
        if (!json_is_string(value) || !name[0] || name[strspn(name, NAME_CHARACTERS)])
            return false;
    }
    return true;
}

/* Sets the variables of one execution before it, and removes them after it. */
static int set_variables(struct execution *x, bool before, struct retort_error *error) {
    const json_t *variables = json_object_get(x->body, "env_vars");
    scoped_free char *text = json_whole(variables, JSON_COMPACT | JSON_ENSURE_ASCII);
    scoped_buf code = BUF_INIT(1u << 20);
    bool javascript =
        strcmp(x->language, "javascript") == 0 || strcmp(x->language, "typescript") == 0;

    if (json_object_size(variables) == 0)
        return 0;
    if (!are_variables(variables))
        return err_set(error, ERR_CALLER, EINVAL, "env_vars must map names to strings");
    if (javascript)
        buf_printf(&code,
                   before ? "Object.assign(process.env, %s); undefined"
                          : "for (const n in %s) delete process.env[n]; undefined",
                   text);
    else if (strcmp(x->language, "bash") == 0)
        add_bash(&code, variables, before);
    else
        buf_printf(&code,
                   before ? "__import__('os').environ.update(%s)"
                          : "for _ in %s: __import__('os').environ.pop(_, None)",
                   text);
    if (!text || code.lost)
        return err_set(error, ERR_HOST, ENOMEM, "cannot hold the variables");
    return e2b_run_quietly(x->e2b->serve, &x->peer, x->hosted,
                           &(struct quiet_cell){x->interpreter, code.data}, error);
}

/* --- running --- */

static int execution_cell(struct execution *x, struct retort_error *error) {
    const json_t *code = json_object_get(x->body, "code");
    struct cell_request cell = {.serve = x->e2b->serve,
                                .peer = &x->peer,
                                .hosted = x->hosted,
                                .code = json_string_value(code),
                                .len = json_string_length(code),
                                .language = x->interpreter,
                                .cancel = &x->cancel};
    struct retort_result *result;
    size_t len;
    int r;

    x->peer.send = execution_send;
    r = session_run(&cell, &result, error);
    x->peer.send = NULL;
    if (r < 0)
        return r;
    scoped_json *object = json_in_text(retort_result_json(result, &len), 0, NULL);
    retort_result_free(result);
    put_result(x, object);
    if (x->dropped)
        put_line(x, json_pack("{s:s, s:o}", "type", "stderr", "text",
                              json_sprintf("[retort: %u pieces of output were dropped, because the "
                                           "client did not read them]\n",
                                           x->dropped)));
    return 0;
}

static int run_all(struct execution *x, struct retort_error *error) {
    int r = set_variables(x, true, error);

    if (r >= 0)
        r = execution_cell(x, error);
    if (r >= 0)
        r = set_variables(x, false, error);
    return r;
}

/* Executions run one at a time, in the order in which they came. */
static void *execution_run(void *arg) {
    struct execution *x = arg;
    struct serve *serve = x->e2b->serve;
    struct registry *registry = serve->registry;
    struct retort_error error = {0};

    registry_enter(registry, x->hosted, x->ticket);
    pthread_mutex_lock(&x->lock);
    x->running = !atomic_load(&x->cancel);
    pthread_mutex_unlock(&x->lock);
    if (x->running) {
        put_line(x, json_pack("{s:s, s:i}", "type", "number_of_executions", "execution_count",
                              (int)++x->sandbox->executions));
        if (run_all(x, &error) < 0)
            line_error(x, "Error", error.message, error.message);
        put_line(x, json_pack("{s:s}", "type", "end_of_execution"));
    }
    pthread_mutex_lock(&x->lock);
    x->running = false;
    pthread_mutex_unlock(&x->lock);
    registry_leave(registry, x->hosted);
    outbox_end(x->outbox);
    execution_unref(x);
    serve_leave(serve);
    return NULL;
}

static int execution_take(void *cls, struct buf *out) {
    return outbox_take(((struct execution *)cls)->outbox, out);
}

/* When the client goes away, its code is stopped. */
static void execution_gone(void *cls) {
    struct execution *x = cls;

    atomic_store(&x->cancel, true);
    outbox_leave(x->outbox);
    pthread_mutex_lock(&x->lock);
    if (x->running)
        session_stop(x->e2b->serve, x->hosted);
    pthread_mutex_unlock(&x->lock);
    execution_unref(x);
}

/* --- requests --- */

static struct execution *execution_new(struct http_request *request, struct sandbox *s,
                                       json_t *body) {
    struct execution *x = calloc(1, sizeof *x);

    if (!x || !(x->outbox = outbox_new())) {
        free(x);
        return NULL;
    }
    x->e2b = e2b_of(request);
    x->sandbox = s;
    x->peer = s->peer;
    x->peer.door = "e2b";
    x->body = body;
    x->pictures = json_array();
    x->refs = 1;
    pthread_mutex_init(&x->lock, NULL);
    return x;
}

/* Chooses the language and interpreter for the code; false: the request was answered already. */
static bool choose(struct http_request *request, struct execution *x) {
    const char *context = json_string_value(json_object_get(x->body, "context_id")),
               *language = json_string_value(json_object_get(x->body, "language"));
    char message[160];

    if (!json_is_string(json_object_get(x->body, "code")) || (context && language)) {
        e2b_error(request, 400, "give code, and either a context or a language");
        return false;
    }
    x->language = context ? e2b_find_context(x->sandbox, context, x->interpreter)
                          : e2b_find_first(language, x->interpreter);
    if (x->language)
        return true;
    if (context)
        snprintf(message, sizeof message, "Context %.80s not found", context);
    else
        snprintf(message, sizeof message,
                 "the language %.40s is not supported: there are python, javascript, typescript, "
                 "bash and sql",
                 language);
    e2b_error(request, context ? 404 : 400, message);
    return false;
}

static enum http_result execution_start(struct http_request *request, struct execution *x) {
    struct http_events events = {.fd = outbox_fd(x->outbox),
                                 .take = execution_take,
                                 .free = execution_gone,
                                 .cls = x,
                                 .type = "application/x-ndjson",
                                 .alive = ALIVE,
                                 .alive_len = strlen(ALIVE)};
    struct serve *serve = x->e2b->serve;
    bool admitted = serve_admit(serve, false);
    pthread_t thread;

    x->refs = 2;
    x->ticket = registry_ticket(serve->registry, x->hosted);
    if (admitted && thread_start(&thread, execution_run, x) == 0) {
        pthread_detach(thread);
        return http_stream(request, &events);
    }
    registry_give_up(serve->registry, x->hosted, x->ticket);
    if (admitted)
        serve_leave(serve);
    x->refs = 1;
    execution_unref(x);
    return e2b_error(request, 503,
                     admitted ? "no thread could be started" : "the server is stopping");
}

enum http_result e2b_execute(struct http_request *request) {
    struct sandbox *s = e2b_sandbox(request);
    json_t *body = s ? e2b_body(request) : NULL;
    struct execution *x = body ? execution_new(request, s, body) : NULL;
    struct retort_error error = {0};

    if (!x) {
        json_decref(body);
        sandbox_unref(e2b_of(request)->sandboxes, s);
        return body ? e2b_error(request, 503, "out of memory") : HTTP_DONE;
    }
    if (!choose(request, x)) {
        execution_unref(x);
        return HTTP_DONE;
    }
    if (sandbox_session(x->e2b->sandboxes, s, &x->hosted, &error) < 0) {
        execution_unref(x);
        return e2b_fault(request, &error);
    }
    return execution_start(request, x);
}
