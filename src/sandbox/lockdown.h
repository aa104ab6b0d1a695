/* The last locks, put on by the process that will run guest code, immediately before it does.
 *
 * Runs in: the child that execs an interpreter, the child of a zygote, the session's init, the
 *   collector. Async-signal-safe: no allocation, no stdio beyond snprintf, no return through
 *   cleanup scopes.
 * Invariants: when lockdown_apply has returned 0, every layer not named in `skip` is on; a layer
 *   that fails is an error that names it, never a shrug.
 */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "wire/control.h"

enum lockdown_role { LOCK_GUEST, LOCK_INIT, LOCK_COLLECTOR, LOCK_ZYGOTE };

struct lockdown {
    enum lockdown_role role;
    uint32_t skip;  /* LAYER_BIT()s given up by name */
    bool inherited; /* capabilities, no_new_privs and Landlock are those of the parent */
    uint32_t pids, open_files;
    uint64_t data; /* RLIMIT_DATA where no cgroup holds memory; 0 = none */
    const struct sock_filter *filter;
    size_t filter_len;
    const struct sock_filter *gated; /* instead, where the kernel can do it; NULL: never */
    size_t gated_len;
};

/* Changes to another user of our own namespace and keeps capabilities, which lockdown_apply
 * reduces. */
int lockdown_become(uid_t uid);

/* 0; or, with `gated` and a kernel that can do it, the descriptor on which the supervisor is asked.
 */
int lockdown_apply(const struct lockdown *lock, struct retort_error *err);

/* A guest that has joined the namespaces of a branch has every capability over them: gives up all.
 * Async-signal-safe. 0 or -errno. */
int lockdown_branch(void);

/* Leaves exactly 0 (/dev/null), 1, 2 and `channel` as 3 (if not negative) and `keep` as 4 (if not
 * negative). */
int lockdown_descriptors(int out, int err_fd, int channel, int keep, struct retort_error *err);

/* A child that cannot get behind its walls says why to whoever waits at the other end of `sock`, and
 * ends. Async-signal-safe. */
_Noreturn void lockdown_give_up(int sock, const struct retort_error *err);
