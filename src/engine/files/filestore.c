/* Contents are appended to an unlinked file, the spool: none of them outlives the process, however
 * it ends. A manifest says where each file's bytes begin. When the spool has grown to several times
 * what the manifests still need, it is written anew.
 */
#include "engine/files/filestore.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/scope.h"
#include "engine/files/collector.h"
#include "engine/parts/stream.h"
#include "ledger/store.h"

int filestore_write(int fd, const char *data, size_t len, uint64_t offset) {
    while (len) {
        ssize_t n = pwrite(fd, data, len, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        data += n;
        len -= (size_t)n;
        offset += (uint64_t)n;
    }
    return 0;
}

int filestore_hash(int fd, uint64_t size, int spool, uint64_t at, struct hash *ret) {
    char chunk[65536];
    struct hasher *h = hasher_new();
    int r = h ? 0 : -ENOMEM;
    while (r == 0 && size) {
        ssize_t n = read(fd, chunk, size < sizeof chunk ? (size_t)size : sizeof chunk);
        if (n == 0) /* it became shorter */
            break;
        r = n < 0 ? -errno : hasher_add(h, chunk, (size_t)n);
        if (r < 0)
            break;
        if (spool >= 0)
            r = filestore_write(spool, chunk, (size_t)n, at);
        at += (uint64_t)n;
        size -= (uint64_t)n;
    }
    if (r == 0)
        r = hasher_finish(h, ret);
    hasher_free(h);
    return r;
}

/* Moves the bytes that a manifest refers to into another spool. */
static int move_manifest(struct manifest *m, int from, int to, uint64_t *len) {
    char chunk[65536];
    for (size_t i = 0; i < m->count; i++) {
        struct file *f = &m->files[i];
        if (f->kept < 0)
            continue;
        uint64_t at = *len, left = f->size;
        for (uint64_t off = (uint64_t)f->kept; left;) {
            ssize_t n =
                pread(from, chunk, left < sizeof chunk ? (size_t)left : sizeof chunk, (off_t)off);
            if (n <= 0 || filestore_write(to, chunk, (size_t)n, *len) < 0)
                return -EIO;
            off += (uint64_t)n;
            *len += (uint64_t)n;
            left -= (uint64_t)n;
        }
        f->kept = (int64_t)at;
    }
    return 0;
}

static void give_up_bytes(struct manifest *m) {
    for (size_t i = 0; i < m->count; i++)
        if (m->files[i].kept >= 0)
            m->files[i].kept = KEPT_NOT;
}

/* Only the present files and those of the checkpoint keep their bytes. To reach older points, cells
 * are run again. */
void filestore_compact(struct files *all) {
    uint64_t len = 0;
    if (all->spool < 0 || all->spool_len < SPOOL_FACTOR * all->disk)
        return;
    scoped_fd fresh = spool_open();
    struct manifest *checkpoint = all->checkpoint ? &all->checkpoint->files : NULL;
    if (fresh < 0)
        return;
    for (struct snapshot *older = all->snapshots; older; older = older->next)
        if (older != all->checkpoint)
            give_up_bytes(&older->files);
    if (move_manifest(&all->manifest, all->spool, fresh, &len) < 0)
        give_up_bytes(&all->manifest);
    if (checkpoint && move_manifest(checkpoint, all->spool, fresh, &len) < 0)
        give_up_bytes(checkpoint);
    all->changed = true;
    close(all->spool);
    all->spool = take_fd(&fresh);
    all->spool_len = len;
}

int filestore_copy(struct files *to, const struct files *from) {
    char chunk[65536];
    if (from->spool < 0)
        return 0;
    if ((to->spool = spool_open()) < 0)
        return -errno;
    while (to->spool_len < from->spool_len) {
        uint64_t left = from->spool_len - to->spool_len;
        ssize_t n = pread(from->spool, chunk, left < sizeof chunk ? (size_t)left : sizeof chunk,
                          (off_t)to->spool_len);
        if (n <= 0 || filestore_write(to->spool, chunk, (size_t)n, to->spool_len) < 0)
            return -EIO;
        to->spool_len += (uint64_t)n;
    }
    return 0;
}

void filestore_drop(struct files *f) {
    fd_done(&f->spool);
    f->spool_len = 0;
}

static void keep_in_spool(struct files *all, int fd, struct file *f) {
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    bool room = all->keeps && all->spool_len + f->size <= all->account->limit[ACCOUNT_KEPT_FILES];
    if (room && all->spool < 0)
        all->spool = spool_open();
    int spool = room ? all->spool : -1;
    int r = filestore_hash(fd, f->size, spool, all->spool_len, &hash);
    if (r == -ENOSPC && lseek(fd, 0, SEEK_SET) == 0) { /* no room to keep it: at least its hash */
        spool = -1;
        r = filestore_hash(fd, f->size, -1, 0, &hash);
    }
    if (r < 0)
        return;
    hash_text(&hash, text);
    memcpy(f->sha256, strchr(text, ':') + 1, sizeof f->sha256);
    if (spool >= 0) {
        f->kept = (int64_t)all->spool_len;
        all->spool_len += f->size;
    }
}

static int keep_in_store(struct files *all, int fd, struct file *f) {
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    uint64_t size;
    int r = store_put_fd(all->ledger, fd, all->disk, &hash, &size, NULL);
    if (r < 0)
        return r;
    hash_text(&hash, text);
    memcpy(f->sha256, strchr(text, ':') + 1, sizeof f->sha256);
    f->kept = KEPT_IN_STORE;
    return 0;
}

void filestore_keep(struct files *all, struct file *f) {
    uint64_t size;
    f->sha256[0] = 0;
    f->kept = KEPT_NOT;
    scoped_fd fd = collector_open(&all->collector, f->path, &size, NULL);
    if (fd < 0 || (all->in_store && keep_in_store(all, fd, f) == 0) || lseek(fd, 0, SEEK_SET) < 0)
        return;
    keep_in_spool(all, fd, f);
}
