#include "environments/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"

#define CHUNK (1u << 16)

/* --- decoding --- */

static uint64_t little(const unsigned char *bytes, unsigned count) {
    uint64_t n = 0;
    while (count-- > 0)
        n = n << 8 | bytes[count];
    return n;
}

int tree_head_read(const unsigned char bytes[TREE_HEAD], struct tree_head *ret) {
    struct tree_head h = {.kind = (enum tree_kind)bytes[0],
                          .path_len = (uint32_t)little(bytes + 1, 4),
                          .size = little(bytes + 5, 8)};
    bool sized = h.kind == TREE_DIR    ? h.size == 0
                 : h.kind == TREE_LINK ? h.size > 0 && h.size < TREE_PATH
                                       : h.kind == TREE_FILE || h.kind == TREE_PROGRAM;
    if (!sized || h.path_len == 0 || h.path_len >= TREE_PATH || h.size > INT64_MAX)
        return -EBADMSG;
    *ret = h;
    return 0;
}

/* Every part between slashes must be a name, and there must not be too many. */
static bool names_ok(const char *path, size_t len) {
    unsigned depth = 0;
    for (size_t from = 0, i = 0; i <= len; i++) {
        if (i < len && path[i] != '/')
            continue;
        size_t part = i - from;
        if (++depth > TREE_DEPTH || part == 0 || part > 255 || (part == 1 && path[from] == '.') ||
            (part == 2 && path[from] == '.' && path[from + 1] == '.'))
            return false;
        from = i + 1;
    }
    return true;
}

bool tree_path_ok(const char *path, size_t len, const char *last) {
    size_t before = strlen(last), common = len < before ? len : before;
    if (len == 0 || memchr(path, 0, len) || !names_ok(path, len))
        return false;
    int order = memcmp(last, path, common);
    return order < 0 || (order == 0 && before < len);
}

bool tree_link_stays(const char *path, const char *target) {
    /* For each directory of the path one ".." may stand at the beginning. Nothing above an entry is a
     * link, so ".." goes up one directory. */
    for (const char *slash = path; (slash = strchr(slash, '/')); slash++)
        if (strncmp(target, "..", 2) == 0 && (target[2] == '/' || !target[2]))
            target += target[2] ? 3 : 2;
    const char *part = target;
    do {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == 0))
            return false;
    } while ((part = strchr(part, '/')));
    return target[0] != '/';
}

/* --- making --- */

struct unpacking {
    int stream, dir;
    struct hasher *hasher;
    struct tree_bounds left;
    char path[TREE_PATH], last[TREE_PATH];
    struct retort_error *err;
};

static int bad_stream(struct unpacking *u) {
    return err_set(u->err, ERR_GUEST, EBADMSG, "what the session handed over is no tree of files");
}

/* 1; 0 at the end of the stream; or an error. */
static int unpack_take(struct unpacking *u, void *to, size_t len) {
    ssize_t n = read_full(u->stream, to, len);
    if (n < 0)
        return err_errno(u->err, ERR_HOST, (int)-n, "cannot read what the session made");
    if (n > 0 && (size_t)n < len)
        return bad_stream(u);
    if (hasher_add(u->hasher, to, (size_t)n) < 0)
        return err_errno(u->err, ERR_HOST, ENOMEM, "cannot hash what the session made");
    return n > 0 || len == 0;
}

/* The same, but the stream must not end here. */
static int take_rest(struct unpacking *u, void *to, size_t len) {
    int r = unpack_take(u, to, len);
    return r == 0 ? bad_stream(u) : r;
}

static int cannot_make(struct unpacking *u, int eno) {
    return err_errno(u->err, eno == ELOOP || eno == ENOTDIR || eno == ENOENT ? ERR_GUEST : ERR_HOST,
                     eno, "cannot make a file of the environment");
}

/* Opens the directory that holds the entry; all directories on its path come from the stream. */
static int entry_parent(struct unpacking *u, const char **ret_name) {
    char *slash = strrchr(u->path, '/');
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    *ret_name = slash ? slash + 1 : u->path;
    if (!slash)
        return fcntl(u->dir, F_DUPFD_CLOEXEC, 0);
    *slash = 0;
    int fd = (int)syscall(SYS_openat2, u->dir, u->path, &how, sizeof how);
    *slash = '/';
    return fd;
}

