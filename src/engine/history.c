/* Going back and going on: undo, resume of a session that has no process, sleep, branches by
 * replay. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonout.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/record.h"
#include "engine/result.h"
#include "wire/collect.h"

/* --- from the ledger
 * ------------------------------------------------------------------------------ */

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *name_bytes(const char *name) {
    char *bytes = malloc(strlen(name) + 1), *to = bytes;
    for (; bytes && *name; name++) {
        if (name[0] == '\\' && name[1] == 'x' && hex_digit(name[2]) >= 0 &&
            hex_digit(name[3]) >= 0) {
            *to++ = (char)(hex_digit(name[2]) * 16 + hex_digit(name[3]));
            name += 3;
        } else if (name[0] == '\\' && name[1])
            *to++ = *++name;
        else
            *to++ = *name;
    }
    if (bytes)
        *to = 0;
    return bytes;
}

static char *blob_text(struct ledger *l, const json_t *body, size_t *ret_len, struct err *err) {
    struct hash hash;
    char *data;
    const char *text = json_string_value(json_object_get(body, "blob"));
    if (!text || hash_parse(text, &hash) < 0) {
        err_set(err, ERR_HOST, EBADMSG, "an entry of the ledger lacks its bytes");
        return NULL;
    }
    return store_get(l, &hash, MAX_FRAME, &data, ret_len, err) < 0 ? NULL : data;
}

struct calls {
    struct ledger *ledger;
    json_t *list;
    uint64_t bytes;
    bool lost;
};

static int add_call(void *user, const struct ledger_entry *e) {
    struct calls *calls = user;
    size_t len;
    calls->lost = calls->lost || !e->body;
    if (e->kind != LEDGER_TOOL_CALL || !e->body)
        return 0;
    char *text = blob_text(calls->ledger, e->body, &len, NULL);
    json_t *call = text ? json_loadb(text, len, JSON_ALLOW_NUL, NULL) : NULL;
    json_t *held = call ? call_held(call) : NULL;
    calls->bytes += held ? call_bytes(held) : 0;
    calls->lost = calls->lost || !held || calls->bytes > MAX_KEPT_CALLS;
    if (held && !calls->lost)
        json_array_append(calls->list, held);
    json_decref(held);
    json_decref(call);
    free(text);
    return 0;
}

json_t *record_calls(struct retort_session *s, const struct past *p) {
    struct calls calls = {.ledger = s->engine->ledger, .list = json_array()};
    int r =
        ledger_entries(calls.ledger, p->chain, p->seq, p->seq + p->ncalls, add_call, &calls, NULL);
    if (r == 0 && !calls.lost)
        return calls.list;
    json_decref(calls.list);
    return NULL;
}

static struct interrupted interrupted_of(const json_t *outcome) {
    const json_t *o = json_object_get(outcome, "interrupted");
    return (struct interrupted){
        .after_us = (uint64_t)json_integer_value(json_object_get(o, "after_us")),
        .output = (uint64_t)json_integer_value(json_object_get(o, "output"))};
}

static int load_cell(struct retort_session *s, const struct ledger_step *step, struct err *err) {
    struct ledger *l = s->engine->ledger;
    size_t len;
    char *code = blob_text(l, step->body, &len, err);
    struct past *p = code ? past_grow(s) : NULL;
    if (!p) {
        free(code);
        return code ? err_set(err, ERR_HOST, ENOMEM, "cannot hold the past") : -ENODATA;
    }
    struct retort_limits had = limits_recorded(json_object_get(step->body, "limits"));
    limits_fill(&had, &s->limits, &p->limits, NULL);
    p->cell = (unsigned)json_integer_value(json_object_get(step->body, "cell"));
    p->code = code;
    p->len = len;
    p->seq = step->seq;
    p->ncalls = (unsigned)(step->outcome_seq - step->seq - 1);
    snprintf(p->chain, sizeof p->chain, "%.23s", step->session);
    p->interrupted = interrupted_of(step->outcome);
    p->was = json_incref(step->outcome);
    past_count(s, p);
    return 0;
}

