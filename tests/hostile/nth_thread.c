/* Makes the n-th thread or the n-th eventfd of a program fail, as where no more of them may be had: preloaded by
 * tests/hostile/test_L10_threads.py. NTH_THREAD=N or NTH_EVENTFD=N. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>

static bool is_the_one(const char *name, atomic_int *count) {
    const char *n = getenv(name);
    return n && atomic_fetch_add(count, 1) + 1 == atoi(n);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg) {
    static atomic_int count;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    return is_the_one("NTH_THREAD", &count) ? EAGAIN : create(thread, attr, run, arg);
}

int eventfd(unsigned initial, int flags) {
    static atomic_int count;
    int (*create)(unsigned, int) = dlsym(RTLD_NEXT, "eventfd");
    if (!is_the_one("NTH_EVENTFD", &count))
        return create(initial, flags);
    errno = EMFILE;
    return -1;
}
