/* The engine's side of `retort run` (cli/run/once.h).
 *
 * Runs in: broker, the thread of the connection; another thread ends the run when the client goes
 *   away.
 * Hostile: nothing; the client is this process's own user.
 * Tests: tests/system/test_resident.py
 */
#pragma once

#include "base/buf.h"
#include "retort.h"

/* `likeness`: of this process when it started, a struct buf. Returns whether it ran something. The
 * descriptor stays the caller's. */
bool once_door(struct retort_engine *engine, void *likeness, int fd);
