/* The collector, as the supervisor starts it. What it does is in collector.c.
 *
 * Runs in: supervisor.
 * Owns: nothing; the socket is the session's.
 * Tests: tests/hostile/test_n_artifacts.py
 */
#pragma once

#include "supervisor/session.h"

/* Makes the socket for questions about the session's files; with the first of them comes the process
 * that answers. */
int collector_offer(struct session *s, struct retort_error *err);
