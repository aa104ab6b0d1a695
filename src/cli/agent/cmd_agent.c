/* retort agent: gives a task to a model that writes code, and checks its answer against what
 * ran. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agent/run/agent.h"
#include "agent/run/memory.h"
#include "agent/run/spending.h"
#include "base/io.h"
#include "base/jsonout.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "cli/agent/agent_chat.h"
#include "cli/agent/agent_host.h"
#include "cli/agent/agent_resume.h"
#include "cli/agent/agent_view.h"
#include "cli/cli.h"
#include "cli/outdir.h"

/* Files that options name. */
struct agent_lists {
    const char *rules, *prices, *tools;
};

/* Sessions of earlier runs. */
struct agent_earlier {
    const char *talk; /* to continue as a conversation */
    const char *died; /* to finish: its process died */
};

struct agent_request {
    struct agent_options agent;
    struct opt_list files, tests, context;
    struct agent_skills_asked skills;
    struct cli_network network;
    const char *api, *mode, *policy, *schema_file, *judge, *review, *out;
    struct agent_earlier earlier;
    struct agent_lists lists;
    uint64_t max_tokens;
    uint32_t max_steps, best_of, max_calls, max_depth, concurrency, max_prompt;
    bool json, no_record, queries;
};

#define AT(field) offsetof(struct agent_request, field)

