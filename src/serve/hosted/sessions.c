#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "engine/host/environment.h"
#include "serve/hosted/caps.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"
#include "serve/hosted/tools.h"

/* --- making one --- */

static void env_free(char ***env) {
    for (size_t i = 0; *env && (*env)[i]; i++)
        free((*env)[i]);
    free(*env);
}

static int env_add(char **env, size_t *n, const char *name, const char *value) {
    if (asprintf(&env[*n], "%s%s%s", name, value ? "=" : "", value ? value : "") < 0) {
        env[*n] = NULL;
        return -ENOMEM;
    }
    (*n)++;
    return 0;
}

/* Those of the server that are not given. */
static int env_inherit(const char *const *from, const json_t *given, char **env, size_t *n) {
    int r = 0;

    for (; from && *from && r >= 0; from++) {
        size_t len = strcspn(*from, "=");
        char name[256];

        snprintf(name, sizeof name, "%.*s", (int)(len < 255 ? len : 255), *from);
        if (!json_object_get(given, name))
            r = env_add(env, n, *from, NULL);
    }
    return r;
}

static int env_read(const json_t *object, const char *const *inherited, char ***ret_env,
                    struct retort_error *error) {
    size_t n = 0, count = 0;
    char **env;
    const char *name;
    json_t *value;
    int r;

    while (inherited && inherited[count])
        count++;
    env = *ret_env = calloc(json_object_size(object) + count + 1, sizeof *env);
    r = env ? env_inherit(inherited, object, env, &n) : -ENOMEM;
    json_object_foreach(unconst(object), name, value) {
        if (!json_is_string(value) || !name[0] || strchr(name, '=') ||
            strlen(json_string_value(value)) != json_string_length(value))
            return fault_set(error, RETORT_FAULT_CALLER, EINVAL,
                             "env must map names to strings without NUL");
        if (r >= 0)
            r = env_add(env, &n, name, json_string_value(value));
    }
    return r < 0 ? fault_set(error, RETORT_FAULT_HOST, ENOMEM, "out of memory") : 0;
}

static const char *hosted_text_of(const json_t *params, const char *name) {
    return json_string_value(json_object_get(params, name));
}

static void text_over(const json_t *params, const char *name, const char **text) {
    if (hosted_text_of(params, name))
        *text = hosted_text_of(params, name);
}

static void flag_over(const json_t *params, const char *name, bool *flag) {
    const json_t *value = json_object_get(params, name);

    if (value)
        *flag = json_is_true(value);
}

/* What the client asks for, over what the server gives everybody. */
static void options_read(const json_t *params, const struct serve_defaults *defaults,
                         struct retort_session_options *ret_options) {
    const char *on_error = hosted_text_of(params, "on_error"),
               *checkpoint = hosted_text_of(params, "checkpoint");
    const json_t *seed = json_object_get(params, "seed");
    struct retort_session_options options = {0};

    if (defaults)
        options = defaults->options;
    text_over(params, "language", &options.language);
    text_over(params, "environment", &options.environment);
    flag_over(params, "deterministic", &options.deterministic);
    flag_over(params, "background", &options.background);
    options.no_record |= json_is_false(json_object_get(params, "record"));
    if (seed) {
        options.seed = (uint64_t)json_integer_value(seed);
        options.has_seed = true;
    }
    if (on_error && strcmp(on_error, "rollback") == 0)
        options.on_error = RETORT_ON_ERROR_ROLLBACK;
    if (checkpoint && strcmp(checkpoint, "always") == 0)
        options.checkpoint = RETORT_CHECKPOINT_ALWAYS;
    if (checkpoint && strcmp(checkpoint, "off") == 0)
        options.checkpoint = RETORT_CHECKPOINT_OFF;
    limits_from_json(json_object_get(params, "limits"), &options.limits);
    if (defaults)
        limits_merge(&options.limits, &defaults->options.limits);
    *ret_options = options;
}

/* What the command line of the server gives everybody is no more than the files allow, or more
 * because who started it wanted that. */
static int apply_caps(const struct serve *serve, const struct peer *peer,
                      struct retort_session_options *options, struct retort_limits *ret_caps,
                      struct retort_error *error) {
    struct retort_limits usual;
    struct err err = ERR_INIT;

    if (environment_limits(options->environment, &usual, ret_caps, &err) < 0)
        return fault_set(error, RETORT_FAULT_CALLER, EINVAL, "%s", err.msg);
    if (serve->defaults)
        caps_raise(ret_caps, &serve->defaults->options.limits);
    return caps_session(&peer->caps, &usual, ret_caps, &options->limits, error);
}

