/* The end of a cell: what it used, and what it left running. */
#include "engine/cell/cell.h"
#include "engine/cell/locks.h"
#include "engine/cell/room.h"
#include "engine/session/supervisor.h"

/* A cell waits for the supervisor only if cells have followed each other for this long without a
 * pause (checkpoint.c). */
static bool sweep_can_wait(struct usage *u, uint64_t now) {
    if (!u->cells_unswept)
        u->unswept_ns = now;
    return u->only_own && now - u->unswept_ns < UNSWEPT_MOST_NS;
}

/* What the cell left running ends with it, before the last output is read and files are looked at:
 * nothing writes any more. If there are no more tasks than the session's own, the cell left nothing
 * running, unless it deceives us by killing its own checkpoint and starting a process in its place.
 * Such a process ends as soon as the session is idle, or two seconds later. Comparing with the
 * number before the cell would not do: while the cell started one process, another may have ended.
 */
void cell_sweep(struct cell *c) {
    struct retort_session *s = c->s;
    if (c->killed || s->spec->background)
        return;
    if (s->engine->idle_running && sweep_can_wait(&s->usage, c->clock.ended)) {
        s->usage.cells_unswept++;
        return;
    }
    s->usage.living = 0;
    uint32_t processes = session_sweep(s) + 1;
    c->facts.processes = processes > c->facts.processes ? processes : c->facts.processes;
    if (c->in != &s->interp || s->usage.own_tasks == OWN_UNKNOWN) /* all are interpreters' own */
        s->usage.own_tasks = s->usage.living > s->timeline.has_checkpoint
                                 ? s->usage.living - s->timeline.has_checkpoint
                                 : OWN_UNKNOWN;
    if (c->in->exited) {
        c->facts.exited = true;
        c->facts.wait_status = c->in->exit_status;
    }
}

/* Without a cgroup a short cell has never been looked at. One that was refused memory is told how
 * much there was. */
static void look_at_lack(struct cell *c) {
    struct retort_session *s = c->s;
    if (s->usage.cgroup || c->killed || c->facts.exited || !cell_lacked_memory(c))
        return;
    if ((c->facts.measuring || interp_command(&s->interp, CTL_MEASURE) == 0) &&
        session_await(s, CTL_MEASURED, CTL_MEASURED, NULL, NULL) == CTL_MEASURED &&
        s->usage.tree_memory > c->facts.memory_peak)
        c->facts.memory_peak = s->usage.tree_memory;
    c->facts.measuring = false;
}

void cell_measure(struct cell *c) {
    struct retort_session *s = c->s;
    look_at_lack(c);
    if (s->usage.cgroup &&
        measure_read((int)s->usage.cgroup, s->usage.measure, &s->usage.counted) == 0) {
        c->facts.used = measure_since(&c->facts.before, &s->usage.counted);
        room_after(c);
        locks_ask(s, s->usage.counted.cpu_us);
        bool known = s->usage.own_tasks != OWN_UNKNOWN;
        uint64_t own = known ? s->usage.own_tasks + s->timeline.has_checkpoint : 0;
        s->usage.only_own = s->usage.counted.tasks == own;
        c->facts.others = s->usage.counted.tasks > own ? s->usage.counted.tasks - own : 0;
    }
    if (c->facts.processes == 0)
        c->facts.processes = 1;
}
