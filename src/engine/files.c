/* Files of a session, by way of its collector. The broker never resolves a name that a guest chose:
 * it passes bytes to the collector and gets descriptors back. Calls are made with the session's
 * lock held. */
#include "engine/engine.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "wire/collect.h"

#define PATIENCE_MS 20000 /* for each packet; a walk over 16,384 files takes 50 */

static void file_done(struct file *f) {
    free(f->path);
    free(f->target);
}

static size_t file_bytes(const struct file *f) {
    return sizeof *f + strlen(f->path) + strlen(f->target) + 2 * 16; /* and what malloc adds */
}

void manifest_done(struct manifest *m) {
    for (size_t i = 0; i < m->count; i++)
        file_done(&m->files[i]);
    free(m->files);
    *m = (struct manifest){0};
}

static int ask(int collector, enum collect_op op, uint32_t flags, uint32_t mode, const char *path,
               const char *target) {
    char bytes[COLLECT_REQUEST_MAX];
    struct collect_request q = {.op = op, .flags = flags, .mode = mode};
    q.path_len = (uint32_t)strlen(path);
    q.target_len = (uint32_t)strlen(target);
    if (q.path_len > MAX_WORK_PATH || q.target_len > MAX_WORK_PATH)
        return -ENAMETOOLONG;
    memcpy(bytes, &q, sizeof q);
    memcpy(bytes + sizeof q, path, q.path_len);
    memcpy(bytes + sizeof q + q.path_len, target, q.target_len);
    return packet_send(collector, bytes, sizeof q + q.path_len + q.target_len, NULL, 0);
}

static ssize_t hear(int collector, void *data, size_t size, int *fds, size_t *nfds) {
    if (!readable_within(collector, PATIENCE_MS)) { /* an answer that comes late would be taken for
                                                       that to the next question */
        shutdown(collector, SHUT_RDWR);
        return -ETIMEDOUT;
    }
    ssize_t len = packet_recv(collector, data, size, fds, nfds, 0);
    return len == 0 ? -EPIPE : len;
}

static int file_error(struct err *err, int r, const char *what) {
    if (r <= -COLLECT_UNMADE)
        return err_set(err, ERR_HOST, -r - COLLECT_UNMADE,
                       "%s: the process that reaches the session's files could not be set up",
                       what);
    if (r == -ELOOP || r == -EXDEV || r == -EINVAL)
        return err_set(err, ERR_CALLER, -r, "%s: not a plain file beneath /work", what);
    if (r == -EPIPE || r == -ECONNRESET || r == -ETIMEDOUT)
        return err_set(err, ERR_HOST, -r, "%s: the session's files are out of reach", what);
    if (r == -EMFILE)
        return err_set(err, ERR_HOST, -r, "%s", what);
    return err_set(err, r == -ENOSPC ? ERR_LIMIT : ERR_CALLER, -r, "%s", what);
}

/* One request, one reply, and to some one descriptor: which is returned. The kernel drops it where
 * this process has no room for another. */
static int exchange(int collector, enum collect_op op, uint32_t flags, uint32_t mode,
                    const char *path, struct collect_reply *ret) {
    int fd = -1;
    size_t nfds = 1;
    int r = ask(collector, op, flags, mode, path, "");
    if (r < 0)
        return r;
    ssize_t n = hear(collector, ret, sizeof *ret, &fd, &nfds);
    if (n != sizeof *ret || ret->status < 0) {
        if (nfds == 1 && fd >= 0)
            close(fd);
        return n < 0 ? (int)n : n != sizeof *ret ? -EPROTO : ret->status;
    }
    bool brings = op == COLLECT_OPEN || op == COLLECT_CREATE;
    return nfds == 1 ? fd : brings ? -EMFILE : 0;
}

