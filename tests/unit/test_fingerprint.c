/* What is written down of an image: links of it lead nowhere but into it. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/host/fingerprint.h"

static char place[] = "/tmp/retort-fingerprint-XXXXXX";

static const char *below(const char *path) {
    static char whole[256];
    snprintf(whole, sizeof whole, "%s/%s", place, path);
    return whole;
}

static void make_dir(const char *path) {
    assert_int_equal(make_path(below(path), 0700), 0);
}

static void make_link(const char *path, const char *target) {
    assert_int_equal(symlink(target, below(path)), 0);
}

static int begin(void **state) {
    (void)state;
    char outside[128];
    assert_non_null(mkdtemp(place));
    snprintf(outside, sizeof outside, "%s/host", place);
    make_dir("host/python3.9/dist-packages/hostonly-6.6.dist-info");
    make_dir("image/root/usr/local");
    make_dir("image/root/usr/bin");
    make_dir("image/root/usr/lib");
    make_dir("image/root/opt/own/site-packages/imageonly-7.7.dist-info");
    make_link("image/root/usr/lib/python3.9", "/opt/own");
    make_link("image/root/usr/local/lib", outside);
    make_link("image/root/usr/bin/python3", "/etc/passwd");
    return 0;
}

static int end(void **state) {
    (void)state;
    static const char *const made[] = {"image/root/usr/bin/python3", "image/root/usr/local/lib",
                                       "image/root/usr/lib/python3.9"};
    static const char *const dirs[] = {"image/root/opt/own/site-packages/imageonly-7.7.dist-info",
                                       "image/root/opt/own/site-packages",
                                       "image/root/opt/own",
                                       "image/root/opt",
                                       "image/root/usr/lib",
                                       "image/root/usr/bin",
                                       "image/root/usr/local",
                                       "image/root/usr",
                                       "image/root",
                                       "image",
                                       "host/python3.9/dist-packages/hostonly-6.6.dist-info",
                                       "host/python3.9/dist-packages",
                                       "host/python3.9",
                                       "host"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        unlink(below(made[i]));
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
        rmdir(below(dirs[i]));
    return rmdir(place);
}

static void links_of_an_image(void **state) {
    (void)state;
    struct ctl_environment env = {.image = true, .interpreter = "/usr/bin/python3"};
    snprintf(env.packages, sizeof env.packages, "%s", below("image"));
    json_t *all = fingerprint(&env, LANG_PYTHON, fingerprint_packages(&env));
    scoped_free char *packages = json_dumps(json_object_get(all, "packages"), JSON_COMPACT);
    assert_string_equal(packages, "{\"imageonly\":\"7.7\"}");
    assert_true(json_is_null(json_object_get(all, "interpreter")));
    json_decref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(links_of_an_image)};
    return cmocka_run_group_tests(tests, begin, end);
}
