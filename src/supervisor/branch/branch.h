/* Live branches: an interpreter forks, and the copy moves into namespaces that were made for it
 * inside those of its session. See branch.c for the steps.
 *
 * Runs in: supervisor, and between clone and exec in the first process of a branch.
 * Hostile: the parent's interpreter and what it forks: branch.c says why they gain nothing.
 * Life cycle: branch_init; branch_create, branch_ready, branch_permits as branch.c says; branch_freed
 *   when the session goes.
 * Owns: what a session owns; of the parent it keeps init and the host's uid until its own end.
 * Invariants: a parent counts its branches, and outlives them: as a hull if its owner is gone.
 * Tests: tests/system/test_branch.py, tests/hostile/test_branch_moment.py
 */
#pragma once

#include "sandbox/namespaces.h"
#include "supervisor/supervisor.h"

struct session;

/* Of a session: what it is as a branch, and what it has as one that was branched. */
struct branching {
    struct session *parent; /* whose namespaces hold its own, or NULL */
    struct source forker;   /* pidfd: what joined its namespaces to fork its interpreter */
    pid_t forker_pid;
    unsigned count;             /* how many branches live in ours */
    struct gate *gate;          /* where guests ask what only a branch may do, or NULL */
    int quota[NAMESPACE_KINDS]; /* of our user namespace, for as long as it has branches */
};

void branch_init(struct branching *b);
const char *branch_broken(const struct session *s);

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
