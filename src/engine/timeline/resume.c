/* Sessions that begin: new ones, and those that the ledger knows and that have no process. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/limits.h"
#include "engine/host/packages.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/idle.h"
#include "engine/timeline/timeline.h"

/* NULL-terminated; the names are those of the body. */
static const char *const *layers_missing(const json_t *body, const char *names[LAYER_COUNT + 1]) {
    size_t i, n = 0;
    json_t *name;
    json_array_foreach(json_object_get(body, "allow_missing"), i, name) {
        if (n < LAYER_COUNT && json_is_string(name))
            names[n++] = json_string_value(name);
    }
    names[n] = NULL;
    return names;
}

static int resume_options(const json_t *body, struct retort_session_options *ret,
                          struct retort_error *err) {
    const json_t *limits = json_object_get(body, "limits"),
                 *env = json_object_get(body, "environment");
    const char *language = json_string_value(json_object_get(body, "language"));
    const struct cell_language *cells = language ? language_find(language, strlen(language)) : NULL;
    if (!cells)
        return err_set(err, ERR_CALLER, EINVAL, "the session has an unknown language");
    const char *program =
        json_string_value(json_object_get(json_object_get(env, "interpreter"), "path"));
    const char *usual = interpreter_rows[LANG_PYTHON].program;
    *ret = (struct retort_session_options){
        .language = cells->name,
        .preload = json_string_value(json_object_get(env, "preload")),
        .python = program && strcmp(program, usual) != 0 ? program : NULL,
        .seed = (uint64_t)json_integer_value(json_object_get(body, "seed")),
        .has_seed = true,
        .deterministic = json_is_true(json_object_get(body, "deterministic")),
        .strict = json_is_true(json_object_get(body, "strict")), /* never less than was asked */
        /* Object ids differ between a fork of a zygote and an interpreter that was started cold. */
        .fresh = json_is_false(json_object_get(body, "warm")),
        .background = json_is_true(json_object_get(body, "background")),
        .checkpoint =
            (enum retort_checkpoint)json_integer_value(json_object_get(body, "checkpoint")),
        .on_error = (enum retort_on_error)json_integer_value(json_object_get(body, "on_error")),
        .owner = json_string_value(json_object_get(body, "owner")),
        .review = json_string_value(json_object_get(body, "review")),
        .rules = json_string_value(json_object_get(body, "rules")),
        .no_record = true};
    ret->limits = limits_recorded(limits);
    return 0;
}

/* The same content, wherever the state directory is by now. */
static int packages_recorded(const struct retort_engine *e, const json_t *body, char path[MAX_PATH],
                             struct retort_session_options *ret, struct retort_error *err) {
    const json_t *env = json_object_get(body, "environment");
    const char *hash = json_string_value(json_object_get(env, "content"));
    if (!hash)
        return 0;
    ret->packages = path;
    return packages_is_hash(hash) ? packages_path(e->state_dir, hash, path, MAX_PATH, err)
                                  : err_set(err, ERR_BUG, EBADMSG, "the record is damaged");
}

/* The "create" entry of the oldest ancestor says what the session runs on. */
static int load_create(struct ledger *l, const char *id, struct ledger_entry *ret,
                       struct retort_error *err) {
    scoped_free struct ledger_part *parts = NULL;
    size_t count;
    int r = ledger_lineage(l, id, &parts, &count, err);
    if (r == 0)
        r = ledger_entry_get(l, parts[0].session, 1, ret, err);
    if (r == 0 && !ret->body)
        r = err_set(err, ERR_CALLER, ENODATA, "the session was forgotten");
    return r;
}

/* Admitted, connected and on record; not begun. */
static int resume_make(struct retort_session *s, const struct retort_session_options *o,
                       struct retort_error *err) {
    const struct session_spec *spec;
    /* A checkpoint allocates memory and reads clocks, which a replay would not repeat. */
    int r = spec_new(o, !s->engine->pairs.settings.pool, &spec, err);
    if (r == 0)
        r = session_specify(s, spec, err);
    if (r == 0)
        r = session_connect(s, err);
    session_set_recorded(s, s->engine->ledger && !o->no_record);
    return r < 0 ? r : record_create(s, err);
}

int session_open(struct retort_engine *e, const struct retort_session_options *o,
                 struct retort_session **ret, struct retort_error *err) {
    struct retort_session *s = session_alloc(e);
    if (!s)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold another session");
    int r = engine_admit(e, s, err);
    if (r == 0 && (r = resume_make(s, o, err)) < 0)
        engine_dismiss(e, s);
    if (r < 0)
        session_free(s);
    else
        *ret = s;
    return r;
}

static void session_discard(struct retort_session *s) {
    engine_dismiss(s->engine, s);
    session_free(s);
}

