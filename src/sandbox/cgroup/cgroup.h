/* Control groups: the kernel's own account of a session's memory, processes and CPU time, and our
 * handle to stop and kill everything in a session at once.
 *
 * Runs in: supervisor. cgroup_join_self() and cgroup_join_fds() also in a freshly cloned child.
 * Hostile: members of a cgroup. They cannot reach its files: no cgroup file system is mounted in a
 *   session.
 * Life cycle: cgroup_root_open() with the rights the supervisor was started with, before it enters
 *   its user namespace; then cgroup_make / join / … / cgroup_remove from inside;
 *   cgroup_root_close() from inside; at last cgroup_root_remove() by a process that still has the
 *   first rights.
 * Owns: one directory "retort-PID-N" per hierarchy, locked by flock for as long as the engine
 *   lives; by this lock we tell a living engine's directory from a dead one's, in every pid
 *   namespace.
 * Tests: tests/unit/test_cgroup.c, and tests/vm for version 2
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "sandbox/kill.h"
#include "wire/control.h"

/* The freezer comes first: what a dead engine left frozen must be thawed before it can die and
 * leave the others. */
enum cgroup_controller {
    CGROUP_FREEZER,
    CGROUP_MEMORY,
    CGROUP_PIDS,
    CGROUP_CPU,
    CGROUP_SHARE, /* version 1: fair shares of the processors, where there is such a hierarchy */
    CGROUP_CONTROLLERS
};

#define CGROUP_OWN_TASKS 4 /* init, collector, checkpoint and one being made */

struct cgroup_root {
    int version;                          /* 0 none, 1, 2 */
    unsigned ndirs;                       /* hierarchies in use; version 2: 1 */
    unsigned char at[CGROUP_CONTROLLERS]; /* maps a controller to its index in the two arrays
                                             below */
    int parent[CGROUP_CONTROLLERS];       /* where the engine's directory was made */
    int dir[CGROUP_CONTROLLERS];          /* the engine's directory, holding its lock */
    int home; /* version 2: cgroup.procs of the cgroup that this process came from */
    unsigned sharers;
    char name[48];
    char why[160]; /* version 0: why, and what would help */
};

struct cgroup {
    const struct cgroup_root *root; /* NULL: there is none */
    char name[12];
    /* These are -1 while the cgroup rests. */
    int join[CGROUP_CONTROLLERS]; /* `tasks` of each hierarchy, or cgroup.procs */
    int clone_fd;                 /* version 2 */
    int peak; /* memory peak; with version 2 a reset affects only this description, so it stays
                 open */
    int measure[CREATED_MEASURES]; /* cgroup_measures() */
};

#define CGROUP_NONE                                \
    ((struct cgroup){.join = {-1, -1, -1, -1, -1}, \
                     .clone_fd = -1,               \
                     .peak = -1,                   \
                     .measure = {-1, -1, -1, -1, -1}})

/* Prepares this engine's subtree and hands it to `delegate_to` if that is not the caller. Where
 * they compete for processors, `sharers` engines together weigh as much as one. With version 2 the
 * caller moves into the leaf "supervisor" of the subtree: it must not unshare its cgroup namespace
 * afterwards, because the kernel refuses to move processes from or to a place outside of that.
 * Removes what killed engines left. It is no error if there is no usable cgroup: then version is 0,
 * and `why` says what would help. */
int cgroup_root_open(struct cgroup_root *root, uid_t delegate_to, unsigned sharers,
                     struct retort_error *err);

/* Leaves the subtree and removes as much of it as the caller may. Kills nothing. */
void cgroup_root_close(struct cgroup_root *root);

/* For a process with the rights of cgroup_root_open(), while the supervisor ends: thaws what it
 * left frozen. With version 1 a frozen task does not die of SIGKILL, and pid 1 of its namespace,
 * and with it the supervisor, waits for it for ever. */
void cgroup_root_thaw(const struct cgroup_root *root);

/* For a process with the rights of cgroup_root_open(), when the supervisor is gone: kills
 * everything in the subtree, frozen or not, and removes it. 0, or -EBUSY if something did not
 * go. */
int cgroup_root_remove(struct cgroup_root *root);

