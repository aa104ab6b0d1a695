/* Killings that take time: all of a session but a few, and cgroups that are not empty yet.
 *
 * A process dies when the kernel lets it: it may hold memory by the gigabyte, be traced, or hang in
 * a system call. The supervisor never waits for that: it looks again when the time has come, or
 * gives up, and serves all others meanwhile.
 *
 * Runs in: supervisor.
 * Hostile: the processes that are to die.
 * Life cycle: killing_begin() takes the first step, which most often is the last. Otherwise the
 *   loop takes the others. Until the killing is over, what the session's owner asks for is not read.
 * Owns: cgroups that cannot be removed yet.
 * Invariants: a session that has a killing under way is not freed. A cgroup is frozen only while
 *   its session has one.
 * Tests: tests/hostile/test_x_killing.py
 */
#pragma once

#include "sandbox/proctree.h"
#include "supervisor/supervisor.h"

struct session;

/* `killed`: how many, or why that is not certain. */
typedef void killing_fn(struct session *s, int killed);

/* All zero: none is under way. */
struct killing {
    struct session *next;
    struct kill kill;
    uint32_t victims; /* LANGUAGE_BIT()s: their interpreters die too */
    killing_fn *done; /* NULL: none is */
};

const char *killing_broken(const struct session *s);

/* Ends everything but init, the checkpoint and those interpreters that are no victims (a set of
 * LANGUAGE_BIT()s). Returns how many were killed, or -errno; or -EINPROGRESS, and then `done` is called from the loop. */
int killing_begin(struct session *s, uint32_t victims, killing_fn *done);
bool killing_goes_on(const struct session *s);
void killing_drop(struct session *s); /* it is in other hands now; `done` is not called */

/* Before the supervisor exits: a frozen session would not end. */
void killing_thaw_all(void);

/* Removes it, now or as soon as it is empty. What is not empty for long goes with the engine's. */
void killing_remove_cgroup(struct cgroup *cgroup);

/* For the loop: when there is something to be done (UINT64_MAX: nothing); and to do it. */
uint64_t killing_next(void);
void killing_look(void);
