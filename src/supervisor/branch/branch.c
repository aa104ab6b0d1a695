/* How a live branch is made.
 *
 *   1  branch_create    On CTL_BRANCH: makes a session object, its cgroup, sockets and pipes.
 *   2  branch_child.c   Joins the parent's user, mount and pid namespaces, becomes the parent's
 *                       user, and clones the branch's init into new namespaces inside of those.
 *                       That mounts the branch's own tmpfs, copies the parent's files, locks
 *                       itself in and becomes init.
 *   3  branch_ready     Gives the broker a socket (CTL_NEST), which it passes on to the idle
 *                       interpreter.
 *   4  _retort.branch   In the interpreter: makes the forker, a process that shares its memory.
 *                       The forker joins the branch's namespaces one by one (setns, through the
 *                       gate) and forks the branch's interpreter, which drops the capabilities
 *                       that joining gave it, and reports.
 *   5  branch_settle    When the forker has ended: checks the process that reported, kills
 *                       everything else that came through, and only then gives the branch
 *                       a channel.
 *
 * Why an attacker gains nothing at step 4, where hostile memory has capabilities:
 *
 * - The kernel lets a process without any capability join a user namespace only if that is a child
 *   of its own and belongs to its user. Those are this branch's, and those of earlier branches of
 *   the same session. Over anything else, setns and capset give nothing.
 * - The capabilities hold over that nested namespace: its mounts, its network, its processes.
 *   The filter refuses to mount, to trace, to make namespaces and to load anything into the kernel,
 *   as before. no_new_privs, the filter and Landlock's domain are never taken off.
 * - The gate lets exactly one process through for each branch, and never the interpreter itself.
 *   Before that process goes on it is put into the branch's cgroup, and so is whatever it forks,
 *   wherever it goes from there: nobody can leave a cgroup that is not mounted. Step 5 looks at the
 *   one that reported: it has one thread, no capability in any set, and every namespace is the
 *   branch's own. Then it ends all others in that cgroup. A process without capabilities at that
 *   moment never gets any.
 * - Whatever goes differently ends in branch_abandon: everything in that cgroup dies, and the
 *   broker makes the branch by replay.
 * - A guest can stop or kill its own half-made branch, or not answer: the broker waits for some
 *   seconds and gives the branch up.
 *
 * The owner of a user namespace has every right over it: a session can see, signal and alter its
 * own branches, as it could its child processes. They cannot reach it, nor each other. */
#include "supervisor/branch/branch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/process.h"
#include "sandbox/rootfs.h"
#include "supervisor/birth.h"
#include "supervisor/branch/gate.h"
#include "supervisor/parts/killing.h"
#include "supervisor/parts/memory.h"
#include "supervisor/requests.h"
#include "supervisor/sockets.h"

#define NEEDED (LAYERS_ALL & ~LAYER_BIT(LAYER_UID))

static void on_branch_child(struct source *source);

void branch_init(struct branching *b) {
    *b = (struct branching){.forker = SOURCE_NONE};
    for (int i = 0; i < NAMESPACE_KINDS; i++)
        b->quota[i] = -1;
}

static unsigned branches_of(const struct session *s) {
    unsigned count = 0;
    for (const struct session *b = sup.sessions; b; b = b->next)
        count += b->branching.parent == s;
    return count;
}

const char *branch_broken(const struct session *s) {
    const struct branching *b = &s->branching;
    if (b->parent && !b->parent->branching.count)
        return "a branch that its parent does not count";
    if (b->count && branches_of(s) != b->count)
        return "another number of branches than it says";
    if (b->forker.fd >= 0 && !b->forker_pid)
        return "a forker is held that nobody knows";
    return s->state == SESSION_HULL && !b->count ? "a hull without branches" : NULL;
}

/* --- how many namespaces there may be --- */

/* A session itself may have none; but the kernel asks every user namespace above the one that makes
 * another. */
static void quota_raise(const struct session *s) {
    for (; s; s = s->branching.parent)
        for (int i = 0; i < NAMESPACE_KINDS; i++)
            if (pwrite(s->branching.quota[i], "100000", 6, 0) < 0)
                return; /* then making the branch fails */
}

static void quota_settle(void) {
    for (const struct session *s = sup.sessions; s; s = s->next)
        if (s->branching.parent && s->state == SESSION_STARTING)
            return;
    for (const struct session *s = sup.sessions; s; s = s->next)
        for (int i = 0; s->branching.count && i < NAMESPACE_KINDS; i++)
            if (s->branching.quota[i] >= 0 && pwrite(s->branching.quota[i], "0", 1, 0) < 0)
                return;
}

