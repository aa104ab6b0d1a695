/* Questions to an idle interpreter: completion, variables. One that is missing is brought back for it.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: every answer.
 * Owns: nothing.
 * Tests: tests/system/test_languages.py, tests/system/test_shell.py
 */
#pragma once

#include "engine/session/session.h"

/* One that does not answer is rolled back. `named`: NULL is the session's language, or that of the
 * first line. */
int question_complete(struct retort_session *s, const char *named, const char *code, size_t cursor,
                      char **ret_json, struct retort_error *err);
/* {"variables": [{name, type, repr}]} */
int question_variables(struct retort_session *s, const char *named, char **ret_json,
                       struct retort_error *err);
/* All that Python holds, as it describes it: [{name, type, repr, digest}]; NULL if it does not. */
json_t *question_contents(struct retort_session *s);
