#include "sandbox/cgroup/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/ablation/overlook.h"
#include "sandbox/cgroup/cgroup_impl.h"
#include "sandbox/process.h"

/* An eighth of the allowance: pages in flight, caches of the kernel. */
#define LEFT_BEHIND (2u << 20)
#define CHARGED_AHEAD (256u << 10) /* by the kernel, on each processor (MEMCG_CHARGE_BATCH) */
#define TASKS_MAX 4194304u         /* the kernel accepts no more */

/* What differs between the versions, besides how a root is opened. NULL: there is no such file. */
struct names {
    const char *join;
    const char *memory, *swap, *usage;
    const char *peak;
    const char *freeze, *frozen_file, *freeze_on, *freeze_off, *frozen;
    struct {
        enum cgroup_controller controller;
        const char *file, *fallback;
    } measures[CREATED_MEASURES];
};

static const struct names versions[] = {
    [1] = {.join = "tasks",
           .memory = "memory.limit_in_bytes",
           .swap = "memory.memsw.limit_in_bytes",
           .usage = "memory.usage_in_bytes",
           .peak = "memory.max_usage_in_bytes",
           .freeze = "freezer.state",
           .frozen_file = "freezer.state",
           .freeze_on = "FROZEN",
           .freeze_off = "THAWED",
           .frozen = "FROZEN",
           .measures = {{CGROUP_CPU, "cpuacct.usage", NULL},
                        {CGROUP_MEMORY, "memory.max_usage_in_bytes", NULL},
                        {CGROUP_MEMORY, "memory.oom_control", NULL},
                        {CGROUP_PIDS, "pids.events", NULL},
                        {CGROUP_PIDS, "pids.current", NULL}}},
    [2] = {.join = "cgroup.procs",
           .memory = "memory.max",
           .swap = "memory.swap.max",
           .usage = "memory.current",
           .peak = "memory.peak",
           .freeze = "cgroup.freeze",
           .frozen_file = "cgroup.events",
           .freeze_on = "1",
           .freeze_off = "0",
           .frozen = "frozen 1",
           .measures = {{CGROUP_CPU, "cpu.stat", NULL},
                        {CGROUP_MEMORY, "memory.peak", "memory.current"},
                        {CGROUP_MEMORY, "memory.events", NULL},
                        {CGROUP_PIDS, "pids.events", NULL},
                        {CGROUP_PIDS, "pids.current", NULL}}},
};

static const struct names *names_of(const struct cgroup *cg) {
    return &versions[cg->root->version];
}

struct path {
    char text[64];
};

static struct path file_of(const struct cgroup *cg, const char *file) {
    struct path p;
    snprintf(p.text, sizeof p.text, "%s/%s", cg->name, file);
    return p;
}

static int dir_of(const struct cgroup *cg, enum cgroup_controller c) {
    return cg->root->dir[cg->root->at[c]];
}

static int cgroup_put(const struct cgroup *cg, enum cgroup_controller c, const char *file,
                      const char *text) {
    return write_file_at(dir_of(cg, c), file_of(cg, file).text, text);
}

int cgroup_open_file(const struct cgroup *cg, enum cgroup_controller c, const char *file,
                     int flags) {
    int fd = openat(dir_of(cg, c), file_of(cg, file).text, flags | O_CLOEXEC | O_NOFOLLOW);
    return fd < 0 ? -errno : fd;
}

/* Limits */

/* Swap: version 1 limits the sum of memory and swap, which may never be below memory, so the order
 * of the writes depends on the direction: we write the sum before and after, and the last write
 * counts. Hosts without swap accounting lack the file. */
static int set_memory(const struct cgroup *cg, uint64_t bytes) {
    const struct names *n = names_of(cg);
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, bytes);
    if (cg->root->version == 1)
        cgroup_put(cg, CGROUP_MEMORY, n->swap, text);
    int r = cgroup_put(cg, CGROUP_MEMORY, n->memory, text);
    if (r < 0)
        return r;
    r = cgroup_put(cg, CGROUP_MEMORY, n->swap, cg->root->version == 1 ? text : "0");
    return r == -ENOENT ? 0 : r;
}

/* Version 1 charges what waits in TCP and UDP sockets to a separate counter, and only if that has a
 * limit; beyond it, senders wait. Kernels built without it lack the file. */
