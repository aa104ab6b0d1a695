/* Network namespaces that live longer than a session: made before it, checked after it.
 *
 * The kernel's own counters and tables, those that can have changed, show whether one is as new.
 * ARCHITECTURE.md ("Network namespaces that are used again") explains why what we read here is
 * enough, and what a guest's filter adds to it.
 *
 * Runs in: supervisor.
 * Hostile: what a guest without any capability can do to the namespace that it was in.
 * Owns: nothing; who makes one owns the descriptor.
 * Tests: tests/unit/test_netns.c, tests/hostile/test_h_reuse.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What the kernel says of the namespace that the caller is in. */
struct netns_state {
    size_t len; /* 0: nothing is known, and it equals no other */
    char text[12 << 10];
};

/* Makes a new one with lo up, or returns -errno. It belongs to a user namespace of its own that has
 * no process and no mapped id: so no process of a session has a right over it, or owns a file of
 * its /proc. */
int netns_make(void);
int netns_raise_loopback(void); /* in the caller's own: 0 or -errno */

int netns_read(struct netns_state *ret);             /* 0 or -errno; then it equals no other */
int netns_read_at(int dir, struct netns_state *ret); /* for the namespace whose /proc/PID/net this
                                                        is */
bool netns_equal(const struct netns_state *a, const struct netns_state *b);
/* Empties the cache of routes, the only thing that we can neither read nor hear of. */
int netns_forget_routes(void);
