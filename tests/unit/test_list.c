/* src/base/list.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/list.h"

struct node {
    struct node *next;
};

static void an_item_is_dropped_wherever_it_stands(void **state) {
    (void)state;
    struct node c = {NULL}, b = {&c}, a = {&b}, *list = &a;

    LIST_DROP(list, &b, next);
    assert_ptr_equal(list, &a);
    assert_ptr_equal(a.next, &c);
    LIST_DROP(list, &a, next);
    assert_ptr_equal(list, &c);
    LIST_DROP(list, &c, next);
    assert_null(list);
}

static void an_array_grows_when_it_is_full(void **state) {
    (void)state;
    size_t room = 0;
    int *list = NULL;

    for (int i = 0; i < 100; i++) {
        int *grown = list_grow(list, (size_t)i, &room, sizeof *list);

        assert_non_null(grown);
        assert_true(room > (size_t)i);
        list = grown;
        list[i] = i;
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(list[i], i);
    assert_int_equal(room, 128);
    free(list);
}

static void an_array_that_cannot_grow_stays(void **state) {
    (void)state;
    volatile size_t most = SIZE_MAX / 4; /* the compiler would say that it is too much */
    size_t room = most;

    assert_null(list_grow(NULL, room, &room, 8));
    assert_int_equal(room, SIZE_MAX / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_dropped_wherever_it_stands),
        cmocka_unit_test(an_array_grows_when_it_is_full),
        cmocka_unit_test(an_array_that_cannot_grow_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
