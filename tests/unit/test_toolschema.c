/* The part of JSON Schema that tools' arguments are checked against. */
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/toolschema.h"
#include "serve/hosted/json.h"

static const struct {
    const char *schema, *value, *why; /* why: NULL if it fits */
} cases[] = {
    {"{}", "1", NULL},
    {"true", "1", NULL},
    {"false", "1", "/: is not allowed"},
    {"{\"type\":\"string\"}", "\"a\"", NULL},
    {"{\"type\":\"string\"}", "1", "/: must be of type string"},
    {"{\"type\":\"integer\"}", "1.0", NULL},
    {"{\"type\":\"integer\"}", "1e300", NULL},
    {"{\"type\":\"integer\"}", "1.5", "/: must be of type integer"},
    {"{\"type\":\"number\"}", "1", NULL},
    {"{\"type\":\"boolean\"}", "1", "/: must be of type boolean"},
    {"{\"type\":[\"string\",\"null\"]}", "null", NULL},
    {"{\"type\":[\"string\",\"null\"]}", "1", "/: is of no type that is allowed"},
    {"{\"enum\":[1,\"a\"]}", "\"a\"", NULL},
    {"{\"enum\":[1,\"a\"]}", "2", "/: is not one of the allowed values"},
    {"{\"const\":{\"a\":1}}", "{\"a\":1}", NULL},
    {"{\"const\":1}", "2", "/: is not the allowed value"},
    {"{\"required\":[\"a\"]}", "{\"b\":1}", "/: lacks a"},
    {"{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":1}", "/a: must be of type string"},
    {"{\"properties\":{\"a\":{}},\"additionalProperties\":false}", "{\"a\":1,\"b\":2}",
     "/: has an unknown member b"},
    {"{\"additionalProperties\":{\"type\":\"number\"}}", "{\"b\":\"x\"}",
     "/b: must be of type number"},
    {"{\"items\":{\"type\":\"number\"}}", "[1,\"x\"]", "/1: must be of type number"},
    {"{\"items\":{\"items\":{\"type\":\"number\"}}}", "[[1],[2,null]]",
     "/1/1: must be of type number"},
    {"{\"minItems\":2}", "[1]", "/: has too few items"},
    {"{\"maxItems\":1}", "[1,2]", "/: has too many items"},
    {"{\"minLength\":2}", "\"\u00e9\"", "/: is too short"},
    {"{\"maxLength\":1}", "\"\u00e9\"", NULL},
    {"{\"maxLength\":1}", "\"ab\"", "/: is too long"},
    {"{\"minimum\":2}", "2", NULL},
    {"{\"minimum\":2}", "1.9", "/: is too small"},
    {"{\"maximum\":2}", "2.1", "/: is too large"},
    {"{\"exclusiveMinimum\":2}", "2", "/: is too small"},
    {"{\"exclusiveMaximum\":2}", "2", "/: is too large"},
    {"{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":3}]}", "4", NULL},
    {"{\"anyOf\":[{\"type\":\"string\"},{\"minimum\":3}]}", "2",
     "/: fits none of the alternatives"},
    {"{\"oneOf\":[{\"minimum\":1},{\"minimum\":3}]}", "4", "/: must fit exactly one alternative"},
    {"{\"oneOf\":[{\"minimum\":1},{\"minimum\":3}]}", "2", NULL},
    {"{\"allOf\":[{\"minimum\":1},{\"maximum\":3}]}", "4", "/: is too large"},
    {"{\"not\":{\"type\":\"string\"}}", "\"a\"", "/: fits what it must not fit"},
    {"{\"not\":{\"type\":\"string\"}}", "1", NULL},
    {"{\"title\":\"t\",\"description\":\"d\",\"default\":1,\"format\":\"date\"}", "4", NULL},
};

static void values_fit_or_say_why_not(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scoped_json *schema = json_loads(cases[i].schema, JSON_DECODE_ANY, NULL);
        scoped_json *value = json_loads(cases[i].value, JSON_DECODE_ANY, NULL);
        char why[200] = "";
        int r = toolschema_check(schema, value, why, sizeof why);

        assert_non_null(schema);
        assert_non_null(value);
        if ((r == 0) != !cases[i].why || (cases[i].why && strcmp(why, cases[i].why) != 0))
            fail_msg("%s with %s: %s", cases[i].schema, cases[i].value, why);
        assert_int_equal(toolschema_supported(schema, why, sizeof why), 0);
    }
}

static void unknown_keywords_are_refused(void **state) {
    (void)state;
    const char *bad[] = {"{\"$ref\":\"http://x\"}",
                         "{\"pattern\":\"a*\"}",
                         "[]",
                         "1",
                         "{\"properties\":{\"a\":{\"$ref\":\"#\"}}}",
                         "{\"not\":{\"if\":{}}}",
                         "{\"type\":[1]}",
                         "{\"type\":1}",
                         "{\"type\":[]}",
                         "{\"type\":\"int\"}",
                         "{\"enum\":1}",
                         "{\"required\":[1]}",
                         "{\"required\":true}",
                         "{\"properties\":[]}",
                         "{\"items\":[{}]}",
                         "{\"minLength\":\"2\"}",
                         "{\"maxItems\":-1}",
                         "{\"minimum\":\"2\"}",
                         "{\"uniqueItems\":true}",
                         "{\"anyOf\":[]}",
                         "{\"additionalProperties\":1}",
                         "{\"anyOf\":[{\"if\":{}}]}"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scoped_json *schema = json_loads(bad[i], JSON_DECODE_ANY, NULL);
        char why[200] = "";

        if (toolschema_supported(schema, why, sizeof why) != -EINVAL)
            fail_msg("%s was taken", bad[i]);
    }
}

/* The path in a reason has a fixed size: deep values must not write past it. */
static void deep_paths_are_cut(void **state) {
    (void)state;
    scoped_json *value = json_string("x"), *schema = json_pack("{s:s}", "type", "number");
    char why[300];

    for (int i = 0; i < 60; i++) {
        value = json_pack("{s:o}", "a-rather-long-name", value);
        schema = json_pack("{s:{s:o}}", "properties", "a-rather-long-name", schema);
    }
    assert_int_equal(toolschema_check(schema, value, why, sizeof why), -EINVAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_fit_or_say_why_not),
        cmocka_unit_test(unknown_keywords_are_refused),
        cmocka_unit_test(deep_paths_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
