/* A range is a slot, and a slot is one byte of a lock file: engines lock different bytes of the
 * same file. The locks belong to open file descriptions: children inherit them with the descriptor,
 * and they end with its last copy. */
#include "sandbox/uidrange.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/unconst.h"

#define NEWUIDMAP "/usr/bin/newuidmap"
#define NEWGIDMAP "/usr/bin/newgidmap"
#define NARROWEST 16u /* we use no subordinate range below this */
#define TEXT_MAX (256u << 10)

/* Reading the administrator's files */

static const char *line_end(const char *p) {
    return p + strcspn(p, "\n");
}

static bool starts_with_field(const char *line, const char *field) {
    size_t n = strlen(field);
    return n && !strncmp(line, field, n) && line[n] == ':';
}

/* A decimal number that ends at `end`; moves past both. */
static bool parse_id(const char **p, char end, unsigned *ret) {
    if (**p < '0' || **p > '9')
        return false;
    char *stop;
    errno = 0;
    unsigned long long v = strtoull(*p, &stop, 10);
    if (errno || v > 0xffffffffull || (*stop != end && !(end == '\n' && !*stop)))
        return false;
    *ret = (unsigned)v;
    *p = *stop ? stop + 1 : stop;
    return true;
}

int uidrange_parse(const char *text, const char *name, uid_t uid, struct idspan *ret_span) {
    char number[16];
    snprintf(number, sizeof number, "%u", (unsigned)uid);
    struct idspan best = {0, 0};
    for (const char *line = text; *line; line = line_end(line), line += *line == '\n') {
        if (!(name && starts_with_field(line, name)) && !starts_with_field(line, number))
            continue;
        const char *p = strchr(line, ':') + 1;
        struct idspan s;
        if (parse_id(&p, ':', &s.first) && parse_id(&p, '\n', &s.count) &&
            s.count <= 0xffffffffu - s.first && s.count > best.count)
            best = s;
    }
    if (!best.count)
        return -ENOENT;
    *ret_span = best;
    return 0;
}

int uidrange_name(const char *passwd, uid_t uid, char *ret_name, size_t size) {
    for (const char *line = passwd; *line; line = line_end(line), line += *line == '\n') {
        size_t name_len = strcspn(line, ":\n");
        if (!name_len || line[name_len] != ':')
            continue;
        const char *p = line + name_len + 1;
        p += strcspn(p, ":\n");
        unsigned id;
        if (*p++ != ':' || !parse_id(&p, ':', &id) || id != uid || name_len >= size)
            continue;
        memcpy(ret_name, line, name_len);
        ret_name[name_len] = 0;
        return 0;
    }
    return -ENOENT;
}

/* Places to look in, best first. 60000 to 65535 have meanings of their own, such as nobody. */
static const struct {
    unsigned from, to;
} spare_places[] = {
    {UIDRANGE_FIRST, UIDRANGE_FIRST + UIDRANGE_SLOTS *UIDRANGE_WIDTH},
    {0x10000, 0xffffffff},
    {0x8000, 60000},
};

/* The widest part of a line's ids between `from` and `to`. */
static struct idspan spare_between(const char *map, unsigned from, unsigned to) {
    struct idspan best = {0, 0};
    for (const char *line = map; *line; line = line_end(line), line += *line == '\n') {
        unsigned inside, outside, count;
        if (sscanf(line, "%u %u %u", &inside, &outside, &count) != 3)
            continue;
        unsigned long long end = (unsigned long long)inside + count;
        unsigned first = inside > from ? inside : from;
        unsigned last = end < to ? (unsigned)end : to;
        if (last > first && last - first > best.count)
            best = (struct idspan){first, last - first};
    }
    return best;
}

int uidrange_spare(const char *map, struct idspan *ret_span) {
    for (size_t i = 0; i < sizeof spare_places / sizeof spare_places[0]; i++) {
        struct idspan s = spare_between(map, spare_places[i].from, spare_places[i].to);
        if (s.count < UIDRANGE_WIDTH)
            continue;
        *ret_span = s;
        return 0;
    }
    return -ENOENT;
}

static int read_spare(const char *path, struct idspan *ret_span) {
    char text[4096];
    ssize_t n = read_file_at(AT_FDCWD, path, text, sizeof text);
    return n <= 0 ? -ENOENT : uidrange_spare(text, ret_span);
}

static int read_spans(uid_t uid, struct idspan *ret_uids, struct idspan *ret_gids) {
    scoped_free char *text = malloc(TEXT_MAX);
    char name[64];
    if (!text)
        return -ENOMEM;
    bool named = read_file_at(AT_FDCWD, "/etc/passwd", text, TEXT_MAX) > 0 &&
                 uidrange_name(text, uid, name, sizeof name) == 0;
    if (read_file_at(AT_FDCWD, "/etc/subuid", text, TEXT_MAX) <= 0 ||
        uidrange_parse(text, named ? name : NULL, uid, ret_uids) < 0)
        return -ENOENT;
    if (read_file_at(AT_FDCWD, "/etc/subgid", text, TEXT_MAX) <= 0 ||
        uidrange_parse(text, named ? name : NULL, uid, ret_gids) < 0)
        return -ENOENT;
    return 0;
}

