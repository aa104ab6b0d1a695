/* How many locks on files a session holds, which only the supervisor can count. Taking them takes
 * processor time, so it is asked again when the session has used some, or a little and then rested.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing; the kernel lists them.
 * Life cycle: none.
 * Owns: nothing; what is known is in struct file_locks of the session's usage.
 * Tests: tests/hostile/test_y_objects.py
 */
#pragma once

#include "engine/session/session.h"

/* Before a cell: from the first one on it is counted, because the cgroup may have been another
 * session's, whose processor time it tells, too. */
void locks_begin(struct retort_session *s, uint64_t cpu_us);
/* Perhaps; the answer comes as CTL_LOCKED. `cpu_us`: what the cgroup says. */
void locks_ask(struct retort_session *s, uint64_t cpu_us);
bool locks_exceeded(struct retort_session *s); /* the last answer said so; once for each */
/* Between cells: the same, of what was asked the last time; and asks for the next. */
bool locks_full(struct retort_session *s, uint64_t cpu_us);
