/* The idle thread sleeps on a timer that others set for it: waking it only to tell it the time
 * would cost one needless wake-up of a processor, while the client waits for its result. */
#include "engine/timeline/idle.h"

#include <errno.h>
#include <malloc.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/io.h"
#include "base/thread.h"
#include "engine/session/rest.h"
#include "engine/timeline/timeline.h"

#define PATROL_NS 250000000ull /* between two looks for sessions that should sleep */

/* Behind all that are due before it: most often behind the last one. */
static void queue_add(struct retort_engine *e, struct retort_session *s) {
    struct retort_session *before = e->due_last;
    while (before && before->idle.due_ns > s->idle.due_ns)
        before = before->idle.before;
    s->idle.before = before;
    s->idle.next = before ? before->idle.next : e->due_first;
    *(before ? &before->idle.next : &e->due_first) = s;
    *(s->idle.next ? &s->idle.next->idle.before : &e->due_last) = s;
    s->idle.queued = true;
}

static void queue_remove(struct retort_engine *e, struct retort_session *s) {
    *(s->idle.before ? &s->idle.before->idle.next : &e->due_first) = s->idle.next;
    *(s->idle.next ? &s->idle.next->idle.before : &e->due_last) = s->idle.before;
    s->idle.queued = false;
}

static void wake_at(struct retort_engine *e, uint64_t ns) {
    struct itimerspec t = {.it_value = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)}};
    e->idle_until = ns;
    timerfd_settime(e->idle_timer, TFD_TIMER_ABSTIME, &t, NULL);
}

void idle_add(struct retort_session *s, uint64_t after_ns) {
    struct retort_engine *e = s->engine;
    pthread_mutex_lock(&e->lock);
    if (s->idle.queued)
        queue_remove(e, s);
    s->idle.due_ns = now_ns() + after_ns;
    queue_add(e, s);
    if (s->idle.due_ns < e->idle_until) /* else it looks again by itself, before this one is due */
        wake_at(e, s->idle.due_ns);
    pthread_mutex_unlock(&e->lock);
}

void idle_forget(struct retort_session *s) {
    pthread_mutex_lock(&s->engine->lock);
    if (s->idle.queued)
        queue_remove(s->engine, s);
    pthread_mutex_unlock(&s->engine->lock);
}

/* Called and left with the engine's lock held, under which the timer is set. */
static void wait_until(struct retort_engine *e, uint64_t due) {
    uint64_t times;
    wake_at(e, due);
    pthread_mutex_unlock(&e->lock);
    while (read(e->idle_timer, &times, sizeof times) < 0 && errno == EINTR)
        ;
    pthread_mutex_lock(&e->lock);
}

/* Says that the idle thread has the session, so that whoever wants it knows that this takes only a
 * moment. */
static bool idle_enter(struct retort_session *s) {
    bool entered = session_try_enter(s);
    if (entered)
        atomic_store(&s->idle.looks, true);
    return entered;
}

static void idle_leave(struct retort_session *s) {
    atomic_store(&s->idle.looks, false);
    session_leave(s);
}

/* Asks without the session's lock first: taking thousands of locks four times a second would keep
 * everybody from the engine's. */
static bool unused_for_long(const struct retort_session *s) {
    return s->state == SESSION_LIVE &&
           now_ns() - s->idle.used_ns > s->spec->limits.idle_ms * 1000000;
}

/* The first session that nobody has used for as long as its limit says; others wait for the next
 * patrol. Called and left with the engine's lock held. */
static void put_one_to_sleep(struct retort_engine *e) {
    for (struct retort_session *s = e->sessions; s; s = s->next) {
        if (!unused_for_long(s) || !idle_enter(s))
            continue;
        if (unused_for_long(s)) {
            pthread_mutex_unlock(&e->lock);
            session_sleep(s);
            idle_leave(s);
            pthread_mutex_lock(&e->lock);
            return;
        }
        idle_leave(s);
    }
}

/* Looks at every session that is due and that nobody uses. Called and left with the engine's lock
 * held.
 */
