/* Skills: folders with a SKILL.md, and perhaps functions that sessions can call. The command line
 * and JSON-RPC call these functions.
 *
 * Runs in: broker; the command line, and JSON-RPC for administrators.
 * Hostile: folders that are added; see trial.h. All of a skill's code runs in sessions.
 * Life cycle: none.
 * Owns: nothing; objects that are returned are the caller's.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "retort.h"
#include "skills/skillfiles.h"

struct skills_job {
    const char *state;            /* the engine's state directory, or NULL */
    struct retort_engine *engine; /* runs the trials; NULL: one of its own */
    const char *rules;            /* network rules for skills that are tried, or NULL */
    const json_t *provenance;     /* where a new skill comes from, or NULL */
};

/* Reads, reviews and tests the skill, and adds it as the next version of its name; or leaves the
 * library as it is. `folder` is the name that it must have, or NULL. {"name", "version", "hash",
 * "tests", "review"}. */
int skills_add(const struct skills_job *job, const char *folder, struct skill_files *files,
               json_t **ret, struct retort_error *err);
/* The same for a folder on the host. */
int skills_add_folder(const struct skills_job *job, const char *path, json_t **ret,
                      struct retort_error *err);
/* The same for every skill in a folder, or for the folder itself. {"added": […], "refused":
 * [{"folder", "reason"}]}. */
int skills_import(const struct skills_job *job, const char *path, json_t **ret,
                  struct retort_error *err);
/* See library_list. */
int skills_list(const char *state, const char *words, unsigned most, json_t **ret,
                struct retort_error *err);
/* The manifest of NAME or NAME@VERSION, with "text", its SKILL.md, and "versions". */
int skills_show(const char *state, const char *name, json_t **ret, struct retort_error *err);
/* Runs the skill's tests again: {"name", "version", "tests"}. */
int skills_test(const struct skills_job *job, const char *name, json_t **ret,
                struct retort_error *err);
int skills_remove(const char *state, const char *name, struct retort_error *err);
/* [{"path", "base64"}] */
int skills_files(const char *state, const char *name, json_t **ret, struct retort_error *err);
/* Writes the skill's files into a new folder, path/NAME. */
int skills_export(const char *state, const char *name, const char *path, struct retort_error *err);
