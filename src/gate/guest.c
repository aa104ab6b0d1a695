/* Sessions as the gate knows them. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "gate/gate.h"

#define NS 1e9
#define MOST_ROUNDS 64 /* for a session that never stops talking */

static struct guest *guest_of(struct waiter *w, size_t offset) {
    return (struct guest *)(void *)((char *)w - offset);
}

static void guest_close(struct guest *g) {
    g->gone = true;
    while (g->flows)
        flow_free(g->flows);
    waiter_arm(&g->sock, 0);
    waiter_arm(&g->listener, 0);
    fd_done(&g->sock.fd);
    fd_done(&g->listener.fd);
}

/* --- new connections --- */

/* As many as its rules allow, but no more than all other sessions together have left: so half of
 * the table is free for the next one. */
static bool guest_has_room(const struct guest *g) {
    return g->open < g->rules->connections && g->open < MAX_FLOWS - gate.flows;
}

static bool take_token(struct guest *g) {
    uint64_t now = now_ns();
    double rate = g->rules->rate;
    g->tokens += (double)(now - g->refilled) / NS * rate / 60;
    g->tokens = g->tokens > rate ? rate : g->tokens;
    g->refilled = now;
    if (g->tokens < 1)
        return false;
    g->tokens -= 1;
    return true;
}

static void on_listener(struct waiter *w, uint32_t events) {
    struct guest *g = guest_of(w, offsetof(struct guest, listener));
    (void)events;
    g->busy = true;
    for (int i = 0; i < 16 && !g->gone && guest_has_room(g); i++) {
        int fd = accept4(w->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            break;
        struct flow *f = flow_new(g, fd, g->again || take_token(g));
        if (f)
            flow_step(f);
        else
            close(fd);
    }
}

bool guest_spends(struct guest *g, uint64_t bytes) {
    g->bytes += g->again ? 0 : bytes; /* nothing of it leaves this host */
    return g->bytes <= g->rules->bytes;
}

uint64_t guest_budget(const struct guest *g) {
    return g->bytes < g->rules->bytes ? g->rules->bytes - g->bytes : 0;
}

/* --- the broker --- */

bool guest_tell(struct guest *g, const struct gate_event *e, int fd) {
    union {
        char bytes[CMSG_SPACE(sizeof fd)];
        struct cmsghdr align;
    } control = {{0}};
    struct iovec data = {unconst(e), sizeof *e};
    struct msghdr msg = {.msg_iov = &data, .msg_iovlen = 1};
    if (fd >= 0) {
        msg.msg_control = control.bytes;
        msg.msg_controllen = sizeof control.bytes;
        *CMSG_FIRSTHDR(&msg) = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&msg)), &fd, sizeof fd);
    }
    ssize_t n = sendmsg(g->sock.fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (n < 0 && fd >= 0 && errno == ETOOMANYREFS) /* too many in flight, perhaps of others: the
                                                      answer is not kept */
        return guest_tell(g, e, -1);
    /* Any other error: the broker is gone, and we will end, too. */
    return n == (ssize_t)sizeof *e || errno != EAGAIN;
}

/* Steps the flows that have something to report, or that let others go first. */
static void step_waiting(struct guest *g) {
    g->more = false;
    for (struct flow *f = g->flows, *next; f; f = next) {
        next = f->next;
        if (f->due || f->more)
            flow_step(f);
    }
}

