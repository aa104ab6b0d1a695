/* What a cluster changes for the doors: where a session is, and whether a change of it counts.
 * serve/cluster implements it.
 *
 * Runs in: broker, any thread.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "base/buf.h"
#include "serve/hosted/serve.h"

#define CLUSTERED_REQUEST 65
#define CLUSTERED_NODE 64
#define CLUSTERED_ANY UINT64_MAX /* replaces whatever is kept */

struct clustered_call {
    struct peer *peer;
    const char *method, *session; /* session is NULL for session.create */
    const char *node;             /* for an answer to a tool: the node whose cell waits for it; else
                                     NULL */
    const json_t *message;        /* the message as it came, to be passed on */
};

struct clustered {
    const char *node; /* the id of this node */
    /* Whether this node may serve the session, as far as it knows. Does not wait. */
    bool (*here)(struct clustered *c, const char *session);
    /* 0: the session is here now, if it is anywhere. 1: another node has answered, with this text
     * and HTTP status. */
    int (*route)(struct clustered *c, const struct clustered_call *call, struct buf *reply,
                 int *ret_status, struct retort_error *error);
    /* For a request that cannot be passed on: puts the session to sleep on its node, and brings it
     * here. */
    int (*bring)(struct clustered *c, struct peer *peer, const char *session,
                 struct retort_error *error);
    /* The session was routed here to be resumed, and that failed: other nodes may try. */
    void (*release)(struct clustered *c, const char *session);
    /* 1: a live node other than this one has it. 0: it is here, or no node has it. */
    int (*where)(struct clustered *c, const char *session, char ret_node[CLUSTERED_NODE]);
    bool (*alive)(struct clustered *c, const char *node);
    json_t *(*nodes)(struct clustered *c); /* [{node, …}] */
    /* dial connects to a door of another node and returns a descriptor; offer names the function
     * that takes, and then owns, connections to a door of this node. */
    int (*dial)(struct clustered *c, const char *node, const char *door);
    void (*offer)(struct clustered *c, const char *door, void (*take)(void *user, int fd),
                  void *user);
    /* Keeps a value of a door for all nodes, by kind and id; NULL removes it. *version is the
     * version that it replaces, 0 if there is none, or CLUSTERED_ANY; it becomes the new one.
     * -ESTALE: another version is there. */
    int (*keep)(struct clustered *c, const char *kind, const char *id, const json_t *value,
                uint64_t *version);
    int (*kept)(struct clustered *c, const char *kind, const char *id, json_t **ret,
                uint64_t *ret_version);
    /* Appends the peer's sessions on other nodes, in the form of session.list. */
    void (*others)(struct clustered *c, struct peer *peer, json_t *list);
    /* A name for a request that no other request has. */
    void (*name)(struct clustered *c, char ret[CLUSTERED_REQUEST]);
    /* Called after a session was changed, with the result r. -EIO: the change does not count,
     * because the log did not acknowledge an entry. Then, and also if this host failed, the session
     * leaves this node: the node that is asked next reads the log. */
    int (*settle)(struct clustered *c, struct hosted *hosted, int r, struct retort_error *error);
    /* Whether the cluster's log can be written to. */
    bool (*healthy)(struct clustered *c);
    int (*metrics)(struct clustered *c, struct buf *out);
};

/* A tool call's name ends with the node that waits for its answer: "…@NODE". NULL: this node
 * waits. */
const char *clustered_node_of(const struct serve *serve, const char *tool_call);
/* Appends the sessions that a client has on other nodes; nothing if another node asks. */
void clustered_others(struct serve *serve, struct peer *peer, json_t *list);
/* False where there is no cluster. */
bool clustered_elsewhere(struct serve *serve, const struct peer *peer, const char *session);
/* A reference to a session of the peer, which is brought to this node first; or NULL. */
struct hosted *clustered_get(struct serve *serve, struct peer *peer, const char *session);
/* The same for a session that sleeps or was closed: it is resumed here. */
int clustered_resume(struct serve *serve, struct peer *peer, const char *session,
                     struct hosted **ret, struct retort_error *error);
/* Called after a session was changed, in its turn, with the result r. Returns r, or -EIO if the
 * change does not count. */
int clustered_settle(struct serve *serve, struct hosted *hosted, int r, struct retort_error *error);
/* The same for a cell. A cell that is not on record, because a disk is full, does not count. */
int clustered_settle_cell(struct serve *serve, struct hosted *hosted, int r,
                          struct retort_result **result, struct retort_error *error);
