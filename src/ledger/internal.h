/* What the files of the ledger share.
 *
 * Locks: `lock` guards the connection, its statements and the pending blobs, and is held for one
 * short transaction; `flush.lock` guards the flusher's fields and is never held over input or
 * output. Taken in this order, never the other way round. Files of the store appear (rename) and go
 * (unlink) only inside a write transaction that also looked at their row, so several engines cannot
 * undo each other's work.
 *
 * Runs in: broker.
 * Hostile: stored bytes.
 * Owns: see ledger.h.
 * Tests: tests/unit/test_ledger*.c
 */
#pragma once

#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>

#include "ledger/ledger.h"

#define STORE_INLINE 8192 /* a blob of up to this many bytes is kept in the database */
#define STORE_CHUNK (1 << 20)
#define SALT_SIZE 16
#define LEDGER_OWNER_SIZE 128
#define ENTRY_BYTES "256" /* bytes of an entry beside its body: hashes and row */

enum blob_state {
    BLOB_UNSYNCED, /* a file that may not be on the disk yet */
    BLOB_PRESENT,
    BLOB_EXPIRED,
    BLOB_LOST, /* found broken after a power loss, before it had been synced */
};

enum stmt {
    ST_BEGIN,
    ST_COMMIT,
    ST_ROLLBACK,
    ST_SESSION,
    ST_SESSION_N,
    ST_SESSIONS,
    ST_SESSION_INSERT,
    ST_SESSION_MOVE,
    ST_SESSION_STATE,
    ST_SESSION_TITLE,
    ST_ENTRY_INSERT,
    ST_ENTRIES,
    ST_LAST_CELL,
    ST_REQUESTED,
    ST_OUTCOME_OF,
    ST_LIVE_ENGINES,
    ST_LIVE_OF,
    ST_BLOB,
    ST_BLOB_PUT,
    ST_BLOB_OWN,
    ST_BLOB_STATE,
    ST_BLOB_TOUCH,
    ST_REF_INSERT,
    ST_COUNT
};

struct db {
    sqlite3 *handle;
    sqlite3_stmt *stmts[ST_COUNT];
};

struct pending {
    struct pending *next;
    struct hash hash;
    size_t len;
    char data[];
};

struct unsynced {
    struct unsynced *next;
    struct hash hash;
    int fd; /* -1: synced already */
};

struct flusher {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t thread;
    bool started, stop, urgent;
    uint64_t committed, synced; /* tickets */
    struct unsynced *files;
    unsigned files_open;
    int failed;              /* errno of a failed sync: after it nothing is trusted */
    uint64_t bytes_put;      /* since the quota was last checked */
    uint64_t dirty_since_ns; /* 0: nothing to do */
};

struct ledger {
    char *dir;
    const char *place; /* the name of the directory in errors */
    int dirfd, storefd, leasesfd, leasefd;
    uid_t uid; /* the owner of the directory */
    gid_t gid;
    char engine[LEDGER_ID_SIZE];
    struct ledger_options options;
    uint64_t tmp_serial;
    unsigned sweep_next; /* the next directory of the store to sweep */
    pthread_mutex_t lock;
    struct db db;
    struct pending *pending[256]; /* indexed by the first byte of the hash */
    size_t pending_bytes;
    struct flusher flush;
    const struct ledger_mirror *mirror; /* NULL: there is no other copy of this ledger */
    bool unmirrored;           /* under the lock: what is written now does not go to the mirror */
    struct outgoing *outgoing; /* entries of the running transaction, for the mirror */
    bool over;                 /* an owner has more entries than his share, and all are in use: */
    char over_owner[LEDGER_OWNER_SIZE];
};

/* A row of table session. */
struct session_row {
    int64_t n, parent;
    char id[LEDGER_ID_SIZE];
    uint64_t parent_seq;
    struct hash base;
    enum ledger_state state;
    char engine[LEDGER_ID_SIZE];
    int64_t created, touched;
    uint64_t seq;
    struct hash head;
    unsigned cells;
    char title[LEDGER_TITLE_SIZE];
};

struct refs {
    struct hash *hashes;
    size_t count;
};

/* lease.c */
/* Makes a directory if there is none, and gives a new one to the ledger's owner. */
int ledger_make_dir(const struct ledger *l, int dirfd, const char *name);
int give_file(const struct ledger *l, int dirfd, const char *name);

int lease_take(struct ledger *l, struct retort_error *err);
void lease_drop(struct ledger *l);
bool lease_is_free(const struct ledger *l, const char *engine);
/* Declares the live sessions of dead engines interrupted and removes their leases and temporary
 * files. */
int lease_recover(struct ledger *l, struct retort_error *err);

/* Gives a cell without an outcome one: interrupted, or lost with its node. */
int lease_interrupt_cell(struct ledger *l, struct session_row *row, bool lost,
                         struct retort_error *err);

/* An entry that is to be appended. */
struct draft {
    enum ledger_kind kind;
    char *text; /* canonical: sorted keys, no spaces */
    size_t len;
    unsigned char salt[SALT_SIZE];
    struct hash digest;
    int64_t time;
    struct refs refs;
};

struct ledger_record;

/* log.c; all with `lock` held, the appends inside a transaction */
bool row_read(sqlite3_stmt *s, struct session_row *ret);
int row_find(struct ledger *l, const char *id, struct session_row *ret, struct retort_error *err);
int row_find_n(struct ledger *l, int64_t n, struct session_row *ret, struct retort_error *err);
int row_set_state(struct ledger *l, struct session_row *row, enum ledger_state state,
                  struct retort_error *err);
int log_append(struct ledger *l, struct session_row *row, enum ledger_kind kind, const json_t *body,
               struct retort_error *err);
/* Inside a transaction: adds an entry that was made elsewhere; row->head becomes its hash. */
int log_put(struct ledger *l, struct session_row *row, const struct ledger_record *record,
            struct retort_error *err);
int row_insert(struct ledger *l, const char *id, const struct session_row *parent,
               struct retort_error *err);
int kind_parse(const char *name, enum ledger_kind *ret);
/* What the hash of an entry covers. */
struct entry_link {
    const struct hash *prev;
    const char *session;
    uint64_t seq;
    const char *kind;
    int64_t time;
    const struct hash *digest; /* of the entry's body */
};
int entry_hash(const struct entry_link *e, struct hash *ret);
int body_digest(const void *salt, const void *body, size_t len, struct hash *ret);

/* refs.c */
int refs_collect(const json_t *body, struct refs *ret); /* -EINVAL for a malformed one */
int refs_add(struct refs *r, const json_t *body);       /* adds to what is there already */
int refs_room(struct refs *r);
void refs_done(struct refs *r);
