/* What the commands over the ledger share: arguments, and the ledger without an engine. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "base/buf.h"
#include "ledger/ledger.h"

struct ledger_args {
    const char *session, *head, *ipynb, *html;
    bool json, help;
};

/* `options` names those that the command has, "--json --head". 0, or the exit status. */
int ledgercmd_parse(int argc, char **argv, const char *options, struct ledger_args *ret);
/* Prints `usage`; 0. */
int ledgercmd_help(const char *usage);
/* Opens the ledger of the state directory. 0, or the exit status. */
int ledgercmd_open(struct ledger **ret);

const char *ledgercmd_text(const json_t *object, const char *name); /* "" when it is not there */
/* A time of the ledger as a clock shows it. */
void ledgercmd_time(const json_t *ms, char ret[32]);
/* Prints JSON on standard output. 0, or the exit status. */
int ledgercmd_print(const json_t *value);
/* Prints the cells and other entries of one session. */
void ledgercmd_entries(const json_t *entries);
