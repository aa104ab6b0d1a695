#include "skills/index.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"

#define BUSY_MS 20000
#define SCHEMA 1
#define QUERY_BYTES 8192
#define QUERY_WORDS 64
#define WORD_BYTES 100
#define RANKED 2000 /* rows that we rank, unless the rarest word has more */

enum { RESERVED, THERE, REMOVED };

static const char schema_sql[] =
    "CREATE TABLE versions(name TEXT NOT NULL, version INTEGER NOT NULL, state INTEGER NOT NULL,"
    " token TEXT, hash TEXT, description TEXT, kind TEXT, uses INTEGER NOT NULL DEFAULT 0,"
    " failures INTEGER NOT NULL DEFAULT 0, streak INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY(name, version));"
    "CREATE INDEX reserved ON versions(state) WHERE state = 0;"
    "CREATE VIRTUAL TABLE words USING fts5(name, description, tokenize = 'porter unicode61');"
    "PRAGMA user_version = 1;";

static int index_error(sqlite3 *db, struct retort_error *err) {
    return err_set(err, ERR_HOST, EIO, "the index of the skills: %s", sqlite3_errmsg(db));
}

static int index_exec(sqlite3 *db, const char *sql, struct retort_error *err) {
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : index_error(db, err);
}

/* Commits, or rolls back. */
static int index_end(sqlite3 *db, int r, struct retort_error *err) {
    if (r == 0)
        r = index_exec(db, "COMMIT", err);
    if (r < 0)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return r;
}

/* --- opening --- */

static int index_schema(sqlite3 *db, int *ret) {
    sqlite3_stmt *s;
    int r = sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &s, NULL);
    if (r == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        *ret = sqlite3_column_int(s, 0);
    else
        *ret = -1;
    sqlite3_finalize(s);
    return *ret < 0 ? -EIO : 0;
}

static int index_make(sqlite3 *db, bool *ret_fresh, struct retort_error *err) {
    int schema;
    TRY(index_exec(db, "BEGIN IMMEDIATE", err));
    int r = index_schema(db, &schema) < 0 ? index_error(db, err) : 0;
    *ret_fresh = r == 0 && schema == 0;
    if (*ret_fresh)
        r = index_exec(db, schema_sql, err);
    return index_end(db, r, err);
}

int index_open(const char *path, sqlite3 **ret, bool *ret_fresh, struct retort_error *err) {
    int schema;
    sqlite3 *db;
    *ret_fresh = false;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK) {
        int r = index_error(db, err);
        sqlite3_close(db);
        return r;
    }
    *ret = db; /* the library closes it, also after an error */
    sqlite3_busy_timeout(db, BUSY_MS);
    if (index_schema(db, &schema) < 0)
        return index_error(db, err);
    if (schema > SCHEMA)
        return err_set(err, ERR_HOST, EPROTO, "the index of the skills is of a newer Retort");
    return schema == 0 ? index_make(db, ret_fresh, err) : 0;
}

/* --- statements --- */

static sqlite3_stmt *index_prepare(sqlite3 *db, const char *sql, const char *name,
                                   unsigned version) {
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        return NULL;
    int at = sqlite3_bind_parameter_index(s, ":name");
    if (at)
        sqlite3_bind_text(s, at, name, -1, SQLITE_TRANSIENT);
    at = sqlite3_bind_parameter_index(s, ":version");
    if (at)
        sqlite3_bind_int64(s, at, version);
    return s;
}

static int index_finish(sqlite3 *db, sqlite3_stmt *s, struct retort_error *err) {
    int done = s ? sqlite3_step(s) : SQLITE_ERROR;
    int r = done == SQLITE_DONE || done == SQLITE_ROW ? 0 : index_error(db, err);
    sqlite3_finalize(s);
    return r;
}

static int index_do(sqlite3 *db, const char *sql, const struct skill_ref *ref,
                    struct retort_error *err) {
    return index_finish(db, index_prepare(db, sql, ref->name, ref->version), err);
}

/* --- changes --- */

#define HEALTHY "state = 1 AND streak < 3"
_Static_assert(SKILL_QUARANTINE == 3, "HEALTHY says so");

/* Indexes the words of the name's newest healthy version, and of no other. */
static int index_words(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err) {
    TRY(index_do(db,
                 "DELETE FROM words WHERE rowid IN (SELECT rowid FROM versions WHERE name = :name)",
                 ref, err));
    return index_do(db,
                    "INSERT INTO words(rowid, name, description) SELECT rowid, name, description"
                    " FROM versions WHERE name = :name AND " HEALTHY
                    " ORDER BY version DESC LIMIT 1",
                    ref, err);
}

static int index_change(sqlite3 *db, const char *sql, const struct skill_ref *ref,
                        struct retort_error *err) {
    TRY(index_exec(db, "BEGIN IMMEDIATE", err));
    int r = index_do(db, sql, ref, err);
    if (r == 0)
        r = index_words(db, ref, err);
    return index_end(db, r, err);
}

