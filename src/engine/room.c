/* Memory is memory, files are disk. Files lie in a tmpfs, whose pages the kernel charges to the
 * same cgroup; so the limit of that follows what they occupy. Before a cell, and while it runs as
 * often as the time allows in which they could outgrow the room that is left, we look how much that
 * is; only when it has changed by much is the supervisor asked to move the limit. A short cell is
 * not looked at in between: it has the room. */
#include <sys/statfs.h>

#include "base/io.h"
#include "engine/cell.h"

#define BYTES_PER_NS 4 /* one processor fills a tmpfs with as many at the most, measured */
#define SOONEST_NS 2000000ull
#define SHRUNK_NS 200000000ull /* a file that is written anew is soon as long as it was */

static uint64_t room_files(const struct retort_session *s) {
    struct statfs fs;
    if (s->work < 0 || fstatfs(s->work, &fs) < 0)
        return 0;
    return (uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize;
}

static uint64_t charged(const struct retort_session *s, uint64_t files) {
    return files > s->room.foreign ? files - s->room.foreign : 0;
}

static bool grown(const struct retort_session *s, uint64_t files) {
    return files > s->room.files && files - s->room.files > MEMORY_SLACK;
}

static bool shrunk(const struct retort_session *s, uint64_t files) {
    return files < s->room.files && s->room.files - files > MEMORY_SLACK;
}

/* For some time now. */
static bool shrunk_long(struct cell *c, uint64_t files) {
    uint64_t now = now_ns();
    if (!shrunk(c->s, files))
        c->shrunk_at = 0;
    else if (!c->shrunk_at)
        c->shrunk_at = now;
    return c->shrunk_at && now - c->shrunk_at > SHRUNK_NS;
}

static int ask(struct retort_session *s, uint64_t files) {
    struct ctl_room room = {{CTL_ROOM, sizeof room}, files};
    int r = packet_send(s->ctl, &room, sizeof room, NULL, 0);
    s->room.files = files;
    s->room.asked += r == 0;
    return r;
}

void room_take(struct retort_session *s, const struct ctl_roomed *r) {
    s->room.asked -= s->room.asked > 0;
    s->room.foreign = s->room.files > r->files ? s->room.files - r->files : 0;
    s->room.memory = r->memory;
    if (r->memory > s->room.most)
        s->room.most = r->memory;
    s->room.copies = r->copies;
}

/* Waits for the answer, and for those that nobody has heard yet. */
static bool settle(struct retort_session *s, uint64_t files) {
    if (ask(s, files) < 0)
        return false;
    while (s->room.asked)
        if (session_await(s, CTL_ROOMED, CTL_ROOMED, NULL, NULL) != CTL_ROOMED)
            return false;
    return true;
}

void room_before(struct cell *c) {
    c->files_most = room_files(c->s);
    c->s->room.memory = c->s->room.most = 0;
    if (grown(c->s, c->files_most) || shrunk(c->s, c->files_most))
        settle(c->s, c->files_most);
}

static uint64_t memory_of(const struct cell *c, uint64_t peak) {
    uint64_t files = charged(c->s, c->files_most);
    return peak > files ? peak - files : 0;
}

static bool may_exceed(const struct cell *c, uint64_t peak) {
    return memory_of(c, peak) > c->s->limits.memory + MEMORY_ALLOWANCE;
}

bool room_exceeded(const struct cell *c) {
    const struct room *r = &c->s->room;
    return !r->asked && r->memory > c->s->limits.memory + MEMORY_ALLOWANCE + r->copies;
}

void room_look(struct cell *c, uint64_t peak) {
    uint64_t files = room_files(c->s);
    if (files > c->files_most)
        c->files_most = files;
    bool changed = grown(c->s, files) || shrunk_long(c, files);
    if (!c->s->room.asked && (changed || may_exceed(c, peak)))
        ask(c->s, files);
}

uint64_t room_time(const struct cell *c, uint64_t peak) {
    const struct retort_session *s = c->s;
    uint64_t most = memory_ceiling(&s->limits, charged(s, s->room.files));
    uint64_t ns = peak < most ? (most - peak) / (BYTES_PER_NS * processors()) : 0;
    return ns < SOONEST_NS ? SOONEST_NS : ns;
}

void room_after(struct cell *c) {
    uint64_t files = room_files(c->s), peak = c->used.peak_bytes;
    if (files > c->files_most)
        c->files_most = files;
    if (may_exceed(c, peak) && !c->exited && !c->killed && settle(c->s, files) && room_exceeded(c))
        c->stop = STOP_MEMORY;
    c->used.peak_bytes = memory_of(c, peak);
    if (c->s->room.most >
        c->used.peak_bytes) /* files that are gone by now were there at the peak */
        c->used.peak_bytes = c->s->room.most;
}
