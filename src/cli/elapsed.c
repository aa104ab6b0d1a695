#include "cli/elapsed.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/thread.h"

#define SILENCE_NS 1000000000ull
#define TICK_NS 100000000ull

/* With the lock held. */
static void elapsed_hide(struct elapsed *e) {
    if (e->shown)
        write_all(e->fd, "\r\033[K", 4);
    e->shown = false;
}

static void elapsed_show(struct elapsed *e, uint64_t now) {
    static const char *const marks[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
    uint64_t ns = now - e->since_ns;
    char line[120];
    int n = snprintf(line, sizeof line, "\r\033[K\033[2m%s %.60s%s%llu s\033[0m",
                     marks[ns / TICK_NS % 10], e->what, e->what[0] ? ": " : "",
                     (unsigned long long)(ns / 1000000000));
    if (n > 0 && (size_t)n < sizeof line)
        write_all(e->fd, line, (size_t)n);
    e->shown = true;
}

static void elapsed_sleep(struct elapsed *e, uint64_t until) {
    struct timespec ts = {.tv_sec = (time_t)(until / 1000000000),
                          .tv_nsec = (long)(until % 1000000000)};
    pthread_cond_timedwait(&e->changed, &e->lock, &ts);
}

static void *elapsed_main(void *arg) {
    struct elapsed *e = arg;
    pthread_mutex_lock(&e->lock);
    while (!e->stop) {
        uint64_t now = now_ns();
        if (!e->what || e->mid_line)
            pthread_cond_wait(&e->changed, &e->lock);
        else if (now < e->heard_ns + SILENCE_NS)
            elapsed_sleep(e, e->heard_ns + SILENCE_NS);
        else {
            elapsed_show(e, now);
            elapsed_sleep(e, now + TICK_NS);
        }
    }
    pthread_mutex_unlock(&e->lock);
    return NULL;
}

void elapsed_init(struct elapsed *e, int fd) {
    *e = (struct elapsed){.fd = fd, .tty = isatty(fd)};
    if (!e->tty)
        return;
    pthread_mutex_init(&e->lock, NULL);
    cond_init_monotonic(&e->changed);
    e->tty = thread_start(&e->thread, elapsed_main, e) == 0; /* without a thread there is no line */
}

void elapsed_done(struct elapsed *e) {
    if (!e->tty)
        return;
    pthread_mutex_lock(&e->lock);
    elapsed_hide(e);
    e->stop = true;
    pthread_cond_signal(&e->changed);
    pthread_mutex_unlock(&e->lock);
    pthread_join(e->thread, NULL);
    pthread_cond_destroy(&e->changed);
    pthread_mutex_destroy(&e->lock);
    e->tty = false;
}

static void elapsed_set(struct elapsed *e, const char *what, bool mid_line, bool begins) {
    if (!e->tty)
        return;
    pthread_mutex_lock(&e->lock);
    elapsed_hide(e);
    e->what = what;
    e->mid_line = mid_line;
    e->heard_ns = now_ns();
    if (begins)
        e->since_ns = e->heard_ns;
    pthread_cond_signal(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

void elapsed_begin(struct elapsed *e, const char *what) {
    elapsed_set(e, what, false, true);
}

void elapsed_heard(struct elapsed *e, bool mid_line) {
    elapsed_set(e, e->what, mid_line, false);
}

void elapsed_end(struct elapsed *e) {
    elapsed_set(e, NULL, false, false);
}
