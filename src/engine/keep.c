/* Contents of a session's files, kept so that a roll-back can restore them.
 *
 * They are appended to an unlinked file: nothing of them outlives the process, however it ends. A
 * manifest says where each file's bytes begin. When the spool has grown to several times what the
 * manifests still need, it is written anew.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/io.h"
#include "base/scope.h"
#include "engine/engine.h"
#include "ledger/ledger.h"
#include "wire/collect.h"

int spool_open(void) {
    const char *dir = secure_getenv("TMPDIR");
    int fd = open(dir ? dir : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return fd >= 0 ? fd : open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

static int write_at(int fd, const char *data, size_t len, uint64_t offset) {
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

/* Hashes at most what the walk saw, because a file that grows meanwhile has no end; copies it if
 * `spool` is open. */
static int hash_and_copy(int fd, uint64_t size, int spool, uint64_t at, struct hash *ret) {
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
            r = write_at(spool, chunk, (size_t)n, at);
        at += (uint64_t)n;
        size -= (uint64_t)n;
    }
    if (r == 0)
        r = hasher_finish(h, ret);
    hasher_free(h);
    return r;
}

/* Without checkpoints too: what was written from outside is not made again by running cells again.
 * A session of a one-shot engine ends with its program: nothing of it is ever restored. */
