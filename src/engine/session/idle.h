/* One thread per engine uses the time between cells: it takes the checkpoints that are due, and
 * looks at what sessions do while no cell runs.
 *
 * Runs in: a thread of the broker with all signals blocked.
 * Hostile: nothing.
 * Life cycle: idle_start, idle_stop; a session is forgotten before it is freed.
 * Owns: timer and thread, which are fields of the engine.
 * Invariants: the queue is read and changed with the engine's lock held; `used_ns` is changed with
 *   the session's, and read without.
 * Tests: tests/system/test_sessions.py
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct retort_engine;
struct retort_session;

struct idle_link {
    struct retort_session *next, *before; /* in the engine's queue */
    uint64_t due_ns;
    bool queued;
    atomic_bool looks;        /* the idle thread holds the session's lock */
    _Atomic uint64_t used_ns; /* when somebody used the session last; 0 while it is being made */
    uint64_t restless_ns;     /* used by the idle thread only: when it last failed to let the
                                 session rest */
    atomic_int rest; /* rest.h: the socket in which its descriptors lie; -1: it does not rest */
};

int idle_start(struct retort_engine *e);
void idle_stop(struct retort_engine *e);
/* Has checkpoint_idle() called when nobody has used the session for this long. That function may
 * put it off. */
void idle_add(struct retort_session *s, uint64_t after_ns);
/* Lasts only if the session's lock is held. */
void idle_forget(struct retort_session *s);
