#include "engine/cell/room.h"

#include <sys/sysinfo.h>

#include "base/io.h"
#include "engine/session/supervisor.h"

/* Asked once: the C library reads a file each time. */
uint64_t processors(void) {
    static long known;
    long n = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (n == 0) {
        n = get_nprocs();
        __atomic_store_n(&known, n, __ATOMIC_RELAXED);
    }
    return (uint64_t)n;
}

#define BYTES_PER_NS 4 /* one processor fills a tmpfs with as many at the most, measured */
#define SOONEST_NS 2000000ull
#define SHRUNK_NS 200000000ull /* a file that is written anew is soon as long as it was */

static uint64_t charged(const struct retort_session *s, uint64_t files) {
    return files > s->usage.room.foreign ? files - s->usage.room.foreign : 0;
}

static bool room_grown(const struct retort_session *s, uint64_t files) {
    return files > s->usage.room.files && files - s->usage.room.files > MEMORY_SLACK;
}

static bool shrunk(const struct retort_session *s, uint64_t files) {
    return files < s->usage.room.files && s->usage.room.files - files > MEMORY_SLACK;
}

/* For some time now. */
static bool shrunk_long(struct cell *c, uint64_t files) {
    uint64_t now = now_ns();
    if (!shrunk(c->s, files))
        c->facts.shrunk_at = 0;
    else if (!c->facts.shrunk_at)
        c->facts.shrunk_at = now;
    return c->facts.shrunk_at && now - c->facts.shrunk_at > SHRUNK_NS;
}

static int room_ask(struct retort_session *s, uint64_t files) {
    struct ctl_room room = {{CTL_ROOM, sizeof room}, files};
    int r = packet_send(s->interp.ctl, &room, sizeof room, NULL, 0);
    s->usage.room.files = files;
    s->usage.room.asked += r == 0;
    return r;
}

/* Waits for the answer, and for those that nobody has heard yet. */
static bool room_settle(struct retort_session *s, uint64_t files) {
    if (room_ask(s, files) < 0)
        return false;
    while (s->usage.room.asked)
        if (session_await(s, CTL_ROOMED, CTL_ROOMED, NULL, NULL) != CTL_ROOMED)
            return false;
    return true;
}

void room_before(struct cell *c) {
    c->facts.files_most = files_bytes(&c->s->files);
    c->s->usage.room.memory = c->s->usage.room.most = 0;
    if (room_grown(c->s, c->facts.files_most) || shrunk(c->s, c->facts.files_most))
        room_settle(c->s, c->facts.files_most);
}

static uint64_t memory_of(const struct cell *c, uint64_t peak) {
    uint64_t files = charged(c->s, c->facts.files_most);
    return peak > files ? peak - files : 0;
}

static bool may_exceed(const struct cell *c, uint64_t peak) {
    return memory_of(c, peak) > c->s->spec->limits.memory + MEMORY_ALLOWANCE;
}

bool room_exceeded(const struct cell *c) {
    const struct room *r = &c->s->usage.room;
    return !r->asked && r->memory > c->s->spec->limits.memory + MEMORY_ALLOWANCE + r->copies;
}

void room_look(struct cell *c, uint64_t peak) {
    uint64_t files = files_bytes(&c->s->files);
    if (files > c->facts.files_most)
        c->facts.files_most = files;
    bool changed = room_grown(c->s, files) || shrunk_long(c, files);
    if (!c->s->usage.room.asked && (changed || may_exceed(c, peak)))
        room_ask(c->s, files);
}

uint64_t room_time(const struct cell *c, uint64_t peak) {
    const struct retort_session *s = c->s;
    uint64_t most = memory_ceiling(&s->spec->limits, charged(s, s->usage.room.files));
    uint64_t ns = peak < most ? (most - peak) / (BYTES_PER_NS * processors()) : 0;
    return ns < SOONEST_NS ? SOONEST_NS : ns;
}

void room_after(struct cell *c) {
    uint64_t files = files_bytes(&c->s->files), peak = c->facts.used.peak_bytes;
    if (files > c->facts.files_most)
        c->facts.files_most = files;
    if (may_exceed(c, peak) && !c->facts.exited && !c->killed && room_settle(c->s, files) &&
        room_exceeded(c))
        c->stop = STOP_MEMORY;
    c->facts.used.peak_bytes = memory_of(c, peak);
    if (c->s->usage.room.most >
        c->facts.used.peak_bytes) /* files that are gone by now were there at the peak */
        c->facts.used.peak_bytes = c->s->usage.room.most;
}
