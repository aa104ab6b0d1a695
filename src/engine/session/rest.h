/* Descriptors of a session that nobody uses. All of them are needed by its next cell, and by nobody
 * before that; so where the program could run out of them, a session that has been quiet for a moment
 * gives up nine of twelve. They lie in a message that nobody has received, in a socket of the session's
 * own, and are looked at there, not taken: where there is no descriptor left for them, nothing is lost.
 *
 * Only for root. The kernel counts what lies in messages for each user, and refuses all of a user's
 * programs to send descriptors when there is more than each may have open.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: nothing. The other ends of the pipes are a guest's, and nobody reads them meanwhile.
 * Life cycle: session_rest, by the idle thread; session_stir, before anything is asked of the session.
 * Owns: the socket, `idle.rest` of the session.
 * Invariants: a session that rests has a process, and none of these descriptors (session_check.c).
 * Tests: tests/unit/test_rest.c, tests/system/test_many.py
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

struct retort_engine;
struct retort_session;

/* Whether sessions of this engine have to rest. With its lock held. */
bool engine_rests(const struct retort_engine *e);
/* Asked without the session's lock, and once more with it. */
bool session_may_rest(const struct retort_session *s);
void session_rest(struct retort_session *s);
/* It has them again: 0 or -errno, and then it rests as before. */
int session_stir(struct retort_session *s, struct retort_error *err);
