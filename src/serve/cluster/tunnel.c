/* Connections between nodes: messages carry bytes both ways between a socket here and one there.
 * Each end has a name that both know; the node that dials makes it. Neither end sends more than a
 * window beyond what the other has taken: a reader that does not read makes the other end wait, and
 * neither has to hold more. Both say every second that they are there. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/list.h"
#include "base/scope.h"
#include "serve/cluster/passing.h"

#define WINDOW (1u << 20)
#define PIECE (64u << 10)
#define TUNNEL_SILENCE_NS 5000000000ull
#define MAX_TUNNELS 1024

struct tunnel {
    struct tunnel *next;
    struct cluster_door *door;
    char name[BUS_SUBJECT / 2], node[NODE_SIZE]; /* of the other end, and the node it is on */
    int fd, wake;
    uint64_t said_ns; /* when we last sent something */

    /* Under the lock of the door. */
    struct buf in;       /* bytes that came and are not written yet */
    uint64_t sent, took; /* bytes that we sent, and how many of them the other end has taken */
    uint64_t given;      /* bytes of the other end that we wrote to the socket, */
    uint64_t told;       /* and of how many of these it knows */
    uint64_t heard_ns;
    bool over; /* the other end is gone, or sends nothing after what is in `in` */
};

static int tunnel_send(struct tunnel *t, json_t *head, const char *data, size_t len) {
    char id[BUS_SUBJECT], subject[BUS_SUBJECT], back[BUS_SUBJECT];

    snprintf(id, sizeof id, "%s.%s", t->node, t->name);
    streams_subject(cluster_streams(t->door->cluster), "tunnel", id, subject);
    snprintf(id, sizeof id, "%s.%s", cluster_node(t->door->cluster), t->name);
    streams_subject(cluster_streams(t->door->cluster), "tunnel", id, back);
    json_object_set_new(head, "v", json_integer(LETTER_VERSION));
    t->said_ns = now_ns();
    /* If nobody listens there, the NATS servers say so on the subject `back`. */
    return parts_send(t->door, subject, back, head, data, len);
}

static void tunnel_wake(const struct tunnel *t) {
    uint64_t one = 1;

    if (write(t->wake, &one, sizeof one) < 0)
        return; /* the counter is full: the thread is awake */
}

/* --- the thread of an end --- */

/* Writes the bytes that came to the socket, as far as it takes them. */
static void tunnel_give(struct tunnel *t) {
    char piece[PIECE];
    ssize_t n;

    pthread_mutex_lock(&t->door->lock);
    size_t len = t->in.len < sizeof piece ? t->in.len : sizeof piece;
    if (len)
        memcpy(piece, t->in.data, len);
    pthread_mutex_unlock(&t->door->lock);
    n = send(t->fd, piece, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    pthread_mutex_lock(&t->door->lock);
    if (n > 0) {
        buf_drop(&t->in, (size_t)n);
        t->given += (uint64_t)n;
    } else if (n < 0 && errno != EAGAIN && errno != EINTR) {
        buf_reset(&t->in); /* nobody reads any more */
        t->over = true;
    }
    uint64_t news = t->given - t->told >= WINDOW / 4 ? t->given : 0;
    if (news)
        t->told = news;
    pthread_mutex_unlock(&t->door->lock);
    if (news)
        tunnel_send(t, json_pack("{s:I}", "took", (json_int_t)news), "", 0);
}

/* False: nothing more will come. */
static bool tunnel_take(struct tunnel *t) {
    char piece[PIECE];
    ssize_t n = read(t->fd, piece, sizeof piece);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n <= 0)
        return false;
    pthread_mutex_lock(&t->door->lock);
    t->sent += (uint64_t)n;
    pthread_mutex_unlock(&t->door->lock);
    return tunnel_send(t, json_object(), piece, (size_t)n) == 0;
}

struct tunnel_wish {
    bool reads, writes, ends;
};

