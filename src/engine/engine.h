/* The broker's side: engines, sessions, cells. Everything here is behind include/retort.h.
 *
 * Runs in: whatever program uses the library, in any of its threads. Touches no signal, waits for
 * no child but the supervisor, starts no thread on the way from a cell to its result (but the
 * store one, to hash large files). Hostile:
 * frames, output and file names of guests; see wire/frame.h and wire/collect.h for where they are
 * decoded. Owns: an engine owns its supervisor and sessions; a session owns its sockets, pipes and
 * captured output. Locks: session->lock is held for a whole cell; engine->lock for moments only;
 * never the second while waiting for the first.
 */
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "engine/account.h"
#include "engine/measure.h"
#include "engine/network.h"
#include "retort.h"
#include "wire/control.h"

#define SESSION_ID_SIZE 24
#define SESSION_OWNER_SIZE 65

struct retort_engine {
    pthread_mutex_t lock;
    pid_t supervisor;
    int main_sock;
    int names_sock; /* to the keeper: paths that sessions need mounted */
    char libexec[512];
    struct retort_session *sessions;
    unsigned count, max_sessions, pool;
    struct ledger *ledger; /* NULL: nothing is recorded */
    json_t *packages;      /* fingerprint.c: what environments contain */
    uint64_t branchings;
    /* idle.c: one thread that takes the checkpoints that are due */
    pthread_t idle_thread;
    int idle_timer;
    uint64_t idle_until;
    struct retort_session *due_first, *due_last;
    bool idle_running, closing;
};

int idle_start(struct retort_engine *e);
void idle_stop(struct retort_engine *e);
void idle_add(struct retort_session *s);
void idle_forget(struct retort_session *s);

/* --- streams (stream.c): what a guest wrote, head and tail, bounded whatever comes
 * ----------------- */

struct stream {
    struct buf head;
    char *tail; /* ring */
    size_t head_max, tail_max, tail_len, tail_pos;
    uint64_t total, stored, store_max;
    int store;               /* the whole, up to the quota, in an unlinked file; -1: not kept */
    struct account *account; /* of who stores it, or NULL */
};

int stream_init(struct stream *s, uint64_t kept, uint64_t stored);
void stream_done(struct stream *s);
void stream_add(struct stream *s, const char *data, size_t len);
int spool_open(void); /* an unlinked file, gone with the process; -1 */
json_t *stream_text(const struct stream *s);
bool stream_truncated(const struct stream *s);

/* Any bytes as a JSON string: what is not UTF-8 becomes U+FFFD. */
json_t *json_text(const char *data, size_t len);
/* The same for file names, losslessly: bytes that are not printable UTF-8 become \xNN, and a
 * backslash \\. */
json_t *json_name(const char *data, size_t len);

/* --- files (files.c): the collector's client and the manifest
 * ------------------------------------- */

struct file {
    char *path, *target;
    uint64_t size, ctime_ns, inode;
    uint32_t mode;
    bool settled; /* as long as its times are these, it is the same */
    char sha256[65];
    int64_t kept; /* where its bytes are: an offset in the session's spool, or one of KEPT_… */
};

#define SPOOL_FACTOR 4 /* times `disk`: when it has grown to this, the spool is written anew */
#define KEPT_NOT (-1)
#define KEPT_IN_STORE (-2) /* of the ledger, by hash */

struct manifest {
    struct file *files; /* sorted by path */
    size_t count;
    uint32_t mode; /* of /work itself; 0: unknown */
    int missing;   /* errno: why not all files are in it; 0: they are */
    size_t bytes;  /* of memory */
};

/* The session's files are there as long as its collector is, also after its interpreter has ended.
 */
int file_check_alive(struct retort_session *s, struct err *err);

/* A file that arrives in pieces (upload.c). */
struct retort_upload {
    struct retort_upload *next;
    struct retort_session *session;
    char *path, *staged; /* where it will be, and where it is meanwhile: beside it */
    int fd;
    uint64_t written;
};
/* Whether an upload that is under way goes to this path. */
bool upload_hides(const struct retort_session *s, const char *path);
int upload_write_whole(struct retort_session *s, const char *path, const void *data, size_t len,
                       struct err *err);

