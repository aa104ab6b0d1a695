#include "supervisor/parts/killing.h"

#include <errno.h>
#include <stdlib.h>

#include "base/io.h"
#include "sandbox/process.h"
#include "supervisor/session.h"

#define REMOVE_PAUSE_NS 1000000ull
#define REMOVE_NS 10000000000ull

/* A cgroup that becomes empty. */
struct removal {
    struct removal *next;
    struct cgroup cgroup;
    uint64_t pause, look_at, until;
};

static struct session *sessions; /* sessions with a killing under way, linked by killing.next */
static struct removal *removals;

/* --- killings --- */

#define KEPT (2 + LANG_COUNT)
#define KNOWN 64

static size_t keep_list(const struct session *s, pid_t keep[KEPT]) {
    size_t n = 0;
    keep[n++] = s->pid1.pid;
    if (process_lives(s->checkpoint.end.fd))
        keep[n++] = s->checkpoint.pid;
    if (!(s->killing.victims & LANGUAGE_BIT(s->terms.language)) && process_lives(s->interp.pidfd))
        keep[n++] = s->interp.pid;
    return n + companion_spare(s, s->killing.victims, keep + n);
}

/* Processes of other sessions do not concern us, but without a cgroup we have to look at each to
 * tell. We note as many as fit, so that we need not look at these. */
static size_t known_list(const struct session *s, pid_t known[KNOWN]) {
    size_t n = 0;
    for (const struct session *o = sup.sessions; o && n + 2 <= KNOWN; o = o->next) {
        if (o != s && process_lives(o->pid1.pidfd))
            known[n++] = o->pid1.pid;
        if (o != s && process_lives(o->interp.pidfd))
            known[n++] = o->interp.pid;
    }
    return n;
}

static int killing_step(struct session *s) {
    pid_t keep[KEPT + KNOWN];
    if (s->checkpoint.coming.fd >= 0) /* a new checkpoint may have reported, and not be heard yet */
        checkpoint_hear(&s->checkpoint.coming);
    size_t n = keep_list(s, keep);
    if (s->cgroup.root)
        return cgroup_kill_step(&s->cgroup, keep, n, &s->killing.kill);
    n += known_list(s, keep + n);
    return proctree_kill_step(&s->tree, keep, n, &s->killing.kill);
}

static void killing_unlist(struct session *s) {
    for (struct session **p = &sessions; *p; p = &(*p)->killing.next)
        if (*p == s) {
            *p = s->killing.next;
            break;
        }
    s->killing = (struct killing){.done = NULL};
}

static void killing_thaw(const struct session *s) {
    if (s->killing.kill.phase == KILL_STOPPING)
        cgroup_freeze(&s->cgroup, false);
}

int killing_begin(struct session *s, uint32_t victims, killing_fn *done) {
    s->killing = (struct killing){.victims = victims};
    int r = killing_step(s);
    if (r != -EAGAIN)
        return r;
    s->killing.done = done;
    s->killing.next = sessions;
    sessions = s;
    source_pause(&s->ctl);
    return -EINPROGRESS;
}

bool killing_goes_on(const struct session *s) {
    return s->killing.done != NULL;
}

void killing_drop(struct session *s) {
    if (!killing_goes_on(s))
        return;
    killing_thaw(s);
    killing_unlist(s);
}

void killing_thaw_all(void) {
    for (struct session *s = sessions; s; s = s->killing.next)
        killing_thaw(s);
}

/* From here on the owner's requests are read again. */
static void killing_finish(struct session *s, int killed) {
    killing_fn *done = s->killing.done;
    killing_unlist(s);
    source_resume(&s->ctl);
    done(s, killed);
}

static struct session *due_session(uint64_t now) {
    struct session *s = sessions;
    while (s && s->killing.kill.next > now)
        s = s->killing.next;
    return s;
}

const char *killing_broken(const struct session *s) {
    const struct session *listed = sessions;
    while (listed && listed != s)
        listed = listed->killing.next;
    return (listed != NULL) == killing_goes_on(s) ? NULL : "a killing that nobody looks after";
}

/* --- cgroups --- */

void killing_remove_cgroup(struct cgroup *cgroup) {
    struct removal *r = cgroup_remove(cgroup) == -EBUSY ? malloc(sizeof *r) : NULL;
    if (r) {
        uint64_t now = now_ns();
        *r = (struct removal){.next = removals,
                              .cgroup = *cgroup,
                              .pause = REMOVE_PAUSE_NS,
                              .look_at = now + REMOVE_PAUSE_NS,
                              .until = now + REMOVE_NS};
        removals = r;
    }
    *cgroup = CGROUP_NONE;
}

static void look_at_removals(uint64_t now) {
    for (struct removal **p = &removals, *r; (r = *p);) {
        if (r->look_at <= now) {
            if (cgroup_remove(&r->cgroup) != -EBUSY || now >= r->until) {
                *p = r->next;
                free(r);
                continue;
            }
            r->pause *= 2;
            r->look_at = now + r->pause;
        }
        p = &r->next;
    }
}

/* --- for the loop --- */

uint64_t killing_next(void) {
    uint64_t next = UINT64_MAX;
    for (const struct session *s = sessions; s; s = s->killing.next)
        next = s->killing.kill.next < next ? s->killing.kill.next : next;
    for (const struct removal *r = removals; r; r = r->next)
        next = r->look_at < next ? r->look_at : next;
    return next;
}

/* `done` may free any session and begin other killings, so we start at the list's head after
 * each. */
void killing_look(void) {
    if (!sessions && !removals)
        return;
    uint64_t now = now_ns();
    for (struct session *s; (s = due_session(now));) {
        int r = killing_step(s);
        if (r != -EAGAIN)
            killing_finish(s, r);
    }
    look_at_removals(now);
}
