#include "agent/run/tries.h"

#include "agent/run/judge.h"
#include "agent/run/prompts.h"
#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOOK_MS 20 /* how often we look whether the caller wants to stop */

struct one_try {
    struct tries *all;
    struct run run;
    struct engine_runner runner;
    struct agent_branch branch;
    struct testbed *testbed;
    struct run_tests tests;
    struct agent_outcome outcome;
    atomic_bool cancel;
    pthread_t thread;
    bool started, joined;
    bool stopped; /* because another try had won */
};

struct tries {
    struct agent_work *work;
    enum agent_judge judge;
    unsigned count, ended;
    struct one_try *list;
    struct judged *judged;
    bool *done;            /* which tries have ended, under the lock */
    pthread_mutex_t lock;  /* guards `done` */
    pthread_mutex_t voice; /* one event at a time */
    pthread_cond_t news;
    char problem[300]; /* why the tries could not be started, or "" */
};

/* --- events --- */

static void tries_on_event(void *user, const json_t *event) {
    struct tries *t = user;
    const struct run_listener *to = &t->work->run.listener;
    pthread_mutex_lock(&t->voice);
    if (to->event)
        to->event(to->user, event);
    pthread_mutex_unlock(&t->voice);
}

static const char *verdict_of(const struct one_try *one, const struct judged *j) {
    if (j->answered && !j->failed)
        return "judged";
    return one->stopped ? "stopped" : j->answered ? "failed" : "none";
}

static json_t *try_json(const struct tries *t, unsigned i) {
    const struct one_try *one = &t->list[i];
    const struct judged *j = &t->judged[i];
    const struct agent_outcome *o = &one->outcome;
    json_t *tokens = json_integer((json_int_t)(o->prompt_tokens + o->completion_tokens));
    json_t *e =
        json_pack("{s:i,s:s,s:s,s:s,s:s*,s:b,s:i,s:o}", "try", (int)i + 1, "session", o->session,
                  "verdict", verdict_of(one, j), "stop", agent_stop_name(o->stop), "answer",
                  o->answer, "verified", o->verified, "steps", (int)o->steps, "tokens", tokens);
    if (e && t->work->run.budgets.prices)
        json_object_set_new(e, "cost", json_real(o->cost));
    if (e && j->answered && !j->failed)
        json_object_set_new(e, "score", json_real(j->score));
    if (e && j->message[0] && !one->stopped)
        json_object_set_new(e, "message", run_text(j->message, strlen(j->message)));
    return e;
}

static void tell_verdict(struct tries *t, unsigned i) {
    json_t *e = try_json(t, i);
    if (!e)
        return;
    json_object_set_new(e, "event", json_string("verdict"));
    json_object_set_new(e, "judge", json_string(judge_name(t->judge)));
    run_emit(&t->list[i].run, e);
}

/* Records the tree in the session that is kept; the records of the others say which one that is. */
static void tell_tree(struct tries *t, unsigned kept) {
    json_t *list = json_array();
    struct run *run = &t->list[kept].run;
    for (unsigned i = 0; i < t->count; i++)
        json_array_append_new(list, try_json(t, i));
    run->number = 0;
    run_emit(run, json_pack("{s:s,s:s,s:i,s:o}", "event", "tries", "judge", judge_name(t->judge),
                            "kept", (int)kept + 1, "tries", list));
}

/* --- one try --- */

/* Adds a hint, because a model that always answers alike may answer differently with it. */
static int add_hint(struct one_try *one, unsigned number) {
    struct agent_work *w = one->all->work;
    json_t *task = json_array_get(one->run.messages, json_array_size(one->run.messages) - 1);
    scoped_buf text = BUF_INIT(8u << 20);
    int r = number == 1 ? 0
                        : buf_printf(&text, "%s\n\nTry %u of %u. ",
                                     json_string_value(json_object_get(task, "content")), number,
                                     one->all->count);
    if (number == 1 || r < 0)
        return r;
    r = prompts_add(w->options->prompts, "try", &text);
    return r < 0 ? r : json_object_set_new(task, "content", json_string(text.data));
}

static int copy_evidence(struct one_try *one) {
    const struct agent_work *w = one->all->work;
    struct evidence *e = &one->run.evidence;
    int r = evidence_question(e, w->options->task);
    for (size_t i = 0; r == 0 && i < w->input_count; i++) {
        const struct kept_input *in = &w->inputs[i];
        r = evidence_input(e, in->name, in->data.data ? in->data.data : "", in->data.len);
    }
    return r;
}

