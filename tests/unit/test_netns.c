/* Network namespaces that are used again: what tells one that is as new from one that is not. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "as_supervisor.h"
#include "base/io.h"
#include "sandbox/netns.h"

static struct netns_state fresh, now;

static bool is_as_new(void) {
    return netns_read(&now) == 0 && netns_equal(&now, &fresh);
}

static int enter_new(void) {
    int fd = netns_make();
    return fd < 0 || setns(fd, CLONE_NEWNET) < 0 ? -1 : fd;
}

static int sending(int family, const char *address, bool sends) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9)};
    struct sockaddr_in6 b = {.sin6_family = AF_INET6, .sin6_port = htons(9)};
    bool six = family == AF_INET6;
    inet_pton(family, address, six ? (void *)&b.sin6_addr : (void *)&a.sin_addr);
    int s = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int r =
        connect(s, six ? (struct sockaddr *)&b : (struct sockaddr *)&a, six ? sizeof b : sizeof a);
    if (r == 0 && sends)
        r = (int)send(s, "x", 1, 0);
    close(s);
    return r;
}

static const char *new_ones_are_alike(struct cgroup_root *root) {
    (void)root;
    EXPECT(enter_new() >= 0 && netns_read(&fresh) == 0);
    for (int i = 0; i < 3; i++)
        EXPECT(enter_new() >= 0 && is_as_new());
    return NULL;
}

static const char *what_is_open_is_seen(struct cgroup_root *root) {
    (void)root;
    EXPECT(enter_new() >= 0 && netns_read(&fresh) == 0);
    static const int kinds[][2] = {
        {AF_INET, SOCK_STREAM}, {AF_INET6, SOCK_DGRAM}, {AF_UNIX, SOCK_DGRAM}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int s = socket(kinds[i][0], kinds[i][1] | SOCK_CLOEXEC, 0);
        EXPECT(s >= 0 && !is_as_new());
        close(s);
        EXPECT(is_as_new());
    }
    return NULL;
}

static const char *what_was_sent_is_seen(struct cgroup_root *root) {
    (void)root;
    static const struct {
        int family;
        const char *address;
        bool sends;
    } uses[] = {{AF_INET, "127.0.0.1", true},
                {AF_INET6, "::1", true},
                {AF_INET6, "::1", false}, /* a cached route, which IPv6 counts */
                {AF_INET, "10.1.2.3", false},
                {AF_INET6, "fd00::1", false}};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        EXPECT(enter_new() >= 0 && netns_read(&fresh) == 0);
        sending(uses[i].family, uses[i].address, uses[i].sends);
        EXPECT(!is_as_new());
    }
    return NULL;
}

/* Only looks for a route. A kernel that does not count that keeps it in the cache at most, which we
 * empty. */
static const char *what_looks_for_a_route(struct cgroup_root *root) {
    (void)root;
    EXPECT(enter_new() >= 0 && netns_read(&fresh) == 0);
    bool counts = strstr(fresh.text, "\ngets = ");
    EXPECT(sending(AF_INET, "127.0.0.1", false) == 0 && is_as_new() == !counts);
    EXPECT(netns_read(&fresh) == 0 && netns_forget_routes() == 0 && is_as_new());
    return NULL;
}

/* Another one's files would be read if the kernel took them from its cache of names. */
static const char *each_is_read_where_one_stands(struct cgroup_root *root) {
    (void)root;
    int clean = enter_new();
    EXPECT(clean >= 0 && netns_read(&fresh) == 0);
    int used = enter_new();
    EXPECT(used >= 0 && sending(AF_INET, "127.0.0.1", true) >= 0);
    for (int i = 0; i < 3; i++) {
        EXPECT(setns(clean, CLONE_NEWNET) == 0 && is_as_new());
        EXPECT(setns(used, CLONE_NEWNET) == 0 && !is_as_new());
    }
    return NULL;
}

/* Nobody but who made it has a right over it, and its files are nobody's. */
static const char *it_belongs_to_nobody_inside(struct cgroup_root *root) {
    (void)root;
    struct stat st;
    EXPECT(enter_new() >= 0);
    EXPECT(stat("/proc/self/net/dev", &st) == 0 && st.st_uid != 0);
    EXPECT(unshare(CLONE_NEWUSER) == 0); /* every capability, but in another user namespace */
    EXPECT(netns_raise_loopback() == -EPERM && netns_forget_routes() < 0);
    return NULL;
}

static void nothing_known_equals_nothing(void **state) {
    (void)state;
    struct netns_state *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    assert_true(a && b);
    assert_false(netns_equal(a, b));
    a->len = b->len = 3;
    memcpy(a->text, "abc", 3);
    memcpy(b->text, "abc", 3);
    assert_true(netns_equal(a, b));
    b->text[2] = 'd';
    assert_false(netns_equal(a, b));
    b->len = 2;
    assert_false(netns_equal(a, b));
    free(a);
    free(b);
}

static void a_new_one_is_like_all_new_ones(void **state) {
    (void)state;
    as_supervisor(new_ones_are_alike);
}

static void sockets_that_are_open_are_seen(void **state) {
    (void)state;
    as_supervisor(what_is_open_is_seen);
}

static void whatever_was_sent_is_seen(void **state) {
    (void)state;
    as_supervisor(what_was_sent_is_seen);
}

static void a_route_that_was_looked_for_is_seen_where_it_is_counted(void **state) {
    (void)state;
    as_supervisor(what_looks_for_a_route);
}

static void the_right_one_is_read(void **state) {
    (void)state;
    as_supervisor(each_is_read_where_one_stands);
}

static void nobody_inside_owns_it(void **state) {
    (void)state;
    as_supervisor(it_belongs_to_nobody_inside);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_known_equals_nothing),
        cmocka_unit_test(a_new_one_is_like_all_new_ones),
        cmocka_unit_test(sockets_that_are_open_are_seen),
        cmocka_unit_test(whatever_was_sent_is_seen),
        cmocka_unit_test(a_route_that_was_looked_for_is_seen_where_it_is_counted),
        cmocka_unit_test(the_right_one_is_read),
        cmocka_unit_test(nobody_inside_owns_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