/* The rules of a session that connects to nobody, as JSON: secrets and authorities may be gone. A
 * host with a secret is one whose requests are read. */
static char *recorded_rules(const json_t *create, bool offline) {
    json_t *network = json_object_get(create, "network"), *rule, *list;
    size_t i;
    list = json_is_array(network) ? network : json_object_get(network, "rules");
    json_array_foreach(offline ? list : NULL, i, rule) {
        bool reads = json_object_get(rule, "methods") || json_object_get(rule, "paths");
        if (json_object_get(rule, "secret") && !reads)
            json_object_set_new(rule, "paths", json_pack("[s]", "/"));
        json_object_del(rule, "secret");
        json_object_del(rule, "authority");
    }
    return json_whole(network, JSON_COMPACT);
}

int session_open_like(struct retort_engine *e, const char *id, bool offline,
                      struct retort_session **ret, struct retort_error *err) {
    struct ledger_entry create = {0};
    struct ledger_history history = {0};
    struct retort_session_options options;
    const char *missing[LAYER_COUNT + 1];
    char packages[MAX_PATH];
    struct retort_session *s = NULL;
    int r = load_create(e->ledger, id, &create, err);
    if (r == 0)
        r = resume_options(create.body, &options, err);
    scoped_free char *network = recorded_rules(create.body, offline);
    if (r == 0) {
        options.network = network;
        options.allow_missing = layers_missing(create.body, missing);
        r = packages_recorded(e, create.body, packages, &options, err);
    }
    if (r == 0)
        r = ledger_history(e->ledger, id, &history, err);
    if (r == 0)
        r = session_open(e, &options, &s, err);
    if (r == 0 && (r = record_load(s, &history, err)) < 0)
        session_discard(s);
    ledger_history_done(&history);
    ledger_entry_done(&create);
    if (r == 0)
        *ret = s;
    return r;
}

/* Gives the id to the session (NULL: only checks), unless another session of this engine has it. */
static int claim_id(struct retort_engine *e, struct retort_session *s, const char *id,
                    struct retort_error *err) {
    bool taken = false;
    pthread_mutex_lock(&e->lock);
    for (const struct retort_session *other = e->sessions; other; other = other->next)
        taken = taken || strcmp(other->id, id) == 0;
    if (s && !taken)
        memcpy(s->id, id, strlen(id) + 1);
    pthread_mutex_unlock(&e->lock);
    return taken ? err_set(err, ERR_CALLER, EBUSY, "the session is in use already") : 0;
}

/* Names of variables are on record, their values are not: they may be secrets. */
static void note_variables(struct retort_session *s, const char *id) {
    struct ledger_entry create = {0};
    scoped_buf text = BUF_INIT(1000);
    const json_t *name;
    size_t i;
    if (load_create(s->engine->ledger, id, &create, NULL) < 0)
        return;
    const json_t *names = json_object_get(create.body, "env");
    json_array_foreach(names, i, name) {
        buf_printf(&text, "%s%s", i ? ", " : "", json_string_value(name));
    }
    if (text.len &&
        buf_adds(&text, ": not set any more, values of variables are not recorded") == 0)
        json_array_append_new(s->timeline.notes, json_text(text.data, text.len));
    ledger_entry_done(&create);
}

int session_resume_recorded(struct retort_engine *e, const char *id, struct retort_session **ret,
                            struct retort_error *err) {
    struct ledger_ref ref;
    struct retort_session *s;
    if (!e->ledger)
        return err_set(err, ERR_CALLER, ENOENT, "this engine keeps no record of sessions");
    int r = claim_id(e, NULL, id, err);
    if (r < 0)
        return r;
    json_t *body = json_object();
    r = ledger_resume(e->ledger, id, body, &ref, err);
    if (r == 0 && (r = session_open_like(e, id, false, &s, err)) < 0)
        sleep_again(e, id, NULL);
    json_decref(body);
    if (r < 0)
        return r;
    s->timeline.notes = json_array();
    const char *via = recover(s, s->timeline.nsteps, ~0u, s->timeline.notes);
    r = via ? claim_id(e, s, id, err)
            : recover_error("the session cannot come back", s->timeline.notes, err);
    if (r < 0) {
        sleep_again(e, id, NULL);
        session_discard(s);
        return r;
    }
    note_variables(s, id);
    session_set_recorded(s, true);
    s->timeline.resumed = true;
    session_begin(s);
    *ret = s;
    return 0;
}

void session_close(struct retort_session *s) {
    session_enter(s);
    idle_forget(s);
    record_end(s, LEDGER_CLOSE);
    session_leave(s);
    /* Done last: whoever finds that the engine does not have this session may write to its record.
     */
    engine_dismiss(s->engine, s);
    session_free(s);
}
