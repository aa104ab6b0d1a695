/* What a cluster changes for the doors: where a session is, and whether what was done to it counts. serve/cluster is behind it.
 *
 * Runs in: broker, any thread.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "base/buf.h"
#include "serve/hosted/serve.h"

#define CLUSTERED_REQUEST 65
#define CLUSTERED_NODE 64
#define CLUSTERED_ANY UINT64_MAX /* whatever was kept there before */

struct clustered_call {
    struct peer *peer;
    const char *method, *session; /* of session.create: NULL */
    const char *node;             /* that waits for it: of an answer to a tool; else NULL */
    const json_t *message;        /* as it came, to be passed on */
};

struct clustered {
    const char *node; /* the id of this one */
    /* Without waiting: whether this node may serve the session, as far as it knows. */
    bool (*here)(struct clustered *c, const char *session);
    /* 0: the session is here now, if it is anywhere. 1: another node has answered, with this text and HTTP status. */
    int (*route)(struct clustered *c, const struct clustered_call *call, struct buf *reply,
                 int *ret_status, struct retort_error *error);
    /* For what cannot be passed on: the session comes here, by sleeping where it is. */
    int (*bring)(struct clustered *c, struct peer *peer, const char *session,
                 struct retort_error *error);
    /* It was routed here to be resumed, and that failed: others may try. */
    void (*release)(struct clustered *c, const char *session);
    /* 1: another node has it, which is alive. 0: it is here, or nobody has it. */
    int (*where)(struct clustered *c, const char *session, char ret_node[CLUSTERED_NODE]);
    bool (*alive)(struct clustered *c, const char *node);
    json_t *(*nodes)(struct clustered *c); /* [{node, …}] */
    /* A connection to a door of another node, as a descriptor; and who takes those that come to a door of this one, and owns them. */
    int (*dial)(struct clustered *c, const char *node, const char *door);
    void (*offer)(struct clustered *c, const char *door, void (*take)(void *user, int fd),
                  void *user);
    /* What a door keeps for all nodes, by kind and id; NULL removes it. *version is the one that it replaces, 0 if there is none, or
     * CLUSTERED_ANY; and becomes its own. -ESTALE: another one is there. */
    int (*keep)(struct clustered *c, const char *kind, const char *id, const json_t *value,
                uint64_t *version);
    int (*kept)(struct clustered *c, const char *kind, const char *id, json_t **ret,
                uint64_t *ret_version);
    /* What the peer has on other nodes, appended: as session.list has it. */
    void (*others)(struct clustered *c, struct peer *peer, json_t *list);
    /* A name for a request that no other has. */
    void (*name)(struct clustered *c, char ret[CLUSTERED_REQUEST]);
    /* After something was done to a session, which came to r: -EIO if it does not count, because an entry was not acknowledged.
     * The session is here no more then, nor if this host failed it: whoever is asked next reads the log. */
    int (*settle)(struct clustered *c, struct hosted *hosted, int r, struct retort_error *error);
    /* Whether the cluster's log can be written to. */
    bool (*healthy)(struct clustered *c);
    int (*metrics)(struct clustered *c, struct buf *out);
};

/* Calls of tools are named after the node that waits for their answer: "…@NODE". NULL: it is this one. */
const char *clustered_node_of(const struct serve *serve, const char *tool_call);
/* Appends the sessions that a client has on other nodes, unless one of those asks. */
void clustered_others(struct serve *serve, struct peer *peer, json_t *list);
/* False where there is no cluster. */
bool clustered_elsewhere(struct serve *serve, const struct peer *peer, const char *session);
/* A reference to a session of the peer, which is here then; or NULL. */
struct hosted *clustered_get(struct serve *serve, struct peer *peer, const char *session);
/* The same for one that sleeps or was closed, which comes back here. */
int clustered_resume(struct serve *serve, struct peer *peer, const char *session,
                     struct hosted **ret, struct retort_error *error);
/* After something was done to a session, in its turn, which came to r: the same, or -EIO if it does not count. */
int clustered_settle(struct serve *serve, struct hosted *hosted, int r, struct retort_error *error);
/* The same for a cell. What is not on record, because a disk is full, does not count. */
int clustered_settle_cell(struct serve *serve, struct hosted *hosted, int r,
                          struct retort_result **result, struct retort_error *error);
