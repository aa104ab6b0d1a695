/* Files that are written whole or not at all.
 *
 * The bytes go into a file beside the one they are for, in the session's own /work: its disk limit
 * holds for them as they come. When all are there, that file takes the name. Until then no list and
 * no roll-back knows of it; the guest may see it, and may treat it like its own files.
 */
#include "engine/session/outside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/files/collector.h"
#include "engine/session/record.h"
#include "wire/collect.h"

#define RECORD_PIECE (4u << 20) /* each is an entry of the ledger, so they should be few */

static char *staged_name(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = NULL;
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != sizeof random ||
        asprintf(&name, "%.*s.upload-%016llx", slash ? (int)(slash + 1 - path) : 0, path,
                 (unsigned long long)random) < 0)
        return NULL;
    return name;
}

static void unlink_upload(struct retort_upload *u) {
    struct retort_upload **at = &u->session->files.uploads;
    while (*at && *at != u)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = u->next;
    u->session->files.nuploads--;
}

/* With the session's lock held. Deletes the bytes unless they have got their name. */
void upload_drop(struct retort_upload *u) {
    if (u->staged && u->fd >= 0 && !files_gone(&u->session->files))
        collector_delete(&u->session->files.collector, u->staged, NULL);
    unlink_upload(u);
    fd_done(&u->fd);
    free(u->path);
    free(u->staged);
    free(u);
}

/* If there is no room for both, the old file goes first. If there is not even room then, the upload
 * is refused. */
static int upload_make_room(struct retort_session *s, const char *path, uint64_t size,
                            struct retort_error *err) {
    struct statfs fs;
    uint64_t old = 0, left;
    if (!size || s->files.work < 0 || fstatfs(s->files.work, &fs) < 0)
        return 0;
    left = (uint64_t)fs.f_bfree * (uint64_t)fs.f_bsize;
    if (size <= left)
        return 0;
    scoped_fd fd = collector_open(&s->files.collector, path, &old, NULL);
    if (fd < 0 || size > left + old)
        return err_set(err, ERR_LIMIT, ENOSPC,
                       "the file does not fit: it has %llu bytes, and %llu are left of the "
                       "session's disk",
                       (unsigned long long)size, (unsigned long long)left);
    int r = record_delete(s, path, err);
    if (r == 0)
        r = collector_delete(&s->files.collector, path, err);
    timeline_add_file(s, path);
    return r;
}

int upload_open(struct retort_session *s, const char *path, uint64_t size,
                struct retort_upload **ret, struct retort_error *err) {
    if (s->files.nuploads >= MAX_UPLOADS)
        return err_set(err, ERR_LIMIT, EAGAIN, "%u files are under way to this session already",
                       s->files.nuploads);
    int room = timeline_check_room(s, strlen(path), err);
    if (room < 0)
        return room;
    struct retort_upload *u = calloc(1, sizeof *u);
    if (!u)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the upload");
    *u = (struct retort_upload){
        .session = s, .path = strdup(path), .staged = staged_name(path), .fd = -1};
    int r = !u->path || !u->staged ? err_errno(err, ERR_HOST, ENOMEM, "cannot hold the upload")
                                   : upload_make_room(s, path, size, err);
    if (r == 0)
        r = u->fd = collector_create(&s->files.collector, u->staged, COLLECT_EXCLUSIVE, 0, err);
    if (r < 0) {
        upload_drop(u);
        return r;
    }
    u->next = s->files.uploads;
    s->files.uploads = u;
    s->files.nuploads++;
    *ret = u;
    return 0;
}

int upload_add(struct retort_upload *u, const void *data, size_t len, struct retort_error *err) {
    int r = write_all(u->fd, data, len);
    u->session->idle.used_ns = now_ns();
    if (r < 0)
        return err_errno(err, r == -ENOSPC ? ERR_LIMIT : ERR_HOST, -r, "cannot write the file");
    u->written += len;
    return 0;
}

