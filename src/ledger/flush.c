/* The flusher: one thread that syncs what the others have written.
 *
 * The first commit after a quiet time starts a clock of 50 ms; then the flusher syncs first the
 * files of the store, then the WAL: so an entry on the disk never refers to bytes that are not
 * there. Every commit gets a ticket; `synced` is the last ticket known to be on the disk. After a
 * failed sync the kernel may have dropped the pages it could not write, so from then on nothing is
 * recorded or reported as durable. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "base/thread.h"
#include "ledger/blobs.h"
#include "ledger/db.h"
#include "ledger/quota/quota.h"
#include "ledger/upkeep.h"

#define DELAY_NS 50000000ull
#define MAX_OPEN_FILES 64          /* with more, the thread that brings a file syncs it itself */
#define CHECKPOINT_BYTES (4 << 20) /* of WAL */

static void mark(struct flusher *f) {
    if (f->dirty_since_ns == 0) {
        f->dirty_since_ns = now_ns();
        pthread_cond_signal(&f->wake);
    }
}

uint64_t flush_committed(struct ledger *l) {
    struct flusher *f = &l->flush;
    pthread_mutex_lock(&f->lock);
    uint64_t ticket = ++f->committed;
    mark(f);
    pthread_mutex_unlock(&f->lock);
    return ticket;
}

void flush_put(struct ledger *l, uint64_t size) {
    struct flusher *f = &l->flush;
    pthread_mutex_lock(&f->lock);
    f->bytes_put += size;
    mark(f);
    pthread_mutex_unlock(&f->lock);
}

void flush_file(struct ledger *l, const struct hash *h, int fd, uint64_t size) {
    struct flusher *f = &l->flush;
    struct unsynced *u = malloc(sizeof *u);
    pthread_mutex_lock(&f->lock);
    bool queue = u && f->files_open < MAX_OPEN_FILES;
    f->bytes_put += size;
    if (queue) {
        *u = (struct unsynced){.next = f->files, .hash = *h, .fd = fd};
        f->files = u;
        f->files_open++;
    }
    f->committed++;
    mark(f);
    pthread_mutex_unlock(&f->lock);
    if (queue)
        return;
    /* The row stays "unsynced": the next open finds the file whole. */
    int r = sync_file(l, h, fd);
    close(fd);
    free(u);
    if (r < 0) {
        pthread_mutex_lock(&f->lock);
        f->failed = -r;
        pthread_mutex_unlock(&f->lock);
    }
}

