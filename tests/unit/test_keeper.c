/* The keeper answers for paths of every root and for those the broker has named, and for no others.
 * Who may copy a mount gets one; who may not is refused by the kernel, with another word. */
#include "unit.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "supervisor/supervisor.h"

struct supervisor sup; /* of an ordinary user, who makes no device nodes */

static int asked[2], named[2];
static pid_t keeper;

static int start(void **state) {
    (void)state;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, asked) < 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET, 0, named) < 0)
        return -1;
    keeper = fork();
    if (keeper == 0) {
        close(asked[0]);
        close(named[0]);
        keeper_serve(asked[1], named[1], "/tmp/guest");
        _exit(0);
    }
    close(asked[1]);
    close(named[1]);
    return keeper < 0;
}

static int end(void **state) {
    (void)state;
    close(asked[0]);
    close(named[0]);
    return waitpid(keeper, NULL, 0) != keeper;
}

/* 0 and a descriptor, or why not. */
static int ask(const char *path) {
    struct supervisor s = {.keeper_sock = asked[0]};
    int r = keeper_open(&s, path);
    if (r >= 0)
        close(r);
    return r < 0 ? r : 0;
}

static void name(const char *path) {
    assert_int_equal(packet_send(named[0], path, strlen(path), NULL, 0), 0);
}

static void what_every_root_has_is_given(void **state) {
    (void)state;
    assert_int_not_equal(ask("/usr"), -EACCES);
    assert_int_equal(ask("/tmp/guest"), ask("/usr") == 0 ? -ENOENT : ask("/usr"));
}

static void nothing_else_is(void **state) {
    (void)state;
    const char *const others[] = {"/",           "/etc", "/home",     "/root", "/usr/",
                                  "/usr/../etc", "usr",  "tmp/guest", "/proc", "/tmp",
                                  "/usr/bin",    ".",    "//usr"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(ask(others[i]), -EACCES);
}

static void what_the_broker_names_is_given(void **state) {
    (void)state;
    assert_int_equal(ask("/var"), -EACCES);
    for (int i = 0; i < 1000; i++) /* it is heard while nobody asks */
        name("/var");
    assert_int_not_equal(ask("/var"), -EACCES);
    assert_int_equal(ask("/var/lib"), -EACCES);
    name("relative");
    assert_int_equal(ask("relative"), -EACCES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_every_root_has_is_given, start, end),
        cmocka_unit_test_setup_teardown(nothing_else_is, start, end),
        cmocka_unit_test_setup_teardown(what_the_broker_names_is_given, start, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
