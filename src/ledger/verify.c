/* Checks a history: every entry against its hash, every hash against the one before, and every
 * stored byte that an entry refers to.
 *
 * Uses a connection of its own and short reads, so that nobody waits for it. Only ledger_forget
 * changes entries up to the head that was there at the start. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/jsonwhole.h"
#include "base/scope.h"
#include "ledger/blobs.h"
#include "ledger/db.h"
#include "ledger/upkeep.h"

static const char *const verdict_names[LEDGER_VERDICTS] = {
    [LEDGER_OK] = "ok",
    [LEDGER_EXPIRED] = "expired",
    [LEDGER_WAS_FORGOTTEN] = "forgotten",
    [LEDGER_LOST] = "lost",
    [LEDGER_MISSING] = "missing",
    [LEDGER_CORRUPT] = "corrupt",
    [LEDGER_HEAD_MISMATCH] = "head_mismatch",
};

const char *ledger_verdict_name(enum ledger_verdict v) {
    return v < LEDGER_VERDICTS ? verdict_names[v] : "unknown";
}

enum { Q_ENTRY, Q_LAST, Q_HEAD, Q_BLOB, Q_SEEN, Q_COUNT };

static const char *const queries[Q_COUNT] = {
    [Q_ENTRY] =
        "SELECT kind, time, salt, body, digest, hash FROM entry WHERE session = ?1 AND seq = ?2",
    [Q_LAST] = "SELECT max(seq) FROM entry WHERE session = ?1",
    [Q_HEAD] = "SELECT seq FROM session WHERE n = ?1",
    [Q_BLOB] = "SELECT state, size, data FROM blob WHERE hash = ?1",
    [Q_SEEN] = "INSERT OR IGNORE INTO temp.seen VALUES (?1)",
};

struct verification {
    struct ledger *l;
    struct db db;
    sqlite3_stmt *q[Q_COUNT];
    struct ledger_report report;
    void (*found)(void *user, const struct ledger_finding *f);
    void *user;
    bool head_given;
    struct hash head;
    const struct session_row *row; /* the session that is being checked */
    bool row_forgotten;
    uint64_t seq;
    struct hash prev;
};

/* Bytes that were given up are less grave than wrong ones; of the wrong ones, the first is
 * reported. */
static int gravity(enum ledger_verdict v) {
    return v < LEDGER_MISSING ? (int)v : LEDGER_MISSING;
}

__attribute__((format(printf, 4, 5))) static void verify_find(struct verification *c,
                                                              enum ledger_verdict verdict,
                                                              const struct hash *blob,
                                                              const char *fmt, ...) {
    struct ledger_finding f = {.verdict = verdict, .seq = c->seq};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(f.text, sizeof f.text, fmt, ap);
    va_end(ap);
    snprintf(f.session, sizeof f.session, "%s", c->row->id);
    if (blob)
        hash_text(blob, f.blob);
    if (gravity(verdict) > gravity(c->report.worst.verdict))
        c->report.worst = f;
    if (c->found)
        c->found(c->user, &f);
}

/* A damaged page is a finding; a locked database or an I/O error ends the check. 1: stop here. */
static int sql_failed(struct verification *c, int rc, struct retort_error *err) {
    if ((rc & 0xff) != SQLITE_CORRUPT && (rc & 0xff) != SQLITE_NOTADB)
        return db_error(c->l, c->db.handle, rc, err);
    verify_find(c, LEDGER_CORRUPT, NULL, "the database is damaged here");
    return 1;
}

/* --- stored bytes --- */

static int blob_is_new(struct verification *c, const struct hash *h, struct retort_error *err) {
    sqlite3_stmt *s = c->q[Q_SEEN];
    db_bind_hash(s, 1, h);
    int rc = sqlite3_step(s);
    sqlite3_reset(s);
    return rc == SQLITE_DONE ? sqlite3_changes(c->db.handle)
                             : db_error(c->l, c->db.handle, rc, err);
}

static void verify_compare(struct verification *c, const struct hash *want, const struct hash *got,
                           uint64_t size) {
    c->report.blobs++;
    c->report.bytes += size;
    if (!hash_equal(want, got))
        verify_find(c, LEDGER_CORRUPT, want, "stored bytes are not what was recorded");
}

