#include "engine/api/replay.h"

#include <errno.h>
#include <string.h>

#include "base/jsonout.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/timeline/timeline.h"

static const char *const compared[] = {"state", "status",   "stdout", "stderr",
                                       "value", "displays", "files"};

/* Where a rerun differs from the record. Compares only what the code produced: no times, no
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

/* One side of a difference, for a report while the replay goes on; leaves long values out. */
static bool add_side(json_t *verdict, const char *name, json_t *value) {
    scoped_free char *text = json_out(value, JSON_COMPACT | JSON_ENCODE_ANY);
    bool fits = !value || (text && strlen(text) <= MAX_EVENT / 64);
    if (fits)
        json_object_set_new(verdict, name, value ? json_incref(value) : json_null());
    return fits;
}

/* `found` is NULL for a cell that did the same again. */
static void tell_cell(const struct replay *x, unsigned cell, const struct comparison *found) {
    if (!x->progress)
        return;
    json_t *verdict = json_pack("{s:i s:b}", "cell", (int)cell, "equal", !found);
    if (found) {
        json_object_set_new(verdict, "what", json_string(found->what));
        bool whole = add_side(verdict, "expected", found->expected);
        whole = add_side(verdict, "got", found->got) && whole;
        if (!whole)
            json_object_set_new(verdict, "truncated", json_true());
    }
    scoped_free char *text = json_out(verdict, JSON_COMPACT);
    json_decref(verdict);
    x->progress(x->user, x->done, x->total, text ? text : "{}");
}

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

/* What the cell asked for on the network, and nobody answered. */
static void note_unanswered(struct replay *x, unsigned cell, const json_t *result) {
    static const char *const named[] = {"scheme", "method", "host", "port", "path"};
    size_t i;
    json_t *event;
    json_array_foreach(json_object_get(result, "network"), i, event) {
        json_t *one = json_object_get(event, "missing") ? json_object() : NULL;
        for (size_t n = 0; one && n < sizeof named / sizeof *named; n++)
            json_object_set(one, named[n], json_object_get(event, named[n]));
        if (one) {
            json_object_set_new(one, "cell", json_integer(cell));
            json_array_append_new(x->unanswered, one);
        }
    }
}

static int replay_cell(struct retort_session *s, const struct step *p,
                       const struct ledger_step *step, struct replay *x, struct retort_error *err) {
    struct comparison found;
    json_t *was = NULL, *is = NULL;
    int r = ledger_result(s->engine->ledger, step->session, step->outcome_seq, &was, err);
    bool script = json_is_true(json_object_get(step->body, "script"));
    if (r == 0)
        r = execute_again(s, p, script, &is, err);
    if (r == 0) {
        bool other = differs(was, is, &found);
        note_unanswered(x, p->cell, is);
        x->done++;
        tell_cell(x, p->cell, other ? &found : NULL);
        if (other)
            note_difference(x, &found);
    }
    json_decref(was);
    json_decref(is);
    return r;
}

static char *replay_json(const char *id, unsigned cells, const struct replay *x) {
    const struct comparison *c = &x->first;
    json_t *o =
        json_pack("{s:s s:b s:i s:n s:O s:O}", "session", id, "equal", !x->differs, "cells",
                  (int)cells, "first", "different", x->different, "unanswered", x->unanswered);
    if (x->differs)
        json_object_set_new(o, "first",
                            json_pack("{s:i s:s s:O? s:O?}", "cell", (int)c->cell, "what", c->what,
                                      "expected", c->expected, "got", c->got));
    char *text = json_out(o, JSON_COMPACT);
    json_decref(o);
    return text;
}

static int replay_all(struct retort_session *s, const struct ledger_history *h, struct replay *x,
                      struct retort_error *err) {
    int r = 0;
    x->total = h->cells;
    for (size_t i = 0; r == 0 && i < s->timeline.nsteps && i < h->count; i++) {
        if (!s->timeline.steps[i].cell) {
            record_rewrite(s, &s->timeline.steps[i]);
            timeline_note_files(s);
            continue;
        }
        r = replay_cell(s, &s->timeline.steps[i], &h->steps[i], x, err);
        if (r < 0 && x->differs) /* what went another way has ended the session */
            return 0;
    }
    return r;
}

/* A cell that is not of the past. */
static int watch_cell(struct retort_session *s, const char *code, json_t **ret_final,
                      struct retort_error *err) {
    scoped_free char *text = strdup(code);
    struct step p = {.code = text,
                     .len = text ? strlen(text) : 0,
                     .language = language_of(LANG_PYTHON),
                     .limits = s->spec->limits};
    json_t *result = NULL;
    int r = execute_again(s, &p, false, &result, err);
    if (r == 0)
        *ret_final = json_incref(json_object_get(result, "final"));
    json_decref(result);
    return r;
}

static int replay_watched(struct retort_session *s, const struct ledger_history *h,
                          struct replay *x, struct retort_error *err) {
    json_t *none = NULL;
    if (!x->watch)
        return replay_all(s, h, x, err);
    TRY(watch_cell(s, x->watch->before, &none, err));
    json_decref(none);
    TRY(replay_all(s, h, x, err));
    return watch_cell(s, x->watch->after, &x->watch->found, err);
}

static void replay_done(struct replay *x) {
    json_decref(x->first.expected);
    json_decref(x->first.got);
    json_decref(x->different);
    json_decref(x->unanswered);
}

int replay(struct retort_engine *e, const char *id, struct replay *x, char **ret_json,
           struct retort_error *err) {
    struct ledger_history h = {0};
    struct retort_session *s = NULL;
    x->different = json_array();
    x->unanswered = json_array();
    int r = ledger_history(e->ledger, id, &h, err);
    if (r == 0)
        r = session_open_like(e, id, true, &s, err);
    if (r == 0)
        r = replay_watched(s, &h, x, err);
    if (r == 0)
        *ret_json = replay_json(id, h.cells, x);
    replay_done(x);
    if (s)
        session_close(s);
    ledger_history_done(&h);
    return r;
}
