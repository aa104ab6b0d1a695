#include "agent/tools/testbed_files.h"

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/readall.h"
#include "base/scope.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_TEST_FILES 1000
#define MAX_TEST_BYTES (64u << 20)
#define MAX_TEST_DEPTH 16

static struct test_file *testbed_files_add(struct test_files *files, const char *name) {
    struct test_file *longer;
    if (files->count == MAX_TEST_FILES)
        return NULL;
    longer = realloc(files->at, (files->count + 1) * sizeof *longer);
    if (!longer)
        return NULL;
    files->at = longer;
    longer[files->count] = (struct test_file){strdup(name), BUF_INIT(MAX_TEST_BYTES)};
    return longer[files->count].name ? &files->at[files->count++] : NULL;
}

static int testbed_files_count(struct test_files *files, const struct test_file *f) {
    files->bytes += f->text.len;
    return files->bytes > MAX_TEST_BYTES ? -EFBIG : 0;
}

/* --- from the host --- */

static int read_one(struct test_files *files, int fd, const char *name) {
    struct test_file *f = testbed_files_add(files, name);
    int r = f ? read_all(fd, &f->text) : -E2BIG;
    return r < 0 ? r : testbed_files_count(files, f);
}

static bool is_left_out(const char *name) {
    return name[0] == '.' || strcmp(name, "__pycache__") == 0;
}

static int read_tree(struct test_files *files, int dir, const char *prefix, int depth);

/* Links to files are followed, as pytest would; those to directories could lead in a circle. */
static int read_entry(struct test_files *files, int dir, const char *entry, const char *prefix,
                      int depth) {
    struct stat st;
    char name[MAX_PATH];
    scoped_fd fd = openat(dir, entry, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "/" : "", entry);
    if (S_ISREG(st.st_mode))
        return read_one(files, fd, name);
    if (!S_ISDIR(st.st_mode) || fstatat(dir, entry, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
        !S_ISDIR(st.st_mode))
        return 0;
    return depth < MAX_TEST_DEPTH ? read_tree(files, take_fd(&fd), name, depth + 1) : -ELOOP;
}

/* Takes the descriptor. */
static int read_tree(struct test_files *files, int fd, const char *prefix, int depth) {
    scoped_dir dir = fdopendir(fd);
    struct dirent *e;
    int r = 0;
    if (!dir) {
        r = -errno;
        close(fd);
        return r;
    }
    while (r == 0 && (e = readdir(dir)))
        if (!is_left_out(e->d_name))
            r = read_entry(files, dirfd(dir), e->d_name, prefix, depth);
    return r;
}

static const char *words_for(int r) {
    return r == -E2BIG                   ? "more than 1000 files"
           : r == -EFBIG || r == -ENOSPC ? "more than 64 MiB"
                                         : strerror(-r);
}

int test_files_read(struct test_files *files, const char *path, char *problem, size_t size) {
    struct stat st;
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int r = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;
    if (r == 0 && S_ISDIR(st.st_mode)) {
        r = read_tree(files, take_fd(&fd), "", 0);
    } else if (r == 0) {
        const char *slash = strrchr(path, '/');
        r = S_ISREG(st.st_mode) ? read_one(files, fd, slash ? slash + 1 : path) : -EINVAL;
    }
    if (r < 0)
        snprintf(problem, size, "--tests %.200s: %s", path, words_for(r));
    return r;
}

/* --- sessions --- */

static int fetch_one(struct test_files *files, struct retort_session *s, const char *path) {
    struct test_file *f = testbed_files_add(files, path);
    struct retort_error error;
    uint64_t size = 1;
    while (f && f->text.len < size) {
        char *data;
        size_t len;
        if (retort_file_read(s, path, f->text.len, 1u << 20, &data, &len, &size, &error) < 0)
            return -EIO;
        int r = buf_add(&f->text, data, len);
        retort_free(data);
        if (r < 0 || len == 0)
            return r;
    }
    return f ? testbed_files_count(files, f) : -E2BIG;
}

int test_files_fetch(struct test_files *files, struct retort_session *session) {
    struct retort_error error;
    char *text;
    const json_t *f;
    size_t i;
    int r = 0;
    if (retort_file_list(session, &text, &error) < 0)
        return -EIO;
    json_t *list = json_in_text(text, 0, NULL);
    retort_free(text);
    json_array_foreach(list, i, f) {
        const char *path = json_string_value(json_object_get(f, "path"));
        if (r == 0 && path)
            r = fetch_one(files, session, path);
    }
    json_decref(list);
    test_files_sort(files);
    return r;
}

static int put_one(const struct test_file *f, struct retort_session *s,
                   struct retort_error *error) {
    size_t at = 0;
    do {
        size_t n = f->text.len - at < (1u << 18) ? f->text.len - at : 1u << 18;
        const char *data = f->text.data ? f->text.data + at : "";
        int r = retort_file_write(s, f->name, at, data, n, at == 0, error);
        if (r < 0)
            return r;
        at += n;
    } while (at < f->text.len);
    return 0;
}

int test_files_put(const struct test_files *files, struct retort_session *session,
                   struct retort_error *error) {
    int r = 0;
    for (size_t i = 0; r >= 0 && i < files->count; i++)
        r = put_one(&files->at[i], session, error);
    return r;
}

/* --- the list --- */

static int testbed_files_by_name(const void *a, const void *b) {
    return strcmp(((const struct test_file *)a)->name, ((const struct test_file *)b)->name);
}

void test_files_sort(struct test_files *files) {
    if (files->count)
        qsort(files->at, files->count, sizeof *files->at, testbed_files_by_name);
}

struct test_file *test_files_find(const struct test_files *files, const char *name) {
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->at[i].name, name) == 0)
            return &files->at[i];
    return NULL;
}

void test_files_done(struct test_files *files) {
    for (size_t i = 0; i < files->count; i++) {
        free(files->at[i].name);
        buf_done(&files->at[i].text);
    }
    free(files->at);
    *files = (struct test_files){0};
}
