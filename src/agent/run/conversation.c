/* The conversation of a run: what the model is told, what it says, and what is removed. */
#include "agent/run/agent_run.h"

#include "agent/run/memory.h"
#include "agent/run/prompts.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_IMAGES 2
#define MAX_IMAGE (1500u << 10) /* of base64 */

static json_t *text_json(const char *text) {
    return run_text(text, strlen(text));
}

void run_say(struct run *run, const char *role, const char *text) {
    json_array_append_new(run->messages,
                          json_pack("{s:s,s:o}", "role", role, "content", text_json(text)));
}

static json_t *calls_json(const struct model_reply *reply) {
    json_t *calls = json_array();
    for (size_t i = 0; i < reply->call_count; i++) {
        const struct model_call *c = &reply->calls[i];
        json_array_append_new(calls,
                              json_pack("{s:s,s:s,s:o}", "id", c->id, "name", c->name, "arguments",
                                        text_json(c->arguments.data ? c->arguments.data : "")));
    }
    return calls;
}

void run_hear(struct run *run, const struct model_reply *reply) {
    const char *text = reply->text.data ? reply->text.data : "";
    json_t *calls = calls_json(reply);
    json_t *e = json_pack("{s:s,s:o,s:O,s:{s:I,s:I},s:s}", "event", "model", "text",
                          text_json(text), "calls", calls, "usage", "prompt_tokens",
                          (json_int_t)reply->prompt_tokens, "completion_tokens",
                          (json_int_t)reply->completion_tokens, "finish", reply->finish);
    double cost = spending_cost_add(run->spent, run->budgets.prices, run->options->model.model,
                                    reply->prompt_tokens, reply->completion_tokens);
    run->outcome->cost += cost;
    if (run->budgets.prices)
        json_object_set_new(json_object_get(e, "usage"), "cost", json_real(cost));
    if (reply->thought.len)
        json_object_set_new(e, "thought", text_json(reply->thought.data));
    run_emit(run, e);
    json_t *m = json_pack("{s:s,s:o,s:i}", "role", "assistant", "content", text_json(text), "step",
                          (int)run->step);
    if (reply->call_count)
        json_object_set(m, "calls", calls);
    if (reply->blocks)
        json_object_set(m, "blocks", reply->blocks);
    json_array_append_new(run->messages, m);
    json_decref(calls);
    run->outcome->prompt_tokens += reply->prompt_tokens;
    run->outcome->completion_tokens += reply->completion_tokens;
    if (!run->options->queries.depth) /* a question of code was counted already */
        spending_tokens_add(run->spent, reply->prompt_tokens, reply->completion_tokens);
}

static void talk_add_images(json_t *message, const json_t *result) {
    json_t *images = json_array();
    const json_t *d;
    size_t i;
    json_array_foreach(json_object_get(result, "displays"), i, d) {
        json_t *png = json_object_get(json_object_get(d, "mime"), "image/png");
        if (json_is_string(png) && json_string_length(png) < MAX_IMAGE &&
            json_array_size(images) < MAX_IMAGES)
            json_array_append(images, png);
    }
    if (json_array_size(images) > 0)
        json_object_set(message, "images", images);
    json_decref(images);
}

void run_answer(struct run *run, const char *text, bool failed, const json_t *result) {
    const json_t *last = json_array_get(run->messages, json_array_size(run->messages) - 1);
    const json_t *calls = json_object_get(last, "calls"), *c;
    json_t *m;
    size_t i;
    int step = (int)run->step;
    if (json_array_size(calls) == 0) {
        m = json_pack("{s:s,s:o,s:i,s:b}", "role", "user", "content", text_json(text), "step", step,
                      "failed", failed);
        if (result && model_takes_images(run->model))
            talk_add_images(m, result);
        json_array_append_new(run->messages, m);
        return;
    }
    json_t *ids = json_array();
    json_array_foreach(calls, i, c) {
        json_array_append(ids, json_object_get(c, "id"));
    }
    json_array_foreach(ids, i, c) {
        const char *said = i ? "Not run: one action in each reply." : text;
        m = json_pack("{s:s,s:O,s:o,s:i,s:b}", "role", "tool", "call", c, "content",
                      text_json(said), "step", step, "failed", failed || i > 0);
        if (i == 0 && result && model_takes_images(run->model))
            talk_add_images(m, result);
        json_array_append_new(run->messages, m);
    }
    json_decref(ids);
}

void run_close_calls(struct run *run) {
    const json_t *last = json_array_get(run->messages, json_array_size(run->messages) - 1);
    if (json_array_size(json_object_get(last, "calls")) > 0)
        run_answer(run, "The turn ended here.", false, NULL);
}

/* --- asking --- */

static void talk_on_delta(void *user, const char *text, size_t len) {
    struct run *run = user;
    json_t *s = json_stringn(text, len); /* a piece may end inside of a character */
    if (s)
        run_emit(run, json_pack("{s:s,s:o}", "event", "model", "delta", s));
}

