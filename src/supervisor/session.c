/* The life of a session: handing it over, its events, its end. See session.h for the states. */
#include "supervisor/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/init.h"
#include "sandbox/process.h"
#include "supervisor/birth.h"
#include "supervisor/branch/branch.h"
#include "supervisor/branch/gate.h"
#include "supervisor/files/collector.h"
#include "supervisor/parts/companion.h"
#include "supervisor/parts/killing.h"
#include "supervisor/pool.h"
#include "supervisor/requests.h"
#include "supervisor/sockets.h"
#include "supervisor/zygote.h"

struct session_terms session_terms_of(const struct ctl_create *create) {
    return (struct session_terms){create->language, create->flags, create->allow_missing,
                                  create->limits};
}

struct session *session_new(struct environment *env, const struct session_terms *terms) {
    struct session *s = failpoint(FP_session_memory) ? NULL : calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->env = env;
    s->terms = *terms;
    s->ctl = SOURCE_NONE;
    pid1_init(&s->pid1);
    interpreter_init(&s->interp);
    checkpoint_init(&s->checkpoint);
    birth_init(&s->birth);
    network_init(&s->network);
    branch_init(&s->branching);
    spare_init(&s->remains);
    s->cgroup = CGROUP_NONE;
    s->id = ++sup.next_id;
    s->next = sup.sessions;
    sup.sessions = s;
    return s;
}

static void session_unlist(const struct session *s) {
    struct session **p = &sup.sessions;
    while (*p != s)
        p = &(*p)->next;
    *p = s->next;
}

/* The youngest come first: most searches among thousands are for one of these. */
struct session *session_next(struct environment *env, const struct session_terms *terms) {
    struct session *s = pool_forks(terms) ? spare_take(env, terms) : NULL;
    if (!s)
        return session_new(env, terms);
    session_unlist(s);
    s->next = sup.sessions;
    sup.sessions = s;
    return s;
}

static void session_free(struct session *s) {
    spare_drop(s);
    session_unlist(s);
    session_lose_owner(s);
    pid1_done(&s->pid1);
    interpreter_done(&s->interp);
    checkpoint_done(&s->checkpoint);
    network_done(s); /* which looks at companions and the gate, so they are freed after it */
    companion_done(s);
    spare_rest(&s->remains);
    birth_done(&s->birth);
    pool_give_cgroup(s);
    if (s->uid && !s->branching.parent)
        sup.uid_used[s->uid] = 0;
    branch_freed(s);
    free(s);
}

int session_watch(struct session *s, struct source *source, int fd, source_fn ready) {
    *source = (struct source){.fd = fd, .ready = ready, .owner = s};
    return source_add(source);
}

void session_lose_owner(struct session *s) {
    letters_done(&s->letters);
    source_done(&s->ctl);
}

/* If an owner cannot be told, it would wait for ever: so we close the socket, which tells both
 * sides. A message that only lacks memory is sent later. */
void session_tell(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds) {
    if (s->ctl.fd < 0)
        return;
    int r = s->letters.first ? -ENOBUFS : packet_send(s->ctl.fd, msg, len, fds, nfds);
    if (letters_may_wait(r))
        r = letters_keep(s, msg, len, fds, nfds);
    if (r < 0)
        shutdown(s->ctl.fd, SHUT_RDWR);
}

void session_fail_socket(int sock, const struct retort_error *err) {
    struct ctl_failed failed = {{CTL_FAILED, sizeof failed}, *err};
    packet_send(sock, &failed, sizeof failed, NULL, 0);
    close(sock);
}

void session_release(struct session *s, int killed) {
    (void)killed;
    if (s->pid1.pid == 0 && !killing_goes_on(s))
        session_free(s);
}

void session_kill(struct session *s) {
    if (s->state == SESSION_DYING)
        return;
    pool_drop(s);
    spare_drop(s);
    killing_drop(s);
    s->state = SESSION_DYING;
    close_all(s->birth.host, CREATED_OWN);
    branch_abandon(s);
    pid1_kill(&s->pid1);
    session_release(s, 0);
}

/* Keeps the channel open until the interpreter is dead: init kills it by SIGKILL, and it must not
 * wake up before that and find its channel closed. */
void session_dismiss(struct session *s, int channel) {
    scoped_fd held = channel;
    session_lose_owner(s);
    if (s->branching.count && s->state != SESSION_DYING) {
        branch_hull(s);
        return;
    }
    fd_done(&s->birth.guest[0]);
    s->birth.guest[0] = take_fd(&held);
    if (!spare_begin(s))
        session_kill(s);
}

/* Without its keeper a supervisor makes no sessions, and ends soon. We do not refuse the session
 * for that: a broker that sees both sockets end without an answer asks another supervisor. */
static bool supervisor_ends(void) {
    if (!hung_up(sup.keeper_sock))
        return false;
    shutdown(sup.main_sock, SHUT_RDWR);
    return true;
}

