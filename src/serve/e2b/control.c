/* The control plane: makes, lists, pauses, resumes, branches and ends sandboxes, and sets their
 * time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "serve/e2b/elsewhere.h"
#include "serve/e2b/routes.h"
#include "serve/e2b/snapshots.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"

#define USUAL_S 300.0           /* for a client that names no time */
#define LONGEST_S (24 * 3600.0) /* more than any client asks for */
#define MAX_LABELS (64u << 10)  /* bytes that we hold as long as the sandbox exists */
/* Clients choose by it what they try: no metadata of files, no network mounts. */
#define ENVD_VERSION "0.6.1"

static void time_text(time_t when, char text[32]) {
    struct tm utc;

    gmtime_r(&when, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* --- what is told of a sandbox --- */

json_t *e2b_made_json(struct sandbox *s) {
    return json_pack("{s:s, s:o, s:s, s:s, s:s, s:s, s:n}", "templateID", s->template, "sandboxID",
                     sandbox_id_json(s->id), "clientID", "retort", "envdVersion", ENVD_VERSION,
                     "envdAccessToken", s->secret, "trafficAccessToken", s->secret, "domain");
}

static json_int_t limit_of(const json_t *info, const char *name) {
    const json_t *limits = json_object_get(info, "limits");

    return (json_int_t)json_number_value(json_object_get(limits, name));
}

static json_t *session_facts(struct sandbox *s) {
    scoped_free char *text = s->hosted ? retort_session_info(s->hosted->session) : NULL;

    return text ? json_in_text(text, 0, NULL) : NULL;
}

static json_t *sandbox_json(struct sandbox *s) {
    char started[32], ends[32];
    json_t *told;

    pthread_mutex_lock(&s->lock);
    scoped_json *info = session_facts(s);
    time_text(s->started, started);
    time_text(s->ends ? s->ends : s->started, ends);
    told = json_pack("{s:o, s:s, s:s, s:O, s:s, s:s, s:s, s:i, s:I, s:I, s:s}", "sandboxID",
                     sandbox_id_json(s->id), "templateID", s->template, "clientID", "retort",
                     "metadata", s->metadata, "startedAt", started, "endAt", ends, "state",
                     s->hosted ? "running" : "paused", "cpuCount", 1, "memoryMB",
                     limit_of(info, "memory") >> 20, "diskSizeMB", limit_of(info, "disk") >> 20,
                     "envdVersion", ENVD_VERSION);
    pthread_mutex_unlock(&s->lock);
    return told;
}

/* --- making one --- */

double e2b_seconds(const json_t *body) {
    const json_t *timeout = json_object_get(body, "timeout");
    double seconds = json_is_number(timeout) ? json_number_value(timeout) : USUAL_S;

    return seconds < 0 ? 0 : seconds > LONGEST_S ? LONGEST_S : seconds;
}

static bool is_everybody(const char *text) {
    return text && (strcmp(text, "0.0.0.0/0") == 0 || strcmp(text, "::/0") == 0);
}

static bool has_everybody(const json_t *list) {
    size_t i;
    const json_t *one;

    json_array_foreach(list, i, one) {
        if (is_everybody(json_string_value(one)))
            return true;
    }
    return false;
}

/* The client chooses among the network rules of this server. If it denies nobody, all of them hold
 * (NULL); if it denies everybody, only those for the hosts that it allows. */
static json_t *hosts_of(const json_t *body) {
    const json_t *network = json_object_get(body, "network"),
                 *allow = json_object_get(network, "allowOut");
    bool none = json_is_false(json_object_get(body, "allow_internet_access"));

    if ((!none && !has_everybody(json_object_get(network, "denyOut"))) || has_everybody(allow))
        return NULL;
    return json_is_array(allow) ? json_deep_copy(allow) : json_array();
}

/* A cell may take as long as its sandbox lives, unless the operator of this server set a lower
 * cap. */
static int control_make_session(struct http_request *request, const json_t *body,
                                struct hosted **ret_hosted, struct retort_error *error) {
    struct serve *serve = e2b_of(request)->serve;
    const json_t *env = json_object_get(body, "envVars");
    scoped_json *params =
        json_pack("{s:b, s:{s:f}}", "background", 1, "limits", "timeout", LONGEST_S);
    int r;

    request->peer.door = "e2b";
    if (json_is_object(env))
        json_object_set(params, "env", json_object_get(body, "envVars"));
    json_object_set_new(params, "network", hosts_of(body));
    r = session_make(serve, &request->peer, params, ret_hosted, error);
    if (r >= 0 || error->fault != RETORT_FAULT_LIMIT)
        return r;
    json_object_del(params, "limits");
    return session_make(serve, &request->peer, params, ret_hosted, error);
}

static bool wants_anything(const json_t *value) {
    return json_object_size(value) || json_array_size(value) || json_string_length(value);
}

/* Returns what our rules cannot do. They name the hosts that may be reached; they cannot deny
 * single addresses or change what is sent, and nobody reaches a sandbox from outside. */
static const char *beyond_network(const json_t *network) {
    const json_t *deny = json_object_get(network, "denyOut"), *value;
    const char *name;
    size_t i;

    json_object_foreach(unconst(network), name, value) {
        if (strcmp(name, "allowOut") != 0 && strcmp(name, "denyOut") != 0 && wants_anything(value))
            return name;
    }
    json_array_foreach(deny, i, value) {
        if (!is_everybody(json_string_value(value)))
            return "denyOut of less than 0.0.0.0/0";
    }
    return NULL;
}

static bool labels_too_long(const json_t *value) {
    scoped_free char *text = json_is_object(value) ? json_whole(value, JSON_COMPACT) : NULL;

    return text && strlen(text) > MAX_LABELS;
}

static const char *beyond(const json_t *body) {
    static const char *const names[] = {"mcp", "volumeMounts", "iam", NULL};

    if (labels_too_long(json_object_get(body, "metadata")) ||
        labels_too_long(json_object_get(body, "envVars")))
        return "more than 64 KiB of metadata or variables";

    for (const char *const *name = names; *name; name++)
        if (wants_anything(json_object_get(body, *name)))
            return *name;
    return beyond_network(json_object_get(body, "network"));
}

static enum http_result create(struct http_request *request, const json_t *body) {
    struct e2b *e2b = e2b_of(request);
    struct retort_error error = {0};
    struct hosted *hosted;
    struct sandbox *sandbox, *snapshot;
    char meant[64];
    const char *template =
        sandbox_id(json_string_value(json_object_get(body, "templateID")), meant);
    enum http_result r;
    char message[120];

    if (beyond(body)) {
        snprintf(message, sizeof message, "%s is not supported by this server", beyond(body));
        return e2b_error(request, 400, message);
    }
    snapshot = template ? e2b_find_snapshot(e2b, request->peer.owner, template) : NULL;
    if (snapshot) {
        r = e2b_create_from(request, snapshot, body);
        sandbox_unref(e2b->sandboxes, snapshot);
        return r;
    }
    if (control_make_session(request, body, &hosted, &error) < 0)
        return e2b_fault(request, &error);
    sandbox = sandboxes_add(e2b->sandboxes, &request->peer, hosted, body);
    if (!sandbox) {
        session_end(e2b->serve, hosted);
        registry_unref(e2b->serve->registry, hosted);
        return e2b_error(request, 503, "out of memory");
    }
    sandbox_extend(sandbox, e2b_seconds(body));
    e2b_save(e2b, sandbox);
    r = e2b_reply(request, 201, e2b_made_json(sandbox));
    sandbox_unref(e2b->sandboxes, sandbox);
    return r;
}

/* --- using one --- */

/* A sandbox that this server does not know may have been recorded by an earlier server. */
static struct sandbox *bring_back(struct http_request *request, const char *id) {
    struct e2b *e2b = e2b_of(request);
    struct retort_error error = {0};
    scoped_free char *owner = NULL;
    scoped_json *nothing = json_object();
    struct hosted *hosted;
    struct sandbox *sandbox = sandboxes_snapshot(e2b->sandboxes, request->peer.owner, id);

    sandbox_unref(e2b->sandboxes, sandbox);
    /* In a cluster, the values that nodes keep say which sandboxes there are. */
    if (e2b->serve->clustered)
        return NULL;
    if (sandbox || retort_owner(e2b->serve->engine, id, &owner, &error) < 0 ||
        strcmp(owner, request->peer.owner) != 0 || sandboxes_killed(e2b->sandboxes, id) ||
        session_resume(e2b->serve, &request->peer, id, &hosted, &error) < 0)
        return NULL;
    sandbox = sandboxes_add(e2b->sandboxes, &request->peer, hosted, nothing);
    if (sandbox)
        e2b_contexts_unknown(sandbox);
    else
        registry_unref(e2b->serve->registry, hosted);
    return sandbox;
}

static enum http_result sandbox_connect(struct http_request *request, struct sandbox *s,
                                        const json_t *body) {
    struct retort_error error = {0};
    struct hosted *hosted;

    if (sandbox_session(e2b_of(request)->sandboxes, s, &hosted, &error) < 0)
        return e2b_fault(request, &error);
    registry_unref(e2b_of(request)->serve->registry, hosted);
    sandbox_extend(s, e2b_seconds(body));
    e2b_save(e2b_of(request), s);
    return e2b_reply(request, 200, e2b_made_json(s));
}

static enum http_result control_timeout(struct http_request *request, struct sandbox *s,
                                        const json_t *body) {
    sandbox_extend(s, e2b_seconds(body));
    e2b_save(e2b_of(request), s);
    return http_reply(request, 204, NULL, "", 0);
}

static enum http_result control_pause(struct http_request *request, struct sandbox *s,
                                      const json_t *body) {
    (void)body;
    return sandbox_pause(e2b_of(request)->sandboxes, s)
               ? http_reply(request, 204, NULL, "", 0)
               : e2b_error(request, 409, "the sandbox is paused already");
}

static const struct {
    const char *name;
    enum http_result (*run)(struct http_request *request, struct sandbox *s, const json_t *body);
} verbs[] = {{"connect", sandbox_connect}, {"resume", sandbox_connect},
             {"timeout", control_timeout}, {"refreshes", control_timeout},
             {"pause", control_pause},     {"fork", e2b_fork},
             {"snapshots", e2b_snapshot}};

bool e2b_read_path(const char *path, char id[64], const char **ret_verb) {
    char told[64];
    size_t len;

    if (strncmp(path, "/v2/", 4) == 0)
        path += 3;
    if (strncmp(path, "/sandboxes/", 11) != 0)
        return false;
    path += strlen("/sandboxes");
    path++;
    len = strcspn(path, "/");
    if (len == 0 || len >= 64)
        return false;
    snprintf(told, sizeof told, "%.*s", (int)len, path);
    sandbox_id(told, id);
    *ret_verb = path[len] ? path + len + 1 : "";
    return true;
}

static enum http_result control_act(struct http_request *request, const char *id, const char *verb,
                                    const json_t *body) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    struct sandbox *s = sandboxes_find(sandboxes, request->peer.owner, id);
    enum http_result r;
    size_t i = 0;

    while (i < sizeof verbs / sizeof *verbs && strcmp(verbs[i].name, verb) != 0)
        i++;
    if (i == sizeof verbs / sizeof *verbs) {
        sandbox_unref(sandboxes, s);
        return e2b_unsupported(request);
    }
    if (!s && verbs[i].run == sandbox_connect)
        s = bring_back(request, id);
    if (!s)
        return e2b_error(request, 404, "sandbox not found");
    snprintf(request->session, sizeof request->session, "%s", s->id);
    r = verbs[i].run(request, s, body);
    sandbox_unref(sandboxes, s);
    return r;
}

enum http_result e2b_control_post(struct http_request *request) {
    scoped_json *body = e2b_body(request);
    char id[64];
    const char *verb;

    if (!body)
        return HTTP_DONE;
    return e2b_read_path(request->path, id, &verb) ? control_act(request, id, verb, body)
                                                   : create(request, body);
}

enum http_result e2b_unsupported(struct http_request *request) {
    char message[160];

    snprintf(message, sizeof message, "%s %.100s is not supported by this server", request->method,
             request->path);
    return e2b_error(request, 501, message);
}

enum http_result e2b_control_delete(struct http_request *request) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    struct sandbox *s = NULL;
    char id[64];
    const char *verb;

    if (e2b_read_path(request->path, id, &verb) && !verb[0])
        s = sandboxes_find(sandboxes, request->peer.owner, id);
    if (!s)
        return e2b_error(request, 404, "sandbox not found");
    sandbox_kill(sandboxes, s);
    sandbox_unref(sandboxes, s);
    return http_reply(request, 204, NULL, "", 0);
}