static int verify_check_file(struct verification *c, const struct hash *h,
                             struct retort_error *err) {
    char path[72];
    struct hash got;
    uint64_t size = 0;
    store_path(h, path);
    scoped_fd fd = openat(c->l->storefd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT)
        return -ENOENT;
    int r = fd < 0 ? -errno : hash_fd(fd, &got, &size);
    if (r == -ENOMEM || r == -EMFILE || r == -ENFILE)
        return err_errno(err, ERR_HOST, -r, "cannot check stored bytes");
    if (r < 0)
        verify_find(c, LEDGER_CORRUPT, h, "a stored file cannot be read: %s", strerror(-r));
    else
        verify_compare(c, h, &got, size);
    return 0;
}

static int check_row(struct verification *c, sqlite3_stmt *s, const struct hash *h,
                     struct retort_error *err) {
    struct hash got;
    switch ((enum blob_state)sqlite3_column_int(s, 0)) {
    case BLOB_EXPIRED: verify_find(c, LEDGER_EXPIRED, h, "stored bytes have expired"); return 0;
    case BLOB_LOST:
        verify_find(c, LEDGER_LOST, h, "stored bytes were lost in a power failure");
        return 0;
    default: break;
    }
    if (sqlite3_column_type(s, 2) == SQLITE_NULL)
        return verify_check_file(c, h, err);
    size_t len = (size_t)sqlite3_column_bytes(s, 2);
    const void *data = sqlite3_column_blob(s, 2);
    if (hash_bytes(data ? data : "", len, &got) < 0)
        return err_memory(err);
    verify_compare(c, h, &got, len);
    return 0;
}

static int check_blob(struct verification *c, const struct hash *h, struct retort_error *err) {
    int r = blob_is_new(c, h, err);
    /* Twice, because the file may expire between reading its row and opening it. */
    for (int tries = 0; r > 0 && tries < 2; tries++) {
        sqlite3_stmt *s = c->q[Q_BLOB];
        db_bind_hash(s, 1, h);
        int rc = sqlite3_step(s);
        int checked = rc == SQLITE_ROW ? check_row(c, s, h, err) : -ENOENT;
        sqlite3_reset(s);
        if (rc != SQLITE_ROW && rc != SQLITE_DONE)
            return sql_failed(c, rc, err);
        if (checked != -ENOENT)
            return checked;
    }
    if (r > 0)
        verify_find(c, LEDGER_MISSING, h, "stored bytes are missing");
    return r < 0 ? r : 0;
}

/* --- entries --- */

static int check_refs(struct verification *c, const struct refs *refs, struct retort_error *err) {
    int r = 0;
    for (size_t i = 0; i < refs->count && r == 0; i++)
        r = check_blob(c, &refs->hashes[i], err);
    return r;
}

static int refs_of_body(struct verification *c, const char *text, size_t len, struct refs *refs,
                        struct retort_error *err) {
    json_t *body = json_in(text, len, JSON_ALLOW_NUL, NULL);
    int r = body ? refs_collect(body, refs) : -EINVAL;
    json_decref(body);
    if (r == -ENOMEM)
        return err_memory(err);
    if (r < 0)
        verify_find(c, LEDGER_CORRUPT, NULL, "the entry cannot be read");
    return 0;
}

static int check_body(struct verification *c, sqlite3_stmt *s, const struct hash *digest,
                      struct refs *refs, struct retort_error *err) {
    const char *text = (const char *)sqlite3_column_text(s, 3);
    size_t len = (size_t)sqlite3_column_bytes(s, 3);
    const void *salt = sqlite3_column_blob(s, 2);
    struct hash got;
    if (!text && c->row_forgotten) {
        verify_find(c, LEDGER_WAS_FORGOTTEN, NULL, "the entry was forgotten");
        return 0;
    }
    if (!text || !salt || sqlite3_column_bytes(s, 2) != SALT_SIZE) {
        verify_find(c, LEDGER_CORRUPT, NULL, "the body of the entry is gone");
        return 0;
    }
    if (body_digest(salt, text, len, &got) < 0)
        return err_memory(err);
    if (!hash_equal(&got, digest)) {
        verify_find(c, LEDGER_CORRUPT, NULL, "the body of the entry was changed");
        return 0;
    }
    return refs_of_body(c, text, len, refs, err);
}

