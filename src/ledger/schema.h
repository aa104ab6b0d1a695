/* The schema of ledger.db and its migrations.
 *
 * Runs in: broker.
 * Hostile: nothing.
 * Owns: nothing.
 * Tests: tests/unit/test_ledger_schema.c
 */
#pragma once

#include <sqlite3.h>
#include <stddef.h>

/* Step n takes a database from version n to version n + 1; an empty database has version 0. Steps
 * are never changed once released, only added. */
extern const char *const schema_steps[];
extern const size_t schema_version;

/* Applies the missing steps in one transaction. Returns an SQLite code; *ret_found is the version
 * it found. SQLITE_MISMATCH: the database is of a newer version, or of another program; nothing was
 * changed. */
int schema_migrate(sqlite3 *db, const char *const *steps, size_t version, int *ret_found);
