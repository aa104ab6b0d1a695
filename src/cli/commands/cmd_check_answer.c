/* retort check-answer: are the numbers of an answer what ran in a session? */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "engine/api/ledgerapi.h"

#define FLAGGED 3 /* as `retort agent` exits with an answer that is not verified */

static int read_answer(const char *path, struct buf *out) {
    char chunk[65536];
    bool input = strcmp(path, "-") == 0;
    scoped_fd fd = input ? dup(0) : open(path, O_RDONLY | O_CLOEXEC);
    for (;;) {
        ssize_t n = fd < 0 ? -1 : read(fd, chunk, sizeof chunk);
        if (n < 0)
            return cli_fail("cannot read %s: %s", path, strerror(errno));
        if (n == 0)
            return 0;
        if (buf_add(out, chunk, (size_t)n) < 0)
            return cli_fail("%s is too long", path);
    }
}

static void print_numbers(const json_t *report) {
    const json_t *c;
    size_t i;
    json_array_foreach(json_object_get(report, "numbers"), i, c) {
        const char *strength = ledgercmd_text(c, "strength");
        printf("%s: %s%s%s: %s\n", ledgercmd_text(c, "text"), ledgercmd_text(c, "verdict"),
               *strength ? ", by " : "", strength, ledgercmd_text(c, "reason"));
    }
}

static int check_answer(struct ledger *l, const struct ledger_args *args, const char *answer) {
    struct retort_error err = ERR_INIT;
    json_t *report;
    int r = 0;
    if (ledgerapi_check(l, args->session, args->question, answer, &report, &err) < 0)
        return cli_fail("%s", err.message);
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
    .about = "Holds the numbers of an answer against what ran in a recorded session.",
    .rows = {check_rows, ledgercmd_json},
};

int cmd_check_answer(int argc, char **argv) {
    struct ledger_args args = {0};
    struct ledger *ledger;
    scoped_buf answer = BUF_INIT(MAX_ANSWER);
    int r;
    if (!ledgercmd_take(&check_table, argc, argv, &args, &r))
        return r;
    if (!args.answer)
        return cli_fail("which answer? usage: retort %s", check_table.usage);
    if ((r = read_answer(args.answer, &answer)) || (r = ledgercmd_open(&ledger)))
        return r;
    r = check_answer(ledger, &args, answer.data ? answer.data : "");
    ledger_close(ledger);
    return r;
}
