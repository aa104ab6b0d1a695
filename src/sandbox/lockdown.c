#include "sandbox/lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/landlock.h"
#include "sandbox/process.h"
#include "sandbox/seccomp.h"
#include "sandbox/syscalls.h"

#define CAP_BIT(c) (1u << (c)) /* only those below 32 are ever kept */

/* Never above the caller's limit: a small machine allows its users fewer processes than the
 * collector asks for. */
static int limit(__rlimit_resource_t what, rlim_t value) {
    struct rlimit now;
    if (getrlimit(what, &now) < 0)
        return -1;
    if (value > now.rlim_max)
        value = now.rlim_max;
    struct rlimit r = {value, value};
    return setrlimit(what, &r);
}

static int lock_limits(const struct lockdown *lock, struct retort_error *err) {
    /* A core limit of 1 also prevents core dumps that are piped to a helper on the host; 0 does
     * not. */
    if (failpoint(FP_limits) || limit(RLIMIT_CORE, 1) < 0 || limit(RLIMIT_MEMLOCK, 64 << 10) < 0 ||
        limit(RLIMIT_MSGQUEUE, 800 << 10) < 0 || limit(RLIMIT_SIGPENDING, 1024) < 0 ||
        limit(RLIMIT_RTPRIO, 0) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot set resource limits");
    /* Init still has the supervisor's descriptors, which may be more than a guest may have: with a
     * hundred sessions it could not open anything. It runs no guest code and closes them. */
    if (lock->role != LOCK_INIT && limit(RLIMIT_NOFILE, lock->open_files) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot limit open files");
    /* Counted per user namespace: this is the limit if there is no pids cgroup. */
    if (limit(RLIMIT_NPROC, lock->pids) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot limit processes");
    if (lock->data && limit(RLIMIT_DATA, lock->data) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot limit memory");
    return 0;
}

/* Dispositions need no reset: the supervisor changes none, and a zygote's are Python's own. */
static void reset_mask(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(022);
}

static int lock_ids(const struct lockdown *lock, struct retort_error *err) {
    if (lock->role != LOCK_GUEST && lock->role != LOCK_INIT)
        return 0;
    if (ablation_mask() & LAYER_BIT(LAYER_USER))
        return ablation_become();
    if (failpoint(FP_ids) || setresgid(1000, 1000, 1000) < 0 || setresuid(1000, 1000, 1000) < 0)
        return err_layer(err, "user", errno, "cannot become the session's user");
    return 0;
}

int lockdown_become(uid_t uid) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 || setresgid(uid, uid, uid) < 0 ||
        setresuid(uid, uid, uid) < 0 || syscall(SYS_capget, &head, data) < 0)
        return -errno;
    for (int i = 0; i < 2; i++)
        data[i].effective = data[i].permitted;
    return syscall(SYS_capset, &head, data) < 0 ? -errno : 0;
}

static uint32_t caps_kept(enum lockdown_role role) {
    switch (role) {
    case LOCK_ZYGOTE:
        return CAP_BIT(CAP_SYS_ADMIN); /* for setns into sessions, in our own namespace only */
    case LOCK_COLLECTOR:
        return CAP_BIT(CAP_DAC_OVERRIDE) | CAP_BIT(CAP_DAC_READ_SEARCH) | CAP_BIT(CAP_FOWNER);
    case LOCK_GUEST:
    case LOCK_INIT: return 0;
    }
    return 0;
}

/* 0; -1 at the end of the list; 1 if it is still in the set, with errno. Without the right to drop,
 * PR_CAPBSET_DROP fails even if an earlier process of the session has already dropped the
 * capability: so we ask. */
static int drop_from_bounding_set(int capability) {
    if (prctl(PR_CAPBSET_DROP, capability, SYSCALLS_MARK, 0, 0) == 0)
        return 0;
    int why = errno, set = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
    errno = why;
    return set;
}

static int lock_caps(const struct lockdown *lock, struct retort_error *err) {
    uint32_t keep = caps_kept(lock->role);
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{keep, keep, keep}, {0, 0, 0}};
    for (int c = 0, r = 0; r >= 0; c++)
        if (failpoint(FP_caps_bounding) ||
            (!(c < 32 && keep & CAP_BIT(c)) && (r = drop_from_bounding_set(c)) > 0))
            return err_layer(err, "caps", errno, "cannot drop capabilities from the bounding set");
    if (lock->role == LOCK_GUEST || lock->role == LOCK_INIT)
        if (failpoint(FP_caps_securebits) ||
            prctl(PR_SET_SECUREBITS, SYSCALLS_SECUREBITS, SYSCALLS_MARK, 0, 0) < 0)
            return err_layer(err, "caps", errno, "cannot lock securebits");
    if (failpoint(FP_caps_ambient) ||
        (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL))
        return err_layer(err, "caps", errno, "cannot clear ambient capabilities");
    if (failpoint(FP_caps_drop) || syscall(SYS_capset, &head, data) < 0)
        return err_layer(err, "caps", errno, "cannot drop capabilities");
    /* The zygote is exec'ed: capabilities that it keeps must be ambient to survive that. */
    if (lock->role == LOCK_ZYGOTE &&
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN, 0, 0) < 0)
        return err_layer(err, "caps", errno, "cannot keep the zygote's capability");
    return 0;
}