static void on_retry(void *user, const struct model_error *why, double wait) {
    struct run *run = user;
    run_emit(run,
             json_pack("{s:s,s:s,s:o,s:f}", "event", "model", "retry", model_fault_name(why->fault),
                       "message", text_json(why->message), "wait", wait));
}

static bool wants_tools(const struct run *run, bool last) {
    enum extract_mode mode = run->options->mode;
    return !last && !run->tools_refused && (mode == EXTRACT_AUTO || mode == EXTRACT_CALLS);
}

static unsigned tokens_left(const struct run *run) {
    unsigned long long left = spending_part(run->spent, run->budgets.tokens);
    if (!run->budgets.tokens || left > 1000000)
        return 0;
    return (unsigned)left;
}

/* Servers without tool calls say so in many ways; then we ask for code in fences. */
static bool refuses_tools(const struct run *run, const struct model_error *e, bool offered) {
    return offered && e->fault == MODEL_BAD_REQUEST && run->options->mode == EXTRACT_AUTO &&
           (strcasestr(e->message, "tool") || strcasestr(e->message, "function"));
}

static int ask_failed(struct run *run, const struct model_error *e) {
    char message[360];
    snprintf(message, sizeof message, "%s: %s", model_fault_name(e->fault), e->message);
    run_stop(run, e->fault == MODEL_CANCELLED ? AGENT_CANCELLED : AGENT_MODEL, message);
    return -EIO;
}

/* A run that code asked for spends like a question. 1: it was stopped. */
static int ask_counted(struct run *run, const struct model_request *request,
                       const struct model_listener *listener, struct model_reply *ret,
                       struct model_error *error) {
    char why[200];
    if (!request->depth)
        return model_ask(run->model, request, listener, ret, error);
    if (spending_begin(run->spent, &run->budgets, why, sizeof why) < 0) {
        run_stop(run, AGENT_CALLS, why);
        return 1;
    }
    int r = model_ask(run->model, request, listener, ret, error);
    spending_end(run->spent, r < 0 ? 0 : ret->prompt_tokens, r < 0 ? 0 : ret->completion_tokens);
    return r;
}

int run_ask(struct run *run, bool last, struct model_reply *ret) {
    struct model_listener listener = {.user = run, .delta = talk_on_delta, .retry = on_retry};
    struct model_error error;
    for (;;) {
        bool offered = wants_tools(run, last);
        struct model_request request = {.messages = run->messages,
                                        .tools = offered ? run->tools : NULL,
                                        .max_tokens = tokens_left(run),
                                        .number = run->number,
                                        .depth = run->options->queries.depth};
        int r = ask_counted(run, &request, &listener, ret, &error);
        if (r > 0)
            return -EDQUOT;
        if (r == 0)
            return 0;
        if (error.fault == MODEL_CONTEXT_OVERFLOW &&
            run_compact(run, memory_size(run->messages) / 2))
            continue;
        if (!refuses_tools(run, &error, offered))
            return ask_failed(run, &error);
        run->tools_refused = true;
        scoped_buf text = BUF_INIT(1u << 20);
        if (prompts_add(run->options->prompts, "fences", &text) == 0)
            run_say(run, "user", text.data);
    }
}

int run_ask_beside(struct run *run, struct model_reply *ret) {
    struct model_listener listener = {.user = run, .delta = talk_on_delta, .retry = on_retry};
    struct model_request request = {.messages = run->messages,
                                    .tools = wants_tools(run, false) ? run->tools : NULL,
                                    .max_tokens = tokens_left(run)};
    struct model_error error;
    return model_ask(run->model, &request, &listener, ret, &error);
}

/* --- removing failed steps --- */

static bool step_failed(const struct run *run, json_int_t step) {
    for (size_t i = run->kept; i < json_array_size(run->messages); i++) {
        const json_t *m = json_array_get(run->messages, i);
        if (json_integer_value(json_object_get(m, "step")) == step &&
            json_is_true(json_object_get(m, "failed")))
            return true;
    }
    return false;
}

/* Removes failed attempts from the conversation, and leaves one line for each. */
void run_fresh_start(struct run *run) {
    scoped_buf text = BUF_INIT(64u << 10);
    buf_adds(&text, "Fresh start: the attempts that failed were taken out of this conversation. "
                    "Lessons from them:\n");
    for (size_t i = 0; i < json_array_size(run->lessons); i++)
        buf_printf(&text, "- %s\n", json_string_value(json_array_get(run->lessons, i)));
    buf_adds(&text, "Take a different way. What worked before is still there.");
    for (size_t i = json_array_size(run->messages); i > run->kept; i--) {
        const json_t *m = json_array_get(run->messages, i - 1);
        json_int_t step = json_integer_value(json_object_get(m, "step"));
        if (step && step_failed(run, step)) {
            /* We remove all messages of a step together, because calls need their answers. */
            while (i > run->kept && json_integer_value(json_object_get(
                                        json_array_get(run->messages, i - 1), "step")) == step)
                json_array_remove(run->messages, --i);
            i++;
        }
    }
    run_say(run, "user", text.data);
    json_array_clear(run->lessons);
}

