/* The collector: the only process on our side that touches what a guest wrote.
 *
 * It is in the session's mount namespace as the session's user, and has only the capabilities to
 * look into directories that the guest closed to itself; it runs under the guest's filter and
 * Landlock. The broker asks, it answers (wire/collect.h). It resolves paths beneath /work, never
 * through a link and never across a mount. It opens only regular files, without blocking: so a
 * guest's lease or FIFO stalls nobody.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/lockdown.h"
#include "supervisor/files/collector.h"
#include "supervisor/files/tree.h"
#include "supervisor/session.h"
#include "supervisor/sockets.h"
#include "wire/collect.h"
#include "wire/gate.h"

static int work = -1;

struct list {
    int sock;
    size_t len, count;
    uint64_t room; /* what is left of MAX_FILE_LIST */
    int missing;
    char packet[COLLECT_PACKET];
};

static int open_at(int dir, const char *path, uint64_t flags) {
    struct open_how how = {.flags = flags | O_CLOEXEC,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
                                      RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV};
    int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof how);
    return fd < 0 ? -errno : fd;
}

#define STRIDE 4000 /* bytes of a path that we give the kernel at once */

/* Opens the directory that is so deep that one call cannot reach it; *path becomes the rest. */
static int approach(char **path) {
    scoped_fd dir = dup(work);
    while (dir >= 0 && strlen(*path) > STRIDE) {
        char *slash = memrchr(*path, '/', STRIDE);
        if (!slash)
            return -ENAMETOOLONG;
        *slash = 0;
        int next = open_at(dir, *path, O_PATH | O_DIRECTORY);
        *slash = '/';
        if (next < 0)
            return next;
        close(dir);
        dir = next;
        *path = slash + 1;
    }
    return dir < 0 ? -errno : take_fd(&dir);
}

static int open_beneath(char *path, uint64_t flags) {
    if (strlen(path) <= STRIDE)
        return open_at(work, path, flags);
    scoped_fd dir = approach(&path);
    return dir < 0 ? dir : open_at(dir, path, flags);
}

static int make_dirs(char *path) {
    scoped_fd dir = dup(work);
    for (char *p = path, *slash; dir >= 0 && p; p = slash ? slash + 1 : NULL) {
        slash = strchr(p, '/');
        if (slash)
            *slash = 0;
        int next = mkdirat(dir, p, 0755) < 0 && errno != EEXIST
                       ? -errno
                       : open_at(dir, p, O_RDONLY | O_DIRECTORY);
        if (slash)
            *slash = '/';
        if (next < 0)
            return next;
        close(dir);
        dir = next;
    }
    return dir < 0 ? -errno : take_fd(&dir);
}

/* Opens the directory that holds `path`, making it if asked, and points to the last name. */
static int collector_parent(char *path, bool make, char **ret_name) {
    char *slash = strrchr(path, '/');
    *ret_name = slash ? slash + 1 : path;
    if (!**ret_name || strcmp(*ret_name, ".") == 0 || strcmp(*ret_name, "..") == 0)
        return -EINVAL;
    if (!slash)
        return open_at(work, ".", O_RDONLY | O_DIRECTORY);
    *slash = 0;
    int fd = open_beneath(path, O_RDONLY | O_DIRECTORY);
    if (fd == -ENOENT && make)
        fd = make_dirs(path);
    *slash = '/';
    return fd;
}

/* --- listing --- */

static void list_flush(struct list *l) {
    struct collect_reply reply = {.entries = (uint32_t)l->count};
    memcpy(l->packet, &reply, sizeof reply);
    if (l->count)
        packet_send(l->sock, l->packet, l->len, NULL, 0);
    l->len = sizeof reply;
    l->count = 0;
}

/* From Linux 6.13 on, a change after we looked at the ctime gives it a new value. Before, a ctime
 * is as coarse as the clock's tick, and a second change in the same tick does not show. */
