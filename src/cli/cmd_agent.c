/* retort agent: a task for a model that writes code, with the answer checked against what ran. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "agent/agent.h"
#include "agent/memory.h"
#include "base/io.h"
#include "base/scope.h"
#include "cli/agent_view.h"
#include "cli/cli.h"
#include "cli/outdir.h"

enum value { FLAG, TEXT, COUNT, SECONDS, LIST };

struct request {
    struct agent_options agent;
    const char *files[OPT_MAX_LIST + 1];
    const char *api, *mode, *policy, *schema_file, *resume, *out;
    double max_tokens, max_steps;
    bool json, no_record, help;
};

#define AT(field) offsetof(struct request, field)

static const struct {
    const char *name;
    enum value value;
    size_t where;
} rows[] = {
    {"--file", LIST, AT(files)},
    {"--tests", TEXT, AT(agent.tests)},
    {"--db", TEXT, AT(agent.database)},
    {"--model", TEXT, AT(agent.model.model)},
    {"--api", TEXT, AT(api)},
    {"--base-url", TEXT, AT(agent.model.base_url)},
    {"--key-file", TEXT, AT(agent.model.key_file)},
    {"--cassette", TEXT, AT(agent.model.cassette)},
    {"--images", FLAG, AT(agent.model.images)},
    {"--mode", TEXT, AT(mode)},
    {"--policy", TEXT, AT(policy)},
    {"--schema", TEXT, AT(schema_file)},
    {"--prompts", TEXT, AT(agent.prompts)},
    {"--max-steps", COUNT, AT(max_steps)},
    {"--max-tokens", COUNT, AT(max_tokens)},
    {"--max-time", SECONDS, AT(agent.budgets.wall)},
    {"--max-cpu", SECONDS, AT(agent.budgets.cpu)},
    {"--timeout", SECONDS, AT(agent.session.limits.timeout)},
    {"--python", TEXT, AT(agent.session.python)},
    {"--environment", TEXT, AT(agent.session.environment)},
    {"--continue", TEXT, AT(resume)},
    {"--out", TEXT, AT(out)},
    {"--no-record", FLAG, AT(no_record)},
    {"--json", FLAG, AT(json)},
    {"--help", FLAG, AT(help)},
    {"-h", FLAG, AT(help)},
};

static const char help[] =
    "usage: retort agent \"TASK\" [options]\n\n"
    "  --file F              a file to work on: it lies in /work, its card in the prompt; "
    "repeatable\n"
    "  --tests DIR           write solution.py until the tests in DIR pass\n"
    "  --db FILE             a SQLite database to read\n"
    "  --model NAME          the model; $RETORT_MODEL\n"
    "  --api openai|anthropic   the protocol (openai)\n"
    "  --base-url URL        the server, for compatible ones\n"
    "  --key-file F          the key; otherwise $OPENAI_API_KEY or $ANTHROPIC_API_KEY\n"
    "  --cassette F          record the model's replies, or replay them if the file exists\n"
    "  --images              the model takes images: send it the plots\n"
    "  --mode auto|calls|tags|fences   how code arrives (auto)\n"
    "  --policy repair|block|annotate  numbers that were not computed (repair)\n"
    "  --schema F            a JSON schema that the answer has to fit\n"
    "  --prompts DIR         prompt files that replace the built-in ones\n"
    "  --max-steps N --max-tokens N --max-time S --max-cpu S   budgets (12 steps)\n"
    "  --timeout S           time for one step's code (30)\n"
    "  --python PATH --environment NAME   the interpreter\n"
    "  --continue SESSION    go on with an earlier conversation and its variables\n"
    "  --out DIR             bring the files that were made out to DIR\n"
    "  --no-record           keep nothing in the ledger\n"
    "  --json                one event a line instead of text\n\n"
    "Exit status: 0 answered and verified, 3 answered but unverified, 4 no answer, 125 own "
    "failure.\n";

static atomic_bool cancelled;

static void on_signal(int number) {
    (void)number;
    atomic_store(&cancelled, true);
}

/* ---- options ---- */

static int store(size_t row, char *text, struct request *r) {
    void *at = (char *)r + rows[row].where;
    char *end;
    double v;
    switch (rows[row].value) {
    case FLAG: *(bool *)at = true; return 0;
    case TEXT: *(const char **)at = text; return 0;
    case LIST:
        for (const char **list = (const char **)at; list < r->files + OPT_MAX_LIST; list++)
            if (!*list) {
                *list = text;
                return 0;
            }
        return cli_fail("%s may be given at most %d times", rows[row].name, OPT_MAX_LIST);
    default: break;
    }
    v = strtod(text, &end);
    if (end == text || *end || !(v > 0) || v > 1e15 ||
        (rows[row].value == COUNT && v != (double)(unsigned long long)v))
        return cli_fail("%s takes a number, not '%.60s'", rows[row].name, text);
    *(double *)at = v;
    return 0;
}

static int parse(int argc, char **argv, struct request *r) {
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        if (argv[i][0] != '-') {
            if (r->agent.task)
                return cli_fail("unexpected argument '%.60s'", argv[i]);
            r->agent.task = argv[i];
            continue;
        }
        while (k < sizeof rows / sizeof *rows && strcmp(rows[k].name, argv[i]) != 0)
            k++;
        if (k == sizeof rows / sizeof *rows)
            return cli_fail("unknown option '%.60s'; `retort agent --help` lists them", argv[i]);
        char *text = rows[k].value == FLAG ? NULL : argv[++i];
        if (rows[k].value != FLAG && !text)
            return cli_fail("%s needs a value", rows[k].name);
        int e = store(k, text, r);
        if (e)
            return e;
    }
    return 0;
}

