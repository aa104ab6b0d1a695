/* The files of a testbed: read once from the host or a session, written to as many sessions as run
 * tests.
 *
 * Runs in: the broker's process.
 * Hostile: files of a session, which are only passed on.
 * Life cycle: {0}; test_files_read, test_files_fetch; test_files_done.
 * Owns: names and contents.
 * Tests: tests/system/test_agent_tests.py
 */
#pragma once

#include "base/buf.h"
#include "retort.h"

struct test_file {
    char *name; /* as it will be called in /work */
    struct buf text;
};

struct test_files {
    struct test_file *at;
    size_t count, bytes;
};

/* A file, or a directory with all that is in it but hidden names and __pycache__. */
int test_files_read(struct test_files *files, const char *path, char *problem, size_t size);
/* All files of a session. */
int test_files_fetch(struct test_files *files, struct retort_session *session);
int test_files_put(const struct test_files *files, struct retort_session *session,
                   struct retort_error *error);
void test_files_sort(struct test_files *files);
/* NULL: there is none of that name. */
struct test_file *test_files_find(const struct test_files *files, const char *name);
void test_files_done(struct test_files *files);