/* --- reading --- */

static json_t *metrics_of(struct sandbox *s) {
    char now[32];

    pthread_mutex_lock(&s->lock);
    scoped_json *info = session_facts(s);
    pthread_mutex_unlock(&s->lock);
    const json_t *account = json_object_get(info, "account");
    time_text(time(NULL), now);
    return json_pack("[{s:s, s:i, s:i, s:f, s:I, s:I, s:I, s:I, s:I}]", "timestamp", now,
                     "timestampUnix", (int)time(NULL), "cpuCount", 1, "cpuUsedPct", 0.0, "memUsed",
                     (json_int_t)json_number_value(json_object_get(account, "memory")), "memTotal",
                     limit_of(info, "memory"), "memCache", (json_int_t)0, "diskUsed",
                     (json_int_t)json_number_value(json_object_get(account, "files")), "diskTotal",
                     limit_of(info, "disk"));
}

static enum http_result control_show(struct http_request *request, const char *id,
                                     const char *verb) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    struct sandbox *s = sandboxes_find(sandboxes, request->peer.owner, id);
    enum http_result r;

    if (!s)
        return e2b_error(request, 404, "sandbox not found");
    if (!verb[0])
        r = e2b_reply(request, 200, sandbox_json(s));
    else if (strcmp(verb, "metrics") == 0)
        r = e2b_reply(request, 200, metrics_of(s));
    else
        r = e2b_unsupported(request);
    sandbox_unref(sandboxes, s);
    return r;
}

