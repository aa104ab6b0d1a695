/* Host tools: functions of the client that code in a session calls. A call is hostile input that
 * runs with the client's authority, so it is bounded in size and number here and checked against
 * the tool's schema by the door that offers it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonout.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "engine/cell/cell.h"
#include "engine/session/record.h"

int cell_put_tools(struct cell *c) {
    struct retort_session *s = c->s;
    if (!s->tools.offered || s->tools.sent & 1u << c->in->language)
        return 0;
    size_t begin = c->send.len;
    char *text = json_whole(s->tools.offered, JSON_COMPACT);
    if (!text)
        return -ENOMEM;
    int r = frame_begin(&c->send, FRAME_TOOLS);
    if (r == 0)
        r = frame_put_text(&c->send, F_JSON, text);
    if (r == 0)
        r = frame_end(&c->send, begin);
    free(text);
    s->tools.sent |= r == 0 ? 1u << c->in->language : 0;
    return r;
}

static int reply_call(struct cell *c, int64_t call, const char *failure, const char *json) {
    size_t begin = c->send.len;
    int r = frame_begin(&c->send, FRAME_TOOL_RESULT);
    if (r == 0)
        r = frame_put_int(&c->send, F_CALL, call);
    if (r == 0)
        r = frame_put_text(&c->send, failure ? F_ERROR_MESSAGE : F_JSON, failure ? failure : json);
    return r < 0 ? r : frame_end(&c->send, begin);
}

static const json_t *offered(const struct retort_session *s, const char *name) {
    size_t i;
    json_t *tool;
    json_array_foreach(s->tools.offered, i, tool) {
        const char *known = json_string_value(json_object_get(tool, "name"));
        if (known && strcmp(known, name) == 0)
            return tool;
    }
    return NULL;
}

/* --- where data may go (review.h) --- */

static bool says(const json_t *tool, const char *key, const char *word) {
    const char *value = json_string_value(json_object_get(tool, key));
    return value && strcmp(value, word) == 0;
}

/* No answer of a tool is trusted, unless the tool's declaration says so. */
static void note_origin(struct cell *c, const json_t *tool, const char *name) {
    struct host_tools *t = &c->s->tools;
    if (!says(tool, "source", "trusted") && !t->origin[0])
        snprintf(t->origin, sizeof t->origin, "%.64s (cell %u)", name, c->number);
}

static const char *why_unproved(const struct cell *c) {
    const json_t *first = json_array_get(json_object_get(c->calls.policy, "refusals"), 0);
    const char *text = json_string_value(first ? json_object_get(first, "message")
                                               : json_object_get(c->calls.policy, "reason"));
    return text ? text : "there is no verdict";
}

/* A skill that reaches the network takes there what it is given. */
static bool leads_out(const struct cell *c, const json_t *tool) {
    const json_t *skill = json_object_get(tool, "skill");
    return c->calls.guarded && !c->calls.proved && json_is_true(json_object_get(skill, "network"));
}

/* Where somebody is asked, he looks at the call itself. */
static bool is_held_back(const struct cell *c, const json_t *tool, struct buf *why) {
    const struct retort_session *s = c->s;
    if (leads_out(c, tool)) {
        buf_printf(why,
                   "not called: the skill reaches the network, and it is not proved what it is "
                   "given: %.1000s",
                   why_unproved(c));
        return true;
    }
    const char *origin = s->tools.origin[0] ? s->tools.origin
                         : s->spec->network ? "the network"
                                            : NULL;
    if (!json_object_size(json_object_get(tool, "sinks")) || c->calls.proved || !origin ||
        says(tool, "approval", "ask"))
        return false;
    buf_printf(why,
               "not called: the session has data of %s, and it is not proved that none of it is in "
               "this call: %.1000s",
               origin, why_unproved(c));
    return true;
}

/* NULL: the call may go to the host. `why` is room for a reason that is made for this call. */
static const char *not_asked(const struct cell *c, const json_t *tool, const char *arguments,
                             struct buf *why) {
    const struct retort_callbacks *cb = c->options->callbacks;
    if (!tool || !cb || !cb->tool)
        return "there is no tool of this name";
    if (!arguments)
        return "the arguments are no JSON object, or too long or too deep";
    if (!is_held_back(c, tool, why))
        return NULL;
    return why->data ? why->data : "not called: out of memory";
}

/* Often the text of an exception, made of what the code itself has sent. */
static json_t *failure_text(const char *failure) {
    size_t len = strlen(failure);
    return json_text(failure, len > MAX_MESSAGE ? utf8_cut(failure, MAX_MESSAGE) : len);
}

