/* A run from its beginning to its end: checks, session, files and cards, prompt, loop. */
#include "agent/run/agent.h"

#include "agent/model/journal.h"
#include "agent/run/agent_work.h"
#include "agent/run/context.h"
#include "agent/run/memory.h"
#include "agent/run/prompts.h"
#include "agent/run/tries.h"
#include "agent/tools/file_card.h"
#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/readall.h"
#include "base/scope.h"
#include "base/toolschema.h"
#include "base/unconst.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- checks before the run --- */

static bool is_utf8(const char *text) {
    json_t *probe = json_string(text);
    json_decref(probe);
    return probe != NULL;
}

static int agent_refuse(struct agent_work *w, const char *check, const char *message) {
    run_check(&w->run, "before", check, "block", false, message);
    run_stop(&w->run, AGENT_INPUT, message);
    return -EINVAL;
}

static int check_input(struct agent_work *w) {
    const char *task = w->options->task;
    if (!task || !*task || !is_utf8(task))
        return agent_refuse(w, "input", "the task is empty or not UTF-8");
    return 0;
}

/* If a schema could not be checked, every answer would seem to fit. */
static int agent_check_schema(struct agent_work *w) {
    const char *text = w->options->schema;
    json_error_t where;
    char why[160], message[300];
    if (!text)
        return 0;
    json_t *schema = json_in_text(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &where);
    if (!schema)
        snprintf(why, sizeof why, "line %d: %.120s", where.line, where.text);
    int r = schema ? toolschema_supported(schema, why, sizeof why) : -EINVAL;
    json_decref(schema);
    if (r == 0)
        return 0;
    snprintf(message, sizeof message, "the schema of the answer cannot be used: %s", why);
    return agent_refuse(w, "schema", message);
}

/* --- files --- */

int agent_open_input(const char *path, off_t *ret_size) {
    struct stat st;
    scoped_fd fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    *ret_size = st.st_size;
    return S_ISREG(st.st_mode) ? take_fd(&fd) : -EINVAL;
}

static int agent_read_input(const char *path, struct buf *out) {
    off_t size;
    scoped_fd fd = agent_open_input(path, &size);
    return fd < 0 ? fd : read_all(fd, out);
}

static int upload(struct agent_work *w, const char *name, const struct buf *data) {
    struct retort_error error = {0};
    int r = session_put(w->session, name, data->data ? data->data : "", data->len, &error);
    return r < 0 ? agent_refuse(w, "files", error.message) : 0;
}

/* Keeps a file's numbers for the evidence of every try. */
static int keep_input(struct agent_work *w, const char *name, const struct buf *data) {
    struct kept_input *more = reallocarray(w->inputs, w->input_count + 1, sizeof *more);
    if (!more)
        return -ENOMEM;
    w->inputs = more;
    struct kept_input *kept = &more[w->input_count++];
    *kept = (struct kept_input){.name = strdup(name), .data = BUF_INIT(MAX_INPUT_FILE)};
    return kept->name ? buf_add(&kept->data, data->data ? data->data : "", data->len) : -ENOMEM;
}

static int add_input(struct agent_work *w, const char *name, const struct buf *data) {
    int r = upload(w, name, data);
    if (r == 0)
        r = evidence_input(&w->run.evidence, name, data->data ? data->data : "", data->len);
    if (r == 0 && w->options->best.count > 1)
        r = keep_input(w, name, data);
    if (r == 0)
        r = card_add(name, data->data ? data->data : "", data->len, &w->task);
    return r;
}

/* "path" or "path:name" */
static int agent_add_file(struct agent_work *w, const char *spec) {
    scoped_buf data = BUF_INIT(MAX_INPUT_FILE);
    scoped_free char *path = strdup(spec);
    char message[300];
    if (!path)
        return -ENOMEM;
    char *colon = strrchr(path, ':');
    struct stat st;
    if (colon && stat(spec, &st) < 0)
        *colon = 0;
    else
        colon = NULL;
    const char *slash = strrchr(path, '/');
    const char *name = colon ? colon + 1 : slash ? slash + 1 : path;
    int r = agent_read_input(path, &data);
    if (r == 0)
        return add_input(w, name, &data);
    snprintf(message, sizeof message, "%.200s: %s", path,
             r == -ENOSPC ? "the file is too large" : strerror(-r));
    return agent_refuse(w, "files", message);
}

