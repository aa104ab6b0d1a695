/* Giving bytes up: by quota and age (expire), or on request (forget).
 *
 * First the row changes, in a transaction of its own; then the file is removed, in a transaction
 * that has looked at the row again. If the process dies in between, it leaves a file without a row,
 * which a sweep removes. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/jsonwhole.h"
#include "base/scope.h"
#include "base/tiny.h"
#include "ledger/blobs.h"
#include "ledger/db.h"
#include "ledger/mirror/mirror.h"
#include "ledger/quota/quota.h"
#include "ledger/upkeep.h"

#define BATCH TINY(64, 2) /* blobs per transaction */
#define GRACE_MS 60000    /* an entry may still be about to refer to bytes that have none */
#define SWEEP_AGE_S 3600  /* for files of the store without a row */

struct victims {
    struct hash hashes[BATCH];
    uint64_t sizes[BATCH];
    bool in_file[BATCH], passed_on[BATCH];
    int count;
};

/* Whose bytes may be removed. */
enum whose { ANYBODYS, NOBODYS, ONE_OWNERS };

struct choice {
    int64_t before; /* only bytes that were not used since */
    bool live_too;
    uint64_t enough; /* bytes to remove */
    enum whose whose;
    char owner[LEDGER_OWNER_SIZE]; /* of the sessions; "": sessions without an owner */
};

/* --- files --- */

static bool row_speaks_for(struct ledger *l, const struct hash *h) {
    struct blob_row b;
    int r = blob_find(l, h, false, &b, NULL);
    return r != -ENOENT && (r < 0 || b.state == BLOB_PRESENT || b.state == BLOB_UNSYNCED);
}

/* Renamed under the lock and unlinked later, because unlinking a large file takes a while. */
static bool move_away(struct ledger *l, const struct hash *h, char tmp[LEDGER_ID_SIZE + 24]) {
    char path[72];
    uint64_t n = __atomic_add_fetch(&l->tmp_serial, 1, __ATOMIC_RELAXED);
    store_path(h, path);
    snprintf(tmp, LEDGER_ID_SIZE + 24, "%s.%llu", l->engine, (unsigned long long)n);
    return renameat(l->storefd, path, l->storefd, tmp) == 0;
}

void expire_file(struct ledger *l, const struct hash *h) {
    char tmp[LEDGER_ID_SIZE + 24];
    bool moved = false;
    pthread_mutex_lock(&l->lock);
    if (db_begin(l, NULL) == 0) {
        moved = !row_speaks_for(l, h) && move_away(l, h, tmp);
        db_rollback(l);
    }
    pthread_mutex_unlock(&l->lock);
    if (moved)
        unlinkat(l->storefd, tmp, 0);
}

static void remove_files(struct ledger *l, const struct victims *v) {
    for (int i = 0; i < v->count; i++)
        if (v->in_file[i] && !v->passed_on[i])
            expire_file(l, &v->hashes[i]);
}

/* Sweeps one directory of the store at a time; all of it in 256 calls. */
static void expire_sweep(struct ledger *l) {
    char name[3], text[HASH_TEXT_SIZE];
    unsigned n = __atomic_fetch_add(&l->sweep_next, 1, __ATOMIC_RELAXED) & 255;
    snprintf(name, sizeof name, "%02x", n);
    scoped_dir dir = opendir_at(l->storefd, name);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct hash h;
        struct stat st;
        snprintf(text, sizeof text, "%s%.62s", name, e->d_name);
        if (hash_parse(text, &h) == 0 &&
            fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            st.st_mtime < time(NULL) - SWEEP_AGE_S)
            expire_file(l, &h);
    }
}

/* --- expire --- */

/* The owner and all other sessions that refer to a blob. */
#define LIVE                                                                    \
    "EXISTS (SELECT 1 FROM session WHERE state = 0 AND (n = blob.owner OR n IN" \
    " (SELECT session FROM ref WHERE ref.hash = blob.hash)))"

