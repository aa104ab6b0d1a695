/* retort.h: run hostile code in sealed, stateful interpreters.
 *
 * An engine owns one supervisor process and any number of sessions. Every function may be called
 * from any thread; calls on one session are served one after the other, calls on different sessions
 * in parallel. The library starts the supervisor with posix_spawn, never touches signal
 * dispositions, never waits for children that are not its own.
 *
 * Functions return 0 (or a count) on success and a negative errno on failure, and then fill the
 * struct retort_error if one was given. Strings that are returned belong to the object they came
 * from, unless the comment says "free with retort_free".
 */
#ifndef RETORT_H
#define RETORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RETORT_VERSION "0.1.0"

enum retort_fault {
    RETORT_FAULT_NONE,
    RETORT_FAULT_CALLER, /* the request was wrong */
    RETORT_FAULT_GUEST,  /* code in the session did something it may not */
    RETORT_FAULT_LIMIT,  /* a configured limit was reached */
    RETORT_FAULT_HOST,   /* this machine cannot do what was asked */
    RETORT_FAULT_BUG     /* Retort's own fault */
};

struct retort_error {
    int code; /* positive errno, or 0 */
    enum retort_fault fault;
    char layer[24]; /* isolation layer that could not be set up, or "" */
    char message[360];
    char hint[360]; /* what would help, or "" */
};

/* Set structures of options to 0 and then only the members that you want; C does that for members
 * that an initialiser does not name. `reserved` is room for future members, so that no structure
 * ever grows: values other than 0 there are refused. */

/* 0 means: the default of the table in the manual; for times, INFINITY: as long as the
 * configuration allows. Times in seconds, sizes in bytes. */
struct retort_limits {
    double timeout, cpu, idle;
    uint64_t memory, disk, output, output_stored;
    uint32_t inodes, pids, open_files;
    uint32_t reserved[9];
};

struct retort_engine;
struct retort_session;
struct retort_result;

struct retort_engine_options {
    const char *state_dir; /* NULL: $RETORT_STATE, $XDG_STATE_HOME/retort, ~/.local/state/retort */
    unsigned max_sessions; /* 0: 1,000 */
    unsigned pool;         /* ready sessions that are kept for each environment; 0: none, for
                              one-shot use */
    bool no_state;         /* nothing is recorded and no state directory is touched */
    bool home;             /* sessions also find /work as /home/user */
    size_t supervisors;    /* processes that make sessions in parallel; 0: one for three
                              processors */
    size_t keep_rights;    /* 1: a process keeps the caller's rights, to replace supervisors
                              later */
    uintptr_t reserved[6];
};

int retort_open(const struct retort_engine_options *options, struct retort_engine **ret_engine,
                struct retort_error *error);
/* Ends all sessions and the supervisor. Sessions that you still hold become invalid. */
void retort_close(struct retort_engine *engine);

enum retort_checkpoint { RETORT_CHECKPOINT_AUTO, RETORT_CHECKPOINT_ALWAYS, RETORT_CHECKPOINT_OFF };
enum retort_on_error { RETORT_ON_ERROR_KEEP, RETORT_ON_ERROR_ROLLBACK };

struct retort_session_options {
    const char *language;    /* of its cells: "python" (NULL), "sql", "bash", "javascript" */
    const char *environment; /* environments/NAME.json, or made by `retort env`; or NULL */
    const char *python;      /* path of an interpreter, or NULL */
    const char *preload;     /* modules, comma-separated; NULL: the default list; "": none */
    struct retort_limits limits;
    const char *const *env;           /* NAME=VALUE, NULL-terminated, or NULL */
    const char *const *allow_missing; /* layers given up by name, NULL-terminated, or NULL */
    uint64_t seed;
    bool has_seed;
    bool deterministic, fresh, strict, background;
    bool no_record;
    enum retort_checkpoint checkpoint;
    enum retort_on_error on_error;
    /* The session's owner, for a program with many users: it is recorded, retort_log and
     * retort_owner return it, and branches inherit it. At most 64 letters, digits, '_', '-', '.',
     * or NULL. */
    const char *owner;
    const char *door;     /* by which way it was made, for the log; in the form of an owner, or
                             NULL */
    const char *packages; /* directory that `retort env` made; NULL: the environment's */
    /* The hosts that its code may connect to, as JSON text: a list of "HOST[:PORT]" and of rules,
     * or an object with "rules" and limits (docs/network.md). NULL or no rule: none. */
    const char *network;
    /* What happens if review rules find something in code, before it runs: "off" (NULL), "note",
     * "repair" or "block" (docs/policy.md); `rules` are additional rules, as JSON text, or NULL. */
    const char *review, *rules;
    uintptr_t reserved[3];
};

