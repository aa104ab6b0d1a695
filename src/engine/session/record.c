#include "engine/session/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/unconst.h"
#include "engine/host/environment.h"
#include "engine/host/fingerprint.h"
#include "engine/host/limits.h"
#include "engine/host/statedir.h"
#include "ledger/store.h"
#include "ledger/upkeep.h"

int record_open(struct retort_engine *e, const char *dir, struct retort_error *err) {
    /* Clients see errors of the ledger, and must not learn where it lies. */
    struct ledger_options options = {.max_bytes = 8ull << 30, .place = "the state directory"};
    char path[MAX_PATH];
    int r = environment_ledger(&options, err);
    if (r == 0)
        r = statedir_find(dir, path, sizeof path, err);
    return r < 0 ? r : ledger_open(path, &options, &e->ledger, err);
}

/* --- entries --- */

static int append(struct retort_session *s, enum ledger_kind kind, json_t *body,
                  struct ledger_ref *ret, struct retort_error *err) {
    struct ledger_ref ref;
    int r = body ? ledger_append(s->engine->ledger, s->id, kind, body, ret ? ret : &ref, err)
                 : err_errno(err, ERR_HOST, ENOMEM, "cannot record");
    json_decref(body);
    return r;
}

static json_t *stored(struct retort_session *s, const void *data, size_t len,
                      struct retort_error *err) {
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    if (store_put(s->engine->ledger, data, len, &hash, err) < 0)
        return NULL;
    hash_text(&hash, text);
    return json_string(text);
}

static json_t *env_names(const struct retort_session *s) {
    json_t *names = json_array();
    for (char **v = s->spec->variables; v && *v; v++)
        json_array_append_new(names, json_text(*v, strcspn(*v, "=")));
    return names;
}

/* Layers that the caller gave up by name. Whoever resumes the session gives them up again. */
static json_t *layers_given_up(const struct retort_session *s) {
    json_t *names = json_array();
    for (int i = 0; i < LAYER_COUNT; i++)
        if (s->spec->allow_missing & LAYER_BIT(i))
            json_array_append_new(names, json_string(layer_names[i]));
    return names;
}

/* Per engine and environment the packages do not change: listed once. */
static json_t *packages_of(const struct retort_session *s) {
    struct retort_engine *e = s->engine;
    const struct ctl_environment *env = &s->spec->env;
    char key[sizeof env->interpreter + sizeof env->prefix[0] + sizeof env->packages + 3];
    if (s->spec->language != LANG_PYTHON)
        return json_object();
    snprintf(key, sizeof key, "%s|%s|%s", env->interpreter, env->prefix[0], env->packages);
    pthread_mutex_lock(&e->lock);
    json_t *known = json_incref(json_object_get(e->packages, key));
    pthread_mutex_unlock(&e->lock);
    if (known)
        return known;
    known = fingerprint_packages(env); /* reads directories: nobody waits for that */
    pthread_mutex_lock(&e->lock);
    if (!e->packages)
        e->packages = json_object();
    json_object_set(e->packages, key, known);
    pthread_mutex_unlock(&e->lock);
    return known;
}

static json_t *create_body(const struct retort_session *s) {
    const struct session_spec *spec = s->spec;
    json_t *owner = spec->owner[0] ? json_string(spec->owner) : NULL;
    json_t *door = spec->door[0] ? json_string(spec->door) : NULL;
    bool warm = s->engine->pairs.settings.pool && spec->language == LANG_PYTHON &&
                !(spec->flags & CREATE_FRESH);
    json_t *o = json_pack(
        "{s:s s:o s:o s:I s:b s:b s:b s:b s:i s:i s:o s:o s:o* s:o*}", "language",
        spec->cells->name, "environment", fingerprint(&spec->env, spec->language, packages_of(s)),
        "limits", limits_json(&spec->limits), "seed", (json_int_t)spec->seed, "deterministic",
        spec->flags & CREATE_DETERMINISTIC ? 1 : 0, "strict", spec->flags & CREATE_STRICT ? 1 : 0,
        "warm", warm, "background", spec->background, "checkpoint", (int)spec->checkpoint,
        "on_error", (int)spec->on_error, "env", env_names(s), "allow_missing", layers_given_up(s),
        "owner", owner, "door", door);
    if (spec->network || spec->closed)
        json_object_set_new(o, "network",
                            spec->closed ? json_array() : json_in_text(spec->network, 0, NULL));
    if (spec->review != STRICT_OFF)
        json_object_set_new(o, "review", json_string(strictness_name(spec->review)));
    if (spec->rules)
        json_object_set_new(o, "rules", json_string(spec->rules));
    return o;
}

