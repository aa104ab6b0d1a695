#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/io.h"

static bool is_open(int fd) {
    return fcntl(fd, F_GETFD) >= 0;
}

/* A packet of one byte with `count` descriptors, waiting in pair[1]. */
static void post(int pair[2], size_t count) {
    int fds[PACKET_MAX_FDS];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    for (size_t i = 0; i < count; i++)
        fds[i] = pair[0];
    assert_int_equal(packet_send(pair[0], "x", 1, fds, count), 0);
}

static void done(int pair[2]) {
    close(pair[0]);
    close(pair[1]);
}

static void takes_descriptors(void **state) {
    (void)state;
    int pair[2], fds[PACKET_MAX_FDS];
    size_t nfds = PACKET_MAX_FDS;
    char byte;
    post(pair, 3);
    assert_int_equal(packet_recv(pair[1], &byte, 1, fds, &nfds, 0), 1);
    assert_int_equal(nfds, 3);
    for (size_t i = 0; i < nfds; i++) {
        assert_int_equal(fcntl(fds[i], F_GETFD), FD_CLOEXEC);
        close(fds[i]);
    }
    done(pair);
}

static void closes_what_there_is_no_room_for(void **state) {
    (void)state;
    int pair[2], fds[PACKET_MAX_FDS];
    size_t nfds = 1;
    char byte;
    post(pair, 3);
    int next = dup(0);
    close(next);
    assert_int_equal(packet_recv(pair[1], &byte, 1, fds, &nfds, 0), 1);
    assert_int_equal(nfds, 1);
    assert_int_equal(fds[0], next);
    assert_false(is_open(next + 1));
    assert_false(is_open(next + 2));
    close(next);
    done(pair);
}

/* Half of what belongs together is worse than nothing. */
static void takes_all_or_none(void **state) {
    (void)state;
    int pair[2], fds[PACKET_MAX_FDS];
    size_t nfds = PACKET_MAX_FDS;
    char byte;
    struct rlimit before;
    post(pair, 3);
    int next = dup(0);
    close(next);
    getrlimit(RLIMIT_NOFILE, &before);
    struct rlimit low = {(rlim_t)next + 2, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &low);
    ssize_t n = packet_recv(pair[1], &byte, 1, fds, &nfds, 0);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(n, -EMFILE);
    assert_int_equal(nfds, 0);
    assert_false(is_open(next));
    assert_false(is_open(next + 1));
    done(pair);
}

/* As a session's first process does that gives up before it was told to go. */
static void hears_the_last_word_of_who_left_ours_unread(void **state) {
    (void)state;
    int pair[2];
    char word;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    assert_int_equal(packet_send(pair[1], "g", 1, NULL, 0), 0);
    assert_int_equal(packet_send(pair[0], "w", 1, NULL, 0), 0);
    close(pair[0]);
    assert_int_equal(packet_recv(pair[1], &word, 1, NULL, NULL, MSG_DONTWAIT), 1);
    assert_int_equal(word, 'w');
    assert_int_equal(packet_recv(pair[1], &word, 1, NULL, NULL, MSG_DONTWAIT), 0);
    close(pair[1]);
}

static void a_packet_that_was_cut_is_an_error(void **state) {
    (void)state;
    int pair[2];
    char byte;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    assert_int_equal(packet_send(pair[0], "xy", 2, NULL, 0), 0);
    assert_int_equal(packet_recv(pair[1], &byte, 1, NULL, NULL, 0), -EMSGSIZE);
    close(pair[0]);
    assert_int_equal(packet_recv(pair[1], &byte, 1, NULL, NULL, 0), 0);
    close(pair[1]);
}

