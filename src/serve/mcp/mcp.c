#include "serve/mcp/mcp.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/toolschema.h"
#include "base/unconst.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_impl.h"

static const char *const legacy_versions[] = {"2024-11-05", "2025-03-26", "2025-06-18",
                                              MCP_NEWEST_LEGACY};

static bool is_legacy_version(const char *version) {
    for (size_t i = 0; i < sizeof legacy_versions / sizeof *legacy_versions; i++)
        if (strcmp(version, legacy_versions[i]) == 0)
            return true;
    return false;
}

/* --- what handlers ask of a call --- */

void *mcp_user(const struct mcp_call *call) {
    return call->mcp->table->user;
}

struct mcp *mcp_of(const struct mcp_call *call) {
    return call->mcp;
}

const struct peer *mcp_peer(const struct mcp_call *call) {
    return &call->peer;
}

const char *mcp_owner(const struct mcp_call *call) {
    return call->peer.owner;
}

bool mcp_is_modern(const struct mcp_call *call) {
    return call->modern;
}

bool mcp_at_least(const struct mcp_call *call, const char *version) {
    return strcmp(call->version, version) >= 0;
}

/* Called under the lock, because another initialize may replace the capabilities. */
static const json_t *capability_of(const struct mcp_call *call, const char *name) {
    const json_t *all = call->modern    ? json_object_get(call->meta, META("clientCapabilities"))
                        : call->session ? call->session->capabilities
                                        : NULL;

    return json_object_get(all, name);
}

bool mcp_client_can(const struct mcp_call *call, const char *capability) {
    pthread_mutex_lock(&call->mcp->lock);
    bool can = capability_of(call, capability) != NULL;
    pthread_mutex_unlock(&call->mcp->lock);
    return can;
}

bool mcp_client_has_forms(const struct mcp_call *call) {
    pthread_mutex_lock(&call->mcp->lock);
    const json_t *can = capability_of(call, "elicitation");
    bool forms = can && (json_object_size(can) == 0 || json_object_get(can, "form"));
    pthread_mutex_unlock(&call->mcp->lock);
    return forms;
}

void **mcp_session_data(struct mcp_call *call) {
    return call->home ? &call->home->data : NULL;
}

void mcp_lock(struct mcp_call *call) {
    pthread_mutex_lock(&call->mcp->lock);
}

void mcp_unlock(struct mcp_call *call) {
    pthread_mutex_unlock(&call->mcp->lock);
}

const json_t *mcp_input_responses(const struct mcp_call *call) {
    return json_object_get(call->msg.params, "inputResponses");
}

const char *mcp_request_state(const struct mcp_call *call) {
    return json_string_value(json_object_get(call->msg.params, "requestState"));
}

int mcp_fail(struct mcp_call *call, int code, json_t *data, const char *fmt, ...) {
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(call->reason, sizeof call->reason, fmt, ap);
    va_end(ap);
    json_decref(call->data);
    call->code = code;
    call->data = data;
    call->status = 200;
    return -1;
}

static int fail_with_status(struct mcp_call *call, int status, int code, const char *reason) {
    mcp_fail(call, code, NULL, "%s", reason);
    call->status = call->modern ? status : 200;
    return -1;
}

json_t *mcp_text_result(const char *text, bool is_error) {
    return json_pack("{s:[{s:s, s:o}], s:b}", "content", "type", "text", "text",
                     serve_json_string(text), "isError", is_error);
}

bool mcp_wants_progress(const struct mcp_call *call) {
    return call->progress != NULL;
}

void mcp_progress(struct mcp_call *call, double progress, double total, const char *message) {
    json_t *params;

    if (!call->progress)
        return;
    params = json_pack("{s:O, s:f}", "progressToken", call->progress, "progress", progress);
    if (total >= 0)
        json_object_set_new(params, "total", json_real(total));
    if (message)
        json_object_set_new(params, "message", json_string(message));
    mcp_send_note(call->link, "notifications/progress", params);
}

int mcp_level(const char *name) {
    static const char *const names[] = {"debug", "info",     "notice", "warning",
                                        "error", "critical", "alert",  "emergency"};

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return (int)i;
    return -1;
}

