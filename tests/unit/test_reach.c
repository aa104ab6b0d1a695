/* Whom a session that installs may connect to. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "engine/host/packages.h"
#include "environments/reach.h"

static void rules_are(const char *index, const char *registry, const char *addresses,
                      const char *expected) {
    struct retort_error err = ERR_INIT;
    json_t *list = addresses ? json_loads(addresses, 0, NULL) : NULL;
    char *text = NULL;
    assert_int_equal(reach_rules(index, registry, list, &text, &err), 0);
    json_t *network = json_loads(text, 0, NULL), *wanted = json_loads(expected, 0, NULL);
    assert_true(json_equal(json_object_get(network, "rules"), wanted));
    json_decref(network);
    json_decref(wanted);
    json_decref(list);
    free(text);
}

static void the_index_alone(void **state) {
    (void)state;
    rules_are(NULL, NULL, NULL, "[]");
    rules_are("/srv/wheels", NULL, NULL, "[]");
    rules_are("https://index.example/simple/", NULL, NULL,
              "[{\"host\": \"index.example\", \"ports\": [443]}]");
    rules_are("http://user:word@index.example:8080", "https://npm.example", NULL,
              "[{\"host\": \"index.example\", \"ports\": [8080]}, {\"host\": \"npm.example\", "
              "\"ports\": [443]}]");
    rules_are("https://pypi.org/simple", NULL, NULL,
              "[{\"host\": \"pypi.org\", \"ports\": [443]}, {\"host\": \"files.pythonhosted.org\", "
              "\"ports\": [443]}]");
}

static void an_address_goes_with_its_host(void **state) {
    (void)state;
    rules_are("http://index.lan:80/", NULL, "[\"index.lan=10.0.0.7\", \"other=10.0.0.8\"]",
              "[{\"host\": \"index.lan\", \"ports\": [80], \"address\": \"10.0.0.7\"}]");
}

static void addresses_have_colons(void **state) {
    (void)state;
    rules_are("http://[fd00::7]:8080/simple", NULL, NULL,
              "[{\"host\": \"[fd00::7]\", \"ports\": [8080]}]");
    rules_are("http://[fd00::7]/simple", NULL, NULL,
              "[{\"host\": \"[fd00::7]\", \"ports\": [80]}]");
}

static void what_is_no_address_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"http://",         "https://:80/", "http://a:0/",
                                      "http://a:99999/", "http://a:x/",  "http://a:80x/",
                                      "http://[::1/"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct retort_error err = ERR_INIT;
        char *text = NULL;
        assert_true(reach_rules(bad[i], NULL, NULL, &text, &err) < 0);
        assert_null(text);
    }
}

static void names_and_passwords_are_not_shown(void **state) {
    (void)state;
    static const struct {
        const char *kept, *shown;
    } cases[] = {
        {"https://a:b@index.example/simple", "https://index.example/simple"},
        {"-i http://a@x/\nplain @ https://a:b@c@y/z.whl", "-i http://x/\nplain @ https://y/z.whl"},
        {"git+ssh://git@x/y", "git+ssh://git@x/y"},
        {"git+ssh://git:word@x/y", "git+ssh://x/y"},
        {"plain==1.0", "plain==1.0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = packages_public(cases[i].kept);
        assert_string_equal(text, cases[i].shown);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_index_alone),
        cmocka_unit_test(an_address_goes_with_its_host),
        cmocka_unit_test(addresses_have_colons),
        cmocka_unit_test(what_is_no_address_is_refused),
        cmocka_unit_test(names_and_passwords_are_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
