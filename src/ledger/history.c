/* The steps that make up the present state of a session: its own entries and those it inherited,
 * without what was undone, rolled back or never finished. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "base/tiny.h"
#include "ledger/internal.h"

struct builder {
    struct ledger_history h;
    size_t cap;
    const char *session; /* the session whose entries we read now */
    const char *asked;   /* the session whose history was asked for */
    json_t *intent;      /* of a cell that has no outcome yet */
    uint64_t intent_seq;
    struct retort_error *err;
};

static void step_done(struct ledger_step *s) {
    json_decref(s->body);
    json_decref(s->outcome);
}

void ledger_history_done(struct ledger_history *h) {
    for (size_t i = 0; i < h->count; i++)
        step_done(&h->steps[i]);
    free(h->steps);
    *h = (struct ledger_history){.count = 0};
}

static int history_push(struct builder *b, enum ledger_kind kind, uint64_t seq, json_t *body,
                        const struct ledger_entry *outcome) {
    if (b->h.count == b->cap) {
        size_t cap = b->cap ? b->cap * 2 : TINY(16, 1);
        struct ledger_step *more = reallocarray(b->h.steps, cap, sizeof *more);
        if (!more)
            return err_memory(b->err);
        b->h.steps = more;
        b->cap = cap;
    }
    struct ledger_step *s = &b->h.steps[b->h.count++];
    *s = (struct ledger_step){.kind = kind, .seq = seq, .body = json_incref(body)};
    snprintf(s->session, sizeof s->session, "%s", b->session);
    if (outcome) {
        s->outcome = json_incref(outcome->body);
        s->outcome_seq = outcome->seq;
        b->h.cells++;
    }
    return 0;
}

static void history_undo(struct builder *b, json_int_t cells) {
    while (cells > 0 && b->h.cells > 0) {
        struct ledger_step *s = &b->h.steps[--b->h.count];
        if (s->kind == LEDGER_CELL_INTENT) {
            b->h.cells--;
            cells--;
        }
        step_done(s);
    }
}

static int history_end_cell(struct builder *b, const struct ledger_entry *e) {
    const char *state = json_string_value(json_object_get(e->body, "state"));
    int r = 0;
    if (b->intent && state && strcmp(state, "kept") == 0)
        r = history_push(b, LEDGER_CELL_INTENT, b->intent_seq, b->intent, e);
    json_decref(b->intent);
    b->intent = NULL;
    return r;
}

static int forgotten(const struct builder *b) {
    if (strcmp(b->session, b->asked) == 0)
        return err_set(b->err, ERR_CALLER, ENODATA, "session %s was forgotten", b->session);
    return err_set(
        b->err, ERR_CALLER, ENODATA,
        "session %s begins with cells of %s, which was forgotten: it can be verified, but "
        "not run again",
        b->asked, b->session);
}

static int history_take(void *user, const struct ledger_entry *e) {
    struct builder *b = user;
    if (!e->body)
        return forgotten(b);
    switch (e->kind) {
    case LEDGER_CELL_INTENT:
        json_decref(b->intent);
        b->intent = json_incref(e->body);
        b->intent_seq = e->seq;
        b->h.last = (unsigned)json_integer_value(json_object_get(e->body, "cell"));
        return 0;
    case LEDGER_CELL_OUTCOME: return history_end_cell(b, e);
    case LEDGER_FILE_WRITE:
    case LEDGER_FILE_DELETE: return history_push(b, e->kind, e->seq, e->body, NULL);
    case LEDGER_UNDO:
        history_undo(b, json_integer_value(json_object_get(e->body, "cells")));
        return 0;
    default: return 0;
    }
}

int ledger_lineage(struct ledger *l, const char *session, struct ledger_part **ret,
                   size_t *ret_count, struct retort_error *err) {
    scoped_free struct ledger_part *parts = NULL;
    struct ledger_session s;
    size_t count = 0;
    uint64_t last = 0;
    for (const char *id = session; id[0]; id = s.parent) {
        int r = ledger_session_get(l, id, &s, err);
        if (r < 0)
            return r;
        struct ledger_part *more = reallocarray(parts, count + 1, sizeof *more);
        if (!more)
            return err_memory(err);
        parts = more;
        memmove(parts + 1, parts, count++ * sizeof *parts);
        memcpy(parts[0].session, s.id, sizeof s.id);
        parts[0].last = last ? last : s.seq;
        last = s.parent_seq;
    }
    *ret = TAKE(parts);
    *ret_count = count;
    return 0;
}

int ledger_history(struct ledger *l, const char *session, struct ledger_history *ret,
                   struct retort_error *err) {
    scoped_free struct ledger_part *parts = NULL;
    struct builder b = {.err = err, .asked = session};
    size_t count;
    int r = ledger_lineage(l, session, &parts, &count, err);
    for (size_t i = 0; r == 0 && i < count; i++) {
        b.session = parts[i].session;
        r = ledger_entries(l, parts[i].session, 1, parts[i].last, history_take, &b, err);
        json_decref(b.intent);
        b.intent = NULL;
    }
    if (r < 0) {
        ledger_history_done(&b.h);
        return r;
    }
    *ret = b.h;
    return 0;
}
