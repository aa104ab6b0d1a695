#include "unit.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"

static void starts_empty_and_allocates_nothing(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(10);
    assert_null(b.data);
    buf_reset(&b);
    buf_drop(&b, 5);
    assert_int_equal(b.len, 0);
}

static void appends_and_terminates(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(100);
    assert_int_equal(buf_adds(&b, "ab"), 0);
    assert_int_equal(buf_add(&b, "\0c", 2), 0);
    assert_int_equal(buf_printf(&b, "%03d", 7), 0);
    assert_int_equal(b.len, 7);
    assert_memory_equal(b.data, "ab\0c007", 8);
}

/* Every maximum from 0 to a few growth steps: exactly `max` bytes fit, one more does not. */
static void holds_exactly_its_maximum(void **state) {
    (void)state;
    for (size_t max = 0; max < 300; max++) {
        scoped_buf b = BUF_INIT(max);
        for (size_t i = 0; i < max; i++)
            assert_int_equal(buf_add(&b, "x", 1), 0);
        assert_int_equal(buf_add(&b, "x", 1), -ENOSPC);
        assert_int_equal(buf_printf(&b, "y"), -ENOSPC);
        assert_int_equal(b.len, max);
        if (max)
            assert_int_equal(strlen(b.data), max);
    }
}

static void refuses_lengths_that_would_wrap(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(64);
    assert_int_equal(buf_adds(&b, "abc"), 0);
    assert_int_equal(buf_reserve(&b, SIZE_MAX), -ENOSPC);
    assert_int_equal(buf_reserve(&b, SIZE_MAX - 2), -ENOSPC);
    assert_int_equal(buf_reserve(&b, 62), -ENOSPC);
    assert_int_equal(buf_reserve(&b, 61), 0);
    assert_string_equal(b.data, "abc");
}

static void a_failed_append_changes_nothing(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(4);
    assert_int_equal(buf_adds(&b, "abc"), 0);
    assert_int_equal(buf_adds(&b, "de"), -ENOSPC);
    assert_int_equal(buf_printf(&b, "%s", "de"), -ENOSPC);
    assert_string_equal(b.data, "abc");
    assert_int_equal(b.len, 3);
    assert_int_equal(buf_adds(&b, "d"), 0);
    assert_true(b.lost); /* "abcd" lacks what came between */
    buf_reset(&b);
    assert_false(b.lost);
    assert_int_equal(buf_adds(&b, "abcd"), 0);
    assert_false(b.lost);
}

static void drops_from_the_front(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(10);
    assert_int_equal(buf_adds(&b, "0123456789"), 0);
    buf_drop(&b, 0);
    assert_string_equal(b.data, "0123456789");
    buf_drop(&b, 3);
    assert_string_equal(b.data, "3456789");
    assert_int_equal(buf_adds(&b, "abc"), 0);
    assert_string_equal(b.data, "3456789abc");
    buf_drop(&b, 99);
    assert_int_equal(b.len, 0);
    assert_string_equal(b.data, "");
}

static void is_usable_again_after_done(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(10);
    assert_int_equal(buf_adds(&b, "one"), 0);
    buf_done(&b);
    assert_null(b.data);
    assert_int_equal(buf_adds(&b, "two"), 0);
    assert_string_equal(b.data, "two");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty_and_allocates_nothing),
        cmocka_unit_test(appends_and_terminates),
        cmocka_unit_test(holds_exactly_its_maximum),
        cmocka_unit_test(refuses_lengths_that_would_wrap),
        cmocka_unit_test(a_failed_append_changes_nothing),
        cmocka_unit_test(drops_from_the_front),
        cmocka_unit_test(is_usable_again_after_done),
    };
    return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
