/* The memory of runs: the events of each, and the conversation to go on with.
 *
 * One file a session under the state directory, agent/SESSION.jsonl, readable by its owner only; an
 * event a line, and after each run a line {"messages": […]}. Deltas and live output are left out:
 * the events they add up to are there. Nothing in it comes from a request header, so no key can be
 * in it.
 *
 * Runs in: the broker's process. Hostile: nothing; the file is the user's own. Owns: the open file.
 * Tests: tests/system/test_agent.py */
#pragma once

#include <jansson.h>
#include <stdio.h>

struct memory {
    FILE *file; /* NULL: nothing is kept */
};

/* `state` NULL: $RETORT_STATE, $XDG_STATE_HOME/retort, ~/.local/state/retort. 0 or -errno. */
int memory_open(struct memory *m, const char *state, const char *session);
void memory_add(struct memory *m, const json_t *event);
void memory_close(struct memory *m, const json_t *messages);
/* The conversation of the last run in a session; NULL when there is none. */
json_t *memory_load(const char *state, const char *session);
