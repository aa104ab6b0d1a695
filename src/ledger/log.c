/* Sessions and their entries: one hash chain per session, a tree by branches.
 *
 * hash = sha256(prev || "retort.entry/1" \n session \n seq \n kind \n time \n digest), all but the
 * two hashes as text; digest = sha256(salt || body). Without the salt, somebody could guess a
 * forgotten body from its digest. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/io.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "ledger/blobs.h"
#include "ledger/db.h"
#include "ledger/mirror/mirror.h"
#include "ledger/quota/quota.h"

static const char *const kind_names[LEDGER_KINDS] = {
    [LEDGER_CREATE] = "create",
    [LEDGER_CELL_INTENT] = "cell_intent",
    [LEDGER_TOOL_CALL] = "tool_call",
    [LEDGER_FILE_WRITE] = "file_write",
    [LEDGER_FILE_DELETE] = "file_delete",
    [LEDGER_CELL_OUTCOME] = "cell_outcome",
    [LEDGER_UNDO] = "undo",
    [LEDGER_BRANCH] = "branch",
    [LEDGER_SLEEP] = "sleep",
    [LEDGER_RESUME] = "resume",
    [LEDGER_CLOSE] = "close",
    [LEDGER_FORGET] = "forget",
    [LEDGER_NOTE] = "note",
    [LEDGER_NETWORK] = "network",
};

static const char *const state_names[LEDGER_STATES] = {
    [LEDGER_LIVE] = "live",
    [LEDGER_ASLEEP] = "asleep",
    [LEDGER_INTERRUPTED] = "interrupted",
    [LEDGER_CLOSED] = "closed",
    [LEDGER_FORGOTTEN] = "forgotten",
};

const char *ledger_kind_name(enum ledger_kind kind) {
    return kind < LEDGER_KINDS ? kind_names[kind] : "unknown";
}

const char *ledger_state_name(enum ledger_state state) {
    return state < LEDGER_STATES ? state_names[state] : "unknown";
}

int kind_parse(const char *name, enum ledger_kind *ret) {
    for (int i = 0; i < LEDGER_KINDS; i++)
        if (name && strcmp(kind_names[i], name) == 0) {
            *ret = (enum ledger_kind)i;
            return 0;
        }
    return -EINVAL;
}

/* --- hashes --- */

int body_digest(const void *salt, const void *body, size_t len, struct hash *ret) {
    struct hasher *h = hasher_new();
    int r = h ? hasher_add(h, salt, SALT_SIZE) : -ENOMEM;
    if (r == 0)
        r = hasher_add(h, body, len);
    if (r == 0)
        r = hasher_finish(h, ret);
    hasher_free(h);
    return r;
}

int entry_hash(const struct entry_link *e, struct hash *ret) {
    char bytes[2 * HASH_SIZE + LEDGER_ID_SIZE + 128];
    memcpy(bytes, e->prev->bytes, HASH_SIZE);
    int n = snprintf(bytes + HASH_SIZE, sizeof bytes - 2 * HASH_SIZE,
                     "retort.entry/1\n%s\n%llu\n%.32s\n%lld\n", e->session,
                     (unsigned long long)e->seq, e->kind, (long long)e->time);
    if (n < 0 || (size_t)n >= sizeof bytes - 2 * HASH_SIZE)
        return -EINVAL;
    memcpy(bytes + HASH_SIZE + n, e->digest->bytes, HASH_SIZE);
    return hash_bytes(bytes, 2 * HASH_SIZE + (size_t)n, ret);
}

/* --- rows of sessions --- */

static void copy_text(sqlite3_stmt *s, int column, char *ret, size_t size) {
    const unsigned char *text = sqlite3_column_text(s, column);
    snprintf(ret, size, "%s", text ? (const char *)text : "");
}

