/* Landlock, the second wall around a session's files.
 *
 * Runs in: a session's process before the guest's first instruction: no allocation, no stdio.
 * Hostile: nothing is read; the restriction faces the guest.
 * Owns: nothing.
 * Tests: tests/unit/test_landlock.c
 */
#pragma once

struct retort_error;

/* The version of the kernel's interface, 0 if it has none (or has it switched off), or -errno. */
int landlock_version(void);

/* Restricts the calling thread, and what it forks, to the files beneath "/". That must already be
 * the session's own root, with the old one detached: everything still mounted there is reachable.
 * Signals and abstract sockets stay within the restricted processes. no_new_privs must be set.
 * Returns the version of the kernel's interface, 0 if this kernel has no Landlock, or -errno. */
int landlock_restrict(struct retort_error *err);

/* The same beneath any directory; the descriptor stays the caller's. */
int landlock_restrict_beneath(int rootfd, struct retort_error *err);
