/* Files of a session, uploads, and the output of past cells. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/mime.h"
#include "base/scope.h"
#include "engine/api/api.h"
#include "engine/api/output_read.h"
#include "engine/cell/review.h"
#include "engine/files/collector.h"
#include "engine/session/outside.h"
#include "engine/timeline/timeline.h"

#define MAX_READ (64u << 20)

/* Code in the session says /work/a, and so do people and models who talk about its files. */
static const char *below_work(const char *path) {
    if (strncmp(path, "/work/", 6) != 0)
        return path;
    return path + 5 + strspn(path + 5, "/");
}

/* The session's files are there as long as its collector is, also after its interpreter has ended.
 */
static int alive(struct retort_session *s, struct retort_error *err) {
    int r = session_wake(s, err);
    if (r == 0 && files_gone(&s->files))
        r = err_set(err, ERR_CALLER, ESRCH, "the session has ended, and its files with it");
    s->idle.used_ns = now_ns();
    return r;
}

/* The path is one, and the session has files. */
static int ready_for(struct retort_session *s, const char *path, struct retort_error *err) {
    int r = collector_check_path(path, err);
    return r < 0 ? r : alive(s, err);
}

static int not_there(const struct retort_session *s, const char *path, int r,
                     struct retort_error *err) {
    return outputs_plot_gone(&s->outputs, path)
               ? err_set(err, ERR_CALLER, ENODATA, "the plot of this cell is not kept any more")
               : r;
}

static int file_read(struct retort_session *s, const char *path, struct range range,
                     struct excerpt *ret, struct retort_error *err) {
    uint64_t size = 0;
    const struct output *plot = outputs_find(&s->outputs, 0, 0, path);
    if (plot)
        return output_part(plot, range, ret);
    int r = alive(s, err);
    scoped_fd fd = r < 0 ? -1 : collector_open(&s->files.collector, path, &size, err);
    if (r < 0 || fd < 0)
        return r < 0 ? r : not_there(s, path, fd, err);
    size_t want = range_within(range, size);
    want = want < MAX_READ ? want : MAX_READ;
    char *data = malloc(want + 1);
    if (!data)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the file");
    /* Never seeks beyond the end, where lseek might refuse to go. */
    ssize_t n =
        want && lseek(fd, (off_t)range.offset, SEEK_SET) < 0 ? -errno : read_full(fd, data, want);
    if (n < 0) {
        free(data);
        return err_errno(err, ERR_HOST, (int)-n, "cannot read the file");
    }
    data[n] = 0;
    *ret = (struct excerpt){.data = data, .len = (size_t)n, .total = size};
    return 0;
}

static int file_list(struct retort_session *s, char **ret_json, struct retort_error *err) {
    struct manifest m = {0};
    int r = alive(s, err);
    if (r == 0)
        r = files_list(&s->files, &m, err);
    if (r < 0)
        return r;
    json_t *list = json_array();
    for (size_t i = 0; i < m.count; i++)
        if (S_ISREG(m.files[i].mode))
            json_array_append_new(
                list, json_pack("{s:o s:I s:s}", "path",
                                json_name(m.files[i].path, strlen(m.files[i].path)), "size",
                                (json_int_t)m.files[i].size, "mime", mime_of(m.files[i].path)));
    *ret_json = json_whole(list, JSON_COMPACT);
    bool missing = m.missing;
    json_decref(list);
    manifest_done(&m);
    return *ret_json ? missing : err_errno(err, ERR_HOST, ENOMEM, "cannot list the files");
}

static int open_plot(const struct output *plot, uint64_t *ret_size, struct retort_error *err) {
    scoped_fd fd = memfd_create("plot", MFD_CLOEXEC);
    if (fd < 0 || write_all(fd, plot->data ? plot->data : "", plot->len) < 0)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the plot");
    *ret_size = plot->len;
    return take_fd(&fd);
}

static int file_open(struct retort_session *s, const char *path, int *ret_fd, uint64_t *ret_size,
                     struct retort_error *err) {
    const struct output *plot = outputs_find(&s->outputs, 0, 0, path);
    int r = plot ? 0 : alive(s, err);
    if (r == 0)
        r = plot ? open_plot(plot, ret_size, err)
                 : collector_open(&s->files.collector, path, ret_size, err);
    if (r < 0)
        r = not_there(s, path, r, err);
    if (r >= 0)
        *ret_fd = r;
    return r < 0 ? r : 0;
}

