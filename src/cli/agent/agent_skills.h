/* Skills for a run of the agent: those that are named, and those that fit its task best.
 *
 * Runs in: the command line, which is a broker.
 * Hostile: nothing; what skills do, they do in sessions (skills/skillset.h).
 * Life cycle: zero; agent_skills_open; agent_skills_close before the engine closes.
 * Owns: the skills.
 * Tests: tests/system/test_agent_skills.py
 */
#pragma once

#include "agent/run/agent.h"
#include "cli/opt.h"
#include "skills/skillset.h"

#define AGENT_SKILLS 5 /* that are looked for */

struct agent_skills_asked {
    struct opt_list names;
    bool fitting; /* look for those that fit the task, too */
};

struct agent_skills {
    struct skillset *set; /* or NULL: none is asked for */
};

int agent_skills_open(struct agent_skills *skills, struct retort_engine *engine,
                      const struct agent_skills_asked *asked, const char *task,
                      struct retort_error *err);
void agent_skills_close(struct agent_skills *skills);

/* A run has answered: a function of it becomes a skill, if one can be kept. What came of it is told,
 * as an event with `json`, and put on the record. */
void agent_skills_learn(struct retort_engine *engine, struct retort_session *session,
                        const struct agent_outcome *outcome, bool json);