static bool is_settled(const struct stat *st) {
    static int fine = -1;
    struct utsname name;
    struct timespec now;
    unsigned major = 0, minor = 0;
    if (fine < 0)
        fine = uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
               (major > 6 || (major == 6 && minor >= 13));
    if (fine)
        return true;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return st->st_ctim.tv_sec != now.tv_sec ? st->st_ctim.tv_sec < now.tv_sec
                                            : st->st_ctim.tv_nsec < now.tv_nsec;
}

static int list_add(struct list *l, int dir, const char *name, const char *path,
                    const struct stat *st) {
    char target[MAX_PATH];
    ssize_t target_len = S_ISLNK(st->st_mode) ? readlinkat(dir, name, target, sizeof target) : 0;
    struct collect_entry e = {.size = (uint64_t)st->st_size,
                              .ctime_ns = (uint64_t)st->st_ctim.tv_sec * 1000000000u +
                                          (uint64_t)st->st_ctim.tv_nsec,
                              .inode = st->st_ino,
                              .mode = st->st_mode,
                              .settled = is_settled(st),
                              .path_len = (uint32_t)strlen(path),
                              .target_len = target_len > 0 ? (uint32_t)target_len : 0};
    size_t need = sizeof e + e.path_len + e.target_len;
    if (collect_cost(&e) > l->room)
        return -E2BIG;
    l->room -= collect_cost(&e);
    if (l->len + need > sizeof l->packet)
        list_flush(l);
    memcpy(l->packet + l->len, &e, sizeof e);
    memcpy(l->packet + l->len + sizeof e, path, e.path_len);
    memcpy(l->packet + l->len + sizeof e + e.path_len, target, e.target_len);
    l->len += need;
    l->count++;
    return S_ISDIR(st->st_mode);
}

static int list_entry(void *arg, int dir, const char *path, const char *name) {
    struct list *l = arg;
    struct stat st;
    if (strlen(path) >= MAX_WORK_PATH) {
        l->missing = ENAMETOOLONG;
        return 0;
    }
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : -errno;
    return list_add(l, dir, name, path, &st);
}

static void do_list(int sock) {
    static struct list l;
    struct stat st = {0};
    l.sock = sock;
    l.count = 0;
    l.room = MAX_FILE_LIST;
    l.missing = 0;
    list_flush(&l);
    int r = tree_walk(work, &(struct tree_visit){.entry = list_entry, .arg = &l});
    list_flush(&l);
    struct collect_reply end = {.missing = r < 0 ? -r : l.missing};
    if (fstat(work, &st) == 0)
        end.mode = st.st_mode;
    packet_send(sock, &end, sizeof end, NULL, 0);
}

/* --- single files --- */

static int do_open(char *path, struct collect_reply *reply) {
    int fd = open_beneath(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    struct stat st;
    if (fd < 0)
        return fd;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        return -EINVAL;
    }
    reply->size = (uint64_t)st.st_size;
    return fd;
}

static int do_create(char *path, uint32_t flags, uint32_t mode) {
    char *name;
    scoped_fd dir = collector_parent(path, true, &name);
    if (dir < 0)
        return dir;
    int how = O_WRONLY | O_CREAT | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;
    if (flags & COLLECT_EXCLUSIVE)
        how |= O_EXCL;
    int fd = openat(dir, name, how, 0644);
    struct stat st;
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        (flags & COLLECT_TRUNCATE && ftruncate(fd, 0) < 0)) {
        close(fd);
        return -EINVAL;
    }
    if (mode && fchmod(fd, mode & 07777) < 0) {
        close(fd);
        return -EPERM;
    }
    return fd;
}

static int remove_entry(void *arg, int dir, const char *path, const char *name) {
    (void)arg, (void)path;
    if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
        return 0;
    return errno == EISDIR || errno == EPERM ? 1 : -errno;
}

static int remove_dir(void *arg, int dir, const char *name) {
    (void)arg;
    return unlinkat(dir, name, AT_REMOVEDIR) < 0 && errno != ENOENT ? -errno : 0;
}

