/* A lane lets so many through at once; whoever else comes waits for a turn, in a queue that is bounded
 * in length and in time.
 *
 * Owners share a lane: of those who wait, the owner with the fewest inside is next. Nobody has more
 * inside than is left free, so that an owner who has none finds a place however long the others stay,
 * and nobody has more of the queue than is left of it.
 *
 * Runs in: broker, any thread.
 * Hostile: clients, by how many come and how long they stay.
 * Life cycle: lane_init; lane_enter and lane_leave; lane_done when nobody is inside.
 * Owns: what it knows of owners who are inside or wait.
 * Invariants: running <= slots, if there is such a limit; the lock is held for moments, and no other
 *   lock is taken with it held.
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
    const char *what;  /* pass here: "cells", "sessions" */
    unsigned slots;    /* 0: no limit */
    unsigned places;   /* in the queue */
    uint64_t patience; /* ns that anybody waits */
    pthread_mutex_t lock;
    struct lane_owner *owners;
    struct lane_waiter *first; /* who has waited for longest */
    unsigned running, waiting;
    uint64_t mean_ns; /* that one stays inside */
    uint64_t passed, waited_ns, refused_full, refused_late;
};

/* What one who is inside has to give back. */
struct lane_pass {
    struct lane *lane; /* NULL: nothing */
    struct lane_owner *owner;
    uint64_t since_ns;
};

/* Asked about once a second, and after lane_nudge, of one who waits: whether it need not any more. */
struct lane_wait {
    bool (*given_up)(void *user);
    void *user;
};

struct lane_state {
    unsigned running, waiting;
    uint64_t passed, waited_ns, refused_full, refused_late;
    unsigned retry_after; /* seconds until one who comes then may hope for a turn */
};

void lane_init(struct lane *lane, const char *what, unsigned slots, unsigned places,
               double patience);
void lane_done(struct lane *lane);
/* 0: the pass is to be left; it is empty if the one who waited gave up. LIMIT/EBUSY: no place to wait
 * in, or no turn in time. */
int lane_enter(struct lane *lane, const char *owner, const struct lane_wait *wait,
               struct lane_pass *ret_pass, struct retort_error *error);
void lane_leave(struct lane_pass *pass);
/* Somebody who waits may have been given up. */
void lane_nudge(struct lane *lane);
struct lane_state lane_state(struct lane *lane);
