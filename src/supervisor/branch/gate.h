/* The gate: system calls about which the guest's filter asks the supervisor. Only processes of a
 * branch that is being made may call setns and capset. Everybody may make calls whose effect lasts
 * in a namespace without being counted (WHEN_TOLD in syscalls.def); the supervisor notes them, and
 * a process that makes thousands of them in a second has to wait.
 *
 * Runs in: supervisor.
 * Hostile: the process that asks. The kernel names it; its arguments are registers, which cannot
 *   change under us. We do not look at what its descriptors refer to; branch.c checks the result.
 * Owns: the listener's descriptor, shared by a session and all that were branched from it, because
 *   they have inherited one filter.
 * Tests: tests/hostile/test_branch_moment.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct gate;

/* Takes the descriptor. NULL if it is negative, or there is no memory: then no branch can be live,
 * and the calls fail with ENOSYS instead of EPERM. */
struct gate *gate_new(int fd);
void gate_raise(struct gate *gate);       /* see source_raise(); does nothing for NULL */
struct gate *gate_ref(struct gate *gate); /* takes NULL */
void gate_unref(struct gate *gate);
/* When gates_look() is to be called next: those that were asked too often are heard again. */
uint64_t gates_next(void);
void gates_look(void);
bool gate_is_open(const struct gate *gate); /* takes NULL */
/* Whether the gate existed all the time, and no noted call was made. */
bool gate_heard_nothing(const struct gate *gate); /* takes NULL */