bool mcp_wants_log(struct mcp_call *call, const char *level) {
    int least = call->log_level;

    if (!call->modern && call->session) {
        pthread_mutex_lock(&call->mcp->lock);
        least = call->session->log_level;
        pthread_mutex_unlock(&call->mcp->lock);
    }
    return least >= 0 && mcp_level(level) >= least;
}

void mcp_log(struct mcp_call *call, const char *level, const char *logger, json_t *data) {
    if (!mcp_wants_log(call, level)) {
        json_decref(data);
        return;
    }
    mcp_send_note(call->link, "notifications/message",
                  json_pack("{s:s, s:s, s:o}", "level", level, "logger", logger, "data", data));
}

/* --- capabilities and identity --- */

static json_t *server_info(const struct mcp_table *table) {
    return json_pack("{s:s, s:s, s:s}", "name", table->name, "title", table->title, "version",
                     table->version);
}

static json_t *capabilities(const struct mcp_table *table) {
    json_t *all = json_pack("{s:{}, s:{}}", "tools", "logging");

    if (table->changes)
        json_object_set_new(json_object_get(all, "tools"), "listChanged", json_true());
    if (table->prompts)
        json_object_set_new(all, "prompts",
                            table->changes ? json_pack("{s:b}", "listChanged", 1) : json_object());
    if (table->list_resources)
        json_object_set_new(all, "resources",
                            table->changes
                                ? json_pack("{s:b, s:b}", "listChanged", 1, "subscribe", 1)
                                : json_object());
    if (table->complete)
        json_object_set_new(all, "completions", json_object());
    return all;
}

/* --- methods --- */

static int do_discover(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const struct mcp_table *table = call->mcp->table;

    (void)params;
    *ret_result = json_pack("{s:[s], s:o, s:s}", "supportedVersions", MCP_MODERN, "capabilities",
                            capabilities(table), "instructions", table->instructions);
    return 0;
}

static int do_initialize(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const struct mcp_table *table = call->mcp->table;
    const char *asked = json_string_value(json_object_get(params, "protocolVersion"));
    struct mcp_session *session = call->session;

    if (!asked)
        return mcp_fail(call, RPC_PARAMS, NULL, "protocolVersion is missing");
    if (!session)
        session = call->session = mcp_session_make(call->mcp, call->peer.owner);
    if (!session)
        return mcp_fail(call, RPC_BUSY, NULL, "too many MCP sessions are in use");
    pthread_mutex_lock(&call->mcp->lock);
    snprintf(session->version, sizeof session->version, "%s",
             is_legacy_version(asked) ? asked : MCP_NEWEST_LEGACY);
    json_decref(session->capabilities);
    session->capabilities = json_incref(json_object_get(params, "capabilities"));
    pthread_mutex_unlock(&call->mcp->lock);
    *ret_result = json_pack("{s:s, s:o, s:o, s:s}", "protocolVersion", session->version,
                            "capabilities", capabilities(table), "serverInfo", server_info(table),
                            "instructions", table->instructions);
    return 0;
}

static int do_ping(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    (void)call, (void)params;
    *ret_result = json_object();
    return 0;
}

static int do_set_level(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    int level = mcp_level(json_string_value(json_object_get(params, "level")));

    if (level < 0)
        return mcp_fail(call, RPC_PARAMS, NULL, "no such log level");
    pthread_mutex_lock(&call->mcp->lock);
    if (call->session)
        call->session->log_level = level;
    pthread_mutex_unlock(&call->mcp->lock);
    *ret_result = json_object();
    return 0;
}

static json_t *mcp_from_text(const char *text) {
    return text ? json_in_text(text, 0, NULL) : NULL;
}

static void set_if(json_t *object, const char *name, json_t *value) {
    if (value)
        json_object_set_new(object, name, value);
}

static json_t *schema_of(const struct mcp_call *call, const struct mcp_tool *tool) {
    return json_array_get(call->mcp->schemas, (size_t)(tool - call->mcp->table->tools));
}

