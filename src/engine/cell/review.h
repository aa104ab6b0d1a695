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

/* Tools that are on offer from now on; the session takes them. -EINVAL: they are declared wrongly, and
 * those before stay. */
int flow_offer(struct retort_session *s, json_t *tools, struct retort_error *err);
/* Before the cell runs: what is proved of it. */
void flow_judge(struct cell *c, const char *code, size_t len);
