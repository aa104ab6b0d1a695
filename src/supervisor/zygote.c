/* Zygotes: one warm interpreter for each environment.
 *
 * A zygote is in the supervisor's user and pid namespaces (it must be, to fork into a session's),
 * with a root like a session's, no network and one capability, CAP_SYS_ADMIN over our own
 * namespace, because setns() requires it. It runs no guest code and reads nothing but fixed
 * messages from us. After some forks or minutes a new zygote replaces it, so that a leaked address
 * layout is soon useless; the old one stays as the parent of its sessions until the last has ended.
 */
#include "supervisor/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "base/unconst.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/lockdown.h"
#include "sandbox/namespaces.h"
#include "sandbox/rootfs.h"
#include "supervisor/branch/branch.h"
#include "supervisor/files/copy.h"
#include "supervisor/session_child.h"
#include "supervisor/sockets.h"
#include "supervisor/variables.h"
#include "wire/zygote.h"

#define GENERATION_FORKS SOON(2000, 8)
#define GENERATION_NS (20ull * 60 * 1000000000)
#define ZYGOTE_DISK (64u << 20)
#define TAIL 512

struct zygote {
    struct zygote *next;
    struct environment *env;
    struct source ctl, err; /* err: its standard error */
    char said[TAIL];        /* the end of what it wrote there */
    size_t said_len;
    pid_t pid;
    bool ready, retired;
    unsigned forks, children;
    uint64_t born;
};

static void on_zygote(struct source *source);
static void on_said(struct source *source);

bool zygote_is_ready(const struct zygote *zygote) {
    return zygote->ready;
}

static void zygote_drop(struct zygote *z) {
    for (struct zygote **p = &sup.zygotes; *p; p = &(*p)->next)
        if (*p == z) {
            *p = z->next;
            break;
        }
    if (z->env->zygote == z)
        z->env->zygote = NULL;
    source_done(&z->ctl); /* it ends with its socket */
    source_done(&z->err);
    free(z);
}

unsigned zygote_children(const struct zygote *zygote) {
    return zygote->children;
}

void zygote_dismiss(struct environment *env) {
    struct zygote *z = env->zygote;
    env->zygote = NULL;
    z->retired = true;
    if (z->children == 0)
        zygote_drop(z);
}

/* Without a list of modules to preload, we leave the environment's packages out of its path: so
 * none of their code runs here. A session has them from its birth. */
static void hide_packages(const struct ctl_environment *env, char **vars) {
    for (; *vars && env->packages[0] && !env->image && !env->preload[0]; vars++)
        if (strncmp(*vars, "PYTHONPATH=", 11) == 0)
            *vars = "PYTHONNOUSERSITE=1";
}

static _Noreturn void zygote_main(const struct environment *env, int sock, int said) {
    static char preload[1200];
    struct retort_error err = ERR_INIT;
    struct rootfs_plan plan = {.environment = env->id,
                               .devices = -1,
                               .env = &env->env,
                               .disk = ZYGOTE_DISK,
                               .inodes = 1024,
                               .zygote = true};
    struct lockdown lock = {.role = LOCK_ZYGOTE,
                            .skip = ablation_mask(),
                            .filter = sup.zygote.code,
                            .filter_len = sup.zygote.len};
    char *named = unconst(env->env.interpreter);
    char *argv[] = {named[0] ? named : unconst(interpreter_rows[LANG_PYTHON].program),
                    "/opt/retort/python/warm.py", preload, NULL};
    char *vars[VARIABLES_PUBLISHED + 1] = {NULL};
    vars[variables_published(&env->env, env->flags, vars)] = NULL;
    hide_packages(&env->env, vars);
    memcpy(preload, env->env.preload, sizeof env->env.preload);
    if (env->flags & CREATE_DETERMINISTIC)
        personality(ADDR_NO_RANDOMIZE);
    if (rootfs_enter(&plan, &err) < 0 || lockdown_descriptors(-1, said, sock, -1, &err) < 0)
        lockdown_give_up(sock, &err);
    if (lockdown_apply(&lock, &err) < 0)
        lockdown_give_up(3, &err);
    execve(argv[0], argv, vars);
    err_errno(&err, ERR_CALLER, errno, "cannot run the interpreter %s%s", argv[0],
              named[0] ? "" : " (package python3)");
    lockdown_give_up(3, &err);
}

static int zygote_watch(struct zygote *z, int ctl, int said) {
    z->ctl = (struct source){.fd = ctl, .ready = on_zygote, .owner = z};
    z->err = (struct source){.fd = said, .ready = on_said, .owner = z};
    int r = source_add(&z->ctl);
    return r < 0 ? r : source_add(&z->err);
}

static int zygote_clone(struct zygote *z, int pair[2], int said[2]) {
    struct clone_args args = {.flags = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS,
                              .exit_signal = SIGCHLD};
    rootfs_gather(copy_tree);
    z->pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
    if (z->pid == 0)
        zygote_main(z->env, pair[1], said[1]);
    return z->pid < 0 ? -errno : zygote_watch(z, take_fd(&pair[0]), take_fd(&said[0]));
}

