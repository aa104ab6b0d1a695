#include "ledger/schema.h"

#include <stdio.h>

#define APPLICATION_ID 0x5274726c /* "Rtrl", by which file(1) and we recognise the database */

/* session.state and blob.state: enum ledger_state, enum blob_state. entry.salt and entry.body are
 * NULL in forgotten entries; digest = sha256(salt || body) stays, and the hash of the entry covers
 * the digest, so the chain can be checked without the body. blob.owner is the first session that
 * referred to the blob, ref holds the others: most blobs have only one, and without a row in ref
 * SQLite writes one page less for each cell. */
static const char version_1[] =
    "CREATE TABLE schema (version INTEGER NOT NULL);"
    "INSERT INTO schema VALUES (0);"
    "CREATE TABLE session ("
    "  n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent INTEGER REFERENCES session (n),"
    "  parent_seq INTEGER NOT NULL, base BLOB NOT NULL, state INTEGER NOT NULL, engine TEXT NOT "
    "NULL,"
    "  created INTEGER NOT NULL, touched INTEGER NOT NULL, seq INTEGER NOT NULL,"
    "  head BLOB NOT NULL, cells INTEGER NOT NULL);"
    "CREATE INDEX session_live ON session (engine) WHERE state = 0;"
    "CREATE TABLE entry ("
    "  session INTEGER NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, time INTEGER NOT NULL,"
    "  salt BLOB, body TEXT, digest BLOB NOT NULL, hash BLOB NOT NULL,"
    "  PRIMARY KEY (session, seq)) WITHOUT ROWID;"
    "CREATE TABLE blob ("
    "  hash BLOB NOT NULL PRIMARY KEY, size INTEGER NOT NULL, state INTEGER NOT NULL,"
    "  used INTEGER NOT NULL, owner INTEGER, data BLOB);"
    "CREATE INDEX blob_used ON blob (used, size) WHERE state < 2;"
    "CREATE INDEX blob_unsynced ON blob (state) WHERE state = 0;"
    "CREATE TABLE ref ("
    "  hash BLOB NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (hash, session)) WITHOUT ROWID;";

/* The name that a user gave the session. No hash covers it: it says nothing of what ran. */
static const char version_2[] = "ALTER TABLE session ADD COLUMN title TEXT;";

/* The bytes of a session's entries, which count against the quota. */
static const char version_3[] =
    "ALTER TABLE session ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;"
    "UPDATE session SET bytes = (SELECT total(256 + coalesce(length(body), 0))"
    " FROM entry WHERE entry.session = session.n);"
    "CREATE INDEX session_parent ON session (parent) WHERE parent NOT NULL;";

/* The request id of a cell, if it has one, so that we find it without reading other entries. It is
 * also in the body, which the chain covers. */
static const char version_4[] =
    "ALTER TABLE entry ADD COLUMN request TEXT;"
    "UPDATE entry SET request = json_extract(body, '$.request')"
    " WHERE kind = 'cell_intent' AND instr(body, '\"request\":') > 0 AND json_valid(body);"
    "CREATE INDEX entry_request ON entry (session, request) WHERE request NOT NULL;";

const char *const schema_steps[] = {version_1, version_2, version_3, version_4};
const size_t schema_version = sizeof schema_steps / sizeof schema_steps[0];

static int query_int(sqlite3 *db, const char *sql, int *ret) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);
    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        *ret = sqlite3_column_int(s, 0);
        rc = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return rc;
}

/* 0 for an empty database, -1 for one that is not ours. */
static int found_version(sqlite3 *db, int *ret) {
    int id = 0, tables = 0;
    int rc = query_int(db, "PRAGMA application_id", &id);
    if (rc == SQLITE_OK)
        rc = query_int(db, "SELECT count(*) FROM sqlite_schema", &tables);
    if (rc != SQLITE_OK)
        return rc;
    *ret = tables == 0 ? 0 : -1;
    return id == APPLICATION_ID ? query_int(db, "SELECT version FROM schema", ret) : SQLITE_OK;
}

static int schema_apply(sqlite3 *db, const char *const *steps, size_t from, size_t version) {
    char sql[96];
    int rc = SQLITE_OK;
    for (size_t i = from; i < version && rc == SQLITE_OK; i++)
        rc = sqlite3_exec(db, steps[i], NULL, NULL, NULL);
    snprintf(sql, sizeof sql, "UPDATE schema SET version = %zu; PRAGMA application_id = %d",
             version, APPLICATION_ID);
    return rc == SQLITE_OK ? sqlite3_exec(db, sql, NULL, NULL, NULL) : rc;
}

int schema_migrate(sqlite3 *db, const char *const *steps, size_t version, int *ret_found) {
    int rc = found_version(db, ret_found);
    if (rc != SQLITE_OK || *ret_found == (int)version)
        return rc;
    /* Looks again under the lock: another engine may just have migrated it. */
    rc = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        return rc;
    rc = found_version(db, ret_found);
    if (rc == SQLITE_OK && (*ret_found < 0 || *ret_found > (int)version))
        rc = SQLITE_MISMATCH;
    else if (rc == SQLITE_OK && *ret_found < (int)version)
        rc = schema_apply(db, steps, (size_t)*ret_found, version);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (rc != SQLITE_OK)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}
