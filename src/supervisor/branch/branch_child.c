/* The first process of a branch.
 *
 * Only a process inside a pid namespace can make another one inside of it, and the user who creates
 * a user namespace owns it. So there are three processes, each made by the one before and then
 * gone: one that joins the parent's namespaces, one that lives in them and becomes the parent's
 * user, and one that is cloned into new ones and becomes init. All are children of the supervisor.
 *
 * They share a pid namespace with hostile processes that have the same user. They are dumpable only
 * while they write their own maps, and Landlock keeps a guest from tracing processes outside of its
 * domain, as these are; until the last one has its maps they keep the supervisor's user as their
 * real and saved one, which a guest may not signal. (A guest may kill init, and with it its own
 * branch.)
 *
 * Everything here runs between fork and exec, in copies of a process that has one thread: it may
 * allocate, as copying the files does, and never returns. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "sandbox/lockdown.h"
#include "sandbox/rootfs.h"
#include "supervisor/branch/branch.h"
#include "supervisor/files/copy.h"
#include "supervisor/session_child.h"

static _Noreturn void give_up_layer(int init_sock, const char *layer, const char *what) {
    struct retort_error err = ERR_INIT;
    err_layer(&err, layer, errno, "%s", what);
    lockdown_give_up(init_sock, &err);
}

static void await_go(int init_sock) {
    char go;
    if (recv(init_sock, &go, 1, 0) != 1)
        _exit(1);
}

/* Each file shows the limits of the user namespace of the process that opened it. */
static void send_quotas(int quota, int init_sock) {
    for (char i = 0; i < NAMESPACE_KINDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "max_%s_namespaces", namespace_kinds[(int)i].name);
        int fd = openat(quota, name, O_WRONLY | O_CLOEXEC);
        if (fd < 0 || packet_send(init_sock, &i, 1, &fd, 1) < 0)
            give_up_layer(init_sock, "user", "cannot allow the branch's namespaces");
        close(fd);
    }
}

static pid_t clone_sibling(uint64_t flags) {
    struct clone_args args = {.flags = flags | CLONE_PARENT};
    return (pid_t)syscall(SYS_clone3, &args, sizeof args);
}

static void write_maps(int init_sock) {
    static const char map[] = "1000 1000 1";
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* otherwise /proc/self would belong to root */
    int r = write_file_at(AT_FDCWD, "/proc/self/setgroups", "deny");
    if (r == 0)
        r = write_file_at(AT_FDCWD, "/proc/self/uid_map", map);
    if (r == 0)
        r = write_file_at(AT_FDCWD, "/proc/self/gid_map", map);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (r < 0) {
        errno = -r;
        give_up_layer(init_sock, "user", "cannot map the branch's user");
    }
}

/* Runs as the collector's user and locked like it, because it reads what a guest wrote. */
static _Noreturn void copy_files(const int *old, const int *new) {
    struct retort_error err = ERR_INIT;
    struct lockdown lock = {.role = LOCK_COLLECTOR,
                            .pids = 65536,
                            .open_files = 512,
                            .filter = sup.guest.code,
                            .filter_len = sup.guest.len};
    int moved[2 * ROOTFS_WRITABLE];
    for (int i = 0; i < ROOTFS_WRITABLE; i++) {
        moved[2 * i] = dup2(old[i], 3 + 2 * i);
        moved[2 * i + 1] = dup2(new[i], 4 + 2 * i);
    }
    if (close_range(3 + 2 * ROOTFS_WRITABLE, ~0U, 0) < 0 || lockdown_apply(&lock, &err) < 0)
        _exit(EPERM);
    int r = 0;
    for (int i = 0; i < ROOTFS_WRITABLE && r == 0; i++)
        r = moved[2 * i] < 0 || moved[2 * i + 1] < 0 ? -EBADF
                                                     : copy_tree(moved[2 * i], moved[2 * i + 1]);
    _exit(-r);
}

static void give_files(const int *old, const int *new, int init_sock) {
    int status = 0;
    if (tmpfs_dir_is_empty(old[ROOTFS_WORK]) && tmpfs_dir_is_empty(old[ROOTFS_TMP]) &&
        tmpfs_dir_is_empty(old[ROOTFS_SHM]))
        return;
    pid_t pid = fork();
    if (pid == 0)
        copy_files(old, new);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        errno = WIFEXITED(status) ? WEXITSTATUS(status) : EIO;
        give_up_layer(init_sock, "mount", "cannot copy the parent's files");
    }
}

static _Noreturn void first(const struct session *s, int quota, int init_sock) {
    struct retort_error err = ERR_INIT;
    int old[ROOTFS_WRITABLE], new[ROOTFS_WRITABLE];
    struct rootfs_plan plan = {.disk = s->terms.limits.disk,
                               .inodes = s->terms.limits.inodes,
                               .devices = s->birth.devices};
    if (send(init_sock, "i", 1, MSG_NOSIGNAL) != 1)
        _exit(1);
    await_go(init_sock);
    write_maps(init_sock);
    if (child_enter(s, quota, &err) < 0 || rootfs_branch(&plan, old, new, &err) < 0)
        lockdown_give_up(init_sock, &err);
    give_files(old, new, init_sock);
    if (child_lock(s, &err) < 0)
        lockdown_give_up(init_sock, &err);
    child_become_init(s, init_sock);
}

/* Changes only the effective ids: they make it the owner of what it clones. */
static _Noreturn void inside(const struct session *s, int quota, int init_sock) {
    if (setresgid((gid_t)-1, GUEST_UID, (gid_t)-1) < 0 ||
        setresuid((uid_t)-1, GUEST_UID, (uid_t)-1) < 0)
        give_up_layer(init_sock, "user", "cannot become the parent's user");
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    pid_t pid = clone_sibling(namespace_flags(NAMESPACE_LAYERS));
    if (pid == 0)
        first(s, quota, init_sock);
    if (pid < 0)
        give_up_layer(init_sock, "user",
                      errno == EUSERS || errno == ENOSPC
                          ? "branches are nested as deep as the kernel allows"
                          : "cannot make the branch's namespaces");
    _exit(0);
}

_Noreturn void branch_child_main(const struct session *s, int init_sock) {
    int quota = child_quota(s);
    if (setns(s->branching.parent->pid1.pidfd, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID) < 0)
        give_up_layer(init_sock, "user", "cannot enter the parent's namespaces");
    if (s->branching.parent->branching.quota[NAMESPACE_KINDS - 1] < 0)
        send_quotas(quota, init_sock);
    await_go(init_sock);
    pid_t pid = clone_sibling(0);
    if (pid == 0)
        inside(s, quota, init_sock);
    if (pid < 0)
        give_up_layer(init_sock, "pid", "cannot fork in the parent's pid namespace");
    _exit(0);
}
