/* Reading from the store, and its recovery after a power loss. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "ledger/blobs.h"
#include "ledger/db.h"

int hash_fd(int fd, struct hash *ret, uint64_t *ret_size) {
    scoped_free char *chunk = malloc(STORE_CHUNK);
    struct hasher *h = chunk ? hasher_new() : NULL;
    uint64_t size = 0;
    ssize_t n = h ? STORE_CHUNK : -ENOMEM;
    while (n == STORE_CHUNK) {
        n = read_full(fd, chunk, STORE_CHUNK);
        if (n > 0 && hasher_add(h, chunk, (size_t)n) < 0)
            n = -ENOMEM;
        size += n > 0 ? (uint64_t)n : 0;
    }
    int r = n < 0 ? (int)n : hasher_finish(h, ret);
    hasher_free(h);
    if (r == 0 && ret_size)
        *ret_size = size;
    return r;
}

static int store_gone(const struct hash *h, enum blob_state state, struct retort_error *err) {
    char text[HASH_TEXT_SIZE];
    hash_text(h, text);
    return err_set(err, ERR_CALLER, ENODATA, "the bytes %s %s", text,
                   state == BLOB_EXPIRED ? "have expired" : "were lost in a power failure");
}

static int damaged(const struct hash *h, struct retort_error *err) {
    char text[HASH_TEXT_SIZE];
    hash_text(h, text);
    return err_errno(err, ERR_HOST, EBADMSG, "the stored bytes %s are damaged", text);
}

/* Finds it in memory or in the database; ->data stays NULL when the bytes are in a file. */
static int store_find(struct ledger *l, const struct hash *h, struct blob_row *ret,
                      struct retort_error *err) {
    char text[HASH_TEXT_SIZE];
    pthread_mutex_lock(&l->lock);
    int r = pending_load(l, h, ret);
    if (r == -ENOENT)
        r = blob_find(l, h, true, ret, err);
    pthread_mutex_unlock(&l->lock);
    hash_text(h, text);
    if (r == -ENOENT)
        return err_set(err, ERR_CALLER, ENOENT, "no bytes %s in the store", text);
    if (r == -ENOMEM)
        return err_memory(err);
    if (r < 0)
        return r;
    if (ret->state == BLOB_EXPIRED || ret->state == BLOB_LOST)
        return store_gone(h, ret->state, err);
    return 0;
}

static int store_open_file(struct ledger *l, const struct hash *h, uint64_t *ret_size,
                           struct retort_error *err) {
    char path[72], text[HASH_TEXT_SIZE];
    struct stat st;
    store_path(h, path);
    hash_text(h, text);
    scoped_fd fd = openat(l->storefd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 && errno == ENOENT)
        return err_errno(err, ERR_HOST, ENOENT, "the stored file of %s is missing", text);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_errno(err, ERR_HOST, errno, "cannot open the stored file of %s", text);
    *ret_size = (uint64_t)st.st_size;
    return take_fd(&fd);
}