static void look_at_leftovers(struct retort_engine *e, bool rests) {
    struct retort_session *s = e->sessions;
    for (uint64_t now = now_ns(); s;) {
        if (!leftover_due(s, now) || !idle_enter(s)) {
            s = s->next;
            continue;
        }
        pthread_mutex_unlock(&e->lock);
        leftover_look(s);
        if (rests)
            session_rest(s);
        idle_leave(s);
        pthread_mutex_lock(&e->lock);
        s = e->sessions; /* it may be another list by now */
    }
}

/* Lets sessions rest that have been quiet for a moment: mostly those that were begun last, which
 * come first. Called and left with the engine's lock held. */
static void let_rest(struct retort_engine *e) {
    for (struct retort_session *s = e->sessions; s;) {
        if (!session_may_rest(s) || !idle_enter(s)) {
            s = s->next;
            continue;
        }
        pthread_mutex_unlock(&e->lock);
        session_rest(s);
        s->idle.restless_ns = s->idle.rest < 0 ? now_ns() : 0;
        idle_leave(s);
        pthread_mutex_lock(&e->lock);
        s = e->sessions; /* it may be another list by now */
    }
}

/* Takes the checkpoint that is due. If somebody holds the session, that may be only for a look,
 * after which nobody would queue it again: so it stays in the queue until a cell moves it. trylock,
 * because its owner may be waiting for us to forget it. Called and left with the engine's lock
 * held. */
static void look_at_due(struct retort_engine *e, struct retort_session *s) {
    queue_remove(e, s);
    if (!idle_enter(s)) {
        s->idle.due_ns = now_ns() + PATROL_NS;
        queue_add(e, s);
        return;
    }
    pthread_mutex_unlock(&e->lock);
    checkpoint_idle(s);
    idle_leave(s);
    pthread_mutex_lock(&e->lock);
}

#define GIVEN_BACK (8u << 20)

/* The C library keeps what many small sessions had, as it does with a large one (session_free).
 * Here nobody waits while it looks for free pages. Called and left with the engine's lock held. */
static void give_back(struct retort_engine *e) {
    if (atomic_load(&e->given_back) < GIVEN_BACK)
        return;
    atomic_store(&e->given_back, 0);
    pthread_mutex_unlock(&e->lock);
    malloc_trim(0);
    pthread_mutex_lock(&e->lock);
}

static void patrol_once(struct retort_engine *e) {
    put_one_to_sleep(e);
    bool rests = engine_rests(e);
    look_at_leftovers(e, rests);
    if (rests)
        let_rest(e);
    pairs_tidy(&e->pairs);
    give_back(e);
}

/* Holds the engine's lock but for what it does to a session. */
static void *idle_main(void *argument) {
    struct retort_engine *e = argument;
    uint64_t patrol = now_ns() + PATROL_NS;
    pthread_mutex_lock(&e->lock);
    while (!e->closing) {
        struct retort_session *s = e->due_first;
        uint64_t now = now_ns();
        if (now >= patrol) {
            patrol_once(e);
            patrol = now_ns() + PATROL_NS;
        } else if (!s || s->idle.due_ns > now) {
            wait_until(e, s && s->idle.due_ns < patrol ? s->idle.due_ns : patrol);
        } else {
            look_at_due(e, s);
        }
    }
    pthread_mutex_unlock(&e->lock);
    return NULL;
}

int idle_start(struct retort_engine *e) {
    if ((e->idle_timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)) < 0)
        return -errno;
    int r = thread_start(&e->idle_thread, idle_main, e);
    e->idle_running = r == 0;
    if (r)
        close(e->idle_timer);
    return -r;
}

void idle_stop(struct retort_engine *e) {
    if (!e->idle_running)
        return;
    pthread_mutex_lock(&e->lock);
    e->closing = true;
    wake_at(e, 1);
    pthread_mutex_unlock(&e->lock);
    pthread_join(e->idle_thread, NULL);
    close(e->idle_timer);
    e->idle_running = false;
}
