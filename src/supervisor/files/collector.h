/* The collector, as the supervisor starts it. What it does is in collector.c.
 *
 * Runs in: supervisor.
 * Owns: nothing; the socket is the session's.
 * Tests: tests/hostile/test_n_artifacts.py
 */
#pragma once

#include "supervisor/session.h"

/* Opens for the broker what it needs to see whether there are files, and what waits in sockets. */
int files_offer(struct session *s, struct retort_error *err);
/* Starts the process that answers questions about the session's files on `sock`, which stays the
 * caller's. */
void collector_start(struct session *s, int sock);
