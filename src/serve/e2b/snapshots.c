/* Forks and snapshots: branches of a sandbox's live session. A fork is another sandbox. A snapshot
 * sleeps, and each sandbox that is made from it is a branch of the snapshot. */
#include "serve/e2b/snapshots.h"

#include <errno.h>
#include <string.h>

#include "base/scope.h"
#include "base/unconst.h"
#include "serve/e2b/elsewhere.h"
#include "serve/hosted/json.h"
#include "serve/hosted/sessions.h"

#define MOST_SNAPSHOTS 100 /* for one owner */

/* Makes a sandbox like `s` of a session that was just branched from its session; with a
 * reference. */
static struct sandbox *snapshot_adopt(struct http_request *request, struct sandbox *s,
                                      const char *id) {
    struct e2b *e2b = e2b_of(request);
    struct hosted *hosted = registry_get(e2b->serve->registry, s->peer.owner, id);
    scoped_json *like = json_pack("{s:s, s:O, s:O}", "templateID", s->template, "metadata",
                                  s->metadata, "envVars", s->env);
    struct sandbox *made = hosted ? sandboxes_add(e2b->sandboxes, &s->peer, hosted, like) : NULL;

    if (!made)
        return NULL;
    pthread_mutex_lock(&s->lock);
    scoped_json *contexts = json_deep_copy(s->contexts);
    json_array_extend(made->contexts, contexts);
    made->contexts_made = s->contexts_made;
    memcpy(made->interpreters, s->interpreters, sizeof made->interpreters);
    pthread_mutex_unlock(&s->lock);
    return made;
}

/* Branches the session, which is brought back first if it sleeps; adds the ids of the branches. */
static int branches(struct http_request *request, struct sandbox *s, json_int_t count, json_t *ids,
                    struct retort_error *error) {
    struct e2b *e2b = e2b_of(request);
    struct hosted *hosted;
    int r = sandbox_session(e2b->sandboxes, s, &hosted, error);

    if (r < 0)
        return r;
    r = session_branch(e2b->serve, &request->peer, hosted, count, ids, error);
    registry_unref(e2b->serve->registry, hosted);
    return r;
}

/* --- forks --- */

static json_t *fork_json(struct http_request *request, struct sandbox *s, const char *id,
                         const json_t *body) {
    struct sandbox *made = snapshot_adopt(request, s, id);
    json_t *told;

    if (!made)
        return json_pack("{s:{s:i, s:s}}", "error", "code", 500, "message", "the branch is gone");
    sandbox_extend(made, e2b_seconds(body));
    e2b_save(e2b_of(request), made);
    told = json_pack("{s:o}", "sandbox", e2b_made_json(made));
    sandbox_unref(e2b_of(request)->sandboxes, made);
    return told;
}

enum http_result e2b_fork(struct http_request *request, struct sandbox *s, const json_t *body) {
    struct retort_error error = {0};
    scoped_json *ids = json_array();
    const json_t *count = json_object_get(body, "count"), *id;
    json_t *told;
    size_t i;

    if (branches(request, s, json_is_integer(count) ? json_integer_value(count) : 1, ids, &error) <
        0)
        return e2b_fault(request, &error);
    told = json_array();
    json_array_foreach(ids, i, id) {
        json_array_append_new(told, fork_json(request, s, json_string_value(id), body));
    }
    return e2b_reply(request, 201, told);
}

/* --- snapshots --- */

static json_t *snapshot_json(const struct sandbox *s) {
    json_t *names = json_array();

    if (s->name[0])
        json_array_append_new(names, json_string(s->name));
    return json_pack("{s:o, s:o}", "snapshotID", sandbox_id_json(s->id), "names", names);
}

static bool is_name(const char *name) {
    size_t len = strlen(name);

    return len > 0 && len < sizeof((struct sandbox *)0)->name && strncmp(name, "s_", 2) != 0 &&
           strncmp(name, "s-", 2) != 0;
}

static size_t snapshots_of(struct sandboxes *sandboxes, const char *owner) {
    scoped_free struct sandbox **list = NULL;
    size_t n = sandboxes_list(sandboxes, owner, &list), snapshots = 0;

    for (size_t i = 0; i < n; i++) {
        snapshots += list[i]->snapshot_of[0] != 0;
        sandbox_unref(sandboxes, list[i]);
    }
    return snapshots;
}