#define OWN "(SELECT n FROM session WHERE " OWNER_OF("session.n") " = ?5)"

/* ?1: not used since; ?2: the same for bytes without a reference; ?3: also those of live sessions;
 * ?4: enum whose; ?5: the owner. */
static const char select_victims[] =
    "SELECT hash, size, data IS NULL FROM blob WHERE state < 2 AND used <= ?1"
    " AND (used <= ?2 OR owner NOT NULL) AND (?3 OR NOT " LIVE ")"
    " AND CASE ?4 WHEN 0 THEN 1 WHEN 1 THEN owner IS NULL ELSE owner IN " OWN " END"
    " ORDER BY used LIMIT 64";

/* The owner with the most bytes, how many, and how many owners there are. */
static const char select_largest[] = "SELECT " OWNER_OF(
    "n") " AS who, sum(bytes) AS most, count(*) OVER () FROM"
         " (SELECT owner AS n, sum(size) AS bytes FROM blob WHERE state < 2 AND owner NOT NULL"
         " GROUP BY owner) GROUP BY who ORDER BY most DESC LIMIT 1";

/* ?1: the blob. Gives it to a session of another owner that refers to it, if there is one. */
static const char pass_to_others[] =
    "UPDATE blob SET owner = (SELECT min(session) FROM ref WHERE hash = ?1 AND session NOT IN " OWN
    ") WHERE hash = ?1 AND EXISTS"
    " (SELECT 1 FROM ref WHERE hash = ?1 AND session NOT IN " OWN ")";
static const char drop_own_refs[] = "DELETE FROM ref WHERE hash = ?1 AND (session IN " OWN
                                    " OR session = (SELECT owner FROM blob WHERE hash = ?1))";

static int sql_one(struct ledger *l, const char *text, const struct hash *h, int64_t n,
                   struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(l->db.handle, text, -1, &s, NULL);
    if (s && h)
        db_bind_hash(s, 1, h);
    if (s && n)
        sqlite3_bind_int64(s, 2, n);
    int r = db_run(l, s, err);
    sqlite3_finalize(s);
    return r;
}

static int total_bytes(struct ledger *l, uint64_t *ret, struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db.handle, "SELECT total(size) FROM blob WHERE state < 2", -1,
                                &s, NULL);
    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW)
        *ret = (uint64_t)sqlite3_column_double(s, 0);
    sqlite3_finalize(s);
    return rc == SQLITE_ROW ? 0 : db_error(l, l->db.handle, rc, err);
}

static int pick(struct ledger *l, const struct choice *c, struct victims *v,
                struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    uint64_t picked = 0;
    int rc = sqlite3_prepare_v2(l->db.handle, select_victims, -1, &s, NULL);
    v->count = 0;
    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, c->before);
        sqlite3_bind_int64(s, 2, now_ms() - GRACE_MS);
        sqlite3_bind_int(s, 3, c->live_too);
        sqlite3_bind_int(s, 4, (int)c->whose);
        sqlite3_bind_text(s, 5, c->owner, -1, SQLITE_STATIC);
        while (picked < c->enough && v->count < BATCH && (rc = sqlite3_step(s)) == SQLITE_ROW) {
            if (!db_column_hash(s, 0, &v->hashes[v->count]))
                continue;
            v->sizes[v->count] = (uint64_t)sqlite3_column_int64(s, 1);
            v->in_file[v->count] = sqlite3_column_int(s, 2);
            picked += v->sizes[v->count++];
        }
    }
    sqlite3_finalize(s);
    return rc == SQLITE_ROW || rc == SQLITE_DONE || rc == SQLITE_OK
               ? 0
               : db_error(l, l->db.handle, rc, err);
}

