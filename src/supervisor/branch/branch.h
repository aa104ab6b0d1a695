/* Live branches: an interpreter forks, and the copy moves into namespaces that were made for it
 * inside those of its session. See branch.c for the steps.
 *
 * Runs in: supervisor, and between clone and exec in the first process of a branch.
 * Hostile: the parent's interpreter and what it forks: branch.c says why they gain nothing.
 * Owns: what a session owns; of the parent it keeps init and the host's uid until its own end.
 * Tests: tests/system/test_branch.py, tests/hostile/test_branch_moment.py
 */
#pragma once

#include "supervisor/session.h"

/* CTL_BRANCH: takes the socket of the new session and answers there. */
void branch_create(struct session *parent, int sock);
void branch_ready(struct session *s); /* its init is up */
/* Whether the process behind `pidfd`, which waits in the gate, may make this call. */
bool branch_permits(const struct gate *gate, pid_t pid, int pidfd, int nr, int kind);

/* Ending a session that is a branch, or has branches. */
void branch_hull(struct session *s);    /* the owner is gone, branches live on */
void branch_abandon(struct session *s); /* being killed */
void branch_orphan(struct session *s);  /* its init has ended, and with it all in its namespaces */
void branch_freed(struct session *s);

/* branch_child.c: in a child of the supervisor, never returns. */
_Noreturn void branch_child_main(const struct session *s, int line);
