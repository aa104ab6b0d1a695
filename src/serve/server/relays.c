/* In a cluster: which requests of this door another node serves. Files and events are on the node
 * of their session. One node has what MCP remembers of a client; it is kept for all nodes, so that
 * the next node knows it when the first has gone. */
#include "serve/server/relays.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonscope.h"
#include "serve/hosted/clustered.h"
#include "serve/mcp/mcp_kept.h"
#include "serve/server/server.h"

#define MCP_KIND "mcp"
#define TRIES 5 /* in case several nodes try at the same moment */

static struct server *relays_server(const struct http_request *request) {
    return http_user(request);
}

static int relay_to(struct http_request *request, struct clustered *c, const char *node) {
    int fd = c->dial(c, node, RELAYS_DOOR);

    if (fd > 0)
        return fd;
    http_reply_error(request, 503, "the node that serves this cannot be reached: ask again");
    return 0;
}

static int relay_cut_off(struct http_request *request) {
    http_reply_error(request, 503, "this node cannot reach the cluster's log: ask another one");
    return 0;
}

/* --- files and events --- */

/* The session that the path or the query names; false: none. */
static bool relay_session(const struct http_request *request, char id[64]) {
    const char *named = NULL;
    size_t len;

    if (strncmp(request->path, "/files/", 7) == 0)
        named = request->path + 7;
    else if (strcmp(request->path, "/events") == 0)
        named = http_query(request, "session");
    len = named ? strcspn(named, "/") : 0;
    if (len == 0 || len >= 64)
        return false;
    snprintf(id, 64, "%.*s", (int)len, named);
    return true;
}

static int relay_by_session(struct http_request *request, struct clustered *c, const char *id) {
    char node[CLUSTERED_NODE];

    if (!clustered_elsewhere(&relays_server(request)->serve, &request->peer, id))
        return -ENOENT;
    int r = c->where(c, id, node);
    return r < 0 ? relay_cut_off(request) : r > 0 ? relay_to(request, c, node) : -ENOENT;
}

/* --- clients of MCP --- */

/* Which node has this client. If none has, or the one that had is gone, this node takes it; `state`
 * gets what is kept. 0: this node has it. */
static int mcp_node(struct clustered *c, const char *id, json_t *state, bool make,
                    char ret_node[CLUSTERED_NODE]) {
    for (int tries = 0; tries < TRIES; tries++) {
        json_t *found = NULL;
        uint64_t version = 0;
        int r = c->kept(c, MCP_KIND, id, &found, &version);
        scoped_json *kept = r == 0 ? found : NULL;
        const char *node = json_string_value(json_object_get(kept, "node"));

        if (r < 0 && (r != -ENOENT || !make))
            return r;
        if (kept)
            json_object_update(state, kept);
        if (node && strcmp(node, c->node) == 0)
            return make ? 0 : -ENOENT; /* this node has it, but the session has ended */
        if (node && c->alive(c, node)) {
            snprintf(ret_node, CLUSTERED_NODE, "%s", node);
            return 1;
        }
        json_object_set_new(state, "node", json_string(c->node));
        r = c->keep(c, MCP_KIND, id, state, &version);
        if (r != -ESTALE)
            return r;
    }
    return -EAGAIN;
}

static int relay_by_client(struct http_request *request, struct clustered *c, const char *id) {
    struct mcp *mcp = relays_server(request)->mcp_http.mcp;
    struct mcp_session *session = mcp_session_find(mcp, request->peer.owner, id);
    scoped_json *state = json_object();
    char node[CLUSTERED_NODE];

    if (session) {
        mcp_session_unref(mcp, session);
        return -ENOENT;
    }
    int r = mcp_node(c, id, state, false, node);
    const char *owner = json_string_value(json_object_get(state, "owner"));
    if (r == -ENOENT || (r >= 0 && (!owner || strcmp(owner, request->peer.owner) != 0)))
        return -ENOENT; /* there is none */
    if (r == 0)
        mcp_session_restore(mcp, id, state);
    return r < 0 ? relay_cut_off(request) : r > 0 ? relay_to(request, c, node) : -ENOENT;
}

/* A client of the modern era has no session: its state belongs to its owner. */
static int relay_by_owner(struct http_request *request, struct clustered *c) {
    scoped_json *state = json_object();
    char node[CLUSTERED_NODE], id[MCP_KEY];

    mcp_home_key(request->peer.owner, id);
    int r = mcp_node(c, id, state, true, node);
    return r < 0 ? relay_cut_off(request) : r > 0 ? relay_to(request, c, node) : -ENOENT;
}

void relays_keep(const struct mcp_http *user, const struct mcp_session *session) {
    struct clustered *c = ((const struct server *)(const void *)user)->serve.clustered;
    scoped_json *state = c ? mcp_session_state(session) : NULL;
    uint64_t version = CLUSTERED_ANY;

    if (!state)
        return;
    json_object_set_new(state, "node", json_string(c->node));
    c->keep(c, MCP_KIND, mcp_session_id(session), state, &version);
}

int relays_find(struct http_request *request) {
    struct clustered *c = relays_server(request)->serve.clustered;
    const char *client = http_header(request, "Mcp-Session-Id"),
               *version = http_header(request, "MCP-Protocol-Version");
    char id[64];

    if (!c)
        return -ENOENT;
    if (strcmp(request->path, "/mcp") != 0)
        return relay_session(request, id) ? relay_by_session(request, c, id) : -ENOENT;
    if (client)
        return relay_by_client(request, c, client);
    return version && mcp_version_is_modern(version) ? relay_by_owner(request, c) : -ENOENT;
}
