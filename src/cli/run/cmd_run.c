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
#include "cli/run/once.h"
#include "cli/upload.h"

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
    json_t *probe = json_stringn(data, len); /* fails if the code is not UTF-8 */
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

/* A result of a cell that could not begin, with every member that readers expect. */
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
        char *text = json_whole(result, JSON_COMPACT);
        if (text)
            puts(text);
        free(text);
        json_decref(result);
    }
    return cli_fail_error(error);
}

static int cmd_run_in(struct retort_session *s, const struct cli_options *o,
                      const struct buf *code) {
    struct retort_callbacks callbacks = {.output = o->json ? NULL : once_pass_through};
    struct outdir_source files = outdir_session(s);
    struct once_outcome outcome;
    struct retort_result *result;
    struct retort_error error;
    int r = cli_upload(s, o);
    if (r)
        return r;
    if (o->record)
        fprintf(stderr, "retort: session %s\n", retort_session_id(s));
    if (once_cell(s, o, code, &callbacks, &result, &error) < 0)
        return fail_setup(&error, o);
    outcome.status = retort_result_status(result);
    outcome.json = retort_result_json(result, &outcome.len);
    outcome.code = retort_result_exit_code(result);
    r = once_finish(&outcome, o, &files);
    retort_result_free(result);
    return r;
}

static int cmd_run_alone(const struct cli_options *o, const struct buf *code) {
    struct retort_engine_options engine_options = {.no_state = !o->record};
    struct retort_engine *engine;
    struct retort_session *session;
    struct retort_error error = {0};
    int r;
    if (retort_open(&engine_options, &engine, &error) < 0)
        return fail_setup(&error, o);
    if (retort_session_new(engine, &o->session, &session, &error) < 0)
        r = fail_setup(&error, o);
    else
        r = cmd_run_in(session, o, code);
    retort_close(engine);
    return r;
}

int cmd_run(int argc, char **argv) {
    struct cli_options o = {0};
    scoped_buf code = BUF_INIT(MAX_CODE);
    int r;
    if (!cli_take_session(&once_table, argc, argv, &o, &r))
        return r;
    o.session.door = "run";
    if (o.code && o.script)
        return cli_fail("give either -c CODE or a file, not both");
    if (o.session.python && o.session.language && strcmp(o.session.language, "python") != 0)
        return cli_fail("--python is for code in python");
    if (o.resident && o.alone)
        return cli_fail("--resident and --alone exclude each other");
    r = read_code(&o, &code);
    if (r == 0)
        r = cmd_run_check_code(&code);
    if (r == 0 && o.out_dir)
        r = outdir_check(o.out_dir);
    if (r)
        return r;
    enum once_asked asked = once_ask(&o, argv, &code, &r);
    if (asked == ONCE_DONE)
        return r;
    if (asked == ONCE_ABSENT && o.resident)
        once_start_resident();
    return cmd_run_alone(&o, &code);
}