static int zygote_start(struct environment *env, struct retort_error *err) {
    int pair[2] = {-1, -1}, said[2] = {-1, -1};
    struct zygote *z = calloc(1, sizeof *z);
    if (!z)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold a warm interpreter");
    *z = (struct zygote){.env = env, .born = now_ns(), .ctl = SOURCE_NONE, .err = SOURCE_NONE};
    int r = pair_open(pair, SOCK_SEQPACKET);
    if (r == 0)
        r = pipe_open(said);
    if (r == 0)
        r = zygote_clone(z, pair, said);
    close_all(pair, 2);
    close_all(said, 2);
    z->next = sup.zygotes;
    sup.zygotes = z;
    if (!env->zygote)
        env->zygote = z;
    if (r < 0)
        zygote_drop(z);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot start a warm interpreter") : 0;
}

int zygote_want(struct environment *env, struct retort_error *err) {
    struct zygote *z = env->zygote;
    if (!z)
        return zygote_start(env, err);
    if (!z->retired && z->ready &&
        (z->forks >= GENERATION_FORKS || now_ns() - z->born > GENERATION_NS)) {
        z->retired = true; /* it serves until the next one is warm */
        return zygote_start(env, err);
    }
    return 0;
}

/* The new generation takes over; an old one without sessions ends. */
static void zygote_became_ready(struct zygote *z) {
    struct zygote *old = z->env->zygote;
    z->ready = true;
    z->env->zygote = z;
    if (old != z && old->children == 0)
        zygote_drop(old);
    session_zygote_ready(z);
}

static void zygote_failed(struct zygote *z, const struct retort_error *err) {
    struct environment *env = z->env;
    bool current = env->zygote == z;
    zygote_drop(z);
    for (struct session *s = sup.sessions, *next; current && s; s = next) {
        next = s->next;
        if (s->env == env && s->warm && s->state <= SESSION_FORKING && s->interp.pid == 0)
            session_fail(s, err);
    }
}

/* Keeps the end of what it writes. A zygote runs code of the environment, not of a guest; still it
 * can neither fill our memory nor make us wait. */
static void on_said(struct source *source) {
    struct zygote *z = source->owner;
    char chunk[TAIL];
    ssize_t n = read(source->fd, chunk, sizeof chunk);
    if (n <= 0) {
        source_done(source);
        return;
    }
    size_t keep = z->said_len < TAIL - (size_t)n ? z->said_len : TAIL - (size_t)n;
    memmove(z->said, z->said + z->said_len - keep, keep);
    memcpy(z->said + keep, chunk, (size_t)n);
    z->said_len = keep + (size_t)n;
}

static void zygote_ended(struct zygote *z) {
    struct retort_error err = ERR_INIT;
    char said[200];
    while (z->err.fd >= 0 && poll(&(struct pollfd){z->err.fd, POLLIN, 0}, 1, 0) > 0)
        on_said(&z->err);
    err_last_words(z->said, z->said_len, said, sizeof said);
    if (strncmp(said, "Retort needs ", 13) == 0)
        err_set(&err, ERR_CALLER, 0, "%s", said);
    else
        err_set(&err, ERR_HOST, 0, "the warm interpreter ended%s%s; %sdoes it work with `--fresh`?",
                said[0] ? ": " : "", said,
                z->env->env.interpreter[0] ? "is it a CPython, and " : "");
    zygote_failed(z, &err);
}

static void on_zygote(struct source *source) {
    struct zygote *z = source->owner;
    union {
        struct zygote_report report;
        struct retort_error err;
    } msg;
    ssize_t n = packet_recv(source->fd, &msg, sizeof msg, NULL, NULL, MSG_DONTWAIT);
    if (nothing_yet(n))
        return;
    if (n == sizeof msg.err)
        zygote_failed(z, &msg.err);
    else if (n != sizeof msg.report)
        zygote_ended(z);
    else if (msg.report.pid == 0)
        zygote_became_ready(z);
    else {
        z->children -= z->children > 0;
        session_interpreter_ended(msg.report.pid, msg.report.status);
        if (z->children == 0 && z->env->zygote != z)
            zygote_drop(z);
    }
}

void zygote_fork(struct zygote *z, struct session *s) {
    int fds[ZYGOTE_FDS + CGROUP_CONTROLLERS];
    unsigned pids = s->terms.limits.pids + CGROUP_OWN_TASKS;
    bool deterministic = s->terms.flags & CREATE_DETERMINISTIC;
    struct zygote_request q = {.pids = s->cgroup.root ? 2 * pids : pids,
                               .open_files = session_open_files(s),
                               .skip = s->skip,
                               .namespaces =
                                   (uint32_t)namespace_flags(s->layers & ~LAYER_BIT(LAYER_PID)),
                               /* A rehearsal changes the heap, which shows in object ids. */
                               .waited = s->ctl.fd >= 0 || deterministic,
                               .data = s->cgroup.root ? 0 : s->terms.limits.memory};
    struct retort_error err = ERR_INIT;
    int setup = interpreter_socket(s);
    memcpy(fds, s->birth.guest, sizeof s->birth.guest);
    fds[ZYGOTE_SETUP] = setup;
    fds[ZYGOTE_INIT] = s->pid1.pidfd;
    size_t n = cgroup_joinable(&s->cgroup, fds + ZYGOTE_FDS);
    int r = setup < 0 ? setup : packet_send(z->ctl.fd, &q, sizeof q, fds, ZYGOTE_FDS + n);
    if (setup >= 0)
        close(setup);
    z->forks++;
    if (r < 0) {
        err_errno(&err, ERR_HOST, -r, "cannot reach the warm interpreter");
        session_fail(s, &err);
    } else
        z->children++;
}