/* Locking */

/* Opens a directory that nobody else can write to, or fails. */
static int open_private_dir(const char *path, bool make) {
    if (make)
        mkdir(path, 0700);
    scoped_fd fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0 || st.st_uid != geteuid() || st.st_mode & 022)
        return -1;
    return take_fd(&fd);
}

static int open_lock_at(int dir, const char *name) {
    scoped_fd fd = openat(dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat st;
    if (fd < 0)
        return -errno;
    /* In a shared directory, another user could have made the file first, to hold our locks. */
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & 077)
        return -EPERM;
    return take_fd(&fd);
}

static int open_lock(void) {
    char text[64];
    scoped_fd dir = -1;
    if (geteuid() == 0) {
        dir = open_private_dir("/run/retort", true);
    } else {
        snprintf(text, sizeof text, "/run/user/%u", (unsigned)geteuid());
        dir = open_private_dir(text, false);
    }
    if (dir >= 0)
        return open_lock_at(dir, "retort-uids");
    snprintf(text, sizeof text, "/dev/shm/retort-uids-%u", (unsigned)geteuid());
    return open_lock_at(AT_FDCWD, text);
}

/* The first slot that nobody holds, or -EUSERS. */
static int lock_slot(int fd, unsigned slots) {
    for (unsigned i = 0; i < slots; i++) {
        struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)i, .l_len = 1};
        if (fcntl(fd, F_OFD_SETLK, &l) == 0)
            return (int)i;
        if (errno != EAGAIN && errno != EACCES)
            return -errno;
    }
    return -EUSERS;
}

/* Acquiring */

static int plain(struct uidrange *range, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static int plain(struct uidrange *range, const char *fmt, ...) {
    uidrange_release(range);
    va_list args;
    va_start(args, fmt);
    vsnprintf(range->why, sizeof range->why, fmt, args);
    va_end(args);
    return 0;
}

/* The tools have the set-uid bit or file capabilities. */
static bool is_privileged_tool(const char *path) {
    struct stat st;
    if (stat(path, &st) < 0 || st.st_uid != 0 || access(path, X_OK) < 0)
        return false;
    return st.st_mode & S_ISUID || getxattr(path, "security.capability", NULL, 0) > 0;
}

static unsigned min_of(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Takes a slot of the ids in the two spans. */
static int take_slot(struct uidrange *range, struct idspan uids, struct idspan gids,
                     unsigned width) {
    scoped_fd fd = open_lock();
    int slot = fd < 0 ? fd : lock_slot(fd, min_of(uids.count, gids.count) / width);
    if (slot < 0)
        return slot;
    range->base = uids.first + (unsigned)slot * width;
    range->gid_base = gids.first + (unsigned)slot * width;
    range->lock_fd = take_fd(&fd);
    return 0;
}

static int acquire_root(struct uidrange *range, struct retort_error *err) {
    struct idspan uids, gids;
    if (read_spare("/proc/self/uid_map", &uids) < 0 || read_spare("/proc/self/gid_map", &gids) < 0)
        return plain(range, "this user namespace has fewer than %u ids to spare: map more of them",
                     UIDRANGE_WIDTH);
    int r = take_slot(range, uids, gids, UIDRANGE_WIDTH);
    if (r < 0)
        return err_layer(err, "uid", -r, "locking a uid range");
    range->mode = UIDS_ROOT;
    range->count = UIDRANGE_WIDTH - 1; /* inside 0 uses one id */
    return 0;
}

/* Root of a container usually does not have them: then it is treated like an ordinary user. */
static bool has_rights_of_root(void) {
    uint32_t needed = 1u << CAP_SYS_ADMIN | 1u << CAP_SETUID | 1u << CAP_SETGID;
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    return syscall(SYS_capget, &head, data) == 0 && (data[0].effective & needed) == needed;
}

static int acquire_user(struct uidrange *range) {
    struct idspan uids, gids;
    if (read_spans(geteuid(), &uids, &gids) < 0)
        return plain(range, "no subordinate ids for this user: usermod --add-subuids 100000-165535 "
                            "--add-subgids 100000-165535 USER");
    if (!is_privileged_tool(NEWUIDMAP) || !is_privileged_tool(NEWGIDMAP))
        return plain(range, "newuidmap and newgidmap are missing or not set-uid: install uidmap");
    unsigned both = min_of(uids.count, gids.count);
    unsigned width = min_of(both, UIDRANGE_WIDTH);
    if (width < NARROWEST)
        return plain(range, "only %u subordinate ids: at least %u are needed", both, NARROWEST);
    int r = take_slot(range, uids, gids, width);
    if (r < 0)
        return plain(range, "no subordinate ids are free: %s", strerror(-r));
    range->mode = UIDS_SUBORDINATE;
    range->count = width;
    return 0;
}

int uidrange_acquire(struct uidrange *range, struct retort_error *err) {
    *range = (struct uidrange){.mode = UIDS_PLAIN, .lock_fd = -1};
    if (geteuid() != 0)
        return acquire_user(range);
    if (!has_rights_of_root())
        return plain(range, "root lacks CAP_SYS_ADMIN, CAP_SETUID or CAP_SETGID here: give them to "
                            "the container (--cap-add SYS_ADMIN)");
    return acquire_root(range, err);
}

void uidrange_release(struct uidrange *range) {
    fd_done(&range->lock_fd);
    range->mode = UIDS_PLAIN;
    range->count = 0;
    range->base = geteuid();
    range->gid_base = getegid();
}

uid_t uidrange_owner(const struct uidrange *range) {
    return range->mode == UIDS_ROOT ? range->base : geteuid();
}

/* Mapping */

static int put(pid_t target, const char *file, const char *text, struct retort_error *err) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)target, file);
    int r = write_file_at(AT_FDCWD, path, text);
    return r < 0 ? err_layer(err, "user", -r, "writing %s", file) : 0;
}

