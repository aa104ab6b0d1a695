/* retort forget: removes what was recorded of a session. Its hashes stay, so that the rest of the
 * ledger can still be verified. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/model/journal.h"
#include "base/maxima.h"
#include "base/unconst.h"
#include "cli/cli.h"
#include "cli/commands/ledgercmd.h"
#include "engine/host/statedir.h"
#include "ledger/upkeep.h"

static int name_branch(void *user, const struct ledger_session *s) {
    const char *parent = user;
    if (strcmp(s->parent, parent) == 0)
        printf("%s: a branch of it can still be verified, but not run again\n", s->id);
    return 0;
}

/* Removes the model's replies of a run that did not finish. */
static void forget_replies(const char *session) {
    char state[MAX_PATH], path[MAX_PATH + 100];
    struct retort_error err = ERR_INIT;
    if (strchr(session, '/') || statedir_find(NULL, state, sizeof state, &err) < 0)
        return;
    snprintf(path, sizeof path, JOURNAL_PATH, state, session);
    unlink(path);
}

static const struct opt_table forget_table = {
    .usage = "forget SESSION",
    .about = "Removes what was recorded of a session; its hashes stay.",
    .operand = LEDGER_AT(session),
};

int cmd_forget(int argc, char **argv) {
    struct ledger_args args = {0};
    struct ledger_freed freed;
    struct ledger *ledger;
    struct retort_error err = ERR_INIT;
    int r;
    if (!ledgercmd_take(&forget_table, argc, argv, &args, &r))
        return r;
    if ((r = ledgercmd_open(&ledger)))
        return r;
    if (ledger_forget(ledger, args.session, &freed, &err) < 0)
        r = cli_fail("%s", err.message);
    else {
        printf("%s: forgotten, %llu bytes removed\n", args.session,
               (unsigned long long)freed.bytes);
        forget_replies(args.session);
        ledger_sessions(ledger, name_branch, unconst(args.session), NULL);
    }
    ledger_close(ledger);
    return r;
}
