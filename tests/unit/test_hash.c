#include "unit.h"

#include <errno.h>

#include "base/hash.h"

static const char abc[] = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

static void knows_the_standard_vector(void **state) {
    (void)state;
    struct hash h;
    char text[HASH_TEXT_SIZE];
    assert_int_equal(hash_bytes("abc", 3, &h), 0);
    hash_text(&h, text);
    assert_string_equal(text, abc);
}

static void pieces_give_the_same_as_the_whole(void **state) {
    (void)state;
    struct hash h, whole;
    struct hasher *hasher = hasher_new();
    assert_non_null(hasher);
    assert_int_equal(hasher_add(hasher, "a", 1), 0);
    assert_int_equal(hasher_add(hasher, "bc", 2), 0);
    assert_int_equal(hasher_finish(hasher, &h), 0);
    hasher_free(hasher);
    hash_bytes("abc", 3, &whole);
    assert_true(hash_equal(&h, &whole));
}

static void reads_its_own_text_and_nothing_else(void **state) {
    (void)state;
    struct hash h, whole;
    hash_bytes("abc", 3, &whole);
    assert_int_equal(hash_parse(abc, &h), 0);
    assert_true(hash_equal(&h, &whole));
    assert_int_equal(hash_parse(abc + 7, &h), 0);
    static const char *const bad[] = {
        "",
        "sha256:",
        "sha256:ba78",
        "md5:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha256:BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0",
        "sha256:ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(hash_parse(bad[i], &h), -EINVAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_the_standard_vector),
        cmocka_unit_test(pieces_give_the_same_as_the_whole),
        cmocka_unit_test(reads_its_own_text_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