static int try_tests(struct one_try *one) {
    struct agent_work *w = one->all->work;
    if (!w->testbed)
        return 0;
    int r = testbed_branch(w->testbed, one->branch.session, &one->testbed);
    one->tests = w->tests;
    one->tests.user = one->testbed;
    one->run.tests = &one->tests;
    return r;
}

static int try_session(struct one_try *one) {
    const struct agent_work *w = one->all->work;
    int r = engine_runner_init(&one->runner, one->branch.session, &one->cancel);
    one->runner.run = &one->run;
    one->runner.execute = one->branch.execute;
    one->runner.execute_user = one->branch.user;
    one->runner.tool_count = w->runner.tool_count;
    for (size_t i = 0; i < w->runner.tool_count; i++) {
        one->runner.tools[i] = w->runner.tools[i];
        if (one->branch.user)
            one->runner.tools[i].user = one->branch.user;
    }
    one->run.runner = &one->runner.runner;
    snprintf(one->outcome.session, sizeof one->outcome.session, "%s",
             retort_session_id(one->branch.session));
    return r;
}

static int try_model(struct one_try *one) {
    struct model_options model = one->all->work->options->model;
    struct model_error error;
    model.cancel = &one->cancel;
    model.records = !model_replays(one->all->work->run.model);
    int r = model_new(&model, &one->run.model, &error);
    if (r < 0)
        snprintf(one->all->problem, sizeof one->all->problem, "%s", error.message);
    return r;
}

static int try_prepare(struct one_try *one, unsigned number) {
    const struct run *run = &one->all->work->run;
    one->run = (struct run){.options = run->options,
                            .budgets = run->budgets,
                            .listener = {tries_on_event, one->all},
                            .messages = json_deep_copy(run->messages),
                            .lessons = json_array(),
                            .kept = run->kept,
                            .tools = json_incref(run->tools),
                            .review = run->review,
                            .spent = run->spent,
                            .cancel = &one->cancel,
                            .number = number,
                            .outcome = &one->outcome};
    evidence_init(&one->run.evidence);
    int r = one->run.messages ? try_session(one) : -ENOMEM;
    if (r == 0)
        r = try_model(one);
    if (r == 0)
        r = copy_evidence(one);
    if (r == 0)
        r = try_tests(one);
    return r < 0 ? r : add_hint(one, number);
}

