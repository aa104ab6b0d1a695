#include <errno.h>
#include <string.h>

#include "base/io.h"
#include "base/utf8.h"
#include "serve/hosted/caps.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/event.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"
#include "serve/hosted/tools.h"

/* Running a cell: clients, models and the agent all run their cells here. The caller hears of its
 * cell by the callbacks it gives; everybody else by the events cell.begin and cell.end. */

/* --- what other listeners hear of a cell --- */

/* Adds the cell's code, so that somebody who looks on need not wait for its record. */
static int cells_add_code(struct buf *note, const struct cell_request *request) {
    if (request->len > MAX_EVENT / 4)
        return buf_adds(note, "\"truncated\":true");
    if (buf_adds(note, "\"code\":") < 0 || buf_json_string(note, request->code, request->len) < 0)
        return -1;
    if (!request->language)
        return 0;
    return buf_adds(note, ",\"language\":") < 0
               ? -1
               : buf_json_string(note, request->language, strlen(request->language));
}

/* Called under the lock, so that a reader that attaches meanwhile neither misses the beginning nor
 * hears it twice. */
static void tell_begin(const struct cell_request *request) {
    struct serve *serve = request->serve;
    struct hosted *hosted = request->hosted;
    struct serve_event event = SERVE_EVENT(EVENT_CELL_BEGIN, hosted);
    scoped_buf members = BUF_INIT(2 * MAX_EVENT);

    if (!hub_is_open(serve->hub) || cells_add_code(&members, request) < 0)
        return;
    event.text = members.data;
    event.len = members.len;
    pthread_mutex_lock(&hosted->lock);
    hosted->first_event = hub_next(serve->hub, hosted->owner);
    serve_publish(serve, &event);
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

static int add_failure(struct buf *note, const char *failure) {
    if (buf_adds(note, "\"status\":\"failed\",\"value\":null,\"error\":{\"message\":") < 0 ||
        buf_json_string(note, failure, strlen(failure)) < 0)
        return -1;
    return buf_adds(note, "}");
}

/* `result` is NULL if there is none. */
static void tell_end(struct serve *serve, struct hosted *hosted, const struct retort_result *result,
                     const struct retort_error *error) {
    struct serve_event event = SERVE_EVENT(EVENT_CELL_END, hosted);
    scoped_buf members = BUF_INIT(2 * MAX_EVENT);
    size_t len = 0;
    const char *text = result ? retort_result_json(result, &len) : NULL;

    if (!hub_is_open(serve->hub) ||
        (text ? add_members(&members, text, len) : add_failure(&members, error->message)) < 0)
        return;
    event.text = members.data;
    event.len = members.len;
    serve_publish(serve, &event);
}

/* --- the cell --- */

struct hosted_run {
    const struct cell_request *request;
    const struct cell_listener *told;
};

static void pass_output(void *user, enum retort_stream stream, const char *text, size_t len,
                        uint64_t time_ns) {
    const struct hosted_run *run = user;

    if (run->told->output)
        run->told->output(run->told->user, stream, text, len, time_ns);
}

static void pass_display(void *user, const char *display) {
    const struct hosted_run *run = user;

    if (run->told->display)
        run->told->display(run->told->user, display);
}

static void pass_network(void *user, const char *event) {
    const struct hosted_run *run = user;

    if (run->told->network)
        run->told->network(run->told->user, event);
}

static char *pass_tool(void *user, const char *name, const char *arguments, char **ret_failure) {
    const struct hosted_run *run = user;

    return run->told->tool(run->told->user, name, arguments, ret_failure);
}

static void on_tick(void *user, uint64_t time_ns) {
    struct peer *peer = ((const struct hosted_run *)user)->request->peer;

    (void)time_ns;
    peer->tick(peer);
}

/* Whether the cell was given up between its turn and its start. Its time begins now: before, the
 * session cleans up after the last cell, which may take a while. */
static bool on_cancelled(void *user) {
    const struct cell_request *request = ((const struct hosted_run *)user)->request;

    pthread_mutex_lock(&request->hosted->lock);
    request->hosted->began_ns = now_ns();
    pthread_mutex_unlock(&request->hosted->lock);
    return atomic_load(&request->serve->stopping) ||
           (request->cancel && atomic_load(request->cancel)) || hosted_interrupted(request->hosted);
}

static void begin_cell(struct hosted *hosted, double timeout) {
    pthread_mutex_lock(&hosted->lock);
    hosted->interrupted = false;
    hosted->timeout = timeout;
    hosted->began_ns = now_ns();
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

static void count_cell(struct serve *serve, const struct retort_result *result) {
    bool ok = result && strcmp(retort_result_status(result), "ok") == 0;

    atomic_fetch_add(ok ? &serve->metrics.cells_ok : &serve->metrics.cells_failed, 1);
}

/* While a cell waits for its turn on the server, its client hears of it as if it ran. */
static bool cell_given_up(void *user) {
    struct peer *peer = ((const struct hosted_run *)user)->request->peer;

    if (peer->tick)
        peer->tick(peer);
    return on_cancelled(user);
}

/* Called with the server's turn, or without it if the cell was given up while it waited. */
static int hosted_execute(struct hosted_run *run, struct retort_result **ret_result,
                          struct retort_error *error) {
    const struct cell_request *request = run->request;
    struct hosted *hosted = request->hosted;
    struct retort_callbacks callbacks = {.user = run,
                                         .output = pass_output,
                                         .display = pass_display,
                                         .network = pass_network,
                                         .tool = pass_tool,
                                         .cancelled = on_cancelled,
                                         .tick = request->peer->tick ? on_tick : NULL};
    struct retort_execute_options options = {.limits = request->limits,
                                             .callbacks = &callbacks,
                                             .language = request->language,
                                             .request = request->request};

    tell_begin(request);
    int r =
        retort_execute(hosted->session, request->code, request->len, &options, ret_result, error);
    tools_note_approvals(hosted);
    if (run->told->ended)
        run->told->ended(run->told->user, r < 0 ? NULL : *ret_result);
    tell_end(request->serve, hosted, r < 0 ? NULL : *ret_result, error);
    count_cell(request->serve, r < 0 ? NULL : *ret_result);
    return r;
}

int session_execute(const struct cell_request *request, const struct cell_listener *told,
                    struct retort_result **ret_result, struct retort_error *error) {
    struct hosted_run run = {.request = request, .told = told};
    struct lane_wait wait = {.given_up = cell_given_up, .user = &run};
    struct hosted *hosted = request->hosted;
    struct lane_pass pass;
    int r = caps_cell(&hosted->caps, &request->limits, error);

    /* Asked in the session's turn: the first cell with this request id has ended. */
    if (r >= 0 && request->request)
        r = retort_answered(hosted->session, request->request, ret_result, error);
    if (r != 0)
        return r < 0 ? r : 0;
    begin_cell(hosted, request->limits.timeout);
    r = lane_enter(&request->serve->cells, hosted->owner, &wait, &pass, error);
    if (r >= 0)
        r = hosted_execute(&run, ret_result, error);
    lane_leave(&pass);
    hosted_end_cell(hosted, r >= 0);
    return clustered_settle_cell(request->serve, hosted, r, ret_result, error);
}

/* --- for a client that hears by notifications --- */

struct notifier {
    const struct cell_request *request;
    struct carry {
        char bytes[4]; /* the beginning of a character whose end has not come yet */
        size_t len;
    } carry[2];
};

static void notify(struct notifier *n, struct serve_event *event) {
    serve_notify(n->request->serve, n->request->peer, event);
}

static void send_output(struct notifier *n, enum retort_stream stream, const char *text,
                        size_t len) {
    struct serve_event event = SERVE_EVENT(EVENT_OUTPUT, n->request->hosted);

    event.stream = stream;
    event.text = text;
    event.len = len;
    if (len > 0)
        notify(n, &event);
}

static void notify_output(void *user, enum retort_stream stream, const char *text, size_t len,
                          uint64_t time_ns) {
    struct notifier *n = user;
    struct carry *carry = &n->carry[stream == RETORT_STDERR];
    scoped_buf whole = BUF_INIT(MAX_REPLY);
    size_t rest;

    (void)time_ns;
    if (carry->len) {
        if (buf_add(&whole, carry->bytes, carry->len) < 0 || buf_add(&whole, text, len) < 0)
            return;
        text = whole.data;
        len = whole.len;
    }
    rest = utf8_unfinished(text, len);
    memcpy(carry->bytes, text + len - rest, rest);
    carry->len = rest;
    send_output(n, stream, text, len - rest);
}

static void notify_json(struct notifier *n, enum serve_event_kind kind, const char *text) {
    struct serve_event event = SERVE_EVENT(kind, n->request->hosted);

    event.text = text;
    event.len = strlen(text);
    notify(n, &event);
}

static void notify_display(void *user, const char *display) {
    notify_json(user, EVENT_DISPLAY, display);
}

static void notify_network(void *user, const char *event) {
    notify_json(user, EVENT_NETWORK, event);
}

static char *notify_tool(void *user, const char *name, const char *arguments, char **ret_failure) {
    const struct cell_request *request = ((struct notifier *)user)->request;

    return tools_call(request->serve, request->hosted, request->peer, name, arguments, ret_failure);
}

static void notify_files(struct notifier *n, const struct retort_result *result) {
    static const char *const names[] = {"files"};
    struct serve_event event = SERVE_EVENT(EVENT_FILES, n->request->hosted);
    struct json_span files;
    size_t len;
    const char *text = retort_result_json(result, &len);

    serve_json_members(text, len, names, 1, &files);
    event.text = files.text;
    event.len = files.len;
    if (files.len > strlen("[]"))
        notify(n, &event);
}

static void notify_ended(void *user, const struct retort_result *result) {
    struct notifier *n = user;

    send_output(n, RETORT_STDOUT, n->carry[0].bytes, n->carry[0].len);
    send_output(n, RETORT_STDERR, n->carry[1].bytes, n->carry[1].len);
    if (result)
        notify_files(n, result);
}

int session_run(const struct cell_request *request, struct retort_result **ret_result,
                struct retort_error *error) {
    struct notifier notifier = {.request = request};
    uint64_t start = now_ns();
    int r = session_execute(request,
                            &(struct cell_listener){.user = &notifier,
                                                    .output = notify_output,
                                                    .display = notify_display,
                                                    .network = notify_network,
                                                    .tool = notify_tool,
                                                    .ended = notify_ended},
                            ret_result, error);

    metrics_latency(&request->serve->metrics, now_ns() - start);
    return r;
}
