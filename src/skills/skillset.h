/* The skills of one session: pinned versions, offered to its code as host tools, each runs in a
 * sealed session of its own, which is made at the first call.
 *
 * A tool is named skills.NAME@VERSION.FUNCTION, so that the record of every call says which version
 * answered it; a replay takes the answer from there. Code sees functions of the module `skills`.
 *
 * Runs in: broker, in any thread; one call at a time.
 * Hostile: names and arguments from the session's code, answers from the skills.
 * Life cycle: skillset_new or skillset_copy, then skillset_unref. Another thread may give the
 *   session another set during a call: so a caller holds a reference (skillset_ref).
 * Owns: the runners and their sessions.
 * Tests: tests/system/test_skill_calls.py
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "retort.h"
#include "skills/runner.h"

#define MAX_SKILLS 32 /* for one session */

struct skillset;

/* `names`: a list of NAME and NAME@VERSION. */
int skillset_new(struct retort_engine *engine, const char *state, const json_t *names,
                 struct skillset **ret, struct retort_error *err);
/* The same versions, for a branch; NULL when memory is out. */
struct skillset *skillset_copy(const struct skillset *set);
struct skillset *skillset_ref(struct skillset *set); /* accepts NULL */
void skillset_unref(struct skillset *set);

/* [{"name", "description", "parameters", "skill": {"name", "version", "hash", "function", "call",
 * "description", "network", "provenance", "text"}}], to be offered with other tools. "call": how
 * code writes the call; "network": whether the skill declares hosts; "provenance": where it was
 * learned; "text": its SKILL.md. An inline skill also has its "source". */
const json_t *skillset_tools(const struct skillset *set);
/* [{"name", "version", "hash"}] */
json_t *skillset_pins(const struct skillset *set);
/* Whether this is the name of a skill's tool, of any session. */
bool skillset_names(const char *tool);
/* Calls a function; the same contract as `tool` of struct retort_callbacks. */
char *skillset_call(struct skillset *set, const char *tool, const char *arguments,
                    const struct runner_patience *patience, char **ret_failure);
/* Ends a call that is running. */
void skillset_interrupt(struct skillset *set);
