/* Sandboxes in a cluster: each is on the node that has its session, and any node passes requests on
 * to it. What a client was told of a sandbox is kept for all nodes, so that the next node knows it
 * when the first has gone. */
#include "serve/e2b/elsewhere.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "serve/hosted/clustered.h"
#include "serve/hosted/json.h"
#include "serve/http/relay.h"

#define E2B_DOOR "e2b"
#define ALL_OF_THEM "limit=1000000"

/* --- what is kept --- */

/* The values of variables are not kept: only the sandbox's node has them. */
static json_t *sandbox_kept(struct sandbox *s) {
    pthread_mutex_lock(&s->lock);
    json_t *value = json_pack(
        "{s:s s:s s:s s:O s:O s:I s:I s:b s:s s:s s:i s:[i i]}", "owner", s->peer.owner, "secret",
        s->secret, "template", s->template, "metadata", s->metadata, "contexts", s->contexts,
        "started", (json_int_t)s->started, "ends", (json_int_t)s->ends, "auto_pause", s->auto_pause,
        "snapshot_of", s->snapshot_of, "name", s->name, "contexts_made", (int)s->contexts_made,
        "interpreters", (int)s->interpreters[0], (int)s->interpreters[1]);
    pthread_mutex_unlock(&s->lock);
    return value;
}

/* The key by which any node finds a snapshot by its name. */
static void name_key(const char *owner, const char *name, char key[65]) {
    scoped_buf both = BUF_INIT(1024);
    struct hash hash = {{0}};
    char text[HASH_TEXT_SIZE];

    buf_printf(&both, "%s %s", owner, name);
    hash_bytes(both.data, both.len, &hash);
    hash_text(&hash, text);
    snprintf(key, 65, "%s", strchr(text, ':') + 1);
}

void e2b_save(struct e2b *e2b, struct sandbox *s) {
    struct clustered *c = e2b->serve->clustered;
    scoped_json *value = c ? sandbox_kept(s) : NULL;
    uint64_t version = CLUSTERED_ANY;
    char key[65];

    if (!value)
        return;
    c->keep(c, E2B_DOOR, s->id, value, &version);
    if (!s->name[0])
        return;
    scoped_json *id = json_pack("{s:s}", "id", s->id);
    name_key(s->peer.owner, s->name, key);
    version = CLUSTERED_ANY;
    c->keep(c, "e2bname", key, id, &version);
}

/* --- taking one over --- */

static bool e2b_restore(struct e2b *e2b, const char *id) {
    struct clustered *c = e2b->serve->clustered;
    json_t *found = NULL;
    uint64_t version;
    int r = c->kept(c, E2B_DOOR, id, &found, &version);
    scoped_json *value = r == 0 ? found : NULL;
    const char *owner = json_string_value(json_object_get(value, "owner"));
    const struct guard_token *token = owner ? guard_owner(e2b->guard, owner) : NULL;
    struct peer peer = {.door = E2B_DOOR};
    bool snapshot = json_string_length(json_object_get(value, "snapshot_of")) > 0;

    if (!token)
        return false;
    if (!snapshot && !json_is_true(json_object_get(value, "auto_pause")) &&
        json_integer_value(json_object_get(value, "ends")) <= (json_int_t)time(NULL)) {
        c->keep(c, E2B_DOOR, id, NULL, &version); /* its time ended while no node looked after it */
        return false;
    }
    http_peer(token, &peer);
    return sandboxes_restore(e2b->sandboxes, &peer, id, value);
}

/* If nothing is kept under the name any more, another node has removed the snapshot. */
static bool snapshot_kept(struct e2b *e2b, const char *owner, const char *name) {
    struct clustered *c = e2b->serve->clustered;
    json_t *found = NULL;
    uint64_t version;
    char key[65];

    if (e2b_restore(e2b, name))
        return true;
    name_key(owner, name, key);
    if (c->kept(c, "e2bname", key, &found, &version) < 0)
        return false;
    scoped_json *value = found;
    const char *id = json_string_value(json_object_get(value, "id"));
    return id && e2b_restore(e2b, id);
}

struct sandbox *e2b_find_snapshot(struct e2b *e2b, const char *owner, const char *name) {
    if (e2b->serve->clustered && !snapshot_kept(e2b, owner, name))
        return NULL;
    return sandboxes_snapshot(e2b->sandboxes, owner, name);
}

/* --- where a request is served --- */

/* The request names its sandbox in its path, in a header, or at the end of the secret. */
static const char *meant_sandbox(const struct http_request *request, char id[64]) {
    const char *verb, *named = http_header(request, "E2b-Sandbox-Id"),
                      *secret = http_header(request, "X-Access-Token");

    if (e2b_read_path(request->path, id, &verb))
        return id;
    if (!secret)
        secret = http_header(request, "E2B-Traffic-Access-Token");
    if (!named && secret && strchr(secret, '.'))
        named = strchr(secret, '.') + 1;
    return sandbox_id(named, id);
}

static bool is_any(const struct sandbox *s, void *user) {
    (void)s, (void)user;
    return true;
}