static json_t *describe_tool(const struct mcp_call *call, const struct mcp_tool *tool) {
    json_t *one = json_pack("{s:s, s:s, s:O}", "name", tool->name, "description", tool->description,
                            "inputSchema", schema_of(call, tool));

    if (mcp_at_least(call, "2025-06-18")) {
        set_if(one, "title", tool->title ? json_string(tool->title) : NULL);
        set_if(one, "outputSchema", mcp_from_text(tool->output_schema));
    }
    if (mcp_at_least(call, "2025-03-26"))
        set_if(one, "annotations", mcp_from_text(tool->annotations));
    return one;
}

static int do_list_tools(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const struct mcp_table *table = call->mcp->table;
    json_t *list = json_array();
    scoped_json *more = NULL;

    for (const struct mcp_tool *tool = table->tools; tool->name; tool++)
        json_array_append_new(list, describe_tool(call, tool));
    if (table->more_tools && table->more_tools(call, params, &more) == 0)
        json_array_extend(list, more);
    *ret_result = json_pack("{s:o}", "tools", list);
    return 0;
}

static const struct mcp_tool *mcp_find_tool(const struct mcp_table *table, const char *name) {
    for (const struct mcp_tool *tool = table->tools; name && tool->name; tool++)
        if (strcmp(tool->name, name) == 0)
            return tool;
    return NULL;
}

/* A modern client may repeat a call with answers; they must have the right form. */
static bool input_has_form(const struct mcp_call *call) {
    const json_t *responses = mcp_input_responses(call);
    const json_t *state = json_object_get(call->msg.params, "requestState");
    const char *key;
    json_t *one;

    if ((responses && !json_is_object(responses)) || (state && !json_is_string(state)))
        return false;
    json_object_foreach(unconst(responses), key, one) {
        if (!json_is_object(one))
            return false;
    }
    return true;
}

/* Models send null for what they leave out. */
static json_t *without_nulls(const json_t *arguments) {
    json_t *kept = json_object(), *value;
    const char *name;

    json_object_foreach(unconst(arguments), name, value) {
        if (!json_is_null(value))
            json_object_set(kept, name, value);
    }
    return kept;
}

static int mcp_run_tool(struct mcp_call *call, const struct mcp_tool *tool, const json_t *arguments,
                        json_t **ret_result) {
    scoped_json *given = without_nulls(arguments);
    char why[200];

    if (!given)
        return mcp_fail(call, RPC_BUG, NULL, "out of memory");
    if (toolschema_check(schema_of(call, tool), given, why, sizeof why) < 0)
        return mcp_fail(call, RPC_PARAMS, NULL, "arguments of %s: %s", tool->name, why);
    return tool->run(call, given, ret_result);
}

static int do_call_tool(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const char *name = json_string_value(json_object_get(params, "name"));
    const struct mcp_tool *tool = mcp_find_tool(call->mcp->table, name);
    const json_t *arguments = json_object_get(params, "arguments");

    if (arguments && !json_is_object(arguments))
        return mcp_fail(call, RPC_PARAMS, NULL, "arguments must be an object");
    if (!tool && call->mcp->table->call_more)
        return call->mcp->table->call_more(call, params, ret_result);
    if (!tool)
        return mcp_fail(call, RPC_PARAMS, NULL, "unknown tool: %.100s", name ? name : "");
    if (!input_has_form(call))
        return mcp_fail(call, RPC_PARAMS, NULL, "inputResponses must map names to objects");
    if (tool->needs && !mcp_client_can(call, tool->needs)) {
        mcp_fail(call, MCP_MISSING_CAPABILITY,
                 json_pack("{s:{s:{}}}", "requiredCapabilities", tool->needs),
                 "%s needs the client capability %s", tool->name, tool->needs);
        call->status = 400;
        return -1;
    }
    return mcp_run_tool(call, tool, arguments, ret_result);
}

static int do_list_resources(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    return call->mcp->table->list_resources(call, params, ret_result);
}

static int do_list_templates(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    return call->mcp->table->list_templates(call, params, ret_result);
}

static int do_read_resource(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const json_t *uri = json_object_get(params, "uri");

    if (!json_is_string(uri))
        return mcp_fail(call, RPC_PARAMS, NULL, "uri is missing");
    return call->mcp->table->read_resource(call, uri, ret_result);
}

