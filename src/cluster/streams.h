/* The streams of a cluster, as its nodes use them: append at an expected place, read by subject,
 * remove.
 *
 * A cluster N has four streams. RETORT-N-LOG has a subject for each session, retort.N.log.SESSION,
 * with its entries in order. RETORT-N-BYTES has retort.N.bytes.SESSION.HASH.PART, which is written
 * once. RETORT-N-NODES has retort.N.lease.NODE, whose message vanishes when it was not renewed
 * within the time of a lease. RETORT-N-KEPT has retort.N.kept.KIND.ID: the last value of everything
 * that the doors keep for clients.
 *
 * The description of the log's stream, and that of the stored bytes, says how many bytes it may
 * take up, and the nodes refuse what would go beyond. NATS does not know the limit: before 2.10.5 a
 * stream that refuses what is new drops its oldest messages, which were acknowledged, if the last
 * one that it took fits only without its header, or if the limit is lowered.
 *
 * Runs in: broker, any thread.
 * Life cycle: streams_open … streams_close.
 * Owns: the connection.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "base/buf.h"
#include "cluster/bus.h"

#define CLUSTER_NAME_MAX 32
#define STREAMS_ANY UINT64_MAX /* the subject may stand anywhere */

enum stream { STREAM_LOG, STREAM_BYTES, STREAM_NODES, STREAM_KEPT, STREAM_COUNT };

struct cluster_options {
    struct bus_options bus;
    const char *name;  /* of the cluster */
    unsigned replicas; /* of the streams, when they are made */
    double lease;      /* seconds */
    uint64_t
        space; /* bytes that the log, and the stored bytes, may each take up; 0: no limit is set, or
                  changed */
};

/* The room of a stream: as of our last look, plus what this node has written since. */
struct stream_room {
    _Atomic uint64_t space; /* 0: no limit */
    _Atomic uint64_t used;
};

struct log_streams {
    const struct bus_table *table;
    struct bus *bus;
    char name[CLUSTER_NAME_MAX + 1];
    struct stream_room rooms[STREAM_COUNT];
};

/* A message of a stream. */
struct stream_message {
    uint64_t seq; /* its number in the stream */
    char *data;   /* malloc'ed */
    size_t len;
};

bool cluster_name_is_valid(const char *name);
bool cluster_word_is_valid(const char *word); /* for a word of a subject: a node, a session */

/* Connects; with `make`, makes the streams that are not there. */
int streams_open(const struct cluster_options *options, bool make, struct log_streams *ret,
                 struct retort_error *err);
void streams_close(struct log_streams *s);
/* How long leases last in this cluster: as `wanted` if no node is alive, else as for the others. A
 * node that believed in a longer lease than the others would show old data. */
int streams_lease(struct log_streams *s, double wanted, double *ret, struct retort_error *err);

/* "retort.NAME.KIND.ID" */
void streams_subject(const struct log_streams *s, const char *kind, const char *id,
                     char ret[BUS_SUBJECT]);

/* Appends one message whose subject must stand at `expect`: the stream's number of the subject's
 * last message, 0 if there is none, or STREAMS_ANY. With `id`, the same message is never stored
 * twice within two minutes; it may be NULL. Tries again for this many milliseconds. -ESTALE: the
 * subject stands elsewhere; -ENOSPC. */
struct stream_append {
    enum stream stream;
    const char *subject;
    const char *id;
    uint64_t expect;
    const char *data;
    size_t len;
    unsigned patience_ms;
};
int streams_append(struct log_streams *s, const struct stream_append *a, uint64_t *ret_seq,
                   struct retort_error *err);

/* Looks how much of their room the log and the stored bytes take up, because other nodes write,
 * too. Between two looks they may go beyond the limit. */
int streams_look(struct log_streams *s, struct retort_error *err);
/* From the answer of streams_info: how many bytes the stream may take up, 0: no limit. */
uint64_t streams_space(const json_t *info);

/* The last message of a subject, or the first one from `from` on. -ENOENT: there is none. */
int streams_last(struct log_streams *s, enum stream stream, const char *subject,
                 struct stream_message *ret, struct retort_error *err);
/* The same from any server that keeps the stream; its answer may be old, or differ from the
 * leader's. */
int streams_any_last(struct log_streams *s, enum stream stream, const char *subject,
                     struct stream_message *ret, struct retort_error *err);
int streams_next(struct log_streams *s, enum stream stream, const char *subject, uint64_t from,
                 struct stream_message *ret, struct retort_error *err);
/* Whether message `seq` of the log is the first of its subject after `at`. */
int streams_follows(struct log_streams *s, const char *subject, uint64_t at, uint64_t seq,
                    struct retort_error *err);
/* Removes all messages of these subjects except the last `keep`. */
int streams_purge(struct log_streams *s, enum stream stream, const char *subjects, unsigned keep,
                  struct retort_error *err);
/* What the servers say of a stream. With `subjects`, also the number of messages of each of
 * them. */
int streams_info(struct log_streams *s, enum stream stream, const char *subjects, json_t **ret,
                 struct retort_error *err);
