/* The SQL tool: reads, and does nothing else. */
#include "agent/text/edit_distance.h"
#include "agent/tools/sql.h"

#include <jansson.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/test_agent_sql_XXXXXX";

static int set_up(void **state) {
    sqlite3 *db;
    struct sql *s;
    char problem[200];
    int fd = mkstemp(path);
    if (fd < 0 || sqlite3_open(path, &db) != SQLITE_OK)
        return -1;
    close(fd);
    int r =
        sqlite3_exec(db,
                     "CREATE TABLE sales (id INTEGER PRIMARY KEY, region TEXT, amount REAL);"
                     "CREATE TABLE many (n INTEGER);"
                     "INSERT INTO sales (region, amount) VALUES ('North', 1200.5), ('South', 3);"
                     "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) "
                     "INSERT INTO many SELECT x FROM c;",
                     NULL, NULL, NULL);
    sqlite3_close(db);
    if (r != SQLITE_OK || sql_open(path, &s, problem, sizeof problem) < 0)
        return -1;
    *state = s;
    return 0;
}

static int tear_down(void **state) {
    sql_close(*state);
    return unlink(path);
}

static char *call(struct sql *s, const char *query, char **ret_failure) {
    json_t *o = json_pack("{s:s}", "query", query);
    char *arguments = json_dumps(o, 0);
    json_decref(o);
    *ret_failure = NULL;
    char *answer = sql_call(s, SQL_TOOL, arguments, ret_failure);
    free(arguments);
    return answer;
}

static void expect_failure(struct sql *s, const char *query, const char *message) {
    char *failure, *answer = call(s, query, &failure);
    if (answer || !failure || !strstr(failure, message))
        fail_msg("%s: answer %s, failure %s", query, answer ? answer : "none",
                 failure ? failure : "none");
    free(failure);
}

static void test_reading(void **state) {
    char *failure,
        *answer = call(*state, "SELECT region, amount, NULL FROM sales ORDER BY id;", &failure);
    assert_non_null(answer);
    assert_string_equal(answer,
                        "{\"columns\":[\"region\",\"amount\",\"NULL\"],\"rows\":[[\"North\","
                        "1200.5,null],[\"South\",3.0,null]],\"truncated\":false}");
    free(answer);
}

static void test_nothing_but_reading(void **state) {
    static const char *const queries[] = {"DELETE FROM sales",
                                          "DROP TABLE sales",
                                          "INSERT INTO sales VALUES (9, 'x', 1)",
                                          "UPDATE sales SET amount = 0",
                                          "CREATE TABLE x (a)",
                                          "ATTACH '/etc/passwd' AS p",
                                          "PRAGMA writable_schema = 1",
                                          "VACUUM INTO '/tmp/x'",
                                          "BEGIN",
                                          "SELECT load_extension('/tmp/x.so')"};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        char *failure, *answer = call(*state, queries[i], &failure);
        assert_null(answer);
        assert_non_null(failure);
        free(failure);
    }
    expect_failure(*state, "DELETE FROM sales", "only reading is allowed");
}

static void test_one_statement(void **state) {
    expect_failure(*state, "SELECT 1; SELECT 2", "one statement");
    expect_failure(*state, "", "one statement");
    expect_failure(*state, "SELEC 1", "syntax error");
}

static void test_did_you_mean(void **state) {
    expect_failure(*state, "SELECT amout FROM sales",
                   "no such column: amout; did you mean amount?");
    expect_failure(*state, "SELECT s.regoin FROM sales s", "did you mean region?");
    expect_failure(*state, "SELECT 1 FROM sale", "no such table: sale; did you mean sales?");
}

static void test_rows_are_capped(void **state) {
    char *failure, *answer = call(*state, "SELECT n FROM many", &failure);
    json_t *o = json_loads(answer, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(o, "rows")), 10000);
    assert_true(json_is_true(json_object_get(o, "truncated")));
    json_decref(o);
    free(answer);
}

static void test_every_column_has_its_place(void **state) {
    char *failure, *answer = call(*state, "SELECT 9e999, 1, -9e999", &failure);
    assert_non_null(answer);
    assert_non_null(strstr(answer, "\"rows\":[[\"inf\",1,\"-inf\"]]"));
    free(answer);
}

static void test_memory_and_time_are_bounded(void **state) {
    char wide[16000] = "SELECT hex(zeroblob(500000))";
    for (int i = 0; i < 300; i++)
        strncat(wide, ", hex(zeroblob(500000))", sizeof wide - strlen(wide) - 1);
    expect_failure(*state, wide, "too much memory");
    expect_failure(*state,
                   "WITH RECURSIVE c(x, y) AS (SELECT 1, hex(zeroblob(250000)) UNION ALL "
                   "SELECT x + 1, y || x FROM c) SELECT x FROM c ORDER BY y DESC",
                   "too much memory");
    expect_failure(*state, "SELECT printf('%.*c', 2000000000, 'x')",
                   "not authorized to use function: printf");
    char *failure, *answer = call(*state, "SELECT hex(zeroblob(500000))", &failure);
    assert_non_null(answer);
    assert_non_null(strstr(answer, "\"rows\":[],\"truncated\":true"));
    free(answer);
}

static void test_other_tools_are_not_mine(void **state) {
    char *failure = NULL;
    assert_null(sql_call(*state, "weather", "{}", &failure));
    assert_null(failure);
    assert_null(sql_call(*state, SQL_TOOL, "{\"q\": 1}", &failure));
    assert_non_null(failure);
    free(failure);
}

static void test_card(void **state) {
    scoped_buf out = BUF_INIT(100000);
    assert_int_equal(sql_card(*state, &out), 0);
    assert_non_null(strstr(out.data, "sales: 2 rows"));
    assert_non_null(strstr(out.data, "- id INTEGER, primary key"));
    assert_non_null(strstr(out.data, "- region TEXT; such as North South"));
    assert_non_null(strstr(out.data, "many: 20000 rows"));
}

static void test_not_a_database(void **state) {
    (void)state;
    struct sql *s;
    char problem[200];
    assert_true(sql_open("/etc/passwd", &s, problem, sizeof problem) < 0);
    assert_non_null(strstr(problem, "cannot be read"));
}

static void test_similar(void **state) {
    (void)state;
    struct similar s;
    similar_start(&s, "amout");
    similar_try(&s, "region");
    assert_string_equal(s.best, "");
    similar_try(&s, "Amount");
    similar_try(&s, "mount");
    assert_string_equal(s.best, "Amount");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_nothing_but_reading),
        cmocka_unit_test(test_one_statement),
        cmocka_unit_test(test_did_you_mean),
        cmocka_unit_test(test_rows_are_capped),
        cmocka_unit_test(test_every_column_has_its_place),
        cmocka_unit_test(test_memory_and_time_are_bounded),
        cmocka_unit_test(test_other_tools_are_not_mine),
        cmocka_unit_test(test_card),
        cmocka_unit_test(test_not_a_database),
        cmocka_unit_test(test_similar),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