static int sql_owned(struct ledger *l, const char *text, const struct hash *h, const char *owner,
                     struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    sqlite3_prepare_v2(l->db.handle, text, -1, &s, NULL);
    if (s) {
        db_bind_hash(s, 1, h);
        sqlite3_bind_text(s, 5, owner, -1, SQLITE_STATIC);
    }
    int r = db_run(l, s, err);
    sqlite3_finalize(s);
    return r;
}

/* A blob that another owner refers to as well belongs to him from now on. */
static int expire_pass_on(struct ledger *l, const struct hash *h, const char *owner, bool *ret,
                          struct retort_error *err) {
    int r = sql_owned(l, pass_to_others, h, owner, err);
    *ret = r == 0 && sqlite3_changes(l->db.handle) > 0;
    return *ret ? sql_owned(l, drop_own_refs, h, owner, err) : r;
}

static int mark_expired(struct ledger *l, const struct choice *c, struct victims *v,
                        struct retort_error *err) {
    int r = 0;
    for (int i = 0; i < v->count && r == 0; i++) {
        if (c->whose == ONE_OWNERS)
            r = expire_pass_on(l, &v->hashes[i], c->owner, &v->passed_on[i], err);
        if (r < 0 || v->passed_on[i])
            continue;
        r = sql_one(l, "DELETE FROM blob WHERE hash = ?1 AND owner IS NULL", &v->hashes[i], 0, err);
        if (r == 0)
            r = sql_one(l, "UPDATE blob SET state = 2, data = NULL WHERE hash = ?1", &v->hashes[i],
                        0, err);
    }
    return r;
}

/* Removes one batch. Returns how many blobs it removed; stops after enough bytes. */
static int expire_batch(struct ledger *l, const struct choice *c, struct ledger_freed *freed,
                        struct retort_error *err) {
    struct victims v = {.count = 0};
    pthread_mutex_lock(&l->lock);
    int r = db_begin(l, err);
    if (r == 0) {
        r = pick(l, c, &v, err);
        if (r == 0)
            r = mark_expired(l, c, &v, err);
        r = db_end(l, r, err);
    }
    pthread_mutex_unlock(&l->lock);
    if (r < 0)
        return r;
    remove_files(l, &v);
    for (int i = 0; i < v.count; i++)
        if (!v.passed_on[i]) {
            freed->blobs++;
            freed->bytes += v.sizes[i];
        }
    return v.count;
}

/* Of all owners above their share, an equal part of the quota, chooses the one that is furthest
 * above. If the store is above its quota there is one; his bytes go down to that share. */
static int choose_owner(struct ledger *l, uint64_t max_bytes, uint64_t over, struct choice *c,
                        struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db.handle, select_largest, -1, &s, NULL);
    c->whose = NOBODYS;
    c->enough = over;
    if (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        uint64_t most = (uint64_t)sqlite3_column_int64(s, 1),
                 share = max_bytes / (uint64_t)sqlite3_column_int64(s, 2);
        const char *who = (const char *)sqlite3_column_text(s, 0);
        snprintf(c->owner, sizeof c->owner, "%s", who ? who : "");
        if (most > share) {
            c->whose = ONE_OWNERS;
            c->enough = most - share < over ? most - share : over;
        }
    }
    sqlite3_finalize(s);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : db_error(l, l->db.handle, rc, err);
}

/* Bytes without a reference go first, then the chosen owner's, and of these last those of live
 * sessions. */
static int expire_of(struct ledger *l, struct choice *c, struct ledger_freed *freed,
                     struct retort_error *err) {
    struct choice nobodys = {.before = c->before, .enough = c->enough, .whose = NOBODYS};
    int r = expire_batch(l, &nobodys, freed, err);
    if (r == 0 && c->whose == ONE_OWNERS)
        r = expire_batch(l, c, freed, err);
    c->live_too = true;
    if (r == 0 && c->whose == ONE_OWNERS)
        r = expire_batch(l, c, freed, err);
    return r;
}

