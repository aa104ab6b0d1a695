/* Sessions without a process, which come back by replay. */
#include <errno.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "engine/session/rest.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/timeline.h"

/* A session that could not come back is as it was: it, or another engine, may try again. */
int sleep_again(struct retort_engine *e, const char *id, struct retort_error *err) {
    struct ledger_ref ref;
    scoped_json *body = json_object();
    return ledger_append(e->ledger, id, LEDGER_SLEEP, body, &ref, err);
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

static int wake_recorded(struct retort_session *s, struct retort_error *err) {
    struct ledger_ref ref;
    struct retort_error why = ERR_INIT;
    scoped_json *body = json_object();
    int r = s->recorded ? ledger_resume(s->engine->ledger, s->id, body, &ref, &why) : 0;
    if (r == -EBUSY) { /* that it sleeps could not be put on record when it fell asleep */
        why = ERR_INIT;
        r = sleep_again(s->engine, s->id, &why);
        if (r == 0)
            r = ledger_resume(s->engine->ledger, s->id, body, &ref, &why);
    }
    if (r < 0 && err)
        *err = why;
    return r;
}

/* What the ledger says of what this process did itself. */
static int load_past(struct retort_session *s, struct retort_error *err) {
    struct ledger_history history = {0};
    if (!s->recorded)
        return 0;
    int r = ledger_history(s->engine->ledger, s->id, &history, err);
    if (r == 0) {
        differ_load(s, &history);
        r = record_reload_files(s, &history, err);
    }
    ledger_history_done(&history);
    return r;
}

static int come_back(struct retort_session *s, struct retort_error *err) {
    int r = load_past(s, err);
    if (r == 0 && !recover(s, s->timeline.nsteps, ~0u, s->timeline.notes))
        r = recover_error("the session slept and cannot come back", s->timeline.notes, err);
    if (r < 0 && s->recorded)
        sleep_again(s->engine, s->id, NULL);
    return r;
}

int session_wake(struct retort_session *s, struct retort_error *err) {
    if (s->state == SESSION_LIVE && session_was_left(s))
        session_sleep(s); /* its processes have ended without it: nothing else is lost */
    if (s->state != SESSION_ASLEEP)
        return session_stir(s, err);
    json_decref(s->timeline.notes); /* of a birth that this one takes the place of */
    s->timeline.notes = json_array();
    s->timeline.replayed = false;
    const char *limit = s->usage.leftover.limit;
    int r = wake_recorded(s, err);
    if (r == 0)
        r = come_back(s, err);
    s->timeline.resumed = r == 0;
    if (r < 0)
        return r;
    if (limit)
        note_leftover(s, limit);
    s->state = SESSION_LIVE;
    return 0;
}
