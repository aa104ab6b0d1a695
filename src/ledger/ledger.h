/* The ledger: a hash-chained log per session (SQLite) and a content-addressed store beside it.
 *
 * Runs in: broker.
 * Hostile: every byte that is stored; never the database itself, which is the user's own
 *   (docs/ledger.md says what its owner could change unseen).
 * Life cycle: ledger_open … ledger_close; every function may be called from any thread in between.
 * Owns: DIR/ledger.db, DIR/store/, DIR/leases/ and one flusher thread. Touches no signal, logs
 *   nothing.
 * Invariants: an entry is recorded when ledger_append returns 0, and survives the death of the
 *   process from then on; a session is only ever appended to by the engine that holds its lease.
 * Tests: tests/unit/test_ledger*.c
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

#define LEDGER_ID_SIZE 65     /* of a session or engine id, with the final NUL */
#define LEDGER_TITLE_SIZE 241 /* eighty characters of most scripts */

struct ledger;

struct ledger_options {
    uint64_t max_bytes; /* of stored bytes; the flusher enforces it; 0: none */
    unsigned max_age_s; /* stored bytes expire when unused for this long; 0: never */
    const char *place;  /* the name of the directory in errors, once it is open; NULL: its path */
    unsigned busy_ms;   /* how long to wait for another engine's transaction; 0: 5,000 */
};

/* Opens or makes the state directory, and declares sessions of dead engines interrupted. */
int ledger_open(const char *dir, const struct ledger_options *options, struct ledger **ret,
                struct retort_error *err);
/* Syncs what is still unsynced and gives the lease back. Takes NULL. */
void ledger_close(struct ledger *l);
const char *ledger_engine(const struct ledger *l);

/* --- entries --- */

enum ledger_kind {
    LEDGER_CREATE,
    LEDGER_CELL_INTENT,
    LEDGER_TOOL_CALL,
    LEDGER_FILE_WRITE,
    LEDGER_FILE_DELETE,
    LEDGER_CELL_OUTCOME,
    LEDGER_UNDO,
    LEDGER_BRANCH,
    LEDGER_SLEEP,
    LEDGER_RESUME,
    LEDGER_CLOSE,
    LEDGER_FORGET,
    LEDGER_NOTE,
    LEDGER_NETWORK,
    LEDGER_KINDS
};

const char *ledger_kind_name(enum ledger_kind kind); /* "create", "cell_intent", … */

enum ledger_state {
    LEDGER_LIVE,        /* an engine runs it, or did until it died just now */
    LEDGER_ASLEEP,      /* put to sleep; any engine may resume it */
    LEDGER_INTERRUPTED, /* its engine died; any engine may resume it */
    LEDGER_CLOSED,
    LEDGER_FORGOTTEN,
    LEDGER_STATES
};

const char *ledger_state_name(enum ledger_state state); /* "live", "asleep", … */

/* Where an entry stands. */
struct ledger_ref {
    uint64_t seq; /* counts from 1 in each session */
    char hash[HASH_TEXT_SIZE];
    bool durable;    /* it was on the disk when the call returned */
    uint64_t ticket; /* argument for ledger_durable */
};

/* Begins the log of a session with its "create" entry. With a parent, the parent gets a "branch"
 * entry {child} in the same transaction, and the child's chain goes on from the hash of that entry.
 */
int ledger_begin(struct ledger *l, const char *id, const char *parent, const json_t *body,
                 struct ledger_ref *ret, struct retort_error *err);

/* Appends one entry. The store must have what `body` refers to (ledger_refs). The kinds "sleep" and
 * "close" change the state of the session; "create", "branch", "resume" and "forget" have functions
 * of their own. */
int ledger_append(struct ledger *l, const char *session, enum ledger_kind kind, const json_t *body,
                  struct ledger_ref *ret, struct retort_error *err);

/* Lets this engine take a session that sleeps, was interrupted or was closed. -EBUSY: another
 * engine runs it. */
int ledger_resume(struct ledger *l, const char *session, const json_t *body, struct ledger_ref *ret,
                  struct retort_error *err);

/* Waits until everything recorded so far is on the disk. */
int ledger_sync(struct ledger *l, struct retort_error *err);
bool ledger_durable(struct ledger *l, const struct ledger_ref *ref);

struct ledger_session {
    char id[LEDGER_ID_SIZE];
    char parent[LEDGER_ID_SIZE]; /* "" for none */
    uint64_t parent_seq;         /* the "branch" entry of the parent */
    enum ledger_state state;
    char engine[LEDGER_ID_SIZE]; /* the last engine that ran it */
    int64_t created_ms, touched_ms;
    uint64_t seq; /* of the last entry */
    unsigned cells;
    char head[HASH_TEXT_SIZE];     /* hash of the last entry */
    char title[LEDGER_TITLE_SIZE]; /* that a user gave it; "": none */
};

