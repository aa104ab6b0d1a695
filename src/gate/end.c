#include "gate/end.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/scope.h"
#include "gate/gate.h"

int waiter_arm(struct waiter *w, uint32_t events) {
    if (events == w->armed || w->fd < 0)
        return 0;
    struct epoll_event e = {.events = events, .data.ptr = w};
    int op = !w->armed ? EPOLL_CTL_ADD : !events ? EPOLL_CTL_DEL : EPOLL_CTL_MOD;
    w->armed = events;
    return epoll_ctl(gate.epoll, op, w->fd, &e) < 0 ? -errno : 0;
}

/* --- buffers --- */

void fifo_done(struct fifo *f) {
    if (f->data)
        memset(f->data, 0, FIFO_SIZE);
    free(f->data);
    *f = (struct fifo){0};
}

const char *fifo_at(const struct fifo *f) {
    return f->data ? f->data + f->begin : "";
}

size_t fifo_room(const struct fifo *f) {
    return FIFO_SIZE - f->len;
}

/* Room at the end of the bytes. */
static char *fifo_tail(struct fifo *f, size_t *ret_room) {
    if (!f->data && !(f->data = malloc(FIFO_SIZE)))
        return NULL;
    if (f->begin && (!f->len || f->begin + f->len == FIFO_SIZE)) {
        memmove(f->data, f->data + f->begin, f->len);
        f->begin = 0;
    }
    *ret_room = FIFO_SIZE - f->begin - f->len;
    return f->data + f->begin + f->len;
}

bool fifo_add(struct fifo *f, const void *data, size_t len) {
    size_t room;
    if (len > fifo_room(f) || !fifo_tail(f, &room))
        return false;
    if (room < len) {
        memmove(f->data, f->data + f->begin, f->len);
        f->begin = 0;
    }
    memcpy(f->data + f->begin + f->len, data, len);
    f->len += len;
    return true;
}

void fifo_drop(struct fifo *f, size_t len) {
    f->begin += len;
    f->len -= len;
    if (!f->len)
        f->begin = 0;
}

size_t fifo_move(struct fifo *from, struct fifo *to, size_t most) {
    size_t n = from->len < most ? from->len : most;
    if (n == from->len && !to->len) {
        struct fifo swap = *from;
        *from = *to;
        *to = swap;
        return n;
    }
    n = n < fifo_room(to) ? n : fifo_room(to);
    if (!n || !fifo_add(to, fifo_at(from), n))
        return 0;
    fifo_drop(from, n);
    return n;
}

/* --- ends --- */

void end_init(struct end *e, void (*ready)(struct waiter *, uint32_t)) {
    *e = (struct end){.waiter = {.fd = -1, .ready = ready}};
}

void end_open(struct end *e, int fd) {
    e->waiter.fd = fd;
}

void end_done(struct end *e) {
    waiter_arm(&e->waiter, 0);
    fd_done(&e->waiter.fd);
    fifo_done(&e->in);
    fifo_done(&e->out);
}

static bool passing(int eno) {
    return eno == EAGAIN || eno == EINTR;
}

size_t end_read(struct end *e) {
    size_t room = 0;
    if (e->waiter.fd < 0 || e->eof || e->broken || !fifo_room(&e->in))
        return 0;
    char *tail = fifo_tail(&e->in, &room);
    ssize_t n = tail ? recv(e->waiter.fd, tail, room, 0) : -1;
    if (n > 0)
        e->in.len += (size_t)n;
    e->eof = n == 0;
    e->broken = n < 0 && !passing(errno);
    return n > 0 ? (size_t)n : 0;
}

size_t end_write(struct end *e) {
    if (e->waiter.fd < 0 || e->broken || e->held || !e->out.len)
        return 0;
    ssize_t n = send(e->waiter.fd, fifo_at(&e->out), e->out.len, MSG_NOSIGNAL);
    if (n > 0)
        fifo_drop(&e->out, (size_t)n);
    e->broken = n < 0 && !passing(errno);
    return n > 0 ? (size_t)n : 0;
}

void end_shut(struct end *e) {
    if (e->shut || e->out.len || e->waiter.fd < 0)
        return;
    shutdown(e->waiter.fd, SHUT_WR);
    e->shut = true;
}

void end_arm(struct end *e, bool read) {
    uint32_t events = 0;
    if (read && !e->eof && !e->broken && fifo_room(&e->in))
        events |= EPOLLIN;
    if (e->out.len && !e->broken && !e->held)
        events |= EPOLLOUT;
    waiter_arm(&e->waiter, events);
}