static int do_delete(char *path) {
    char *name;
    scoped_fd dir = collector_parent(path, false, &name);
    if (dir < 0)
        return dir;
    if (unlinkat(dir, name, 0) == 0)
        return 0;
    if (errno != EISDIR && errno != EPERM)
        return -errno;
    scoped_fd tree = open_at(dir, name, O_RDONLY | O_DIRECTORY);
    int r = tree < 0 ? tree : tree_walk(tree, &(struct tree_visit){remove_entry, remove_dir, NULL});
    return r < 0 ? r : remove_dir(NULL, dir, name);
}

/* An existing directory gets the mode. */
static int do_mkdir(char *path, uint32_t mode) {
    char *name;
    if (!*path)
        return fchmod(work, mode & 07777) < 0 ? -errno : 0;
    scoped_fd dir = collector_parent(path, true, &name);
    if (dir < 0)
        return dir;
    if (mkdirat(dir, name, 0755) < 0 && errno != EEXIST)
        return -errno;
    scoped_fd made = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return made < 0 || (mode && fchmod(made, mode & 07777) < 0) ? -errno : 0;
}

/* An existing FIFO does not get the mode: it might be a link by then. */
static int do_mkfifo(char *path, uint32_t mode) {
    char *name;
    scoped_fd dir = collector_parent(path, true, &name);
    if (dir < 0)
        return dir;
    return mkfifoat(dir, name, mode & 07777) < 0 ? -errno : 0;
}

static int do_symlink(char *path, const char *target) {
    char *name;
    scoped_fd dir = collector_parent(path, true, &name);
    if (dir < 0)
        return dir;
    return symlinkat(target, dir, name) < 0 ? -errno : 0;
}

static int do_link(char *path, char *first) {
    char *name, *known;
    scoped_fd from = collector_parent(first, false, &known);
    scoped_fd dir = from < 0 ? -1 : collector_parent(path, true, &name);
    if (from < 0 || dir < 0)
        return from < 0 ? from : dir;
    return linkat(from, known, dir, name, 0) < 0 ? -errno : 0;
}

/* A file that is replaced gives its mode to the new one. Anything else stays there: we write only
 * regular files. */
static int do_rename(char *path, char *to) {
    char *name, *known;
    struct stat st;
    scoped_fd from = collector_parent(path, false, &known);
    scoped_fd dir = from < 0 ? -1 : collector_parent(to, false, &name);
    if (from < 0 || dir < 0)
        return from < 0 ? from : dir;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        if (!S_ISREG(st.st_mode))
            return S_ISDIR(st.st_mode) ? -EISDIR : -ELOOP;
        if (fchmodat(from, known, st.st_mode & 0777, 0) < 0)
            return -errno;
    }
    return renameat(from, known, dir, name) < 0 ? -errno : 0;
}

/* The only file outside of /work. By then it may be the guest's own, which harms nobody else; but
 * we follow no link. */
static int open_trust(void) {
    int fd =
        open(GATE_TRUST, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0644);
    struct stat st;
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_nlink != 1 || ftruncate(fd, 0) < 0) {
        close(fd);
        return -EINVAL;
    }
    return fd;
}

/* Listens in the session's network namespace, which the socket never leaves: its holder accepts
 * only connections from processes of the session. */
static int listen_for_gate(void) {
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons(GATE_PORT),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    scoped_fd fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0 ||
        bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(fd, GATE_BACKLOG) < 0)
        return -errno;
    return take_fd(&fd);
}

static void answer(int sock, const struct collect_request *q, char *path, char *target) {
    struct collect_reply reply = {0};
    int fd = -1;
    switch (q->op) {
    case COLLECT_LIST: do_list(sock); return;
    case COLLECT_OPEN: fd = do_open(path, &reply); break;
    case COLLECT_CREATE: fd = do_create(path, q->flags, q->mode); break;
    case COLLECT_DELETE: reply.status = do_delete(path); break;
    case COLLECT_MKDIR: reply.status = do_mkdir(path, q->mode); break;
    case COLLECT_MKFIFO: reply.status = do_mkfifo(path, q->mode); break;
    case COLLECT_SYMLINK: reply.status = do_symlink(path, target); break;
    case COLLECT_LINK: reply.status = do_link(path, target); break;
    case COLLECT_RENAME: reply.status = do_rename(path, target); break;
    case COLLECT_TRUST: fd = open_trust(); break;
    case COLLECT_LISTEN: fd = listen_for_gate(); break;
    default: reply.status = -EINVAL;
    }
    if (q->op == COLLECT_OPEN || q->op == COLLECT_CREATE || q->op == COLLECT_TRUST ||
        q->op == COLLECT_LISTEN)
        reply.status = fd < 0 ? fd : 0;
    packet_send(sock, &reply, sizeof reply, &fd, fd >= 0);
    if (fd >= 0)
        close(fd);
}