static int write_file(struct retort_session *session, const json_t *file,
                      struct retort_error *error) {
    const json_t *base64 = json_object_get(file, "base64"), *text = json_object_get(file, "text");
    scoped_buf data = BUF_INIT(MAX_REQUEST);
    int r = -EINVAL;

    if (!base64 != !text)
        r = base64 ? base64_decode(json_string_value(base64), json_string_length(base64), &data)
                   : buf_add(&data, json_string_value(text), json_string_length(text));
    if (r < 0)
        return fault_set(error, RETORT_FAULT_CALLER, EINVAL,
                         "files: %s needs either text or valid base64",
                         hosted_text_of(file, "path"));
    return retort_file_write(session, hosted_text_of(file, "path"), 0, data.data ? data.data : "",
                             data.len, true, error);
}

static int write_files(struct retort_session *session, const json_t *files,
                       struct retort_error *error) {
    size_t i;
    json_t *file;

    json_array_foreach(files, i, file) {
        int r = write_file(session, file, error);
        if (r < 0)
            return r;
    }
    return 0;
}

static int hosted_furnish(const struct serve_defaults *defaults, struct retort_session *session,
                          struct retort_error *error) {
    return defaults && defaults->furnish ? defaults->furnish(defaults->user, session, error) : 0;
}

static unsigned cells_of(struct retort_session *session) {
    scoped_free char *text = retort_session_info(session);
    scoped_json *info = text ? json_loads(text, 0, NULL) : NULL;

    return (unsigned)json_integer_value(json_object_get(info, "cells"));
}

int session_resume(struct serve *serve, struct peer *peer, const char *id,
                   struct hosted **ret_hosted, struct retort_error *error) {
    struct retort_session *session;
    struct retort_session_options none = {0}; /* what it has it was given before */
    struct retort_limits caps;
    int r = apply_caps(serve, peer, &none, &caps, error);

    if (r >= 0)
        r = retort_session_resume(serve->engine, id, &session, error);
    if (r < 0)
        return r;
    r = registry_add(serve->registry, peer->owner, peer->max_sessions, session, ret_hosted, error);
    if (r < 0)
        retort_session_close(session);
    else {
        (*ret_hosted)->cell = cells_of(session);
        (*ret_hosted)->caps = caps;
    }
    return r;
}

int session_make(struct serve *serve, struct peer *peer, const json_t *params,
                 struct hosted **ret_hosted, struct retort_error *error) {
    __attribute__((cleanup(env_free))) char **env = NULL;
    struct retort_session_options options;
    struct retort_limits caps;
    struct retort_session *session;
    int r;

    options_read(params, serve->defaults, &options);
    r = apply_caps(serve, peer, &options, &caps, error);
    if (r >= 0)
        r = env_read(json_object_get(params, "env"), options.env, &env, error);
    if (r < 0)
        return r;
    options.env = (const char *const *)env;
    options.owner = peer->owner;
    options.door = peer->door;
    r = retort_session_new(serve->engine, &options, &session, error);
    if (r < 0)
        return r;
    r = hosted_furnish(serve->defaults, session, error);
    if (r >= 0)
        r = write_files(session, json_object_get(params, "files"), error);
    if (r >= 0)
        r = registry_add(serve->registry, peer->owner, peer->max_sessions, session, ret_hosted,
                         error);
    if (r < 0)
        retort_session_close(session);
    else
        (*ret_hosted)->caps = caps;
    return r;
}

/* --- running a cell --- */

struct hosted_run {
    struct serve *serve;
    struct peer *peer;
    struct hosted *hosted;
    const atomic_bool *cancel;
    struct carry {
        char bytes[4]; /* the beginning of a character whose end has not come yet */
        size_t len;
    } carry[2];
};

/* Bytes at the end of `text` that begin a UTF-8 character without ending it. */
static size_t unfinished(const char *text, size_t len) {
    for (size_t back = 1; back <= 3 && back <= len; back++) {
        unsigned char c = (unsigned char)text[len - back];

        if ((c & 0xc0) == 0x80)
            continue;
        size_t need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        return need > back ? back : 0;
    }
    return 0;
}

static int open_note(struct buf *note, const char *method, const struct hosted *hosted) {
    return buf_printf(note,
                      "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"session\":\"%s\","
                      "\"cell\":%u,",
                      method, hosted->id, hosted->cell);
}