static void quota_take(struct session *s, int kind, int fd) {
    if (kind < 0 || kind >= NAMESPACE_KINDS || s->branching.quota[kind] >= 0)
        close(fd);
    else
        s->branching.quota[kind] = fd;
}

/* --- making --- */

static const char *refusal(const struct session *s) {
    static char missing[80];
    if (!s->branching.gate)
        return "the session was not forked from a warm interpreter, or the kernel has no user "
               "notification";
    if (!gate_is_open(s->branching.gate))
        return "the session has called setns or capset too often";
    for (int i = 0; i < LAYER_COUNT; i++)
        if (NEEDED & ~s->layers & LAYER_BIT(i)) {
            snprintf(missing, sizeof missing, "that needs the layer %s, which is missing",
                     layer_names[i]);
            return missing;
        }
    if (!rootfs_branchable(&s->env->env))
        return "the interpreter stands in a directory that belongs to the session";
    return s->interp.exit_told || !s->interp.pid ? "the session has no interpreter" : NULL;
}

static int start(struct session *s, struct retort_error *err) {
    int pair[2] = {-1, -1};
    int r = cgroup_make(&sup.cgroups, s->id, &s->terms.limits, &s->cgroup, err);
    if (r < 0)
        return r;
    s->memory.files = s->terms.limits.disk; /* until the broker has measured the copies */
    cgroup_room(&s->cgroup, &s->terms.limits, s->memory.files, 0);
    if ((r = birth_devices(s, err)) < 0)
        return r;
    birth_quota(s);
    if ((r = generation_open(s->birth.guest, s->birth.host)) < 0 || (r = witness_open(pair)) < 0)
        return err_errno(err, ERR_HOST, -r, "cannot make the branch's sockets");
    pid_t pid = fork();
    if (pid == 0)
        branch_child_main(s, pair[1]);
    birth_settled(s);
    r = pid < 0 ? -errno : session_watch(s, &s->pid1.sock, take_fd(&pair[0]), on_branch_child);
    close_all(pair, 2);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot start the branch") : 0;
}

void branch_create(struct session *parent, int sock) {
    struct retort_error err = ERR_INIT;
    const char *why = refusal(parent);
    struct session *s = why ? NULL : session_new(parent->env, &parent->terms);
    if (!s) {
        err_errno(&err, ERR_HOST, why ? 0 : ENOMEM, "%s",
                  why ? why : "cannot hold another session");
        session_fail_socket(sock, &err);
        return;
    }
    s->branching.parent = parent;
    parent->branching.count++;
    spare_never(parent);
    s->branching.gate = gate_ref(parent->branching.gate);
    s->uid = parent->uid;
    s->skip = parent->skip;
    s->layers = parent->layers;
    s->missing = parent->missing;
    if (session_watch(s, &s->ctl, sock, requests_serve) < 0) {
        session_kill(s);
        return;
    }
    if (start(s, &err) < 0)
        session_fail(s, &err);
    else if (parent->branching.quota[NAMESPACE_KINDS - 1] >= 0) {
        quota_raise(parent);
        send(s->pid1.sock.fd, "g", 1, MSG_NOSIGNAL);
    }
}

static void branch_fail(struct session *s, const char *what) {
    struct retort_error err = ERR_INIT;
    err_errno(&err, ERR_HOST, EPERM, "%s", what);
    session_fail(s, &err);
}

static void init_known(struct session *s, pid_t pid) {
    int off = 0;
    s->pid1.pid = pid;
    /* Our own child: nobody else gets its number until we reap it. */
    s->pid1.pidfd = process_hold(pid);
    setsockopt(s->pid1.sock.fd, SOL_SOCKET, SO_PASSCRED, &off, sizeof off);
    s->pid1.sock.ready = session_on_init;
    if (s->pid1.pidfd < 0 || send(s->pid1.sock.fd, "g", 1, MSG_NOSIGNAL) != 1)
        branch_fail(s, "the branch's first process ended early");
}

/* From branch_child.c: descriptors of the parent's quotas, kind by kind; the first message of the
 * process that becomes init; or why there will be none. */
static void on_branch_child(struct source *source) {
    struct session *s = source->owner;
    struct retort_error err;
    pid_t pid = 0;
    int fd = -1;
    ssize_t n = witness_recv(source->fd, &err, sizeof err, &pid, &fd);
    if (nothing_yet(n))
        return;
    char word = n == 1 ? *(char *)&err : 0;
    if (n == sizeof err)
        session_fail(s, &err);
    else if (n != 1)
        branch_fail(s, "the branch's first process ended early");
    else if (fd >= 0) {
        quota_take(s->branching.parent, word, fd);
        if (word == NAMESPACE_KINDS - 1) {
            quota_raise(s->branching.parent);
            send(s->pid1.sock.fd, "g", 1, MSG_NOSIGNAL);
        }
    } else
        init_known(s, pid);
}

