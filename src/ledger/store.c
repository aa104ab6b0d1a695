/* The content-addressed store: small blobs in the database, larger ones in store/ab/cdef….
 *
 * We write a file under a temporary name ENGINE.N, hash it on the way, and rename it inside the
 * transaction that inserts its row. Its bytes are synced with the next flush; until then the row
 * says "unsynced", so that after a power loss a broken file counts as lost, not as tampered
 * with. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "ledger/blobs.h"
#include "ledger/db.h"
#include "ledger/hash_thread.h"

#define WRITEBACK (2u << 20) /* make the kernel write back after this many bytes */
#define PIECE (512u << 10)
#define LARGE (1u << 20) /* from this size on a second thread hashes */

void store_path(const struct hash *h, char ret[72]) {
    char text[HASH_TEXT_SIZE];
    hash_text(h, text);
    snprintf(ret, 72, "%.2s/%s", text + 7, text + 9);
}

static int store_error(const struct ledger *l, int eno, struct retort_error *err) {
    int r = db_no_room(l, eno, err);
    return r < 0 ? r : err_errno(err, ERR_HOST, eno, "cannot write to %.160s/store", l->place);
}

/* --- blobs that wait in memory --- */

static struct pending **pending_find(struct ledger *l, const struct hash *h) {
    struct pending **p = &l->pending[h->bytes[0]];
    while (*p && !hash_equal(&(*p)->hash, h))
        p = &(*p)->next;
    return p;
}

int pending_load(struct ledger *l, const struct hash *h, struct blob_row *ret) {
    const struct pending *p = *pending_find(l, h);
    if (!p)
        return -ENOENT;
    char *data = malloc(p->len + 1);
    if (!data)
        return -ENOMEM;
    memcpy(data, p->data, p->len);
    *ret = (struct blob_row){.state = BLOB_PRESENT, .size = p->len, .data = data};
    return 0;
}

static void pending_drop(struct ledger *l, struct pending **at) {
    struct pending *p = *at;
    *at = p->next;
    l->pending_bytes -= sizeof *p + p->len;
    free(p);
}

/* Small blobs wait here for their entry; those that no entry claims are written with the next
 * flush. */
static int pending_add(struct ledger *l, const struct hash *h, const void *data, size_t len,
                       struct retort_error *err) {
    struct pending *p = malloc(sizeof *p + len);
    if (!p)
        return err_memory(err);
    p->hash = *h;
    p->len = len;
    p->next = NULL;
    if (len)
        memcpy(p->data, data, len);
    pthread_mutex_lock(&l->lock);
    struct pending **at = pending_find(l, h);
    bool full = l->pending_bytes > MAX_LEDGER_PENDING;
    if (*at || full) {
        free(p);
    } else {
        *at = p;
        l->pending_bytes += sizeof *p + len;
    }
    pthread_mutex_unlock(&l->lock);
    if (full)
        return err_errno(err, ERR_HOST, ENOBUFS,
                         "too many bytes wait to be written to %.160s: is its disk full?",
                         l->place);
    flush_put(l, len);
    return 0;
}

static int blob_insert(struct ledger *l, const struct hash *h, uint64_t size, int64_t owner,
                       const void *data, struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_BLOB_PUT);
    if (s) {
        sqlite3_clear_bindings(s);
        db_bind_hash(s, 1, h);
        sqlite3_bind_int64(s, 2, (sqlite3_int64)size);
        sqlite3_bind_int(s, 3, data ? BLOB_PRESENT : BLOB_UNSYNCED);
        sqlite3_bind_int64(s, 4, now_ms());
        if (owner)
            sqlite3_bind_int64(s, 5, owner);
        if (data)
            sqlite3_bind_blob64(s, 6, data, size, SQLITE_STATIC);
    }
    return db_run(l, s, err);
}

static int run_with(struct ledger *l, enum stmt st, const struct hash *h, int64_t value,
                    struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, st);
    if (s) {
        db_bind_hash(s, 1, h);
        sqlite3_bind_int64(s, 2, value);
    }
    return db_run(l, s, err);
}

/* An hour is exact enough to order blobs by use, and spares most reads a write. */
static int blob_touch(struct ledger *l, const struct hash *h, const struct blob_row *b,
                      struct retort_error *err) {
    int64_t now = now_ms();
    return b->used > now - 3600000 ? 0 : run_with(l, ST_BLOB_TOUCH, h, now, err);
}

