/* retort-gate: gate.h says what it is. The broker starts it with its main socket as descriptor 3,
 * and it ends when that does. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "gate/gate.h"

#define MAIN_SOCK 3
#define NOBODY 65534
#define EVENTS 64
#define SECOND_MS 1000
/* Bytes that malloc keeps: the buffers of some flows, for the next ones. */
#define KEPT_FREE (8 << 20)

struct gate_state gate = {.epoll = -1};

/* Started as root, it becomes nobody, because it only has to connect. It never writes a core
 * file. */
static int give_up_privilege(void) {
    struct rlimit none = {0, 0}, little = {MAX_KEPT_ANSWER, MAX_KEPT_ANSWER},
                  most = {4 * MAX_FLOWS + 2048, 4 * MAX_FLOWS + 2048};
    if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
                           setresuid(NOBODY, NOBODY, NOBODY) < 0))
        return -errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        setrlimit(RLIMIT_CORE, &none) < 0 || setrlimit(RLIMIT_FSIZE, &little) < 0)
        return -errno;
    setrlimit(RLIMIT_NOFILE, &most); /* if it fails, the old limit stays */
    return 0;
}

static void on_broker(struct waiter *w, uint32_t events) {
    struct ctl_head head = {0};
    int fds[GATE_FDS] = {-1, -1, -1};
    size_t nfds = GATE_FDS;
    (void)events;
    ssize_t n = packet_recv(w->fd, &head, sizeof head, fds, &nfds, MSG_DONTWAIT);
    /* Without a free descriptor the kernel closes the session's socket, and the broker sees that. */
    if (n == -EAGAIN || n == -EMFILE)
        return;
    if (n == sizeof head && head.type == GATE_AUTHORITY && nfds == 1) {
        identity_authority(fds[0]); /* if it fails, the file stays empty */
        close(fds[0]);
        packet_send(w->fd, &head, sizeof head, NULL, 0);
        return;
    }
    if (n != sizeof head || head.type != GATE_SESSION || nfds != GATE_FDS)
        _exit(0);
    guest_open(fds[GATE_FD_SOCKET], fds[GATE_FD_LISTENER], fds[GATE_FD_RULES]);
}

/* Whether there is work without any event of epoll. */
static bool is_hurried(void) {
    for (const struct guest *g = gate.guests; g; g = g->next)
        if (g->more || (g->syncing && !g->full))
            return true;
    return false;
}

static void gate_loop(void) {
    uint64_t second = 0;
    for (;;) {
        struct epoll_event events[EVENTS];
        int n = epoll_wait(gate.epoll, events, EVENTS, is_hurried() ? 0 : SECOND_MS);
        for (int i = 0; i < n; i++) {
            struct waiter *w = events[i].data.ptr;
            if (w->fd >= 0)
                w->ready(w, events[i].events);
        }
        uint64_t now = now_ns();
        if (now - second >= SECOND_MS * 1000000ull) {
            second = now;
            guest_second(now);
        }
        guest_round();
    }
}

int main(void) {
    static struct waiter main_waiter = {.fd = MAIN_SOCK, .ready = on_broker};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
    sigaction(SIGPIPE, &ignore, NULL); /* TLS may write to a socket whose other side has hung up */
    fcntl(MAIN_SOCK, F_SETFD, FD_CLOEXEC);
    close_range(MAIN_SOCK + 1, ~0U, 0);
    gate.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (give_up_privilege() < 0 || gate.epoll < 0 || waiter_arm(&main_waiter, EPOLLIN) < 0 ||
        resolve_start() < 0)
        return 1;
    gate_loop();
}
