/* What the engine records of a session. Every function does nothing for a session that is not
 * recorded.
 *
 * Intent before the effect, outcome after it. A cell whose intent cannot be written is not run.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: what is recorded of guests; it is stored as bytes.
 * Life cycle: none.
 * Owns: nothing; the ledger is the engine's.
 * Tests: tests/system/test_log.py, tests/system/test_sessions.py
 */
#pragma once

#include "base/buf.h"
#include "engine/session/session.h"
#include "ledger/ledger.h"

/* The state directory: given, $RETORT_STATE, $XDG_STATE_HOME/retort, ~/.local/state/retort. Made if
 * missing. */
int record_open(struct retort_engine *e, const char *dir, struct retort_error *err);

int record_create(struct retort_session *s, struct retort_error *err);

struct record_intent {
    unsigned cell;
    const char *code;
    size_t len;
    const struct cell_language *language;
    const struct limits *limits;
    bool script;
    const char *request; /* or NULL */
};
/* *ret_seq: of the entry; untouched if nothing is recorded. */
int record_intent(struct retort_session *s, const struct record_intent *intent, uint64_t *ret_seq,
                  struct retort_error *err);
/* Waits until the entry of record_intent counts, before a cell does anything that is seen outside
 * of its session. In a cluster the entry may still be on its way. */
int record_settled(struct retort_session *s, uint64_t seq, struct retort_error *err);
/* Does to the files again what the outcome of a cell says that it did. */
int record_redo_files(struct retort_session *s, const json_t *outcome);
int record_tool(struct retort_session *s, unsigned cell, const json_t *call,
                struct retort_error *err);

/* One event of the gate; the ledger's entry is the event, and the number of the cell. The answer (may
 * be NULL) is stored; the event gets its hash, "blob". */
int record_network(struct retort_session *s, unsigned cell, json_t *event, const struct buf *answer,
                   struct retort_error *err);
/* The answer that an event refers to; malloc'ed, NULL: it is gone. */
char *record_answer(struct retort_session *s, const json_t *event, size_t *ret_len);

/* Records what somebody outside writes into a file. `truncate`: the file has nothing else in it
 * then. */
struct file_piece {
    uint64_t offset;
    const void *data;
    size_t len;
    bool truncate;
};
int record_write(struct retort_session *s, const char *path, const struct file_piece *piece,
                 struct retort_error *err);
int record_delete(struct retort_session *s, const char *path, struct retort_error *err);

struct record_outcome {
    const struct step *step; /* the step that the cell made; NULL: it was taken back */
    const struct stream *out, *err;
    struct interrupted interrupted;
    const struct retort_error *unrecorded; /* a call that is not in the ledger */
};
/* Adds the "ledger" member to the result. */
void record_outcome(struct retort_session *s, const struct record_outcome *o, json_t *result);
int record_note_on(struct ledger *l, const char *session, const char *source, const char *json,
                   struct retort_error *err);
int record_note(struct retort_session *s, const char *source, const char *json,
                struct retort_error *err);
int record_undo(struct retort_session *s, unsigned cells, struct retort_error *err);
/* The branch gets a chain of its own that goes on from its parent's. */
int record_branch(struct retort_session *s, const struct retort_session *parent,
                  struct retort_error *err);
void record_end(struct retort_session *s, enum ledger_kind kind);
/* The session ends because another branch was kept; nothing is recorded of it after that. */
void record_kept(struct retort_session *s, const char *kept);

/* --- from the ledger (record_load.c) --- */

/* The past of a session as the ledger knows it, for one that has no process. */
int record_load(struct retort_session *s, const struct ledger_history *history,
                struct retort_error *err);
/* Takes from the ledger the files that came in after the last cell, and that nobody could list
 * before the session's processes ended. */
int record_reload_files(struct retort_session *s, const struct ledger_history *history,
                        struct retort_error *err);
/* Calls of host tools in a cell, and answers from the network, as they are held in memory; NULL: some are not in the ledger any
 * more. */
json_t *record_calls(struct retort_session *s, const struct step *p);
/* The state that was saved after a cell; malloc'ed, or NULL. */
char *record_state(struct retort_session *s, const struct step *p, size_t *ret_len);
/* Writes or deletes a file again as the ledger has it. -ENODATA: it does not have it. */
int record_rewrite(struct retort_session *s, const struct step *p);
/* A name as json_name() wrote it, back to bytes; malloc'ed. */
char *name_bytes(const char *name);