/* The file has its name: what follows is the record. */
static int record_pieces(struct retort_session *s, const char *path, struct retort_error *err) {
    uint64_t size, at = 0;
    if (!s->recorded)
        return 0;
    scoped_fd fd = collector_open(&s->files.collector, path, &size, err);
    scoped_free char *piece = malloc(RECORD_PIECE);
    if (fd < 0 || !piece)
        return fd < 0 ? fd : err_errno(err, ERR_HOST, ENOMEM, "cannot record the file");
    for (int r = 0; at == 0 || at < size;) {
        ssize_t n = read_full(fd, piece, RECORD_PIECE);
        if (n < 0)
            return err_errno(err, ERR_HOST, (int)-n, "cannot record the file");
        r = record_write(s, path, &(struct file_piece){at, piece, (size_t)n, at == 0}, err);
        if (r < 0 || n == 0)
            return r;
        at += (uint64_t)n;
    }
    return 0;
}

/* A file that is not on record must not stay: a replay would not bring it back. */
int upload_publish(struct retort_upload *u, struct retort_error *err) {
    struct retort_session *s = u->session;
    int r = collector_rename(&s->files.collector, u->staged, u->path, err);
    if (r < 0)
        return r;
    fd_done(&u->fd);
    r = record_pieces(s, u->path, err);
    if (r < 0)
        collector_delete(&s->files.collector, u->path, NULL);
    timeline_add_file(s, u->path);
    return r;
}

static int write_whole(struct retort_session *s, const char *path, const void *data, size_t len,
                       struct retort_error *err) {
    struct retort_upload *u = NULL;
    int r = upload_open(s, path, len, &u, err);
    if (r < 0)
        return r;
    r = upload_add(u, data, len, err);
    if (r == 0)
        r = upload_publish(u, err);
    upload_drop(u);
    return r;
}

/* --- whole files, pieces, deletion --- */

/* Opens the file for a piece that is then recorded. A piece that is refused, or that could not be
 * recorded, must not stay in the file. */
static int open_recorded(struct retort_session *s, const char *path, const struct file_piece *piece,
                         struct retort_error *err) {
    uint64_t size;
    scoped_fd known = collector_open(&s->files.collector, path, &size, NULL);
    int fd = collector_create(&s->files.collector, path, 0, 0, err);
    if (fd < 0)
        return fd;
    int r = record_write(s, path, piece, err);
    if (r == 0)
        return fd;
    close(fd);
    if (known < 0)
        collector_delete(&s->files.collector, path, NULL);
    return r;
}

int outside_write(struct retort_session *s, const char *path, const struct file_piece *piece,
                  struct retort_error *err) {
    int r = timeline_check_room(s, strlen(path), err);
    if (r == 0 && piece->truncate && piece->offset == 0)
        return write_whole(s, path, piece->data, piece->len, err);
    scoped_fd fd = r < 0 ? r : open_recorded(s, path, piece, err);
    if (fd < 0)
        return fd;
    if ((piece->truncate && ftruncate(fd, 0) < 0) || lseek(fd, (off_t)piece->offset, SEEK_SET) < 0)
        r = -errno;
    else
        r = write_all(fd, piece->data, piece->len);
    timeline_add_file(s, path); /* and what was written in part: no cell did it */
    if (r < 0)
        return err_errno(err, r == -ENOSPC ? ERR_LIMIT : ERR_HOST, -r, "cannot write the file");
    return 0;
}

/* Sets the file aside until the deletion is on record, and puts it back if it cannot be recorded:
 * so the record has exactly the deletions that happened. */
static int delete_recorded(struct retort_session *s, const char *path, const char *aside,
                           struct retort_error *err) {
    int r = collector_set_aside(&s->files.collector, path, aside, err);
    if (r < 0)
        return r;
    r = record_delete(s, path, err);
    if (r < 0) {
        collector_rename(&s->files.collector, aside, path, NULL);
        return r;
    }
    timeline_add_file(s, path);
    return collector_delete(&s->files.collector, aside, err);
}

int outside_delete(struct retort_session *s, const char *path, struct retort_error *err) {
    scoped_free char *aside = staged_name(path);
    int r = aside ? timeline_check_room(s, strlen(path), err)
                  : err_errno(err, ERR_HOST, ENOMEM, "cannot delete the file");
    return r < 0 ? r : delete_recorded(s, path, aside, err);
}
