/* One thread per engine uses the time between cells: it takes the checkpoints that are due, and
 * looks at what sessions do while no cell runs.
 *
 * Runs in: a thread of the broker with all signals blocked.
 * Hostile: nothing.
 * Life cycle: idle_start, idle_stop; a session is forgotten before it is freed.
 * Owns: timer and thread, which are fields of the engine.
 * Invariants: the queue is read and changed with the engine's lock held.
 * Tests: tests/system/test_sessions.py
 */
#pragma once

#include <stdint.h>

struct retort_engine;
struct retort_session;

int idle_start(struct retort_engine *e);
void idle_stop(struct retort_engine *e);
/* Has checkpoint_idle() called when nobody has used the session for this long. That function may
 * put it off. */
void idle_add(struct retort_session *s, uint64_t after_ns);
/* Lasts only if the session's lock is held. */
void idle_forget(struct retort_session *s);
