/* Contents of files, kept so that a roll-back can restore them.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: contents; they are copied and hashed.
 * Life cycle: that of struct files.
 * Owns: nothing of its own: the spool is the files'.
 * Invariants: nothing outlives the process, however it ends: the spool is an unlinked file.
 * Tests: tests/system/test_model.py, tests/system/test_branch.py
 */
#pragma once

#include "engine/files/files.h"

/* Hashes the file and, if the session can be rolled back, keeps its bytes. */
void filestore_keep(struct files *all, struct file *f);
/* Copies all that `from` keeps, to the same offsets. */
int filestore_copy(struct files *to, const struct files *from);
/* Gives up all that is kept. */
void filestore_drop(struct files *f);
/* Writes the spool anew when most of it is no longer needed. Not while a list of files is being
 * made: it knows the manifest and the snapshots, and no unfinished list. */
void filestore_compact(struct files *f);
/* Makes the files those of `target` again (NULL: none). What could not be restored goes to `notes`,
 * and `incomplete` is set. */
int filestore_restore(struct files *f, const struct manifest *target, json_t *notes);
/* The same for one path alone. */
int filestore_restore_path(struct files *f, const struct manifest *target, const char *path);
/* After filestore_copy, for a branch that has its parent's files: it takes over what the parent
 * knows of them. What the branch lacks goes to `notes`. */
int filestore_inherit(struct files *f, const struct files *parent, json_t *notes);

/* --- for restore.c --- */

struct hash;
int filestore_write(int fd, const char *data, size_t len, uint64_t offset);
/* Hashes at most `size` bytes, because a file that grows meanwhile has no end; copies them to
 * `spool` at `at` if that is open. */
int filestore_hash(int fd, uint64_t size, int spool, uint64_t at, struct hash *ret);
