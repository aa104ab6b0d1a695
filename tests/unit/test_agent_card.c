/* Cards of data files: what they say, and that no bytes can spoil a prompt. */
#include "agent/tools/file_card.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *name, const char *data, size_t len, const char *const *parts) {
    scoped_buf out = BUF_INIT(1u << 20);
    assert_int_equal(card_add(name, data, len, &out), 0);
    for (; *parts; parts++)
        if (!strstr(out.data, *parts))
            fail_msg("\"%s\" is not in:\n%s", *parts, out.data);
    json_t *valid = json_stringn(out.data, out.len);
    assert_non_null(valid);
    json_decref(valid);
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void tables_have_a_card(void **state) {
    (void)state;
    const char *csv = "id,name,price,when,ok\r\n"
                      "1,\"Smith, John\",3.50,2024-01-05,true\r\n"
                      "2,\"say \"\"hi\"\"\",-7,2024-02-06,false\r\n"
                      "3,,12.25,2024-03-07,true\r\n";
    expect("a.csv", csv, strlen(csv),
           PARTS("3 rows, 5 columns, delimiter \",\", UTF-8", "- id: integer, 1 to 3",
                 "- name: text, such as Smith, John, say \"hi\", 1 empty",
                 "- price: number, -7 to 12.25", "- when: date, such as 2024-01-05",
                 "- ok: boolean", "    1,\"Smith, John\",3.50"));
}

static void delimiters(void **state) {
    (void)state;
    expect("a.csv", "a;b\n1,5;2\n", 10, PARTS("delimiter \";\"", "1 rows, 2 columns"));
    expect("a.tsv", "a\tb\n1\t2\n", 8, PARTS("delimiter tab"));
    expect("a.csv", "a|b\n1|2\n", 8, PARTS("delimiter \"|\""));
}

static void encodings(void **state) {
    (void)state;
    expect("a.csv", "\xef\xbb\xbfname\nx\n", 11, PARTS("byte order mark", "- name: text"));
    expect("a.csv", "name\nM\xfcller\n", 12, PARTS("not UTF-8", "M?ller"));
}

static void ragged_rows_are_counted(void **state) {
    (void)state;
    expect("a.csv", "a,b\n1,2\n1,2,3\n", 14, PARTS("1 rows have another number of fields"));
}

static void json_has_a_card(void **state) {
    (void)state;
    const char *json = "[{\"a\": 1, \"b\": {\"c\": [1.5, 2]}}, {\"a\": 2}]";
    expect("a.json", json, strlen(json),
           PARTS("list of 2, the first: {a: integer, b: {c: list of 2, the first: number}}"));
    expect("a.json", "{oops", 5, PARTS("not one JSON value"));
}

static void other_files(void **state) {
    (void)state;
    expect("a.bin", "\0\1\2", 3, PARTS("a.bin: binary, 3 bytes"));
    expect("a.txt", "one\ntwo\n", 8, PARTS("    one\n    two"));
    expect("a.csv", "", 0, PARTS("0 rows"));
}

static void any_bytes(void **state) {
    (void)state;
    srand(11);
    for (int round = 0; round < 2000; round++) {
        size_t len = (size_t)rand() % 300;
        char *data = malloc(len ? len : 1);
        assert_non_null(data);
        for (size_t i = 0; i < len; i++)
            data[i] = rand() % 3 ? ",;\t|\"\n\r1.5-xe\xc3\xa4"[rand() % 15] : (char)rand();
        expect(round % 2 ? "a.csv" : "a.json", data, len, PARTS("a."));
        free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_a_card), cmocka_unit_test(delimiters),
        cmocka_unit_test(encodings),          cmocka_unit_test(ragged_rows_are_counted),
        cmocka_unit_test(json_has_a_card),    cmocka_unit_test(other_files),
        cmocka_unit_test(any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
