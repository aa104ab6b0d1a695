/* A ledger in a directory of its own, for the tests of src/ledger. */
#pragma once

#include "unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ledger/ledger.h"
#include "ledger/store.h"
#include "ledger/upkeep.h"

static char dir[64];

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static inline int make_dir(void **state) {
    (void)state;
    snprintf(dir, sizeof dir, "/tmp/retort-ledger-XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static inline int remove_dir(void **state) {
    (void)state;
    return nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline struct ledger *open_ledger(void) {
    struct retort_error err = ERR_INIT;
    struct ledger *l = NULL;
    struct ledger_options options = {.busy_ms = 3000};
    if (ledger_open(dir, &options, &l, &err) < 0)
        fail_msg("ledger_open: %s", err.message);
    return l;
}

static inline struct ledger_ref append(struct ledger *l, const char *session, enum ledger_kind kind,
                                       json_t *body) {
    struct retort_error err = ERR_INIT;
    struct ledger_ref ref;
    assert_non_null(body);
    int r = kind == LEDGER_CREATE ? ledger_begin(l, session, NULL, body, &ref, &err)
                                  : ledger_append(l, session, kind, body, &ref, &err);
    if (r < 0)
        fail_msg("append: %s", err.message);
    json_decref(body);
    return ref;
}

static inline void put(struct ledger *l, const void *data, size_t len, char text[HASH_TEXT_SIZE]) {
    struct retort_error err = ERR_INIT;
    struct hash h;
    if (store_put(l, data, len, &h, &err) < 0)
        fail_msg("store_put: %s", err.message);
    hash_text(&h, text);
}

static inline void begin(struct ledger *l, const char *session) {
    append(l, session, LEDGER_CREATE, json_pack("{s:s}", "language", "python"));
}

/* One cell with its code in the store; `state` NULL leaves it without an outcome. */
static inline struct ledger_ref cell(struct ledger *l, const char *session, int n, const char *code,
                                     const char *state) {
    char blob[HASH_TEXT_SIZE];
    put(l, code, strlen(code), blob);
    struct ledger_ref ref = append(l, session, LEDGER_CELL_INTENT,
                                   json_pack("{s:i, s:{s:s}}", "cell", n, "blobs", "code", blob));
    if (state)
        ref = append(l, session, LEDGER_CELL_OUTCOME,
                     json_pack("{s:i, s:s, s:s}", "cell", n, "status", "ok", "state", state));
    return ref;
}

static inline struct ledger_report verify(struct ledger *l, const char *session, const char *head) {
    struct retort_error err = ERR_INIT;
    struct ledger_report report;
    if (ledger_verify(l, session, head, NULL, NULL, &report, &err) < 0)
        fail_msg("ledger_verify: %s", err.message);
    return report;
}

static inline void assert_verdict(struct ledger *l, const char *session, enum ledger_verdict want) {
    struct ledger_report r = verify(l, session, NULL);
    if (r.worst.verdict != want)
        fail_msg("%s is %s, not %s: entry %llu of %s: %s", session,
                 ledger_verdict_name(r.worst.verdict), ledger_verdict_name(want),
                 (unsigned long long)r.worst.seq, r.worst.session, r.worst.text);
}

/* The database by another door than the ledger's. */
static inline void sql(const char *text) {
    char path[96], *message = NULL;
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 3000);
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", text, message);
    sqlite3_close(db);
}

static inline long long sql_int(const char *text) {
    char path[96];
    sqlite3 *db;
    sqlite3_stmt *s;
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    long long value = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(db);
    return value;
}

static inline void blob_path(const char *text, char ret[192]) {
    snprintf(ret, 192, "%s/store/%.2s/%s", dir, text + 7, text + 9);
}

#define LEDGER_TEST(f) cmocka_unit_test_setup_teardown(f, make_dir, remove_dir)
