#include "skills/skillfiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/readall.h"
#include "base/scope.h"

#define SKILL_DEPTH 8
#define SKILL_PATH 512

/* --- reading --- */

static bool name_is_plain(const char *name) {
    static const char fine[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+ ";
    size_t len = strlen(name);
    return len <= 128 && strspn(name, fine) == len && name[len - 1] != ' ' && name[len - 1] != '.';
}

static bool is_passed_over(const char *name) {
    return name[0] == '.' || strcmp(name, "__pycache__") == 0;
}

/* Names that differ only in case are one file on other systems. */
static int check_new(const struct skill_files *files, const char *path, struct retort_error *err) {
    for (size_t i = 0; i < files->n; i++)
        if (strcasecmp(files->at[i].path, path) == 0)
            return err_set(err, ERR_CALLER, EINVAL, "%.100s and %.100s differ in case only",
                           files->at[i].path, path);
    return 0;
}

static int read_bytes(int fd, size_t most, char **ret, size_t *ret_len) {
    struct buf data = BUF_INIT(most + 1);
    int r = buf_add(&data, "", 0);
    if (r == 0)
        r = read_all(fd, &data);
    if (r < 0) {
        buf_done(&data);
        return r;
    }
    *ret = data.data ? data.data : strdup("");
    *ret_len = data.len;
    return *ret ? 0 : -ENOMEM;
}

static int take_file(struct skill_files *files, int fd, const char *path,
                     struct retort_error *err) {
    char *data;
    size_t len;
    if (files->n == SKILL_FILES)
        return err_set(err, ERR_LIMIT, EFBIG, "the skill has more than %d files", SKILL_FILES);
    int r = read_bytes(fd, SKILL_BYTES - files->bytes, &data, &len);
    if (r == -ENOSPC)
        return err_set(err, ERR_LIMIT, EFBIG, "the skill has more than %u MiB of files",
                       SKILL_BYTES >> 20);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot read %.100s", path)
                 : skillfiles_put(files, path, data, len, err);
}

static int read_folder(struct skill_files *files, int dir, const char *prefix, unsigned depth,
                       struct retort_error *err);

static int read_skill_entry(struct skill_files *files, int dir, const char *path, const char *name,
                            unsigned depth, struct retort_error *err) {
    struct stat st;
    scoped_fd fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ELOOP)
        return err_set(err, ERR_CALLER, EINVAL, "%.100s is a link: a skill has files only", path);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_errno(err, ERR_CALLER, errno, "cannot read %.100s", path);
    if (S_ISDIR(st.st_mode))
        return read_folder(files, fd, path, depth + 1, err);
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_CALLER, EINVAL, "%.100s is no file", path);
    TRY(check_new(files, path, err));
    return take_file(files, fd, path, err);
}

static int read_folder(struct skill_files *files, int dir, const char *prefix, unsigned depth,
                       struct retort_error *err) {
    char path[SKILL_PATH];
    scoped_dir entries = depth <= SKILL_DEPTH ? opendir_at(dir, ".") : NULL;
    if (!entries)
        return err_set(err, ERR_CALLER, EINVAL, "%.100s: too deep, or cannot be read", prefix);
    for (struct dirent *e; (e = readdir(entries));) {
        if (is_passed_over(e->d_name))
            continue;
        if (!name_is_plain(e->d_name) ||
            snprintf(path, sizeof path, "%s%s%s", prefix, prefix[0] ? "/" : "", e->d_name) >=
                (int)sizeof path)
            return err_set(err, ERR_CALLER, EINVAL,
                           "a name in %.100s is too long or has characters other than letters, "
                           "digits, '.', '_', '-', '+' and spaces",
                           prefix[0] ? prefix : "the folder");
        TRY(read_skill_entry(files, dir, path, e->d_name, depth, err));
    }
    return 0;
}

int skillfiles_read(int dir, struct skill_files *ret, struct retort_error *err) {
    return read_folder(ret, dir, "", 0, err);
}

int skillfiles_read_built(int dir, struct skill_files *ret, const char *hash,
                          struct retort_error *err) {
    char text[HASH_TEXT_SIZE];
    TRY(read_skill_entry(ret, dir, SKILL_BUILT, SKILL_BUILT, 0, err));
    if (skillfiles_hash(skillfiles_find(ret, SKILL_BUILT), text) < 0 || strcmp(text, hash) != 0)
        return err_set(err, ERR_HOST, EBADMSG, "what was built of the skill was changed");
    return 0;
}

/* --- in memory --- */

const struct skill_file *skillfiles_find(const struct skill_files *files, const char *path) {
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->at[i].path, path) == 0)
            return &files->at[i];
    return NULL;
}

