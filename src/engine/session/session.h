/* A session: its state, and the parts that it is made of.
 *
 *   NEW    → LIVE    session_begin   its process is there, others may use it
 *   LIVE   → ASLEEP  session_sleep   nobody used it for long, or it used too much between cells
 *   ASLEEP → LIVE    session_wake    brought back by replay
 *   LIVE   → ENDED   execute_finish  its one program has run; its files can still be read
 *   LIVE   → ENDED   session_finish  its state is lost, or another branch was kept
 *   ASLEEP → ENDED   session_finish  another branch was kept
 *
 * Runs in: the broker, in any thread.
 * Hostile: see the parts.
 * Life cycle: session_alloc; session_open, session_resume_recorded or a branch makes it;
 *   session_begin; session_free.
 * Owns: its parts; the engine has it in its list from engine_admit to engine_dismiss.
 * Invariants: session_broken() names them. `lock` is held for a whole cell, and is taken and left
 *   by session_enter and session_leave, which look at them in builds with RETORT_CHECKED.
 *   Nobody waits for it with the engine's lock held.
 * Tests: tests/unit/test_session.c, tests/system/test_model.py
 */
#pragma once

#include <pthread.h>

#include "engine/files/files.h"
#include "engine/gateway/uplink.h"
#include "engine/parts/account.h"
#include "engine/parts/interp.h"
#include "engine/parts/isolation.h"
#include "engine/parts/measure.h"
#include "engine/parts/outputs.h"
#include "engine/parts/spec.h"
#include "engine/parts/tools.h"
#include "engine/proof/proof.h"
#include "engine/session/engine.h"
#include "engine/session/idle.h"
#include "engine/session/steps.h"

/* The review of its code. */
struct reviewed {
    struct code_judge *judge; /* NULL: nobody has judged yet */
    json_t *told;             /* rules that have sent code back already, or NULL */
};

enum session_state { SESSION_NEW, SESSION_LIVE, SESSION_ASLEEP, SESSION_ENDED };

struct retort_session {
    struct retort_session *next, *before; /* in the engine's list */
    struct retort_engine *engine;
    struct pair *pair; /* the supervisor of its process; NULL: it has no process */
    pthread_mutex_t lock;
    char id[SESSION_ID_SIZE];
    _Atomic(enum session_state) state; /* this, `cells` and the account are read without the lock */
    const struct session_spec *spec;
    struct interp interp;              /* of its own language */
    struct interp *others[LANG_COUNT]; /* NULL until there was one */
    struct isolation iso;
    struct usage usage;
    struct files files;
    struct outputs outputs;
    struct timeline timeline;
    struct host_tools tools;
    struct uplink uplink;
    struct idle_link idle;
    struct account account;
    struct proof proof;
    struct reviewed reviewed;
    atomic_uint cells;
    bool recorded;
    json_t *last;       /* compare.c: the last result in short, or NULL */
    uint64_t branching; /* the same number for all branches that were made at once; 0: no branch */
};

struct retort_session *session_alloc(struct retort_engine *e);
void session_free(struct retort_session *s);
/* Sets what the session was asked to be, once. Takes the reference. */
int session_specify(struct retort_session *s, const struct session_spec *spec,
                    struct retort_error *err);
/* From here on everything goes into the ledger, or nothing does. */
void session_set_recorded(struct retort_session *s, bool recorded);
/* The last step of its making, without its lock: from here on the idle thread may look at it. */
void session_begin(struct retort_session *s);

void session_enter(struct retort_session *s);
bool session_try_enter(struct retort_session *s);
void session_leave(struct retort_session *s);
/* The first invariant that does not hold, or NULL. With the lock held, and between cells. */
const char *session_broken(const struct retort_session *s);

/* Bytes that are held for frames of its interpreters. */
uint64_t session_frames(const struct retort_session *s);

/* Ends its processes and the checkpoint; `state` stays as it was. */
void session_disconnect(struct retort_session *s);
/* Ends its processes for good. */
void session_finish(struct retort_session *s);
