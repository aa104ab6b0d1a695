#include "engine/files/collector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/scope.h"
#include "wire/collect.h"
#include "wire/control.h"

#define PATIENCE_MS 20000 /* for each packet; a walk over 16,384 files takes 50 */

void collector_done(struct collector *c) {
    fd_done(&c->sock);
    c->ctl = -1;
}

/* We send on the socket at once: the bytes wait there until the collector has started. */
static int collector_connect(struct collector *c) {
    struct ctl_head head = {CTL_COLLECT, sizeof head};
    int sock = c->ctl < 0 ? -EPIPE : packet_send_pair(c->ctl, &head, sizeof head);
    if (sock >= 0)
        c->sock = sock;
    return sock < 0 ? sock : 0;
}

static int collector_ask(struct collector *collector, enum collect_op op, uint32_t flags,
                         uint32_t mode, const char *path, const char *target) {
    char bytes[COLLECT_REQUEST_MAX];
    struct collect_request q = {.op = op, .flags = flags, .mode = mode};
    q.path_len = (uint32_t)strlen(path);
    q.target_len = (uint32_t)strlen(target);
    if (q.path_len > MAX_WORK_PATH || q.target_len > MAX_WORK_PATH)
        return -ENAMETOOLONG;
    memcpy(bytes, &q, sizeof q);
    memcpy(bytes + sizeof q, path, q.path_len);
    memcpy(bytes + sizeof q + q.path_len, target, q.target_len);
    int r = collector->sock < 0 ? collector_connect(collector) : 0;
    return r < 0
               ? r
               : packet_send(collector->sock, bytes, sizeof q + q.path_len + q.target_len, NULL, 0);
}

static ssize_t collector_hear(const struct collector *c, void *data, size_t size, int *fds,
                              size_t *nfds) {
    /* An answer that comes late would be taken for that to the next question. */
    if (!readable_within(c->sock, PATIENCE_MS)) {
        shutdown(c->sock, SHUT_RDWR);
        return -ETIMEDOUT;
    }
    ssize_t len = packet_recv(c->sock, data, size, fds, nfds, 0);
    return len == 0 ? -EPIPE : len;
}

static int file_error(struct retort_error *err, int r, const char *what) {
    if (r <= -COLLECT_UNMADE)
        return err_errno(err, ERR_HOST, -r - COLLECT_UNMADE,
                         "%s: the process that reaches the session's files could not be set up",
                         what);
    if (r == -ELOOP || r == -EXDEV || r == -EINVAL)
        return err_errno(err, ERR_CALLER, -r, "%s: not a plain file beneath /work", what);
    if (r == -EPIPE || r == -ECONNRESET || r == -ETIMEDOUT)
        return err_errno(err, ERR_HOST, -r, "%s: the session's files are out of reach", what);
    if (r == -EMFILE)
        return err_errno(err, ERR_HOST, -r, "%s", what);
    return err_errno(err, r == -ENOSPC ? ERR_LIMIT : ERR_CALLER, -r, "%s", what);
}

/* Sends one request and takes one reply. Some replies come with a descriptor, which is returned.
 * The kernel drops it if this process may have no more descriptors. */
static int exchange(struct collector *collector, enum collect_op op, uint32_t flags, uint32_t mode,
                    const char *path, struct collect_reply *ret) {
    int fd = -1;
    size_t nfds = 1;
    int r = collector_ask(collector, op, flags, mode, path, "");
    if (r < 0)
        return r;
    ssize_t n = collector_hear(collector, ret, sizeof *ret, &fd, &nfds);
    if (n != sizeof *ret || ret->status < 0) {
        if (nfds == 1 && fd >= 0)
            close(fd);
        return n < 0 ? (int)n : n != sizeof *ret ? -EPROTO : ret->status;
    }
    bool brings =
        op == COLLECT_OPEN || op == COLLECT_CREATE || op == COLLECT_TRUST || op == COLLECT_LISTEN;
    return nfds == 1 ? fd : brings ? -EMFILE : 0;
}

int collector_check_path(const char *path, struct retort_error *err) {
    if (!path[0] || path[0] == '/' || strlen(path) >= MAX_WORK_PATH)
        return err_set(err, ERR_CALLER, EINVAL, "a file is named by a path relative to /work");
    for (const char *p = path; *p;) {
        size_t n = strcspn(p, "/");
        if (n > 255)
            return err_set(err, ERR_CALLER, ENAMETOOLONG, "a part of the file's path is too long");
        if (n == 0 || (n == 1 && p[0] == '.') || (n == 2 && p[0] == '.' && p[1] == '.'))
            return err_set(err, ERR_CALLER, EINVAL,
                           "a file's path may not contain empty parts, . or ..");
        p += n + (p[n] == '/');
    }
    if (path[strlen(path) - 1] == '/')
        return err_set(err, ERR_CALLER, EINVAL, "a file's path may not end in a slash");
    return 0;
}

int collector_open(struct collector *collector, const char *path, uint64_t *ret_size,
                   struct retort_error *err) {
    struct collect_reply reply;
    int r = collector_check_path(path, err);
    if (r < 0)
        return r;
    int fd = exchange(collector, COLLECT_OPEN, 0, 0, path, &reply);
    if (fd < 0)
        return file_error(err, fd, "cannot read the file");
    *ret_size = reply.size;
    return fd;
}

