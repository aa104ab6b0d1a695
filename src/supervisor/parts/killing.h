/* Killings that take time: of all processes of a session except a few, and of cgroups that are not
 * empty yet.
 *
 * A process dies when the kernel lets it: it may hold memory by the gigabyte, be traced, or hang in
 * a system call. The supervisor never waits for that: it looks again when the time has come, or
 * gives up, and serves all others meanwhile.
 *
 * Runs in: supervisor.
 * Hostile: the processes that are to die.
 * Life cycle: killing_begin() takes the first step, which is most often the last; the loop takes
 *   the others. Until the killing is over, requests of the session's owner are not read.
 * Owns: cgroups that cannot be removed yet.
 * Invariants: a session that has a killing under way is not freed. A cgroup is frozen only while
 *   its session has one.
 * Tests: tests/hostile/test_x_killing.py
 */
#pragma once

#include "sandbox/proctree.h"
#include "supervisor/supervisor.h"

struct session;

/* `killed`: how many, or -errno if that is not certain. */
typedef void killing_fn(struct session *s, int killed);

/* All zero: no killing is under way. */
struct killing {
    struct session *next;
    struct kill kill;
    uint32_t victims; /* LANGUAGE_BIT()s: their interpreters die too */
    killing_fn *done; /* NULL: no killing */
};

const char *killing_broken(const struct session *s);

/* Kills everything except init, the checkpoint and the interpreters that are not among the victims
 * (a set of LANGUAGE_BIT()s). Returns how many it killed, or -errno; or -EINPROGRESS, and then the
 * loop calls `done`. */
int killing_begin(struct session *s, uint32_t victims, killing_fn *done);
bool killing_goes_on(const struct session *s);
void killing_drop(struct session *s); /* another killing takes over; `done` is not called */

/* Call before the supervisor exits: a frozen session would not end. */
void killing_thaw_all(void);

/* Removes the cgroup, now or as soon as it is empty. If that takes too long, it is removed with the
 * engine's. */
void killing_remove_cgroup(struct cgroup *cgroup);

/* For the loop: when there is something to do (UINT64_MAX: nothing), and doing it. */
uint64_t killing_next(void);
void killing_look(void);
