/* The command line: one file per command, one table of options for those that make sessions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "retort.h"

#define EXIT_OWN_FAILURE 125

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
};

#define CLI_MAX_LIST 64

/* What the options of run, shell and the like ask for. */
struct cli_options {
    struct retort_session_options session;
    const char *code, *out_dir, *script;
    const char *files[CLI_MAX_LIST], *env[CLI_MAX_LIST + 1], *allow_missing[CLI_MAX_LIST + 1];
    size_t nfiles, nenv, nmissing;
    bool json, record, help;
};

/* Parses the options and at most one operand. 0, or -errno with one clear line in `err`. */
int cli_parse(int argc, char **argv, struct cli_options *ret, struct err *err);
extern const char cli_options_help[];

/* "retort: …" on standard error; returns EXIT_OWN_FAILURE. */
int cli_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int cli_fail_error(const struct retort_error *error);

/* Puts SRC[:NAME] into /work; `what` stands before the name in a message. 0, or the exit status. */
int cli_upload_file(struct retort_session *session, const char *what, const char *spec);
/* The same for the --file arguments. */
int cli_upload(struct retort_session *session, const struct cli_options *options);

int cmd_run(int argc, char **argv);
int cmd_shell(int argc, char **argv);
int cmd_log(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_forget(int argc, char **argv);
int cmd_mcp(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_rpc(int argc, char **argv);
int cmd_agent(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
