/* Counts the locks on files that a session holds, which only the supervisor can see. A guest needs
 * processor time to take locks, so we ask again when the session has used some, or used a little
 * and then rested.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing; the kernel lists them.
 * Life cycle: none.
 * Owns: nothing; what is known is in struct file_locks of the session's usage.
 * Tests: tests/hostile/test_y_objects.py
 */
#pragma once

#include "engine/session/session.h"

/* Before a cell. Processor time counts from the first one on, because the cgroup may have served
 * another session, whose processor time is in its counter, too. */
void locks_begin(struct retort_session *s, uint64_t cpu_us);
/* Asks, if it is time to. The answer comes as CTL_LOCKED. `cpu_us`: what the cgroup says. */
void locks_ask(struct retort_session *s, uint64_t cpu_us);
bool locks_exceeded(struct retort_session *s); /* whether the last answer said so; true once for
                                                  each answer */
/* Between cells: tells that of the last answer, and asks for the next one. */
bool locks_full(struct retort_session *s, uint64_t cpu_us);
