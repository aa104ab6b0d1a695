/* A second place for the entries of a ledger, which decides whether they count: the log of a
 * cluster.
 *
 * A call first commits its entry here, then releases the lock and sends the entry to the mirror,
 * before it returns. If the mirror does not take it, the call fails, and this disk is only a cache
 * that has run ahead: the node that takes the session next replaces it by what the mirror has
 * (ledger_import).
 *
 * Runs in: broker, any thread.
 * Hostile: records from elsewhere, which we check against the chain of hashes before they count.
 * Life cycle: ledger_mirror once, before the first session; the table lives as long as the ledger.
 * Tests: tests/unit/test_ledger_mirror.c
 */
#pragma once

#include "ledger/internal.h"

/* One entry, as it is sent. All pointers are borrowed. */
struct ledger_record {
    char session[LEDGER_ID_SIZE];
    char parent[LEDGER_ID_SIZE]; /* of a session that is a branch; else "" */
    uint64_t parent_seq;
    uint64_t seq;
    enum ledger_kind kind;
    int64_t time;
    unsigned char salt[SALT_SIZE];
    const char *body; /* canonical JSON */
    size_t len;
    struct hash hash; /* of the entry: covers all entries before it */
    struct refs refs; /* the stored bytes that the body refers to */
};

struct outgoing;

struct ledger_mirror {
    /* Whether this engine may append to the session. Asked before anything is written. */
    int (*permit)(void *user, const char *session, enum ledger_kind kind, struct retort_error *err);
    /* Returns when the entry is safe. A session's entries may come from several threads in any
     * order; they must be kept in the order of their numbers. */
    int (*append)(void *user, const struct ledger_record *record, struct retort_error *err);
    /* Takes an entry that announces something. It goes with the next entry of its session, or when
     * `settled` asks for it: the ledger does that before it shows anything of the cell to others.
     * Negative: append it instead. */
    int (*announce)(void *user, struct outgoing *entry);
    int (*settled)(void *user, const char *session, uint64_t seq, struct retort_error *err);
    void *user;
};

void ledger_mirror(struct ledger *l, const struct ledger_mirror *mirror);

/* Replaces the log of a session by the records, from the first entry to the last. Their hashes are
 * checked; the stored bytes that they refer to, and the parent, must be here. The session then
 * sleeps, is closed, is forgotten, or counts as interrupted. It must not run here. -EBADMSG: the
 * records are no chain. */
int ledger_import(struct ledger *l, const struct ledger_record *records, size_t count,
                  struct retort_error *err);
/* If the last cell of an imported session has no outcome, records that it was lost. */
int ledger_abandon(struct ledger *l, const char *session, struct retort_error *err);

/* --- for log.c, and for mirrors --- */

struct outgoing {
    struct outgoing *next;
    struct ledger_record record;
    char text[]; /* its body */
};

void outgoing_free(struct outgoing *entry);

struct draft;
int mirror_permit(struct ledger *l, const char *session, enum ledger_kind kind,
                  struct retort_error *err);
/* With the ledger's lock held: queues an entry that this transaction has recorded. */
int mirror_queue(struct ledger *l, const struct session_row *row, const struct draft *d,
                 struct retort_error *err);
/* With the lock held: takes all that were queued since the last call. */
struct outgoing *mirror_take(struct ledger *l);
/* Without the lock: sends them if everything succeeded so far (r is 0), and frees them. */
int mirror_send(struct ledger *l, struct outgoing *list, int r, struct retort_error *err);
