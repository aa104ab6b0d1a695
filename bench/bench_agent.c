/* The agent's own cost per step: no model (a cassette replies) and no code (results are scripted).
 *
 *   bench_agent STEPS     prints the milliseconds of each step of one conversation, in order
 *
 * A step is all that happens from the result of one cell until the next cell is to run.
 */
#include <errno.h>

#include "agent/run/agent_run.h"
#include "base/io.h"
#include "bench/server.h"

#define MAX_STEPS 1000
#define CELL "total = %u\nprint('rows', total)"

static unsigned cells;
static double ended, took[MAX_STEPS];

static int execute(void *user, const char *code, double timeout, double cpu, json_t **ret_result,
                   struct retort_error *err) {
    (void)user, (void)code, (void)timeout, (void)cpu, (void)err;
    char out[40];
    double now = now_ms();
    if (cells && cells <= MAX_STEPS)
        took[cells - 1] = now - ended;
    snprintf(out, sizeof out, "rows %u\n", ++cells);
    *ret_result = json_pack("{s:s,s:i,s:s}", "status", "ok", "cell", (int)cells, "stdout", out);
    ended = now_ms();
    return 0;
}

static int output(void *user, unsigned cell, uint64_t from, size_t len, char **ret_text,
                  struct retort_error *err) {
    (void)user, (void)cell, (void)from, (void)len, (void)ret_text;
    return err_set(err, ERR_CALLER, ENOENT, "nothing is stored");
}

static json_t *files(void *user) {
    (void)user;
    return json_array();
}

/* As text, which is the agent's part of it; storing it is the ledger's. */
static int note(void *user, const json_t *event, struct retort_error *err) {
    (void)user, (void)err;
    free(json_dumps(event, JSON_COMPACT));
    return 0;
}

static void on_event(void *user, const json_t *event) {
    (void)user, (void)event;
}

static void write_cassette(const char *path, unsigned steps) {
    FILE *f = fopen(path, "we");
    for (unsigned i = 1; f && i <= steps + 1; i++) {
        char text[200];
        snprintf(text, sizeof text, "I count the rows.\n\n```python\n" CELL "\n```\n", i);
        json_t *o = json_pack("{s:{},s:{s:s,s:i,s:i}}", "match", "reply", "text", text,
                              "prompt_tokens", 100, "completion_tokens", 10);
        json_dumpf(o, f, JSON_COMPACT);
        fputc('\n', f);
        json_decref(o);
    }
    if (!f || fclose(f) != 0)
        exit(1);
}

static void converse(const char *cassette, unsigned steps) {
    struct model_error error;
    struct model *model;
    struct runner runner = {.execute = execute, .output = output, .files = files, .note = note};
    struct agent_options options = {.task = "count the rows", .model.cassette = cassette};
    struct agent_outcome outcome = {0};
    if (model_new(&options.model, &model, &error) < 0)
        exit(1);
    struct spending spent;
    spending_init(&spent);
    struct run run = {.options = &options,
                      .budgets = {.steps = steps + 1, .errors = 8, .observation = 8000},
                      .model = model,
                      .runner = &runner,
                      .listener = {.event = on_event},
                      .messages = json_array(),
                      .lessons = json_array(),
                      .outcome = &outcome,
                      .spent = &spent};
    evidence_init(&run.evidence);
    run_say(&run, "system", "You write Python.");
    run_say(&run, "user", options.task);
    run.kept = 2;
    run_loop(&run);
    json_decref(run.messages);
    json_decref(run.lessons);
    evidence_done(&run.evidence);
    agent_outcome_done(&outcome);
    spending_done(&spent);
    model_free(model);
}

int main(int argc, char **argv) {
    char path[] = "/tmp/bench_agent_XXXXXX";
    unsigned steps = argc > 1 ? (unsigned)number(argv[1], 100) : 100;
    int fd = mkstemp(path);
    if (fd < 0 || steps > MAX_STEPS)
        return 1;
    close(fd);
    write_cassette(path, steps);
    converse(path, steps);
    unlink(path);
    if (cells < steps) {
        fprintf(stderr, "bench_agent: the agent stopped after %u cells\n", cells);
        return 1;
    }
    for (unsigned i = 0; i + 1 < cells; i++)
        sample(took[i]);
    printf("\n");
    return 0;
}
