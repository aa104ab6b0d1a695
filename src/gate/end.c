#include "gate/end.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
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

/* Closing the descriptor removes it from epoll. */
void waiter_close(struct waiter *w) {
    fd_done(&w->fd);
    w->armed = 0;
}

/* --- buffers --- */

void fifo_done(struct fifo *f) {
    if (f->data)
        explicit_bzero(f->data, f->used); /* a request may have had a secret in it */
    free(f->data);
    *f = (struct fifo){0};
}

const char *fifo_at(const struct fifo *f) {
    return f->data ? f->data + f->begin : "";
}

size_t fifo_room(const struct fifo *f) {
    return FIFO_SIZE - f->len;
}

/* The free room after the bytes. */
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

static void fifo_grow(struct fifo *f, size_t len) {
    f->len += len;
    if (f->used < f->begin + f->len)
        f->used = f->begin + f->len;
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
    fifo_grow(f, len);
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

/* --- chutes --- */

#define MAX_CHUTES 32 /* of all flows; other large bodies are copied */
#define CHUTE_SIZE (1 << 20)
#define CHUTE_MOST (256u << 10) /* at once, so that other flows do not wait */

static unsigned chutes;

static bool chute_open(struct chute *c) {
    int fds[2];
    if (c->in >= 0)
        return true;
    if (chutes == MAX_CHUTES || pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
        return false;
    fcntl(fds[1], F_SETPIPE_SZ, CHUTE_SIZE); /* if it fails, the pipe keeps its usual size */
    *c = (struct chute){fds[1], fds[0], 0};
    chutes++;
    return true;
}

static void chute_done(struct chute *c) {
    if (c->in >= 0)
        chutes--;
    fd_done(&c->in);
    fd_done(&c->out);
    c->len = 0;
}

/* --- ends --- */

void end_init(struct end *e, void (*ready)(struct waiter *, uint32_t)) {
    *e = (struct end){.waiter = {.fd = -1, .ready = ready}, .chute = {-1, -1, 0}};
}

void end_open(struct end *e, int fd) {
    e->waiter.fd = fd;
}

void end_wet(struct end *e) {
    e->dry = e->wants_bytes = false;
}

void end_done(struct end *e) {
    /* Otherwise OpenSSL would not let the session be resumed. */
    if (e->ssl && !e->broken)
        SSL_set_shutdown(e->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(e->ssl);
    e->ssl = NULL;
    waiter_close(&e->waiter);
    chute_done(&e->chute);
    fifo_done(&e->in);
    fifo_done(&e->out);
}

static bool passing(int eno) {
    return eno == EAGAIN || eno == EINTR;
}

/* When TLS has read the bytes that came before it began, it reads the socket from then on. OpenSSL
 * may then ask the kernel to encrypt, and leave an errno of that, which we put back. */
static void leave_early_bytes(struct end *e) {
    int said = errno;
    BIO *from = SSL_get_rbio(e->ssl);
    if (BIO_method_type(from) == BIO_TYPE_MEM && BIO_pending(from) == 0)
        SSL_set0_rbio(e->ssl, BIO_new_socket(e->waiter.fd, BIO_NOCLOSE));
    errno = said;
}

/* Returns as recv and send do: -1 with EAGAIN if nothing can move now. */
static ssize_t tls_result(struct end *e, int n) {
    int why = n > 0 ? SSL_ERROR_NONE : SSL_get_error(e->ssl, n);
    e->wants_room = why == SSL_ERROR_WANT_WRITE;
    errno = why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE ? EAGAIN : EPROTO;
    return n > 0 ? n : why == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}

static ssize_t get_bytes(struct end *e, char *to, size_t room) {
    if (!e->ssl)
        return recv(e->waiter.fd, to, room, 0);
    ERR_clear_error();
    leave_early_bytes(e);
    ssize_t n = tls_result(e, SSL_read(e->ssl, to, (int)room));
    leave_early_bytes(e);
    return n;
}

static ssize_t put_bytes(struct end *e, const char *from, size_t len) {
    if (!e->ssl)
        return send(e->waiter.fd, from, len, MSG_NOSIGNAL);
    ERR_clear_error();
    ssize_t n = tls_result(e, SSL_write(e->ssl, from, (int)len));
    e->wants_bytes = n < 0 && !e->wants_room && errno == EAGAIN;
    return n;
}

/* A socket that gave less than we had room for is empty; TLS says so itself. */
static bool is_dry(const struct end *e, ssize_t n, size_t room) {
    return n < 0 ? passing(errno) && !e->wants_room : !e->ssl && (size_t)n < room;
}

size_t end_read(struct end *e) {
    size_t room = 0;
    if (e->waiter.fd < 0 || e->eof || e->broken || e->dry || !fifo_room(&e->in))
        return 0;
    char *tail = fifo_tail(&e->in, &room);
    ssize_t n = tail ? get_bytes(e, tail, room) : -1;
    if (n > 0)
        fifo_grow(&e->in, (size_t)n);
    e->eof = n == 0;
    e->broken = n < 0 && !passing(errno);
    e->dry = is_dry(e, n, room);
    return n > 0 ? (size_t)n : 0;
}

bool end_pass(struct end *from, struct end *to, size_t most, size_t *ret) {
    *ret = 0;
    if (!chute_open(&to->chute))
        return false;
    if (from->waiter.fd < 0 || from->eof || from->broken || from->dry || to->chute.len)
        return true;
    ssize_t n = splice(from->waiter.fd, NULL, to->chute.in, NULL,
                       most < CHUTE_MOST ? most : CHUTE_MOST, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    from->eof = n == 0;
    from->broken = n < 0 && !passing(errno);
    from->dry = n < 0 && passing(errno);
    *ret = to->chute.len = n > 0 ? (size_t)n : 0;
    return true;
}

size_t end_left(const struct end *e) {
    return e->out.len + e->chute.len;
}

static ssize_t write_chute(struct end *e) {
    ssize_t n = splice(e->chute.out, NULL, e->waiter.fd, NULL, e->chute.len,
                       SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    e->chute.len -= n > 0 ? (size_t)n : 0;
    return n;
}

static ssize_t write_fifo(struct end *e) {
    ssize_t n = put_bytes(e, fifo_at(&e->out), e->out.len);
    if (n > 0)
        fifo_drop(&e->out, (size_t)n);
    return n;
}

size_t end_write(struct end *e) {
    if (e->waiter.fd < 0 || e->broken || e->held || e->wants_bytes || !end_left(e))
        return 0;
    ssize_t n = e->out.len ? write_fifo(e) : write_chute(e);
    e->broken = n < 0 && !passing(errno);
    return n > 0 ? (size_t)n : 0;
}

void end_shut(struct end *e) {
    if (e->shut || end_left(e) || e->waiter.fd < 0)
        return;
    if (e->ssl && !e->broken)
        SSL_shutdown(e->ssl);
    shutdown(e->waiter.fd, SHUT_WR);
    e->shut = true;
}

void end_tear(struct end *e) {
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (e->waiter.fd >= 0)
        setsockopt(e->waiter.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    e->broken = true;
}

void end_arm(struct end *e, bool read) {
    uint32_t events = 0;
    if (read && !e->eof && !e->broken && fifo_room(&e->in))
        events |= EPOLLIN;
    if (((end_left(e) && !e->wants_bytes) || e->wants_room) && !e->broken && !e->held)
        events |= EPOLLOUT;
    waiter_arm(&e->waiter, events);
}