bool row_read(sqlite3_stmt *s, struct session_row *ret) {
    *ret = (struct session_row){
        .n = sqlite3_column_int64(s, 0),
        .parent = sqlite3_column_int64(s, 1),
        .parent_seq = (uint64_t)sqlite3_column_int64(s, 3),
        .state = (enum ledger_state)sqlite3_column_int(s, 5),
        .created = sqlite3_column_int64(s, 7),
        .touched = sqlite3_column_int64(s, 8),
        .seq = (uint64_t)sqlite3_column_int64(s, 9),
        .cells = (unsigned)sqlite3_column_int(s, 11),
    };
    copy_text(s, 2, ret->id, sizeof ret->id);
    copy_text(s, 6, ret->engine, sizeof ret->engine);
    copy_text(s, 12, ret->title, sizeof ret->title);
    return db_column_hash(s, 4, &ret->base) && db_column_hash(s, 10, &ret->head);
}

static int row_step(struct ledger *l, sqlite3_stmt *s, const char *name, struct session_row *ret,
                    struct retort_error *err) {
    int rc = s ? sqlite3_step(s) : sqlite3_errcode(l->db.handle);
    bool whole = rc == SQLITE_ROW && row_read(s, ret);
    if (s)
        sqlite3_reset(s);
    if (rc == SQLITE_DONE)
        return err_set(err, ERR_CALLER, ENOENT, "no session %.64s in this ledger", name);
    if (rc == SQLITE_ROW && !whole)
        return err_errno(err, ERR_HOST, EBADMSG, "the record of session %.64s is damaged", name);
    return rc == SQLITE_ROW ? 0 : db_error(l, l->db.handle, rc, err);
}

int row_find(struct ledger *l, const char *id, struct session_row *ret, struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_SESSION);
    if (s)
        sqlite3_bind_text(s, 1, id, -1, SQLITE_STATIC);
    return row_step(l, s, id, ret, err);
}

int row_find_n(struct ledger *l, int64_t n, struct session_row *ret, struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_SESSION_N);
    if (s)
        sqlite3_bind_int64(s, 1, n);
    return row_step(l, s, "of a branch", ret, err);
}

static int row_save(struct ledger *l, const struct session_row *row, size_t grown,
                    struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_SESSION_MOVE);
    if (s) {
        sqlite3_bind_int64(s, 1, row->n);
        sqlite3_bind_int64(s, 2, row->touched);
        sqlite3_bind_int64(s, 3, (sqlite3_int64)row->seq);
        db_bind_hash(s, 4, &row->head);
        sqlite3_bind_int(s, 5, (int)row->cells);
        sqlite3_bind_int64(s, 6, (sqlite3_int64)grown);
    }
    return db_run(l, s, err);
}

int row_set_state(struct ledger *l, struct session_row *row, enum ledger_state state,
                  struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_SESSION_STATE);
    row->state = state;
    if (s) {
        sqlite3_bind_int64(s, 1, row->n);
        sqlite3_bind_int(s, 2, (int)row->state);
        sqlite3_bind_text(s, 3, row->engine, -1, SQLITE_STATIC);
    }
    return db_run(l, s, err);
}

/* --- appending --- */

static void draft_done(struct draft *d) {
    free(d->text);
    refs_done(&d->refs);
}

#define scoped_draft __attribute__((cleanup(draft_done))) struct draft

/* Does everything that needs no database, and so no lock. */
static int draft_make(struct draft *d, enum ledger_kind kind, const json_t *body,
                      struct retort_error *err) {
    *d = (struct draft){.kind = kind, .time = now_ms()};
    if (!body)
        return err_errno(err, ERR_HOST, ENOMEM, "cannot hold an entry of the ledger");
    if (!json_is_object(body))
        return err_set(err, ERR_BUG, EINVAL, "the body of a ledger entry must be an object");
    int r = refs_collect(body, &d->refs);
    if (r < 0)
        return err_errno(err, ERR_BUG, -r, "a %s entry has a malformed reference",
                         ledger_kind_name(kind));
    d->text = json_whole(body, JSON_COMPACT | JSON_SORT_KEYS);
    if (!d->text)
        return err_memory(err);
    random_bytes(d->salt, SALT_SIZE);
    d->len = strlen(d->text);
    if (d->len > MAX_LEDGER_BODY)
        return err_set(err, ERR_LIMIT, EFBIG, "a ledger entry of %zu bytes is too large", d->len);
    r = body_digest(d->salt, d->text, d->len, &d->digest);
    return r < 0 ? err_memory(err) : 0;
}

