#include "supervisor/parts/companion.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/namespaces.h"
#include "sandbox/process.h"
#include "supervisor/session_child.h"
#include "supervisor/sockets.h"

int companion_pidfd(const struct session *s, uint32_t language) {
    if (language == s->terms.language)
        return s->interp.pidfd;
    return s->companions[language] ? s->companions[language]->pidfd : -1;
}

size_t companion_spare(const struct session *s, uint32_t victims, pid_t *keep) {
    size_t n = 0;
    for (uint32_t i = 0; i < LANG_COUNT; i++) {
        const struct companion *c = s->companions[i];
        if (c && !(victims & LANGUAGE_BIT(i)) && process_lives(c->pidfd))
            keep[n++] = c->pid;
    }
    return n;
}

static void tell_failed(struct session *s, const struct retort_error *err) {
    struct ctl_failed failed = {{CTL_FAILED, sizeof failed}, *err};
    session_tell(s, &failed, sizeof failed, NULL, 0);
}

/* A struct retort_error means that no guest code will ever run in it; the socket's end means that
 * the interpreter has begun. */
static void on_setup(struct source *source) {
    struct session *s = source->owner;
    struct retort_error err;
    ssize_t n = packet_recv(source->fd, &err, sizeof err, NULL, NULL, MSG_DONTWAIT);
    if (nothing_yet(n) || n == 1)
        return;
    if (n == sizeof err)
        tell_failed(s, &err);
    source_done(source);
}

/* The child is in the session's pid namespace from its first instruction on. We return to our own
 * for our children before we do anything else. */
static pid_t fork_into(const struct session *s, int *ret_pidfd) {
    struct clone_args args = {
        .flags = CLONE_PIDFD, .pidfd = (uintptr_t)ret_pidfd, .exit_signal = SIGCHLD};
    scoped_fd own = open("/proc/self/ns/pid", O_RDONLY | O_CLOEXEC);
    if (own < 0 || setns(s->pid1.pidfd, CLONE_NEWPID) < 0)
        return -errno;
    pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
    if (pid == 0)
        return 0;
    int r = pid < 0 ? -errno : pid;
    if (setns(own, CLONE_NEWPID) < 0)
        abort(); /* otherwise the next session would be born in this one */
    return r;
}

static int companion_fork(struct session *s, const struct ctl_start *start, struct companion *c,
                          int host[3]) {
    int guest[3] = {-1, -1, -1}, setup[2] = {-1, -1};
    int r = generation_open(guest, host);
    if (r == 0)
        r = pair_open(setup, SOCK_SEQPACKET);
    if (r == 0 && (r = fork_into(s, &c->pidfd)) == 0)
        companion_child_main(s, start, guest, setup[1]);
    c->pid = r < 0 ? 0 : r;
    if (r > 0)
        r = session_watch(s, &c->setup, take_fd(&setup[0]), on_setup);
    close_all(guest, 3);
    close_all(setup, 2);
    return r;
}

static struct companion *companion_get(struct session *s, uint32_t language) {
    struct companion *c = s->companions[language];
    if (!c && (c = calloc(1, sizeof *c)))
        *c = (struct companion){.pidfd = -1, .setup = SOURCE_NONE};
    s->companions[language] = c;
    return c;
}

/* An interpreter that was just killed may be dead before we have heard of it. */
static void reap_dead(struct session *s, const struct companion *c) {
    int status;
    pid_t pid = c->pid;
    if (!process_lives(c->pidfd) && waitpid(pid, &status, WNOHANG | __WALL) == pid)
        companion_ended(s, pid, status);
}

void companion_start(struct session *s, const struct ctl_start *start) {
    struct retort_error err = ERR_INIT;
    int host[3] = {-1, -1, -1};
    struct companion *c = companion_get(s, start->language);
    if (c && c->pid)
        reap_dead(s, c);
    if (!c || c->pid) {
        err_errno(&err, ERR_HOST, c ? EEXIST : ENOMEM, "cannot hold another interpreter");
        tell_failed(s, &err);
        return;
    }
    c->generation++;
    int r = companion_fork(s, start, c, host);
    if (r < 0) {
        err_errno(&err, ERR_HOST, -r, "cannot start another interpreter");
        tell_failed(s, &err);
    } else {
        struct ctl_started told = {{CTL_STARTED, sizeof told}, start->language, c->generation};
        session_tell(s, &told, sizeof told, host, 3);
    }
    close_all(host, 3);
}

bool companion_ended(struct session *s, pid_t pid, int status) {
    for (uint32_t i = 0; i < LANG_COUNT; i++) {
        struct companion *c = s->companions[i];
        if (!c || c->pid != pid)
            continue;
        struct ctl_exited told = {
            {CTL_EXITED, sizeof told}, status, c->generation, i, .cpu_us = 0, .peak_kb = 0};
        if (c->setup.fd >= 0)
            on_setup(&c->setup); /* its reason, if it gives one, comes first */
        c->pid = 0;
        fd_done(&c->pidfd);
        source_done(&c->setup);
        session_tell(s, &told, sizeof told, NULL, 0);
        return true;
    }
    return false;
}

void companion_done(struct session *s) {
    for (uint32_t i = 0; i < LANG_COUNT; i++) {
        struct companion *c = s->companions[i];
        if (!c)
            continue;
        source_done(&c->setup);
        fd_done(&c->pidfd);
        free(c);
        s->companions[i] = NULL;
    }
}

const char *companion_broken(const struct session *s) {
    if (s->companions[s->terms.language])
        return "a companion of the session's own language";
    for (uint32_t i = 0; i < LANG_COUNT; i++) {
        const struct companion *c = s->companions[i];
        if (c && !c->pid && (c->pidfd >= 0 || c->setup.fd >= 0))
            return "a companion that has ended holds something";
    }
    return NULL;
}
