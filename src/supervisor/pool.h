/* What is kept for the next session: prepared ones of each environment with a zygote, or for which
 * somebody has asked for JavaScript, and cgroups of ended ones.
 *
 * Runs in: supervisor.
 * Hostile: nothing; a prepared session has run no code of a guest, and a cgroup is used again only
 * when it is empty and as good as new.
 * Invariants: a session is in its environment's list exactly while it is READY, and has no owner then,
 *   nor while it is being made for a pool.
 * Owns: the cgroups that are spare. Prepared sessions are in `sup.sessions` like all others.
 * Tests: tests/system/test_sessions.py
 */
#pragma once

#include "supervisor/supervisor.h"

struct session;
struct session_terms;

/* A session's place among the prepared ones. All zero: it has none. */
struct pool_place {
    struct session *next; /* the next session in the same pool */
    bool making;          /* it is being made for a pool */
};

const char *pool_broken(const struct session *s);

bool pool_forks(const struct session_terms *terms); /* whether a zygote forks such sessions */
/* Whether it could come from a pool. `env_block`: its own variables, which a node that has started
 * would ignore. */
bool pool_serves(const struct ctl_create *create, int env_block);
/* A prepared session that fits, newest first, because its pages are the warmest; or NULL. */
struct session *pool_take(struct environment *env, const struct ctl_create *create);
void pool_add(struct session *s);      /* for a session that is ready and has no owner */
void pool_prepared(struct session *s); /* it is no longer being made for the pool */
void pool_drop(struct session *s);     /* for a session that ends, perhaps one of a pool */
/* Whether a pool lacks a session; with `now`, begins to make one. */
bool pool_refill(bool now);

bool pool_limits_equal(const struct limits *a, const struct limits *b); /* compares all limits */
int pool_take_cgroup(struct session *s, struct retort_error *err);
void pool_give_cgroup(struct session *s); /* keeps or removes it */
