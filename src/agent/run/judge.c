#include "agent/run/judge.h"

#include "agent/run/session_port_engine.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum agent_judge judge_of(const struct agent_options *o) {
    bool tests = (o->tests && *o->tests) || o->test_command;
    if (o->best.judge != AGENT_JUDGE_NONE)
        return o->best.judge;
    return tests ? AGENT_JUDGE_TESTS : AGENT_JUDGE_VOTE;
}

static const char *const judge_names[] = {"none", "tests", "vote", "schema", "code"};

const char *judge_name(enum agent_judge judge) {
    return judge_names[judge];
}

enum agent_judge agent_judge_named(const char *name) {
    for (int i = AGENT_JUDGE_TESTS; i < AGENT_JUDGE_CODE; i++)
        if (strcmp(judge_names[i], name) == 0)
            return (enum agent_judge)i;
    return AGENT_JUDGE_NONE;
}

/* --- votes --- */

static bool is_computed(const json_t *claim) {
    static const char *const verdicts[] = {"grounded", "derived", "counted"};
    const char *verdict = json_string_value(json_object_get(claim, "verdict"));
    for (size_t i = 0; verdict && i < sizeof verdicts / sizeof *verdicts; i++)
        if (strcmp(verdict, verdicts[i]) == 0)
            return true;
    return false;
}

/* Letters and digits of a text, in lower case, with one blank between words. */
static void add_plain(struct buf *out, const char *text) {
    bool gap = false;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (isalnum(c) || c >= 0x80 || (strchr("-+.%", c) && isdigit((unsigned char)text[1]))) {
            char one = (char)tolower(c);
            if (gap && out->len)
                buf_adds(out, " ");
            buf_add(out, &one, 1);
            gap = false;
        } else {
            gap = true;
        }
    }
}

static int add_numbers(struct buf *out, const json_t *provenance) {
    const json_t *claim;
    size_t i;
    int found = 0;
    json_array_foreach(provenance, i, claim) {
        const char *text = json_string_value(json_object_get(claim, "text"));
        if (!text || !is_computed(claim))
            continue;
        buf_adds(out, "#");
        for (; *text; text++) /* so that 1,234 and 1234 are the same vote */
            if (*text != ',' && *text != '\'' && !isspace((unsigned char)*text))
                buf_add(out, text, 1);
        found++;
    }
    return found;
}

char *judge_key(const char *answer, const json_t *provenance) {
    scoped_buf key = BUF_INIT(MAX_CODE);
    json_t *value = json_in_text(answer, 0, NULL); /* an object or a list, in canonical form */
    char *text = value ? json_whole(value, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(value);
    if (text)
        return text;
    if (!add_numbers(&key, provenance))
        add_plain(&key, answer);
    return strdup(key.data ? key.data : "");
}

void judge_count(struct judged *tries, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        tries[i].score = 0;
        for (unsigned k = 0; tries[i].key && k < count; k++)
            tries[i].score += tries[k].key && strcmp(tries[i].key, tries[k].key) == 0;
    }
}

/* --- code --- */

static json_t *judge_cell(struct engine_runner *r, const char *code, char *problem, size_t size) {
    struct retort_error error = {0};
    json_t *o = NULL;
    if (r->runner.execute(r, code, 0, 0, &o, &error) < 0) {
        snprintf(problem, size, "%.250s", error.message);
        return NULL;
    }
    const char *status = json_string_value(json_object_get(o, "status"));
    const json_t *e = json_object_get(o, "error");
    const char *name = json_string_value(json_object_get(e, "name"));
    const char *message = json_string_value(json_object_get(e, "message"));
    if (status && strcmp(status, "ok") == 0)
        return o;
    snprintf(problem, size, "%.60s: %.150s",
             name     ? name
             : status ? status
                      : "no result",
             message ? message : "the judge did not end well");
    json_decref(o);
    return NULL;
}

/* A number, or true and false. */
static bool read_score(const json_t *final, double *ret) {
    if (json_is_boolean(final))
        *ret = json_is_true(final);
    else if (json_is_number(final))
        *ret = json_number_value(final);
    else
        return false;
    return isfinite(*ret);
}

/* Python reads the escapes of a JSON string. */
static int judge_call(const char *answer, struct buf *code) {
    json_t *text = json_string(answer);
    scoped_free char *literal = text ? json_whole(text, JSON_ENCODE_ANY) : NULL;
    json_decref(text);
    return literal ? buf_printf(code, "final_answer(judge(%s))", literal) : -ENOMEM;
}

