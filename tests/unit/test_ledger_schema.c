#include "unit.h"

#include <sqlite3.h>

#include "ledger/schema.h"

static sqlite3 *open_memory(void) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    return db;
}

static int int_of(sqlite3 *db, const char *sql) {
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    int value = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return value;
}

static const char first[] = "CREATE TABLE schema (version INTEGER); INSERT INTO schema VALUES (0);"
                            "CREATE TABLE a (x)";
static const char second[] = "ALTER TABLE a ADD COLUMN y DEFAULT 7";
static const char broken[] = "CREATE TABLE b (x); CREATE TABLE b (x)";

static void a_new_database_gets_the_latest_version(void **state) {
    (void)state;
    sqlite3 *db = open_memory();
    int found = -2;
    assert_int_equal(schema_migrate(db, schema_steps, schema_version, &found), SQLITE_OK);
    assert_int_equal(found, 0);
    assert_int_equal(int_of(db, "SELECT version FROM schema"), schema_version);
    assert_int_equal(schema_migrate(db, schema_steps, schema_version, &found), SQLITE_OK);
    assert_int_equal(found, schema_version);
    sqlite3_close(db);
}

static void an_old_database_is_brought_up_with_its_rows(void **state) {
    (void)state;
    sqlite3 *db = open_memory();
    const char *const steps[] = {first, second};
    int found;
    assert_int_equal(schema_migrate(db, steps, 1, &found), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "INSERT INTO a VALUES (5)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(schema_migrate(db, steps, 2, &found), SQLITE_OK);
    assert_int_equal(found, 1);
    assert_int_equal(int_of(db, "SELECT version FROM schema"), 2);
    assert_int_equal(int_of(db, "SELECT x + y FROM a"), 12);
    sqlite3_close(db);
}

static void entries_of_old_databases_are_counted(void **state) {
    (void)state;
    sqlite3 *db = open_memory();
    int found;
    assert_int_equal(schema_migrate(db, schema_steps, 2, &found), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(
            db,
            "INSERT INTO session VALUES (1, 's', NULL, 0, x'', 3, '', 0, 0, 2, x'', 0, ''),"
            " (2, 't', NULL, 0, x'', 3, '', 0, 0, 0, x'', 0, '');"
            "INSERT INTO entry VALUES (1, 1, 'create', 0, x'', '0123456789', x'', x''),"
            " (1, 2, 'close', 0, NULL, NULL, x'', x'')",
            NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(schema_migrate(db, schema_steps, 3, &found), SQLITE_OK);
    assert_int_equal(int_of(db, "SELECT bytes FROM session WHERE n = 1"), 2 * 256 + 10);
    assert_int_equal(int_of(db, "SELECT bytes FROM session WHERE n = 2"), 0);
    sqlite3_close(db);
}

/* However long a session is: one that was asked for by a name is found without reading the others. */
static void a_request_is_found_by_its_name(void **state) {
    (void)state;
    sqlite3 *db = open_memory();
    int found;
    assert_int_equal(schema_migrate(db, schema_steps, 3, &found), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db,
                     "INSERT INTO entry VALUES"
                     " (1, 1, 'cell_intent', 0, x'', '{\"request\":\"a\"}', x'', x''),"
                     " (1, 2, 'cell_intent', 0, x'', 'no \"request\": here', x'', x''),"
                     " (1, 3, 'cell_intent', 0, NULL, NULL, x'', x''),"
                     " (1, 4, 'note', 0, x'', '{\"request\":\"a\"}', x'', x'')",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(schema_migrate(db, schema_steps, 4, &found), SQLITE_OK);
    static const char query[] = "EXPLAIN QUERY PLAN SELECT seq FROM entry INDEXED BY entry_request"
                                " WHERE session = 1 AND request = 'a' ORDER BY seq";
    assert_int_equal(int_of(db, query + strlen("EXPLAIN QUERY PLAN ")), 1);
    assert_int_equal(int_of(db, "SELECT count(*) FROM entry WHERE request NOT NULL"), 1);
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_prepare_v2(db, query, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    const char *plan = (const char *)sqlite3_column_text(s, 3);
    assert_non_null(strstr(plan, "entry_request (session=? AND request=?)"));
    assert_int_equal(sqlite3_step(s), SQLITE_DONE); /* nothing is sorted */
    sqlite3_finalize(s);
    sqlite3_close(db);
}

static void a_step_that_fails_changes_nothing(void **state) {
    (void)state;
    sqlite3 *db = open_memory();
    const char *const steps[] = {first, second, broken};
    int found;
    assert_int_equal(schema_migrate(db, steps, 1, &found), SQLITE_OK);
    assert_int_equal(schema_migrate(db, steps, 3, &found), SQLITE_ERROR);
    assert_int_equal(int_of(db, "SELECT version FROM schema"), 1);
    assert_int_equal(int_of(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'b'"), 0);
    assert_int_equal(int_of(db, "SELECT count(*) FROM pragma_table_info('a')"), 1);
    sqlite3_close(db);
}

static void newer_and_foreign_databases_are_left_alone(void **state) {
    (void)state;
    sqlite3 *db = open_memory();
    const char *const steps[] = {first, second};
    int found;
    assert_int_equal(schema_migrate(db, steps, 2, &found), SQLITE_OK);
    assert_int_equal(schema_migrate(db, steps, 1, &found), SQLITE_MISMATCH);
    assert_int_equal(found, 2);
    assert_int_equal(int_of(db, "SELECT version FROM schema"), 2);
    sqlite3_close(db);
    db = open_memory();
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE mine (x)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(schema_migrate(db, steps, 2, &found), SQLITE_MISMATCH);
    assert_int_equal(found, -1);
    assert_int_equal(int_of(db, "SELECT count(*) FROM sqlite_schema"), 1);
    sqlite3_close(db);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_database_gets_the_latest_version),
        cmocka_unit_test(an_old_database_is_brought_up_with_its_rows),
        cmocka_unit_test(entries_of_old_databases_are_counted),
        cmocka_unit_test(a_request_is_found_by_its_name),
        cmocka_unit_test(a_step_that_fails_changes_nothing),
        cmocka_unit_test(newer_and_foreign_databases_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
