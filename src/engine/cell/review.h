/* Judgements about a cell's code before it runs, which its calls are then compared with.
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

/* Makes sure that the session has a judge for its code. */
int review_take(struct retort_session *s, struct retort_error *err);
/* The same, if the session asked for a review. */
int review_begin(struct retort_session *s, struct retort_error *err);
/* Whether the code may run; if not, the result says why. */
bool review_cell(struct cell *c, const char *code, size_t len);

/* The cell is not run, and `error`, which is taken, is why. */
void review_refuse(struct cell *c, json_t *error);
/* The error of a cell that is refused. */
json_t *review_error(const char *message, json_t *line, json_t *source, const char *hint);

/* Offers these tools from now on. `policy`, unless it is NULL, has what holds beside them: `files`,
 * `policy`. -EINVAL: a declaration is wrong, and the tools from before stay. */
int flow_offer(struct retort_session *s, json_t *tools, const json_t *policy,
               struct retort_error *err);
/* Whoever answers a call of a tool has used the network: the event counts for the cell that called
 * (traffic.c). -EINVAL: no call waits, or it is no event. */
int tools_reached(const struct host_tools *t, const char *event);
/* Before the cell runs: finds out what is proved of it. False: the policy forbids to run what is
 * not proved, and the result says why. */
bool flow_cell(struct cell *c, const char *code, size_t len);
/* After a cell: notes the files that it changed. Those that are sinks are not given out unless the
 * cell is proved. `whole`: it changed no other files. */
void flow_wrote(struct cell *c, const json_t *files, bool whole);
/* Whether the client may have this file; if not, `err` says why. */
bool flow_gives(const struct retort_session *s, const char *path, struct retort_error *err);
/* If r is 0, the client has replaced or removed the file, so it is trusted again. Returns `r`. */
int flow_forget_file(struct retort_session *s, const char *path, int r);
