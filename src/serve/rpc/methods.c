#include "serve/rpc/methods.h"

#include <errno.h>
#include <string.h>

#include "serve/rpc/agents.h"
#include "serve/rpc/environment_handlers.h"
#include "serve/rpc/handlers.h"
#include "serve/rpc/ledger_handlers.h"
#include "serve/rpc/questions.h"
#include "serve/rpc/skill_handlers.h"

#define SESSION \
    { "session", FIELD_STRING, true, "id of a session", NULL, NULL }
#define END \
    { NULL, FIELD_ANY, false, NULL, NULL, NULL }
static const struct method_field none[] = {END};
static const struct method_field session_only[] = {SESSION, END};
static const struct method_field asleep[] = {{"asleep", FIELD_BOOLEAN, true, "true", NULL, NULL},
                                             END};
static const struct method_field rename_params[] = {
    SESSION,
    {"name", FIELD_STRING, true, "at most 240 bytes; empty: its first line again", NULL, NULL},
    END};
static const struct method_field renamed[] = {
    {"name", FIELD_STRING, true, "as it was given", NULL, NULL}, END};
static const struct method_field closed[] = {{"closed", FIELD_BOOLEAN, true, "true", NULL, NULL},
                                             END};

/* The parameters for limits, made from the list of all limits. */
#define RULE_KIB "; a value of 65536 or more is taken as bytes"
#define RULE_MIB "; a value of 1048576 or more is taken as bytes"
#define LIMIT_TIME_FIELD(name, per, usual, what) \
    per({#name, FIELD_NUMBER, false, what, NULL, NULL}, )
#define LIMIT_SIZE_FIELD(name, per, unit, usual, least, most, what) \
    per({#name, FIELD_INTEGER, false, what RULE_##unit, NULL, NULL}, )
#define LIMIT_COUNT_FIELD(name, per, usual, least, most, what) \
    per({#name, FIELD_INTEGER, false, what, NULL, NULL}, )

#define PER_CELL(...) __VA_ARGS__
#define PER_SESSION(...)
static const struct method_field cell_limits[] = {
#define LIMIT_TIME LIMIT_TIME_FIELD
#define LIMIT_SIZE LIMIT_SIZE_FIELD
#define LIMIT_COUNT LIMIT_COUNT_FIELD
#include "base/limits.def"
    END};

#undef PER_SESSION
#define PER_SESSION(...) __VA_ARGS__
static const struct method_field session_limits[] = {
#define LIMIT_TIME LIMIT_TIME_FIELD
#define LIMIT_SIZE LIMIT_SIZE_FIELD
#define LIMIT_COUNT LIMIT_COUNT_FIELD
#include "base/limits.def"
    END};

static const struct method_field file_entry[] = {
    {"path", FIELD_STRING, true, "path under /work", NULL, NULL},
    {"base64", FIELD_STRING, false, "content", NULL, NULL},
    {"text", FIELD_STRING, false, "content, if it is text: instead of base64", NULL, NULL},
    END};

static const struct method_field create_params[] = {
    {"language", FIELD_STRING, false,
     "language of the cells; python if not given. A cell may name its own", NULL,
     "python|sql|bash|javascript|typescript"},
    {"environment", FIELD_STRING, false, "name of an environment", NULL, NULL},
    {"limits", FIELD_OBJECT, false,
     "limits of the session; 0 is the default, more than the server's cap is refused",
     session_limits, NULL},
    {"files", FIELD_ARRAY, false, "files to begin with", file_entry, NULL},
    {"env", FIELD_OBJECT, false, "environment variables: name to string", NULL, NULL},
    {"network", FIELD_ANY, false,
     "whom the code may connect to: rules as in docs/network.md. A server of several clients gives "
     "its own; a list of hosts, with or without ports, chooses among them, and [] is nobody",
     NULL, NULL},
    {"skills", FIELD_ARRAY, false,
     "names of skills that the code may call, NAME or NAME@VERSION (docs/skills.md)", NULL, NULL},
    {"review", FIELD_STRING, false,
     "what happens with code that rules find something in, before it runs (docs/policy.md); not "
     "less than the server's",
     NULL, "off|note|repair|block"},
    {"rules", FIELD_OBJECT, false, "more rules for the review: {\"rules\": […]}", NULL, NULL},
    {"deterministic", FIELD_BOOLEAN, false, "the same code gives the same bytes", NULL, NULL},
    {"seed", FIELD_INTEGER, false, "seed of random generators", NULL, NULL},
    {"on_error", FIELD_STRING, false, "what an exception does to the state", NULL, "keep|rollback"},
    {"checkpoint", FIELD_STRING, false, "when the state is saved", NULL, "auto|always|off"},
    {"background", FIELD_BOOLEAN, false, "processes may outlive their cell", NULL, NULL},
    {"record", FIELD_BOOLEAN, false, "false: nothing goes to the ledger", NULL, NULL},
    END};
static const struct method_field create_result[] = {
    {"session", FIELD_STRING, true, "id of the new session", NULL, NULL},
    {"isolation", FIELD_OBJECT, true, "tier, layers in force, layers missing", NULL, NULL},
    END};

static const struct method_field execute_params[] = {
    SESSION,
    {"code", FIELD_STRING, true, "the cell", NULL, NULL},
    {"language", FIELD_STRING, false,
     "language of this cell; if not given, that of its first line, %%NAME, or the session's", NULL,
     NULL},
    {"limits", FIELD_OBJECT, false,
     "limits of this cell; 0 is the session's, more than the server's cap is refused", cell_limits,
     NULL},
    {"request", FIELD_STRING, false,
     "the client's own name for this request, up to 64 characters: asked again with the same one, "
     "the recorded "
     "result is the answer, and nothing runs twice",
     NULL, NULL},
    END};
static const struct method_field execute_result[] = {
    {"schema", FIELD_STRING, true, "retort.result/1: see docs/result.md", NULL, NULL},
    {"session", FIELD_STRING, true, "id of the session", NULL, NULL},
    {"cell", FIELD_INTEGER, true, "number of the cell", NULL, NULL},
    {"status", FIELD_STRING, true, "ok, error, exit, signal, timeout, …", NULL, NULL},
    {"stdout", FIELD_STRING, true, "what it printed", NULL, NULL},
    {"…", FIELD_ANY, false, "and the other members of the result object", NULL, NULL},
    END};

static const struct method_field interrupt_result[] = {
    {"interrupted", FIELD_BOOLEAN, true, "whether a cell or an agent was running", NULL, NULL},
    END};

static const struct method_field complete_params[] = {
    SESSION,
    {"code", FIELD_STRING, true, "what is written so far", NULL, NULL},
    {"cursor", FIELD_INTEGER, false, "where, in characters; at its end if not given", NULL, NULL},
    {"language", FIELD_STRING, false,
     "language of the code; if not given, that of its first line, %%NAME, or the session's", NULL,
     NULL},
    END};
static const struct method_field complete_result[] = {
    {"start", FIELD_INTEGER, true, "the names stand for what is between here and the cursor", NULL,
     NULL},
    {"names", FIELD_ARRAY, true, "200 at most", NULL, NULL},
    END};

static const struct method_field variables_params[] = {
    SESSION,
    {"language", FIELD_STRING, false, "whose; if not given, those of the session's language", NULL,
     NULL},
    END};
static const struct method_field one_variable[] = {
    {"name", FIELD_STRING, true, "name; of sql, that of a table", NULL, NULL},
    {"type", FIELD_STRING, true, "type, in the words of the language", NULL, NULL},
    {"repr", FIELD_STRING, true, "value (short); of a table its rows and columns", NULL, NULL},
    END};
static const struct method_field variables_result[] = {
    {"variables", FIELD_ARRAY, true, "in the order of their names", one_variable, NULL}, END};

static const struct method_field undo_params[] = {
    SESSION, {"cells", FIELD_INTEGER, false, "how many cells; 1 if not given", NULL, NULL}, END};
static const struct method_field undo_result[] = {
    {"cells", FIELD_INTEGER, true, "cells that were taken back; numbers go on", NULL, NULL},
    {"…", FIELD_ANY, false,
     "state_via, state_notes: as in the result object; flags: [\"files_incomplete\"] if not all "
     "files are what they were",
     NULL, NULL},
    END};

static const struct method_field branch_params[] = {
    SESSION,
    {"count", FIELD_INTEGER, false, "how many; 1 if not given, 64 at most", NULL, NULL},
    END};
static const struct method_field branch_result[] = {
    {"sessions", FIELD_ARRAY, true, "ids of the new sessions", NULL, NULL}, END};

static const struct method_field compare_params[] = {
    {"sessions", FIELD_ARRAY, true, "ids of sessions, from 2 to 64", NULL, NULL}, END};
static const struct method_field compared_file[] = {
    {"path", FIELD_STRING, true, "path under /work", NULL, NULL},
    {"in", FIELD_ARRAY, true, "for each session: size and sha256, or link; null if it has none",
     NULL, NULL},
    END};
static const struct method_field compared_variable[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"in", FIELD_ARRAY, true, "for each session: type, repr (short), digest; null if it has none",
     NULL, NULL},
    END};
static const struct method_field compare_same[] = {
    {"files", FIELD_INTEGER, true, "files that all sessions have with the same bytes", NULL, NULL},
    {"variables", FIELD_INTEGER, true, "variables that all have with the same digest", NULL, NULL},
    END};
static const struct method_field compare_result[] = {
    {"sessions", FIELD_ARRAY, true, "the ids, in the order of what follows", NULL, NULL},
    {"files", FIELD_ARRAY, true, "files that differ", compared_file, NULL},
    {"variables", FIELD_ARRAY, true,
     "variables that differ; a digest covers 64 KiB of a repr, four million items of a table",
     compared_variable, NULL},
    {"same", FIELD_OBJECT, true, "how many do not differ", compare_same, NULL},
    {"last", FIELD_ARRAY, true,
     "for each session, of its last result: cell, status, value, end of stdout, error; null if it "
     "ran none since it began or was undone",
     NULL, NULL},
    {"notes", FIELD_ARRAY, true, "what could not be looked at", NULL, NULL},
    END};
static const struct method_field keep_result[] = {
    {"kept", FIELD_STRING, true, "id of the session", NULL, NULL},
    {"closed", FIELD_ARRAY, true, "ids of those that were ended", NULL, NULL},
    END};

static const struct method_field ledger_list_params[] = {
    {"session", FIELD_STRING, false, "id of a session: its entries; without it, all sessions", NULL,
     NULL},
    {"after", FIELD_INTEGER, false, "only entries with larger numbers", NULL, NULL},
    {"before", FIELD_INTEGER, false, "only entries with smaller numbers", NULL, NULL},
    {"limit", FIELD_INTEGER, false, "of these the last so many", NULL, NULL},
    {"search", FIELD_STRING, false,
     "of all sessions those in whose name, code or agent's task this text is, in any case", NULL,
     NULL},
    END};
static const struct method_field ledger_list_result[] = {
    {"sessions", FIELD_ARRAY, false, "recorded sessions", NULL, NULL},
    {"entries", FIELD_ARRAY, false, "entries of the session", NULL, NULL},
    {"total", FIELD_INTEGER, false, "how many entries it has in all", NULL, NULL},
    {"parent", FIELD_STRING, false, "the session that it is a branch of, or null", NULL, NULL},
    {"branched_at", FIELD_INTEGER, false, "the entry of that session which made it", NULL, NULL},
    END};
static const struct method_field ledger_result_params[] = {
    SESSION,
    {"entry", FIELD_INTEGER, true, "number of a cell_outcome among its entries", NULL, NULL},
    END};
static const struct method_field export_params[] = {
    SESSION,
    {"format", FIELD_STRING, true, "a notebook, or a page that needs nothing else", NULL,
     "ipynb|html"},
    END};
static const struct method_field export_result[] = {
    {"text", FIELD_STRING, true, "the document", NULL, NULL}, END};
static const struct method_field verify_params[] = {
    SESSION,
    {"head", FIELD_STRING, false, "a hash of the last entry that you kept", NULL, NULL},
    END};
static const struct method_field verify_result[] = {
    {"sound", FIELD_BOOLEAN, true, "whether everything is as it was recorded", NULL, NULL},
    {"report", FIELD_OBJECT, true, "verdict, entries, blobs, bytes, head, findings", NULL, NULL},
    END};
static const struct method_field replay_result[] = {
    {"equal", FIELD_BOOLEAN, true, "whether every cell did the same again", NULL, NULL},
    {"report", FIELD_OBJECT, true,
     "session, cells, the first difference, and unanswered: requests to the network that are not "
     "on record",
     NULL, NULL},
    END};

static const struct method_field info_result[] = {
    {"session", FIELD_STRING, true, "id", NULL, NULL},
    {"language", FIELD_STRING, true, "language of the cells", NULL, NULL},
    {"cells", FIELD_INTEGER, true, "cells run so far", NULL, NULL},
    {"running", FIELD_BOOLEAN, true, "whether a cell is running now", NULL, NULL},
    {"account", FIELD_OBJECT, true,
     "what the session makes the server hold, by kind: `used` and `limit` (docs/serve.md)", NULL,
     NULL},
    {"…", FIELD_ANY, false, "state, limits, isolation", NULL, NULL},
    END};

static const struct method_field resume_result[] = {
    {"session", FIELD_STRING, true, "id", NULL, NULL},
    {"language", FIELD_STRING, true, "language of the cells", NULL, NULL},
    {"cells", FIELD_INTEGER, true, "cells run so far", NULL, NULL},
    {"…", FIELD_ANY, false,
     "state, limits, isolation, state_notes: among them each cell that came out differently than "
     "its record",
     NULL, NULL},
    END};

static const struct method_field listed_session[] = {
    {"session", FIELD_STRING, true, "id", NULL, NULL},
    {"running", FIELD_BOOLEAN, true, "whether a cell is running now", NULL, NULL},
    {"cells", FIELD_INTEGER, true, "cells run so far", NULL, NULL},
    {"node", FIELD_STRING, false, "in a cluster: where it is", NULL, NULL},
    END};
static const struct method_field list_result[] = {
    {"sessions", FIELD_ARRAY, true, "your sessions", listed_session, NULL}, END};

static const struct method_field file_listed[] = {
    {"path", FIELD_STRING, true, "path under /work", NULL, NULL},
    {"size", FIELD_INTEGER, true, "bytes", NULL, NULL},
    {"mime", FIELD_STRING, false, "type", NULL, NULL},
    END};
static const struct method_field files_list_result[] = {
    {"files", FIELD_ARRAY, true, "regular files", file_listed, NULL},
    {"incomplete", FIELD_BOOLEAN, false, "true: there are more files than a list holds", NULL,
     NULL},
    END};
static const struct method_field files_read_params[] = {
    SESSION,
    {"path", FIELD_STRING, true, "path under /work", NULL, NULL},
    {"offset", FIELD_INTEGER, false, "first byte; 0 if not given", NULL, NULL},
    {"length", FIELD_INTEGER, false, "bytes at most; 16 MiB if not given, and never more", NULL,
     NULL},
    END};
static const struct method_field bytes_result[] = {
    {"base64", FIELD_STRING, true, "the bytes", NULL, NULL},
    {"size", FIELD_INTEGER, true, "size of the whole", NULL, NULL},
    END};
static const struct method_field files_write_params[] = {
    SESSION,
    {"path", FIELD_STRING, true, "path under /work; directories are made", NULL, NULL},
    {"base64", FIELD_STRING, true, "the bytes", NULL, NULL},
    {"offset", FIELD_INTEGER, false, "where they go; without it the file is replaced", NULL, NULL},
    END};
static const struct method_field files_write_result[] = {
    {"written", FIELD_INTEGER, true, "bytes", NULL, NULL}, END};
static const struct method_field files_delete_params[] = {
    SESSION, {"path", FIELD_STRING, true, "path under /work", NULL, NULL}, END};
static const struct method_field files_delete_result[] = {
    {"deleted", FIELD_BOOLEAN, true, "true", NULL, NULL}, END};

static const struct method_field output_params[] = {
    SESSION,
    {"cell", FIELD_INTEGER, true, "number of the cell", NULL, NULL},
    {"stream", FIELD_STRING, true, "which stream", NULL, "stdout|stderr"},
    {"offset", FIELD_INTEGER, false, "first byte; 0 if not given", NULL, NULL},
    {"length", FIELD_INTEGER, false, "bytes at most; 16 MiB if not given, and never more", NULL,
     NULL},
    END};
static const struct method_field output_result[] = {
    {"text", FIELD_STRING, true, "the bytes as text; invalid sequences are replaced", NULL, NULL},
    {"base64", FIELD_STRING, true, "the bytes", NULL, NULL},
    {"size", FIELD_INTEGER, true, "stored bytes of the whole stream", NULL, NULL},
    END};

static const struct method_field tool[] = {
    {"name", FIELD_STRING, true, "an identifier", NULL, NULL},
    {"description", FIELD_STRING, false, "what it does: the docstring of the stub", NULL, NULL},
    {"parameters", FIELD_OBJECT, false, "JSON schema of the arguments", NULL, NULL},
    {"approval", FIELD_STRING, false,
     "`ask`: before each call somebody has to allow it, see tools.approve; `none` if not given",
     NULL, "none|ask"},
    {"source", FIELD_ANY, false,
     "what its result is: `untrusted` (the default), `trusted`, or an object with `trust` and "
     "`readers` (docs/policy.md)",
     NULL, NULL},
    {"sinks", FIELD_OBJECT, false,
     "what its arguments must be (docs/policy.md): with data of untrusted origin in the session, "
     "it "
     "is called only by code of which it is proved that none of it gets there",
     NULL, NULL},
    END};
static const struct method_field register_params[] = {
    SESSION,
    {"tools", FIELD_ARRAY, true, "all tools of the session", tool, NULL},
    {"files", FIELD_OBJECT, false,
     "what files below /work are, {PATTERN: {source, sink}} (docs/policy.md); what was said before "
     "holds if neither this nor policy is given",
     NULL, NULL},
    {"policy", FIELD_STRING, false,
     "what cells may do of which it is not proved that data goes only where it may: `calls` (if "
     "not "
     "given): they run, but call no tool that has sinks; `block`: nothing of them runs",
     NULL, "calls|block"},
    END};
static const struct method_field register_result[] = {
    {"tools", FIELD_INTEGER, true, "how many there are now", NULL, NULL}, END};
static const struct method_field answer_params[] = {
    {"call", FIELD_STRING, true, "id from tools.call", NULL, NULL},
    {"result", FIELD_ANY, false, "what the function returned", NULL, NULL},
    {"error", FIELD_STRING, false, "instead of result: why it failed; raised in the code", NULL,
     NULL},
    END};
static const struct method_field approve_params[] = {
    {"call", FIELD_STRING, true, "id from tools.approval", NULL, NULL},
    {"allow", FIELD_BOOLEAN, true, "whether the tool may be called with these arguments", NULL,
     NULL},
    {"by", FIELD_STRING, false, "who decided, for the record; at most 64 characters", NULL, NULL},
    {"reason", FIELD_STRING, false, "why not; raised in the code", NULL, NULL},
    END};
static const struct method_field answer_result[] = {
    {"accepted", FIELD_BOOLEAN, true, "true", NULL, NULL}, END};

static const struct method_field environment[] = {
    {"name", FIELD_STRING, true, "what session.create takes", NULL, NULL}, END};
static const struct method_field environments_result[] = {
    {"environments", FIELD_ARRAY, true, "environments there are", environment, NULL}, END};

#define MADE_OF                                                                                      \
    {"name", FIELD_STRING, true, "its name", NULL, NULL},                                            \
        {"pip", FIELD_ARRAY, false, "Python packages: names, or paths of the server's", NULL, NULL}, \
        {"requirements", FIELD_STRING, false, "text of a requirements file of pip's", NULL, NULL},   \
        {"npm", FIELD_ARRAY, false, "packages for JavaScript", NULL, NULL},                          \
        {"index", FIELD_STRING,                                                                      \
         false,   "address or directory where names of Python packages are; pypi.org if not given",  \
         NULL,    NULL},                                                                             \
        {"registry", FIELD_STRING,                                                                   \
         false,      "address where names of npm's are; registry.npmjs.org if not given",            \
         NULL,       NULL},                                                                          \
        {"addresses", FIELD_ARRAY, false, "HOST=ADDRESS: where hosts of these two are", NULL, NULL}, \
        {"network", FIELD_ANY, false, "whom its sessions may connect to (docs/network.md)",          \
         NULL,      NULL},                                                                           \
        {"image", FIELD_STRING, false, "instead of packages: path of a container image",             \
         NULL,    NULL},                                                                             \
        {"python", FIELD_STRING, false, "path of an interpreter", NULL, NULL},                       \
        {"preload", FIELD_ARRAY, false, "modules that are imported ahead", NULL, NULL},              \
        {"limits", FIELD_OBJECT, false, "limits of its sessions", session_limits, NULL},             \
        {"lock", FIELD_OBJECT, false, "a lock file: this bit for bit, or nothing", NULL, NULL}, {    \
        "install_timeout", FIELD_NUMBER, false, "seconds of installing; 600 if not given", NULL,     \
            NULL                                                                                     \
    }

static const struct method_field make_environment[] = {MADE_OF, END};
static const struct method_field locked_package[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"version", FIELD_STRING, true, "version", NULL, NULL},
    {"sha256", FIELD_STRING, false, "hash of a wheel", NULL, NULL},
    {"integrity", FIELD_STRING, false, "hash of a package of npm's", NULL, NULL},
    END};
static const struct method_field environment_made[] = {
    {"name", FIELD_STRING, true, "what session.create takes", NULL, NULL},
    {"packages", FIELD_STRING, true, "hash of what was installed", NULL, NULL},
    {"pip", FIELD_ARRAY, true, "Python packages", locked_package, NULL},
    {"npm", FIELD_ARRAY, true, "packages for JavaScript", locked_package, NULL},
    {"image", FIELD_OBJECT, false,
     "of an image: its programs, the version of its Python, whether sessions of it are warm", NULL,
     NULL},
    END};
static const struct method_field environment_name[] = {
    {"name", FIELD_STRING, true, "its name", NULL, NULL}, END};
static const struct method_field environment_shown[] = {
    {"name", FIELD_STRING, true, "its name", NULL, NULL},
    {"made", FIELD_BOOLEAN, true, "whether it was made, or else is configured", NULL, NULL},
    {"file", FIELD_OBJECT, true, "its file", NULL, NULL},
    {"lock", FIELD_ANY, true, "its lock file; null if it has no packages", NULL, NULL},
    END};
static const struct method_field environment_removed[] = {
    {"removed", FIELD_BOOLEAN, true, "true", NULL, NULL}, END};

static const struct method_field info_server[] = {
    {"name", FIELD_STRING, true, "retort", NULL, NULL},
    {"version", FIELD_STRING, true, "version of the engine", NULL, NULL},
    {"methods", FIELD_ARRAY, true, "names of all methods", NULL, NULL},
    {"sessions", FIELD_INTEGER, true, "your live sessions", NULL, NULL},
    {"account", FIELD_OBJECT, true, "the accounts of your sessions in one sum", NULL, NULL},
    {"administrator", FIELD_BOOLEAN, true,
     "whether you may see what everybody does here: `metrics`, and /metrics of HTTP", NULL, NULL},
    END};
static const struct method_field metrics_result[] = {
    {"sessions", FIELD_INTEGER, true, "live sessions of everybody", NULL, NULL},
    {"requests", FIELD_OBJECT, true, "by method: count and failed", NULL, NULL},
    {"account", FIELD_OBJECT, true, "the accounts of all sessions in one sum", NULL, NULL},
    {"cells", FIELD_OBJECT, true,
     "cells: at_once (0: no limit), served and waiting now; served_total, waited_s, refused_full, "
     "refused_late",
     NULL, NULL},
    {"births", FIELD_OBJECT, true, "the same for sessions that begin or come back", NULL, NULL},
    {"…", FIELD_ANY, false, "and further counters", NULL, NULL},
    END};

static const struct method_field agent_params[] = {
    {"task", FIELD_STRING, true, "what is to be done", NULL, NULL},
    {"session", FIELD_STRING, false,
     "a session to work in, with the tools registered for it; a new one if not given", NULL, NULL},
    {"files", FIELD_ARRAY, false, "files to work on", file_entry, NULL},
    {"model", FIELD_STRING, false,
     "name of the model; RETORT_MODEL of the server if not given. RETORT_MODEL_URL and "
     "RETORT_MODEL_API name where it is",
     NULL, NULL},
    {"replies", FIELD_ARRAY, false,
     "replies, {text, calls: [{name, arguments}]}, used in their order instead of a model; with "
     "best_of each may have `try`, the number of the try that it is for",
     NULL, NULL},
    {"mode", FIELD_STRING, false, "how code arrives", NULL, "auto|calls|tags|fences"},
    {"policy", FIELD_STRING, false, "what numbers that were not computed lead to", NULL,
     "repair|block|annotate"},
    {"review", FIELD_STRING, false,
     "what code leads to that the rules of `retort review` find something in; `off` if not given",
     NULL, "off|note|repair|block"},
    {"schema", FIELD_OBJECT, false,
     "JSON schema that the answer has to fit; a keyword that is not supported is refused", NULL,
     NULL},
    {"best_of", FIELD_INTEGER, false,
     "so many tries side by side, each in a branch of the session; the best one's branch is kept, "
     "and the result names it. At most 16",
     NULL, NULL},
    {"judge", FIELD_STRING, false,
     "which try is best: `vote` (if not given), `schema`, or Python that defines judge(answer), "
     "which gives a number, True or False",
     NULL, NULL},
    {"learn", FIELD_BOOLEAN, false,
     "after a verified answer the model is asked for a function that is worth keeping, which "
     "becomes "
     "a skill if it passes (docs/skills.md); for administrators, one try and a record",
     NULL, NULL},
    {"max_steps", FIELD_INTEGER, false, "12 if not given", NULL, NULL},
    {"max_tokens", FIELD_INTEGER, false, "of the model, both ways", NULL, NULL},
    {"prices", FIELD_OBJECT, false,
     "what a million tokens of the model cost, {MODEL: {input, output}}: `usage` then has the "
     "cost, "
     "in events and in the result",
     NULL, NULL},
    {"limits", FIELD_OBJECT, false,
     "limits of the session; 0 is the default, more than the server's cap is refused",
     session_limits, NULL},
    {"environment", FIELD_STRING, false, "name of an environment", NULL, NULL},
    {"record", FIELD_BOOLEAN, false, "false: nothing goes to the ledger", NULL, NULL},
    END};
static const struct method_field agent_result[] = {
    {"session", FIELD_STRING, true, "the session it worked in; it stays open", NULL, NULL},
    {"stop", FIELD_STRING, true, "answered, or what ended the run: a budget, a circle, a fault",
     NULL, NULL},
    {"answer", FIELD_STRING, false,
     "the answer; the last one that was given, whatever ended the run", NULL, NULL},
    {"verified", FIELD_BOOLEAN, true, "something ran, and every check passed", NULL, NULL},
    {"provenance", FIELD_ARRAY, false, "each number of the answer with its verdict", NULL, NULL},
    {"unproved", FIELD_ARRAY, false,
     "what did not pass, with an answer that is not verified: check, message", NULL, NULL},
    {"artifacts", FIELD_ARRAY, false, "files that were made: path, size, mime", NULL, NULL},
    {"steps", FIELD_INTEGER, true, "steps taken", NULL, NULL},
    {"usage", FIELD_OBJECT, true, "prompt_tokens, completion_tokens; with prices cost", NULL, NULL},
    {"message", FIELD_STRING, false, "more about a stop", NULL, NULL},
    {"skill", FIELD_OBJECT, false,
     "with learn, of a verified answer: name, version, tests, function of what was learned, or the "
     "problem",
     NULL, NULL},
    {"tries", FIELD_ARRAY, false,
     "with best_of: try, session, verdict, score, answer, verified, stop, steps, tokens, cost of "
     "each",
     NULL, NULL},
    END};

static const struct method_field check_params[] = {
    SESSION,
    {"answer", FIELD_STRING, true,
     "the answer, as text; {{expr}} and {{expr:,.2f}} in it are filled in by a live session, in a "
     "branch that is thrown away, within 5 seconds",
     NULL, NULL},
    {"question", FIELD_STRING, false, "what was asked; an agent's task if not given", NULL, NULL},
    END};
static const struct method_field check_result[] = {
    {"accepted", FIELD_BOOLEAN, true, "no number is flagged", NULL, NULL},
    {"flags", FIELD_INTEGER, true, "how many are", NULL, NULL},
    {"numbers", FIELD_ARRAY, true,
     "each number: text, value, start, end (in bytes), verdict, strength, reason, cell, formula, "
     "nearest, expression; docs/provenance.md tells the verdicts",
     NULL, NULL},
    {"answer", FIELD_STRING, false, "the answer with its {{…}} filled in, if it had any", NULL,
     NULL},
    {"advice", FIELD_STRING, false, "what to tell a model about the flags, a line each", NULL,
     NULL},
    {"notes", FIELD_ARRAY, false, "what could not be looked at", NULL, NULL},
    END};

#define NO_FILE "-32001 no such file"
#define NOT_ADMIN "-32003 only administrators may do this"

/* --- skills --- */

static const struct method_field skill_listed[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"version", FIELD_INTEGER, true, "the newest that is healthy", NULL, NULL},
    {"hash", FIELD_STRING, true, "what names this version and no other", NULL, NULL},
    {"description", FIELD_STRING, true, "what it is for, and when", NULL, NULL},
    {"kind", FIELD_STRING, true, "whether it has functions", NULL, "python|text"},
    {"uses", FIELD_INTEGER, true, "calls", NULL, NULL},
    {"failures", FIELD_INTEGER, true, "of these, calls that failed", NULL, NULL},
    {"quarantined", FIELD_BOOLEAN, true, "it failed three times in a row", NULL, NULL},
    END};
static const struct method_field skills_found[] = {
    {"skills", FIELD_ARRAY, true, "one version of each", skill_listed, NULL}, END};
static const struct method_field skill_words[] = {
    {"words", FIELD_STRING, true, "what to look for in names and descriptions", NULL, NULL}, END};
static const struct method_field skill_name[] = {
    {"name", FIELD_STRING, true, "NAME or NAME@VERSION", NULL, NULL}, END};
static const struct method_field skill_shown[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"version", FIELD_INTEGER, true, "version", NULL, NULL},
    {"hash", FIELD_STRING, true, "what names this version and no other", NULL, NULL},
    {"description", FIELD_STRING, true, "what it is for, and when", NULL, NULL},
    {"text", FIELD_STRING, true, "its SKILL.md", NULL, NULL},
    {"versions", FIELD_ARRAY, true, "all there are", skill_listed, NULL},
    {"…", FIELD_ANY, false, "functions, capabilities, limits, tests, files, review, …", NULL, NULL},
    END};
static const struct method_field skill_file[] = {
    {"path", FIELD_STRING, true, "path in the folder", NULL, NULL},
    {"base64", FIELD_STRING, false, "content", NULL, NULL},
    {"text", FIELD_STRING, false, "content, if it is text: instead of base64", NULL, NULL},
    END};
static const struct method_field skill_folder[] = {
    {"files", FIELD_ARRAY, true, "all files of the folder", skill_file, NULL}, END};
static const struct method_field skill_added[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"version", FIELD_INTEGER, true, "the new version", NULL, NULL},
    {"hash", FIELD_STRING, true, "what names it", NULL, NULL},
    {"tests", FIELD_INTEGER, true, "how many tests it passed", NULL, NULL},
    {"review", FIELD_OBJECT, true, "verdict, findings", NULL, NULL},
    END};
static const struct method_field skill_tested[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"version", FIELD_INTEGER, true, "version", NULL, NULL},
    {"tests", FIELD_INTEGER, true, "how many tests it passed", NULL, NULL},
    END};
