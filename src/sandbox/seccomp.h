/* The seccomp filters, made from the table in syscalls.def.
 *
 * libseccomp is not used: it allocates, and filters are made between fork and exec and in zygotes;
 * the supervisor links nothing but libc; and we choose errno, order and length of each filter,
 * which the tests compare instruction by instruction and call by call.
 *
 * Runs in: supervisor; a zygote and its children before the guest's first instruction. So: no
 *   allocation, no stdio, no state.
 * Hostile: nothing is read; the filter itself faces the guest.
 * Owns: nothing.
 * Tests: tests/unit/test_seccomp.c (every number and boundary argument),
 *   tests/hostile/probe_syscalls.c (the same, asking the kernel)
 */
#pragma once

#include <linux/filter.h>
#include <stddef.h>

struct retort_error;

/* Filters accumulate and the strictest verdict wins, so a zygote's child needs only the difference:
 * ZYGOTE and GUEST_IN_ZYGOTE together decide exactly as GUEST does, and loading the small one costs
 * a fifth of the time. */
enum seccomp_profile {
    SECCOMP_GUEST,           /* the whole policy for guest code */
    SECCOMP_ZYGOTE,          /* the guest's calls, and those that prepare a session */
    SECCOMP_GUEST_IN_ZYGOTE, /* takes away what ZYGOTE allows beyond GUEST */
    SECCOMP_GUEST_GATED,     /* the same, but asks the supervisor about calls that a branch needs */
    SECCOMP_INIT,            /* a dozen calls: all that pid 1 of a warm session makes */
    SECCOMP_UNCOUNTED, /* takes away memory that outlives its mapping, for sessions in which nothing
                          counts it */
};

#define SECCOMP_MAX_INSTRUCTIONS 450 /* enough room for any profile */

/* Writes the program and returns its length, or -ENOSPC. */
int seccomp_build(enum seccomp_profile profile, struct sock_filter *prog, size_t room);

/* Loads it into the calling thread, for good. no_new_privs must be set already. */
int seccomp_load(const struct sock_filter *prog, size_t n, struct retort_error *err);

/* The same for SECCOMP_GUEST_GATED; returns the descriptor on which the kernel asks, or -errno:
 * kernels before 5.5 cannot let a call continue, and a filter around us may have a listener
 * already. */
int seccomp_load_gated(const struct sock_filter *prog, size_t n);
