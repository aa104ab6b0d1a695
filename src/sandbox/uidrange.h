/* Host uids for sessions: a range that no other engine uses at the same time.
 *
 * Runs in: supervisor, before it enters its user namespace "Z" (inside 0..count -> host).
 * Hostile: nothing; /etc/subuid and /etc/subgid are the administrator's.
 * Owns: lock_fd. The range is ours as long as a copy of lock_fd is open, so the kernel frees it
 *   however we end.
 * Tests: tests/unit/test_uidrange.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

enum uidrange_mode {
    UIDS_ROOT,        /* inside 0..count is host base..base+count */
    UIDS_SUBORDINATE, /* inside 0 is the caller, 1..count is base..base+count-1, by newuidmap and
                         newgidmap */
    UIDS_PLAIN        /* inside 0 is the caller, and there are no other ids: sessions share a uid */
};

/* Above what distributions and systemd hand out (up to 0x6fffffff), below the sign bit. */
#define UIDRANGE_FIRST 0x70000000u
#define UIDRANGE_WIDTH 4096u
#define UIDRANGE_SLOTS 1024u

struct uidrange {
    enum uidrange_mode mode;
    uid_t base;     /* first host uid of the range */
    gid_t gid_base; /* differs from base if /etc/subgid differs from /etc/subuid */
    unsigned count; /* sessions may use 1..count; 0 when plain */
    int lock_fd;
    char why[160]; /* plain: why, and what would help */
};

/* Finds and locks a range. If there are no ids, as for an ordinary user, or for root in a small
 * user namespace or without root's capabilities, that is no error, but UIDS_PLAIN. */
int uidrange_acquire(struct uidrange *range, struct retort_error *err);
void uidrange_release(struct uidrange *range);

/* The host uid of inside uid 0, which gets the cgroups. */
uid_t uidrange_owner(const struct uidrange *range);

/* Writes the id maps of `target`, a child that has unshared its user namespace and waits. If the
 * set-uid tools refuse before anything was written, the range becomes plain. */
int uidrange_map(struct uidrange *range, pid_t target, struct retort_error *err);

struct idspan {
    unsigned first, count;
};

/* The widest entry for the user in the text of /etc/subuid or /etc/subgid. `name` may be NULL.
 * -ENOENT. */
int uidrange_parse(const char *text, const char *name, uid_t uid, struct idspan *ret_span);

/* The ids from which engines of root may take their ranges, from the text of /proc/self/uid_map or
 * gid_map: on a host those from UIDRANGE_FIRST on, in a container what its user namespace has
 * beyond ordinary users. -ENOENT. */
int uidrange_spare(const char *map, struct idspan *ret_span);

/* The login name of `uid` in the text of /etc/passwd. -ENOENT. */
int uidrange_name(const char *passwd, uid_t uid, char *ret_name, size_t size);
