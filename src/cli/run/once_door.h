/* The engine's side of `retort run` (cli/run/once.h).
 *
 * Runs in: broker, the thread of the connection; another one waits for the client to go away, which
 *   ends what it asked for.
 * Hostile: nobody; the client is this process's own user.
 * Tests: tests/system/test_resident.py
 */
#pragma once

#include "base/buf.h"
#include "retort.h"

/* `likeness`: what this process was when it started, a struct buf. Whether a run was made. The
 * descriptor stays the caller's. */
bool once_door(struct retort_engine *engine, void *likeness, int fd);
