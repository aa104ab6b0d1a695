#include "base/thread.h"

#include <signal.h>
#include <time.h>

int cond_init_monotonic(pthread_cond_t *cond) {
    pthread_condattr_t attr;
    pthread_condattr_init(&attr); /* neither fails: there is nothing to allocate, and this clock */
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    int r = pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
    return -r;
}

/* stack 0: the thread is joined, and its stack has the usual size. */
static int thread_start_with(pthread_t *ret, size_t stack, void *(*run)(void *), void *user) {
    pthread_attr_t attr;
    sigset_t all;
    sigfillset(&all);
    int r = pthread_attr_init(&attr);
    if (r)
        return -r;
    r = pthread_attr_setsigmask_np(&attr, &all);
    if (r == 0 && stack && (r = pthread_attr_setstacksize(&attr, stack)) == 0)
        r = pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (r == 0)
        r = pthread_create(ret, &attr, run, user);
    pthread_attr_destroy(&attr);
    return -r;
}

int thread_start(pthread_t *ret, void *(*run)(void *), void *user) {
    return thread_start_with(ret, 0, run, user);
}

int thread_start_detached(size_t stack, void *(*run)(void *), void *user) {
    pthread_t thread;
    return thread_start_with(&thread, stack, run, user);
}

bool last_reference(pthread_mutex_t *lock, unsigned *refs) {
    pthread_mutex_lock(lock);
    bool last = --*refs == 0;
    pthread_mutex_unlock(lock);
    return last;
}

/* --- every second --- */

static void *ticker_run(void *arg) {
    struct ticker *t = arg;
    struct timespec next;
    pthread_mutex_lock(&t->lock);
    while (!t->stopping) {
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec += 1;
        pthread_cond_timedwait(&t->change, &t->lock, &next);
        pthread_mutex_unlock(&t->lock);
        t->tick(t->user);
        pthread_mutex_lock(&t->lock);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

static void ticker_done(struct ticker *t) {
    pthread_cond_destroy(&t->change);
    pthread_mutex_destroy(&t->lock);
}

int ticker_start(struct ticker *t, void (*tick)(void *user), void *user) {
    *t = (struct ticker){.tick = tick, .user = user};
    pthread_mutex_init(&t->lock, NULL);
    cond_init_monotonic(&t->change);
    int r = thread_start(&t->thread, ticker_run, t);
    if (r < 0)
        ticker_done(t);
    return r;
}

void ticker_stop(struct ticker *t) {
    pthread_mutex_lock(&t->lock);
    t->stopping = true;
    pthread_cond_broadcast(&t->change);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    ticker_done(t);
}