static int insert_entry(struct ledger *l, const struct session_row *row, const struct draft *d,
                        struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_ENTRY_INSERT);
    if (s) {
        sqlite3_bind_int64(s, 1, row->n);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)row->seq);
        sqlite3_bind_text(s, 3, ledger_kind_name(d->kind), -1, SQLITE_STATIC);
        sqlite3_bind_int64(s, 4, d->time);
        sqlite3_bind_blob(s, 5, d->salt, SALT_SIZE, SQLITE_STATIC);
        sqlite3_bind_text(s, 6, d->text, (int)d->len, SQLITE_STATIC);
        db_bind_hash(s, 7, &d->digest);
        db_bind_hash(s, 8, &row->head);
    }
    return db_run(l, s, err);
}

static int insert_refs(struct ledger *l, const struct session_row *row, const struct refs *refs,
                       struct retort_error *err) {
    for (size_t i = 0; i < refs->count; i++) {
        int r = store_settle(l, &refs->hashes[i], row->n, err);
        if (r < 0)
            return r;
    }
    return 0;
}

/* Inside a transaction: adds the entry, and moves the row on. */
static int draft_put(struct ledger *l, struct session_row *row, const struct draft *d,
                     struct retort_error *err) {
    struct hash head;
    struct entry_link link = {.prev = &row->head,
                              .session = row->id,
                              .seq = row->seq + 1,
                              .kind = ledger_kind_name(d->kind),
                              .time = d->time,
                              .digest = &d->digest};
    int r = entry_hash(&link, &head);
    if (r < 0)
        return err_errno(err, ERR_BUG, -r, "cannot hash a ledger entry");
    row->head = head;
    row->seq++;
    row->touched = d->time;
    row->cells += d->kind == LEDGER_CELL_INTENT;
    r = insert_entry(l, row, d, err);
    if (r == 0)
        r = insert_refs(l, row, &d->refs, err);
    return r < 0 ? r : row_save(l, row, d->len, err);
}

static int draft_append(struct ledger *l, struct session_row *row, const struct draft *d,
                        struct retort_error *err) {
    int r = draft_put(l, row, d, err);
    if (r == 0)
        r = retire_permit(l, row, d->kind, err);
    return r < 0 ? r : mirror_queue(l, row, d, err);
}

int log_put(struct ledger *l, struct session_row *row, const struct ledger_record *record,
            struct retort_error *err) {
    struct draft d = {.kind = record->kind,
                      .text = unconst(record->body),
                      .len = record->len,
                      .time = record->time,
                      .refs = record->refs};
    memcpy(d.salt, record->salt, SALT_SIZE);
    int r = body_digest(d.salt, d.text, d.len, &d.digest);
    return r < 0 ? err_memory(err) : draft_put(l, row, &d, err);
}

int log_append(struct ledger *l, struct session_row *row, enum ledger_kind kind, const json_t *body,
               struct retort_error *err) {
    scoped_draft d;
    int r = draft_make(&d, kind, body, err);
    return r < 0 ? r : draft_append(l, row, &d, err);
}

static void fill_ref(struct ledger *l, const struct session_row *row, struct ledger_ref *ret) {
    struct ledger_ref ref = {.seq = row->seq, .ticket = flush_committed(l)};
    hash_text(&row->head, ref.hash);
    ref.durable = ledger_durable(l, &ref);
    if (ret)
        *ret = ref;
}

