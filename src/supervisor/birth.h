/* Making a session: from its uid to the moment at which its first process may begin.
 *
 * Runs in: supervisor.
 * Owns: nothing; what it makes is the session's from the start, and goes with it.
 * Tests: tests/hostile/test_L10_failpoints.py
 */
#pragma once

#include "supervisor/session.h"

void birth_setup(struct retort_error *err);      /* once: what needs the base root */
void birth_begin(struct session *s, int env_fd); /* failure is told on the session's socket */
int birth_devices(struct session *s, struct retort_error *err);