void session_fail(struct session *s, const struct retort_error *err) {
    struct ctl_failed failed = {{CTL_FAILED, sizeof failed}, *err};
    if (supervisor_ends())
        session_lose_owner(s);
    if (s->state != SESSION_DYING && s->state != SESSION_LIVE)
        session_tell(s, &failed, sizeof failed, NULL, 0);
    session_lose_owner(s);
    session_kill(s);
}

#define REST_NS 1000000000ull

static uint64_t rest_at = UINT64_MAX;

uint64_t sessions_rest_next(void) {
    return rest_at;
}

/* A child that shares our table copies the low numbers, so these are kept for sessions that are
 * being born. A paused source stays where it is. */
static void session_raise(struct session *s) {
    if (!killing_goes_on(s))
        source_raise(&s->ctl);
    source_raise(&s->pid1.sock);
    gate_raise(s->branching.gate);
    descriptor_raise(&s->pid1.pidfd);
    descriptor_raise(&s->interp.pidfd);
    descriptor_raise(&s->network.fd);
    descriptor_raise(&s->cgroup.peak);
}

void sessions_rest(void) {
    uint64_t now = rest_at == UINT64_MAX ? 0 : now_ns();
    if (now < rest_at)
        return;
    rest_at = UINT64_MAX;
    for (struct session *s = sup.sessions; s; s = s->next) {
        if (!s->birth.over)
            continue;
        if (now - s->birth.over < REST_NS) {
            rest_at = now + REST_NS;
            continue;
        }
        cgroup_rest(&s->cgroup);
        spare_rest(&s->remains);
        session_raise(s);
        s->birth.over = 0;
    }
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
    memcpy(fds, s->birth.host, sizeof s->birth.host);
    if (cgroup_measures(&s->cgroup, fds + CREATED_CPU) == 0) {
        created.cgroup = (uint32_t)s->cgroup.root->version;
        n = CREATED_FDS;
    }
    s->state = SESSION_LIVE;
    spare_note(s); /* before any code of the owner has run */
    s->birth.over = now_ns();
    if (rest_at == UINT64_MAX)
        rest_at = s->birth.over + REST_NS;
    session_tell(s, &created, sizeof created, fds, n);
    spare_keep(s);
    if (s->interp.exit_told) /* it died before anybody asked for it */
        session_tell(s, &s->interp.last_exit, sizeof s->interp.last_exit, NULL, 0);
}

static void session_ready(struct session *s) {
    source_done(&s->interp.setup);
    if (s->ctl.fd >= 0)
        session_hand_over(s);
    else
        pool_add(s);
}

/* bash runs its program as it starts. So the shell is locked down first and then waits for its
 * code; its set-up socket stays open. */
static void bash_waits(struct session *s) {
    if (s->terms.language != LANG_BASH || s->state != SESSION_FORKING || !s->interp.pid)
        return;
    close_all(s->birth.guest, 3);
    session_hand_over(s);
}

/* Init is up. It has already forked a cold interpreter; we ask for a warm one now. If the session
 * was killed meanwhile, we make nothing. */
void session_init_ready(struct session *s) {
    struct retort_error err = ERR_INIT;
    birth_settled(s);
    if (s->state != SESSION_STARTING)
        return;
    if (files_offer(s, &err) < 0) {
        session_fail(s, &err);
        return;
    }
    s->state = SESSION_FORKING;
    spare_note(s);
    if (s->branching.parent) {
        /* Only now: before it is init, the kernel does not let us look. */
        proctree_open(s->pid1.pid, &s->tree);
        branch_ready(s);
        return;
    }
    bash_waits(s);
    if (s->warm && s->env->zygote && zygote_is_ready(s->env->zygote))
        zygote_fork(s->env->zygote, s);
    else if (!s->warm && s->interp.setup.fd < 0) {
        close_all(s->birth.guest, 3);
        session_ready(s); /* the interpreter was ready before init */
    }
}

/* If a session has a set-up socket, the zygote before has been asked for its interpreter. A second
 * interpreter on its channel would look like a guest that breaks the protocol. */
void session_zygote_ready(struct zygote *zygote) {
    for (struct session *s = sup.sessions; s; s = s->next)
        if (s->state == SESSION_FORKING && s->warm && s->env->zygote == zygote &&
            s->interp.setup.fd < 0)
            zygote_fork(zygote, s);
}

void session_create(const struct ctl_create *create, int sock, int env_fd,
                    const struct retort_error *start_error) {
    struct retort_error err = *start_error;
    scoped_fd env_block = env_fd;
    struct environment *env = NULL;
    if (err.fault == ERR_NONE)
        env = environment_get(create, &err);
    struct session *s = NULL;
    if (env && pool_serves(create, env_block)) {
        env->pattern = *create;
        env->pool_failed = false;
        s = pool_take(env, create);
    }
    bool pooled = s != NULL;
    struct session_terms terms = session_terms_of(create);
    if (env && !s && !(s = session_next(env, &terms)))
        err_errno(&err, ERR_HOST, ENOMEM, "cannot hold another session");
    if (!s) {
        session_fail_socket(sock, &err);
        return;
    }
    if (session_watch(s, &s->ctl, sock, requests_serve) < 0) {
        session_kill(s);
        return;
    }
    if (pooled)
        session_hand_over(s);
    else
        birth_begin(s, env_block);
}