static struct tunnel_wish tunnel_wishes(struct tunnel *t) {
    pthread_mutex_lock(&t->door->lock);
    bool silent = !t->over && now_ns() - t->heard_ns > TUNNEL_SILENCE_NS;
    struct tunnel_wish wish = {.ends = silent || (t->over && !t->in.len)};
    wish.reads = !t->over && t->sent - t->took < WINDOW;
    wish.writes = t->in.len > 0;
    pthread_mutex_unlock(&t->door->lock);
    return wish;
}

/* While the tunnel neither reads nor writes, it does not poll its socket: one whose peer has gone
 * would be ready for ever. */
static bool tunnel_turn(struct tunnel *t, const struct tunnel_wish *wish) {
    struct pollfd fds[2] = {
        {.fd = wish->reads || wish->writes ? t->fd : -1,
         .events = (short)((wish->reads ? POLLIN : 0) | (wish->writes ? POLLOUT : 0))},
        {.fd = t->wake, .events = POLLIN}};
    uint64_t count;

    if (poll(fds, 2, 1000) < 0)
        return errno == EINTR;
    if (fds[1].revents && read(t->wake, &count, sizeof count) < 0)
        return false;
    if (wish->writes && fds[0].revents)
        tunnel_give(t);
    if (wish->reads && fds[0].revents & (POLLIN | POLLHUP | POLLERR) && !tunnel_take(t))
        return false;
    if (now_ns() - t->said_ns > 1000000000ull)
        tunnel_send(t, json_object(), "", 0);
    return true;
}

static void tunnel_end(struct tunnel *t) {
    struct cluster_door *door = t->door;

    tunnel_send(t, json_pack("{s:b}", "end", 1), "", 0);
    close(t->fd);
    pthread_mutex_lock(&door->lock);
    LIST_DROP(door->tunnels.list, t, next);
    door->tunnels.count--;
    pthread_cond_broadcast(&door->change);
    pthread_mutex_unlock(&door->lock);
    close(t->wake);
    buf_done(&t->in);
    free(t);
}

static void *tunnel_main(void *user) {
    struct tunnel *t = user;
    struct tunnel_wish wish;

    do
        wish = tunnel_wishes(t);
    while (!wish.ends && tunnel_turn(t, &wish));
    tunnel_end(t);
    return NULL;
}

/* --- both ends --- */

