/* Things for which pthreads needs several calls.
 *
 * Runs in: broker, command line.
 * Owns: nothing.
 * Tests: tests/unit/test_queues.c, tests/unit/test_ledger.c
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

/* A condition whose waits end by CLOCK_MONOTONIC. 0 or -errno. */
int cond_init_monotonic(pthread_cond_t *cond);

/* Starts a thread that blocks all signals: those of the host program are for its own threads. 0 or
 * -errno. The caller joins it. */
int thread_start(pthread_t *ret, void *(*run)(void *), void *user);

/* The same for a thread that nobody joins, with a stack of this size. */
int thread_start_detached(size_t stack, void *(*run)(void *), void *user);

/* Takes one reference away, under this lock. True: it was the last one, so nobody else holds the
 * object. */
bool last_reference(pthread_mutex_t *lock, unsigned *refs);

/* A thread that does something every second until it is stopped. */
struct ticker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool stopping;
    void (*tick)(void *user);
    void *user;
};

int ticker_start(struct ticker *ticker, void (*tick)(void *user), void *user); /* 0 or -errno */
void ticker_stop(struct ticker *ticker);
