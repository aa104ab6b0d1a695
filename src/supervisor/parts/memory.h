/* What a session may occupy: the limit of its cgroup follows its files, and the pages that somebody
 * else holds as well.
 *
 * Runs in: supervisor.
 * Life cycle: all zero at first; nothing is left to do at the end.
 * Owns: nothing; the cgroup is the session's.
 * Invariants: room is made in a cgroup, and copies take no more of it than the session's limit.
 * Tests: tests/hostile/test_d_memory.py
 */
#pragma once

#include <stdint.h>

struct session;

struct memory {
    uint64_t files;  /* bytes, as the broker says */
    uint64_t copies; /* of pages that a checkpoint or a branch shares */
};

const char *memory_broken(const struct session *s);

/* Something else holds the interpreter's pages from here on, as they are now; or no longer. */
void memory_shared(struct session *s);
void memory_unshared(struct session *s);
void memory_room(struct session *s, uint64_t files); /* answers CTL_ROOM */
void memory_measure(struct session *s);              /* answers CTL_MEASURE */
void memory_locks(struct session *s);                /* has CTL_LOCKS answered */
