/* A session without a cgroup: everything in its pid namespace, found by reading /proc.
 *
 * Runs in: supervisor. Its /proc must show the session's processes, and it must have rights over
 *   their user namespace.
 * Hostile: the processes. They may fork, exit and resume one another while we look; every loop has
 *   an end.
 * Owns: nothing.
 * Tests: tests/unit/test_proctree.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandbox/kill.h"

/* Identity of a pid namespace, taken while its init lives. */
struct proctree {
    dev_t dev;
    ino_t ino;
};

struct proctree_usage {
    uint64_t cpu_us; /* of living processes, and of those that they waited for */
    uint64_t memory; /* bytes: anonymous and shared memory, not files */
    uint32_t processes;
};

int proctree_open(pid_t init, struct proctree *ret_tree);

/* Whether a process lives in it. */
bool proctree_has(const struct proctree *tree, pid_t pid);

/* First sums up resident sizes, which count shared pages of a forked process twice. Only if that
 * sum exceeds `exact_above`, reads the proportional sizes, which takes some milliseconds for each
 * process. */
int proctree_measure(const struct proctree *tree, uint64_t exact_above, struct proctree_usage *ret);

/* Takes one step of stopping and then killing all except `keep`. Returns how many were killed when
 * all are gone; -EAGAIN: the next step is due at k->next; -EBUSY if some would not die. */
int proctree_kill_step(const struct proctree *tree, const pid_t *keep, size_t nkeep,
                       struct kill *k);
