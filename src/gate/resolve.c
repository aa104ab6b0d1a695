#include "gate/resolve.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"
#include "gate/gate.h"

#define THREADS 16
#define SHARE 2 /* threads that one guest may use */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t asked;
    struct query *first, **last;    /* names that wait */
    struct query *running[THREADS]; /* names that threads look up; NULL: the thread is idle */
    struct query *answered;
    struct waiter waiter; /* eventfd: some were answered */
} resolver = {.lock = PTHREAD_MUTEX_INITIALIZER, .asked = PTHREAD_COND_INITIALIZER};

static void resolve_host(struct query *q) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG}, *all = NULL;
    if (getaddrinfo(q->host, NULL, &hints, &all) != 0)
        return;
    for (const struct addrinfo *a = all; a && q->count < MAX_FOUND; a = a->ai_next) {
        address_from(a->ai_addr, &q->found[q->count]);
        q->count += q->found[q->count].family != 0;
    }
    freeaddrinfo(all);
}

/* The functions from here to the threads are called with the lock held. */

static bool has_share(const struct guest *g) {
    unsigned running = 0;
    for (size_t i = 0; i < THREADS; i++)
        running += resolver.running[i] && resolver.running[i]->guest == g;
    return running < SHARE;
}

static struct query *take_from(struct query **place) {
    struct query *q = *place;
    *place = q->next;
    if (!q->next)
        resolver.last = place;
    return q;
}

static struct query *take_next(void) {
    for (struct query **p = &resolver.first; *p; p = &(*p)->next)
        if (has_share((*p)->guest))
            return take_from(p);
    return NULL;
}

static struct query *next_query(struct query **running) {
    struct query *q;
    pthread_mutex_lock(&resolver.lock);
    while (!(q = take_next()))
        pthread_cond_wait(&resolver.asked, &resolver.lock);
    *running = q;
    q->taken = true;
    pthread_mutex_unlock(&resolver.lock);
    return q;
}

static void *resolve_thread(void *arg) {
    struct query **running = arg;
    for (;;) {
        struct query *q = next_query(running);
        resolve_host(q);
        pthread_mutex_lock(&resolver.lock);
        *running = NULL;
        q->next = resolver.answered;
        resolver.answered = q;
        pthread_mutex_unlock(&resolver.lock);
        eventfd_write(resolver.waiter.fd, 1);
    }
    return NULL;
}

static void on_answers(struct waiter *w, uint32_t events) {
    eventfd_t count;
    (void)events;
    eventfd_read(w->fd, &count);
    pthread_mutex_lock(&resolver.lock);
    struct query *q = resolver.answered;
    resolver.answered = NULL;
    pthread_mutex_unlock(&resolver.lock);
    while (q) {
        struct query *next = q->next;
        if (q->asker)
            flow_found(q->asker, q->found, q->count);
        free(q);
        q = next;
    }
}

int resolve_start(void) {
    resolver.last = &resolver.first;
    resolver.waiter =
        (struct waiter){.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .ready = on_answers};
    if (resolver.waiter.fd < 0)
        return -errno;
    int r = waiter_arm(&resolver.waiter, EPOLLIN);
    for (int i = 0; r == 0 && i < THREADS; i++)
        r = thread_start_detached(256u << 10, resolve_thread, &resolver.running[i]);
    return r;
}

struct query *resolve_ask(struct flow *asker, const char *host) {
    struct query *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->asker = asker;
    q->guest = asker->guest;
    snprintf(q->host, sizeof q->host, "%s", host);
    pthread_mutex_lock(&resolver.lock);
    *resolver.last = q;
    resolver.last = &q->next;
    pthread_cond_signal(&resolver.asked);
    pthread_mutex_unlock(&resolver.lock);
    return q;
}

void resolve_forget(struct query *q) {
    if (!q)
        return;
    pthread_mutex_lock(&resolver.lock);
    bool taken = q->taken;
    struct query **p = &resolver.first;
    while (!taken && *p != q)
        p = &(*p)->next;
    if (!taken)
        take_from(p);
    pthread_mutex_unlock(&resolver.lock);
    q->asker = NULL; /* only the loop reads it, and this is the loop */
    if (!taken)
        free(q);
}