int retort_session_new(struct retort_engine *engine, const struct retort_session_options *options,
                       struct retort_session **ret_session, struct retort_error *error);
const char *retort_session_id(const struct retort_session *session);
/* The rules for the hosts that its code may connect to, as JSON text: "[]" if they allow none, NULL
 * if there are no rules. Belongs to the session, and does not change. */
const char *retort_session_network(const struct retort_session *session);
/* The isolation report, as JSON text: {"tier": …, "layers": […], "missing": […]}. */
const char *retort_session_isolation(struct retort_session *session);
/* {"session", "language", "cells", "state", "idle_s", "limits", "isolation", "account", …}; free
 * with retort_free. */
char *retort_session_info(struct retort_session *session);
/* The sum of the accounts of an owner's sessions (NULL: of all owners): {KIND: {"used", "limit"},
 * …, "sessions"}, and for NULL "supervisors"; free with retort_free. */
char *retort_accounts(struct retort_engine *engine, const char *owner);
void retort_session_close(struct retort_session *session);

enum retort_stream { RETORT_STDOUT = 1, RETORT_STDERR = 2 };

/* Called while a cell runs, in the thread that executes it. They must not call into the same
 * session. */
struct retort_callbacks {
    void *user;
    void (*output)(void *user, enum retort_stream stream, const char *text, size_t len,
                   uint64_t time_ns);
    void (*display)(void *user, const char *display_json);
    /* Called for a call of a host tool. Returns JSON text made with malloc; NULL and *ret_failure
     * (malloc) if it failed. */
    char *(*tool)(void *user, const char *name, const char *arguments_json, char **ret_failure);
    /* Called once, when the cell is about to start. True: it does not start, and its result says
     * "interrupted". To cancel a cell, first make this true and then call retort_interrupt: then no
     * interrupt is lost. */
    bool (*cancelled)(void *user);
    /* Called about every second while the cell runs, whether it prints or not. */
    void (*tick)(void *user, uint64_t time_ns);
    /* Called when the code has connected to a host, sent a request, or was refused: one element of
     * "network" in the result. */
    void (*network)(void *user, const char *event_json);
    uintptr_t reserved[6];
};

struct retort_execute_options {
    struct retort_limits limits; /* timeout, cpu, output: for this cell only */
    const struct retort_callbacks *callbacks;
    const char *filename; /* of a script, for tracebacks */
    /* leaves out value, variables and tables, and for a script also files and resources: faster */
    bool quiet;
    bool script; /* behave like a program: sys.argv, traceback on stderr, threads joined at the
                    end */
    const char *language; /* of this cell; NULL: the one that its first line names, %%NAME, or the
                             session's */
    /* The caller's name for this request, for retort_answered: up to 64 letters, digits and any of _.:-; or NULL */
    const char *request;
    uintptr_t reserved[6];
};

/* Runs one cell and waits for it. Returns 0 when there is a result, whatever its status; a negative
 * errno only when there is none (bad arguments, session gone). */
int retort_execute(struct retort_session *session, const char *code, size_t len,
                   const struct retort_execute_options *options, struct retort_result **ret_result,
                   struct retort_error *error);
/* The recorded result of the cell of this session that was executed with this request name. 1:
 * there is one, and the cell must not be executed again. 0: there is none. A cell that began and
 * never ended has the status "lost". */
int retort_answered(struct retort_session *session, const char *request,
                    struct retort_result **ret_result, struct retort_error *error);
/* For `tool` of struct retort_callbacks, with the session whose code calls it: adds a use of the
 * network for that call, in the form of one element of "network" in a result. It appears in the
 * calling cell's result and record, and its callback gets it. */
int retort_reached(struct retort_session *session, const char *event_json,
                   struct retort_error *error);
/* From another thread: interrupts the running cell. 0 also if none runs. An interrupt that comes
 * before the cell has started is lost, see `cancelled` above. */
int retort_interrupt(struct retort_session *session);

/* The result object, schema retort.result/1, as JSON text. */
const char *retort_result_json(const struct retort_result *result, size_t *ret_len);
const char *retort_result_status(const struct retort_result *result); /* "ok", "error", … */
int retort_result_exit_code(const struct retort_result *result); /* the exit status that `retort
                                                                    run` would have */
void retort_result_free(struct retort_result *result);

/* Files under /work, by relative path or by one that begins with /work/. Data is malloc'ed: free
 * with retort_free. */
