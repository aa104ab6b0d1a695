/* The checkpoint: a dormant fork of the interpreter, to which a session goes back.
 *
 *   checkpoint_prepare   the broker gets a witness for the guest, whose interpreter forks
 *   checkpoint_hear      the fork reports there: it is held by pidfd from here on, the old one goes
 *   checkpoint_resume    it gets a new channel and is the interpreter
 *
 * Runs in: supervisor.
 * Hostile: who reports. It must live in this session, and is known by its pidfd.
 * Tests: tests/hostile/test_x_identity.py
 */
#pragma once

#include "supervisor/session.h"

void checkpoint_prepare(struct session *s);
void checkpoint_hear(struct source *source);
void checkpoint_resume(struct session *s);
