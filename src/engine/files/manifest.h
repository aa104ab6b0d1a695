/* Lists of files: what the session has now, and what it had at points of its past.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: names and link targets; they are bytes, and never resolved here.
 * Life cycle: files_list makes a manifest, manifest_done frees it; snapshot_new, _ref, _unref.
 * Owns: the names.
 * Invariants: sorted by path, no path twice; `bytes` is what the entries take.
 * Tests: tests/system/test_model.py, tests/hostile/test_x_account.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/parts/account.h"

struct file {
    char *path, *target;
    uint64_t size, ctime_ns, inode;
    uint32_t mode;
    bool settled; /* while the file has these times, it is unchanged */
    char sha256[65];
    int64_t kept; /* where its bytes are kept: an offset in the session's spool, or one of KEPT_… */
};

#define KEPT_NOT (-1)
#define KEPT_IN_STORE (-2) /* in the store of the ledger, by hash */

struct manifest {
    struct file *files; /* sorted by path */
    size_t count;
    uint32_t mode; /* of /work itself; 0: unknown */
    int missing;   /* errno: why not all files are in it; 0: they are */
    size_t bytes;  /* of memory */
};

void file_done(struct file *f);
size_t file_bytes(const struct file *f);
void manifest_done(struct manifest *m);
void manifest_sort(struct manifest *m);
int manifest_copy(const struct manifest *from, struct manifest *ret);
struct file *manifest_find(const struct manifest *m, const char *path);

/* A manifest at some point of the past. Points between which no file changed share one. All
 * snapshots of a session are in a list, so that whoever moves kept bytes finds them. */
struct snapshot {
    unsigned refs;
    struct manifest files;
    struct account *account; /* of the session that has it */
    struct snapshot *next, **before;
};

/* A copy, on the account, in the list. */
struct snapshot *snapshot_new(struct snapshot **list, struct account *account,
                              const struct manifest *files);
/* The same of one path alone; empty if it is not there. */
struct snapshot *snapshot_of(struct snapshot **list, struct account *account,
                             const struct manifest *files, const char *path);
struct snapshot *snapshot_ref(struct snapshot *snap); /* takes NULL */
void snapshot_unref(struct snapshot *snap);
