/* The first process of a session. It runs as pid 1 of the new namespaces, between clone and exec.
 *
 * Runs in: that process.
 * Hostile: nothing runs yet that could be.
 * Tests: tests/hostile/test_L10_failpoints.py
 */
#pragma once

#include "supervisor/session.h"

_Noreturn void session_child_main(const struct session *s, int init_sock);
/* Its steps, also for the first process of a branch. `quota` is a directory as in quota.h; negative
 * if it could not be opened: then every step that needs it fails. */
int child_quota(const struct session *s);
int child_enter(const struct session *s, int quota, struct retort_error *err);
int child_lock(const struct session *s, struct retort_error *err);
_Noreturn void child_become_init(const struct session *s, int init_sock);

/* For another interpreter, forked into the pid namespace of a live session: joins the other
 * namespaces, locks itself in, begins. */
_Noreturn void companion_child_main(const struct session *s, const struct ctl_start *start,
                                    const int guest[3], int setup);

/* How many descriptors a process of the guest may have open. */
unsigned session_open_files(const struct session *s);
