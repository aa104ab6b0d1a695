/* Files of a WebAssembly skill: only below the directories that skill.json declares. The skill's
 * own files can only be read.
 *
 * Runs in: as host.h, which includes this
 * Hostile: the module. A path cannot leave its directory (openat2), links are not followed.
 * Tests: tests/system/test_wasm.py
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST_FILE 3 /* below are standard input, output and error */
#define MAX_FILES 64
#define MAX_FILE_PATH 1024

enum { KIND_DIRECTORY = 3, KIND_FILE = 4 };
enum { OPEN_CREATE = 1, OPEN_DIRECTORY = 2, OPEN_NEW = 4, OPEN_EMPTY = 8 };
enum { FLAG_APPEND = 1 };

#define RIGHT_READ (1ull << 1)
#define RIGHT_WRITE (1ull << 6)
/* The rights to seek, tell, open, list and stat. */
#define RIGHTS_READ \
    (RIGHT_READ | 1ull << 2 | 1ull << 5 | 1ull << 13 | 1ull << 14 | 1ull << 18 | 1ull << 21)
/* The rights to make directories and files, and to truncate them. */
#define RIGHTS_WRITE (RIGHTS_READ | RIGHT_WRITE | 1ull << 9 | 1ull << 10 | 1ull << 19)

static struct wasi_open {
    bool used, directory, writable;
    int fd;
    u32 flags;
    const char *name; /* of a directory that was open from the beginning */
} files[MAX_FILES];

static u32 wasi_error(int error) {
    static const struct {
        int ours, theirs;
    } known[] = {{EACCES, 2},  {EBADF, 8},    {EEXIST, 20},       {EFBIG, 22},  {EINVAL, 28},
                 {EISDIR, 31}, {EMFILE, 33},  {ENAMETOOLONG, 37}, {ENOENT, 44}, {ENOSPC, 51},
                 {EDQUOT, 51}, {ENOTDIR, 54}, {ENOTEMPTY, 55},    {EPERM, 63},  {EROFS, 69},
                 {EXDEV, 76},  {ELOOP, 76}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].ours == error)
            return (u32)known[i].theirs;
    return WASI_IO;
}

/* --- what is open --- */

static struct wasi_open *file_at(u32 fd) {
    return fd >= FIRST_FILE && fd < FIRST_FILE + MAX_FILES && files[fd - FIRST_FILE].used
               ? &files[fd - FIRST_FILE]
               : NULL;
}

/* Takes the descriptor; returns its number for the module, or 0. */
static u32 file_keep(struct wasi_open opened) {
    for (u32 i = 0; i < MAX_FILES; i++)
        if (!files[i].used) {
            files[i] = opened;
            files[i].used = true;
            return FIRST_FILE + i;
        }
    close(opened.fd);
    return 0;
}

/* Closes what an earlier instance left open. */
static void files_begin(const struct streams *io) {
    for (u32 i = 0; i < MAX_FILES; i++)
        if (files[i].used) {
            close(files[i].fd);
            files[i].used = false;
        }
    for (u64 i = 0; i < io->directory_count; i++) {
        const struct wasi_directory *d = &io->directories[i];
        int fd = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0)
            file_keep((struct wasi_open){
                .fd = fd, .directory = true, .writable = d->writable, .name = d->name});
    }
}

/* Reads a path out of the module's memory. */
static u32 path_text(u32 path, u32 len, char ret[MAX_FILE_PATH]) {
    const u8 *from = memory_at(path, len);
    if (!from)
        return WASI_FAULT;
    if (len >= MAX_FILE_PATH)
        return wasi_error(ENAMETOOLONG);
    if (len == 0 || memchr(from, 0, len))
        return wasi_error(ENOENT);
    memcpy(ret, from, len);
    ret[len] = 0;
    return WASI_OK;
}