static int fsync_at(int dirfd, const char *path, int flags) {
    scoped_fd fd = openat(dirfd, path, flags | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    return fsync(fd) < 0 ? -errno : 0;
}

static int sync_dir(struct ledger *l, const struct hash *h) {
    char path[72];
    store_path(h, path);
    path[2] = '\0';
    return fsync_at(l->storefd, path, O_RDONLY | O_DIRECTORY);
}

int sync_file(struct ledger *l, const struct hash *h, int fd) {
    return fdatasync(fd) < 0 ? -errno : sync_dir(l, h);
}

/* Syncs all files, then each directory once: syncing the directory after every file would cost one
 * more commit of the file system's journal for each. */
static int sync_files(struct ledger *l, const struct unsynced *list) {
    bool seen[256] = {false};
    int r = 0;
    for (const struct unsynced *u = list; u && r == 0; u = u->next)
        r = fdatasync(u->fd) < 0 ? -errno : 0;
    for (const struct unsynced *u = list; u && r == 0; u = u->next)
        if (!seen[u->hash.bytes[0]]) {
            seen[u->hash.bytes[0]] = true;
            r = sync_dir(l, &u->hash);
        }
    if (r == 0 && list && fsync(l->storefd) < 0)
        r = -errno;
    return r;
}

/* If this fails, the next open just looks at these files again. */
static void set_present(struct ledger *l, const struct unsynced *list) {
    if (!list)
        return;
    pthread_mutex_lock(&l->lock);
    int r = db_begin(l, NULL);
    for (const struct unsynced *u = list; u && r == 0; u = u->next)
        r = blob_set_state(l, &u->hash, BLOB_UNSYNCED, BLOB_PRESENT, NULL);
    db_end(l, r, NULL);
    pthread_mutex_unlock(&l->lock);
}

static void free_files(struct flusher *f, struct unsynced *list) {
    unsigned n = 0;
    while (list) {
        struct unsynced *next = list->next;
        close(list->fd);
        free(list);
        list = next;
        n++;
    }
    pthread_mutex_lock(&f->lock);
    f->files_open -= n;
    pthread_mutex_unlock(&f->lock);
}

/* SQLite has no lock on this file, so closing our descriptor drops none. */
static int sync_wal(struct ledger *l, off_t *ret_size) {
    struct stat st;
    scoped_fd fd = openat(l->dirfd, "ledger.db-wal", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT ? 0 : -errno;
    if (fdatasync(fd) < 0 || fstat(fd, &st) < 0)
        return -errno;
    *ret_size = st.st_size;
    return 0;
}

static int flush_once(struct ledger *l, struct db *db, struct unsynced *files) {
    off_t wal = 0;
    pthread_mutex_lock(&l->lock);
    /* If the disk is full, the entry that claims the bytes reports it. */
    store_flush_pending(l, NULL);
    pthread_mutex_unlock(&l->lock);
    int r = sync_files(l, files);
    if (r == 0)
        set_present(l, files);
    if (r == 0)
        r = sync_wal(l, &wal);
    if (r == 0 && wal > CHECKPOINT_BYTES)
        sqlite3_wal_checkpoint_v2(db->handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return r;
}

static void hold_quota(struct ledger *l, uint64_t put, uint64_t *since, uint64_t *checked_ns) {
    const struct ledger_options *o = &l->options;
    *since += put;
    bool quota = o->max_bytes && (*since > o->max_bytes / 16 || retire_is_over(l));
    bool age = o->max_age_s && now_ns() - *checked_ns > 600 * 1000000000ull;
    if (!quota && !age)
        return;
    ledger_expire(l, o->max_bytes, o->max_age_s, NULL, NULL);
    *since = 0;
    *checked_ns = now_ns();
}

/* Called with the flusher's lock held: waits until there is something to do and it is time to do
 * it. */
static void wait_for_work(struct flusher *f) {
    while (!f->stop && f->dirty_since_ns == 0)
        pthread_cond_wait(&f->wake, &f->lock);
    uint64_t due = f->dirty_since_ns + DELAY_NS;
    struct timespec ts = {.tv_sec = (time_t)(due / 1000000000),
                          .tv_nsec = (long)(due % 1000000000)};
    while (!f->stop && !f->urgent && now_ns() < due)
        pthread_cond_timedwait(&f->wake, &f->lock, &ts);
}

struct work {
    struct ledger *l;
    struct db db;
};

static void *flusher_main(void *arg) {
    struct work *w = arg;
    struct flusher *f = &w->l->flush;
    /* These make the first round check the quota. */
    uint64_t since = w->l->options.max_bytes, checked_ns = 0;
    pthread_mutex_lock(&f->lock);
    do {
        wait_for_work(f);
        uint64_t target = f->committed, put = f->bytes_put;
        struct unsynced *files = f->files;
        f->files = NULL;
        f->bytes_put = f->dirty_since_ns = 0;
        f->urgent = false;
        pthread_mutex_unlock(&f->lock);
        int r = flush_once(w->l, &w->db, files);
        free_files(f, files);
        pthread_mutex_lock(&f->lock);
        if (r < 0)
            f->failed = -r;
        if (!f->failed)
            f->synced = target;
        pthread_cond_broadcast(&f->done);
        pthread_mutex_unlock(&f->lock);
        hold_quota(w->l, put, &since, &checked_ns);
        pthread_mutex_lock(&f->lock);
    } while (!f->stop || f->dirty_since_ns);
    pthread_mutex_unlock(&f->lock);
    db_done(&w->db);
    free(w);
    return NULL;
}

int flush_start(struct ledger *l, struct retort_error *err) {
    struct work *w = calloc(1, sizeof *w);
    if (!w)
        return err_memory(err);
    w->l = l;
    int r = db_open(l, &w->db, err);
    if (r == 0 && (r = thread_start(&l->flush.thread, flusher_main, w)) < 0)
        err_errno(err, ERR_HOST, -r, "cannot start a thread");
    if (r < 0) {
        db_done(&w->db);
        free(w);
        return r;
    }
    l->flush.started = true;
    return 0;
}

void flush_stop(struct ledger *l) {
    struct flusher *f = &l->flush;
    if (!f->started)
        return;
    pthread_mutex_lock(&f->lock);
    f->stop = true;
    pthread_cond_signal(&f->wake);
    pthread_mutex_unlock(&f->lock);
    pthread_join(f->thread, NULL);
    f->started = false;
}

static int failed_error(const struct ledger *l, int eno, struct retort_error *err) {
    return err_set(
        err, ERR_HOST, eno,
        "writing to the disk that holds %.160s failed (%s): nothing more is recorded; check "
        "the disk, then start again",
        l->place, strerror(eno));
}

int flush_check(struct ledger *l, struct retort_error *err) {
    pthread_mutex_lock(&l->flush.lock);
    int failed = l->flush.failed;
    pthread_mutex_unlock(&l->flush.lock);
    return failed ? failed_error(l, failed, err) : 0;
}

int ledger_sync(struct ledger *l, struct retort_error *err) {
    struct flusher *f = &l->flush;
    pthread_mutex_lock(&f->lock);
    uint64_t target = f->committed;
    while (f->synced < target && !f->failed) {
        f->urgent = true;
        pthread_cond_signal(&f->wake);
        pthread_cond_wait(&f->done, &f->lock);
    }
    int failed = f->failed;
    pthread_mutex_unlock(&f->lock);
    return failed ? failed_error(l, failed, err) : 0;
}

bool flush_is_done(struct ledger *l) {
    pthread_mutex_lock(&l->flush.lock);
    bool done = l->flush.synced == l->flush.committed;
    pthread_mutex_unlock(&l->flush.lock);
    return done;
}

bool ledger_durable(struct ledger *l, const struct ledger_ref *ref) {
    pthread_mutex_lock(&l->flush.lock);
    bool durable = l->flush.synced >= ref->ticket;
    pthread_mutex_unlock(&l->flush.lock);
    return durable;
}