static int file_write(struct retort_session *s, const char *path, const struct file_piece *piece,
                      struct retort_error *err) {
    int r = ready_for(s, path, err);
    return r < 0 ? r : outside_write(s, path, piece, err);
}

static int file_delete(struct retort_session *s, const char *path, struct retort_error *err) {
    int r = ready_for(s, path, err);
    return r < 0 ? r : outside_delete(s, path, err);
}

static int upload_begin(struct retort_session *s, const char *path, uint64_t size,
                        struct retort_upload **ret, struct retort_error *err) {
    int r = ready_for(s, path, err);
    return r < 0 ? r : upload_open(s, path, size, ret, err);
}

static int upload_finish(struct retort_upload *u, struct retort_error *err) {
    int r = files_gone(&u->session->files)
                ? err_set(err, ERR_CALLER, ESRCH, "the session has ended")
                : upload_publish(u, err);
    upload_drop(u);
    return r;
}

/* --- retort.h --- */

/* Out-parameters are untouched on failure. */
static int give_excerpt(int r, const struct excerpt *got, char **ret_data, size_t *ret_len,
                        uint64_t *ret_total) {
    if (r < 0)
        return r;
    *ret_data = got->data;
    *ret_len = got->len;
    *ret_total = got->total;
    return r;
}

int retort_file_read(struct retort_session *s, const char *path, uint64_t offset, size_t length,
                     char **ret_data, size_t *ret_len, uint64_t *ret_size,
                     struct retort_error *error) {
    struct excerpt got;
    struct range range = {offset, length};
    LOCKED(s, error,
           give_excerpt(flow_gives(s, below_work(path), &err)
                            ? file_read(s, below_work(path), range, &got, &err)
                            : -EACCES,
                        &got, ret_data, ret_len, ret_size));
}

int retort_file_open(struct retort_session *s, const char *path, int *ret_fd, uint64_t *ret_size,
                     struct retort_error *error) {
    LOCKED(s, error,
           flow_gives(s, below_work(path), &err)
               ? file_open(s, below_work(path), ret_fd, ret_size, &err)
               : -EACCES);
}

int retort_file_write(struct retort_session *s, const char *path, uint64_t offset, const void *data,
                      size_t len, bool truncate, struct retort_error *error) {
    struct file_piece piece = {offset, data, len, truncate};
    LOCKED(s, error,
           flow_forget_file(s, truncate ? below_work(path) : NULL,
                            file_write(s, below_work(path), &piece, &err)));
}

int retort_file_delete(struct retort_session *s, const char *path, struct retort_error *error) {
    LOCKED(s, error, flow_forget_file(s, below_work(path), file_delete(s, below_work(path), &err)));
}

int retort_file_list(struct retort_session *s, char **ret_json, struct retort_error *error) {
    LOCKED(s, error, file_list(s, ret_json, &err));
}

int retort_upload_begin(struct retort_session *s, const char *path, uint64_t size,
                        struct retort_upload **ret_upload, struct retort_error *error) {
    LOCKED(s, error, upload_begin(s, path, size, ret_upload, &err));
}

int retort_upload_write(struct retort_upload *u, const void *data, size_t len,
                        struct retort_error *error) {
    LOCKED(u->session, error, upload_add(u, data, len, &err));
}

int retort_upload_finish(struct retort_upload *u, struct retort_error *error) {
    struct retort_session *s = u->session;
    LOCKED(s, error, upload_finish(u, &err));
}

void retort_upload_cancel(struct retort_upload *u) {
    if (!u)
        return;
    struct retort_session *s = u->session;
    session_enter(s);
    upload_drop(u);
    session_leave(s);
}

int retort_output_read(struct retort_session *s, unsigned cell, enum retort_stream stream,
                       uint64_t offset, size_t length, char **ret_data, size_t *ret_len,
                       uint64_t *ret_total, struct retort_error *error) {
    struct excerpt got;
    struct range range = {offset, length};
    LOCKED(s, error,
           give_excerpt(output_read(s, cell, stream, range, &got, &err), &got, ret_data, ret_len,
                        ret_total));
}
