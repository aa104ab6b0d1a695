/* The gate: system calls that the guest's filter leaves to the supervisor. setns and capset: nobody
 * may make them but the processes of a branch that is being made, until it is. What lasts in a
 * namespace without being counted (WHEN_TOLD in syscalls.def): everybody may, and it is noted; who
 * does it thousands of times in a second waits.
 *
 * Runs in: supervisor.
 * Hostile: whoever asks. The kernel names the process; its arguments are registers that cannot
 *   change under us; what its descriptors refer to is not looked at here but checked in the result
 *   (branch.c).
 * Owns: the listener's descriptor, shared by a session and all that were branched from it, because
 *   they have inherited one filter.
 * Tests: tests/hostile/test_branch_moment.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct gate;

/* Takes the descriptor. NULL if it is negative, or there is no memory: no branch is live then, and
 * the calls fail with ENOSYS instead of EPERM. */
struct gate *gate_new(int fd);
void gate_raise(struct gate *gate);       /* see source_raise(); NULL: nothing */
struct gate *gate_ref(struct gate *gate); /* takes NULL */
void gate_unref(struct gate *gate);
/* When gates_look() is to be called next: those that were asked too often are heard again. */
uint64_t gates_next(void);
void gates_look(void);
bool gate_is_open(const struct gate *gate); /* takes NULL */
/* Whether it was there all the time, and nobody has done what is noted. */
bool gate_heard_nothing(const struct gate *gate); /* takes NULL */
