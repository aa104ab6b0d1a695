/* Network namespaces that live longer than a session: made ahead of it, looked at after it.
 *
 * Whether one is as new is asked of the kernel: of its own counters and tables, as far as they can
 * have changed. ARCHITECTURE.md ("Network namespaces that are used again") has the argument why what is read
 * here is enough, and what a guest's filter adds to it.
 *
 * Runs in: supervisor.
 * Hostile: what a guest without any capability can do to the namespace that it was in.
 * Owns: nothing; who makes one owns the descriptor.
 * Tests: tests/unit/test_netns.c, tests/hostile/test_h_reuse.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What the kernel says of the namespace that the caller stands in. */
struct netns_state {
    size_t len; /* 0: nothing is known, and equals nothing */
    char text[12 << 10];
};

/* A new one with lo up, or -errno. It belongs to a user namespace of its own in which nobody is
 * and no id is mapped: no process of a session has a right over it, nor owns a file of its /proc. */
int netns_make(void);
int netns_raise_loopback(void); /* in the caller's own: 0 or -errno */

int netns_read(struct netns_state *ret);             /* 0 or -errno, and then it equals nothing */
int netns_read_at(int dir, struct netns_state *ret); /* of the one whose /proc/PID/net this is */
bool netns_equal(const struct netns_state *a, const struct netns_state *b);
/* The cache of routes is the one thing that is neither read nor told: it begins anew. */
int netns_forget_routes(void);