static int index_insert(sqlite3 *db, const struct skill_ref *ref, const json_t *manifest,
                        const char *token, struct retort_error *err) {
    sqlite3_stmt *s = index_prepare(db,
                                    "INSERT OR REPLACE INTO versions(name, version, state, token,"
                                    " hash, description, kind) VALUES(:name, :version, ?3, ?4, ?5,"
                                    " ?6, ?7)",
                                    ref->name, ref->version);
    static const char *const members[] = {"hash", "description", "language"};
    if (s) {
        sqlite3_bind_int(s, 3, token ? RESERVED : THERE);
        sqlite3_bind_text(s, 4, token, -1, SQLITE_TRANSIENT);
        for (int i = 0; i < 3; i++)
            sqlite3_bind_text(s, 5 + i, json_string_value(json_object_get(manifest, members[i])),
                              -1, SQLITE_TRANSIENT);
    }
    return index_finish(db, s, err);
}

static int index_number(sqlite3 *db, const char *sql, const char *name, unsigned *ret,
                        struct retort_error *err) {
    sqlite3_stmt *s = index_prepare(db, sql, name, 0);
    int done = s ? sqlite3_step(s) : SQLITE_ERROR;
    int r = done == SQLITE_ROW || done == SQLITE_DONE ? 0 : index_error(db, err);
    if (r == 0)
        *ret = done == SQLITE_ROW ? (unsigned)sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return r;
}

int index_reserve(sqlite3 *db, struct skill_ref *ref, const json_t *manifest, const char *token,
                  struct retort_error *err) {
    TRY(index_exec(db, "BEGIN IMMEDIATE", err));
    int r =
        index_number(db, "SELECT coalesce(max(version), 0) + 1 FROM versions WHERE name = :name",
                     ref->name, &ref->version, err);
    if (r == 0)
        r = index_insert(db, ref, manifest, token, err);
    return index_end(db, r, err);
}

int index_settle(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err) {
    return index_change(db,
                        "UPDATE versions SET state = 1, token = NULL WHERE name = :name AND"
                        " version = :version AND state = 0",
                        ref, err);
}

int index_add(sqlite3 *db, const struct skill_ref *ref, const json_t *manifest,
              struct retort_error *err) {
    TRY(index_exec(db, "BEGIN IMMEDIATE", err));
    int r = index_insert(db, ref, manifest, NULL, err);
    if (r == 0)
        r = index_words(db, ref, err);
    return index_end(db, r, err);
}

int index_unreserve(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err) {
    return index_do(db,
                    "DELETE FROM versions WHERE name = :name AND version = :version AND state = 0",
                    ref, err);
}

int index_removed(sqlite3 *db, const struct skill_ref *ref, struct retort_error *err) {
    return index_change(db,
                        "UPDATE versions SET state = 2 WHERE name = :name AND state = 1 AND"
                        " :version IN (0, version)",
                        ref, err);
}

int index_count(sqlite3 *db, const struct skill_ref *ref, unsigned uses, bool failure,
                struct retort_error *err) {
    static const char sql[] = "UPDATE versions SET uses = uses + ?3 + ?4, failures = failures + ?4,"
                              " streak = CASE WHEN ?3 > 0 THEN 0 ELSE streak END + ?4"
                              " WHERE name = :name AND version = :version";
    TRY(index_exec(db, "BEGIN IMMEDIATE", err));
    sqlite3_stmt *s = index_prepare(db, sql, ref->name, ref->version);
    if (s) {
        sqlite3_bind_int64(s, 3, uses);
        sqlite3_bind_int(s, 4, failure);
    }
    int r = index_finish(db, s, err);
    if (r == 0) /* the skill may be healthy again */
        r = index_words(db, ref, err);
    return index_end(db, r, err);
}

/* --- questions --- */

bool index_has(sqlite3 *db, const struct skill_ref *ref) {
    unsigned n = 0;
    return index_number(db, "SELECT count(*) FROM versions WHERE name = :name AND state = 1",
                        ref->name, &n, NULL) == 0 &&
           n > 0;
}

int index_newest(sqlite3 *db, struct skill_ref *ref, struct retort_error *err) {
    return index_number(db, "SELECT max(version) FROM versions WHERE name = :name AND " HEALTHY,
                        ref->name, &ref->version, err);
}

static json_t *index_row(sqlite3_stmt *s) {
    json_t *row = json_object();
    for (int i = 0; i < sqlite3_column_count(s); i++) {
        const char *name = sqlite3_column_name(s, i);
        json_t *value = strcmp(name, "quarantined") == 0 ? json_boolean(sqlite3_column_int(s, i))
                        : sqlite3_column_type(s, i) == SQLITE_INTEGER
                            ? json_integer(sqlite3_column_int64(s, i))
                            : json_string((const char *)sqlite3_column_text(s, i));
        json_object_set_new(row, name, value ? value : json_null());
    }
    return row;
}

static int index_rows(sqlite3 *db, sqlite3_stmt *s, json_t **ret, struct retort_error *err) {
    json_t *rows = json_array();
    int step = SQLITE_ERROR;
    while (s && (step = sqlite3_step(s)) == SQLITE_ROW)
        json_array_append_new(rows, index_row(s));
    int r = step == SQLITE_DONE ? 0 : index_error(db, err);
    sqlite3_finalize(s);
    if (r == 0)
        *ret = rows;
    else
        json_decref(rows);
    return r;
}

