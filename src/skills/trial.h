/* What a skill goes through before it is in the library: its folder is read, its code reviewed, its
 * tests run, each in sealed sessions, and the answers are looked at by rules (the critic).
 *
 * Runs in: broker; the engine is the caller's.
 * Hostile: the folder. What sessions say of it is checked here: names, sizes, answers of tests, which
 *   never enter a session.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include <jansson.h>

#include "retort.h"
#include "skills/skillfiles.h"

/* What the skill is, as far as its folder says: the manifest without version, review and provenance.
 * `code` and `functions` are missing if it has none. Of a WebAssembly module, what was built of it is
 * among the files afterwards, and its hash is `built`. */
int trial_inspect(struct retort_engine *engine, struct skill_files *files, json_t **ret,
                  struct retort_error *err);
/* {"verdict", "findings": [{"file", "rule", "line", "message", …}]}; refuses what blocks. */
int trial_review(struct retort_engine *engine, const struct skill_files *files, json_t **ret,
                 struct retort_error *err);
/* Runs the tests of the manifest in a fresh session, and again backwards in another. `rules`: see
 * runner_new; *ret_count: how many tests there are. */
int trial_test(struct retort_engine *engine, const struct skill_files *files,
               const json_t *manifest, const char *rules, unsigned *ret_count,
               struct retort_error *err);
