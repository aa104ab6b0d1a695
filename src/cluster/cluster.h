/* A node of a cluster: many servers whose sessions are in one log, which NATS keeps.
 *
 * The log decides everything. Whoever wrote the last entry of a session owns it, unless that entry puts it to sleep or
 * closes it. An entry is appended with the place that its writer believes the session to stand at; if another node has
 * written meanwhile, the log refuses it. So a session is taken over by appending to it, two nodes can never both succeed, and
 * a node that was paused or cut off cannot write what would count. No clock is needed for that. Clocks only say when it is time
 * to take over: every node has a lease, one message that goes when the node has not renewed it for so long.
 *
 * Runs in: broker, any thread; a thread of its own renews the lease.
 * Life cycle: cluster_open, then the ledger writes through it (ledger_mirror); cluster_leave gives the lease back; cluster_close
 *   after the engine was closed.
 * Owns: the connection to NATS, what is known of other nodes, where each session stands.
 * Invariants: an entry counts as acknowledged only when the log has acknowledged it; a session whose entry was not is never
 *   written to again by this node until it has read the log anew.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "cluster/letter.h"
#include "cluster/streams.h"

struct cluster;

int cluster_open(const struct cluster_options *options, struct ledger *ledger, struct cluster **ret,
                 struct retort_error *err);
/* No session is this node's from here on: others need not wait for its lease to lapse. */
void cluster_leave(struct cluster *c);
void cluster_close(struct cluster *c); /* takes NULL */

const char *cluster_node(const struct cluster *c);
const char *cluster_name(const struct cluster *c);
struct log_streams *cluster_streams(struct cluster *c);
double cluster_lease(const struct cluster *c);

/* What the lease tells others of this node; called by its thread. */
struct cluster_load {
    size_t sessions, most;
    bool draining;
};
void cluster_tell_load(struct cluster *c, void (*load)(void *user, struct cluster_load *ret),
                       void *user);

/* Whether the lease is held, as far as this node knows: if not, it must not answer for its sessions. */
bool cluster_holds(struct cluster *c);
/* The same, and the log has acknowledged the last that it was asked. */
bool cluster_reaches(struct cluster *c);
/* How often the lease had lapsed before it was renewed: others may have taken sessions meanwhile. */
uint64_t cluster_term(struct cluster *c);
/* Whether another node may be alive. -1: nobody can tell now, with the reason. */
int cluster_alive(struct cluster *c, const char *node, struct retort_error *err);
/* The same without asking: whether it was heard of within a lease. */
bool cluster_heard(struct cluster *c, const char *node);
/* Nodes that were heard of: [{node, sessions, most, draining, …}]. */
json_t *cluster_nodes(struct cluster *c);

/* A node that has many fewer sessions than this, of those that take new ones and have room; any of those if this one is full. It
 * counts as having one more from now on. */
bool cluster_roomier(struct cluster *c, const struct cluster_load *own, char ret_node[NODE_SIZE]);

enum cluster_place {
    CLUSTER_HERE,      /* this node has it, and may answer for it */
    CLUSTER_ELSEWHERE, /* another node has it, and may be alive */
    CLUSTER_NOWHERE,   /* it sleeps, or its node is gone: take it */
    CLUSTER_CLOSED,    /* it was closed: only who asks for it by name takes it */
    CLUSTER_UNKNOWN,   /* the log has no such session */
};

/* Where a session is now. -errno when nobody can tell. */
int cluster_find(struct cluster *c, const char *session, enum cluster_place *ret_place,
                 char ret_node[NODE_SIZE], struct retort_error *err);
/* Whether this node has it as far as it knows, without asking; false as soon as an entry of it was refused. */
bool cluster_has(struct cluster *c, const char *session);
/* Without asking: whether this node may answer for the session, because it has it in this term of its lease, or because it is
 * none of the log's. */
bool cluster_may_answer(struct cluster *c, const char *session);
/* Whether an entry of it was refused, or not acknowledged, since this node had it; and why, as -errno. */
bool cluster_lost(struct cluster *c, const char *session, int *ret_why);

/* Reads the log of a session, checks it, makes the local record the same, and makes this node the one that writes next. A cell
 * without an outcome gets one. The session itself is brought back by retort_session_resume, whose entry is what takes it over. */
int cluster_take(struct cluster *c, const char *session, struct retort_error *err);
/* The same without taking it: for reading its record. */
int cluster_read(struct cluster *c, const char *session, struct retort_error *err);
/* This node does not write to it any more. */
void cluster_release(struct cluster *c, const char *session);

struct cluster_counts {
    uint64_t appended, refused, unacknowledged, taken, bytes;
    uint64_t refetched; /* parts that a server had not as they were written */
    uint64_t ack_ns;    /* of all appended together */
    bool full;          /* there was no room for the last one */
};
void cluster_count(struct cluster *c, struct cluster_counts *ret);
