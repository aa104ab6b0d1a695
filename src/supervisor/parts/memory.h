/* How much memory a session may occupy: its cgroup's limit grows with its files, and with pages
 * that it shares with a checkpoint or branch.
 *
 * Runs in: supervisor.
 * Life cycle: all zero at first; nothing to do at the end.
 * Owns: nothing; the cgroup is the session's.
 * Invariants: only a session with a cgroup gets more room, and copies get no more than the
 *   session's limit.
 * Tests: tests/hostile/test_d_memory.py
 */
#pragma once

#include <stdint.h>

struct session;

struct memory {
    uint64_t files;  /* bytes, as the broker says */
    uint64_t copies; /* bytes of pages that a checkpoint or a branch shares */
};

const char *memory_broken(const struct session *s);

/* From now on something else holds the interpreter's pages as they are now; or does no longer. */
void memory_shared(struct session *s);
void memory_unshared(struct session *s);
void memory_room(struct session *s, uint64_t files); /* answers CTL_ROOM */
void memory_measure(struct session *s);              /* answers CTL_MEASURE */
void memory_locks(struct session *s);                /* makes a child answer CTL_LOCKS */
