/* The engine's own directories: makes, locks, hands over, sweeps and removes them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/cgroup/cgroup_impl.h"
#include "sandbox/process.h"

#define PREFIX "retort-"
#define NAME_TRIES 16
#define DEPTH_MAX 4
#define REMOVE_TRIES 2000
#define SWEEP_TRIES 20
#define REMOVE_PAUSE_NS 5000000

int cgroup_why(struct cgroup_root *root, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(root->why, sizeof root->why, fmt, args);
    va_end(args);
    return 1;
}

int cgroup_delegate(int dir, const char *const *files, uid_t uid) {
    if (uid == geteuid())
        return 0;
    if (fchown(dir, uid, (gid_t)-1) < 0)
        return -errno;
    for (; *files; files++)
        if (fchownat(dir, *files, uid, (gid_t)-1, AT_SYMLINK_NOFOLLOW) < 0 && errno != ENOENT)
            return -errno;
    return 0;
}

/* As many of its processes as there is room for; the next call finds others. */
struct root_members {
    char text[4096];
    size_t at;
};

static void root_list(int dir, struct root_members *ret) {
    ret->at = 0;
    if (read_file_at(dir, "cgroup.procs", ret->text, sizeof ret->text) <= 0)
        ret->text[0] = 0;
}

/* The next of them; 0 for one of another pid namespace. A number without the end of its line may be
 * cut off. */
static bool root_next_member(struct root_members *m, pid_t *ret) {
    char *end;
    *ret = (pid_t)strtol(m->text + m->at, &end, 10);
    if (*end != '\n')
        return false;
    m->at = (size_t)(end - m->text) + 1;
    return true;
}

static bool root_has_member(int dir, pid_t pid) {
    struct root_members m;
    pid_t next;
    root_list(dir, &m);
    while (root_next_member(&m, &next))
        if (next == pid)
            return true;
    return false;
}

/* No living engine needs these processes. With version 1 a frozen task would not die of SIGKILL, so
 * we thaw first; version 2 has one file for the whole subtree. A pid may be another process's by
 * now, so we hold the process and look again: then it is the one that we hold. */
static void root_kill_members(int dir) {
    write_file_at(dir, "freezer.state", "THAWED");
    if (write_file_at(dir, "cgroup.kill", "1") == 0)
        return;
    struct root_members m;
    pid_t pid;
    root_list(dir, &m);
    while (root_next_member(&m, &pid)) {
        scoped_fd held = pid > 1 && pid != getpid() ? process_hold(pid) : -1;
        if (held >= 0 && root_has_member(dir, pid))
            process_signal(held, SIGKILL);
    }
}

