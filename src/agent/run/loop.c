/* The loop: ask, extract, execute, observe; until an answer, a budget or a circle.
 *
 *   run_loop ── over_budget ──► stop
 *      │
 *      ├─ run_ask, run_hear                the model speaks
 *      └─ take_reply
 *           ├─ final ── run_finish ──► final, or advice and on
 *           ├─ nothing ── the expected shape, and on
 *           └─ code ── run_cell ── final in it ── run_finish
 *                         └─ observation, circles, and on
 */
#include "agent/run/agent_run.h"

#include "agent/run/memory.h"
#include "agent/run/observe.h"
#include "agent/run/prompts.h"
#include "base/jsonout.h"
#include "base/jsonscope.h"
#include "base/maxima.h"
#include "base/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DONE 1

static int over_budget(struct run *run) {
    const struct agent_budgets *b = &run->budgets;
    if (run->cancel && atomic_load(run->cancel))
        run_stop(run, AGENT_CANCELLED, "cancelled");
    else if (b->tokens && spending_tokens(run->spent) >= b->tokens)
        run_stop(run, AGENT_TOKENS, "the budget of model tokens is used up");
    else if (b->wall > 0 && spending_wall(run->spent) >= b->wall)
        run_stop(run, AGENT_WALL, "the time is used up");
    else if (b->cpu > 0 && spending_cpu(run->spent) >= b->cpu)
        run_stop(run, AGENT_CPU, "the CPU time is used up");
    else if (run->errors >= b->errors)
        run_stop(run, AGENT_ERRORS, "too many errors one after the other");
    else
        return 0;
    return DONE;
}

/* --- cells --- */

static bool is_ok(const json_t *result) {
    const char *status = json_string_value(json_object_get(result, "status"));
    return status && strcmp(status, "ok") == 0;
}

json_t *run_cell(struct run *run, const char *code) {
    const struct agent_budgets *b = &run->budgets;
    struct retort_error err = ERR_INIT;
    json_t *result = NULL;
    double wall = b->wall > 0 ? b->wall - spending_wall(run->spent) : 0;
    double cpu = b->cpu > 0 ? b->cpu - spending_cpu(run->spent) : 0;
    if ((b->wall > 0 && wall <= 0) || (b->cpu > 0 && cpu <= 0)) {
        over_budget(run);
        return NULL;
    }
    int r = run->runner->execute(run->runner->user, code, wall, cpu, &result, &err);
    if (r == 0)
        r = evidence_result(&run->evidence, code, result);
    if (r < 0) {
        json_decref(result);
        run_stop(run, AGENT_ENGINE, err.message[0] ? err.message : strerror(-r));
        return NULL;
    }
    run->outcome->cells++;
    run->good_cells += is_ok(result);
    const json_t *cpu_ms = json_object_get(json_object_get(result, "resources"), "cpu_ms");
    spending_cpu_add(run->spent, json_number_value(cpu_ms) / 1000);
    return result;
}

/* The session keeps a state for each language: the cell's first line names the language. */
static int as_cell(const struct extract *x, struct buf *out) {
    bool python = strcmp(x->language, "python") == 0;
    return python ? buf_adds(out, x->code) : buf_printf(out, "%%%%%s\n%s", x->language, x->code);
}

/* Reports what CPython itself found: whether the code parsed, and whether its modules were
 * there. */
static void loop_check_code(struct run *run, const json_t *result) {
    const json_t *e = json_object_get(result, "error");
    const char *name = json_string_value(json_object_get(e, "name"));
    const char *message = json_string_value(json_object_get(e, "message"));
    bool syntax = name && (strcmp(name, "SyntaxError") == 0 ||
                           strcmp(name, "IndentationError") == 0 || strcmp(name, "TabError") == 0);
    bool module = name && (strcmp(name, "ModuleNotFoundError") == 0);
    run_check(run, "code", "parses", "repair", !syntax, syntax ? message : NULL);
    if (!syntax)
        run_check(run, "code", "imports", "repair", !module, module ? message : NULL);
}

/* We answer "output(3, 600, 4600)" ourselves: it asks for the rest of an output, and is no cell. */
static bool asks_for_output(const char *code, unsigned *cell, unsigned long long *from,
                            unsigned long long *to) {
    int end = 0;
    if (sscanf(code, " output ( %u , %llu , %llu ) %n", cell, from, to, &end) != 3 || !end)
        return false;
    return code[end] == 0 && *from < *to;
}