/* The answer, as it is recorded: {"name", "arguments", "result"} or {…, "failure"}. */
static json_t *ask_host(struct cell *c, const char *name, const char *arguments) {
    const struct retort_callbacks *cb = c->options->callbacks;
    json_t *record = json_pack("{s:o s:o}", "name", json_text(name, strlen(name)), "arguments",
                               arguments ? json_text(arguments, strlen(arguments)) : json_null());
    char *failure = NULL, *result = NULL;
    scoped_buf denial = BUF_INIT(MAX_MESSAGE);
    const json_t *tool = offered(c->s, name);
    const char *why = not_asked(c, tool, arguments, &denial);
    if (why) {
        c->calls.denied = true;
        json_object_set_new(record, "failure", failure_text(why));
        json_object_set_new(record, "refused", json_true());
        return record;
    }
    if (record_settled(c->s, c->seq, &c->calls.unrecorded) < 0) {
        json_object_set_new(record, "failure",
                            json_string("the session is not on this node any more"));
        return record;
    }
    c->s->tools.caller = c;
    result = cb->tool(cb->user, name, arguments, &failure);
    c->s->tools.caller = NULL;
    note_origin(c, tool, name);
    bool fits = result && strlen(result) <= MAX_TOOL_BYTES;
    json_t *value = fits ? json_in_text(result, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
    if (value)
        json_object_set_new(record, "result", value);
    else
        json_object_set_new(record, "failure",
                            failure           ? failure_text(failure)
                            : result && !fits ? json_string("the result of the tool is too large")
                                              : json_string("the tool failed"));
    free(failure);
    free(result);
    return record;
}

static int answer_call(struct cell *c, int64_t call, const json_t *held) {
    const char *failure = json_string_value(json_object_get(held, "failure"));
    const char *text = json_string_value(json_object_get(held, "text"));
    return reply_call(c, call, text ? NULL : failure ? failure : "the tool failed", text);
}

/* As text of a JSON object, NULL if they are anything else. */
static char *arguments_of(struct cell *c, const struct field *f) {
    json_t *v = guest_json(f, &c->said.json);
    char *text = json_is_object(v) ? json_out(v, JSON_COMPACT) : NULL;
    json_decref(v);
    return text;
}

static bool member_is(const json_t *o, const char *key, const char *text) {
    const char *value = json_string_value(json_object_get(o, key));
    return value && text ? strcmp(value, text) == 0 : !value && !text;
}

/* Finds the answer that this call got the first time. Calls may come in another order, if threads
 * make them, and with other arguments, if those depend on a clock; but the answer of one tool never
 * serves a call of another. */
static json_t *answer_again(struct cell *c, const char *name, const char *arguments) {
    size_t i, named = SIZE_MAX;
    json_t *call;
    if (!c->calls.unused)
        c->calls.unused = json_copy(c->calls.replay);
    json_array_foreach(c->calls.unused, i, call) {
        if (!member_is(call, "name", name))
            continue;
        named = named == SIZE_MAX ? i : named;
        if (member_is(call, "arguments", arguments)) {
            named = i;
            break;
        }
    }
    call = json_incref(json_array_get(c->calls.unused, named));
    json_array_remove(c->calls.unused, named);
    return call;
}

void cell_call_again(struct cell *c, const struct step *p, json_t *notes) {
    bool recorded = !p->calls && p->ncalls && p->seq;
    c->past = p;
    c->calls.replay = recorded ? record_calls(c->s, p) : json_incref(p->calls);
    c->calls.lost = p->calls_lost || (recorded && !c->calls.replay);
    if (!c->calls.replay)
        c->calls.replay = json_array();
    size_t i;
    json_t *call;
    json_array_foreach(recorded ? c->calls.replay : NULL, i, call) {
        c->calls.bytes += step_call_bytes(call);
    }
    account_add(&c->s->account, ACCOUNT_CALLS, c->calls.bytes);
    if (c->calls.lost && json_array_size(notes) < 64)
        json_array_append_new(notes, json_sprintf("cell %u called host tools, and their answers "
                                                  "are not held any more: its calls failed when "
                                                  "it was run again",
                                                  p->cell));
}

/* Answers a call of a cell that runs for the first time, and keeps the answer. */
static json_t *answer_first(struct cell *c, const char *name, const char *arguments) {
    json_t *record = ask_host(c, name, arguments), *held = step_call(record);
    size_t bytes = step_call_bytes(held);
    timeline_make_room(c->s, bytes);
    account_add(&c->s->account, ACCOUNT_CALLS, bytes);
    c->calls.bytes += bytes;
    json_array_append(c->calls.answers, held);
    record_tool(c->s, c->number, record, &c->calls.unrecorded);
    json_decref(record);
    return held;
}

int cell_tool_call(struct cell *c, const struct frame *f) {
    char name[128] = "";
    scoped_free char *arguments = NULL;
    int64_t call = -1;
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0) {
        if (field.tag == F_CALL)
            field_int(&field, &call);
        else if (field.tag == F_NAME && field.len < sizeof name &&
                 !memchr(field.data, 0, field.len)) {
            memcpy(name, field.data, field.len);
            name[field.len] = 0;
        } else if (field.tag == F_JSON && field.len <= MAX_TOOL_BYTES && !arguments)
            arguments = arguments_of(c, &field);
    }
    if (call < 0)
        return -EPROTO;
    bool full = !c->calls.replay && c->calls.bytes + 2 * MAX_TOOL_BYTES > MAX_KEPT_CALLS;
    if (c->calls.count >= MAX_TOOL_CALLS || full) {
        c->calls.denied = true;
        return reply_call(c, call,
                          full ? "too many bytes of tool calls in one cell"
                               : "too many tool calls in one cell",
                          NULL);
    }
    c->calls.count++;
    json_t *held =
        c->calls.replay ? answer_again(c, name, arguments) : answer_first(c, name, arguments);
    if (!held)
        return reply_call(c, call,
                          c->calls.lost ? "the answer to this call is not held any more"
                                        : "this call was not made when the cell ran first",
                          NULL);
    int r = answer_call(c, call, held);
    json_decref(held);
    return r;
}