static int expire_by_quota(struct ledger *l, uint64_t max_bytes, struct ledger_freed *freed,
                           struct retort_error *err) {
    for (;;) {
        uint64_t total = 0;
        struct choice c = {.before = now_ms()};
        pthread_mutex_lock(&l->lock);
        int r = total_bytes(l, &total, err);
        if (r == 0 && total > max_bytes)
            r = choose_owner(l, max_bytes, total - max_bytes, &c, err);
        pthread_mutex_unlock(&l->lock);
        if (r < 0 || total <= max_bytes || (r = expire_of(l, &c, freed, err)) <= 0)
            return r;
    }
}

int ledger_expire(struct ledger *l, uint64_t max_bytes, unsigned max_age_s,
                  struct ledger_freed *ret, struct retort_error *err) {
    struct ledger_freed freed = {.blobs = 0};
    int r = max_age_s ? 1 : 0;
    struct choice old = {.before = now_ms() - (int64_t)max_age_s * 1000, .enough = UINT64_MAX};
    while (r > 0)
        r = expire_batch(l, &old, &freed, err);
    if (r == 0 && max_bytes)
        r = expire_by_quota(l, max_bytes, &freed, err);
    if (r == 0)
        r = retire_by_quota(l, max_bytes, &freed, err);
    expire_sweep(l);
    if (ret)
        *ret = freed;
    return r;
}

/* --- names --- */

static int set_title(struct ledger *l, const char *session, const char *title,
                     struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_SESSION_TITLE);
    if (s) {
        sqlite3_bind_text(s, 1, session, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 2, title, -1, SQLITE_STATIC);
    }
    int r = db_run(l, s, err);
    return r < 0 || sqlite3_changes(l->db.handle)
               ? r
               : err_set(err, ERR_CALLER, ENOENT, "no session %.64s in this ledger", session);
}

int ledger_rename(struct ledger *l, const char *session, const char *title,
                  struct retort_error *err) {
    if (strlen(title) >= LEDGER_TITLE_SIZE)
        return err_set(err, ERR_CALLER, E2BIG, "a name may have %d bytes at most",
                       LEDGER_TITLE_SIZE - 1);
    pthread_mutex_lock(&l->lock);
    int r = set_title(l, session, title, err);
    pthread_mutex_unlock(&l->lock);
    return r;
}

/* --- forget --- */

static int forgettable(const struct ledger *l, const struct session_row *row,
                       struct retort_error *err) {
    if (row->state == LEDGER_FORGOTTEN)
        return err_set(err, ERR_CALLER, EALREADY, "session %s was forgotten already", row->id);
    if (row->state == LEDGER_LIVE && !lease_is_free(l, row->engine))
        return err_set(err, ERR_CALLER, EBUSY, "session %s is running: close it first", row->id);
    return 0;
}

/* Everything that the entries of a session refer to. */
static int collect_refs(struct ledger *l, int64_t n, struct refs *ret, struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    int r = 0, rc = sqlite3_prepare_v2(l->db.handle, "SELECT body FROM entry WHERE session = ?1",
                                       -1, &s, NULL);
    if (s)
        sqlite3_bind_int64(s, 1, n);
    while (rc == SQLITE_OK && r == 0) {
        int step = sqlite3_step(s);
        if (step == SQLITE_DONE)
            break;
        if (step != SQLITE_ROW) {
            rc = step;
            break;
        }
        /* A damaged body refers to nothing that we could find. */
        const char *text = (const char *)sqlite3_column_text(s, 0);
        json_t *body = text ? json_in_text(text, JSON_ALLOW_NUL, NULL) : NULL;
        r = refs_add(ret, body);
        r = r == -EINVAL ? 0 : r;
        json_decref(body);
    }
    sqlite3_finalize(s);
    if (r < 0)
        return err_memory(err);
    return rc == SQLITE_OK ? 0 : db_error(l, l->db.handle, rc, err);
}

