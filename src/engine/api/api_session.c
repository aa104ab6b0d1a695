/* Sessions: what retort.h says of making, asking and closing them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/io.h"
#include "base/jsonout.h"
#include "engine/api/api.h"
#include "engine/cell/review.h"
#include "engine/host/descriptors.h"
#include "engine/host/environment.h"
#include "engine/host/limits.h"
#include "engine/timeline/timeline.h"

void retort_free(void *pointer) {
    free(pointer);
}

#define TRIES 3

/* An environment that was updated in between named packages that may be gone by now; read again, it
 * names others. */
static int open_configured(struct retort_engine *engine, const struct retort_session_options *o,
                           struct retort_session **ret, struct retort_error *err) {
    bool gone = true;
    int r = 0;
    for (int tries = 0; gone && tries < TRIES; tries++) {
        struct configured env = {0};
        *err = (struct retort_error)ERR_INIT;
        r = environment_apply(o, engine->state_dir, &env, err);
        if (r == 0)
            r = session_open(engine, &env.options, ret, err);
        gone = r < 0 && err->code == ENOENT && o->environment && env.options.packages;
        environment_done(&env);
    }
    return r;
}

int retort_session_new(struct retort_engine *engine, const struct retort_session_options *options,
                       struct retort_session **ret_session, struct retort_error *error) {
    static const struct retort_session_options none;
    const struct retort_session_options *o = options ? options : &none;
    struct retort_error err = ERR_INIT;
    struct retort_session *s = NULL;
    int r = OPTIONS_KNOWN(o, &err);
    if (r == 0)
        r = open_configured(engine, o, &s, &err);
    if (r == 0) {
        session_begin(s);
        r = review_begin(s, &err); /* what is wrong with rules is told now */
    }
    if (r == 0)
        *ret_session = s;
    else if (s)
        session_close(s);
    return api_error(error, &err, descriptors_named(r, &err));
}

int retort_session_resume(struct retort_engine *engine, const char *id,
                          struct retort_session **ret_session, struct retort_error *error) {
    struct retort_error err = ERR_INIT;
    int r = strlen(id) < SESSION_ID_SIZE
                ? session_resume_recorded(engine, id, ret_session, &err)
                : err_set(&err, ERR_CALLER, ENOENT, "there is no session of this id");
    return api_error(error, &err, descriptors_named(r, &err));
}

int retort_session_sleep(struct retort_session *s, struct retort_error *error) {
    LOCKED(s, error, session_sleep_now(s, &err));
}

void retort_session_close(struct retort_session *s) {
    if (s)
        session_close(s);
}

const char *retort_session_id(const struct retort_session *s) {
    return s->id;
}

const char *retort_session_network(const struct retort_session *s) {
    return s->spec->closed ? "[]" : s->spec->network;
}

const char *retort_session_isolation(struct retort_session *s) {
    session_enter(s);
    const char *text = isolation_text(&s->iso);
    session_leave(s);
    return text;
}

static const char *state_name(enum session_state state) {
    return state == SESSION_ASLEEP ? "asleep" : state == SESSION_ENDED ? "ended" : "live";
}

/* Waits for the idle thread, which holds a session only for a moment, but not for a cell. */
static bool enter_unless_used(struct retort_session *s) {
    while (!session_try_enter(s)) {
        if (!atomic_load(&s->idle.looks))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    return true;
}

/* Answers even while a cell runs and its thread holds the lock: everything read here without the
 * lock is constant or atomic. */
char *retort_session_info(struct retort_session *s) {
    bool held = enter_unless_used(s);
    json_t *o =
        json_pack("{s:s s:s s:i s:s s:f s:b s:o s:o s:o}", "session", s->id, "language",
                  s->spec->cells->name, "cells", (int)s->cells, "state", state_name(s->state),
                  "idle_s", (double)(now_ns() - s->idle.used_ns) / 1e9, "warm", s->interp.warm,
                  "limits", limits_json(&s->spec->limits), "isolation", isolation_json(&s->iso),
                  "account", account_json(&s->account));
    json_object_set_new(o, "review", json_string(strictness_name(s->spec->review)));
    if (held) /* notes of a rebuilt session, until its first result carries them */
        json_object_set_new(o, "state_notes",
                            s->timeline.notes ? json_copy(s->timeline.notes) : json_array());
    char *text = json_out(o, JSON_COMPACT);
    json_decref(o);
    if (held)
        session_leave(s);
    return text;
}
