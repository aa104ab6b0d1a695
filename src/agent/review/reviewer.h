/* Verdicts on code, by the rules of `retort review` and the analysis of `retort check`. A sealed
 * session reads the code and never runs it; it is kept open, so that a verdict takes some
 * milliseconds.
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

/* How code is judged; the texts are copied. */
struct reviewer_options {
    const char *python, *environment; /* of the sessions that the code is for, or NULL */
    const char *packages;             /* the same, if the environment has no name */
    const char *rules;                /* further rules, as JSON text, or NULL */
};

/* Gives a first verdict at once, so that wrong rules fail here. 0 or -errno with `error`. */
int reviewer_new(struct retort_engine *engine, const struct reviewer_options *options,
                 struct reviewer **ret, struct retort_error *error);
void reviewer_free(struct reviewer *r);
/* {"verdict": "clean"|"note"|"repair"|"block", "findings": [{"rule", "severity", "line", "message",
 * "hint"}…]}. Code that cannot be read is a finding of the rule `syntax`; code in a language without
 * rules is one of `language`. NULL with `error`: there is no verdict. */
json_t *reviewer_judge(struct reviewer *r, const char *language, const char *code,
                       struct retort_error *error);
/* Judges where the data of cells goes: {"verdict": "accepted"|"refused", "refusals": [{"line",
 * "message", …}…]}. `tools` is {"tools": […]}, `cells` is [[number, code, whether it failed], …].
 * NULL with `error`: there is no verdict, or the tools are declared wrongly. */
json_t *reviewer_follow(struct reviewer *r, const char *tools, const char *cells,
                        struct retort_error *error);
