#include "supervisor/parts/interpreter.h"

#include <unistd.h>

#include "base/scope.h"
#include "sandbox/init.h"
#include "sandbox/process.h"
#include "supervisor/session.h"
#include "supervisor/sockets.h"

void interpreter_init(struct interpreter *i) {
    *i = (struct interpreter){.pidfd = -1, .setup = SOURCE_NONE};
}

void interpreter_done(struct interpreter *i) {
    source_done(&i->setup);
    fd_done(&i->pidfd);
}

const char *interpreter_broken(const struct session *s) {
    const struct interpreter *i = &s->interp;
    bool owned = s->state == SESSION_LIVE || s->state == SESSION_HULL || s->state == SESSION_READY;
    if (i->pidfd >= 0 && !i->pid)
        return "a process is held that nobody knows";
    if (i->setup.fd >= 0 && owned && s->terms.language != LANG_BASH)
        return "the interpreter of a session that is ready is not locked in";
    if (i->adopted && !s->branching.parent && s->state != SESSION_DYING)
        return "an adopted interpreter without a parent";
    return NULL;
}

int interpreter_socket(struct session *s) {
    int pair[2], r = witness_open(pair);
    if (r < 0)
        return r;
    if ((r = session_watch(s, &s->interp.setup, pair[0], session_on_setup)) < 0)
        close(pair[1]);
    return r < 0 ? r : pair[1];
}

/* An interpreter that has ended by now gets no pidfd: init or its zygote reports its end. */
void interpreter_known(struct session *s, pid_t pid) {
    int held = session_hold(s, pid);
    s->interp.pid = pid;
    s->interp.pidfd = held < 0 ? -1 : held;
    if (!s->interp.inner)
        s->interp.inner = process_inner_pid(pid);
}

void interpreter_succeed(struct interpreter *i, pid_t pid, pid_t inner, int pidfd) {
    fd_done(&i->pidfd);
    i->pid = pid;
    i->inner = inner;
    i->adopted = 0;
    i->pidfd = pidfd;
    i->exit_told = false;
    i->generation++;
}

void interpreter_exited(struct session *s, int status, const struct init_report *report) {
    struct interpreter *i = &s->interp;
    if (i->exit_told)
        return;
    i->exit_told = true;
    i->last_exit = (struct ctl_exited){
        {CTL_EXITED, sizeof i->last_exit}, status, i->generation, s->terms.language, 0, 0};
    if (report) {
        i->last_exit.cpu_us = report->cpu_us;
        i->last_exit.peak_kb = report->maxrss_kb;
    }
    if (s->state == SESSION_LIVE)
        session_tell(s, &i->last_exit, sizeof i->last_exit, NULL, 0);
}

bool interpreter_was(const struct session *s, pid_t pid) {
    return s->interp.pid == pid && !s->interp.exit_told && !process_lives(s->interp.pidfd);
}