static void judge_in(struct engine_runner *r, const char *judge, const char *answer,
                     struct judged *ret) {
    scoped_buf code = BUF_INIT(MAX_CODE * 2);
    json_t *made = judge_cell(r, judge, ret->message, sizeof ret->message), *said;
    if (!made)
        return;
    json_decref(made);
    if (judge_call(answer, &code) < 0) {
        snprintf(ret->message, sizeof ret->message, "the answer is too long");
        return;
    }
    said = judge_cell(r, code.data, ret->message, sizeof ret->message);
    if (said && read_score(json_object_get(said, "final"), &ret->score))
        ret->failed = false;
    else if (said)
        snprintf(ret->message, sizeof ret->message, "the judge gave no number, True or False");
    json_decref(said);
}

/* The judge's session has the limits of the agent's own, so it is no way around them; and it
 * reaches nobody. */
static void judge_by_code(struct retort_engine *engine, const struct agent_options *o,
                          const char *answer, const atomic_bool *cancel, struct judged *ret) {
    const struct retort_session_options *as = o->best.session ? o->best.session : &o->session;
    struct retort_session_options options = {.no_record = true,
                                             .door = "judge",
                                             .python = as->python,
                                             .environment = as->environment,
                                             .owner = as->owner,
                                             .review = as->review,
                                             .rules = as->rules,
                                             .limits = as->limits};
    struct retort_session *s;
    struct engine_runner runner;
    struct retort_error error = {0};
    ret->failed = true;
    if (retort_session_new(engine, &options, &s, &error) < 0) {
        snprintf(ret->message, sizeof ret->message, "%.250s", error.message);
        return;
    }
    int r = engine_runner_init(&runner, s, cancel);
    if (r == 0)
        judge_in(&runner, o->best.code, answer, ret);
    else
        snprintf(ret->message, sizeof ret->message, "%s", strerror(-r));
    engine_runner_done(&runner);
    retort_session_close(s);
}

/* --- verdicts --- */

static bool judge_passed(const struct agent_outcome *o, const char *check) {
    const json_t *u;
    size_t i;
    json_array_foreach(o->unproved, i, u) {
        const char *name = json_string_value(json_object_get(u, "check"));
        if (name && (strcmp(name, check) == 0 || strcmp(name, "all") == 0))
            return false;
    }
    return true;
}

void judge_try(struct retort_engine *engine, const struct agent_options *options,
               const struct agent_outcome *outcome, const atomic_bool *cancel, struct judged *ret) {
    enum agent_judge judge = judge_of(options);
    *ret = (struct judged){.answered = outcome->answer, .verified = outcome->verified};
    if (!outcome->answer) {
        snprintf(ret->message, sizeof ret->message, "%.250s", outcome->message);
        return;
    }
    ret->key = judge_key(outcome->answer, outcome->provenance);
    if (judge == AGENT_JUDGE_CODE)
        judge_by_code(engine, options, outcome->answer, cancel, ret);
    else if (judge != AGENT_JUDGE_VOTE)
        ret->score = judge_passed(outcome, judge_name(judge));
}

static unsigned runner_up(const struct judged *tries, unsigned count, unsigned best) {
    double most = 0;
    for (unsigned i = 0; i < count; i++) {
        bool same = tries[i].key && tries[best].key && strcmp(tries[i].key, tries[best].key) == 0;
        if (!same && tries[i].answered && tries[i].score > most)
            most = tries[i].score;
    }
    return (unsigned)most;
}

bool judge_settled(enum agent_judge judge, const struct judged *tries, unsigned count,
                   unsigned running) {
    unsigned best = judge_best(tries, count);
    if (best == count || tries[best].failed)
        return false;
    if (judge != AGENT_JUDGE_VOTE)
        return tries[best].score >= 1;
    return tries[best].score > runner_up(tries, count, best) + running;
}

static bool is_better(const struct judged *a, const struct judged *b) {
    if (a->failed != b->failed)
        return b->failed;
    if (a->score < b->score || a->score > b->score)
        return a->score > b->score;
    return a->verified && !b->verified;
}

unsigned judge_best(const struct judged *tries, unsigned count) {
    unsigned best = count;
    for (unsigned i = 0; i < count; i++)
        if (tries[i].answered && (best == count || is_better(&tries[i], &tries[best])))
            best = i;
    return best;
}

bool judge_accepted(const struct judged *one) {
    return !one->failed && one->score > 0;
}

unsigned judge_most_votes(const struct judged *tries, unsigned count) {
    struct judged votes[AGENT_MAX_TRIES];
    for (unsigned i = 0; i < count; i++) {
        votes[i] = tries[i];
        votes[i].failed = false;
    }
    judge_count(votes, count);
    return judge_best(votes, count);
}