int retort_file_read(struct retort_session *session, const char *path, uint64_t offset,
                     size_t length, char **ret_data, size_t *ret_len, uint64_t *ret_size,
                     struct retort_error *error);
/* Opens one version of the file, whatever becomes of its name: the caller closes the descriptor. */
int retort_file_open(struct retort_session *session, const char *path, int *ret_fd,
                     uint64_t *ret_size, struct retort_error *error);
/* With `truncate` and offset 0, the file is replaced as a whole, or, if this fails, stays as it
 * was. */
int retort_file_write(struct retort_session *session, const char *path, uint64_t offset,
                      const void *data, size_t len, bool truncate, struct retort_error *error);
/* The same for a file that comes in pieces: it appears when it is finished. `size` is the number of
 * bytes that will come, 0 if unknown. If there is no room for both, the old file is removed when
 * the new one begins. Finish and cancel free the upload, which must not outlive its session. */
struct retort_upload;
int retort_upload_begin(struct retort_session *session, const char *path, uint64_t size,
                        struct retort_upload **ret_upload, struct retort_error *error);
int retort_upload_write(struct retort_upload *upload, const void *data, size_t len,
                        struct retort_error *error);
int retort_upload_finish(struct retort_upload *upload, struct retort_error *error);
void retort_upload_cancel(struct retort_upload *upload);
int retort_file_delete(struct retort_session *session, const char *path,
                       struct retort_error *error);
/* JSON list of {path, size, mime}; free with retort_free. 0; or 1: the list is not complete. */
int retort_file_list(struct retort_session *session, char **ret_json, struct retort_error *error);
/* The stored output of a cell, up to the output_stored quota; *ret_total: the number of stored
 * bytes. */
int retort_output_read(struct retort_session *session, unsigned cell, enum retort_stream stream,
                       uint64_t offset, size_t length, char **ret_data, size_t *ret_len,
                       uint64_t *ret_total, struct retort_error *error);

/* Names and attributes that complete the code at the cursor: {"start": n, "names": […]}; free with
 * retort_free. The language is the one that the first line names, %%NAME, or the session's. */
int retort_complete(struct retort_session *session, const char *code, size_t cursor,
                    char **ret_json, struct retort_error *error);
/* The same for code in this language. */
int retort_complete_in(struct retort_session *session, const char *language, const char *code,
                       size_t cursor, char **ret_json, struct retort_error *error);
/* The variables of a language; for sql, its tables: {"variables": [{name, type, repr}…]}; free with
 * retort_free. NULL: the session's language. */
int retort_variables(struct retort_session *session, const char *language, char **ret_json,
                     struct retort_error *error);

/* Host tools that code in the session may call: a JSON list of {name, description, parameters},
 * with "source" and "sinks" if it matters where data goes; or an object {"tools": the list,
 * "files", "policy"}. With a list alone, the last files and policy stay. */
int retort_tools(struct retort_session *session, const char *tools_json,
                 struct retort_error *error);

/* Goes back to before the last `cells` cells, with memory and files. {"cells", "state_via",
 * "state_notes"}, and "flags": ["files_incomplete"] if not all files came back; free with
 * retort_free. */
int retort_undo(struct retort_session *session, unsigned cells, char **ret_json,
                struct retort_error *error);

/* Makes `count` new sessions with the present state of this one, each independent from then on. */
int retort_branch(struct retort_session *session, unsigned count,
                  struct retort_session **ret_sessions, struct retort_error *error);

/* The differences between sessions, each seen while no cell runs in it: {"sessions": [id…],
 * "files": [{path, in}], "variables": [{name, in}], "same": {files, variables}, "last": […],
 * "notes": […]}. `in` and `last` have one element per session, null if it has none. Free with
 * retort_free. */
int retort_compare(struct retort_session *const *sessions, unsigned count, char **ret_json,
                   struct retort_error *error);
/* Whether the same call of retort_branch made both. */
bool retort_siblings(const struct retort_session *a, const struct retort_session *b);
/* Ends `others`, siblings of `kept`: interrupts what runs in them, and records which one was kept.
 * They take no cells any more; close them as usual. */
int retort_keep(struct retort_session *kept, struct retort_session *const *others, unsigned count,
                struct retort_error *error);

/* Brings back a recorded session that has no process in any engine (it slept, was closed, or its
 * engine died), by replay. -EBUSY: another engine runs it. */
int retort_session_resume(struct retort_engine *engine, const char *id,
                          struct retort_session **ret_session, struct retort_error *error);

/* Ends the processes of a session when no cell runs in it; its next use brings it back by replay.
 * Does nothing to a sleeping session. */
int retort_session_sleep(struct retort_session *session, struct retort_error *error);

