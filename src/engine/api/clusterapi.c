#include "engine/api/clusterapi.h"

#include <string.h>

#include "engine/session/session.h"

struct ledger *engine_record(struct retort_engine *e) {
    return e->ledger;
}

bool engine_has_session(struct retort_engine *e, const char *id) {
    bool found = false;
    pthread_mutex_lock(&e->lock);
    for (const struct retort_session *s = e->sessions; s; s = s->next)
        found = found || strcmp(s->id, id) == 0;
    pthread_mutex_unlock(&e->lock);
    return found;
}

bool engine_is_able(struct retort_engine *e) {
    bool able = false;
    for (unsigned i = 0; i < e->pairs.count; i++)
        able = able || !e->pairs.at[i].off;
    return able;
}

size_t engine_most_sessions(const struct retort_engine *e) {
    return e->max_sessions;
}

bool session_has_ended(struct retort_session *s) {
    session_enter(s);
    bool ended = s->state == SESSION_ENDED;
    session_leave(s);
    return ended;
}
