#include "supervisor/launcher.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "supervisor/sockets.h"

#define SUPERVISOR_SOCK 3

static unsigned living; /* supervisors that it started and has not waited for */
static bool killed;     /* one of them was killed, and has left its cgroups */

/* Runs this very program, even if its file was replaced meanwhile. */
static _Noreturn void become_supervisor(int sock) {
    char *argv[] = {"retort-supervisor", NULL};
    setsid();
    if (sock == SUPERVISOR_SOCK || dup2(sock, SUPERVISOR_SOCK) == SUPERVISOR_SOCK)
        execve("/proc/self/exe", argv, environ);
    _exit(1);
}

static void wait_for_one(int flags) {
    int status;
    pid_t pid = waitpid(-1, &status, flags);
    if (pid <= 0)
        return;
    living--;
    killed |= WIFSIGNALED(status);
}

static int say_hello(const struct ctl_hello *hello, int main_sock, int ret[LAUNCHED_FDS]) {
    struct ctl_hello own = *hello;
    int names[2], r = pair_open(names, SOCK_SEQPACKET);
    if (r < 0)
        return r;
    scoped_fd theirs = names[1];
    ret[LAUNCHED_NAMES] = names[0];
    own.head.type = CTL_HELLO;
    return packet_send(main_sock, &own, sizeof own, &theirs, 1);
}

static int start_one(const struct ctl_hello *hello, int ret[LAUNCHED_FDS]) {
    int pair[2], r = pair_open(pair, SOCK_SEQPACKET);
    if (r < 0)
        return r;
    ret[LAUNCHED_MAIN] = pair[0];
    scoped_fd theirs = pair[1];
    pid_t pid = fork();
    if (pid == 0)
        become_supervisor(theirs);
    if (pid < 0)
        return -errno;
    living++;
    ret[LAUNCHED_PIDFD] = (int)syscall(SYS_pidfd_open, pid, 0);
    return ret[LAUNCHED_PIDFD] < 0 ? -errno : say_hello(hello, pair[0], ret);
}

/* The broker takes the end of its socket for a refusal. */
static void launch_for(const struct ctl_hello *hello, int reply) {
    struct ctl_head launched = {CTL_LAUNCHED, sizeof launched};
    int fds[LAUNCHED_FDS] = {-1, -1, -1};
    for (unsigned i = living; i > 0; i--)
        wait_for_one(WNOHANG);
    if (living < hello->count && start_one(hello, fds) == 0)
        packet_send(reply, &launched, sizeof launched, fds, LAUNCHED_FDS);
    close_all(fds, LAUNCHED_FDS);
}

static bool serve_one(int sock, const struct ctl_hello *hello) {
    struct ctl_head head;
    scoped_fd reply = -1;
    size_t nfds = 1;
    ssize_t n = packet_recv(sock, &head, sizeof head, &reply, &nfds, 0);
    if (nfds == 0)
        reply = -1;
    if (n == sizeof head && nfds == 1 && head.type == CTL_LAUNCH && head.size == sizeof head)
        launch_for(hello, reply);
    return n > 0 || n == -EINTR || nothing_yet(n);
}

/* Every supervisor that starts removes the cgroups of killed ones, so we start one. */
static void tidy(const struct ctl_hello *hello) {
    int fds[LAUNCHED_FDS] = {-1, -1, -1};
    if (killed)
        start_one(hello, fds);
    close_all(fds, LAUNCHED_FDS);
}

void launcher_serve(int sock, const struct ctl_hello *hello) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    while (serve_one(sock, hello))
        ;
    while (living > 0)
        wait_for_one(0);
    tidy(hello);
    while (living > 0)
        wait_for_one(0);
}