static int set_sockets(const struct cgroup *cg, uint64_t bytes) {
    char text[24];
    if (cg->root->version != 1)
        return 0;
    snprintf(text, sizeof text, "%" PRIu64, bytes);
    int r = cgroup_put(cg, CGROUP_MEMORY, "memory.kmem.tcp.limit_in_bytes", text);
    return r == -ENOENT || r == -EOPNOTSUPP ? 0 : r;
}

/* Above `high`, version 2 slows down processes that take memory, more and more: files that grow
 * faster than we look meet that before the OOM killer. */
static int set_high(const struct cgroup *cg, uint64_t bytes) {
    char text[24];
    if (cg->root->version == 1)
        return 0;
    snprintf(text, sizeof text, "%" PRIu64, bytes);
    return cgroup_put(cg, CGROUP_MEMORY, "memory.high", text);
}

int cgroup_room(const struct cgroup *cg, const struct limits *limits, uint64_t files,
                uint64_t copies) {
    if (!cg->root)
        return 0;
    uint64_t most = memory_ceiling(limits, files), sum;
    if (__builtin_add_overflow(most, copies, &sum) || sum > INT64_MAX)
        sum = INT64_MAX;
    int r = set_high(cg, sum - MEMORY_ROOM / 2);
    return r < 0 ? r : set_memory(cg, sum);
}

int cgroup_relimit(const struct cgroup *cg, const struct limits *limits) {
    if (!cg->root)
        return 0;
    if (!limits->memory || !limits->disk || !limits->pids)
        return -EINVAL;
    char text[24];
    bool fits = limits->pids < TASKS_MAX - CGROUP_OWN_TASKS;
    snprintf(text, sizeof text, "%u", fits ? limits->pids + CGROUP_OWN_TASKS : TASKS_MAX);
    int r = cgroup_put(cg, CGROUP_PIDS, "pids.max", text);
    if (r == 0)
        r = set_sockets(cg, limits->memory);
    return r < 0 ? r : cgroup_room(cg, limits, 0, 0);
}

/* Making and removing */

static int cgroup_make_dirs(const struct cgroup *cg) {
    for (unsigned n = 0; n < cg->root->ndirs; n++) {
        if (mkdirat(cg->root->dir[n], cg->name, 0700) == 0)
            continue;
        int r = -errno;
        while (n--) /* only those made here: after EEXIST the others belong to somebody else */
            unlinkat(cg->root->dir[n], cg->name, AT_REMOVEDIR);
        return r;
    }
    return 0;
}

