/* The network namespace of a session, and those that are kept for the next ones: making and
 * destroying one costs more than all other namespaces of a session together, and the kernel
 * destroys them one at a time, however many processors there are.
 *
 * One is used again only if it is as new: nothing was ever sent in it, nobody has a socket there,
 * and no call was made whose effect lasts without being counted; the gate hears of those (gate.h).
 * We check it just before the next session is born in it, so that the result still holds. If
 * anything is uncertain, we throw the namespace away. A session for which this is not known,
 * because its interpreter has no gate or it has others beside it, makes a namespace of its own, as
 * a branch does.
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
    int fd;          /* -1: made with the session's other namespaces, and ends with them */
    pid_t collector; /* a process that is in it, too, and may outlive the session; or 0 */
    bool collected;  /* it has a collector, or had one */
};

void network_init(struct network *n);
/* Enters a namespace for `s`, so that its first process is born there. False: one has to be
 * made. */
bool network_enter(struct session *s, uint32_t layers);
/* Called when nobody is in it any more. `net`: /proc/PID/net of its init. */
bool network_is_as_new(const struct session *s, int net);
void network_leave(void);             /* keeps errno */
void network_done(struct session *s); /* keeps it for another, or throws it away */
/* For a child of ours that has ended: whether it was the collector in a spare namespace, or in this
 * session's. */
bool network_spare_ended(pid_t pid);
bool network_ended(struct session *s, pid_t pid);
const char *network_broken(const struct session *s);
