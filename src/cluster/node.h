/* What the files of the cluster share.
 *
 * Locks: `lock` guards everything that changes, and is never held over a request to NATS.
 *
 * Runs in: broker.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/tiny.h"
#include "cluster/cluster.h"

#define PLACES TINY(1024, 2) /* buckets */

/* Where a session of this node stands in the log. */
struct session_place {
    struct session_place *next;
    char session[LEDGER_ID_SIZE];
    uint64_t at;                /* number of its last entry in the stream; 0: none yet */
    uint64_t seq;               /* the same in the ledger */
    uint64_t term;              /* the term of our lease in which the log last said that it is
                                   ours */
    struct outgoing *announced; /* an entry that will be sent with the next one; or NULL */
    unsigned users;             /* threads that wait for their turn, or write */
    bool sure;   /* since we took it, the log has shown that no other node wrote at that moment */
    bool asleep; /* other nodes may take it */
    bool failed; /* the log refused or did not acknowledge an entry, */
    int why;     /* for this reason, as -errno; 0: it was given up */
    bool gone;   /* freed when the last user leaves */
};

struct heard {
    struct heard *next;
    char node[NODE_SIZE];
    uint64_t when_ns;
    json_t *told;
};

struct cluster {
    struct log_streams streams;
    struct ledger *ledger;
    struct ledger_mirror mirror;
    char node[NODE_SIZE];
    double lease;
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct session_place *places[PLACES];
    struct heard *heard;
    struct cluster_counts counts;
    uint64_t renewed_ns; /* when the last acknowledged renewal began */
    uint64_t term;       /* counts how often the lease had lapsed before it was renewed */
    bool stopping, left;
    bool silent; /* the last renewal was not acknowledged */
    pthread_t thread;
    bool started;
    struct bus_listener *leases;
    void (*load)(void *user, struct cluster_load *ret);
    void *load_user;
    bool asking; /* load() is being called */
    bool news;   /* there is a new load to tell, so the lease is renewed at once */
};

/* places.c */
int places_permit(void *user, const char *session, enum ledger_kind kind, struct retort_error *err);
int places_append(void *user, const struct ledger_record *record, struct retort_error *err);
int places_announce(void *user, struct outgoing *entry);
int places_settled(void *user, const char *session, uint64_t seq, struct retort_error *err);
void places_set(struct cluster *c, const char *session, uint64_t at, uint64_t seq);
bool places_get(struct cluster *c, const char *session, struct session_place *ret); /* a copy */
/* The log says, in this term, that the session is still ours (places_confirm); or that another node
 * has written to it since (places_fail). */
void places_confirm(struct cluster *c, const struct session_place *known, uint64_t term);
void places_fail(struct cluster *c, const struct session_place *known);
void places_free(struct cluster *c);

/* bytes.c: stored bytes in the log's own store, in parts, by session and hash */
int bytes_put(struct cluster *c, const char *session, const struct hash *hash,
              struct retort_error *err);
int bytes_put_data(struct cluster *c, const char *session, const struct hash *hash,
                   const char *data, size_t len, struct retort_error *err);
/* Brings bytes into the ledger's store, if they match their hash. */
int bytes_get(struct cluster *c, const char *session, const struct hash *hash,
              struct retort_error *err);

/* lease.c */
bool cluster_is_fresh(const struct cluster *c); /* cluster_holds, called with the lock held */
int node_start(struct cluster *c, struct retort_error *err);
void node_stop(struct cluster *c);
