#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/upload.h"

int cli_upload_names(const char *what, const char *spec, char *source, char *name) {
    const char *colon = strrchr(spec, ':');
    struct stat st;
    if (strlen(spec) >= MAX_PATH)
        return cli_fail("%s: the name is too long", what);
    snprintf(source, MAX_PATH, "%s", spec);
    bool named = colon && stat(spec, &st) < 0; /* a colon may be part of the file's name */
    if (named)
        source[colon - spec] = 0;
    snprintf(name, MAX_PATH, "%s", named ? colon + 1 : spec);
    if (!named) {
        const char *base = basename(name);
        memmove(name, base, strlen(base) + 1);
    }
    return 0;
}

/* SRC[:NAME]: opens SRC and returns both names. -1: it has printed why not. */
static int open_source(const char *what, const char *spec, char source[MAX_PATH],
                       char name[MAX_PATH]) {
    struct stat st;
    if (cli_upload_names(what, spec, source, name))
        return -1;
    int fd = open(source, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        return fd;
    cli_fail("%s %s: %s", what, source, fd < 0 ? strerror(errno) : "it is a directory");
    fd_done(&fd);
    return -1;
}

int cli_upload_fd(struct retort_session *s, int fd, const char *name, struct retort_error *error) {
    char chunk[1 << 18];
    uint64_t offset = 0;
    for (ssize_t n; (n = read(fd, chunk, sizeof chunk)) >= 0; offset += (uint64_t)n) {
        if ((n > 0 || offset == 0) &&
            retort_file_write(s, name, offset, chunk, (size_t)n, offset == 0, error) < 0)
            return -EIO;
        if (n == 0)
            return 0;
    }
    return err_set(error, ERR_HOST, errno, "%s", strerror(errno));
}

static int upload_open_file(struct retort_session *s, const char *what, int fd, const char *source,
                            const char *name) {
    struct retort_error error = {0};
    return cli_upload_fd(s, fd, name, &error) < 0
               ? cli_fail("%s %s: %s", what, source, error.message)
               : 0;
}

int cli_upload_file(struct retort_session *s, const char *what, const char *spec) {
    char source[MAX_PATH], name[MAX_PATH];
    scoped_fd fd = open_source(what, spec, source, name);
    return fd < 0 ? EXIT_OWN_FAILURE : upload_open_file(s, what, fd, source, name);
}

static int open_directory(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        cli_fail("--dir %s: %s", path, strerror(errno));
    return fd;
}

static int upload_entry(struct retort_session *s, int parent, const char *entry, const char *name);

/* Uploads what the directory holds, under `name` in /work ("" for /work itself). */
static int upload_directory(struct retort_session *s, int fd, const char *name) {
    scoped_dir dir = opendir_at(fd, ".");
    if (!dir)
        return cli_fail("--dir %s: %s", name, strerror(errno));
    int r = 0;
    for (struct dirent *entry; r == 0 && (entry = readdir(dir));) {
        char below[MAX_PATH];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(below, sizeof below, "%s%s%s", name, *name ? "/" : "", entry->d_name) >=
            (int)sizeof below)
            return cli_fail("--dir %s: the path is too long", entry->d_name);
        r = upload_entry(s, fd, entry->d_name, below);
    }
    return r;
}

/* Does not follow links, because the user did not name their targets; leaves out pipes and
 * devices. */
static int upload_entry(struct retort_session *s, int parent, const char *entry, const char *name) {
    struct stat st;
    scoped_fd fd = openat(parent, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && (errno == ELOOP || errno == ENXIO))
        return 0;
    if (fd < 0 || fstat(fd, &st) < 0)
        return cli_fail("--dir %s: %s", name, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return upload_directory(s, fd, name);
    return S_ISREG(st.st_mode) ? upload_open_file(s, "--dir", fd, name, name) : 0;
}

int cli_upload(struct retort_session *s, const struct cli_options *o) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < o->dirs.n; i++) {
        scoped_fd fd = open_directory(o->dirs.at[i]);
        r = fd < 0 ? EXIT_OWN_FAILURE : upload_directory(s, fd, "");
    }
    for (size_t i = 0; r == 0 && i < o->files.n; i++)
        r = cli_upload_file(s, "--file", o->files.at[i]);
    return r;
}

int cli_upload_check(const struct cli_options *o) {
    char source[MAX_PATH], name[MAX_PATH];
    for (size_t i = 0; i < o->dirs.n; i++) {
        scoped_fd fd = open_directory(o->dirs.at[i]);
        if (fd < 0)
            return EXIT_OWN_FAILURE;
    }
    for (size_t i = 0; i < o->files.n; i++) {
        scoped_fd fd = open_source("--file", o->files.at[i], source, name);
        if (fd < 0)
            return EXIT_OWN_FAILURE;
    }
    return 0;
}
