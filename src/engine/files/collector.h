/* The collector's client: one request, one reply.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing that is decoded here: the collector is ours, and names are bytes.
 * Life cycle: a session that has a process sets `ctl`; the first question has the supervisor start the
 *   collector; collector_done.
 * Owns: its socket; descriptors that are returned are the caller's.
 * Invariants: a session's process has one collector at most; its socket stays even when it has
 *   ended. If an answer does not come in time we shut the socket down, so that no late answer is
 *   taken for the answer to another question.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_n_artifacts.py
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "engine/files/manifest.h"

struct collector {
    int ctl;  /* to the supervisor: the session's, borrowed; -1: the session has no process */
    int sock; /* -1: nothing was asked yet */
};

#define COLLECTOR_NONE ((struct collector){-1, -1})

void collector_done(struct collector *c);
int collector_check_path(const char *path, struct retort_error *err);
int collector_list(struct collector *collector, struct manifest *ret, struct retort_error *err);
int collector_open(struct collector *collector, const char *path, uint64_t *ret_size,
                   struct retort_error *err); /* fd */
int collector_create(struct collector *collector, const char *path, uint32_t flags, uint32_t mode,
                     struct retort_error *err); /* fd */
/* Makes a regular file as listed: the first call makes it empty, for its bytes to be written; the
 * second one sets the rest. */
int collector_begin(struct collector *collector, const struct file *f); /* fd */
int collector_finish(struct collector *collector, const struct file *f);
int collector_delete(struct collector *collector, const char *path, struct retort_error *err);
/* The first half of a deletion: gives what is to go another name. */
int collector_set_aside(struct collector *collector, const char *path, const char *aside,
                        struct retort_error *err);
/* A directory, link or FIFO. */
int collector_make(struct collector *collector, const struct file *f, struct retort_error *err);
/* Another name for a regular file. */
int collector_link(struct collector *collector, const char *path, const char *first,
                   struct retort_error *err);
/* The file of authorities that the session trusts, empty. */
int collector_trust(struct collector *collector, struct retort_error *err); /* fd */
/* A socket that listens in the session's own network, for the gate. */
int collector_listen(struct collector *collector, struct retort_error *err); /* fd */
/* Takes the place of what is at `to`. */
int collector_rename(struct collector *collector, const char *path, const char *to,
                     struct retort_error *err);
