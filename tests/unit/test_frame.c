#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "wire/frame.h"

static void round_trips_every_kind_of_field(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(1000);
    assert_int_equal(frame_begin(&b, FRAME_RESULT), 0);
    assert_int_equal(frame_put_int(&b, F_KIND, -2), 0);
    assert_int_equal(frame_put_text(&b, F_ERROR_NAME, "KeyError"), 0);
    assert_int_equal(frame_put(&b, F_DATA, "\0\xff", 2), 0);
    assert_int_equal(frame_put(&b, F_VALUE, "", 0), 0);
    assert_int_equal(frame_end(&b, 0), 0);

    struct frame f;
    assert_int_equal(frame_peek(b.data, b.len, &f), b.len);
    assert_int_equal(f.type, FRAME_RESULT);
    assert_int_equal(frame_check(&f), 0);

    size_t pos = 0;
    struct field field;
    int64_t value;
    assert_int_equal(frame_next(&f, &pos, &field), 1);
    assert_int_equal(field.tag, F_KIND);
    assert_true(field_int(&field, &value));
    assert_int_equal(value, -2);
    assert_int_equal(frame_next(&f, &pos, &field), 1);
    assert_int_equal(field.len, 8);
    assert_memory_equal(field.data, "KeyError", 8);
    assert_int_equal(frame_next(&f, &pos, &field), 1);
    assert_memory_equal(field.data, "\0\xff", 2);
    assert_false(field_int(&field, &value));
    assert_int_equal(frame_next(&f, &pos, &field), 1);
    assert_int_equal(field.len, 0);
    assert_int_equal(frame_next(&f, &pos, &field), 0);
}

static void a_short_header_is_not_yet_a_frame(void **state) {
    (void)state;
    const char head[FRAME_HEAD] = {[4] = FRAME_READY};
    struct frame f;
    for (size_t len = 0; len < FRAME_HEAD; len++)
        assert_int_equal(frame_peek(head, len, &f), 0);
    assert_int_equal(frame_peek(head, FRAME_HEAD, &f), FRAME_HEAD);
    assert_int_equal(frame_check(&f), 0);
}

static void refuses_lengths_past_the_maximum(void **state) {
    (void)state;
    static const struct {
        uint32_t len;
        bool good;
    } cases[] = {{0, true},         {MAX_FRAME, true},       {MAX_FRAME + 1, false},
                 {1u << 31, false}, {(1u << 31) - 1, false}, {UINT32_MAX, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char head[FRAME_HEAD] = {[4] = FRAME_READY};
        for (int byte = 0; byte < 4; byte++)
            head[byte] = (char)(cases[i].len >> (8 * byte));
        struct frame f;
        int64_t r = frame_peek(head, sizeof head, &f);
        assert_int_equal(r, cases[i].good ? (int64_t)FRAME_HEAD + cases[i].len : -EPROTO);
    }
}

static void refuses_unknown_types_and_reserved_bits(void **state) {
    (void)state;
    struct frame f;
    for (int type = 0; type < 256; type++) {
        const char head[FRAME_HEAD] = {[4] = (char)type};
        bool known = (type >= FRAME_READY && type <= FRAME_LISTING) ||
                     (type >= FRAME_HELLO && type <= FRAME_ANEW);
        assert_int_equal(frame_peek(head, sizeof head, &f), known ? FRAME_HEAD : -EPROTO);
    }
    for (int byte = 5; byte < FRAME_HEAD; byte++) {
        char head[FRAME_HEAD] = {[4] = FRAME_READY};
        head[byte] = 1;
        assert_int_equal(frame_peek(head, sizeof head, &f), -EPROTO);
    }
}

/* The payload stands in a heap block of its exact size, so that a sanitizer sees any read past it.
 */
static int check_payload(const void *payload, size_t len) {
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    memcpy(copy, payload, len);
    struct frame f = {.type = FRAME_RESULT, .len = (uint32_t)len, .payload = copy};
    int r = frame_check(&f);
    free(copy);
    return r;
}

static void refuses_malformed_fields(void **state) {
    (void)state;
    const char good[] = {F_DATA, 0, 0, 0, 2, 0, 0, 0, 'a', 'b'};
    assert_int_equal(check_payload(good, sizeof good), 0);
    for (size_t len = 1; len < sizeof good; len++)
        assert_int_equal(check_payload(good, len), -EPROTO);
    for (int byte = 1; byte < 4; byte++) {
        char bad[sizeof good];
        memcpy(bad, good, sizeof good);
        bad[byte] = 1;
        assert_int_equal(check_payload(bad, sizeof bad), -EPROTO);
    }
    static const unsigned char tags[] = {0, F_TAG_MAX, 255};
    for (size_t i = 0; i < sizeof tags; i++) {
        char bad[sizeof good];
        memcpy(bad, good, sizeof good);
        bad[0] = (char)tags[i];
        assert_int_equal(check_payload(bad, sizeof bad), -EPROTO);
    }
    const char huge[] = {F_DATA, 0, 0, 0, (char)255, (char)255, (char)255, (char)255, 'a', 'b'};
    assert_int_equal(check_payload(huge, sizeof huge), -EPROTO);
}

static void counts_fields(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT((MAX_FIELDS + 1) * FIELD_HEAD);
    for (int i = 0; i < MAX_FIELDS; i++)
        assert_int_equal(frame_put(&b, F_NOTE, "", 0), 0);
    assert_int_equal(check_payload(b.data, b.len), 0);
    assert_int_equal(frame_put(&b, F_NOTE, "", 0), 0);
    assert_int_equal(check_payload(b.data, b.len), -EPROTO);
}

static void writing_stops_at_the_buffers_maximum(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(FRAME_HEAD + FIELD_HEAD + 3);
    assert_int_equal(frame_begin(&b, FRAME_CELL), 0);
    assert_int_equal(frame_put_text(&b, F_CODE, "1+11"), -ENOSPC);
    buf_reset(&b);
    assert_int_equal(frame_end(&b, 0), -ENOSPC);
    assert_int_equal(frame_put(&b, F_CODE, "", (size_t)MAX_FRAME + 1), -ENOSPC);
}

static void frames_follow_each_other_in_one_buffer(void **state) {
    (void)state;
    scoped_buf b = BUF_INIT(200);
    for (int i = 0; i < 3; i++) {
        size_t begin = b.len;
        assert_int_equal(frame_begin(&b, FRAME_CELL), 0);
        assert_int_equal(frame_put_int(&b, F_CELL, i), 0);
        assert_int_equal(frame_end(&b, begin), 0);
    }
    for (int i = 0; i < 3; i++) {
        struct frame f;
        struct field field;
        size_t pos = 0;
        int64_t value, size = frame_peek(b.data, b.len, &f);
        assert_int_equal(size, FRAME_HEAD + FIELD_HEAD + 8);
        assert_int_equal(frame_next(&f, &pos, &field), 1);
        assert_true(field_int(&field, &value));
        assert_int_equal(value, i);
        buf_drop(&b, (size_t)size);
    }
    assert_int_equal(b.len, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips_every_kind_of_field),
        cmocka_unit_test(a_short_header_is_not_yet_a_frame),
        cmocka_unit_test(refuses_lengths_past_the_maximum),
        cmocka_unit_test(refuses_unknown_types_and_reserved_bits),
        cmocka_unit_test(refuses_malformed_fields),
        cmocka_unit_test(counts_fields),
        cmocka_unit_test(writing_stops_at_the_buffers_maximum),
        cmocka_unit_test(frames_follow_each_other_in_one_buffer),
    };
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}
