#include "engine/api/ledgerapi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonout.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/parts/stream.h"
#include "ledger/store.h"
#include "ledger/upkeep.h"

/* --- log --- */

struct listing {
    struct ledger *ledger;
    json_t *list;
};

/* The text of an entry that somebody wrote: the code of a cell, or an agent's task. NULL for
 * others. */
static char *words_of(struct ledger *l, const struct ledger_entry *e) {
    size_t len;
    if (e->kind == LEDGER_CELL_INTENT)
        return store_blob(l, e->body, &len);
    json_t *event = e->kind == LEDGER_NOTE && e->body ? ledger_note_event(l, e->body) : NULL;
    const char *task = json_string_value(json_object_get(event, "task"));
    char *copy = task ? strdup(task) : NULL;
    json_decref(event);
    return copy;
}

#define TITLE_ENTRIES 16 /* a title is looked for in so many; files may have come first */

struct summary {
    struct ledger *ledger;
    json_t *session;
};

static void tell_title(json_t *session, const char *words) {
    words += strspn(words, " \t\r\n");
    size_t len = strcspn(words, "\r\n");
    if (len)
        json_object_set_new(session, "title", json_text(words, len));
}

/* Who made the session, how and what for. */
static int summarize(void *user, const struct ledger_entry *e) {
    static const char *const members[] = {"language", "door", "owner"};
    struct summary *to = user;
    for (size_t i = 0; e->kind == LEDGER_CREATE && i < sizeof members / sizeof *members; i++)
        if (json_object_get(e->body, members[i]))
            json_object_set(to->session, members[i], json_object_get(e->body, members[i]));
    if (json_object_get(to->session, "title"))
        return e->kind != LEDGER_CREATE;
    scoped_free char *words = words_of(to->ledger, e);
    if (words)
        tell_title(to->session, words);
    return json_object_get(to->session, "title") != NULL;
}

static int add_session(void *user, const struct ledger_session *s) {
    struct listing *to = user;
    json_t *o =
        json_pack("{s:s s:s? s:s s:i s:I s:I s:I s:s}", "session", s->id, "parent",
                  s->parent[0] ? s->parent : NULL, "state", ledger_state_name(s->state), "cells",
                  (int)s->cells, "created_ms", (json_int_t)s->created_ms, "touched_ms",
                  (json_int_t)s->touched_ms, "entries", (json_int_t)s->seq, "head", s->head);
    struct summary summary = {to->ledger, o};
    if (o)
        tell_title(o, s->title);
    if (o)
        ledger_entries(to->ledger, s->id, 1, TITLE_ENTRIES, summarize, &summary, NULL);
    return json_array_append_new(to->list, o) == 0 ? 0 : -ENOMEM;
}

struct search {
    struct ledger *ledger;
    const char *text;
};

static int mentions(void *user, const struct ledger_entry *e) {
    const struct search *search = user;
    scoped_free char *words = words_of(search->ledger, e);
    return words && strcasestr(words, search->text);
}

bool ledgerapi_mentions(struct ledger *l, const char *id, const char *text) {
    struct search search = {l, text};
    struct ledger_session known;
    if (ledger_session_get(l, id, &known, NULL) == 0 && strcasestr(known.title, text))
        return true;
    return ledger_entries(l, id, 1, 0, mentions, &search, NULL) > 0;
}

#define LONG_CALL (64u << 10) /* arguments and result of a tool that are told with its entry */

/* Arguments and result of a host tool. */
static json_t *call_of(struct ledger *l, const json_t *body) {
    size_t len;
    scoped_free char *text = store_blob(l, body, &len);
    return text && len <= LONG_CALL ? json_in(text, len, JSON_ALLOW_NUL, NULL) : NULL;
}