static int page_output(struct run *run, unsigned cell, unsigned long long from,
                       unsigned long long to) {
    scoped_free char *text = NULL;
    size_t most = run->budgets.observation;
    struct retort_error err = ERR_INIT;
    scoped_buf out = BUF_INIT(most + 1000);
    size_t want = to - from < most ? (size_t)(to - from) : most;
    int r = run->runner->output(run->runner->user, cell, from, want, &text, &err);
    if (r < 0)
        buf_printf(&out, "There is no such output: %s", err.message);
    else
        observe_cut(text, strlen(text), most, 0, &out);
    run_emit(run, json_pack("{s:s,s:s}", "event", "observation", "text", out.data ? out.data : ""));
    run_answer(run, out.data ? out.data : "", r < 0, NULL);
    return 0;
}

/* --- failures --- */

static void learn(struct run *run, const char *what) {
    char line[300];
    snprintf(line, sizeof line, "step %u: %.280s", run->step, what);
    json_t *s = json_string(line);
    if (s)
        json_array_append_new(run->lessons, s);
}

static void learn_from(struct run *run, const json_t *result) {
    const json_t *e = json_object_get(result, "error");
    const char *name = json_string_value(json_object_get(e, "name"));
    const char *message = json_string_value(json_object_get(e, "message"));
    const char *hint = json_string_value(json_object_get(e, "hint"));
    char line[300];
    if (name)
        snprintf(line, sizeof line, "%s: %.160s%s%.80s", name, message ? message : "",
                 hint ? "; " : "", hint ? hint : "");
    else
        snprintf(line, sizeof line, "%s", json_string_value(json_object_get(result, "status")));
    for (char *c = line; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    learn(run, line);
}

/* What a repeated fingerprint calls for; the caller still has to send the text to the model. */
static enum repeat_verdict loop_note(struct run *run, uint64_t fingerprint, bool failed,
                                     struct buf *text) {
    enum repeat_verdict v = repeat_add(&run->repeat, fingerprint);
    run->errors = failed ? run->errors + 1 : 0;
    if (v == REPEAT_HINT)
        buf_adds(text, failed ? "\nThis is the same failure as before. Take another way.\n"
                              : "\nThis code ran before. Go on, or give the final answer.\n");
    return v;
}

static int after_note(struct run *run, enum repeat_verdict v) {
    if (v == REPEAT_STOP)
        run_stop(run, AGENT_REPEAT, "the same step again and again, also after a fresh start");
    else if (v == REPEAT_ALTERNATING)
        run_stop(run, AGENT_ALTERNATING, "two steps in turn, six times");
    else if (v == REPEAT_FRESH) {
        run->replies.stale = run->replies.last;
        run_fresh_start(run);
    }
    return v == REPEAT_STOP || v == REPEAT_ALTERNATING ? DONE : 0;
}

/* --- replies --- */

static int take_nothing(struct run *run, const struct extract *x, bool last) {
    scoped_buf text = BUF_INIT(4096);
    run_check(run, "code", "extractable", "repair", false, x->problem);
    if (last)
        return 0;
    enum extract_mode mode = run->tools_refused ? EXTRACT_FENCES : run->options->mode;
    if (mode == EXTRACT_AUTO)
        mode = x->via == EXTRACT_BY_CALL ? EXTRACT_CALLS : EXTRACT_FENCES;
    buf_printf(&text, "Nothing was run: %s.\n%s", x->problem, extract_shape(mode));
    learn(run, x->problem);
    enum repeat_verdict v = loop_note(run, repeat_of_text(x->problem), true, &text);
    run_answer(run, text.data, true, NULL);
    return after_note(run, v);
}

/* A typed final value as text: a string as it is, other values as JSON with short reals. */
static char *loop_final_text(const json_t *final) {
    if (json_is_string(final))
        return strdup(json_string_value(final));
    return json_out(final, JSON_ENCODE_ANY);
}

static int take_result(struct run *run, const struct extract *x, const char *code, json_t *result) {
    scoped_buf text = BUF_INIT(run->budgets.observation + (64u << 10));
    char ignored[120] = "";
    if (x->ignored)
        snprintf(ignored, sizeof ignored,
                 "Only the first of %zu actions was run; send the next one when you saw this.",
                 x->ignored + 1);
    loop_check_code(run, result);
    int r = observe_result(result, ignored[0] ? ignored : NULL, run->budgets.observation, &text);
    if (r < 0)
        buf_adds(&text, "The result could not be shown.");
    bool failed = !is_ok(result);
    const json_t *final = json_object_get(result, "final");
    int passed = 0;
    if (run->tests && !failed && !final)
        passed = run->tests->run(run->tests->user, &text);
    run_emit(run, json_pack("{s:s,s:O,s:s}", "event", "observation", "result", result, "text",
                            text.data));
    if (passed > 0)
        return run_finish(run, run->tests->success, true);
    if (final) {
        scoped_free char *answer = loop_final_text(final);
        return answer ? run_finish(run, answer, false) : DONE;
    }
    if (failed)
        learn_from(run, result);
    enum repeat_verdict v = loop_note(run, repeat_of_result(result, code), failed, &text);
    run_answer(run, text.data, failed, result);
    return after_note(run, v);
}

static int take_code(struct run *run, const struct extract *x) {
    unsigned cell;
    unsigned long long from, to;
    scoped_buf code = BUF_INIT(MAX_CODE * 2);
    run_check(run, "code", "extractable", "repair", true, NULL);
    run_emit(run, json_pack("{s:s,s:s,s:s}", "event", "action", "language", x->language, "code",
                            x->code));
    if (asks_for_output(x->code, &cell, &from, &to))
        return page_output(run, cell, from, to);
    if (as_cell(x, &code) < 0) {
        run_stop(run, AGENT_ENGINE, "out of memory");
        return DONE;
    }
    scoped_buf refusal = BUF_INIT(64u << 10);
    if (run_review(run, x->language, x->code, &refusal)) {
        learn(run, "the code was not run, because of what a review found in it");
        enum repeat_verdict v = loop_note(run, repeat_of_text(refusal.data), true, &refusal);
        run_answer(run, refusal.data, true, NULL);
        return after_note(run, v);
    }
    json_t *result = run_cell(run, code.data);
    if (!result)
        return DONE;
    int r = take_result(run, x, code.data, result);
    json_decref(result);
    return r;
}

static bool loop_refused(const struct model_reply *reply) {
    return strcmp(reply->finish, "refusal") == 0 || strcmp(reply->finish, "content_filter") == 0;
}

static bool cut_off(const struct model_reply *reply) {
    return strcmp(reply->finish, "length") == 0 || strcmp(reply->finish, "max_tokens") == 0;
}

static int extract(struct run *run, const struct model_reply *reply, struct extract *x) {
    struct extract_call calls[MAX_CALLS];
    for (size_t i = 0; i < reply->call_count; i++)
        calls[i] = (struct extract_call){.id = reply->calls[i].id,
                                         .name = reply->calls[i].name,
                                         .arguments = reply->calls[i].arguments.data};
    struct extract_input in = {.text = reply->text.data,
                               .calls = calls,
                               .call_count = reply->call_count,
                               .mode = run->tools_refused ? EXTRACT_AUTO : run->options->mode};
    int r = extract_reply(&in, x);
    /* A reply that was cut must not run, even if its end was repaired. */
    if (r == 0 && x->kind == EXTRACT_CODE && x->repaired && cut_off(reply)) {
        x->kind = EXTRACT_NOTHING;
        snprintf(x->problem, sizeof x->problem, "the reply was cut off; send a shorter step");
    }
    return r;
}

/* --- the same reply again --- */

static void note_reply(struct run *run, const struct model_reply *reply) {
    uint64_t h = repeat_of_text(reply->text.data ? reply->text.data : "");
    for (size_t i = 0; i < reply->call_count; i++) {
        const struct model_call *c = &reply->calls[i];
        h = h * 31 + repeat_of_text(c->name);
        h = h * 31 + repeat_of_text(c->arguments.data ? c->arguments.data : "");
    }
    run->replies.same = h == run->replies.last ? run->replies.same + 1 : 0;
    run->replies.last = h;
}

/* The model repeats a refused answer word for word. Checking it again would find the same, so we
 * tell the model something else, once; then the answer goes out as it is. */
static int take_same_answer(struct run *run) {
    static const char nudge[] =
        "This is the answer that was refused, word for word; nothing was computed in between. "
        "Either run code that computes and prints what has no proof, or leave it out of the "
        "answer. If the same reply comes once more, the answer is given to the user as it is, "
        "marked as not proved.";
    if (run->replies.same >= 2) {
        run_stop(run, AGENT_REPEAT, "the model gave the same answer again and again");
        return DONE;
    }
    run_check(run, "after", "repeated", "repair", false, "the same answer again, word for word");
    run->errors++;
    run_answer(run, nudge, false, NULL);
    return 0;
}

static bool is_same_answer(const struct run *run, const struct extract *x) {
    return x->kind == EXTRACT_FINAL && run->replies.same > 0 && run->proposal.answer;
}

/* The very same reply again after a fresh start. */
static bool is_stale(const struct run *run) {
    return run->repeat.fresh && run->replies.last == run->replies.stale;
}

static int take_reply(struct run *run, const struct model_reply *reply, bool last) {
    struct extract x;
    int done = DONE;
    note_reply(run, reply);
    if (loop_refused(reply)) {
        run_stop(run, AGENT_REFUSED,
                 reply->text.len ? reply->text.data : "the model declined to answer");
        return DONE;
    }
    if (extract(run, reply, &x) < 0) {
        run_stop(run, AGENT_ENGINE, "out of memory");
        return DONE;
    }
    if (!last && is_same_answer(run, &x))
        done = take_same_answer(run);
    else if (!last && is_stale(run))
        run_stop(run, AGENT_REPEAT, "the same reply as before the fresh start");
    else if (x.kind == EXTRACT_FINAL)
        done = run_finish(run, x.text, last);
    else if (x.kind == EXTRACT_NOTHING)
        done = take_nothing(run, &x, last);
    else if (last)
        done = 0; /* code, although no tools were offered: there is no answer */
    else
        done = take_code(run, &x);
    extract_done(&x);
    return done;
}

/* --- after an accepted answer --- */

/* 0, or DONE: the run was stopped. */
static int run_taught(struct run *run, const struct extract *x) {
    scoped_buf refusal = BUF_INIT(64u << 10);
    run_emit(run, json_pack("{s:s,s:s,s:s}", "event", "action", "language", x->language, "code",
                            x->code));
    if (run_review(run, x->language, x->code, &refusal))
        return 0;
    scoped_json *result = run_cell(run, x->code);
    if (!result)
        return DONE;
    run_emit(run, json_pack("{s:s,s:O}", "event", "observation", "result", result));
    return 0;
}

bool run_lesson(struct run *run) {
    const struct agent_budgets *b = &run->budgets;
    scoped_buf words = BUF_INIT(64u << 10);
    struct model_reply reply;
    struct extract x;
    int done = 0;
    if (!run->options->checks.learn || run->number ||
        (b->tokens && spending_tokens(run->spent) >= b->tokens) ||
        (b->wall > 0 && spending_wall(run->spent) >= b->wall) ||
        prompts_add(run->options->prompts, "learn", &words) < 0)
        return true;
    run_close_calls(run);
    run_say(run, "user", words.data);
    if (run_ask_beside(run, &reply) < 0)
        return true;
    run_hear(run, &reply);
    if (extract(run, &reply, &x) == 0) {
        if (x.kind == EXTRACT_CODE && strcmp(x.language, "python") == 0)
            done = run_taught(run, &x);
        extract_done(&x);
    }
    model_reply_done(&reply);
    return !done;
}

void run_loop(struct run *run) {
    scoped_buf last_words = BUF_INIT(64u << 10);
    for (run->step = 1;; run->step++) {
        if (over_budget(run))
            return;
        bool last = run->step == run->budgets.steps;
        run->outcome->steps = run->step;
        if (last && run->step > 1 && prompts_add(run->options->prompts, "last", &last_words) == 0)
            run_say(run, "user", last_words.data);
        struct model_reply reply;
        if (memory_size(run->messages) > MAX_CONVERSATION)
            run_compact(run, MAX_CONVERSATION / 2);
        if (run_ask(run, last, &reply) < 0)
            return;
        run_hear(run, &reply);
        int done = take_reply(run, &reply, last);
        model_reply_done(&reply);
        if (done)
            return;
        if (last) {
            run_stop(run, AGENT_STEPS, "the steps are used up and there is no answer");
            return;
        }
    }
}
