/* Making, handing over, rolling back and ending sessions. See session.h for the states. */
#include "supervisor/session.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "sandbox/ablation.h"
#include "sandbox/failpoint.h"
#include "sandbox/init.h"
#include "sandbox/landlock.h"
#include "supervisor/branch.h"
#include "supervisor/gate.h"
#include "supervisor/process.h"
#include "supervisor/zygote.h"

#define NAMESPACES                                                           \
    (LAYER_BIT(LAYER_USER) | LAYER_BIT(LAYER_MOUNT) | LAYER_BIT(LAYER_PID) | \
     LAYER_BIT(LAYER_NET) | LAYER_BIT(LAYER_IPC) | LAYER_BIT(LAYER_UTS))

static const struct {
    enum layer layer;
    uint64_t flag;
} namespace_flags[] = {{LAYER_USER, CLONE_NEWUSER}, {LAYER_MOUNT, CLONE_NEWNS},
                       {LAYER_PID, CLONE_NEWPID},   {LAYER_NET, CLONE_NEWNET},
                       {LAYER_IPC, CLONE_NEWIPC},   {LAYER_UTS, CLONE_NEWUTS}};

static void on_setup(struct source *source);
static void on_wake(struct source *source);
static void on_wake_next(struct source *source);

#define HOST_USER_NAMESPACE 0xEFFFFFFDu /* PROC_USER_INIT_INO: its limits are not ours to set */

/* All sessions together leave the host half of what it has: it would be refused as they are. */
static void share_watches(void) {
    static const char *const files[][2] = {
        {"/proc/sys/fs/inotify/max_user_instances", "/proc/sys/user/max_inotify_instances"},
        {"/proc/sys/fs/inotify/max_user_watches", "/proc/sys/user/max_inotify_watches"}};
    struct stat own;
    bool host = stat("/proc/self/ns/user", &own) < 0 || own.st_ino == HOST_USER_NAMESPACE;
    for (size_t i = 0; !host && i < sizeof files / sizeof *files; i++) {
        char text[24];
        if (read_file_at(AT_FDCWD, files[i][0], text, sizeof text) <= 0)
            continue;
        snprintf(text, sizeof text, "%ld", strtol(text, NULL, 10) / 2);
        write_file_at(AT_FDCWD, files[i][1], text); /* a session has its own limit all the same */
    }
}

void session_setup(struct err *err) {
    share_watches();
    sup.devices = keeper_open(&sup, KEEPER_DEVICES);
    sup.own_devices = sup.devices >= 0;
    uint32_t action = SECCOMP_RET_ERRNO;
    if (landlock_version() <= 0)
        sup.unavailable |= LAYER_BIT(LAYER_LANDLOCK);
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) < 0)
        sup.unavailable |= LAYER_BIT(LAYER_SECCOMP);
    sup.uid_used = failpoint(FP_supervisor_table) ? NULL : calloc(sup.uids.count + 1, 1);
    if (!sup.uid_used)
        err_set(err, ERR_HOST, ENOMEM, "cannot start the supervisor");
}

/* --- resources ----------------------------------------------------------------------------------
 */

static unsigned uid_take(void) {
    if (ablation_mask() & LAYER_BIT(LAYER_UID))
        return 0;
    for (unsigned i = 1; i <= sup.uids.count; i++)
        if (!sup.uid_used[i]) {
            sup.uid_used[i] = 1;
            return i;
        }
    return 0; /* shared with the supervisor: an ordinary user has no other */
}

int session_devices(struct session *s, struct err *err) {
    if (failpoint(FP_session_devices))
        return err_layer(err, "mount", errno, "cannot make the session's device nodes");
    if (!sup.own_devices)
        return 0;
    s->devices = sup.devices >= 0 ? sup.devices : keeper_open(&sup, KEEPER_DEVICES);
    sup.devices = -1;
    return s->devices < 0
               ? err_layer(err, "mount", -s->devices, "cannot make the session's device nodes")
               : 0;
}

/* Cgroups of ended sessions, for the next ones: to make and to remove one costs more than to look
 * whether it is as good as new. What is left at the end goes with the engine's. */
#define SPARE_CGROUPS 4

static struct spare {
    struct cgroup cgroup;
    struct limits limits; /* for which it is set up */
} spares[SPARE_CGROUPS];

static bool limits_equal(const struct limits *a, const struct limits *b) {
    return a->memory == b->memory && a->disk == b->disk && a->inodes == b->inodes &&
           a->pids == b->pids && a->open_files == b->open_files;
}

static int cgroup_take(struct session *s, struct err *err) {
    for (struct spare *p = spares; p < spares + SPARE_CGROUPS; p++) {
        if (!p->cgroup.root)
            continue;
        bool same = limits_equal(&p->limits, &s->create.limits);
        s->cgroup = p->cgroup;
        p->cgroup = CGROUP_NONE;
        if (cgroup_recycle(&s->cgroup, same ? NULL : &s->create.limits) == 0)
            return 0;
        cgroup_remove(&s->cgroup);
        s->cgroup = CGROUP_NONE;
    }
    return cgroup_make(&sup.cgroups, s->id, &s->create.limits, &s->cgroup, err);
}

