/* The checkpoint: a dormant fork of the interpreter, to which a session goes back.
 *
 *   checkpoint_prepare   the broker gets a witness for the guest, whose interpreter forks
 *   checkpoint_hear      the fork reports there: it is held by pidfd from here on, the old one goes
 *   checkpoint_resume    it gets a new channel and is the interpreter
 *
 * Runs in: supervisor.
 * Hostile: the process that reports. It must live in this session, and we know it by its pidfd.
 * Life cycle: checkpoint_init; as above; checkpoint_done, which also ends the process.
 * Owns: its sockets and its pidfd.
 * Invariants: there is a pid, a pidfd and a wake socket, or none of them.
 * Tests: tests/hostile/test_x_identity.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;

struct checkpoint {
    pid_t pid;            /* 0: there is none */
    struct source wake;   /* the process ends when this does */
    struct source end;    /* its pidfd: its wake socket may have other holders */
    struct source coming; /* where the next checkpoint will report */
};

void checkpoint_init(struct checkpoint *c);
void checkpoint_done(struct checkpoint *c);
const char *checkpoint_broken(const struct session *s);

void checkpoint_prepare(struct session *s);
void checkpoint_hear(struct source *source);
void checkpoint_resume(struct session *s);
