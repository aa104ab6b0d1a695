/* Cells in a program that lives in an event loop: epoll here, any other in the same way.
 *
 *     cc eventloop.c -o eventloop -lretort -lpthread && ./eventloop
 *
 * retort_execute waits for its cell, so one thread makes that call for the loop. What it has to
 * tell goes through a queue and an eventfd; the loop waits for nothing but epoll, its timer goes on
 * ticking, and it interrupts the cell that takes too long.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <retort.h>

enum { TICK_NS = 20000000, MAX_QUEUED = 1 << 20 };

enum kind { OUTPUT, DONE, FAILED };

struct news {
    struct news *next;
    enum kind kind;
    size_t len;
    char text[];
};

struct worker {
    struct retort_session *session;
    int fd; /* readable when there is news */
    pthread_mutex_t lock;
    pthread_cond_t work, room;
    const char *code; /* the next cell, NULL if there is none */
    int quit;
    struct news *first, *last;
    size_t queued;
};

struct cell {
    const char *code;
    int patience; /* ticks after its first output, 0: for as long as its limits let it */
};

static const struct cell cells[] = {
    {"import time\nfor i in range(3): print('step', i, flush=True); time.sleep(0.02)", 0},
    {"print('looping', flush=True)\nwhile True: pass", 3},
    {"print('still there:', i)", 0},
};

enum { CELLS = sizeof cells / sizeof *cells };

struct loop {
    struct worker *worker;
    int current; /* cell */
    int heard;   /* it has printed something */
    int ticks;   /* since then */
    int failed;
};

static _Noreturn void die(const char *what, const struct retort_error *error) {
    fprintf(stderr, "%s: %s\n", what, error ? error->message : "failed");
    exit(1);
}

/* --- the worker's side --- */

static void tell(struct worker *w, enum kind kind, const char *text, size_t len) {
    uint64_t one = 1;
    struct news *n = malloc(sizeof *n + len);
    if (!n)
        die("news", NULL);
    *n = (struct news){.kind = kind, .len = len};
    memcpy(n->text, text, len);
    pthread_mutex_lock(&w->lock);
    while (w->queued > MAX_QUEUED) /* code that floods us waits until the loop has caught up */
        pthread_cond_wait(&w->room, &w->lock);
    if (w->first)
        w->last->next = n;
    else
        w->first = n;
    w->last = n;
    w->queued += len;
    pthread_mutex_unlock(&w->lock);
    if (write(w->fd, &one, sizeof one) < 0)
        die("eventfd", NULL);
}

static void on_output(void *user, enum retort_stream stream, const char *text, size_t len,
                      uint64_t time_ns) {
    (void)stream;
    (void)time_ns;
    tell(user, OUTPUT, text, len);
}

static void execute(struct worker *w, const char *code) {
    struct retort_callbacks callbacks = {.user = w, .output = on_output};
    struct retort_execute_options options = {.callbacks = &callbacks};
    struct retort_result *result;
    struct retort_error error;
    if (retort_execute(w->session, code, strlen(code), &options, &result, &error) < 0) {
        tell(w, FAILED, error.message, strlen(error.message));
        return;
    }
    const char *status = retort_result_status(result);
    tell(w, DONE, status, strlen(status));
    retort_result_free(result);
}

static void *worker_main(void *user) {
    struct worker *w = user;
    pthread_mutex_lock(&w->lock);
    while (!w->quit) {
        const char *code = w->code;
        w->code = NULL;
        if (code) {
            pthread_mutex_unlock(&w->lock);
            execute(w, code);
            pthread_mutex_lock(&w->lock);
        } else
            pthread_cond_wait(&w->work, &w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* --- the loop's side --- */

static void submit(struct worker *w, const char *code) {
    pthread_mutex_lock(&w->lock);
    w->code = code;
    w->quit = !code;
    pthread_cond_signal(&w->work);
    pthread_mutex_unlock(&w->lock);
}

static struct news *take_news(struct worker *w) {
    uint64_t count;
    if (read(w->fd, &count, sizeof count) < 0)
        return NULL;
    pthread_mutex_lock(&w->lock);
    struct news *first = w->first;
    w->first = w->last = NULL;
    w->queued = 0;
    pthread_cond_signal(&w->room);
    pthread_mutex_unlock(&w->lock);
    return first;
}

static void handle(struct loop *l, const struct news *n) {
    if (n->kind == OUTPUT) {
        l->heard = 1;
        fwrite(n->text, 1, n->len, stdout);
        return;
    }
    printf("[%.*s]\n", (int)n->len, n->text);
    l->failed |= n->kind == FAILED;
    l->heard = l->ticks = 0;
    if (++l->current < CELLS)
        submit(l->worker, cells[l->current].code);
}

static void on_news(struct loop *l) {
    for (struct news *n = take_news(l->worker), *next; n; n = next) {
        next = n->next;
        handle(l, n);
        free(n);
    }
}

static void on_tick(struct loop *l, int timer) {
    uint64_t count;
    if (read(timer, &count, sizeof count) < 0 || !l->heard)
        return;
    if (++l->ticks == cells[l->current].patience)
        retort_interrupt(l->worker->session); /* does not wait: the cell's end comes as news */
}

static void watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0)
        die("epoll", NULL);
}

static int loop_run(struct worker *w) {
    struct loop loop = {.worker = w};
    struct itimerspec every = {{0, TICK_NS}, {0, TICK_NS}};
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    timerfd_settime(timer, 0, &every, NULL);
    watch(epoll, timer);
    watch(epoll, w->fd);
    submit(w, cells[0].code);
    while (loop.current < CELLS) {
        struct epoll_event event;
        if (epoll_wait(epoll, &event, 1, -1) <= 0)
            continue;
        if (event.data.fd == timer)
            on_tick(&loop, timer);
        else
            on_news(&loop);
    }
    close(timer);
    close(epoll);
    return loop.failed;
}

int main(void) {
    struct retort_engine_options options = {.pool = 1, .no_state = true};
    struct worker worker = {.lock = PTHREAD_MUTEX_INITIALIZER,
                            .work = PTHREAD_COND_INITIALIZER,
                            .room = PTHREAD_COND_INITIALIZER};
    struct retort_engine *engine;
    struct retort_error error;
    pthread_t thread;

    if (retort_open(&options, &engine, &error) < 0)
        die("open", &error);
    if (retort_session_new(engine, NULL, &worker.session, &error) < 0)
        die("session", &error);
    worker.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (worker.fd < 0 || pthread_create(&thread, NULL, worker_main, &worker) != 0)
        die("worker", NULL);

    int failed = loop_run(&worker);

    submit(&worker, NULL);
    pthread_join(thread, NULL);
    close(worker.fd);
    retort_session_close(worker.session);
    retort_close(engine);
    return failed;
}
