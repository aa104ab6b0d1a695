#include "agent/tools/sql.h"

#include "agent/text/edit_distance.h"
#include "base/io.h"
#include "base/jsonout.h"
#include "base/scope.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_ROWS 10000
#define MAX_BYTES (900u << 10) /* below the limit of one tool result */
#define MAX_LENGTH (1 << 20)   /* one value: more than can be returned */
#define MAX_SECONDS 10
#define MAX_MEMORY (256 << 20) /* of one query, sorting and all */
#define MAX_TABLES 40
#define SAMPLES 3

const char sql_prelude[] =
    "def sql(query):\n"
    "    \"\"\"Runs one SELECT on the user's database; returns a DataFrame.\"\"\"\n"
    "    answer = tools.sql(query)\n"
    "    if answer[\"truncated\"]:\n"
    "        print(\"[only the first %d rows]\" % len(answer[\"rows\"]))\n"
    "    try:\n"
    "        import pandas\n"
    "    except ImportError:\n"
    "        return [dict(zip(answer[\"columns\"], row)) for row in answer[\"rows\"]]\n"
    "    return pandas.DataFrame(answer[\"rows\"], columns=answer[\"columns\"])\n";

struct sql {
    sqlite3 *db;
    uint64_t deadline;
};

/* --- what is allowed --- */

/* printf('%.*c', 2000000000, '') counts to two thousand millions, and no clock is asked meanwhile.
 */
static int authorize(void *user, int action, const char *a, const char *b, const char *c,
                     const char *d) {
    static const char *const refused[] = {"load_extension", "readfile", "writefile", "edit",
                                          "fts3_tokenizer", "printf",   "format"};
    (void)user, (void)a, (void)c, (void)d;
    if (action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE)
        return SQLITE_OK;
    if (action != SQLITE_FUNCTION)
        return SQLITE_DENY;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (b && strcasecmp(b, refused[i]) == 0)
            return SQLITE_DENY;
    return SQLITE_OK;
}

static int sql_on_progress(void *user) {
    const struct sql *s = user;
    return s->deadline && now_ns() > s->deadline;
}

/* The limit on memory is one for all of SQLite in this process, so it holds for as long as a query
 * runs and is far above what others take. Nothing else ends a row of 2,000 large columns: SQLite
 * looks at its clock between rows. */
static void sql_begin(struct sql *s) {
    s->deadline = now_ns() + MAX_SECONDS * 1000000000ull;
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + MAX_MEMORY);
}

static void end(struct sql *s) {
    s->deadline = 0;
    sqlite3_hard_heap_limit64(0);
}

int sql_open(const char *path, struct sql **ret, char *problem, size_t size) {
    struct sql *s = calloc(1, sizeof *s);
    if (!s)
        return -ENOMEM;
    int r = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (r == SQLITE_OK) {
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_limit(s->db, SQLITE_LIMIT_ATTACHED, 0);
        sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, MAX_LENGTH);
        sqlite3_limit(s->db, SQLITE_LIMIT_SQL_LENGTH, 64 << 10);
        sqlite3_progress_handler(s->db, 1000, sql_on_progress, s);
        /* What is sorted stays in memory, where it is bounded, and not in a file of the host. */
        r = sqlite3_exec(s->db, "PRAGMA temp_store = memory; SELECT count(*) FROM sqlite_schema",
                         NULL, NULL, NULL);
    }
    if (r != SQLITE_OK) {
        snprintf(problem, size, "the database cannot be read: %s", sqlite3_errmsg(s->db));
        sql_close(s);
        return -EINVAL;
    }
    *ret = s;
    return 0;
}

void sql_close(struct sql *s) {
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s);
}

/* --- names --- */

typedef void each_row(sqlite3_stmt *st, void *user);

static int query(struct sql *s, const char *text, const char *value, each_row *each, void *user) {
    sqlite3_stmt *st;
    if (sqlite3_prepare_v2(s->db, text, -1, &st, NULL) != SQLITE_OK)
        return -EIO;
    if (value)
        sqlite3_bind_text(st, 1, value, -1, SQLITE_TRANSIENT);
    while (sqlite3_step(st) == SQLITE_ROW)
        each(st, user);
    sqlite3_finalize(st);
    return 0;
}