static int load_file(struct retort_session *s, const struct ledger_step *step, struct err *err) {
    const char *name = json_string_value(json_object_get(step->body, "path"));
    struct past *p = name ? past_grow(s) : NULL;
    if (!p)
        return err_set(err, ERR_HOST, ENOMEM, "cannot hold the past");
    p->path = name_bytes(name);
    p->write = json_incref(step->body);
    past_count(s, p);
    return 0;
}

/* The host tools that were on offer from this cell on. */
static void offer_again(struct retort_session *s, const struct ledger_step *step) {
    json_t *tools = json_object_get(step->body, "tools");
    if (!tools)
        return;
    json_decref(s->tools);
    s->tools = json_incref(tools);
    s->tools_sent = false;
}

int record_load(struct retort_session *s, const struct ledger_history *history, struct err *err) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < history->count; i++) {
        const struct ledger_step *step = &history->steps[i];
        r = step->kind == LEDGER_CELL_INTENT ? load_cell(s, step, err) : load_file(s, step, err);
        if (step->kind == LEDGER_CELL_INTENT && r == 0)
            offer_again(s, step);
    }
    s->cells = s->outputs_gone = history->last; /* a number means one cell, also one undone */
    return r;
}

int record_rewrite(struct retort_session *s, const struct past *p) {
    size_t len;
    if (!json_object_get(p->write, "blob"))
        return files_delete(s->collector, p->path, NULL);
    scoped_free char *data = blob_text(s->engine->ledger, p->write, &len, NULL);
    bool truncate = json_is_true(json_object_get(p->write, "truncate"));
    scoped_fd fd =
        data ? files_create(s->collector, p->path, truncate ? COLLECT_TRUNCATE : 0, 0, NULL) : -1;
    if (fd < 0 || lseek(fd, json_integer_value(json_object_get(p->write, "offset")), SEEK_SET) < 0)
        return -EIO;
    return write_all(fd, data, len);
}

/* --- undo
 * ----------------------------------------------------------------------------------------- */

/* The length of the past before its last `cells` cells. Files written from outside after them go,
 * too. */
static size_t length_before(const struct retort_session *s, unsigned cells) {
    size_t n = s->npast;
    while (n > 0 && cells > 0)
        cells -= s->past[--n].cell > 0;
    return n;
}

static char *undone_json(struct retort_session *s, unsigned cells, const char *via, json_t *notes) {
    json_t *o =
        json_pack("{s:i s:s s:O}", "cells", (int)cells, "state_via", via, "state_notes", notes);
    if (s->files_incomplete)
        json_object_set_new(o, "flags", json_pack("[s]", "files_incomplete"));
    s->files_incomplete = false;
    char *text = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    return text;
}

