/* agent.run: gives a task to the agent, sends its events as notifications, and leaves its session
 * to the client.
 *
 * The server chooses the model (RETORT_MODEL, RETORT_MODEL_API, RETORT_MODEL_URL and the key): if a
 * client could name the address, the key would be sent there. A client may bring replies of its own
 * instead. */
#include "serve/rpc/agents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/run/agent.h"
#include "agent/run/spending.h"
#include "base/base64.h"
#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "serve/hosted/fault.h"
#include "serve/hosted/json.h"
#include "serve/hosted/tools.h"
#include "serve/rpc/handlers.h"
#include "skills/learn.h"

#define MAX_INPUTS 64

/* The session of a run, or that of one of its tries. */
struct agent_place {
    struct agent_call *call;
    struct hosted *hosted;
};

struct agent_call {
    struct request *request;
    struct hosted *hosted;
    bool made; /* this call made the session */
    struct agent_place place;
    struct agent_place tries[AGENT_MAX_TRIES];
    unsigned try_count;
    json_t *told;  /* the results of the tries, or NULL */
    json_t *skill; /* the skill that was learned, or NULL */
    struct agent_input inputs[MAX_INPUTS];
    struct buf data[MAX_INPUTS];
    size_t count;
};

static const char *agents_text_of(const json_t *params, const char *name) {
    return json_string_value(json_object_get(params, name));
}

static int agents_out_of_memory(struct retort_error *error) {
    return err_memory(error);
}

static int agents_read_input(struct agent_call *c, const json_t *file, struct retort_error *error) {
    const json_t *base64 = json_object_get(file, "base64"), *text = json_object_get(file, "text");
    struct buf *data = &c->data[c->count];
    int r = -EINVAL;
    *data = BUF_INIT(MAX_INPUT_FILE);
    c->count++;
    if (!base64 != !text)
        r = base64 ? base64_decode(data, json_string_value(base64), json_string_length(base64))
                   : buf_add(data, json_string_value(text), json_string_length(text));
    if (r < 0)
        return err_set(error, ERR_CALLER, EINVAL, "files: %s needs either text or valid base64",
                       agents_text_of(file, "path"));
    c->inputs[c->count - 1] = (struct agent_input){.name = agents_text_of(file, "path"),
                                                   .data = data->data ? data->data : "",
                                                   .len = data->len};
    return 0;
}

static int read_inputs(struct agent_call *c, struct retort_error *error) {
    const json_t *files = json_object_get(c->request->params, "files"), *file;
    size_t i;
    if (json_array_size(files) > MAX_INPUTS)
        return err_set(error, ERR_CALLER, E2BIG, "at most %d files", MAX_INPUTS);
    json_array_foreach(files, i, file) {
        int r = agents_read_input(c, file, error);
        if (r < 0)
            return r;
    }
    return 0;
}

static void agents_on_event(void *user, const json_t *event) {
    struct agent_call *c = user;
    struct serve_event told = SERVE_EVENT(EVENT_AGENT, c->hosted);
    scoped_free char *text = serve_json_text(event);
    if (!text)
        return;
    const char *name = agents_text_of(event, "event");
    if (name && strcmp(name, "tries") == 0 && !c->told)
        c->told = json_incref(json_object_get(event, "tries"));
    told.text = text;
    told.len = strlen(text);
    serve_notify(c->request->serve, c->request->peer, &told);
}

/* The agent's cells are run like every client's. */
static int agents_execute(void *user, const char *code, size_t len,
                          const struct retort_execute_options *options,
                          struct retort_result **ret_result, struct retort_error *error) {
    const struct agent_place *place = user;
    const struct agent_call *c = place->call;
    struct cell_request request = {.serve = c->request->serve,
                                   .peer = c->request->peer,
                                   .hosted = place->hosted,
                                   .code = code,
                                   .len = len,
                                   .limits = options->limits};
    struct cell_listener told = {.user = options->callbacks->user,
                                 .output = options->callbacks->output,
                                 .display = options->callbacks->display,
                                 .tool = options->callbacks->tool};
    return session_execute(&request, &told, ret_result, error);
}

