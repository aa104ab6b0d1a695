/* What the kernel alone costs. A library, because a fork costs what the forking process has in
 * memory: bench/floors.py loads it into an interpreter that has loaded what sessions have loaded.
 *
 * Each function measures once and returns milliseconds, or -errno.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "bench/server.h"

#define ALL_NAMESPACES                                                                         \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | \
     CLONE_NEWCGROUP)

#define MAX_WORKERS 256

/* Called from Python. */
double floor_fork(void);
double floor_namespaces(void);
double floor_sustained(long ms, long workers, long network);
double floor_round_trip(void);
double floor_fsync(const char *path);
double floor_pipe(long mb);

static double fork_and_exit(uint64_t flags) {
    struct clone_args args = {.flags = flags, .exit_signal = SIGCHLD};
    double start = now_ms();
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
    if (pid == 0)
        _exit(0);
    if (pid < 0)
        return -errno;
    waitpid(pid, NULL, 0);
    return now_ms() - start;
}

double floor_fork(void) {
    return fork_and_exit(0);
}

double floor_namespaces(void) {
    return fork_and_exit(ALL_NAMESPACES);
}

/* Forks until the time is up; returns how often. */
static long fork_until(double end, bool network) {
    uint64_t flags = network ? ALL_NAMESPACES : ALL_NAMESPACES & ~(uint64_t)CLONE_NEWNET;
    long count = 0;
    while (now_ms() < end && fork_and_exit(flags) >= 0)
        count++;
    return count;
}

/* Milliseconds per process when `workers` processes do nothing but fork for so long, one after the
 * other: the kernel takes namespaces apart in the background, and a single measurement with pauses
 * around it would not pay for that. Without `network` they have all namespaces but that one. */
double floor_sustained(long ms, long workers, long network) {
    long total = 0, count;
    pid_t pids[MAX_WORKERS];
    int fds[2];
    workers = workers < MAX_WORKERS ? workers : MAX_WORKERS;
    if (pipe2(fds, O_CLOEXEC) < 0)
        return -errno;
    double start = now_ms();
    for (long i = 0; i < workers; i++)
        if ((pids[i] = fork()) == 0) {
            count = fork_until(start + (double)ms, network);
            _exit(write(fds[1], &count, sizeof count) != sizeof count);
        }
    close(fds[1]);
    while (read(fds[0], &count, sizeof count) == sizeof count)
        total += count;
    close(fds[0]);
    for (long i = 0; i < workers; i++)
        waitpid(pids[i], NULL, 0);
    return total ? (now_ms() - start) / (double)total : -EAGAIN;
}

static int pair[2] = {-1, -1};

static void echo(int fd) {
    char byte;
    while (read(fd, &byte, 1) == 1 && write(fd, &byte, 1) == 1)
        ;
    _exit(0);
}

/* A byte to another process and back. */
double floor_round_trip(void) {
    char byte = 0;
    if (pair[0] < 0) {
        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
            return -errno;
        pid_t pid = fork();
        if (pid == 0) {
            close(pair[0]);
            echo(pair[1]);
        }
        close(pair[1]);
    }
    double start = now_ms();
    if (write(pair[0], &byte, 1) != 1 || read(pair[0], &byte, 1) != 1)
        return -errno;
    return now_ms() - start;
}

double floor_fsync(const char *path) {
    static const char page[4096];
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    double start = now_ms();
    ssize_t n = write(fd, page, sizeof page);
    int r = fsync(fd);
    double ms = now_ms() - start;
    close(fd);
    return n == sizeof page && r == 0 ? ms : -EIO;
}

/* A pipe of `mb` megabytes from another process, in writes of a line each, as print() makes them.
 */
double floor_pipe(long mb) {
    static char buffer[65536];
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) < 0)
        return -errno;
    double start = now_ms();
    pid_t pid = fork();
    if (pid == 0) {
        for (long i = 0; i < mb * 1000; i++)
            if (write(fds[1], buffer, 1000) != 1000)
                _exit(1);
        _exit(0);
    }
    close(fds[1]);
    while (read(fds[0], buffer, sizeof buffer) > 0)
        ;
    close(fds[0]);
    waitpid(pid, NULL, 0);
    return now_ms() - start;
}
