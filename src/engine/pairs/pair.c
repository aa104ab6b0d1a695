#include "engine/pairs/pair.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/thread.h"
#include "engine/host/libexec.h"

/* A killed process needs only the kernel for its end: five seconds are plenty. */
#define END_MS 5000

void pair_init(struct pair *p, const struct pair_settings *settings) {
    *p = (struct pair){.settings = settings,
                       .caller = geteuid(),
                       .main_sock = -1,
                       .names_sock = -1,
                       .launched = -1,
                       .off = true};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->mended, NULL);
}

static void join_mender(struct pair *p) {
    if (p->has_mender)
        pthread_join(p->mender, NULL);
    p->has_mender = false;
}

void pair_done(struct pair *p) {
    join_mender(p);
    pthread_cond_destroy(&p->mended);
    pthread_mutex_destroy(&p->lock);
}

/* --- its life --- */

struct ctl_hello pair_hello(const struct pair *p, bool tell) {
    struct ctl_hello hello = {.head = {CTL_HELLO, sizeof hello},
                              .version = CTL_VERSION,
                              .pool = p->settings->pool,
                              .home = p->settings->home,
                              .count = p->settings->count,
                              .needs = p->needs,
                              .tell = tell};
    snprintf(hello.guest_dir, sizeof hello.guest_dir, "%s", p->settings->libexec);
    return hello;
}

static int send_hello(struct pair *p, bool tell) {
    struct ctl_hello hello = pair_hello(p, tell);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    p->names_sock = pair[0];
    scoped_fd theirs = pair[1];
    return packet_send(p->main_sock, &hello, sizeof hello, &theirs, 1);
}

static bool has_rights(const struct pair *p) {
    return p->caller == geteuid();
}

static int launch_by_another(struct pair *p, struct retort_error *err) {
    int fds[LAUNCHED_FDS], r = launch_another(&p->settings->launch, fds);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot start the supervisor");
    p->main_sock = fds[LAUNCHED_MAIN];
    p->names_sock = fds[LAUNCHED_NAMES];
    p->launched = fds[LAUNCHED_PIDFD];
    return 0;
}

static int launch(struct pair *p, bool tell, struct retort_error *err) {
    int pair[2];
    if (!has_rights(p))
        return launch_by_another(p, err);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot make a socket");
    p->main_sock = pair[0];
    int r = launch_program(p->settings->libexec, pair[1], &p->supervisor);
    close(pair[1]);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot start the supervisor");
    r = send_hello(p, tell);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "the supervisor ended at once") : 0;
}

static void hang_up(struct pair *p) {
    if (p->main_sock >= 0)
        shutdown(p->main_sock, SHUT_WR);
}

void pair_end(struct pair *p) {
    join_mender(p);
    hang_up(p);
}

/* Of one that is not our child nobody tells us how it ended. */
static bool await_launched(struct pair *p) {
    struct pollfd end = {.fd = p->launched, .events = POLLIN};
    if (p->launched < 0)
        return false;
    while (poll(&end, 1, -1) < 0 && errno == EINTR)
        ;
    fd_done(&p->launched);
    return true;
}

/* It ends by itself when its socket does. */
static int await_supervisor(struct pair *p) {
    hang_up(p);
    int status = libexec_await(&p->supervisor);
    /* If it was killed, its child, which it cannot wait for any more, has the other end. */
    if (await_launched(p) || WIFSIGNALED(status)) {
        struct pollfd end = {.fd = p->main_sock, .events = POLLIN};
        poll(&end, 1, END_MS);
    }
    fd_done(&p->main_sock);
    fd_done(&p->names_sock);
    return status;
}

int pair_start(struct pair *p, bool tell, struct retort_error *err) {
    int r = launch(p, tell, err);
    if (r < 0)
        await_supervisor(p);
    p->off = r < 0;
    return r;
}

/* A supervisor that was killed has left its cgroups. Every supervisor that starts removes those that
 * no living one has locked, if their processes have ended by then; so one more is started, and ended.
 * A launcher does the same for its own. */
void pair_stop(struct pair *p) {
    struct retort_error err = ERR_INIT;
    join_mender(p);
    bool killed = WIFSIGNALED(await_supervisor(p));
    if ((killed || p->replaced) && pair_start(p, false, &err) == 0)
        await_supervisor(p);
}

/* --- what it says --- */

union word {
    struct ctl_head head;
    struct ctl_failed failed;
    struct ctl_stands stands;
};

/* Whether the supervisor's word is of this type; it stays there, to be heard again. */
static bool hear_word(const struct pair *p, uint32_t type, union word *ret, int flags) {
    ssize_t n = packet_recv(p->main_sock, ret, sizeof *ret, NULL, NULL, flags | MSG_PEEK);
    return n > 0 && ctl_answer_ok(ret, (size_t)n) && ret->head.type == type;
}

