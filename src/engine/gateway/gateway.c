#include "engine/gateway/gateway.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
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
    pthread_mutex_init(&g->making, NULL);
}

/* Waits for the gate, which ends when its socket does. A gate that hangs was killed before. */
static void gateway_end(struct gateway *g) {
    fd_done(&g->sock);
    libexec_await(&g->pid);
}

void gateway_done(struct gateway *g) {
    if (g->pid > 0)
        kill(g->pid, SIGKILL);
    gateway_end(g);
    authority_done(&g->authority);
    pthread_mutex_destroy(&g->lock);
    pthread_mutex_destroy(&g->making);
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

/* Notices here that a gate has died, and starts another one. */
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

/* --- the authority --- */

/* The socket of the gate, which is started if there is none. It stays open whatever becomes of the
 * gate, so that a thread that waits for an answer makes nobody else wait. */
static int gateway_sock(struct gateway *g, const char *libexec, pid_t *ret_gate) {
    pthread_mutex_lock(&g->lock);
    int r = g->sock < 0 ? gateway_start(g, libexec) : 0;
    if (r == 0 && (r = fcntl(g->sock, F_DUPFD_CLOEXEC, 0)) < 0)
        r = -errno;
    *ret_gate = g->pid;
    pthread_mutex_unlock(&g->lock);
    return r;
}

/* The broker has no TLS library: the first gate makes the authority, and the next ones get it. */
static int authority_ask(struct gateway *g, const char *libexec, int fd) {
    struct ctl_head head = {GATE_AUTHORITY, sizeof head};
    pid_t gate;
    scoped_fd sock = gateway_sock(g, libexec, &gate);
    int r = sock < 0 ? sock : packet_send(sock, &head, sizeof head, &fd, 1);
    if (r == 0 && !readable_within(sock, AUTHORITY_MS))
        r = -ETIMEDOUT;
    if (r == 0)
        r = (int)packet_recv(sock, &head, sizeof head, NULL, NULL, 0);
    if (r == sizeof head)
        return 0;
    gateway_give_up(g, gate); /* or who asks next would get what we did not */
    return r < 0 ? r : -EPIPE;
}

static struct authority authority_read(int fd) {
    char text[8192];
    struct authority a = {0};
    ssize_t n = pread(fd, text, sizeof text, 0);
    json_t *made = n > 0 ? json_in(text, (size_t)n, 0, NULL) : NULL;
    const char *key = json_string_value(json_object_get(made, "key")),
               *certificate = json_string_value(json_object_get(made, "certificate"));
    if (key && certificate)
        a = (struct authority){strdup(key), strdup(certificate)};
    if (!a.key || !a.certificate)
        authority_done(&a);
    json_decref(made);
    explicit_bzero(text, sizeof text);
    return a;
}

static int authority_make(struct gateway *g, const char *libexec) {
    scoped_fd fd = memfd_create("authority", MFD_CLOEXEC);
    int r = fd < 0 ? -errno : authority_ask(g, libexec, fd);
    if (r == -EPIPE || r == -ECONNRESET) /* one that had ended before */
        r = authority_ask(g, libexec, fd);
    if (r < 0)
        return r;
    struct authority made = authority_read(fd);
    pthread_mutex_lock(&g->lock);
    g->authority = made;
    pthread_mutex_unlock(&g->lock);
    return made.key ? 0 : -EPROTO;
}

char *gateway_bundle(struct gateway *g, const char *libexec, struct retort_error *err) {
    pthread_mutex_lock(&g->making);
    int r = g->authority.key ? 0 : authority_make(g, libexec);
    char *bundle = r < 0 ? NULL : authority_bundle(&g->authority);
    pthread_mutex_unlock(&g->making);
    if (!bundle)
        err_errno(err, ERR_HOST, r < 0 ? -r : ENOMEM, "cannot make an authority for sessions");
    return bundle;
}

/* --- sessions --- */

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