void manifest_done(struct manifest *m);
/* The session's own becomes `now`, which is taken. */
void manifest_take(struct retort_session *s, struct manifest *now);
int files_list(const struct retort_session *s, struct manifest *ret, struct err *err);
int files_open(int collector, const char *path, uint64_t *ret_size, struct err *err); /* fd */
int files_create(int collector, const char *path, uint32_t flags, uint32_t mode,
                 struct err *err); /* fd */
int files_delete(int collector, const char *path, struct err *err);
int files_check_path(const char *path, struct err *err);
const char *files_mime(const char *path);
/* A directory, link or FIFO. */
int files_make(int collector, const struct file *f, struct err *err);
/* Another name for a regular file. */
int files_link(int collector, const char *path, const char *first, struct err *err);
/* Takes the place of what is at `to`. */
int files_rename(int collector, const char *path, const char *to, struct err *err);
bool files_full(const struct retort_session *s); /* no page or no file is left */
int manifest_copy(const struct manifest *from, struct manifest *ret);
struct file *manifest_find(const struct manifest *m, const char *path);
/* Why a list of files is not complete, for people. */
const char *files_missing_text(int missing);

/* A manifest at some point of the past; points between which no file changed share it. */
struct snapshot {
    unsigned refs;
    struct manifest files;
    struct account *account; /* of the session that has it */
};

/* A copy, on the session's account. */
struct snapshot *snapshot_new(struct retort_session *s, const struct manifest *files);
/* The same of one path alone, or of none if it is not there. */
struct snapshot *snapshot_of(struct retort_session *s, const struct manifest *files,
                             const char *path);
struct snapshot *snapshot_ref(struct snapshot *snap); /* takes NULL */
void snapshot_unref(struct snapshot *snap);
/* Compares with the session's manifest, hashes and keeps what is new or changed, and lists it:
 * [{path, size, sha256, mime, change}]. The session's manifest becomes `now`. Sets *ret_rejected if
 * something new or changed is no regular file or directory. */
json_t *files_changes(struct retort_session *s, struct manifest *now, bool *ret_rejected);

/* --- kept bytes (keep.c): contents of files, to restore them from --------------------------------
 */

/* Hashes the file and, if the session can be rolled back, keeps its bytes. */
void keep_file(struct retort_session *s, struct file *f);
/* All that `from` keeps, at the same places. */
int keep_copy(struct retort_session *to, const struct retort_session *from);
/* Writes what is kept anew when most of it is no longer needed. Only between two lists of files: it
 * knows of the session's manifest and the checkpoint's, not of one that is being made. */
void keep_compact(struct retort_session *s);
/* Makes the files of the session those of `target` again (NULL: none). What could not be restored
 * goes to `notes`, and files_incomplete is set. */
int keep_restore(struct retort_session *s, const struct manifest *target, json_t *notes);
/* The same for one path alone. */
int keep_restore_path(struct retort_session *s, const struct manifest *target, const char *path);
/* After keep_copy, for a branch that has its parent's files: what is known of them holds for it
 * too.
 */
int keep_inherit(struct retort_session *s, const struct retort_session *parent);
/* The session's files as they are now, shared with the last time if nothing changed. */
struct snapshot *keep_snapshot(struct retort_session *s);

/* --- output and plots of past cells (output.c)
 * ----------------------------------------------------- */

#define OUTPUTS 64 /* streams and plots that are remembered */

struct output {
    unsigned cell;
    enum retort_stream stream; /* 0: a plot */
    char *name;                /* of a plot: ".plots/cell3-1.png" */
    char *data;                /* small ones */
    int fd;                    /* long ones, or -1 */
    uint64_t len;
};

void output_keep(struct retort_session *s, unsigned cell, enum retort_stream stream,
                 struct stream *from);
void output_keep_plot(struct retort_session *s, unsigned cell, const char *name, const char *data,
                      size_t len);
const struct output *output_find(const struct retort_session *s, unsigned cell,
                                 enum retort_stream stream, const char *name);
