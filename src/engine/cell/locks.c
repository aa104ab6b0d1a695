#include "engine/cell/locks.h"

#include "base/io.h"
#include "engine/session/supervisor.h"

#define EVERY_US 100000
/* Who took some and then rests is found after a while. */
#define LITTLE_US 5000
#define REST_NS 5000000000ull

static bool are_due(const struct file_locks *l, uint64_t cpu_us) {
    uint64_t used = cpu_us - l->at_us;
    return used >= EVERY_US || (used >= LITTLE_US && now_ns() - l->at_ns >= REST_NS);
}

void locks_begin(struct retort_session *s, uint64_t cpu_us) {
    struct file_locks *l = &s->usage.locks;
    if (l->at_ns)
        return;
    l->at_us = cpu_us;
    l->at_ns = now_ns();
}

void locks_ask(struct retort_session *s, uint64_t cpu_us) {
    struct file_locks *l = &s->usage.locks;
    if (cpu_us < l->at_us) /* without a cgroup: of those that live */
        l->at_us = cpu_us;
    if (l->asked || !are_due(l, cpu_us) || interp_command(&s->interp, CTL_LOCKS) < 0)
        return;
    l->at_us = cpu_us;
    l->at_ns = now_ns();
    l->asked = true;
}

bool locks_exceeded(struct retort_session *s) {
    bool told = s->usage.locks.told;
    s->usage.locks.told = false; /* who holds them is ended for it */
    return told && s->usage.locks.held > LOCKS_MAX;
}

/* A cell that came while we waited for the answer would wait, too. */
bool locks_full(struct retort_session *s, uint64_t cpu_us) {
    session_catch_up(s);
    bool full = locks_exceeded(s);
    locks_ask(s, cpu_us);
    return full;
}
