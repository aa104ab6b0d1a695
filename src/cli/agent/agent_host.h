/* What the code of a run may call on the host: skills, and commands of a file (`--tools`).
 *
 * Runs in: the command line, which is a broker.
 * Hostile: the arguments of calls come from a guest.
 * Life cycle: zero; agent_host_open; agent_host_close before the engine closes.
 * Owns: the skills, the tools and the text that describes them.
 * Tests: tests/system/test_agent_tools.py
 */
#pragma once

#include "cli/agent/agent_skills.h"
#include "cli/agent/agent_view.h"
#include "cli/term.h"
#include "cli/tools/toolfile.h"

struct agent_host {
    struct agent_skills skills;
    struct toolfile commands;
    struct term err;
    char *offered;
    struct agent_view *view; /* of the terminal; set when there is one */
    const atomic_bool *cancel;
    uint64_t began_ns; /* the cell that runs … */
    double timeout;    /* … and its time limit; 0: that of its session */
};

/* Fills in the options' tools. 0, or the exit status. */
int agent_host_open(struct agent_host *host, struct retort_engine *engine,
                    const struct agent_skills_asked *asked, const char *file,
                    struct agent_options *options);
void agent_host_close(struct agent_host *host);
