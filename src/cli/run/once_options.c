/* What every run has, in whichever engine: its options, its cell, and how its result is printed. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "cli/run/once.h"

static const struct opt once_rows[] = {
    {"--language", 'l', OPT_TEXT, "LANGUAGE", CLI_AT(session.language), CLI_LANGUAGES, 0},
    {NULL, 'c', OPT_TEXT, "CODE", CLI_AT(code), "the code; otherwise FILE, or standard input", 0},
    {"--json", 0, OPT_FLAG, NULL, CLI_AT(json),
     "print the result object instead of passing output through", 0},
    {"--out", 0, OPT_TEXT, "DIR", CLI_AT(out_dir),
     "copy files that the code made or changed to DIR", 0},
    {"--resident", 0, OPT_FLAG, NULL, CLI_AT(resident),
     "start an engine for later runs, if none of yours is running", 0},
    {"--alone", 0, OPT_FLAG, NULL, CLI_AT(alone), "do not use a running engine", 0},
    {"--record", 0, OPT_FLAG, NULL, CLI_AT(record),
     "keep the run in the ledger; prints the session id on stderr", 0},
    OPT_END,
};

const struct opt_table once_table = {
    .usage = "run [options] [-c CODE | FILE | -]",
    .about = "Runs code in a sealed interpreter.",
    .rows = {once_rows, cli_limits, cli_interpreter},
    .operand = CLI_AT(script),
    .more = "Exit status: the code's own; 1 for an exception; 128+n for a signal; 124 for a time\n"
            "limit; 137 for memory; 125 for a failure of Retort itself.\n",
};

int once_cell(struct retort_session *s, const struct cli_options *o, const struct buf *code,
              const struct retort_callbacks *callbacks, struct retort_result **ret_result,
              struct retort_error *error) {
    struct retort_execute_options options = {
        .callbacks = callbacks,
        .script = true,
        .quiet = !o->json && !o->record && !o->out_dir,
        .filename = o->script && strcmp(o->script, "-") ? o->script : NULL};
    return retort_execute(s, code->data ? code->data : "", code->len, &options, ret_result, error);
}

void once_pass_through(void *user, enum retort_stream stream, const char *text, size_t len,
                       uint64_t time_ns) {
    (void)user;
    (void)time_ns;
    /* The reader may close the pipe when it likes. */
    write_all(stream == RETORT_STDOUT ? 1 : 2, text, len);
}

static const char *once_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Begins hints for the person who runs the code, who can do what the code cannot. */
#define OUTSIDE "Outside, "

/* The member of the error that says what the traceback does not: the limit, or how to change it. */
static const char *told_by(const char *status, const json_t *error) {
    static const char *const limits[] = {"timeout", "cpu_limit", "oom"};
    const char *name = json_string_value(json_object_get(error, "name")), *end;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strcmp(status, limits[i]) == 0)
            return "message";
    /* A program that ended itself because memory was out. */
    if (name && strcmp(name, "OutOfMemory") == 0)
        return "message";
    end = name ? strstr(name, "MemoryError") : NULL;
    if (end && strcmp(end, "MemoryError") == 0)
        return "hint";
    return strstr(once_text(error, "hint"), OUTSIDE) ? "hint" : "";
}

/* Prints the findings of the review, and whether the code ran nevertheless. */
static void explain_review(const json_t *review) {
    const json_t *f, *findings = json_object_get(review, "findings");
    size_t i;
    json_array_foreach(findings, i, f) {
        const char *hint = once_text(f, "hint");
        fprintf(stderr, "retort: line %lld: %s: %s [%s]%s%s\n",
                (long long)json_integer_value(json_object_get(f, "line")), once_text(f, "severity"),
                once_text(f, "message"), once_text(f, "rule"), *hint ? "; " : "", hint);
    }
    if (*once_text(review, "error"))
        fprintf(stderr, "retort: the code could not be reviewed: %s\n", once_text(review, "error"));
    if (json_is_false(json_object_get(review, "run")))
        fputs("retort: the code was not run\n", stderr);
}

/* Without --json, a program that met a limit would end without a word. */
static void explain(const struct once_outcome *outcome, const struct cli_options *o) {
    const char *status = outcome->status, *said;
    if (o->json || (strcmp(status, "ok") == 0 && !o->session.review))
        return;
    json_t *whole = json_in(outcome->json, outcome->len, 0, NULL);
    const json_t *error = json_object_get(whole, "error");
    explain_review(json_object_get(whole, "review"));
    said = json_string_value(json_object_get(error, told_by(status, error)));
    if (strcmp(status, "lost") == 0)
        said = "the code was stopped: lost";
    if (said)
        fprintf(stderr, "retort: %s\n", said);
    json_decref(whole);
}

int once_finish(const struct once_outcome *outcome, const struct cli_options *o,
                const struct outdir_source *files) {
    int code = outcome->code;
    explain(outcome, o);
    if (o->out_dir) {
        int r = outdir_fetch(files, outcome->json, o->out_dir);
        if (r)
            code = r;
    }
    if (o->json && (write_all(1, outcome->json, outcome->len) < 0 || write_all(1, "\n", 1) < 0))
        code = EXIT_OWN_FAILURE;
    return code;
}