static int do_subscribe(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const char *uri = json_string_value(json_object_get(params, "uri"));

    if (!uri || !call->session)
        return mcp_fail(call, RPC_PARAMS, NULL, "uri is missing");
    pthread_mutex_lock(&call->mcp->lock);
    if (json_object_size(call->session->subscriptions) < MAX_SUBSCRIPTIONS)
        json_object_set_new(call->session->subscriptions, uri, json_true());
    pthread_mutex_unlock(&call->mcp->lock);
    *ret_result = json_object();
    return 0;
}

static int do_unsubscribe(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const char *uri = json_string_value(json_object_get(params, "uri"));

    if (!uri || !call->session)
        return mcp_fail(call, RPC_PARAMS, NULL, "uri is missing");
    pthread_mutex_lock(&call->mcp->lock);
    json_object_del(call->session->subscriptions, uri);
    pthread_mutex_unlock(&call->mcp->lock);
    *ret_result = json_object();
    return 0;
}

static json_t *describe_prompt(const struct mcp_prompt *prompt) {
    json_t *one = json_pack("{s:s, s:s}", "name", prompt->name, "description", prompt->description);

    set_if(one, "title", prompt->title ? json_string(prompt->title) : NULL);
    set_if(one, "arguments", mcp_from_text(prompt->arguments));
    return one;
}

static int do_list_prompts(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    json_t *list = json_array();

    (void)params;
    for (const struct mcp_prompt *prompt = call->mcp->table->prompts; prompt->name; prompt++)
        json_array_append_new(list, describe_prompt(prompt));
    *ret_result = json_pack("{s:o}", "prompts", list);
    return 0;
}

static int do_get_prompt(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const char *name = json_string_value(json_object_get(params, "name"));

    if (!input_has_form(call))
        return mcp_fail(call, RPC_PARAMS, NULL, "inputResponses must map names to objects");
    for (const struct mcp_prompt *prompt = call->mcp->table->prompts; name && prompt->name;
         prompt++)
        if (strcmp(prompt->name, name) == 0)
            return prompt->get(call, json_object_get(params, "arguments"), ret_result);
    return mcp_fail(call, RPC_PARAMS, NULL, "unknown prompt: %.100s", name ? name : "");
}

static int do_complete(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    return call->mcp->table->complete(call, params, ret_result);
}

/* The notifications that the client asked for and this server sends. */
static json_t *granted(const struct mcp_table *table, const json_t *asked) {
    static const char *const lists[] = {"toolsListChanged", "promptsListChanged",
                                        "resourcesListChanged", "resourceSubscriptions"};
    json_t *filter = json_object();

    for (size_t i = 0; i < 4 && table->changes; i++) {
        json_t *wanted = json_object_get(asked, lists[i]);
        bool have = i == 0 || (i == 1 ? table->prompts != NULL : table->list_resources != NULL);

        if (wanted && have)
            json_object_set(filter, lists[i], wanted);
    }
    return filter;
}

static int do_listen(struct mcp_call *call, const json_t *params, json_t **ret_result) {
    const json_t *asked = json_object_get(params, "notifications");
    const json_t *id = json_object_get(call->msg.root, "id");

    if (!json_is_object(asked))
        return mcp_fail(call, RPC_PARAMS, NULL, "notifications must be an object");
    mcp_send_note(call->link, "notifications/subscriptions/acknowledged",
                  json_pack("{s:o, s:{s:O}}", "notifications", granted(call->mcp->table, asked),
                            "_meta", META("subscriptionId"), id));
    pthread_mutex_lock(&call->mcp->lock);
    call->filter = asked;
    pthread_mutex_unlock(&call->mcp->lock);
    mcp_wait_for_end(call);
    *ret_result = json_pack("{s:{s:O}}", "_meta", META("subscriptionId"), id);
    return 0;
}

/* --- dispatch --- */

enum era { LEGACY = 1, MODERN = 2, BOTH = 3 };
enum part { ALWAYS, RESOURCES, PROMPTS, COMPLETION, CHANGES };

