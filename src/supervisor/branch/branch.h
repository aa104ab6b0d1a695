/* Live branches: an interpreter forks, and the copy moves into namespaces that were made for it
 * inside of its session's. See branch.c for the steps.
 *
 * Runs in: supervisor, and between clone and exec in the first process of a branch.
 * Hostile: the parent's interpreter and what it forks: branch.c says why they gain nothing.
 * Life cycle: branch_init; branch_create, branch_ready, branch_permits as branch.c says;
 *   branch_freed when the session goes.
 * Owns: what a session owns; it keeps the parent's init and host uid alive until its own end.
 * Invariants: a parent counts its branches, and outlives them; if its owner is gone, as a hull.
 * Tests: tests/system/test_branch.py, tests/hostile/test_branch_moment.py
 */
#pragma once

#include "sandbox/namespaces.h"
#include "supervisor/supervisor.h"

struct session;

/* What a session has as a branch, and as one that was branched. */
struct branching {
    struct session *parent; /* the session whose namespaces hold this one's, or NULL */
    struct source forker;   /* pidfd of the process that joined its namespaces to fork its
                               interpreter */
    pid_t forker_pid;
    unsigned count;             /* how many branches live in this session's namespaces */
    struct gate *gate;          /* where guests ask for calls that only a branch may make, or
                                   NULL */
    int quota[NAMESPACE_KINDS]; /* of our user namespace, as long as it has branches */
};

void branch_init(struct branching *b);
const char *branch_broken(const struct session *s);

/* CTL_BRANCH: takes the socket of the new session and answers there. */
void branch_create(struct session *parent, int sock);
void branch_ready(struct session *s); /* its init is up */
/* Whether the process behind `pidfd`, which waits in the gate, may make this call. */
bool branch_permits(const struct gate *gate, pid_t pid, int pidfd, int nr, int kind);

/* Ending a session that is a branch, or has branches. */
void branch_hull(struct session *s);    /* for a session whose owner is gone, while branches live
                                           on */
void branch_abandon(struct session *s); /* for a branch that is being killed */
void branch_orphan(struct session *s);  /* its init has ended, and with it everything in its
                                           namespaces */
void branch_freed(struct session *s);

/* branch_child.c: in a child of the supervisor, never returns. */
_Noreturn void branch_child_main(const struct session *s, int line);
