/* The database of a ledger: its connections, statements and transactions.
 *
 * Runs in: broker, under the lock of the ledger.
 * Tests: tests/unit/test_ledger.c, tests/unit/test_ledger_faults.c
 */
#pragma once

#include "ledger/internal.h"

int db_open(struct ledger *l, struct db *ret, struct retort_error *err);
void db_done(struct db *db);
sqlite3_stmt *db_stmt(struct ledger *l, enum stmt st); /* reset, to be bound; NULL on failure */
int db_run(struct ledger *l, sqlite3_stmt *s,
           struct retort_error *err); /* for a statement without rows */
/* Makes an error of the connection's state, which says what to do. */
int db_error(const struct ledger *l, sqlite3 *handle, int rc, struct retort_error *err);
/* Sets an error if a file could not grow because the disk or a quota is full; 0 if it was something
 * else. */
int db_no_room(const struct ledger *l, int eno, struct retort_error *err);
int db_begin(struct ledger *l, struct retort_error *err); /* takes the write lock of the database */
int db_commit(struct ledger *l, struct retort_error *err); /* rolls back when it fails */
void db_rollback(struct ledger *l);
int db_end(struct ledger *l, int r,
           struct retort_error *err); /* commits, or rolls back and returns r < 0 */
void db_bind_hash(sqlite3_stmt *s, int index, const struct hash *h);
bool db_column_hash(sqlite3_stmt *s, int column, struct hash *ret);
int64_t now_ms(void);
