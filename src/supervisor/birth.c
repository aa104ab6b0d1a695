/* Makes a session: its uid, cgroup, device nodes and sockets, the clone into its namespaces, and
 * their maps; up to the moment at which its first process (session_child.c) may begin. */
#include "supervisor/birth.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/landlock.h"
#include "sandbox/namespaces.h"
#include "sandbox/quota.h"
#include "supervisor/session.h"
#include "supervisor/session_child.h"
#include "supervisor/sockets.h"
#include "supervisor/zygote.h"

void birth_init(struct birth *b) {
    *b = (struct birth){.devices = -1, .quota = -1, .nest = -1, .guest = {-1, -1, -1}};
    for (int i = 0; i < CREATED_OWN; i++)
        b->host[i] = -1;
}

void birth_done(struct birth *b) {
    fd_done(&b->devices);
    fd_done(&b->quota);
    fd_done(&b->nest);
    close_all(b->guest, 3);
    close_all(b->host, CREATED_OWN);
    free(b->env_block);
}

static bool any_open(const int *fds, size_t n) {
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || fds[i] >= 0;
    return any;
}

const char *birth_broken(const struct session *s) {
    const struct birth *b = &s->birth;
    bool owned = s->state == SESSION_LIVE || s->state == SESSION_HULL;
    bool begins = s->state == SESSION_DYING || (s->state == SESSION_STARTING && b->nest >= 0);
    if (b->devices >= 0 && !begins)
        return "device nodes that nobody mounts";
    if ((b->nest >= 0 || b->quota >= 0) && !begins)
        return "what the first process needs outlives its beginning";
    if (any_open(b->guest, 3) && (owned || s->state == SESSION_READY))
        return "the guest's ends outlive its birth";
    return any_open(b->host, CREATED_OWN) && (owned || s->state == SESSION_DYING)
               ? "the broker's ends outlive the birth"
               : NULL;
}

/* PROC_USER_INIT_INO: we must not set the host's own limits. */
#define HOST_USER_NAMESPACE 0xEFFFFFFDu

/* Limits all sessions of all supervisors together to half of what the host has: otherwise the
 * host's own programs would be refused watches, too. */
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
        snprintf(text, sizeof text, "%ld", strtol(text, NULL, 10) / (2 * sup.count));
        /* If this fails, each session still has its own limit. */
        write_file_at(AT_FDCWD, files[i][1], text);
    }
}

void birth_setup(struct retort_error *err) {
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
        err_errno(err, ERR_HOST, ENOMEM, "cannot start the supervisor");
}

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

#define QUOTA_BIRTHS SOON(32, 2) /* with one directory */

/* The kernel forgets what it remembers of those births with the directory. If no other directory
 * can be opened, the mounted one works as well, only more slowly. */
void birth_quota(struct session *s) {
    static unsigned births;
    if (++births > QUOTA_BIRTHS) { /* a cold run makes one session, and needs none */
        births = 1;
        fd_done(&sup.quota);
        int dir = quota_open();
        sup.quota = dir < 0 ? -1 : dir;
    }
    s->birth.quota = sup.quota < 0 ? -1 : fcntl(sup.quota, F_DUPFD_CLOEXEC, 0);
}

void birth_settled(struct session *s) {
    fd_done(&s->birth.devices);
    fd_done(&s->birth.quota);
    fd_done(&s->birth.nest);
}

int birth_devices(struct session *s, struct retort_error *err) {
    if (failpoint(FP_session_devices))
        return err_layer(err, "mount", errno, "cannot make the session's device nodes");
    if (!sup.own_devices)
        return 0;
    s->birth.devices = sup.devices >= 0 ? sup.devices : keeper_open(&sup, KEEPER_DEVICES);
    sup.devices = -1;
    return s->birth.devices < 0 ? err_layer(err, "mount", -s->birth.devices,
                                            "cannot make the session's device nodes")
                                : 0;
}

static pid_t session_clone(struct session *s, uint64_t flags) {
    struct clone_args args = {.flags = flags | CLONE_PIDFD | (s->birth.nest >= 0 ? CLONE_FILES : 0),
                              .pidfd = (uintptr_t)&s->pid1.pidfd,
                              .exit_signal = SIGCHLD};
    int leaf = cgroup_clone_fd(&s->cgroup);
    if (leaf >= 0) {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = (__u64)leaf;
    }
    /* We can write the maps only of a dumpable child. We ourselves must not be dumpable for longer
     * than this call. */
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
    if (pid != 0)
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    return pid;
}

/* Clones into an existing network namespace, or with a new one. */
static pid_t session_clone_in_network(struct session *s, uint32_t layers) {
    bool inside = network_enter(s, layers);
    uint32_t made = inside ? layers & ~LAYER_BIT(LAYER_NET) : layers;
    pid_t pid = failpoint(FP_session_clone) ? -1 : session_clone(s, namespace_flags(made));
    if (inside && pid != 0)
        network_leave();
    return pid;
}