/* Whether the first turn's prompt said it already. */
static bool is_later_turn(const struct agent_work *w) {
    return w->options->talk && w->options->talk->turns > 0;
}

static int agent_add_files(struct agent_work *w) {
    const struct agent_options *o = w->options;
    const char *const *f = o->files;
    if (((!f || !*f) && !o->input_count) || is_later_turn(w))
        return 0;
    int r = prompts_add(o->prompts, "data", &w->system);
    if (r == 0)
        r = buf_adds(&w->task, "\n\nFiles:\n");
    for (; r == 0 && f && *f; f++)
        r = agent_add_file(w, *f);
    for (size_t i = 0; r == 0 && i < o->input_count; i++) {
        scoped_buf data = BUF_INIT(MAX_INPUT_FILE);
        r = buf_add(&data, o->inputs[i].data, o->inputs[i].len);
        if (r == 0)
            r = add_input(w, o->inputs[i].name, &data);
    }
    if (r == 0)
        run_check(&w->run, "before", "files", "block", true, NULL);
    return r;
}

/* --- tools --- */

static json_t *function(const char *name, const char *description, const char *argument,
                        const char *about) {
    return json_pack("{s:s,s:s,s:{s:s,s:{s:{s:s,s:s}},s:[s]}}", "name", name, "description",
                     description, "parameters", "type", "object", "properties", argument, "type",
                     "string", "description", about, "required", argument);
}

/* The functions that the model may call; only code calls the host's tools. */
static json_t *model_functions(void) {
    json_t *list = json_array();
    json_array_append_new(list,
                          function("run_python",
                                   "Runs Python code in the session and shows what it printed, "
                                   "its value and its errors. State is kept between calls.",
                                   "code", "the code"));
    json_array_append_new(list, function("final_answer", "Ends the task with the answer.", "answer",
                                         "the answer, in a few sentences"));
    return list;
}

static void use_tool(struct agent_work *w, const struct host_tool *tool) {
    w->runner.tools[w->runner.tool_count++] = *tool;
}

/* If code may ask a model, the session gets tools for that. */
static int open_queries(struct agent_work *w, json_t *list) {
    struct model_error error;
    if (!w->options->queries.on)
        return 0;
    int r = queries_open(&w->queries, w->engine, &w->run, &error);
    if (r < 0)
        return agent_refuse(w, "model", error.message);
    use_tool(w, &(struct host_tool){.user = &w->queries, .hearsay = true, .call = queries_call});
    w->runner.queries = &w->queries;
    json_t *tools = queries_tools();
    json_array_extend(list, tools);
    json_decref(tools);
    return 0;
}

static int prepare_context(struct agent_work *w) {
    char problem[300];
    if (!w->options->queries.on)
        return 0;
    int r = context_add(w, problem, sizeof problem);
    return r < 0 ? agent_refuse(w, "context", problem) : 0;
}

/* Tells the model everything about the tools of the module `tools`. */
static int tell_tools(struct agent_work *w, const json_t *list) {
    scoped_json *plain = json_array();
    json_t *one;
    size_t i;
    json_array_foreach(list, i, one) {
        if (!json_object_get(one, "skill"))
            json_array_append(plain, one);
    }
    if (json_array_size(plain) == 0)
        return 0;
    int r = prompts_add(w->options->prompts, "tools", &w->system);
    scoped_free char *text = json_whole(plain, JSON_INDENT(1));
    return r < 0 ? r : text ? buf_printf(&w->system, "%s\n", text) : -ENOMEM;
}

