/* Replaces the local log of a session by one that was kept elsewhere. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "ledger/blobs.h"
#include "ledger/db.h"
#include "ledger/mirror/mirror.h"
#include "ledger/quota/quota.h"

static int no_chain(const struct ledger_record *r, struct retort_error *err) {
    return err_errno(err, ERR_HOST, EBADMSG,
                     "entry %llu of session %s, as it was kept, does not follow the one before",
                     (unsigned long long)r->seq, r->session);
}

/* The row of the parent as it was when the session branched off. */
static int import_base(struct ledger *l, const struct ledger_record *first, struct session_row *ret,
                       struct retort_error *err) {
    int r = row_find(l, first->parent, ret, err);
    sqlite3_stmt *s = r == 0 ? db_stmt(l, ST_ENTRIES) : NULL;
    if (!s)
        return r < 0 ? r : db_error(l, l->db.handle, sqlite3_errcode(l->db.handle), err);
    sqlite3_bind_int64(s, 1, ret->n);
    sqlite3_bind_int64(s, 2, (sqlite3_int64)first->parent_seq);
    sqlite3_bind_int64(s, 3, (sqlite3_int64)first->parent_seq);
    bool found = sqlite3_step(s) == SQLITE_ROW && db_column_hash(s, 4, &ret->head);
    sqlite3_reset(s);
    ret->seq = first->parent_seq;
    return found ? 0 : no_chain(first, err);
}

static int import_row(struct ledger *l, const struct ledger_record *first, struct session_row *row,
                      struct retort_error *err) {
    struct session_row parent;
    struct retort_error ignored;
    int r = row_find(l, first->session, row, &ignored);
    if (r != -ENOENT) {
        if (r < 0 && err)
            *err = ignored;
        return r;
    }
    r = first->parent[0] ? import_base(l, first, &parent, err) : 0;
    if (r == 0)
        r = row_insert(l, first->session, first->parent[0] ? &parent : NULL, err);
    return r == 0 ? row_find(l, first->session, row, err) : r;
}

/* How many of the records are here already, compared entry by entry. */
static uint64_t import_shared(struct ledger *l, const struct session_row *row,
                              const struct ledger_record *records, size_t count) {
    uint64_t same = 0;
    while (same < count && same < row->seq) {
        struct hash h;
        sqlite3_stmt *s = db_stmt(l, ST_ENTRIES);
        if (!s)
            return 0;
        sqlite3_bind_int64(s, 1, row->n);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)same + 1);
        sqlite3_bind_int64(s, 3, (sqlite3_int64)same + 1);
        bool equal = sqlite3_step(s) == SQLITE_ROW && db_column_hash(s, 4, &h) &&
                     hash_equal(&h, &records[same].hash);
        sqlite3_reset(s);
        if (!equal)
            break;
        same++;
    }
    return same;
}

/* Removes entries that only this disk has: they never counted. */
static int import_reset(struct ledger *l, struct session_row *row, struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(l->db.handle, "DELETE FROM entry WHERE session = ?1", -1, &s, NULL);
    if (rc == SQLITE_OK) {
        sqlite3_bind_int64(s, 1, row->n);
        rc = sqlite3_step(s);
    }
    sqlite3_finalize(s);
    row->seq = 0;
    row->cells = 0;
    row->head = row->base;
    return rc == SQLITE_DONE ? retire_recount(l, row->n, err) : db_error(l, l->db.handle, rc, err);
}

static enum ledger_state import_state(enum ledger_kind last) {
    switch (last) {
    case LEDGER_SLEEP: return LEDGER_ASLEEP;
    case LEDGER_CLOSE: return LEDGER_CLOSED;
    case LEDGER_FORGET: return LEDGER_FORGOTTEN;
    default: return LEDGER_INTERRUPTED;
    }
}

static int import_tx(struct ledger *l, const struct ledger_record *records, size_t count,
                     struct retort_error *err) {
    struct session_row row;
    int r = import_row(l, &records[0], &row, err);
    if (r < 0)
        return r;
    uint64_t same = import_shared(l, &row, records, count);
    if (same < row.seq) {
        r = import_reset(l, &row, err);
        same = 0;
    }
    for (size_t i = same; i < count && r == 0; i++) {
        bool next = records[i].seq == i + 1 && strcmp(records[i].session, row.id) == 0;
        r = next ? log_put(l, &row, &records[i], err) : -EBADMSG;
        if (r == -EBADMSG || (r == 0 && !hash_equal(&row.head, &records[i].hash)))
            r = no_chain(&records[i], err);
    }
    return r < 0 ? r : row_set_state(l, &row, import_state(records[count - 1].kind), err);
}

int ledger_import(struct ledger *l, const struct ledger_record *records, size_t count,
                  struct retort_error *err) {
    int r = count ? flush_check(l, err) : err_set(err, ERR_BUG, EINVAL, "nothing to import");
    if (r < 0)
        return r;
    pthread_mutex_lock(&l->lock);
    r = db_begin(l, err);
    if (r == 0)
        r = db_end(l, import_tx(l, records, count, err), err);
    for (size_t i = 0; i < count && r == 0; i++)
        store_settled(l, &records[i].refs);
    pthread_mutex_unlock(&l->lock);
    if (r == 0)
        flush_committed(l);
    return r;
}

int ledger_abandon(struct ledger *l, const char *session, struct retort_error *err) {
    struct session_row row;
    pthread_mutex_lock(&l->lock);
    int r = db_begin(l, err);
    if (r == 0) {
        r = row_find(l, session, &row, err);
        if (r == 0)
            r = lease_interrupt_cell(l, &row, true, err);
        r = db_end(l, r, err);
    }
    struct outgoing *out = mirror_take(l);
    pthread_mutex_unlock(&l->lock);
    return mirror_send(l, out, r, err);
}