static const struct opt rows[] = {
    {"--file", 0, OPT_LIST, "SRC[:NAME]", AT(files),
     "a file to work on: put into /work, described in the prompt; may be repeated", 0},
    {"--tests", 0, OPT_LIST, "DIR|FILE", AT(tests),
     "write solution.py until these tests pass (pytest or plain); may be repeated", 0},
    {"--test-command", 0, OPT_TEXT, "COMMAND", AT(agent.test_command),
     "change the files until this command succeeds", 0},
    {"--db", 0, OPT_TEXT, "FILE", AT(agent.database), "a SQLite database to read", 0},
    {"--context", 0, OPT_LIST, "FILE", AT(context),
     "an input of any size: code sees it as `context`, the model does not; repeatable", 0},
    {"--queries", 0, OPT_FLAG, NULL, AT(queries),
     "code may ask the model: llm_query, rlm_query, ask; --context implies it", 0},
    {"--tools", 0, OPT_TEXT, "FILE", AT(lists.tools), CLI_TOOLS_HELP, 0},
    {"--skill", 0, OPT_LIST, "NAME", AT(skills.names),
     "code may call this skill, NAME or NAME@VERSION; may be repeated", 0},
    {"--skills", 0, OPT_FLAG, NULL, AT(skills.fitting),
     "look for up to five skills that fit the task, and let code call them", 0},
    {"--learn", 0, OPT_FLAG, NULL, AT(agent.checks.learn),
     "after a verified answer, ask the model for a function to keep, and add it to the skills", 0},
    {"--sub-model", 0, OPT_TEXT, "NAME", AT(agent.queries.model),
     "the model that code asks (that of --model)", 0},
    {"--model", 0, OPT_TEXT, "NAME", AT(agent.model.model), "the model; $RETORT_MODEL", 0},
    {"--api", 0, OPT_TEXT, "openai|anthropic", AT(api),
     "the protocol; $RETORT_MODEL_API, or openai", 0},
    {"--base-url", 0, OPT_TEXT, "URL", AT(agent.model.base_url),
     "the server; $RETORT_MODEL_URL, $OPENAI_BASE_URL or $ANTHROPIC_BASE_URL", 0},
    {"--key-file", 0, OPT_TEXT, "FILE", AT(agent.model.key_file),
     "the key; otherwise $OPENAI_API_KEY or $ANTHROPIC_API_KEY", 0},
    {"--cassette", 0, OPT_TEXT, "FILE", AT(agent.model.cassette),
     "record the model's replies, or replay them if the file exists", 0},
    {"--images", 0, OPT_FLAG, NULL, AT(agent.model.images),
     "the model takes images: send it the plots", 0},
    {"--mode", 0, OPT_TEXT, "auto|calls|tags|fences", AT(mode), "how the model sends code (auto)",
     0},
    {"--policy", 0, OPT_TEXT, "repair|block|annotate", AT(policy),
     "what to do about numbers that were not computed (repair)", 0},
    {"--review", 0, OPT_TEXT, "off|note|repair|block", AT(review),
     "what to do when a rule objects to code (off)", 0},
    {"--rules", 0, OPT_TEXT, "FILE", AT(lists.rules), "more rules for --review, as JSON", 0},
    {"--schema", 0, OPT_TEXT, "FILE", AT(schema_file), "a JSON schema that the answer has to fit",
     0},
    {"--best-of", 0, OPT_COUNT, "N", AT(best_of),
     "N tries side by side from the same session; the best one is kept", 0},
    {"--judge", 0, OPT_TEXT, "tests|vote|schema|FILE.py", AT(judge),
     "which try is best (tests if there are some, else vote)", 0},
    {"--prompts", 0, OPT_TEXT, "DIR", AT(agent.prompts),
     "prompt files that replace the built-in ones", 0},
    {"--max-steps", 0, OPT_COUNT, "N", AT(max_steps), "budget of steps (12)", 0},
    {"--max-tokens", 0, OPT_NUMBER, "N", AT(max_tokens), "budget of the model's tokens (none)", 0},
    {"--prices", 0, OPT_TEXT, "FILE", AT(lists.prices),
     "what a million tokens of each model cost, as JSON, to tell what the run cost", 0},
    {"--max-time", 0, OPT_SECONDS, "SECONDS", AT(agent.budgets.wall), "budget of time (none)", 0},
    {"--max-cpu", 0, OPT_SECONDS, "SECONDS", AT(agent.budgets.cpu), "budget of CPU time (none)", 0},
    {"--max-calls", 0, OPT_COUNT, "N", AT(max_calls), "questions of code, at any depth (500)", 0},
    {"--max-depth", 0, OPT_COUNT, "N", AT(max_depth), "depth of runs that code asks for (2)", 0},
    {"--max-prompt", 0, OPT_COUNT, "BYTES", AT(max_prompt), "size of one question of code (16000)",
     0},
    {"--concurrency", 0, OPT_COUNT, "N", AT(concurrency), "questions at a time (4; at most 32)", 0},
    {"--timeout", 0, OPT_SECONDS, "SECONDS", AT(agent.session.limits.timeout),
     "time for one step's code (30; 600 where code may ask)", 0},
    {"--python", 0, OPT_TEXT, "PATH", AT(agent.session.python), "the interpreter", 0},
    {"--environment", 0, OPT_TEXT, "NAME", AT(agent.session.environment),
     "the environment that sessions have", 0},
    CLI_NETWORK(AT(network)),
    {"--continue", 0, OPT_TEXT, "SESSION", AT(earlier.talk),
     "go on with an earlier conversation and its variables", 0},
    {"--resume", 0, OPT_TEXT, "SESSION", AT(earlier.died),
     "finish a run that was cut off, without asking the model again for what it has said", 0},
    {"--out", 0, OPT_TEXT, "DIR", AT(out), "copy the files that were made to DIR", 0},
    {"--no-record", 0, OPT_FLAG, NULL, AT(no_record), "keep nothing in the ledger", 0},
    {"--json", 0, OPT_FLAG, NULL, AT(json), "one event a line instead of text", 0},
    OPT_END};

static const struct opt_table table = {
    .usage = "agent [\"TASK\"] [options]",
    .about = "Solves a task with a model that writes code, and checks its answer. Without a task:\n"
             "the one on standard input, or a conversation on a terminal.",
    .rows = {rows, NULL},
    .operand = AT(agent.task),
    .more = "Exit status: 0 answered and verified, 3 answered but unverified, 4 no answer, "
            "125 failure of\nRetort itself.\n",
};