static int record_begin(struct retort_session *s, const char *parent, struct retort_error *err) {
    struct ledger_ref ref;
    json_t *body = create_body(s);
    int r = ledger_begin(s->engine->ledger, s->id, parent, body, &ref, err);
    json_decref(body);
    return r;
}

int record_create(struct retort_session *s, struct retort_error *err) {
    return s->recorded ? record_begin(s, NULL, err) : 0;
}

int record_branch(struct retort_session *s, const struct retort_session *parent,
                  struct retort_error *err) {
    session_set_recorded(s, parent->recorded);
    return s->recorded ? record_begin(s, parent->id, err) : 0;
}

int record_intent(struct retort_session *s, const struct record_intent *intent, uint64_t *ret_seq,
                  struct retort_error *err) {
    if (!s->recorded)
        return 0;
    json_t *blob = stored(s, intent->code, intent->len, err);
    if (!blob)
        return -EIO;
    json_t *body = json_pack("{s:i s:o s:o s:b}", "cell", (int)intent->cell, "blob", blob, "limits",
                             limits_json(intent->limits), "script", intent->script);
    if (intent->language != s->spec->cells)
        json_object_set_new(body, "language", json_string(intent->language->name));
    if (intent->request)
        json_object_set_new(body, "request", json_string(intent->request));
    if (s->tools.offered && !s->tools.recorded) /* a replay has to offer them again */
        json_object_set(body, "tools", s->tools.offered);
    if (s->tools.policy && !s->tools.recorded)
        json_object_set(body, "policy", s->tools.policy);
    struct ledger_ref ref = {0};
    int r = append(s, LEDGER_CELL_INTENT, body, &ref, err);
    *ret_seq = r >= 0 ? ref.seq : 0;
    s->tools.recorded = s->tools.recorded || r >= 0;
    return r;
}

int record_settled(struct retort_session *s, uint64_t seq, struct retort_error *err) {
    return s->recorded && seq ? ledger_settled(s->engine->ledger, s->id, seq, err) : 0;
}

int record_tool(struct retort_session *s, unsigned cell, const json_t *call,
                struct retort_error *err) {
    if (!s->recorded)
        return 0;
    char *text = json_whole(call, JSON_COMPACT); /* in order: a dict must come back as it was */
    json_t *blob = text ? stored(s, text, strlen(text), err) : NULL;
    bool held = text != NULL;
    free(text);
    if (!blob)
        return held ? -EIO : err_errno(err, ERR_HOST, ENOMEM, "cannot record");
    return append(s, LEDGER_TOOL_CALL,
                  json_pack("{s:i s:O s:o}", "cell", (int)cell, "name",
                            json_object_get(call, "name"), "blob", blob),
                  NULL, err);
}

int record_network(struct retort_session *s, unsigned cell, json_t *event, const struct buf *answer,
                   struct retort_error *err) {
    if (!s->recorded)
        return 0;
    json_t *blob = answer ? stored(s, answer->data, answer->len, err) : NULL;
    if (answer && !blob)
        return -EIO;
    if (blob)
        json_object_set_new(event, "blob", blob);
    json_t *body = json_copy(event);
    json_object_set_new(body, "cell", json_integer(cell));
    return append(s, LEDGER_NETWORK, body, NULL, err);
}

int record_write(struct retort_session *s, const char *path, const struct file_piece *piece,
                 struct retort_error *err) {
    json_t *blob = s->recorded ? stored(s, piece->data, piece->len, err) : NULL;
    if (!blob)
        return s->recorded ? -EIO : 0;
    return append(s, LEDGER_FILE_WRITE,
                  json_pack("{s:o s:I s:I s:b s:o}", "path", json_name(path, strlen(path)),
                            "offset", (json_int_t)piece->offset, "size", (json_int_t)piece->len,
                            "truncate", piece->truncate, "blob", blob),
                  NULL, err);
}

int record_delete(struct retort_session *s, const char *path, struct retort_error *err) {
    if (!s->recorded)
        return 0;
    return append(s, LEDGER_FILE_DELETE, json_pack("{s:o}", "path", json_name(path, strlen(path))),
                  NULL, err);
}

