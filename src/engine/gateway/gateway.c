#include "engine/gateway/gateway.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/host/libexec.h"
#include "wire/gate.h"

void gateway_init(struct gateway *g) {
    *g = (struct gateway){.sock = -1};
    pthread_mutex_init(&g->lock, NULL);
}

/* It ends with its socket, or has ended; one that hangs is killed before. */
static void gateway_end(struct gateway *g) {
    fd_done(&g->sock);
    if (g->pid > 0)
        while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    g->pid = 0;
}

void gateway_done(struct gateway *g) {
    if (g->pid > 0)
        kill(g->pid, SIGKILL);
    gateway_end(g);
    pthread_mutex_destroy(&g->lock);
}

void gateway_give_up(struct gateway *g, pid_t gate) {
    pthread_mutex_lock(&g->lock);
    if (g->pid == gate && gate > 0) {
        kill(gate, SIGKILL);
        gateway_end(g);
    }
    pthread_mutex_unlock(&g->lock);
}

static int gateway_start(struct gateway *g, const char *libexec) {
    int pair[2];
    char *vars[] = {NULL};
    gateway_end(g);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    g->sock = pair[0];
    int r = libexec_spawn(libexec, "retort-gate", pair[1], vars, &g->pid);
    close(pair[1]);
    return r;
}

static int rules_memfd(const char *network) {
    int fd = memfd_create("rules", MFD_CLOEXEC);
    int r = fd < 0 ? -errno : write_all(fd, network, strlen(network));
    if (r < 0 && fd >= 0)
        close(fd);
    return r < 0 ? r : fd;
}

/* One that has died is noticed here, and another one takes its place. */
static int gateway_send(struct gateway *g, const char *libexec, const int *fds, pid_t *ret_gate) {
    struct ctl_head head = {GATE_SESSION, sizeof head};
    pthread_mutex_lock(&g->lock);
    int r = g->sock < 0 ? -EPIPE : packet_send(g->sock, &head, sizeof head, fds, GATE_FDS);
    if (r == -EPIPE || r == -ECONNRESET) {
        r = gateway_start(g, libexec);
        if (r == 0)
            r = packet_send(g->sock, &head, sizeof head, fds, GATE_FDS);
    }
    *ret_gate = g->pid;
    pthread_mutex_unlock(&g->lock);
    return r;
}

int gateway_open(struct gateway *g, const char *libexec, int listener, const char *network,
                 pid_t *ret_gate, struct retort_error *err) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make a socket");
    scoped_fd ours = pair[0], theirs = pair[1], rules = rules_memfd(network);
    int r = rules;
    if (r >= 0)
        r = gateway_send(g, libexec, (int[]){theirs, listener, rules}, ret_gate);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot start the gate to the network")
                 : take_fd(&ours);
}
