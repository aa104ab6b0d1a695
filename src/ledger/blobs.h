/* Stored bytes on their way: in memory, in the database or in files, and to the disk.
 *
 * Runs in: broker; flush.c has a thread of its own.
 * Hostile: stored bytes.
 * Tests: tests/unit/test_ledger_store.c, tests/unit/test_ledger_faults.c
 */
#pragma once

#include "ledger/internal.h"
#include "ledger/store.h"

/* store.c */
struct blob_row {
    enum blob_state state;
    uint64_t size;
    int64_t used;
    int64_t owner; /* 0: no session refers to it yet */
    char *data;    /* malloc'ed; NULL when the bytes are in a file, or gone */
};
void store_path(const struct hash *h, char ret[72]);
/* Bytes as a file in memory. */
int store_memfd(const char *data, size_t len, struct retort_error *err);
/* In a transaction: writes pending bytes to the table, and makes session n (0: none) refer to
 * them. */
int store_settle(struct ledger *l, const struct hash *h, int64_t n, struct retort_error *err);
void store_settled(struct ledger *l, const struct refs *refs); /* call after the commit */
int store_flush_pending(struct ledger *l, struct retort_error *err);
void store_free_pending(struct ledger *l);
int store_recover(struct ledger *l,
                  struct retort_error *err); /* looks after unsynced blobs that a dead engine or
                                                machine left */
int blob_find(struct ledger *l, const struct hash *h, bool load, struct blob_row *ret,
              struct retort_error *err);
int pending_load(struct ledger *l, const struct hash *h, struct blob_row *ret);
int blob_set_state(struct ledger *l, const struct hash *h, enum blob_state from, enum blob_state to,
                   struct retort_error *err);
int hash_fd(int fd, struct hash *ret, uint64_t *ret_size);

/* flush.c */
int flush_start(struct ledger *l, struct retort_error *err);
void flush_stop(struct ledger *l);
uint64_t flush_committed(struct ledger *l);
bool flush_is_done(struct ledger *l);            /* everything of this engine is on the disk */
void flush_put(struct ledger *l, uint64_t size); /* a blob waits in memory */
void flush_file(struct ledger *l, const struct hash *h, int fd, uint64_t size); /* takes fd */
int sync_file(struct ledger *l, const struct hash *h, int fd); /* syncs its bytes and its name */
int flush_check(struct ledger *l, struct retort_error *err);   /* fails if an earlier sync failed */