/* Calls the tools that were registered for the session. */
static char *agents_on_tool(void *user, struct retort_session *session, const char *name,
                            const char *arguments, char **ret_failure) {
    const struct agent_place *place = user;
    const struct request *request = place->call->request;
    (void)session; /* the place has it */
    return tools_call(request->serve, place->hosted, request->peer, name, arguments, ret_failure);
}

/* --- several tries --- */

static int end_tries(struct agent_call *c, unsigned kept, struct retort_error *error) {
    struct serve *serve = c->request->serve;
    struct retort_session *others[AGENT_MAX_TRIES];
    unsigned n = 0;
    int r = 0;
    for (unsigned i = 0; i < c->try_count; i++)
        if (i != kept) {
            session_stop(serve, c->tries[i].hosted);
            others[n++] = c->tries[i].hosted->session;
        }
    if (kept < c->try_count)
        r = retort_keep(c->tries[kept].hosted->session, others, n, error);
    for (unsigned i = 0; i < c->try_count; i++) {
        if (i != kept)
            session_end(serve, c->tries[i].hosted);
        registry_unref(serve->registry, c->tries[i].hosted);
    }
    c->try_count = 0;
    return r;
}

/* Branches the session. The owner sees the branches like all others, as long as they run. */
static int agents_branch(void *user, unsigned count, struct agent_branch *ret,
                         struct retort_error *error) {
    struct agent_call *c = ((struct agent_place *)user)->call;
    const struct request *request = c->request;
    scoped_json *ids = json_array();
    int r = session_branch(request->serve, request->peer, c->hosted, count, ids, error);
    for (size_t i = 0; i < json_array_size(ids); i++) {
        const char *id = json_string_value(json_array_get(ids, i));
        struct hosted *one = registry_get(request->serve->registry, request->peer->owner, id);
        if (!one)
            continue;
        struct agent_place *place = &c->tries[c->try_count++];
        *place = (struct agent_place){c, one};
        ret[c->try_count - 1] = (struct agent_branch){one->session, agents_execute, place};
    }
    if (r >= 0 && c->try_count < count)
        r = err_set(error, ERR_CALLER, ENOENT, "a branch was closed before it began");
    if (r < 0)
        end_tries(c, count, error); /* it keeps none, so it cannot fail */
    return r;
}

static int agents_keep(void *user, unsigned kept, struct retort_error *error) {
    struct agent_call *c = ((struct agent_place *)user)->call;
    bool found = kept < c->try_count;
    int r = end_tries(c, kept, error);
    if (found && c->made) /* nobody needs the session that it branched from */
        session_end(c->request->serve, c->hosted);
    return r;
}

static const struct agent_branching agents_branching = {agents_branch, agents_keep};

/* "vote", "schema", or the code of a judge. */
static struct agent_best read_best(const json_t *params) {
    const char *judge = agents_text_of(params, "judge");
    struct agent_best best = {.count =
                                  (unsigned)json_integer_value(json_object_get(params, "best_of")),
                              .code = judge,
                              .branching = &agents_branching};
    best.judge = judge ? agent_judge_named(judge) : AGENT_JUDGE_VOTE;
    if (best.judge != AGENT_JUDGE_VOTE && best.judge != AGENT_JUDGE_SCHEMA)
        best.judge = AGENT_JUDGE_CODE;
    return best;
}

static int check_best(const json_t *params, struct retort_error *error) {
    json_int_t count = json_integer_value(json_object_get(params, "best_of"));
    const char *judge = agents_text_of(params, "judge");
    if (count > AGENT_MAX_TRIES)
        return err_set(error, ERR_CALLER, EINVAL, "best_of must be at most %d", AGENT_MAX_TRIES);
    if (judge && count < 2)
        return err_set(error, ERR_CALLER, EINVAL, "judge needs best_of");
    if (judge && strcmp(judge, "schema") == 0 && !json_object_get(params, "schema"))
        return err_set(error, ERR_CALLER, EINVAL, "the judge `schema` needs a schema");
    return 0;
}