static int open_below(int dir, const char *path, int flags) {
    struct open_how how = {.flags = (u64)flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                           .mode = flags & O_CREAT ? 0600 : 0,
                           .resolve =
                               RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
}

static u32 wasi_path_open(u32 fd, u32 lookup, u32 path, u32 len, u32 how, u64 rights, u64 below,
                          u32 flags, u32 ret) {
    const struct wasi_open *dir = file_at(fd);
    char text[MAX_FILE_PATH];
    bool writes = rights & RIGHT_WRITE;
    (void)lookup, (void)below;
    if (!dir)
        return WASI_BADF;
    u32 r = path_text(path, len, text);
    if (r)
        return r;
    if (!dir->directory || (!dir->writable && (writes || how & (OPEN_CREATE | OPEN_EMPTY))))
        return WASI_NOTCAPABLE;
    int asked = !writes ? O_RDONLY : rights & RIGHT_READ ? O_RDWR : O_WRONLY;
    asked |= (how & OPEN_CREATE ? O_CREAT : 0) | (how & OPEN_NEW ? O_EXCL : 0) |
             (how & OPEN_EMPTY ? O_TRUNC : 0) | (how & OPEN_DIRECTORY ? O_DIRECTORY : 0) |
             (flags & FLAG_APPEND ? O_APPEND : 0);
    struct wasi_open made = {.fd = open_below(dir->fd, text, asked), .flags = flags & FLAG_APPEND};
    struct stat about;
    if (made.fd < 0)
        return wasi_error(errno);
    if (fstat(made.fd, &about) < 0 || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))) {
        close(made.fd);
        return WASI_NOTCAPABLE;
    }
    made.directory = S_ISDIR(about.st_mode);
    made.writable = dir->writable && (writes || made.directory);
    u32 kept = file_keep(made);
    return kept ? store_u32(ret, kept) : wasi_error(EMFILE);
}

/* --- what they are --- */

static u32 wasi_fd_prestat_get(u32 fd, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    u32 about[2] = {0};
    if (!f || !f->name)
        return WASI_BADF;
    about[1] = (u32)strlen(f->name);
    return store(ret, about, sizeof about);
}

static u32 wasi_fd_prestat_dir_name(u32 fd, u32 path, u32 len) {
    const struct wasi_open *f = file_at(fd);
    if (!f || !f->name)
        return WASI_BADF;
    return len < strlen(f->name) ? wasi_error(ENAMETOOLONG) : store(path, f->name, strlen(f->name));
}

/* Leaves times out: a module that needs them declares the clock. */
static u32 store_about(const struct stat *about, u32 ret) {
    u64 words[8] = {0, about->st_ino, S_ISDIR(about->st_mode) ? KIND_DIRECTORY : KIND_FILE,
                    about->st_nlink, (u64)about->st_size};
    return store(ret, words, sizeof words);
}

static u32 wasi_fd_filestat_get(u32 fd, u32 ret) {
    static const u64 stream[8] = {0, 0, 2 /* a character device */};
    const struct wasi_open *f = file_at(fd);
    struct stat about;
    if (fd < FIRST_FILE)
        return store(ret, stream, sizeof stream);
    if (!f)
        return WASI_BADF;
    return fstat(f->fd, &about) < 0 ? wasi_error(errno) : store_about(&about, ret);
}

static u32 wasi_path_filestat_get(u32 fd, u32 lookup, u32 path, u32 len, u32 ret) {
    const struct wasi_open *dir = file_at(fd);
    char text[MAX_FILE_PATH];
    struct stat about;
    (void)lookup;
    if (!dir || !dir->directory)
        return WASI_BADF;
    u32 r = path_text(path, len, text);
    if (r)
        return r;
    int found = open_below(dir->fd, text, O_RDONLY);
    int failed = found < 0 || fstat(found, &about) < 0 ? errno : 0;
    if (found >= 0)
        close(found);
    return failed ? wasi_error(failed) : store_about(&about, ret);
}

static u32 files_fdstat(const struct wasi_open *f, u32 ret) {
    u8 about[24] = {f->directory ? KIND_DIRECTORY : KIND_FILE, 0, (u8)f->flags};
    u64 rights[2] = {f->writable ? RIGHTS_WRITE : RIGHTS_READ};
    rights[1] = f->directory ? rights[0] : 0;
    memcpy(about + 8, rights, sizeof rights);
    return store(ret, about, sizeof about);
}

