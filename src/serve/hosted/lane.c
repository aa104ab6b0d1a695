#include "serve/hosted/lane.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/io.h"
#include "base/list.h"
#include "base/thread.h"
#include "serve/hosted/registry.h"

#define LOOK_NS 1000000000ull /* how often we look whether a waiting request was given up */
#define LONGEST_RETRY 60      /* seconds */

struct lane_owner {
    struct lane_owner *next;
    char name[OWNER_SIZE];
    unsigned running, waiting;
};

struct lane_waiter {
    struct lane_waiter *next;
    struct lane_owner *owner;
    pthread_cond_t turn;
    bool inside;
};

void lane_init(struct lane *lane, const char *what, unsigned slots, unsigned places,
               double patience) {
    *lane = (struct lane){
        .what = what, .slots = slots, .places = places, .patience = (uint64_t)(patience * 1e9)};
    pthread_mutex_init(&lane->lock, NULL);
}

void lane_done(struct lane *lane) {
    pthread_mutex_destroy(&lane->lock);
}

/* --- owners --- */

static struct lane_owner *lane_owner(struct lane *lane, const char *name) {
    struct lane_owner *o = lane->owners;

    while (o && strcmp(o->name, name) != 0)
        o = o->next;
    if (o || !(o = calloc(1, sizeof *o)))
        return o;
    snprintf(o->name, sizeof o->name, "%s", name);
    o->next = lane->owners;
    return lane->owners = o;
}

static void lane_forget(struct lane *lane, struct lane_owner *o) {
    if (o->running || o->waiting)
        return;
    LIST_DROP(lane->owners, o, next);
    free(o);
}

/* --- the queue --- */

static void join_queue(struct lane *lane, struct lane_waiter *w) {
    struct lane_waiter **end = &lane->first;

    while (*end)
        end = &(*end)->next;
    *end = w;
    w->owner->waiting++;
    lane->waiting++;
}

static void leave_queue(struct lane *lane, struct lane_waiter *w) {
    LIST_DROP(lane->first, w, next);
    w->owner->waiting--;
    lane->waiting--;
}

/* Called after the request has joined the queue. */
static bool has_place(const struct lane *lane, const struct lane_owner *o) {
    return lane->waiting <= lane->places && o->waiting <= lane->places - lane->waiting + 1;
}

/* --- whose turn it is --- */

static bool may_enter(const struct lane *lane, const struct lane_owner *o) {
    return lane->slots == 0 || o->running < lane->slots - lane->running;
}

/* The next is of the owner with the fewest inside; among those, the request that has waited
 * longest. */
static struct lane_waiter *next_in_turn(const struct lane *lane) {
    struct lane_waiter *found = NULL;

    for (struct lane_waiter *w = lane->first; w; w = w->next)
        if (may_enter(lane, w->owner) && (!found || w->owner->running < found->owner->running))
            found = w;
    return found;
}

static void let_in(struct lane *lane) {
    struct lane_waiter *w;

    while ((w = next_in_turn(lane))) {
        leave_queue(lane, w);
        w->inside = true;
        w->owner->running++;
        lane->running++;
        pthread_cond_signal(&w->turn);
    }
}

enum outcome { INSIDE, GIVEN_UP, FULL, LATE };

static enum outcome await_turn(struct lane *lane, struct lane_waiter *w,
                               const struct lane_wait *wait) {
    uint64_t now = now_ns(), end = now + lane->patience;

    if (!w->inside && !has_place(lane, w->owner))
        return FULL;
    for (; !w->inside; now = now_ns()) {
        uint64_t until = now + LOOK_NS < end ? now + LOOK_NS : end;
        struct timespec look = {(time_t)(until / 1000000000), (long)(until % 1000000000)};

        if (now >= end)
            return LATE;
        pthread_cond_timedwait(&w->turn, &lane->lock, &look);
        if (w->inside || !wait)
            continue;
        pthread_mutex_unlock(&lane->lock);
        bool given_up = wait->given_up(wait->user);
        pthread_mutex_lock(&lane->lock);
        if (given_up && !w->inside)
            return GIVEN_UP;
    }
    return INSIDE;
}