static const char *sql_text_at(sqlite3_stmt *st, int i) {
    const char *s = (const char *)sqlite3_column_text(st, i);
    return s ? s : "";
}

static void sql_add_name(sqlite3_stmt *st, void *user) {
    similar_try(user, sql_text_at(st, 0));
}

/* "no such column: amout" gets "; did you mean amount?" */
static void hint(struct sql *s, const char *message, struct buf *out) {
    static const char tables[] = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')";
    static const char columns[] = "SELECT DISTINCT c.name FROM sqlite_schema t, "
                                  "pragma_table_info(t.name) c WHERE t.type IN ('table', 'view')";
    const char *colon = strrchr(message, ':');
    bool table = strstr(message, "no such table"), column = strstr(message, "no such column");
    if (!colon || (!table && !column))
        return;
    const char *name = colon + 1 + strspn(colon + 1, " ");
    const char *point = strrchr(name, '.');
    struct similar similar;
    similar_start(&similar, point ? point + 1 : name);
    query(s, table ? tables : columns, NULL, sql_add_name, &similar);
    if (similar.best[0])
        buf_printf(out, "; did you mean %s?", similar.best);
}

/* --- card --- */

struct card {
    struct sql *sql;
    struct buf *out;
    const char *table;
    int tables;
};

static void show_sample(sqlite3_stmt *st, void *user) {
    struct card *c = user;
    buf_printf(c->out, " %.40s", sql_text_at(st, 0));
}

static char *quoted_query(const char *format, const char *a, const char *b) {
    return b ? sqlite3_mprintf(format, a, b, a) : sqlite3_mprintf(format, a);
}

static void sql_show_column(sqlite3_stmt *st, void *user) {
    struct card *c = user;
    buf_printf(c->out, "  - %.60s %s%s; such as", sql_text_at(st, 0), sql_text_at(st, 1),
               sqlite3_column_int(st, 2) ? ", primary key" : "");
    char *text =
        quoted_query("SELECT DISTINCT substr(\"%w\", 1, 40) FROM \"%w\" WHERE \"%w\" IS NOT "
                     "NULL LIMIT 3",
                     sql_text_at(st, 0), c->table);
    if (text)
        query(c->sql, text, NULL, show_sample, c);
    sqlite3_free(text);
    buf_adds(c->out, "\n");
}

static void show_key(sqlite3_stmt *st, void *user) {
    struct card *c = user;
    buf_printf(c->out, "  - %.60s refers to %.60s.%.60s\n", sql_text_at(st, 0), sql_text_at(st, 1),
               sql_text_at(st, 2));
}

static void show_count(sqlite3_stmt *st, void *user) {
    struct card *c = user;
    buf_printf(c->out, "%s: %s rows\n", c->table, sql_text_at(st, 0));
}

static void sql_show_table(sqlite3_stmt *st, void *user) {
    struct card *c = user;
    if (c->tables++ >= MAX_TABLES)
        return;
    c->table = sql_text_at(st, 0);
    char *text = quoted_query("SELECT count(*) FROM \"%w\"", c->table, NULL);
    if (text && query(c->sql, text, NULL, show_count, c) < 0)
        buf_printf(c->out, "%s\n", c->table);
    sqlite3_free(text);
    query(c->sql, "SELECT name, type, pk FROM pragma_table_info(?)", c->table, sql_show_column, c);
    query(c->sql, "SELECT \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(?)", c->table,
          show_key, c);
}

int sql_card(struct sql *s, struct buf *out) {
    struct card c = {.sql = s, .out = out};
    sql_begin(s);
    int r = buf_adds(out, "\n\nDatabase:\n");
    if (r == 0)
        r = query(s,
                  "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT "
                  "LIKE 'sqlite_%' ORDER BY name",
                  NULL, sql_show_table, &c);
    end(s);
    return r;
}

/* --- the tool --- */

static json_t *cell(sqlite3_stmt *st, int i) {
    json_t *text;
    double x;
    switch (sqlite3_column_type(st, i)) {
    case SQLITE_INTEGER: return json_integer(sqlite3_column_int64(st, i));
    case SQLITE_FLOAT:
        x = sqlite3_column_double(st, i);
        return isfinite(x) ? json_real(x) : json_string(x > 0 ? "inf" : "-inf");
    case SQLITE_NULL: return json_null();
    case SQLITE_BLOB: return json_string("(binary)");
    default:
        text = json_stringn(sql_text_at(st, i), (size_t)sqlite3_column_bytes(st, i));
        return text ? text : json_string("(text that is not UTF-8)");
    }
}