static bool wanted(const struct retort_session *s) {
    return s->engine->pool > 0;
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
            if (n <= 0 || write_at(to, chunk, (size_t)n, *len) < 0)
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

/* Only the present and the checkpoint keep their bytes; older points are reached by running cells
 * again. */
void keep_compact(struct retort_session *s) {
    uint64_t len = 0;
    if (s->spool < 0 || s->spool_len < SPOOL_FACTOR * s->limits.disk)
        return;
    scoped_fd fresh = spool_open();
    struct manifest *base = s->base_files ? &s->base_files->files : NULL;
    if (fresh < 0)
        return;
    for (size_t i = 0; i < s->npast; i++)
        if (s->past[i].files && s->past[i].files != s->base_files)
            give_up_bytes(&s->past[i].files->files);
    if (move_manifest(&s->manifest, s->spool, fresh, &len) < 0)
        give_up_bytes(&s->manifest);
    if (base && move_manifest(base, s->spool, fresh, &len) < 0)
        give_up_bytes(base);
    s->manifest_changed = true;
    close(s->spool);
    s->spool = take_fd(&fresh);
    s->spool_len = len;
}

int keep_copy(struct retort_session *to, const struct retort_session *from) {
    char chunk[65536];
    if (from->spool < 0)
        return 0;
    if ((to->spool = spool_open()) < 0)
        return -errno;
    while (to->spool_len < from->spool_len) {
        uint64_t left = from->spool_len - to->spool_len;
        ssize_t n = pread(from->spool, chunk, left < sizeof chunk ? (size_t)left : sizeof chunk,
                          (off_t)to->spool_len);
        if (n <= 0 || write_at(to->spool, chunk, (size_t)n, to->spool_len) < 0)
            return -EIO;
        to->spool_len += (uint64_t)n;
    }
    return 0;
}

struct snapshot *keep_snapshot(struct retort_session *s) {
    if (s->snapshot && !s->manifest_changed)
        return s->snapshot;
    struct snapshot *snap = snapshot_new(s, &s->manifest);
    if (!snap)
        return NULL;
    snapshot_unref(s->snapshot);
    s->snapshot = snap;
    s->manifest_changed = false;
    return snap;
}

static void keep_in_spool(struct retort_session *s, int fd, struct file *f) {
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    bool room = wanted(s) && s->spool_len + f->size <= s->account.limit[ACCOUNT_KEPT_FILES];
    if (room && s->spool < 0)
        s->spool = spool_open();
    int spool = room ? s->spool : -1;
    int r = hash_and_copy(fd, f->size, spool, s->spool_len, &hash);
    if (r == -ENOSPC && lseek(fd, 0, SEEK_SET) == 0) { /* no room to keep it: at least its hash */
        spool = -1;
        r = hash_and_copy(fd, f->size, -1, 0, &hash);
    }
    if (r < 0)
        return;
    hash_text(&hash, text);
    memcpy(f->sha256, strchr(text, ':') + 1, sizeof f->sha256);
    if (spool >= 0) {
        f->kept = (int64_t)s->spool_len;
        s->spool_len += f->size;
    }
}

static int keep_in_store(struct retort_session *s, int fd, struct file *f) {
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    uint64_t size;
    int r = store_put_fd(s->engine->ledger, fd, s->limits.disk, &hash, &size, NULL);
    if (r < 0)
        return r;
    hash_text(&hash, text);
    memcpy(f->sha256, strchr(text, ':') + 1, sizeof f->sha256);
    f->kept = KEPT_IN_STORE;
    return 0;
}

void keep_file(struct retort_session *s, struct file *f) {
    uint64_t size;
    f->sha256[0] = 0;
    f->kept = KEPT_NOT;
    scoped_fd fd = files_open(s->collector, f->path, &size, NULL);
    if (fd < 0 || (s->recorded && keep_in_store(s, fd, f) == 0) || lseek(fd, 0, SEEK_SET) < 0)
        return;
    keep_in_spool(s, fd, f);
}

/* --- names of one file: the places of regular files in a manifest, by inode, then by path
 * ------------------------------------------------------------------------------------------- */

struct name {
    uint64_t inode;
    const char *path;
};

struct names {
    struct name *list;
    size_t count;
};

static int by_inode(const void *a, const void *b) {
    const struct name *x = a, *y = b;
    return x->inode != y->inode ? (x->inode < y->inode ? -1 : 1) : strcmp(x->path, y->path);
}

static int names_of(const struct manifest *m, struct names *ret) {
    struct names names = {calloc(m->count + 1, sizeof *names.list), 0};
    if (!names.list)
        return -ENOMEM;
    for (size_t i = 0; i < m->count; i++)
        if (S_ISREG(m->files[i].mode))
            names.list[names.count++] = (struct name){m->files[i].inode, m->files[i].path};
    qsort(names.list, names.count, sizeof *names.list, by_inode);
    *ret = names;
    return 0;
}

/* All names of the file, the first one first. */
static const struct name *names_find(const struct names *names, const struct file *f,
                                     size_t *ret_count) {
    struct name key = {f->inode, f->path};
    const struct name *at = bsearch(&key, names->list, names->count, sizeof *names->list, by_inode);
    const struct name *first = at, *last = at;
    while (first > names->list && first[-1].inode == f->inode)
        first--;
    while (last + 1 < names->list + names->count && last[1].inode == f->inode)
        last++;
    *ret_count = (size_t)(last - first) + 1;
    return first;
}

/* --- restoring ----------------------------------------------------------------------------------
 */

#define MAX_NOTES 64 /* about files, of one restore */

/* What a restore works on: what there is, what there should be, and which names of those are names
 * of one file. */
struct restore {
    struct retort_session *s;
    const struct manifest *now, *target;
    struct names now_names, target_names;
    json_t *notes;
    unsigned failed; /* files of which something was to be noted */
};

static void note(struct restore *r, const struct file *f, const char *what) {
    char text[400];
    if (++r->failed > MAX_NOTES)
        return;
    json_t *name = json_name(f->path, strlen(f->path));
    snprintf(text, sizeof text, "%.300s: %s", json_string_value(name), what);
    json_array_append_new(r->notes, json_string(text));
    json_decref(name);
}

/* Where the bytes of a file are: a descriptor and an offset in it. */
static int kept_open(struct retort_session *s, const struct file *f, uint64_t *ret_offset) {
    struct hash hash;
    uint64_t size;
    *ret_offset = f->kept > 0 ? (uint64_t)f->kept : 0;
    if (f->kept >= 0)
        return dup(s->spool);
    if (f->kept == KEPT_IN_STORE && hash_parse(f->sha256, &hash) == 0)
        return store_open(s->engine->ledger, &hash, false, &size, NULL);
    return -1;
}

/* A hole was a hole, or costs nothing: what fitted on the disk fits again. */
static bool all_zero(const char *bytes, size_t len) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, len - 1) == 0;
}

