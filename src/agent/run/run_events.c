#include "agent/run/agent_run.h"

#include "agent/run/memory.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *run_text(const char *text, size_t len) {
    json_t *s = json_stringn(text, len);
    if (s)
        return s;
    scoped_buf out = BUF_INIT(3 * len + 1);
    for (size_t i = 0, n; i < len; i += n ? n : 1) {
        n = utf8_length((const unsigned char *)text + i, len - i);
        int r = n ? buf_add(&out, text + i, n) : buf_adds(&out, "\xef\xbf\xbd");
        if (r < 0)
            break;
    }
    return json_stringn(out.data ? out.data : "", out.len);
}

/* If an event cannot be recorded, we say so once; the run goes on, as a cell would. */
static void record(struct run *run, const json_t *event) {
    struct retort_error err = ERR_INIT;
    json_t *kept = run->runner ? memory_event(event, run->tests != NULL) : NULL;
    int r = kept ? run->runner->note(run->runner->user, kept, &err) : 0;
    json_decref(kept);
    if (r >= 0 || run->unrecorded)
        return;
    run->unrecorded = true;
    run_check(run, "after", "record", "warn", false, err.message);
}

void run_emit(struct run *run, json_t *event) {
    if (!event)
        return;
    json_object_set_new(event, "step", json_integer(run->step));
    if (run->number)
        json_object_set_new(event, "try", json_integer(run->number));
    record(run, event);
    if (run->listener.event)
        run->listener.event(run->listener.user, event);
    json_decref(event);
}

void run_remember(struct run *run) {
    json_t *event = memory_conversation(run->messages);
    json_object_set_new(event, "step", json_integer(run->step));
    record(run, event);
    json_decref(event);
}

void run_check(struct run *run, const char *stage, const char *name, const char *severity,
               bool passed, const char *message) {
    json_t *e = json_pack("{s:s,s:s,s:s,s:s,s:s}", "event", "check", "stage", stage, "name", name,
                          "severity", severity, "verdict", passed ? "pass" : "fail");
    if (message && *message)
        json_object_set_new(e, "message", run_text(message, strlen(message)));
    run_emit(run, e);
}

/* Files that the run made: not the hidden files of libraries, and not the user's. */
static bool is_artifact(const struct run *run, const char *path) {
    if (!path || path[0] == '.' || strstr(path, "/."))
        return false;
    for (const char *const *f = run->options->files; f && *f; f++) {
        const char *name = *f + strlen(*f);
        while (name > *f && name[-1] != '/' && name[-1] != ':')
            name--;
        if (strcmp(name, path) == 0)
            return false;
    }
    for (size_t i = 0; i < run->options->input_count; i++)
        if (strcmp(run->options->inputs[i].name, path) == 0)
            return false;
    return true;
}

static json_t *artifacts_of(struct run *run) {
    json_t *all = run->runner->files(run->runner->user), *made = json_array(), *f;
    size_t i;
    json_array_foreach(all, i, f) {
        if (is_artifact(run, json_string_value(json_object_get(f, "path"))))
            json_array_append(made, f);
    }
    json_decref(all);
    return made;
}

/* We do not know what one of several tries spent alone; and runs that code asked for end without
 * this event. */
void run_ended(struct run *run, json_t *event) {
    const struct spending *s = run->spent;
    if (event && s && !run->number)
        json_object_set_new(event, "usage",
                            json_pack("{s:I,s:I,s:i}", "prompt_tokens", (json_int_t)s->prompt,
                                      "completion_tokens", (json_int_t)s->completion, "calls",
                                      (int)s->calls));
    if (event && s && !run->number && run->budgets.prices)
        json_object_set_new(json_object_get(event, "usage"), "cost", json_real(s->cost));
    run_emit(run, event);
}

static void tell_final(struct run *run, const char *answer, json_t *provenance, json_t *unproved) {
    struct agent_outcome *o = run->outcome;
    o->answer = strdup(answer);
    o->provenance = provenance ? provenance : json_array();
    o->unproved = unproved ? unproved : json_array();
    o->verified = json_array_size(o->unproved) == 0;
    run_emit(run, json_pack("{s:s,s:s,s:b,s:O,s:O,s:O}", "event", "final", "answer", answer,
                            "verified", o->verified, "provenance", o->provenance, "unproved",
                            o->unproved, "artifacts", o->artifacts));
}

void run_final(struct run *run, const char *answer, json_t *provenance, json_t *unproved) {
    run->outcome->stop = AGENT_ANSWERED;
    run->outcome->artifacts = artifacts_of(run);
    tell_final(run, answer, provenance, unproved);
    run_ended(run, json_pack("{s:s,s:s}", "event", "stop", "reason", "answered"));
}

static void proposal_done(struct proposal *p) {
    free(p->answer);
    json_decref(p->provenance);
    json_decref(p->unproved);
    *p = (struct proposal){0};
}

void run_propose(struct run *run, const char *answer, json_t *provenance, json_t *unproved) {
    proposal_done(&run->proposal);
    run->proposal = (struct proposal){strdup(answer), provenance, unproved};
}

void run_done(struct run *run) {
    proposal_done(&run->proposal);
    json_decref(run->messages);
    json_decref(run->lessons);
    json_decref(run->told.rules);
    json_decref(run->tools);
    evidence_done(&run->evidence);
}

/* However the run ends, the files that it made and its last answer are not lost. */
void run_stop(struct run *run, enum agent_stop stop, const char *message) {
    struct agent_outcome *o = run->outcome;
    struct proposal *p = &run->proposal;
    o->stop = stop;
    utf8_copy(o->message, sizeof o->message, message);
    if (run->runner)
        o->artifacts = artifacts_of(run);
    if (p->answer)
        tell_final(run, p->answer, json_incref(p->provenance), json_incref(p->unproved));
    run_ended(run, json_pack("{s:s,s:s,s:s,s:b}", "event", "stop", "reason", agent_stop_name(stop),
                             "message", o->message, "answer", o->answer != NULL));
}

const char *agent_stop_name(enum agent_stop stop) {
    static const char *const names[] = {"answered", "steps",  "tokens",      "wall",    "cpu",
                                        "errors",   "repeat", "alternating", "refused", "cancelled",
                                        "calls",    "model",  "input",       "engine"};
    return names[stop];
}

int agent_exit_code(const struct agent_outcome *o) {
    if (o->stop == AGENT_ENGINE || o->stop == AGENT_INPUT)
        return 125;
    return !o->answer ? 4 : o->stop == AGENT_ANSWERED && o->verified ? 0 : 3;
}

void agent_outcome_done(struct agent_outcome *o) {
    free(o->answer);
    json_decref(o->provenance);
    json_decref(o->unproved);
    json_decref(o->artifacts);
    *o = (struct agent_outcome){0};
}
