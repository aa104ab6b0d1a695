/* Opening and closing a state directory.
 *
 * Order: the directory and what is in it (0700 and 0600, whatever the umask), the database and its
 * schema, the lease, the recovery of what dead engines left, the flusher. Closing goes the other
 * way. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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
#include "ledger/schema.h"

static int dir_error(const struct ledger *l, const char *what, int eno, struct retort_error *err) {
    return err_set(
        err, ERR_HOST, eno,
        "%s %.160s: %s; make it writable, or name another state directory (RETORT_STATE)", what,
        l->dir, strerror(eno));
}

/* Root may work in a directory of another user, such as a service's. We give him what we make
 * there, because he could not go on otherwise. (SQLite does the same with its files.) */
int give_file(const struct ledger *l, int dirfd, const char *name) {
    if (geteuid() != 0 || l->uid == 0)
        return 0;
    return fchownat(dirfd, name, l->uid, l->gid, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

/* Somebody who can write to the directory could replace the database. */
static int ledger_check_owner(struct ledger *l, struct retort_error *err) {
    struct stat st;
    if (fstat(l->dirfd, &st) < 0)
        return dir_error(l, "cannot look at", errno, err);
    l->uid = st.st_uid;
    l->gid = st.st_gid;
    if (st.st_uid != geteuid() && geteuid() != 0)
        return err_errno(
            err, ERR_HOST, EPERM,
            "%.160s belongs to user %u: run as that user, or name another state directory "
            "(RETORT_STATE)",
            l->dir, (unsigned)st.st_uid);
    if (st.st_mode & 022)
        return err_errno(err, ERR_HOST, EPERM, "others may write to %.160s: chmod go-w it first",
                         l->dir);
    return 0;
}

int ledger_make_dir(const struct ledger *l, int dirfd, const char *name) {
    if (mkdirat(dirfd, name, 0700) == 0)
        return give_file(l, dirfd, name);
    return errno == EEXIST ? 0 : -errno;
}

static int open_sub(const struct ledger *l, const char *name, struct retort_error *err) {
    int r = ledger_make_dir(l, l->dirfd, name);
    if (r < 0)
        return dir_error(l, "cannot make a directory in", -r, err);
    scoped_fd fd = openat(l->dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fchmod(fd, 0700) < 0)
        return dir_error(l, "cannot open a directory in", errno, err);
    return take_fd(&fd);
}

/* SQLite gives its other files the mode of this one. */
static int make_db_file(const struct ledger *l, struct retort_error *err) {
    static const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW;
    scoped_fd fd = openat(l->dirfd, "ledger.db", flags | O_EXCL, 0600);
    int r = fd >= 0 ? give_file(l, l->dirfd, "ledger.db") : 0;
    if (fd < 0 && errno == EEXIST)
        fd = openat(l->dirfd, "ledger.db", flags, 0600);
    if (r == 0 && (fd < 0 || fchmod(fd, 0600) < 0))
        r = -errno;
    return r < 0 ? dir_error(l, "cannot open ledger.db in", -r, err) : 0;
}

static int ledger_open_dirs(struct ledger *l, const char *dir, struct retort_error *err) {
    int r = make_path(dir, 0700);
    l->place = l->dir = r == 0 ? realpath(dir, NULL) : NULL;
    if (!l->dir) {
        r = r < 0 ? r : -errno;
        return err_set(err, ERR_HOST, -r,
                       "cannot make %.160s: %s; name another state directory (RETORT_STATE)", dir,
                       strerror(-r));
    }
    l->dirfd = open(l->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (l->dirfd < 0)
        return dir_error(l, "cannot open", errno, err);
    if ((r = ledger_check_owner(l, err)) < 0)
        return r;
    if ((l->storefd = open_sub(l, "store", err)) < 0)
        return l->storefd;
    if ((l->leasesfd = open_sub(l, "leases", err)) < 0)
        return l->leasesfd;
    return make_db_file(l, err);
}

static int open_schema(struct ledger *l, struct retort_error *err) {
    int found = 0;
    int rc = schema_migrate(l->db.handle, schema_steps, schema_version, &found);
    if (rc == SQLITE_MISMATCH && found < 0)
        return db_error(l, l->db.handle, SQLITE_NOTADB, err);
    if (rc == SQLITE_MISMATCH)
        return err_errno(
            err, ERR_HOST, EPROTO,
            "%.160s was written by a newer Retort (format %d, this one knows %zu): use that "
            "one, or name another state directory (RETORT_STATE)",
            l->dir, found, schema_version);
    return rc == SQLITE_OK ? 0 : db_error(l, l->db.handle, rc, err);
}

static int open_all(struct ledger *l, const char *dir, struct retort_error *err) {
    int r = ledger_open_dirs(l, dir, err);
    if (r == 0)
        r = db_open(l, &l->db, err);
    if (r == 0)
        r = open_schema(l, err);
    if (r == 0)
        r = lease_take(l, err);
    if (r == 0)
        r = lease_recover(l, err);
    if (r == 0)
        r = store_recover(l, err);
    if (r == 0 && fsync(l->dirfd) < 0) /* so that the name of a new ledger.db-wal is on the disk */
        r = dir_error(l, "cannot sync", errno, err);
    return r == 0 ? flush_start(l, err) : r;
}

static int ledger_init_locks(struct ledger *l) {
    int r = pthread_mutex_init(&l->lock, NULL);
    if (r == 0)
        r = pthread_mutex_init(&l->flush.lock, NULL);
    if (r == 0)
        r = -cond_init_monotonic(&l->flush.wake);
    if (r == 0)
        r = pthread_cond_init(&l->flush.done, NULL);
    return -r;
}

int ledger_open(const char *dir, const struct ledger_options *options, struct ledger **ret,
                struct retort_error *err) {
    struct ledger *l = calloc(1, sizeof *l);
    if (!l || ledger_init_locks(l) < 0) {
        free(l);
        return err_memory(err);
    }
    l->dirfd = l->storefd = l->leasesfd = l->leasefd = -1;
    if (options)
        l->options = *options;
    if (l->options.busy_ms == 0)
        l->options.busy_ms = 5000;
    int r = open_all(l, dir, err);
    if (r < 0) {
        ledger_close(l);
        return r;
    }
    if (l->options.place)
        l->place = l->options.place;
    *ret = l;
    return 0;
}

void ledger_close(struct ledger *l) {
    if (!l)
        return;
    flush_stop(l);
    store_free_pending(l);
    db_done(&l->db); /* the last process that closes it also checkpoints and syncs */
    lease_drop(l);
    fd_done(&l->leasesfd);
    fd_done(&l->storefd);
    fd_done(&l->dirfd);
    pthread_cond_destroy(&l->flush.wake);
    pthread_cond_destroy(&l->flush.done);
    pthread_mutex_destroy(&l->flush.lock);
    pthread_mutex_destroy(&l->lock);
    free(l->dir);
    free(l);
}

const char *ledger_engine(const struct ledger *l) {
    return l->engine;
}
