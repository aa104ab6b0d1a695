/* Sessions that nobody uses give up descriptors. A session's descriptors are needed by its next
 * cell and not before. So where the program could run out of them, a session that has been quiet
 * for a moment gives up nine of twelve: they lie in a message that nobody has received, in a socket
 * of the session's own. To get them back, the message is peeked at, not taken: if the program has
 * no descriptor left, nothing is lost.
 *
 * Only for root. The kernel counts the descriptors that lie in messages for each user. When a user
 * has more than one process may have open, it refuses to let any of that user's programs send
 * descriptors.
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
/* Gives the session its descriptors back. 0, or -errno: it still rests. */
int session_stir(struct retort_session *s, struct retort_error *err);
