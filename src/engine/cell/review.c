/* Code that is held against rules before it runs, as strictly as the session wants it.
 *
 * Findings go into the result, and so into the record. Code that a rule wants repaired is sent back
 * once per rule: a client that repeats it means it. Where the session asked for blocking, code that
 * a rule blocks never runs, nor does code that nobody could read. A refused cell leaves no other
 * trace. */
#include "engine/cell/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/scope.h"

int review_take(struct retort_session *s, struct retort_error *err) {
    const struct session_spec *spec = s->spec;
    const struct ctl_environment *env = &spec->env;
    bool python = spec->language == LANG_PYTHON && !env->image && env->interpreter[0];
    struct reviewer_options options = {.python = python ? env->interpreter : NULL,
                                       .packages = env->packages[0] ? env->packages : NULL,
                                       .rules = spec->rules};
    if (s->reviewed.judge)
        return 0;
    return judges_take(&s->engine->judges, s->engine, spec->owner, &options, &s->reviewed.judge,
                       err);
}

int review_begin(struct retort_session *s, struct retort_error *err) {
    return s->spec->review == STRICT_OFF ? 0 : review_take(s, err);
}

static const char *said(const json_t *finding, const char *key) {
    const char *text = json_string_value(json_object_get(finding, key));
    return text ? text : "";
}

/* Has this rule sent code back before? From now on it has. */
static bool is_repeated(struct retort_session *s, const char *rule) {
    if (!s->reviewed.told)
        s->reviewed.told = json_object();
    bool told = json_object_get(s->reviewed.told, rule);
    json_object_set_new(s->reviewed.told, rule, json_true());
    return told;
}

/* Code that is not valid Python would not run anyway, and the interpreter explains best why. But
 * where nothing may run unread, such code does not reach the interpreter, nor does code in a
 * language without rules. */
static bool keeps_back(struct retort_session *s, const json_t *finding) {
    bool strict = s->spec->review == STRICT_BLOCK,
         block = !strcmp(said(finding, "severity"), "block");
    if (s->spec->review < STRICT_REPAIR || !strcmp(said(finding, "severity"), "note"))
        return false;
    if (!strcmp(said(finding, "rule"), "syntax") || !strcmp(said(finding, "rule"), "language"))
        return strict;
    bool repeated = is_repeated(s, said(finding, "rule"));
    return !repeated || (strict && block);
}

static json_t *source_line(const char *code, json_int_t line) {
    for (; line > 1 && *code; code++)
        line -= *code == '\n';
    return line == 1 && *code ? json_text(code, strcspn(code, "\r\n")) : json_null();
}

/* Never NULL: what has none is run. */
json_t *review_error(const char *message, json_t *line, json_t *source, const char *hint) {
    json_t *e = json_pack("{s:s s:o s:s s:o s:o s:{} s:s?}", "name", "Refused", "message",
                          json_text(message, strlen(message)), "traceback", "", "line", line,
                          "source", source, "values", "hint", hint && *hint ? hint : NULL);
    return e ? e : json_null();
}

#define MAX_SAID 2000

/* The findings that keep the code from running, as one error; NULL: none does. */
static json_t *refusal_of(struct retort_session *s, const json_t *findings, const char *code) {
    scoped_buf text = BUF_INIT(MAX_SAID);
    const json_t *f, *first = NULL;
    size_t i;
    json_array_foreach(findings, i, f) {
        if (!keeps_back(s, f))
            continue;
        buf_printf(&text, "%sline %lld: %s [%s]", first ? "; " : "",
                   (long long)json_integer_value(json_object_get(f, "line")), said(f, "message"),
                   said(f, "rule"));
        first = first ? first : f;
    }
    if (!first)
        return NULL;
    json_int_t line = json_integer_value(json_object_get(first, "line"));
    return review_error(text.data ? text.data : "the review found something", json_integer(line),
                        source_line(code, line), said(first, "hint"));
}

static json_t *unread(const char *why) {
    scoped_buf text = BUF_INIT(MAX_SAID);
    buf_printf(&text, "the code could not be reviewed: %.1000s", why);
    return review_error(text.data ? text.data : "out of memory", json_null(), json_null(), NULL);
}

#define MAX_FINDINGS 200 /* of one cell that its result and the record have */

static json_t *first_findings(const json_t *findings) {
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(findings) && i < MAX_FINDINGS; i++)
        json_array_append(list, json_array_get(findings, i));
    return list;
}

static void hear_judge(struct cell *c, const char *code) {
    struct retort_session *s = c->s;
    struct retort_error err = ERR_INIT;
    bool strict = s->spec->review == STRICT_BLOCK;
    json_t *verdict = NULL;
    if (review_begin(s, &err) == 0)
        verdict = judge_review(s->reviewed.judge, c->language->read_as, code, &err);
    const json_t *findings = json_object_get(verdict, "findings");
    c->review.error = verdict ? refusal_of(s, findings, code) : strict ? unread(err.message) : NULL;
    c->review.report = json_pack("{s:s s:s s:o s:b s:s*}", "mode", strictness_name(s->spec->review),
                                 "verdict", verdict ? said(verdict, "verdict") : "unknown",
                                 "findings", first_findings(findings), "run",
                                 c->review.error == NULL, "error", verdict ? NULL : err.message);
    json_decref(verdict);
}

void review_refuse(struct cell *c, json_t *error) {
    c->review.error = error;
    c->s->cells++; /* it has a number, and nothing else */
    c->unstarted = true;
    c->clock.started = c->clock.ended = now_ns();
}

bool review_cell(struct cell *c, const char *code, size_t len) {
    if (c->s->spec->review == STRICT_OFF)
        return true;
    scoped_free char *text = strndup(code, len);
    if (text)
        hear_judge(c, text);
    else
        c->review.error = unread("out of memory");
    if (c->review.error)
        review_refuse(c, c->review.error);
    return !c->review.error;
}