/* Removes the directory `name` in `parent` and everything below it. */
static int remove_tree(int parent, const char *name, bool kill_first, int depth) {
    if (unlinkat(parent, name, AT_REMOVEDIR) == 0) /* most often it is empty already */
        return 0;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? 0 : -errno;
    if (kill_first)
        root_kill_members(fd);
    scoped_dir d = fdopendir(fd);
    if (!d) {
        close(fd);
        return -ENOMEM;
    }
    struct dirent *e;
    while (depth < DEPTH_MAX && (e = readdir(d)))
        if (e->d_type == DT_DIR && e->d_name[0] != '.')
            remove_tree(fd, e->d_name, kill_first, depth + 1);
    if (unlinkat(parent, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
        return -errno;
    return 0;
}

/* The same, but waits for the last members to die. */
static int remove_patiently(int parent, const char *name, int tries) {
    int r;
    while ((r = remove_tree(parent, name, true, 0)) == -EBUSY && --tries > 0)
        nanosleep(&(struct timespec){.tv_nsec = REMOVE_PAUSE_NS}, NULL);
    return r;
}

/* A directory whose lock is free belongs to a killed engine. This may also remove one that was made
 * and is not locked yet: lock_dir() notices. */
static void sweep(int parent) {
    scoped_dir d = opendir_at(parent, ".");
    struct dirent *e;
    while (d && (e = readdir(d))) {
        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0)
            continue;
        scoped_fd stale =
            openat(parent, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (stale >= 0 && flock(stale, LOCK_EX | LOCK_NB) == 0)
            remove_patiently(parent, e->d_name, SWEEP_TRIES);
    }
}

/* Opens and locks; -ESTALE if a sweeper was faster. */
static int lock_dir(int parent, const char *name, int *ret_fd) {
    scoped_fd fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? -ESTALE : -errno;
    if (flock(fd, LOCK_EX | LOCK_NB) < 0)
        return errno == EWOULDBLOCK ? -ESTALE : -errno;
    struct stat there, mine;
    if (fstat(fd, &mine) < 0 || fstatat(parent, name, &there, AT_SYMLINK_NOFOLLOW) < 0 ||
        there.st_ino != mine.st_ino)
        return -ESTALE;
    *ret_fd = take_fd(&fd);
    return 0;
}

int cgroup_root_add(struct cgroup_root *root, unsigned n, int parent) {
    root->parent[n] = parent;
    root->ndirs = n + 1;
    sweep(parent);
    int r = -EEXIST;
    for (int i = 0; i < NAME_TRIES && (r == -EEXIST || r == -ESTALE); i++) {
        if (n == 0)
            snprintf(root->name, sizeof root->name, PREFIX "%d-%llx", (int)getpid(),
                     (unsigned long long)now_ns());
        /* 0700: nobody else may hold our lock, or look into it. */
        r = mkdirat(parent, root->name, 0700) < 0 ? -errno : 0;
        if (r < 0)
            continue;
        r = lock_dir(parent, root->name, &root->dir[n]);
        if (r < 0) /* somebody who only looked may have held the lock */
            unlinkat(parent, root->name, AT_REMOVEDIR);
    }
    return r;
}

static void root_close(struct cgroup_root *root) {
    for (unsigned n = 0; n < CGROUP_CONTROLLERS; n++) {
        fd_done(&root->dir[n]);
        fd_done(&root->parent[n]);
    }
    fd_done(&root->home);
    root->version = 0;
    root->ndirs = 0;
}

/* The kernel checks the right to go back against the opener of `home`, which had it. */
static void go_home(struct cgroup_root *root) {
    if (root->home >= 0)
        write_all(root->home, "0", 1);
}

void cgroup_root_thaw(const struct cgroup_root *root) {
    if (root->version != 1)
        return;
    scoped_dir d = opendir_at(root->dir[root->at[CGROUP_FREEZER]], ".");
    struct dirent *e;
    while (d && (e = readdir(d))) {
        char path[300];
        snprintf(path, sizeof path, "%s/freezer.state", e->d_name);
        if (e->d_type == DT_DIR && e->d_name[0] != '.')
            write_file_at(dirfd(d), path, "THAWED");
    }
}

/* Removes what it can; returns the worst error. */
static int remove_all(const struct cgroup_root *root, bool kill_first) {
    int worst = 0;
    for (unsigned n = 0; n < root->ndirs; n++) {
        int r = remove_tree(root->parent[n], root->name, kill_first, 0);
        worst = r < 0 ? r : worst;
    }
    return worst;
}

/* Most often all processes are gone, and none has to be killed. A killed process leaves all
 * hierarchies at once, however late: so if we have to wait, we wait for all of them together. */
int cgroup_root_remove(struct cgroup_root *root) {
    go_home(root);
    int r = remove_all(root, false);
    for (int tries = REMOVE_TRIES; r == -EBUSY && tries > 0; tries--) {
        nanosleep(&(struct timespec){.tv_nsec = REMOVE_PAUSE_NS}, NULL);
        r = remove_all(root, true);
    }
    root_close(root);
    return r;
}

void cgroup_root_close(struct cgroup_root *root) {
    go_home(root);
    for (unsigned n = 0; n < root->ndirs; n++)
        remove_tree(root->parent[n], root->name, false, 0);
    root_close(root);
}

static struct cgroup_root empty_root(unsigned sharers) {
    struct cgroup_root root = {.home = -1, .sharers = sharers};
    for (unsigned n = 0; n < CGROUP_CONTROLLERS; n++)
        root.dir[n] = root.parent[n] = -1;
    return root;
}

int cgroup_root_open(struct cgroup_root *root, uid_t delegate_to, unsigned sharers,
                     struct retort_error *err) {
    *root = empty_root(sharers);
    scoped_free struct cgroup_proc *proc = malloc(sizeof *proc);
    if (!proc)
        return err_errno(err, ERR_HOST, ENOMEM, "no memory to read the cgroup hierarchies");
    if (read_file_at(AT_FDCWD, "/proc/self/cgroup", proc->cgroup, sizeof proc->cgroup) <= 0 ||
        read_file_at(AT_FDCWD, "/proc/self/mountinfo", proc->mountinfo, sizeof proc->mountinfo) <=
            0) {
        cgroup_why(root, "/proc shows no cgroups: mount proc, or use a kernel with cgroups");
        return 0;
    }
    bool two = cgroup2_has_memory(proc);
    int r = two ? cgroup2_open(root, proc, delegate_to) : cgroup1_open(root, proc, delegate_to);
    if (r == 0) {
        root->version = two ? 2 : 1;
        return 0;
    }
    if (r < 0)
        cgroup_why(root, "cgroup v%d: %s", two ? 2 : 1, strerror(-r));
    /* Removes an incomplete set again, but keeps the reason. */
    char why[sizeof root->why];
    memcpy(why, root->why, sizeof why);
    cgroup_root_close(root);
    memcpy(root->why, why, sizeof why);
    return 0;
}
