#include "engine/pairs/launch.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/host/libexec.h"

int launch_program(const char *libexec, int sock, pid_t *ret_pid) {
    char *vars[4] = {NULL};
#ifdef RETORT_ABLATION
    size_t n = 0;
    for (char **v = environ; *v; v++)
        if (strncmp(*v, "RETORT_ABLATE=", 14) == 0 || strncmp(*v, "RETORT_FAILPOINT=", 17) == 0 ||
            strncmp(*v, "RETORT_OVERLOOK=", 16) == 0)
            vars[n++] = *v;
#endif
    return libexec_spawn(libexec, "retort-supervisor", sock, vars, ret_pid);
}

int launch_keep(struct launch *l, const char *libexec, const struct ctl_hello *hello) {
    struct ctl_hello own = *hello;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    scoped_fd theirs = pair[1];
    own.head.type = CTL_LAUNCHER;
    l->sock = pair[0];
    int r = launch_program(libexec, theirs, &l->pid);
    fd_done(&theirs);
    if (r == 0)
        r = packet_send(l->sock, &own, sizeof own, NULL, 0);
    if (r < 0)
        launch_end(l);
    return r;
}

void launch_end(struct launch *l) {
    fd_done(&l->sock);
    libexec_await(&l->pid);
}

int launch_another(const struct launch *l, int ret_fds[LAUNCHED_FDS]) {
    struct ctl_head launch = {CTL_LAUNCH, sizeof launch}, answer;
    size_t nfds = LAUNCHED_FDS;
    if (l->sock < 0)
        return -EPERM;
    scoped_fd own = packet_send_pair(l->sock, &launch, sizeof launch);
    if (own < 0)
        return own;
    ssize_t n = packet_recv(own, &answer, sizeof answer, ret_fds, &nfds, 0);
    if (n == sizeof answer && answer.type == CTL_LAUNCHED && nfds == LAUNCHED_FDS)
        return 0;
    for (size_t i = 0; n > 0 && i < nfds; i++)
        close(ret_fds[i]);
    return n < 0 ? (int)n : -EPIPE;
}