/* Tells the model how a skill is called and what it is for; code can read the rest. */
static int tell_skill(struct agent_work *w, const json_t *skill, const json_t *parameters) {
    const char *name = json_string_value(json_object_get(skill, "call")),
               *about = json_string_value(json_object_get(skill, "description")), *argument;
    json_t *schema;
    bool first = true;
    int r = buf_printf(&w->system, "- %s(", name ? name : "");
    json_object_foreach(json_object_get(parameters, "properties"), argument, schema) {
        if (r == 0)
            r = buf_printf(&w->system, "%s%s", first ? "" : ", ", argument);
        first = false;
    }
    return r < 0 ? r : buf_printf(&w->system, "): %s\n", about ? about : "");
}

static int tell_skills(struct agent_work *w, const json_t *list) {
    json_t *one;
    size_t i;
    int r = 0;
    bool any = false;
    json_array_foreach(list, i, one) {
        const json_t *skill = json_object_get(one, "skill");
        if (skill && !any)
            r = prompts_add(w->options->prompts, "skills", &w->system);
        any = any || skill;
        if (r == 0 && skill)
            r = tell_skill(w, skill, json_object_get(one, "parameters"));
    }
    return r;
}

static int register_tools(struct agent_work *w) {
    const struct agent_tools *tools = &w->options->tools;
    scoped_json *given = tools->offered ? json_in_text(tools->offered, 0, NULL) : json_array();
    json_t *list = json_is_object(given) ? json_object_get(given, "tools") : given;
    struct retort_error error = {0};
    if (!json_is_array(list))
        return agent_refuse(w, "tools", "the list of tools is not a JSON list");
    int r = 0;
    if (json_array_size(list) && tools->call) {
        use_tool(w, &(struct host_tool){.user = tools->user,
                                        .call = tools->call,
                                        .begun = tools->begun,
                                        .settled = tools->settled});
        r = tell_tools(w, list);
        if (r == 0)
            r = tell_skills(w, list);
    }
    if (r == 0)
        r = open_queries(w, list);
    /* A plain list leaves the session's files and policy as they are. */
    bool beside = json_object_get(given, "files") || json_object_get(given, "policy");
    scoped_free char *text = json_whole(beside ? given : list, 0);
    bool any = json_array_size(list) || beside;
    if (r == 0 && any && retort_tools(w->session, text ? text : "[]", &error) < 0)
        r = agent_refuse(w, "tools", error.message);
    return r;
}

/* Copies the database, with its journal or WAL if that lies beside it. */
static int upload_database(struct agent_work *w) {
    static const char *const parts[] = {"", "-wal", "-journal"};
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof parts / sizeof *parts; i++) {
        scoped_buf path = BUF_INIT(4096), name = BUF_INIT(64), data = BUF_INIT(MAX_INPUT_FILE);
        r = buf_printf(&path, "%s%s", w->options->database, parts[i]);
        if (r == 0)
            r = buf_printf(&name, ".retort/session.db%s", parts[i]);
        if (r == 0)
            r = agent_read_input(path.data, &data);
        if (r == -ENOENT && i > 0)
            r = 0;
        else if (r == 0)
            r = upload(w, name.data, &data);
        else
            return agent_refuse(w, "database",
                                r == -ENOSPC ? "the database is too large" : strerror(-r));
    }
    return r;
}

/* Runs a cell that lists the contents of the database and defines sql(). */
static int describe_database(struct agent_work *w) {
    static const char code[] = "from retort_guest.sql import query as sql, card\n"
                               "print(card(), end=\"\")\ndel card";
    json_t *result = NULL;
    struct retort_error err = ERR_INIT;
    int r = w->runner.runner.execute(&w->runner, code, 0, 0, &result, &err);
    w->run.outcome->cells++;
    if (r < 0) {
        run_stop(&w->run, AGENT_ENGINE, err.message);
        return r;
    }
    const json_t *error = json_object_get(result, "error");
    const char *message = json_string_value(json_object_get(error, "message"));
    char problem[200];
    snprintf(problem, sizeof problem, "the database cannot be read: %.150s",
             message ? message : "the session failed");
    const char *card = json_string_value(json_object_get(result, "stdout"));
    r = message || !card ? agent_refuse(w, "database", problem)
                         : buf_printf(&w->task, "\n\nDatabase:\n%s", card);
    json_decref(result);
    return r;
}