/* Runs the cells of a recorded session again in a fresh one, answers host tools and network
 * requests from the ledger, and compares each stream, value and file. `progress` (may be NULL) is
 * called after each cell with its outcome: {"cell", "equal"}, and if it differs "what", "expected"
 * and "got"; long texts in these are cut, which "truncated" says. {"session", "equal", "cells",
 * "first": {"cell", "what", "expected", "got"}, "different": [{"cell", "what"}], "unanswered":
 * [{"cell", "scheme", "method", "host", "port", "path"}]}: "unanswered" are requests that are not
 * on record. Free with retort_free. */
int retort_replay(struct retort_engine *engine, const char *id,
                  void (*progress)(void *user, unsigned done, unsigned total, const char *verdict),
                  void *user, bool *ret_equal, char **ret_json, struct retort_error *error);

/* The same, but reports which functions of its Python cells were called, with which arguments and
 * answers. {"session", "equal", "different", "functions": [{"name", "cell": where it is defined,
 * "description", "source": with what it needs, or null, "missing": the variable that it would need,
 * or null, "steady": the same arguments have had the same answers, "calls": [{"cell", "in",
 * "out"}]}]}, The calls are some of those whose values can be written as JSON. Free with
 * retort_free. */
int retort_calls(struct retort_engine *engine, const char *id, char **ret_json,
                 struct retort_error *error);

/* Sessions of the ledger, or the entries of one: JSON list; free with retort_free. */
int retort_log(struct retort_engine *engine, const char *id, char **ret_json,
               struct retort_error *error);
/* Some entries of a session: those after `after` and before `before`, and of these the last
 * `limit`; 0: no such bound. {"session", "parent", "branched_at": the entry of the parent that made
 * it, "total": the number of all entries, "entries"}; free with retort_free. */
struct retort_part {
    uint64_t after, before, limit;
};
int retort_entries(struct retort_engine *engine, const char *id, const struct retort_part *part,
                   char **ret_json, struct retort_error *error);
/* Whether the code of a cell, or an agent's task, of a recorded session contains the text, in any
 * case. */
bool retort_mentions(struct retort_engine *engine, const char *id, const char *text);
/* The recorded result of a cell: `entry` is that of the outcome in retort_log. Free with
 * retort_free. */
int retort_recorded(struct retort_engine *engine, const char *id, uint64_t entry, char **ret_json,
                    struct retort_error *error);
/* A recorded session as a document: `format` is "ipynb", a notebook, or "html", a page in one file.
 * Free with retort_free. */
int retort_export(struct retort_engine *engine, const char *id, const char *format, char **ret_text,
                  struct retort_error *error);
/* The owner that a recorded session was made with; "" if it had none. Free with retort_free. */
int retort_owner(struct retort_engine *engine, const char *id, char **ret_owner,
                 struct retort_error *error);
/* Gives a recorded session a name of at most 240 bytes, which retort_log returns as its title; ""
 * removes it. retort_verify does not check it. */
int retort_rename(struct retort_engine *engine, const char *id, const char *name,
                  struct retort_error *error);
/* Records a note about the session: `source` says who wrote it, at most 32 letters, digits, '_' or
 * '-'; `json` is an object of at most 16 MiB. Undo and replay ignore notes. Does nothing for a
 * session that is not recorded. */
int retort_note(struct retort_session *session, const char *source, const char *json,
                struct retort_error *error);
/* The same for any recorded session, even one that has ended. */
int retort_note_ended(struct retort_engine *engine, const char *id, const char *source,
                      const char *json, struct retort_error *error);
/* Checks the numbers of an answer against what ran in a session, which is recorded, or live in this
 * engine. `question` is what was asked, or NULL. If this engine has the session, it fills in
 * {{expr}} in the answer, in a branch that is ended again. {"accepted", "flags", "numbers":
 * [{"text", "start", "end", "verdict", "reason", …}], "answer", "advice"}; free with
 * retort_free. */
int retort_check(struct retort_engine *engine, const char *id, const char *question,
                 const char *answer, char **ret_json, struct retort_error *error);
/* Checks the chain and every stored byte; `head` is a hash that the caller kept, or NULL.
 * {"verdict", "entries", "blobs", "bytes", "head", "findings"}; free with retort_free. */
int retort_verify(struct retort_engine *engine, const char *id, const char *head, bool *ret_sound,
                  char **ret_json, struct retort_error *error);

/* What this host can enforce, layer by layer, as JSON; free with retort_free. */
char *retort_doctor(bool *ret_core_holds);

void retort_free(void *pointer);

#ifdef __cplusplus
}
#endif
#endif
