#include "supervisor/parts/checkpoint.h"

#include <errno.h>

#include "base/io.h"
#include "base/scope.h"
#include "sandbox/process.h"
#include "supervisor/parts/memory.h"
#include "supervisor/session.h"
#include "supervisor/sockets.h"

static void on_wake(struct source *source);

void checkpoint_init(struct checkpoint *c) {
    *c = (struct checkpoint){.wake = SOURCE_NONE, .end = SOURCE_NONE, .coming = SOURCE_NONE};
}

/* A dormant process ends when its wake socket does. */
static void let_go(struct checkpoint *c) {
    c->pid = 0;
    source_done(&c->wake);
    source_done(&c->end);
}

void checkpoint_done(struct checkpoint *c) {
    source_done(&c->coming);
    let_go(c);
}

const char *checkpoint_broken(const struct session *s) {
    const struct checkpoint *c = &s->checkpoint;
    if ((c->pid != 0) != (c->wake.fd >= 0) || (c->pid != 0) != (c->end.fd >= 0))
        return "half of a checkpoint";
    return NULL;
}

void checkpoint_prepare(struct session *s) {
    struct ctl_head head = {CTL_WAKE, sizeof head};
    int pair[2] = {-1, -1};
    source_done(&s->checkpoint.coming);
    bool made = witness_open(pair) == 0 &&
                session_watch(s, &s->checkpoint.coming, pair[0], checkpoint_hear) == 0;
    /* Without a socket: there is no checkpoint. */
    session_tell(s, &head, sizeof head, &pair[1], made);
    fd_done(&pair[1]);
}

static void dormant_gone(struct session *s) {
    let_go(&s->checkpoint);
    memory_unshared(s);
}

static void on_dormant_end(struct source *source) {
    dormant_gone(source->owner);
}

/* The guest may have handed the socket to any process of this session, or of a branch of it, and
 * that may report. We refuse the live interpreter: it is no copy of itself, and a killing would
 * spare it as the checkpoint. */
static int hold_dormant(const struct session *s, pid_t pid) {
    bool live = pid == s->interp.pid && process_lives(s->interp.pidfd);
    return live || pid <= 0 || pid == s->pid1.pid ? -EPERM : session_hold(s, pid);
}

/* The new checkpoint reports; the old one, whose socket is closed, ends. It ends even if the new
 * one is refused, because the broker believes that it wakes the last one it asked for. */
void checkpoint_hear(struct source *source) {
    struct session *s = source->owner;
    char byte;
    pid_t pid = 0;
    ssize_t n = witness_recv(source->fd, &byte, 1, &pid, NULL);
    if (nothing_yet(n))
        return;
    int held = n == 1 ? hold_dormant(s, pid) : -EPERM;
    if (held < 0) {
        source_done(&s->checkpoint.coming);
        dormant_gone(s);
        return;
    }
    let_go(&s->checkpoint);
    s->checkpoint.pid = pid;
    descriptor_raise(&held);
    if (session_watch(s, &s->checkpoint.end, held, on_dormant_end) < 0 ||
        source_move(&s->checkpoint.coming, &s->checkpoint.wake, on_wake) < 0)
        dormant_gone(s);
    else
        memory_shared(s);
}

/* A dormant process is silent, so whatever comes ends it. */
static void on_wake(struct source *source) {
    dormant_gone(source->owner);
}

/* Other processes, branches among them, may hold its wake socket, and it may outlive the process.
 * What counts is that the process which reported lives. If that gives the channel away, it does
 * what any interpreter could do. */
static int wake_dormant(struct session *s) {
    if (s->checkpoint.coming.fd >= 0) /* the last one has not reported */
        return -ESRCH;
    int guest[3] = {-1, -1, -1}, host[3] = {-1, -1, -1};
    pid_t inner = process_inner_pid(s->checkpoint.pid);
    int r = process_lives(s->checkpoint.end.fd) ? generation_open(guest, host) : -ESRCH;
    if (r == 0)
        r = packet_send(s->checkpoint.wake.fd, "r", 1, guest, 3);
    close_all(guest, 3);
    if (r == 0) {
        struct ctl_head head = {CTL_RESUMED, sizeof head};
        interpreter_succeed(&s->interp, s->checkpoint.pid, inner, source_take(&s->checkpoint.end));
        dormant_gone(s);
        session_tell(s, &head, sizeof head, host, 3);
    }
    close_all(host, 3);
    return r;
}

void checkpoint_resume(struct session *s) {
    struct ctl_head gone = {CTL_GONE, sizeof gone};
    if (!s->checkpoint.pid || wake_dormant(s) < 0)
        session_tell(s, &gone, sizeof gone, NULL, 0);
}