void output_done(struct retort_session *s);
/* Whether the name is that of a plot which was kept once. */
bool output_plot_gone(const struct retort_session *s, const char *name);
/* Part of one as malloc'ed bytes. */
int output_part(const struct output *o, uint64_t offset, size_t length, char **ret_data,
                size_t *ret_len);

/* --- sessions (session.c) ----------------------------------------------------------------------
 */

/* What the supervisor knows of the session's files, and what it said of its memory (room.c). */
struct room {
    uint64_t files;        /* bytes for which the limit of memory makes way */
    uint64_t foreign;      /* of these, not charged to the session: we wrote them ourselves */
    uint64_t memory, most; /* now, and since the cell began */
    uint64_t copies;
    unsigned asked; /* answers that are under way */
};

/* What code of past cells has used since the last one ended (leftover.c). */
struct leftover {
    unsigned cell;      /* that one */
    uint64_t before_us; /* processor time by its end */
    uint64_t used_us;
    const char *limit; /* why it was put to sleep, or NULL */
};

struct retort_session {
    struct retort_session *next;
    struct retort_engine *engine;
    pthread_mutex_t lock;
    char id[SESSION_ID_SIZE];
    char owner[SESSION_OWNER_SIZE]; /* "": nobody in particular */
    char door[16];                  /* "": a program of its own */
    enum language language;
    struct limits limits;
    uint32_t flags, layers, missing, cgroup;
    struct ctl_create create; /* as it was asked for */
    bool warm, ready, ready_seen, dead, background;
    bool recorded, resumed, asleep; /* asleep: no process, comes back by replay */
    uint64_t seed, used_ns;         /* used_ns: 0 while it is being made */
    int ctl, channel, out, err, collector, work, net, measure[CREATED_MEASURES];
    int wake;          /* eventfd: an interrupt was asked for */
    atomic_bool woken; /* since it was last emptied */
    unsigned cells;
    char **env;
    char *isolation;
    json_t *shield; /* the same for results, all of which have it; NULL: not asked for yet */
    char cgroup_why[160], uid_why[160]; /* why those layers are missing */
    struct buf frames;                  /* bytes from the channel, not yet a whole frame */
    struct manifest manifest;
    struct snapshot *snapshot; /* of the manifest, unless it has changed since */
    bool manifest_changed;
    bool files_incomplete;         /* since the last result: more is true of files than is known */
    bool unsettled;                /* files were changed from outside since the manifest was made */
    struct retort_upload *uploads; /* files that are not complete yet, and seen by nobody */
    unsigned nuploads;
    int spool; /* unlinked file with the bytes of files; -1: none */
    uint64_t spool_len;
    struct output outputs[OUTPUTS];  /* a ring */
    unsigned noutputs, outputs_gone; /* up to this cell some may be in the ledger only */
    struct account account;
    uint32_t given_up;  /* GAVE_…, since the last result */
    bool heavy;         /* some cell needed much memory for a moment */
    json_t *tools;      /* host tools on offer, or NULL */
    json_t *last;       /* compare.c: the last result in short, or NULL */
    uint64_t branching; /* the same for all branches that were made at once; 0: it is none */
    bool tools_sent, tools_recorded;
    struct room room;
    struct leftover leftover;
    uint64_t looked_ns;                /* the idle thread's own */
    uint64_t tree_cpu_us, tree_memory; /* as the supervisor measured last, without a cgroup */
    struct measure counted;            /* by the kernel, up to the end of the last cell */
    bool alone;                        /* then there were but the session's own tasks, idle since */
    uint64_t own_tasks;                /* without the checkpoint; 0: not counted yet */
    unsigned unswept; /* cells since the supervisor last looked for what they left running */
    uint32_t swept;   /* and how many processes that were */
    /* state.c */
    enum retort_checkpoint checkpoint;
    enum retort_on_error on_error;
    uint32_t generation;
    bool gone;         /* the interpreter ended between two cells, */
    int gone_status;   /* in this way */
    unsigned late;     /* checkpoints that were asked for and not answered in time */
    struct past *past; /* all that made the present state, oldest first */
    size_t npast;
    size_t shed_calls, shed_files; /* before these, there is nothing more to give up */
    bool unlisted;                 /* its files could not be listed: `manifest` is older */
    size_t base;                   /* how many of them the dormant checkpoint contains */
    bool dormant;                  /* there is a checkpoint */
    uint64_t loose_us;             /* cost of running the cells since it again */
    struct snapshot *base_files;
    struct retort_session *due_next; /* in the engine's queue for checkpoints */
    uint64_t due_ns;
    bool due;
    bool dropped; /* the checkpoint was given up: the next result says so */
    json_t
        *birth_notes; /* of a branch, for its first result: what was lost, or why it is a replay */
    bool birth_replayed;
};