/* `query` is "a=b&c=d", decoded once already. */
static bool metadata_fits(const json_t *metadata, const char *query) {
    scoped_free char *copy = query ? strdup(query) : NULL;
    char *at = NULL;

    for (char *pair = copy ? strtok_r(copy, "&", &at) : NULL; pair;
         pair = strtok_r(NULL, "&", &at)) {
        char *equals = strchr(pair, '=');
        const char *value;

        if (!equals)
            return false;
        *equals = 0;
        value = json_string_value(json_object_get(metadata, pair));
        if (!value || strcmp(value, equals + 1) != 0)
            return false;
    }
    return true;
}

static bool wanted(const struct http_request *request, const json_t *told) {
    const char *states = http_query(request, "state");

    return (!states || strstr(states, json_string_value(json_object_get(told, "state")))) &&
           metadata_fits(json_object_get(told, "metadata"), http_query(request, "metadata"));
}

/* Sends one page of the list; the token of the next page is the index at which it begins. */
enum http_result e2b_page(struct http_request *request, const json_t *all) {
    const char *limit = http_query(request, "limit"), *token = http_query(request, "nextToken");
    size_t first = token ? strtoul(token, NULL, 10) : 0,
           most = limit ? strtoul(limit, NULL, 10) : 100;
    scoped_json *page = json_array();
    scoped_buf text = BUF_INIT(8u << 20);
    bool more = first + most < json_array_size(all);
    char next[24];

    for (size_t i = first; i < json_array_size(all) && i - first < most; i++)
        json_array_append(page, json_array_get(all, i));
    if (buf_json(&text, page) < 0)
        return e2b_error(request, 503, "out of memory");
    snprintf(next, sizeof next, "%zu", first + most);
    return http_reply_json(request, 200, &text, "x-next-token", more ? next : NULL);
}

enum http_result e2b_control_get(struct http_request *request) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    scoped_free struct sandbox **list = NULL;
    scoped_json *all = json_array();
    char id[64];
    const char *verb;
    size_t n;

    if (e2b_read_path(request->path, id, &verb))
        return control_show(request, id, verb);
    n = sandboxes_list(sandboxes, request->peer.owner, &list);
    for (size_t i = 0; i < n; i++) {
        scoped_json *told = list[i]->snapshot_of[0] ? NULL : sandbox_json(list[i]);

        if (told && wanted(request, told))
            json_array_append(all, told);
        sandbox_unref(sandboxes, list[i]);
    }
    e2b_list_others(request, all, "sandboxID", wanted);
    return e2b_page(request, all);
}