int index_unsettled(sqlite3 *db, json_t **ret, struct retort_error *err) {
    return index_rows(
        db, index_prepare(db, "SELECT name, version, token FROM versions WHERE state = 0", "", 0),
        ret, err);
}

#define COLUMNS                                                                           \
    "v.name AS name, v.version AS version, v.hash AS hash, v.description AS description," \
    " v.kind AS kind, v.uses AS uses, v.failures AS failures, v.streak >= 3 AS quarantined"

int index_list(sqlite3 *db, json_t **ret, struct retort_error *err) {
    static const char sql[] =
        "SELECT " COLUMNS ", max((v.streak < 3) * 2000000 + v.version) AS newest FROM versions v"
        " WHERE v.state = 1 GROUP BY v.name ORDER BY v.name";
    json_t *one;
    size_t i;
    TRY(index_rows(db, index_prepare(db, sql, "", 0), ret, err));
    json_array_foreach(*ret, i, one) {
        json_object_del(one, "newest");
    }
    return 0;
}

/* Words that are in most descriptions tell nothing, and it takes long to rank all that have
 * them. */
static bool is_common(const char *word, size_t len) {
    static const char common[] =
        " a an and are as at be by can do does for from has have how i if in is it its "
        "many me much my of on or s so that the their them then there these they this "
        "to was we were what when where which who why will with you your ";
    char padded[16];
    if (len > sizeof padded - 3)
        return false;
    snprintf(padded, sizeof padded, " %.*s ", (int)len, word);
    return strcasestr(common, padded);
}

struct query_word {
    const char *text;
    size_t len;
    unsigned rows; /* how many descriptions have it, at most RANKED + 1 */
};

/* The first words of a text, without the common ones unless `all`. */
static size_t query_words(const char *text, bool all, struct query_word *ret) {
    size_t n = 0;
    while (*text && n < QUERY_WORDS) {
        size_t len = 0;
        while (isalnum((unsigned char)text[len]) || (unsigned char)text[len] >= 0x80)
            len++;
        if (len && len <= WORD_BYTES && (all || !is_common(text, len)))
            ret[n++] = (struct query_word){.text = text, .len = len};
        text += len ? len : 1;
    }
    return n;
}

/* In quotes, so that no word is an operator of FTS5. */
static int query_add(struct buf *query, const struct query_word *word) {
    return buf_printf(query, "%s\"%.*s\"", query->len ? " OR " : "", (int)word->len, word->text);
}

static int count_word(sqlite3 *db, struct query_word *word, struct retort_error *err) {
    char text[WORD_BYTES + 4];
    snprintf(text, sizeof text, "\"%.*s\"", (int)word->len, word->text);
    return index_number(db,
                        "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH :name LIMIT "
                        "2001)",
                        text, &word->rows, err);
}
_Static_assert(RANKED == 2000, "count_word says so");

static int by_rows(const void *a, const void *b) {
    const struct query_word *x = a, *y = b;
    return x->rows < y->rows ? -1 : x->rows > y->rows;
}

/* Ranking takes time for each row, so of common words we use only the rarest. */
static int index_query(sqlite3 *db, const char *words, bool all, struct buf *ret,
                       struct retort_error *err) {
    struct query_word list[QUERY_WORDS];
    size_t n = query_words(words, all, list);
    unsigned rows = 0;
    for (size_t i = 0; i < n; i++)
        TRY(count_word(db, &list[i], err));
    qsort(list, n, sizeof *list, by_rows);
    for (size_t i = 0; i < n && (!rows || rows + list[i].rows <= RANKED); i++) {
        if (list[i].rows && query_add(ret, &list[i]) < 0)
            return err_memory(err);
        rows += list[i].rows;
    }
    return 0;
}

int index_search(sqlite3 *db, const char *words, unsigned most, json_t **ret,
                 struct retort_error *err) {
    static const char sql[] =
        "SELECT " COLUMNS " FROM (SELECT rowid AS id, bm25(words, 4.0, 1.0) AS score FROM words"
        " WHERE words MATCH :name ORDER BY score LIMIT :version) JOIN versions v ON v.rowid = id"
        " ORDER BY score";
    scoped_buf query = BUF_INIT(QUERY_BYTES);
    TRY(index_query(db, words, false, &query, err));
    if (!query.len && query_words(words, false, (struct query_word[QUERY_WORDS]){{0}}) == 0)
        TRY(index_query(db, words, true, &query, err));
    if (!query.len) {
        *ret = json_array();
        return 0;
    }
    return index_rows(db, index_prepare(db, sql, query.data, most), ret, err);
}

int index_versions(sqlite3 *db, const char *name, json_t **ret, struct retort_error *err) {
    static const char sql[] =
        "SELECT " COLUMNS " FROM versions v WHERE v.name = :name AND v.state = 1"
        " ORDER BY v.version";
    return index_rows(db, index_prepare(db, sql, name, 0), ret, err);
}
