/* Sessions without a process, which come back by replay. */
#include <errno.h>

#include "base/io.h"
#include "engine/timeline/timeline.h"

/* A session that could not come back is as it was: it, or another engine, may try again. */
void sleep_again(struct retort_engine *e, const char *id) {
    struct ledger_ref ref;
    json_t *body = json_object();
    ledger_append(e->ledger, id, LEDGER_SLEEP, body, &ref, NULL);
    json_decref(body);
}

void session_sleep(struct retort_session *s) {
    timeline_settle(s);
    record_end(s, LEDGER_SLEEP);
    session_disconnect(s);
    proof_rest(&s->proof);
    s->state = SESSION_ASLEEP;
}

int session_sleep_now(struct retort_session *s, struct retort_error *err) {
    if (s->state == SESSION_ENDED)
        return err_set(err, ERR_CALLER, ESRCH, "the session has ended");
    if (s->state == SESSION_LIVE)
        session_sleep(s);
    return 0;
}

static void note_leftover(struct retort_session *s, const char *limit) {
    json_array_append_new(
        s->timeline.notes,
        json_sprintf("code that went on between two cells exceeded the limit %s of a cell, and was "
                     "ended with the session's process",
                     limit));
}

int session_wake(struct retort_session *s, struct retort_error *err) {
    struct ledger_ref ref;
    if (s->state == SESSION_LIVE && s->engine->pairs.settings.pool && hung_up(s->interp.ctl))
        session_sleep(s); /* its processes have ended without it: nothing else is lost */
    if (s->state != SESSION_ASLEEP)
        return 0;
    json_t *body = json_object();
    json_decref(s->timeline.notes); /* of a birth that this one takes the place of */
    s->timeline.notes = json_array();
    s->timeline.replayed = false;
    const char *limit = s->usage.leftover.limit;
    int r = s->recorded ? ledger_resume(s->engine->ledger, s->id, body, &ref, err) : 0;
    differ_load(s);
    if (r == 0 && !recover(s, s->timeline.nsteps, ~0u, s->timeline.notes)) {
        r = recover_error("the session slept and cannot come back", s->timeline.notes, err);
        if (s->recorded)
            sleep_again(s->engine, s->id);
    }
    json_decref(body);
    s->timeline.resumed = r == 0;
    if (r < 0)
        return r;
    if (limit)
        note_leftover(s, limit);
    s->state = SESSION_LIVE;
    return 0;
}
