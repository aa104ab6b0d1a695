/* The network namespace of a session, and those that are kept for the next ones: to make one and to
 * take it apart costs more than the rest of a session's namespaces together, and the kernel takes them
 * apart one at a time, however many processors there are.
 *
 * One is used again only if it is as new: nothing was ever sent in it, nobody has a socket there, and
 * nothing was done that lasts without being counted, of which the gate hears (gate.h). It is looked
 * at when the next session is about to be born in it, and not before: what is found then is true.
 * Whatever is not certain is thrown away. A session for which this is not known, because its
 * interpreter has no gate or it has others beside it, makes a namespace of its own, as a branch does.
 *
 * Runs in: supervisor.
 * Hostile: the session that had it before.
 * Owns: the descriptor of a session's namespace, so that it outlives its processes; and the spare
 *   ones.
 * Invariants: a namespace belongs to one session, or is spare; no process of ours stands in one
 *   between two events.
 * Tests: tests/hostile/test_h_reuse.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;

struct network {
    int fd;          /* -1: made with the session's other namespaces, and gone with them */
    pid_t collector; /* stands in it, too, and may live longer than the session; or 0 */
    bool collected;  /* it has a collector, or had one */
};

void network_init(struct network *n);
/* Into one for `s`, so that its first process is born there. False: it has to be made. */
bool network_enter(struct session *s, uint32_t layers);
/* Nobody is in it any more. `net`: /proc/PID/net of its init. */
bool network_is_as_new(const struct session *s, int net);
void network_leave(void);             /* errno stays as it is */
void network_done(struct session *s); /* keeps it for another, or throws it away */
/* A child of ours has ended: whether it was the collector in a spare one, or in this session's. */
bool network_spare_ended(pid_t pid);
bool network_ended(struct session *s, pid_t pid);
const char *network_broken(const struct session *s);
