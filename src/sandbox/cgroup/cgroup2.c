/* Version 2: one hierarchy, in which a directory with processes may not give controllers to its
 * children. So we make the engine's directory in the nearest directory, upwards from the process's
 * own, that is writable and passes on memory and pids. On a desktop that is the slice above the
 * terminal's scope.
 *
 * A service or scope with Delegate=yes, or a container, should keep its sessions inside, under its
 * own limits. If only engines and the processes that started them are in it, we move all of them
 * down into a leaf; then the controllers can be passed on. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/cgroup/cgroup_find.h"
#include "sandbox/cgroup/cgroup_impl.h"

#define CALLERS "retort.callers"

static const char *const delegated[] = {"cgroup.procs", "cgroup.threads", "cgroup.subtree_control",
                                        NULL};

static bool file_lists(int dir, const char *file, const char *word) {
    char text[512];
    return read_file_at(dir, file, text, sizeof text) > 0 && cgroup_listed(text, word);
}

bool cgroup2_has_memory(const struct cgroup_proc *proc) {
    char path[PATH_MAX];
    size_t top;
    if (cgroup_find(proc->cgroup, proc->mountinfo, NULL, path, sizeof path, &top) < 0)
        return false;
    path[top] = 0;
    scoped_fd dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return dir >= 0 && file_lists(dir, "cgroup.controllers", "memory");
}

static bool has_both(int dir, const char *file) {
    return file_lists(dir, file, "memory") && file_lists(dir, file, "pids");
}

/* Whether children of `dir` have memory and pids, perhaps after we enabled them. We also enable the
 * cpu controller, which makes sessions share fairly; it is used if the kernel has it. */
static bool passes_on(int dir) {
    if (!has_both(dir, "cgroup.subtree_control") &&
        (!has_both(dir, "cgroup.controllers") ||
         write_file_at(dir, "cgroup.subtree_control", "+memory +pids") < 0))
        return false;
    if (!file_lists(dir, "cgroup.subtree_control", "cpu"))
        write_file_at(dir, "cgroup.subtree_control", "+cpu");
    return true;
}

/* Moving a process needs cgroup.procs of the nearest common ancestor, hence of the directory
 * itself. */
static bool writable(int dir) {
    return faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) == 0 &&
           faccessat(dir, "cgroup.procs", W_OK, AT_EACCESS) == 0;
}

/* The nearest usable directory, from `path` up to the mount point. Shortens `path`. -1 if there is
 * none. */
static int find_parent(char *path, size_t top) {
    for (;;) {
        scoped_fd dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir >= 0 && writable(dir) && passes_on(dir))
            return take_fd(&dir);
        if (strlen(path) <= top)
            return -1;
        *strrchr(path, '/') = 0;
    }
}

/* --- stepping down --- */

#define MOST_THERE 64 /* most processes that we move out of a cgroup */

struct there {
    pid_t pid, parent;
    char name[16];
};

/* The name in /proc/PID/stat is in brackets, and may contain brackets itself. */
static bool look_at_process(struct there *one) {
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)one->pid);
    if (read_file_at(AT_FDCWD, path, text, sizeof text) <= 0)
        return false;
    char *name = strchr(text, '('), *end = strrchr(text, ')');
    if (!name || !end || strlen(end) < 4)
        return false;
    *end = 0;
    snprintf(one->name, sizeof one->name, "%s", name + 1);
    one->parent = (pid_t)strtol(end + 4, NULL, 10);
    return true;
}

/* Lists the processes in the cgroup; less than 0: too many. Processes that have ended meanwhile do
 * not count. */
static int list_there(int dir, struct there there[MOST_THERE]) {
    char text[12 * MOST_THERE], *end;
    int n = 0;
    ssize_t len = read_file_at(dir, "cgroup.procs", text, sizeof text);
    if (len < 0 || len == sizeof text - 1)
        return -1;
    for (char *p = text; *p; p = end + (*end == '\n')) {
        pid_t pid = (pid_t)strtol(p, &end, 10);
        if (end == p || n == MOST_THERE)
            return -1;
        there[n] = (struct there){.pid = pid};
        n += look_at_process(&there[n]);
    }
    return n;
}

/* What a process is: an engine, by its name, or the parent of one; perhaps about to start one,
 * because it has the name of our own parent; or a stranger. */
enum kin { KIN_ENGINE, KIN_SOON, KIN_NONE };

static enum kin kin_of(const struct there *one, const struct there *there, int n) {
    struct there own = {.pid = getpid()}, parent = {.pid = getppid()};
    if (!look_at_process(&own) || !look_at_process(&parent))
        return KIN_NONE;
    bool engine = one->pid == parent.pid || strcmp(one->name, own.name) == 0;
    for (int i = 0; !engine && i < n; i++)
        engine = strcmp(there[i].name, own.name) == 0 && there[i].parent == one->pid;
    return engine ? KIN_ENGINE : strcmp(one->name, parent.name) == 0 ? KIN_SOON : KIN_NONE;
}

