/* The observation: complete for small results, within its budget for any. */
#include "agent/run/observe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *parse(const char *text) {
    json_error_t error;
    json_t *o = json_loads(text, 0, &error);
    if (!o)
        print_error("%s\n", error.text);
    assert_non_null(o);
    return o;
}

static void expect(const char *result, const char *const *parts) {
    json_t *o = parse(result);
    scoped_buf out = BUF_INIT(100000);
    assert_int_equal(observe_result(o, NULL, OBSERVE_BUDGET, &out), 0);
    for (; *parts; parts++)
        if (!strstr(out.data, *parts))
            fail_msg("\"%s\" is not in:\n%s", *parts, out.data);
    json_decref(o);
}

static void success(void **state) {
    (void)state;
    expect("{\"cell\": 3, \"status\": \"ok\", \"stdout\": \"hello\\n\","
           " \"value\": {\"text/plain\": \"10466\"},"
           " \"variables\": [{\"name\": \"x\", \"type\": \"int\", \"change\": \"new\"},"
           "                 {\"name\": \"old\", \"type\": \"int\", \"change\": \"same\"}],"
           " \"files\": [{\"path\": \"chart.png\", \"size\": 14211, \"change\": \"created\"}],"
           " \"plots\": [{\"path\": \"chart.png\", \"chart\": {\"type\": \"bar\"}}],"
           " \"dataframes\": [{\"name\": \"df\", \"repr\": \"  a\\n0 1\", \"shape\": [47, 6]}],"
           " \"resources\": {\"wall_ms\": 3.1, \"peak_memory_mb\": 71.2}, \"state\": \"kept\"}",
           (const char *const[]){"[cell 3: ok, 3 ms, 71 MB]", "stdout:\nhello\n", "value: 10466",
                                 "variables: x: int\n", "chart.png (created, 14211 bytes)",
                                 "{\"type\":\"bar\"}", "df: DataFrame, 47 rows, 6 columns", NULL});
}

static void an_error_is_told(void **state) {
    (void)state;
    expect(
        "{\"cell\": 2, \"status\": \"error\", \"state\": \"kept\", \"error\":"
        " {\"name\": \"AttributeError\", \"message\": \"module 'math' has no attribute 'squrt'\","
        "  \"source\": \"  1 | math.squrt(2)\\n      ^^^^^^^^^^\", \"values\": {\"x\": \"5\"},"
        "  \"hint\": \"did you mean sqrt?\"}}",
        (const char *const[]){"AttributeError: module 'math'", "math.squrt(2)", "  x = 5",
                              "hint: did you mean sqrt?", "is kept", NULL});
    expect("{\"cell\": 2, \"status\": \"timeout\", \"state\": \"rolled_back\"}",
           (const char *const[]){"endless loop", "as they were before", NULL});
}

static void never_over_budget(void **state) {
    (void)state;
    char *big = malloc(300001);
    assert_non_null(big);
    for (size_t i = 0; i < 300000; i += 3)
        memcpy(big + i, "\xe2\x82\xac", 3);
    big[300000] = 0;
    json_t *o = json_pack("{s:i,s:s,s:s,s:s,s:{s:s},s:{s:s,s:s,s:s,s:s}}", "cell", 1, "status",
                          "error", "stdout", big, "stderr", big, "value", "text/plain", big,
                          "error", "name", "E", "message", big, "source", big, "hint", "h");
    assert_non_null(o);
    static const size_t budgets[] = {300, 1000, 8000, 50000};
    for (size_t i = 0; i < 4; i++) {
        scoped_buf out = BUF_INIT(1000000);
        assert_int_equal(observe_result(o, "note", budgets[i], &out), 0);
        assert_true(out.len <= budgets[i]);
        json_t *valid = json_stringn(out.data, out.len);
        assert_non_null(valid); /* no character was cut in two */
        json_decref(valid);
    }
    json_decref(o);
    free(big);
}

static void cut_says_how_to_read_on(void **state) {
    (void)state;
    scoped_buf out = BUF_INIT(10000);
    char text[5000];
    memset(text, 'x', sizeof text);
    assert_int_equal(observe_cut(text, sizeof text, 1100, 7, &out), 0);
    assert_non_null(strstr(out.data, "[4000 characters omitted, read the rest with output(7, 600, "
                                     "4600)]"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success),
        cmocka_unit_test(an_error_is_told),
        cmocka_unit_test(never_over_budget),
        cmocka_unit_test(cut_says_how_to_read_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
