/* The review of a cell's code, before any of it runs.
 *
 * Runs in: the thread that executes the cell, with the session's lock held.
 * Hostile: the code; what the judge says of it is data.
 * Owns: nothing.
 * Tests: tests/system/test_judged.py
 */
#pragma once

#include "engine/cell/cell.h"

/* Somebody who reads the code of the session is there, if it wants that. */
int review_begin(struct retort_session *s, struct retort_error *err);
/* Whether the code may run; if not, the result says why. */
bool review_cell(struct cell *c, const char *code, size_t len);