static const struct mcp_method {
    const char *name;
    enum era era;
    enum part part; /* served only if the table has it */
    bool cacheable; /* modern results say for how long they may be cached */
    bool streams;   /* sends messages before its reply, or takes long */
    mcp_handler *run;
} mcp_methods[] = {
    {"server/discover", MODERN, ALWAYS, true, false, do_discover},
    {"initialize", LEGACY, ALWAYS, false, false, do_initialize},
    {"ping", LEGACY, ALWAYS, false, false, do_ping},
    {"logging/setLevel", LEGACY, ALWAYS, false, false, do_set_level},
    {"tools/list", BOTH, ALWAYS, true, false, do_list_tools},
    {"tools/call", BOTH, ALWAYS, false, true, do_call_tool},
    {"resources/list", BOTH, RESOURCES, true, true, do_list_resources},
    {"resources/templates/list", BOTH, RESOURCES, true, false, do_list_templates},
    {"resources/read", BOTH, RESOURCES, true, true, do_read_resource},
    {"resources/subscribe", LEGACY, CHANGES, false, false, do_subscribe},
    {"resources/unsubscribe", LEGACY, CHANGES, false, false, do_unsubscribe},
    {"prompts/list", BOTH, PROMPTS, true, false, do_list_prompts},
    {"prompts/get", BOTH, PROMPTS, false, true, do_get_prompt},
    {"completion/complete", BOTH, COMPLETION, false, false, do_complete},
    {"subscriptions/listen", MODERN, CHANGES, false, true, do_listen},
};

static bool has_part(const struct mcp_table *table, enum part part) {
    switch (part) {
    case RESOURCES: return table->list_resources != NULL;
    case PROMPTS: return table->prompts != NULL;
    case COMPLETION: return table->complete != NULL;
    case CHANGES: return table->changes;
    case ALWAYS: break;
    }
    return true;
}

static const struct mcp_method *find_method(const struct mcp_call *call) {
    enum era era = call->modern ? MODERN : LEGACY;

    for (size_t i = 0; i < sizeof mcp_methods / sizeof *mcp_methods; i++)
        if (strcmp(mcp_methods[i].name, call->msg.method) == 0)
            return mcp_methods[i].era & era && has_part(call->mcp->table, mcp_methods[i].part)
                       ? &mcp_methods[i]
                       : NULL;
    return NULL;
}

/* White space around a field value is not part of it. */
static size_t mcp_trimmed(const char **text) {
    size_t len;

    *text += strspn(*text, " \t");
    len = strlen(*text);
    while (len > 0 && ((*text)[len - 1] == ' ' || (*text)[len - 1] == '\t'))
        len--;
    return len;
}

bool mcp_header_equals(const char *header, const char *value) {
    scoped_buf decoded = BUF_INIT(MAX_PATH);
    size_t len;

    if (!header || !value)
        return !header == !value;
    len = mcp_trimmed(&header);
    if (len >= 11 && strncmp(header, "=?base64?", 9) == 0 &&
        strncmp(header + len - 2, "?=", 2) == 0) {
        if (base64_decode(&decoded, header + 9, len - 11) < 0)
            return false;
        header = decoded.data ? decoded.data : "";
        len = decoded.len;
    }
    return len == strlen(value) && memcmp(header, value, len) == 0;
}

/* The header Mcp-Name repeats what the body calls by name. */
static const char *mcp_named(const struct mcp_call *call) {
    const char *method = call->msg.method;

    if (strcmp(method, "tools/call") == 0 || strcmp(method, "prompts/get") == 0)
        return json_string_value(json_object_get(call->msg.params, "name"));
    if (strcmp(method, "resources/read") == 0)
        return json_string_value(json_object_get(call->msg.params, "uri"));
    return NULL;
}

static void check_headers(struct mcp_call *call, const struct mcp_headers *headers) {
    const char *version = json_string_value(json_object_get(call->meta, META("protocolVersion")));
    const char *name = mcp_named(call);

    if (!headers->version || strcmp(headers->version, version) != 0)
        fail_with_status(call, 400, MCP_HEADER_MISMATCH,
                         "the header MCP-Protocol-Version differs from the message");
    else if (!mcp_header_equals(headers->method, call->msg.method))
        fail_with_status(call, 400, MCP_HEADER_MISMATCH,
                         "the header Mcp-Method differs from the message");
    else if (name && !mcp_header_equals(headers->name, name))
        fail_with_status(call, 400, MCP_HEADER_MISMATCH,
                         "the header Mcp-Name differs from the message");
}

