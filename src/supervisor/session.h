/* A session as the supervisor sees it: an init, an interpreter, perhaps a dormant checkpoint, a
 * collector; a cgroup, a uid; and the socket of its owner.
 *
 *   state     what it means                                    entered by         left for
 *   STARTING  cloned; its first process builds its root        birth_begin        FORKING, DYING
 *   FORKING   a zygote or init makes the interpreter           session_on_init    READY, LIVE, DYING
 *   READY     complete, waits in its environment's pool        pool_add           LIVE, DYING
 *   LIVE      has an owner                                     session_hand_over  HULL, EMPTYING, DYING
 *   HULL      only init is left, because branches live in its  branch_hull        DYING
 *             namespaces
 *   EMPTYING  its interpreter has been killed                  spare_begin        SPARE, DYING
 *   SPARE     only init is left, for the next session          spare_look         STARTING, DYING
 *   DYING     init has been killed                             session_kill       (freed)
 *
 * Runs in: supervisor.
 * Owns: every process, descriptor, cgroup and uid that it names.
 * Invariants: those of its parts, and session_check.c; with RETORT_CHECKED the loop looks at them
 *   after every event.
 * Tests: tests/system/test_sessions.py, tests/hostile/test_l_sessions.py */
#pragma once

#include "supervisor/birth.h"
#include "supervisor/branch/branch.h"
#include "supervisor/network.h"
#include "supervisor/parts/checkpoint.h"
#include "supervisor/parts/companion.h"
#include "supervisor/parts/interpreter.h"
#include "supervisor/parts/killing.h"
#include "supervisor/parts/letters.h"
#include "supervisor/parts/memory.h"
#include "supervisor/parts/pid1.h"
#include "supervisor/pool.h"
#include "supervisor/spare.h"
#include "supervisor/supervisor.h"

enum session_state {
    SESSION_STARTING,
    SESSION_FORKING,
    SESSION_READY,
    SESSION_LIVE,
    SESSION_HULL,
    SESSION_EMPTYING,
    SESSION_SPARE,
    SESSION_DYING
};

/* The part of struct ctl_create that each session has for itself. Sessions share the environment:
 * with it, each of thousands of resting ones would have five kilobytes more, and every clone copies
 * the page tables of all that. */
struct session_terms {
    uint32_t language, flags, allow_missing;
    struct limits limits;
};

struct session {
    struct session *next;
    enum session_state state;
    unsigned id, uid;
    bool warm; /* forked from a zygote */
    struct environment *env;
    struct session_terms terms;
    uint32_t layers, missing, skip; /* layers that are in force; that are not; that we do not even
                                       try */
    struct source ctl;              /* the owner, -1 while it has none */
    struct letters letters;         /* messages that it could not be sent yet */
    struct cgroup cgroup;
    struct proctree tree;
    /* Parts: the header of each says what it owns and what is always true of it. */
    struct pid1 pid1;
    struct interpreter interp;
    struct companion *companions[LANG_COUNT]; /* other interpreters, or NULL */
    struct checkpoint checkpoint;
    struct memory memory;
    struct killing killing;
    struct birth birth;
    struct network network;
    struct pool_place pool;
    struct branching branching;
    struct remains remains;
};

/* session.c: takes both descriptors. Reports failure on the session's socket. */
void session_create(const struct ctl_create *create, int sock, int env_fd,
                    const struct retort_error *start_error);
struct session_terms session_terms_of(const struct ctl_create *create);
struct session *session_new(struct environment *env, const struct session_terms *terms);
/* The same, or an ended session that fits. */
struct session *session_next(struct environment *env, const struct session_terms *terms);
void session_init_ready(struct session *s); /* its first process is up: gets its interpreter */
int session_watch(struct session *s, struct source *source, int fd, source_fn ready);
void session_lose_owner(struct session *s); /* also drops messages that wait for the owner */
void session_tell(struct session *s, const void *msg, size_t len, const int *fds, size_t nfds);
void session_hand_over(struct session *s);
/* When to call sessions_rest() next: sessions that have had an owner for a while give up
 * descriptors that they hardly ever need again. */
uint64_t sessions_rest_next(void);
void sessions_rest(void);

/* Three ways to end a session: its owner is done with it, and `channel` (or -1) is kept open until
 * it is gone; it cannot be made; it is killed. */
void session_dismiss(struct session *s, int channel);
void session_fail(struct session *s, const struct retort_error *err);
void session_kill(struct session *s);
void session_release(struct session *s, int killed); /* frees it if it is dead; a killing_fn */
void session_fail_socket(int sock, const struct retort_error *err); /* takes the socket */

/* Events: from init, and from an interpreter until it is locked in. */
void session_on_init(struct source *source);
void session_on_setup(struct source *source);
/* A zygote is ready, or has reported the end of a child. */
void session_zygote_ready(struct zygote *zygote);
void session_interpreter_ended(pid_t pid, int status);
void session_child_ended(pid_t pid, int status); /* for any child: pid 1 also reaps orphans */

/* Holds a process that a guest may have ended: returns a pidfd if it lives in the session's pid
 * namespace. */
int session_hold(const struct session *s, pid_t pid);

/* session_check.c: with RETORT_CHECKED, ends the supervisor with the name of an invariant that a
 * session violates. Between two events all hold. */
void sessions_check(void);
