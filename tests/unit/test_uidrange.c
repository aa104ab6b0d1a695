/* The administrator's files as text; ranges and id maps for real, as whoever runs the tests. */
#include "unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "as_supervisor.h"
#include "base/io.h"

#define SUBUID "root:1:2\nann:100000:65536\nannabel:9:9\n1000:300000:70000\nbob:500000:65536\n"

static void the_widest_entry_counts(void **state) {
    (void)state;
    struct idspan s;
    assert_int_equal(uidrange_parse(SUBUID, "bob", 1001, &s), 0);
    assert_int_equal(s.first, 500000);
    assert_int_equal(s.count, 65536);
    assert_int_equal(uidrange_parse(SUBUID, "ann", 1000, &s), 0);
    assert_int_equal(s.first, 300000);
    assert_int_equal(s.count, 70000);
    assert_int_equal(uidrange_parse(SUBUID, NULL, 1000, &s), 0);
    assert_int_equal(uidrange_parse("x:5:6", "x", 1, &s), 0);
    assert_int_equal(s.count, 6);
}

static void broken_entries_do_not(void **state) {
    (void)state;
    const char *const bad[] = {"",
                               "ann",
                               "ann:",
                               "ann:1",
                               "ann:1:",
                               "ann:-1:5",
                               "ann:1:x",
                               "ann:1:2:3",
                               "ann:1:0",
                               "ann: 1:5",
                               "annx:1:50",
                               "# ann:1:50\n",
                               "ann:5000000000:1",
                               "ann:4294967295:5"};
    struct idspan s = {.first = 77};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(uidrange_parse(bad[i], "ann", 1000, &s), -ENOENT);
    assert_int_equal(uidrange_parse(SUBUID, NULL, 1001, &s), -ENOENT);
    assert_int_equal(s.first, 77);
}

static void names_come_from_passwd(void **state) {
    (void)state;
    const char *passwd =
        "root:x:0:0::/root:/bin/sh\nbad\n:x:1000:1::\nann:x:1000:1000::/:\nbob::1001:1::\n";
    char name[8];
    assert_int_equal(uidrange_name(passwd, 1000, name, sizeof name), 0);
    assert_string_equal(name, "ann");
    assert_int_equal(uidrange_name(passwd, 1001, name, sizeof name), 0);
    assert_string_equal(name, "bob");
    assert_int_equal(uidrange_name(passwd, 100, name, sizeof name), -ENOENT);
    assert_int_equal(uidrange_name("averylongname:x:7:7::\n", 7, name, sizeof name), -ENOENT);
}

static void root_takes_what_its_namespace_has(void **state) {
    (void)state;
    struct idspan s;
    assert_int_equal(uidrange_spare("         0          0 4294967295\n", &s), 0);
    assert_int_equal(s.first, UIDRANGE_FIRST);
    assert_int_equal(s.count, UIDRANGE_SLOTS * UIDRANGE_WIDTH);
    assert_int_equal(uidrange_spare("0 100000 65536\n", &s), 0);
    assert_int_equal(s.first, 0x8000);
    assert_int_equal(s.first + s.count, 60000);
    assert_int_equal(uidrange_spare("0 1000 1\n1 100000 1048576\n", &s), 0);
    assert_int_equal(s.first, 65536);
    assert_int_equal(s.first + s.count, 1048577);
    assert_int_equal(uidrange_spare("0 1000 1\n", &s), -ENOENT);
    assert_int_equal(uidrange_spare("0 100000 33000\n", &s), -ENOENT);
    assert_int_equal(uidrange_spare("", &s), -ENOENT);
}

static bool overlap(const struct uidrange *a, const struct uidrange *b) {
    unsigned width = a->count + (a->mode == UIDS_ROOT); /* there inside 0 is of the range, too */
    return a->base < b->base + width && b->base < a->base + width;
}

static void engines_do_not_share(void **state) {
    (void)state;
    struct uidrange a, b;
    assert_int_equal(uidrange_acquire(&a, NULL), 0);
    if (a.mode == UIDS_PLAIN) {
        assert_true(a.why[0] && a.count == 0 && a.base == geteuid() && a.lock_fd == -1);
        print_message("plain: %s\n", a.why);
        return;
    }
    assert_int_equal(uidrange_acquire(&b, NULL), 0);
    assert_int_equal(b.mode, a.mode);
    assert_false(overlap(&a, &b));
    /* A range lives as long as any copy of its descriptor. */
    uid_t base = a.base;
    int copy = dup(a.lock_fd);
    uidrange_release(&a);
    assert_int_equal(a.mode, UIDS_PLAIN);
    assert_int_equal(uidrange_acquire(&a, NULL), 0);
    assert_int_not_equal(a.base, base);
    close(copy);
    /* Others may be using ranges meanwhile, so it need not come back at once. */
    for (int i = 0; i < 1000 && a.base != base; i++) {
        uidrange_release(&a);
        assert_int_equal(uidrange_acquire(&a, NULL), 0);
        usleep(1000);
    }
    assert_int_equal(a.base, base);
    uidrange_release(&a);
    uidrange_release(&b);
}

/* Whether a child of this one could become inside uid `id`. */
static bool can_become(uid_t id) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(setresgid(id, id, id) < 0 || setresuid(id, id, id) < 0);
    return ended_well(pid);
}

static const char *see_the_map(struct cgroup_root *root) {
    (void)root;
    EXPECT(getuid() == 0 && getgid() == 0);
    char text[256];
    unsigned inside = 9, outside, count;
    EXPECT(read_file_at(AT_FDCWD, "/proc/self/uid_map", text, sizeof text) > 0);
    EXPECT(sscanf(text, "%u %u %u", &inside, &outside, &count) == 3 && inside == 0);
    bool alone = count == 1 && !strchr(strchr(text, '\n') + 1, '\n');
    EXPECT(can_become(1) == !alone);
    EXPECT(can_become(15) == !alone);
    EXPECT(!can_become(UIDRANGE_WIDTH + 1));
    return NULL;
}

static void a_namespace_is_mapped(void **state) {
    (void)state;
    as_supervisor(see_the_map);
}

static void a_dead_target_is_an_error(void **state) {
    (void)state;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    assert_true(ended_well(pid));
    struct uidrange range;
    struct retort_error err = ERR_INIT;
    assert_int_equal(uidrange_acquire(&range, &err), 0);
    assert_true(uidrange_map(&range, pid, &err) < 0);
    assert_string_equal(err.layer, "user");
    uidrange_release(&range);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_widest_entry_counts),
        cmocka_unit_test(broken_entries_do_not),
        cmocka_unit_test(names_come_from_passwd),
        cmocka_unit_test(root_takes_what_its_namespace_has),
        cmocka_unit_test(engines_do_not_share),
        cmocka_unit_test(a_namespace_is_mapped),
        cmocka_unit_test(a_dead_target_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
