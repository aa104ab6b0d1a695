/* What a session has used: read from descriptors of its cgroup's files, or told by the supervisor.
 *
 * Runs in: the broker, with the session's lock held. It reads the kernel's text; it needs no right
 *   to the files beyond the descriptors.
 * Hostile: nothing; no byte of these files is a guest's.
 * Life cycle: usage_init; a process brings the descriptors, usage_close takes them away and forgets
 *   what was counted.
 * Owns: the descriptors.
 * Invariants: with a cgroup there are all descriptors, without one there are none. Sessions use
 *   cgroups one after the other, and some counters cannot be set back: so read once before a cell
 *   and once after it, and take measure_since().
 * Tests: tests/unit/test_measure.c, tests/unit/test_session.c
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/control.h"

struct measure {
    uint64_t cpu_us;
    uint64_t peak_bytes;
    uint64_t oom_kills;
    uint64_t pids_denied; /* forks refused because of the limit */
    uint64_t tasks;       /* processes and threads that there are now */
};

/* What the supervisor knows of the session's files, and what it said of its memory (room.c). */
struct room {
    uint64_t files;        /* bytes for which the limit of memory makes way */
    uint64_t foreign;      /* of these, bytes that we wrote ourselves, which are not charged to the
                              session */
    uint64_t memory, most; /* now, and since the cell began */
    uint64_t copies;
    unsigned asked; /* answers that are under way */
};

/* What is known of its locks on files (locks.c). */
struct file_locks {
    uint64_t at_us, at_ns; /* processor time and time when they were asked for */
    uint64_t held;
    bool asked; /* an answer is under way, */
    bool told;  /* or has come */
};

/* What code of past cells has used since the last one ended (leftover.c). */
struct leftover {
    unsigned cell;      /* that one */
    uint64_t before_us; /* processor time by its end */
    uint64_t used_us;
    const char *limit; /* why it was put to sleep, or NULL */
};

struct usage {
    uint32_t cgroup;               /* version; 0: none, and the supervisor measures */
    int measure[CREATED_MEASURES]; /* files of the cgroup */
    int net;                       /* /proc/PID/net of its init (network.h); -1: none of its own */
    struct measure counted;        /* by the kernel, up to the end of the last cell */
    bool only_own;                 /* after the last cell only the session's own tasks were left,
                                      and all were idle */
    uint64_t own_tasks;            /* without the checkpoint; 0: not counted yet, or OWN_UNKNOWN */
    unsigned cells_unswept; /* cells since the supervisor last looked for what they left running; */
    uint64_t unswept_ns;    /* when the first of them ended, */
    uint64_t sweep_ns;      /* how long a look takes at present, */
    uint32_t swept;         /* how many processes that were, */
    uint32_t living;        /* and how many tasks were left; 0: unknown */
    bool heavy;             /* some cell needed much memory for a moment */
    struct room room;
    struct file_locks locks;
    struct leftover leftover;
    uint64_t looked_ns;                /* the idle thread's own */
    uint64_t tree_cpu_us, tree_memory; /* as the supervisor measured last, without a cgroup */
};

/* Tasks of further interpreters have come or gone, so the number of own tasks is unknown. The
 * kernel also counts zombies; so only a look for what cells left running can tell the new number.
 */
#define OWN_UNKNOWN UINT64_MAX

/* A look for what cells left running is put off at most this long. */
#define UNSWEPT_MOST_NS 2000000000ull

/* How long something takes at present: the last time, or half of the estimate before it if that is
 * more, because a single quick one may be luck. */
uint64_t lasting_ns(uint64_t before, uint64_t took);

void usage_init(struct usage *u);
void usage_take(struct usage *u, const struct ctl_created *created, const int *fds, size_t nfds);
void usage_measured(struct usage *u, const struct ctl_measured *m);
void usage_roomed(struct usage *u, const struct ctl_roomed *r);
void usage_locked(struct usage *u, const struct ctl_locked *l);
void usage_close(struct usage *u);

/* `fds` in the order CREATED_CPU … CREATED_PIDS; `version` as in struct ctl_created. Reads at
 * offset 0, never moves a file position. 0 or -errno (-EPROTO: not the expected text). */
int measure_read(int version, const int fds[CREATED_MEASURES], struct measure *ret);

/* Processor time alone. */
int measure_cpu(int version, const int fds[CREATED_MEASURES], uint64_t *ret_us);

/* All of it before a cell: the peak counts from now, where the kernel can do that. `last`, if it is
 * given, was read when nothing was running any more: everything but the processor time is taken
 * from it. */
int measure_begin(int version, const int fds[CREATED_MEASURES], const struct measure *last,
                  struct measure *ret);

/* Counters become differences; peak and tasks are those of `after`. */
struct measure measure_since(const struct measure *before, const struct measure *after);

/* Parsers of the files' text; -EPROTO. */
int measure_number(const char *text, uint64_t *ret_value);                 /* one number */
int measure_keyed(const char *text, const char *key, uint64_t *ret_value); /* lines "key number" */