static int choose(const char *name, const char *text, const char *const *names, int *ret) {
    for (int i = 0; text && names[i]; i++)
        if (strcmp(text, names[i]) == 0) {
            *ret = i;
            return 0;
        }
    return text ? cli_fail("%s does not know '%.40s'", name, text) : 0;
}

static int complete(struct request *r) {
    int api = 0, mode = 0, policy = 0;
    int e = choose("--api", r->api, (const char *const[]){"openai", "anthropic", NULL}, &api);
    if (!e)
        e = choose("--mode", r->mode,
                   (const char *const[]){"auto", "calls", "tags", "fences", NULL}, &mode);
    if (!e)
        e = choose("--policy", r->policy,
                   (const char *const[]){"repair", "block", "annotate", NULL}, &policy);
    r->agent.model.api = (enum model_api)api;
    r->agent.mode = (enum extract_mode)mode;
    r->agent.policy = (enum agent_policy)policy;
    r->agent.budgets.steps = r->max_steps < UINT_MAX ? (unsigned)r->max_steps : UINT_MAX;
    r->agent.budgets.tokens = (unsigned long long)r->max_tokens;
    r->agent.session.no_record = r->no_record;
    r->agent.session.door = "agent";
    r->agent.files = r->files;
    r->agent.cancel = &cancelled;
    if (!r->agent.model.model)
        r->agent.model.model = getenv("RETORT_MODEL");
    if (!e && !r->agent.task)
        e = cli_fail("which task? `retort agent --help` says more");
    return e;
}

/* The key leaves the environment before anything else is started: neither the process list nor a
 * child shows it, and no core file is written. */
static char *take_key(const struct request *r) {
    const char *name = r->agent.model.api == MODEL_OPENAI ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY";
    char *value = getenv(name), *key = value ? strdup(value) : NULL;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (value)
        explicit_bzero(value, strlen(value));
    unsetenv(name);
    return key;
}

/* ---- running ---- */

struct listener {
    struct agent_view view;
    bool json;
};

static void on_event(void *user, const json_t *event) {
    struct listener *l = user;
    if (!l->json) {
        agent_view_show(&l->view, event);
        return;
    }
    json_dumpf(event, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
}

static void bring_out(struct retort_session *s, const char *dir, const struct agent_outcome *o) {
    json_t *all = json_object(), *files = json_deep_copy(o->artifacts), *f;
    size_t i;
    json_array_foreach(files, i, f) {
        json_object_set_new(f, "change", json_string("created"));
    }
    json_object_set_new(all, "files", files);
    scoped_free char *text = json_dumps(all, 0);
    json_decref(all);
    if (text)
        outdir_fetch(s, text, dir);
}

static int run(struct request *r, struct retort_engine *engine) {
    struct listener l = {.json = r->json};
    struct agent_outcome outcome;
    struct retort_session *session = NULL;
    struct retort_error error = {0};
    struct err err = ERR_INIT;
    json_t *history = NULL;
    agent_view_init(&l.view);
    if (r->resume) {
        if (retort_session_resume(engine, r->resume, &r->agent.continued, &error) < 0)
            return cli_fail_error(&error);
        r->agent.history = history = memory_load(engine, r->resume);
    }
    int e = agent_run(engine, &r->agent, on_event, &l, &outcome, &session, &err);
    json_decref(history);
    if (e < 0)
        return cli_fail("%s", err.msg);
    if (r->out && session && outcome.artifacts)
        bring_out(session, r->out, &outcome);
    if (!r->json && outcome.session[0] && !r->no_record)
        fprintf(stderr, "session %s: %u steps, %u cells, %llu tokens\n", outcome.session,
                outcome.steps, outcome.cells, outcome.prompt_tokens + outcome.completion_tokens);
    int code = agent_exit_code(&outcome);
    if (session)
        retort_session_close(session);
    agent_outcome_done(&outcome);
    return code;
}

int cmd_agent(int argc, char **argv) {
    struct request r = {0};
    char schema[64 << 10];
    struct retort_engine_options options = {.pool = 1}; /* sessions that live on after a death */
    struct retort_engine *engine;
    struct retort_error error = {0};
    int e = parse(argc, argv, &r);
    if (r.help) {
        fputs(help, stdout);
        return 0;
    }
    if (e || (e = complete(&r)))
        return e;
    if (r.schema_file) {
        ssize_t n = read_file_at(AT_FDCWD, r.schema_file, schema, sizeof schema);
        if (n < 0)
            return cli_fail("--schema %s: %s", r.schema_file, strerror((int)-n));
        r.agent.schema = schema;
    }
    if (r.out && (e = outdir_check(r.out)))
        return e;
    scoped_free char *key = take_key(&r);
    if (!r.agent.model.key_file)
        r.agent.model.key = key ? key : "";
    sigaction(SIGINT, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESETHAND}, NULL);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESETHAND},
              NULL);
    options.no_state = r.no_record;
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    e = run(&r, engine);
    retort_close(engine);
    if (key)
        explicit_bzero(key, strlen(key));
    return e;
}