static u32 wasi_path_create_directory(u32 fd, u32 path, u32 len) {
    const struct wasi_open *dir = file_at(fd);
    char text[MAX_FILE_PATH];
    if (!dir || !dir->directory)
        return WASI_BADF;
    u32 r = path_text(path, len, text);
    if (r)
        return r;
    if (!dir->writable)
        return WASI_NOTCAPABLE;
    char *slash = strrchr(text, '/');
    if (slash)
        *slash = 0;
    int parent = open_below(dir->fd, slash ? text : ".", O_RDONLY | O_DIRECTORY);
    const char *name = slash ? slash + 1 : text;
    if (parent < 0)
        return wasi_error(errno);
    int failed = strcmp(name, "..") == 0 ? EXDEV : mkdirat(parent, name, 0700) < 0 ? errno : 0;
    close(parent);
    return failed ? wasi_error(failed) : WASI_OK;
}

/* --- what is in them --- */

struct file_move {
    int fd;
    bool placed; /* at `offset`, not at the file's position */
    off_t offset;
};

static int64_t file_in(void *with, u8 *part, u64 len) {
    struct file_move *m = with;
    ssize_t n = m->placed ? pread(m->fd, part, len, m->offset) : read(m->fd, part, len);
    m->offset += n > 0 ? n : 0;
    return n < 0 ? -errno : n;
}

static int64_t file_out(void *with, u8 *part, u64 len) {
    struct file_move *m = with;
    ssize_t n = m->placed ? pwrite(m->fd, part, len, m->offset) : write(m->fd, part, len);
    m->offset += n > 0 ? n : 0;
    return n < 0 ? -errno : n;
}

static u32 wasi_fd_pread(u32 fd, u32 parts, u32 count, u64 offset, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    if (!f || f->directory)
        return WASI_BADF;
    struct file_move move = {f->fd, true, (off_t)offset};
    return offset > INT64_MAX ? WASI_INVAL : move_parts(file_in, &move, parts, count, ret);
}

static u32 wasi_fd_pwrite(u32 fd, u32 parts, u32 count, u64 offset, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    if (!f || f->directory || !f->writable)
        return WASI_BADF;
    struct file_move move = {f->fd, true, (off_t)offset};
    return offset > INT64_MAX ? WASI_INVAL : move_parts(file_out, &move, parts, count, ret);
}

static u32 files_seek(const struct wasi_open *f, u64 offset, u32 whence, u32 ret) {
    off_t at = f->directory || whence > 2 ? -1 : lseek(f->fd, (off_t)offset, (int)whence);
    return at < 0 ? WASI_INVAL : store_u64(ret, (u64)at);
}

static u32 wasi_fd_tell(u32 fd, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    return fd < FIRST_FILE ? WASI_SPIPE : f ? files_seek(f, 0, SEEK_CUR, ret) : WASI_BADF;
}

/* Puts one entry, cut off if there is no room; returns its whole length. */
static u64 put_entry(u8 *to, u64 room, u64 next, const struct dirent *e) {
    struct {
        u64 next, inode;
        u32 len;
        u8 kind, rest[3];
    } head = {next,
              e->d_ino,
              (u32)strlen(e->d_name),
              e->d_type == DT_DIR   ? KIND_DIRECTORY
              : e->d_type == DT_REG ? KIND_FILE
                                    : 0,
              {0}};
    u64 first = room < sizeof head ? room : sizeof head;
    u64 second = room - first < head.len ? room - first : head.len;
    memcpy(to, &head, first);
    memcpy(to + first, e->d_name, second);
    return first + second;
}

static u32 wasi_fd_readdir(u32 fd, u32 room, u32 len, u64 cookie, u32 ret) {
    const struct wasi_open *f = file_at(fd);
    u8 *to = memory_at(room, len);
    u64 used = 0, at = 0;
    if (!f || !f->directory)
        return WASI_BADF;
    if (!to)
        return WASI_FAULT;
    int again = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again >= 0 ? fdopendir(again) : NULL;
    if (!dir)
        return wasi_error(errno);
    for (struct dirent *e; used < len && (e = readdir(dir)); at++)
        if (at >= cookie)
            used += put_entry(to + used, len - used, at + 1, e);
    closedir(dir);
    return store_u32(ret, (u32)used);
}
