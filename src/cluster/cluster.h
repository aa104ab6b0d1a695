/* A node of a cluster: many servers whose sessions are in one log, which NATS keeps.
 *
 * The log decides everything. Whoever wrote the last entry of a session owns it, unless that entry
 * puts it to sleep or closes it. Whoever appends an entry says at which place he believes the
 * session to stand; if another node has written meanwhile, the log refuses the entry. So a session
 * is taken over by appending to it, two nodes can never both succeed, and a node that was paused or
 * cut off cannot write what would count. No clock is needed for that. Clocks only say when it is
 * time to take over: every node has a lease, one message, which vanishes when the node has not
 * renewed it in time.
 *
 * Runs in: broker, any thread; a thread of its own renews the lease.
 * Life cycle: cluster_open, then the ledger writes through it (ledger_mirror); cluster_leave gives
 *   the lease back; cluster_close after the engine was closed.
 * Owns: the connection to NATS, what is known of other nodes, where each session stands.
 * Invariants: an entry counts as acknowledged only when the log has acknowledged it; a session
 *   whose entry was not is never written to again by this node until it has read the log anew.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "cluster/letter.h"
#include "cluster/streams.h"

struct cluster;

int cluster_open(const struct cluster_options *options, struct ledger *ledger, struct cluster **ret,
                 struct retort_error *err);
/* Gives up all sessions of this node: other nodes need not wait for its lease to lapse. */
void cluster_leave(struct cluster *c);
void cluster_close(struct cluster *c); /* takes NULL */

const char *cluster_node(const struct cluster *c);
const char *cluster_name(const struct cluster *c);
struct log_streams *cluster_streams(struct cluster *c);
double cluster_lease(const struct cluster *c);

/* What the lease tells other nodes of this one; called by its thread. */
struct cluster_load {
    size_t sessions, most;
    bool draining;
};
void cluster_tell_load(struct cluster *c, void (*load)(void *user, struct cluster_load *ret),
                       void *user);

/* Whether this node holds its lease, as far as it knows: if not, it must not answer for its
 * sessions. */
bool cluster_holds(struct cluster *c);
/* The same, and the log has acknowledged the last request. */
bool cluster_reaches(struct cluster *c);
/* How often the lease had lapsed before it was renewed: other nodes may have taken sessions
 * meanwhile. */
uint64_t cluster_term(struct cluster *c);
/* Whether another node may be alive. -1: nobody can tell now; `err` says why. */
int cluster_alive(struct cluster *c, const char *node, struct retort_error *err);
/* The same without asking: whether we heard of it within the time of a lease. */
bool cluster_heard(struct cluster *c, const char *node);
/* The nodes that we heard of: [{node, sessions, most, draining, …}]. */
json_t *cluster_nodes(struct cluster *c);

/* Finds a node that takes new sessions, has room, and has far fewer sessions than this one; or any
 * with room, if this one is full. From now on we count one more session for it. */
bool cluster_roomier(struct cluster *c, const struct cluster_load *own, char ret_node[NODE_SIZE]);

enum cluster_place {
    CLUSTER_HERE,      /* this node has it, and may answer for it */
    CLUSTER_ELSEWHERE, /* another node has it, and may be alive */
    CLUSTER_NOWHERE,   /* it sleeps, or its node is gone: take it */
    CLUSTER_CLOSED,    /* it was closed: a node takes it only if a client asks for it by name */
    CLUSTER_UNKNOWN,   /* the log has no such session */
};

/* Where a session is now. -errno when nobody can tell. */
int cluster_find(struct cluster *c, const char *session, enum cluster_place *ret_place,
                 char ret_node[NODE_SIZE], struct retort_error *err);
/* Whether this node has the session, as far as it knows without asking; false as soon as the log
 * refused an entry of it. */
bool cluster_has(struct cluster *c, const char *session);
/* Without asking: whether this node may answer for the session, because it has it in this term of
 * its lease, or because the log has no such session. */
bool cluster_may_answer(struct cluster *c, const char *session);
/* Whether an entry of it was refused, or not acknowledged, since this node had it; *ret_why is the
 * reason, as -errno. */
bool cluster_lost(struct cluster *c, const char *session, int *ret_why);

/* Reads and checks the log of a session, makes the local record equal to it, and lets this node
 * write next. A cell without an outcome gets one. The caller then brings the session back with
 * retort_session_resume, whose entry takes it over. */
int cluster_take(struct cluster *c, const char *session, struct retort_error *err);
/* The same without taking the session: for reading its record. */
int cluster_read(struct cluster *c, const char *session, struct retort_error *err);
/* This node does not write to the session any more. */
void cluster_release(struct cluster *c, const char *session);

struct cluster_counts {
    uint64_t appended, refused, unacknowledged, taken, bytes;
    uint64_t refetched; /* parts of which a server had a damaged copy */
    uint64_t ack_ns;    /* of all appended entries together */
    bool full;          /* the last entry found no room */
};
void cluster_count(struct cluster *c, struct cluster_counts *ret);
