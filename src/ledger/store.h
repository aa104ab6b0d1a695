/* The store: bytes by their hash, beside the entries that refer to them.
 *
 * Runs in: broker, any thread.
 * Hostile: stored bytes.
 * Tests: tests/unit/test_ledger_store.c, tests/unit/test_ledger_faults.c
 */
#pragma once

#include "ledger/ledger.h"

/* A body refers to stored bytes by "sha256:…" strings in three places only, so that no hostile text
 * can pass for a reference: the member "blob", the members of the object "blobs", and the member
 * "blob" of the objects in any list that is a member of the body. */

/* Small data is kept in memory until the entry that refers to it is appended (or for 100 ms), and
 * then written in the same transaction. Larger data is on its way to the disk when the call
 * returns. */
int store_put(struct ledger *l, const void *data, size_t len, struct hash *ret,
              struct retort_error *err);
/* Stores what `fd` reads up to its end, in constant memory. More than `max` bytes: -EFBIG, and
 * nothing is stored. */
int store_put_fd(struct ledger *l, int fd, uint64_t max, struct hash *ret, uint64_t *ret_size,
                 struct retort_error *err);

/* The same, piece by piece. store_finish frees the writer, whatever it returns. */
struct store_writer;
struct store_writer *store_writer_new(struct ledger *l, struct retort_error *err);
int store_add(struct store_writer *w, const void *data, size_t len, struct retort_error *err);
int store_finish(struct store_writer *w, struct hash *ret, uint64_t *ret_size,
                 struct retort_error *err);
void store_abort(struct store_writer *w);

bool store_has(struct ledger *l, const struct hash *h);
/* Returns checked bytes, malloc'ed, NUL-terminated. -ENOENT: unknown; -ENODATA: expired or lost;
 * -EBADMSG: damaged; -EFBIG: more than `max`. */
int store_get(struct ledger *l, const struct hash *h, size_t max, char **ret, size_t *ret_len,
              struct retort_error *err);
/* The bytes that an entry's body names as its "blob": a cell's code or an uploaded file; malloc'ed.
 * NULL: they are gone, which is no error, because the ledger promises only the entry. */
char *store_blob(struct ledger *l, const json_t *body, size_t *ret_len);
/* A descriptor at offset 0 for reading; `check` hashes the bytes first. Errors as above. */
int store_open(struct ledger *l, const struct hash *h, bool check, uint64_t *ret_size,
               struct retort_error *err);