/* Reports what the flows that are still open have sent and received until now. */
static void finish_sync(struct guest *g) {
    struct ctl_head done = {GATE_SYNCED, sizeof done};
    for (struct flow *f = g->flows; f; f = f->next)
        if (!f->due && f->state != FLOW_LAST && f->target.host[0] &&
            f->event.sent + f->event.received)
            flow_report(f, true);
    g->full =
        send(g->sock.fd, &done, sizeof done, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EAGAIN;
    g->syncing = g->full;
    g->rounds = 0;
    g->room = MAX_KEPT_ANSWERS;
}

/* `fd`: answers for a replayed cell; -1: the next cell is not replayed. Connections that are still
 * answered from the record belong to the cell before. */
static void guest_turn(struct guest *g, int fd) {
    for (struct flow *f = g->flows, *next; f; f = next) {
        next = f->next;
        if (f->tape.said) {
            end_tear(&f->near);
            flow_free(f);
        }
    }
    g->shut = false;
    g->again = fd >= 0;
    answers_done(&g->answers);
    if (fd >= 0) {
        answers_load(&g->answers, fd);
        close(fd);
    }
}

static void guest_shut(struct guest *g) {
    while (g->flows) {
        end_tear(&g->flows->near);
        flow_free(g->flows);
    }
    g->shut = true;
}

static void on_sock(struct waiter *w, uint32_t events) {
    struct guest *g = guest_of(w, offsetof(struct guest, sock));
    struct ctl_head head;
    if (events & EPOLLOUT) {
        g->full = false;
        step_waiting(g);
    }
    if (!(events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
        return;
    int fd = -1;
    size_t nfds = 1;
    ssize_t n = packet_recv(w->fd, &head, sizeof head, &fd, &nfds, MSG_DONTWAIT);
    if (n == sizeof head && head.type == GATE_SYNC)
        g->syncing = g->busy = true;
    else if (n == sizeof head && head.type == GATE_SHUT && fd < 0)
        guest_shut(g);
    else if (n == sizeof head && head.type == (fd >= 0 ? GATE_AGAIN : GATE_LIVE))
        guest_turn(g, fd);
    else if (n != -EAGAIN)
        guest_close(g);
}

static void guest_drop_rule(struct guest *g, unsigned i) {
    masks_done(&g->masks[i]);
    SSL_CTX_free(g->contexts[i]);
}

static void guest_free(struct guest *g) {
    for (unsigned i = 0; g && i < MAX_RULES; i++)
        guest_drop_rule(g, i);
    if (g) {
        identity_free(g->identity);
        resumed_done(&g->resumed);
        answers_done(&g->answers);
        rules_free(g->rules);
    }
    free(g);
}

static bool has_due(const struct guest *g) {
    for (const struct flow *f = g->flows; f; f = f->next)
        if (f->due)
            return true;
    return false;
}

/* We answer the broker's question after a round in which nothing came from the session: by then we
 * have read everything that it had sent, and seen what it had closed. */
void guest_round(void) {
    for (struct guest **p = &gate.guests; *p;) {
        struct guest *g = *p;
        if (g->gone) {
            *p = g->next;
            guest_free(g);
            continue;
        }
        if (g->more)
            step_waiting(g);
        if (g->syncing && !g->full && (!g->busy || ++g->rounds == MOST_ROUNDS))
            finish_sync(g);
        g->busy = false;
        waiter_arm(&g->sock, EPOLLIN | (g->full || has_due(g) ? EPOLLOUT : 0u));
        waiter_arm(&g->listener, guest_has_room(g) ? EPOLLIN : 0);
        p = &g->next;
    }
    while (gate.graveyard) {
        struct flow *f = gate.graveyard;
        gate.graveyard = f->next;
        free(f);
    }
}

void guest_second(uint64_t now) {
    for (struct guest *g = gate.guests; g; g = g->next)
        for (struct flow *f = g->flows, *next; f; f = next) {
            next = f->next;
            flow_expire(f, now);
        }
}

/* --- opening --- */

static int read_rules(int fd, struct guest *g) {
    struct stat st;
    struct retort_error err = ERR_INIT;
    if (fstat(fd, &st) < 0 || st.st_size <= 0 || st.st_size > MAX_NETWORK + (off_t)MAX_BUNDLE)
        return -EINVAL;
    char *text = malloc((size_t)st.st_size);
    ssize_t n = text ? pread(fd, text, (size_t)st.st_size, 0) : -1;
    json_t *all = n == st.st_size ? json_in(text, (size_t)n, 0, NULL) : NULL;
    int r = all ? rules_new(json_object_get(all, "network"), &g->rules, &err) : -EINVAL;
    if (r == 0)
        g->identity = identity_new(json_string_value(json_object_get(all, "key")),
                                   json_string_value(json_object_get(all, "certificate")));
    for (unsigned i = 0; r == 0 && i < g->rules->count; i++)
        if (g->rules->list[i].hidden)
            r = masks_init(&g->masks[i], g->rules->list[i].hidden);
    json_decref(all);
    if (text)
        explicit_bzero(text, (size_t)st.st_size);
    free(text);
    return r;
}

int guest_open(int sock, int listener, int rules_fd) {
    struct guest *g = calloc(1, sizeof *g);
    scoped_fd rules = rules_fd;
    if (!g || read_rules(rules, g) < 0) {
        close(sock);
        close(listener);
        guest_free(g);
        return -EINVAL;
    }
    int on = 1;
    /* Connections inherit this from the listener; it gives out none that has sent nothing. */
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_DEFER_ACCEPT, &on, sizeof on);
    g->sock = (struct waiter){.fd = sock, .ready = on_sock};
    g->listener = (struct waiter){.fd = listener, .ready = on_listener};
    g->tokens = g->rules->rate;
    g->refilled = now_ns();
    g->room = MAX_KEPT_ANSWERS;
    g->next = gate.guests;
    gate.guests = g;
    waiter_arm(&g->sock, EPOLLIN);
    waiter_arm(&g->listener, EPOLLIN);
    return 0;
}
