/* An answer, held against a session of this engine or a recorded one.
 *
 * `{{expr}}` in the answer is evaluated by the session's Python: in a branch, which is ended
 * afterwards and of which nothing is recorded. So whatever the expression does, the session stays as
 * it is.
 *
 * Runs in: the broker, in any thread.
 * Hostile: the answer, with its expressions.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_check_answer.py
 */
#pragma once

#include "engine/session/session.h"

struct asked_answer {
    const char *text;
    const char *question; /* or NULL */
};

/* The session must not be closed meanwhile. {accepted, flags, numbers, …} as proof_check gives it. */
int answer_check(struct retort_engine *e, const char *id, const struct asked_answer *answer,
                 json_t **ret, struct retort_error *err);