static const struct method_field skill_removed[] = {
    {"removed", FIELD_BOOLEAN, true, "true", NULL, NULL}, END};
static const struct method_field use_params[] = {
    SESSION,
    {"skills", FIELD_ARRAY, true, "names, NAME or NAME@VERSION; [] for none", NULL, NULL},
    END};
static const struct method_field skill_pin[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"version", FIELD_INTEGER, true, "the version that the session has from now on", NULL, NULL},
    {"hash", FIELD_STRING, true, "what names it", NULL, NULL},
    END};
static const struct method_field use_result[] = {
    {"skills", FIELD_ARRAY, true, "what they are now", skill_pin, NULL}, END};
static const struct method_field learn_params[] = {
    {"session", FIELD_STRING, true, "a session on record", NULL, NULL},
    {"function", FIELD_STRING, false, "which one; else the last one that can be kept", NULL, NULL},
    {"name", FIELD_STRING, false, "of the skill; else that of the function", NULL, NULL},
    {"description", FIELD_STRING, false, "what it is for; else the function's docstring", NULL,
     NULL},
    END};
static const struct method_field learn_result[] = {
    {"name", FIELD_STRING, true, "name", NULL, NULL},
    {"version", FIELD_INTEGER, true, "version", NULL, NULL},
    {"hash", FIELD_STRING, true, "what names it", NULL, NULL},
    {"tests", FIELD_INTEGER, true, "how many tests it passed", NULL, NULL},
    {"review", FIELD_OBJECT, true, "verdict and findings", NULL, NULL},
    {"session", FIELD_STRING, true, "where it is from", NULL, NULL},
    {"function", FIELD_STRING, true, "which function it is", NULL, NULL},
    END};
