#include "serve/hosted/tools.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/list.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"
#include "base/toolschema.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"

#define TOOL_TIMEOUT_S 60

struct tool_call {
    struct tool_call *next;
    char id[32];
    const struct hosted *hosted;
    struct peer *peer;
    const json_t *tool; /* its description */
    bool done;
    char *value, *failure;
};

struct tools {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    struct tool_call *open;
    unsigned long long last;
};

struct tools *tools_new(void) {
    struct tools *tools = calloc(1, sizeof *tools);

    if (!tools)
        return NULL;
    pthread_mutex_init(&tools->lock, NULL);
    cond_init_monotonic(&tools->answered);
    return tools;
}

void tools_free(struct tools *tools) {
    if (!tools)
        return;
    pthread_cond_destroy(&tools->answered);
    pthread_mutex_destroy(&tools->lock);
    free(tools);
}

/* --- registration --- */

static bool is_identifier(const char *s) {
    if (!s || !s[0] || strlen(s) > 64 || (s[0] >= '0' && s[0] <= '9'))
        return false;
    for (; *s; s++)
        if (!(*s == '_' || (*s >= '0' && *s <= '9') || (*s >= 'a' && *s <= 'z') ||
              (*s >= 'A' && *s <= 'Z')))
            return false;
    return true;
}

static const json_t *tools_find_tool(const json_t *list, const char *name) {
    size_t i;
    json_t *tool;

    json_array_foreach(list, i, tool) {
        if (strcmp(json_string_value(json_object_get(tool, "name")), name) == 0)
            return tool;
    }
    return NULL;
}

static int check_tool(const json_t *list, size_t i, struct retort_error *error) {
    const json_t *tool = json_array_get(list, i);
    const char *name = json_string_value(json_object_get(tool, "name"));
    const json_t *parameters = json_object_get(tool, "parameters");
    char why[160];

    if (!is_identifier(name))
        return err_set(error, ERR_CALLER, EINVAL,
                       "tools[%zu].name must be an identifier of at most 64 characters", i);
    if (tools_find_tool(list, name) != tool)
        return err_set(error, ERR_CALLER, EINVAL, "the tool %s is given twice", name);
    if (parameters && toolschema_supported(parameters, why, sizeof why) < 0)
        return err_set(error, ERR_CALLER, EINVAL, "parameters of %s: %s", name, why);
    return 0;
}

int tools_register(struct hosted *hosted, const json_t *list, struct retort_error *error) {
    scoped_free char *text = NULL;
    int r;

    if (json_array_size(list) > MAX_TOOLS)
        return err_set(error, ERR_LIMIT, E2BIG, "more than %d tools", MAX_TOOLS);
    for (size_t i = 0; i < json_array_size(list); i++) {
        r = check_tool(list, i, error);
        if (r < 0)
            return r;
    }
    text = serve_json_text(list);
    if (!text)
        return err_set(error, ERR_HOST, ENOMEM, "out of memory");
    r = retort_tools(hosted->session, text, error);
    if (r < 0)
        return r;
    pthread_mutex_lock(&hosted->lock);
    free(hosted->tools);
    hosted->tools = TAKE(text);
    pthread_mutex_unlock(&hosted->lock);
    return 0;
}

/* --- calls --- */

__attribute__((format(printf, 2, 3))) static char *tools_refuse(char **ret_failure, const char *fmt,
                                                                ...) {
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(ret_failure, fmt, ap) < 0)
        *ret_failure = NULL;
    va_end(ap);
    return NULL;
}

static json_t *registered(struct hosted *hosted, unsigned *ret_calls) {
    json_t *list = NULL;

    pthread_mutex_lock(&hosted->lock);
    if (hosted->tools)
        list = json_in_text(hosted->tools, 0, NULL);
    *ret_calls = ++hosted->tool_calls;
    pthread_mutex_unlock(&hosted->lock);
    return list;
}

/* The members that a call adds to the parameters of a notification. */
static int tools_add_call(struct buf *b, const struct tool_call *p, const char *name,
                          const json_t *arguments) {
    int r = buf_printf(b, "\"call\":\"%s\",\"name\":", p->id);

    if (r >= 0)
        r = buf_json_string(b, name, strlen(name));
    if (r >= 0)
        r = buf_adds(b, ",\"arguments\":");
    return r >= 0 ? buf_json(b, arguments) : r;
}

static void open_call(struct tools *tools, struct tool_call *p) {
    pthread_mutex_lock(&tools->lock);
    snprintf(p->id, sizeof p->id, "t_%llu", ++tools->last);
    p->next = tools->open;
    tools->open = p;
    pthread_mutex_unlock(&tools->lock);
}

/* The cell waits with its call, and cannot look at its clock meanwhile. It should then find that
 * its time is over: were the call refused a moment before, the code would have the last word. */
#define MORE_NS 10000000ull
static uint64_t cell_deadline(const struct hosted *hosted) {
    scoped_free char *text = retort_session_info(hosted->session);
    scoped_json *info = text ? json_in_text(text, 0, NULL) : NULL;
    const json_t *limits = json_object_get(info, "limits");
    double timeout = hosted->timeout > 0 ? hosted->timeout
                                         : json_number_value(json_object_get(limits, "timeout"));

    return hosted->began_ns + (uint64_t)(timeout * 1e9) + MORE_NS;
}