bool pair_stands(struct pair *p, uint32_t *ret_layers) {
    union word word;
    if (!hear_word(p, CTL_STANDS, &word, 0))
        return false;
    *ret_layers = word.stands.layers;
    packet_recv(p->main_sock, &word, sizeof word, NULL, NULL, MSG_DONTWAIT);
    return true;
}

/* Whether the supervisor could not start at all; it has said why on the main socket then. */
static bool said_why(const struct pair *p, struct retort_error *ret) {
    union word word;
    bool told = hear_word(p, CTL_FAILED, &word, MSG_DONTWAIT);
    if (told)
        *ret = word.failed.err;
    return told;
}

/* --- questions --- */

/* Tells the keeper which paths the session needs mounted. It must know before the supervisor asks. */
static int name_paths(struct pair *p, const struct ctl_environment *env) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < ENV_PREFIXES && env->prefix[i][0]; i++)
        r = packet_send(p->names_sock, env->prefix[i], strnlen(env->prefix[i], sizeof *env->prefix),
                        NULL, 0);
    if (r == 0 && env->packages[0])
        r = packet_send(p->names_sock, env->packages, strlen(env->packages), NULL, 0);
    return r;
}

unsigned pair_generation(struct pair *p) {
    pthread_mutex_lock(&p->lock);
    while (p->mending)
        pthread_cond_wait(&p->mended, &p->lock);
    unsigned generation = p->generation;
    pthread_mutex_unlock(&p->lock);
    return generation;
}

int pair_ask(struct pair *p, const struct ctl_create *create, const int fds[2],
             unsigned generation) {
    pthread_mutex_lock(&p->lock);
    int r = p->mending || p->generation != generation ? -EPIPE : name_paths(p, &create->env);
    if (r == 0)
        r = packet_send(p->main_sock, create, sizeof *create, fds, 2);
    pthread_mutex_unlock(&p->lock);
    return r;
}

static int say_gone(struct retort_error *err) {
    return err_errno(err, ERR_HOST, EPIPE, "the supervisor is gone");
}

int pair_failure(struct pair *p, struct retort_error *err) {
    struct retort_error why;
    pthread_mutex_lock(&p->lock);
    bool told = !p->mending && said_why(p, &why);
    pthread_mutex_unlock(&p->lock);
    if (!told)
        return say_gone(err);
    if (err)
        *err = why;
    return why.code ? -why.code : -EIO;
}

bool pair_lives(struct pair *p) {
    pthread_mutex_lock(&p->lock);
    bool lives = !p->mending && p->main_sock >= 0 && !hung_up(p->main_sock);
    pthread_mutex_unlock(&p->lock);
    return lives;
}

/* --- another in its place --- */

/* A supervisor that could not start would fail again. If the caller has given up rights since, a new
 * one could not isolate sessions as well, unless somebody has kept them. */
static bool may_replace(const struct pair *p) {
    struct retort_error why;
    bool rights = has_rights(p) || p->settings->launch.sock >= 0;
    return p->settings->pool && rights && !said_why(p, &why);
}

/* All that the old one had ends before the new one begins, which takes moments, and under load many. */
static void *mend(void *argument) {
    struct pair *p = argument;
    await_supervisor(p);
    atomic_fetch_add(&p->generation, 1);
    atomic_fetch_add(&p->replaced, 1);
    pair_start(p, false, NULL);
    pthread_mutex_lock(&p->lock);
    p->mending = false;
    pthread_cond_broadcast(&p->mended);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Called and left with the lock held. */
static int begin_mending(struct pair *p, struct retort_error *err) {
    p->off = !may_replace(p);
    if (p->off)
        return say_gone(err);
    join_mender(p); /* it has done all that it had to */
    p->mending = true;
    int r = thread_start(&p->mender, mend, p);
    p->has_mender = r == 0;
    p->mending = r == 0;
    return r < 0 ? err_errno(err, ERR_HOST, -r, "cannot start another supervisor") : 1;
}

int pair_replace(struct pair *p, unsigned generation, struct retort_error *err) {
    pthread_mutex_lock(&p->lock);
    /* If it lives, it has given up only that session, and can make another. No socket: it died
     * earlier, and no other could be started. */
    int r = p->mending || p->generation != generation   ? 1
            : p->main_sock < 0 || hung_up(p->main_sock) ? begin_mending(p, err)
                                                        : 0;
    pthread_mutex_unlock(&p->lock);
    return r;
}

/* --- its sessions --- */

struct pair *pair_join(struct pair *p) {
    atomic_fetch_add(&p->sessions, 1);
    return p;
}

void pair_leave(struct pair **p) {
    if (*p)
        atomic_fetch_sub(&(*p)->sessions, 1);
    *p = NULL;
}
