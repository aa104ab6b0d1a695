/* The event loop: level-triggered epoll over struct source. */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/scope.h"
#include "sandbox/failpoint.h"
#include "supervisor/pool.h"

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

int source_take(struct source *source) {
    epoll_ctl(sup.epoll, EPOLL_CTL_DEL, source->fd, NULL);
    return take_fd(&source->fd);
}

int source_move(struct source *from, struct source *to, source_fn ready) {
    *to = (struct source){.fd = source_take(from), .ready = ready, .owner = from->owner};
    return source_add(to);
}

#define IDLE_MS 2 /* pools are filled when nothing else has happened for as long */

void loop_run(void) {
    for (;;) {
        /* One event at a time: a handler may free the owner of any other source. */
        struct epoll_event e;
        int n = epoll_wait(sup.epoll, &e, 1, pool_refill(false) ? IDLE_MS : -1);
        if (n == 0)
            pool_refill(true);
        if (n < 0 && errno != EINTR)
            return;
        if (n == 1) {
            struct source *source = e.data.ptr;
            source->ready(source);
        }
    }
}