#define NO_SESSION_OF_IT "-32001 no such session"
#define NO_SKILL "-32001 no such skill"
#define NO_SKILL_ADMIN NO_SKILL "; " NOT_ADMIN

const struct method methods[] = {
    {"session.create", "Makes a session: a sealed interpreter with an empty /work.", METHOD_FREE,
     handle_session_create, create_params, create_result,
     "-32012 a core isolation layer cannot be set up (data.layer names it); -32002 too many "
     "sessions",
     "{\"language\":\"python\",\"limits\":{\"timeout\":10}}",
     "{\"session\":\"s_example\",\"isolation\":{\"tier\":\"process\",\"layers\":[],\"missing\":[]}"
     "}"},
    {"session.execute",
     "Runs one cell and answers with its result. While it runs, session.output and session.display "
     "tell what happens.",
     METHOD_ORDERED, handle_session_execute, execute_params, execute_result, NULL,
     "{\"session\":\"s_example\",\"code\":\"6*7\",\"limits\":{\"timeout\":5}}",
     "{\"schema\":\"retort.result/1\",\"session\":\"s_example\",\"cell\":1,\"status\":\"ok\","
     "\"stdout\":\"\",\"value\":{\"text/plain\":\"42\"}}"},
    {"session.interrupt",
     "Interrupts the running cell, as Ctrl-C would. Its state is kept if it obeys. An agent that "
     "works in the session ends its run.",
     METHOD_FREE, handle_session_interrupt, session_only, interrupt_result, NULL,
     "{\"session\":\"s_example\"}", "{\"interrupted\":false}"},
    {"session.complete",
     "Names that may stand at the cursor: variables and attributes, tables and columns, commands "
     "and files.",
     METHOD_ORDERED, handle_session_complete, complete_params, complete_result, NULL,
     "{\"session\":\"s_example\",\"code\":\"pri\"}", "{\"start\":0,\"names\":[\"print\"]}"},
    {"session.variables", "Lists what a language of the session holds.", METHOD_ORDERED,
     handle_session_variables, variables_params, variables_result, NULL,
     "{\"session\":\"s_example\"}", "{\"variables\":[]}"},
    {"session.undo", "Takes memory and files back to before the last cells.", METHOD_ORDERED,
     handle_session_undo, undo_params, undo_result, NULL, "{\"session\":\"s_example\",\"cells\":1}",
     "{\"cells\":0}"},
    {"session.branch",
     "Makes sessions with the present state of this one, each on its own from then on.",
     METHOD_ORDERED, handle_session_branch, branch_params, branch_result,
     "-32002 too many sessions", "{\"session\":\"s_example\",\"count\":2}",
     "{\"sessions\":[\"s_one\",\"s_two\"]}"},
    {"session.compare",
     "Puts sessions side by side: what differs in files, variables and last results. Waits for "
     "cells that run in them.",
     METHOD_FREE, handle_session_compare, compare_params, compare_result, "-32001 no such session",
     "{\"sessions\":[\"s_example\",\"s_example\"]}",
     "{\"sessions\":[\"s_example\",\"s_example\"],\"files\":[],\"variables\":[],\"same\":{"
     "\"files\":0,\"variables\":0},\"last\":[null,null],\"notes\":[]}"},
    {"session.keep",
     "Keeps one branch: ends all that were made by the same session.branch, interrupting what "
     "runs in them. The session they were made from stays.",
     METHOD_ORDERED, handle_session_keep, session_only, keep_result, NULL,
     "{\"session\":\"s_example\"}", "{\"kept\":\"s_example\",\"closed\":[]}"},
    {"session.resume",
     "Brings a recorded session of yours back by replay, also one of an earlier server: it slept, "
     "was closed, or its server ended. One that is live is found as it is.",
     METHOD_FREE, handle_session_resume, session_only, resume_result,
     "-32001 no such session; -32002 another engine runs it", "{\"session\":\"s_example\"}",
     "{\"session\":\"s_example\",\"language\":\"python\",\"cells\":0}"},
    {"session.info", "Tells what a session is and does.", METHOD_FREE, handle_session_info,
     session_only, info_result, NULL, "{\"session\":\"s_example\"}",
     "{\"session\":\"s_example\",\"language\":\"python\",\"cells\":0,\"running\":false,"
     "\"account\":{\"past\":{\"used\":0,\"limit\":67108864}}}"},
    {"session.list", "Lists your live sessions.", METHOD_FREE, handle_session_list, none,
     list_result, NULL, "{}",
     "{\"sessions\":[{\"session\":\"s_example\",\"running\":false,\"cells\":0}]}"},
    {"session.sleep",
     "Ends the processes of a session, after what was asked of it before; its next use brings it "
     "back by replay.",
     METHOD_ORDERED, handle_session_sleep, session_only, asleep, NULL,
     "{\"session\":\"s_example\"}", "{\"asleep\":true}"},
    {"session.rename", "Gives a recorded session a name, which ledger.list tells as its title.",
     METHOD_FREE, handle_session_rename, rename_params, renamed,
     "-32001 no such session; -32602 a name over 240 bytes",
     "{\"session\":\"s_example\",\"name\":\"orders of May\"}", "{\"name\":\"orders of May\"}"},
    {"session.close", "Ends a session, after what was asked of it before.", METHOD_ORDERED,
     handle_session_close, session_only, closed, NULL, "{\"session\":\"s_example\"}",
     "{\"closed\":true}"},
    {"session.check", "Holds the numbers of an answer against what ran in the session.",
     METHOD_FREE, handle_session_check, check_params, check_result,
     "-32001 no such session; -32602 {{…}} cannot be filled in",
     "{\"session\":\"s_example\",\"answer\":\"There are none.\"}",
     "{\"accepted\":true,\"flags\":0,\"numbers\":[]}"},
    {"files.list", "Lists the regular files under /work.", METHOD_ORDERED, handle_files_list,
     session_only, files_list_result, NULL, "{\"session\":\"s_example\"}", "{\"files\":[]}"},
    {"files.read", "Reads a piece of a file under /work, or of a captured figure under .plots/.",
     METHOD_ORDERED, handle_files_read, files_read_params, bytes_result, NO_FILE,
     "{\"session\":\"s_example\",\"path\":\"hello.txt\",\"offset\":0,\"length\":1024}",
     "{\"base64\":\"aGVsbG8K\",\"size\":6}"},
    {"files.write", "Writes a file under /work, or a piece of one.", METHOD_ORDERED,
     handle_files_write, files_write_params, files_write_result, "-32011 the disk limit is reached",
     "{\"session\":\"s_example\",\"path\":\"hello.txt\",\"base64\":\"aGVsbG8K\"}",
     "{\"written\":6}"},
    {"files.delete", "Deletes a file under /work.", METHOD_ORDERED, handle_files_delete,
     files_delete_params, files_delete_result, NO_FILE,
     "{\"session\":\"s_example\",\"path\":\"hello.txt\"}", "{\"deleted\":true}"},
    {"output.read", "Reads from the stored output of a cell, beyond what its result keeps.",
     METHOD_ORDERED, handle_output_read, output_params, output_result, "-32001 no such cell",
     "{\"session\":\"s_example\",\"cell\":1,\"stream\":\"stdout\",\"offset\":0,\"length\":65536}",
     "{\"text\":\"\",\"base64\":\"\",\"size\":0}"},
    {"tools.register",
     "Offers functions of the client to the code, as functions of the module tools. Replaces those "
     "registered before.",
     METHOD_ORDERED, handle_tools_register, register_params, register_result, NULL,
     "{\"session\":\"s_example\",\"tools\":[{\"name\":\"price\",\"description\":\"Price of an "
     "article.\","
     "\"parameters\":{\"type\":\"object\",\"properties\":{\"article\":{\"type\":\"string\"}},"
     "\"required\":[\"article\"]}}]}",
     "{\"tools\":1}"},
    {"tools.result", "Answers a tools.call.", METHOD_FREE, handle_tools_result, answer_params,
     answer_result, "-32001 no such call is open", "{\"call\":\"t_1\",\"result\":9.5}",
     "{\"accepted\":true}"},
    {"tools.approve",
     "Decides about a call of a tool that was registered with approval `ask`. It is called only "
     "when "
     "it was allowed; who decided is on the record.",
     METHOD_FREE, handle_tools_approve, approve_params, answer_result,
     "-32001 no such call waits for a decision", "{\"call\":\"t_1\",\"allow\":true,\"by\":\"ann\"}",
     "{\"accepted\":true}"},
    {"agent.run",
     "Lets a model solve a task by writing code, and checks its answer against what ran. "
     "agent.event tells what happens.",
     METHOD_FREE, handle_agent_run, agent_params, agent_result,
     "-32012 a core isolation layer cannot be set up; -32002 too many sessions",
     "{\"task\":\"What is six times seven?\",\"replies\":[{\"text\":\"```python\\nprint('product', "
     "6 * "
     "7)\\n```\"},{\"text\":\"The product is 42.\"}]}",
     "{\"session\":\"s_example\",\"stop\":\"answered\",\"answer\":\"The product is "
     "42.\",\"verified\":true,\"steps\":2,\"usage\":{\"prompt_tokens\":0}}"},
    {"environments.list", "Lists the environments there are.", METHOD_FREE,
     handle_environments_list, none, environments_result, NULL, "{}", "{\"environments\":[]}"},
    {"environments.create",
     "Installs packages in sealed sessions, and makes an environment of them "
     "(docs/environments.md). "
     "For administrators: who started `retort rpc`, tokens with `admin`, on the socket root and "
     "the "
     "server's own user.",
     METHOD_FREE, handle_environments_create, make_environment, environment_made, NOT_ADMIN,
     "{\"name\":\"example\",\"pip\":[]}",
     "{\"name\":\"example\",\"packages\":\"5f70…\",\"pip\":[],\"npm\":[]}"},
    {"environments.update",
     "Installs again what an environment is made of; members that are given take the place of "
     "those it was made with. For administrators.",
     METHOD_FREE, handle_environments_update, make_environment, environment_made, NOT_ADMIN,
     "{\"name\":\"example\"}",
     "{\"name\":\"example\",\"packages\":\"5f70…\",\"pip\":[],\"npm\":[]}"},
    {"environments.show", "Shows an environment, with what is in it. For administrators.",
     METHOD_FREE, handle_environments_show, environment_name, environment_shown, NOT_ADMIN,
     "{\"name\":\"example\"}", "{\"name\":\"example\",\"made\":true,\"file\":{},\"lock\":{}}"},
    {"environments.remove",
     "Removes an environment; sessions that run keep its packages. For administrators.",
     METHOD_FREE, handle_environments_remove, environment_name, environment_removed, NOT_ADMIN,
     "{\"name\":\"example\"}", "{\"removed\":true}"},
    {"skills.list", "Lists the skills there are.", METHOD_FREE, handle_skills_list, none,
     skills_found, NULL, "{}", "{\"skills\":[]}"},
    {"skills.search", "Finds skills by words, the best matches first, 20 at most.", METHOD_FREE,
     handle_skills_search, skill_words, skills_found, NULL, "{\"words\":\"loan interest\"}",
     "{\"skills\":[]}"},
    {"skills.add",
     "Reviews and tests a skill in sealed sessions, and adds it as the next version of its name "
     "(docs/skills.md). For administrators.",
     METHOD_FREE, handle_skills_add, skill_folder, skill_added, NOT_ADMIN,
     "{\"files\":[{\"path\":\"SKILL.md\",\"text\":\"---\\nname: example\\ndescription: Doubles a "
     "number.\\n---\\n\"}]}",
     "{\"name\":\"example\",\"version\":1,\"hash\":\"sha256:5f70…\",\"tests\":0,\"review\":{}}"},
    {"skills.show", "Shows a skill: functions, capabilities, tests, versions, text.", METHOD_FREE,
     handle_skills_show, skill_name, skill_shown, NO_SKILL, "{\"name\":\"example\"}",
     "{\"name\":\"example\",\"version\":1,\"hash\":\"sha256:5f70…\",\"description\":\"Doubles a "
     "number.\",\"text\":\"…\",\"versions\":[]}"},
    {"skills.export", "Gives the files of a skill, as skills.add takes them.", METHOD_FREE,
     handle_skills_export, skill_name, skill_folder, NO_SKILL, "{\"name\":\"example\"}",
     "{\"files\":[]}"},
    {"skills.test",
     "Runs the tests of a skill again, in fresh sealed sessions. For administrators.", METHOD_FREE,
     handle_skills_test, skill_name, skill_tested, NO_SKILL_ADMIN, "{\"name\":\"example\"}",
     "{\"name\":\"example\",\"version\":1,\"tests\":0}"},
    {"skills.use",
     "Gives skills to the code of a session, in place of those it has: `from skills import NAME`. "
     "Each call runs in a sealed session of the skill's own.",
     METHOD_ORDERED, handle_skills_use, use_params, use_result, NO_SKILL,
     "{\"session\":\"s_example\",\"skills\":[]}", "{\"skills\":[]}"},
    {"skills.learn",
     "Makes a skill of a function that ran in a recorded session, with calls of it as its tests. "
     "For "
     "administrators.",
     METHOD_FREE, handle_skills_learn, learn_params, learn_result,
     NO_SESSION_OF_IT "; -32602 no function of it can be kept; " NOT_ADMIN,
     "{\"session\":\"s_example\",\"name\":\"example\"}",
     "{\"name\":\"example\",\"version\":1,\"hash\":\"sha256:5f70…\",\"tests\":2,\"review\":{},"
     "\"session\":\"s_example\",\"function\":\"double\"}"},
    {"skills.remove", "Removes a version of a skill, or all. For administrators.", METHOD_FREE,
     handle_skills_remove, skill_name, skill_removed, NO_SKILL_ADMIN, "{\"name\":\"example\"}",
     "{\"removed\":true}"},
    {"ledger.list", "Lists the recorded sessions, or the entries of one.", METHOD_FREE,
     handle_ledger_list, ledger_list_params, ledger_list_result, "-32001 no such session", "{}",
     "{\"sessions\":[]}"},
    {"ledger.result", "Gives the result of a cell as it was recorded.", METHOD_FREE,
     handle_ledger_result, ledger_result_params, execute_result,
     "-32001 no such session; -32602 that entry holds no result",
     "{\"session\":\"s_example\",\"entry\":3}",
     "{\"schema\":\"retort.result/1\",\"session\":\"s_example\",\"cell\":1,\"status\":\"ok\","
     "\"stdout\":\"1\\n\"}"},
    {"ledger.export", "Gives a recorded session as a document.", METHOD_FREE, handle_ledger_export,
     export_params, export_result, "-32001 no such session",
     "{\"session\":\"s_example\",\"format\":\"ipynb\"}", "{\"text\":\"{ … }\"}"},
    {"ledger.verify", "Checks the chain of a session's entries and every stored byte.", METHOD_FREE,
     handle_ledger_verify, verify_params, verify_result, "-32001 no such session",
     "{\"session\":\"s_example\"}", "{\"sound\":true,\"report\":{\"verdict\":\"ok\"}}"},
    {"ledger.replay",
     "Runs the cells of a recorded session again in a fresh one, host tools and requests answered "
     "from the "
     "ledger, and compares.",
     METHOD_FREE, handle_ledger_replay, session_only, replay_result, "-32001 no such session",
     "{\"session\":\"s_example\"}", "{\"equal\":true,\"report\":{\"cells\":1}}"},
    {"server.info", "Tells what this server is.", METHOD_FREE, handle_server_info, none,
     info_server, NULL, "{}",
     "{\"name\":\"retort\",\"version\":\"0.1.0\",\"methods\":[],\"sessions\":1,"
     "\"account\":{},\"administrator\":true}"},
    {"metrics",
     "Counters since the start, of everybody. For administrators, and for those who are alone with "
     "their server.",
     METHOD_FREE, handle_metrics, none, metrics_result, NOT_ADMIN, "{}",
     "{\"sessions\":1,\"requests\":{},\"account\":{},\"cells\":{},\"births\":{}}"},
};

size_t methods_count(void) {
    return sizeof methods / sizeof *methods;
}

const struct method *methods_find(const char *name) {
    for (size_t i = 0; i < methods_count(); i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}
