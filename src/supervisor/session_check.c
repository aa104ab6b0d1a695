/* What is true of every session between two events. */
#include <stdio.h>
#include <stdlib.h>

#include "supervisor/session.h"

static const char *self_broken(const struct session *s) {
    if (s->layers & s->missing)
        return "a layer is in force and missing";
    return s->state == SESSION_LIVE && s->ctl.fd < 0 ? "a live session without an owner" : NULL;
}

/* Unused in a release, where sessions_check() does nothing. */
__attribute__((unused)) static const char *broken_in(const struct session *s) {
    static const char *(*const checks[])(const struct session *) = {
        self_broken,       letters_broken, pid1_broken,    interpreter_broken, companion_broken,
        checkpoint_broken, memory_broken,  killing_broken, birth_broken,       network_broken,
        pool_broken,       branch_broken,  spare_broken};
    const char *broken = NULL;
    for (size_t i = 0; i < sizeof checks / sizeof *checks && !broken; i++)
        broken = checks[i](s);
    return broken;
}

void sessions_check(void) {
#ifdef RETORT_CHECKED
    for (const struct session *s = sup.sessions; s; s = s->next) {
        const char *broken = broken_in(s);
        if (!broken)
            continue;
        fprintf(stderr, "retort-supervisor: session %u: %s\n", s->id, broken);
        abort();
    }
#endif
}