static int map_root(const struct uidrange *range, pid_t target, struct retort_error *err) {
    char text[64];
    snprintf(text, sizeof text, "0 %u %u\n", (unsigned)range->gid_base, range->count + 1);
    int r = put(target, "gid_map", text, err);
    if (r < 0)
        return r;
    snprintf(text, sizeof text, "0 %u %u\n", (unsigned)range->base, range->count + 1);
    return put(target, "uid_map", text, err);
}

static int map_plain(pid_t target, struct retort_error *err) {
    char text[64];
    int r = put(target, "setgroups", "deny", err);
    if (r < 0)
        return r;
    snprintf(text, sizeof text, "0 %u 1\n", (unsigned)getegid());
    r = put(target, "gid_map", text, err);
    if (r < 0)
        return r;
    snprintf(text, sizeof text, "0 %u 1\n", (unsigned)geteuid());
    return put(target, "uid_map", text, err);
}

static bool is_mapped(pid_t target, const char *file) {
    char path[64], text[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)target, file);
    return read_file_at(AT_FDCWD, path, text, sizeof text) > 0;
}

/* Runs TOOL PID 0 OWN 1 1 FIRST COUNT with an empty environment and nothing on its standard
 * streams. */
static int run_tool(const char *tool, pid_t target, unsigned own, unsigned first, unsigned count) {
    char pid_text[16], own_text[16], first_text[16], count_text[16];
    snprintf(pid_text, sizeof pid_text, "%d", (int)target);
    snprintf(own_text, sizeof own_text, "%u", own);
    snprintf(first_text, sizeof first_text, "%u", first);
    snprintf(count_text, sizeof count_text, "%u", count);
    char zero[] = "0", one[] = "1";
    char *argv[] = {unconst(tool), pid_text,   zero,       own_text, one,
                    one,           first_text, count_text, NULL};
    char *envp[] = {NULL};
    posix_spawn_file_actions_t acts;
    if (posix_spawn_file_actions_init(&acts) != 0)
        return -ENOMEM;
    posix_spawn_file_actions_addopen(&acts, 0, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_addopen(&acts, 1, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_addopen(&acts, 2, "/dev/null", O_RDWR, 0);
    pid_t pid;
    int e = posix_spawn(&pid, tool, &acts, NULL, argv, envp);
    posix_spawn_file_actions_destroy(&acts);
    if (e)
        return -e;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return 0;
}

/* We ask the kernel whether a tool succeeded: its exit status is lost if SIGCHLD is ignored. */
static int map_subordinate(struct uidrange *range, pid_t target, struct retort_error *err) {
    run_tool(NEWGIDMAP, target, getegid(), range->gid_base, range->count);
    if (!is_mapped(target, "gid_map")) {
        plain(range, prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1
                         ? "newuidmap and newgidmap cannot work under no_new_privs: start without "
                           "NoNewPrivileges=, allowPrivilegeEscalation: false or the like"
                         : "newgidmap refused the subordinate ids: check /etc/subgid");
        return map_plain(target, err);
    }
    run_tool(NEWUIDMAP, target, geteuid(), range->base, range->count);
    if (!is_mapped(target, "uid_map"))
        return err_layer(err, "user", EPERM, "newuidmap refused the ids that /etc/subuid grants");
    return 0;
}

int uidrange_map(struct uidrange *range, pid_t target, struct retort_error *err) {
    switch (range->mode) {
    case UIDS_ROOT: return map_root(range, target, err);
    case UIDS_SUBORDINATE: return map_subordinate(range, target, err);
    case UIDS_PLAIN: break;
    }
    return map_plain(target, err);
}