/* Not a branch's: who came into it from the parent's is the kernel's to tell, not ours. */
static void cgroup_give(struct session *s) {
    bool plain = s->cgroup.root && !s->parent && !s->middle_pid;
    for (struct spare *p = spares; p < spares + SPARE_CGROUPS && plain; p++)
        if (!p->cgroup.root) {
            *p = (struct spare){.cgroup = s->cgroup};
            if (!s->files && !s->copies)
                p->limits = s->create.limits;
            return;
        }
    cgroup_remove(&s->cgroup);
}

struct session *session_alloc(struct environment *env, const struct ctl_create *create) {
    struct session *s = failpoint(FP_session_memory) ? NULL : calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->env = env;
    s->create = *create;
    s->ctl = s->line = s->setup = s->wake = s->wake_next = s->collector = s->middle = SOURCE_NONE;
    s->dormant_end = SOURCE_NONE;
    s->init_pidfd = s->interpreter_pidfd = s->devices = -1;
    for (int i = 0; i < 3; i++)
        s->guest_fds[i] = -1;
    for (int i = 0; i < CREATED_OWN; i++)
        s->host_fds[i] = -1;
    for (int i = 0; i < NAMESPACE_KINDS; i++)
        s->quota[i] = -1;
    s->cgroup = CGROUP_NONE;
    s->id = ++sup.next_id;
    s->next = sup.sessions;
    sup.sessions = s;
    return s;
}

void close_all(int *fds, size_t n) {
    for (size_t i = 0; i < n; i++)
        fd_done(&fds[i]);
}

static void session_free(struct session *s) {
    for (struct session **p = &sup.sessions; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            break;
        }
    source_done(&s->ctl);
    source_done(&s->line);
    source_done(&s->setup);
    source_done(&s->wake);
    source_done(&s->wake_next);
    source_done(&s->dormant_end);
    source_done(&s->collector);
    close_all(s->guest_fds, 3);
    close_all(s->host_fds, CREATED_OWN);
    fd_done(&s->init_pidfd);
    fd_done(&s->interpreter_pidfd);
    fd_done(&s->devices);
    cgroup_give(s);
    if (s->uid && !s->parent)
        sup.uid_used[s->uid] = 0;
    free(s->extra);
    branch_freed(s);
    free(s);
}

int session_watch(struct session *s, struct source *source, int fd, source_fn ready) {
    *source = (struct source){.fd = fd, .ready = ready, .owner = s};
    return source_add(source);
}

int pair_open(int ret_pair[2], int type) {
    return failpoint(FP_socket_pair) || socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ret_pair) < 0
               ? -errno
               : 0;
}

int pipe_open(int ret_pipe[2]) {
    return failpoint(FP_pipe) || pipe2(ret_pipe, O_CLOEXEC) < 0 ? -errno : 0;
}

