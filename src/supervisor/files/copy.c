/* Copies the files of a session to its branch, from tmpfs to tmpfs. The parent is between two
 * cells, but processes that it left running may change its files: we leave out what vanishes, and
 * follow, wait for or map nothing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "supervisor/files/copy.h"

#define MAX_DEPTH 100

/* How far the copy is: the root of the new tree, the path of the present directory below it, and
 * the files with several names of which one was copied. */
struct copy {
    int root;
    char path[MAX_PATH + 1];
    void *linked; /* tsearch(3) of struct linked */
};

struct linked {
    ino_t inode;
    char path[];
};

static int copy_level(struct copy *c, int from, int to, int depth);

/* --- names of one file --- */

static int by_inode(const void *a, const void *b) {
    ino_t x = ((const struct linked *)a)->inode, y = ((const struct linked *)b)->inode;
    return x < y ? -1 : x > y;
}

/* The path of a name in the present directory, or NULL if it is too long for one call. */
static const char *path_of(const struct copy *c, const char *name, char *room, size_t size) {
    return (size_t)snprintf(room, size, "%s%s", c->path, name) < size ? room : NULL;
}

/* Gives another name to a file that was copied before: 1, or 0 if it was not copied. */
static int link_again(const struct copy *c, int to, const char *name, ino_t inode) {
    struct linked key = {.inode = inode};
    struct linked *const *known = tfind(&key, &c->linked, by_inode);
    if (!known)
        return 0;
    return linkat(c->root, (*known)->path, to, name, 0) < 0 ? -errno : 1;
}

static int note_linked(struct copy *c, const char *name, ino_t inode) {
    char room[MAX_PATH + 1];
    const char *path = path_of(c, name, room, sizeof room);
    if (!path) /* too deep for one call: its other names become separate files */
        return 0;
    struct linked *l = malloc(sizeof *l + strlen(path) + 1);
    if (!l)
        return -ENOMEM;
    l->inode = inode;
    memcpy(l->path, path, strlen(path) + 1);
    if (tsearch(l, &c->linked, by_inode))
        return 0;
    free(l);
    return -ENOMEM;
}

/* --- kinds --- */

static int set_times(int dir, const char *name, const struct stat *st) {
    struct timespec times[2] = {st->st_atim, st->st_mtim};
    return utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

static int copy_range(int in, int out, off_t at, off_t end) {
    char chunk[TINY(65536, 4093)];
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

/* Keeps holes, which may be petabytes. */
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

static int copy_file(struct copy *c, int from, int to, const char *name) {
    scoped_fd in = openat(from, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    struct stat st;
    if (in < 0)
        return -errno;
    if (fstat(in, &st) < 0 || !S_ISREG(st.st_mode))
        return -ENOENT;
    int linked = st.st_nlink > 1 ? link_again(c, to, name, st.st_ino) : 0;
    if (linked)
        return linked < 0 ? linked : 0;
    scoped_fd out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (out < 0)
        return -errno;
    int r = copy_data(in, out, st.st_size);
    if (r == 0 && st.st_nlink > 1)
        r = note_linked(c, name, st.st_ino);
    if (r == 0 && fchmod(out, st.st_mode & 07777) < 0)
        r = -errno;
    return r < 0 ? r : set_times(to, name, &st);
}

/* Copies one level down, and shortens the path again. A directory too deep for a path has none. */
static int copy_below(struct copy *c, int in, int out, const char *name, int depth) {
    size_t len = strlen(c->path), room = sizeof c->path - len;
    bool fits = (size_t)snprintf(c->path + len, room, "%s/", name) < room;
    int r;
    if (fits)
        r = copy_level(c, in, out, depth + 1);
    else {
        struct copy apart = {.root = out}; /* for this part of the tree alone */
        r = copy_level(&apart, in, out, depth + 1);
        tdestroy(apart.linked, free);
    }
    c->path[len] = 0;
    return r;
}

static int copy_dir(struct copy *c, int from, int to, const char *name, const struct stat *st,
                    int depth) {
    scoped_fd in = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (in < 0)
        return -errno;
    if (mkdirat(to, name, 0700) < 0)
        return -errno;
    scoped_fd out = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (out < 0)
        return -errno;
    int r = copy_below(c, in, out, name, depth);
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

static int copy_one(struct copy *c, int from, int to, const char *name, int depth) {
    struct stat st;
    if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return -errno;
    switch (st.st_mode & S_IFMT) {
    case S_IFREG: return copy_file(c, from, to, name);
    case S_IFDIR: return copy_dir(c, from, to, name, &st, depth);
    case S_IFLNK: return copy_link(from, to, name, &st);
    case S_IFIFO: return mkfifoat(to, name, st.st_mode & 0777) < 0 ? -errno : 0;
    default: return 0; /* a socket is useless without its listener */
    }
}

static int copy_level(struct copy *c, int from, int to, int depth) {
    int fd = dup(from);
    scoped_dir dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        fd_done(&fd);
        return -EMFILE;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        int r = depth > MAX_DEPTH ? -ELOOP : copy_one(c, from, to, e->d_name, depth);
        if (r < 0 && r != -ENOENT)
            return r;
    }
    return 0;
}

int copy_tree(int from, int to) {
    struct stat st;
    struct copy c = {.root = to};
    int r = copy_level(&c, from, to, 0);
    tdestroy(c.linked, free);
    if (r == 0 && (fstat(from, &st) < 0 || fchmod(to, st.st_mode & 07777) < 0))
        r = -errno;
    return r;
}
