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
#include "base/unconst.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/command.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "skills/skillset.h"

#define TOOL_TIMEOUT_S 60

struct tool_call {
    struct tool_call *next;
    char id[96];
    const struct hosted *hosted;
    struct peer *peer;
    const json_t *tool; /* its description */
    bool asking;        /* it asks for consent: the tool is not called yet */
    bool done, allowed;
    char by[65];
    char door[16]; /* by which it was decided */
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

const json_t *tools_find_tool(const json_t *list, const char *name) {
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

int tools_check(const json_t *list, struct retort_error *error) {
    for (size_t i = 0; i < json_array_size(list) && i <= MAX_TOOLS; i++)
        TRY(check_tool(list, i, error));
    return 0;
}

/* Offers the client's tools together with those of its skills, and remembers them. */
static int tools_offer(struct hosted *hosted, const json_t *list, const struct skillset *skills,
                       const json_t *beside, struct retort_error *error) {
    scoped_json *all = json_copy(unconst(list));
    scoped_free char *text = NULL, *whole = NULL;

    if (skills)
        json_array_extend(all, unconst(skillset_tools(skills)));
    if (json_array_size(all) > MAX_TOOLS)
        return err_set(error, ERR_LIMIT, E2BIG, "more than %d tools", MAX_TOOLS);
    text = serve_json_text(all);
    if (!text)
        return err_memory(error);
    if (json_object_size(beside)) {
        scoped_json *with = json_copy(unconst(beside));
        json_object_set(with, "tools", all);
        whole = serve_json_text(with);
        if (!whole)
            return err_memory(error);
    }
    int r = retort_tools(hosted->session, whole ? whole : text, error);
    if (r < 0)
        return r;
    pthread_mutex_lock(&hosted->lock);
    free(hosted->tools);
    hosted->tools = TAKE(text);
    pthread_mutex_unlock(&hosted->lock);
    return 0;
}

int tools_register(struct hosted *hosted, const json_t *params, struct retort_error *error) {
    const json_t *list = json_object_get(params, "tools");
    scoped_json *beside = json_pack("{s:O*,s:O*}", "files", json_object_get(params, "files"),
                                    "policy", json_object_get(params, "policy"));
    TRY(tools_check(list, error));
    return tools_offer(hosted, list, hosted->skills, beside, error);
}

int tools_equip(struct serve *serve, struct hosted *hosted, struct retort_error *error) {
    const json_t *own = serve->defaults ? serve->defaults->tools : NULL;
    scoped_json *shown = own ? command_shown(own) : NULL;

    return shown ? tools_register(hosted, shown, error) : 0;
}

/* The tools that a client has registered. */
static json_t *tools_own(struct hosted *hosted) {
    scoped_json *all = hosted->tools ? json_in_text(hosted->tools, 0, NULL) : NULL;
    json_t *own = json_array(), *tool;
    size_t i;

    json_array_foreach(all, i, tool) {
        if (!json_object_get(tool, "skill"))
            json_array_append(own, tool);
    }
    return own;
}

int tools_use(struct hosted *hosted, struct skillset *skills, struct retort_error *error) {
    scoped_json *own = tools_own(hosted);
    int r = tools_offer(hosted, own, skills, NULL, error);

    if (r < 0) {
        skillset_unref(skills);
        return r;
    }
    pthread_mutex_lock(&hosted->lock);
    struct skillset *before = hosted->skills;
    hosted->skills = skills;
    pthread_mutex_unlock(&hosted->lock);
    skillset_unref(before);
    return 0;
}

/* --- calls --- */

char *tools_refuse(char **ret_failure, const char *fmt, ...) {
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

static void open_call(struct serve *serve, struct tool_call *p) {
    struct tools *tools = serve->tools;

    pthread_mutex_lock(&tools->lock);
    snprintf(p->id, sizeof p->id, "t_%llu%s%s", ++tools->last, serve->clustered ? "@" : "",
             serve->clustered ? serve->clustered->node : "");
    p->next = tools->open;
    tools->open = p;
    pthread_mutex_unlock(&tools->lock);
}

/* While a cell waits for a tool, it cannot look at its clock. We wait a little longer than the cell
 * has: so the cell finds that its time is over. If the call failed before that, the code would go
 * on. */
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
    struct serve_event event = SERVE_EVENT(p->asking ? EVENT_APPROVAL : EVENT_TOOL_CALL, p->hosted);
    scoped_buf members = BUF_INIT(MAX_REPLY);

    if (tools_add_call(&members, p, name, arguments) < 0)
        return false;
    event.text = members.data;
    event.len = members.len;
    bool heard = serve_notify(serve, p->peer, &event);
    if (p->asking && p->peer->consult)
        heard |= p->peer->consult(p->peer, &(struct tools_question){p->id, name, arguments});
    return heard;
}

static void tools_settle(struct tools *tools, struct tool_call *p, char *value,
                         const char *failure) {
    p->done = true;
    p->value = value;
    p->failure = failure ? strdup(failure) : NULL;
    pthread_cond_broadcast(&tools->answered);
}

static void tools_fail(struct tools *tools, struct tool_call *p, const char *failure) {
    pthread_mutex_lock(&tools->lock);
    if (!p->done)
        tools_settle(tools, p, NULL, failure);
    pthread_mutex_unlock(&tools->lock);
}

/* A call of this owner; under the lock. */
static struct tool_call *find_open(struct tools *tools, const char *owner, const char *call,
                                   bool asking) {
    for (struct tool_call *p = tools->open; p; p = p->next)
        if (!p->done && p->asking == asking && strcmp(p->id, call) == 0 &&
            strcmp(p->hosted->owner, owner) == 0)
            return p;
    return NULL;
}

/* Sends the call and waits; p->done if there was an answer in time. */
static void carry_out(struct serve *serve, struct hosted *hosted, struct tool_call *p,
                      const json_t *arguments) {
    const char *name = json_string_value(json_object_get(p->tool, "name"));

    open_call(serve, p);
    /* An interrupt first sets its flag and then ends the open calls. So this call meets one of the
     * two. */
    if (hosted_interrupted(hosted))
        tools_cancel(serve->tools, hosted, NULL, "interrupted");
    else if (!deliver(serve, p, name, arguments))
        tools_fail(serve->tools, p,
                   p->asking ? "nobody can be asked whether it may be called: tools.approve and "
                               "the page decide for those who listen to the session, and clients "
                               "of MCP that offer elicitation"
                             : "no client is listening for tool calls");
    wait_for_answer(serve->tools, p);
    if (p->asking && p->peer->consulted)
        p->peer->consulted(p->peer);
}

/* --- approval --- */

char *tools_shown(const json_t *arguments) {
    static const char *const turning[] = {"\xc2",     "\xd8\x9c", "\xe2\x80",
                                          "\xe2\x81", "\xef\xbb", "\xf3\xa0"};
    scoped_free char *text = serve_json_text(arguments);
    bool plain = text;

    for (size_t i = 0; plain && i < sizeof turning / sizeof *turning; i++)
        plain = !strstr(text, turning[i]);
    return plain ? TAKE(text) : json_whole(arguments, JSON_COMPACT | JSON_ENSURE_ASCII);
}

/* The session runs a cell now, so its record cannot be written: that is done when the cell has
 * ended. */
static void keep_approval(struct hosted *hosted, const struct tool_call *p, const char *verdict,
                          const json_t *arguments) {
    json_t *entry = json_pack("{s:s,s:s,s:O,s:O,s:s,s:s,s:s}", "event", "approval", "call", p->id,
                              "name", json_object_get(p->tool, "name"), "arguments", arguments,
                              "verdict", verdict, "by", p->by, "door", p->door);

    pthread_mutex_lock(&hosted->lock);
    if (!hosted->approvals)
        hosted->approvals = json_array();
    if (entry)
        json_array_append_new(hosted->approvals, entry);
    pthread_mutex_unlock(&hosted->lock);
}

void tools_note_approvals(struct hosted *hosted) {
    pthread_mutex_lock(&hosted->lock);
    json_t *list = hosted->approvals;
    hosted->approvals = NULL;
    pthread_mutex_unlock(&hosted->lock);
    tools_note(hosted->session, list);
}

void tools_note(struct retort_session *session, json_t *decisions) {
    struct retort_error error;
    size_t i;
    json_t *entry;

    json_array_foreach(decisions, i, entry) {
        scoped_free char *text = serve_json_text(entry);
        if (text)
            retort_note(session, "approval", text, &error);
    }
    json_decref(decisions);
}

/* Tells everybody who was asked that the call is decided. */
static void tell_decision(struct serve *serve, const struct tool_call *p, const char *verdict) {
    struct serve_event event = SERVE_EVENT(EVENT_DECIDED, p->hosted);
    scoped_buf members = BUF_INIT(MAX_REPLY);
    const char *name = json_string_value(json_object_get(p->tool, "name"));

    if (buf_printf(&members, "\"call\":\"%s\",\"name\":", p->id) < 0 ||
        buf_json_string(&members, name, strlen(name)) < 0 ||
        buf_printf(&members, ",\"verdict\":\"%s\",\"by\":", verdict) < 0 ||
        buf_json_string(&members, p->by, strlen(p->by)) < 0)
        return;
    event.text = members.data;
    event.len = members.len;
    serve_notify(serve, p->peer, &event);
}

/* Whether somebody allowed this call. Only then is it made. */
static bool has_consent(struct serve *serve, struct hosted *hosted, struct peer *peer,
                        const json_t *tool, const json_t *arguments, char **ret_failure) {
    struct tool_call p = {.hosted = hosted, .peer = peer, .tool = tool, .asking = true};
    const char *wanted = json_string_value(json_object_get(tool, "approval"));
    const char *name = json_string_value(json_object_get(tool, "name"));

    if (!wanted || strcmp(wanted, "ask") != 0)
        return true;
    carry_out(serve, hosted, &p, arguments);
    const char *verdict = p.allowed ? "allowed"
                          : p.by[0] ? "denied"
                          : p.done  ? "cancelled"
                                    : "expired";
    keep_approval(hosted, &p, verdict, arguments);
    tell_decision(serve, &p, verdict);
    if (!p.done)
        tools_refuse(ret_failure, "nobody allowed the call of %s in time", name);
    else
        *ret_failure = p.failure;
    return p.allowed;
}

int tools_approve(struct tools *tools, const char *owner, const char *call,
                  const struct tools_decision *d, struct retort_error *error) {
    struct tool_call *p;
    char why[300];

    if (d->by && strlen(d->by) > 64)
        return err_set(error, ERR_CALLER, EINVAL, "by: at most 64 characters");
    snprintf(why, sizeof why, "the call was not allowed%s%.200s", d->reason ? ": " : "",
             d->reason ? d->reason : "");
    pthread_mutex_lock(&tools->lock);
    p = find_open(tools, owner, call, true);
    if (p) {
        p->allowed = d->allow;
        snprintf(p->door, sizeof p->door, "%s", d->door ? d->door : "");
        snprintf(p->by, sizeof p->by, "%s", d->by && *d->by ? d->by : *owner ? owner : "client");
        tools_settle(tools, p, NULL, d->allow ? NULL : why);
    }
    pthread_mutex_unlock(&tools->lock);
    return p ? 0 : err_set(error, ERR_CALLER, ENOENT, "no such call waits for a decision");
}

void tools_withdraw(struct tools *tools, const char *call, const char *reason) {
    pthread_mutex_lock(&tools->lock);
    for (struct tool_call *p = tools->open; p; p = p->next)
        if (!p->done && p->asking && strcmp(p->id, call) == 0)
            tools_settle(tools, p, NULL, reason);
    pthread_mutex_unlock(&tools->lock);
}

bool tools_may_ask(struct hosted *hosted) {
    pthread_mutex_lock(&hosted->lock);
    scoped_json *list = hosted->tools ? json_in_text(hosted->tools, 0, NULL) : NULL;
    pthread_mutex_unlock(&hosted->lock);
    const char *wanted;
    json_t *tool;
    size_t i;

    json_array_foreach(list, i, tool) {
        wanted = json_string_value(json_object_get(tool, "approval"));
        if (wanted && strcmp(wanted, "ask") == 0)
            return true;
    }
    return false;
}

/* The tool's command, if the server has a file of tools: then no client registers any. */
static const json_t *command_of(const struct serve *serve, const char *name) {
    const json_t *own = serve->defaults ? serve->defaults->tools : NULL;
    const json_t *list = json_object_get(own, "tools");

    return list ? json_object_get(tools_find_tool(list, name), "command") : NULL;
}

static bool call_cancelled(void *user) {
    return hosted_interrupted(user);
}

/* A tool of the server's own file. */
static char *run_command(struct hosted *hosted, const json_t *argv, const json_t *arguments,
                         char **ret_failure) {
    uint64_t patience = now_ns() + TOOL_TIMEOUT_S * 1000000000ull, cell = cell_deadline(hosted);
    struct tool_command command = {.argv = argv,
                                   .until_ns = cell < patience ? cell : patience,
                                   .cancelled = call_cancelled,
                                   .user = hosted};

    return command_call(&command, arguments, ret_failure);
}

static char *run_call(struct serve *serve, struct hosted *hosted, struct peer *peer,
                      const json_t *tool, const json_t *arguments, char **ret_failure) {
    struct tool_call p = {.hosted = hosted, .peer = peer, .tool = tool};
    const char *name = json_string_value(json_object_get(tool, "name"));

    if (!has_consent(serve, hosted, peer, tool, arguments, ret_failure))
        return NULL;
    if (command_of(serve, name))
        return run_command(hosted, command_of(serve, name), arguments, ret_failure);
    carry_out(serve, hosted, &p, arguments);
    if (!p.done)
        return tools_refuse(ret_failure, "the tool %s did not answer in time", name);
    *ret_failure = p.failure;
    return p.value;
}

/* The session and client whose code calls a skill. */
struct skill_caller {
    struct serve *serve;
    struct hosted *hosted;
    struct peer *peer;
};

static bool skill_cancelled(void *user) {
    return hosted_interrupted(((const struct skill_caller *)user)->hosted);
}

/* A tool of the client, for a skill that declares it. We prove where data goes only for the
 * caller's cells, not for skills: so a tool with sinks is not lent. */
static char *lend_to_skill(void *user, const char *name, const char *arguments,
                           char **ret_failure) {
    const struct skill_caller *caller = user;
    unsigned calls;
    scoped_json *list = registered(caller->hosted, &calls);
    const json_t *tool = list ? tools_find_tool(list, name) : NULL;

    if (json_object_get(tool, "skill") || json_object_size(json_object_get(tool, "sinks")))
        return tools_refuse(ret_failure, "the tool %s is not for skills", name);
    return tools_call(caller->serve, caller->hosted, caller->peer, name, arguments, ret_failure);
}

/* Runs the skill in its own session, for as long as the cell has left. We take a reference to the
 * skills: an agent's cells take no turn, so the session may get other skills meanwhile. */
static char *call_skill(struct skill_caller *caller, const char *name, const char *arguments,
                        char **ret_failure) {
    struct hosted *hosted = caller->hosted;
    uint64_t now = now_ns(), end = cell_deadline(hosted);
    struct runner_patience patience = {.caller = hosted->session,
                                       .seconds = end > now ? (double)(end - now) / 1e9 : 0.01,
                                       .cancelled = skill_cancelled,
                                       .tool = lend_to_skill,
                                       .user = caller};

    pthread_mutex_lock(&hosted->lock);
    struct skillset *skills = skillset_ref(hosted->skills);
    pthread_mutex_unlock(&hosted->lock);
    char *value = skillset_call(skills, name, arguments, &patience, ret_failure);
    skillset_unref(skills);
    return value;
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
    if (json_object_get(tool, "skill"))
        return call_skill(&(struct skill_caller){serve, hosted, peer}, name, arguments,
                          ret_failure);
    return run_call(serve, hosted, peer, tool, args, ret_failure);
}

int tools_answer(struct tools *tools, const char *owner, const char *call, const json_t *value,
                 const char *failure, struct retort_error *error) {
    scoped_free char *text = value ? serve_json_text(value) : NULL;
    struct tool_call *p;

    if (text && strlen(text) > MAX_TOOL_BYTES)
        failure = "the result of the tool is too large";
    pthread_mutex_lock(&tools->lock);
    p = find_open(tools, owner, call, false);
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
