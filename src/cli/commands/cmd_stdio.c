/* retort rpc, retort mcp: one client on standard input and output. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonscope.h"
#include "cli/cli.h"
#include "cli/upload.h"
#include "engine/host/fingerprint.h"
#include "serve/hosted/command.h"
#include "serve/hosted/serve.h"
#include "serve/rpc/lines.h"
#include "serve/server/server.h"

static const struct opt stdio_rows[] = {
    {"--language", 'l', OPT_TEXT, "LANGUAGE", CLI_AT(session.language), CLI_LANGUAGES, 0},
    {"--no-record", 0, OPT_FLAG, NULL, CLI_AT(session.no_record),
     "keep nothing in the ledger, and touch no state directory", 0},
    {"--state", 0, OPT_TEXT, "DIR", CLI_AT(state_dir), "where sessions are recorded", 0},
    {"--dir", 0, OPT_LIST, "DIR", CLI_AT(dirs),
     "put copies of the files in a directory into /work; may be repeated", 0},
    CLI_SKILLS(CLI_AT(skills)),
    OPT_END,
};

static const struct opt mcp_rows[] = {CLI_TOOLS, OPT_END};

static const struct opt rpc_rows[] = {
    {"--supervisors", 0, OPT_COUNT, "N", CLI_AT(supervisors), CLI_SUPERVISORS, 0},
    OPT_END,
};

static const struct opt_table rpc_table = {
    .usage = "rpc [options]",
    .about =
        "Serves JSON-RPC on standard input and output, one object a line. The options hold "
        "for sessions\nwhose client asks for nothing else; no client gets more than the limits "
        "given here.",
    .rows = {stdio_rows, rpc_rows, cli_limits, cli_interpreter},
    .operand = OPT_NO_OPERAND,
};

static const struct opt_table mcp_table = {
    .usage = "mcp [options] | retort mcp install CLIENT [options]",
    .about = "Serves MCP on standard input and output. The options are for the sessions in which "
             "code runs;\nno call can ask for more than these limits allow.",
    .rows = {stdio_rows, mcp_rows, cli_limits, cli_interpreter},
    .operand = OPT_NO_OPERAND,
};

static int cmd_stdio_furnish(void *user, struct retort_session *session,
                             struct retort_error *error) {
    if (cli_upload(session, user) == 0)
        return 0;
    error->code = EIO;
    error->fault = ERR_HOST;
    snprintf(error->message, sizeof error->message,
             "the files that the server was started with cannot be put in; its standard error says "
             "why");
    return -EIO;
}

/* Reports a wrong option now, to the user, not later to a model. */
static int cmd_stdio_check(const struct cli_options *o) {
    json_t *expected = NULL;
    struct retort_error err = ERR_INIT;
    if (fingerprint_expected(&o->session, &expected, &err) < 0)
        return cli_fail("%s", err.message);
    json_decref(expected);
    return cli_upload_check(o);
}

static int serve_stdio(const struct opt_table *table, int argc, char **argv, unsigned pool,
                       int (*door)(struct retort_engine *engine,
                                   const struct serve_defaults *defaults)) {
    struct cli_options o = {0};
    struct retort_engine_options options = {.pool = pool};
    struct retort_engine *engine;
    struct retort_error error = {0};
    int r;
    if (!cli_take_session(table, argc, argv, &o, &r) || (r = cmd_stdio_check(&o)))
        return r;
    struct serve_defaults defaults = {
        .options = o.session, .furnish = cmd_stdio_furnish, .user = &o, .state = o.state_dir};
    scoped_json *skills = cli_skill_names(&o.skills);
    scoped_json *tools = o.tools ? command_file(o.tools, &error) : NULL;
    if (o.tools && !tools)
        return cli_fail("--tools %s: %s", o.tools, error.message);
    defaults.skills = skills;
    defaults.tools = tools;
    /* A pool of one serves one client, which needs only one supervisor. */
    options.supervisors = pool == 1 ? 1 : o.supervisors;
    options.no_state = o.session.no_record;
    options.state_dir = o.state_dir;
    if (retort_open(&options, &engine, &error) < 0)
        return cli_fail_error(&error);
    r = door(engine, &defaults);
    retort_close(engine);
    return r < 0 ? cli_fail("%s: %s", argv[0], strerror(-r)) : 0;
}

int cmd_rpc(int argc, char **argv) {
    return serve_stdio(&rpc_table, argc, argv, 2, serve_rpc_stdio);
}

/* A user who starts it by hand would wait for a prompt that does not come. */
static int serve_mcp(struct retort_engine *engine, const struct serve_defaults *defaults) {
    fprintf(stderr, "retort mcp " RETORT_VERSION
                    ": serving the Model Context Protocol on standard input and output\n");
    return server_mcp_stdio(engine, defaults);
}

int cmd_mcp(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "install") == 0)
        return cmd_mcp_install(stdio_rows, argc - 1, argv + 1);
    return serve_stdio(&mcp_table, argc, argv, 1, serve_mcp);
}