/* The kind of namespace that the kernel refuses; the user namespace if we cannot tell. */
static enum layer namespace_refused(uint32_t without) {
    for (int i = 1; i < NAMESPACE_KINDS; i++) {
        uint32_t layer = LAYER_BIT(namespace_kinds[i].layer);
        if (without & layer || !(NAMESPACE_LAYERS & layer))
            continue;
        struct clone_args args = {.flags = CLONE_NEWUSER | namespace_flags(layer),
                                  .exit_signal = SIGCHLD};
        pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
        if (pid == 0)
            _exit(0);
        if (pid < 0)
            return (enum layer)namespace_kinds[i].layer;
        waitpid(pid, NULL, 0);
    }
    return LAYER_USER;
}

/* Clones with every namespace; leaves a refused kind out only if the caller gave it up by name. */
static pid_t session_clone_all(struct session *s, struct retort_error *err) {
    for (uint32_t without = ablation_mask() & NAMESPACE_LAYERS;;) {
        uint32_t layers = NAMESPACE_LAYERS & ~without;
        pid_t pid = session_clone_in_network(s, layers);
        if (pid >= 0) {
            s->layers = layers;
            return pid;
        }
        int eno = errno;
        enum layer refused = namespace_refused(without);
        if (!(s->terms.allow_missing & LAYER_BIT(refused))) {
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

static int session_map(const struct session *s, struct retort_error *err) {
    char map[32];
    snprintf(map, sizeof map, "1000 %u 1", s->uid);
    if (!(s->layers & LAYER_BIT(LAYER_USER)))
        return 0;
    int r = failpoint(FP_session_map) ? -errno : write_map(s->pid1.pid, "setgroups", "deny");
    if (r == 0)
        r = write_map(s->pid1.pid, "uid_map", map);
    if (r == 0)
        r = write_map(s->pid1.pid, "gid_map", map);
    return r < 0 ? err_layer(err, "user", -r, "cannot map the session's user") : 0;
}

/* Decides which further layers, and which of the locks that follow, will be in force. */
static int session_layers(struct session *s, struct retort_error *err) {
    s->layers |= (LAYER_BIT(LAYER_SECCOMP) | LAYER_BIT(LAYER_LANDLOCK) | LAYER_BIT(LAYER_CAPS) |
                  LAYER_BIT(LAYER_NNP)) &
                 ~sup.unavailable;
    if (s->cgroup.root)
        s->layers |= LAYER_BIT(LAYER_CGROUP);
    if (s->uid)
        s->layers |= LAYER_BIT(LAYER_UID);
    s->layers &= ~ablation_mask();
    s->missing = LAYERS_ALL & ~s->layers;
    if (s->terms.flags & CREATE_STRICT && s->missing & ~s->terms.allow_missing)
        for (int i = 0; i < LAYER_COUNT; i++)
            if (s->missing & LAYER_BIT(i) & ~s->terms.allow_missing)
                return err_layer(err, layer_names[i], 0,
                                 "layer %s is not available and --strict asks for it: %s",
                                 layer_names[i],
                                 i == LAYER_CGROUP ? sup.cgroups.why
                                 : i == LAYER_UID  ? sup.uids.why
                                                   : "the kernel has none");
    return 0;
}

/* Sockets of the first process: one to the process that becomes init, one to a cold interpreter
 * until it is locked in. Of each, the supervisor's end comes first, then the child's. */
struct cradle {
    int init_sock[2], setup[2];
};

static void cradle_done(struct cradle *c) {
    close_all(c->init_sock, 2);
    close_all(c->setup, 2);
}

static int cradle_open(struct session *s, struct cradle *c) {
    int r = generation_open(s->birth.guest, s->birth.host);
    if (r == 0)
        r = pair_open(c->init_sock, SOCK_SEQPACKET);
    return r < 0 ? r : witness_open(c->setup);
}

/* Whether all descriptors that the first process needs are low. A cold interpreter needs more, and
 * is rare. */
static bool is_low(const struct session *s, int init_sock) {
    int joined[CGROUP_CONTROLLERS], highest = init_sock;
    size_t n = cgroup_joinable(&s->cgroup, joined);
    for (size_t i = 0; i < n; i++)
        highest = joined[i] > highest ? joined[i] : highest;
    highest = s->birth.devices > highest ? s->birth.devices : highest;
    highest = s->birth.quota > highest ? s->birth.quota : highest;
    return highest < LOW_DESCRIPTORS;
}

static int birth_clone(struct session *s, struct cradle *c, struct retort_error *err) {
    s->interp.setup.fd = c->setup[1]; /* for session_child_main */
    /* The interpreter is the first process that pid 1 forks; it may end before we hear of it. */
    if (!(ablation_mask() & LAYER_BIT(LAYER_PID)))
        s->interp.inner = 2;
    int init_sock = c->init_sock[1];
    if (s->warm && is_low(s, init_sock))
        s->birth.nest = take_fd(&c->init_sock[1]);
    pid_t pid = session_clone_all(s, err);
    if (pid == 0)
        session_child_main(s, init_sock);
    s->interp.setup = SOURCE_NONE;
    s->pid1.pid = pid < 0 ? 0 : pid;
    return pid < 0 ? -EPERM : 0;
}

static int birth_watch(struct session *s, struct cradle *c, struct retort_error *err) {
    int r = session_watch(s, &s->pid1.sock, take_fd(&c->init_sock[0]), session_on_init);
    if (r == 0 && !s->warm) /* a zygote's child gets a set-up socket of its own */
        r = session_watch(s, &s->interp.setup, take_fd(&c->setup[0]), session_on_setup);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot watch the session") : 0;
}

static int session_bear(struct session *s, struct retort_error *err) {
    struct cradle c = {{-1, -1}, {-1, -1}};
    int r = cradle_open(s, &c);
    if (r < 0)
        err_errno(err, ERR_HOST, -r, "cannot make the session's sockets");
    if (r == 0)
        r = birth_clone(s, &c, err);
    if (r == 0)
        r = birth_watch(s, &c, err);
    cradle_done(&c);
    return r;
}

/* Lets the first process begin: we know it, and have mapped its ids. */
static int birth_go(struct session *s, struct retort_error *err) {
    int r = proctree_open(s->pid1.pid, &s->tree);
    if (r < 0)
        return err_layer(err, "pid", -r, "cannot look at the session's pid namespace");
    if ((r = session_map(s, err)) < 0 || (r = session_layers(s, err)) < 0)
        return r;
    return !failpoint(FP_session_go) && send(s->pid1.sock.fd, "g", 1, MSG_NOSIGNAL) == 1
               ? 0
               : err_errno(err, ERR_HOST, errno, "the session's first process ended early");
}

/* Once the first process has given up, whatever we do to it fails. That is not the cause of the
 * failure: the cause is in its own last message. */
static void birth_last_word(const struct session *s, struct retort_error *err) {
    struct retort_error said;
    if (packet_recv(s->pid1.sock.fd, &said, sizeof said, NULL, NULL, MSG_DONTWAIT) == sizeof said)
        *err = said;
}

static int session_start(struct session *s, struct retort_error *err) {
    int r;
    s->uid = uid_take();
    ablation_choose(s->uid ? sup.uids.base + s->uid : 0);
    /* A layer that was given up by name is left out only if it cannot be had. */
    s->skip = ablation_mask() | (sup.unavailable & s->terms.allow_missing);
    if (failpoint(FP_session_cgroup))
        return err_layer(err, "cgroup", errno, "cannot make the session's cgroup");
    if (!(s->skip & LAYER_BIT(LAYER_CGROUP)) && (r = pool_take_cgroup(s, err)) < 0)
        return r;
    if ((r = birth_devices(s, err)) < 0)
        return r;
    birth_quota(s);
    r = session_bear(s, err);
    if (s->birth.nest < 0)
        birth_settled(s);
    if (r < 0)
        return r;
    if ((r = birth_go(s, err)) < 0)
        birth_last_word(s, err);
    return r;
}

static int read_env_block(struct session *s, int fd, struct retort_error *err) {
    struct stat st;
    if (fd < 0)
        return 0;
    if (fstat(fd, &st) < 0 || st.st_size > (off_t)(MAX_CODE + MAX_ENV_BYTES))
        return err_set(err, ERR_CALLER, E2BIG, "the environment variables are too long");
    s->birth.env_block = failpoint(FP_session_code) ? NULL : malloc((size_t)st.st_size + 1);
    if (!s->birth.env_block)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the environment variables");
    ssize_t n = pread(fd, s->birth.env_block, (size_t)st.st_size, 0);
    if (n != st.st_size)
        return err_set(err, ERR_BUG, EIO, "cannot read the environment variables");
    s->birth.env_block[n] = 0;
    s->birth.env_block_len = (size_t)n;
    return 0;
}

/* For a session whose first process exists, because it was another session's. */
static int birth_again(struct session *s, struct retort_error *err) {
    int r = generation_open(s->birth.guest, s->birth.host);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot make the session's sockets");
    s->interp.inner = 2;
    session_init_ready(s);
    return 0;
}

void birth_begin(struct session *s, int env_fd) {
    struct retort_error err = ERR_INIT;
    s->warm = pool_forks(&s->terms);
    int r = read_env_block(s, env_fd, &err);
    if (r == 0 && s->warm)
        r = zygote_want(s->env, &err);
    if (r == 0)
        r = s->pid1.pid ? birth_again(s, &err) : session_start(s, &err);
    if (r < 0)
        session_fail(s, &err);
}
