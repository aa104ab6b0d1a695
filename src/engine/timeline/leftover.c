/* What goes on in a session while no cell runs. We end processes that a cell left behind, but
 * cannot tell a thread of the interpreter from the interpreter. So we count what the session uses
 * from the end of one cell to the beginning of the next. A session that uses more than one cell may
 * use is put to sleep: it has no process until the next cell brings it back. */
#include "base/io.h"
#include "engine/cell/locks.h"
#include "engine/cell/network.h"
#include "engine/session/rest.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/timeline.h"

#define LOOK_NS 1000000000ull
#define LOOKS_AT_ONCE 64 /* with more sessions than that, each is looked at more seldom */

bool leftover_due(const struct retort_session *s, uint64_t now) {
    uint64_t every = LOOK_NS * (1 + s->engine->count / LOOKS_AT_ONCE);
    return s->spec && now >= s->usage.looked_ns + every;
}

/* Looks at memory only where no cgroup limits it, and at what waits in sockets everywhere. */
static int leftover_usage(struct retort_session *s, uint64_t *ret_cpu_us, uint64_t *ret_memory) {
    *ret_memory = 0;
    if (s->usage.cgroup)
        return measure_cpu((int)s->usage.cgroup, s->usage.measure, ret_cpu_us);
    if (interp_command(&s->interp, CTL_MEASURE) < 0 ||
        session_await(s, CTL_MEASURED, CTL_MEASURED, NULL, NULL) != CTL_MEASURED)
        return -1;
    *ret_cpu_us = s->usage.tree_cpu_us;
    *ret_memory = s->usage.tree_memory;
    return 0;
}

/* Without a cgroup nobody knows what the last cell had used when it ended: the first look counts.
 */
static void leftover_count(struct retort_session *s, uint64_t cpu_us) {
    struct leftover *l = &s->usage.leftover;
    if (l->cell != s->cells) {
        l->cell = s->cells;
        l->before_us =
            s->usage.cgroup && s->usage.counted.cpu_us ? s->usage.counted.cpu_us : cpu_us;
    }
    l->used_us = cpu_us > l->before_us ? cpu_us - l->before_us : 0;
}

void leftover_look(struct retort_session *s) {
    uint64_t cpu_us, memory;
    s->usage.looked_ns = now_ns();
    if (s->state != SESSION_LIVE || session_stir(s, NULL) < 0 ||
        leftover_usage(s, &cpu_us, &memory) < 0)
        return;
    leftover_count(s, cpu_us);
    const struct limits *limits = &s->spec->limits;
    bool full = memory > limits->memory || locks_full(s, cpu_us) ||
                network_holds_more(s->usage.net, limits->memory, s->usage.cgroup);
    bool busy = s->usage.leftover.used_us > (limits->cpu_ms + OWN_CPU_MS) * 1000;
    const char *limit = full ? "memory" : busy ? "cpu" : NULL;
    if (!limit)
        return;
    session_sleep(s);
    s->usage.leftover.limit = limit;
}
