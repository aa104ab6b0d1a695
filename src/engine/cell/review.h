/* What is said about a cell's code before any of it runs, and held against its calls.
 *
 * review.c holds the code against rules. flow.c follows its data: a tool that declares `source` or
 * `sinks` makes the session one with a policy. There each cell is read behind the cells that made the
 * present state, by the analysis of `retort check`. A cell is proved if nothing of untrusted origin
 * reaches what the sinks ask for. Once an untrusted answer has come into the session, only a proved
 * cell calls a tool with sinks, and only a proved cell ever reaches the network, whatever the code
 * in the session does.
 *
 * Runs in: the thread that executes the cell, with the session's lock held.
 * Hostile: the code, calls of the guest; what the judge says is data of its owner.
 * Owns: nothing.
 * Invariants: undo, roll-back and branches forget no origin.
 * Tests: tests/system/test_judged.py, tests/system/test_flow.py
 */
#pragma once

#include "engine/cell/cell.h"

/* Somebody who reads the code of the session is there. */
int review_take(struct retort_session *s, struct retort_error *err);
/* The same, if it is to be reviewed. */
int review_begin(struct retort_session *s, struct retort_error *err);
/* Whether the code may run; if not, the result says why. */
bool review_cell(struct cell *c, const char *code, size_t len);

/* The cell is not run, and `error`, which is taken, is why. */
void review_refuse(struct cell *c, json_t *error);
/* The error of a cell that is refused. */
json_t *review_error(const char *message, json_t *line, json_t *source, const char *hint);

/* Tools that are on offer from now on, and with `policy`, unless it is NULL, what is to be kept to
 * beside them: `files`, `policy`. -EINVAL: they are declared wrongly, and those before stay. */
int flow_offer(struct retort_session *s, json_t *tools, const json_t *policy,
               struct retort_error *err);
/* Before the cell runs: what is proved of it. False: what is not proved is not to run, and the result
 * says why. */
bool flow_cell(struct cell *c, const char *code, size_t len);
/* Behind a cell: the files that it changed, of which sinks are not given out if nothing is proved of it.
 * `whole`: it changed no others. */
void flow_wrote(struct cell *c, const json_t *files, bool whole);
/* Whether the client may have this file; if not, `err` says why. */
bool flow_gives(const struct retort_session *s, const char *path, struct retort_error *err);
/* What the client has put in its place, or removed, is nobody else's, if that went well. Gives `r`. */
int flow_forget_file(struct retort_session *s, const char *path, int r);
