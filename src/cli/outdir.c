#include "cli/outdir.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/name.h"
#include "base/scope.h"
#include "cli/cli.h"

#define CHUNK (1u << 20)

int outdir_check(const char *dir) {
    if (mkdir(dir, 0777) < 0 && errno != EEXIST)
        return cli_fail("--out %s: %s", dir, strerror(errno));
    scoped_fd fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || access(dir, W_OK | X_OK) < 0)
        return cli_fail("--out %s: %s", dir, strerror(errno));
    return 0;
}

/* The file's name on the host: the same escapes, with a percent sign. */
static void name_host(const char *name, struct buf *ret) {
    for (; *name; name++) {
        if (name[0] == '\\' && name[1] == 'x') {
            buf_adds(ret, "%");
            name++;
        } else {
            buf_add(ret, name, 1);
            name += name[0] == '\\' && name[1] == '\\';
        }
    }
}

/* Opens the directory that shall hold the file, makes missing directories, and follows no link. */
static int outdir_open_dirs(const char *dir, char *path, char **ret_name) {
    scoped_fd fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    char *name = path;
    for (char *slash; fd >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
        *slash = 0;
        if (mkdirat(fd, name, 0777) < 0 && errno != EEXIST)
            return -errno;
        int next = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(take_fd(&fd));
        fd = next;
    }
    *ret_name = name;
    return fd < 0 ? -errno : take_fd(&fd);
}

static int open_in_session(void *user, const char *path, struct retort_error *error) {
    uint64_t size;
    int fd, r = retort_file_open(user, path, &fd, &size, error);
    return r < 0 ? r : fd;
}

struct outdir_source outdir_session(struct retort_session *session) {
    return (struct outdir_source){.open = open_in_session, .user = session};
}

/* Copies from the beginning, wherever the descriptor's offset is. */
static int copy_out(int from, int to) {
    scoped_free char *chunk = malloc(CHUNK);
    int r = chunk ? 0 : -ENOMEM;
    for (off_t at = 0; r == 0;) {
        ssize_t n = pread(from, chunk, CHUNK, at);
        if (n <= 0)
            return n < 0 ? -errno : 0;
        r = write_all(to, chunk, (size_t)n);
        at += n;
    }
    return r;
}

int outdir_get(const struct outdir_source *from, const char *name, const char *dir) {
    scoped_buf path = BUF_INIT(MAX_WORK_PATH), host = BUF_INIT(4 * MAX_WORK_PATH);
    struct retort_error error = {0};
    if (name_decode(name, &path) < 0)
        return cli_fail("the name of a file cannot be read: %s", name);
    name_host(name, &host);
    if (!path.data || !host.data)
        return cli_fail("the name of a file cannot be read: %s", name);
    scoped_fd source = from->open(from->user, path.data, &error);
    if (source < 0) /* checked before a file of the host is made or emptied */
        return cli_fail("cannot bring out %s: %s", name, error.message);
    char *last = host.data;
    scoped_fd parent = outdir_open_dirs(dir, host.data, &last);
    scoped_fd fd = parent < 0 ? -1
                              : openat(parent, last,
                                       O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0)
        return cli_fail("cannot write %s: %s", name, strerror(parent < 0 ? -parent : errno));
    int r = copy_out(source, fd);
    return r < 0 ? cli_fail("cannot bring out %s: %s", name, strerror(-r)) : 0;
}

static bool is_incomplete(const json_t *result) {
    size_t i;
    json_t *flag;
    json_array_foreach(json_object_get(result, "flags"), i,
                       flag) if (strcmp(json_string_value(flag), "files_incomplete") ==
                                 0) return true;
    return false;
}

int outdir_fetch(const struct outdir_source *from, const char *result_json, const char *dir) {
    json_t *result = json_in_text(result_json, JSON_ALLOW_NUL, NULL), *file;
    size_t i;
    int r = 0;
    json_array_foreach(json_object_get(result, "files"), i, file) {
        const char *change = json_string_value(json_object_get(file, "change"));
        const char *name = json_string_value(json_object_get(file, "path"));
        if (r == 0 && name && change && strcmp(change, "deleted") != 0)
            r = outdir_get(from, name, dir);
    }
    if (r == 0 && is_incomplete(result))
        r = cli_fail("the list of files is not complete: not all were brought out");
    json_decref(result);
    return r;
}
