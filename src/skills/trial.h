/* The trial of a skill before it comes into the library: sealed sessions read its folder, review
 * its code and run its tests, and rules (the critic) judge the answers.
 *
 * Runs in: broker; the engine is the caller's.
 * Hostile: the folder. We check what sessions say of it: names, sizes, and answers of tests; the
 *   expected answers never enter a session.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include <jansson.h>

#include "retort.h"
#include "skills/skillfiles.h"

/* Returns the manifest, as the folder describes the skill, without version, review and provenance.
 * `code` and `functions` are missing if it has none. For a WebAssembly module, the built program is
 * added to the files, and `built` is its hash. */
int trial_inspect(struct retort_engine *engine, struct skill_files *files, json_t **ret,
                  struct retort_error *err);
/* {"verdict", "findings": [{"file", "rule", "line", "message", …}]}; refuses code that the review
 * blocks. */
int trial_review(struct retort_engine *engine, const struct skill_files *files, json_t **ret,
                 struct retort_error *err);
/* Runs the manifest's tests in a fresh session, and again in reverse order in another. `rules`: see
 * runner_new; *ret_count: the number of tests. */
int trial_test(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, const char *rules, unsigned *ret_count,
               struct retort_error *err);
