#include "supervisor/spare.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "sandbox/ablation/ablation.h"
#include "sandbox/ablation/overlook.h"
#include "sandbox/process.h"
#include "sandbox/renew.h"
#include "supervisor/branch/gate.h"
#include "supervisor/files/collector.h"
#include "supervisor/session.h"
#include "supervisor/sockets.h"

#define SPARE_SESSIONS 32
#define WAKEFUL 8 /* this many keep their cgroup's files open */
/* So that effects that nobody thought of do not add up. */
#define MAX_USES SOON(100, 5)

#define EMPTYING_NS 1000000000ull

static struct session *spares;   /* the last one first: its pages are the warmest */
static struct session *emptying; /* the last one first */
static unsigned nspares;
static bool refused; /* this kernel cannot reset something: nothing is used again */

/* --- as it was when it was new --- */

static uint64_t ns_of(struct timespec t) {
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void spare_init(struct remains *r) {
    *r = (struct remains){.work = -1, .net = -1};
}

void spare_rest(struct remains *r) {
    fd_done(&r->work);
    fd_done(&r->net);
}

void spare_keep(struct session *s) {
    if (s->remains.known) {
        s->remains.work = take_fd(&s->birth.host[CREATED_WORK]);
        s->remains.net = take_fd(&s->birth.host[CREATED_NET]);
    }
    close_all(s->birth.host, CREATED_OWN);
}

/* Whatever is made, removed, renamed or changed in a directory, or in its attributes, changes its
 * ctime, which nobody can set. */
static bool look_at_directories(int work, struct remains *ret) {
    static const char *const names[SPARE_DIRECTORIES] = {"../work", "../tmp", "../dev/shm"};
    struct stat st;
    for (int i = 0; i < SPARE_DIRECTORIES; i++) {
        if (fstatat(work, names[i], &st, AT_SYMLINK_NOFOLLOW) < 0)
            return false;
        ret->changed[i] = ns_of(st.st_ctim);
    }
    ret->inode = st.st_ino + 1; /* /dev/shm was made last */
    return true;
}

/* The kernel's clock for files goes in steps: a guest's change in the same step in which the
 * directory was made would not show. So we look once more when the session gets its owner. */
static bool is_past(const struct remains *r) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    for (int i = 0; i < SPARE_DIRECTORIES; i++)
        if (r->changed[i] >= ns_of(now))
            return false;
    return true;
}

static bool may_ever_be_spare(const struct session *s) {
    return s->warm && s->env->id == 0 && !s->branching.parent && s->network.fd >= 0 &&
           !(s->terms.flags & CREATE_DETERMINISTIC) && !notices(CHECK_layers, ablation_mask() != 0);
}

void spare_note(struct session *s) {
    struct remains *r = &s->remains;
    if (!r->known && may_ever_be_spare(s))
        r->known = look_at_directories(s->birth.host[CREATED_WORK], r) && is_past(r);
}

void spare_never(struct session *s) {
    if (!overlooks(CHECK_branched))
        s->remains.known = false;
}

/* --- is it as new? --- */

/* The reasoning needs these: the layers that keep a guest from changing anything else. */
#define NEEDED (LAYERS_ALL & ~LAYER_BIT(LAYER_UID))

static bool has_companions(const struct session *s) {
    for (uint32_t i = 0; i < LANG_COUNT; i++)
        if (s->companions[i])
            return true;
    return false;
}

/* Its filter reported every call whose effect lasts, and it never had other processes than those we
 * know. */
static bool may_be_spare(const struct session *s) {
    return s->state == SESSION_LIVE && s->remains.known &&
           !notices(CHECK_layers, (s->layers & NEEDED) != NEEDED) && !killing_goes_on(s) &&
           s->checkpoint.coming.fd < 0 && !notices(CHECK_uses, s->remains.uses >= MAX_USES) &&
           !notices(CHECK_collected, s->network.collected) &&
           !notices(CHECK_companions, has_companions(s)) &&
           !notices(CHECK_told, !gate_heard_nothing(s->branching.gate));
}

/* A guest may change the priority and the processors of other processes of its uid. */
static bool init_is_as_new(pid_t init) {
    cpu_set_t its, ours;
    int priority = getpriority(PRIO_PROCESS, (id_t)init);
    return !notices(CHECK_priority, priority != getpriority(PRIO_PROCESS, 0)) &&
           sched_getaffinity(init, sizeof its, &its) == 0 &&
           sched_getaffinity(0, sizeof ours, &ours) == 0 &&
           !notices(CHECK_processors, !CPU_EQUAL(&its, &ours));
}

static bool files_are_as_new(const struct session *s) {
    struct remains now;
    return look_at_directories(s->remains.work, &now) &&
           !notices(CHECK_directories,
                    memcmp(now.changed, s->remains.changed, sizeof now.changed) != 0);
}

/* Each look takes a number itself, so the next one is one higher. */
static bool numbers_are_as_new(const struct session *s) {
    uint64_t inode;
    int r = overlooks(CHECK_pids) ? 0 : renew_pids(s->pid1.pidfd);
    refused = refused || r == -ENOENT || r == -EPERM; /* not for want of memory or descriptors */
    return r == 0 && renew_inode(s->remains.work, s->uid, &inode) == 0 &&
           !notices(CHECK_inode, inode != s->remains.inode + s->remains.uses);
}

