/* Entries as messages of the log: what is written can be read, and what is no letter is refused. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/letter.h"

static const char body[] =
    "{\"blob\":\"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\","
    "\"cell\":1}";

static struct buf written(void) {
    struct buf text = BUF_INIT(1 << 20);
    struct letter_bytes bytes = {.data = "abc", .len = 3};
    struct log_letter letter = {.node = "host_0123", .bytes = &bytes, .count = 1};
    struct ledger_record *r = &letter.record;

    hash_bytes("abc", 3, &bytes.hash);
    hash_bytes("entry", 5, &r->hash);
    memset(r->salt, 0xa5, SALT_SIZE);
    snprintf(r->session, sizeof r->session, "s_child");
    snprintf(r->parent, sizeof r->parent, "s_parent");
    r->seq = 7;
    r->kind = LEDGER_CELL_INTENT;
    r->time = 1234567890123;
    r->body = body;
    r->len = strlen(body);
    r->parent_seq = 4;
    letter.after = 12;
    assert_int_equal(letter_write(&letter, &text), 0);
    return text;
}

static void what_is_written_can_be_read(void **state) {
    struct buf text = written();
    struct log_letter got;
    size_t len;

    (void)state;
    assert_int_equal(letter_read(text.data, text.len, &got, &len), 0);
    assert_int_equal(len, text.len);
    assert_string_equal(got.node, "host_0123");
    assert_int_equal(got.after, 12);
    assert_string_equal(got.record.session, "s_child");
    assert_string_equal(got.record.parent, "s_parent");
    assert_int_equal(got.record.parent_seq, 4);
    assert_int_equal(got.record.seq, 7);
    assert_int_equal(got.record.kind, LEDGER_CELL_INTENT);
    assert_int_equal(got.record.time, 1234567890123);
    assert_int_equal(got.record.salt[3], 0xa5);
    assert_int_equal(got.record.len, strlen(body));
    assert_memory_equal(got.record.body, body, strlen(body));
    assert_int_equal(got.record.refs.count, 1);
    assert_int_equal(got.count, 1);
    assert_true(hash_equal(&got.bytes[0].hash, &got.record.refs.hashes[0]));
    assert_memory_equal(got.bytes[0].data, "abc", 3);
    letter_done(&got);
    buf_done(&text);
}

static void what_was_cut_is_none(void **state) {
    struct buf text = written();
    struct log_letter got;
    size_t ignored;

    (void)state;
    for (size_t len = 0; len < text.len; len++)
        assert_int_equal(letter_read(text.data, len, &got, &ignored), -EBADMSG);
    buf_done(&text);
}

static void letters_follow_each_other_in_a_message(void **state) {
    struct buf text = written(), second = written();
    struct log_letter got;
    size_t one = text.len, len;

    (void)state;
    assert_int_equal(buf_add(&text, second.data, second.len), 0);
    assert_int_equal(buf_add(&text, "x", 1), 0);
    assert_int_equal(letter_read(text.data, text.len, &got, &len), 0);
    assert_int_equal(len, one);
    letter_done(&got);
    assert_int_equal(letter_read(text.data + one, text.len - one, &got, &len), 0);
    assert_int_equal(len, one);
    assert_memory_equal(got.bytes[0].data, "abc", 3);
    letter_done(&got);
    assert_int_equal(letter_read(text.data + 2 * one, 1, &got, &len), -EBADMSG);
    buf_done(&second);
    buf_done(&text);
}

static void what_the_first_version_wrote_can_be_read(void **state) {
    struct buf text = written();
    struct log_letter got;
    size_t len;

    (void)state;
    char *version = strstr(text.data, "\"v\":2");
    assert_non_null(version);
    version[4] = '1';
    assert_int_equal(letter_read(text.data, text.len, &got, &len), 0);
    letter_done(&got);
    buf_done(&text);
}

static void what_a_newer_retort_wrote_is_named(void **state) {
    static const char later[] = "{\"v\":3}\n";
    struct log_letter got;
    size_t len;

    (void)state;
    assert_int_equal(letter_read(later, strlen(later), &got, &len), -EPROTO);
}

static void what_is_no_letter_is_refused(void **state) {
    static const char *const none[] = {
        "",
        "\n",
        "[]\n",
        "{\"v\":1}\n",
        "{\"v\":1,\"kind\":\"cell_intent\",\"seq\":-1}\n",
        "{\"v\":1,\"kind\":\"nothing\",\"seq\":1}\n",
        "{\"v\":1,\"session\":1,\"kind\":\"cell_intent\",\"seq\":1}\n",
    };
    struct log_letter got;
    size_t len;

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(letter_read(none[i], strlen(none[i]), &got, &len), -EBADMSG);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_can_be_read),
        cmocka_unit_test(what_was_cut_is_none),
        cmocka_unit_test(letters_follow_each_other_in_a_message),
        cmocka_unit_test(what_the_first_version_wrote_can_be_read),
        cmocka_unit_test(what_a_newer_retort_wrote_is_named),
        cmocka_unit_test(what_is_no_letter_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
