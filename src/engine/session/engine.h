/* An engine: the supervisors that it starts, and the list of its sessions. Everything in these
 * folders is behind include/retort.h.
 *
 * Runs in: whatever program uses the library, in any of its threads. Touches no signal, waits for
 *   no child but the supervisors, and starts no thread on the way from a cell to its result (except
 *   one in the store, to hash large files).
 * Hostile: nothing; what guests say is taken by sessions.
 * Life cycle: engine_alloc, engine_start; engine_stop, engine_free.
 * Owns: the supervisors, the ledger, the idle thread; sessions until they are closed.
 * Invariants: `lock` guards the list, the queue of idle.h and `packages`, is held for moments only,
 *   and never while waiting for a session's.
 * Tests: tests/system/test_library.py
 */
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "engine/gateway/gateway.h"
#include "engine/judges/judges.h"
#include "engine/pairs/pairs.h"
#include "retort.h"
#include "wire/control.h"

struct retort_session;

struct retort_engine {
    pthread_mutex_t lock;
    struct pairs pairs;
    struct retort_session *sessions;
    unsigned count, max_sessions;
    struct ledger *ledger;  /* NULL: nothing is recorded */
    char *state_dir;        /* as the caller named it, or NULL */
    json_t *packages;       /* fingerprint.c: what environments contain */
    struct gateway gateway; /* for sessions that may use the network */
    struct judges judges;   /* for sessions whose code is read before it runs */
    uint64_t branchings;
    atomic_uint_fast64_t given_back; /* bytes that ended sessions had, since the last malloc_trim */
    /* idle.c: one thread that takes the checkpoints that are due */
    pthread_t idle_thread;
    int idle_timer;
    uint64_t idle_until;
    struct retort_session *due_first, *due_last;
    bool idle_running, closing;
};

struct retort_engine *engine_alloc(const struct retort_engine_options *o);
int engine_start(struct retort_engine *e, struct retort_error *err); /* the supervisors */
void engine_stop(struct retort_engine *e);
void engine_free(struct retort_engine *e);
int engine_admit(struct retort_engine *e, struct retort_session *s, struct retort_error *err);
void engine_dismiss(struct retort_engine *e, struct retort_session *s);