int skillfiles_put(struct skill_files *files, const char *path, char *data, size_t len,
                   struct retort_error *err) {
    size_t i = 0;
    while (i < files->n && strcmp(files->at[i].path, path) != 0)
        i++;
    struct skill_file *file = &files->at[i];
    if (i == files->n) {
        char *copy = i < SKILL_FILES ? strdup(path) : NULL;
        if (!copy) {
            free(data);
            return err_set(err, ERR_HOST, ENOMEM, "out of memory for the files of a skill");
        }
        *file = (struct skill_file){.path = copy};
        files->n++;
    }
    if (len > SKILL_BYTES - (files->bytes - file->len)) {
        free(data);
        return err_set(err, ERR_LIMIT, EFBIG, "the skill has more than %u MiB of files",
                       SKILL_BYTES >> 20);
    }
    files->bytes += len - file->len;
    free(file->data);
    file->data = data;
    file->len = len;
    return 0;
}

int skillfiles_copy(struct skill_files *to, const struct skill_files *from) {
    for (size_t i = 0; i < from->n; i++) {
        const struct skill_file *f = &from->at[i];
        char *data = malloc(f->len + 1);
        if (!data)
            return -ENOMEM;
        memcpy(data, f->data, f->len);
        data[f->len] = 0;
        TRY(skillfiles_put(to, f->path, data, f->len, NULL));
    }
    return 0;
}

static bool skill_path_is_plain(const char *path) {
    char name[SKILL_PATH];
    unsigned depth = 0;
    for (size_t len;; path += len + 1) {
        len = strcspn(path, "/");
        snprintf(name, sizeof name, "%.*s", (int)(len < 200 ? len : 200), path);
        if (!len || is_passed_over(name) || !name_is_plain(name) || depth++ > SKILL_DEPTH)
            return false;
        if (!path[len])
            return true;
    }
}

int skillfiles_take(struct skill_files *files, const char *path, char *data, size_t len,
                    struct retort_error *err) {
    int r = skill_path_is_plain(path) && strlen(path) < SKILL_PATH
                ? check_new(files, path, err)
                : err_set(err, ERR_CALLER, EINVAL, "'%.60s' is no path of a file of a skill", path);
    if (r == 0 && (files->n == SKILL_FILES || len > SKILL_BYTES - files->bytes))
        r = err_set(err, ERR_LIMIT, EFBIG, "the skill has more than %d files or %u MiB",
                    SKILL_FILES, SKILL_BYTES >> 20);
    if (r < 0) {
        free(data);
        return r;
    }
    return skillfiles_put(files, path, data, len, err);
}

int skillfiles_hash(const struct skill_file *file, char ret[HASH_TEXT_SIZE]) {
    struct hash hash;
    if (hash_bytes(file->data, file->len, &hash) < 0)
        return -ENOMEM;
    hash_text(&hash, ret);
    return 0;
}

json_t *skillfiles_hashes(const struct skill_files *files) {
    json_t *hashes = json_object();
    for (size_t i = 0; hashes && i < files->n; i++) {
        const struct skill_file *f = &files->at[i];
        char text[HASH_TEXT_SIZE];
        if (strcmp(f->path, "skill.json") == 0 || strcmp(f->path, SKILL_BUILT) == 0)
            continue;
        if (skillfiles_hash(f, text) < 0) {
            json_decref(hashes);
            return NULL;
        }
        json_object_set_new(hashes, f->path, json_string(text));
    }
    return hashes;
}

void skillfiles_drop_built(struct skill_files *files) {
    for (size_t i = 0; i < files->n; i++) {
        struct skill_file *f = &files->at[i];
        if (strcmp(f->path, SKILL_BUILT) != 0)
            continue;
        files->bytes -= f->len;
        free(f->path);
        free(f->data);
        *f = files->at[--files->n];
        return;
    }
}

void skillfiles_done(struct skill_files *files) {
    for (size_t i = 0; i < files->n; i++) {
        free(files->at[i].path);
        free(files->at[i].data);
    }
    files->n = files->bytes = 0;
}

/* --- writing --- */

/* Opens the folder of the file, and makes it if it is missing; a descriptor or -errno. */
static int folder_of(int dir, const char *path, const char **ret_name) {
    char part[SKILL_PATH];
    int at = fcntl(dir, F_DUPFD_CLOEXEC, 0);
    const char *slash;
    while (at >= 0 && (slash = strchr(path, '/'))) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        if (mkdirat(at, part, 0755) == 0 && fsync(at) < 0)
            break;
        int below = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(at);
        at = below;
        path = slash + 1;
    }
    *ret_name = path;
    return at < 0 ? -errno : at;
}

static int write_skill_file(int dir, const struct skill_file *f) {
    const char *name;
    scoped_fd folder = folder_of(dir, f->path, &name);
    if (folder < 0)
        return folder;
    scoped_fd fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    int r = write_all(fd, f->data, f->len);
    if (r == 0 && (fchmod(fd, 0444) < 0 || fsync(fd) < 0 || fsync(folder) < 0))
        r = -errno;
    return r;
}

int skillfiles_write(int dir, const struct skill_files *files, struct retort_error *err) {
    for (size_t i = 0; i < files->n; i++) {
        int r = write_skill_file(dir, &files->at[i]);
        if (r < 0)
            return err_errno(err, ERR_HOST, -r, "cannot write %.100s", files->at[i].path);
    }
    return 0;
}