static bool printable(const char *text) {
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

/* The last note says why, if it is one of ours: names of files are the guest's, with any bytes. */
static int not_rebuilt(const char *what, const json_t *notes, struct err *err) {
    const char *why = json_string_value(json_array_get(notes, json_array_size(notes) - 1));
    bool told = why && printable(why);
    return err_set(err, ERR_HOST, EIO, "%s, because its state could not be rebuilt%s%s", what,
                   told ? ": " : "", told ? why : "");
}

static int undo(struct retort_session *s, unsigned cells, char **ret_json, struct err *err) {
    if (s->language != LANG_PYTHON || (s->dead && !s->asleep))
        return err_set(err, ERR_CALLER, ESRCH, "the session has no state to take back");
    if (cells == 0 || cells > past_cells(s))
        return err_set(err, ERR_CALLER, EINVAL, "the session has %zu cells that can be taken back",
                       past_cells(s));
    int r = state_wake(s, err);
    state_settle(s);
    if (r == 0)
        r = record_undo(s, cells, err);
    if (r < 0)
        return r;
    json_t *notes = json_array();
    const char *via = state_recover(s, length_before(s, cells), notes);
    compare_note(s, NULL);
    *ret_json = via ? undone_json(s, cells, via, notes) : NULL;
    if (!*ret_json)
        r = not_rebuilt("the session is lost", notes, err);
    json_decref(notes);
    return r;
}

int retort_undo(struct retort_session *s, unsigned cells, char **ret_json,
                struct retort_error *error) {
    struct err err = ERR_INIT;
    pthread_mutex_lock(&s->lock);
    int r = undo(s, cells, ret_json, &err);
    pthread_mutex_unlock(&s->lock);
    return api_error(error, &err, r);
}

/* --- resume
 * --------------------------------------------------------------------------------------- */

/* NULL-terminated; the names are those of the body. */
static const char *const *given_up(const json_t *body, const char *names[LAYER_COUNT + 1]) {
    size_t i, n = 0;
    json_t *name;
    json_array_foreach(json_object_get(body, "allow_missing"), i, name) {
        if (n < LAYER_COUNT && json_is_string(name))
            names[n++] = json_string_value(name);
    }
    names[n] = NULL;
    return names;
}

static int resume_options(const json_t *body, struct retort_session_options *ret, struct err *err) {
    const json_t *limits = json_object_get(body, "limits"),
                 *env = json_object_get(body, "environment");
    const char *language = json_string_value(json_object_get(body, "language"));
    if (!language || strcmp(language, "python") != 0)
        return err_set(err, ERR_CALLER, EINVAL, "only Python sessions can go on");
    const char *program =
        json_string_value(json_object_get(json_object_get(env, "interpreter"), "path"));
    *ret = (struct retort_session_options){
        .preload = json_string_value(json_object_get(env, "preload")),
        .python = program && strcmp(program, "/usr/bin/python3") != 0 ? program : NULL,
        .seed = (uint64_t)json_integer_value(json_object_get(body, "seed")),
        .has_seed = true,
        .deterministic = json_is_true(json_object_get(body, "deterministic")),
        .strict = json_is_true(json_object_get(body, "strict")), /* never less than was asked */
        /* Object ids are those of a fork of a zygote, or of an interpreter of its own. */
        .fresh = json_is_false(json_object_get(body, "warm")),
        .background = json_is_true(json_object_get(body, "background")),
        .checkpoint =
            (enum retort_checkpoint)json_integer_value(json_object_get(body, "checkpoint")),
        .on_error = (enum retort_on_error)json_integer_value(json_object_get(body, "on_error")),
        .owner = json_string_value(json_object_get(body, "owner")),
        .no_record = true};
    ret->limits = limits_recorded(limits);
    return 0;
}

/* The "create" entry of the oldest ancestor says what the session runs on. */
static int load_create(struct ledger *l, const char *id, struct ledger_entry *ret,
                       struct err *err) {
    scoped_free struct ledger_part *parts = NULL;
    size_t count;
    int r = ledger_lineage(l, id, &parts, &count, err);
    if (r == 0)
        r = ledger_entry_get(l, parts[0].session, 1, ret, err);
    if (r == 0 && !ret->body)
        r = err_set(err, ERR_CALLER, ENODATA, "the session was forgotten");
    return r;
}

/* A session like the recorded one, with its past loaded and not yet run; under a new id,
 * unrecorded. */
static int open_like(struct retort_engine *e, const char *id, struct retort_session **ret,
                     struct err *err) {
    struct ledger_entry create = {0};
    struct ledger_history history = {0};
    struct retort_session_options options;
    const char *missing[LAYER_COUNT + 1];
    struct retort_session *s = NULL;
    int r = load_create(e->ledger, id, &create, err);
    if (r == 0)
        r = resume_options(create.body, &options, err);
    if (r == 0) {
        options.allow_missing = given_up(create.body, missing);
        r = ledger_history(e->ledger, id, &history, err);
    }
    if (r == 0 && !(s = session_alloc(e)))
        r = err_set(err, ERR_HOST, ENOMEM, "cannot hold another session");
    if (r == 0 && (r = engine_admit(e, s, err)) == 0) {
        r = session_open(s, &options, &s->create, err);
        if (r == 0)
            r = record_load(s, &history, err);
        if (r < 0)
            engine_dismiss(e, s);
    }
    ledger_history_done(&history);
    ledger_entry_done(&create);
    if (r < 0 && s)
        session_free(s);
    else
        *ret = s;
    return r;
}

/* Gives the id to the session (NULL: to none), unless another one of this engine has it. */
static int claim_id(struct retort_engine *e, struct retort_session *s, const char *id,
                    struct err *err) {
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
        json_array_append_new(s->birth_notes, json_text(text.data, text.len));
    ledger_entry_done(&create);
}

/* A session that could not come back is as it was: it, or another engine, may try again. */
static void sleep_again(struct retort_engine *e, const char *id) {
    struct ledger_ref ref;
    json_t *body = json_object();
    ledger_append(e->ledger, id, LEDGER_SLEEP, body, &ref, NULL);
    json_decref(body);
}

static int resume(struct retort_engine *e, const char *id, struct retort_session **ret,
                  struct err *err) {
    struct ledger_ref ref;
    struct retort_session *s;
    if (!e->ledger)
        return err_set(err, ERR_CALLER, ENOENT, "this engine keeps no record of sessions");
    int r = claim_id(e, NULL, id, err);
    if (r < 0)
        return r;
    json_t *body = json_object();
    r = ledger_resume(e->ledger, id, body, &ref, err);
    if (r == 0 && (r = open_like(e, id, &s, err)) < 0)
        sleep_again(e, id);
    json_decref(body);
    if (r < 0)
        return r;
    s->birth_notes = json_array();
    const char *via = state_recover(s, s->npast, s->birth_notes);
    r = via ? claim_id(e, s, id, err)
            : not_rebuilt("the session cannot come back", s->birth_notes, err);
    if (r < 0) {
        sleep_again(e, id);
        engine_dismiss(e, s);
        session_free(s);
        return r;
    }
    note_variables(s, id);
    s->recorded = true;
    s->resumed = true;
    session_begin(s);
    *ret = s;
    return 0;
}

int retort_session_resume(struct retort_engine *engine, const char *id,
                          struct retort_session **ret_session, struct retort_error *error) {
    struct err err = ERR_INIT;
    int r = strlen(id) < SESSION_ID_SIZE
                ? resume(engine, id, ret_session, &err)
                : err_set(&err, ERR_CALLER, ENOENT, "there is no session of this id");
    return api_error(error, &err, r);
}

/* --- sleep
 * ---------------------------------------------------------------------------------------- */

void state_sleep(struct retort_session *s) {
    state_settle(s);
    record_end(s, LEDGER_SLEEP);
    session_hang_up(s);
    s->asleep = true;
}

static void note_leftover(struct retort_session *s, const char *limit) {
    json_array_append_new(
        s->birth_notes,
        json_sprintf("code that went on between two cells exceeded the limit %s of a cell, and was "
                     "ended with the session's process",
                     limit));
}

int state_wake(struct retort_session *s, struct err *err) {
    struct ledger_ref ref;
    if (!s->asleep)
        return 0;
    json_t *body = json_object();
    json_decref(s->birth_notes); /* of a birth that this one takes the place of */
    s->birth_notes = json_array();
    s->birth_replayed = false;
    const char *limit = s->leftover.limit;
    int r = s->recorded ? ledger_resume(s->engine->ledger, s->id, body, &ref, err) : 0;
    differ_load(s);
    if (r == 0 && !state_recover(s, s->npast, s->birth_notes)) {
        r = not_rebuilt("the session slept and cannot come back", s->birth_notes, err);
        s->asleep = true;
        if (s->recorded)
            sleep_again(s->engine, s->id);
    }
    json_decref(body);
    if (r == 0 && limit)
        note_leftover(s, limit);
    s->resumed = r == 0;
    return r;
}

/* --- replay and compare
 * ----------------------------------------------------------------------------- */

struct comparison {
    unsigned cell;
    const char *what;
    json_t *expected, *got;
};

static const char *const compared[] = {"state", "status",   "stdout", "stderr",
                                       "value", "displays", "files"};

/* Where a rerun differs from the record. Nothing but what the code made is compared: no times, no
 * resources. */
static bool differs(const json_t *was, const json_t *is, struct comparison *ret) {
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        json_t *a = json_object_get(was, compared[i]), *b = json_object_get(is, compared[i]);
        if (json_equal(a, b))
            continue;
        *ret = (struct comparison){(unsigned)json_integer_value(json_object_get(was, "cell")),
                                   compared[i], json_incref(a), json_incref(b)};
        return true;
    }
    return false;
}