static void a_packet_that_was_cut_leaves_no_descriptor(void **state) {
    (void)state;
    int pair[2], fds[PACKET_MAX_FDS];
    size_t nfds = PACKET_MAX_FDS;
    char byte;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    assert_int_equal(packet_send(pair[0], "xy", 2, (int[]){pair[0], pair[0]}, 2), 0);
    int next = dup(0);
    close(next);
    assert_int_equal(packet_recv(pair[1], &byte, 1, fds, &nfds, 0), -EMSGSIZE);
    assert_int_equal(nfds, 0);
    assert_false(is_open(next));
    done(pair);
}

static void ignore_signal(int number) {
    (void)number;
}

static void a_signal_does_not_end_waiting(void **state) {
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    struct sigaction before, action = {.sa_handler = ignore_signal};
    struct itimerval often = {{0, 2000}, {0, 2000}}, never = {0};
    sigaction(SIGALRM, &action, &before);
    setitimer(ITIMER_REAL, &often, NULL);
    uint64_t began = now_ns();
    assert_false(readable_within(pair[1], 20));
    assert_true(now_ns() - began >= 20000000);
    assert_int_equal(packet_send(pair[0], "x", 1, NULL, 0), 0);
    assert_true(readable_within(pair[1], 20));
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    done(pair);
}

static void an_empty_directory(void **state) {
    (void)state;
    char path[] = "/dev/shm/retort-test-XXXXXX";
    assert_non_null(mkdtemp(path));
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(tmpfs_dir_is_empty(dir));
    assert_int_equal(mkdirat(dir, "a", 0700), 0);
    assert_int_equal(symlinkat("x", dir, "b"), 0);
    assert_false(tmpfs_dir_is_empty(dir));
    assert_int_equal(renameat(dir, "b", dir, "c"), 0);
    assert_int_equal(unlinkat(dir, "a", AT_REMOVEDIR), 0);
    assert_false(tmpfs_dir_is_empty(dir));
    assert_int_equal(unlinkat(dir, "c", 0), 0);
    assert_true(tmpfs_dir_is_empty(dir));
    close(dir);
    assert_false(tmpfs_dir_is_empty(dir));
    assert_int_equal(rmdir(path), 0);
}

static void a_path_is_made_with_all_its_parts(void **state) {
    char dir[] = "/tmp/retort-path-XXXXXX", path[80], file[90];
    struct stat st;
    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/a/b", dir);
    snprintf(file, sizeof file, "%s/c", path);
    mode_t before = umask(0777);
    assert_int_equal(make_path(path, 0750), 0);
    umask(before);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0750);
    assert_int_equal(make_path(path, 0700), 0); /* leaves what is there as it is */
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0750);
    close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    snprintf(path, sizeof path, "%s/a/b/c/d", dir);
    assert_int_equal(make_path(path, 0700), -ENOTDIR);
    assert_int_equal(unlink(file), 0);
    snprintf(path, sizeof path, "%s/a/b", dir);
    assert_int_equal(rmdir(path), 0);
    snprintf(path, sizeof path, "%s/a", dir);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(dir), 0);
}

static void raises_to_what_is_allowed(void **state) {
    (void)state;
    struct rlimit before, now;
    getrlimit(RLIMIT_NOFILE, &before);
    struct rlimit low = {100, before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &low);
    descriptors_raise();
    getrlimit(RLIMIT_NOFILE, &now);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_int_equal(now.rlim_cur, before.rlim_max);
    assert_int_equal(now.rlim_max, before.rlim_max);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_descriptors),
        cmocka_unit_test(closes_what_there_is_no_room_for),
        cmocka_unit_test(takes_all_or_none),
        cmocka_unit_test(hears_the_last_word_of_who_left_ours_unread),
        cmocka_unit_test(a_packet_that_was_cut_is_an_error),
        cmocka_unit_test(a_packet_that_was_cut_leaves_no_descriptor),
        cmocka_unit_test(a_signal_does_not_end_waiting),
        cmocka_unit_test(an_empty_directory),
        cmocka_unit_test(a_path_is_made_with_all_its_parts),
        cmocka_unit_test(raises_to_what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
