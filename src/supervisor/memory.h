/* What a session may occupy: the limit of its cgroup follows its files, and the pages that somebody
 * else holds as well.
 *
 * Runs in: supervisor.
 * Owns: nothing.
 * Tests: tests/hostile/test_d_memory.py
 */
#pragma once

#include "supervisor/session.h"

/* Something else holds the interpreter's pages from here on, as they are now; or no longer. */
void memory_shared(struct session *s);
void memory_unshared(struct session *s);
void memory_room(struct session *s, uint64_t files); /* answers CTL_ROOM */
void memory_measure(struct session *s);              /* answers CTL_MEASURE */