static void check_modern(struct mcp_call *call, const struct mcp_headers *headers) {
    const json_t *version = json_object_get(call->meta, META("protocolVersion"));
    const json_t *can = json_object_get(call->meta, META("clientCapabilities"));

    if (call->msg.kind != RPC_REQUEST)
        return;
    if (!json_is_string(version) || !json_is_object(can)) {
        fail_with_status(
            call, 400, RPC_PARAMS,
            "_meta must hold " META("protocolVersion") " and " META("clientCapabilities"));
        return;
    }
    if (headers)
        check_headers(call, headers);
    if (call->code == 0 && strcmp(json_string_value(version), MCP_MODERN) != 0) {
        mcp_fail(call, MCP_UNSUPPORTED_VERSION,
                 json_pack("{s:[s], s:O}", "supported", MCP_MODERN, "requested", version),
                 "this protocol version is not supported");
        call->status = 400;
    }
}

static bool is_modern(const struct mcp_call *call, const struct mcp_headers *headers) {
    if (call->msg.kind == RPC_RESPONSE)
        return false;
    if (json_object_get(call->meta, META("protocolVersion")))
        return true;
    if (headers && headers->version && strcmp(headers->version, MCP_MODERN) == 0)
        return true;
    return strcmp(call->msg.method, "server/discover") == 0;
}

static void read_meta(struct mcp_call *call, const struct mcp_headers *headers) {
    call->meta = json_object_get(call->msg.params, "_meta");
    call->modern = is_modern(call, headers);
    call->progress = json_object_get(call->meta, "progressToken");
    if (!json_is_string(call->progress) && !json_is_integer(call->progress))
        call->progress = NULL;
    call->log_level = mcp_level(json_string_value(json_object_get(call->meta, META("logLevel"))));
    pthread_mutex_lock(&call->mcp->lock);
    snprintf(call->version, sizeof call->version, "%s",
             call->modern    ? MCP_MODERN
             : call->session ? call->session->version
                             : MCP_NEWEST_LEGACY);
    pthread_mutex_unlock(&call->mcp->lock);
    if (call->modern)
        check_modern(call, headers);
    else if (headers && headers->version && !is_legacy_version(headers->version)) {
        mcp_fail(call, RPC_INVALID, NULL, "this protocol version is not supported");
        call->status = 400;
    }
}

/* The session whose state the call works on. */
static struct mcp_session *home_of(struct mcp_call *call) {
    if (!call->session)
        return call->modern ? mcp_home(call->mcp, call->peer.owner) : NULL;
    pthread_mutex_lock(&call->mcp->lock);
    call->session->refs++;
    pthread_mutex_unlock(&call->mcp->lock);
    return call->session;
}

/* Whether the call has a turn: it takes it when it arrives. */
static bool is_ordered(const struct mcp_call *call) {
    const struct mcp_table *table = call->mcp->table;
    const struct mcp_tool *tool;

    if (!call->home || strcmp(call->msg.method, "tools/call") != 0)
        return false;
    tool = mcp_find_tool(table, json_string_value(json_object_get(call->msg.params, "name")));
    return tool ? tool->ordered : table->call_more != NULL;
}

struct mcp_call *mcp_call_new(struct mcp *mcp, const struct mcp_origin *from, const char *text,
                              size_t len) {
    struct mcp_call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    call->mcp = mcp;
    call->link = from->link;
    pthread_mutex_init(&call->cancel_lock, NULL);
    call->peer = *from->peer;
    if (from->session) {
        pthread_mutex_lock(&mcp->lock);
        from->session->refs++;
        pthread_mutex_unlock(&mcp->lock);
        call->session = from->session;
    }
    call->code = rpc_parse(text, len, &call->msg, call->reason, sizeof call->reason);
    call->status = 400;
    if (call->code == 0)
        read_meta(call, from->headers);
    if (call->code == 0 && call->msg.kind == RPC_REQUEST) {
        call->home = home_of(call);
        call->in_turn = is_ordered(call);
        mcp_call_open(call);
    }
    return call;
}