static void wait_for_answer(struct tools *tools, struct tool_call *p) {
    uint64_t patience = now_ns() + TOOL_TIMEOUT_S * 1000000000ull, cell = cell_deadline(p->hosted),
             until = cell < patience ? cell : patience;
    struct timespec end = {(time_t)(until / 1000000000), (long)(until % 1000000000)};

    pthread_mutex_lock(&tools->lock);
    while (!p->done)
        if (pthread_cond_timedwait(&tools->answered, &tools->lock, &end) == ETIMEDOUT)
            break;
    LIST_DROP(tools->open, p, next);
    pthread_mutex_unlock(&tools->lock);
}

static bool deliver(struct serve *serve, const struct tool_call *p, const char *name,
                    const json_t *arguments) {
    struct serve_event event = SERVE_EVENT(EVENT_TOOL_CALL, p->hosted);
    scoped_buf members = BUF_INIT(MAX_REPLY);

    if (tools_add_call(&members, p, name, arguments) < 0)
        return false;
    event.text = members.data;
    event.len = members.len;
    return serve_notify(serve, p->peer, &event);
}

static char *run_call(struct serve *serve, struct hosted *hosted, struct peer *peer,
                      const json_t *tool, const json_t *arguments, char **ret_failure) {
    struct tool_call p = {.hosted = hosted, .peer = peer, .tool = tool};
    const char *name = json_string_value(json_object_get(tool, "name"));

    open_call(serve->tools, &p);
    /* Whoever interrupts says so first and ends the open calls then: one of the two meets this. */
    if (hosted_interrupted(hosted))
        tools_cancel(serve->tools, hosted, NULL, "interrupted");
    else if (!deliver(serve, &p, name, arguments))
        tools_answer(serve->tools, hosted->owner, p.id, NULL,
                     "no client is listening for tool calls", &(struct retort_error){0});
    wait_for_answer(serve->tools, &p);
    if (!p.done)
        return tools_refuse(ret_failure, "the tool %s did not answer in time", name);
    *ret_failure = p.failure;
    return p.value;
}

char *tools_call(struct serve *serve, struct hosted *hosted, struct peer *peer, const char *name,
                 const char *arguments, char **ret_failure) {
    unsigned calls;
    char why[240];
    struct retort_error err = ERR_INIT;
    scoped_json *list = registered(hosted, &calls);
    scoped_json *args = NULL;
    const json_t *tool = list ? tools_find_tool(list, name) : NULL;
    const json_t *schema = json_object_get(tool, "parameters");

    atomic_fetch_add(&serve->metrics.tool_calls, 1);
    if (!tool)
        return tools_refuse(ret_failure, "there is no tool %s", name);
    if (calls > MAX_TOOL_CALLS)
        return tools_refuse(ret_failure, "%s: too many tool calls in one cell", name);
    if (strlen(arguments) > MAX_TOOL_BYTES)
        return tools_refuse(ret_failure, "the arguments of %s are too large", name);
    args = serve_json_parse(arguments, strlen(arguments), &err);
    if (!json_is_object(args))
        return tools_refuse(ret_failure, "the arguments of %s are not a JSON object", name);
    if (schema && toolschema_check(schema, args, why, sizeof why) < 0)
        return tools_refuse(ret_failure, "bad arguments: %s", why);
    return run_call(serve, hosted, peer, tool, args, ret_failure);
}

static void tools_settle(struct tools *tools, struct tool_call *p, char *value,
                         const char *failure) {
    p->done = true;
    p->value = value;
    p->failure = failure ? strdup(failure) : NULL;
    pthread_cond_broadcast(&tools->answered);
}

int tools_answer(struct tools *tools, const char *owner, const char *call, const json_t *value,
                 const char *failure, struct retort_error *error) {
    scoped_free char *text = value ? serve_json_text(value) : NULL;
    struct tool_call *p;

    if (text && strlen(text) > MAX_TOOL_BYTES)
        failure = "the result of the tool is too large";
    pthread_mutex_lock(&tools->lock);
    for (p = tools->open; p; p = p->next)
        if (!p->done && strcmp(p->id, call) == 0 && strcmp(p->hosted->owner, owner) == 0)
            break;
    if (p)
        tools_settle(tools, p, failure ? NULL : TAKE(text), failure);
    pthread_mutex_unlock(&tools->lock);
    return p ? 0 : err_set(error, ERR_CALLER, ENOENT, "no such tool call is open");
}

void tools_cancel(struct tools *tools, const struct hosted *hosted, const struct peer *peer,
                  const char *reason) {
    pthread_mutex_lock(&tools->lock);
    for (struct tool_call *p = tools->open; p; p = p->next)
        if (!p->done && (!hosted || p->hosted == hosted) && (!peer || p->peer == peer))
            tools_settle(tools, p, NULL, reason);
    pthread_mutex_unlock(&tools->lock);
}