static atomic_bool cancelled;

static void cmd_agent_on_signal(int number) {
    (void)number;
    atomic_store(&cancelled, true);
}

/* --- options --- */

static int cmd_agent_choose(const char *name, const char *text, const char *const *names,
                            int *ret) {
    for (int i = 0; text && names[i]; i++)
        if (strcmp(text, names[i]) == 0) {
            *ret = i;
            return 0;
        }
    return text ? cli_fail("%s does not know '%.40s'", name, text) : 0;
}

/* Fills in from the environment what no option says. */
static int complete_model(struct model_options *m, const char *api) {
    struct model_options given;
    struct model_error error;
    if (model_from_environment(&given, &error) < 0 && !api)
        return cli_fail("%s", error.message);
    if (!m->model)
        m->model = given.model;
    if (!m->base_url)
        m->base_url = given.base_url;
    if (!api)
        m->api = given.api;
    return 0;
}

/* Without a task: standard input is the task; on a terminal, a conversation begins. */
static int find_task(struct agent_request *r) {
    static char text[1u << 20];
    if (r->agent.task)
        return 0;
    if (isatty(0) && (r->json || r->tests.n || r->agent.test_command))
        return cli_fail("%s needs a task", r->json ? "--json" : "a run with tests");
    if (isatty(0))
        return 0;
    size_t n = fread(text, 1, sizeof text, stdin);
    if (n == sizeof text)
        return cli_fail("the task on standard input is longer than 1 MiB");
    while (n && strchr(" \t\r\n", text[n - 1]))
        n--;
    text[n] = 0;
    if (strlen(text) != n)
        return cli_fail("the task on standard input contains a NUL byte");
    r->agent.task = text;
    return n ? 0 : cli_fail("which task? `retort agent --help` says more");
}

/* A built-in name, or a file with the code of a judge. */
static int complete_best(struct agent_request *r) {
    static char code[1u << 20];
    struct agent_best *best = &r->agent.best;
    best->count = r->best_of;
    if (r->best_of > AGENT_MAX_TRIES)
        return cli_fail("--best-of takes at most %d", AGENT_MAX_TRIES);
    if (r->best_of > 1 && !r->agent.task)
        return cli_fail("--best-of needs a task");
    if (!r->judge)
        return 0;
    if (r->best_of < 2)
        return cli_fail("--judge needs --best-of");
    if (strchr(r->judge, '.') || strchr(r->judge, '/')) {
        ssize_t n = read_file_at(AT_FDCWD, r->judge, code, sizeof code);
        if (n < 0)
            return cli_fail("--judge %s: %s", r->judge, strerror((int)-n));
        best->code = code;
        best->judge = AGENT_JUDGE_CODE;
        return 0;
    }
    best->judge = agent_judge_named(r->judge);
    if (best->judge == AGENT_JUDGE_NONE)
        return cli_fail("--judge does not know '%.40s'", r->judge);
    if (best->judge == AGENT_JUDGE_TESTS && !r->tests.n && !r->agent.test_command)
        return cli_fail("--judge tests needs --tests or --test-command");
    if (best->judge == AGENT_JUDGE_SCHEMA && !r->schema_file)
        return cli_fail("--judge schema needs --schema");
    return 0;
}

static int complete_queries(struct agent_request *r) {
    struct agent_queries *q = &r->agent.queries;
    q->on = r->queries || r->context.n || q->model;
    q->files = r->context.at;
    q->max_depth = r->max_depth;
    q->prompt = r->max_prompt;
    r->agent.budgets.calls = r->max_calls;
    r->agent.budgets.concurrency = r->concurrency;
    if (r->concurrency > AGENT_MAX_CONCURRENCY)
        return cli_fail("--concurrency takes at most %d", AGENT_MAX_CONCURRENCY);
    if (q->on && r->best_of > 1)
        return cli_fail("--best-of and --context or --queries do not go together");
    if (q->on && !r->agent.task)
        return cli_fail("--context and --queries need a task");
    return 0;
}

