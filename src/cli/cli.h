/* The command line: one file per command, one table of options for those that make sessions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli/skillopts.h"
#include "retort.h"

#define EXIT_OWN_FAILURE 125
/* The server could not run sessions any more: a service manager shall start it again. */
#define EXIT_UNABLE 75

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
};

/* Whom code may connect to, and the options for it. */
struct cli_network {
    struct opt_list allow;
    const char *file;
};

#define CLI_NETWORK(at)                                                              \
    {"--allow",                                                                      \
     0,                                                                              \
     OPT_LIST,                                                                       \
     "HOST[:PORT]",                                                                  \
     (at) + offsetof(struct cli_network, allow),                                     \
     "the code may connect to this host; may be repeated",                           \
     0},                                                                             \
    {                                                                                \
        "--network", 0, OPT_TEXT, "FILE", (at) + offsetof(struct cli_network, file), \
            "network rules: which hosts the code may connect to, as JSON", 0         \
    }

/* The review of code before it runs, and its options. */
#define CLI_REVIEW(mode, file)                                                        \
    {"--review", 0,                                                                   \
     OPT_TEXT,   "off|note|repair|block",                                             \
     (mode),     "what to do when a rule objects to code (off)",                      \
     0},                                                                              \
    {                                                                                 \
        "--rules", 0, OPT_TEXT, "FILE", (file), "more rules for --review, as JSON", 0 \
    }

/* What run, shell and similar commands take from their options. */
struct cli_options {
    struct retort_session_options session;
    const char *code, *out_dir, *script, *state_dir, *rules, *tools;
    struct opt_list files, dirs, env, allow_missing;
    struct cli_skills skills;
    struct cli_network network;
    bool json, record, resident, alone;
    uint32_t supervisors;
};

#define CLI_LANGUAGES "python (default), sql, bash, javascript or typescript"
#define CLI_SUPERVISORS "how many supervisors make sessions, at most 8 (1 for each 3 processors)"
#define CLI_AT(field) offsetof(struct cli_options, field)

/* Options that commands with sessions share; they fill a struct cli_options. */
extern const struct opt cli_limits[], cli_interpreter[];

/* Parses the arguments by the table. True: go on. False: it has printed --help or an error, and
 * `*ret_status` is the exit status. */
bool cli_take(const struct opt_table *t, int argc, char **argv, void *ret, int *ret_status);
/* The same for commands with sessions. */
bool cli_take_session(const struct opt_table *t, int argc, char **argv, struct cli_options *ret,
                      int *ret_status);

/* The rules of both options as JSON text, which stays as long as the program runs; *ret is
 * untouched if there are none. 0, or the exit status. */
int cli_network(const struct cli_network *asked, const char **ret);

#define CLI_TOOLS_HELP "commands that the code may call as tools, with rules for the calls, as JSON"
#define CLI_TOOLS \
    { "--tools", 0, OPT_TEXT, "FILE", CLI_AT(tools), CLI_TOOLS_HELP, 0 }

/* Checks the word of --review, and reads the file, whose text stays as long as the program runs. */
int cli_rules(const char *review, const char *file, const char **ret);

/* "retort: …" on standard error; returns EXIT_OWN_FAILURE. */
int cli_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int cli_fail_error(const struct retort_error *error);

int cmd_run(int argc, char **argv);
int cmd_shell(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_review(int argc, char **argv);
int cmd_log(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_check_answer(int argc, char **argv);
int cmd_forget(int argc, char **argv);
int cmd_mcp(int argc, char **argv);
int cmd_mcp_install(const struct opt *server_rows, int argc, char **argv);
int cmd_serve(int argc, char **argv); /* also ui, by its name in argv */
int cmd_rpc(int argc, char **argv);
int cmd_agent(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_skill(int argc, char **argv);
int cmd_cluster(int argc, char **argv);