static void *try_main(void *user) {
    struct one_try *one = user;
    struct tries *t = one->all;
    struct judged judged = {0};
    unsigned i = (unsigned)(one - t->list);
    run_loop(&one->run);
    run_remember(&one->run);
    if (!atomic_load(&one->cancel))
        judge_try(t->work->engine, t->work->options, &one->outcome, &one->cancel, &judged);
    pthread_mutex_lock(&t->lock);
    t->judged[i] = judged;
    t->done[i] = true;
    pthread_cond_signal(&t->news);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* --- all of them --- */

static int branch_sessions(struct tries *t) {
    const struct agent_options *o = t->work->options;
    struct agent_branch branches[AGENT_MAX_TRIES] = {0};
    struct retort_session *sessions[AGENT_MAX_TRIES];
    struct retort_error error = {0};
    int r = o->best.branching
                ? o->best.branching->branch(o->execute_user, t->count, branches, &error)
                : retort_branch(t->work->session, t->count, sessions, &error);
    if (r < 0) {
        run_stop(&t->work->run, AGENT_ENGINE, error.message);
        return r;
    }
    for (unsigned i = 0; i < t->count; i++) {
        t->list[i].branch = branches[i];
        if (!o->best.branching)
            t->list[i].branch.session = sessions[i];
    }
    return 0;
}

static int tries_start(struct tries *t) {
    int r = 0;
    for (unsigned i = 0; r == 0 && i < t->count; i++)
        r = try_prepare(&t->list[i], i + 1);
    for (unsigned i = 0; r == 0 && i < t->count; i++) {
        struct one_try *one = &t->list[i];
        r = thread_start(&one->thread, try_main, one);
        one->started = r == 0;
    }
    return r;
}

static void tries_cancel(struct tries *t, bool won) {
    for (unsigned i = 0; i < t->count; i++)
        if (t->list[i].started && !t->list[i].joined) {
            t->list[i].stopped = t->list[i].stopped || won;
            atomic_store(&t->list[i].cancel, true);
        }
}

/* The next try that has ended and was not judged yet; `count` if none ends for a while. */
static unsigned next_ended(struct tries *t) {
    uint64_t end = now_ns() + LOOK_MS * 1000000ull;
    struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
    unsigned found = t->count;
    pthread_mutex_lock(&t->lock);
    for (int round = 0; round < 2 && found == t->count; round++) {
        for (unsigned i = t->count; i > 0; i--)
            if (t->done[i - 1] && !t->list[i - 1].joined)
                found = i - 1;
        if (found == t->count && round == 0)
            pthread_cond_timedwait(&t->news, &t->lock, &until);
    }
    pthread_mutex_unlock(&t->lock);
    return found;
}

static void take_ended(struct tries *t, unsigned i) {
    struct judged seen[AGENT_MAX_TRIES] = {0};
    pthread_join(t->list[i].thread, NULL);
    t->list[i].joined = true;
    t->ended++;
    spending_share(t->work->run.spent, t->count - t->ended);
    for (unsigned k = 0; k < t->count; k++)
        if (t->list[k].joined)
            seen[k] = t->judged[k];
    if (t->judge == AGENT_JUDGE_VOTE)
        judge_count(seen, t->count);
    t->judged[i].score = seen[i].score;
    tell_verdict(t, i);
    if (judge_settled(t->judge, seen, t->count, t->count - t->ended))
        tries_cancel(t, true);
}

static void tries_wait(struct tries *t) {
    const atomic_bool *cancel = t->work->options->cancel;
    unsigned started = 0;
    for (unsigned i = 0; i < t->count; i++)
        started += t->list[i].started;
    while (t->ended < started) {
        unsigned i = next_ended(t);
        if (cancel && atomic_load(cancel))
            tries_cancel(t, false);
        if (i < t->count)
            take_ended(t, i);
    }
}

/* --- the end --- */

/* If the judge failed, the answer is not proved. */
static void mark_unjudged(struct tries *t, unsigned kept) {
    struct agent_outcome *o = &t->list[kept].outcome;
    const struct judged *j = &t->judged[kept];
    char message[400];
    if (judge_accepted(j)) {
        run_check(&t->list[kept].run, "after", "judge", "block", true, NULL);
        return;
    }
    if (j->failed)
        snprintf(message, sizeof message, "the judge failed: %s", j->message);
    else
        snprintf(message, sizeof message, "the judge accepted none of the tries");
    run_check(&t->list[kept].run, "after", "judge", "block", false, message);
    json_array_append_new(o->unproved, json_pack("{s:s,s:o}", "check", "judge", "message",
                                                 run_text(message, strlen(message))));
    o->verified = false;
}

/* The winner's outcome becomes that of the run; it counts the cells of all tries. */
static void take_outcome(struct tries *t, unsigned kept) {
    struct agent_outcome *o = t->work->run.outcome, *from = &t->list[kept].outcome;
    unsigned cells = o->cells;
    for (unsigned i = 0; i < t->count; i++)
        cells += t->list[i].outcome.cells;
    *o = *from;
    *from = (struct agent_outcome){0};
    o->cells = cells;
}

/* Emits the end of the run, with what the judge said and what all tries have spent, which the
 * winner's own end could not know. */
static void tell_outcome(struct tries *t, struct run *run) {
    const struct agent_outcome *o = t->work->run.outcome;
    if (o->answer)
        run_emit(run, json_pack("{s:s,s:s,s:b,s:O*,s:O*,s:O*}", "event", "final", "answer",
                                o->answer, "verified", o->verified, "provenance", o->provenance,
                                "unproved", o->unproved, "artifacts", o->artifacts));
    run_ended(run,
              json_pack("{s:s,s:s,s:s,s:b}", "event", "stop", "reason", agent_stop_name(o->stop),
                        "message", o->message, "answer", o->answer != NULL));
}

static int keep_own(struct tries *t, unsigned kept, struct retort_error *error) {
    struct retort_session *others[AGENT_MAX_TRIES];
    unsigned n = 0;
    for (unsigned i = 0; i < t->count; i++)
        if (i != kept)
            others[n++] = t->list[i].branch.session;
    int r = retort_keep(t->list[kept].branch.session, others, n, error);
    for (unsigned i = 0; i < n; i++)
        retort_session_close(others[i]);
    if (t->work->session != t->work->options->continued)
        retort_session_close(t->work->session);
    return r;
}

static void keep_branch(struct tries *t, unsigned kept) {
    const struct agent_options *o = t->work->options;
    struct retort_error error = {0};
    engine_runner_done(&t->work->runner); /* nothing runs in the session that they branched from */
    int r = o->best.branching ? o->best.branching->keep(o->execute_user, kept, &error)
                              : keep_own(t, kept, &error);
    if (r < 0)
        run_check(&t->list[kept].run, "after", "keep", "warn", false, error.message);
    t->work->session = t->list[kept].branch.session;
}

/* Ends the try's activity: nothing runs in its session any more, and the testbed has restored its
 * files. */
static void try_quiet(struct one_try *one) {
    engine_runner_done(&one->runner);
    testbed_free(one->testbed);
    one->testbed = NULL;
}

static void try_done(struct one_try *one) {
    try_quiet(one);
    model_free(one->run.model);
    run_done(&one->run);
    agent_outcome_done(&one->outcome);
}

/* No try answered: takes the one that got furthest. */
static unsigned any_try(const struct tries *t) {
    unsigned best = 0;
    for (unsigned i = 1; i < t->count; i++)
        if (t->list[i].outcome.steps > t->list[best].outcome.steps)
            best = i;
    return best;
}

static void tries_settle(struct tries *t) {
    if (t->judge == AGENT_JUDGE_VOTE)
        judge_count(t->judged, t->count);
    unsigned kept = judge_best(t->judged, t->count);
    if (kept < t->count && !judge_accepted(&t->judged[kept]))
        kept = judge_most_votes(t->judged, t->count);
    if (kept < t->count)
        mark_unjudged(t, kept);
    else
        kept = any_try(t);
    tell_tree(t, kept);
    take_outcome(t, kept);
    tell_outcome(t, &t->list[kept].run);
    for (unsigned i = 0; i < t->count; i++)
        try_quiet(&t->list[i]);
    keep_branch(t, kept);
    for (unsigned i = 0; i < t->count; i++)
        try_done(&t->list[i]);
}

static void tries_drop(struct tries *t, int why) {
    struct agent_work *w = t->work;
    struct retort_error error;
    for (unsigned i = 0; i < t->count; i++) {
        try_done(&t->list[i]);
        if (!w->options->best.branching)
            retort_session_close(t->list[i].branch.session);
    }
    if (w->options->best.branching)
        w->options->best.branching->keep(w->options->execute_user, t->count, &error);
    run_stop(&w->run, t->problem[0] ? AGENT_MODEL : AGENT_ENGINE,
             t->problem[0] ? t->problem : strerror(-why));
}

static void tries_in(struct tries *t) {
    if (branch_sessions(t) < 0)
        return;
    spending_share(t->work->run.spent, t->count);
    int r = tries_start(t);
    if (r < 0)
        tries_cancel(t, false);
    tries_wait(t);
    if (r < 0)
        tries_drop(t, r);
    else
        tries_settle(t);
}

void tries_run(struct agent_work *w) {
    unsigned n = w->options->best.count;
    struct tries t = {.work = w, .judge = judge_of(w->options), .count = n};
    t.list = calloc(n, sizeof *t.list);
    t.judged = calloc(n, sizeof *t.judged);
    t.done = calloc(n, sizeof *t.done);
    pthread_mutex_init(&t.lock, NULL);
    pthread_mutex_init(&t.voice, NULL);
    cond_init_monotonic(&t.news);
    for (unsigned i = 0; t.list && i < n; i++)
        t.list[i].all = &t;
    if (t.list && t.judged && t.done)
        tries_in(&t);
    else
        run_stop(&w->run, AGENT_ENGINE, "out of memory");
    for (unsigned i = 0; t.judged && i < n; i++)
        free(t.judged[i].key);
    pthread_cond_destroy(&t.news);
    pthread_mutex_destroy(&t.voice);
    pthread_mutex_destroy(&t.lock);
    free(t.list);
    free(t.judged);
    free(t.done);
}
