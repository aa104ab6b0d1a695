/* Messages say what was asked of them, once, and whose fault it was stays known. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void a_message_is_what_was_written(void **state) {
    struct retort_error err;
    (void)state;
    assert_int_equal(err_set(&err, ERR_CALLER, ENOENT, "no session %s", "s_1"), -ENOENT);
    assert_string_equal(err.message, "no session s_1");
    assert_int_equal(err.fault, RETORT_FAULT_CALLER);
    assert_int_equal(err_set(&err, ERR_BUG, 0, "no reason"), -EIO);
    assert_int_equal(err.code, 0);
}

static void no_memory_is_the_hosts_fault(void **state) {
    struct retort_error err;
    (void)state;
    assert_int_equal(err_memory(&err), -ENOMEM);
    assert_string_equal(err.message, "out of memory");
    assert_int_equal(err.fault, RETORT_FAULT_HOST);
    assert_int_equal(err_memory(NULL), -ENOMEM);
}

static void what_errno_means_follows_where_it_is_asked_for(void **state) {
    struct retort_error err;
    (void)state;
    assert_int_equal(err_errno(&err, ERR_HOST, ENOSPC, "cannot write"), -ENOSPC);
    assert_string_equal(err.message, "cannot write: No space left on device");
    err_layer(&err, "uid", EPERM, "taking a uid");
    assert_string_equal(err.message, "taking a uid: Operation not permitted");
    assert_string_equal(err.layer, "uid");
}

static void a_wrapped_error_keeps_its_fault(void **state) {
    struct retort_error err;
    (void)state;
    err_layer(&err, "cgroup", EPERM, "making a cgroup");
    assert_int_equal(err_wrap(&err, "session %d", 7), -EPERM);
    assert_string_equal(err.message, "session 7: making a cgroup: Operation not permitted");
    assert_int_equal(err.fault, RETORT_FAULT_HOST);
    assert_string_equal(err.layer, "cgroup");
}

static void a_long_message_is_cut(void **state) {
    char text[1000];
    struct retort_error err;
    (void)state;
    memset(text, 'x', sizeof text);
    err_errno(&err, ERR_HOST, EIO, "%.*s", (int)sizeof text, text);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
    err_wrap(&err, "%.*s", (int)sizeof text, text);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

static void nobody_needs_to_listen(void **state) {
    (void)state;
    assert_int_equal(err_set(NULL, ERR_HOST, EIO, "unheard"), -EIO);
    assert_int_equal(err_errno(NULL, ERR_HOST, EIO, "unheard"), -EIO);
    assert_int_equal(err_wrap(NULL, "unheard"), -EIO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_what_was_written),
        cmocka_unit_test(no_memory_is_the_hosts_fault),
        cmocka_unit_test(what_errno_means_follows_where_it_is_asked_for),
        cmocka_unit_test(a_wrapped_error_keeps_its_fault),
        cmocka_unit_test(a_long_message_is_cut),
        cmocka_unit_test(nobody_needs_to_listen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