static json_t *column_names(sqlite3_stmt *st) {
    json_t *names = json_array();
    for (int i = 0; i < sqlite3_column_count(st); i++) {
        json_t *name = json_string(sqlite3_column_name(st, i)); /* NULL if it is not UTF-8 */
        json_array_append_new(names, name ? name : json_sprintf("column %d", i + 1));
    }
    return names;
}

/* A row, or NULL if it is more than fits. */
static json_t *read_row(sqlite3_stmt *st, size_t *bytes) {
    json_t *row = json_array();
    for (int i = 0; i < sqlite3_column_count(st); i++) {
        int type = sqlite3_column_type(st, i);
        *bytes += 24 + (type == SQLITE_TEXT ? 2 * (size_t)sqlite3_column_bytes(st, i) : 0);
        if (*bytes > MAX_BYTES) {
            json_decref(row);
            return NULL;
        }
        json_array_append_new(row, cell(st, i));
    }
    return row;
}

/* Rows up to the caps. Returns SQLite's last code. */
static int sql_read_rows(sqlite3_stmt *st, json_t *rows, bool *ret_truncated) {
    size_t bytes = 0;
    int r;
    *ret_truncated = false;
    while ((r = sqlite3_step(st)) == SQLITE_ROW) {
        json_t *row = json_array_size(rows) < MAX_ROWS ? read_row(st, &bytes) : NULL;
        if (!row) {
            *ret_truncated = true;
            return SQLITE_DONE;
        }
        json_array_append_new(rows, row);
    }
    return r;
}

static char *failure(struct sql *s, int code) {
    scoped_buf text = BUF_INIT(4096);
    const char *message = sqlite3_errmsg(s->db);
    if (code == SQLITE_INTERRUPT)
        message = "the query took too long";
    else if (code == SQLITE_NOMEM)
        message = "the query took too much memory";
    else if (code == SQLITE_AUTH)
        message = "only reading is allowed";
    buf_adds(&text, message);
    scoped_free char *copy = strdup(message);
    sqlite3_set_authorizer(s->db, NULL, NULL); /* the names are looked up by pragma functions */
    if (copy)
        hint(s, copy, &text);
    return TAKE(text.data);
}

static char *sql_run(struct sql *s, const char *text, char **ret_failure) {
    sqlite3_stmt *st = NULL;
    const char *tail = "";
    bool truncated = false;
    json_t *rows = json_array();
    char *answer = NULL;
    int r = sqlite3_prepare_v2(s->db, text, -1, &st, &tail);
    if (r == SQLITE_OK && (!st || tail[strspn(tail, " \t\r\n;")])) {
        *ret_failure = strdup("one statement, please");
    } else {
        if (r == SQLITE_OK)
            r = sql_read_rows(st, rows, &truncated);
        if (r != SQLITE_DONE && r != SQLITE_OK) {
            *ret_failure = failure(s, r);
        } else {
            json_t *o = json_pack("{s:o,s:O,s:b}", "columns", column_names(st), "rows", rows,
                                  "truncated", truncated);
            answer = json_out(o, JSON_COMPACT);
            json_decref(o);
        }
    }
    sqlite3_finalize(st);
    json_decref(rows);
    return answer;
}

char *sql_call(void *user, const char *name, const char *arguments, char **ret_failure) {
    struct sql *s = user;
    if (strcmp(name, SQL_TOOL) != 0)
        return NULL;
    json_t *o = json_loads(arguments, 0, NULL);
    const char *text = json_string_value(json_object_get(o, "query"));
    char *answer = NULL;
    if (!text) {
        *ret_failure = strdup("sql takes {\"query\": text}");
    } else {
        sql_begin(s);
        sqlite3_set_authorizer(s->db, authorize, s);
        answer = sql_run(s, text, ret_failure);
        sqlite3_set_authorizer(s->db, NULL, NULL);
        end(s);
    }
    json_decref(o);
    return answer;
}
