/* What a session is for the idle thread (engine/timeline/idle.h): its place in the queue, and since when
 * nobody has used it.
 *
 * Runs in: the broker.
 * Hostile: nothing.
 * Life cycle: zero, and `rest` -1; a session is forgotten before it is freed.
 * Owns: the socket `rest`.
 * Invariants: the queue is read and changed with the engine's lock held; `used_ns` is changed with
 *   the session's, and read without.
 * Tests: tests/system/test_sessions.py
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

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
