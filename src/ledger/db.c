/* The connection: opening, prepared statements, transactions, and errors that say what to do.
 *
 * synchronous=NORMAL in WAL mode writes at every commit but syncs only at checkpoints: a commit
 * survives the death of the process at once, and power loss from the moment the flusher has synced
 * the WAL. Only the flusher makes checkpoints, so no commit ever waits for one. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "ledger/db.h"

#define ROW                                                                                      \
    "n, coalesce(parent, 0), id, parent_seq, base, state, engine, created, touched, seq, head, " \
    "cells, title"

static const char *const sql[ST_COUNT] = {
    [ST_BEGIN] = "BEGIN IMMEDIATE",
    [ST_COMMIT] = "COMMIT",
    [ST_ROLLBACK] = "ROLLBACK",
    [ST_SESSION] = "SELECT " ROW " FROM session WHERE id = ?1",
    [ST_SESSION_N] = "SELECT " ROW " FROM session WHERE n = ?1",
    [ST_SESSIONS] = "SELECT " ROW " FROM session WHERE n > ?1 ORDER BY n",
    [ST_SESSION_INSERT] = "INSERT INTO session (id, parent, parent_seq, base, state, engine, "
                          "created, touched, seq, head,"
                          " cells) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?6, 0, ?4, 0)",
    [ST_SESSION_MOVE] = "UPDATE session SET touched = ?2, seq = ?3, head = ?4, cells = ?5, bytes = "
                        "bytes + " ENTRY_BYTES " + ?6 WHERE n = ?1",
    [ST_SESSION_STATE] = "UPDATE session SET state = ?2, engine = ?3 WHERE n = ?1",
    [ST_SESSION_TITLE] = "UPDATE session SET title = ?2 WHERE id = ?1",
    [ST_ENTRY_INSERT] =
        "INSERT INTO entry (session, seq, kind, time, salt, body, digest, hash, request)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, CASE WHEN ?3 = 'cell_intent' AND"
        " instr(?6, '\"request\":') > 0 THEN json_extract(?6, '$.request') END)",
    [ST_ENTRIES] = "SELECT seq, kind, time, body, hash FROM entry"
                   " WHERE session = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq",
    [ST_LAST_CELL] = "SELECT kind, body FROM entry WHERE session = ?1"
                     " AND kind IN ('cell_intent', 'cell_outcome') ORDER BY seq DESC LIMIT 1",
    [ST_REQUESTED] = "SELECT seq FROM entry INDEXED BY entry_request WHERE session = ?1"
                     " AND request = ?2 ORDER BY seq LIMIT 1",
    [ST_OUTCOME_OF] = "SELECT coalesce(min(seq), 0) FROM entry WHERE session = ?1"
                      " AND kind = 'cell_outcome' AND seq > ?2",
    [ST_LIVE_ENGINES] = "SELECT DISTINCT engine FROM session WHERE state = 0",
    [ST_LIVE_OF] = "SELECT n FROM session WHERE state = 0 AND engine = ?1 LIMIT 1",
    [ST_BLOB] = "SELECT state, size, used, coalesce(owner, 0), data FROM blob WHERE hash = ?1",
    [ST_BLOB_PUT] = "INSERT INTO blob (hash, size, state, used, owner, data)"
                    " VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (hash)"
                    " DO UPDATE SET state = ?3, used = ?4, owner = coalesce(owner, ?5), data = ?6",
    [ST_BLOB_OWN] = "UPDATE blob SET owner = ?2 WHERE hash = ?1",
    [ST_BLOB_STATE] = "UPDATE blob SET state = ?2 WHERE hash = ?1 AND state = ?3",
    [ST_BLOB_TOUCH] = "UPDATE blob SET used = ?2 WHERE hash = ?1",
    [ST_REF_INSERT] = "INSERT OR IGNORE INTO ref (hash, session) VALUES (?1, ?2)",
};

int64_t now_ms(void) {
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* SQLite's own handler sleeps 1 to 100 ms; our transactions take a fraction of one. */
static int busy(void *user, int count) {
    const struct ledger *l = user;
    unsigned step = count < 20 ? 100 : 2000; /* µs */
    uint64_t waited = count < 20 ? (uint64_t)count * 100 : 2000 + (uint64_t)(count - 20) * 2000;
    if (waited / 1000 >= l->options.busy_ms)
        return 0;
    usleep(step);
    return 1;
}

/* Pages of 2 KB: a small cell changes a few rows on a dozen pages, and SQLite writes whole
 * pages. */
static int set_pragmas(sqlite3 *handle) {
    return sqlite3_exec(
        handle,
        "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 16777216;"
        "PRAGMA cache_size = -8000;"
        "PRAGMA secure_delete = ON;" /* zeroes what is forgotten or expires */
        "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF",
        NULL, NULL, NULL);
}

