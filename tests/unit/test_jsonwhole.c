/* Every allocation of a reading fails once, alone and with all that follow: nothing breaks, nothing is
 * half read, nothing is left. */
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

static int left, held;
static bool for_good, failed;

static void *take(size_t size) {
    if (left > 0 && --left == 0) {
        left = for_good;
        failed = true;
        return NULL;
    }
    held++;
    return malloc(size);
}

static void give(void *taken) {
    held -= taken != NULL;
    free(taken);
}

/* jansson has 16 bytes for a token, which it doubles: what comes then is the end of a string, the one
 * after a number, a character of several bytes, an escape, the end of the text. */
static const char *const texts[] = {
    "{\"method\": \"session.create\", \"id\": 4}",
    "[123456789012345]",
    "[-12345678901234, 1234567890.1234, 12345678.123e10]",
    "[\"1234567890123\xf0\x9f\x98\x80 and more\"]",
    "[\"12345678901234\\u00e4\\ud83d\\ude00\\\\\", \"\\\"\"]",
    "\"0123456789012345678901234567890123456789012345678901234567890123456789\"",
    "{\"0123456789012345678901234567890\": {\"a\": [true, null, []], \"b\": \"01234567890123\"}}",
    "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10}",
    "12345678901234",
    "123456789012345",
};

static json_t *read_with(int nth, const char *text, json_error_t *error) {
    left = nth;
    failed = false;
    json_t *value = json_in_text(text, JSON_DECODE_ANY, error);
    left = 0;
    return value;
}

static void every_failure(const char *text) {
    json_error_t error;
    json_t *whole = read_with(0, text, &error), *value = NULL;
    int before = held;
    assert_non_null(whole);
    for (int nth = 1; !value; nth++) {
        value = read_with(nth, text, &error);
        assert_true(failed ? !value && json_in_short(&error) : json_equal(value, whole));
        if (!value)
            assert_int_equal(held, before);
    }
    json_decref(value);
    json_decref(whole);
}

static void an_allocation_that_fails(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        for_good = i;
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            every_failure(texts[k]);
    }
    assert_int_equal(held, 0);
}

static void what_is_no_json(void **state) {
    (void)state;
    json_error_t error;
    assert_null(json_in("[1, 2", 5, 0, &error));
    assert_false(json_in_short(&error));
    assert_string_equal(error.text, "']' expected near end of file");
    assert_null(json_in_text("", 0, &error));
    assert_false(json_in_short(&error));
    assert_null(json_in_text(NULL, 0, NULL));
    assert_null(json_in("[1]\n\n x", 7, 0, &error));
    assert_int_equal(error.line, 3);
}

static void a_file_of_several_pieces(void **state) {
    (void)state;
    scoped_fd fd = memfd_create("json", MFD_CLOEXEC);
    assert_int_equal(write_all(fd, "[\"", 2), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(write_all(fd, "0123456789", 10), 0);
    assert_int_equal(write_all(fd, "\"]", 2), 0);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    json_t *value = json_in_fd(fd, 0, NULL);
    assert_int_equal(json_string_length(json_array_get(value, 0)), 10000);
    json_decref(value);
}

static json_t *made_in_pieces(void) {
    json_t *o = json_object();
    json_object_set_new(o, "name", json_string("a name"));
    json_object_set_new(o, "list", json_pack("[i,s]", 1, "two"));
    json_object_set_new(o, "end", json_integer(3));
    return o;
}

/* What lost a piece is an object like any other: only the mark tells. */
static void a_piece_that_is_missing(void **state) {
    json_t *whole = made_in_pieces(), *made;
    (void)state;
    for_good = false;
    for (int nth = 1;; nth++) {
        unsigned mark = json_mark();
        left = nth;
        failed = false;
        made = made_in_pieces();
        left = 0;
        assert_int_equal(json_lost(mark), failed);
        assert_false(json_lost(json_mark()));
        assert_true(failed || json_equal(made, whole));
        json_decref(made);
        if (!failed)
            break;
    }
    json_decref(whole);
    assert_int_equal(held, 0);
}

static void *lose_a_piece(void *user) {
    unsigned mark = json_mark();
    left = 1;
    json_t *none = json_string("x");
    left = 0;
    *(bool *)user = !none && json_lost(mark);
    return NULL;
}

static void a_piece_of_another_thread(void **state) {
    unsigned mark = json_mark();
    bool lost = false;
    pthread_t thread;
    (void)state;
    for_good = false;
    assert_int_equal(pthread_create(&thread, NULL, lose_a_piece, &lost), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(lost);
    assert_false(json_lost(mark));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allocation_that_fails),  cmocka_unit_test(what_is_no_json),
        cmocka_unit_test(a_file_of_several_pieces),  cmocka_unit_test(a_piece_that_is_missing),
        cmocka_unit_test(a_piece_of_another_thread),
    };
    json_set_alloc_funcs(take, give);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
