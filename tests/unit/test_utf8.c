/* Characters of one to four bytes, whole, cut and broken. */
#include "unit.h"

#include <string.h>

#include "base/utf8.h"

static size_t length(const char *text) {
    return utf8_length((const unsigned char *)text, strlen(text));
}

static void only_well_formed_characters_have_a_length(void **state) {
    (void)state;
    assert_int_equal(length("a"), 1);
    assert_int_equal(length("\xc3\xa9"), 2);
    assert_int_equal(length("\xe2\x82\xac"), 3);
    assert_int_equal(length("\xf0\x9f\x98\x80"), 4);
    static const char *const broken[] = {"\x80",
                                         "\xc0\x80",
                                         "\xe0\x80\x80",
                                         "\xed\xa0\x80",
                                         "\xf4\x90\x80\x80",
                                         "\xe2\x82",
                                         "\xc3"
                                         "a",
                                         "\xff"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        assert_int_equal(length(broken[i]), 0);
}

static void texts_are_cut_between_characters(void **state) {
    (void)state;
    const char *text = "a\xe2\x82\xac"
                       "b";
    static const size_t whole[] = {0, 1, 1, 1, 4, 5};
    for (size_t most = 0; most < sizeof whole / sizeof *whole; most++)
        assert_int_equal(utf8_cut(text, most), whole[most]);
    assert_int_equal(utf8_count(text, strlen(text)), 3);
}

static void what_has_begun_is_kept_for_later(void **state) {
    (void)state;
    assert_int_equal(utf8_unfinished("a", 1), 0);
    assert_int_equal(utf8_unfinished("a\xc3", 2), 1);
    assert_int_equal(utf8_unfinished("a\xc3\xa9", 3), 0);
    assert_int_equal(utf8_unfinished("\xf0\x9f\x98", 3), 3);
    assert_int_equal(utf8_unfinished("\x80\x80\x80\x80", 4), 0);
}

static void copies_have_whole_characters(void **state) {
    (void)state;
    char to[5];
    utf8_copy(to, sizeof to,
              "a\x80"
              "b\xe2\x82\xac");
    assert_string_equal(to, "a?b");
    utf8_copy(to, sizeof to, "a\xe2\x82\xac");
    assert_string_equal(to, "a\xe2\x82\xac");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_well_formed_characters_have_a_length),
        cmocka_unit_test(texts_are_cut_between_characters),
        cmocka_unit_test(what_has_begun_is_kept_for_later),
        cmocka_unit_test(copies_have_whole_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
