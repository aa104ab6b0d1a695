#include "engine/session/engine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/libexec.h"
#include "engine/host/packages.h"
#include "engine/session/session.h"

struct retort_engine *engine_alloc(const struct retort_engine_options *o) {
    struct retort_engine *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->main_sock = e->names_sock = -1;
    gateway_init(&e->gateway);
    e->pool = o->pool;
    e->home = o->home;
    e->max_sessions = o->max_sessions ? o->max_sessions : MAX_SESSIONS;
    pthread_mutex_init(&e->lock, NULL);
    if (o->state_dir && !(e->state_dir = strdup(o->state_dir))) {
        engine_free(e);
        return NULL;
    }
    return e;
}

struct held {
    struct held *next;
    char *path;
    int fd;
};

static void held_free(struct held *h) {
    free(h->path);
    fd_done(&h->fd);
    free(h);
}

static bool engine_has(struct retort_engine *e, const char *packages) {
    const struct held *h = e->held;
    while (h && strcmp(h->path, packages) != 0)
        h = h->next;
    return h != NULL;
}

static int hold(struct retort_engine *e, const char *packages, struct retort_error *err) {
    int fd = packages_hold(packages, err);
    struct held *h = fd < 0 ? NULL : calloc(1, sizeof *h);
    if (fd < 0)
        return fd;
    if (!h || !(h->path = strdup(packages))) {
        free(h);
        close(fd);
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold another session");
    }
    h->fd = fd;
    h->next = e->held;
    e->held = h;
    return 0;
}

int engine_hold(struct retort_engine *e, const char *packages, struct retort_error *err) {
    pthread_mutex_lock(&e->lock);
    int r = engine_has(e, packages) ? 0 : hold(e, packages, err);
    pthread_mutex_unlock(&e->lock);
    return r;
}

void engine_free(struct retort_engine *e) {
    gateway_done(&e->gateway);
    ledger_close(e->ledger);
    json_decref(e->packages);
    for (struct held *h = e->held, *next; h; h = next) {
        next = h->next;
        held_free(h);
    }
    free(e->state_dir);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

/* --- the supervisor --- */

static int spawn_supervisor(struct retort_engine *e, int sock) {
    char *vars[3] = {NULL};
#ifdef RETORT_ABLATION
    size_t n = 0;
    for (char **v = environ; *v; v++)
        if (strncmp(*v, "RETORT_ABLATE=", 14) == 0 || strncmp(*v, "RETORT_FAILPOINT=", 17) == 0)
            vars[n++] = *v;
#endif
    return libexec_spawn(e->libexec, "retort-supervisor", sock, vars, &e->supervisor);
}

/* With fewer, the first step to run out of them would be the one to fail, whichever it is. */
#define LEAST_DESCRIPTORS 64
/* Nothing but the kernel's own work stands between a killed process and its end. */
#define END_MS 5000

/* What a session needs mounted the keeper must hear from here, before the supervisor asks for it.
 */
int engine_name_paths(struct retort_engine *e, const struct ctl_environment *env) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < ENV_PREFIXES && env->prefix[i][0]; i++)
        r = packet_send(e->names_sock, env->prefix[i], strnlen(env->prefix[i], sizeof *env->prefix),
                        NULL, 0);
    if (r == 0 && env->packages[0])
        r = packet_send(e->names_sock, env->packages, strlen(env->packages), NULL, 0);
    return r;
}

static int send_hello(struct retort_engine *e) {
    struct ctl_hello hello = {.head = {CTL_HELLO, sizeof hello},
                              .version = CTL_VERSION,
                              .pool = e->pool,
                              .home = e->home};
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    e->names_sock = pair[0];
    scoped_fd theirs = pair[1];
    snprintf(hello.guest_dir, sizeof hello.guest_dir, "%s", e->libexec);
    return packet_send(e->main_sock, &hello, sizeof hello, &theirs, 1);
}

static int check_descriptors(struct retort_error *err) {
    struct rlimit now;
    if (getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur < LEAST_DESCRIPTORS)
        return err_errno(err, ERR_HOST, EMFILE,
                         "only %llu files may be open, and %d is the least (try: ulimit -n 1024)",
                         (unsigned long long)now.rlim_cur, LEAST_DESCRIPTORS);
    return 0;
}

int engine_start(struct retort_engine *e, struct retort_error *err) {
    int pair[2], r = check_descriptors(err);
    if (r == 0)
        r = libexec_find(e->libexec, sizeof e->libexec, err);
    if (r < 0)
        return r;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make a socket");
    e->main_sock = pair[0];
    r = spawn_supervisor(e, pair[1]);
    close(pair[1]);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot start the supervisor");
    r = send_hello(e);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "the supervisor ended at once") : 0;
}

/* By its pid alone, and never for -1: other children are the host program's. It ends by itself when
 * its socket does; where SIGCHLD is ignored the kernel reaps it and this returns at once. */
static int await_supervisor(struct retort_engine *e) {
    int status = 0;
    if (e->main_sock >= 0)
        shutdown(e->main_sock, SHUT_WR);
    if (e->supervisor > 0)
        while (waitpid(e->supervisor, &status, 0) < 0 && errno == EINTR)
            ;
    e->supervisor = 0;
    if (WIFSIGNALED(status)) { /* its child, which it cannot wait for any more, has the other end */
        struct pollfd end = {.fd = e->main_sock, .events = POLLIN};
        poll(&end, 1, END_MS);
    }
    fd_done(&e->main_sock);
    fd_done(&e->names_sock);
    return status;
}

/* One that was killed has left its cgroups; one that starts removes those of the dead, which nobody
 * alive has locked. */
void engine_stop(struct retort_engine *e) {
    struct retort_error err = ERR_INIT;
    if (WIFSIGNALED(await_supervisor(e)) && engine_start(e, &err) == 0)
        await_supervisor(e);
}

/* The supervisor could not start at all: it said why on the main socket. */
int engine_failure(struct retort_engine *e, struct retort_error *err) {
    struct ctl_failed failed;
    ssize_t n;
    /* The kernel tells first, and once, that a message of ours was left unread. */
    do
        n = packet_recv(e->main_sock, &failed, sizeof failed, NULL, NULL, MSG_DONTWAIT | MSG_PEEK);
    while (n == -ECONNRESET);
    if (n == sizeof failed && failed.head.type == CTL_FAILED) {
        if (err)
            *err = failed.err;
        return failed.err.code ? -failed.err.code : -EIO;
    }
    return err_errno(err, ERR_HOST, EPIPE, "the supervisor is gone");
}

/* --- the list of sessions --- */

int engine_admit(struct retort_engine *e, struct retort_session *s, struct retort_error *err) {
    int r = 0;
    pthread_mutex_lock(&e->lock);
    if (e->count >= e->max_sessions)
        r = err_set(err, ERR_LIMIT, EAGAIN,
                    "there are %u sessions, as many as this engine may have", e->count);
    else {
        e->count++;
        s->next = e->sessions;
        e->sessions = s;
    }
    pthread_mutex_unlock(&e->lock);
    return r;
}

void engine_dismiss(struct retort_engine *e, struct retort_session *s) {
    pthread_mutex_lock(&e->lock);
    for (struct retort_session **p = &e->sessions; *p; p = &(*p)->next)
        if (*p == s) {
            *p = s->next;
            e->count--;
            break;
        }
    pthread_mutex_unlock(&e->lock);
}
