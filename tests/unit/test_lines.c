/* The threads that serve lines: how many stay. */
#include "unit.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "serve/rpc/lines.h"

#define ROUNDS 50
#define JOBS 32
#define IDLE 4 /* the first one, who has the baton, and two who wait for it */

struct talk {
    int fd, far;
    pthread_t thread;
    atomic_uint served;
};

static void talk_started(void *user, struct lines *lines) {
    (void)user;
    (void)lines;
}

static void *talk_begin(void *user, const char *text, size_t len) {
    (void)text;
    (void)len;
    return user;
}

static bool talk_is_quick(const void *job) {
    (void)job;
    return false;
}

static void talk_ignore(void *user) {
    (void)user;
}

static void talk_run(void *job, struct buf *reply) {
    (void)reply;
    atomic_fetch_add(&((struct talk *)job)->served, 1);
}

static const struct lines_protocol talk_protocol = {.started = talk_started,
                                                    .begin = talk_begin,
                                                    .is_quick = talk_is_quick,
                                                    .refuse = talk_ignore,
                                                    .run = talk_run,
                                                    .input_ended = talk_ignore,
                                                    .output_broke = talk_ignore};

static void *talk_main(void *arg) {
    struct talk *t = arg;
    lines_serve(&talk_protocol, t, t->far, t->far);
    return NULL;
}

static void *no_main(void *unused) {
    return unused;
}

static unsigned threads_of_this_process(void) {
    scoped_dir dir = opendir("/proc/self/task");
    unsigned n = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    return n;
}

/* Bounded, so that a thread that stays fails the test and does not hang it. */
static bool come_to_rest(struct talk *t, unsigned served, unsigned threads) {
    for (int i = 0; i < 10000; i++) {
        if (atomic_load(&t->served) == served && threads_of_this_process() <= threads)
            return true;
        usleep(1000);
    }
    return false;
}

static void a_burst_leaves_no_thread_behind(void **state) {
    (void)state;
    struct talk t = {0};
    char burst[2 * JOBS];
    int pair[2];
    /* With its first thread a program gets another one of the thread sanitizer's, if it has that. */
    assert_int_equal(pthread_create(&t.thread, NULL, no_main, NULL), 0);
    pthread_join(t.thread, NULL);
    unsigned others = threads_of_this_process();
    for (size_t i = 0; i < sizeof burst; i++)
        burst[i] = i % 2 ? '\n' : 'x';
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    t.fd = pair[0];
    t.far = pair[1];
    assert_int_equal(pthread_create(&t.thread, NULL, talk_main, &t), 0);
    for (unsigned i = 1; i <= ROUNDS; i++) {
        assert_int_equal(write_all(t.fd, burst, sizeof burst), 0);
        assert_true(come_to_rest(&t, i * JOBS, others + IDLE));
    }
    shutdown(t.fd, SHUT_WR);
    pthread_join(t.thread, NULL);
    close(t.fd);
    close(t.far);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_burst_leaves_no_thread_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