int blob_set_state(struct ledger *l, const struct hash *h, enum blob_state from, enum blob_state to,
                   struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_BLOB_STATE);
    if (s) {
        db_bind_hash(s, 1, h);
        sqlite3_bind_int(s, 2, (int)to);
        sqlite3_bind_int(s, 3, (int)from);
    }
    return db_run(l, s, err);
}

static int store_copy_data(sqlite3_stmt *s, struct blob_row *ret, struct retort_error *err) {
    size_t len = (size_t)sqlite3_column_bytes(s, 4);
    const void *data = sqlite3_column_blob(s, 4);
    ret->data = malloc(len + 1);
    if (!ret->data)
        return err_memory(err);
    if (len)
        memcpy(ret->data, data, len);
    ret->size = len;
    return 0;
}

/* -ENOENT, without a message, when there is no row. */
int blob_find(struct ledger *l, const struct hash *h, bool load, struct blob_row *ret,
              struct retort_error *err) {
    sqlite3_stmt *s = db_stmt(l, ST_BLOB);
    if (s)
        db_bind_hash(s, 1, h);
    int rc = s ? sqlite3_step(s) : sqlite3_errcode(l->db.handle);
    int r = rc == SQLITE_ROW ? 0 : -ENOENT;
    if (rc == SQLITE_ROW) {
        *ret = (struct blob_row){.state = (enum blob_state)sqlite3_column_int(s, 0),
                                 .size = (uint64_t)sqlite3_column_int64(s, 1),
                                 .used = sqlite3_column_int64(s, 2),
                                 .owner = sqlite3_column_int64(s, 3)};
        if (load && sqlite3_column_type(s, 4) != SQLITE_NULL)
            r = store_copy_data(s, ret, err);
    }
    if (s)
        sqlite3_reset(s);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? r : db_error(l, l->db.handle, rc, err);
}

static bool store_is_there(const struct blob_row *b) {
    return b->state == BLOB_PRESENT || b->state == BLOB_UNSYNCED;
}

static int refer(struct ledger *l, const struct hash *h, const struct blob_row *b, int64_t n,
                 struct retort_error *err) {
    if (n == 0 || b->owner == n)
        return 0;
    return run_with(l, b->owner ? ST_REF_INSERT : ST_BLOB_OWN, h, n, err);
}

int store_settle(struct ledger *l, const struct hash *h, int64_t n, struct retort_error *err) {
    char text[HASH_TEXT_SIZE];
    const struct pending *p = *pending_find(l, h);
    struct blob_row b = {.owner = n};
    int r = blob_find(l, h, false, &b, err);
    if (r < 0 && r != -ENOENT)
        return r;
    if (r == 0 && store_is_there(&b))
        r = blob_touch(l, h, &b, err);
    else if (p)
        r = blob_insert(l, h, p->len, n, p->data, err);
    else
        r = -ESTALE;
    hash_text(h, text);
    if (r == -ESTALE)
        return err_errno(err, ERR_HOST, ESTALE, "the bytes %s are not in the store any more", text);
    return r < 0 ? r : refer(l, h, &b, n, err);
}

void store_settled(struct ledger *l, const struct refs *refs) {
    for (size_t i = 0; i < refs->count; i++) {
        struct pending **at = pending_find(l, &refs->hashes[i]);
        if (*at)
            pending_drop(l, at);
    }
}

void store_free_pending(struct ledger *l) {
    for (size_t i = 0; i < 256; i++)
        while (l->pending[i])
            pending_drop(l, &l->pending[i]);
}

/* Called with `lock` held: writes the blobs that no entry has claimed yet. */
int store_flush_pending(struct ledger *l, struct retort_error *err) {
    if (l->pending_bytes == 0)
        return 0;
    int r = db_begin(l, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < 256 && r == 0; i++)
        for (struct pending *p = l->pending[i]; p && r == 0; p = p->next)
            r = store_settle(l, &p->hash, 0, err);
    r = db_end(l, r, err);
    if (r == 0)
        store_free_pending(l);
    return r;
}

/* --- writing --- */

