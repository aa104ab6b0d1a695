/* The public calls about files of a session. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/record.h"
#include "wire/collect.h"

#define MAX_READ (64u << 20)

/* Code in the session says /work/a, and so do those who talk about it. */
static const char *below_work(const char *path) {
    if (strncmp(path, "/work/", 6) != 0)
        return path;
    return path + 5 + strspn(path + 5, "/");
}

/* The session's files are there as long as its collector is, also after its interpreter has ended.
 */
int file_check_alive(struct retort_session *s, struct err *err) {
    int r = state_wake(s, err);
    if (r == 0 && s->collector < 0)
        r = err_set(err, ERR_CALLER, ESRCH, "the session has ended, and its files with it");
    s->used_ns = now_ns();
    return r;
}

static int not_there(const struct retort_session *s, const char *path, int r, struct err *err) {
    return output_plot_gone(s, path)
               ? err_set(err, ERR_CALLER, ENODATA, "the plot of this cell is not kept any more")
               : r;
}

static int file_read(struct retort_session *s, const char *path, uint64_t offset, size_t length,
                     char **ret_data, size_t *ret_len, uint64_t *ret_size, struct err *err) {
    uint64_t size = 0;
    const struct output *plot = output_find(s, 0, 0, path);
    if (plot) {
        *ret_size = plot->len;
        return output_part(plot, offset, length, ret_data, ret_len);
    }
    int r = file_check_alive(s, err);
    scoped_fd fd = r < 0 ? -1 : files_open(s->collector, path, &size, err);
    if (r < 0 || fd < 0)
        return r < 0 ? r : not_there(s, path, fd, err);
    uint64_t left = offset < size ? size - offset : 0;
    size_t want = left < length ? (size_t)left : length;
    if (want > MAX_READ)
        want = MAX_READ;
    char *data = malloc(want + 1);
    if (!data)
        return err_set(err, ERR_HOST, ENOMEM, "cannot hold the file");
    /* Nothing is wanted from beyond the end, where lseek might refuse to go. */
    ssize_t n = want && lseek(fd, (off_t)offset, SEEK_SET) < 0 ? -errno : read_full(fd, data, want);
    if (n < 0) {
        free(data);
        return err_set(err, ERR_HOST, (int)-n, "cannot read the file");
    }
    data[n] = 0;
    *ret_data = data;
    *ret_len = (size_t)n;
    *ret_size = size;
    return 0;
}

static int file_write(struct retort_session *s, const char *path, uint64_t offset, const void *data,
                      size_t len, bool truncate, struct err *err) {
    int r = files_check_path(path, err);
    if (r == 0)
        r = file_check_alive(s, err);
    if (r == 0)
        r = past_check_room(s, strlen(path), err);
    if (r == 0 && truncate && offset == 0)
        return upload_write_whole(s, path, data, len, err);
    if (r == 0)
        r = record_write(s, path, offset, data, len, truncate, err);
    scoped_fd fd =
        r < 0 ? -1 : files_create(s->collector, path, truncate ? COLLECT_TRUNCATE : 0, 0, err);
    if (r < 0 || fd < 0)
        return r < 0 ? r : fd;
    r = lseek(fd, (off_t)offset, SEEK_SET) < 0 ? -errno : write_all(fd, data, len);
    past_add_file(s, path); /* and what was written in part: no cell did it */
    if (r < 0)
        return err_set(err, r == -ENOSPC ? ERR_LIMIT : ERR_HOST, -r, "cannot write the file");
    return 0;
}

static int file_list(struct retort_session *s, char **ret_json, struct err *err) {
    struct manifest m = {0};
    int r = file_check_alive(s, err);
    if (r == 0)
        r = files_list(s, &m, err);
    if (r < 0)
        return r;
    json_t *list = json_array();
    for (size_t i = 0; i < m.count; i++)
        if (S_ISREG(m.files[i].mode))
            json_array_append_new(
                list, json_pack("{s:o s:I s:s}", "path",
                                json_name(m.files[i].path, strlen(m.files[i].path)), "size",
                                (json_int_t)m.files[i].size, "mime", files_mime(m.files[i].path)));
    *ret_json = json_dumps(list, JSON_COMPACT);
    bool missing = m.missing;
    json_decref(list);
    manifest_done(&m);
    return *ret_json ? missing : err_set(err, ERR_HOST, ENOMEM, "cannot list the files");
}

static int open_plot(const struct output *plot, uint64_t *ret_size, struct err *err) {
    scoped_fd fd = memfd_create("plot", MFD_CLOEXEC);
    if (fd < 0 || write_all(fd, plot->data ? plot->data : "", plot->len) < 0)
        return err_set(err, ERR_HOST, ENOMEM, "cannot hold the plot");
    *ret_size = plot->len;
    return take_fd(&fd);
}

static int file_open(struct retort_session *s, const char *path, int *ret_fd, uint64_t *ret_size,
                     struct err *err) {
    const struct output *plot = output_find(s, 0, 0, path);
    int r = plot ? 0 : file_check_alive(s, err);
    if (r == 0)
        r = plot ? open_plot(plot, ret_size, err) : files_open(s->collector, path, ret_size, err);
    if (r < 0)
        r = not_there(s, path, r, err);
    if (r >= 0)
        *ret_fd = r;
    return r < 0 ? r : 0;
}

#define LOCKED(s, error, call)                    \
    do {                                          \
        struct err err = ERR_INIT;                \
        pthread_mutex_lock(&(s)->lock);           \
        int locked_ = (call);                     \
        pthread_mutex_unlock(&(s)->lock);         \
        return api_error((error), &err, locked_); \
    } while (0)

int retort_file_read(struct retort_session *s, const char *path, uint64_t offset, size_t length,
                     char **ret_data, size_t *ret_len, uint64_t *ret_size,
                     struct retort_error *error) {
    LOCKED(s, error,
           file_read(s, below_work(path), offset, length, ret_data, ret_len, ret_size, &err));
}

int retort_file_open(struct retort_session *s, const char *path, int *ret_fd, uint64_t *ret_size,
                     struct retort_error *error) {
    LOCKED(s, error, file_open(s, path, ret_fd, ret_size, &err));
}

int retort_file_write(struct retort_session *s, const char *path, uint64_t offset, const void *data,
                      size_t len, bool truncate, struct retort_error *error) {
    LOCKED(s, error, file_write(s, below_work(path), offset, data, len, truncate, &err));
}

static int file_delete(struct retort_session *s, const char *path, struct err *err) {
    int r = files_check_path(path, err);
    if (r == 0)
        r = file_check_alive(s, err);
    if (r == 0)
        r = past_check_room(s, strlen(path), err);
    if (r == 0)
        r = record_delete(s, path, err);
    if (r == 0)
        r = files_delete(s->collector, path, err);
    if (r == 0)
        past_add_file(s, path);
    return r;
}

int retort_file_delete(struct retort_session *s, const char *path, struct retort_error *error) {
    LOCKED(s, error, file_delete(s, below_work(path), &err));
}

int retort_file_list(struct retort_session *s, char **ret_json, struct retort_error *error) {
    LOCKED(s, error, file_list(s, ret_json, &err));
}