/* The files of the result, with a reference to their bytes where the store has them. */
static json_t *files_with_blobs(const struct retort_session *s, const json_t *result) {
    json_t *list = json_deep_copy(json_object_get(result, "files")), *file;
    size_t i;
    json_array_foreach(list, i, file) {
        const char *sha = json_string_value(json_object_get(file, "sha256"));
        const char *change = json_string_value(json_object_get(file, "change"));
        char text[HASH_TEXT_SIZE];
        struct hash hash;
        if (!sha || !change || strcmp(change, "deleted") == 0 || hash_parse(sha, &hash) < 0 ||
            !store_has(s->engine->ledger, &hash))
            continue;
        hash_text(&hash, text);
        json_object_set_new(file, "blob", json_string(text));
    }
    return list;
}

/* A stream that is longer than the result holds is stored whole, as far as its quota goes. */
static void put_stream(struct retort_session *s, json_t *extra, const char *name,
                       const struct stream *stream) {
    struct hash hash;
    uint64_t size;
    char text[HASH_TEXT_SIZE];
    if (stream->store < 0 || lseek(stream->store, 0, SEEK_SET) < 0 ||
        store_put_fd(s->engine->ledger, stream->store, stream->stored + 1, &hash, &size, NULL) < 0)
        return;
    hash_text(&hash, text);
    json_object_set_new(json_object_get(extra, "blobs"), name, json_string(text));
    json_object_set_new(
        json_object_get(extra, "sums"), name,
        json_pack("{s:s s:I}", "sha256", strchr(text, ':') + 1, "size", (json_int_t)size));
}

void record_outcome(struct retort_session *s, const struct record_outcome *o, json_t *result) {
    struct ledger_ref ref;
    struct retort_error err = ERR_INIT;
    if (!s->recorded)
        return;
    json_t *extra =
        json_pack("{s:{} s:{} s:o}", "blobs", "sums", "files", files_with_blobs(s, result));
    put_stream(s, extra, "stdout", o->out);
    put_stream(s, extra, "stderr", o->err);
    json_t *state =
        o->step && o->step->state ? stored(s, o->step->state, o->step->state_len, NULL) : NULL;
    if (state)
        json_object_set_new(json_object_get(extra, "blobs"), "state", state);
    if (o->interrupted.after_us)
        json_object_set_new(extra, "interrupted",
                            json_pack("{s:I s:I}", "after_us", (json_int_t)o->interrupted.after_us,
                                      "output", (json_int_t)o->interrupted.output));
    int r = ledger_outcome(s->engine->ledger, s->id, result, extra, &ref, &err);
    json_decref(extra);
    if (r < 0) /* it ran, and the result says that it is not on record */
        json_object_set_new(
            result, "ledger",
            json_pack("{s:n s:n s:b s:s}", "entry", "hash", "durable", 0, "error", err.message));
    else
        json_object_set_new(
            result, "ledger",
            json_pack("{s:I s:s s:b s:s*}", "entry", (json_int_t)ref.seq, "hash", ref.hash,
                      "durable", ref.durable, "error",
                      o->unrecorded->fault != ERR_NONE ? o->unrecorded->message : NULL));
}

static bool is_source(const char *text) {
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return len > 0 && len <= 32 && !text[len];
}

int record_note_on(struct ledger *l, const char *session, const char *source, const char *json,
                   struct retort_error *err) {
    struct ledger_ref ref;
    if (!is_source(source))
        return err_set(err, ERR_CALLER, EINVAL, "a note needs a short name of its source");
    if (strlen(json) > MAX_NOTE)
        return err_set(err, ERR_LIMIT, EFBIG, "a note of %zu bytes is too large", strlen(json));
    if (!l)
        return 0;
    json_t *event = json_in_text(json, JSON_ALLOW_NUL, NULL);
    int r = ledger_note(l, session, source, event, &ref, err);
    json_decref(event);
    return r;
}

int record_note(struct retort_session *s, const char *source, const char *json,
                struct retort_error *err) {
    return record_note_on(s->recorded ? s->engine->ledger : NULL, s->id, source, json, err);
}

int record_undo(struct retort_session *s, unsigned cells, struct retort_error *err) {
    return s->recorded ? append(s, LEDGER_UNDO, json_pack("{s:i}", "cells", (int)cells), NULL, err)
                       : 0;
}

void record_kept(struct retort_session *s, const char *kept) {
    if (s->recorded)
        append(s, LEDGER_CLOSE, json_pack("{s:s}", "kept", kept), NULL, NULL);
    session_set_recorded(s, false);
}

void record_end(struct retort_session *s, enum ledger_kind kind) {
    if (s->recorded)
        append(s, kind, json_object(), NULL, NULL);
}