enum http_result e2b_snapshot(struct http_request *request, struct sandbox *s, const json_t *body) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    const char *name = json_string_value(json_object_get(body, "name"));
    struct retort_error error = {0};
    scoped_json *ids = json_array();
    struct sandbox *made;
    enum http_result r;

    if (name && !is_name(name))
        return e2b_error(request, 400, "a name has 1 to 63 characters and does not begin with s-");
    if (snapshots_of(sandboxes, s->peer.owner) >= MOST_SNAPSHOTS)
        return e2b_error(request, 429, "there are too many snapshots: delete some");
    if (branches(request, s, 1, ids, &error) < 0)
        return e2b_fault(request, &error);
    made = snapshot_adopt(request, s, json_string_value(json_array_get(ids, 0)));
    if (!made)
        return e2b_error(request, 503, "the branch is gone");
    sandboxes_keep(sandboxes, made, s->id, name ? name : "");
    sandbox_pause(sandboxes, made);
    e2b_save(e2b_of(request), made);
    r = e2b_reply(request, 201, snapshot_json(made));
    sandbox_unref(sandboxes, made);
    return r;
}

/* One thread at a time: when it is done, the snapshot sleeps again. */
static int branch_asleep(struct http_request *request, struct sandbox *snapshot, json_t *ids,
                         struct retort_error *error) {
    int r;

    pthread_mutex_lock(&snapshot->branching);
    r = branches(request, snapshot, 1, ids, error);
    sandbox_pause(e2b_of(request)->sandboxes, snapshot);
    pthread_mutex_unlock(&snapshot->branching);
    return r;
}

enum http_result e2b_create_from(struct http_request *request, struct sandbox *snapshot,
                                 const json_t *body) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    const json_t *metadata = json_object_get(body, "metadata"),
                 *env = json_object_get(body, "envVars");
    struct retort_error error = {0};
    scoped_json *ids = json_array();
    scoped_json *told = sandbox_id_json(snapshot->id);
    struct sandbox *made;
    enum http_result r;

    if (branch_asleep(request, snapshot, ids, &error) < 0)
        return e2b_fault(request, &error);
    made = snapshot_adopt(request, snapshot, json_string_value(json_array_get(ids, 0)));
    if (!made)
        return e2b_error(request, 503, "the branch is gone");
    pthread_mutex_lock(&made->lock);
    json_object_clear(made->metadata);
    json_object_update(made->metadata, unconst(metadata));
    json_object_update(made->env, unconst(env));
    snprintf(made->template, sizeof made->template, "%s", json_string_value(told));
    made->auto_pause = json_is_true(json_object_get(body, "autoPause"));
    pthread_mutex_unlock(&made->lock);
    sandbox_extend(made, e2b_seconds(body));
    e2b_save(e2b_of(request), made);
    r = e2b_reply(request, 201, e2b_made_json(made));
    sandbox_unref(sandboxes, made);
    return r;
}

enum http_result e2b_snapshots_get(struct http_request *request) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    char meant[64];
    const char *of = sandbox_id(http_query(request, "sandboxID"), meant),
               *name = http_query(request, "name");
    scoped_free struct sandbox **list = NULL;
    scoped_json *all = json_array();
    size_t n = sandboxes_list(sandboxes, request->peer.owner, &list);

    for (size_t i = 0; i < n; i++) {
        const struct sandbox *s = list[i];

        if (s->snapshot_of[0] && (!of || strcmp(of, s->snapshot_of) == 0) &&
            (!name || strcmp(name, s->name) == 0))
            json_array_append_new(all, snapshot_json(s));
        sandbox_unref(sandboxes, list[i]);
    }
    e2b_list_others(request, all, "snapshotID", NULL);
    return e2b_page(request, all);
}

enum http_result e2b_templates_delete(struct http_request *request) {
    struct sandboxes *sandboxes = e2b_of(request)->sandboxes;
    const char *told = request->path + strlen("/templates");
    char id[64];
    struct sandbox *s = *told == '/' ? e2b_find_snapshot(e2b_of(request), request->peer.owner,
                                                         sandbox_id(told + 1, id))
                                     : NULL;

    if (!s)
        return e2b_error(request, 404, "snapshot not found");
    sandbox_kill(sandboxes, s);
    sandbox_unref(sandboxes, s);
    return http_reply(request, 204, NULL, "", 0);
}
