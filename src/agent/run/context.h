/* Inputs that are larger than any prompt: they are files in the session, and code reads them as
 * `context`. Internal to src/agent/run.
 *
 * Runs in: the broker's process.
 * Owns: nothing.
 * Tests: tests/system/test_agent_queries.py
 */
#pragma once

#include "agent/run/agent_work.h"

/* Gives the session room for the inputs, and time for questions. 0 or -errno and `problem`. */
int context_room(const struct agent_options *options, struct retort_session_options *ret,
                 char *problem, size_t size);
/* Puts the inputs into the session, and tells the model about them. */
int context_add(struct agent_work *w, char *problem, size_t size);