/* Moves all of ours into the leaf. False: a process is there that is not ours, or not yet. */
static bool move_ours(int dir, bool *ret_soon) {
    struct there there[MOST_THERE];
    char pid[16];
    int n = list_there(dir, there), r = 0;
    bool all = n >= 0;
    *ret_soon = n >= 0;
    for (int i = 0; i < n; i++) {
        enum kin kin = kin_of(&there[i], there, n);
        all &= kin == KIN_ENGINE;
        *ret_soon &= kin != KIN_NONE;
    }
    for (int i = 0; all && i < n && (r == 0 || r == -ESRCH); i++) {
        snprintf(pid, sizeof pid, "%d", (int)there[i].pid);
        r = write_file_at(dir, CALLERS "/cgroup.procs", pid);
    }
    return all && (r == 0 || r == -ESRCH);
}

#define TRIES 20

static void wait_a_little(void) {
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* Engines that start together take turns: the one with the lock moves the others, too, which then
 * find it done. A process that comes meanwhile keeps the controllers from being passed on; the next
 * try moves it. */
static bool leave_to_engines(int dir) {
    bool soon = true;
    for (int tries = 0; soon && tries < TRIES; tries++) {
        if (move_ours(dir, &soon) && passes_on(dir))
            return true;
        if (soon)
            wait_a_little();
    }
    return false;
}

static bool lock_parent(int dir) {
    for (int tries = 0; tries < 10 * TRIES; tries++) {
        if (flock(dir, LOCK_EX | LOCK_NB) == 0)
            return true;
        wait_a_little();
    }
    return false;
}

static int step_down(const char *path) {
    scoped_fd dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 || !writable(dir) || !has_both(dir, "cgroup.controllers") || !lock_parent(dir))
        return -1;
    bool done = (mkdirat(dir, CALLERS, 0755) == 0 || errno == EEXIST) && leave_to_engines(dir);
    flock(dir, LOCK_UN);
    return done ? take_fd(&dir) : -1;
}

/* systemd marks cgroups that it delegates. */
static bool is_delegated(const char *path) {
    char mark;
    return (getxattr(path, "user.delegate", &mark, 1) == 1 ||
            getxattr(path, "trusted.delegate", &mark, 1) == 1) &&
           mark == '1';
}

/* Takes the leaf off a path: whoever is in it was moved there. */
static bool cut_leaf(char *path, size_t top) {
    char *leaf = strrchr(path, '/');
    bool moved = leaf && leaf >= path + top && strcmp(leaf + 1, CALLERS) == 0;
    if (moved)
        *leaf = 0;
    return moved;
}

/* The engine that moved us may still be moving others. Until it is done the directory above the leaf
 * passes nothing on, and find_parent() would go past it, out of its limits: step_down() waits. */
static int open_parent(const char *own, size_t top) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s", own);
    int dir = cut_leaf(path, top) || is_delegated(path) ? step_down(path) : -1;
    if (dir >= 0)
        return dir;
    snprintf(path, sizeof path, "%s", own);
    dir = find_parent(path, top);
    return dir >= 0 ? dir : step_down(own);
}

/* For the way back at the end: cgroup.procs of the cgroup in which the process is now, which
 * step_down() may have changed. */
static int open_home(const struct cgroup_proc *proc) {
    char own[8192], path[PATH_MAX], file[PATH_MAX + 16];
    if (read_file_at(AT_FDCWD, "/proc/self/cgroup", own, sizeof own) <= 0 ||
        cgroup_find(own, proc->mountinfo, NULL, path, sizeof path, NULL) < 0)
        return -1;
    snprintf(file, sizeof file, "%s/cgroup.procs", path);
    return open(file, O_WRONLY | O_CLOEXEC);
}

#define USUAL_WEIGHT 100u

/* All sessions of an engine together weigh as much as one directory beside them. */
static void divide_weight(const struct cgroup_root *root) {
    char text[16];
    snprintf(text, sizeof text, "%u", USUAL_WEIGHT / root->sharers);
    if (root->sharers > 1)
        write_file_at(root->dir[0], "cpu.weight", text);
}

static int cgroup2_enter(struct cgroup_root *root, const struct cgroup_proc *proc) {
    if (!passes_on(root->dir[0]))
        return -EOPNOTSUPP;
    divide_weight(root);
    root->home = open_home(proc);
    if (mkdirat(root->dir[0], "supervisor", 0755) < 0)
        return -errno;
    return write_file_at(root->dir[0], "supervisor/cgroup.procs", "0");
}

int cgroup2_open(struct cgroup_root *root, const struct cgroup_proc *proc, uid_t delegate_to) {
    char own[PATH_MAX];
    size_t top;
    if (cgroup_find(proc->cgroup, proc->mountinfo, NULL, own, sizeof own, &top) < 0)
        return cgroup_why(root, "this process's cgroup is not visible at any mount point");
    int parent = open_parent(own, top);
    if (parent < 0)
        return cgroup_why(
            root, "no cgroup v2 directory here may be used with memory and pids: start with "
                  "systemd-run --user --scope -p Delegate=yes, or as root");
    int r = cgroup_root_add(root, 0, parent);
    if (r == 0)
        r = cgroup2_enter(root, proc);
    return r < 0 ? r : cgroup_delegate(root->dir[0], delegated, delegate_to);
}