static int restore_file(struct retort_session *s, const struct file *f) {
    char chunk[65536];
    uint64_t offset;
    scoped_fd from = kept_open(s, f, &offset);
    scoped_fd fd =
        from < 0 ? -1 : files_create(s->collector, f->path, COLLECT_TRUNCATE, f->mode, NULL);
    if (fd < 0)
        return -EIO;
    for (uint64_t done = 0; done < f->size;) {
        uint64_t left = f->size - done;
        ssize_t n = pread(from, chunk, left < sizeof chunk ? (size_t)left : sizeof chunk,
                          (off_t)(offset + done));
        if (n <= 0 || (!all_zero(chunk, (size_t)n) && write_at(fd, chunk, (size_t)n, done) < 0))
            return -EIO;
        done += (uint64_t)n;
    }
    return ftruncate(fd, (off_t)f->size) < 0 ? -errno : 0;
}

int keep_restore_path(struct retort_session *s, const struct manifest *target, const char *path) {
    const struct file *want = manifest_find(target, path);
    if (!want)
        return files_delete(s->collector, path, NULL);
    return S_ISREG(want->mode) ? restore_file(s, want) : 0;
}

static bool same(const struct file *a, const struct file *b) {
    return b->settled && a->mode == b->mode && a->size == b->size && a->ctime_ns == b->ctime_ns &&
           a->inode == b->inode;
}

/* One that was never hashed may have petabytes of holes. */
static bool same_bytes(struct retort_session *s, const struct file *want) {
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    uint64_t size;
    scoped_fd fd = want->sha256[0] ? files_open(s->collector, want->path, &size, NULL) : -1;
    if (fd < 0 || size != want->size || hash_and_copy(fd, size, -1, 0, &hash) < 0)
        return false;
    hash_text(&hash, text);
    return strcmp(strchr(text, ':') + 1, want->sha256) == 0;
}

/* Two names of one file cannot be given two contents, nor two files one. If this holds for all
 * names of a file, they are the same ones; a name for which it does not hold is made anew. */
static bool named_alike(const struct restore *r, const struct file *have, const struct file *want) {
    size_t n, m;
    const struct name *first = names_find(&r->now_names, have, &n);
    return strcmp(first->path, names_find(&r->target_names, want, &m)->path) == 0 && n == m;
}

/* Whether the present file can become the one wanted, or is it, without being removed: cells that
 * were run again hold it open. */
static bool stays(const struct restore *r, const struct file *have, const struct file *want) {
    if (!have || !want || (have->mode & S_IFMT) != (want->mode & S_IFMT))
        return false;
    if (S_ISREG(want->mode))
        return named_alike(r, have, want);
    if (S_ISLNK(want->mode))
        return strcmp(have->target, want->target) == 0;
    /* Of FIFOs and sockets there is nothing but which ones they are. */
    return S_ISDIR(want->mode) || (have->inode == want->inode && have->mode == want->mode);
}

/* How many went. What an incomplete list does not name may have been there all the same. */
static size_t clear_away(const struct restore *r) {
    size_t gone = 0;
    for (size_t i = r->now->count; i-- > 0;) {
        const struct file *f = &r->now->files[i], *want = manifest_find(r->target, f->path);
        if (!stays(r, f, want) && (want || !r->target->missing))
            gone += files_delete(r->s->collector, f->path, NULL) == 0;
    }
    return gone;
}

static int put_back_file(const struct restore *r, const struct file *have,
                         const struct file *want) {
    size_t n;
    const char *first = names_find(&r->target_names, want, &n)->path;
    if (strcmp(first, want->path) != 0) /* which has been put back */
        return have ? 0 : files_link(r->s->collector, want->path, first, NULL);
    if (have && (same(have, want) || (have->mode == want->mode && same_bytes(r->s, want))))
        return 0;
    return restore_file(r->s, want);
}

static int put_back_one(const struct restore *r, const struct file *have, const struct file *want) {
    if (S_ISREG(want->mode))
        return put_back_file(r, have, want);
    return have && have->mode == want->mode ? 0 : files_make(r->s->collector, want, NULL);
}

static void put_back(struct restore *r) {
    for (size_t i = 0; i < r->target->count; i++) {
        const struct file *want = &r->target->files[i], *have = manifest_find(r->now, want->path);
        if (!stays(r, have, want))
            have = NULL;
        if (!have && !S_ISREG(want->mode) && !S_ISDIR(want->mode) && !S_ISLNK(want->mode) &&
            !S_ISFIFO(want->mode))
            note(r, want, "is no file, directory, link or FIFO and was not restored");
        else if (put_back_one(r, have, want) < 0)
            note(r, want, "could not be restored");
    }
    if (r->target->mode && r->target->mode != r->now->mode)
        files_make(r->s->collector, &(struct file){.path = "", .mode = r->target->mode}, NULL);
}

