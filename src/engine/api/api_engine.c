/* Engines: what retort.h says of opening and closing them, and of what they hold. */
#include <errno.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "engine/api/api.h"
#include "engine/host/limits.h"
#include "engine/timeline/idle.h"
#include "engine/timeline/timeline.h"

static int engine_open(struct retort_engine *e, const struct retort_engine_options *o,
                       struct retort_error *err) {
    int r = OPTIONS_KNOWN(o, err);
    if (r == 0 && !o->no_state)
        r = record_open(e, o->state_dir, err);
    if (r == 0)
        r = engine_start(e, err);
    if (r == 0 && e->pairs.settings.pool && (r = idle_start(e)) < 0)
        r = err_errno(err, ERR_HOST, -r, "cannot start a thread");
    return r;
}

int retort_open(const struct retort_engine_options *options, struct retort_engine **ret_engine,
                struct retort_error *error) {
    static const struct retort_engine_options none;
    const struct retort_engine_options *o = options ? options : &none;
    struct retort_error err = ERR_INIT;
    struct retort_engine *e = engine_alloc(o);
    if (!e)
        return api_error(error, &err, err_errno(&err, ERR_HOST, ENOMEM, "cannot hold an engine"));
    int r = engine_open(e, o, &err);
    if (r < 0)
        retort_close(e);
    else
        *ret_engine = e;
    return api_error(error, &err, r);
}

void retort_close(struct retort_engine *e) {
    if (!e)
        return;
    idle_stop(e);
    judges_end(&e->judges);
    while (e->sessions)
        session_close(e->sessions);
    engine_stop(e);
    engine_free(e);
}

static bool owned_by(const struct retort_session *s, const char *owner) {
    return !owner || (s->spec && strcmp(s->spec->owner, owner) == 0);
}

static json_t *supervisors_json(struct pairs *pairs) {
    json_t *list = json_array();
    for (unsigned i = 0; i < pairs->count; i++) {
        const struct pair *p = &pairs->at[i];
        json_array_append_new(list,
                              json_pack("{s:I, s:I, s:b}", "sessions", (json_int_t)p->sessions,
                                        "replaced", (json_int_t)p->replaced, "off", (int)p->off));
    }
    return list;
}

char *retort_accounts(struct retort_engine *e, const char *owner) {
    struct account sum = {0};
    json_int_t sessions = 0;
    pthread_mutex_lock(&e->lock);
    for (const struct retort_session *s = e->sessions; s; s = s->next)
        if (owned_by(s, owner)) {
            account_sum(&sum, &s->account);
            sessions++;
        }
    pthread_mutex_unlock(&e->lock);
    json_t *o = account_json(&sum);
    json_object_set_new(o, "sessions", json_integer(sessions));
    if (!owner)
        json_object_set_new(o, "supervisors", supervisors_json(&e->pairs));
    char *text = json_whole(o, JSON_COMPACT);
    json_decref(o);
    return text;
}
