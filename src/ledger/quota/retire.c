/* The quota of entries: a quarter of the quota, beside the store; owners have equal shares of it.
 * If an owner has more, whole sessions of his are removed, those that ended first. If all that is
 * left is in use, he cannot begin anything until some of it is not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/tiny.h"
#include "ledger/db.h"
#include "ledger/quota/quota.h"

#define PART 4                /* of the quota */
#define LEAST_BYTES (1 << 20) /* even if the part is smaller */
#define BATCH TINY(16, 2)     /* sessions in one transaction */

/* The owner with the most, how much, and how many owners there are. */
static const char select_largest[] =
    "SELECT " OWNER_OF("n") " AS who, sum(bytes) AS most, count(*) OVER () FROM session"
                            " WHERE bytes > 0 GROUP BY who ORDER BY most DESC LIMIT 1";

/* ?1: the owner. Sessions without branches; those that can be resumed come last. */
static const char select_ended[] = "SELECT n, bytes FROM session WHERE state <> 0 AND " OWNER_OF(
    "n") " = ?1"
         " AND NOT EXISTS (SELECT 1 FROM session AS child WHERE child.parent = session.n)"
         " ORDER BY state < 3, touched LIMIT 16";

struct greed {
    char owner[LEDGER_OWNER_SIZE];
    uint64_t excess; /* bytes above both his share and what all may have */
};

static int retire_run(struct ledger *l, const char *text, int64_t n, struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(l->db.handle, text, -1, &s, NULL);
    if (s)
        sqlite3_bind_int64(s, 1, n);
    int r = db_run(l, s, err);
    sqlite3_finalize(s);
    return r;
}

int retire_recount(struct ledger *l, int64_t n, struct retort_error *err) {
    return retire_run(l,
                      "UPDATE session SET bytes = (SELECT total(" ENTRY_BYTES
                      " + coalesce(length(body), 0)) FROM entry WHERE session = ?1) WHERE n = ?1",
                      n, err);
}

static int entries_total(struct ledger *l, uint64_t *ret, struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db.handle, "SELECT total(bytes) FROM session", -1, &s, NULL);
    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW)
        *ret = (uint64_t)sqlite3_column_double(s, 0);
    sqlite3_finalize(s);
    return rc == SQLITE_ROW ? 0 : db_error(l, l->db.handle, rc, err);
}

/* 0: no owner has too much. */
static int find_greedy(struct ledger *l, uint64_t most, struct greed *ret,
                       struct retort_error *err) {
    uint64_t total = 0;
    int r = entries_total(l, &total, err);
    if (r < 0 || total <= most)
        return r;
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db.handle, select_largest, -1, &s, NULL);
    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        const char *who = (const char *)sqlite3_column_text(s, 0);
        uint64_t share = most / (uint64_t)sqlite3_column_int64(s, 2),
                 above = (uint64_t)sqlite3_column_int64(s, 1) - share;
        snprintf(ret->owner, sizeof ret->owner, "%s", who ? who : "");
        ret->excess = above < total - most ? above : total - most;
    }
    sqlite3_finalize(s);
    return rc == SQLITE_ROW ? 1 : db_error(l, l->db.handle, rc, err);
}

struct leaving {
    int64_t n[BATCH];
    int count;
    struct refs refs;
};

static int pick_ended(struct ledger *l, const struct greed *g, struct leaving *v,
                      struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    uint64_t picked = 0;
    int rc = sqlite3_prepare_v2(l->db.handle, select_ended, -1, &s, NULL);
    if (s)
        sqlite3_bind_text(s, 1, g->owner, -1, SQLITE_STATIC);
    while (s && picked < g->excess && v->count < BATCH && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        v->n[v->count++] = sqlite3_column_int64(s, 0);
        picked += (uint64_t)sqlite3_column_int64(s, 1);
    }
    sqlite3_finalize(s);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : db_error(l, l->db.handle, rc, err);
}

static int retire_one(struct ledger *l, int64_t n, struct refs *refs, struct ledger_freed *freed,
                      struct retort_error *err) {
    int r = expire_refs(l, n, refs, freed, err);
    if (r == 0)
        r = retire_run(l, "DELETE FROM entry WHERE session = ?1", n, err);
    return r < 0 ? r : retire_run(l, "DELETE FROM session WHERE n = ?1", n, err);
}

/* Called with the lock held. Returns how many sessions were removed; with none, the excess
 * stays. */
static int retire_batch(struct ledger *l, uint64_t most, struct leaving *v,
                        struct ledger_freed *freed, struct retort_error *err) {
    struct greed g = {.excess = 0};
    int r = db_begin(l, err);
    if (r < 0)
        return r;
    int found = r = find_greedy(l, most, &g, err);
    if (found > 0)
        r = pick_ended(l, &g, v, err);
    for (int i = 0; r == 0 && i < v->count; i++)
        r = retire_one(l, v->n[i], &v->refs, freed, err);
    r = db_end(l, r, err);
    l->over = r >= 0 && found > 0 && !v->count;
    memcpy(l->over_owner, g.owner, sizeof l->over_owner);
    return r < 0 ? r : v->count;
}

int retire_by_quota(struct ledger *l, uint64_t max_bytes, struct ledger_freed *freed,
                    struct retort_error *err) {
    uint64_t most = max_bytes / PART > LEAST_BYTES ? max_bytes / PART : LEAST_BYTES;
    int r = 1;
    while (r > 0) {
        struct leaving v = {.count = 0};
        pthread_mutex_lock(&l->lock);
        r = retire_batch(l, most, &v, freed, err);
        pthread_mutex_unlock(&l->lock);
        for (size_t i = 0; r > 0 && i < v.refs.count; i++)
            expire_file(l, &v.refs.hashes[i]);
        refs_done(&v.refs);
    }
    return r;
}

bool retire_is_over(struct ledger *l) {
    pthread_mutex_lock(&l->lock);
    bool over = l->over;
    pthread_mutex_unlock(&l->lock);
    return over;
}

/* Only entries that begin something are refused: what is under way may end. */
static bool begins_something(enum ledger_kind kind) {
    return kind == LEDGER_CREATE || kind == LEDGER_CELL_INTENT || kind == LEDGER_TOOL_CALL ||
           kind == LEDGER_FILE_WRITE || kind == LEDGER_FILE_DELETE || kind == LEDGER_NOTE ||
           kind == LEDGER_NETWORK;
}

static bool owner_is(struct ledger *l, int64_t n, const char *owner) {
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(l->db.handle, "SELECT " OWNER_OF("?1") " = ?2", -1, &s, NULL);
    if (s) {
        sqlite3_bind_int64(s, 1, n);
        sqlite3_bind_text(s, 2, owner, -1, SQLITE_STATIC);
    }
    bool same = s && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return same;
}

int retire_permit(struct ledger *l, const struct session_row *row, enum ledger_kind kind,
                  struct retort_error *err) {
    if (!l->over || !begins_something(kind) || !owner_is(l, row->n, l->over_owner))
        return 0;
    return err_set(err, ERR_LIMIT, EDQUOT,
                   "the entries of sessions that are in use fill the ledger's quota: close some of "
                   "them, or raise the quota");
}
