/* The index of the library: a database that says which versions there are, finds them by words, and
 * counts. Every function is one transaction.
 *
 * Runs in: whoever has the library open; SQLite's locks keep several of them apart.
 * Hostile: words and descriptions, which are bound and never part of a statement.
 * Life cycle: index_open; sqlite3_close.
 * Invariants: a row is reserved, there, or removed; words are of one version of each name.
 * Tests: tests/system/test_skills.py
 */
#pragma once

#include "skills/library.h"

/* *ret_fresh: it is new, and empty. */
int index_open(const char *path, sqlite3 **ret, bool *ret_fresh, struct retort_error *err);

/* The next version of ref->name, which is not there yet. */
int index_reserve(sqlite3 *db, struct skill_ref *ref, const json_t *manifest, const char *token,
                  struct retort_error *err);
/* It is there now. */
int index_settle(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err);
/* One that is there already. */
int index_add(sqlite3 *db, const struct skill_ref *ref, const json_t *manifest,
              struct retort_error *err);
/* It never came. */
int index_unreserve(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err);
/* It is gone: this version, or with 0 all of them. */
int index_removed(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err);
/* As library_count. */
int index_count(sqlite3 *db, const struct skill_ref *ref, unsigned uses, bool failure,
                struct retort_error *err);
/* [{"name", "version", "token"}] of those that are reserved. */
int index_unsettled(sqlite3 *db, json_t **ret, struct retort_error *err);

/* The newest healthy version, 0 if there is none. */
int index_newest(sqlite3 *db, struct skill_ref *ref, struct retort_error *err);
/* Whether any version is there, healthy or not. */
bool index_has(sqlite3 *db, const struct skill_ref *ref);
/* As library.h has them. */
int index_list(sqlite3 *db, json_t **ret, struct retort_error *err);
int index_search(sqlite3 *db, const char *words, unsigned most, json_t **ret,
                 struct retort_error *err);
int index_versions(sqlite3 *db, const char *name, json_t **ret, struct retort_error *err);