/* Whether the first entry of any session in the ledger of this directory contains the text. Only
 * reads the database, even if another process has it open; false if there is none. */
int ledger_begins_with(const char *dir, const char *text, bool *ret, struct retort_error *err);

struct ledger_entry {
    uint64_t seq;
    enum ledger_kind kind;
    int64_t time_ms;
    json_t *body; /* NULL: it was forgotten */
    char hash[HASH_TEXT_SIZE];
};

void ledger_entry_done(struct ledger_entry *e);

/* Visitors return 0 to go on; anything else ends the visit and is returned. They may call the
 * ledger. */
int ledger_sessions(struct ledger *l, int (*visit)(void *user, const struct ledger_session *s),
                    void *user, struct retort_error *err);
int ledger_session_get(struct ledger *l, const char *id, struct ledger_session *ret,
                       struct retort_error *err);
/* Entries first … last, in order; a last of 0 means to the end. */
int ledger_entries(struct ledger *l, const char *session, uint64_t first, uint64_t last,
                   int (*visit)(void *user, const struct ledger_entry *e), void *user,
                   struct retort_error *err);
int ledger_entry_get(struct ledger *l, const char *session, uint64_t seq, struct ledger_entry *ret,
                     struct retort_error *err);

/* --- results --- */

/* {"sha256", "size"} of a text, or of a value in canonical form, as in the sums of an outcome. */
json_t *ledger_summary(const json_t *value);
/* Records the outcome of a cell from its result (schema retort.result/1). The result becomes a
 * blob, its images blobs of their own. The body gets cell, status, exit_code, signal, flags, state,
 * resources, files as they are, and in "sums" {sha256, size} of stdout, stderr, value and displays,
 * for comparing. `extra` (may be NULL) holds members that the body gets in addition or instead:
 * "blobs" {"stdout": …} for a stream that was too long for the result, "files" [{path, sha256,
 * size, change, blob}], "sums" of whole streams, "interrupted" {after_us, output}. */
int ledger_outcome(struct ledger *l, const char *session, const json_t *result, const json_t *extra,
                   struct ledger_ref *ret, struct retort_error *err);
/* The result that entry `seq` recorded, put together again, with its "ledger" member. Images that
 * have expired are left out. */
int ledger_result(struct ledger *l, const char *session, uint64_t seq, json_t **ret,
                  struct retort_error *err);
/* A descriptor for the "stdout" or "stderr" of that result, as much of it as was stored. */
int ledger_stream(struct ledger *l, const char *session, uint64_t seq, const char *stream,
                  uint64_t *ret_size, struct retort_error *err);

/* --- notes --- */

/* Records a note that somebody outside the session makes about it: "source" names them, the event
 * is a JSON object. Its long members go to the store. A note changes nothing: history and replay
 * skip it. */
int ledger_note(struct ledger *l, const char *session, const char *source, const json_t *event,
                struct ledger_ref *ret, struct retort_error *err);
/* The event of a note, from the body of its entry, put together again; members that have expired
 * are left out. NULL: there is none. */
json_t *ledger_note_event(struct ledger *l, const json_t *body);

/* --- history --- */

/* One step of the present state of a session: a cell that kept its state, or a file that was
 * written or deleted from outside. Replaying all steps in order gives the state again. */
struct ledger_step {
    enum ledger_kind kind;        /* LEDGER_CELL_INTENT, LEDGER_FILE_WRITE, LEDGER_FILE_DELETE */
    char session[LEDGER_ID_SIZE]; /* the session that recorded it: this one or an ancestor */
    uint64_t seq;
    uint64_t outcome_seq; /* of a cell; its tool calls are between the two entries */
    json_t *body;
    json_t *outcome; /* of a cell */
};

struct ledger_history {
    struct ledger_step *steps;
    size_t count;
    unsigned cells; /* how many of the steps are cells: what undo can take back */
    unsigned last;  /* number of the last cell that began, whatever became of it */
};

/* -ENODATA when a needed entry was forgotten. */
int ledger_history(struct ledger *l, const char *session, struct ledger_history *ret,
                   struct retort_error *err);
void ledger_history_done(struct ledger_history *h);

/* The sessions of a history, the oldest ancestor first; the last is the session itself. free() the
 * list. */
struct ledger_part {
    char session[LEDGER_ID_SIZE];
    uint64_t last; /* the last entry that belongs to the history */
};

int ledger_lineage(struct ledger *l, const char *session, struct ledger_part **ret,
                   size_t *ret_count, struct retort_error *err);