/* --- between cells (leftover.c)
 * ------------------------------------------------------------------- */

/* Whether the idle thread should look again; and the look, with the session's lock held, that may
 * put it to sleep. */
bool leftover_due(const struct retort_session *s, uint64_t now);
void leftover_look(struct retort_session *s);
/* Processor time since the last cell, checkpoints included; `now_us` by the cgroup, if there is
 * one. Without one: up to the last look. */
uint64_t leftover_cpu_us(const struct retort_session *s, uint64_t now_us);

/* --- state (state.c): checkpoints, roll-back, replay
 * ---------------------------------------------- */

/* One thing that made the present state: a cell, or a file that was written or deleted from
 * outside. */
/* When a client interrupted the cell, whatever it made of that. */
struct interrupted {
    uint64_t after_us; /* 0: it did not */
    uint64_t output;   /* bytes that it had written by then */
};

struct past {
    unsigned cell; /* 0: a file */
    char *code;    /* of the cell */
    size_t len;
    struct limits limits;   /* it had */
    uint64_t cost_us;       /* of running it again */
    char *path;             /* of the file */
    struct snapshot *files; /* all files, after it */
    json_t *calls;          /* answers of host tools, in order (toolcall.c); NULL: see below */
    unsigned ncalls;
    bool calls_lost, files_lost; /* given up, and nowhere else */
    char chain[SESSION_ID_SIZE]; /* session in the ledger whose entry `seq` began the cell; */
    uint64_t seq;                /* 0: not on record */
    struct interrupted interrupted;
    json_t *was;   /* from the ledger: the outcome of the cell, or NULL */
    json_t *write; /* from the ledger: how the file was written; `files` is unknown then */
};

/* What was given up for want of room, and is not in the ledger either. */
enum { GAVE_CALLS = 1, GAVE_LISTS = 2, GAVE_OUTPUT = 4 };

struct cell;
void past_add_cell(struct retort_session *s, struct cell *c, const char *code, size_t len);
void past_add_file(struct retort_session *s, const char *path);
/* A new one: to be filled, and then counted. */
struct past *past_grow(struct retort_session *s);
void past_count(struct retort_session *s, const struct past *p);
void past_cut(struct retort_session *s, size_t count);
/* Whether another one with as many bytes has room. */
int past_check_room(const struct retort_session *s, size_t bytes, struct err *err);
/* Gives up answers of host tools, the oldest first, until as many bytes have room. */
void past_make_room(struct retort_session *s, size_t bytes);
/* Answers to run the cell again with, to be freed by json_decref; NULL: there were none. */
json_t *past_calls(struct retort_session *s, const struct past *p);
/* Tells the result what was given up since the last one. */
void past_notes(struct retort_session *s, json_t *notes);
void past_done(struct retort_session *s);
size_t past_cells(const struct retort_session *s);

/* Before a cell: takes a checkpoint if replaying what came since the last one would cost too much.
 */
void state_before_cell(struct retort_session *s);
/* After a cell: a checkpoint is due when the session has been idle for a moment. */
void state_after_cell(struct retort_session *s, uint64_t cost_us);
/* Files were changed from outside: the manifest takes note, without listing them as any cell's. */
int state_note_files(struct retort_session *s);
/* Catches up with files that were written or deleted from outside. Before anything that needs their
 * state. */
void state_settle(struct retort_session *s);
/* Runs part of the past again. What may be otherwise than the first time goes to `notes`. */
int state_rerun(struct retort_session *s, size_t from, size_t to, json_t *notes);
/* The variables of the idle interpreter as it describes them: [{name, type, repr, digest}]; NULL if
 * it does not. One that does not answer at all is rolled back. */