/* --- shortening --- */

#define NEWEST_STEPS 2 /* these always stay */

static json_int_t step_of(const json_t *message) {
    return json_integer_value(json_object_get(message, "step"));
}

/* The first message that stays: whole steps are removed, because calls need their answers. */
static size_t compact_end(const struct run *run, size_t from, size_t most) {
    size_t size = memory_size(run->messages), i;
    json_int_t newest = (json_int_t)run->step - NEWEST_STEPS, last = 0;
    for (i = from; i < json_array_size(run->messages); i++) {
        const json_t *m = json_array_get(run->messages, i);
        json_int_t step = step_of(m) ? step_of(m) : last;
        if (step >= newest || (size <= most && step != last))
            break;
        size -= memory_size_of(m);
        last = step;
    }
    return i;
}

/* Adds the first meaningful words of a message. */
static void add_words(struct buf *out, const json_t *message) {
    const json_t *call = json_array_get(json_object_get(message, "calls"), 0);
    const char *text = json_string_value(json_object_get(message, "content"));
    const char *code = json_string_value(json_object_get(call, "arguments"));
    text = text && *text ? text : code ? code : "";
    while (*text && (strncmp(text, "```", 3) == 0 || *text == '\n'))
        text += *text == '\n' ? 1 : strcspn(text, "\n");
    int n = (int)strcspn(text, "\n");
    buf_printf(out, "%.*s", n < 120 ? n : 120, text);
}

static void compact_lines(const json_t *messages, struct buf *out) {
    const json_t *m;
    size_t i;
    json_int_t last = 0;
    json_array_foreach(messages, i, m) {
        if (!step_of(m))
            continue;
        if (step_of(m) != last)
            buf_printf(out, "%s- step %lld: ", last ? "\n" : "", (long long)step_of(m));
        else
            buf_adds(out, " | ");
        add_words(out, m);
        last = step_of(m);
    }
    buf_adds(out, "\n");
}

/* Writes their text to a file of the session; returns its name, or "" if there is none. */
static void compact_keep(struct run *run, const json_t *messages, char *name, size_t size) {
    struct retort_error err = ERR_INIT;
    const json_t *newest = json_array_get(messages, json_array_size(messages) - 1);
    json_t *list = memory_messages(messages);
    scoped_free char *text = list ? json_whole(list, JSON_INDENT(1)) : NULL;
    json_decref(list);
    snprintf(name, size, ".history/%03lld.json", (long long)step_of(newest));
    int r = text ? run->runner->keep(run->runner->user, name, text, &err) : -ENOMEM;
    if (r >= 0)
        return;
    run_check(run, "before", "history", "warn", false, err.message);
    name[0] = 0;
}

static json_t *compact_message(const char *earlier, const json_t *left, bool is_kept) {
    static const char where[] = " What was said is in .history/*.json, lists of messages with "
                                "\"role\" and \"content\".";
    scoped_buf lines = BUF_INIT(1u << 20), text = BUF_INIT(2u << 20);
    buf_adds(&lines, earlier ? earlier : "");
    compact_lines(left, &lines);
    buf_printf(
        &text,
        "(Earlier steps were taken out of this conversation, which became too long. Variables "
        "and files from them are still there.%s In short:\n%s)",
        is_kept ? where : "", lines.data ? lines.data : "");
    return json_pack("{s:s,s:o,s:o}", "role", "user", "content",
                     run_text(text.data ? text.data : "", text.len), "compacted",
                     run_text(lines.data ? lines.data : "", lines.len));
}

bool run_compact(struct run *run, size_t most) {
    const json_t *first = json_array_get(run->messages, run->kept);
    const char *earlier = json_string_value(json_object_get(first, "compacted"));
    size_t from = run->kept + (earlier ? 1 : 0), end = compact_end(run, from, most);
    char name[40];
    if (end <= from)
        return false;
    json_t *left = json_array();
    for (size_t i = from; i < end; i++)
        json_array_append(left, json_array_get(run->messages, i));
    compact_keep(run, left, name, sizeof name);
    json_t *message = compact_message(earlier, left, name[0]);
    for (size_t i = run->kept; message && i < end; i++)
        json_array_remove(run->messages, run->kept);
    if (message)
        json_array_insert_new(run->messages, run->kept, message);
    run_emit(run, json_pack("{s:s,s:i,s:I,s:s}", "event", "compaction", "messages",
                            (int)json_array_size(left), "characters", (json_int_t)memory_size(left),
                            "file", name));
    json_decref(left);
    return message != NULL;
}
