/* Skills for a run of the agent: those that are named, and those that fit its task best.
 *
 * Runs in: the command line, which is a broker.
 * Hostile: nothing; the code of skills runs in sessions (skills/skillset.h).
 * Life cycle: zero; agent_skills_open; agent_skills_close before the engine closes.
 * Owns: the skills.
 * Tests: tests/system/test_agent_skills.py
 */
#pragma once

#include "agent/run/agent.h"
#include "cli/opt.h"
#include "skills/skillset.h"

#define AGENT_SKILLS 5 /* the most that are added because they fit the task */

struct agent_skills_asked {
    struct opt_list names;
    bool fitting; /* look for those that fit the task, too */
};

struct agent_skills {
    struct skillset *set; /* NULL: the run uses none */
};

int agent_skills_open(struct agent_skills *skills, struct retort_engine *engine,
                      const struct agent_skills_asked *asked, const char *task,
                      struct retort_error *err);
void agent_skills_close(struct agent_skills *skills);

/* After a run has answered: one of its functions becomes a skill, if one can be kept. Prints the
 * outcome (with `json`, as an event) and puts it on the record. */
void agent_skills_learn(struct retort_engine *engine, struct retort_session *session,
                        const struct agent_outcome *outcome, bool json);