static int check_columns(struct verification *c, sqlite3_stmt *s, struct refs *refs,
                         struct retort_error *err) {
    const char *kind = (const char *)sqlite3_column_text(s, 0);
    struct hash digest, stored, got;
    if (!kind || !db_column_hash(s, 4, &digest) || !db_column_hash(s, 5, &stored)) {
        verify_find(c, LEDGER_CORRUPT, NULL, "the entry cannot be read");
        return 1;
    }
    struct entry_link link = {.prev = &c->prev,
                              .session = c->row->id,
                              .seq = c->seq,
                              .kind = kind,
                              .time = sqlite3_column_int64(s, 1),
                              .digest = &digest};
    int r = entry_hash(&link, &got);
    if (r == -ENOMEM)
        return err_memory(err);
    c->report.entries++;
    if (r < 0 || !hash_equal(&got, &stored))
        verify_find(c, LEDGER_CORRUPT, NULL,
                    "the entry was changed, or does not follow the one before");
    /* We go on from the stored hash, so that a single change is a single finding. */
    c->prev = stored;
    if (c->head_given && hash_equal(&stored, &c->head))
        c->report.head_seq = c->seq;
    return check_body(c, s, &digest, refs, err);
}

/* We check bytes only after the statement has ended: until then this connection sees the database
 * as it was, and bytes that expire meanwhile would seem to be missing. */
static int check_entry(struct verification *c, struct retort_error *err) {
    sqlite3_stmt *s = c->q[Q_ENTRY];
    struct refs refs = {.count = 0};
    sqlite3_bind_int64(s, 1, c->row->n);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)c->seq);
    int rc = sqlite3_step(s), r = 1;
    if (rc == SQLITE_ROW)
        r = check_columns(c, s, &refs, err);
    else if (rc == SQLITE_DONE)
        verify_find(c, LEDGER_MISSING, NULL, "the entry is missing");
    else
        r = sql_failed(c, rc, err);
    sqlite3_reset(s);
    if (r == 0)
        r = check_refs(c, &refs, err);
    refs_done(&refs);
    return r;
}

/* --- sessions --- */

/* The last entry says whether bodies may be gone: no hash covers the session's state. */
static bool ends_in_forget(struct verification *c) {
    sqlite3_stmt *s = c->q[Q_ENTRY];
    sqlite3_bind_int64(s, 1, c->row->n);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)c->row->seq);
    bool yes = sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0) &&
               !strcmp((const char *)sqlite3_column_text(s, 0), "forget");
    sqlite3_reset(s);
    return yes;
}

static int query_seq(struct verification *c, int query, uint64_t *ret, struct retort_error *err) {
    sqlite3_stmt *s = c->q[query];
    sqlite3_bind_int64(s, 1, c->row->n);
    int rc = sqlite3_step(s);
    if (rc == SQLITE_ROW)
        *ret = (uint64_t)sqlite3_column_int64(s, 0);
    sqlite3_reset(s);
    return rc == SQLITE_ROW ? 0 : sql_failed(c, rc, err);
}

static int check_tail(struct verification *c, struct retort_error *err) {
    uint64_t seen = 0, now = 0;
    c->seq = c->row->seq;
    if (!hash_equal(&c->prev, &c->row->head))
        verify_find(c, LEDGER_CORRUPT, NULL, "the head of the session is not its last entry");
    int r = query_seq(c, Q_LAST, &seen, err);
    /* We read the head after the entries: it may have moved on since the check began. */
    if (r == 0)
        r = query_seq(c, Q_HEAD, &now, err);
    if (r == 0 && seen > now)
        verify_find(c, LEDGER_CORRUPT, NULL, "there are entries after the head of the session");
    return r;
}