json_t *state_variables(struct retort_session *s);
/* What there is to do when the session has been idle for a moment. */
void state_idle(struct retort_session *s);
/* Takes a checkpoint now. 0, or -errno: there is none. */
int state_checkpoint(struct retort_session *s);
/* Brings back memory and files as they were after the first `count` of the past. Returns
 * "checkpoint" or "replay", or NULL: the session is lost. */
const char *state_recover(struct retort_session *s, size_t count, json_t *notes);
/* execute.c: a cell of the past once more, with its result as JSON. */
int execute_again(struct retort_session *s, const struct past *p, bool script, json_t **ret,
                  struct err *err);

/* compare.c: keeps of a result what a comparison shows; NULL forgets it. */
void compare_note(struct retort_session *s, const json_t *result);

/* Ends the processes of an idle session and keeps its past; state_wake brings it back by replay. */
void state_sleep(struct retort_session *s);
int state_wake(struct retort_session *s, struct err *err);

/* A process of its own for the session. */
int state_rebirth(struct retort_session *s, struct err *err);

int session_open(struct retort_session *s, const struct retort_session_options *o,
                 struct ctl_create *c, struct err *err);
int session_connect(struct retort_session *s, const struct ctl_create *create, struct err *err);
int session_await_created(struct retort_session *s, struct err *err);
/* Starts the program of a bash session, which waits for it. */
int session_go(struct retort_session *s, const char *code, size_t len, struct err *err);
/* Waits for one message on the session's socket. Returns its type or -errno; fills what fits into
 * `msg`. */
int session_expect(struct retort_session *s, void *msg, size_t size, int *fds, size_t *nfds,
                   struct err *err);
int session_command(struct retort_session *s, enum ctl_type type);
int engine_name_paths(struct retort_engine *e, const struct ctl_environment *env); /* 0, -errno */
/* Waits for one of two messages about the session; takes note of others. */
int session_await(struct retort_session *s, enum ctl_type a, enum ctl_type b, int *fds,
                  size_t *nfds);
/* Ends what a cell left running, and says how many processes that were. */
void session_measured(struct retort_session *s, const struct ctl_measured *m);
uint32_t session_sweep(struct retort_session *s);
struct retort_session *session_alloc(struct retort_engine *e);
/* The last step of its making, without its lock: from here on the idle thread may look at it. */
void session_begin(struct retort_session *s);
void session_free(struct retort_session *s);
int engine_admit(struct retort_engine *e, struct retort_session *s, struct err *err);
void engine_dismiss(struct retort_engine *e, struct retort_session *s);
void session_hang_up(struct retort_session *s);
/* account.c: all of it, also what is counted elsewhere. */
void session_account(const struct retort_session *s, struct account *ret);
json_t *session_isolation_json(const struct retort_session *s);

/* --- interpreters (interpreter.c)
 * ------------------------------------------------------------------ */

/* The interpreter of a session, and what has to be mounted for it: its prefix, base prefix and the
 * libraries they need. `named`, a Python, is for sessions in Python, and may be NULL: then it is
 * the system's, or else the first on PATH. */
int interpreter_choose(enum language language, const char *named, struct ctl_environment *ret_env,
                       struct err *err);
/* Is it a program at all? */
int interpreter_check(const char *path, struct err *err);

/* --- limits (limits.c)
 * ------------------------------------------------------------------------------ */

int limits_fill(const struct retort_limits *given, const struct limits *defaults,
                struct limits *ret, struct err *err);
extern const struct limits limits_default;
/* To run a cell again: what it had, and time to spare where the machine is busier now. */
struct retort_limits limits_again(const struct limits *had);
/* As limits_json wrote them. */
struct retort_limits limits_recorded(const json_t *object);
json_t *limits_json(const struct limits *limits);

/* --- errors
 * ---------------------------------------------------------------------------------------- */

int api_error(struct retort_error *to, const struct err *from, int r);
/* 0 if all of a structure's reserved words are 0. */
#define API_KNOWN(options, err) api_known((options)->reserved, sizeof(options)->reserved, (err))
int api_known(const void *reserved, size_t size, struct err *err);
