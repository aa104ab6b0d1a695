#include "engine/cell/locks.h"

#include "engine/session/supervisor.h"

#define EVERY_US 100000

void locks_ask(struct retort_session *s, uint64_t cpu_us) {
    struct file_locks *l = &s->usage.locks;
    if (cpu_us < l->at_us) /* without a cgroup: of those that live */
        l->at_us = cpu_us;
    if (l->asked || cpu_us - l->at_us < EVERY_US || interp_command(&s->interp, CTL_LOCKS) < 0)
        return;
    l->at_us = cpu_us;
    l->asked = true;
}

bool locks_exceeded(struct retort_session *s) {
    bool told = s->usage.locks.told;
    s->usage.locks.told = false; /* who holds them is ended for it */
    return told && s->usage.locks.held > LOCKS_MAX;
}

bool locks_full(struct retort_session *s, uint64_t cpu_us) {
    locks_ask(s, cpu_us);
    while (s->usage.locks.asked)
        if (session_await(s, CTL_LOCKED, CTL_LOCKED, NULL, NULL) != CTL_LOCKED)
            return false;
    return locks_exceeded(s);
}
