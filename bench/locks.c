/* What is done under locks: loaded before libpthread into a program that uses the engine (LD_PRELOAD), it counts for each
 * place that takes a mutex how often it does, how much processor time passes until the mutex is given back, and how often
 * the thread has given up the processor by itself meanwhile: that is a wait with the lock held. Processor time and such waits
 * are the same on a machine that has other things to do. At SIGUSR2 it writes "PLACE COUNT NS WAITS\n" for each to the file
 * that LOCKS names, and counts anew. bench/locks reads it. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define PLACES 4096
#define DEPTH 8 /* mutexes that one thread has at the same time */

struct place {
    _Atomic(void *) code;
    atomic_ullong count, ns, waits;
};

static struct place places[PLACES];

static _Thread_local struct held {
    pthread_mutex_t *mutex;
    struct place *place;
    uint64_t ns;
    long waits;
} held[DEPTH];

static int (*real_lock)(pthread_mutex_t *), (*real_unlock)(pthread_mutex_t *);
static int (*real_wait)(pthread_cond_t *, pthread_mutex_t *);
static int (*real_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);

static uint64_t thread_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static long thread_waits(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

static struct place *place_of(void *code) {
    for (size_t i = (uintptr_t)code / 4 % PLACES, n = 0; n < PLACES; i = (i + 1) % PLACES, n++) {
        void *expected = NULL;
        if (places[i].code == code ||
            atomic_compare_exchange_strong(&places[i].code, &expected, code) || expected == code)
            return &places[i];
    }
    return NULL;
}

static void took(pthread_mutex_t *mutex, struct place *place) {
    for (int i = 0; place && i < DEPTH; i++)
        if (!held[i].mutex) {
            held[i] = (struct held){mutex, place, thread_ns(), thread_waits()};
            return;
        }
}

static struct place *gave(pthread_mutex_t *mutex) {
    for (int i = 0; i < DEPTH; i++)
        if (held[i].mutex == mutex) {
            struct place *place = held[i].place;
            atomic_fetch_add(&place->count, 1);
            atomic_fetch_add(&place->ns, thread_ns() - held[i].ns);
            atomic_fetch_add(&place->waits, (unsigned long long)(thread_waits() - held[i].waits));
            held[i].mutex = NULL;
            return place;
        }
    return NULL;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    int r = real_lock(mutex);
    if (r == 0)
        took(mutex, place_of(__builtin_return_address(0)));
    return r;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    gave(mutex);
    return real_unlock(mutex);
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    struct place *place = gave(mutex);
    int r = real_wait(cond, mutex);
    took(mutex, place);
    return r;
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                           const struct timespec *end) {
    struct place *place = gave(mutex);
    int r = real_timedwait(cond, mutex, end);
    took(mutex, place);
    return r;
}

/* As an offset in its library, for addr2line. */
static void write_place(int fd, struct place *place) {
    unsigned long long count = atomic_exchange(&place->count, 0);
    Dl_info info;
    if (count && dladdr(place->code, &info))
        dprintf(fd, "%s 0x%lx %llu %llu %llu\n", info.dli_fname,
                (unsigned long)((char *)place->code - (char *)info.dli_fbase - 1), count,
                atomic_exchange(&place->ns, 0), atomic_exchange(&place->waits, 0));
}

static void *report(void *arg) {
    sigset_t *set = arg;
    int number;
    while (sigwait(set, &number) == 0) {
        int fd = open(getenv("LOCKS"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        for (size_t i = 0; fd >= 0 && i < PLACES; i++)
            if (places[i].code)
                write_place(fd, &places[i]);
        dprintf(fd, "end\n");
        close(fd);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    static sigset_t set;
    pthread_t thread;
    real_lock = (int (*)(pthread_mutex_t *))(uintptr_t)dlsym(RTLD_NEXT, "pthread_mutex_lock");
    real_unlock = (int (*)(pthread_mutex_t *))(uintptr_t)dlsym(RTLD_NEXT, "pthread_mutex_unlock");
    real_wait = (int (*)(pthread_cond_t *, pthread_mutex_t *))(uintptr_t)dlsym(RTLD_NEXT,
                                                                               "pthread_cond_wait");
    real_timedwait = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))(
        uintptr_t)dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, report, &set);
}
