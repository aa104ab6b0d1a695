/* retort shell: reads cells, runs them in one lasting session, and shows their results.
 *
 * The main thread does it all. SIGINT interrupts the running cell; when none runs, it wakes the
 * line editor, which throws away what was typed. Either way the handler writes once to an eventfd,
 * in whatever thread the signal came. */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "cli/editor.h"
#include "cli/outdir.h"
#include "cli/shell/shell.h"
#include "cli/upload.h"

static int wake = -1;
static struct retort_session *volatile running;
static volatile sig_atomic_t interrupted; /* the running cell */

static void shell_on_signal(int number) {
    int before = errno;
    uint64_t word = number == SIGINT ? EDITOR_INTERRUPTED : EDITOR_RESIZED;
    if (number == SIGINT && running) {
        interrupted = true;
        retort_interrupt(running);
    } else if (write(wake, &word, sizeof word) < 0)
        errno = before; /* the counter is full: the editor is awake */
    errno = before;
}

/* --- host tools --- */

static bool shell_interrupted(void *user) {
    (void)user;
    return interrupted;
}

static void shell_hold(void *user, bool held) {
    struct shell *sh = user;
    if (!held) {
        elapsed_begin(&sh->elapsed, "");
        return;
    }
    elapsed_end(&sh->elapsed);
    if (sh->mid_line)
        term_puts(&sh->out, "\n");
    sh->mid_line = false;
}

static char *shell_tool(void *user, const char *name, const char *arguments, char **ret_failure) {
    struct shell *sh = user;
    return toolfile_call(&sh->tools, name, arguments, ret_failure);
}

/* --- cells --- */

void shell_count(struct shell *sh) {
    char *text = retort_session_info(sh->session);
    json_t *info = text ? json_in_text(text, 0, NULL) : NULL;
    sh->cell = (unsigned)json_integer_value(json_object_get(info, "cells")) + 1;
    json_decref(info);
    retort_free(text);
}

int shell_session(struct shell *sh) {
    struct retort_error error = {0};
    if (retort_session_new(sh->engine, &sh->options->session, &sh->session, &error) < 0)
        return cli_fail_error(&error);
    sh->sessions[0] = sh->session;
    sh->nsessions = 1;
    shell_count(sh);
    if (toolfile_offer(&sh->tools, sh->session, &error) < 0)
        return cli_fail("--tools %s: %s", sh->options->tools, error.message);
    return cli_upload(sh->session, sh->options);
}

/* The session is lost with all that it held; the user goes on in a new one. */
static void shell_begin_again(struct shell *sh) {
    term_say(&sh->err, "1;31", "the session is lost; a new one begins\n");
    for (size_t i = 0; i < sh->nsessions; i++)
        retort_session_close(sh->sessions[i]);
    sh->nsessions = 0;
    sh->quit = shell_session(sh) != 0;
}

static void shell_run_cell(struct shell *sh, const struct buf *code) {
    struct retort_callbacks callbacks = {
        .user = sh, .output = shell_show_output, .display = show_display, .tool = shell_tool};
    struct retort_execute_options options = {.callbacks = &callbacks};
    struct retort_result *result;
    struct retort_error error = {0};
    double timeout = sh->options->session.limits.timeout;
    sh->tools.until_ns = isinf(timeout) ? UINT64_MAX : now_ns() + (uint64_t)(timeout * 1e9);
    interrupted = false;
    running = sh->session;
    elapsed_begin(&sh->elapsed, "");
    int r = retort_execute(sh->session, code->data, code->len, &options, &result, &error);
    running = NULL;
    elapsed_end(&sh->elapsed);
    toolfile_note(&sh->tools, sh->session);
    if (r < 0) {
        term_say(&sh->err, "1;31", "%s\n", error.message);
        if (r == -ESRCH)
            shell_begin_again(sh);
        return;
    }
    json_t *shown = json_in_text(retort_result_json(result, NULL), JSON_ALLOW_NUL, NULL);
    const char *state = json_string_value(json_object_get(shown, "state"));
    show_result(sh, shown);
    sh->cell = (unsigned)json_integer_value(json_object_get(shown, "cell")) + 1;
    if (state && strcmp(state, "lost") == 0)
        shell_begin_again(sh);
    json_decref(shown);
    retort_result_free(result);
}

static int shell_converse(struct shell *sh) {
    scoped_buf code = BUF_INIT(MAX_CODE);
    struct retort_error err = ERR_INIT;
    struct input *in = input_new(sh, &err);
    int r = 1;
    if (!in)
        return cli_fail("%s", err.message);
    if (sh->out.tty)
        term_say(&sh->out, "2", "Python in session %s; :help lists commands, Ctrl-D ends\n",
                 retort_session_id(sh->session));
    while (!sh->quit && (r = input_read(in, &code)) != 0) {
        if (r < 0)
            continue;
        if (code.data[0] == ':')
            shell_command(sh, code.data);
        else if (code_state(code.data) != CODE_EMPTY)
            shell_run_cell(sh, &code);
    }
    if (r == 0 && sh->out.tty)
        term_puts(&sh->out, "\n");
    input_free(in);
    return 0;
}

static const struct opt shell_rows[] = {
    {"--out", 0, OPT_TEXT, "DIR", CLI_AT(out_dir), "where plots and fetched files go (here)", 0},
    CLI_TOOLS,
    OPT_END,
};

static const struct opt_table shell_table = {
    .usage = "shell [options]",
    .about = "An interactive Python session; :help lists its commands. It reads standard input.",
    .rows = {shell_rows, cli_limits, cli_interpreter},
    .operand = OPT_NO_OPERAND,
};

int cmd_shell(int argc, char **argv) {
    struct cli_options o = {0};
    struct shell sh = {.options = &o};
    sh.tools = (struct toolfile){.door = "shell",
                                 .err = &sh.err,
                                 .interrupted = shell_interrupted,
                                 .hold = shell_hold,
                                 .user = &sh};
    struct retort_engine_options engine_options = {.pool = 1, .supervisors = 1};
    struct retort_error error = {0};
    int r;
    if (!cli_take_session(&shell_table, argc, argv, &o, &r))
        return r;
    o.session.door = "shell";
    if (o.session.limits.timeout == 0) /* a person waits as long as he likes, or presses Ctrl-C */
        o.session.limits.timeout = INFINITY;
    if (o.session.limits.cpu == 0)
        o.session.limits.cpu = INFINITY;
    if (o.out_dir && (r = outdir_check(o.out_dir)))
        return r;
    sh.out_dir = o.out_dir;
    if ((r = toolfile_read(&sh.tools, o.tools)))
        return r;
    setlocale(LC_CTYPE, ""); /* so that the line editor knows what a character is */
    if ((r = editor_catch_signals(&wake, shell_on_signal)))
        return r;
    sh.wake = wake;
    if (retort_open(&engine_options, &sh.engine, &error) < 0)
        return cli_fail_error(&error);
    term_init(&sh.out, 1);
    term_init(&sh.err, 2);
    elapsed_init(&sh.elapsed, 2);
    sh.pictures = picture_kind(&sh.out);
    if ((r = shell_session(&sh)) == 0)
        r = shell_converse(&sh);
    retort_close(sh.engine);
    elapsed_done(&sh.elapsed);
    term_done(&sh.out);
    term_done(&sh.err);
    toolfile_done(&sh.tools);
    return r;
}
