/* The broker's reading of cgroup files: the kernel's texts of both versions, and texts it would not
 * write. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io.h"
#include "engine/parts/measure.h"

#define V1_OOM "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n"
#define V2_CPU "usage_usec 812345\nuser_usec 700000\nsystem_usec 112345\nnr_periods 0\n"
#define V2_MEMORY "low 0\nhigh 0\nmax 17\noom 2\noom_kill 1\noom_group_kill 0\n"

static void fill(int fds[CREATED_MEASURES], const char *const texts[CREATED_MEASURES]) {
    for (int i = 0; i < CREATED_MEASURES; i++) {
        fds[i] = memfd_create("measure", MFD_CLOEXEC);
        assert_true(fds[i] >= 0);
        assert_int_equal(write_all(fds[i], texts[i], strlen(texts[i])), 0);
    }
}

static void done(const int fds[CREATED_MEASURES]) {
    for (int i = 0; i < CREATED_MEASURES; i++)
        close(fds[i]);
}

static void version_1_counts_in_nanoseconds(void **state) {
    (void)state;
    int fds[CREATED_MEASURES];
    fill(fds, (const char *const[]){"1234567890\n", "73400320\n", V1_OOM, "max 5\n", "3\n"});
    struct measure m;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(measure_read(1, fds, &m), 0);
        assert_int_equal(m.cpu_us, 1234567);
        assert_int_equal(m.peak_bytes, 73400320);
        assert_int_equal(m.oom_kills, 3);
        assert_int_equal(m.pids_denied, 5);
        assert_int_equal(m.tasks, 3);
    }
    done(fds);
}

static void version_2_has_keys(void **state) {
    (void)state;
    int fds[CREATED_MEASURES];
    fill(fds, (const char *const[]){V2_CPU, "73400320\n", V2_MEMORY, "max 0\n", "3\n"});
    struct measure m;
    assert_int_equal(measure_read(2, fds, &m), 0);
    assert_int_equal(m.cpu_us, 812345);
    assert_int_equal(m.oom_kills, 1);
    assert_int_equal(m.pids_denied, 0);
    done(fds);
}

static void before_a_cell_only_time_is_read_again(void **state) {
    (void)state;
    int fds[CREATED_MEASURES];
    struct measure last = {.cpu_us = 7, .oom_kills = 1, .pids_denied = 2, .tasks = 9}, m;
    fill(fds, (const char *const[]){V2_CPU, "73400320\n", V2_MEMORY, "max 5\n", "3\n"});
    assert_int_equal(measure_begin(2, fds, &last, &m), 0);
    assert_int_equal(m.cpu_us, 812345);
    assert_int_equal(m.pids_denied, 2);
    assert_int_equal(measure_begin(2, fds, NULL, &m), 0);
    assert_int_equal(m.pids_denied, 5);
    assert_int_equal(m.peak_bytes, 3400320); /* the peak was set back: "0" over its first digit */
    done(fds);
}

static void a_failed_read_changes_nothing(void **state) {
    (void)state;
    int fds[CREATED_MEASURES];
    fill(fds, (const char *const[]){V2_CPU, "max\n", V2_MEMORY, "max 0\n", "3\n"});
    struct measure m = {.cpu_us = 7};
    assert_int_equal(measure_read(2, fds, &m), -EPROTO);
    assert_int_equal(measure_read(1, fds, &m), -EPROTO);
    assert_int_equal(measure_read(0, fds, &m), -EOPNOTSUPP);
    assert_int_equal(m.cpu_us, 7);
    done(fds);
    assert_int_equal(measure_read(2, (const int[]){-1, -1, -1, -1, -1}, &m), -EBADF);
}

static void keys_are_whole_words(void **state) {
    (void)state;
    uint64_t v = 0;
    assert_int_equal(measure_keyed(V2_MEMORY, "oom_kill", &v), 0);
    assert_int_equal(v, 1);
    assert_int_equal(measure_keyed(V2_MEMORY, "oom", &v), 0);
    assert_int_equal(v, 2);
    assert_int_equal(measure_keyed(V2_MEMORY, "kill", &v), -EPROTO);
    assert_int_equal(measure_keyed("", "oom", &v), -EPROTO);
}

static void numbers_are_numbers(void **state) {
    (void)state;
    uint64_t v = 0;
    assert_int_equal(measure_number("18446744073709551615\n", &v), 0);
    assert_true(v == UINT64_MAX);
    const char *const bad[] = {"", "\n", "-1\n", " 1\n", "1x\n", "18446744073709551616\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(measure_number(bad[i], &v), -EPROTO);
}

static void differences_never_go_below_zero(void **state) {
    (void)state;
    struct measure a = {.cpu_us = 100, .peak_bytes = 50, .oom_kills = 1, .pids_denied = 9};
    struct measure b = {.cpu_us = 350, .peak_bytes = 20, .oom_kills = 2, .pids_denied = 9};
    struct measure d = measure_since(&a, &b);
    assert_int_equal(d.cpu_us, 250);
    assert_int_equal(d.peak_bytes, 20);
    assert_int_equal(d.oom_kills, 1);
    assert_int_equal(d.pids_denied, 0);
    assert_int_equal(measure_since(&b, &a).cpu_us, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_1_counts_in_nanoseconds),
        cmocka_unit_test(version_2_has_keys),
        cmocka_unit_test(before_a_cell_only_time_is_read_again),
        cmocka_unit_test(a_failed_read_changes_nothing),
        cmocka_unit_test(keys_are_whole_words),
        cmocka_unit_test(numbers_are_numbers),
        cmocka_unit_test(differences_never_go_below_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
