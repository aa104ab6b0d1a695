/* The event loop: level-triggered epoll over struct source. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "sandbox/ablation/failpoint.h"
#include "supervisor/branch/gate.h"
#include "supervisor/session.h"
#include "supervisor/sockets.h"

int source_add(struct source *source) {
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = source};
    int r =
        failpoint(FP_watch) || epoll_ctl(sup.epoll, EPOLL_CTL_ADD, source->fd, &e) < 0 ? -errno : 0;
    if (r < 0)
        fd_done(&source->fd);
    return r;
}

void source_done(struct source *source) {
    if (source->fd < 0)
        return;
    epoll_ctl(sup.epoll, EPOLL_CTL_DEL, source->fd, NULL);
    fd_done(&source->fd);
}

/* A paused source stays in the kernel's list, so that going on costs nothing. The end of the other
 * side is still reported, once. */
static void source_change(const struct source *source, uint32_t events) {
    struct epoll_event e = {.events = events, .data.ptr = unconst(source)};
    if (source->fd >= 0 && epoll_ctl(sup.epoll, EPOLL_CTL_MOD, source->fd, &e) < 0)
        abort(); /* it is in the list, so no other error is possible */
}

void source_pause(const struct source *source) {
    source_change(source, EPOLLONESHOT);
}

void source_resume(const struct source *source) {
    source_change(source, EPOLLIN);
}

int source_take(struct source *source) {
    epoll_ctl(sup.epoll, EPOLL_CTL_DEL, source->fd, NULL);
    return take_fd(&source->fd);
}

void source_raise(struct source *source) {
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = source};
    int low = source->fd;
    if (!descriptor_is_low(low))
        return;
    scoped_fd high = fcntl(low, F_DUPFD_CLOEXEC, LOW_DESCRIPTORS);
    if (high < 0 || epoll_ctl(sup.epoll, EPOLL_CTL_ADD, high, &e) < 0)
        return; /* the old number works as well */
    epoll_ctl(sup.epoll, EPOLL_CTL_DEL, low, NULL);
    close(low);
    source->fd = take_fd(&high);
}

int source_move(struct source *from, struct source *to, source_fn ready) {
    int fd = source_take(from);
    descriptor_raise(&fd);
    *to = (struct source){.fd = fd, .ready = ready, .owner = from->owner};
    return source_add(to);
}

#define IDLE_NS 2000000ull /* pools are filled when nothing else has happened for this long */

/* Waits for an event until `deadline`: 1; 0: none came; or -errno. */
static int loop_wait(uint64_t deadline, struct epoll_event *ret) {
    uint64_t now = deadline == UINT64_MAX ? 0 : now_ns();
    uint64_t left = deadline > now ? deadline - now : 0;
    struct timespec time = {.tv_sec = (time_t)(left / 1000000000),
                            .tv_nsec = (long)(left % 1000000000)};
    long n = syscall(SYS_epoll_pwait2, sup.epoll, ret, 1, deadline == UINT64_MAX ? NULL : &time,
                     NULL, 0);
    /* Before Linux 5.11, or refused by a filter. */
    if (n < 0 && (errno == ENOSYS || errno == EPERM))
        n = epoll_wait(sup.epoll, ret, 1,
                       deadline == UINT64_MAX ? -1 : (int)(left / 1000000) + (left > 0));
    return n < 0 ? -errno : (int)n;
}

static uint64_t earliest(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

void loop_run(void) {
    for (uint64_t quiet_since = now_ns();;) {
        uint64_t refill_at = pool_refill(false) ? quiet_since + IDLE_NS : UINT64_MAX;
        uint64_t look_at = earliest(earliest(killing_next(), environment_next()),
                                    earliest(letters_next(), sessions_rest_next()));
        look_at = earliest(look_at, earliest(spare_next(), gates_next()));
        /* One event at a time: a handler may free the owner of any other source. */
        struct epoll_event e;
        int n = loop_wait(earliest(look_at, refill_at), &e);
        if (n < 0 && n != -EINTR)
            return;
        if (n == 1) {
            struct source *source = e.data.ptr;
            source->ready(source);
            quiet_since = now_ns();
        }
        killing_look();
        letters_look();
        sessions_rest();
        spare_expire();
        gates_look();
        environment_rest();
        sessions_check();
        if (n == 0 && refill_at <= now_ns())
            pool_refill(true);
    }
}
