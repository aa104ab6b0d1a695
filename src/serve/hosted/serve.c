#include "serve/hosted/serve.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/io.h"
#include "base/thread.h"
#include "serve/hosted/sessions.h"
#include "serve/hosted/tools.h"

#define LARGE (128 << 10)
#define CELLS_AT_ONCE 256
#define BIRTHS_AT_ONCE 16 /* few, because each keeps a supervisor busy */
#define QUEUE 1024
#define PATIENCE_S 30

static void serve_init_locks(struct serve *serve) {
    pthread_mutex_init(&serve->lock, NULL);
    cond_init_monotonic(&serve->idle);
    lane_init(&serve->cells, "cells", 0, 0, 0);
    lane_init(&serve->births, "sessions that begin", 0, 0, 0);
}

void serve_limit(struct serve *serve, unsigned cells, double patience) {
    double wait = patience > 0 ? patience : PATIENCE_S;

    lane_done(&serve->cells);
    lane_done(&serve->births);
    lane_init(&serve->cells, "cells", cells ? cells : CELLS_AT_ONCE, QUEUE, wait);
    lane_init(&serve->births, "sessions that begin", BIRTHS_AT_ONCE, QUEUE, wait);
}

unsigned serve_retry_after(struct serve *serve) {
    unsigned cells = lane_state(&serve->cells).retry_after,
             births = lane_state(&serve->births).retry_after;

    return cells > births ? cells : births;
}

int serve_init(struct serve *serve, struct retort_engine *engine) {
    /* Large blocks go back to the kernel when they are freed. Otherwise a thread that has served
     * one large frame would keep its memory as long as the server runs. */
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, LARGE);
    /* No fast bins: small freed pieces in them join the free end of a thread's memory only when
     * malloc consolidates, and that does not give the end back to the kernel. */
    mallopt(M_MXFAST, 0);
    *serve = (struct serve){.engine = engine, .started_ns = now_ns()};
    serve_init_locks(serve);
    serve->registry = registry_new();
    serve->hub = hub_new();
    serve->tools = tools_new();
    if (serve->registry && serve->hub && serve->tools)
        return 0;
    serve_done(serve);
    return -ENOMEM;
}

int serve_init_stdio(struct serve *serve, struct retort_engine *engine,
                     const struct serve_defaults *defaults) {
    sigset_t pipe;
    int r;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    r = serve_init(serve, engine);
    if (r >= 0) {
        serve->defaults = defaults;
        serve->state = defaults ? defaults->state : NULL;
        serve->skills = defaults ? defaults->skills : NULL;
        serve->network = defaults ? defaults->options.network : NULL;
    }
    return r;
}

bool serve_admit(struct serve *serve, bool quick) {
    bool admitted;

    pthread_mutex_lock(&serve->lock);
    admitted = !atomic_load(&serve->stopping) && (quick || !serve->draining);
    serve->active += admitted;
    pthread_mutex_unlock(&serve->lock);
    return admitted;
}

void serve_leave(struct serve *serve) {
    pthread_mutex_lock(&serve->lock);
    if (--serve->active == 0 && serve->draining)
        pthread_cond_broadcast(&serve->idle);
    pthread_mutex_unlock(&serve->lock);
}

bool serve_drain(struct serve *serve, double seconds) {
    uint64_t until = now_ns() + (uint64_t)(seconds * 1e9);
    struct timespec end = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
    bool idle;

    pthread_mutex_lock(&serve->lock);
    serve->draining = true;
    while (serve->active > 0)
        if (pthread_cond_timedwait(&serve->idle, &serve->lock, &end) == ETIMEDOUT)
            break;
    idle = serve->active == 0;
    pthread_mutex_unlock(&serve->lock);
    return idle;
}

void serve_stop(struct serve *serve) {
    struct hosted **list;
    size_t n;

    atomic_store(&serve->stopping, true);
    lane_nudge(&serve->births);
    n = registry_list(serve->registry, NULL, &list);
    for (size_t i = 0; i < n; i++) {
        session_stop(serve, list[i]);
        registry_unref(serve->registry, list[i]);
    }
    free(list);
    tools_cancel(serve->tools, NULL, NULL, "the server is stopping");
}

void serve_done(struct serve *serve) {
    registry_free(serve->registry);
    hub_free(serve->hub);
    tools_free(serve->tools);
    serve->registry = NULL;
    serve->hub = NULL;
    serve->tools = NULL;
    lane_done(&serve->cells);
    lane_done(&serve->births);
}
