#include "supervisor/pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/tiny.h"
#include "sandbox/ablation/failpoint.h"
#include "sandbox/rootfs.h"
#include "supervisor/birth.h"
#include "supervisor/parts/killing.h"
#include "supervisor/zygote.h"

/* --- environments, each with a pool --- */

#define REST_NS SOON(10ull * 60 * 1000000000, 1ull * 1000000000)
#define MAX_RESTING 8 /* warm interpreters that are kept although nobody uses them now */

static bool same_environment(const struct environment *e, const struct ctl_create *create) {
    return e->flags == (create->flags & CREATE_DETERMINISTIC) && e->language == create->language &&
           memcmp(&e->env, &create->env, sizeof e->env) == 0;
}

struct environment *environment_get(const struct ctl_create *create, struct retort_error *err) {
    const struct ctl_environment *env = &create->env;
    for (struct environment *e = sup.environments; e; e = e->next)
        if (same_environment(e, create)) {
            e->used = now_ns();
            return e;
        }
    struct environment *e = failpoint(FP_environment) ? NULL : calloc(1, sizeof *e);
    if (!e) {
        err_errno(err, ERR_HOST, ENOMEM, "cannot hold another environment");
        return NULL;
    }
    e->env = *env;
    e->flags = create->flags & CREATE_DETERMINISTIC;
    e->language = create->language;
    e->used = now_ns();
    /* Environment 0 is the system's own: its skeleton is empty and is part of the base. */
    static unsigned last;
    if (env->prefix[0][0] || env->packages[0]) {
        e->id = ++last;
        if (rootfs_environment(e->id, env, keeper_open, &sup, err) < 0) {
            free(e);
            return NULL;
        }
    }
    e->next = sup.environments;
    sup.environments = e;
    return e;
}

/* Sessions in the pool have no owner, and do not count. */
static bool environment_in_use(const struct environment *e) {
    return !zygote_is_ready(e->zygote) || zygote_children(e->zygote) > e->nready;
}

/* The environment that was unused longest, of those that could rest, and how many there are. An
 * environment that prepares a session cannot rest yet: that session would come to a pool that
 * nobody looks at, and keep its zygote. */
static struct environment *longest_unused(unsigned *ret_count) {
    struct environment *found = NULL;
    *ret_count = 0;
    for (struct environment *e = sup.environments; e; e = e->next) {
        if (e->id == 0 || !e->zygote || e->npreparing)
            continue;
        if (environment_in_use(e)) {
            e->used = now_ns();
            continue;
        }
        ++*ret_count;
        if (!found || e->used < found->used)
            found = e;
    }
    return found;
}

uint64_t environment_next(void) {
    unsigned count;
    const struct environment *e = longest_unused(&count);
    return !e ? UINT64_MAX : count > MAX_RESTING ? 0 : e->used + REST_NS;
}

void environment_rest(void) {
    unsigned count;
    struct environment *e = longest_unused(&count);
    if (!e || (count <= MAX_RESTING && now_ns() < e->used + REST_NS))
        return;
    while (e->ready)
        session_kill(e->ready);
    zygote_dismiss(e);
}

/* --- cgroups --- */

/* Cgroups of ended sessions, for the next ones: making and removing one costs more than checking
 * whether it is as good as new. Those left at the end are removed with the engine's. */
#define SPARE_CGROUPS 4

static struct spare {
    struct cgroup cgroup;
    struct limits limits; /* the limits that are set in it */
} spares[SPARE_CGROUPS];

bool pool_limits_equal(const struct limits *a, const struct limits *b) {
    return a->memory == b->memory && a->disk == b->disk && a->inodes == b->inodes &&
           a->pids == b->pids && a->open_files == b->open_files;
}

int pool_take_cgroup(struct session *s, struct retort_error *err) {
    for (struct spare *p = spares; p < spares + SPARE_CGROUPS; p++) {
        if (!p->cgroup.root)
            continue;
        bool same = pool_limits_equal(&p->limits, &s->terms.limits);
        s->cgroup = p->cgroup;
        p->cgroup = CGROUP_NONE;
        if (cgroup_recycle(&s->cgroup, same ? NULL : &s->terms.limits) == 0)
            return 0;
        killing_remove_cgroup(&s->cgroup);
    }
    return cgroup_make(&sup.cgroups, s->id, &s->terms.limits, &s->cgroup, err);
}

