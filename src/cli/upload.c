#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"

/* SRC[:NAME]: opens SRC and tells both. -1: it was told why not. */
static int open_source(const char *what, const char *spec, char source[MAX_PATH],
                       char name[MAX_PATH]) {
    const char *colon = strrchr(spec, ':');
    struct stat st;
    if (strlen(spec) >= MAX_PATH)
        return cli_fail("%s: the name is too long", what), -1;
    snprintf(source, MAX_PATH, "%s", spec);
    bool named = colon && stat(spec, &st) < 0; /* a colon may be part of the name */
    if (named)
        source[colon - spec] = 0;
    snprintf(name, MAX_PATH, "%s", named ? colon + 1 : spec);
    if (!named) {
        const char *base = basename(name);
        memmove(name, base, strlen(base) + 1);
    }
    int fd = open(source, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        return fd;
    cli_fail("%s %s: %s", what, source, fd < 0 ? strerror(errno) : "it is a directory");
    fd_done(&fd);
    return -1;
}

int cli_upload_file(struct retort_session *s, const char *what, const char *spec) {
    char source[MAX_PATH], name[MAX_PATH];
    struct retort_error error = {0};
    scoped_fd fd = open_source(what, spec, source, name);
    if (fd < 0)
        return EXIT_OWN_FAILURE;
    char chunk[1 << 18];
    uint64_t offset = 0;
    for (ssize_t n; (n = read(fd, chunk, sizeof chunk)) >= 0; offset += (uint64_t)n) {
        if ((n > 0 || offset == 0) &&
            retort_file_write(s, name, offset, chunk, (size_t)n, offset == 0, &error) < 0)
            return cli_fail("%s %s: %s", what, source, error.message);
        if (n == 0)
            return 0;
    }
    return cli_fail("%s %s: %s", what, source, strerror(errno));
}

int cli_upload(struct retort_session *s, const struct cli_options *o) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < o->files.n; i++)
        r = cli_upload_file(s, "--file", o->files.at[i]);
    return r;
}

int cli_upload_check(const struct cli_options *o) {
    char source[MAX_PATH], name[MAX_PATH];
    for (size_t i = 0; i < o->files.n; i++) {
        scoped_fd fd = open_source("--file", o->files.at[i], source, name);
        if (fd < 0)
            return EXIT_OWN_FAILURE;
    }
    return 0;
}
