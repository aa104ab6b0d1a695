#include "sandbox/renew.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"

/* --- process numbers --- */

static int own = -1;      /* our pid namespace, for the way back */
static int last_pid = -1; /* ns_last_pid of the writer's own pid namespace */

/* Runs in the child below, which uses the memory and descriptors of the parent, while that
 * waits. */
static int renew_inside(void *ret) {
    *(int *)ret = pwrite(last_pid, "1", 1, 0) == 1 ? 0 : -errno;
    return 0;
}

/* A child does it, because only a process in a pid namespace can reset its numbers. The child
 * shares everything with us: nothing is copied. It never receives our signals. */
static int renew_by_child(void) {
    static char stack[16 << 10] __attribute__((aligned(16)));
    int r = -ECHILD;
    pid_t pid = clone(renew_inside, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_FILES, &r);
    if (pid < 0)
        return -errno;
    while (waitpid(pid, NULL, __WALL) < 0 && errno == EINTR)
        ;
    return r;
}

static int open_own(void) {
    if (own < 0 && (own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC)) < 0)
        return -errno;
    if (last_pid < 0 && (last_pid = open("/proc/sys/kernel/ns_last_pid", O_WRONLY | O_CLOEXEC)) < 0)
        return -errno; /* the kernel was built without checkpoint/restore */
    return 0;
}

int renew_pids(int init) {
    int r = open_own();
    if (r < 0 || setns(init, CLONE_NEWPID) < 0)
        return r < 0 ? r : -errno;
    r = renew_by_child();
    if (setns(own, CLONE_NEWPID) < 0)
        abort(); /* otherwise the next child would be born there */
    return r;
}

/* --- inode numbers --- */

/* Makes a file without a name, which nobody ever sees, but which takes an inode number. Only a user
 * of the session's user namespace can make one, so we become that user; meanwhile the kernel takes
 * root's rights over files from us. */
int renew_inode(int dir, uid_t uid, uint64_t *ret) {
    struct stat st;
    int r = 0;
    syscall(SYS_setfsgid, uid);
    syscall(SYS_setfsuid, uid);
    scoped_fd fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 && fstat(fd, &st) == 0)
        *ret = st.st_ino;
    else
        r = -errno;
    syscall(SYS_setfsuid, 0);
    syscall(SYS_setfsgid, 0);
    return r;
}
