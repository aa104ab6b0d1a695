/* Checks a model's code against rules before it runs.
 *
 * An event has all findings. A finding that asks for repair goes back to the model, once for each
 * rule: if the model repeats the code, it means it. In block mode, code that a rule blocks is never
 * run, nor is code that cannot be judged because it is no Python or its language has no rules. In
 * the other modes such code runs: CPython reports syntax errors better. */
#include "agent/run/agent_run.h"

#include <string.h>

static bool finding_is(const json_t *finding, const char *key, const char *text) {
    const char *value = json_string_value(json_object_get(finding, key));
    return value && strcmp(value, text) == 0;
}

static json_t *findings_of(const struct run *run, const json_t *verdict) {
    bool block = run->options->checks.review == AGENT_REVIEW_BLOCK;
    json_t *kept = json_array(), *f;
    size_t i;
    json_array_foreach(json_object_get(verdict, "findings"), i, f) {
        if (block || !(finding_is(f, "rule", "syntax") || finding_is(f, "rule", "language")))
            json_array_append(kept, f);
    }
    return kept;
}

/* Whether a finding of this rule was sent back before; notes that it is now. */
static bool review_told(struct run *run, const json_t *finding) {
    const char *rule = json_string_value(json_object_get(finding, "rule"));
    if (!run->told.rules)
        run->told.rules = json_object();
    bool told = rule && json_object_get(run->told.rules, rule);
    if (rule)
        json_object_set_new(run->told.rules, rule, json_true());
    return told;
}

/* Whether this finding keeps the code from running. */
static bool holds_back(struct run *run, const json_t *finding) {
    enum agent_review mode = run->options->checks.review;
    bool block = finding_is(finding, "severity", "block");
    if (mode == AGENT_REVIEW_NOTE || (!block && !finding_is(finding, "severity", "repair")))
        return false;
    bool told = review_told(run, finding);
    return !told || (mode == AGENT_REVIEW_BLOCK && block);
}

static void tell_finding(struct buf *text, const json_t *f) {
    const char *message = json_string_value(json_object_get(f, "message"));
    const char *hint = json_string_value(json_object_get(f, "hint"));
    buf_printf(text, "- line %lld: %s [%s]%s%s\n",
               (long long)json_integer_value(json_object_get(f, "line")), message ? message : "",
               json_string_value(json_object_get(f, "rule")), hint && *hint ? "; " : "",
               hint ? hint : "");
}

static int review_unknown(struct run *run, const char *why, struct buf *text) {
    bool block = run->options->checks.review == AGENT_REVIEW_BLOCK;
    run_check(run, "code", "review", block ? "block" : "warn", false, why);
    if (block)
        buf_printf(text, "The code was not run, because it could not be reviewed: %s\n", why);
    return block;
}

int run_review(struct run *run, const char *language, const char *code, struct buf *text) {
    struct retort_error error = {0};
    const json_t *f;
    size_t i, held = 0;
    if (!run->review)
        return 0;
    json_t *verdict = run->review->judge(run->review->user, language, code, &error);
    if (!verdict)
        return review_unknown(run, error.message, text);
    json_t *findings = findings_of(run, verdict);
    buf_adds(text, "The code was not run. A review found:\n");
    json_array_foreach(findings, i, f) {
        if (holds_back(run, f)) {
            tell_finding(text, f);
            held++;
        }
    }
    buf_adds(text, "Send code without that.\n");
    if (json_array_size(findings))
        run_emit(run, json_pack("{s:s,s:O,s:O,s:b}", "event", "review", "verdict",
                                json_object_get(verdict, "verdict"), "findings", findings, "run",
                                held == 0));
    run_check(run, "code", "review", held ? "block" : "warn", held == 0,
              held ? "the code was not run" : NULL);
    json_decref(findings);
    json_decref(verdict);
    return held > 0;
}
