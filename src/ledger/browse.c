/* Reading sessions and entries, a page at a time: no lock is held while a visitor runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "ledger/db.h"

#define SESSIONS_PAGE TINY(64, 2)
#define ENTRIES_PAGE TINY(32, 2)
#define READ_MS 5000 /* for a writer to finish */

static int describe(struct ledger *l, const struct session_row *row, struct ledger_session *ret,
                    struct retort_error *err) {
    struct session_row parent = {.id = ""};
    int r = row->parent ? row_find_n(l, row->parent, &parent, err) : 0;
    if (r < 0)
        return r;
    *ret = (struct ledger_session){
        .parent_seq = row->parent_seq,
        .state = row->state,
        .created_ms = row->created,
        .touched_ms = row->touched,
        .seq = row->seq,
        .cells = row->cells,
    };
    memcpy(ret->id, row->id, sizeof ret->id);
    memcpy(ret->parent, parent.id, sizeof ret->parent);
    memcpy(ret->engine, row->engine, sizeof ret->engine);
    memcpy(ret->title, row->title, sizeof ret->title);
    hash_text(&row->head, ret->head);
    return 0;
}

int ledger_session_get(struct ledger *l, const char *id, struct ledger_session *ret,
                       struct retort_error *err) {
    struct session_row row;
    pthread_mutex_lock(&l->lock);
    int r = row_find(l, id, &row, err);
    if (r == 0)
        r = describe(l, &row, ret, err);
    pthread_mutex_unlock(&l->lock);
    return r;
}

static int sessions_page(struct ledger *l, int64_t after, struct session_row *rows,
                         struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_SESSIONS);
    int n = 0, rc = SQLITE_ERROR;
    if (s) {
        sqlite3_bind_int64(s, 1, after);
        while ((rc = sqlite3_step(s)) == SQLITE_ROW && n < SESSIONS_PAGE)
            n += row_read(s, &rows[n]);
        sqlite3_reset(s);
    }
    return rc == SQLITE_DONE || rc == SQLITE_ROW ? n : db_error(l, l->db.handle, rc, err);
}

int ledger_sessions(struct ledger *l, int (*visit)(void *user, const struct ledger_session *s),
                    void *user, struct retort_error *err) {
    scoped_free struct session_row *rows = calloc(SESSIONS_PAGE, sizeof *rows);
    scoped_free struct ledger_session *page = calloc(SESSIONS_PAGE, sizeof *page);
    int64_t after = 0;
    int r = 0;
    if (!rows || !page)
        return err_memory(err);
    for (int n = SESSIONS_PAGE; r == 0 && n == SESSIONS_PAGE;) {
        pthread_mutex_lock(&l->lock);
        n = sessions_page(l, after, rows, err);
        for (int i = 0; i < n && r == 0; i++)
            r = describe(l, &rows[i], &page[i], err);
        pthread_mutex_unlock(&l->lock);
        r = n < 0 ? n : r;
        for (int i = 0; i < n && r == 0; i++)
            r = visit(user, &page[i]);
        after = n > 0 ? rows[n - 1].n : after;
    }
    return r;
}

static int find_first(sqlite3 *db, const char *text) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(db,
                                "SELECT 1 FROM session JOIN entry ON entry.session = session.n AND "
                                "entry.seq = 1 WHERE instr(entry.body, ?1) LIMIT 1",
                                -1, &s, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(s, 1, text, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(s);
    sqlite3_finalize(s);
    return rc;
}

int ledger_begins_with(const char *dir, const char *text, bool *ret, struct retort_error *err) {
    char path[MAX_PATH];
    sqlite3 *db = NULL;
    snprintf(path, sizeof path, "%s/ledger.db", dir);
    *ret = false;
    if (access(path, F_OK) < 0 && errno == ENOENT)
        return 0;
    int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(db, READ_MS);
        rc = find_first(db, text);
    }
    *ret = rc == SQLITE_ROW;
    sqlite3_close(db);
    return rc == SQLITE_ROW || rc == SQLITE_DONE
               ? 0
               : err_set(err, ERR_HOST, EIO, "cannot read %.160s", path);
}

