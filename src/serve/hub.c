#include "serve/hub.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/maxima.h"
#include "serve/registry.h"

struct hub_reader {
    struct hub_reader *next;
    char owner[OWNER_SIZE];
    char session[64]; /* "": all */
    struct buf queue;
    int dropped;
    int fd;
};

struct hub {
    pthread_mutex_t lock;
    struct hub_reader *readers;
    bool ended;
};

struct hub *hub_new(void) {
    struct hub *hub = calloc(1, sizeof *hub);

    if (hub)
        pthread_mutex_init(&hub->lock, NULL);
    return hub;
}

void hub_free(struct hub *hub) {
    if (!hub)
        return;
    pthread_mutex_destroy(&hub->lock);
    free(hub);
}

static void reader_free(struct hub_reader *reader) {
    buf_done(&reader->queue);
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader);
}

struct hub_reader *hub_subscribe(struct hub *hub, const char *owner, const char *session,
                                 const struct buf *first) {
    struct hub_reader *reader = calloc(1, sizeof *reader);

    if (!reader)
        return NULL;
    reader->queue = BUF_INIT(MAX_EVENT_QUEUE);
    reader->fd = eventfd(first && first->len ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (reader->fd < 0 || (first && buf_add(&reader->queue, first->data, first->len) < 0)) {
        reader_free(reader);
        return NULL;
    }
    snprintf(reader->owner, sizeof reader->owner, "%s", owner);
    snprintf(reader->session, sizeof reader->session, "%s", session ? session : "");
    pthread_mutex_lock(&hub->lock);
    reader->next = hub->readers;
    hub->readers = reader;
    if (hub->ended)
        eventfd_write(reader->fd, 1);
    pthread_mutex_unlock(&hub->lock);
    return reader;
}

void hub_unsubscribe(struct hub *hub, struct hub_reader *reader) {
    struct hub_reader **at;

    if (!reader)
        return;
    pthread_mutex_lock(&hub->lock);
    for (at = &hub->readers; *at != reader; at = &(*at)->next)
        ;
    *at = reader->next;
    pthread_mutex_unlock(&hub->lock);
    reader_free(reader);
}

static bool wants(const struct hub_reader *reader, const char *owner, const char *session) {
    if (strcmp(reader->owner, owner) != 0)
        return false;
    return !reader->session[0] || (session && strcmp(reader->session, session) == 0);
}

static bool enqueue(struct hub_reader *reader, const char *text, size_t len) {
    if (buf_reserve(&reader->queue, len + 1) < 0) {
        reader->dropped++;
        return false;
    }
    buf_add(&reader->queue, text, len);
    buf_add(&reader->queue, "\n", 1);
    eventfd_write(reader->fd, 1);
    return true;
}

unsigned hub_publish(struct hub *hub, const char *owner, const char *session, const char *text,
                     size_t len) {
    unsigned n = 0;

    pthread_mutex_lock(&hub->lock);
    for (struct hub_reader *reader = hub->readers; reader; reader = reader->next)
        if (wants(reader, owner, session))
            n += enqueue(reader, text, len);
    pthread_mutex_unlock(&hub->lock);
    return n;
}

int hub_reader_fd(const struct hub_reader *reader) {
    return reader->fd;
}

int hub_take(struct hub *hub, struct hub_reader *reader, struct buf *out) {
    eventfd_t ignored;
    int r;

    pthread_mutex_lock(&hub->lock);
    eventfd_read(reader->fd, &ignored);
    r = hub->ended && reader->queue.len == 0 ? -EPIPE : reader->dropped;
    reader->dropped = 0;
    if (reader->queue.len && buf_add(out, reader->queue.data, reader->queue.len) < 0)
        r = -ENOMEM;
    buf_reset(&reader->queue);
    if (hub->ended)
        eventfd_write(reader->fd, 1);
    pthread_mutex_unlock(&hub->lock);
    return r;
}

void hub_end(struct hub *hub) {
    pthread_mutex_lock(&hub->lock);
    hub->ended = true;
    for (struct hub_reader *reader = hub->readers; reader; reader = reader->next)
        eventfd_write(reader->fd, 1);
    pthread_mutex_unlock(&hub->lock);
}
