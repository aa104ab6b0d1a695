/* The table of methods against itself, against docs/rpc.md and the types
 * of the TypeScript client, and against wrong parameters. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "fake_engine.h"
#include "serve/hosted/json.h"
#include "serve/rpc/methods.h"

static int check(const char *method, const char *params, struct retort_error *error) {
    scoped_json *value = json_loads(params, JSON_ALLOW_NUL, NULL);

    assert_non_null(value);
    return methods_check(methods_find(method), value, error);
}

static void examples_fit_their_own_description(void **state) {
    (void)state;
    for (size_t i = 0; i < methods_count(); i++) {
        struct retort_error error = {0};
        scoped_json *answer = json_loads(methods[i].answer, 0, NULL);

        if (check(methods[i].name, methods[i].example, &error) < 0)
            fail_msg("%s: %s", methods[i].name, error.message);
        assert_non_null(answer);
        for (const struct method_field *f = methods[i].result; f->name; f++)
            if (f->required && !json_object_get(answer, f->name))
                fail_msg("%s: the example's answer lacks %s", methods[i].name, f->name);
        assert_ptr_equal(methods_find(methods[i].name), &methods[i]);
    }
}

static const struct {
    const char *method, *params, *message;
} wrong[] = {
    {"session.create", "{\"colour\":1}", "unknown field colour"},
    {"session.create", "{\"limits\":{\"tiemout\":1}}", "unknown field limits.tiemout"},
    {"session.create", "{\"limits\":5}", "limits must be an object"},
    {"session.create", "{\"limits\":{\"timeout\":-1}}",
     "limits.timeout must be a number that is not negative"},
    {"session.create", "{\"limits\":{\"memory\":1.5}}",
     "limits.memory must be a whole number that is not negative"},
    {"session.create", "{\"language\":\"perl\"}",
     "language must be one of python|sql|bash|javascript|typescript"},
    {"session.create", "{\"language\":\"pyth\"}",
     "language must be one of python|sql|bash|javascript|typescript"},
    {"session.create", "{\"files\":[{\"text\":\"x\"}]}", "the field files.path is missing"},
    {"session.create", "{\"files\":[\"x\"]}", "files[0] must be an object"},
    {"session.create", "{\"record\":\"no\"}", "record must be a boolean"},
    {"session.execute", "{\"session\":\"s\"}", "the field code is missing"},
    {"session.execute", "{\"session\":\"s\",\"code\":\"1\",\"limits\":{\"memory\":1}}",
     "unknown field limits.memory"},
    {"session.execute", "{\"session\":1,\"code\":\"1\"}", "session must be a string"},
    {"session.execute", "{\"session\":\"a\\u0000b\",\"code\":\"1\"}",
     "session holds a NUL character"},
    {"session.list", "{\"session\":\"s\"}", "unknown field session"},
    {"files.read", "{\"session\":\"s\",\"path\":\"p\",\"offset\":-1}",
     "offset must be a whole number that is not negative"},
};

static void wrong_parameters_are_refused_by_name(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct retort_error error = {0};

        assert_int_equal(check(wrong[i].method, wrong[i].params, &error), -EINVAL);
        assert_string_equal(error.message, wrong[i].message);
        assert_int_equal(error.fault, RETORT_FAULT_CALLER);
    }
}

static void no_parameters_are_no_fields(void **state) {
    (void)state;
    struct retort_error error = {0};

    assert_int_equal(methods_check(methods_find("session.list"), NULL, &error), 0);
    assert_int_equal(methods_check(methods_find("session.info"), NULL, &error), -EINVAL);
    assert_int_equal(check("session.execute", "{\"session\":\"s\",\"code\":\"a\\u0000b\"}", &error),
                     0);
}

/* With RETORT_UPDATE=1 the file is written instead: `RETORT_UPDATE=1 build/tests/test_methods`. */
static void file_is_up_to_date(const char *path, int (*make)(struct buf *out)) {
    scoped_buf made = BUF_INIT(1 << 20), stored = BUF_INIT(1 << 20);
    const char *update = getenv("RETORT_UPDATE");
    FILE *file;
    char block[4096];
    size_t n;

    assert_int_equal(make(&made), 0);
    if (update && update[0]) {
        file = fopen(path, "we");
        assert_non_null(file);
        fwrite(made.data, 1, made.len, file);
        fclose(file);
    }
    file = fopen(path, "re");
    assert_non_null(file);
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        buf_add(&stored, block, n);
    fclose(file);
    assert_string_equal(stored.data, made.data);
}

static void reference_page_is_up_to_date(void **state) {
    (void)state;
    file_is_up_to_date("docs/rpc.md", methods_reference);
}

static void types_are_up_to_date(void **state) {
    (void)state;
    file_is_up_to_date("clients/typescript/methods.d.ts", methods_types);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_fit_their_own_description),
        cmocka_unit_test(wrong_parameters_are_refused_by_name),
        cmocka_unit_test(no_parameters_are_no_fields),
        cmocka_unit_test(reference_page_is_up_to_date),
        cmocka_unit_test(types_are_up_to_date),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
