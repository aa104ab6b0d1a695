/* retort run: one program, in a session of its own that ends with it. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/readall.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/outdir.h"

static int read_code(const struct cli_options *o, struct buf *code) {
    if (o->code) {
        if (buf_adds(code, o->code) < 0)
            return cli_fail("the code is longer than %u bytes", MAX_CODE);
        return 0;
    }
    bool input = !o->script || strcmp(o->script, "-") == 0;
    scoped_fd fd = input ? dup(0) : open(o->script, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0)
        return cli_fail("cannot read %s: %s", o->script ? o->script : "standard input",
                        strerror(errno));
    if (S_ISDIR(st.st_mode))
        return cli_fail("cannot read %s: it is a directory", o->script);
    int r = read_all(fd, code);
    if (r == -ENOSPC)
        return cli_fail("the code is longer than %u bytes", MAX_CODE);
    return r < 0
               ? cli_fail("cannot read %s: %s", input ? "standard input" : o->script, strerror(-r))
               : 0;
}

static bool valid_utf8(const char *data, size_t len) {
    json_t *probe = json_stringn(data, len); /* refuses what is not UTF-8 */
    json_decref(probe);
    return probe != NULL;
}

static int cmd_run_check_code(const struct buf *code) {
    const char *data = code->data ? code->data : "";
    if (memchr(data, 0, code->len))
        return cli_fail("the code contains a NUL byte");
    if (!valid_utf8(data, code->len))
        return cli_fail("the code is not valid UTF-8");
    return 0;
}

static void pass_through(void *user, enum retort_stream stream, const char *text, size_t len,
                         uint64_t time_ns) {
    (void)user;
    (void)time_ns;
    write_all(stream == RETORT_STDOUT ? 1 : 2, text, len); /* a closed pipe is the reader's wish */
}

static int cmd_run_finish(struct retort_session *s, const struct cli_options *o,
                          struct retort_result *result) {
    size_t len;
    const char *json = retort_result_json(result, &len);
    int code = retort_result_exit_code(result);
    if (o->out_dir) {
        int r = outdir_fetch(s, json, o->out_dir);
        if (r)
            code = r;
    }
    if (o->json && (write_all(1, json, len) < 0 || write_all(1, "\n", 1) < 0))
        code = EXIT_OWN_FAILURE;
    return code;
}

/* The member of the error that names the limit, which the code's own traceback does not. */
static const char *told_by(const char *status, const json_t *error) {
    static const char *const limits[] = {"timeout", "cpu_limit", "oom"};
    const char *name = json_string_value(json_object_get(error, "name")), *end;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strcmp(status, limits[i]) == 0)
            return "message";
    end = name ? strstr(name, "MemoryError") : NULL;
    return end && strcmp(end, "MemoryError") == 0 ? "hint" : "";
}

/* Without --json a limit would be a silent death. */
static void explain(const struct retort_result *result, const struct cli_options *o) {
    const char *status = retort_result_status(result), *said;
    size_t len;
    if (o->json || strcmp(status, "ok") == 0)
        return;
    const char *text = retort_result_json(result, &len);
    json_t *whole = json_in(text, len, 0, NULL);
    const json_t *error = json_object_get(whole, "error");
    said = json_string_value(json_object_get(error, told_by(status, error)));
    if (strcmp(status, "lost") == 0)
        said = "the code was stopped: lost";
    if (said)
        fprintf(stderr, "retort: %s\n", said);
    json_decref(whole);
}

/* A result like any other, of a cell that never was: who reads it finds every member. */
static json_t *cmd_run_setup_failed(const struct retort_error *error) {
    json_t *e = json_pack("{s:s s:s s:s s:n s:n s:{} s:s? s:s}", "name", "SetupFailed", "message",
                          error->message, "traceback", "", "line", "source", "values", "hint",
                          error->hint[0] ? error->hint : NULL, "layer", error->layer);
    json_t *o = json_pack("{s:s s:n s:i s:s s:n s:n s:[] s:s s:s s:{} s:n s:[] s:o}", "schema",
                          "retort.result/1", "session", "cell", 0, "status", "setup_failed",
                          "exit_code", "signal", "flags", "stdout", "", "stderr", "", "truncated",
                          "value", "displays", "error", e);
    json_t *rest =
        json_pack("{s:[] s:[] s:[] s:[] s:{s:i s:i s:i s:i s:i s:i} s:s s:n s:[] s:n s:n}", "files",
                  "plots", "dataframes", "variables", "resources", "wall_ms", 0, "cpu_ms", 0,
                  "idle_cpu_ms", 0, "peak_memory_mb", 0, "processes", 0, "threads", 0, "state",
                  "lost", "state_via", "state_notes", "isolation", "ledger");
    json_object_update(o, rest);
    json_decref(rest);
    return o;
}

