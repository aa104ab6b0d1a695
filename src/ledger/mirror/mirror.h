/* A second place for the entries of a ledger, which decides whether they count: the log of a cluster.
 *
 * An entry is committed here first, and goes to the mirror when no lock is held any more, before the
 * call that made it returns. If the mirror does not take it, the call fails, and what is on this disk is only a cache
 * that has run ahead: whoever takes the session next makes it what the mirror has (ledger_import).
 *
 * Runs in: broker, any thread.
 * Hostile: what comes back from elsewhere is checked against the chain of hashes before it counts.
 * Life cycle: ledger_mirror once, before the first session; the table lives as long as the ledger.
 * Tests: tests/unit/test_ledger_mirror.c
 */
#pragma once

#include "ledger/internal.h"

/* One entry, as it travels. Everything is borrowed. */
struct ledger_record {
    char session[LEDGER_ID_SIZE];
    char parent[LEDGER_ID_SIZE]; /* of a session that branched off; else "" */
    uint64_t parent_seq;
    uint64_t seq;
    enum ledger_kind kind;
    int64_t time;
    unsigned char salt[SALT_SIZE];
    const char *body; /* canonical JSON */
    size_t len;
    struct hash hash; /* of the entry: covers all before it */
    struct refs refs; /* the stored bytes that the body refers to */
};

struct outgoing;

struct ledger_mirror {
    /* Whether this engine may append to the session at all. Asked before anything is written. */
    int (*permit)(void *user, const char *session, enum ledger_kind kind, struct retort_error *err);
    /* Returns when the entry is safe. Entries of a session may come in any order from several
     * threads; they have to be kept in that of their numbers. */
    int (*append)(void *user, const struct ledger_record *record, struct retort_error *err);
    /* Takes an entry that announces something, and keeps it until the next one of its session, which it goes with, or until `settled`
     * is asked for it: whoever shows others something does that first. Negative: append it. */
    int (*announce)(void *user, struct outgoing *entry);
    int (*settled)(void *user, const char *session, uint64_t seq, struct retort_error *err);
    void *user;
};

void ledger_mirror(struct ledger *l, const struct ledger_mirror *mirror);

/* Makes the log of a session what the records say, from the first entry to the last. Their hashes are
 * checked; the stored bytes that they refer to, and the parent, must be here. The session then sleeps, is
 * closed, forgotten, or counts as interrupted. It must not be one that runs here. -EBADMSG: they are no
 * chain. */
int ledger_import(struct ledger *l, const struct ledger_record *records, size_t count,
                  struct retort_error *err);
/* If the last cell of an imported session has no outcome, it gets one: lost. */
int ledger_abandon(struct ledger *l, const char *session, struct retort_error *err);

/* --- for log.c, and for whoever takes one --- */

struct outgoing {
    struct outgoing *next;
    struct ledger_record record;
    char text[]; /* its body */
};

void outgoing_free(struct outgoing *entry);

struct draft;
int mirror_permit(struct ledger *l, const char *session, enum ledger_kind kind,
                  struct retort_error *err);
/* With the ledger's lock held: an entry that was put on record in this transaction. */
int mirror_queue(struct ledger *l, const struct session_row *row, const struct draft *d,
                 struct retort_error *err);
/* With the lock: all that were queued since the last call. */
struct outgoing *mirror_take(struct ledger *l);
/* Without it: sends them if all went well so far (r is 0), and frees them. */
int mirror_send(struct ledger *l, struct outgoing *list, int r, struct retort_error *err);
