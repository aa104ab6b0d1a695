/* A supervisor of an engine, with its keeper and the zygotes that it makes. Pairs know nothing of
 * each other. When a supervisor has died, another takes its place.
 *
 * Runs in: the broker, in any thread.
 * Hostile: nothing; the supervisor is ours.
 * Life cycle: pair_init, pair_start; pair_stop, pair_done.
 * Owns: the process and both sockets; the thread that puts another in the place of one that has died.
 * Invariants: `lock` guards them, and is held while a request is written. While it is `mending` they
 *   are that thread's alone, which holds no lock: only who can be served by no other pair waits for it.
 *   No other lock is taken with `lock` held.
 * Tests: tests/unit/test_pairs.c, tests/system/test_pairs.py, tests/system/test_library.py
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "engine/pairs/launch.h"
#include "wire/control.h"

struct pair_settings {
    char libexec[512];
    unsigned pool; /* 0: for one program, which ends with its supervisor */
    bool home;
    unsigned count;   /* of pairs: they share the signals that the caller may have waiting */
    bool keep_rights; /* for supervisors that begin when the caller has given up its own */
    struct launch launch;
};

struct pair {
    const struct pair_settings *settings;
    pthread_mutex_t lock;
    pid_t supervisor; /* our child, or 0 */
    int launched;     /* pidfd of one that a launcher has started, or -1 */
    int main_sock;
    int names_sock; /* to the keeper: paths that sessions need mounted */
    uint32_t needs; /* layers of the first pair: without one of them a supervisor gives up */
    uid_t caller;   /* whose rights it was started with */
    atomic_uint generation; /* how many have died; changed while it is mending */
    atomic_bool mending;    /* changed with the lock held */
    pthread_cond_t mended;
    pthread_t mender;
    bool has_mender;      /* to be joined */
    atomic_bool off;      /* it can make no session any more; changed with the lock held */
    atomic_uint failures; /* to make a session, since it made one */
    atomic_uint sessions; /* the ones it has now */
    atomic_uint births;   /* sessions that somebody waits for */
    atomic_uint replaced; /* supervisors that died */
};

void pair_init(struct pair *p, const struct pair_settings *settings);
void pair_done(struct pair *p);
/* What a supervisor of it is told first. `tell`: pair_stands() is to follow. */
struct ctl_hello pair_hello(const struct pair *p, bool tell);
int pair_start(struct pair *p, bool tell, struct retort_error *err);
/* Waits until it has its cgroup and its ids. False: it has failed, and says why to who asks it. */
bool pair_stands(struct pair *p, uint32_t *ret_layers);
void pair_end(struct pair *p);  /* tells it to end */
void pair_stop(struct pair *p); /* and waits for that */

/* Which supervisor it has; if none just now, this waits for the next. */
unsigned pair_generation(struct pair *p);
/* Asks this one for a session, and no other: that would be cold. -EPIPE if it is gone. fds are the session's
 * socket and its environment variables. The answer comes on that socket. If the supervisor dies first, the
 * socket ends without an answer. */
int pair_ask(struct pair *p, const struct ctl_create *create, const int fds[2],
             unsigned generation);
/* Why the supervisor hung up, if it said so. */
int pair_failure(struct pair *p, struct retort_error *err);
bool pair_lives(struct pair *p);
/* Lets another take the place of a supervisor that is gone. 1: it has, or will in a moment; 0: it lives;
 * less: there is none, and none with the same rights can be started. */
int pair_replace(struct pair *p, unsigned generation, struct retort_error *err);

/* A session comes to it, and leaves it. */
struct pair *pair_join(struct pair *p);
void pair_leave(struct pair **p);