/* Not for a branch's cgroup: we cannot tell which processes came into it from the parent's. */
void pool_give_cgroup(struct session *s) {
    bool plain = s->cgroup.root && !s->branching.parent && !s->branching.forker_pid;
    for (struct spare *p = spares; p < spares + SPARE_CGROUPS && plain; p++)
        if (!p->cgroup.root) {
            *p = (struct spare){.cgroup = s->cgroup};
            if (!s->memory.files && !s->memory.copies)
                p->limits = s->terms.limits;
            return;
        }
    killing_remove_cgroup(&s->cgroup);
}

/* --- sessions --- */

#define MAX_COLD 2

static bool pool_has(const struct environment *env, const struct session *s) {
    const struct session *listed = env->ready;
    while (listed && listed != s)
        listed = listed->pool.next;
    return listed != NULL;
}

const char *pool_broken(const struct session *s) {
    if (pool_has(s->env, s) != (s->state == SESSION_READY))
        return "a session waits in a pool and is not ready, or the other way round";
    if (s->ctl.fd >= 0 && (s->pool.making || s->state == SESSION_READY))
        return "a session for a pool has an owner";
    return s->pool.making && s->state > SESSION_FORKING
               ? "a session that is complete is still being made"
               : NULL;
}

bool pool_forks(const struct session_terms *terms) {
    return sup.pool > 0 && terms->language == LANG_PYTHON && !(terms->flags & CREATE_FRESH);
}

bool pool_serves(const struct ctl_create *create, int env_block) {
    struct stat st;
    struct session_terms terms = session_terms_of(create);
    return pool_forks(&terms) ||
           (sup.pool > 0 && create->language == LANG_JAVASCRIPT &&
            !(create->flags & CREATE_FRESH) && fstat(env_block, &st) == 0 && st.st_size == 0);
}

void pool_add(struct session *s) {
    pool_prepared(s);
    s->state = SESSION_READY;
    s->pool.next = s->env->ready;
    s->env->ready = s;
    s->env->nready++;
}

void pool_prepared(struct session *s) {
    s->env->npreparing -= s->pool.making;
    s->pool.making = false;
}

void pool_drop(struct session *s) {
    for (struct session **p = &s->env->ready; *p; p = &(*p)->pool.next)
        if (*p == s) {
            *p = s->pool.next;
            s->env->nready--;
            break;
        }
    if (s->pool.making) { /* it would fail again, so none is made until somebody asks for one */
        pool_prepared(s);
        s->env->pool_failed = true;
    }
}

/* A prepared session that fits, the newest first, because its pages are the warmest. */
struct session *pool_take(struct environment *env, const struct ctl_create *create) {
    for (struct session **p = &env->ready; *p; p = &(*p)->pool.next) {
        struct session *s = *p;
        if (!pool_limits_equal(&s->terms.limits, &create->limits) || s->interp.exit_told ||
            s->terms.flags != create->flags)
            continue;
        *p = s->pool.next;
        env->nready--;
        return s;
    }
    return NULL;
}

/* Each has an interpreter of its own, which shares no memory with the others: so there are few. */
static unsigned pool_size(const struct environment *env) {
    if (env->language == LANG_JAVASCRIPT && env->pattern.head.type)
        return sup.pool < MAX_COLD ? sup.pool : MAX_COLD;
    return env->zygote && zygote_is_ready(env->zygote) ? sup.pool : 0;
}

/* A client that has asked comes first: the machine may seem idle before its session is there. */
static bool pool_is_asked(const struct environment *env) {
    for (const struct session *s = sup.sessions; s; s = s->next)
        if (s->env == env && !s->pool.making && s->state <= SESSION_FORKING)
            return true;
    return false;
}

static bool pool_wants(const struct environment *env) {
    return !env->pool_failed && env->nready + env->npreparing < pool_size(env) &&
           !(env->language == LANG_JAVASCRIPT && pool_is_asked(env));
}

bool pool_refill(bool now) {
    for (struct environment *env = sup.environments; env; env = env->next) {
        if (!pool_wants(env))
            continue;
        struct session_terms terms = session_terms_of(&env->pattern);
        struct session *s = now ? session_next(env, &terms) : NULL;
        env->pool_failed = now && !s; /* so that we do not try for ever */
        if (s) {
            s->pool.making = true;
            env->npreparing++;
            birth_begin(s, -1);
        }
        return true;
    }
    return false;
}