/* Everybody may use a skill that is learned, so only administrators may ask for it. */
static int check_learn(const struct request *request, struct retort_error *error) {
    const json_t *params = request->params;
    if (!json_is_true(json_object_get(params, "learn")))
        return 0;
    if (json_integer_value(json_object_get(params, "best_of")) > 1 ||
        json_is_false(json_object_get(params, "record")))
        return err_set(error, ERR_CALLER, EINVAL, "learn needs one try and a record");
    return handlers_check_admin(request, error);
}

static int choice(const json_t *params, const char *name, const char *const *names) {
    const char *text = agents_text_of(params, name);
    for (int i = 0; text && names[i]; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return 0;
}

static int read_model(const json_t *params, struct model_options *ret, struct retort_error *error) {
    const char *model = agents_text_of(params, "model");
    struct model_error problem;
    *ret = (struct model_options){0};
    if (model_from_environment(ret, &problem) < 0)
        return err_set(error, ERR_HOST, EINVAL, "%s", problem.message);
    ret->model = model ? model : ret->model;
    ret->replies = json_object_get(params, "replies");
    return 0;
}

static int read_prices(const json_t *params, struct agent_options *options,
                       struct retort_error *error) {
    const char *models[] = {options->model.model, NULL}, *without;
    const json_t *prices = json_object_get(params, "prices");
    if (prices && !spending_priced(prices, models, &without))
        return err_set(error, ERR_CALLER, EINVAL,
                       "prices has no input and output of the model '%.60s'", without);
    options->budgets.prices = prices;
    return 0;
}

static int read_options(struct agent_call *c, struct agent_options *ret,
                        struct retort_error *error) {
    const json_t *params = c->request->params;
    *ret = (struct agent_options){
        .task = agents_text_of(params, "task"),
        .inputs = c->inputs,
        .input_count = c->count,
        .mode = (enum extract_mode)choice(
            params, "mode", (const char *const[]){"auto", "calls", "tags", "fences", NULL}),
        .checks = {.numbers = (enum agent_policy)choice(
                       params, "policy",
                       (const char *const[]){"repair", "block", "annotate", NULL}),
                   .review = (enum agent_review)choice(
                       params, "review",
                       (const char *const[]){"off", "note", "repair", "block", NULL}),
                   .learn = json_is_true(json_object_get(params, "learn"))},
        .budgets.steps = (unsigned)json_integer_value(json_object_get(params, "max_steps")),
        .budgets.tokens =
            (unsigned long long)json_integer_value(json_object_get(params, "max_tokens")),
        .best = read_best(params),
        .continued = c->hosted->session,
        .tools = {.call = agents_on_tool, .user = &c->place},
        .execute = agents_execute,
        .execute_user = &c->place,
        .cancel = &c->hosted->agents_stop,
    };
    TRY(read_model(params, &ret->model, error));
    return read_prices(params, ret, error);
}

static int agents_answer(const struct agent_call *c, const struct agent_outcome *o, bool priced,
                         struct buf *result) {
    scoped_json *cost = priced ? json_real(o->cost) : NULL;
    scoped_json *out = json_pack(
        "{s:s,s:s,s:s*,s:s,s:b,s:O*,s:O*,s:O*,s:i,s:{s:I,s:I,s:O*},s:O*,s:O*}", "session",
        o->session, "stop", agent_stop_name(o->stop), "answer", o->answer, "message", o->message,
        "verified", o->verified, "provenance", o->provenance, "unproved", o->unproved, "artifacts",
        o->artifacts, "steps", (int)o->steps, "usage", "prompt_tokens",
        (json_int_t)o->prompt_tokens, "completion_tokens", (json_int_t)o->completion_tokens, "cost",
        cost, "tries", c->told, "skill", c->skill);
    return out ? buf_json(result, out) : -ENOMEM;
}

/* From here on session_stop ends the run. Returns the session's tools, or NULL. A server that stops
 * sets its flag before it stops its sessions, so this sees it. */
static char *agents_enter(struct agent_call *c) {
    char *tools;
    pthread_mutex_lock(&c->hosted->lock);
    if (c->hosted->agents++ == 0)
        atomic_store(&c->hosted->agents_stop, atomic_load(&c->request->serve->stopping));
    tools = c->hosted->tools ? strdup(c->hosted->tools) : NULL;
    pthread_mutex_unlock(&c->hosted->lock);
    return tools;
}

static void agents_leave(struct agent_call *c) {
    pthread_mutex_lock(&c->hosted->lock);
    c->hosted->agents--;
    pthread_mutex_unlock(&c->hosted->lock);
}

/* The parameters of a new session for the client. The agent itself puts in the files, with their
 * cards; its review is that of the run, added to what the server wants of every session. */
static json_t *agents_session_params(const struct agent_call *c) {
    json_t *params = json_copy(unconst(c->request->params));
    json_object_del(params, "files");
    json_object_del(params, "review");
    return params;
}

/* The run has answered: one of its functions may become a skill. */
static void agents_learn(struct agent_call *c, const struct agent_outcome *outcome) {
    const struct serve *serve = c->request->serve;
    struct skills_job job = {
        .state = serve->state, .engine = serve->engine, .rules = serve->network};
    struct skills_lesson lesson = {
        .session = outcome->session, .answer = outcome->answer, .by = "agent.run"};
    c->skill = skills_learn_event(&job, &lesson, c->hosted->session);
    if (c->skill)
        agents_on_event(c, c->skill);
}

static int agents_run(struct agent_call *c, const char *schema, const struct session_plan *plan,
                      struct buf *result, struct retort_error *error) {
    struct agent_options options;
    struct agent_outcome outcome;
    struct retort_session *session;
    c->place = (struct agent_place){c, c->hosted};
    int r = read_options(c, &options, error);
    if (r < 0)
        return r;
    options.schema = schema;
    options.best.session = &plan->options;
    scoped_free char *tools = agents_enter(c);
    options.tools.offered = tools;
    r = agent_run(c->request->serve->engine, &options, agents_on_event, c, &outcome, &session,
                  error);
    agents_leave(c);
    if (r < 0)
        return r;
    if (options.checks.learn && outcome.verified)
        agents_learn(c, &outcome);
    r = agents_answer(c, &outcome, options.budgets.prices, result);
    agent_outcome_done(&outcome);
    return r < 0 ? agents_out_of_memory(error) : 0;
}

/* The session that the client named, or a new one. */
static int agents_find_session(struct agent_call *c, const json_t *params,
                               struct retort_error *error) {
    struct request *request = c->request;
    const char *id = agents_text_of(request->params, "session");
    if (id) {
        c->hosted = registry_get(request->serve->registry, request->peer->owner, id);
        return c->hosted ? 0 : err_set(error, ERR_CALLER, ENOENT, "no such session");
    }
    c->made = true;
    return session_make(request->serve, request->peer, params, &c->hosted, error);
}

int handle_agent_run(struct request *request, struct buf *result, struct retort_error *error) {
    struct agent_call c = {.request = request};
    const json_t *wanted = json_object_get(request->params, "schema");
    scoped_free char *schema = wanted ? serve_json_text(wanted) : NULL;
    scoped_json *params = agents_session_params(&c);
    __attribute__((cleanup(session_plan_done))) struct session_plan plan;
    int r = session_plan(request->serve, request->peer, params, &plan, error);
    if (r >= 0)
        r = check_best(request->params, error);
    if (r >= 0)
        r = check_learn(request, error);
    if (r >= 0)
        r = read_inputs(&c, error);
    if (r >= 0)
        r = agents_find_session(&c, params, error);
    if (r >= 0) {
        r = agents_run(&c, schema, &plan, result, error);
        registry_unref(request->serve->registry, c.hosted);
    }
    for (size_t i = 0; i < c.count; i++)
        buf_done(&c.data[i]);
    json_decref(c.told);
    json_decref(c.skill);
    return r;
}
