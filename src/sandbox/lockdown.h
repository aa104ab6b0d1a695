/* The last locks: the process that will run guest code puts them on immediately before.
 *
 * Runs in: the child that execs an interpreter, the child of a zygote, the session's init, the
 *   collector. Async-signal-safe: no allocation, no stdio beyond snprintf, no return through
 *   cleanup scopes.
 * Invariants: when lockdown_apply has returned 0, every layer not named in `skip` is on; if a layer
 *   fails, it is an error that names the layer.
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
    bool inherited; /* the parent has already dropped capabilities, set no_new_privs and applied
                       Landlock */
    uint32_t pids, open_files;
    uint64_t data; /* RLIMIT_DATA if no cgroup limits memory; 0: none */
    const struct sock_filter *filter;
    size_t filter_len;
    const struct sock_filter *gated; /* loaded instead of `filter` if the kernel can; NULL: never */
    size_t gated_len;
};

/* Becomes another user of our own namespace and keeps the capabilities, which lockdown_apply
 * reduces. */
int lockdown_become(uid_t uid);

/* 0; or, with `gated` and a kernel that can do it, the descriptor on which the kernel asks the
 * supervisor. */
int lockdown_apply(const struct lockdown *lock, struct retort_error *err);

/* A guest that has joined the namespaces of a branch has every capability over them: this drops
 * all. Async-signal-safe. 0 or -errno. */
int lockdown_branch(void);

/* Leaves only 0 (/dev/null), 1, 2, `channel` as 3 and `keep` as 4 (if these are not negative). */
int lockdown_descriptors(int out, int err_fd, int channel, int keep, struct retort_error *err);

/* For a child that cannot lock itself in: sends the reason to the process at the other end of
 * `sock`, and exits. Async-signal-safe. */
_Noreturn void lockdown_give_up(int sock, const struct retort_error *err);