static void send_output(struct hosted_run *run, enum retort_stream stream, const char *text,
                        size_t len) {
    scoped_buf note = BUF_INIT(MAX_REPLY);

    if (len == 0 || open_note(&note, "session.output", run->hosted) < 0 ||
        buf_printf(&note, "\"stream\":\"%s\",\"text\":",
                   stream == RETORT_STDOUT ? "stdout" : "stderr") < 0 ||
        buf_json_string(&note, text, len) < 0 || buf_adds(&note, "}}") < 0)
        return;
    serve_notify(run->serve, run->peer, run->hosted, note.data, note.len);
}

static void hosted_on_output(void *user, enum retort_stream stream, const char *text, size_t len,
                             uint64_t time_ns) {
    struct hosted_run *run = user;
    struct carry *carry = &run->carry[stream == RETORT_STDERR];
    scoped_buf whole = BUF_INIT(MAX_REPLY);
    size_t rest;

    (void)time_ns;
    if (carry->len) {
        if (buf_add(&whole, carry->bytes, carry->len) < 0 || buf_add(&whole, text, len) < 0)
            return;
        text = whole.data;
        len = whole.len;
    }
    rest = unfinished(text, len);
    memcpy(carry->bytes, text + len - rest, rest);
    carry->len = rest;
    send_output(run, stream, text, len - rest);
}

static void flush_output(struct hosted_run *run) {
    send_output(run, RETORT_STDOUT, run->carry[0].bytes, run->carry[0].len);
    send_output(run, RETORT_STDERR, run->carry[1].bytes, run->carry[1].len);
}

static void on_display(void *user, const char *display) {
    struct hosted_run *run = user;
    scoped_buf note = BUF_INIT(MAX_REPLY);

    if (open_note(&note, "session.display", run->hosted) >= 0 &&
        buf_printf(&note, "\"display\":%s}}", display) >= 0)
        serve_notify(run->serve, run->peer, run->hosted, note.data, note.len);
}

static char *hosted_on_tool(void *user, const char *name, const char *arguments,
                            char **ret_failure) {
    struct hosted_run *run = user;

    return tools_call(run->serve, run->hosted, run->peer, name, arguments, ret_failure);
}

static void on_tick(void *user, uint64_t time_ns) {
    struct hosted_run *run = user;

    (void)time_ns;
    run->peer->tick(run->peer);
}

/* Whether the cell was given up between its turn and its start. Its time begins now: before, what
 * the last cell has left is put away, which may take a while. */
static bool on_cancelled(void *user) {
    const struct hosted_run *run = user;

    pthread_mutex_lock(&run->hosted->lock);
    run->hosted->began_ns = now_ns();
    pthread_mutex_unlock(&run->hosted->lock);
    return atomic_load(&run->serve->stopping) || (run->cancel && atomic_load(run->cancel)) ||
           hosted_interrupted(run->hosted);
}

static void begin_cell(struct hosted *hosted, double timeout, uint64_t now) {
    pthread_mutex_lock(&hosted->lock);
    hosted->interrupted = false;
    hosted->timeout = timeout;
    hosted->began_ns = now;
    hosted->cell++;
    hosted->running = true;
    hosted->tool_calls = 0;
    pthread_mutex_unlock(&hosted->lock);
}

static void hosted_end_cell(struct hosted *hosted, bool counts) {
    pthread_mutex_lock(&hosted->lock);
    if (!counts)
        hosted->cell--;
    hosted->running = hosted->interrupted = false;
    pthread_mutex_unlock(&hosted->lock);
}

/* --- what others hear of a cell --- */

void session_tell_begin(struct serve *serve, struct hosted *hosted) {
    scoped_buf note = BUF_INIT(1024);

    if (!hub_is_open(serve->hub))
        return;
    pthread_mutex_lock(&hosted->lock);
    hosted->first_event = hub_next(serve->hub, hosted->owner);
    if (buf_printf(&note,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"cell.begin\",\"params\":{\"session\":\"%s\","
                   "\"cell\":%u}}",
                   hosted->id, hosted->cell) >= 0)
        hub_publish(serve->hub, hosted->owner, hosted->id, note.data, note.len);
    pthread_mutex_unlock(&hosted->lock);
}