/* `limits` must be complete: -EINVAL if memory, disk or pids is 0. With version 0, ret is
 * CGROUP_NONE. */
int cgroup_make(const struct cgroup_root *root, unsigned id, const struct limits *limits,
                struct cgroup *ret, struct retort_error *err);

/* Closes what a session needs at its birth and hardly ever after; functions that need it open it
 * again. For sessions that stay: this costs time that short ones need not spend. */
void cgroup_rest(struct cgroup *cg);

/* Both are async-signal-safe. The child must still have the uid of the process that made the
 * cgroup: version 1 compares the opener's euid with the task's uid. The child moves itself ("0"):
 * moving another process through version 1's cgroup.procs waits for an RCU grace period of some 11
 * ms, but a thread's own write to `tasks` does not. */
int cgroup_join_self(const struct cgroup *cg);
int cgroup_join_fds(const int *fds, size_t nfds); /* for descriptors that came over a socket */
/* The descriptors are borrowed; the cgroup must not rest. */
size_t cgroup_joinable(const struct cgroup *cg, int ret_fds[CGROUP_CONTROLLERS]);

/* Moves a process with one thread, whose uid (in the caller's user namespace) is `uid`. The kernel
 * takes a pid; if the process lives before and after, we have moved nobody else: -ESRCH if it does
 * not. */
int cgroup_adopt(const struct cgroup *cg, pid_t pid, int pidfd, uid_t uid);

/* For CLONE_INTO_CGROUP; -1 if that is not available. */
int cgroup_clone_fd(const struct cgroup *cg);

int cgroup_relimit(const struct cgroup *cg, const struct limits *limits);

/* Sets only the memory limit, with room for files of this many bytes and for copies. If more is in
 * use, version 1 answers -EBUSY and keeps the old limit; version 2 kills. */
int cgroup_room(const struct cgroup *cg, const struct limits *limits, uint64_t files,
                uint64_t copies);

/* What is charged to shared memory and files of a tmpfs; and to everything else, except pages of
 * other files, which the kernel takes back when it needs them. */
struct cgroup_charge {
    uint64_t shared, rest;
};
int cgroup_charged(const struct cgroup *cg, struct cgroup_charge *ret);

/* Counts the peak of memory from now on. -EOPNOTSUPP with version 2 before Linux 6.12: the peak is
 * that of the whole life. */
int cgroup_reset_peak(const struct cgroup *cg);

/* Freezing takes a moment; this does not wait for it. */
int cgroup_freeze(const struct cgroup *cg, bool on);
bool cgroup_is_frozen(const struct cgroup *cg);

/* Takes one step of killing every process except those in `keep` (pids as the caller sees them).
 * Returns how many were killed when all are gone; -EAGAIN: the next step is due at k->next, and the
 * cgroup may be frozen until then; -EBUSY if some would not die. */
int cgroup_kill_step(const struct cgroup *cg, const pid_t *keep, size_t nkeep, struct kill *k);

/* The number of processes, including init and the like; of threads. Ended ones do not count. */
int cgroup_processes(const struct cgroup *cg);
int cgroup_tasks(const struct cgroup *cg);

/* The same as the kernel counts it against the limit: threads, including ended ones that nobody has
 * waited for. */
int cgroup_counted(const struct cgroup *cg);

/* Prepares an emptied cgroup for another session, with other limits unless NULL. Counters that
 * cannot be reset go on, so readers take differences (src/engine). -EBUSY if something still runs
 * in it, -EOPNOTSUPP if the peak of memory would be the last session's, -E2BIG if it still holds
 * more than a negligible amount of that session's memory. */
int cgroup_recycle(struct cgroup *cg, const struct limits *limits);
/* The same for a cgroup that was never frozen, and in which, as the caller knows, there is only the
 * next session's first process. */
int cgroup_renew(struct cgroup *cg, const struct limits *limits);

/* The caller has killed everything; -EBUSY until the last process is gone. */
int cgroup_remove(struct cgroup *cg);

/* Descriptors for CPU usage, peak memory, memory events, pids events and number of tasks, in the
 * order of CREATED_CPU…CREATED_PIDS. Borrowed: they live as long as the cgroup. */
int cgroup_measures(struct cgroup *cg, int ret_fds[CREATED_MEASURES]);
