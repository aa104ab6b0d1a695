/* The library of skills: STATE/skills/NAME/VERSION, directories that are never written again, and
 * beside them
 *
 *   skills.db      an index of them: words to find them by, and how often each was used or failed
 *   skills.new/    versions that are being made, each in a directory that its maker has locked
 *
 * A version gets its number in the index first, is then made in skills.new, and comes into the
 * library by one rename. So a process that is killed leaves a library that has the version whole or
 * not at all. The next process that opens the library corrects the index, and removes what the killed
 * one was making. The directories are the truth: if there is no index, it is made from them.
 *
 * Runs in: broker, and the command line; any number of processes at once.
 * Hostile: files of skills, which are data here.
 * Life cycle: library_open, library_close.
 * Owns: its descriptors, the connection to the index.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include <jansson.h>
#include <sqlite3.h>
#include <stdbool.h>

#include "base/err.h"
#include "skills/skillfiles.h"

#define SKILL_NAME 65
#define SKILL_QUARANTINE 3 /* failures in a row */

struct skill_library {
    int dir, making; /* skills, skills.new */
    sqlite3 *db;
};

/* A version of a skill. */
struct skill_ref {
    char name[SKILL_NAME];
    unsigned version; /* 0: none is named */
};

int library_open(const char *state, struct skill_library *ret, struct retort_error *err);
void library_close(struct skill_library *lib);

/* A name has 1 to 64 of a-z, 0-9 and '-'. A '-' is neither first nor last nor beside another. */
bool library_is_name(const char *name);
/* NAME or NAME@VERSION. */
int library_parse(const char *text, struct skill_ref *ret, struct retort_error *err);
/* NAME@VERSION is that version; NAME is the newest healthy one. */
int library_resolve(const struct skill_library *lib, const char *text, struct skill_ref *ret,
                    struct retort_error *err);
/* Adds the next version of `name`. The manifest becomes its file skill.json, with the version in
 * it. */
int library_add(const struct skill_library *lib, const char *name, struct skill_files *files,
                json_t *manifest, unsigned *ret_version, struct retort_error *err);
/* Reads a version. Fails if its files do not have the hashes in its manifest. */
int library_load(const struct skill_library *lib, const struct skill_ref *ref,
                 struct skill_files *files, json_t **ret_manifest, struct retort_error *err);
/* Removes one version, or with version 0 all of them. Their numbers are never used again. */
int library_remove(const struct skill_library *lib, const struct skill_ref *ref,
                   struct retort_error *err);

/* Counts `uses` calls that succeeded and then, if `failure`, one that failed. A version that fails
 * SKILL_QUARANTINE times in a row is quarantined: NAME alone does not mean it any more,
 * NAME@VERSION still does. */
int library_count(const struct skill_library *lib, const struct skill_ref *ref, unsigned uses,
                  bool failure, struct retort_error *err);

/* [{"name", "version", "hash", "description", "kind", "uses", "failures", "quarantined"}]: the newest
 * healthy version of each name, or, if it has none, the newest. `words` NULL: all by name; else the
 * best matches, at most `most`. */
int library_list(const struct skill_library *lib, const char *words, unsigned most, json_t **ret,
                 struct retort_error *err);
/* The same members, of every version of a name. */
int library_versions(const struct skill_library *lib, const char *name, json_t **ret,
                     struct retort_error *err);