static int fail_setup(const struct retort_error *error, const struct cli_options *o) {
    if (o->json) {
        json_t *result = cmd_run_setup_failed(error);
        char *text = json_dumps(result, JSON_COMPACT);
        if (text)
            puts(text);
        free(text);
        json_decref(result);
    }
    return cli_fail_error(error);
}

static int cmd_run_in(struct retort_session *s, const struct cli_options *o,
                      const struct buf *code) {
    struct retort_callbacks callbacks = {.output = o->json ? NULL : pass_through};
    struct retort_execute_options options = {
        .callbacks = &callbacks,
        .script = true,
        .quiet = !o->json && !o->record && !o->out_dir,
        .filename = o->script && strcmp(o->script, "-") ? o->script : NULL};
    struct retort_result *result;
    struct retort_error error;
    int r = cli_upload(s, o);
    if (r)
        return r;
    if (o->record)
        fprintf(stderr, "retort: session %s\n", retort_session_id(s));
    if (retort_execute(s, code->data ? code->data : "", code->len, &options, &result, &error) < 0)
        return fail_setup(&error, o);
    explain(result, o);
    r = cmd_run_finish(s, o, result);
    retort_result_free(result);
    return r;
}

static const struct opt run_rows[] = {
    {"--language", 'l', OPT_TEXT, "LANGUAGE", CLI_AT(session.language),
     "python (default), sql, bash or javascript", 0},
    {NULL, 'c', OPT_TEXT, "CODE", CLI_AT(code), "the code; otherwise FILE, or standard input", 0},
    {"--json", 0, OPT_FLAG, NULL, CLI_AT(json),
     "print the result object instead of passing output through", 0},
    {"--out", 0, OPT_TEXT, "DIR", CLI_AT(out_dir),
     "bring files that the code made or changed out to DIR", 0},
    {"--record", 0, OPT_FLAG, NULL, CLI_AT(record),
     "keep the run in the ledger; prints the session id on stderr", 0},
    OPT_END,
};

static const struct opt_table run_table = {
    .usage = "run [options] [-c CODE | FILE | -]",
    .about = "Runs code in a sealed interpreter.",
    .rows = {run_rows, cli_limits, cli_interpreter},
    .operand = CLI_AT(script),
    .more = "Exit status: the code's own; 1 for an exception; 128+n for a signal; 124 for a time\n"
            "limit; 137 for memory; 125 for a failure of Retort itself.\n",
};

int cmd_run(int argc, char **argv) {
    struct cli_options o = {0};
    scoped_buf code = BUF_INIT(MAX_CODE);
    struct retort_engine_options engine_options = {0};
    struct retort_engine *engine;
    struct retort_session *session;
    struct retort_error error = {0};
    int r;
    if (!cli_take_session(&run_table, argc, argv, &o, &r))
        return r;
    o.session.door = "run";
    if (o.code && o.script)
        return cli_fail("give either -c CODE or a file, not both");
    if (o.session.python && o.session.language && strcmp(o.session.language, "python") != 0)
        return cli_fail("--python is for code in python");
    r = read_code(&o, &code);
    if (r == 0)
        r = cmd_run_check_code(&code);
    if (r == 0 && o.out_dir)
        r = outdir_check(o.out_dir);
    if (r)
        return r;
    engine_options.no_state = !o.record;
    if (retort_open(&engine_options, &engine, &error) < 0)
        return fail_setup(&error, &o);
    if (retort_session_new(engine, &o.session, &session, &error) < 0)
        r = fail_setup(&error, &o);
    else
        r = cmd_run_in(session, &o, &code);
    retort_close(engine);
    return r;
}
