/* What a cluster needs of an engine beside the public functions.
 *
 * Runs in: broker, any thread.
 * Owns: nothing.
 * Tests: tests/system/test_cluster.py
 */
#pragma once

#include "ledger/ledger.h"

struct ledger *engine_record(struct retort_engine *e); /* NULL: the engine records nothing */
/* Whether the engine has a session with this id, even one that is about to end: then nobody else
 * may write to its record. */
bool engine_has_session(struct retort_engine *e, const char *id);
/* Whether it can make sessions: false when its supervisors have died and none can be started any more. */
bool engine_is_able(struct retort_engine *e);
/* How many sessions it may have at once. */
size_t engine_most_sessions(const struct retort_engine *e);
/* Whether nothing can run in the session any more: its supervisor has died, and it could not be
 * brought back. Called in the session's turn. */
bool session_has_ended(struct retort_session *s);
