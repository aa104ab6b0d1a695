/* The init of a session: pid 1 of its namespaces. When it ends, the session ends.
 *
 * Runs in: supervisor.
 * Hostile: nothing; it runs 700 bytes of ours (sandbox/init.c). A guest may kill it, and with it
 *   itself.
 * Life cycle: pid1_init; its pid and pidfd come with the clone (birth.c) or with the first word of
 *   a branch's (branch.c); pid1_done with the session, which waits for its end.
 * Owns: its pidfd and its socket.
 * Invariants: while its session is not dying, it has a pidfd if it has a pid.
 * Tests: tests/system/test_sessions.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;

struct pid1 {
    pid_t pid; /* 0: not yet, or it has ended and was reaped */
    int pidfd;
    struct source sock; /* it reports there what it has reaped */
};

void pid1_init(struct pid1 *init);
void pid1_kill(const struct pid1 *init);
void pid1_done(struct pid1 *init);
const char *pid1_broken(const struct session *s);
