/* The init of a session: pid 1 of its namespaces. Its end is the session's.
 *
 * Runs in: supervisor.
 * Hostile: nothing; it runs 700 bytes of ours (sandbox/init.c). A guest may end it, and with it itself.
 * Life cycle: pid1_init; its pid and pidfd come with the clone (birth.c) or with the first word of a
 *   branch's (branch.c); pid1_done with the session, which waits for its end.
 * Owns: its pidfd and its socket.
 * Invariants: while its session is not dying, whoever has a pid has a pidfd.
 * Tests: tests/system/test_sessions.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;

struct pid1 {
    pid_t pid; /* 0: not yet, or it has ended and is reaped */
    int pidfd;
    struct source sock; /* what it reaps is told there */
};

void pid1_init(struct pid1 *init);
void pid1_kill(const struct pid1 *init);
void pid1_done(struct pid1 *init);
const char *pid1_broken(const struct session *s);
