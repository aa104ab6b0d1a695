#include "engine/parts/interp.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/parts/stream.h"

void interp_init(struct interp *i, enum language language) {
    *i = (struct interp){.language = language, .frames = BUF_INIT(MAX_FRAME + FRAME_HEAD)};
    i->ctl = i->channel = i->out = i->err = -1;
    i->interrupt = -1; /* atomic: clang chains no assignment through it */
}

/* The supervisor holds the channel until the interpreter is dead: otherwise its end would wake the
 * interpreter up. */
void interp_close(struct interp *i) {
    struct ctl_head end = {CTL_END, sizeof end};
    if (i->ctl >= 0 && i->channel >= 0)
        packet_send(i->ctl, &end, sizeof end, &i->channel, 1);
    fd_done(&i->ctl);
    fd_done(&i->channel);
    fd_done(&i->out);
    fd_done(&i->err);
    buf_reset(&i->frames);
    i->ready = false;
}

void interp_hang_up(struct interp *i) {
    i->ctl = -1;
    fd_done(&i->channel);
    fd_done(&i->out);
    fd_done(&i->err);
    buf_reset(&i->frames);
    i->ready = i->greeted = i->exited = false;
}

void interp_done(struct interp *i) {
    interp_close(i);
    scoped_fd interrupt = atomic_exchange(&i->interrupt, -1);
    (void)interrupt;
    buf_done(&i->frames);
}

void interp_take_generation(struct interp *i, const int fds[3]) {
    fd_done(&i->channel);
    fd_done(&i->out);
    fd_done(&i->err);
    i->channel = fds[0];
    i->out = fds[1];
    i->err = fds[2];
    buf_reset(&i->frames);
    i->generation++;
    i->exited = false;
    i->unanswered = 0;
}

/* A thread counts itself before it reads the descriptor, and we take the descriptor away before we
 * look at the count. So nobody writes to a number that was closed and given to another file. */
int interp_interrupt(struct interp *i) {
    uint64_t one = 1;
    atomic_fetch_add(&i->interrupting, 1);
    int event = atomic_load(&i->interrupt);
    int r = event < 0 || write(event, &one, sizeof one) == sizeof one ? 0 : -errno;
    atomic_fetch_sub(&i->interrupting, 1);
    /* Set last: a cell that still sees false may be the one that is to be interrupted. */
    i->interrupt_asked = true;
    return r;
}

bool interp_deafen(struct interp *i) {
    int event = atomic_exchange(&i->interrupt, -1);
    bool deaf = atomic_load(&i->interrupting) == 0;
    if (deaf && event >= 0)
        close(event);
    else
        atomic_store(&i->interrupt, event);
    return deaf;
}

int interp_command(const struct interp *i, enum ctl_type type) {
    struct ctl_head head = {type, sizeof head};
    return i->ctl < 0 ? -EPIPE : packet_send(i->ctl, &head, sizeof head, NULL, 0);
}

int interp_order(const struct interp *i, enum ctl_type type) {
    struct ctl_which which = {{type, sizeof which}, i->language};
    return i->ctl < 0 ? -EPIPE : packet_send(i->ctl, &which, sizeof which, NULL, 0);
}

/* --- an idle interpreter is asked for something --- */

/* An interpreter that reads has room for these few bytes; we do not wait for one that does not
 * read. */
static bool has_room(int sock) {
    struct pollfd p = {sock, POLLOUT, 0};
    return poll(&p, 1, 0) == 1 && p.revents == POLLOUT;
}

int interp_send_socket(const struct interp *i, enum frame_type type, int fd) {
    char frame[FRAME_HEAD] = {[4] = (char)type};
    if (!has_room(i->channel))
        return -EAGAIN;
    if (send(i->channel, frame, sizeof frame, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof frame)
        return -EPIPE;
    return packet_send(i->channel, "w", 1, &fd, 1);
}

int interp_send(const struct interp *i, const char *data, size_t len, uint64_t patience_ns) {
    uint64_t until = now_ns() + patience_ns;
    while (len) {
        ssize_t n = send(i->channel, data, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        uint64_t now = now_ns();
        struct pollfd p = {i->channel, POLLOUT, 0};
        if (n >= 0) {
            data += n;
            len -= (size_t)n;
        } else if (errno == EAGAIN && now < until)
            poll(&p, 1, (int)((until - now) / 1000000) + 1);
        else if (errno != EINTR)
            return errno == EAGAIN ? -ETIMEDOUT : -errno;
    }
    return 0;
}

/* An idle interpreter may not say anything else. */
int interp_await_frame(struct interp *i, enum frame_type type, uint64_t patience_ns,
                       struct frame *ret) {
    uint64_t until = now_ns() + patience_ns;
    for (;;) {
        int64_t size = frame_peek(i->frames.data, i->frames.len, ret);
        if (size < 0)
            return -EPROTO;
        if (size > 0 && (uint64_t)size <= i->frames.len)
            return ret->type == type && frame_check(ret) == 0 ? 0 : -EPROTO;
        struct pollfd p[] = {{i->channel, POLLIN, 0}, {i->ctl, 0, 0}};
        uint64_t now = now_ns();
        char chunk[65536];
        if (now >= until)
            return -ETIMEDOUT;
        if (poll(p, 2, (int)((until - now) / 1000000) + 1) < 0) {
            if (errno != EINTR) /* a signal of the program that we are part of */
                return -errno;
            continue;
        }
        if (!p[0].revents && p[1].revents)
            return -EPIPE;
        ssize_t n = recv(i->channel, chunk, sizeof chunk, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            continue;
        if (n <= 0 || buf_add(&i->frames, chunk, (size_t)n) < 0)
            return -EPIPE;
    }
}

void interp_consume(struct interp *i, const struct frame *f) {
    buf_drop(&i->frames, FRAME_HEAD + f->len);
}

bool interp_fork_failed(const struct frame *f) {
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0)
        if (field.tag == F_ERROR_MESSAGE)
            return true;
    return false;
}

void interp_take_notes(const struct frame *f, json_t *notes) {
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0)
        if (field.tag == F_NOTE && json_array_size(notes) < 64)
            json_array_append_new(notes, json_text(field.data, field.len < 400 ? field.len : 400));
}
