/* An interpreter of a session, as the broker sees it: its sockets and pipes, and what was heard of
 * it.
 *
 * Runs in: the broker, with the session's lock held; `interrupt` is written without it.
 * Hostile: every byte of the channel and the pipes.
 * Life cycle: interp_init; session_connect or a live branch fills the first one, session_add_interp
 *   others; interp_close ends all processes and leaves the rest, interp_hang_up forgets one;
 *   interp_done.
 * Owns: its descriptors.
 * Invariants: without `ctl` there is no other descriptor but `interrupt`.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_i_channel.py
 */
#pragma once

#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "wire/control.h"
#include "wire/frame.h"

struct interp {
    enum language language;
    int ctl; /* to the supervisor; closing it ends the session. Further interpreters borrow it */
    int channel, out, err;
    atomic_int interrupt;        /* eventfd: a client asks for an interrupt; -1: nobody listens */
    atomic_uint interrupting;    /* how many threads use it just now */
    atomic_bool interrupt_asked; /* an interrupt came since the eventfd was last emptied */
    struct buf frames;           /* bytes from the channel, not yet a whole frame */
    uint32_t generation;         /* how often a checkpoint went on in its place */
    atomic_bool warm;            /* forked from a zygote */
    bool greeted;                /* it has been sent its seed and variables */
    bool ready;                  /* it has said that it reads code */
    bool exited;                 /* it ended between two cells, */
    int exit_status;             /* in this way */
    unsigned unanswered;         /* requests to fork that were not answered in time */
};

void interp_init(struct interp *i, enum language language);
/* The supervisor ends all processes; nothing more is heard of them. */
void interp_close(struct interp *i);
void interp_done(struct interp *i);
/* Channel, standard output and standard error of a checkpoint that goes on. */
void interp_take_generation(struct interp *i, const int fds[3]);
int interp_command(const struct interp *i, enum ctl_type type);
/* Sends a command that names the interpreter: CTL_INTERRUPT, CTL_POKE, CTL_KILL_CELL. */
int interp_order(const struct interp *i, enum ctl_type type);
/* Without the session's lock, also from signal handlers; so nothing is waited for. 0 or -errno. */
int interp_interrupt(struct interp *i);
/* Closes the eventfd. False: somebody is about to write to it. While no cell runs. */
bool interp_deafen(struct interp *i);
/* For an interpreter that is not the first and is dead: nothing more is heard of it. */
void interp_hang_up(struct interp *i);

/* --- an idle interpreter is asked for something --- */

/* A frame without fields, and after it a byte with a descriptor. */
int interp_send_socket(const struct interp *i, enum frame_type type, int fd);
/* Never waits: the interpreter may not read. If it is dead, the host program gets no SIGPIPE. */
int interp_send(const struct interp *i, const char *data, size_t len, uint64_t patience_ns);
/* The next frame, which must be of this type; it stays until it is consumed. */
int interp_await_frame(struct interp *i, enum frame_type type, uint64_t patience_ns,
                       struct frame *ret);
void interp_consume(struct interp *i, const struct frame *f);
/* Takes the answer to a request to fork. */
bool interp_fork_failed(const struct frame *f);
void interp_take_notes(const struct frame *f, json_t *notes);