/* Takes the descriptor. No other tunnel may have this name. */
static struct tunnel *tunnel_add(struct cluster_door *door, const char *name, const char *node,
                                 int fd) {
    struct tunnel *t = calloc(1, sizeof *t);
    bool room = false;

    if (t && (t->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0) {
        t->door = door;
        t->fd = fd;
        t->in = BUF_INIT(4 * WINDOW);
        t->heard_ns = now_ns();
        snprintf(t->name, sizeof t->name, "%s", name);
        snprintf(t->node, sizeof t->node, "%s", node);
        pthread_mutex_lock(&door->lock);
        room = !door->tunnels.closing && door->tunnels.count < MAX_TUNNELS;
        if (room) {
            t->next = door->tunnels.list;
            door->tunnels.list = t;
            door->tunnels.count++;
        }
        pthread_mutex_unlock(&door->lock);
        if (room)
            return t;
        close(t->wake);
    }
    close(fd);
    free(t);
    return NULL;
}

static bool tunnel_begin(struct tunnel *t) {
    pthread_t thread;

    if (thread_start(&thread, tunnel_main, t) == 0) {
        pthread_detach(thread);
        return true;
    }
    tunnel_end(t);
    return false;
}

/* A pair of sockets: a tunnel carries ours, the caller gets the other one. */
static int tunnel_pair(int ret[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ret) < 0 ? -errno : 0;
}

int tunnel_dial(struct clustered *c, const char *node, const char *what) {
    struct cluster_door *door = (struct cluster_door *)(void *)c;
    char name[BUS_SUBJECT / 2];
    struct tunnel *t;
    int pair[2], r = tunnel_pair(pair);

    if (r < 0)
        return r;
    pthread_mutex_lock(&door->lock);
    uint64_t number = ++door->next_call;
    door->forwarded++;
    pthread_mutex_unlock(&door->lock);
    snprintf(name, sizeof name, "%s-%llu", cluster_node(door->cluster), (unsigned long long)number);
    t = tunnel_add(door, name, node, pair[0]);
    if (t)
        tunnel_send(t, json_pack("{s:s s:s}", "open", what, "from", c->node), "", 0);
    if (t && tunnel_begin(t))
        return pair[1];
    close(pair[1]);
    return -EAGAIN;
}

void tunnel_offer(struct clustered *c, const char *what, void (*take)(void *user, int fd),
                  void *user) {
    struct cluster_door *door = (struct cluster_door *)(void *)c;

    pthread_mutex_lock(&door->lock);
    for (size_t i = 0; i < sizeof door->tunnels.offers / sizeof *door->tunnels.offers; i++)
        if (!door->tunnels.offers[i].what || strcmp(door->tunnels.offers[i].what, what) == 0) {
            door->tunnels.offers[i] = (struct tunnel_offer){what, take, user};
            break;
        }
    pthread_mutex_unlock(&door->lock);
}

/* --- messages that come --- */

static struct tunnel_offer tunnel_find_offer(struct cluster_door *door, const char *what) {
    struct tunnel_offer found = {NULL, NULL, NULL};

    pthread_mutex_lock(&door->lock);
    for (size_t i = 0; i < sizeof door->tunnels.offers / sizeof *door->tunnels.offers; i++)
        if (what && door->tunnels.offers[i].what && strcmp(door->tunnels.offers[i].what, what) == 0)
            found = door->tunnels.offers[i];
    pthread_mutex_unlock(&door->lock);
    return found;
}

/* A connection from another node. */
static void tunnel_opened(struct cluster_door *door, const char *name, const json_t *head) {
    const char *from = json_string_value(json_object_get(head, "from"));
    struct tunnel_offer offer =
        tunnel_find_offer(door, json_string_value(json_object_get(head, "open")));
    struct tunnel *t;
    int pair[2];

    if (!from || !cluster_word_is_valid(from) || strlen(from) >= NODE_SIZE || !offer.take ||
        strlen(name) >= sizeof t->name || tunnel_pair(pair) < 0)
        return;
    t = tunnel_add(door, name, from, pair[0]);
    if (t && tunnel_begin(t))
        offer.take(offer.user, pair[1]);
    else
        close(pair[1]);
}

void tunnel_heard(void *user, const struct bus_message *message) {
    struct cluster_door *door = user;
    const char *name = strrchr(message->subject, '.') + 1, *data;
    size_t len;
    scoped_json *head = message->nobody ? NULL : parts_read(message, &data, &len);

    if (head && json_object_get(head, "open")) {
        tunnel_opened(door, name, head);
        return;
    }
    pthread_mutex_lock(&door->lock);
    struct tunnel *t = door->tunnels.list;
    while (t && strcmp(t->name, name) != 0)
        t = t->next;
    if (t && head) {
        t->heard_ns = now_ns();
        if (json_object_get(head, "took"))
            t->took = (uint64_t)json_integer_value(json_object_get(head, "took"));
        if ((len && buf_add(&t->in, data, len) < 0) || json_is_true(json_object_get(head, "end")))
            t->over = true;
    } else if (t && message->nobody) {
        t->over = true;
    }
    if (t)
        tunnel_wake(t);
    pthread_mutex_unlock(&door->lock);
}

void tunnel_close_all(struct cluster_door *door) {
    pthread_mutex_lock(&door->lock);
    door->tunnels.closing = true;
    for (struct tunnel *t = door->tunnels.list; t; t = t->next) {
        t->over = true;
        buf_reset(&t->in);
        tunnel_wake(t);
    }
    while (door->tunnels.list)
        pthread_cond_wait(&door->change, &door->lock);
    pthread_mutex_unlock(&door->lock);
}