static int check_session(struct verification *c, const struct session_row *row, uint64_t last,
                         bool whole, struct retort_error *err) {
    c->row = row;
    c->seq = 0;
    if (!hash_equal(&c->prev, &row->base)) {
        verify_find(c, LEDGER_CORRUPT, NULL,
                    "the session does not begin where its parent branched");
        c->prev = row->base;
    }
    c->row_forgotten = ends_in_forget(c);
    int r = 0;
    for (c->seq = 1; r == 0 && c->seq <= last; c->seq++)
        r = check_entry(c, err);
    return r == 0 && whole ? check_tail(c, err) : r;
}

/* Reads the rows, from the oldest ancestor down, before anything else. 1: damaged, and reported. */
static int load_rows(struct verification *c, const char *session, struct session_row **ret,
                     size_t *ret_count, struct retort_error *err) {
    scoped_free struct session_row *rows = calloc(1, sizeof *rows);
    size_t count = 1;
    if (!rows)
        return err_memory(err);
    pthread_mutex_lock(&c->l->lock);
    int r = row_find(c->l, session, &rows[0], err);
    while (r == 0 && rows[0].parent) {
        struct session_row *more = reallocarray(rows, count + 1, sizeof *more);
        if (!more) {
            r = err_memory(err);
            break;
        }
        rows = more;
        memmove(rows + 1, rows, count++ * sizeof *rows);
        r = row_find_n(c->l, rows[1].parent, &rows[0], err);
        if (r == 0 && rows[0].n >= rows[1].n) /* a parent is always older: no circles */
            r = err_errno(err, ERR_HOST, EBADMSG, "the record of session %s is damaged",
                          rows[1].id);
    }
    pthread_mutex_unlock(&c->l->lock);
    *ret = TAKE(rows);
    *ret_count = count;
    return r;
}

static int check_all(struct verification *c, const struct session_row *rows, size_t count,
                     struct retort_error *err) {
    int r = 0;
    for (size_t i = 0; i < count && r == 0; i++) {
        bool whole = i + 1 == count;
        r = check_session(c, &rows[i], whole ? rows[i].seq : rows[i + 1].parent_seq, whole, err);
    }
    if (r < 0)
        return r;
    c->row = &rows[count - 1];
    c->seq = 0;
    hash_text(&c->row->head, c->report.head);
    if (c->head_given && c->report.head_seq == 0)
        verify_find(c, LEDGER_HEAD_MISMATCH, NULL, "the expected head is nowhere in this history");
    return 0;
}

static int verify_prepare(struct verification *c, struct retort_error *err) {
    int r = db_open(c->l, &c->db, err);
    if (r < 0)
        return r;
    int rc = sqlite3_exec(c->db.handle,
                          "PRAGMA temp_store = MEMORY;"
                          "CREATE TEMP TABLE seen (hash BLOB PRIMARY KEY) WITHOUT ROWID",
                          NULL, NULL, NULL);
    for (int i = 0; i < Q_COUNT && rc == SQLITE_OK; i++)
        rc = sqlite3_prepare_v2(c->db.handle, queries[i], -1, &c->q[i], NULL);
    return rc == SQLITE_OK ? 0 : db_error(c->l, c->db.handle, rc, err);
}

static void check_done(struct verification *c) {
    for (int i = 0; i < Q_COUNT; i++)
        sqlite3_finalize(c->q[i]);
    db_done(&c->db);
}

int ledger_verify(struct ledger *l, const char *session, const char *head,
                  void (*found)(void *user, const struct ledger_finding *f), void *user,
                  struct ledger_report *ret, struct retort_error *err) {
    struct verification c = {.l = l, .found = found, .user = user, .head_given = head != NULL};
    scoped_free struct session_row *rows = NULL;
    size_t count = 0;
    if (head && hash_parse(head, &c.head) < 0)
        return err_set(err, ERR_CALLER, EINVAL, "not a hash: sha256: and 64 hexadecimal digits");
    int r = load_rows(&c, session, &rows, &count, err);
    if (r == 0)
        r = verify_prepare(&c, err);
    if (r == 0)
        r = check_all(&c, rows, count, err);
    check_done(&c);
    if (r == 0)
        *ret = c.report;
    return r;
}