static int cmd_agent_complete(struct agent_request *r) {
    int api = 0, mode = 0, policy = 0, review = 0;
    int e =
        cmd_agent_choose("--api", r->api, (const char *const[]){"openai", "anthropic", NULL}, &api);
    if (!e)
        e = cmd_agent_choose("--mode", r->mode,
                             (const char *const[]){"auto", "calls", "tags", "fences", NULL}, &mode);
    if (!e)
        e = cmd_agent_choose("--policy", r->policy,
                             (const char *const[]){"repair", "block", "annotate", NULL}, &policy);
    if (!e)
        e = cmd_agent_choose("--review", r->review,
                             (const char *const[]){"off", "note", "repair", "block", NULL},
                             &review);
    r->agent.model.api = (enum model_api)api;
    r->agent.mode = (enum extract_mode)mode;
    r->agent.checks.numbers = (enum agent_policy)policy;
    r->agent.checks.review = (enum agent_review)review;
    r->agent.budgets.steps = r->max_steps;
    r->agent.budgets.tokens = r->max_tokens;
    r->agent.session.no_record = r->no_record;
    r->agent.session.door = "agent";
    if (!e)
        e = cli_network(&r->network, &r->agent.session.network);
    r->agent.files = r->files.at;
    r->agent.tests = r->tests.at;
    r->agent.cancel = &cancelled;
    if (!e)
        e = complete_model(&r->agent.model, r->api);
    if (!e)
        e = find_task(r);
    if (!e)
        e = complete_best(r);
    if (!e && r->agent.checks.learn && (r->no_record || !r->agent.task || r->best_of > 1))
        e = cli_fail("--learn needs a task, one try and a record");
    if (!e && r->lists.tools && (r->earlier.died || r->best_of > 1))
        e = cli_fail("--tools and %s do not go together: commands would be called more than once",
                     r->earlier.died ? "--resume" : "--best-of");
    return e ? e : complete_queries(r);
}

/* We take the key out of the environment before we start anything: so neither the process list nor
 * a child shows it. No core file is written either. */
static char *take_key(const struct agent_request *r) {
    const char *name = r->agent.model.api == MODEL_OPENAI ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY";
    char *value = getenv(name), *key = value ? strdup(value) : NULL;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (value)
        explicit_bzero(value, strlen(value));
    unsetenv(name);
    return key;
}

/* --- running --- */

struct listener {
    struct agent_view view;
    bool json;
};

static void cmd_agent_on_event(void *user, const json_t *event) {
    struct listener *l = user;
    if (!l->json) {
        agent_view_show(&l->view, event);
        return;
    }
    scoped_free char *text = json_out(event, JSON_COMPACT);
    puts(text ? text : "{}");
    fflush(stdout);
}

void agent_bring_out(struct retort_session *s, const char *dir, const struct agent_outcome *o) {
    json_t *all = json_object(), *files = json_deep_copy(o->artifacts), *f;
    size_t i;
    json_array_foreach(files, i, f) {
        json_object_set_new(f, "change", json_string("created"));
    }
    json_object_set_new(all, "files", files);
    scoped_free char *text = json_out(all, 0);
    json_decref(all);
    struct outdir_source from = outdir_session(s);
    if (text)
        outdir_fetch(&from, text, dir);
}

static void agent_tell_end(const struct agent_request *r, const struct agent_outcome *o) {
    fprintf(stderr, "session %s: %u step%s, %u cell%s, %llu tokens", o->session, o->steps,
            o->steps == 1 ? "" : "s", o->cells, o->cells == 1 ? "" : "s",
            o->prompt_tokens + o->completion_tokens);
    if (r->agent.budgets.prices)
        fprintf(stderr, ", cost %.6g", o->cost);
    fputc('\n', stderr);
}

