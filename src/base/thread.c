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

int thread_start(pthread_t *ret, void *(*run)(void *), void *user) {
    pthread_attr_t attr;
    sigset_t all;
    sigfillset(&all);
    int r = pthread_attr_init(&attr);
    if (r)
        return -r;
    r = pthread_attr_setsigmask_np(&attr, &all);
    if (r == 0)
        r = pthread_create(ret, &attr, run, user);
    pthread_attr_destroy(&attr);
    return -r;
}
