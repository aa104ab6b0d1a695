/* The collector's client: one request, one reply.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing that is decoded here: the collector is ours, and names are bytes.
 * Life cycle: none.
 * Owns: nothing; descriptors that are returned are the caller's.
 * Invariants: after an answer that does not come in time the socket is shut down: nothing that
 *   comes late is taken for the answer to another question.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_n_artifacts.py
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "engine/files/manifest.h"

int collector_check_path(const char *path, struct retort_error *err);
int collector_list(int collector, struct manifest *ret, struct retort_error *err);
int collector_open(int collector, const char *path, uint64_t *ret_size,
                   struct retort_error *err); /* fd */
int collector_create(int collector, const char *path, uint32_t flags, uint32_t mode,
                     struct retort_error *err); /* fd */
/* A regular file as listed: begun empty, for its bytes to be written; then finished. */
int collector_begin(int collector, const struct file *f); /* fd */
int collector_finish(int collector, const struct file *f);
int collector_delete(int collector, const char *path, struct retort_error *err);
/* The first half of a deletion: another name for what is to go. */
int collector_set_aside(int collector, const char *path, const char *aside,
                        struct retort_error *err);
/* A directory, link or FIFO. */
int collector_make(int collector, const struct file *f, struct retort_error *err);
/* Another name for a regular file. */
int collector_link(int collector, const char *path, const char *first, struct retort_error *err);
/* The file of authorities that the session trusts, empty. */
int collector_trust(int collector, struct retort_error *err); /* fd */
/* A socket that listens in the session's own network, for the gate. */
int collector_listen(int collector, struct retort_error *err); /* fd */
/* Takes the place of what is at `to`. */
int collector_rename(int collector, const char *path, const char *to, struct retort_error *err);