/* The journal of a finished run is removed; an interrupted run keeps its journal and may go on. */
static void end_journal(const struct agent_request *r, const struct agent_outcome *o) {
    struct journal *journal = r->agent.model.journal;
    static const bool goes_on[] = {
        [AGENT_TOKENS] = true, [AGENT_WALL] = true,  [AGENT_CPU] = true,   [AGENT_CANCELLED] = true,
        [AGENT_CALLS] = true,  [AGENT_MODEL] = true, [AGENT_ENGINE] = true};
    if (!journal)
        return;
    if ((size_t)o->stop >= sizeof goes_on || !goes_on[o->stop])
        journal_remove(journal);
    else if (!r->json && !journal_problem(journal))
        fprintf(stderr, "retort agent --resume %s goes on with it, and asks nothing again\n",
                o->session);
    if (!r->json && journal_problem(journal))
        fprintf(stderr, "what the model said could not be kept for --resume: %s\n",
                journal_problem(journal));
}

static int cmd_agent_run(struct agent_request *r, struct retort_engine *engine,
                         struct agent_host *host) {
    struct agent_chat chat = {.engine = engine,
                              .options = &r->agent,
                              .host = host,
                              .out = r->out,
                              .no_record = r->no_record,
                              .cancelled = &cancelled};
    struct listener l = {.json = r->json};
    struct agent_outcome outcome;
    struct retort_session *session = NULL;
    struct retort_error error = {0};
    struct retort_error err = ERR_INIT;
    json_t *history = NULL;
    if (r->earlier.talk) {
        if (retort_session_resume(engine, r->earlier.talk, &r->agent.continued, &error) < 0)
            return cli_fail_error(&error);
        r->agent.history = history = memory_load(engine, r->earlier.talk);
    }
    if (!r->agent.task) {
        chat.history = history;
        int code = agent_chat(&chat);
        json_decref(history);
        return code;
    }
    agent_view_init(&l.view);
    host->view = r->json ? NULL : &l.view;
    int e = agent_run(engine, &r->agent, cmd_agent_on_event, &l, &outcome, &session, &err);
    host->view = NULL;
    agent_view_done(&l.view);
    json_decref(history);
    if (r->agent.continued && r->agent.continued != session) /* the run goes on in a branch */
        retort_session_close(r->agent.continued);
    if (e < 0)
        return cli_fail("%s", err.message);
    if (r->out && session && outcome.artifacts)
        agent_bring_out(session, r->out, &outcome);
    if (r->agent.checks.learn && session && outcome.verified)
        agent_skills_learn(engine, session, &outcome, r->json);
    if (!r->json && outcome.session[0] && !r->no_record)
        agent_tell_end(r, &outcome);
    end_journal(r, &outcome);
    int code = agent_exit_code(&outcome);
    if (session)
        retort_session_close(session);
    agent_outcome_done(&outcome);
    return code;
}

static int read_rules_file(struct agent_request *r) {
    static char rules[1u << 20];
    if (!r->lists.rules)
        return 0;
    if (r->agent.checks.review == AGENT_REVIEW_OFF)
        return cli_fail("--rules needs --review");
    ssize_t n = read_file_at(AT_FDCWD, r->lists.rules, rules, sizeof rules);
    r->agent.checks.rules = rules;
    return n < 0 ? cli_fail("--rules %s: %s", r->lists.rules, strerror((int)-n)) : 0;
}

/* Every model that the run may ask needs a price. */
static int agent_read_prices(struct agent_request *r, json_t **ret) {
    const char *models[] = {r->agent.model.model, r->agent.queries.model, NULL}, *without;
    char text[64 << 10];
    ssize_t n = r->lists.prices ? read_file_at(AT_FDCWD, r->lists.prices, text, sizeof text) : 0;
    if (n < 0)
        return cli_fail("--prices %s: %s", r->lists.prices, strerror((int)-n));
    json_t *prices = r->lists.prices ? json_in(text, (size_t)n, 0, NULL) : NULL;
    r->agent.budgets.prices = *ret = prices;
    if (r->lists.prices && !json_is_object(prices))
        return cli_fail("--prices %s: no JSON object", r->lists.prices);
    if (prices && !spending_priced(prices, models, &without))
        return cli_fail("--prices %s: it has no input and output of the model '%.60s'",
                        r->lists.prices, without);
    return 0;
}