/* A session that has rested has given its descriptors up. */
static bool has_descriptors(struct session *s) {
    struct retort_error err;
    if (s->remains.work >= 0)
        return true;
    if (files_offer(s, &err) < 0)
        return false;
    spare_keep(s);
    return true;
}

/* For a session in which only init is left. */
static bool are_as_new(struct session *s) {
    return has_descriptors(s) && files_are_as_new(s) && init_is_as_new(s->pid1.pid) &&
           numbers_are_as_new(s);
}

/* --- emptying --- */

/* Nobody knows where there is no cgroup. */
static bool is_counted(struct session *s, int most, enum check check) {
    int tasks = cgroup_counted(&s->cgroup);
    return tasks > 0 && !notices(check, tasks > most);
}

bool spare_begin(struct session *s) {
    bool dormant = process_lives(s->checkpoint.end.fd);
    if (refused || !may_be_spare(s) || !is_counted(s, dormant ? 3 : 2, CHECK_tasks))
        return false;
    s->state = SESSION_EMPTYING;
    s->remains.dormant = dormant;
    s->remains.until = now_ns() + EMPTYING_NS;
    s->remains.next = emptying;
    emptying = s;
    if (dormant)
        process_signal(s->checkpoint.end.fd, SIGKILL);
    if (s->interp.pidfd >= 0)
        process_signal(s->interp.pidfd, SIGKILL);
    spare_look(s);
    return true;
}

static struct session *last_of(struct session *s) {
    while (s && s->remains.next)
        s = s->remains.next;
    return s;
}

static void remove_from(struct session **list, struct session *s) {
    while (*list != s)
        list = &(*list)->remains.next;
    *list = s->remains.next;
}

/* Drops what belonged to the owner, or to an interpreter. */
static void clear(struct session *s) {
    interpreter_done(&s->interp);
    interpreter_init(&s->interp);
    checkpoint_done(&s->checkpoint);
    checkpoint_init(&s->checkpoint);
    birth_done(&s->birth);
    birth_init(&s->birth);
    gate_unref(s->branching.gate);
    s->branching.gate = NULL;
}

/* The kernel counts a process until its parent has been told of its end. */
void spare_look(struct session *s) {
    if (s->state != SESSION_EMPTYING || !s->interp.exit_told)
        return;
    bool empty = is_counted(s, 1, CHECK_tasks_left);
    if (!empty && s->remains.dormant)
        return;
    if (!empty || nspares == SPARE_SESSIONS || !are_as_new(s)) {
        session_kill(s);
        return;
    }
    clear(s);
    if (nspares >= WAKEFUL) /* otherwise births would find no low descriptors (sockets.h) */
        cgroup_rest(&s->cgroup);
    remove_from(&emptying, s);
    s->state = SESSION_SPARE;
    s->remains.uses++;
    s->remains.next = spares;
    spares = s;
    nspares++;
}

void spare_drop(struct session *s) {
    if (s->state != SESSION_SPARE && s->state != SESSION_EMPTYING)
        return;
    remove_from(s->state == SESSION_SPARE ? &spares : &emptying, s);
    nspares -= s->state == SESSION_SPARE;
}

uint64_t spare_next(void) {
    const struct session *s = last_of(emptying);
    return s ? s->remains.until : UINT64_MAX;
}

void spare_expire(void) {
    struct session *s = last_of(emptying);
    if (s && s->remains.until <= now_ns())
        session_kill(s);
}

/* --- the next --- */

static bool suits(const struct session *s, const struct environment *env,
                  const struct session_terms *terms) {
    return s->env == env && s->terms.flags == terms->flags &&
           s->terms.allow_missing == terms->allow_missing &&
           pool_limits_equal(&s->terms.limits, &terms->limits);
}

static struct session *find(const struct environment *env, const struct session_terms *terms) {
    struct session *s = spares;
    while (s && !suits(s, env, terms))
        s = s->remains.next;
    return s;
}

/* Spare sessions serve sessions like the last ones. If others are wanted, or descriptors and memory
 * are short, they make room. */
static void let_oldest_go(void) {
    struct session *oldest = last_of(spares);
    if (oldest)
        session_kill(oldest);
}

struct session *spare_take(struct environment *env, const struct session_terms *terms) {
    for (struct session *s; (s = find(env, terms));) {
        bool room = s->memory.files || s->memory.copies;
        int r = cgroup_renew(&s->cgroup, room ? &terms->limits : NULL);
        refused = refused || r == -EOPNOTSUPP;
        if (r < 0 || !network_is_as_new(s, s->remains.net)) {
            session_kill(s);
            continue;
        }
        spare_drop(s);
        s->memory = (struct memory){0};
        s->terms = *terms;
        s->state = SESSION_STARTING;
        return s;
    }
    let_oldest_go();
    return NULL;
}

const char *spare_broken(const struct session *s) {
    const struct session *listed = spares;
    while (listed && listed != s)
        listed = listed->remains.next;
    if ((listed != NULL) != (s->state == SESSION_SPARE))
        return "a session is spare and not listed, or the other way round";
    bool rests = s->state == SESSION_SPARE || s->state == SESSION_EMPTYING;
    if (rests && s->ctl.fd >= 0)
        return "what is left of a session has an owner";
    return s->state == SESSION_SPARE && (s->interp.pid || s->checkpoint.pid || s->branching.gate)
               ? "what is left of a session has an interpreter"
               : NULL;
}
