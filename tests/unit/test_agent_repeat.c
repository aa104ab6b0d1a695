/* Circles are noticed when the rules say so, and placeholders are found and filled. */
#include "agent/claims/template.h"
#include "agent/run/repeat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Steps by letter; verdicts: . new, h hint, F fresh start, S stop, A alternating. */
static void expect(const char *steps, const char *verdicts) {
    static const char letters[] = ".hFSA";
    struct repeat r = {0};
    for (size_t i = 0; steps[i]; i++)
        assert_int_equal(letters[repeat_add(&r, (uint64_t)steps[i])], verdicts[i]);
}

static void circles(void **state) {
    (void)state;
    expect("ABCDEF", "......");
    expect("AAAAAA", ".hF.hS");
    expect("AABAAA", ".h..hF");
    expect("AAABBBAAA", ".hF.hS.hS");
    expect("ABABAB", ".....A");
    expect("AAAABABAB", ".hF.....A");
}

static uint64_t fingerprint(const char *result, const char *code) {
    json_t *o = json_loads(result, 0, NULL);
    assert_non_null(o);
    uint64_t h = repeat_of_result(o, code);
    json_decref(o);
    return h;
}

static void fingerprints(void **state) {
    (void)state;
    const char *a = "{\"status\":\"error\",\"error\":{\"name\":\"KeyError\",\"message\":\"7 at "
                    "0x7f12\",\"line\":2}}";
    const char *b = "{\"status\":\"error\",\"error\":{\"name\":\"KeyError\",\"message\":\"8 at "
                    "0x55aa\",\"line\":1}}";
    const char *c = "{\"status\":\"error\",\"error\":{\"name\":\"TypeError\",\"message\":\"7 at "
                    "0x7f12\",\"line\":2}}";
    assert_true(fingerprint(a, "x = 1\ny[k]") == fingerprint(b, "y[k]"));
    assert_true(fingerprint(a, "x = 1\ny[k]") != fingerprint(c, "x = 1\ny[k]"));
    assert_true(fingerprint(a, "x = 1\ny[k]") != fingerprint(a, "x = 1\nz[k]"));
    assert_true(fingerprint("{\"status\":\"ok\"}", "a") != fingerprint("{\"status\":\"ok\"}", "b"));
}

static void expect_code(const char *answer, int count, const char *expected) {
    scoped_buf code = BUF_INIT(10000);
    assert_int_equal(template_code(answer, &code), count);
    if (count)
        assert_string_equal(code.data, expected);
}

static void placeholders_are_noticed(void **state) {
    (void)state;
    expect_code("nothing here", 0, "");
    expect_code("{{x}}", 1, "final_answer([format((x), \"\")])");
    expect_code("{{ x:.2f }}", 1, "final_answer([format((x), \".2f\")])");
    expect_code("{{x:.2f}} and {{len(d)}}", 2,
                "final_answer([format((x), \".2f\"), format((len(d)), \"\")])");
    expect_code("{{d['a:b']:,}}", 1, "final_answer([format((d['a:b']), \",\")])");
    expect_code("{{{1: 2}[1]}}", 1, "final_answer([format(({1: 2}[1]), \"\")])");
    expect_code("{{x[1:2]}}", 1, "final_answer([format((x[1:2]), \"\")])");
    expect_code("{{}} and {{ }}", 0, "");
}

static void fill(void **state) {
    (void)state;
    json_t *values = json_pack("[s,s]", "41.25", "7"), *spans, *first;
    scoped_buf out = BUF_INIT(1000);
    assert_int_equal(template_fill("mean {{x:.2f}} of {{n}}.", values, &out, &spans), 0);
    assert_string_equal(out.data, "mean 41.25 of 7.");
    first = json_array_get(spans, 0);
    assert_int_equal(json_integer_value(json_object_get(first, "start")), 5);
    assert_int_equal(json_integer_value(json_object_get(first, "end")), 10);
    assert_string_equal(json_string_value(json_object_get(first, "expression")), "x");
    json_decref(spans);
    json_decref(values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles),
        cmocka_unit_test(fingerprints),
        cmocka_unit_test(placeholders_are_noticed),
        cmocka_unit_test(fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
