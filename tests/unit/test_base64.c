#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"

static void text_is_as_the_standard_says(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xfb\xff", "+/8="}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *text = base64_text(pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(text, pairs[i][1]);
        free(text);
    }
}

static void bytes_come_back(void **state) {
    (void)state;
    unsigned char data[600];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t len = 1; len <= sizeof data; len++) {
        char *text = base64_text(data, len), *back = NULL;
        size_t n = 0;
        assert_int_equal(base64_bytes(text, strlen(text), &back, &n), 0);
        assert_int_equal(n, len);
        assert_memory_equal(back, data, len);
        free(text);
        free(back);
    }
}

static void buffers_take_the_same(void **state) {
    (void)state;
    char data[300];
    for (size_t len = 0; len < sizeof data; len++) {
        scoped_buf text = BUF_INIT(1000), back = BUF_INIT(1000);
        data[len] = (char)(len * 37);
        assert_int_equal(buf_adds(&back, "before "), 0);
        assert_int_equal(base64_encode(&text, data, len), 0);
        assert_int_equal(base64_decode(&back, text.data ? text.data : "", text.len), 0);
        assert_int_equal(back.len, 7 + len);
        assert_memory_equal(back.data + 7, data, len);
    }
    scoped_buf small = BUF_INIT(7);
    assert_int_equal(base64_encode(&small, data, 6), -ENOSPC);
    assert_int_equal(small.len, 0);
}

static void anything_else_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",     "Z",        "Zg",     "Zg=",  "Zh==", "Zm9=", "====",
                                      "Z===", "Zg==Zg==", "Zm9v\n", "Zm 9", "Zm_v", "=g==", "Zg=A"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *back = NULL;
        size_t n = 0;
        assert_true(base64_bytes(bad[i], strlen(bad[i]), &back, &n) < 0);
        assert_null(back);
        scoped_buf out = BUF_INIT(100);
        assert_int_equal(base64_decode(&out, bad[i], strlen(bad[i])), bad[i][0] ? -EINVAL : 0);
        assert_int_equal(out.len, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_as_the_standard_says),
        cmocka_unit_test(bytes_come_back),
        cmocka_unit_test(buffers_take_the_same),
        cmocka_unit_test(anything_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
