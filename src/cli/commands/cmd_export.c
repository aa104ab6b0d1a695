/* retort export: writes a recorded session as a notebook, or as a page in one file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/review/reviewer.h"
#include "base/jsonscope.h"
#include "base/scope.h"
#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "engine/host/strictness.h"
#include "export/export.h"

/* --- the review of code that somebody else will run --- */

static enum strictness severity(const char *word) {
    static const char *const words[] = {
        [STRICT_NOTE] = "note", [STRICT_REPAIR] = "repair", [STRICT_BLOCK] = "block"};
    for (enum strictness s = STRICT_NOTE; word && s <= STRICT_BLOCK; s++)
        if (strcmp(word, words[s]) == 0)
            return s;
    return STRICT_OFF;
}

/* Prints the findings. Returns whether one of them keeps the code from being written. */
static bool tell_findings(const json_t *verdict, long long cell, enum strictness mode) {
    const json_t *f;
    size_t i;
    bool kept = false;
    json_array_foreach(json_object_get(verdict, "findings"), i, f) {
        enum strictness found = severity(ledgercmd_text(f, "severity"));
        if (strcmp(ledgercmd_text(f, "rule"), "missing-module") == 0)
            continue; /* the code ran where there were other modules than here */
        fprintf(stderr, "cell %lld line %lld: %s: %s [%s]\n", cell,
                (long long)json_integer_value(json_object_get(f, "line")),
                ledgercmd_text(f, "severity"), ledgercmd_text(f, "message"),
                ledgercmd_text(f, "rule"));
        kept = kept || (mode == STRICT_REPAIR && found >= STRICT_REPAIR) ||
               (mode == STRICT_BLOCK && found == STRICT_BLOCK);
    }
    return kept;
}

/* 1: the step must not be written; -1: there is no verdict. */
static int review_step(struct reviewer *reviewer, struct ledger *l, const json_t *body,
                       const char *usual, enum strictness mode, struct retort_error *err) {
    const char *own = json_string_value(json_object_get(body, "language"));
    size_t len;
    scoped_free char *code = export_code(l, body, &len);
    if (!code)
        return 0; /* the code has expired, so it is not written either */
    const char *from = own && strncmp(code, "%%", 2) == 0 ? strchr(code, '\n') : code;
    scoped_json *verdict = reviewer_judge(reviewer, own ? own : usual, from ? from : "", err);
    return !verdict
               ? -1
               : tell_findings(verdict,
                               (long long)json_integer_value(json_object_get(body, "cell")), mode);
}

static int review_cells(struct reviewer *reviewer, struct ledger *l, const char *session,
                        enum strictness mode, struct retort_error *err) {
    struct ledger_history history;
    int r = ledger_history(l, session, &history, err), kept = 0;
    if (r < 0)
        return r;
    scoped_json *origin = export_origin(l, session, err);
    const char *usual = json_string_value(json_object_get(origin, "language"));
    for (size_t i = 0; r >= 0 && i < history.count; i++)
        if (history.steps[i].kind == LEDGER_CELL_INTENT) {
            r = review_step(reviewer, l, history.steps[i].body, usual ? usual : "python", mode,
                            err);
            kept = r > 0 ? 1 : kept;
        }
    ledger_history_done(&history);
    return r < 0 ? r : kept;
}

/* 0: the cells may be written; 1: not; or another exit status. */
static int review_export(struct ledger *l, const struct ledger_args *args) {
    struct retort_engine_options none = {.no_state = true};
    struct reviewer_options options = {.rules = NULL};
    struct retort_error err = ERR_INIT;
    struct retort_engine *engine;
    struct reviewer *reviewer = NULL;
    enum strictness mode;
    int r = cli_rules(args->review, args->rules, &options.rules);
    if (r || strictness_parse(args->review, &mode, &err) < 0 || mode == STRICT_OFF)
        return r;
    if (retort_open(&none, &engine, &err) < 0)
        return cli_fail_error(&err);
    r = reviewer_new(engine, &options, &reviewer, &err);
    if (r == 0)
        r = review_cells(reviewer, l, args->session, mode, &err);
    reviewer_free(reviewer);
    retort_close(engine);
    return r < 0 ? cli_fail_error(&err) : r;
}

/* --- writing --- */

static int write_to(struct ledger *l, const char *session, const char *path,
                    int (*write_export)(struct ledger *, const char *, int,
                                        struct retort_error *)) {
    struct retort_error err = ERR_INIT;
    bool output = strcmp(path, "-") == 0;
    scoped_fd fd = output ? dup(1) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return cli_fail("cannot write %s: %s", path, strerror(errno));
    return write_export(l, session, fd, &err) < 0 ? cli_fail("%s", err.message) : 0;
}

static const struct opt export_rows[] = {
    {"--ipynb", 0, OPT_TEXT, "FILE", LEDGER_AT(ipynb), "write a notebook; - is standard output", 0},
    CLI_REVIEW(LEDGER_AT(review), LEDGER_AT(rules)),
    {"--html", 0, OPT_TEXT, "FILE", LEDGER_AT(html), "write a page; - is standard output", 0},
    OPT_END,
};

static const struct opt_table export_table = {
    .usage = "export SESSION --ipynb FILE | --html FILE [--review MODE]",
    .about = "Writes a recorded session as a notebook, or as a page that needs nothing else.",
    .rows = {export_rows},
    .operand = LEDGER_AT(session),
    .more = "Exit status: 0, 1 if --review keeps the notebook back, 125 for a failure of Retort "
            "itself.\n",
};

int cmd_export(int argc, char **argv) {
    struct ledger_args args = {0};
    struct ledger_session known;
    struct ledger *ledger;
    struct retort_error err = ERR_INIT;
    int r;
    if (!ledgercmd_take(&export_table, argc, argv, &args, &r))
        return r;
    if (!args.ipynb && !args.html)
        return cli_fail("export to what? usage: retort %s", export_table.usage);
    if (!args.ipynb && (args.review || args.rules))
        return cli_fail("--review is for the code of a notebook: it needs --ipynb");
    if ((r = ledgercmd_open(&ledger)))
        return r;
    /* Checked before a file is touched. */
    if (ledger_session_get(ledger, args.session, &known, &err) < 0)
        r = cli_fail("%s", err.message);
    if (r == 0 && args.html) /* a page is only read, so no review keeps it back */
        r = write_to(ledger, args.session, args.html, ledger_export_html);
    if (r == 0 && args.ipynb)
        r = review_export(ledger, &args);
    if (r == 0 && args.ipynb)
        r = write_to(ledger, args.session, args.ipynb, ledger_export_ipynb);
    ledger_close(ledger);
    return r;
}