static _Noreturn void collector_serve(int sock) {
    static char bytes[COLLECT_REQUEST_MAX], path[MAX_WORK_PATH + 1], target[MAX_WORK_PATH + 1];
    umask(0); /* the broker sets the modes */
    for (;;) {
        struct collect_request q;
        const char *p, *t;
        ssize_t n = packet_recv(sock, bytes, sizeof bytes, NULL, NULL, 0);
        if (n <= 0)
            _exit(0);
        if (collect_request_read(bytes, (size_t)n, &q, &p, &t) < 0)
            _exit(1);
        memcpy(path, p, q.path_len);
        path[q.path_len] = 0;
        memcpy(target, t, q.target_len);
        target[q.target_len] = 0;
        answer(sock, &q, path, target);
    }
}

/* Refuses, and says so: without an answer the session would seem to have no files. */
static _Noreturn void collector_refuse(int sock, int r) {
    static char bytes[COLLECT_REQUEST_MAX];
    struct collect_reply reply = {.status = r - COLLECT_UNMADE};
    while (packet_recv(sock, bytes, sizeof bytes, NULL, NULL, 0) > 0 &&
           packet_send(sock, &reply, sizeof reply, NULL, 0) == 0)
        ;
    _exit(1);
}

/* The kernel lets a process send no descriptor while more than its limit of open files are in
 * flight for its uid, and those that a guest has sent to itself count. So the collector may have
 * more than a guest. */
#define COLLECTOR_FILES (MAX_OPEN_FILES + 1024)

static _Noreturn void collector_main(int sock, int init_pidfd, unsigned uid) {
    struct retort_error err = ERR_INIT;
    struct lockdown lock = {.role = LOCK_COLLECTOR,
                            .skip = ablation_mask(),
                            .pids = 65536,
                            .open_files = COLLECTOR_FILES,
                            .filter = sup.guest.code,
                            .filter_len = sup.guest.len};
    if (failpoint(FP_collector) || setns(init_pidfd, CLONE_NEWNS | CLONE_NEWNET) < 0 ||
        chdir("/work") < 0 || (work = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        collector_refuse(sock, -errno);
    int r = lockdown_descriptors(-1, -1, sock, work, &err);
    if (r < 0)
        collector_refuse(sock, r);
    work = 4;
    /* The files that it makes belong to the session's user; it keeps its capabilities. */
    r = lockdown_become(uid);
    if (r == 0)
        r = lockdown_apply(&lock, &err);
    if (r < 0)
        collector_refuse(3, r);
    collector_serve(3);
}

/* --- in the supervisor --- */

/* The socket stays the caller's: if no process can be started, it is closed, and the broker sees
 * that. */
void collector_start(struct session *s, int sock) {
    pid_t pid = fork();
    if (pid == 0)
        collector_main(sock, s->pid1.pidfd, s->uid);
    s->network.collected = true;
    if (pid > 0)
        s->network.collector = pid;
}

/* Opens it through init, whose working directory it always is: no part of that path is the
 * guest's. */
static int open_of_init(pid_t init, const char *what) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/%s", init, what);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int files_offer(struct session *s, struct retort_error *err) {
    if (s->remains.work >= 0) {
        s->birth.host[CREATED_WORK] = take_fd(&s->remains.work);
        s->birth.host[CREATED_NET] = take_fd(&s->remains.net);
        return 0;
    }
    int r = s->birth.host[CREATED_WORK] = open_of_init(s->pid1.pid, "cwd");
    if (r >= 0)
        r = s->birth.host[CREATED_NET] = open_of_init(s->pid1.pid, "net");
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot reach the session's files") : 0;
}
