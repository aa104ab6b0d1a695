/* Version 2: one hierarchy, in which a directory with processes may not give controllers to its
 * children. So the engine's directory is made in the nearest directory, upwards from the process's
 * own, that is writable and passes on memory and pids. On a desktop that is the slice above the
 * terminal's scope.
 *
 * A service or scope with Delegate=yes, or a container, should keep its sessions inside, under its
 * own limits. If nobody but this process and its parent is in it, both step down into a leaf, and
 * then the controllers can be passed on. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
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

/* Whether children of `dir` have memory and pids, perhaps after asking for it. The processor's
 * controller makes sessions share fairly: asked for as well, used where the kernel has it. */
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

/* True if nobody is in the cgroup but this process and its parent. */
static bool only_ours(int dir) {
    char text[256];
    if (read_file_at(dir, "cgroup.procs", text, sizeof text) <= 0)
        return false;
    char *end;
    for (char *p = text; *p; p = end + (*end == '\n')) {
        long pid = strtol(p, &end, 10);
        if (end == p || (pid != getpid() && pid != getppid()))
            return false;
    }
    return true;
}

static int step_down(const char *path) {
    scoped_fd dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0 || !writable(dir) || !has_both(dir, "cgroup.controllers") || !only_ours(dir))
        return -1;
    if (mkdirat(dir, CALLERS, 0755) < 0 && errno != EEXIST)
        return -1;
    char parent[16];
    snprintf(parent, sizeof parent, "%d", (int)getppid());
    if (write_file_at(dir, CALLERS "/cgroup.procs", "0") < 0 ||
        write_file_at(dir, CALLERS "/cgroup.procs", parent) < 0 || !passes_on(dir))
        return -1;
    return take_fd(&dir);
}

/* systemd marks what it delegates. */
static bool is_delegated(const char *path) {
    char mark;
    return (getxattr(path, "user.delegate", &mark, 1) == 1 ||
            getxattr(path, "trusted.delegate", &mark, 1) == 1) &&
           mark == '1';
}

static int open_parent(const char *own, size_t top) {
    char path[PATH_MAX];
    int dir = is_delegated(own) ? step_down(own) : -1;
    if (dir >= 0)
        return dir;
    snprintf(path, sizeof path, "%s", own);
    dir = find_parent(path, top);
    return dir >= 0 ? dir : step_down(own);
}

/* The way back, for the end: cgroup.procs of where the process is now, which step_down() may have
 * changed. */
static int open_home(const struct cgroup_proc *proc) {
    char own[8192], path[PATH_MAX], file[PATH_MAX + 16];
    if (read_file_at(AT_FDCWD, "/proc/self/cgroup", own, sizeof own) <= 0 ||
        cgroup_find(own, proc->mountinfo, NULL, path, sizeof path, NULL) < 0)
        return -1;
    snprintf(file, sizeof file, "%s/cgroup.procs", path);
    return open(file, O_WRONLY | O_CLOEXEC);
}

#define USUAL_WEIGHT 100u

/* All of an engine together weigh as much as one directory beside them. */
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
