#include "sandbox/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"

int process_hold(pid_t pid) {
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : fd;
}

bool process_lives(int pidfd) {
    struct pollfd p = {.fd = pidfd, .events = POLLIN};
    return pidfd >= 0 && poll(&p, 1, 0) == 0;
}

int process_signal(int pidfd, int sig) {
    return syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, 0) < 0 ? -errno : 0;
}

/* The kernel's structure; not every C library has it. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice, deadline, period;
};

#define POLICY_NORMAL 0
#define RESET_ON_FORK 1ull
#define SHORT_NS 100000ull /* the shortest that the kernel accepts */

/* Changes nothing before Linux 6.12. */
static void take_slices(uint64_t flags) {
    struct scheduling s = {.size = sizeof s};
    if (syscall(SYS_sched_getattr, 0, &s, sizeof s, 0) < 0 || s.policy != POLICY_NORMAL ||
        s.nice < 0) /* children would lose a negative nice value */
        return;
    s.flags = (s.flags & ~RESET_ON_FORK) | flags;
    s.slice = SHORT_NS;
    syscall(SYS_sched_setattr, 0, &s, 0);
}

/* A running process keeps the processor for a slice, or until the next tick, even if a process that
 * wakes up has used none: cells, checkpoints and new sessions that wait for us would go on 4 ms
 * later. A process with a shorter slice runs at once; its share of the processor stays the same. */
void process_be_prompt(void) {
    take_slices(RESET_ON_FORK);
}

void process_give_way(void) {
    take_slices(0);
}

pid_t process_inner_pid(pid_t pid) {
    char path[40], text[2048];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    if (read_file_at(AT_FDCWD, path, text, sizeof text) < 0)
        return 0;
    char *line = strstr(text, "NSpid:");
    char *end = line ? strchr(line, '\n') : NULL;
    if (!end)
        return 0;
    *end = 0;
    char *last = strrchr(line, '\t');
    return last ? (pid_t)strtol(last, NULL, 10) : 0;
}