/* Whatever was done or not done: what is there now counts. */
static void check(struct restore *r, const struct manifest *after) {
    for (size_t i = 0; !r->target->missing && i < after->count; i++)
        if (!manifest_find(r->target, after->files[i].path))
            note(r, &after->files[i], "could not be removed");
    if (r->failed > MAX_NOTES)
        json_array_append_new(r->notes, json_sprintf("and %u more files", r->failed - MAX_NOTES));
    int missing = r->target->missing ? r->target->missing : after->missing;
    if (missing)
        json_array_append_new(r->notes, json_sprintf("not all files are what they were: %s",
                                                     files_missing_text(missing)));
    if (missing || r->failed)
        r->s->files_incomplete = true;
}

#define ROUNDS 64

/* When there are more files than a list holds, those that it does hold and that have to go make
 * room for the others. */
static int list_to_restore(struct restore *r, struct manifest *now) {
    for (int i = 0; i < ROUNDS; i++) {
        int e = files_list(r->s, now, NULL);
        if (e < 0 || !now->missing)
            return e;
        r->now = now;
        if ((e = names_of(now, &r->now_names)) < 0)
            return e;
        size_t gone = clear_away(r);
        free(TAKE(r->now_names.list));
        if (!gone)
            return 0;
        manifest_done(now);
    }
    return files_list(r->s, now, NULL);
}

static int restore(struct restore *r, struct manifest *ret_after) {
    struct manifest now = {0};
    int e = names_of(r->target, &r->target_names);
    if (e == 0)
        e = list_to_restore(r, &now);
    r->now = &now;
    if (e == 0 && (e = names_of(&now, &r->now_names)) == 0) {
        clear_away(r);
        put_back(r);
        e = files_list(r->s, ret_after, NULL);
    }
    if (e == 0)
        check(r, ret_after);
    free(r->now_names.list);
    free(r->target_names.list);
    manifest_done(&now);
    return e;
}

/* After a restore the files have new times; their contents are those we know. */
static void adopt(struct retort_session *s, struct manifest *now, const struct manifest *target) {
    for (size_t i = 0; i < now->count; i++) {
        const struct file *known = manifest_find(target, now->files[i].path);
        if (!known || known->size != now->files[i].size)
            continue;
        memcpy(now->files[i].sha256, known->sha256, sizeof known->sha256);
        now->files[i].kept = known->kept;
    }
    manifest_take(s, now);
    s->manifest_changed = true;
}

/* Of what the parent has, a socket is not in a branch; whatever else is not, is told as well. */
static void note_left_out(struct retort_session *s, const struct manifest *now,
                          const struct manifest *parents) {
    struct restore r = {.s = s, .notes = s->birth_notes};
    for (size_t i = 0; !now->missing && i < parents->count; i++)
        if (!manifest_find(now, parents->files[i].path))
            note(&r, &parents->files[i], "is not in the branch");
    if (r.failed || now->missing)
        s->files_incomplete = true;
}

int keep_inherit(struct retort_session *s, const struct retort_session *parent) {
    struct manifest now = {0};
    int r = files_list(s, &now, NULL);
    if (r < 0)
        return r;
    note_left_out(s, &now, &parent->manifest);
    adopt(s, &now, &parent->manifest);
    for (size_t i = 0; i < s->manifest.count; i++) {
        struct file *f = &s->manifest.files[i];
        if (S_ISREG(f->mode) && !f->sha256[0]) /* written meanwhile */
            keep_file(s, f);
    }
    return 0;
}

int keep_restore(struct retort_session *s, const struct manifest *target, json_t *notes) {
    static const struct manifest nothing;
    struct manifest now = {0}, copy = {0};
    struct restore r = {.s = s, .target = target ? target : &nothing, .notes = notes};
    int e = restore(&r, &now);
    if (e < 0)
        return e;
    e = manifest_copy(r.target, &copy); /* it may be the session's own, which is replaced now */
    if (e == 0)
        adopt(s, &now, &copy);
    else
        manifest_done(&now);
    manifest_done(&copy);
    return e;
}