static int open_database(struct agent_work *w) {
    if (!w->options->database || is_later_turn(w))
        return 0;
    int r = upload_database(w);
    if (r == 0)
        r = describe_database(w);
    if (r < 0)
        return r;
    run_check(&w->run, "before", "database", "block", true, NULL);
    return prompts_add(w->options->prompts, "sql", &w->system);
}

static int open_tests(struct agent_work *w) {
    char problem[300];
    const struct agent_options *o = w->options;
    struct testbed_options options = {o->tests, o->test_command, &o->session};
    if ((!o->tests || !*o->tests) && !o->test_command)
        return 0;
    int r = testbed_new(w->engine, &options, w->session, &w->testbed, problem, sizeof problem);
    if (r < 0)
        return agent_refuse(w, "tests", problem);
    w->tests = (struct run_tests){
        .user = w->testbed, .success = testbed_success(w->testbed), .run = testbed_run};
    w->run.tests = &w->tests;
    run_check(&w->run, "before", "tests", "block", true, NULL);
    r = prompts_add(o->prompts, testbed_prompt(w->testbed), &w->system);
    return r < 0 ? r : testbed_describe(w->testbed, &w->task);
}

static json_t *agent_judge_code(void *user, const char *language, const char *code,
                                struct retort_error *error) {
    return reviewer_judge(user, language, code, error);
}

static int open_review(struct agent_work *w) {
    const struct agent_options *o = w->options;
    struct reviewer_options options = {.python = o->session.python,
                                       .environment = o->session.environment,
                                       .rules = o->checks.rules};
    struct retort_error error = {0};
    char problem[300];
    if (o->checks.review == AGENT_REVIEW_OFF)
        return 0;
    if (reviewer_new(w->engine, &options, &w->reviewer, &error) < 0) {
        snprintf(problem, sizeof problem, "the rules cannot be used: %.250s", error.message);
        return agent_refuse(w, "review", problem);
    }
    w->review = (struct run_review){w->reviewer, agent_judge_code};
    w->run.review = &w->review;
    return 0;
}

/* --- the whole --- */

static int open_session(struct agent_work *w) {
    struct retort_error error = {0};
    struct retort_session_options session;
    char problem[300];
    if (context_room(w->options, &session, problem, sizeof problem) < 0)
        return agent_refuse(w, "context", problem);
    w->session = w->options->continued;
    if (!w->session && retort_session_new(w->engine, &session, &w->session, &error) < 0) {
        run_stop(&w->run, AGENT_ENGINE, error.message);
        return -EIO;
    }
    snprintf(w->run.outcome->session, sizeof w->run.outcome->session, "%s",
             retort_session_id(w->session));
    if (w->options->model.journal)
        journal_begin(w->options->model.journal, w->run.outcome->session);
    int r = engine_runner_init(&w->runner, w->session, w->options->cancel);
    w->runner.run = &w->run;
    w->runner.execute = w->options->execute;
    w->runner.execute_user = w->options->execute_user;
    w->run.runner = &w->runner.runner;
    return r;
}

/* Emits the first event; from here on there is a session to record it. */
static void emit_plan(struct agent_work *w) {
    const struct run *run = &w->run;
    json_t *files = json_array();
    for (const char *const *f = w->options->files; f && *f; f++)
        json_array_append_new(files, json_string(*f));
    run_emit(&w->run,
             json_pack("{s:s,s:s,s:s,s:b,s:s,s:{s:i,s:i,s:i},s:o}", "event", "plan", "task",
                       w->options->task, "model", model_name(run->model), "cassette",
                       model_replays(run->model), "session", run->outcome->session, "budgets",
                       "steps", (int)run->budgets.steps, "errors", (int)run->budgets.errors,
                       "observation", (int)run->budgets.observation, "files", files));
}

