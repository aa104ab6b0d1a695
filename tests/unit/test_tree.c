/* Trees of files as streams: what is made of a good one, and which are refused. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "environments/tree.h"

static char place[64];
static int stream = -1, dir = -1;

static int begin(void **state) {
    (void)state;
    snprintf(place, sizeof place, "%s", "/tmp/retort-tree-XXXXXX");
    assert_non_null(mkdtemp(place));
    dir = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    stream = memfd_create("tree", MFD_CLOEXEC);
    return dir < 0 || stream < 0;
}

static int end(void **state) {
    (void)state;
    assert_int_equal(tree_empty(dir), 0);
    assert_int_equal(rmdir(place), 0);
    close(dir);
    close(stream);
    return 0;
}

static void put(const char *bytes, size_t len) {
    assert_int_equal(write_all(stream, bytes, len), 0);
}

static void put_entry(char kind, const char *path, const char *data) {
    unsigned char head[TREE_HEAD] = {(unsigned char)kind, (unsigned char)strlen(path)};
    head[5] = (unsigned char)strlen(data);
    put((const char *)head, sizeof head);
    put(path, strlen(path));
    put(data, strlen(data));
}

static int unpack_with(uint64_t bytes, uint64_t entries, struct hash *ret) {
    struct tree_bounds bounds = {.bytes = bytes, .entries = entries};
    struct retort_error err = ERR_INIT;
    assert_int_equal(lseek(stream, 0, SEEK_SET), 0);
    return tree_unpack(stream, dir, &bounds, ret, &err);
}

static int unpack(void) {
    struct hash hash;
    return unpack_with(1000, 100, &hash);
}

static mode_t mode_of(const char *path) {
    struct stat st;
    assert_int_equal(fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW), 0);
    return st.st_mode;
}

static void a_tree_is_made_and_named(void **state) {
    (void)state;
    struct hash hash, whole;
    char text[64] = "", stored[512];
    put(TREE_MAGIC, strlen(TREE_MAGIC));
    put_entry('d', "a", "");
    put_entry('f', "a/b", "contents");
    put_entry('l', "a/l", "../c");
    put_entry('x', "c", "");
    assert_int_equal(unpack_with(1000, 100, &hash), 0);
    assert_int_equal(mode_of("a"), S_IFDIR | 0755);
    assert_int_equal(mode_of("a/b"), S_IFREG | 0444);
    assert_int_equal(mode_of("c"), S_IFREG | 0555);
    assert_true(S_ISLNK(mode_of("a/l")));
    assert_int_equal(read_file_at(dir, "a/b", text, sizeof text), 8);
    assert_string_equal(text, "contents");
    ssize_t n = pread(stream, stored, sizeof stored, 0);
    hash_bytes(stored, (size_t)n, &whole);
    assert_true(hash_equal(&hash, &whole));
}

static void refused(char kind, const char *path, const char *data) {
    assert_int_equal(ftruncate(stream, 0), 0);
    assert_int_equal(lseek(stream, 0, SEEK_SET), 0);
    put(TREE_MAGIC, strlen(TREE_MAGIC));
    put_entry('d', "m", "");
    put_entry('l', "mm", "m");
    put_entry(kind, path, data);
    assert_true(unpack() < 0);
    assert_int_equal(tree_empty(dir), 0);
}

static void what_leads_elsewhere_is_refused(void **state) {
    (void)state;
    refused('f', "/tmp/x", "x");
    refused('f', "m/../x", "x");
    refused('f', "n/./x", "x");
    refused('f', "n//x", "x");
    refused('f', "n/", "x");
    refused('f', "..", "x");
    refused('f', "mm/x", "x");   /* through a link */
    refused('f', "none/x", "x"); /* nobody has made that directory */
    refused('f', "m", "x");      /* twice */
    refused('f', "a", "x");      /* out of order */
    refused('p', "x", "");       /* no such kind */
    refused('d', "x", "data");
    refused('l', "x", "");
    refused('l', "x", "/etc/passwd");
    refused('l', "m/x", "../../etc/passwd");
}

static void links_stay_in_the_tree(void **state) {
    (void)state;
    static const char *const stay[][2] = {{"a", "b"},      {"a", "./b"},       {"a/b", ".."},
                                          {"a/b", "../c"}, {"a/b/c", "../.."}, {"a", "..b/c.."}};
    static const char *const leave[][2] = {
        {"a", "/"},          {"a", ".."},
        {"a", "../a"},       {"a/b", "../.."},
        {"a/b", "..//x/.."}, {"a/b", "..//"},
        {"a", "b/../.."},    {"a/b/c", "d/.."} /* d may be a link to the top */,
        {"a/b", ".././.."}};
    for (size_t i = 0; i < sizeof stay / sizeof *stay; i++)
        assert_true(tree_link_stays(stay[i][0], stay[i][1]));
    for (size_t i = 0; i < sizeof leave / sizeof *leave; i++)
        assert_false(tree_link_stays(leave[i][0], leave[i][1]));
}

/* The root of an image is where its links end. */
static void links_of_an_image_are_its_own(void **state) {
    (void)state;
    struct tree_bounds bounds = {1000, 100, .rooted = true};
    struct retort_error err = ERR_INIT;
    struct hash hash;
    put(TREE_MAGIC, strlen(TREE_MAGIC));
    put_entry('l', "sh", "/bin/bash");
    assert_int_equal(lseek(stream, 0, SEEK_SET), 0);
    assert_int_equal(tree_unpack(stream, dir, &bounds, &hash, &err), 0);
}

static void what_is_cut_or_foreign_is_refused(void **state) {
    (void)state;
    assert_true(unpack() < 0);
    put(TREE_MAGIC, strlen(TREE_MAGIC));
    put_entry('f', "a", "whole");
    assert_int_equal(ftruncate(stream, (off_t)(strlen(TREE_MAGIC) + TREE_HEAD + 4)), 0);
    assert_true(unpack() < 0);
    assert_int_equal(tree_empty(dir), 0);
    assert_int_equal(pwrite(stream, "other", 5, 0), 5);
    assert_true(unpack() < 0);
}

static void bounds_hold(void **state) {
    (void)state;
    struct hash hash;
    put(TREE_MAGIC, strlen(TREE_MAGIC));
    put_entry('f', "a", "12345");
    put_entry('f', "b", "12345");
    assert_int_equal(unpack_with(9, 100, &hash), -EFBIG);
    assert_int_equal(tree_empty(dir), 0);
    assert_int_equal(unpack_with(1000, 1, &hash), -EFBIG);
    assert_int_equal(tree_empty(dir), 0);
    assert_int_equal(unpack_with(10, 2, &hash), 0);
}

/* Or it could be made, and not removed with the descriptors that a process has. */
static void a_tree_is_not_too_deep(void **state) {
    (void)state;
    char path[2 * TREE_DEPTH + 2];
    for (size_t i = 0; i < sizeof path; i += 2)
        memcpy(path + i, "d/", 2);
    assert_true(tree_path_ok(path, 2 * TREE_DEPTH - 1, ""));
    assert_false(tree_path_ok(path, 2 * TREE_DEPTH + 1, ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tree_is_made_and_named, begin, end),
        cmocka_unit_test_setup_teardown(what_leads_elsewhere_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(what_is_cut_or_foreign_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(bounds_hold, begin, end),
        cmocka_unit_test(a_tree_is_not_too_deep),
        cmocka_unit_test(links_stay_in_the_tree),
        cmocka_unit_test_setup_teardown(links_of_an_image_are_its_own, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
