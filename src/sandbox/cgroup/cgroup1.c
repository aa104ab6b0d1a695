/* Version 1: one hierarchy per controller; the engine has a directory in each. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/cgroup/cgroup_find.h"
#include "sandbox/cgroup/cgroup_impl.h"

static const char *const controllers[CGROUP_CONTROLLERS] = {
    [CGROUP_FREEZER] = "freezer", [CGROUP_MEMORY] = "memory", [CGROUP_PIDS] = "pids",
    [CGROUP_CPU] = "cpuacct",     [CGROUP_SHARE] = "cpu",
};

static const char *const delegated[] = {"tasks", "cgroup.procs", NULL};

static int open_one(struct cgroup_root *root, const char *name, const char *path, uid_t to) {
    scoped_fd fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
        return cgroup_why(root, "the cgroup v1 directory for %s is not writable (%s): run as root",
                          name, strerror(errno));
    unsigned n = root->ndirs;
    int r = cgroup_root_add(root, n, take_fd(&fd));
    return r < 0 ? r : cgroup_delegate(root->dir[n], delegated, to);
}

/* Each session weighs as much as any other, however many processes it has; all sessions of an
 * engine together weigh as much as one process on each processor, as if they were the host's
 * own. */
static void weigh_engine(const struct cgroup_root *root) {
    char text[24];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(text, sizeof text, "%ld",
             1024 * (processors > 0 ? processors : 1) / (long)root->sharers);
    write_file_at(root->dir[root->at[CGROUP_SHARE]], "cpu.shares", text);
}

int cgroup1_open(struct cgroup_root *root, const struct cgroup_proc *proc, uid_t delegate_to) {
    char path[CGROUP_CONTROLLERS][PATH_MAX];
    for (unsigned c = 0; c < CGROUP_CONTROLLERS; c++) {
        const char *name = controllers[c];
        int found = cgroup_find(proc->cgroup, proc->mountinfo, name, path[c], sizeof path[c], NULL);
        if (found < 0 && c == CGROUP_SHARE)
            return 0;
        if (found < 0)
            return cgroup_why(root, "no cgroup hierarchy with the %s controller is mounted", name);
        /* Controllers may share a hierarchy ("cpu,cpuacct"). */
        unsigned same = 0;
        while (same < c && strcmp(path[same], path[c]) != 0)
            same++;
        root->at[c] = (unsigned char)(same < c ? root->at[same] : root->ndirs);
        if (same < c)
            continue;
        int r = open_one(root, name, path[c], delegate_to);
        if (r > 0 && c == CGROUP_SHARE)
            return 0;
        if (r)
            return r;
    }
    weigh_engine(root);
    return 0;
}
