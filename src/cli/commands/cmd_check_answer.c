/* retort check-answer: checks whether the numbers of an answer come from what ran in a session. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/readall.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "engine/proof/proof.h"
#include "retort.h"

#define FLAGGED 3 /* the exit status of `retort agent` for an answer that is not verified */

static int read_whole_answer(const char *path, struct buf *out) {
    bool input = strcmp(path, "-") == 0;
    scoped_fd fd = input ? dup(0) : open(path, O_RDONLY | O_CLOEXEC);
    int r = fd < 0 ? -errno : read_all(fd, out);
    if (r == -ENOSPC)
        return cli_fail("%s is too long", path);
    return r < 0 ? cli_fail("cannot read %s: %s", path, strerror(-r)) : 0;
}

static void print_numbers(const json_t *report) {
    const json_t *c;
    size_t i;
    json_array_foreach(json_object_get(report, "numbers"), i, c) {
        const char *strength = ledgercmd_text(c, "strength");
        printf("%s: %s%s%s: %s\n", ledgercmd_text(c, "text"), ledgercmd_text(c, "verdict"),
               *strength ? ", by " : "", strength, ledgercmd_text(c, "reason"));
    }
    if (*ledgercmd_text(report, "answer"))
        printf("%s\n", ledgercmd_text(report, "answer"));
}

/* If the answer has {{…}}, the session has to be resumed, which takes an engine. */
static json_t *ask_engine(const struct ledger_args *args, const char *answer,
                          struct retort_error *err) {
    struct retort_engine *engine;
    struct retort_session *session = NULL;
    char *text = NULL;
    if (retort_open(&(struct retort_engine_options){0}, &engine, err) < 0)
        return NULL;
    bool done = retort_session_resume(engine, args->session, &session, err) >= 0 &&
                retort_check(engine, args->session, args->question, answer, &text, err) >= 0;
    retort_session_close(session);
    retort_close(engine);
    json_t *report = done ? json_in_text(text, 0, NULL) : NULL;
    retort_free(text);
    return report;
}

static json_t *ask_ledger(const struct ledger_args *args, const char *answer,
                          struct retort_error *err) {
    struct proof proof;
    struct ledger *ledger;
    json_t *report = NULL;
    if (ledgercmd_open(&ledger))
        return NULL;
    proof_init(&proof, NULL);
    proof_check(&proof, ledger, args->session,
                &(struct proof_answer){.text = answer, .question = args->question}, &report, err);
    proof_done(&proof);
    ledger_close(ledger);
    return report;
}

static int check_answer(const struct ledger_args *args, const char *answer) {
    struct retort_error err = ERR_INIT;
    int r = 0;
    json_t *report =
        strstr(answer, "{{") ? ask_engine(args, answer, &err) : ask_ledger(args, answer, &err);
    if (!report)
        return err.message[0] ? cli_fail("%s", err.message) : EXIT_OWN_FAILURE;
    if (args->json)
        r = ledgercmd_print(report);
    else
        print_numbers(report);
    if (r == 0 && !json_is_true(json_object_get(report, "accepted")))
        r = FLAGGED;
    json_decref(report);
    return r;
}

static const struct opt check_rows[] = {
    {"--session", 0, OPT_TEXT, "SESSION", LEDGER_AT(session), "the recorded session", 0},
    {"--answer", 0, OPT_TEXT, "FILE", LEDGER_AT(answer), "the answer; - is standard input", 0},
    {"--question", 0, OPT_TEXT, "TEXT", LEDGER_AT(question), "what was asked", 0},
    OPT_END,
};

static const struct opt_table check_table = {
    .usage = "check-answer --session SESSION --answer FILE [--question TEXT] [--json]",
    .about = "Compares the numbers of an answer with what ran in a recorded session.",
    .rows = {check_rows, ledgercmd_json},
};

int cmd_check_answer(int argc, char **argv) {
    struct ledger_args args = {0};
    scoped_buf answer = BUF_INIT(MAX_ANSWER);
    int r;
    if (!ledgercmd_take(&check_table, argc, argv, &args, &r))
        return r;
    if (!args.answer)
        return cli_fail("which answer? usage: retort %s", check_table.usage);
    if ((r = read_whole_answer(args.answer, &answer)))
        return r;
    return check_answer(&args, answer.data ? answer.data : "");
}
