#include "serve/http/outbox.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/maxima.h"
#include "base/thread.h"
#include "serve/http/http.h"

#define MAX_UNREAD (4u << 20)
#define PATIENCE_S 1 /* that we wait for a reader before its next bytes are dropped */

struct outbox {
    pthread_mutex_t lock;
    unsigned refs;
    struct buf queue;
    bool ended;
    bool stalled, gone; /* the reader */
    pthread_cond_t taken;
    int fd;
};

struct outbox *outbox_new(void) {
    struct outbox *outbox = calloc(1, sizeof *outbox);

    if (!outbox)
        return NULL;
    outbox->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (outbox->fd < 0) {
        free(outbox);
        return NULL;
    }
    outbox->refs = 1;
    outbox->queue = BUF_INIT(MAX_STREAM);
    pthread_mutex_init(&outbox->lock, NULL);
    cond_init_monotonic(&outbox->taken);
    return outbox;
}

void outbox_unref(struct outbox *outbox) {
    if (!outbox || !last_reference(&outbox->lock, &outbox->refs))
        return;
    pthread_cond_destroy(&outbox->taken);
    pthread_mutex_destroy(&outbox->lock);
    buf_done(&outbox->queue);
    close(outbox->fd);
    free(outbox);
}

static void outbox_put(struct outbox *outbox, const char *text, size_t len, size_t most) {
    pthread_mutex_lock(&outbox->lock);
    if (outbox->queue.len + len <= most && buf_reserve(&outbox->queue, len + 64) >= 0) {
        sse_event(&outbox->queue, "message", text, len);
        eventfd_write(outbox->fd, 1);
    }
    pthread_mutex_unlock(&outbox->lock);
}

void outbox_note(struct outbox *outbox, const char *text, size_t len) {
    outbox_put(outbox, text, len, MAX_EVENT_QUEUE);
}

void outbox_reply(struct outbox *outbox, const char *text, size_t len) {
    outbox_put(outbox, text, len, MAX_STREAM);
}

/* Called with the lock held. A single piece may have any length. */
static bool is_full(const struct outbox *outbox, size_t len) {
    return outbox->queue.len && outbox->queue.len + len > MAX_UNREAD && !outbox->gone;
}

static void add_bytes(struct outbox *outbox, const char *data, size_t len) {
    if (outbox->gone)
        return;
    buf_add(&outbox->queue, data, len);
    eventfd_write(outbox->fd, 1);
}

bool outbox_try(struct outbox *outbox, const char *data, size_t len) {
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&outbox->lock);
    while (!outbox->stalled && is_full(outbox, len))
        outbox->stalled =
            pthread_cond_timedwait(&outbox->taken, &outbox->lock, &until) == ETIMEDOUT;
    bool fits = !is_full(outbox, len);
    if (fits)
        add_bytes(outbox, data, len);
    pthread_mutex_unlock(&outbox->lock);
    return fits;
}

void outbox_bytes(struct outbox *outbox, const char *data, size_t len) {
    pthread_mutex_lock(&outbox->lock);
    while (is_full(outbox, len))
        pthread_cond_wait(&outbox->taken, &outbox->lock);
    add_bytes(outbox, data, len);
    pthread_mutex_unlock(&outbox->lock);
}

void outbox_leave(struct outbox *outbox) {
    pthread_mutex_lock(&outbox->lock);
    outbox->gone = true;
    pthread_cond_broadcast(&outbox->taken);
    pthread_mutex_unlock(&outbox->lock);
}

void outbox_end(struct outbox *outbox) {
    pthread_mutex_lock(&outbox->lock);
    outbox->ended = true;
    eventfd_write(outbox->fd, 1);
    pthread_mutex_unlock(&outbox->lock);
}

int outbox_fd(const struct outbox *outbox) {
    return outbox->fd;
}

int outbox_take(struct outbox *outbox, struct buf *out) {
    eventfd_t ignored;
    int r = 0;

    pthread_mutex_lock(&outbox->lock);
    eventfd_read(outbox->fd, &ignored);
    if (outbox->queue.len)
        r = buf_add(out, outbox->queue.data, outbox->queue.len);
    else if (outbox->ended)
        r = -EPIPE;
    buf_reset(&outbox->queue);
    buf_spare(&outbox->queue);
    outbox->stalled = false;
    pthread_cond_broadcast(&outbox->taken);
    if (outbox->ended)
        eventfd_write(outbox->fd, 1);
    pthread_mutex_unlock(&outbox->lock);
    return r;
}