int db_open(struct ledger *l, struct db *ret, struct retort_error *err) {
    char path[4200];
    snprintf(path, sizeof path, "%s/ledger.db", l->dir);
    /* NOMUTEX: our own lock lets one thread at a time use a connection. */
    int rc =
        sqlite3_open_v2(path, &ret->handle,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, NULL);
    if (rc != SQLITE_OK)
        return db_error(l, ret->handle, rc, err);
    sqlite3_extended_result_codes(ret->handle, 1);
    sqlite3_busy_handler(ret->handle, busy, l);
    rc = set_pragmas(ret->handle);
    return rc == SQLITE_OK ? 0 : db_error(l, ret->handle, rc, err);
}

void db_done(struct db *db) {
    for (size_t i = 0; i < ST_COUNT; i++)
        sqlite3_finalize(db->stmts[i]);
    sqlite3_close(db->handle);
    *db = (struct db){.handle = NULL};
}

sqlite3_stmt *db_stmt(struct ledger *l, enum stmt st) {
    sqlite3_stmt **s = &l->db.stmts[st];
    if (!*s)
        sqlite3_prepare_v3(l->db.handle, sql[st], -1, SQLITE_PREPARE_PERSISTENT, s, NULL);
    if (*s)
        sqlite3_reset(*s);
    return *s;
}

int db_run(struct ledger *l, sqlite3_stmt *s, struct retort_error *err) {
    int rc = s ? sqlite3_step(s) : sqlite3_errcode(l->db.handle);
    if (s)
        sqlite3_reset(s);
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? 0 : db_error(l, l->db.handle, rc, err);
}

int db_no_room(const struct ledger *l, int eno, struct retort_error *err) {
    if (eno == ENOSPC || eno == EDQUOT)
        return err_errno(err, ERR_HOST, eno,
                         "the disk that holds %.160s is full: free some space there", l->place);
    if (eno == EFBIG)
        return err_errno(err, ERR_HOST, eno,
                         "a file in %.160s may not grow: raise the file size limit (ulimit -f)",
                         l->place);
    return 0;
}

static int error_io(const struct ledger *l, sqlite3 *handle, struct retort_error *err) {
    int eno = handle ? sqlite3_system_errno(handle) : 0;
    int r = db_no_room(l, eno, err);
    if (r < 0)
        return r;
    return err_errno(err, ERR_HOST, eno ? eno : EIO,
                     "cannot read or write %.160s/ledger.db: check the disk and the system log",
                     l->place);
}

int db_error(const struct ledger *l, sqlite3 *handle, int rc, struct retort_error *err) {
    switch (rc & 0xff) {
    case SQLITE_NOMEM: return err_memory(err);
    case SQLITE_FULL:
        return err_errno(err, ERR_HOST, ENOSPC,
                         "the disk that holds %.160s is full: free some space there", l->place);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_errno(err, ERR_HOST, EBUSY,
                         "%.160s/ledger.db is locked by another program: end it, or try again",
                         l->place);
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return err_errno(err, ERR_HOST, EROFS,
                         "%.160s/ledger.db is read-only: make it writable, or name another state "
                         "directory (RETORT_STATE)",
                         l->place);
    case SQLITE_CANTOPEN:
        return err_errno(
            err, ERR_HOST, EACCES,
            "cannot open %.160s/ledger.db: make the directory writable, or name another one "
            "(RETORT_STATE)",
            l->place);
    case SQLITE_NOTADB:
        return err_errno(
            err, ERR_HOST, EBADMSG,
            "%.160s/ledger.db is not a ledger: move it away, or name another state directory "
            "(RETORT_STATE)",
            l->place);
    case SQLITE_CORRUPT:
        return err_errno(err, ERR_HOST, EBADMSG,
                         "%.160s/ledger.db is damaged: restore it from a copy, or move it away",
                         l->place);
    case SQLITE_IOERR: return error_io(l, handle, err);
    default:
        return err_set(err, ERR_BUG, EIO, "ledger database: %.200s",
                       handle ? sqlite3_errmsg(handle) : sqlite3_errstr(rc));
    }
}

int db_begin(struct ledger *l, struct retort_error *err) {
    return db_run(l, db_stmt(l, ST_BEGIN), err);
}

void db_rollback(struct ledger *l) {
    /* After a full disk or an I/O error, SQLite may have rolled back by itself. */
    if (!sqlite3_get_autocommit(l->db.handle))
        db_run(l, db_stmt(l, ST_ROLLBACK), NULL);
}

int db_commit(struct ledger *l, struct retort_error *err) {
    int r = db_run(l, db_stmt(l, ST_COMMIT), err);
    if (r < 0)
        db_rollback(l);
    return r;
}

int db_end(struct ledger *l, int r, struct retort_error *err) {
    if (r >= 0)
        return db_commit(l, err);
    db_rollback(l);
    return r;
}

void db_bind_hash(sqlite3_stmt *s, int index, const struct hash *h) {
    sqlite3_bind_blob(s, index, h->bytes, HASH_SIZE, SQLITE_STATIC);
}

bool db_column_hash(sqlite3_stmt *s, int column, struct hash *ret) {
    const void *data = sqlite3_column_blob(s, column);
    if (!data || sqlite3_column_bytes(s, column) != HASH_SIZE)
        return false;
    memcpy(ret->bytes, data, HASH_SIZE);
    return true;
}
