/* A lane lets a limited number of requests through at once. The others wait for a turn, in a queue
 * that is bounded in length and in time.
 *
 * Owners share a lane: the next turn goes to the waiting owner with the fewest inside. No owner may
 * have more inside than there are free slots, so that an owner with none finds a slot however long
 * the others stay. The places of the queue are shared in the same way.
 *
 * Runs in: broker, any thread.
 * Hostile: clients, by the number of their requests and how long these stay.
 * Life cycle: lane_init; lane_enter and lane_leave; lane_done when nobody is inside.
 * Owns: what it knows of owners who are inside or wait.
 * Invariants: running <= slots, if there is such a limit; the lock is held for moments, and no
 *   other lock is taken with it held.
 * Tests: tests/unit/test_lane.c, tests/system/test_admission.py
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "retort.h"

struct lane_owner;
struct lane_waiter;

struct lane {
    const char *what;  /* what passes here: "cells", "sessions" */
    unsigned slots;    /* 0: no limit */
    unsigned places;   /* of the queue */
    uint64_t patience; /* ns that a request waits at most */
    pthread_mutex_t lock;
    struct lane_owner *owners;
    struct lane_waiter *first; /* has waited longest */
    unsigned running, waiting;
    uint64_t mean_ns; /* how long a request stays inside, on average */
    uint64_t passed, waited_ns, refused_full, refused_late;
};

/* A request that is inside gives this back. */
struct lane_pass {
    struct lane *lane; /* NULL: nothing */
    struct lane_owner *owner;
    uint64_t since_ns;
};

/* Called about once a second, and after lane_nudge, for a waiting request: whether it may stop
 * waiting. */
struct lane_wait {
    bool (*given_up)(void *user);
    void *user;
};

struct lane_state {
    unsigned running, waiting;
    uint64_t passed, waited_ns, refused_full, refused_late;
    unsigned retry_after; /* seconds after which a refused client may hope for a turn */
};

void lane_init(struct lane *lane, const char *what, unsigned slots, unsigned places,
               double patience);
void lane_done(struct lane *lane);
/* 0: the caller must leave with the pass, which is empty if its wait was given up. LIMIT/EBUSY: the
 * queue is full, or no turn came in time. */
int lane_enter(struct lane *lane, const char *owner, const struct lane_wait *wait,
               struct lane_pass *ret_pass, struct retort_error *error);
void lane_leave(struct lane_pass *pass);
/* A waiting request may have been given up: look now. */
void lane_nudge(struct lane *lane);
struct lane_state lane_state(struct lane *lane);