static int add_entry(void *user, const struct ledger_entry *e) {
    struct listing *to = user;
    json_t *o = json_pack("{s:I s:s s:I s:s s:O?}", "entry", (json_int_t)e->seq, "kind",
                          ledger_kind_name(e->kind), "time_ms", (json_int_t)e->time_ms, "hash",
                          e->hash, "body", e->body);
    size_t len = 0;
    scoped_free char *code =
        e->kind == LEDGER_CELL_INTENT ? store_blob(to->ledger, e->body, &len) : NULL;
    if (o && code)
        json_object_set_new(o, "code", json_text(code, len));
    if (o && e->kind == LEDGER_NOTE && e->body)
        json_object_set_new(o, "event", ledger_note_event(to->ledger, e->body));
    json_t *call =
        o && e->kind == LEDGER_TOOL_CALL && e->body ? call_of(to->ledger, e->body) : NULL;
    if (call)
        json_object_set_new(o, "call", call);
    return json_array_append_new(to->list, o) == 0 ? 0 : -ENOMEM;
}

int ledgerapi_log(struct ledger *l, const char *id, json_t **ret, struct retort_error *err) {
    struct listing to = {l, json_array()};
    int r = id ? ledger_entries(l, id, 1, 0, add_entry, &to, err)
               : ledger_sessions(l, add_session, &to, err);
    if (r < 0) {
        json_decref(to.list);
        return r == -ENOMEM ? err_errno(err, ERR_HOST, ENOMEM, "cannot hold the log") : r;
    }
    *ret = to.list;
    return 0;
}

/* 0: there are none. */
static uint64_t part_first(const struct retort_part *part, uint64_t last) {
    uint64_t first = part->after + 1;
    if (part->after >= last)
        return 0;
    return part->limit && last - part->after > part->limit ? last - part->limit + 1 : first;
}

int ledgerapi_entries(struct ledger *l, const char *id, const struct retort_part *part,
                      json_t **ret, struct retort_error *err) {
    struct ledger_session known;
    int r = ledger_session_get(l, id, &known, err);
    if (r < 0)
        return r;
    struct listing to = {l, json_array()};
    uint64_t last = part->before && part->before <= known.seq ? part->before - 1 : known.seq;
    uint64_t first = part_first(part, last);
    if (first)
        r = ledger_entries(l, id, first, last, add_entry, &to, err);
    if (r >= 0)
        *ret = json_pack("{s:s s:s? s:I s:I s:O}", "session", known.id, "parent",
                         known.parent[0] ? known.parent : NULL, "branched_at",
                         (json_int_t)known.parent_seq, "total", (json_int_t)known.seq, "entries",
                         to.list);
    json_decref(to.list);
    if (r == -ENOMEM || (r >= 0 && !*ret))
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the log");
    return r < 0 ? r : 0;
}

/* --- verify --- */

#define MAX_FINDINGS 1000 /* more of them tell nothing new */

static void add_finding(void *user, const struct ledger_finding *f) {
    json_t *list = user;
    if (json_array_size(list) < MAX_FINDINGS)
        json_array_append_new(list, json_pack("{s:s s:s s:I s:s? s:s}", "verdict",
                                              ledger_verdict_name(f->verdict), "session",
                                              f->session, "entry", (json_int_t)f->seq, "blob",
                                              f->blob[0] ? f->blob : NULL, "text", f->text));
}

static bool is_sound(enum ledger_verdict v) {
    return v == LEDGER_OK || v == LEDGER_EXPIRED || v == LEDGER_WAS_FORGOTTEN;
}

int ledgerapi_verify(struct ledger *l, const char *id, const char *head, json_t **ret,
                     struct retort_error *err) {
    struct ledger_report report;
    json_t *findings = json_array();
    int r = ledger_verify(l, id, head, add_finding, findings, &report, err);
    if (r < 0) {
        json_decref(findings);
        return r;
    }
    *ret = json_pack("{s:s s:b s:I s:I s:I s:s s:o}", "verdict",
                     ledger_verdict_name(report.worst.verdict), "sound",
                     is_sound(report.worst.verdict), "entries", (json_int_t)report.entries, "blobs",
                     (json_int_t)report.blobs, "bytes", (json_int_t)report.bytes, "head",
                     report.head, "findings", findings);
    return *ret ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the report");
}