int collector_create(struct collector *collector, const char *path, uint32_t flags, uint32_t mode,
                     struct retort_error *err) {
    struct collect_reply reply;
    int r = collector_check_path(path, err);
    if (r < 0)
        return r;
    int fd = exchange(collector, COLLECT_CREATE, flags, mode, path, &reply);
    return fd < 0 ? file_error(err, fd, "cannot write the file") : fd;
}

/* The kernel clears these bits when a process without privilege writes to the file. So they are set
 * last, and until then the mode has to allow us to open the file once more. */
#define LOST_BY_WRITING ((uint32_t)(S_ISUID | S_ISGID))

int collector_begin(struct collector *collector, const struct file *f) {
    uint32_t mode = f->mode & LOST_BY_WRITING ? (f->mode & ~LOST_BY_WRITING) | S_IWUSR : f->mode;
    return collector_create(collector, f->path, COLLECT_TRUNCATE, mode, NULL);
}

int collector_finish(struct collector *collector, const struct file *f) {
    if (!(f->mode & LOST_BY_WRITING))
        return 0;
    scoped_fd fd = collector_create(collector, f->path, 0, f->mode, NULL);
    return fd < 0 ? fd : 0;
}

int collector_delete(struct collector *collector, const char *path, struct retort_error *err) {
    struct collect_reply reply;
    int r = collector_check_path(path, err);
    if (r == 0 && (r = exchange(collector, COLLECT_DELETE, 0, 0, path, &reply)) < 0)
        return file_error(err, r, "cannot delete the file");
    return r;
}

int collector_trust(struct collector *collector, struct retort_error *err) {
    struct collect_reply reply;
    int fd = exchange(collector, COLLECT_TRUST, 0, 0, "", &reply);
    return fd < 0 ? file_error(err, fd, "cannot write the certificates that the session trusts")
                  : fd;
}

int collector_listen(struct collector *collector, struct retort_error *err) {
    struct collect_reply reply;
    int fd = exchange(collector, COLLECT_LISTEN, 0, 0, "", &reply);
    return fd < 0 ? err_layer(err, "net", fd <= -COLLECT_UNMADE ? -fd - COLLECT_UNMADE : -fd,
                              "cannot listen in the session's network")
                  : fd;
}

/* --- the list --- */

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

/* 1 for a packet with entries, 0 at the end of the list. */
static int hear_entries(const struct collector *collector, struct manifest *m, uint64_t *room) {
    char packet[COLLECT_PACKET];
    struct collect_reply head;
    ssize_t n = collector_hear(collector, packet, sizeof packet, NULL, NULL);
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

static int hear_list(const struct collector *collector, struct manifest *ret,
                     struct retort_error *err) {
    struct manifest m = {0};
    uint64_t room = MAX_FILE_LIST;
    int r;
    while ((r = hear_entries(collector, &m, &room)) > 0)
        ;
    if (r == -EPROTO || r == -ENOMEM) /* what it still says would be taken for another answer */
        shutdown(collector->sock, SHUT_RDWR);
    if (r < 0) {
        manifest_done(&m);
        return file_error(err, r, "cannot list the files");
    }
    manifest_sort(&m);
    *ret = m;
    return 0;
}

int collector_list(struct collector *collector, struct manifest *ret, struct retort_error *err) {
    int r = collector_ask(collector, COLLECT_LIST, 0, 0, "", "");
    return r < 0 ? file_error(err, r, "cannot list the files") : hear_list(collector, ret, err);
}

/* --- making --- */

/* A request whose answer is but a status. */
static int collector_do(struct collector *collector, enum collect_op op, uint32_t mode,
                        const char *path, const char *target) {
    struct collect_reply reply;
    size_t nfds = 0;
    int r = collector_ask(collector, op, 0, mode, path, target);
    if (r < 0)
        return r;
    ssize_t n = collector_hear(collector, &reply, sizeof reply, NULL, &nfds);
    return n < 0 ? (int)n : reply.status;
}

static int made(int r, struct retort_error *err) {
    return r < 0 ? file_error(err, r, "cannot make a directory or link") : 0;
}

int collector_make(struct collector *collector, const struct file *f, struct retort_error *err) {
    enum collect_op op = S_ISLNK(f->mode)    ? COLLECT_SYMLINK
                         : S_ISFIFO(f->mode) ? COLLECT_MKFIFO
                                             : COLLECT_MKDIR;
    bool link = op == COLLECT_SYMLINK;
    return made(collector_do(collector, op, link ? 0 : f->mode, f->path, link ? f->target : ""),
                err);
}

int collector_link(struct collector *collector, const char *path, const char *first,
                   struct retort_error *err) {
    return made(collector_do(collector, COLLECT_LINK, 0, path, first), err);
}

int collector_set_aside(struct collector *collector, const char *path, const char *aside,
                        struct retort_error *err) {
    int r = collector_check_path(path, err);
    if (r == 0 && (r = collector_do(collector, COLLECT_RENAME, 0, path, aside)) < 0)
        return file_error(err, r, "cannot delete the file");
    return r;
}

int collector_rename(struct collector *collector, const char *path, const char *to,
                     struct retort_error *err) {
    int r = collector_do(collector, COLLECT_RENAME, 0, path, to);
    return r < 0 ? file_error(err, r, "cannot write the file") : 0;
}