/* --- the way in and out --- */

static unsigned estimate_retry(const struct lane *lane) {
    double seconds =
        lane->slots ? (double)lane->mean_ns / 1e9 * (lane->waiting + 1) / lane->slots : 0;

    return seconds >= LONGEST_RETRY ? LONGEST_RETRY : (unsigned)seconds + 1;
}

static int lane_refuse(struct lane *lane, enum outcome outcome, unsigned own,
                       struct retort_error *error) {
    unsigned retry = estimate_retry(lane);

    if (outcome == FULL)
        lane->refused_full++;
    else
        lane->refused_late++;
    err_set(error, ERR_LIMIT, EBUSY,
            outcome == FULL
                ? "the server is busy: of all %s %u are being served, %u wait, and %u of those are "
                  "yours, as many as may"
                : "the server is busy: of all %s %u are being served, %u wait, %u of those are "
                  "yours, and this one has waited for as long as it may",
            lane->what, lane->running, lane->waiting, own);
    if (error)
        snprintf(error->hint, sizeof error->hint, "try again in %u s", retry);
    return -EBUSY;
}

int lane_enter(struct lane *lane, const char *owner, const struct lane_wait *wait,
               struct lane_pass *ret_pass, struct retort_error *error) {
    struct lane_waiter w = {0};
    uint64_t start = now_ns();
    int r = 0;

    *ret_pass = (struct lane_pass){0};
    pthread_mutex_lock(&lane->lock);
    w.owner = lane_owner(lane, owner);
    if (!w.owner) {
        pthread_mutex_unlock(&lane->lock);
        return err_memory(error);
    }
    cond_init_monotonic(&w.turn);
    join_queue(lane, &w);
    let_in(lane);
    enum outcome outcome = await_turn(lane, &w, wait);
    if (outcome == INSIDE) {
        *ret_pass = (struct lane_pass){.lane = lane, .owner = w.owner, .since_ns = now_ns()};
        lane->passed++;
        lane->waited_ns += ret_pass->since_ns - start;
    } else {
        leave_queue(lane, &w);
        r = outcome == GIVEN_UP ? 0 : lane_refuse(lane, outcome, w.owner->waiting, error);
        lane_forget(lane, w.owner);
    }
    pthread_cond_destroy(&w.turn);
    pthread_mutex_unlock(&lane->lock);
    return r;
}

void lane_leave(struct lane_pass *pass) {
    struct lane *lane = pass->lane;

    if (!lane)
        return;
    pthread_mutex_lock(&lane->lock);
    uint64_t stayed = now_ns() - pass->since_ns;
    lane->mean_ns = lane->mean_ns ? lane->mean_ns - lane->mean_ns / 8 + stayed / 8 : stayed;
    pass->owner->running--;
    lane->running--;
    lane_forget(lane, pass->owner);
    let_in(lane);
    pthread_mutex_unlock(&lane->lock);
    *pass = (struct lane_pass){0};
}

void lane_nudge(struct lane *lane) {
    pthread_mutex_lock(&lane->lock);
    for (struct lane_waiter *w = lane->first; w; w = w->next)
        pthread_cond_signal(&w->turn);
    pthread_mutex_unlock(&lane->lock);
}

struct lane_state lane_state(struct lane *lane) {
    pthread_mutex_lock(&lane->lock);
    struct lane_state state = {.running = lane->running,
                               .waiting = lane->waiting,
                               .passed = lane->passed,
                               .waited_ns = lane->waited_ns,
                               .refused_full = lane->refused_full,
                               .refused_late = lane->refused_late,
                               .retry_after = estimate_retry(lane)};
    pthread_mutex_unlock(&lane->lock);
    return state;
}