/* A socket on which the kernel says who sent: the only way we learn a guest's pid. */
int witness_open(int ret_pair[2]) {
    int on = 1, r = pair_open(ret_pair, SOCK_SEQPACKET);
    if (r < 0)
        return r;
    if (!failpoint(FP_witness) &&
        setsockopt(ret_pair[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0)
        return 0;
    r = -errno;
    close_all(ret_pair, 2);
    return r;
}

/* The sender may be a guest, and where one descriptor fits, so do two. */
static void take_first(const int *fds, size_t count, int *ret_fd) {
    for (size_t i = 0; i < count; i++)
        if (i == 0)
            *ret_fd = fds[i];
        else
            close(fds[i]);
}

ssize_t witness_recv(int fd, void *data, size_t len, pid_t *ret_pid, int *ret_fd) {
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec iov = {data, len};
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = &control,
                         .msg_controllen =
                             ret_fd ? sizeof control : CMSG_SPACE(sizeof(struct ucred))};
    ssize_t n;
    do
        n = recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_CREDENTIALS) {
            struct ucred cred;
            memcpy(&cred, CMSG_DATA(c), sizeof cred);
            *ret_pid = cred.pid;
        } else if (ret_fd && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            take_first((const int *)CMSG_DATA(c), (c->cmsg_len - CMSG_LEN(0)) / sizeof(int),
                       ret_fd);
    return n;
}

/* Channel and pipes of one generation of an interpreter: guest's ends and broker's ends. */
int session_generation_open(int guest[3], int host[3]) {
    int pair[2], r = pair_open(pair, SOCK_STREAM);
    if (r < 0)
        return r;
    host[0] = pair[0];
    guest[0] = pair[1];
    for (int i = 1; i < 3; i++) {
        if ((r = pipe_open(pair)) < 0)
            return r;
        host[i] = pair[0];
        guest[i] = pair[1];
        fcntl(host[i], F_SETFL, O_NONBLOCK);
    }
    return 0;
}

/* --- telling the owner --------------------------------------------------------------------------
 */

void session_tell(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds) {
    if (s->ctl.fd >= 0)
        packet_send(s->ctl.fd, msg, len, fds, nfds);
}

void session_fail_socket(int sock, const struct err *err) {
    struct ctl_failed failed = {{CTL_FAILED, sizeof failed}, *err};
    packet_send(sock, &failed, sizeof failed, NULL, 0);
    close(sock);
}

/* One of the pool is no longer being made: it is ready, or has failed. */
static void session_prepared(struct session *s) {
    s->env->npreparing -= s->pooled;
    s->pooled = false;
}

void session_kill(struct session *s) {
    if (s->state == SESSION_DYING)
        return;
    for (struct session **p = &s->env->ready; *p; p = &(*p)->next_ready)
        if (*p == s) {
            *p = s->next_ready;
            s->env->nready--;
            break;
        }
    if (s->pooled) { /* it would fail again: none is made until somebody asks for one */
        session_prepared(s);
        s->env->pool_failed = true;
    }
    s->state = SESSION_DYING;
    close_all(s->host_fds, CREATED_OWN);
    branch_abandon(s);
    if (s->init_pidfd >= 0)
        process_signal(s->init_pidfd, SIGKILL);
    if (s->init == 0)
        session_free(s);
}

void session_fail(struct session *s, const struct err *err) {
    struct ctl_failed failed = {{CTL_FAILED, sizeof failed}, *err};
    if (s->state != SESSION_DYING && s->state != SESSION_LIVE)
        session_tell(s, &failed, sizeof failed, NULL, 0);
    source_done(&s->ctl);
    session_kill(s);
}

static void tell_exit(struct session *s, int status, const struct init_report *report) {
    if (s->exit_told)
        return;
    s->exit_told = true;
    s->last_exit =
        (struct ctl_exited){{CTL_EXITED, sizeof s->last_exit}, status, s->generation, 0, 0};
    if (report) {
        s->last_exit.cpu_us = report->cpu_us;
        s->last_exit.peak_kb = report->maxrss_kb;
    }
    if (s->state == SESSION_LIVE)
        session_tell(s, &s->last_exit, sizeof s->last_exit, NULL, 0);
}

void session_hand_over(struct session *s) {
    struct ctl_created created = {.head = {CTL_CREATED, sizeof created},
                                  .layers = s->layers,
                                  .missing = s->missing,
                                  .warm = s->warm};
    int fds[CREATED_FDS];
    size_t n = CREATED_OWN;
    memcpy(created.cgroup_why, sup.cgroups.why, sizeof created.cgroup_why);
    memcpy(created.uid_why, sup.uids.why, sizeof created.uid_why);
    memcpy(fds, s->host_fds, sizeof s->host_fds);
    if (cgroup_measures(&s->cgroup, fds + CREATED_CPU) == 0) {
        created.cgroup = (uint32_t)s->cgroup.root->version;
        n = CREATED_FDS;
    }
    s->state = SESSION_LIVE;
    session_tell(s, &created, sizeof created, fds, n);
    close_all(s->host_fds, CREATED_OWN);
    if (s->exit_told) /* it died before anybody asked for it */
        session_tell(s, &s->last_exit, sizeof s->last_exit, NULL, 0);
}

/* --- making -------------------------------------------------------------------------------------
 */

static void session_ready(struct session *s) {
    source_done(&s->setup);
    if (s->ctl.fd >= 0) {
        session_hand_over(s);
        return;
    }
    session_prepared(s);
    s->state = SESSION_READY;
    s->next_ready = s->env->ready;
    s->env->ready = s;
    s->env->nready++;
}

/* A program of bash starts with its interpreter, so that waits, locked in, for its code: its set-up
 * socket stays open. */
static void bash_waits(struct session *s) {
    if (s->create.language != LANG_BASH || s->state != SESSION_FORKING || !s->interpreter)
        return;
    close_all(s->guest_fds, 3);
    session_hand_over(s);
}

static void ctl_go(struct session *s, int code) {
    if (s->create.language == LANG_BASH && s->setup.fd >= 0 && code >= 0)
        packet_send(s->setup.fd, "g", 1, &code, 1);
}

/* Init is up. A cold interpreter has been forked by it already; a warm one is asked for now. */
static void session_init_ready(struct session *s) {
    struct err err = ERR_INIT;
    if (collector_offer(s, &err) < 0) {
        session_fail(s, &err);
        return;
    }
    s->state = SESSION_FORKING;
    if (s->parent) {
        proctree_open(s->init, &s->tree); /* the kernel does not let us look before it is init */
        branch_ready(s);
        return;
    }
    bash_waits(s);
    if (s->warm && s->env->zygote && zygote_is_ready(s->env->zygote))
        zygote_fork(s->env->zygote, s);
    else if (!s->warm && s->setup.fd < 0) {
        close_all(s->guest_fds, 3);
        session_ready(s); /* the interpreter was quicker */
    }
}

/* A session that has a set-up socket was asked for from the generation before: a second interpreter
 * on its channel would look like a guest that breaks the protocol. */
void session_zygote_ready(struct zygote *zygote) {
    for (struct session *s = sup.sessions; s; s = s->next)
        if (s->state == SESSION_FORKING && s->warm && s->env->zygote == zygote && s->setup.fd < 0)
            zygote_fork(zygote, s);
}

int session_setup_socket(struct session *s) {
    int pair[2], r = witness_open(pair);
    if (r < 0)
        return r;
    if ((r = session_watch(s, &s->setup, pair[0], on_setup)) < 0)
        close(pair[1]);
    return r < 0 ? r : pair[1];
}

static pid_t session_clone(struct session *s, uint64_t flags) {
    struct clone_args args = {
        .flags = flags | CLONE_PIDFD, .pidfd = (uintptr_t)&s->init_pidfd, .exit_signal = SIGCHLD};
    if (cgroup_clone_fd(&s->cgroup) >= 0) {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = (uint64_t)cgroup_clone_fd(&s->cgroup);
    }
    /* The child must be dumpable for us to write its maps; we ourselves must not be, for longer
     * than this call. */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
    if (pid != 0)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return pid;
}

/* Which kind of namespace cannot be had; the user's if it cannot be said. */
static enum layer namespace_refused(uint32_t without) {
    for (size_t i = 1; i < sizeof namespace_flags / sizeof *namespace_flags; i++) {
        if (without & LAYER_BIT(namespace_flags[i].layer))
            continue;
        struct clone_args args = {.flags = CLONE_NEWUSER | namespace_flags[i].flag,
                                  .exit_signal = SIGCHLD};
        pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
        if (pid == 0)
            _exit(0);
        if (pid < 0)
            return namespace_flags[i].layer;
        waitpid(pid, NULL, 0);
    }
    return LAYER_USER;
}

/* Clones with every namespace; a kind that cannot be had is left out only if the caller gave it up
 * by name. */
static pid_t session_clone_all(struct session *s, struct err *err) {
    for (uint32_t without = ablation_mask() & NAMESPACES;;) {
        uint64_t flags = 0;
        for (size_t i = 0; i < sizeof namespace_flags / sizeof *namespace_flags; i++)
            if (!(without & LAYER_BIT(namespace_flags[i].layer)))
                flags |= namespace_flags[i].flag;
        pid_t pid = failpoint(FP_session_clone) ? -1 : session_clone(s, flags);
        if (pid >= 0) {
            s->layers = NAMESPACES & ~without;
            return pid;
        }
        int eno = errno;
        enum layer refused = namespace_refused(without);
        if (!(s->create.allow_missing & LAYER_BIT(refused))) {
            err_layer(err, layer_names[refused], eno, "cannot make the session's namespaces (%s)",
                      layer_names[refused]);
            return -1;
        }
        without |= LAYER_BIT(refused);
    }
}

static int write_map(pid_t pid, const char *file, const char *text) {
    char path[48];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
    return write_file_at(AT_FDCWD, path, text);
}

static int session_map(const struct session *s, struct err *err) {
    char map[32];
    snprintf(map, sizeof map, "1000 %u 1", s->uid);
    if (!(s->layers & LAYER_BIT(LAYER_USER)))
        return 0;
    int r = failpoint(FP_session_map) ? -errno : write_map(s->init, "setgroups", "deny");
    if (r == 0)
        r = write_map(s->init, "uid_map", map);
    if (r == 0)
        r = write_map(s->init, "gid_map", map);
    return r < 0 ? err_layer(err, "user", -r, "cannot map the session's user") : 0;
}

/* Which of the reinforcements and of the locks that follow will be in force. */
static int session_layers(struct session *s, struct err *err) {
    s->layers |= (LAYER_BIT(LAYER_SECCOMP) | LAYER_BIT(LAYER_LANDLOCK) | LAYER_BIT(LAYER_CAPS) |
                  LAYER_BIT(LAYER_NNP)) &
                 ~sup.unavailable;
    if (s->cgroup.root)
        s->layers |= LAYER_BIT(LAYER_CGROUP);
    if (s->uid)
        s->layers |= LAYER_BIT(LAYER_UID);
    s->layers &= ~ablation_mask();
    s->missing = LAYERS_ALL & ~s->layers;
    if (s->create.flags & CREATE_STRICT && s->missing & ~s->create.allow_missing)
        for (int i = 0; i < LAYER_COUNT; i++)
            if (s->missing & LAYER_BIT(i) & ~s->create.allow_missing)
                return err_layer(err, layer_names[i], 0,
                                 "layer %s is not available and --strict asks for it: %s",
                                 layer_names[i],
                                 i == LAYER_CGROUP ? sup.cgroups.why
                                 : i == LAYER_UID  ? sup.uids.why
                                                   : "the kernel has none");
    return 0;
}

/* Sockets of the first process: to what becomes init, and to a cold interpreter until it is locked
 * in. Of each the supervisor's end, then the child's. */
struct birth {
    int line[2], setup[2];
};

static void birth_done(struct birth *b) {
    close_all(b->line, 2);
    close_all(b->setup, 2);
}

static int birth_open(struct session *s, struct birth *b) {
    int r = session_generation_open(s->guest_fds, s->host_fds);
    if (r == 0)
        r = pair_open(b->line, SOCK_SEQPACKET);
    return r < 0 ? r : witness_open(b->setup);
}

static int birth_clone(struct session *s, const struct birth *b, struct err *err) {
    s->setup.fd = b->setup[1]; /* seen by session_first */
    if (!(ablation_mask() & LAYER_BIT(LAYER_PID)))
        s->interpreter_inner = 2; /* pid 1 forks nothing before it; it may end before it is heard */
    pid_t pid = session_clone_all(s, err);
    if (pid == 0)
        session_first(s, b->line[1]);
    s->setup = SOURCE_NONE;
    s->init = pid < 0 ? 0 : pid;
    return pid < 0 ? -EPERM : 0;
}

static int birth_watch(struct session *s, struct birth *b, struct err *err) {
    int r = session_watch(s, &s->line, take_fd(&b->line[0]), session_on_line);
    if (r == 0 && !s->warm) /* a zygote's child gets a set-up socket of its own */
        r = session_watch(s, &s->setup, take_fd(&b->setup[0]), on_setup);
    return r < 0 ? err_set(err, ERR_HOST, -r, "cannot watch the session") : 0;
}

static int session_bear(struct session *s, struct err *err) {
    struct birth b = {{-1, -1}, {-1, -1}};
    int r = birth_open(s, &b);
    if (r < 0)
        err_set(err, ERR_HOST, -r, "cannot make the session's sockets");
    if (r == 0)
        r = birth_clone(s, &b, err);
    if (r == 0)
        r = birth_watch(s, &b, err);
    birth_done(&b);
    return r;
}

static int session_start(struct session *s, struct err *err) {
    int r;
    s->uid = uid_take();
    ablation_choose(s->uid ? sup.uids.base + s->uid : 0);
    /* Given up by name counts only where it cannot be had. */
    s->skip = ablation_mask() | (sup.unavailable & s->create.allow_missing);
    if (failpoint(FP_session_cgroup))
        return err_layer(err, "cgroup", errno, "cannot make the session's cgroup");
    if (!(s->skip & LAYER_BIT(LAYER_CGROUP)) && (r = cgroup_take(s, err)) < 0)
        return r;
    if ((r = session_devices(s, err)) < 0)
        return r;
    r = session_bear(s, err);
    fd_done(&s->devices);
    if (r < 0)
        return r;
    if ((r = proctree_open(s->init, &s->tree)) < 0)
        return err_layer(err, "pid", -r, "cannot look at the session's pid namespace");
    if ((r = session_map(s, err)) < 0 || (r = session_layers(s, err)) < 0)
        return r;
    return !failpoint(FP_session_go) && send(s->line.fd, "g", 1, MSG_NOSIGNAL) == 1
               ? 0
               : err_set(err, ERR_HOST, errno, "the session's first process ended early");
}

static int read_extra(struct session *s, int fd, struct err *err) {
    struct stat st;
    if (fd < 0)
        return 0;
    if (fstat(fd, &st) < 0 || st.st_size > (off_t)(MAX_CODE + MAX_ENV_BYTES))
        return err_set(err, ERR_CALLER, E2BIG, "code or environment too long");
    s->extra = failpoint(FP_session_code) ? NULL : malloc((size_t)st.st_size + 1);
    if (!s->extra)
        return err_set(err, ERR_HOST, ENOMEM, "cannot hold the code");
    ssize_t n = pread(fd, s->extra, (size_t)st.st_size, 0);
    if (n != st.st_size)
        return err_set(err, ERR_BUG, EIO, "cannot read the code");
    s->extra[n] = 0;
    s->extra_len = (size_t)n;
    return 0;
}

/* A prepared session that fits, newest first: its pages are the warmest. */
static struct session *pool_take(struct environment *env, const struct ctl_create *create) {
    for (struct session **p = &env->ready; *p; p = &(*p)->next_ready) {
        struct session *s = *p;
        if (!limits_equal(&s->create.limits, &create->limits) || s->exit_told ||
            s->create.flags != create->flags)
            continue;
        *p = s->next_ready;
        env->nready--;
        return s;
    }
    return NULL;
}

static bool wants_zygote(const struct ctl_create *create) {
    return sup.pool > 0 && create->language == LANG_PYTHON && !(create->flags & CREATE_FRESH);
}

static void session_begin(struct session *s, int extra_fd) {
    struct err err = ERR_INIT;
    s->warm = wants_zygote(&s->create);
    int r = read_extra(s, extra_fd, &err);
    if (r == 0 && s->warm)
        r = zygote_want(s->env, &err);
    if (r == 0)
        r = session_start(s, &err);
    if (r < 0)
        session_fail(s, &err);
}

void session_create(const struct ctl_create *create, int sock, int extra_fd,
                    const struct err *start_error) {
    struct err err = *start_error;
    scoped_fd extra = extra_fd;
    struct environment *env = NULL;
    if (err.kind == ERR_NONE)
        env = environment_get(&create->env, create->flags & CREATE_DETERMINISTIC, &err);
    struct session *s = NULL;
    if (env && wants_zygote(create)) {
        env->pattern = *create;
        env->pool_failed = false;
        s = pool_take(env, create);
    }
    bool pooled = s != NULL;
    if (env && !s && !(s = session_alloc(env, create)))
        err_set(&err, ERR_HOST, ENOMEM, "cannot hold another session");
    if (!s) {
        session_fail_socket(sock, &err);
        return;
    }
    if (session_watch(s, &s->ctl, sock, session_on_ctl) < 0) {
        session_kill(s);
        return;
    }
    if (pooled)
        session_hand_over(s);
    else
        session_begin(s, extra);
}

static bool pool_wants(const struct environment *env) {
    if (!env->zygote || !zygote_is_ready(env->zygote))
        return false;
    return !env->pool_failed && env->nready + env->npreparing < sup.pool;
}

bool session_pool_refill(bool now) {
    for (struct environment *env = sup.environments; env; env = env->next) {
        if (!pool_wants(env))
            continue;
        struct session *s = now ? session_alloc(env, &env->pattern) : NULL;
        if (s) {
            s->pooled = true;
            env->npreparing++;
            session_begin(s, -1);
        }
        return true;
    }
    return false;
}

/* --- events -------------------------------------------------------------------------------------
 */

static pid_t inner_pid(pid_t pid) {
    char path[40], text[2048];
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    if (read_file_at(AT_FDCWD, path, text, sizeof text) < 0)
        return 0;
    char *line = strstr(text, "NSpid:");
    char *end = line ? strchr(line, '\n') : NULL;
    if (!end)
        return 0;
    *end = 0;
    char *last = strrchr(line, '\t');
    return last ? (pid_t)strtol(last, NULL, 10) : 0;
}

/* No guest code will ever run. A program of bash has an owner by then, who waits for its end. */
static void setup_failed(struct session *s, const struct err *err) {
    struct ctl_failed failed = {{CTL_FAILED, sizeof failed}, *err};
    if (s->state == SESSION_LIVE)
        session_tell(s, &failed, sizeof failed, NULL, 0);
    session_fail(s, err);
}

int session_hold(const struct session *s, pid_t pid) {
    int held = process_hold(pid);
    if (held < 0 || (proctree_has(&s->tree, pid) && process_lives(held)))
        return held;
    close(held);
    return -ESRCH;
}

/* One that has ended by now has no pidfd: init or its zygote tells of that. */
static void interpreter_known(struct session *s, pid_t pid) {
    int held = session_hold(s, pid);
    s->interpreter = pid;
    s->interpreter_pidfd = held < 0 ? -1 : held;
    if (!s->interpreter_inner)
        s->interpreter_inner = inner_pid(pid);
}

/* The interpreter says "locked" with its own credentials, and is quiet from then on: end of file
 * means that it runs. A struct err instead means that no guest code will ever run. */
static void on_setup(struct source *source) {
    struct session *s = source->owner;
    struct err err;
    pid_t pid = 0;
    scoped_fd gate = -1;
    ssize_t n = witness_recv(source->fd, &err, sizeof err, &pid, &gate);
    if (n == 1 && pid > 0 && !s->interpreter) {
        interpreter_known(s, pid);
        s->gate = gate_new(take_fd(&gate));
        bash_waits(s);
        return;
    }
    if (n == sizeof err) {
        setup_failed(s, &err);
        return;
    }
    if (n == -EAGAIN)
        return;
    source_done(&s->setup);
    if (!s->interpreter) {
        err_set(&err, ERR_HOST, 0, "the interpreter ended before it was locked in");
        session_fail(s, &err);
    } else if (s->state == SESSION_FORKING) {
        close_all(s->guest_fds, 3);
        session_ready(s);
    }
}

/* The first interpreter of a branch was forked from here, so this init reaps it. */
static void tell_adopted(const struct session *parent, const struct init_report *report) {
    for (struct session *s = sup.sessions; s; s = s->next)
        if (s->parent == parent && s->adopted == report->pid) {
            s->adopted = 0;
            tell_exit(s, report->status, report);
            return;
        }
}

void session_on_line(struct source *source) {
    struct session *s = source->owner;
    union {
        struct init_report report;
        struct err err;
    } msg;
    ssize_t n = packet_recv(source->fd, &msg, sizeof msg, NULL, NULL, MSG_DONTWAIT);
    if (n == -EAGAIN)
        return;
    if (n == sizeof msg.err)
        session_fail(s, &msg.err);
    else if (n != sizeof msg.report) {
        source_done(&s->line); /* init is gone; session_child_ended does the rest */
        session_kill(s);
    } else if (msg.report.pid == 0)
        session_init_ready(s);
    else if (msg.report.pid == s->interpreter_inner)
        tell_exit(s, msg.report.status, &msg.report);
    else if (s->branches)
        tell_adopted(s, &msg.report);
}

/* The pid may have become that of another session's interpreter, which lives. */
static bool was_interpreter(const struct session *s, pid_t pid) {
    return s->interpreter == pid && !s->exit_told && !process_lives(s->interpreter_pidfd);
}

void session_interpreter_ended(pid_t pid, int status) {
    for (struct session *s = sup.sessions; s; s = s->next)
        if (was_interpreter(s, pid)) {
            tell_exit(s, status, NULL);
            return;
        }
}

static void init_ended(struct session *s) {
    s->init = 0;
    branch_orphan(s);
    tell_exit(s, SIGKILL, NULL);
    if (s->state != SESSION_LIVE) /* killed on request: the owner waits for this */
        session_tell(s, &s->last_exit, sizeof s->last_exit, NULL, 0);
    session_free(s);
}

void session_child_ended(pid_t pid, int status) {
    for (struct session *s = sup.sessions; s; s = s->next) {
        if (s->init == pid) {
            init_ended(s);
            return;
        }
        if (was_interpreter(s, pid)) { /* whose zygote is gone: ours to reap */
            tell_exit(s, status, NULL);
            return;
        }
    }
}

/* --- what the owner asks for ---------------------------------------------------------------------
 */

static size_t keep_list(const struct session *s, bool with_interpreter, pid_t keep[4]) {
    size_t n = 0;
    keep[n++] = s->init;
    if (process_lives(s->dormant_end.fd))
        keep[n++] = s->dormant;
    if (with_interpreter && process_lives(s->interpreter_pidfd))
        keep[n++] = s->interpreter;
    return n;
}

int session_kill_others(struct session *s, bool with_interpreter) {
    pid_t keep[4];
    if (s->wake_next.fd >= 0) /* a new checkpoint may have reported and wait its turn to be heard */
        on_wake_next(&s->wake_next);
    size_t n = keep_list(s, with_interpreter, keep);
    if (!s->cgroup.root)
        return proctree_kill_except(&s->tree, keep, n);
    return cgroup_kill_except(&s->cgroup, keep, n);
}

static void ctl_sweep(struct session *s) {
    int killed = session_kill_others(s, true);
    struct ctl_swept swept = {{CTL_SWEPT, sizeof swept}, killed > 0 ? (uint32_t)killed : 0};
    session_tell(s, &swept, sizeof swept, NULL, 0);
}

static void ctl_signal(const struct session *s, int sig) {
    process_signal(s->interpreter_pidfd, sig); /* or it is gone */
}

static void ctl_measure(struct session *s) {
    struct ctl_measured m = {{CTL_MEASURED, sizeof m}, 0, 0, 0, 0};
    struct proctree_usage usage;
    if (proctree_measure(&s->tree, s->create.limits.memory, &usage) == 0) {
        m.cpu_us = usage.cpu_us;
        m.memory = usage.memory;
        m.processes = usage.processes;
    }
    session_tell(s, &m, sizeof m, NULL, 0);
}

/* What the files of a session occupy is the broker's to say; not all of it is charged here. */
static uint64_t charged_files(const struct session *s, const struct cgroup_charge *now) {
    return now->shared < s->files ? now->shared : s->files;
}

/* Pages that a checkpoint or a branch shares with the interpreter are charged once more when that
 * changes them: at most as many as there are now. */
static uint64_t copies_of(const struct session *s, const struct cgroup_charge *now) {
    uint64_t memory = now->rest + now->shared - charged_files(s, now);
    return memory < s->create.limits.memory ? memory : s->create.limits.memory;
}

void session_shared(struct session *s) {
    struct cgroup_charge now;
    if (cgroup_charged(&s->cgroup, &now) < 0)
        return;
    s->copies = copies_of(s, &now);
    cgroup_room(&s->cgroup, &s->create.limits, charged_files(s, &now), s->copies);
}

void session_unshared(struct session *s) {
    struct cgroup_charge now;
    if (s->dormant || s->branches || cgroup_charged(&s->cgroup, &now) < 0)
        return;
    s->copies = 0;
    cgroup_room(&s->cgroup, &s->create.limits, charged_files(s, &now), 0);
}

static void ctl_room(struct session *s, uint64_t files) {
    struct ctl_roomed told = {{CTL_ROOMED, sizeof told}, files, 0, s->copies};
    struct cgroup_charge now;
    if (cgroup_charged(&s->cgroup, &now) == 0) {
        s->files = files;
        told.files = charged_files(s, &now);
        told.memory = now.rest + now.shared - told.files;
        cgroup_room(&s->cgroup, &s->create.limits, told.files, s->copies);
    }
    session_tell(s, &told, sizeof told, NULL, 0);
}

static void ctl_checkpoint(struct session *s) {
    struct ctl_head head = {CTL_WAKE, sizeof head};
    int pair[2] = {-1, -1};
    source_done(&s->wake_next);
    bool made =
        witness_open(pair) == 0 && session_watch(s, &s->wake_next, pair[0], on_wake_next) == 0;
    session_tell(s, &head, sizeof head, &pair[1], made); /* without one: there is no checkpoint */
    fd_done(&pair[1]);
}

static void dormant_gone(struct session *s) {
    s->dormant = 0;
    source_done(&s->wake);
    source_done(&s->dormant_end);
    session_unshared(s);
}

static void on_dormant_end(struct source *source) {
    dormant_gone(source->owner);
}

/* Who reports may be any process that the guest has handed the socket to: of this session, or of a
 * branch of it. The live interpreter would be spared by a cut, and is no copy of itself. */
static int hold_dormant(const struct session *s, pid_t pid) {
    bool live = pid == s->interpreter && process_lives(s->interpreter_pidfd);
    return live || pid <= 0 || pid == s->init ? -EPERM : session_hold(s, pid);
}

/* The new checkpoint reports for duty; the old one, whose socket is closed, goes: also if the new
 * one is none, because the broker takes what it wakes to be the last that was asked for. */
static void on_wake_next(struct source *source) {
    struct session *s = source->owner;
    char byte;
    pid_t pid = 0;
    ssize_t n = witness_recv(source->fd, &byte, 1, &pid, NULL);
    if (n == -EAGAIN)
        return;
    int held = n == 1 ? hold_dormant(s, pid) : -EPERM;
    if (held < 0) {
        source_done(&s->wake_next);
        dormant_gone(s);
        return;
    }
    source_done(&s->wake);
    source_done(&s->dormant_end);
    s->dormant = pid;
    if (session_watch(s, &s->dormant_end, held, on_dormant_end) < 0 ||
        source_move(&s->wake_next, &s->wake, on_wake) < 0)
        dormant_gone(s);
    else
        session_shared(s);
}

/* Whatever it says or does: a dormant process is quiet. */
static void on_wake(struct source *source) {
    dormant_gone(source->owner);
}

/* Its wake socket may have other holders, branches among them, and outlive it: what counts is that
 * the process which reported lives. To give the channel away is then its own affair, as it is that
 * of any interpreter. */
static int wake_dormant(struct session *s) {
    if (s->wake_next.fd >= 0) /* the last one has not reported */
        return -ESRCH;
    int guest[3] = {-1, -1, -1}, host[3] = {-1, -1, -1};
    pid_t inner = inner_pid(s->dormant);
    int r = process_lives(s->dormant_end.fd) ? session_generation_open(guest, host) : -ESRCH;
    if (r == 0)
        r = packet_send(s->wake.fd, "r", 1, guest, 3);
    close_all(guest, 3);
    if (r == 0) {
        struct ctl_head head = {CTL_RESUMED, sizeof head};
        s->adopted = 0;
        s->interpreter = s->dormant;
        s->interpreter_inner = inner;
        fd_done(&s->interpreter_pidfd);
        s->interpreter_pidfd = source_take(&s->dormant_end);
        s->exit_told = false;
        s->generation++;
        dormant_gone(s);
        session_tell(s, &head, sizeof head, host, 3);
    }
    close_all(host, 3);
    return r;
}

static void ctl_cut(struct session *s) {
    if (session_kill_others(s, false) < 0) {
        session_kill(s); /* something would not die: pid 1 takes everything along */
        return;
    }
    struct ctl_swept swept = {{CTL_SWEPT, sizeof swept}, 0};
    session_tell(s, &swept, sizeof swept, NULL, 0);
}

static void ctl_resume(struct session *s) {
    struct ctl_head gone = {CTL_GONE, sizeof gone};
    if (!s->dormant || wake_dormant(s) < 0)
        session_tell(s, &gone, sizeof gone, NULL, 0);
}

/* Keeps the channel open until the interpreter is gone: it is to die by SIGKILL, which comes by way
 * of init, rather than wake up and find its channel closed. */
static void ctl_end(struct session *s, int channel) {
    scoped_fd held = channel;
    source_done(&s->ctl);
    if (s->branches) {
        branch_hull(s);
        return;
    }
    fd_done(&s->guest_fds[0]);
    s->guest_fds[0] = take_fd(&held);
    session_kill(s);
}

void session_on_ctl(struct source *source) {
    struct session *s = source->owner;
    union {
        struct ctl_head head;
        struct ctl_room room;
    } msg;
    size_t nfds = 1;
    int fd = -1;
    ssize_t n = packet_recv(source->fd, &msg, sizeof msg, &fd, &nfds, MSG_DONTWAIT);
    if (n == -EAGAIN)
        return;
    scoped_fd given = nfds == 1 ? fd : -1;
    bool whole = n == sizeof msg.room && msg.head.type == CTL_ROOM;
    if (n != sizeof msg.head && !whole) { /* closed, or nonsense */
        ctl_end(s, -1);
        return;
    }
    if (s->state != SESSION_LIVE)
        return;
    switch (msg.head.type) {
    case CTL_GO: ctl_go(s, given); break;
    case CTL_INTERRUPT: ctl_signal(s, SIGINT); break;
    case CTL_NUDGE: ctl_signal(s, SIGURG); break;
    case CTL_CUT: ctl_cut(s); break;
    case CTL_RESUME: ctl_resume(s); break;
    case CTL_CHECKPOINT: ctl_checkpoint(s); break;
    case CTL_SWEEP: ctl_sweep(s); break;
    case CTL_MEASURE: ctl_measure(s); break;
    case CTL_ROOM: ctl_room(s, whole ? msg.room.files : 0); break;
    case CTL_BRANCH: branch_create(s, take_fd(&given)); break;
    case CTL_END: ctl_end(s, take_fd(&given)); break;
    default: break;
    }
}
