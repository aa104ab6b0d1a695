/* The past of a session, read from the ledger. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hex.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/files/collector.h"
#include "engine/host/limits.h"
#include "engine/session/record.h"
#include "ledger/store.h"
#include "wire/collect.h"

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

static char *blob_text(struct ledger *l, const json_t *body, size_t *ret_len,
                       struct retort_error *err) {
    struct hash hash;
    char *data;
    const char *text = json_string_value(json_object_get(body, "blob"));
    if (!text || hash_parse(text, &hash) < 0) {
        err_errno(err, ERR_HOST, EBADMSG, "an entry of the ledger lacks its bytes");
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

char *record_answer(struct retort_session *s, const json_t *event, size_t *ret_len) {
    bool kept = s->engine->ledger && json_object_get(event, "blob");
    return kept ? blob_text(s->engine->ledger, event, ret_len, NULL) : NULL;
}

static json_t *load_call(struct ledger *l, const json_t *body) {
    size_t len;
    char *text = blob_text(l, body, &len, NULL);
    json_t *call = text ? json_in(text, len, JSON_ALLOW_NUL, NULL) : NULL;
    json_t *held = call ? step_call(call) : NULL;
    json_decref(call);
    free(text);
    return held;
}

static int add_call(void *user, const struct ledger_entry *e) {
    struct calls *calls = user;
    calls->lost = calls->lost || !e->body;
    bool answer = e->kind == LEDGER_NETWORK && json_object_get(e->body, "blob");
    if ((e->kind != LEDGER_TOOL_CALL && !answer) || !e->body)
        return 0;
    json_t *held = answer ? step_answer_of(e->body, NULL) : load_call(calls->ledger, e->body);
    calls->bytes += held ? step_call_bytes(held) : 0;
    calls->lost = calls->lost || !held || calls->bytes > MAX_KEPT_CALLS;
    if (held && !calls->lost)
        json_array_append(calls->list, held);
    json_decref(held);
    return 0;
}

json_t *record_calls(struct retort_session *s, const struct step *p) {
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

static char *state_of(struct ledger *l, const json_t *outcome, size_t *ret_len) {
    struct hash hash;
    char *state;
    const char *text =
        json_string_value(json_object_get(json_object_get(outcome, "blobs"), "state"));
    *ret_len = 0;
    if (!text || hash_parse(text, &hash) < 0)
        return NULL;
    return store_get(l, &hash, MAX_SAVED_STATE, &state, ret_len, NULL) < 0 ? NULL : state;
}

char *record_state(struct retort_session *s, const struct step *p, size_t *ret_len) {
    struct ledger_entry e = {0};
    struct ledger *l = s->engine->ledger;
    if (!l || !p->seq || ledger_entry_get(l, p->chain, p->seq + p->ncalls + 1, &e, NULL) < 0)
        return NULL;
    char *state = e.kind == LEDGER_CELL_OUTCOME ? state_of(l, e.body, ret_len) : NULL;
    ledger_entry_done(&e);
    return state;
}

static int load_cell(struct retort_session *s, const struct ledger_step *step,
                     struct retort_error *err) {
    struct ledger *l = s->engine->ledger;
    size_t len;
    const char *name = json_string_value(json_object_get(step->body, "language"));
    const struct cell_language *language =
        name ? language_find(name, strlen(name)) : s->spec->cells;
    if (!language)
        return err_set(err, ERR_HOST, EINVAL, "a recorded cell has an unknown language");
    char *code = blob_text(l, step->body, &len, err);
    struct step *p = code ? timeline_grow(s) : NULL;
    if (!p) {
        free(code);
        return code ? err_errno(err, ERR_HOST, ENOMEM, "cannot hold the history of the session")
                    : -ENODATA;
    }
    struct retort_limits had = limits_recorded(json_object_get(step->body, "limits"));
    limits_fill(&had, &s->spec->limits, &p->limits, NULL);
    p->cell = (unsigned)json_integer_value(json_object_get(step->body, "cell"));
    p->code = code;
    p->len = len;
    p->language = language;
    p->seq = step->seq;
    p->ncalls = (unsigned)(step->outcome_seq - step->seq - 1);
    snprintf(p->chain, sizeof p->chain, "%.23s", step->session);
    p->interrupted = interrupted_of(step->outcome);
    p->outcome = json_incref(step->outcome);
    p->state = state_of(l, p->outcome, &p->state_len);
    timeline_count(s, p);
    timeline_make_room_for_state(s);
    return 0;
}

static int load_file(struct retort_session *s, const struct ledger_step *step,
                     struct retort_error *err) {
    const char *name = json_string_value(json_object_get(step->body, "path"));
    struct step *p = name ? timeline_grow(s) : NULL;
    if (!p)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the history of the session");
    p->path = name_bytes(name);
    p->write = json_incref(step->body);
    timeline_count(s, p);
    return 0;
}

/* The host tools that were on offer from this cell on. */
static void offer_again(struct retort_session *s, const struct ledger_step *step) {
    json_t *tools = json_object_get(step->body, "tools"),
           *policy = json_object_get(step->body, "policy");
    if (policy) {
        json_decref(s->tools.policy);
        s->tools.policy = json_incref(policy);
    }
    if (!tools)
        return;
    json_decref(s->tools.offered);
    s->tools.offered = json_incref(tools);
    s->tools.sent = 0;
}