bool mcp_call_is_request(const struct mcp_call *call) {
    return call->code != 0 || call->msg.kind == RPC_REQUEST;
}

bool mcp_call_is_initialize(const struct mcp_call *call) {
    return call->msg.method && strcmp(call->msg.method, "initialize") == 0;
}

bool mcp_call_needs_session(const struct mcp_call *call) {
    return call->code == 0 && !mcp_call_is_initialize(call);
}

bool mcp_call_may_stream(const struct mcp_call *call) {
    const struct mcp_method *method;

    if (call->code || call->msg.kind != RPC_REQUEST)
        return false;
    method = find_method(call);
    return method && method->streams;
}

struct mcp_session *mcp_call_session(const struct mcp_call *call) {
    return call->session;
}

void mcp_call_refuse(struct mcp_call *call, int code, const char *message) {
    mcp_fail(call, code, NULL, "%s", message);
}

/* Every modern result says what kind it is and who speaks. */
static void finish_modern(const struct mcp_call *call, const struct mcp_method *method,
                          json_t *result) {
    json_t *meta = json_object_get(result, "_meta");

    if (!json_object_get(result, "resultType"))
        json_object_set_new(result, "resultType", json_string("complete"));
    if (!meta) {
        json_object_set_new(result, "_meta", json_object());
        meta = json_object_get(result, "_meta");
    }
    json_object_set_new(meta, META("serverInfo"), server_info(call->mcp->table));
    if (!method->cacheable)
        return;
    if (!json_object_get(result, "ttlMs"))
        json_object_set_new(result, "ttlMs", json_integer(call->mcp->table->changes ? 0 : 60000));
    if (!json_object_get(result, "cacheScope"))
        json_object_set_new(result, "cacheScope", json_string("public"));
}

static int run_request(struct mcp_call *call, json_t **ret_result) {
    const struct mcp_method *method = find_method(call);
    json_t *result = NULL;
    int r;

    if (!method)
        return fail_with_status(call, 404, RPC_NO_METHOD, "no such method");
    r = method->run(call, call->msg.params, &result);
    if (r < 0)
        return r;
    if (!result)
        return mcp_fail(call, RPC_BUG, NULL, "out of memory");
    if (call->modern)
        finish_modern(call, method, result);
    *ret_result = result;
    return 0;
}

static void take_note(struct mcp_call *call) {
    if (strcmp(call->msg.method, "notifications/cancelled") == 0)
        mcp_cancel_request(call, json_object_get(call->msg.params, "requestId"));
}

static int answer_error(struct mcp_call *call, struct buf *reply) {
    buf_reset(reply);
    rpc_error_reply(reply, call->msg.id ? call->msg.id : "null", call->code, call->reason,
                    call->data);
    return call->status;
}

int mcp_call_run(struct mcp_call *call, struct buf *reply) {
    scoped_json *result = NULL;
    scoped_buf text = BUF_INIT(MAX_REPLY);

    if (call->code)
        return answer_error(call, reply);
    if (call->msg.kind == RPC_RESPONSE)
        mcp_settle(call);
    else if (call->msg.kind == RPC_NOTIFICATION)
        take_note(call);
    if (call->msg.kind != RPC_REQUEST)
        return 202;
    run_request(call, &result);
    if (call->cancelled && !call->mcp->stopping)
        return 200;
    if (result &&
        (buf_json(&text, result) < 0 || rpc_reply(reply, call->msg.id, text.data, text.len) < 0))
        mcp_fail(call, RPC_BUG, NULL, "out of memory");
    return call->code ? answer_error(call, reply) : 200;
}

void mcp_call_free(struct mcp_call *call) {
    if (!call)
        return;
    if (!call->forked)
        mcp_call_shut(call);
    mcp_session_unref(call->mcp, call->home);
    mcp_session_unref(call->mcp, call->session);
    if (call->forked) /* only now, because mcp_free waits for forked calls */
        mcp_call_shut(call);
    pthread_mutex_destroy(&call->cancel_lock);
    rpc_message_done(&call->msg);
    json_decref(call->data);
    free(call);
}