static int add_members(struct buf *note, const char *result, size_t len) {
    static const char *const names[] = {"status", "exit_code", "value", "error", "state"};
    struct json_span spans[sizeof names / sizeof *names];
    bool cut = false;
    int r = 0;

    serve_json_members(result, len, names, sizeof names / sizeof *names, spans);
    for (size_t i = 0; r >= 0 && i < sizeof names / sizeof *names; i++) {
        bool fits = spans[i].len > 0 && spans[i].len <= MAX_EVENT / 4;

        cut = cut || (spans[i].len > 0 && !fits);
        r = buf_printf(note, "%s\"%s\":%.*s", i ? "," : "", names[i], fits ? (int)spans[i].len : 4,
                       fits ? spans[i].text : "null");
    }
    return r >= 0 && cut ? buf_adds(note, ",\"truncated\":true") : r;
}

void session_tell_end(struct serve *serve, struct hosted *hosted, const char *result, size_t len,
                      const char *failure) {
    scoped_buf note = BUF_INIT(2 * MAX_EVENT);
    int r;

    if (!hub_is_open(serve->hub) || open_note(&note, "cell.end", hosted) < 0)
        return;
    if (result)
        r = add_members(&note, result, len);
    else
        r = buf_adds(&note, "\"status\":\"failed\",\"value\":null,\"error\":{\"message\":") < 0
                ? -1
                : buf_json_string(&note, failure, strlen(failure));
    if (r >= 0 && buf_adds(&note, result ? "}}" : "}}}") >= 0)
        hub_publish(serve->hub, hosted->owner, hosted->id, note.data, note.len);
}

static void send_files(struct hosted_run *run, const char *result, size_t len) {
    static const char *const names[] = {"files"};
    scoped_buf note = BUF_INIT(MAX_REPLY);
    struct json_span files;

    serve_json_members(result, len, names, 1, &files);
    if (files.len > 2 && open_note(&note, "session.files", run->hosted) >= 0 &&
        buf_adds(&note, "\"files\":") >= 0 && buf_add(&note, files.text, files.len) >= 0 &&
        buf_adds(&note, "}}") >= 0)
        serve_notify(run->serve, run->peer, run->hosted, note.data, note.len);
}

/* `result` is NULL if there is none. */
static void tell_outcome(struct hosted_run *run, const struct retort_result *result,
                         const struct retort_error *error) {
    size_t len = 0;
    const char *text = result ? retort_result_json(result, &len) : NULL;

    flush_output(run);
    if (text)
        send_files(run, text, len);
    session_tell_end(run->serve, run->hosted, text, len, error->message);
}

int session_run(struct serve *serve, struct peer *peer, struct hosted *hosted, const char *code,
                size_t len, const struct retort_limits *limits, const atomic_bool *cancel,
                struct retort_result **ret_result, struct retort_error *error) {
    struct hosted_run run = {.serve = serve, .peer = peer, .hosted = hosted, .cancel = cancel};
    struct retort_callbacks callbacks = {.user = &run,
                                         .output = hosted_on_output,
                                         .display = on_display,
                                         .tool = hosted_on_tool,
                                         .cancelled = on_cancelled,
                                         .tick = peer->tick ? on_tick : NULL};
    struct retort_execute_options options = {.limits = *limits, .callbacks = &callbacks};
    uint64_t start = now_ns();
    int r = caps_cell(&hosted->caps, limits, error);

    if (r < 0)
        return r;
    begin_cell(hosted, limits->timeout, start);
    session_tell_begin(serve, hosted);
    r = retort_execute(hosted->session, code, len, &options, ret_result, error);
    metrics_latency(&serve->metrics, now_ns() - start);
    tell_outcome(&run, r < 0 ? NULL : *ret_result, error);
    hosted_end_cell(hosted, r >= 0);
    if (r >= 0 && strcmp(retort_result_status(*ret_result), "ok") == 0)
        atomic_fetch_add(&serve->metrics.cells_ok, 1);
    else
        atomic_fetch_add(&serve->metrics.cells_failed, 1);
    return r;
}

/* --- ending --- */

/* Under the lock, so that the cell which is interrupted is the one that was meant: it cannot end,
 * and another begin, in between. */
bool session_stop(struct serve *serve, struct hosted *hosted) {
    bool running;

    pthread_mutex_lock(&hosted->lock);
    running = hosted->interrupted = hosted->running;
    retort_interrupt(hosted->session);
    pthread_mutex_unlock(&hosted->lock);
    tools_cancel(serve->tools, hosted, NULL, "interrupted");
    return running;
}

void session_end(struct serve *serve, struct hosted *hosted) {
    registry_remove(serve->registry, hosted);
}