static int check_fd(int fd, const struct hash *h, struct retort_error *err) {
    struct hash found;
    int r = hash_fd(fd, &found, NULL);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot read from the store");
    if (!hash_equal(&found, h))
        return damaged(h, err);
    return lseek(fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

int store_memfd(const char *data, size_t len, struct retort_error *err) {
    scoped_fd fd = memfd_create("bytes", MFD_CLOEXEC);
    int r = fd < 0 ? -errno : write_all(fd, data, len);
    if (r == 0 && lseek(fd, 0, SEEK_SET) < 0)
        r = -errno;
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot hold bytes of the ledger in memory");
    return take_fd(&fd);
}

int store_open(struct ledger *l, const struct hash *h, bool check, uint64_t *ret_size,
               struct retort_error *err) {
    struct blob_row b;
    uint64_t size;
    int r = store_find(l, h, &b, err);
    if (r < 0)
        return r;
    size = b.size;
    scoped_free char *data = b.data;
    scoped_fd fd = data ? store_memfd(data, (size_t)size, err) : store_open_file(l, h, &size, err);
    if (fd < 0)
        return fd;
    if (check && (r = check_fd(fd, h, err)) < 0)
        return r;
    if (ret_size)
        *ret_size = size;
    return take_fd(&fd);
}

static int store_read_file(struct ledger *l, const struct hash *h, size_t max, char **ret,
                           size_t *ret_len, struct retort_error *err) {
    uint64_t size;
    scoped_fd fd = store_open_file(l, h, &size, err);
    if (fd < 0)
        return fd;
    if (size > max)
        return err_set(err, ERR_LIMIT, EFBIG, "more than %zu bytes", max);
    scoped_free char *data = malloc((size_t)size + 1);
    if (!data)
        return err_memory(err);
    ssize_t n = read_full(fd, data, (size_t)size);
    if (n < 0)
        return err_errno(err, ERR_HOST, (int)-n, "cannot read from the store");
    *ret = TAKE(data);
    *ret_len = (size_t)n;
    return 0;
}

int store_get(struct ledger *l, const struct hash *h, size_t max, char **ret, size_t *ret_len,
              struct retort_error *err) {
    struct blob_row b;
    struct hash found;
    size_t len;
    int r = store_find(l, h, &b, err);
    if (r < 0)
        return r;
    scoped_free char *data = b.data;
    len = (size_t)b.size;
    if (data && len > max)
        return err_set(err, ERR_LIMIT, EFBIG, "more than %zu bytes", max);
    if (!data)
        r = store_read_file(l, h, max, &data, &len, err);
    if (r < 0 || !data)
        return r;
    if (hash_bytes(data, len, &found) < 0)
        return err_memory(err);
    if (!hash_equal(&found, h))
        return damaged(h, err);
    data[len] = '\0';
    *ret = TAKE(data);
    if (ret_len)
        *ret_len = len;
    return 0;
}

bool store_has(struct ledger *l, const struct hash *h) {
    struct blob_row b;
    if (store_find(l, h, &b, NULL) < 0)
        return false;
    free(b.data);
    return true;
}

/* --- after a power loss --- */

static int list_unsynced(struct ledger *l, struct refs *ret, struct retort_error *err) {
    sqlite3_stmt *s = NULL;
    int rc =
        sqlite3_prepare_v2(l->db.handle, "SELECT hash FROM blob WHERE state = 0", -1, &s, NULL);
    int r = 0;
    while (rc == SQLITE_OK && r == 0 && (r = refs_room(ret)) == 0) {
        int step = sqlite3_step(s);
        if (step == SQLITE_DONE)
            break;
        if (step != SQLITE_ROW)
            rc = step;
        else if (db_column_hash(s, 0, &ret->hashes[ret->count]))
            ret->count++;
    }
    sqlite3_finalize(s);
    return rc == SQLITE_OK ? r : db_error(l, l->db.handle, rc, err);
}

/* Syncs a file that is whole after its engine died. If the file is broken, its row was committed
 * less than a flush before the machine went down. */
static int recover_one(struct ledger *l, const struct hash *h, struct retort_error *err) {
    uint64_t size;
    scoped_fd fd = store_open_file(l, h, &size, NULL);
    bool whole = fd >= 0 && check_fd(fd, h, NULL) == 0;
    if (whole) {
        int r = sync_file(l, h, fd);
        if (r < 0)
            return err_errno(err, ERR_HOST, -r, "cannot sync %.160s/store", l->place);
    }
    return blob_set_state(l, h, BLOB_UNSYNCED, whole ? BLOB_PRESENT : BLOB_LOST, err);
}

int store_recover(struct ledger *l, struct retort_error *err) {
    struct refs list = {.count = 0};
    int r = list_unsynced(l, &list, err);
    for (size_t i = 0; r == 0 && i < list.count; i++)
        r = recover_one(l, &list.hashes[i], err);
    refs_done(&list);
    return r;
}