static int open_join(const struct cgroup *cg, unsigned i) {
    int fd = openat(cg->root->dir[i], file_of(cg, names_of(cg)->join).text, O_WRONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int open_handles(struct cgroup *cg) {
    const struct names *n = names_of(cg);
    for (unsigned i = 0; i < cg->root->ndirs; i++)
        if (cg->join[i] < 0 && (cg->join[i] = open_join(cg, i)) < 0)
            return cg->join[i];
    if (cg->root->version == 2 && cg->clone_fd < 0) {
        cg->clone_fd = cgroup_open_file(cg, CGROUP_MEMORY, "", O_RDONLY | O_DIRECTORY);
        if (cg->clone_fd < 0)
            return cg->clone_fd;
    }
    if (cg->peak >= 0)
        return 0;
    /* Before Linux 6.12 version 2's peak is read-only, before 5.19 it is missing. */
    int peak = cgroup_open_file(cg, CGROUP_MEMORY, n->peak, O_RDWR);
    if (peak < 0)
        peak = cgroup_open_file(cg, CGROUP_MEMORY, n->peak, O_RDONLY);
    cg->peak = peak < 0 ? -1 : peak;
    return 0;
}

void cgroup_rest(struct cgroup *cg) {
    for (unsigned i = 0; i < CGROUP_CONTROLLERS; i++)
        fd_done(&cg->join[i]);
    for (unsigned i = 0; i < CREATED_MEASURES; i++)
        fd_done(&cg->measure[i]);
    fd_done(&cg->clone_fd);
    if (cg->root && cg->root->version == 1)
        fd_done(&cg->peak);
}

static void close_handles(struct cgroup *cg) {
    cgroup_rest(cg);
    fd_done(&cg->peak);
}

int cgroup_make(const struct cgroup_root *root, unsigned id, const struct limits *limits,
                struct cgroup *ret, struct retort_error *err) {
    struct cgroup cg = CGROUP_NONE;
    if (root->version == 0) {
        *ret = cg;
        return 0;
    }
    cg.root = root;
    snprintf(cg.name, sizeof cg.name, "%u", id);
    int r = cgroup_make_dirs(&cg);
    if (r < 0)
        return err_layer(err, "cgroup", -r, "making the cgroup of a session");
    r = cgroup_relimit(&cg, limits);
    if (r == 0)
        r = open_handles(&cg);
    if (r < 0) {
        cgroup_remove(&cg);
        return err_layer(err, "cgroup", -r, "limiting the cgroup of a session");
    }
    *ret = cg;
    return 0;
}

int cgroup_remove(struct cgroup *cg) {
    if (!cg->root)
        return 0;
    close_handles(cg);
    int worst = 0;
    for (unsigned n = 0; n < cg->root->ndirs; n++)
        if (unlinkat(cg->root->dir[n], cg->name, AT_REMOVEDIR) < 0 && errno != ENOENT)
            worst = -errno;
    if (worst == 0)
        cg->root = NULL;
    return worst;
}

/* Joining */

int cgroup_join_fds(const int *fds, size_t nfds) {
    for (size_t i = 0; i < nfds; i++)
        if (write(fds[i], "0", 1) != 1)
            return -errno;
    return 0;
}

size_t cgroup_joinable(const struct cgroup *cg, int ret_fds[CGROUP_CONTROLLERS]) {
    size_t n = cg->root ? cg->root->ndirs : 0;
    memcpy(ret_fds, cg->join, n * sizeof *ret_fds);
    return n;
}

/* Opens the files of a resting cgroup for the moment. */
static int join_each(const struct cgroup *cg, const char *who) {
    for (unsigned i = 0; i < cg->root->ndirs; i++) {
        scoped_fd own = cg->join[i] < 0 ? open_join(cg, i) : -1;
        int fd = cg->join[i] < 0 ? own : cg->join[i];
        if (fd < 0)
            return fd;
        if (pwrite(fd, who, strlen(who), 0) < 0)
            return -errno;
    }
    return 0;
}

int cgroup_join_self(const struct cgroup *cg) {
    return cg->root ? join_each(cg, "0") : 0;
}

/* Version 1 compares the task's uid with the euid of the process that opened the file, so we take
 * that euid for a moment. Our real and saved ids stay, and signals and tracing go by those. */
static int adopt_as(const struct cgroup *cg, uid_t uid, const char *text) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    /* Other uids cannot enter the engine's directory, and its group is not ours. */
    int dirs[CGROUP_CONTROLLERS];
    if (syscall(SYS_capget, &head, data) < 0)
        return -errno;
    for (unsigned i = 0; i < cg->root->ndirs; i++)
        dirs[i] = openat(cg->root->dir[i], cg->name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int r = setresuid((uid_t)-1, uid, (uid_t)-1) < 0 || syscall(SYS_capset, &head, data) < 0
                ? -errno
                : 0;
    for (unsigned i = 0; r == 0 && i < cg->root->ndirs; i++)
        r = write_file_at(dirs[i], "tasks", text);
    if (setresuid((uid_t)-1, 0, (uid_t)-1) < 0 || syscall(SYS_capset, &head, data) < 0)
        _exit(1); /* we would go on with the wrong user */
    for (unsigned i = 0; i < cg->root->ndirs; i++)
        fd_done(&dirs[i]);
    return r;
}

int cgroup_adopt(const struct cgroup *cg, pid_t pid, int pidfd, uid_t uid) {
    char text[16];
    snprintf(text, sizeof text, "%d", (int)pid);
    if (!cg->root)
        return -EOPNOTSUPP;
    if (!process_lives(pidfd))
        return -ESRCH;
    int r = cg->root->version == 1 && uid ? adopt_as(cg, uid, text) : join_each(cg, text);
    return r < 0 || process_lives(pidfd) ? r : -ESRCH;
}

int cgroup_clone_fd(const struct cgroup *cg) {
    return cg->clone_fd;
}

/* Freezing */

bool cgroup_is_frozen(const struct cgroup *cg) {
    char text[256];
    const struct names *n = names_of(cg);
    struct path p = file_of(cg, n->frozen_file);
    return !failpoint(FP_stop_patience) &&
           read_file_at(dir_of(cg, CGROUP_FREEZER), p.text, text, sizeof text) > 0 &&
           strstr(text, n->frozen);
}

int cgroup_freeze(const struct cgroup *cg, bool on) {
    if (!cg->root)
        return -EOPNOTSUPP;
    const struct names *n = names_of(cg);
    return cgroup_put(cg, CGROUP_FREEZER, n->freeze, on ? n->freeze_on : n->freeze_off);
}

/* Measuring and reusing */

int cgroup_reset_peak(const struct cgroup *cg) {
    if (!cg->root || cg->peak < 0)
        return -EOPNOTSUPP;
    if (pwrite(cg->peak, "0", 1, 0) == 1)
        return 0;
    return errno == EBADF || errno == EINVAL ? -EOPNOTSUPP : -errno;
}

static int read_usage(const struct cgroup *cg, uint64_t *ret) {
    char text[32];
    struct path p = file_of(cg, names_of(cg)->usage);
    ssize_t n = read_file_at(dir_of(cg, CGROUP_MEMORY), p.text, text, sizeof text);
    if (n > 0)
        *ret = strtoull(text, NULL, 10);
    return n > 0 ? 0 : n < 0 ? (int)n : -EIO;
}

/* What is charged without being used. The next session uses it, or the kernel takes it back before a
 * limit strikes. To count processors is to open a file. */
static uint64_t charged_ahead(void) {
    static long processors;
    if (processors == 0)
        processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 ? (uint64_t)processors * CHARGED_AHEAD : 0;
}

/* Files that the last session was the first to read stay charged to it. */
static bool holds_much(const struct cgroup *cg) {
    uint64_t usage;
    return read_usage(cg, &usage) < 0 || usage > LEFT_BEHIND + charged_ahead();
}

/* A line "key number" of memory.stat. */
static uint64_t stat_of(const char *text, const char *key) {
    const char *p = strstr(text, key);
    return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

int cgroup_charged(const struct cgroup *cg, struct cgroup_charge *ret) {
    char text[8192] = "\n";
    uint64_t usage;
    if (!cg->root)
        return -EOPNOTSUPP;
    ssize_t n = read_file_at(dir_of(cg, CGROUP_MEMORY), file_of(cg, "memory.stat").text, text + 1,
                             sizeof text - 1);
    if (n < 0)
        return (int)n;
    TRY(read_usage(cg, &usage));
    uint64_t shared = stat_of(text, "\nshmem "),
             others = shared + stat_of(text, "\nactive_file ") + stat_of(text, "\ninactive_file ");
    *ret = (struct cgroup_charge){shared, usage > others ? usage - others : 0};
    return 0;
}

int cgroup_counted(const struct cgroup *cg) {
    char text[24] = "";
    if (!cg->root)
        return -EOPNOTSUPP;
    int fd = cg->measure[CREATED_PIDS - CREATED_CPU];
    ssize_t n = fd >= 0 ? pread(fd, text, sizeof text - 1, 0)
                        : read_file_at(dir_of(cg, CGROUP_PIDS), file_of(cg, "pids.current").text,
                                       text, sizeof text);
    return n > 0 ? (int)strtol(text, NULL, 10) : -EIO;
}

int cgroup_renew(struct cgroup *cg, const struct limits *limits) {
    if (notices(CHECK_memory, holds_much(cg)))
        return -E2BIG;
    int r = open_handles(cg);
    if (r == 0 && limits)
        r = cgroup_relimit(cg, limits);
    return r < 0 ? r : cgroup_reset_peak(cg);
}

int cgroup_recycle(struct cgroup *cg, const struct limits *limits) {
    int n = cgroup_processes(cg);
    if (n)
        return n < 0 ? n : -EBUSY;
    int r = cgroup_renew(cg, limits);
    return r < 0 ? r : cgroup_freeze(cg, false);
}

static int open_measure(const struct cgroup *cg, int i) {
    const struct names *n = names_of(cg);
    enum cgroup_controller c = n->measures[i].controller;
    int fd = cgroup_open_file(cg, c, n->measures[i].file, O_RDONLY);
    return fd == -ENOENT && n->measures[i].fallback
               ? cgroup_open_file(cg, c, n->measures[i].fallback, O_RDONLY)
               : fd;
}

int cgroup_measures(struct cgroup *cg, int ret_fds[CREATED_MEASURES]) {
    if (!cg->root)
        return -EOPNOTSUPP;
    for (int i = 0; i < CREATED_MEASURES; i++) {
        if (cg->measure[i] < 0 && (cg->measure[i] = open_measure(cg, i)) < 0)
            return cg->measure[i];
        ret_fds[i] = cg->measure[i];
    }
    /* Resetting version 2's peak affects one open file description: so we hand out that one. */
    if (cg->peak >= 0)
        ret_fds[CREATED_MEMORY - CREATED_CPU] = cg->peak;
    return 0;
}
