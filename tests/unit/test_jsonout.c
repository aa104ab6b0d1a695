/* Numbers come out with the fewest digits, and nothing else is touched. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonout.h"
#include "base/jsonshape.h"
#include "base/scope.h"
#include "serve/hosted/json.h"

static const struct {
    double value;
    const char *text;
} numbers[] = {
    {0.1, "0.1"},
    {1.0 / 3, "0.3333333333333333"},
    {2.2, "2.2"},
    {0.067831, "0.067831"},
    {0.1 + 0.2, "0.30000000000000004"},
    {-0.0, "-0.0"},
    {3, "3.0"},
    {1e15, "1e+15"},
    {1e300, "1e+300"},
    {5e-324, "4.94065645841247e-324"},
    {1.7976931348623157e308, "1.7976931348623157e+308"},
    {123456789.125, "123456789.125"},
};

static void numbers_have_the_fewest_digits(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_t *value = json_pack("[f]", numbers[i].value);
        scoped_free char *text = json_out(value, JSON_COMPACT);
        char expected[64];

        snprintf(expected, sizeof expected, "[%s]", numbers[i].text);
        assert_string_equal(text, expected);
        json_t *again = json_loads(text, 0, NULL);
        assert_true(json_real_value(json_array_get(again, 0)) == numbers[i].value);
        json_decref(again);
        json_decref(value);
    }
}

static void every_number_comes_back_as_it_was(void **state) {
    (void)state;
    srand48(7);
    for (int i = 0; i < 20000; i++) {
        double v = ldexp(drand48() - 0.5, (int)(drand48() * 600) - 300);
        json_t *value = json_real(v);
        scoped_free char *text = json_out(value, JSON_ENCODE_ANY);

        assert_true(strtod(text, NULL) == v);
        json_decref(value);
    }
}

static void strings_that_look_like_numbers_stay(void **state) {
    (void)state;
    static const char text[] =
        "{\"0.10000000000000001\":\"0.10000000000000001\",\"q\":\"\\\"2.20000000000000018"
        "\\\"\",\"n\":\"\\n1.50000000000000000\\n\",\"i\":12345678901,\"b\":[true,null,{},[]]}";
    json_t *value = json_loads(text, 0, NULL);
    scoped_free char *out = json_out(value, JSON_COMPACT);

    assert_string_equal(out, text);
    json_decref(value);
}

static void flags_are_those_of_jansson(void **state) {
    (void)state;
    json_t *value = json_pack("{s:f, s:i}", "b", 0.1, "a", 1);
    scoped_free char *text = json_out(value, JSON_INDENT(1) | JSON_SORT_KEYS);

    assert_string_equal(text, "{\n \"a\": 1,\n \"b\": 0.1\n}");
    json_decref(value);
}

static void doors_and_logs_write_so_too(void **state) {
    (void)state;
    json_t *entry = json_pack("{s:f}", "ms", 0.067831);
    scoped_buf line = BUF_INIT(100);
    scoped_free char *text = serve_json_text(entry);

    assert_int_equal(buf_json(&line, entry), 0);
    assert_string_equal(line.data, "{\"ms\":0.067831}");
    assert_string_equal(text, line.data);
    json_decref(entry);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    scoped_buf small = BUF_INIT(4);
    json_t *value = json_pack("[f]", 0.25);

    assert_true(json_out_buf(&small, value, JSON_COMPACT) < 0);
    json_decref(value);
}

static void shape_is_known_without_parsing(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t depth, values;
    } cases[] = {{"", 0, 1},
                 {"1", 0, 1},
                 {"[[[]]]", 3, 4},
                 {"[[],[]]", 2, 5},
                 {"{\"a\":[1,2],\"b\":{}}", 2, 6},
                 {"\"[[[,\\\"[[[\"", 0, 1},
                 {"]]]][", 1, 2},
                 {"\"\\", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json_shape shape = json_shape(cases[i].text, strlen(cases[i].text));
        assert_int_equal(shape.depth, cases[i].depth);
        assert_int_equal(shape.values, cases[i].values);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shape_is_known_without_parsing),
        cmocka_unit_test(numbers_have_the_fewest_digits),
        cmocka_unit_test(every_number_comes_back_as_it_was),
        cmocka_unit_test(strings_that_look_like_numbers_stay),
        cmocka_unit_test(flags_are_those_of_jansson),
        cmocka_unit_test(doors_and_logs_write_so_too),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