int record_load(struct retort_session *s, const struct ledger_history *history,
                struct retort_error *err) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < history->count; i++) {
        const struct ledger_step *step = &history->steps[i];
        r = step->kind == LEDGER_CELL_INTENT ? load_cell(s, step, err) : load_file(s, step, err);
        if (step->kind == LEDGER_CELL_INTENT && r == 0)
            offer_again(s, step);
    }
    s->tools.unknown = true; /* cells that were undone may have brought anything */
    snprintf(s->tools.origin, sizeof s->tools.origin, "the time before it came back");
    s->cells = s->outputs.gone = history->last; /* a number means one cell, also one undone */
    return r;
}

/* Whether the entries from here on followed the same cell. */
static bool follows_cell(const struct retort_session *s, size_t first,
                         const struct ledger_history *history, size_t at) {
    unsigned held = first ? s->timeline.steps[first - 1].cell : 0;
    const json_t *body = at ? history->steps[at - 1].body : NULL;
    return held == (unsigned)json_integer_value(json_object_get(body, "cell"));
}

int record_reload_files(struct retort_session *s, const struct ledger_history *history,
                        struct retort_error *err) {
    size_t first = s->timeline.nsteps, at = history->count;
    bool unknown = false;
    int r = 0;
    for (; first && !s->timeline.steps[first - 1].cell; first--) {
        const struct step *p = &s->timeline.steps[first - 1];
        unknown = unknown || (!p->files && !p->write);
    }
    while (at && history->steps[at - 1].kind != LEDGER_CELL_INTENT)
        at--;
    if (!unknown || !follows_cell(s, first, history, at))
        return 0;
    timeline_cut(s, first);
    for (; r == 0 && at < history->count; at++)
        r = load_file(s, &history->steps[at], err);
    return r;
}

static int redo_file(struct retort_session *s, const json_t *file) {
    const char *name = json_string_value(json_object_get(file, "path")),
               *change = json_string_value(json_object_get(file, "change"));
    scoped_free char *path = name ? name_bytes(name) : NULL;
    size_t len;
    if (!path || !change)
        return -EINVAL;
    if (strcmp(change, "deleted") == 0) {
        int r = collector_delete(&s->files.collector, path, NULL);
        return r == -ENOENT ? 0 : r;
    }
    scoped_free char *data = blob_text(s->engine->ledger, file, &len, NULL);
    scoped_fd fd =
        data ? collector_create(&s->files.collector, path, COLLECT_TRUNCATE, 0, NULL) : -1;
    return fd < 0 ? -EIO : write_all(fd, data, len);
}

int record_redo_files(struct retort_session *s, const json_t *outcome) {
    const json_t *file, *files = json_object_get(outcome, "files");
    size_t i;
    int r = 0;
    json_array_foreach(files, i, file) {
        int failed = redo_file(s, file);
        r = failed < 0 ? failed : r;
    }
    return r;
}

int record_rewrite(struct retort_session *s, const struct step *p) {
    size_t len;
    if (!p->write)
        return -ENODATA;
    if (!json_object_get(p->write, "blob"))
        return collector_delete(&s->files.collector, p->path, NULL);
    scoped_free char *data = blob_text(s->engine->ledger, p->write, &len, NULL);
    bool truncate = json_is_true(json_object_get(p->write, "truncate"));
    scoped_fd fd = data ? collector_create(&s->files.collector, p->path,
                                           truncate ? COLLECT_TRUNCATE : 0, 0, NULL)
                        : -1;
    if (fd < 0 || lseek(fd, json_integer_value(json_object_get(p->write, "offset")), SEEK_SET) < 0)
        return -EIO;
    return write_all(fd, data, len);
}
