/* retort verify: checks byte by byte whether the record of a session is what was recorded. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "engine/api/ledgerapi.h"

static bool goes_on(const json_t *f, const json_t *next) {
    static const char *const same[] = {"verdict", "session", "text", "blob"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (strcmp(ledgercmd_text(f, same[i]), ledgercmd_text(next, same[i])) != 0)
            return false;
    return json_integer_value(json_object_get(next, "entry")) ==
           json_integer_value(json_object_get(f, "entry")) + 1;
}

/* Entries with the same finding share a line. */
static void print_findings(const json_t *findings) {
    size_t count = json_array_size(findings);
    for (size_t i = 0; i < count; i++) {
        const json_t *f = json_array_get(findings, i);
        const char *blob = ledgercmd_text(f, "blob");
        long long first = json_integer_value(json_object_get(f, "entry")), last = first;
        while (i + 1 < count &&
               goes_on(json_array_get(findings, i), json_array_get(findings, i + 1))) {
            i++;
            last++;
        }
        printf("%s: %s", ledgercmd_text(f, "verdict"), ledgercmd_text(f, "session"));
        if (last > first)
            printf(" entries %lld to %lld", first, last);
        else if (first)
            printf(" entry %lld", first);
        printf("%s%s: %s\n", blob[0] ? " blob " : "", blob, ledgercmd_text(f, "text"));
    }
}

static void cmd_verify_print_report(const char *session, const json_t *report) {
    print_findings(json_object_get(report, "findings"));
    printf("%s: %s; %lld entries, %lld blobs, %lld bytes\nhead %s\n", session,
           ledgercmd_text(report, "verdict"),
           (long long)json_integer_value(json_object_get(report, "entries")),
           (long long)json_integer_value(json_object_get(report, "blobs")),
           (long long)json_integer_value(json_object_get(report, "bytes")),
           ledgercmd_text(report, "head"));
}

static int verify(struct ledger *l, const struct ledger_args *args) {
    struct retort_error err = ERR_INIT;
    json_t *report;
    int r = 0;
    if (ledgerapi_verify(l, args->session, args->head, &report, &err) < 0)
        return cli_fail("%s", err.message);
    if (args->json)
        r = ledgercmd_print(report);
    else
        cmd_verify_print_report(args->session, report);
    if (r == 0)
        r = json_is_true(json_object_get(report, "sound")) ? 0 : 1;
    json_decref(report);
    return r;
}

static const struct opt verify_rows[] = {
    {"--head", 0, OPT_TEXT, "HASH", LEDGER_AT(head), "the head that you noted down earlier", 0},
    OPT_END,
};

static const struct opt_table verify_table = {
    .usage = "verify SESSION [--head HASH] [--json]",
    .about = "Checks every hash and every stored byte of a recorded session.",
    .rows = {verify_rows, ledgercmd_json},
    .operand = LEDGER_AT(session),
};

int cmd_verify(int argc, char **argv) {
    struct ledger_args args = {0};
    struct ledger *ledger;
    int r;
    if (!ledgercmd_take(&verify_table, argc, argv, &args, &r))
        return r;
    if ((r = ledgercmd_open(&ledger)))
        return r;
    r = verify(ledger, &args);
    ledger_close(ledger);
    return r;
}