/* Gives the blob to another session that refers to it, or removes it. */
static int release(struct ledger *l, const struct hash *h, int64_t n, struct ledger_freed *freed,
                   struct retort_error *err) {
    static const char drop_ref[] = "DELETE FROM ref WHERE hash = ?1 AND session = ?2";
    static const char pass_it_on[] =
        "UPDATE blob SET owner = (SELECT min(session) FROM ref WHERE hash = ?1)"
        " WHERE hash = ?1 AND owner = ?2";
    static const char drop_owner[] = "DELETE FROM ref WHERE hash = ?1 AND session ="
                                     " (SELECT owner FROM blob WHERE hash = ?1)";
    struct blob_row b;
    int r = sql_one(l, drop_ref, h, n, err);
    if (r == 0)
        r = sql_one(l, pass_it_on, h, n, err);
    if (r == 0)
        r = sql_one(l, drop_owner, h, 0, err);
    if (r < 0 || blob_find(l, h, false, &b, NULL) < 0 || b.owner != 0)
        return r;
    if (b.state <= BLOB_PRESENT) {
        freed->blobs++;
        freed->bytes += b.size;
    }
    return sql_one(l, "DELETE FROM blob WHERE hash = ?1", h, 0, err);
}

int expire_refs(struct ledger *l, int64_t n, struct refs *refs, struct ledger_freed *freed,
                struct retort_error *err) {
    int r = collect_refs(l, n, refs, err);
    for (size_t i = 0; i < refs->count && r == 0; i++)
        r = release(l, &refs->hashes[i], n, freed, err);
    return r;
}

static int drop_bodies(struct ledger *l, int64_t n, struct retort_error *err) {
    int r =
        sql_one(l, "UPDATE entry SET salt = NULL, body = NULL, request = NULL WHERE session = ?2",
                NULL, n, err);
    return r < 0 ? r : retire_recount(l, n, err);
}

static int forget_tx(struct ledger *l, const char *session, struct refs *refs,
                     struct ledger_freed *freed, struct retort_error *err) {
    struct session_row row;
    int r = db_begin(l, err);
    if (r < 0)
        return r;
    if ((r = row_find(l, session, &row, err)) == 0 && (r = forgettable(l, &row, err)) == 0 &&
        (r = expire_refs(l, row.n, refs, freed, err)) == 0 &&
        (r = drop_bodies(l, row.n, err)) == 0 && (r = set_title(l, session, "", err)) == 0 &&
        (r = row_set_state(l, &row, LEDGER_FORGOTTEN, err)) == 0) {
        json_t *body = json_object();
        r = body ? log_append(l, &row, LEDGER_FORGET, body, err) : -ENOMEM;
        json_decref(body);
    }
    return db_end(l, r, err);
}

/* The WAL has old copies of the pages until it is checkpointed and truncated. */
static int wipe_wal(struct ledger *l, struct retort_error *err) {
    struct db db = {.handle = NULL};
    int r = db_open(l, &db, err);
    int rc =
        r == 0 ? sqlite3_wal_checkpoint_v2(db.handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL)
               : SQLITE_OK;
    if (rc != SQLITE_OK)
        r = db_error(l, db.handle, rc, err);
    db_done(&db);
    return r;
}

int ledger_forget(struct ledger *l, const char *session, struct ledger_freed *ret,
                  struct retort_error *err) {
    struct refs refs = {.count = 0};
    struct ledger_freed freed = {.blobs = 0};
    int r = flush_check(l, err);
    if (r < 0)
        return r;
    pthread_mutex_lock(&l->lock);
    r = forget_tx(l, session, &refs, &freed, err);
    struct outgoing *out = mirror_take(l);
    pthread_mutex_unlock(&l->lock);
    r = mirror_send(l, out, r, err);
    for (size_t i = 0; r == 0 && i < refs.count; i++)
        expire_file(l, &refs.hashes[i]);
    refs_done(&refs);
    if (r < 0)
        return r;
    flush_committed(l);
    if (ret)
        *ret = freed;
    return wipe_wal(l, err);
}
