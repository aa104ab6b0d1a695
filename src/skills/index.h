/* The index of the library: a database that says which versions there are, finds them by words, and
 * counts. Every function is one transaction.
 *
 * Runs in: every process that has the library open; SQLite's locks keep them apart.
 * Hostile: words and descriptions, which we bind and never put into a statement.
 * Life cycle: index_open; sqlite3_close.
 * Invariants: each version has one row, whose state is reserved, there or removed; a search finds
 *   at most one version of each name.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include "skills/library.h"

/* Makes the index if there is none: *ret_fresh is true then, and the index knows no version. */
int index_open(const char *path, sqlite3 **ret, bool *ret_fresh, struct retort_error *err);

/* Gives `ref` the next version of its name and reserves that: it is not there yet. `token` is the
 * directory in which it is being made. */
int index_reserve(sqlite3 *db, struct skill_ref *ref, const json_t *manifest, const char *token,
                  struct retort_error *err);
/* Marks a reserved version as there. */
int index_settle(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err);
/* Adds a version that the library has already: for an index that is made anew. */
int index_add(sqlite3 *db, const struct skill_ref *ref, const json_t *manifest,
              struct retort_error *err);
/* Takes a reservation back: the version was never made. */
int index_unreserve(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err);
/* Marks a version as removed; with version 0, all versions of the name. */
int index_removed(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err);
/* See library_count. */
int index_count(sqlite3 *db, const struct skill_ref *ref, unsigned uses, bool failure,
                struct retort_error *err);
/* [{"name", "version", "token"}] of the versions that are reserved. */
int index_unsettled(sqlite3 *db, json_t **ret, struct retort_error *err);

/* Gives `ref` the newest healthy version of its name, 0 if there is none. */
int index_newest(sqlite3 *db, struct skill_ref *ref, struct retort_error *err);
/* Whether any version is there, healthy or not. */
bool index_has(sqlite3 *db, const struct skill_ref *ref);
/* What library_list and library_versions return, before they look at directories. */
int index_list(sqlite3 *db, json_t **ret, struct retort_error *err);
int index_search(sqlite3 *db, const char *words, unsigned most, json_t **ret,
                 struct retort_error *err);
int index_versions(sqlite3 *db, const char *name, json_t **ret, struct retort_error *err);
