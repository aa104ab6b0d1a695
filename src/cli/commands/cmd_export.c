/* retort export: a recorded session as a notebook, or as a page that needs nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"
#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "export/export.h"

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
    {"--html", 0, OPT_TEXT, "FILE", LEDGER_AT(html), "write a page; - is standard output", 0},
    OPT_END,
};

static const struct opt_table export_table = {
    .usage = "export SESSION --ipynb FILE | --html FILE",
    .about = "Writes a recorded session as a notebook, or as a page that needs nothing else.",
    .rows = {export_rows},
    .operand = LEDGER_AT(session),
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
    if ((r = ledgercmd_open(&ledger)))
        return r;
    if (ledger_session_get(ledger, args.session, &known, &err) < 0) /* before a file is touched */
        r = cli_fail("%s", err.message);
    if (r == 0 && args.ipynb)
        r = write_to(ledger, args.session, args.ipynb, ledger_export_ipynb);
    if (r == 0 && args.html)
        r = write_to(ledger, args.session, args.html, ledger_export_html);
    ledger_close(ledger);
    return r;
}