static int lock_landlock(const struct lockdown *lock, struct retort_error *err) {
    if (lock->skip & LAYER_BIT(LAYER_LANDLOCK) || lock->role == LOCK_ZYGOTE)
        return 0;
    int r = failpoint(FP_landlock)
                ? err_layer(err, "landlock", errno, "cannot restrict to the root")
                : landlock_restrict(err);
    return r < 0 ? r : 0; /* 0: the kernel has no Landlock; the isolation report says so */
}

/* Changing the user cleared the flag; without it the guest could not use its own /proc/self. */
static int make_dumpable(struct retort_error *err) {
    if (failpoint(FP_dumpable) || prctl(PR_SET_DUMPABLE, 1, SYSCALLS_MARK, 0, 0) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot set the dumpable flag");
    /* When memory is short, the interpreter is killed first, before its checkpoint and init. */
    int r = write_file_at(AT_FDCWD, "/proc/self/oom_score_adj", "900");
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot set the OOM score") : 0;
}

/* Locks that no process can remove, and that every child inherits. */
static int lock_for_good(const struct lockdown *lock, struct retort_error *err) {
    int r = lock->skip & LAYER_BIT(LAYER_CAPS) ? ablation_keep_caps() : lock_caps(lock, err);
    if (r == 0 && !(lock->skip & LAYER_BIT(LAYER_NNP)) &&
        (failpoint(FP_no_new_privs) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0))
        r = err_layer(err, "nnp", errno, "cannot set no_new_privs");
    return r < 0 ? r : lock_landlock(lock, err);
}

/* Without a cgroup only mapped pages are counted: so we refuse calls that hold memory without
 * mapping it. */
static int lock_uncounted(struct retort_error *err) {
    struct sock_filter prog[64];
    int n = seccomp_build(SECCOMP_UNCOUNTED, prog, sizeof prog / sizeof *prog);
    return n < 0 ? err_layer(err, "seccomp", -n, "cannot build the filter")
                 : seccomp_load(prog, (size_t)n, err);
}

static int load_filter(const struct lockdown *lock, struct retort_error *err) {
    int gate = lock->gated ? seccomp_load_gated(lock->gated, lock->gated_len) : -ENOSYS;
    return gate >= 0 ? gate : seccomp_load(lock->filter, lock->filter_len, err);
}

int lockdown_apply(const struct lockdown *lock, struct retort_error *err) {
    reset_mask();
    if (lock->role == LOCK_GUEST)
        setsid(); /* fails only for a group leader, which is already in a session of its own */
    if (!lock->inherited)
        process_give_way();
    int r = lock->role == LOCK_ZYGOTE ? 0 : lock_limits(lock, err);
    if (r == 0)
        r = lock_ids(lock, err);
    if (r == 0 && !lock->inherited)
        r = lock_for_good(lock, err);
    if (r == 0 && lock->role == LOCK_GUEST)
        r = make_dumpable(err);
    if (r == 0 && lock->role == LOCK_GUEST && lock->data &&
        !(lock->skip & LAYER_BIT(LAYER_SECCOMP)))
        r = lock_uncounted(err);
    if (r == 0 && !(lock->skip & LAYER_BIT(LAYER_SECCOMP)))
        r = failpoint(FP_seccomp) ? err_layer(err, "seccomp", errno, "cannot load the filter")
                                  : load_filter(lock, err);
    return r;
}

int lockdown_branch(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int c = 0; prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++)
        if (prctl(PR_CAPBSET_DROP, c, SYSCALLS_MARK, 0, 0) < 0)
            return -errno;
    if (prctl(PR_SET_SECUREBITS, SYSCALLS_SECUREBITS, SYSCALLS_MARK, 0, 0) < 0 ||
        syscall(SYS_capset, &head, none) < 0 || prctl(PR_SET_DUMPABLE, 1, SYSCALLS_MARK, 0, 0) < 0)
        return -errno;
    return 0;
}

int lockdown_descriptors(int out, int err_fd, int channel, int keep, struct retort_error *err) {
    /* We move them out of the way first, so that no dup2 below overwrites one that is still
     * needed. */
    int high[4] = {out, err_fd, channel, keep};
    for (int i = 0; i < 4; i++)
        if (high[i] >= 0 && (high[i] = fcntl(high[i], F_DUPFD_CLOEXEC, 5)) < 0)
            return err_errno(err, ERR_HOST, errno, "cannot arrange descriptors");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (failpoint(FP_descriptors) || null < 0 || dup2(null, 0) < 0 ||
        dup2(high[0] >= 0 ? high[0] : null, 1) < 0 || dup2(high[1] >= 0 ? high[1] : null, 2) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot arrange descriptors");
    unsigned last = 3;
    if (high[2] >= 0 && dup2(high[2], 3) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot arrange descriptors");
    if (high[2] < 0)
        close(3);
    if (high[3] >= 0) {
        if (dup3(high[3], 4, O_CLOEXEC) < 0)
            return err_errno(err, ERR_HOST, errno, "cannot arrange descriptors");
        last = 4;
    } else if (high[2] < 0)
        last = 2;
    if (close_range(last + 1, ~0U, 0) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot close descriptors");
    return 0;
}

_Noreturn void lockdown_give_up(int sock, const struct retort_error *err) {
    packet_send(sock, err, sizeof *err, NULL, 0);
    _exit(1);
}
