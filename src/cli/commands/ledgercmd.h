/* What the commands for the ledger share: their arguments, and opening the ledger without an
 * engine. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "base/buf.h"
#include "cli/opt.h"
#include "ledger/ledger.h"

struct ledger_args {
    const char *session, *head, *ipynb, *html, *search, *answer, *question;
    const char *review, *rules;
    uint64_t most;
    bool json, has_most;
};

#define LEDGER_AT(field) offsetof(struct ledger_args, field)

extern const struct opt ledgercmd_json[]; /* the row of --json */

/* Parses as cli_take does, and requires a session. */
bool ledgercmd_take(const struct opt_table *t, int argc, char **argv, struct ledger_args *ret,
                    int *ret_status);
/* Opens the ledger of the state directory. 0, or the exit status. */
int ledgercmd_open(struct ledger **ret);

const char *ledgercmd_text(const json_t *object, const char *name); /* "" if there is none */
/* Formats a time of the ledger. */
void ledgercmd_time(const json_t *ms, char ret[32]);
/* Prints JSON on standard output. 0, or the exit status. */
int ledgercmd_print(const json_t *value);
/* Prints the cells and other entries of one session. */
void ledgercmd_entries(const json_t *entries);