static int to_node(struct http_request *request, struct clustered *c, const char *node) {
    int fd = c->dial(c, node, E2B_DOOR);

    if (fd > 0)
        return fd;
    e2b_error(request, 503, "the node that has the sandbox cannot be reached: ask again");
    return 0;
}

static void add_word(struct buf *out, const char *name, const char *value) {
    buf_printf(out, "&%s=", name);
    http_escape(out, value ? value : "");
}

/* A signed address names no sandbox: we ask the other nodes whether it opens one of theirs. */
static int by_signature(struct http_request *request, struct clustered *c) {
    static const char *const words[] = {"path", "username", "signature", "signature_expiration"};
    struct sandbox *s = e2b_open_shown(request);
    scoped_buf path = BUF_INIT(32u << 10);
    const json_t *one;
    size_t i;

    sandbox_unref(e2b_of(request)->sandboxes, s);
    if (s || !http_query(request, "signature"))
        return -ENOENT;
    buf_printf(&path, E2B_PROBE "?operation=%s",
               strcmp(request->method, "POST") ? "read" : "write");
    for (i = 0; i < sizeof words / sizeof *words; i++)
        if (http_query(request, words[i]))
            add_word(&path, words[i], http_query(request, words[i]));
    scoped_json *nodes = c->nodes(c);
    json_array_foreach(nodes, i, one) {
        const char *node = json_string_value(json_object_get(one, "node"));
        scoped_buf answer = BUF_INIT(64u << 10);
        int fd = node && strcmp(node, c->node) != 0 ? c->dial(c, node, E2B_DOOR) : -1;
        if (fd > 0 && !path.lost && relay_get(fd, &request->peer, path.data, &answer) == 0)
            return to_node(request, c, node);
    }
    return -ENOENT;
}

int e2b_relay(struct http_request *request) {
    struct e2b *e2b = e2b_of(request);
    struct clustered *c = e2b->serve->clustered;
    char meant[64], node[CLUSTERED_NODE];
    const char *id = c ? meant_sandbox(request, meant) : NULL;

    if (!id)
        return c && strcmp(request->path, "/files") == 0 ? by_signature(request, c) : -ENOENT;
    struct sandbox *s = sandboxes_open_by(e2b->sandboxes, id, is_any, NULL);
    bool known = s != NULL, here = s && !clustered_elsewhere(e2b->serve, &s->peer, id);
    sandbox_unref(e2b->sandboxes, s);
    if (here)
        return -ENOENT;
    int r = c->where(c, id, node);
    if (r > 0)
        return to_node(request, c, node);
    if (r < 0) {
        e2b_error(request, 503, "this node cannot reach the cluster's log: ask another one");
        return 0;
    }
    if (!known)
        e2b_restore(e2b, id);
    return -ENOENT;
}

bool e2b_is_elsewhere(struct serve *serve, const char *id) {
    struct clustered *c = serve->clustered;
    char node[CLUSTERED_NODE];

    return c && c->where(c, id, node) > 0;
}

/* --- lists --- */

static size_t list_index(const json_t *list, const char *key, const json_t *told) {
    size_t i = 0;

    while (i < json_array_size(list) &&
           !json_equal(json_object_get(json_array_get(list, i), key), json_object_get(told, key)))
        i++;
    return i;
}

/* What a running sandbox's node tells of it replaces what another node knew before. */
static void list_one(json_t *all, const char *key, json_t *told) {
    const char *state = json_string_value(json_object_get(told, "state"));
    size_t at = list_index(all, key, told);

    if (at == json_array_size(all))
        json_array_append(all, told);
    else if (state && strcmp(state, "running") == 0)
        json_array_set(all, at, told);
}

static void list_node(struct http_request *request, const char *node, const char *path,
                      json_t *ret) {
    struct clustered *c = e2b_of(request)->serve->clustered;
    scoped_buf text = BUF_INIT(32u << 20);
    int fd = c->dial(c, node, E2B_DOOR);

    if (fd <= 0 || relay_get(fd, &request->peer, path, &text) < 0) {
        request->incomplete = true;
        return;
    }
    scoped_json *list = json_in(text.data ? text.data : "", text.len, 0, NULL);
    json_array_extend(ret, list);
}

void e2b_list_others(struct http_request *request, json_t *all, const char *key,
                     bool (*wanted)(const struct http_request *request, const json_t *told)) {
    struct clustered *c = e2b_of(request)->serve->clustered;
    char path[80];
    size_t i;
    json_t *one;

    if (!c || request->peer.forwarded)
        return;
    scoped_json *nodes = c->nodes(c), *found = json_array();
    snprintf(path, sizeof path, "%s?" ALL_OF_THEM, request->path);
    json_array_foreach(nodes, i, one) {
        const char *node = json_string_value(json_object_get(one, "node"));
        if (node && strcmp(node, c->node) != 0)
            list_node(request, node, path, found);
    }
    json_array_foreach(found, i, one) {
        if (!wanted || wanted(request, one))
            list_one(all, key, one);
    }
}