static int compose(struct agent_work *w) {
    static const char *const ways[] = {"calls", "calls", "tags", "fences"};
    const struct agent_options *o = w->options;
    int r = prompts_add(o->prompts, "system", &w->system);
    if (r == 0)
        r = prompts_add(o->prompts, ways[o->mode], &w->system);
    if (r == 0 && o->session.network)
        r = prompts_add(o->prompts, "network", &w->system);
    if (r == 0 && o->session.network)
        r = buf_printf(&w->system, "%s\n", o->session.network);
    if (r == 0)
        r = buf_adds(&w->task, o->task);
    if (r == 0 && o->schema)
        r = buf_printf(&w->task, "\n\nThe final answer has to be JSON that fits this schema:\n%s",
                       o->schema);
    return r;
}

/* A continued conversation keeps its messages, and the new task is added. */
static void start_conversation(struct agent_work *w) {
    struct run *run = &w->run;
    const struct agent_talk *talk = w->options->talk;
    const json_t *history = talk ? talk->history : w->options->history;
    if (json_array_size(history)) {
        json_array_extend(run->messages, unconst(history));
        memory_shorten(run->messages, MAX_CONVERSATION);
        run_close_calls(run);
    } else {
        run_say(run, "system", w->system.data);
    }
    run_say(run, "user", w->task.data);
    run->kept = json_array_size(run->messages);
    json_object_set_new(json_array_get(run->messages, run->kept - 1), "turn", json_true());
}

static int agent_prepare(struct agent_work *w) {
    int r = check_input(w);
    if (r == 0)
        r = agent_check_schema(w);
    if (r == 0)
        r = evidence_question(&w->run.evidence, w->options->task);
    if (r == 0)
        r = open_session(w);
    if (r == 0) {
        emit_plan(w);
        run_check(&w->run, "before", "input", "block", true, NULL);
        r = compose(w);
    }
    if (r == 0)
        r = agent_add_files(w);
    if (r == 0)
        r = open_database(w);
    if (r == 0)
        r = open_tests(w);
    if (r == 0)
        r = open_review(w);
    if (r == 0)
        r = register_tools(w);
    return r < 0 ? r : prepare_context(w);
}

static void set_defaults(struct agent_budgets *b) {
    b->calls = b->calls ? b->calls : 500;
    b->concurrency = b->concurrency ? b->concurrency : 4;
    b->steps = b->steps ? b->steps : 12;
    b->errors = b->errors ? b->errors : 8;
    b->observation = b->observation ? b->observation : 8000;
}

/* --- conversations --- */

void agent_talk_init(struct agent_talk *talk, const json_t *history) {
    *talk = (struct agent_talk){.history = json_array()};
    json_array_extend(talk->history, unconst(history));
    evidence_init(&talk->evidence);
}

void agent_talk_done(struct agent_talk *talk) {
    model_free(talk->model);
    json_decref(talk->history);
    evidence_done(&talk->evidence);
}

struct agent_mark agent_talk_mark(const struct agent_talk *talk, struct retort_session *session) {
    char *text = retort_session_info(session);
    json_t *info = text ? json_in_text(text, 0, NULL) : NULL;
    unsigned cell = (unsigned)json_integer_value(json_object_get(info, "cells"));
    json_decref(info);
    retort_free(text);
    return (struct agent_mark){talk->turns, talk->good_cells, cell};
}

void agent_talk_forget(struct agent_talk *talk, struct retort_session *session,
                       const struct agent_mark *mark) {
    struct retort_error error;
    size_t n = json_array_size(talk->history);
    for (bool found = talk->turns == mark->turns; n > 0 && !found; n--) {
        found = json_is_true(json_object_get(json_array_get(talk->history, n - 1), "turn"));
        json_array_remove(talk->history, n - 1);
    }
    talk->turns = mark->turns;
    talk->good_cells = mark->good_cells;
    evidence_forget(&talk->evidence, mark->cell);
    json_t *note = memory_conversation(talk->history);
    scoped_free char *text = json_whole(note, JSON_COMPACT);
    if (text)
        retort_note(session, MEMORY_SOURCE, text, &error); /* what --continue reads */
    json_decref(note);
}