static int replay_cell(struct retort_session *s, const struct past *p,
                       const struct ledger_step *step, bool *ret_differs, struct comparison *ret,
                       struct err *err) {
    json_t *was = NULL, *is = NULL;
    int r = ledger_result(s->engine->ledger, step->session, step->outcome_seq, &was, err);
    bool script = json_is_true(json_object_get(step->body, "script"));
    if (r == 0)
        r = execute_again(s, p, script, &is, err);
    if (r == 0)
        *ret_differs = differs(was, is, ret);
    json_decref(was);
    json_decref(is);
    return r;
}

static char *replay_json(const char *id, unsigned cells, bool equal, const struct comparison *c,
                         json_t *different) {
    json_t *o = json_pack("{s:s s:b s:i s:n s:O}", "session", id, "equal", equal, "cells",
                          (int)cells, "first", "different", different);
    if (!equal)
        json_object_set_new(o, "first",
                            json_pack("{s:i s:s s:O? s:O?}", "cell", (int)c->cell, "what", c->what,
                                      "expected", c->expected, "got", c->got));
    char *text = json_out(o, JSON_COMPACT);
    json_decref(o);
    return text;
}

struct replay {
    void (*progress)(void *user, unsigned done, unsigned total);
    void *user;
    unsigned done;
    bool differs;
    struct comparison first;
    json_t *different; /* every cell that came out differently, and in what */
};