static int owned(const struct ledger *l, const struct session_row *row, enum ledger_kind kind,
                 struct retort_error *err) {
    if (row->state == LEDGER_LIVE && strcmp(row->engine, l->engine) == 0)
        return 0;
    if (row->state == LEDGER_LIVE)
        return err_set(err, ERR_CALLER, EBUSY, "session %s belongs to another engine", row->id);
    if (row->state == LEDGER_FORGOTTEN)
        return err_set(err, ERR_CALLER, ENODATA, "session %s was forgotten", row->id);
    if (kind == LEDGER_NOTE && (row->state == LEDGER_ASLEEP || row->state == LEDGER_CLOSED))
        return 0; /* it changes no state, so no thread has to be woken */
    if (kind == LEDGER_BRANCH || (kind == LEDGER_CLOSE && row->state != LEDGER_CLOSED))
        return 0;
    return err_set(err, ERR_CALLER, ESTALE, "session %s is %s: resume it first", row->id,
                   ledger_state_name(row->state));
}

static enum ledger_state state_after(enum ledger_kind kind, enum ledger_state before) {
    switch (kind) {
    case LEDGER_SLEEP: return LEDGER_ASLEEP;
    case LEDGER_CLOSE: return LEDGER_CLOSED;
    default: return before;
    }
}

static int append_tx(struct ledger *l, const char *session, const struct draft *d,
                     struct session_row *row, struct retort_error *err) {
    int r = db_begin(l, err);
    if (r < 0)
        return r;
    r = row_find(l, session, row, err);
    if (r == 0)
        r = owned(l, row, d->kind, err);
    if (r == 0)
        r = draft_append(l, row, d, err);
    if (r == 0 && state_after(d->kind, row->state) != row->state)
        r = row_set_state(l, row, state_after(d->kind, row->state), err);
    return db_end(l, r, err);
}

/* Before a transaction: makes its draft, and takes the lock. */
static int log_start(struct ledger *l, const char *session, enum ledger_kind kind,
                     const json_t *body, struct draft *ret, struct retort_error *err) {
    int r = draft_make(ret, kind, body, err);
    if (r == 0)
        r = mirror_permit(l, session, kind, err);
    if (r == 0)
        r = flush_check(l, err);
    if (r == 0)
        pthread_mutex_lock(&l->lock);
    return r;
}

/* After a transaction that log_start prepared: gives the lock back. */
static int log_conclude(struct ledger *l, int r, const struct draft *d,
                        const struct session_row *row, struct ledger_ref *ret,
                        struct retort_error *err) {
    if (r == 0)
        store_settled(l, &d->refs);
    struct outgoing *out = mirror_take(l);
    pthread_mutex_unlock(&l->lock);
    r = mirror_send(l, out, r, err);
    if (r == 0) {
        flush_put(l, d->len);
        fill_ref(l, row, ret);
    }
    return r;
}

int ledger_append(struct ledger *l, const char *session, enum ledger_kind kind, const json_t *body,
                  struct ledger_ref *ret, struct retort_error *err) {
    if (kind == LEDGER_CREATE || kind == LEDGER_BRANCH || kind == LEDGER_RESUME ||
        kind == LEDGER_FORGET)
        return err_set(err, ERR_BUG, EINVAL, "a %s entry is not appended by itself",
                       ledger_kind_name(kind));
    scoped_draft d;
    struct session_row row;
    int r = log_start(l, session, kind, body, &d, err);
    if (r < 0)
        return r;
    r = append_tx(l, session, &d, &row, err);
    return log_conclude(l, r, &d, &row, ret, err);
}

/* --- beginning, branching, resuming --- */

static bool id_is_valid(const char *id) {
    size_t len = strlen(id);
    return len > 0 && len < LEDGER_ID_SIZE &&
           strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == len;
}

