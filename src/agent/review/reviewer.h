/* Verdicts on code, by the rules of `retort review`: a sealed session that reads code and never runs
 * it, kept open so that a verdict costs some milliseconds.
 *
 * Runs in: the broker's process, in any thread; one verdict at a time.
 * Hostile: the code. What the session answers is data.
 * Owns: the session.
 * Tests: tests/system/test_agent_review.py
 */
#pragma once

#include "retort.h"

#include <jansson.h>

struct reviewer;

/* What code is judged with; a copy is not made of the engine only. */
struct reviewer_options {
    const char *python, *environment; /* of the sessions that the code is for, or NULL */
    const char *packages;             /* the same, where there is no name of an environment */
    const char *rules;                /* more of them, as JSON text, or NULL */
};

/* Tries a verdict at once: rules that are wrong are told here. 0 or -errno with `error`. */
int reviewer_new(struct retort_engine *engine, const struct reviewer_options *options,
                 struct reviewer **ret, struct retort_error *error);
void reviewer_free(struct reviewer *r);
/* {"verdict": "clean"|"note"|"repair"|"block", "findings": [{"rule", "severity", "line", "message",
 * "hint"}…]}. What could not be read is a finding of `syntax`, or of `language` where there are no
 * rules for one. NULL with `error`: nothing is known. */
json_t *reviewer_judge(struct reviewer *r, const char *language, const char *code,
                       struct retort_error *error);
