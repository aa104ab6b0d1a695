/* Preloaded into the interpreters of deterministic sessions: clock, entropy and file times come
 * from the session's seed.
 *
 * The clock is virtual. It begins at a fixed moment, advances by a microsecond whenever code reads
 * it, and by the time that code asks to sleep. Waiting is real, so we translate deadlines on the
 * virtual clock before the kernel sees them.
 *
 * Clock and entropy depend on the cells alone. A cell begins where the clock stood at the end of
 * the cell before it, whatever read the clock in between (a completion, a branch, going back to an
 * earlier state), and its entropy depends on the seed, its number and how much it has drawn itself.
 *
 * Runs in: the guest, which can change it. It isolates nothing; it helps code that wants to be
 *   repeatable. Code that asks the kernel directly (by a system call, or /dev/urandom) gets real
 *   values, and a replay will report the difference.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ull
#define EPOCH 1704067200ull /* 2024-01-01T00:00:00Z, where the calendar clock begins */
#define UPTIME 1000ull      /* where the monotonic clocks begin */
#define TICK 1000ull        /* nanoseconds that reading the clock takes */

#define PUBLIC __attribute__((visibility("default")))
#define NEXT(name)                        \
    static __typeof__(&name) next_##name; \
    if (!next_##name)                     \
    next_##name = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static _Atomic uint64_t elapsed; /* virtual nanoseconds since the beginning */
static _Atomic uint64_t ended;   /* the same, when the last cell ended */
static _Atomic uint64_t drawn;   /* words that this cell has drawn */
static _Atomic uint64_t cell;    /* its number */
static _Atomic uint64_t seed = 1;
static dev_t work; /* device of the files that the session can write; 0: not looked up yet */

/* Called when the session learns its seed: resets everything. */
PUBLIC void retort_shim_begin(uint64_t value);
void retort_shim_begin(uint64_t value) {
    seed = value;
    elapsed = ended = drawn = cell = 0;
    work = 0;
}

/* Called before and after a cell runs. */
PUBLIC void retort_shim_cell_begins(uint64_t number);
void retort_shim_cell_begins(uint64_t number) {
    cell = number;
    drawn = 0;
    elapsed = ended;
}

PUBLIC void retort_shim_cell_ended(void);
void retort_shim_cell_ended(void) {
    ended = elapsed;
}

/* --- the clock --- */

static uint64_t clock_base(clockid_t id) {
    switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return EPOCH * SECOND;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return 0;
    default: return UPTIME * SECOND;
    }
}

static uint64_t read_clock(clockid_t id) {
    return clock_base(id) + atomic_fetch_add(&elapsed, TICK);
}

static struct timespec to_timespec(uint64_t ns) {
    return (struct timespec){(time_t)(ns / SECOND), (long)(ns % SECOND)};
}

static uint64_t from_timespec(const struct timespec *t) {
    return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

PUBLIC int clock_gettime(clockid_t id, struct timespec *ret) {
    *ret = to_timespec(read_clock(id));
    return 0;
}

PUBLIC time_t time(time_t *ret) {
    time_t t = (time_t)(read_clock(CLOCK_REALTIME) / SECOND);
    if (ret)
        *ret = t;
    return t;
}

PUBLIC int gettimeofday(struct timeval *restrict ret, void *restrict zone) {
    uint64_t ns = read_clock(CLOCK_REALTIME);
    (void)zone;
    *ret = (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
    return 0;
}

PUBLIC int timespec_get(struct timespec *ret, int base) {
    *ret = to_timespec(read_clock(CLOCK_REALTIME));
    return base;
}

PUBLIC clock_t clock(void) {
    return (clock_t)(read_clock(CLOCK_PROCESS_CPUTIME_ID) / 1000);
}

/* --- waiting --- */

static uint64_t real_now(clockid_t id) {
    struct timespec t;
    syscall(SYS_clock_gettime, id, &t);
    return from_timespec(&t);
}

/* Translates a deadline on the virtual clock into one on the real clock. Its size shows which clock
 * is meant: the calendar and the monotonic clock are half a century apart. */
static struct timespec real_deadline(const struct timespec *deadline, clockid_t *ret_id) {
    clockid_t id = from_timespec(deadline) > EPOCH / 2 * SECOND ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    uint64_t until = from_timespec(deadline), now = clock_base(id) + elapsed;
    if (ret_id)
        *ret_id = id;
    return to_timespec(real_now(id) + (until > now ? until - now : 0));
}

/* After a wait that ran out, the virtual clock stands at its deadline. */
static void pass_until(const struct timespec *deadline) {
    clockid_t id = from_timespec(deadline) > EPOCH / 2 * SECOND ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    uint64_t at = from_timespec(deadline) - clock_base(id), seen = elapsed;
    while (seen < at && !atomic_compare_exchange_weak(&elapsed, &seen, at))
        ;
}

PUBLIC int clock_nanosleep(clockid_t id, int flags, const struct timespec *request,
                           struct timespec *left) {
    uint64_t wait = from_timespec(request);
    if (flags & TIMER_ABSTIME) {
        uint64_t now = clock_base(id) + elapsed;
        wait = wait > now ? wait - now : 0;
    }
    struct timespec real = to_timespec(wait);
    atomic_fetch_add(&elapsed, wait);
    return syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &real,
                   flags & TIMER_ABSTIME ? NULL : left) < 0
               ? errno
               : 0;
}

PUBLIC int nanosleep(const struct timespec *request, struct timespec *left) {
    int r = clock_nanosleep(CLOCK_MONOTONIC, 0, request, left);
    errno = r ? r : errno;
    return r ? -1 : 0;
}

PUBLIC int usleep(useconds_t us) {
    struct timespec t = to_timespec((uint64_t)us * 1000);
    return nanosleep(&t, NULL);
}

PUBLIC unsigned sleep(unsigned seconds) {
    struct timespec t = {seconds, 0};
    return nanosleep(&t, NULL) == 0 ? 0 : seconds;
}

PUBLIC int sem_clockwait(sem_t *restrict sem, clockid_t id,
                         const struct timespec *restrict deadline) {
    NEXT(sem_clockwait);
    struct timespec real = real_deadline(deadline, NULL);
    int r = next_sem_clockwait(sem, id, &real);
    if (r < 0 && errno == ETIMEDOUT)
        pass_until(deadline);
    return r;
}

PUBLIC int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict deadline) {
    NEXT(sem_timedwait);
    struct timespec real = real_deadline(deadline, NULL);
    int r = next_sem_timedwait(sem, &real);
    if (r < 0 && errno == ETIMEDOUT)
        pass_until(deadline);
    return r;
}

