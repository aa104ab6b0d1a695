/* The agent's events for a person: progress on standard error, the answer on standard output.
 *
 * Runs in: retort agent.
 * Hostile: all texts; control characters are not passed to the terminal.
 * Owns: nothing.
 * Tests: tests/system/test_agent.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "cli/elapsed.h"

struct agent_view {
    bool color;
    bool speaking; /* a reply is being shown as it comes */
    bool line;     /* the cursor is not at the beginning of a line */
    unsigned step;
    bool chat; /* the user has just typed the task */
    struct elapsed elapsed;
};

void agent_view_init(struct agent_view *v);
void agent_view_done(struct agent_view *v);
void agent_view_show(struct agent_view *v, const json_t *event);
/* While a question stands on the terminal and a cell runs, nothing else may be printed. */
void agent_view_hold(struct agent_view *v, bool held);