/* No guest code will ever run. A bash program's session has an owner by then, who waits for its
 * end. */
static void setup_failed(struct session *s, const struct retort_error *err) {
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

static void session_locked(struct session *s) {
    close_all(s->birth.guest, 3);
    session_ready(s);
}

/* The interpreter says "locked" with its own credentials, and then nothing more. End of file means
 * that it runs; a forked one runs by then. A struct retort_error instead means that no guest code
 * will ever run. */
void session_on_setup(struct source *source) {
    struct session *s = source->owner;
    struct retort_error err;
    pid_t pid = 0;
    scoped_fd gate = -1;
    ssize_t n = witness_recv(source->fd, &err, sizeof err, &pid, &gate);
    if (n == 1 && pid > 0 && !s->interp.pid) {
        interpreter_known(s, pid);
        s->branching.gate = gate_new(take_fd(&gate));
        bash_waits(s);
        if (s->warm && s->state == SESSION_FORKING)
            session_locked(s);
        return;
    }
    if (n == sizeof err) {
        setup_failed(s, &err);
        return;
    }
    if (nothing_yet(n))
        return;
    source_done(&s->interp.setup);
    if (!s->interp.pid) {
        err_set(&err, ERR_HOST, 0, "the interpreter ended before it was locked in");
        session_fail(s, &err);
    } else if (s->state == SESSION_FORKING)
        session_locked(s);
}

/* The first interpreter of a branch was forked from this session, so this session's init reaps
 * it. */
static void tell_adopted(const struct session *parent, const struct init_report *report) {
    for (struct session *s = sup.sessions; s; s = s->next)
        if (s->branching.parent == parent && s->interp.adopted == report->pid) {
            s->interp.adopted = 0;
            interpreter_exited(s, report->status, report);
            return;
        }
}

static bool is_being_born(const struct session *s) {
    return s->state == SESSION_STARTING || s->state == SESSION_FORKING;
}

/* It has said nothing, not even why. */
static void init_hung_up(struct session *s) {
    struct retort_error err = ERR_INIT;
    source_done(&s->pid1.sock); /* session_child_ended does the rest */
    if (is_being_born(s)) {
        err_set(&err, ERR_HOST, 0, "the session's first process ended before it was up");
        session_fail(s, &err);
    } else
        session_kill(s);
}

void session_on_init(struct source *source) {
    struct session *s = source->owner;
    union {
        struct init_report report;
        struct retort_error err;
    } msg;
    ssize_t n = packet_recv(source->fd, &msg, sizeof msg, NULL, NULL, MSG_DONTWAIT);
    if (nothing_yet(n))
        return;
    if (n == sizeof msg.err)
        session_fail(s, &msg.err);
    else if (n != sizeof msg.report)
        init_hung_up(s);
    else if (msg.report.pid == 0)
        session_init_ready(s);
    else if (msg.report.pid == s->interp.inner) {
        interpreter_exited(s, msg.report.status, &msg.report);
        spare_look(s);
    } else if (s->branching.count)
        tell_adopted(s, &msg.report);
    else {
        s->remains.dormant = false;
        spare_look(s);
    }
}

void session_interpreter_ended(pid_t pid, int status) {
    for (struct session *s = sup.sessions; s; s = s->next)
        if (interpreter_was(s, pid)) {
            interpreter_exited(s, status, NULL);
            spare_look(s);
            return;
        }
}

/* Its last word may be unread: why it gave up. */
static void init_ended(struct session *s) {
    if (is_being_born(s) && s->pid1.sock.fd >= 0)
        session_on_init(&s->pid1.sock);
    if (is_being_born(s))
        init_hung_up(s);
    s->pid1.pid = 0;
    if (s->state != SESSION_DYING) /* what is left of a branch is killed even so */
        killing_drop(s);
    branch_orphan(s);
    interpreter_exited(s, SIGKILL, NULL);
    if (s->state != SESSION_LIVE) /* it was killed on request, and the owner waits for this */
        session_tell(s, &s->interp.last_exit, sizeof s->interp.last_exit, NULL, 0);
    session_release(s, 0);
}

void session_child_ended(pid_t pid, int status) {
    if (network_spare_ended(pid))
        return;
    for (struct session *s = sup.sessions; s; s = s->next) {
        if (s->pid1.pid == pid) {
            init_ended(s);
            return;
        }
        if (network_ended(s, pid) || companion_ended(s, pid, status))
            return;
        if (interpreter_was(s, pid)) { /* its zygote is gone, so we reap it */
            interpreter_exited(s, status, NULL);
            spare_look(s);
            return;
        }
    }
}
