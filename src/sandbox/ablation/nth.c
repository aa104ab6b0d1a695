/* Makes the n-th of those calls fail that can fail because something is used up: memory,
 * descriptors, processes. The linker puts these functions in the place of libc's (WRAPPED in the
 * Makefile), only in the supervisor of the ablation build.
 *
 * RETORT_FAILPOINT=nth:FIRST:STEP. SIGUSR2 arms it: after the first one, the FIRST call from then
 * on fails; after each further one, a call that is STEP calls later. The supervisor and its
 * children share the count. Then nothing fails until the next SIGUSR2; nor after a SIGUSR1.
 */
#ifndef RETORT_ABLATION
/* Only this build has this file; defined here so that tools can read it alone. */
#define RETORT_ABLATION
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/ablation/ablation.h"

static int target, step;
static atomic_int *left; /* calls until one fails; 0: none does */

static void arm(int sig) {
    (void)sig;
    atomic_store(left, target);
    target += step;
}

static void disarm(int sig) {
    (void)sig;
    atomic_store(left, 0);
}

void nth_configure(void) {
    const char *text = getenv("RETORT_FAILPOINT");
    struct sigaction on = {.sa_handler = arm, .sa_flags = SA_RESTART};
    struct sigaction off = {.sa_handler = disarm, .sa_flags = SA_RESTART};
    if (!text || sscanf(text, "nth:%d:%d", &target, &step) != 2)
        return;
    left = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (left == MAP_FAILED || sigaction(SIGUSR2, &on, NULL) < 0 ||
        sigaction(SIGUSR1, &off, NULL) < 0)
        abort(); /* a test in which nothing fails would prove nothing */
}

static bool fails(int error) {
    if (!left || atomic_load(left) <= 0 || atomic_fetch_sub(left, 1) != 1)
        return false;
    errno = error;
    return true;
}

#define WRAP(type, name, error, failed, params, args)        \
    type __real_##name params;                               \
    type __wrap_##name params;                               \
    type __wrap_##name params {                              \
        return fails(error) ? (failed) : __real_##name args; \
    }

WRAP(void *, malloc, ENOMEM, NULL, (size_t size), (size))
WRAP(void *, calloc, ENOMEM, NULL, (size_t n, size_t size), (n, size))
WRAP(int, socketpair, EMFILE, -1, (int domain, int type, int protocol, int *pair),
     (domain, type, protocol, pair))
WRAP(int, pipe2, EMFILE, -1, (int *ends, int flags), (ends, flags))
WRAP(pid_t, fork, EAGAIN, -1, (void), ())
WRAP(ssize_t, sendmsg, ENOBUFS, -1, (int fd, const struct msghdr *msg, int flags), (fd, msg, flags))
WRAP(ssize_t, recvmsg, ENOMEM, -1, (int fd, struct msghdr *msg, int flags), (fd, msg, flags))
WRAP(int, mkdirat, ENOSPC, -1, (int dir, const char *path, mode_t mode), (dir, path, mode))
WRAP(int, setsockopt, ENOMEM, -1, (int fd, int level, int name, const void *value, socklen_t len),
     (fd, level, name, value, len))

int __real_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll, int op, int fd, struct epoll_event *event) {
    return op == EPOLL_CTL_ADD && fails(ENOSPC) ? -1 : __real_epoll_ctl(epoll, op, fd, event);
}

int __real_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, mode_t mode);
int __wrap_openat(int dir, const char *path, int flags, mode_t mode) {
    return fails(EMFILE) ? -1 : __real_openat(dir, path, flags, mode);
}

/* The system calls without a function of libc that use something up. */
static bool takes(long nr) {
    return nr == SYS_clone3 || nr == SYS_pidfd_open || nr == SYS_open_tree || nr == SYS_openat2;
}

long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...);
long __wrap_syscall(long nr, ...) {
    long a[6];
    va_list args;
    va_start(args, nr);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    return takes(nr) && fails(EAGAIN) ? -1 : __real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}
