#include "supervisor/parts/memory.h"

#include <limits.h>
#include <unistd.h>

#include "sandbox/locks.h"
#include "supervisor/session.h"

const char *memory_broken(const struct session *s) {
    if ((s->memory.files || s->memory.copies) && !s->cgroup.root)
        return "room was made where no cgroup is";
    return s->memory.copies > s->terms.limits.memory ? "copies of more than there may be" : NULL;
}

/* The broker says how much a session's files occupy; not all of that is charged to this cgroup. */
static uint64_t charged_files(const struct session *s, const struct cgroup_charge *now) {
    return now->shared < s->memory.files ? now->shared : s->memory.files;
}

/* Pages that a checkpoint or a branch shares with the interpreter are charged once more when either
 * changes them: at most as many as are in use now. */
static uint64_t copies_of(const struct session *s, const struct cgroup_charge *now) {
    uint64_t memory = now->rest + now->shared - charged_files(s, now);
    return memory < s->terms.limits.memory ? memory : s->terms.limits.memory;
}

void memory_shared(struct session *s) {
    struct cgroup_charge now;
    if (cgroup_charged(&s->cgroup, &now) < 0)
        return;
    s->memory.copies = copies_of(s, &now);
    cgroup_room(&s->cgroup, &s->terms.limits, charged_files(s, &now), s->memory.copies);
}

void memory_unshared(struct session *s) {
    struct cgroup_charge now;
    if (s->checkpoint.pid || s->branching.count || cgroup_charged(&s->cgroup, &now) < 0)
        return;
    s->memory.copies = 0;
    cgroup_room(&s->cgroup, &s->terms.limits, charged_files(s, &now), 0);
}

void memory_room(struct session *s, uint64_t files) {
    struct ctl_roomed told = {{CTL_ROOMED, sizeof told}, files, 0, s->memory.copies};
    struct cgroup_charge now;
    if (cgroup_charged(&s->cgroup, &now) == 0) {
        s->memory.files = files;
        told.files = charged_files(s, &now);
        told.memory = now.rest + now.shared - told.files;
        cgroup_room(&s->cgroup, &s->terms.limits, told.files, s->memory.copies);
    }
    session_tell(s, &told, sizeof told, NULL, 0);
}

void memory_measure(struct session *s) {
    struct ctl_measured m = {{CTL_MEASURED, sizeof m}, 0, 0, 0, 0};
    struct proctree_usage usage;
    if (proctree_measure(&s->tree, s->terms.limits.memory, &usage) == 0) {
        m.cpu_us = usage.cpu_us;
        m.memory = usage.memory;
        m.processes = usage.processes;
    }
    session_tell(s, &m, sizeof m, NULL, 0);
}

static void tell_locks(struct session *s, uint64_t locks) {
    struct ctl_locked m = {{CTL_LOCKED, sizeof m}, locks};
    session_tell(s, &m, sizeof m, NULL, 0);
}

/* Closes the sockets of other sessions, so that these do not seem to be open as long as this
 * takes. */
static void count_locks(struct session *s) {
    unsigned own = (unsigned)s->ctl.fd;
    if (own > 0)
        close_range(0, own - 1, 0);
    close_range(own + 1, UINT_MAX, 0);
    tell_locks(s, locks_count(&s->tree, LOCKS_MAX));
    _exit(0);
}

void memory_locks(struct session *s) {
    pid_t pid = fork();
    if (pid == 0)
        count_locks(s);
    if (pid < 0)
        tell_locks(s, 0);
}