/* Runs with the tools and skills that the code may call. */
static int cmd_agent_hosted(struct agent_request *r, struct retort_engine *engine) {
    struct agent_host host;
    int e = agent_host_open(&host, engine, &r->skills, r->lists.tools, &r->agent);
    if (!e)
        e = cmd_agent_run(r, engine, &host);
    agent_host_close(&host);
    return e;
}

/* Reads the command line; with --resume it is added to the one that the run was begun with. */
static bool agent_take_words(int argc, char **argv, struct agent_request *r,
                             struct agent_words *words, int *ret_status) {
    struct journal *journal = NULL;
    struct retort_error err = ERR_INIT;
    if (!cli_take(&table, argc, argv, r, ret_status))
        return false;
    const char *died = r->earlier.died;
    if (died)
        *r = (struct agent_request){0};
    if (died && agent_resume_open(died, &journal, words, &err) < 0)
        *ret_status = cli_fail_error(&err);
    else if (!died || (cli_take(&table, words->argc, words->argv, r, ret_status) &&
                       cli_take(&table, argc, argv, r, ret_status)))
        *ret_status = cmd_agent_complete(r);
    r->agent.model.journal = journal;
    r->agent.model.records = journal && journal_size(journal) > 0;
    return *ret_status == 0;
}

/* Keeps a journal for a run with a task; but not if commands would be called again when it is
 * resumed. */
static int keep_words(int argc, char **argv, struct agent_request *r) {
    struct retort_error err = ERR_INIT;
    if (!r->agent.task || r->no_record || r->earlier.talk || r->earlier.died || r->lists.tools)
        return 0;
    return agent_resume_new(argc, argv, r->agent.task, &r->agent.model.journal, &err) < 0
               ? cli_fail_error(&err)
               : 0;
}

static int cmd_agent_with(struct agent_request *r) {
    static char schema[64 << 10];
    struct retort_engine_options options = {
        .pool = 1, .supervisors = 1}; /* sessions that outlive a killed process */
    struct retort_engine *engine;
    struct retort_error error = {0};
    int e;
    if (r->schema_file) {
        ssize_t n = read_file_at(AT_FDCWD, r->schema_file, schema, sizeof schema);
        if (n < 0)
            return cli_fail("--schema %s: %s", r->schema_file, strerror((int)-n));
        r->agent.schema = schema;
    }
    scoped_json *prices = NULL;
    if ((e = read_rules_file(r)) || (e = agent_read_prices(r, &prices)))
        return e;
    if (r->out && (e = outdir_check(r->out)))
        return e;
    scoped_free char *key = take_key(r);
    if (!r->agent.model.key_file)
        r->agent.model.key = key ? key : "";
    sigaction(SIGINT,
              &(struct sigaction){.sa_handler = cmd_agent_on_signal, .sa_flags = (int)SA_RESETHAND},
              NULL);
    sigaction(SIGTERM,
              &(struct sigaction){.sa_handler = cmd_agent_on_signal, .sa_flags = (int)SA_RESETHAND},
              NULL);
    options.no_state = r->no_record;
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    e = cmd_agent_hosted(r, engine);
    retort_close(engine);
    if (key)
        explicit_bzero(key, strlen(key));
    return e;
}

int cmd_agent(int argc, char **argv) {
    struct agent_request r = {0};
    struct agent_words words = {.argv = NULL};
    int e = 0;
    if (agent_take_words(argc, argv, &r, &words, &e) && (e = keep_words(argc, argv, &r)) == 0)
        e = cmd_agent_with(&r);
    journal_free(r.agent.model.journal);
    agent_words_done(&words);
    return e;
}
