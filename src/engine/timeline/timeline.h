/* Going on, going back and going elsewhere: what is done with a session's timeline (steps.h).
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: interpreters that are asked to fork or to answer; we wait for them, but not for long.
 * Life cycle: none.
 * Owns: nothing.
 * Invariants: calls go down only: execute → recover → rerun → cell.
 * Tests: tests/system/test_model.py, tests/system/test_sessions.py, tests/system/test_branch.py
 */
#pragma once

#include "engine/cell/cell.h"
#include "engine/session/record.h"

/* --- cells (execute.c) --- */

/* Checks the request, wakes the session, runs the cell, concludes and records it. Gives the result
 * as JSON. */
int execute(struct retort_session *s, const char *code, size_t len,
            const struct retort_execute_options *options, json_t **ret, struct retort_error *err);
/* A cell of the past once more, with its result as JSON. No checkpoint, no record. */
int execute_again(struct retort_session *s, const struct step *p, bool script, json_t **ret,
                  struct retort_error *err);

/* --- checkpoints (checkpoint.c) --- */

/* Takes one now. 0, or -errno: there is none. */
int checkpoint_take(struct retort_session *s);
/* Before a cell: takes one if replaying what came since the last one would cost too much. */
void checkpoint_before_cell(struct retort_session *s);
/* After a cell that became part of the state: a checkpoint is due when the session has been idle
 * for a moment. */
void checkpoint_after_cell(struct retort_session *s, uint64_t cost_us);
/* Does what is due when the session has been idle for a moment. */
void checkpoint_idle(struct retort_session *s);
/* The dormant process goes on in place of the interpreter, which is dead. That uses the checkpoint
 * up. */
int checkpoint_revive(struct retort_session *s, json_t *notes);

/* --- going back (rerun.c, recover.c, undo.c) --- */

/* Runs again what one interpreter ran in a part of the past. Notes say what may differ from the
 * first time. */
int rerun(struct retort_session *s, enum language language, size_t from, size_t to, json_t *notes);
/* Brings back memory and files as they were after the first `count` steps, in the interpreters that
 * are dead (1 << language) or have run more than that; others are left alone. Returns "checkpoint"
 * or "replay", or NULL: the session has no process any more, and has ended if it was live. */
const char *recover(struct retort_session *s, size_t count, uint32_t dead, json_t *notes);
/* Before a cell: makes sure that its interpreter is there, with the state that it had. */
int recover_ready(struct retort_session *s, enum language language, struct retort_error *err);
/* Sets an error, which says why if the last note is one of ours. */
int recover_error(const char *what, const json_t *notes, struct retort_error *err);
int undo(struct retort_session *s, unsigned cells, char **ret_json, struct retort_error *err);

/* --- without a process (sleep.c, resume.c) --- */

/* Ends the processes of an idle session and keeps its past; session_wake brings it back by replay.
 */
void session_sleep(struct retort_session *s);
/* The same because somebody asks for it; one that sleeps goes on sleeping. */
int session_sleep_now(struct retort_session *s, struct retort_error *err);
int session_wake(struct retort_session *s, struct retort_error *err);
/* A session that could not come back is as it was: it, or another engine, may try again. */
int sleep_again(struct retort_engine *e, const char *id, struct retort_error *err);
/* A new session with these options, admitted and connected, not begun. */
int session_open(struct retort_engine *e, const struct retort_session_options *o,
                 struct retort_session **ret, struct retort_error *err);
/* A session like the recorded one, with its past loaded and not yet run; under a new id,
 * unrecorded. `offline`: it will run nothing but its past, and needs no secret. */
int session_open_like(struct retort_engine *e, const char *id, bool offline,
                      struct retort_session **ret, struct retort_error *err);
int session_resume_recorded(struct retort_engine *e, const char *id, struct retort_session **ret,
                            struct retort_error *err);
void session_close(struct retort_session *s);

/* --- cells that are run again when a session comes back (differ.c) --- */

/* Adds a note for a cell that came out differently than the ledger says. */
void differ_note(struct retort_session *s, const struct step *p, struct cell *c, json_t *notes);
/* Fills in what the ledger says about cells that this process ran itself. */
void differ_load(struct retort_session *s, const struct ledger_history *history);

/* --- between cells (leftover.c) --- */

/* Whether the idle thread should look again; and the look, that may put the session to sleep. */
bool leftover_due(const struct retort_session *s, uint64_t now);
void leftover_look(struct retort_session *s);
