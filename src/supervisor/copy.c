/* Files of a session into those of its branch, from tmpfs to tmpfs. The parent is between two
 * cells, but what it left running may go on changing its files: whatever vanishes is left out, and
 * nothing is followed, waited for or mapped. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "supervisor/branch.h"

#define MAX_DEPTH 100

static int copy_level(int from, int to, int depth);

static int set_times(int dir, const char *name, const struct stat *st) {
    struct timespec times[2] = {st->st_atim, st->st_mtim};
    return utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

static int copy_range(int in, int out, off_t at, off_t end) {
    char chunk[65536];
    if (lseek(in, at, SEEK_SET) < 0 || lseek(out, at, SEEK_SET) < 0)
        return -errno;
    while (at < end) {
        ssize_t n =
            read(in, chunk, (size_t)(end - at) < sizeof chunk ? (size_t)(end - at) : sizeof chunk);
        if (n <= 0)
            return n < 0 ? -errno : 0;
        int r = write_all(out, chunk, (size_t)n);
        if (r < 0)
            return r;
        at += n;
    }
    return 0;
}

/* Holes stay holes: there could be petabytes of them. */
static int copy_data(int in, int out, off_t size) {
    int r = 0;
    for (off_t at = 0, end; r == 0 && at < size; at = end) {
        at = lseek(in, at, SEEK_DATA);
        if (at < 0 || at >= size)
            break;
        end = lseek(in, at, SEEK_HOLE);
        if (end < 0 || end > size)
            end = size;
        r = copy_range(in, out, at, end);
    }
    return r < 0 ? r : ftruncate(out, size) < 0 ? -errno : 0;
}

static int copy_file(int from, int to, const char *name) {
    scoped_fd in = openat(from, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (in < 0)
        return -errno;
    if (fstat(in, &st) < 0 || !S_ISREG(st.st_mode))
        return -ENOENT;
    scoped_fd out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out < 0)
        return -errno;
    int r = copy_data(in, out, st.st_size);
    if (r == 0 && fchmod(out, st.st_mode & 07777) < 0)
        r = -errno;
    return r < 0 ? r : set_times(to, name, &st);
}

static int copy_dir(int from, int to, const char *name, const struct stat *st, int depth) {
    scoped_fd in = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (in < 0)
        return -errno;
    if (mkdirat(to, name, 0700) < 0)
        return -errno;
    scoped_fd out = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (out < 0)
        return -errno;
    int r = copy_level(in, out, depth + 1);
    if (r == 0 && fchmod(out, st->st_mode & 07777) < 0)
        r = -errno;
    return r < 0 ? r : set_times(to, name, st);
}

static int copy_link(int from, int to, const char *name, const struct stat *st) {
    char target[MAX_PATH + 1];
    ssize_t n = readlinkat(from, name, target, sizeof target - 1);
    if (n < 0)
        return -errno;
    target[n] = 0;
    return symlinkat(target, to, name) < 0 ? -errno : set_times(to, name, st);
}

static int copy_one(int from, int to, const char *name, int depth) {
    struct stat st;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    switch (st.st_mode & S_IFMT) {
    case S_IFREG: return copy_file(from, to, name);
    case S_IFDIR: return copy_dir(from, to, name, &st, depth);
    case S_IFLNK: return copy_link(from, to, name, &st);
    case S_IFIFO: return mkfifoat(to, name, st.st_mode & 0777) < 0 ? -errno : 0;
    default: return 0; /* a socket is nothing without who listens */
    }
}

static int copy_level(int from, int to, int depth) {
    int fd = dup(from);
    scoped_dir dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        fd_done(&fd);
        return -EMFILE;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        int r = depth > MAX_DEPTH ? -ELOOP : copy_one(from, to, e->d_name, depth);
        if (r < 0 && r != -ENOENT)
            return r;
    }
    return 0;
}

int copy_tree(int from, int to) {
    struct stat st;
    int r = copy_level(from, to, 0);
    if (r == 0 && (fstat(from, &st) < 0 || fchmod(to, st.st_mode & 07777) < 0))
        r = -errno;
    return r;
}
