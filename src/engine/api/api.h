/* What all public functions share. They take and leave the session's lock, and turn our errors into
 * the caller's; everything else is done elsewhere.
 *
 * Runs in: whatever thread calls.
 * Hostile: nothing.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_library.py
 */
#pragma once

#include "base/err.h"
#include "engine/session/session.h"
#include "retort.h"

int api_error(struct retort_error *to, const struct retort_error *from, int r);

/* The body of a public function: the call, with the session's lock held and `err` for its error. */
#define LOCKED(s, error, call)                    \
    do {                                          \
        struct retort_error err = ERR_INIT;       \
        session_enter(s);                         \
        int locked_ = (call);                     \
        session_leave(s);                         \
        return api_error((error), &err, locked_); \
    } while (0)
