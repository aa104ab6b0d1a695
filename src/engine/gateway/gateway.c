#include "engine/gateway/gateway.h"

#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "engine/host/libexec.h"
#include "wire/gate.h"

#define AUTHORITY_MS 10000

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
    authority_done(&g->authority);
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

/* It speaks TLS, and we do not: the first gate makes the authority for all that come. */
static int authority_ask(struct gateway *g, int fd) {
    struct ctl_head head = {GATE_AUTHORITY, sizeof head};
    int r = packet_send(g->sock, &head, sizeof head, &fd, 1);
    if (r == 0 && !readable_within(g->sock, AUTHORITY_MS))
        r = -ETIMEDOUT;
    if (r == 0)
        r = (int)packet_recv(g->sock, &head, sizeof head, NULL, NULL, 0);
    return r == sizeof head ? 0 : r < 0 ? r : -EPIPE;
}

static int authority_make(struct gateway *g, const char *libexec) {
    char text[8192];
    scoped_fd fd = memfd_create("authority", MFD_CLOEXEC);
    int r = g->sock < 0 ? gateway_start(g, libexec) : 0;
    if (r == 0)
        r = fd < 0 ? -errno : authority_ask(g, fd);
    if (r == -EPIPE && (r = gateway_start(g, libexec)) == 0)
        r = authority_ask(g, fd);
    ssize_t n = r == 0 ? pread(fd, text, sizeof text, 0) : -1;
    json_t *made = n > 0 ? json_in(text, (size_t)n, 0, NULL) : NULL;
    const char *key = json_string_value(json_object_get(made, "key")),
               *certificate = json_string_value(json_object_get(made, "certificate"));
    if (key && certificate)
        g->authority = (struct authority){strdup(key), strdup(certificate)};
    if (!g->authority.key || !g->authority.certificate)
        authority_done(&g->authority);
    json_decref(made);
    explicit_bzero(text, sizeof text);
    return r < 0 ? r : g->authority.key ? 0 : -EPROTO;
}

char *gateway_bundle(struct gateway *g, const char *libexec, struct retort_error *err) {
    pthread_mutex_lock(&g->lock);
    int r = g->authority.key ? 0 : authority_make(g, libexec);
    char *bundle = r < 0 ? NULL : authority_bundle(&g->authority);
    pthread_mutex_unlock(&g->lock);
    if (!bundle)
        err_errno(err, ERR_HOST, r < 0 ? -r : ENOMEM, "cannot make an authority for sessions");
    return bundle;
}

int gateway_open(struct gateway *g, const char *libexec, int listener, const char *network,
                 pid_t *ret_gate, struct retort_error *err) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make a socket");
    scoped_fd ours = pair[0], theirs = pair[1], rules = -1;
    char *disclosed = NULL;
    pthread_mutex_lock(&g->lock); /* another session may be the first that needs the authority */
    int r = authority_disclose(&g->authority, network, &disclosed, err);
    pthread_mutex_unlock(&g->lock);
    if (r < 0)
        return r;
    r = rules = rules_memfd(disclosed);
    explicit_bzero(disclosed, strlen(disclosed));
    free(disclosed);
    if (r >= 0)
        r = gateway_send(g, libexec, (int[]){theirs, listener, rules}, ret_gate);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot start the gate to the network")
                 : take_fd(&ours);
}