/* --- letting one through --- */

/* The oldest branch that waits for its interpreter: the broker makes one after the other. */
static struct session *pending(const struct gate *gate) {
    struct session *oldest = NULL;
    for (struct session *s = sup.sessions; s; s = s->next)
        if (s->branching.parent && s->branching.gate == gate && s->state == SESSION_FORKING &&
            !s->interp.pid && (!oldest || s->id < oldest->id))
            oldest = s;
    return oldest;
}

/* When the forker has ended, we look at what it left. */
static void on_forker(struct source *source);

/* The gate holds the process and has seen that it waits there. It may still be killed before we
 * move it by its number. If it lives afterwards, we have moved nobody else. */
static bool adopt(struct session *s, pid_t pid, int pidfd) {
    const struct session *parent = s->branching.parent;
    if (pid == parent->interp.pid || pid == parent->checkpoint.pid || pid == parent->pid1.pid ||
        !proctree_has(&parent->tree, pid))
        return false;
    int held = fcntl(pidfd, F_DUPFD_CLOEXEC, 0);
    if (held < 0 || session_watch(s, &s->branching.forker, held, on_forker) < 0)
        return false;
    s->branching.forker_pid = pid;
    return cgroup_adopt(&s->cgroup, pid, pidfd, s->uid) == 0;
}

bool branch_permits(const struct gate *gate, pid_t pid, int pidfd, int nr, int kind) {
    struct session *s = pending(gate);
    if (!s)
        return false;
    if (nr == SYS_capset) /* with which it can only lose capabilities */
        return proctree_has(&s->tree, pid);
    if (!s->branching.forker_pid)
        return kind == CLONE_NEWUSER && adopt(s, pid, pidfd);
    return pid == s->branching.forker_pid && process_lives(s->branching.forker.fd) &&
           namespace_is_kind(kind);
}

/* --- checking what came through --- */

static bool has_line(const char *status, const char *key, const char *value) {
    const char *p = strstr(status, key);
    size_t n = strlen(key), m = strlen(value);
    return p && strncmp(p + n, value, m) == 0 && p[n + m] == '\n';
}

static bool same_namespace(pid_t a, pid_t b, const char *kind) {
    char path[2][48];
    struct stat st[2];
    snprintf(path[0], sizeof path[0], "/proc/%d/ns/%s", a, kind);
    snprintf(path[1], sizeof path[1], "/proc/%d/ns/%s", b, kind);
    return stat(path[0], &st[0]) == 0 && stat(path[1], &st[1]) == 0 &&
           st[0].st_ino == st[1].st_ino && st[0].st_dev == st[1].st_dev;
}

/* The last but one of "NSpid:\t1234\t17\t2": its number for the parent's init. */
static pid_t pid_in_parent(const char *status) {
    const char *p = strstr(status, "\nNSpid:");
    const char *end = p ? strchr(p + 1, '\n') : NULL;
    long before = 0, last = 0;
    for (p = p ? p + 7 : NULL; p && end && p < end && *p == '\t';) {
        char *next;
        before = last;
        last = strtol(p, &next, 10);
        p = next;
    }
    return (pid_t)before;
}

static int check(const struct session *s, pid_t *ret_adopted) {
    static const char *const nothing = "0000000000000000";
    char path[32], status[4096];
    snprintf(path, sizeof path, "/proc/%d/status", s->interp.pid);
    if (read_file_at(AT_FDCWD, path, status, sizeof status) <= 0)
        return -ESRCH;
    /* The process chooses its name, which comes first in this text; but newlines in it are
     * escaped. */
    if (!has_line(status, "\nCapInh:\t", nothing) || !has_line(status, "\nCapPrm:\t", nothing) ||
        !has_line(status, "\nCapEff:\t", nothing) || !has_line(status, "\nCapBnd:\t", nothing) ||
        !has_line(status, "\nCapAmb:\t", nothing) || !has_line(status, "\nThreads:\t", "1") ||
        !has_line(status, "\nNoNewPrivs:\t", "1") || !has_line(status, "\nSeccomp:\t", "2"))
        return -EPERM;
    for (int i = 0; i < NAMESPACE_KINDS; i++)
        if (!same_namespace(s->interp.pid, s->pid1.pid, namespace_kinds[i].name))
            return -EPERM;
    *ret_adopted = pid_in_parent(status);
    return *ret_adopted > 0 && process_lives(s->interp.pidfd) ? 0 : -EPERM;
}