/* Hands what the talk holds to the run … */
static void take_talk(struct agent_work *w, struct agent_talk *talk) {
    w->run.evidence = talk->evidence;
    w->run.good_cells = talk->good_cells;
    evidence_init(&talk->evidence);
}

/* … and takes it back, except if the run never began. */
static void give_talk(struct agent_work *w, struct agent_talk *talk) {
    struct run *run = &w->run;
    struct evidence none = talk->evidence;
    talk->model = run->model;
    run->model = NULL;
    talk->evidence = run->evidence;
    run->evidence = none;
    talk->good_cells = run->good_cells;
    if (!json_array_size(run->messages))
        return;
    json_decref(talk->history);
    talk->history = memory_messages(run->messages);
    talk->turns++;
}

static void agent_finish(struct agent_work *w, struct retort_session **session) {
    struct run *run = &w->run;
    bool alone = w->options->best.count < 2; /* each of several tries keeps its own memory */
    if (run->runner && json_array_size(run->messages) && alone)
        run_remember(run);
    if (w->options->talk)
        give_talk(w, w->options->talk);
    engine_runner_done(&w->runner);
    queries_done(&w->queries);
    testbed_free(w->testbed);
    reviewer_free(w->reviewer);
    if (session)
        *session = w->session;
    else if (w->session && w->session != w->options->continued)
        retort_session_close(w->session);
    model_free(run->model);
    run_done(run);
    spending_done(&w->spent);
    for (size_t i = 0; i < w->input_count; i++) {
        free(w->inputs[i].name);
        buf_done(&w->inputs[i].data);
    }
    free(w->inputs);
    buf_done(&w->system);
    buf_done(&w->task);
}

int agent_run(struct retort_engine *engine, const struct agent_options *options, agent_event *event,
              void *user, struct agent_outcome *ret, struct retort_session **session,
              struct retort_error *err) {
    struct model_error error;
    struct model *model = options->talk ? options->talk->model : NULL;
    struct model_options model_options = options->model;
    *ret = (struct agent_outcome){0};
    if (session)
        *session = NULL;
    model_options.cancel = options->cancel;
    int r = model ? 0 : model_new(&model_options, &model, &error);
    if (r < 0)
        return err_set(err, r == -ENOMEM ? ERR_HOST : ERR_CALLER, -r, "%s", error.message);
    struct agent_work w = {.engine = engine, .options = options};
    w.system = w.task = BUF_INIT(4u << 20);
    w.run = (struct run){.options = options,
                         .budgets = options->budgets,
                         .model = model,
                         .listener = {event, user},
                         .messages = json_array(),
                         .lessons = json_array(),
                         .tools = model_functions(),
                         .spent = options->queries.spent ? options->queries.spent : &w.spent,
                         .cancel = options->cancel,
                         .outcome = ret};
    spending_init(&w.spent);
    set_defaults(&w.run.budgets);
    if (options->talk)
        take_talk(&w, options->talk);
    else
        evidence_init(&w.run.evidence);
    r = agent_prepare(&w);
    if (r == 0) {
        start_conversation(&w);
        if (options->best.count > 1)
            tries_run(&w);
        else
            run_loop(&w.run);
    } else if (ret->stop == AGENT_ANSWERED) {
        run_stop(&w.run, AGENT_ENGINE, strerror(-r));
    }
    if (!options->queries.depth) { /* the sum of all tries and questions */
        ret->prompt_tokens = w.run.spent->prompt;
        ret->completion_tokens = w.run.spent->completion;
        ret->cost = w.run.spent->cost;
    }
    agent_finish(&w, session);
    return 0;
}
