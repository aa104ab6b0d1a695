/* A killing: ends all processes of a session but a few, in steps that never wait, because whoever
 * takes them serves other sessions too. cgroup_kill_step() and proctree_kill_step() take them.
 *
 *   BEGIN      nothing has been done
 *   STOPPING   all have been told to stop, so that nobody forks while they are killed
 *   DYING      all have been killed, and some are not gone yet
 *
 * Runs in: supervisor.
 * Hostile: the processes that are to die. They may fork, exit and resume one another meanwhile; a
 *   deadline ends every phase.
 * Owns: nothing. Whoever gives a killing up before it is over calls cgroup_freeze(…, false).
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
    int killed;           /* how many were, the first time */
    int quiet;            /* rounds in which all were seen to have stopped */
    uint64_t pause;       /* until the next look; longer each time */
    uint64_t next;        /* when that is */
    uint64_t phase_until; /* when the next phase begins at the latest */
    uint64_t give_up_at;  /* when all of it ends at the latest */
};

#define KILL_INIT ((struct kill){.phase = KILL_BEGIN})

#define KILL_STOP_NS 250000000ull  /* for all to stop */
#define KILL_ROUND_NS 250000000ull /* for all to die, until they are stopped and killed once more */
#define KILL_NS 2000000000ull      /* for everything */
#define KILL_PAUSE_NS 100000ull
#define KILL_PAUSE_MOST_NS 10000000ull

static inline void kill_enter(struct kill *k, enum kill_phase phase, uint64_t lasts) {
    k->phase = phase;
    k->pause = KILL_PAUSE_NS;
    k->quiet = 0;
    k->phase_until = now_ns() + lasts;
}

/* Not over: to be looked at again at k->next. */
static inline int kill_later(struct kill *k) {
    k->next = now_ns() + k->pause;
    if (k->pause < KILL_PAUSE_MOST_NS)
        k->pause *= 2;
    return -EAGAIN;
}

static inline bool kill_gives_up(const struct kill *k) {
    return now_ns() >= k->give_up_at && !failpoint(FP_kill_patience);
}

static inline bool kill_stops_no_more(const struct kill *k) {
    return now_ns() >= k->phase_until && !failpoint(FP_stop_patience);
}