/* The first one is told in full. */
static void note_difference(struct replay *x, const struct comparison *found) {
    json_array_append_new(x->different,
                          json_pack("{s:i s:s}", "cell", (int)found->cell, "what", found->what));
    if (!x->differs) {
        x->first = *found;
    } else {
        json_decref(found->expected);
        json_decref(found->got);
    }
    x->differs = true;
}

static int replay_all(struct retort_session *s, const struct ledger_history *h, struct replay *x,
                      struct err *err) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < s->npast && i < h->count; i++) {
        struct comparison found;
        bool other = false;
        if (!s->past[i].cell) {
            record_rewrite(s, &s->past[i]);
            state_note_files(s);
            continue;
        }
        r = replay_cell(s, &s->past[i], &h->steps[i], &other, &found, err);
        if (other)
            note_difference(x, &found);
        if (r < 0 && x->differs) /* what went another way has ended the session */
            return 0;
        x->done++;
        if (x->progress)
            x->progress(x->user, x->done, h->cells);
    }
    return r;
}

int retort_replay(struct retort_engine *e, const char *id,
                  void (*progress)(void *user, unsigned done, unsigned total), void *user,
                  bool *ret_equal, char **ret_json, struct retort_error *error) {
    struct err err = ERR_INIT;
    struct ledger_history h = {0};
    struct retort_session *s = NULL;
    struct replay x = {.progress = progress, .user = user, .different = json_array()};
    int r = e->ledger
                ? ledger_history(e->ledger, id, &h, &err)
                : err_set(&err, ERR_CALLER, ENOENT, "this engine keeps no record of sessions");
    if (r == 0)
        r = open_like(e, id, &s, &err);
    if (r == 0)
        r = replay_all(s, &h, &x, &err);
    if (r == 0) {
        *ret_equal = !x.differs;
        *ret_json = replay_json(id, h.cells, !x.differs, &x.first, x.different);
    }
    json_decref(x.first.expected);
    json_decref(x.first.got);
    json_decref(x.different);
    retort_session_close(s);
    ledger_history_done(&h);
    return api_error(error, &err, r);
}