int row_insert(struct ledger *l, const char *id, const struct session_row *parent,
               struct retort_error *err) {
    static const struct hash zero;
    sqlite3_stmt *s = db_stmt(l, ST_SESSION_INSERT);
    if (s) {
        sqlite3_bind_text(s, 1, id, -1, SQLITE_STATIC);
        if (parent)
            sqlite3_bind_int64(s, 2, parent->n);
        else
            sqlite3_bind_null(s, 2);
        sqlite3_bind_int64(s, 3, parent ? (sqlite3_int64)parent->seq : 0);
        db_bind_hash(s, 4, parent ? &parent->head : &zero);
        sqlite3_bind_text(s, 5, l->engine, -1, SQLITE_STATIC);
        sqlite3_bind_int64(s, 6, now_ms());
    }
    int rc = s ? sqlite3_step(s) : sqlite3_errcode(l->db.handle);
    if (s)
        sqlite3_reset(s);
    if ((rc & 0xff) == SQLITE_CONSTRAINT)
        return err_set(err, ERR_CALLER, EEXIST, "there is a session %s already", id);
    return rc == SQLITE_DONE ? 0 : db_error(l, l->db.handle, rc, err);
}

static int append_branch(struct ledger *l, const char *parent, const char *child,
                         struct session_row *row, struct retort_error *err) {
    int r = row_find(l, parent, row, err);
    if (r == 0)
        r = owned(l, row, LEDGER_BRANCH, err);
    if (r < 0)
        return r;
    scoped_json *body = json_pack("{s:s}", "child", child);
    return body ? log_append(l, row, LEDGER_BRANCH, body, err) : -ENOMEM;
}

static int begin_tx(struct ledger *l, const char *id, const char *parent, const struct draft *d,
                    struct session_row *row, struct retort_error *err) {
    struct session_row from;
    int r = db_begin(l, err);
    if (r < 0)
        return r;
    if (parent)
        r = append_branch(l, parent, id, &from, err);
    if (r == 0)
        r = row_insert(l, id, parent ? &from : NULL, err);
    if (r == 0)
        r = row_find(l, id, row, err);
    if (r == 0)
        r = draft_append(l, row, d, err);
    return db_end(l, r, err);
}

int ledger_begin(struct ledger *l, const char *id, const char *parent, const json_t *body,
                 struct ledger_ref *ret, struct retort_error *err) {
    if (!id_is_valid(id))
        return err_set(err, ERR_CALLER, EINVAL, "not a session id");
    scoped_draft d;
    struct session_row row;
    int r = log_start(l, id, LEDGER_CREATE, body, &d, err);
    if (r < 0)
        return r;
    r = begin_tx(l, id, parent, &d, &row, err);
    return log_conclude(l, r, &d, &row, ret, err);
}

static int resume_tx(struct ledger *l, const char *session, const struct draft *d,
                     struct session_row *row, struct retort_error *err) {
    int r = db_begin(l, err);
    if (r < 0)
        return r;
    r = row_find(l, session, row, err);
    if (r == 0 && row->state == LEDGER_LIVE)
        r = err_set(err, ERR_CALLER, EBUSY, "session %s is running", row->id);
    if (r == 0 && row->state == LEDGER_FORGOTTEN)
        r = err_set(err, ERR_CALLER, ENODATA, "session %s was forgotten", row->id);
    if (r == 0) {
        memcpy(row->engine, l->engine, sizeof row->engine);
        r = row_set_state(l, row, LEDGER_LIVE, err);
    }
    if (r == 0)
        r = draft_append(l, row, d, err);
    return db_end(l, r, err);
}

int ledger_resume(struct ledger *l, const char *session, const json_t *body, struct ledger_ref *ret,
                  struct retort_error *err) {
    scoped_draft d;
    struct session_row row;
    int r = log_start(l, session, LEDGER_RESUME, body, &d, err);
    if (r < 0)
        return r;
    /* Another engine may have died since this ledger was opened. */
    r = lease_recover(l, err);
    if (r == 0)
        r = resume_tx(l, session, &d, &row, err);
    return log_conclude(l, r, &d, &row, ret, err);
}
