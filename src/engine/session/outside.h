/* Files that are written or deleted from outside, by the caller: each is a step of the timeline.
 *
 * Runs in: the broker, with the session's lock held; the session has a process, and paths
 *   have been checked.
 * Hostile: nothing but what the guest does to its own files meanwhile.
 * Life cycle: upload_open, upload_add, upload_publish; upload_drop in any case.
 * Owns: an upload owns its file until it has got its name.
 * Invariants: what is not on record is not there: a replay would not bring it back.
 * Tests: tests/system/test_sessions.py, tests/system/test_model.py
 */
#pragma once

#include "engine/session/record.h"

int outside_write(struct retort_session *s, const char *path, const struct file_piece *piece,
                  struct retort_error *err);
int outside_delete(struct retort_session *s, const char *path, struct retort_error *err);

/* `size` in all, or 0 if that is not known. */
int upload_open(struct retort_session *s, const char *path, uint64_t size,
                struct retort_upload **ret, struct retort_error *err);
int upload_add(struct retort_upload *u, const void *data, size_t len, struct retort_error *err);
int upload_publish(struct retort_upload *u, struct retort_error *err);
/* Deletes the bytes unless they have got their name. */
void upload_drop(struct retort_upload *u);
