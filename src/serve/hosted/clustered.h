/* What a cluster changes for the doors: where a session is, and whether what was done to it counts. serve/cluster is behind it.
 *
 * Runs in: broker, any thread.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "base/buf.h"
#include "serve/hosted/serve.h"

#define CLUSTERED_REQUEST 65

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
/* After something was done to a session, in its turn, which came to r: the same, or -EIO if it does not count. */
int clustered_settle(struct serve *serve, struct hosted *hosted, int r, struct retort_error *error);
/* The same for a cell. What is not on record, because a disk is full, does not count. */
int clustered_settle_cell(struct serve *serve, struct hosted *hosted, int r,
                          struct retort_result **result, struct retort_error *error);
