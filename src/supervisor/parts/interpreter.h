/* The interpreter of a session's own language, from the socket on which it reports until its end is
 * reported. A checkpoint that is resumed is its next generation.
 *
 * Runs in: supervisor.
 * Hostile: the process, once it is locked in. The kernel says by credentials who it is; its pidfd,
 *   init or its zygote reports its end.
 * Life cycle: interpreter_init; interpreter_socket if another process makes it; interpreter_known
 *   when it reports; interpreter_exited; interpreter_succeed by another; interpreter_done.
 * Owns: its pidfd and its set-up socket.
 * Invariants: there is a pidfd only of a known process. In a session with an owner the set-up
 *   socket is closed, except that of bash, which waits there for its program. Only a branch's
 *   interpreter is reaped by another init.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_x_identity.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;
struct init_report;

struct interpreter {
    pid_t pid;     /* 0: not known yet */
    pid_t inner;   /* its pid for the session's init */
    pid_t adopted; /* its pid for the parent's init, which reaps a branch's first interpreter; 0: no
                      longer */
    int pidfd;     /* -1: not known, or it had already ended */
    uint32_t generation;
    bool exit_told;
    struct ctl_exited last_exit;
    struct source setup; /* until it has locked itself in */
};

void interpreter_init(struct interpreter *i);
void interpreter_done(struct interpreter *i);
const char *interpreter_broken(const struct session *s);

/* Makes a set-up socket for an interpreter that another process will make. Returns that one's end,
 * or -errno. */
int interpreter_socket(struct session *s);
void interpreter_known(struct session *s, pid_t pid);
/* Takes the descriptor. Forgets the interpreter before, whether it has ended or not. */
void interpreter_succeed(struct interpreter *i, pid_t pid, pid_t inner, int pidfd);
/* Tells the owner once, now or when there is one. `report` (may be NULL): what the interpreter has
 * used. */
void interpreter_exited(struct session *s, int status, const struct init_report *report);
/* Whether this process, which has ended, was the interpreter. Its pid may be given to a live
 * process by now. */
bool interpreter_was(const struct session *s, pid_t pid);
