/* Calls on their way between nodes.
 *
 * Runs in: broker.
 * Hostile: nothing; but what other nodes send is checked before it is used.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include <pthread.h>

#include "base/thread.h"
#include "serve/cluster/cluster_door.h"

struct passed_call; /* a call that we have passed on */
struct arrival;     /* a call that came to us, perhaps in parts */
struct answering;

/* On which node a session was the last time. We ask that node before the log; it says itself
 * whether it still has the session. */
#define HINTS 4096
struct hint {
    char session[LEDGER_ID_SIZE], node[NODE_SIZE];
};

/* Connections between nodes (tunnel.c); under the lock of the door. */
struct tunnel;
struct tunnel_offer { /* takes the connections that come to one of our doors */
    const char *what;
    void (*take)(void *user, int fd);
    void *user;
};
struct tunnels {
    struct bus_listener *listener;
    struct tunnel *list;
    unsigned count;
    bool closing;
    struct tunnel_offer offers[2];
};

struct cluster_door {
    struct clustered clustered; /* first: door_of() finds the door by it */
    struct serve *serve;
    struct cluster *cluster;
    const struct bus_table *table;
    struct bus *bus;
    struct bus_listener *calls, *replies, *orders;
    struct ticker ticker;
    bool ticking;
    pthread_mutex_t lock;
    pthread_cond_t change;
    uint64_t next_call;
    struct passed_call *pending;
    struct arrival *arrivals;
    struct answering *running;
    unsigned count; /* calls that run, and a sweep */
    bool sweeping;
    bool ended; /* this node was told to end, because it cannot run sessions any more */
    struct taking *taking;
    struct hint *hints;
    uint64_t forwarded;
    struct tunnels tunnels;
    uint64_t swept; /* the last term of the lease whose sessions route_sweep has looked through */
};

/* pass.c: our calls to others */
enum passed {
    PASSED_ANSWERED,
    PASSED_NOT_RUN, /* the call did not get there, or was not taken: we may try another node */
    PASSED_LOST,    /* nobody can say what became of the call */
};
int pass_on(struct cluster_door *door, const char *node, const struct clustered_call *call,
            struct buf *reply, int *ret_status, struct retort_error *error);
void pass_heard(void *user, const struct bus_message *message);

/* answer.c: calls of others to us */
void answer_heard(void *user, const struct bus_message *message);
void answer_tick(void *user);
void answer_wait(struct cluster_door *door); /* waits until none runs */
void answer_forget(struct cluster_door *door);

/* route.c */
bool route_here(struct clustered *c, const char *session);
int route_call(struct clustered *c, const struct clustered_call *call, struct buf *reply,
               int *ret_status, struct retort_error *error);
int route_bring(struct clustered *c, struct peer *peer, const char *session,
                struct retort_error *error);
void route_others(struct clustered *c, struct peer *peer, json_t *list);
int route_settle(struct clustered *c, struct hosted *hosted, int r, struct retort_error *error);

int route_where(struct clustered *c, const char *session, char ret_node[CLUSTERED_NODE]);
void route_release(struct clustered *c, const char *session);
bool route_alive(struct clustered *c, const char *node);
json_t *route_nodes(struct clustered *c);
void route_name(struct clustered *c, char ret[CLUSTERED_REQUEST]);
/* Every second. After our lease has lapsed, ends the sessions here that other nodes have taken
 * meanwhile. */
void route_sweep(struct cluster_door *door);

/* tunnel.c: connections to doors of other nodes, and theirs to our doors */
int tunnel_dial(struct clustered *c, const char *node, const char *what);
void tunnel_offer(struct clustered *c, const char *what, void (*take)(void *user, int fd),
                  void *user);
void tunnel_heard(void *user, const struct bus_message *message);
void tunnel_close_all(struct cluster_door *door);

/* kept.c: what doors keep in the cluster, beside sessions */
int kept_put(struct clustered *c, const char *kind, const char *id, const json_t *value,
             uint64_t *version);
int kept_get(struct clustered *c, const char *kind, const char *id, json_t **ret,
             uint64_t *ret_version);

/* parts.c */
#define PART_BYTES (400u << 10)
/* Sends the text in as many parts as it takes, each with this line of JSON before it. Takes the
 * head. */
int parts_send(struct cluster_door *door, const char *subject, const char *reply, json_t *head,
               const char *text, size_t len);
/* The head of a part and the data that follow it; NULL if the message is no part. */
json_t *parts_read(const struct bus_message *message, const char **ret_data, size_t *ret_len);