static int copy_contents(struct unpacking *u, int to, uint64_t size) {
    char chunk[CHUNK];
    while (size > 0) {
        size_t n = size < sizeof chunk ? (size_t)size : sizeof chunk;
        int r = take_rest(u, chunk, n);
        if (r < 0)
            return r;
        if ((r = write_all(to, chunk, n)) < 0)
            return cannot_make(u, -r);
        size -= n;
    }
    return 0;
}

static int unpack_file(struct unpacking *u, int parent, const char *name,
                       const struct tree_head *h) {
    scoped_fd fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return cannot_make(u, errno);
    int r = copy_contents(u, fd, h->size);
    if (r == 0 && fchmod(fd, h->kind == TREE_PROGRAM ? 0555 : 0444) < 0)
        r = cannot_make(u, errno);
    return r;
}

static int unpack_link(struct unpacking *u, int parent, const char *name, size_t len) {
    char target[TREE_PATH];
    int r = take_rest(u, target, len);
    target[len] = 0;
    if (r < 0 || strlen(target) != len)
        return r < 0 ? r : bad_stream(u);
    if (!u->left.rooted && !tree_link_stays(u->path, target))
        return err_set(u->err, ERR_GUEST, EXDEV, "a package has a link that leads out of it");
    return symlinkat(target, parent, name) < 0 ? cannot_make(u, errno) : 0;
}

static int unpack_dir(struct unpacking *u, int parent, const char *name) {
    return mkdirat(parent, name, 0755) < 0 || fchmodat(parent, name, 0755, 0) < 0
               ? cannot_make(u, errno)
               : 0;
}

static int make_entry(struct unpacking *u, const struct tree_head *h) {
    const char *name;
    scoped_fd parent = entry_parent(u, &name);
    if (parent < 0)
        return cannot_make(u, errno);
    if (h->kind == TREE_DIR)
        return unpack_dir(u, parent, name);
    return h->kind == TREE_LINK ? unpack_link(u, parent, name, (size_t)h->size)
                                : unpack_file(u, parent, name, h);
}

static int count_entry(struct unpacking *u, const struct tree_head *h) {
    if (u->left.entries == 0 || u->left.bytes < h->size)
        return err_set(u->err, ERR_LIMIT, EFBIG, "the environment has too many or too large files");
    u->left.entries--;
    u->left.bytes -= h->size;
    return 0;
}

/* 1; 0 at the end. */
static int unpack_entry(struct unpacking *u) {
    unsigned char bytes[TREE_HEAD];
    struct tree_head h;
    int r = unpack_take(u, bytes, sizeof bytes);
    if (r <= 0)
        return r;
    if (tree_head_read(bytes, &h) < 0)
        return bad_stream(u);
    if ((r = count_entry(u, &h)) < 0 || (r = take_rest(u, u->path, h.path_len)) < 0)
        return r;
    u->path[h.path_len] = 0;
    if (!tree_path_ok(u->path, h.path_len, u->last))
        return bad_stream(u);
    if ((r = make_entry(u, &h)) < 0)
        return r;
    memcpy(u->last, u->path, h.path_len + 1);
    return 1;
}

static int unpack_all(struct unpacking *u) {
    char magic[sizeof TREE_MAGIC - 1];
    int r = take_rest(u, magic, sizeof magic);
    if (r > 0 && memcmp(magic, TREE_MAGIC, sizeof magic) != 0)
        r = bad_stream(u);
    while (r > 0)
        r = unpack_entry(u);
    return r;
}

int tree_unpack(int stream, int dir, const struct tree_bounds *bounds, struct hash *ret,
                struct retort_error *err) {
    struct unpacking u = {
        .stream = stream, .dir = dir, .hasher = hasher_new(), .left = *bounds, .err = err};
    int r = u.hasher ? unpack_all(&u) : err_errno(err, ERR_HOST, ENOMEM, "cannot hash");
    if (r == 0)
        r = hasher_finish(u.hasher, ret);
    hasher_free(u.hasher);
    return r;
}

/* --- removing --- */

static int tree_remove(int dir, const char *name) {
    if (unlinkat(dir, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -errno;
    scoped_fd below = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int r = below < 0 ? -errno : tree_empty(below);
    return r < 0 ? r : unlinkat(dir, name, AT_REMOVEDIR) < 0 ? -errno : 0;
}

int tree_empty(int dir) {
    scoped_dir entries = opendir_at(dir, ".");
    int r = 0;
    if (!entries)
        return -errno;
    for (struct dirent *e; r == 0 && (e = readdir(entries));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            r = tree_remove(dir, e->d_name);
    return r;
}
