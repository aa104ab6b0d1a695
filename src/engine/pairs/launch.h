/* The way to a launcher (supervisor/launcher.h): a process that keeps the rights with which an engine
 * was started, so that supervisors can be replaced when the caller has given its own up.
 *
 * Runs in: the broker, in any thread.
 * Hostile: nothing; the launcher is ours.
 * Life cycle: launch_keep; launch_another as often as one likes; launch_end.
 * Owns: the process and its socket.
 * Invariants: no lock is needed: each request brings a socket for its own answer.
 * Tests: tests/system/test_pairs.py
 */
#pragma once

#include <sys/types.h>

#include "wire/control.h"

struct launch {
    int sock; /* -1: there is none */
    pid_t pid;
};

#define LAUNCH_NONE ((struct launch){.sock = -1})

/* Starts retort-supervisor with this socket, to be greeted there; for both. */
int launch_program(const char *libexec, int sock, pid_t *ret_pid);
/* `hello`: with what supervisors are to be greeted that it starts. */
int launch_keep(struct launch *l, const char *libexec, const struct ctl_hello *hello);
void launch_end(struct launch *l);
/* Less than 0: it is gone, or could not start one. */
int launch_another(const struct launch *l, int ret_fds[LAUNCHED_FDS]);
