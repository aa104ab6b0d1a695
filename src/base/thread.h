/* What pthreads takes several calls for.
 *
 * Runs in: broker, command line.
 * Owns: nothing.
 * Tests: tests/unit/test_queues.c, tests/unit/test_ledger.c
 */
#pragma once

#include <pthread.h>

/* A condition whose waits end by CLOCK_MONOTONIC. 0 or -errno. */
int cond_init_monotonic(pthread_cond_t *cond);

/* Starts a thread that takes no signal: those of the host program are for its own threads. 0 or
 * -errno; to be joined. */
int thread_start(pthread_t *ret, void *(*run)(void *), void *user);