/* Interpreters use these for short waits for their lock: the virtual clock does not move. */
PUBLIC int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict deadline) {
    NEXT(pthread_cond_timedwait);
    struct timespec real = real_deadline(deadline, NULL);
    return next_pthread_cond_timedwait(cond, mutex, &real);
}

PUBLIC int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                                  clockid_t id, const struct timespec *restrict deadline) {
    NEXT(pthread_cond_clockwait);
    struct timespec real = real_deadline(deadline, NULL);
    return next_pthread_cond_clockwait(cond, mutex, id, &real);
}

PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                                   const struct timespec *restrict deadline) {
    NEXT(pthread_mutex_timedlock);
    struct timespec real = real_deadline(deadline, NULL);
    return next_pthread_mutex_timedlock(mutex, &real);
}

/* --- entropy --- */

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

#define STEP 0x9e3779b97f4a7c15ull

/* splitmix64: the n-th word of a cell depends on the seed, the cell's number and n alone. */
static uint64_t draw(void) {
    uint64_t start = cell ? mix(seed + mix(cell * STEP)) : seed;
    return mix(start + (atomic_fetch_add(&drawn, 1) + 1) * STEP);
}

static void fill_words(void *data, size_t len) {
    for (char *p = data; len;) {
        uint64_t word = draw();
        size_t n = len < sizeof word ? len : sizeof word;
        memcpy(p, &word, n);
        p += n;
        len -= n;
    }
}

PUBLIC ssize_t getrandom(void *data, size_t len, unsigned flags) {
    (void)flags;
    fill_words(data, len);
    return (ssize_t)len;
}

PUBLIC int getentropy(void *data, size_t len) {
    fill_words(data, len);
    return 0;
}

PUBLIC uint32_t arc4random(void) {
    return (uint32_t)draw();
}

PUBLIC void arc4random_buf(void *data, size_t len) {
    fill_words(data, len);
}

/* libcrypto asks the kernel by number. */
PUBLIC long syscall(long number, ...) {
    long a[6];
    va_list ap;
    va_start(ap, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(ap, long);
    va_end(ap);
    if (number == SYS_getrandom)
        return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* --- file times --- */

/* Only for files that the session can write: Python compares the real times of the system's modules
 * with their byte code. */
static int own_device(dev_t dev) {
    struct stat st;
    if (!work) {
        NEXT(stat);
        if (next_stat("/work", &st) == 0)
            work = st.st_dev;
    }
    return work && dev == work;
}

static int steady(int r, struct stat *st) {
    if (r == 0 && own_device(st->st_dev))
        st->st_atim = st->st_mtim = st->st_ctim = to_timespec(EPOCH * SECOND);
    return r;
}

PUBLIC int stat(const char *restrict path, struct stat *restrict st) {
    NEXT(stat);
    return steady(next_stat(path, st), st);
}

PUBLIC int lstat(const char *restrict path, struct stat *restrict st) {
    NEXT(lstat);
    return steady(next_lstat(path, st), st);
}

PUBLIC int fstat(int fd, struct stat *st) {
    NEXT(fstat);
    return steady(next_fstat(fd, st), st);
}

PUBLIC int fstatat(int dirfd, const char *restrict path, struct stat *restrict st, int flags) {
    NEXT(fstatat);
    return steady(next_fstatat(dirfd, path, st, flags), st);
}

/* On this platform the 64-bit names are the same functions. */
PUBLIC int stat64(const char *restrict path, struct stat64 *restrict st) {
    return stat(path, (struct stat *)st);
}

PUBLIC int lstat64(const char *restrict path, struct stat64 *restrict st) {
    return lstat(path, (struct stat *)st);
}

PUBLIC int fstat64(int fd, struct stat64 *st) {
    return fstat(fd, (struct stat *)st);
}

PUBLIC int fstatat64(int dirfd, const char *restrict path, struct stat64 *restrict st, int flags) {
    return fstatat(dirfd, path, (struct stat *)st, flags);
}
