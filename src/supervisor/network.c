#include "supervisor/network.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/overlook.h"
#include "sandbox/netns.h"
#include "supervisor/branch/gate.h"
#include "supervisor/session.h"

#define SPARE_NETWORKS 16

static struct network spares[SPARE_NETWORKS]; /* the oldest first */
static size_t nspares;
static int own = -1;            /* our own, in which we otherwise are */
static struct netns_state new_; /* of the first one that we made, before it was used */

void network_init(struct network *n) {
    *n = (struct network){.fd = -1};
}

/* A process in a child of the host's user namespace cannot return to the host's network. So we
 * leave that for good, for a namespace of our own that nobody uses. */
static bool have_own(void) {
    static bool refused;
    if (own >= 0 || refused)
        return own >= 0;
    if (unshare(CLONE_NEWNET) == 0)
        own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    refused = own < 0;
    return own >= 0;
}

void network_leave(void) {
    int eno = errno;
    if (own >= 0 && setns(own, CLONE_NEWNET) < 0)
        abort(); /* otherwise the next session would be born in this one */
    errno = eno;
}

static struct netns_state now;

/* For the namespace that we are in. */
static bool is_as_new(void) {
    return netns_read(&now) == 0 && netns_equal(&now, &new_) && netns_forget_routes() == 0;
}

bool network_is_as_new(const struct session *s, int net) {
    if (netns_read_at(net, &now) < 0 || !netns_equal(&now, &new_) ||
        setns(s->network.fd, CLONE_NEWNET) < 0)
        return false;
    bool forgotten = netns_forget_routes() == 0;
    network_leave();
    return forgotten;
}

static int remove_spare(size_t i) {
    int fd = spares[i].fd;
    nspares--;
    memmove(spares + i, spares + i + 1, (nspares - i) * sizeof *spares);
    return fd;
}

static int enter_spare(void) {
    for (size_t i = 0; i < nspares;) {
        /* The collector in it will end, but has not yet. */
        if (notices(CHECK_network_collector, spares[i].collector)) {
            i++;
            continue;
        }
        scoped_fd fd = remove_spare(i);
        if (setns(fd, CLONE_NEWNET) == 0 && is_as_new())
            return take_fd(&fd);
    }
    return -1;
}

static int enter_new(void) {
    scoped_fd fd = netns_make();
    if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
        return -1;
    if (!new_.len)
        netns_read(&new_); /* if it fails, none ever counts as new */
    return take_fd(&fd);
}

bool network_enter(struct session *s, uint32_t layers) {
    if (!s->warm || notices(CHECK_layers, ablation_mask() != 0) ||
        !(layers & LAYER_BIT(LAYER_NET)) || !have_own())
        return false;
    s->network.fd = enter_spare();
    if (s->network.fd < 0)
        s->network.fd = enter_new();
    if (s->network.fd < 0)
        network_leave();
    return s->network.fd >= 0;
}

/* The reasoning needs these: the filter decides which sockets there are, and tells the gate;
 * without capabilities nothing is configured; the pid namespace ends every process that was in
 * it. */
#define NEEDED                                                             \
    (LAYER_BIT(LAYER_USER) | LAYER_BIT(LAYER_PID) | LAYER_BIT(LAYER_NET) | \
     LAYER_BIT(LAYER_SECCOMP) | LAYER_BIT(LAYER_CAPS) | LAYER_BIT(LAYER_NNP))

static bool may_be_as_new(const struct session *s) {
    if (notices(CHECK_layers, (s->layers & NEEDED) != NEEDED) ||
        notices(CHECK_network_told, !gate_heard_nothing(s->branching.gate)))
        return false;
    for (uint32_t i = 0; i < LANG_COUNT; i++)
        if (notices(CHECK_network_companions, s->companions[i]))
            return false; /* its filter reports nothing */
    return true;
}

void network_done(struct session *s) {
    if (s->network.fd >= 0 && nspares < SPARE_NETWORKS && may_be_as_new(s)) {
        spares[nspares++] = s->network;
        network_init(&s->network);
    }
    fd_done(&s->network.fd);
}

static bool collector_ended(struct network *n, pid_t pid) {
    bool was = n->collector == pid;
    if (was)
        n->collector = 0;
    return was;
}

bool network_spare_ended(pid_t pid) {
    for (size_t i = 0; i < nspares; i++)
        if (collector_ended(&spares[i], pid))
            return true;
    return false;
}

bool network_ended(struct session *s, pid_t pid) {
    return collector_ended(&s->network, pid);
}

const char *network_broken(const struct session *s) {
    for (size_t i = 0; i < nspares; i++)
        if (s->network.fd >= 0 && spares[i].fd == s->network.fd)
            return "its network namespace is spare";
    return s->network.fd >= 0 && s->branching.parent ? "a branch in a spare network namespace"
                                                     : NULL;
}