void ledger_entry_done(struct ledger_entry *e) {
    json_decref(e->body);
    e->body = NULL;
}

static int entry_read(sqlite3_stmt *s, const char *session, struct ledger_entry *ret,
                      struct retort_error *err) {
    struct hash h;
    json_error_t error;
    const char *kind = (const char *)sqlite3_column_text(s, 1);
    const char *body = (const char *)sqlite3_column_text(s, 3);
    if (sqlite3_errcode(sqlite3_db_handle(s)) == SQLITE_NOMEM)
        return err_memory(err);
    *ret = (struct ledger_entry){.seq = (uint64_t)sqlite3_column_int64(s, 0),
                                 .time_ms = sqlite3_column_int64(s, 2)};
    int r = kind ? kind_parse(kind, &ret->kind) : -EINVAL;
    if (r == 0 && !db_column_hash(s, 4, &h))
        r = -EINVAL;
    if (r == 0 && body && !(ret->body = json_in(body, strlen(body), JSON_ALLOW_NUL, &error)))
        r = json_in_short(&error) ? -ENOMEM : -EINVAL;
    if (r == -ENOMEM)
        return err_memory(err);
    if (r < 0)
        return err_errno(err, ERR_HOST, EBADMSG,
                         "entry %llu of session %s is damaged: see retort verify",
                         (unsigned long long)ret->seq, session);
    hash_text(&h, ret->hash);
    return 0;
}

struct entries_page {
    struct ledger_entry at[ENTRIES_PAGE];
    int count;
};

static int read_page(struct ledger *l, const char *session, uint64_t first, uint64_t last,
                     struct entries_page *page, struct retort_error *err) {
    struct session_row row;
    int rc = SQLITE_ERROR, r = row_find(l, session, &row, err);
    sqlite3_stmt *s = r == 0 ? db_stmt(l, ST_ENTRIES) : NULL;
    if (r < 0)
        return r;
    if (s) {
        sqlite3_bind_int64(s, 1, row.n);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)first);
        sqlite3_bind_int64(s, 3, last ? (sqlite3_int64)last : INT64_MAX);
        while (r == 0 && page->count < ENTRIES_PAGE && (rc = sqlite3_step(s)) == SQLITE_ROW)
            if ((r = entry_read(s, session, &page->at[page->count], err)) == 0)
                page->count++;
        sqlite3_reset(s);
    }
    return r < 0 || rc == SQLITE_DONE || rc == SQLITE_ROW ? r : db_error(l, l->db.handle, rc, err);
}

int ledger_entries(struct ledger *l, const char *session, uint64_t first, uint64_t last,
                   int (*visit)(void *user, const struct ledger_entry *e), void *user,
                   struct retort_error *err) {
    struct entries_page page = {.count = ENTRIES_PAGE};
    int r = 0;
    while (r == 0 && page.count == ENTRIES_PAGE) {
        page.count = 0;
        pthread_mutex_lock(&l->lock);
        r = read_page(l, session, first, last, &page, err);
        pthread_mutex_unlock(&l->lock);
        for (int i = 0; i < page.count; i++) {
            if (r == 0)
                r = visit(user, &page.at[i]);
            first = page.at[i].seq + 1;
            ledger_entry_done(&page.at[i]);
        }
    }
    return r;
}

static int take_entry(void *user, const struct ledger_entry *e) {
    struct ledger_entry *ret = user;
    *ret = *e;
    json_incref(ret->body);
    return 1;
}

int ledger_entry_get(struct ledger *l, const char *session, uint64_t seq, struct ledger_entry *ret,
                     struct retort_error *err) {
    int r = ledger_entries(l, session, seq, seq, take_entry, ret, err);
    if (r == 0)
        return err_set(err, ERR_CALLER, ENOENT, "session %.64s has no entry %llu", session,
                       (unsigned long long)seq);
    return r < 0 ? r : 0;
}