static void branch_settled(struct session *s, int killed) {
    if (killed < 0) {
        branch_fail(s, "what came through with the branch would not die");
        return;
    }
    int r = packet_send(s->interp.setup.fd, "r", 1, s->birth.guest, 3);
    close_all(s->birth.guest, 3);
    source_done(&s->interp.setup);
    if (r < 0) {
        branch_fail(s, "the branch ended early");
        return;
    }
    s->warm = true;
    memory_shared(s->branching.parent);
    session_hand_over(s);
}

/* First we check the one that reported: it has no capability, so it cannot pass any on. Then we
 * kill all others. */
static void branch_settle(struct session *s) {
    if (check(s, &s->interp.adopted) < 0) {
        branch_fail(s, "the branch was not locked in as it should be");
        return;
    }
    int killed = killing_begin(s, 0, branch_settled);
    if (killed != -EINPROGRESS)
        branch_settled(s, killed);
}

static void on_forker(struct source *source) {
    struct session *s = source->owner;
    source_done(source);
    if (s->interp.pid && s->state == SESSION_FORKING)
        branch_settle(s);
}

static void on_report(struct source *source) {
    struct session *s = source->owner;
    char byte;
    pid_t pid = 0;
    ssize_t n = witness_recv(source->fd, &byte, 1, &pid, NULL);
    if (nothing_yet(n))
        return;
    if (n != 1 || pid <= 0 || s->interp.pid || !s->branching.forker_pid) {
        branch_fail(s, "the branch ended before it was locked in");
        return;
    }
    s->interp.pid = pid;
    s->interp.pidfd = process_hold(pid); /* if it is gone, the check fails */
    if (s->branching.forker.fd < 0)
        branch_settle(s);
}

static int open_namespaces(const struct session *s, int fds[NAMESPACE_KINDS]) {
    int r = 0;
    for (int i = 0; i < NAMESPACE_KINDS; i++) {
        char path[48];
        snprintf(path, sizeof path, "/proc/%d/ns/%s", s->pid1.pid, namespace_kinds[i].name);
        fds[i] = open(path, O_RDONLY | O_CLOEXEC);
        r = fds[i] < 0 ? -errno : r;
    }
    return r;
}

void branch_ready(struct session *s) {
    struct ctl_head head = {CTL_NEST, sizeof head};
    int fds[NAMESPACE_KINDS], pair[2] = {-1, -1};
    quota_settle();
    int r = open_namespaces(s, fds);
    if (r == 0 && (r = witness_open(pair)) == 0 &&
        (r = session_watch(s, &s->interp.setup, pair[0], on_report)) == 0)
        r = packet_send(pair[0], "n", 1, fds, NAMESPACE_KINDS);
    close_all(fds, NAMESPACE_KINDS);
    if (r == 0)
        session_tell(s, &head, sizeof head, &pair[1], 1);
    fd_done(&pair[1]);
    if (r < 0)
        branch_fail(s, "cannot pass the branch's namespaces");
}

/* --- ends --- */

static void hull_emptied(struct session *s, int killed) {
    if (killed < 0)
        session_kill(s);
}

void branch_hull(struct session *s) {
    s->state = SESSION_HULL;
    checkpoint_done(&s->checkpoint);
    close_all(s->birth.host, CREATED_OWN);
    int killed = killing_begin(s, LANGUAGES_ALL, hull_emptied);
    if (killed != -EINPROGRESS)
        hull_emptied(s, killed);
}

void branch_abandon(struct session *s) {
    if (!s->branching.parent)
        return;
    /* Whether or not this is over: the session is freed when it is. */
    if (s->branching.forker_pid && !s->warm)
        killing_begin(s, LANGUAGES_ALL, session_release);
    quota_settle();
}

void branch_orphan(struct session *s) {
    for (struct session *b = sup.sessions, *next; s->branching.count && b; b = next) {
        next = b->next;
        if (b->branching.parent != s)
            continue;
        b->branching.parent = NULL;
        b->uid = 0;
        s->branching.count--;
        session_kill(b);
        next = sup.sessions; /* that may have freed any number of sessions */
    }
}

void branch_freed(struct session *s) {
    struct session *parent = s->branching.parent;
    source_done(&s->branching.forker);
    close_all(s->branching.quota, NAMESPACE_KINDS);
    gate_unref(s->branching.gate);
    if (!parent)
        return;
    parent->branching.count--;
    memory_unshared(parent);
    if (parent->branching.count == 0 && parent->state == SESSION_HULL)
        session_kill(parent);
}
