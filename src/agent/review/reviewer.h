/* Verdicts on code, by the rules of `retort review` and the analysis of `retort check`: a sealed
 * session that reads code and never runs it, kept open so that a verdict costs some milliseconds.
 *
 * Runs in: the broker's process, in any thread; one verdict at a time.
 * Hostile: the code. What the session answers is data.
 * Owns: the session.
 * Tests: tests/system/test_agent_review.py, tests/system/test_flow.py
 */
#pragma once

#include "retort.h"

#include <jansson.h>

struct reviewer;

/* What code is judged with; the texts are copied. */
struct reviewer_options {
    const char *python, *environment; /* those of the sessions that the code is for, or NULL */
    const char *packages;             /* likewise, if the environment has no name */
    const char *rules;                /* more of them, as JSON text, or NULL */
};

/* Gives a first verdict at once, so wrong rules fail here. 0 or -errno with `error`. */
int reviewer_new(struct retort_engine *engine, const struct reviewer_options *options,
                 struct reviewer **ret, struct retort_error *error);
void reviewer_free(struct reviewer *r);
/* {"verdict": "clean"|"note"|"repair"|"block", "findings": [{"rule", "severity", "line", "message",
 * "hint"}…]}. Code that cannot be read is a finding of the rule `syntax`; code in a language without
 * rules is one of `language`. NULL with `error`: there is no verdict. */
json_t *reviewer_judge(struct reviewer *r, const char *language, const char *code,
                       struct retort_error *error);
/* Where the data of cells goes: {"verdict": "accepted"|"refused", "refusals": [{"line", "message", …}…]}
 * with tools as {"tools": […]} and cells as [[number, code, whether it failed], …]. NULL with `error`:
 * nothing is known, or the tools are declared wrongly. */
json_t *reviewer_follow(struct reviewer *r, const char *tools, const char *cells,
                        struct retort_error *error);
