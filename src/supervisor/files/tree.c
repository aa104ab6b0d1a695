#include "supervisor/files/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/scope.h"

/* O_PATH, because Landlock checks all directories above one that is opened, which is slow deep in a
 * tree; each directory is opened for reading only once. */
#define DIRECTORY (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct text {
    char *data;
    size_t len, cap;
};

/* A directory on the way down to the present one. */
struct level {
    ino_t inode;
    size_t path;    /* length of its path, with the slash */
    size_t pending; /* where the names of its directories begin */
};

struct walk {
    const struct tree_visit *visit;
    int fd; /* of the last level; that of the first belongs to the caller */
    struct level *levels;
    size_t depth, cap;
    struct text path, pending;
};

static int text_put(struct text *t, size_t at, const char *bytes, size_t len) {
    if (at + len + 1 > t->cap) {
        size_t cap = 2 * (at + len) + 256;
        char *data = realloc(t->data, cap);
        if (!data)
            return -ENOMEM;
        t->data = data;
        t->cap = cap;
    }
    memcpy(t->data + at, bytes, len);
    t->data[t->len = at + len] = 0;
    return 0;
}

static int push(struct walk *w, int fd) {
    struct stat st;
    if (fstat(fd, &st) < 0)
        return -errno;
    if (w->depth == w->cap) {
        struct level *levels = reallocarray(w->levels, 2 * w->cap + 16, sizeof *levels);
        if (!levels)
            return -ENOMEM;
        w->levels = levels;
        w->cap = 2 * w->cap + 16;
    }
    w->levels[w->depth++] = (struct level){st.st_ino, w->path.len, w->pending.len};
    w->fd = fd;
    return 0;
}

static int visit_entry(struct walk *w, const char *name) {
    size_t at = w->levels[w->depth - 1].path;
    int r = text_put(&w->path, at, name, strlen(name));
    if (r == 0)
        r = w->visit->entry(w->visit->arg, w->fd, w->path.data, w->path.data + at);
    if (r > 0) /* with its NUL */
        r = text_put(&w->pending, w->pending.len, name, strlen(name) + 1);
    return r;
}

/* Reads all entries of the present directory. */
static int read_level(struct walk *w) {
    int fd = openat(w->fd, ".", O_RDONLY | DIRECTORY), r = 0;
    scoped_dir dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir) {
        r = -errno;
        fd_done(&fd);
        return r;
    }
    for (struct dirent *e; r == 0 && (errno = 0, e = readdir(dir));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            r = visit_entry(w, e->d_name);
    return r < 0 ? r : -errno;
}

/* Goes into the last of the pending directories. */
static int down(struct walk *w) {
    size_t len = 0, at = w->levels[w->depth - 1].path;
    while (w->pending.len - len - 1 > w->levels[w->depth - 1].pending &&
           w->pending.data[w->pending.len - len - 2])
        len++;
    int r = text_put(&w->path, at, w->pending.data + w->pending.len - len - 1, len);
    w->pending.len -= len + 1;
    if (r < 0)
        return r;
    scoped_fd fd = openat(w->fd, w->path.data + at, O_PATH | DIRECTORY);
    if (fd < 0) /* it is gone, or something else by now */
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -errno;
    if ((r = text_put(&w->path, w->path.len, "/", 1)) < 0)
        return r;
    int before = w->fd;
    if ((r = push(w, fd)) < 0)
        return r;
    if (w->depth > 2)
        close(before);
    take_fd(&fd);
    return read_level(w);
}

static int up(struct walk *w, int root) {
    struct stat st;
    const struct level *to = &w->levels[w->depth - 2];
    scoped_fd fd = openat(w->fd, "..", O_PATH | DIRECTORY);
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    if (st.st_ino != to->inode)
        return -ESTALE;
    close(w->fd);
    w->fd = w->depth == 2 ? root : take_fd(&fd);
    w->path.data[--w->levels[w->depth - 1].path] = 0;
    w->depth--;
    return w->visit->left ? w->visit->left(w->visit->arg, w->fd, w->path.data + to->path) : 0;
}

int tree_walk(int root, const struct tree_visit *visit) {
    struct walk w = {.visit = visit};
    int r = push(&w, root);
    if (w.depth)
        r = read_level(&w);
    while (r == 0 && (w.depth > 1 || w.pending.len))
        r = w.pending.len > w.levels[w.depth - 1].pending ? down(&w) : up(&w, root);
    if (w.depth > 1)
        close(w.fd);
    free(w.levels);
    free(w.path.data);
    free(w.pending.data);
    return r;
}