struct store_writer {
    struct ledger *l;
    struct hasher *hasher;
    struct hash_thread *hashing; /* of a large blob; may still have to hash the last piece */
    bool alone;                  /* there is no second thread */
    int fd;                      /* -1 while everything fits in `head` */
    char tmp[LEDGER_ID_SIZE + 24];
    uint64_t size, started;
    char head[STORE_INLINE];
};

struct store_writer *store_writer_new(struct ledger *l, struct retort_error *err) {
    struct store_writer *w = malloc(sizeof *w);
    struct hasher *h = hasher_new();
    if (!w || !h) {
        free(w);
        hasher_free(h);
        err_memory(err);
        return NULL;
    }
    w->l = l;
    w->hasher = h;
    w->hashing = NULL;
    w->alone = false;
    w->fd = -1;
    w->size = w->started = 0;
    return w;
}

void store_abort(struct store_writer *w) {
    if (!w)
        return;
    if (w->fd >= 0) {
        close(w->fd);
        unlinkat(w->l->storefd, w->tmp, 0);
    }
    hash_thread_free(w->hashing);
    hasher_free(w->hasher);
    free(w);
}

static int spill(struct store_writer *w) {
    uint64_t n = __atomic_add_fetch(&w->l->tmp_serial, 1, __ATOMIC_RELAXED);
    snprintf(w->tmp, sizeof w->tmp, "%s.%llu", w->l->engine, (unsigned long long)n);
    w->fd = openat(w->l->storefd, w->tmp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (w->fd < 0 || fchmod(w->fd, 0600) < 0)
        return -errno;
    int r = give_file(w->l, w->l->storefd, w->tmp);
    return r < 0 ? r : write_all(w->fd, w->head, (size_t)w->size);
}

static int write_out(struct store_writer *w, const void *data, size_t len) {
    int r = w->fd < 0 ? spill(w) : 0;
    if (r == 0)
        r = write_all(w->fd, data, len);
    if (r == 0 && w->size + len - w->started >= WRITEBACK) {
        sync_file_range(w->fd, (off_t)w->started, (off_t)(w->size + len - w->started),
                        SYNC_FILE_RANGE_WRITE);
        w->started = w->size + len;
    }
    return r;
}

static int hash_done(struct store_writer *w) {
    return w->hashing ? hash_thread_wait(w->hashing) : 0;
}

/* The second thread hashes the piece while we write; it takes one as soon as it has done the one
 * before. */
static int hash_piece(struct store_writer *w, const void *data, size_t len) {
    if (!w->hashing && !w->alone && w->size + len >= LARGE) {
        w->hashing = hash_thread_new(w->hasher);
        w->alone = !w->hashing;
    }
    if (!w->hashing)
        return hasher_add(w->hasher, data, len);
    int r = hash_thread_wait(w->hashing);
    if (r == 0)
        hash_thread_give(w->hashing, data, len);
    return r;
}

static int write_piece(struct store_writer *w, const char *data, size_t len) {
    int r = 0;
    if (w->fd < 0 && w->size + len <= STORE_INLINE) {
        memcpy(w->head + w->size, data, len);
        w->size += len;
        return 0;
    }
    for (size_t n; r == 0 && len; data += n, len -= n) {
        n = len < PIECE ? len : PIECE;
        r = write_out(w, data, n);
        w->size += n;
    }
    return r;
}

/* The bytes must stay until the next call, or until hash_done. */
static int store_add_piece(struct store_writer *w, const void *data, size_t len,
                           struct retort_error *err) {
    if (hash_piece(w, data, len) < 0)
        return err_memory(err);
    int r = write_piece(w, data, len);
    return r < 0 ? store_error(w->l, -r, err) : 0;
}

int store_add(struct store_writer *w, const void *data, size_t len, struct retort_error *err) {
    int r = len ? store_add_piece(w, data, len, err) : 0;
    return hash_done(w) < 0 ? err_memory(err) : r;
}

static bool file_is_whole(const struct ledger *l, const struct hash *h, uint64_t size) {
    char path[72];
    struct stat st;
    store_path(h, path);
    return fstatat(l->storefd, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
           (uint64_t)st.st_size == size;
}

static int rename_into(struct ledger *l, const char *tmp, const struct hash *h) {
    char path[72], dir[3];
    store_path(h, path);
    if (renameat(l->storefd, tmp, l->storefd, path) == 0)
        return 0;
    if (errno != ENOENT)
        return -errno;
    snprintf(dir, sizeof dir, "%.2s", path);
    int r = ledger_make_dir(l, l->storefd, dir);
    if (r < 0)
        return r;
    if (fchmodat(l->storefd, dir, 0700, 0) < 0 || renameat(l->storefd, tmp, l->storefd, path) < 0)
        return -errno;
    return 0;
}

/* Inside a transaction. 1: the bytes were there already. */
static int store_place(struct store_writer *w, const struct hash *h, struct retort_error *err) {
    struct ledger *l = w->l;
    struct blob_row b;
    int r = blob_find(l, h, false, &b, err);
    if (r < 0 && r != -ENOENT)
        return r;
    if (r == 0 && store_is_there(&b) && file_is_whole(l, h, w->size)) {
        r = blob_touch(l, h, &b, err);
        return r < 0 ? r : 1;
    }
    if ((r = rename_into(l, w->tmp, h)) < 0)
        return store_error(l, -r, err);
    return blob_insert(l, h, w->size, 0, NULL, err);
}

static int finish_file(struct store_writer *w, const struct hash *h, struct retort_error *err) {
    struct ledger *l = w->l;
    pthread_mutex_lock(&l->lock);
    int placed = db_begin(l, err);
    if (placed == 0) {
        placed = store_place(w, h, err);
        if (placed < 0)
            db_rollback(l);
        else if (db_commit(l, err) < 0)
            placed = -EIO;
    }
    pthread_mutex_unlock(&l->lock);
    if (placed == 0)
        flush_file(l, h, take_fd(&w->fd), w->size);
    return placed < 0 ? placed : 0;
}

int store_finish(struct store_writer *w, struct hash *ret, uint64_t *ret_size,
                 struct retort_error *err) {
    struct hash h;
    int r = hash_done(w);
    if (r == 0)
        r = hasher_finish(w->hasher, &h);
    if (r == 0)
        r = w->fd < 0 ? pending_add(w->l, &h, w->head, (size_t)w->size, err)
                      : finish_file(w, &h, err);
    if (r == 0) {
        *ret = h;
        if (ret_size)
            *ret_size = w->size;
    }
    store_abort(w);
    return r;
}

int store_put(struct ledger *l, const void *data, size_t len, struct hash *ret,
              struct retort_error *err) {
    struct hash h;
    if (len <= STORE_INLINE) {
        int r =
            hash_bytes(data, len, &h) < 0 ? err_memory(err) : pending_add(l, &h, data, len, err);
        if (r == 0)
            *ret = h;
        return r;
    }
    struct store_writer *w = store_writer_new(l, err);
    int r = w ? store_add(w, data, len, err) : -ENOMEM;
    if (r == 0)
        return store_finish(w, ret, NULL, err);
    store_abort(w);
    return r;
}

int store_put_fd(struct ledger *l, int fd, uint64_t max, struct hash *ret, uint64_t *ret_size,
                 struct retort_error *err) {
    scoped_free char *chunks = malloc(2 * PIECE); /* one is read while the other is hashed */
    struct store_writer *w = chunks ? store_writer_new(l, err) : NULL;
    if (!w)
        return err_memory(err);
    int r = 0;
    for (unsigned turn = 0;; turn ^= 1) {
        char *chunk = chunks + turn * PIECE;
        ssize_t n = read_full(fd, chunk, PIECE);
        if (n < 0)
            r = err_errno(err, ERR_HOST, (int)-n, "cannot read what is to be stored");
        else if (w->size + (uint64_t)n > max)
            r = err_set(err, ERR_LIMIT, EFBIG, "more than %llu bytes", (unsigned long long)max);
        else if (n > 0)
            r = store_add_piece(w, chunk, (size_t)n, err);
        if (r < 0 || n < PIECE)
            break;
    }
    if (r == 0)
        return store_finish(w, ret, ret_size, err);
    store_abort(w);
    return r;
}

char *store_blob(struct ledger *l, const json_t *body, size_t *ret_len) {
    const char *blob = json_string_value(json_object_get(body, "blob"));
    struct hash hash;
    char *data = NULL;
    if (blob && hash_parse(blob, &hash) >= 0 &&
        store_get(l, &hash, MAX_CODE, &data, ret_len, NULL) < 0)
        return NULL;
    return data;
}
