/* The interpreter of a session's own language, from the socket on which it reports until its end is
 * told. What takes its place, a checkpoint that is resumed, is its next generation.
 *
 * Runs in: supervisor.
 * Hostile: the process, once it is locked in. Who it is the kernel tells, by credentials; what it
 *   does is told by its pidfd, by init or by its zygote.
 * Life cycle: interpreter_init; interpreter_socket if somebody else is to make it; interpreter_known
 *   when it reports; interpreter_exited; interpreter_succeed by another; interpreter_done.
 * Owns: its pidfd and its set-up socket.
 * Invariants: there is a pidfd only of a known process. In a session that has an owner the set-up
 *   socket is closed, but for bash, which waits there for its program. Only in a branch is it
 *   another init's to reap.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_x_identity.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;
struct init_report;

struct interpreter {
    pid_t pid;     /* 0: not known yet */
    pid_t inner;   /* as the session's init sees it */
    pid_t adopted; /* as the parent's init sees it, which reaps a branch's first; 0: no longer */
    int pidfd;     /* -1: not known, or it had ended when it was */
    uint32_t generation;
    bool exit_told;
    struct ctl_exited last_exit;
    struct source setup; /* until it has locked itself in */
};

void interpreter_init(struct interpreter *i);
void interpreter_done(struct interpreter *i);
const char *interpreter_broken(const struct session *s);

/* A set-up socket for one that somebody else will make: its end, or -errno. */
int interpreter_socket(struct session *s);
void interpreter_known(struct session *s, pid_t pid);
/* Takes the descriptor. Who was there before is forgotten, whether it has ended or not. */
void interpreter_succeed(struct interpreter *i, pid_t pid, pid_t inner, int pidfd);
/* Told to the owner once, now or when there is one. `report`, which may be NULL: what it has used. */
void interpreter_exited(struct session *s, int status, const struct init_report *report);
/* Whether this process, which has ended, was it. The pid may be another's by now, who lives. */
bool interpreter_was(const struct session *s, pid_t pid);
