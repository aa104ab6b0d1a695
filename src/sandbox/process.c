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
