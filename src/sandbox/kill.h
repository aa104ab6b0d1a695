/* A killing: ends all processes of a session except a few, in steps that never wait, because the
 * supervisor serves other sessions meanwhile. cgroup_kill_step() and proctree_kill_step() take the
 * steps.
 *
 *   BEGIN      nothing has been done
 *   STOPPING   all have been told to stop, so that nobody forks while they are killed
 *   DYING      all have been killed, and some are not gone yet
 *
 * Runs in: supervisor.
 * Hostile: the processes that are to die. They may fork, exit and resume one another meanwhile; a
 *   deadline ends every phase.
 * Owns: nothing. If you give a killing up before it is over, call cgroup_freeze(…, false).
 * Tests: tests/unit/test_cgroup.c, tests/unit/test_proctree.c, tests/hostile/test_x_killing.py
 */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/io.h"
#include "sandbox/ablation/failpoint.h"

enum kill_phase { KILL_BEGIN, KILL_STOPPING, KILL_DYING };

struct kill {
    enum kill_phase phase;
    int killed;           /* how many were killed, the first time */
    int quiet;            /* rounds in which all were seen stopped */
    uint64_t pause;       /* until the next look; grows each time */
    uint64_t next;        /* when that is */
    uint64_t phase_until; /* latest begin of the next phase */
    uint64_t give_up_at;  /* latest end of the whole killing */
};

#define KILL_INIT ((struct kill){.phase = KILL_BEGIN})

#define KILL_STOP_NS 250000000ull /* for all to stop */
/* For all to die, before they are stopped and killed once more. */
#define KILL_ROUND_NS 250000000ull
#define KILL_NS 2000000000ull /* for everything */
#define KILL_PAUSE_NS 100000ull
#define KILL_PAUSE_MOST_NS 10000000ull

static inline void kill_enter(struct kill *k, enum kill_phase phase, uint64_t lasts) {
    k->phase = phase;
    k->pause = KILL_PAUSE_NS;
    k->quiet = 0;
    k->phase_until = now_ns() + lasts;
}

/* It is not over: look again at k->next. Pauses grow by an eighth, so that the last one is about a
 * tenth of the whole wait: a process with a gigabyte takes 20 ms to die, and its session waits for
 * it. */
static inline int kill_later(struct kill *k) {
    k->next = now_ns() + k->pause;
    if (k->pause < KILL_PAUSE_MOST_NS)
        k->pause += k->pause / 8;
    return -EAGAIN;
}

static inline bool kill_gives_up(const struct kill *k) {
    return now_ns() >= k->give_up_at && !failpoint(FP_kill_patience);
}

static inline bool kill_stops_no_more(const struct kill *k) {
    return now_ns() >= k->phase_until && !failpoint(FP_stop_patience);
}
