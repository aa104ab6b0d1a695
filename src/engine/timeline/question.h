/* Questions to an idle interpreter: completion, variables. If it has no process, it is brought back
 * first.
 *
 * Runs in: the broker, with the session's lock held.
 * Hostile: every answer.
 * Owns: nothing.
 * Tests: tests/system/test_languages.py, tests/system/test_shell.py
 */
#pragma once

#include "engine/session/session.h"

/* An interpreter that does not answer is rolled back. `named`: NULL is the session's language, or
 * that of the first line. */
int question_complete(struct retort_session *s, const char *named, const char *code, size_t cursor,
                      char **ret_json, struct retort_error *err);
/* {"variables": [{name, type, repr}]} */
int question_variables(struct retort_session *s, const char *named, char **ret_json,
                       struct retort_error *err);
/* All variables of Python, as it describes them: [{name, type, repr, digest}]; NULL if it does not
 * answer. */
json_t *question_contents(struct retort_session *s);