int files_check_path(const char *path, struct err *err) {
    if (!path[0] || path[0] == '/' || strlen(path) >= MAX_WORK_PATH)
        return err_set(err, ERR_CALLER, EINVAL, "a file is named by a path relative to /work");
    for (const char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        if (n > 255)
            return err_set(err, ERR_CALLER, ENAMETOOLONG, "a part of the file's path");
        if (n == 0 || (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
            return err_set(err, ERR_CALLER, EINVAL,
                           "a file's path may not contain empty parts, . or ..");
        p += n + (p[n] == '/');
    }
    if (path[strlen(path) - 1] == '/')
        return err_set(err, ERR_CALLER, EINVAL, "a file's path may not end in a slash");
    return 0;
}

int files_open(int collector, const char *path, uint64_t *ret_size, struct err *err) {
    struct collect_reply reply;
    int r = files_check_path(path, err);
    if (r < 0)
        return r;
    int fd = exchange(collector, COLLECT_OPEN, 0, 0, path, &reply);
    if (fd < 0)
        return file_error(err, fd, "cannot read the file");
    *ret_size = reply.size;
    return fd;
}

int files_create(int collector, const char *path, uint32_t flags, uint32_t mode, struct err *err) {
    struct collect_reply reply;
    int r = files_check_path(path, err);
    if (r < 0)
        return r;
    int fd = exchange(collector, COLLECT_CREATE, flags, mode, path, &reply);
    return fd < 0 ? file_error(err, fd, "cannot write the file") : fd;
}

int files_delete(int collector, const char *path, struct err *err) {
    struct collect_reply reply;
    int r = files_check_path(path, err);
    if (r == 0 && (r = exchange(collector, COLLECT_DELETE, 0, 0, path, &reply)) < 0)
        return file_error(err, r, "cannot delete the file");
    return r;
}

/* --- the manifest -------------------------------------------------------------------------------
 */

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

/* Entries of one packet; *room is what is left of MAX_FILE_LIST. */
static int manifest_add(struct manifest *m, const char *bytes, size_t len, uint32_t entries,
                        uint64_t *room) {
    if (entries > len / sizeof(struct collect_entry))
        return -EPROTO;
    struct file *files = reallocarray(m->files, m->count + entries, sizeof *files);
    if (!files)
        return -ENOMEM;
    m->files = files;
    struct collect_entry e;
    const char *path, *target;
    size_t pos = 0;
    int r;
    while ((r = collect_entry_read(bytes, len, &pos, &e, &path, &target)) > 0) {
        if (entries-- == 0 || collect_cost(&e) > *room)
            return -EPROTO;
        *room -= collect_cost(&e);
        struct file f = {.path = strndup(path, e.path_len),
                         .target = strndup(target, e.target_len),
                         .size = e.size,
                         .ctime_ns = e.ctime_ns,
                         .inode = e.inode,
                         .mode = e.mode,
                         .settled = e.settled,
                         .kept = KEPT_NOT};
        if (!f.path || !f.target) {
            file_done(&f);
            return -ENOMEM;
        }
        m->bytes += file_bytes(&f);
        m->files[m->count++] = f;
    }
    return r < 0 ? r : entries ? -EPROTO : 0;
}

/* What is not complete is no file yet: only exactly those names are passed over, which go soon. */
static void hide_uploads(const struct retort_session *s, struct manifest *m) {
    size_t kept = 0;
    for (size_t i = 0; s->uploads && i < m->count; i++) {
        if (upload_hides(s, m->files[i].path)) {
            m->bytes -= file_bytes(&m->files[i]);
            file_done(&m->files[i]);
        } else
            m->files[kept++] = m->files[i];
    }
    if (s->uploads)
        m->count = kept;
}

/* 1 for a packet with entries, 0 at the end of the list. */
static int hear_entries(int collector, struct manifest *m, uint64_t *room) {
    char packet[COLLECT_PACKET];
    struct collect_reply head;
    ssize_t n = hear(collector, packet, sizeof packet, NULL, NULL);
    if (n < (ssize_t)sizeof head)
        return n < 0 ? (int)n : -EPROTO;
    memcpy(&head, packet, sizeof head);
    if (head.entries) {
        int r = manifest_add(m, packet + sizeof head, (size_t)n - sizeof head, head.entries, room);
        return r < 0 ? r : 1;
    }
    m->mode = head.mode & 07777;
    m->missing = head.missing;
    return head.status < 0 ? head.status : 0;
}

static int hear_list(int collector, struct manifest *ret, struct err *err) {
    struct manifest m = {0};
    uint64_t room = MAX_FILE_LIST;
    int r;
    while ((r = hear_entries(collector, &m, &room)) > 0)
        ;
    if (r == -EPROTO || r == -ENOMEM) /* what it still says would be taken for another answer */
        shutdown(collector, SHUT_RDWR);
    if (r < 0) {
        manifest_done(&m);
        return file_error(err, r, "cannot list the files");
    }
    if (m.count)
        qsort(m.files, m.count, sizeof *m.files, by_path);
    *ret = m;
    return 0;
}

const char *files_missing_text(int missing) {
    switch (missing) {
    case 0: return "all files are known";
    case E2BIG: return "there are more files, or longer names, than a list can hold";
    case ENAMETOOLONG: return "some files lie deeper than a path can say";
    case ESTALE: return "directories were moved while they were looked at";
    default: return "some files could not be looked at";
    }
}

bool files_full(const struct retort_session *s) {
    struct statfs fs;
    return s->work >= 0 && fstatfs(s->work, &fs) == 0 && (fs.f_bfree == 0 || fs.f_ffree == 0);
}

int files_list(const struct retort_session *s, struct manifest *ret, struct err *err) {
    /* Most sessions never have a file, and a question about none needs no other process. */
    struct stat st;
    if (s->work >= 0 && tmpfs_dir_is_empty(s->work) && fstat(s->work, &st) == 0) {
        *ret = (struct manifest){.mode = st.st_mode & 07777};
        return 0;
    }
    int r = ask(s->collector, COLLECT_LIST, 0, 0, "", "");
    if (r < 0)
        return file_error(err, r, "cannot list the files");
    r = hear_list(s->collector, ret, err);
    if (r == 0)
        hide_uploads(s, ret);
    return r;
}

static bool unchanged(const struct file *a, const struct file *b) {
    return a->settled && a->ctime_ns == b->ctime_ns && a->size == b->size && a->inode == b->inode &&
           a->mode == b->mode;
}

static json_t *file_json(const struct file *f, const char *change) {
    json_t *o = json_object();
    json_object_set_new(o, "path", json_name(f->path, strlen(f->path)));
    json_object_set_new(o, "size", json_integer((json_int_t)f->size));
    json_object_set_new(o, "sha256", f->sha256[0] ? json_string(f->sha256) : json_null());
    json_object_set_new(o, "mime", json_string(files_mime(f->path)));
    json_object_set_new(o, "change", json_string(change));
    return o;
}

/* What became of one path: a file that is new or has changed is hashed, kept and listed. False if
 * it cannot be: all that was written fits on the session's disk, so what goes beyond `budget` are
 * holes or further links, of which there could be petabytes. */
static bool compare(struct retort_session *s, const struct file *old, struct file *new,
                    uint64_t *budget, json_t *list) {
    if (old && unchanged(old, new)) {
        memcpy(new->sha256, old->sha256, sizeof new->sha256);
        new->kept = old->kept;
        return true;
    }
    bool was_file = old && S_ISREG(old->mode);
    s->manifest_changed = true;
    if (!S_ISREG(new->mode)) {
        if (was_file)
            json_array_append_new(list, file_json(old, "deleted"));
        bool known = old && old->mode == new->mode &&strcmp(old->target, new->target) == 0;
        return known || S_ISDIR(new->mode);
    }
    if (new->size > *budget)
        return false;
    *budget -= new->size;
    keep_file(s, new);
    if (!was_file || strcmp(old->sha256, new->sha256) != 0)
        json_array_append_new(list, file_json(new, was_file ? "modified" : "created"));
    return true;
}

json_t *files_changes(struct retort_session *s, struct manifest *now, bool *ret_rejected) {
    struct manifest *last = &s->manifest;
    json_t *list = json_array();
    uint64_t budget = s->limits.disk;
    size_t i = 0, j = 0;
    while (i < last->count || j < now->count) {
        struct file *old = i < last->count ? &last->files[i] : NULL;
        struct file *new = j < now->count ? &now->files[j] : NULL;
        int order = !old ? 1 : !new ? -1 : strcmp(old->path, new->path);
        s->manifest_changed = s->manifest_changed || order < 0;
        if (old && order < 0 && S_ISREG(old->mode) && !now->missing) /* else it may be there */
            json_array_append_new(list, file_json(old, "deleted"));
        if (new &&order >= 0) {
            bool taken = compare(s, order == 0 ? old : NULL, new, &budget, list);
            *ret_rejected = *ret_rejected || !taken;
        }
        i += order <= 0;
        j += order >= 0;
    }
    s->manifest_changed = s->manifest_changed || last->mode != now->mode;
    s->files_incomplete = s->files_incomplete || now->missing;
    manifest_take(s, now);
    keep_compact(s);
    return list;
}

void manifest_take(struct retort_session *s, struct manifest *now) {
    account_sub(&s->account, ACCOUNT_LISTS, s->manifest.bytes);
    account_add(&s->account, ACCOUNT_LISTS, now->bytes);
    manifest_done(&s->manifest);
    s->manifest = *now;
    *now = (struct manifest){0};
}

static int make(int collector, enum collect_op op, uint32_t mode, const char *path,
                const char *target, struct err *err) {
    struct collect_reply reply;
    size_t nfds = 0;
    int r = ask(collector, op, 0, mode, path, target);
    if (r == 0) {
        ssize_t n = hear(collector, &reply, sizeof reply, NULL, &nfds);
        r = n < 0 ? (int)n : reply.status;
    }
    return r < 0 ? file_error(err, r, "cannot make a directory or link") : 0;
}

int files_make(int collector, const struct file *f, struct err *err) {
    if (S_ISLNK(f->mode))
        return make(collector, COLLECT_SYMLINK, 0, f->path, f->target, err);
    return make(collector, S_ISFIFO(f->mode) ? COLLECT_MKFIFO : COLLECT_MKDIR, f->mode, f->path, "",
                err);
}

int files_link(int collector, const char *path, const char *first, struct err *err) {
    return make(collector, COLLECT_LINK, 0, path, first, err);
}

int files_rename(int collector, const char *path, const char *to, struct err *err) {
    struct collect_reply reply;
    size_t nfds = 0;
    int r = ask(collector, COLLECT_RENAME, 0, 0, path, to);
    if (r == 0) {
        ssize_t n = hear(collector, &reply, sizeof reply, NULL, &nfds);
        r = n < 0 ? (int)n : reply.status;
    }
    return r < 0 ? file_error(err, r, "cannot write the file") : 0;
}

int manifest_copy(const struct manifest *from, struct manifest *ret) {
    struct manifest m = *from;
    m.files = calloc(from->count ? from->count : 1, sizeof *m.files);
    if (!m.files)
        return -ENOMEM;
    for (m.count = 0; m.count < from->count; m.count++) {
        struct file *f = &m.files[m.count];
        *f = from->files[m.count];
        f->path = strdup(f->path);
        f->target = strdup(f->target);
        if (!f->path || !f->target) {
            m.count++;
            manifest_done(&m);
            return -ENOMEM;
        }
    }
    *ret = m;
    return 0;
}

struct snapshot *snapshot_new(struct retort_session *s, const struct manifest *files) {
    struct snapshot *snap = calloc(1, sizeof *snap);
    if (!snap || manifest_copy(files, &snap->files) < 0) {
        free(snap);
        return NULL;
    }
    snap->refs = 1;
    snap->account = &s->account;
    account_add(snap->account, ACCOUNT_LISTS, snap->files.bytes);
    return snap;
}

struct snapshot *snapshot_of(struct retort_session *s, const struct manifest *files,
                             const char *path) {
    struct file *f = manifest_find(files, path);
    struct manifest one = {.files = f, .count = f != NULL, .bytes = f ? file_bytes(f) : 0};
    return snapshot_new(s, &one);
}

struct snapshot *snapshot_ref(struct snapshot *snap) {
    if (snap)
        snap->refs++;
    return snap;
}

void snapshot_unref(struct snapshot *snap) {
    if (!snap || --snap->refs)
        return;
    account_sub(snap->account, ACCOUNT_LISTS, snap->files.bytes);
    manifest_done(&snap->files);
    free(snap);
}

struct file *manifest_find(const struct manifest *m, const char *path) {
    struct file key = {.path = unconst(path)};
    return m->count ? bsearch(&key, m->files, m->count, sizeof *m->files, by_path) : NULL;
}

const char *files_mime(const char *path) {
    static const struct {
        const char *ending, *mime;
    } known[] = {{".png", "image/png"},
                 {".jpg", "image/jpeg"},
                 {".jpeg", "image/jpeg"},
                 {".gif", "image/gif"},
                 {".svg", "image/svg+xml"},
                 {".pdf", "application/pdf"},
                 {".csv", "text/csv"},
                 {".tsv", "text/tab-separated-values"},
                 {".txt", "text/plain"},
                 {".md", "text/markdown"},
                 {".html", "text/html"},
                 {".json", "application/json"},
                 {".py", "text/x-python"},
                 {".zip", "application/zip"},
                 {".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
                 {".parquet", "application/vnd.apache.parquet"},
                 {".gz", "application/gzip"},
                 {".js", "text/javascript"},
                 {".sh", "text/x-shellscript"},
                 {".wav", "audio/wav"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot, known[i].ending) == 0)
            return known[i].mime;
    return "application/octet-stream";
}
