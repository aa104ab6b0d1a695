/* Making the files of a session what they were. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/scope.h"
#include "engine/files/collector.h"
#include "engine/files/filestore.h"
#include "engine/parts/stream.h"
#include "ledger/store.h"
#include "wire/collect.h"

/* --- names of one file: the places of regular files in a manifest, by inode, then by path --- */

struct name {
    uint64_t inode;
    const char *path;
};

struct file_names {
    struct name *list;
    size_t count;
};

static int names_by_inode(const void *a, const void *b) {
    const struct name *x = a, *y = b;
    return x->inode != y->inode ? (x->inode < y->inode ? -1 : 1) : strcmp(x->path, y->path);
}

static int names_in(const struct manifest *m, struct file_names *ret) {
    struct file_names names = {calloc(m->count + 1, sizeof *names.list), 0};
    if (!names.list)
        return -ENOMEM;
    for (size_t i = 0; i < m->count; i++)
        if (S_ISREG(m->files[i].mode))
            names.list[names.count++] = (struct name){m->files[i].inode, m->files[i].path};
    qsort(names.list, names.count, sizeof *names.list, names_by_inode);
    *ret = names;
    return 0;
}

/* All names of the file, the first one first. */
static const struct name *names_find(const struct file_names *names, const struct file *f,
                                     size_t *ret_count) {
    struct name key = {f->inode, f->path};
    const struct name *at =
        bsearch(&key, names->list, names->count, sizeof *names->list, names_by_inode);
    const struct name *first = at, *last = at;
    while (first > names->list && first[-1].inode == f->inode)
        first--;
    while (last + 1 < names->list + names->count && last[1].inode == f->inode)
        last++;
    *ret_count = (size_t)(last - first) + 1;
    return first;
}

/* --- restoring --- */

#define MAX_NOTES 64 /* about files, of one restore */

/* What a restore works on: the files that there are, those that there should be, and which names
 * belong to one file. */
struct restore {
    struct files *all;
    const struct manifest *now, *target;
    struct file_names now_names, target_names;
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
static int kept_open(struct files *all, const struct file *f, uint64_t *ret_offset) {
    struct hash hash;
    uint64_t size;
    *ret_offset = f->kept > 0 ? (uint64_t)f->kept : 0;
    if (f->kept >= 0)
        return dup(all->spool);
    if (f->kept == KEPT_IN_STORE && hash_parse(f->sha256, &hash) == 0)
        return store_open(all->ledger, &hash, false, &size, NULL);
    return -1;
}

/* Writes no zeros: a hole becomes a hole again, so what fitted on the disk fits once more. */
static bool all_zero(const char *bytes, size_t len) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, len - 1) == 0;
}

static int restore_file(struct files *all, const struct file *f) {
    char chunk[65536];
    uint64_t offset;
    scoped_fd from = kept_open(all, f, &offset);
    scoped_fd fd = from < 0 ? -1 : collector_begin(&all->collector, f);
    if (fd < 0)
        return -EIO;
    for (uint64_t done = 0; done < f->size;) {
        uint64_t left = f->size - done;
        ssize_t n = pread(from, chunk, left < sizeof chunk ? (size_t)left : sizeof chunk,
                          (off_t)(offset + done));
        if (n <= 0 ||
            (!all_zero(chunk, (size_t)n) && filestore_write(fd, chunk, (size_t)n, done) < 0))
            return -EIO;
        done += (uint64_t)n;
    }
    return ftruncate(fd, (off_t)f->size) < 0 ? -errno : collector_finish(&all->collector, f);
}

int filestore_restore_path(struct files *all, const struct manifest *target, const char *path) {
    const struct file *want = manifest_find(target, path);
    if (!want)
        return collector_delete(&all->collector, path, NULL);
    return S_ISREG(want->mode) ? restore_file(all, want) : 0;
}

static bool same_stat(const struct file *a, const struct file *b) {
    return b->settled && a->mode == b->mode && a->size == b->size && a->ctime_ns == b->ctime_ns &&
           a->inode == b->inode;
}

/* One that was never hashed may have petabytes of holes. */
static bool same_bytes(struct files *all, const struct file *want) {
    struct hash hash;
    char text[HASH_TEXT_SIZE];
    uint64_t size;
    scoped_fd fd = want->sha256[0] ? collector_open(&all->collector, want->path, &size, NULL) : -1;
    if (fd < 0 || size != want->size || filestore_hash(fd, size, -1, 0, &hash) < 0)
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

/* Whether the present file is the one wanted, or can become it without being removed: cells that
 * were run again may hold it open. */
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

/* Removes them and returns how many. An incomplete list does not name every file that was there. */
static size_t clear_away(const struct restore *r) {
    size_t gone = 0;
    for (size_t i = r->now->count; i-- > 0;) {
        const struct file *f = &r->now->files[i], *want = manifest_find(r->target, f->path);
        if (!stays(r, f, want) && (want || !r->target->missing))
            gone += collector_delete(&r->all->collector, f->path, NULL) == 0;
    }
    return gone;
}

static int put_back_file(const struct restore *r, const struct file *have,
                         const struct file *want) {
    size_t n;
    const char *first = names_find(&r->target_names, want, &n)->path;
    if (strcmp(first, want->path) != 0) /* which has been put back */
        return have ? 0 : collector_link(&r->all->collector, want->path, first, NULL);
    if (have && (same_stat(have, want) || (have->mode == want->mode && same_bytes(r->all, want))))
        return 0;
    return restore_file(r->all, want);
}

static int put_back_one(const struct restore *r, const struct file *have, const struct file *want) {
    if (S_ISREG(want->mode))
        return put_back_file(r, have, want);
    return have && have->mode == want->mode ? 0 : collector_make(&r->all->collector, want, NULL);
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
        collector_make(&r->all->collector, &(struct file){.path = "", .mode = r->target->mode},
                       NULL);
}

/* Whatever was done or not done: what is there now counts. */
static void check_restored(struct restore *r, const struct manifest *after) {
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
        r->all->incomplete = true;
}

#define ROUNDS 64

/* There may be more files than a list holds. Then those that it names and that have to go are
 * removed first, so that the next list names others. */
static int list_to_restore(struct restore *r, struct manifest *now) {
    for (int i = 0; i < ROUNDS; i++) {
        int e = files_list(r->all, now, NULL);
        if (e < 0 || !now->missing)
            return e;
        r->now = now;
        if ((e = names_in(now, &r->now_names)) < 0)
            return e;
        size_t gone = clear_away(r);
        free(TAKE(r->now_names.list));
        if (!gone)
            return 0;
        manifest_done(now);
    }
    return files_list(r->all, now, NULL);
}

static int restore(struct restore *r, struct manifest *ret_after) {
    struct manifest now = {0};
    int e = names_in(r->target, &r->target_names);
    if (e == 0)
        e = list_to_restore(r, &now);
    r->now = &now;
    if (e == 0 && (e = names_in(&now, &r->now_names)) == 0) {
        clear_away(r);
        put_back(r);
        e = files_list(r->all, ret_after, NULL);
    }
    if (e == 0)
        check_restored(r, ret_after);
    free(r->now_names.list);
    free(r->target_names.list);
    manifest_done(&now);
    r->now = NULL;
    return e;
}

/* After a restore the files have new times; their contents are those we know. */
static void adopt_known(struct files *all, struct manifest *now, const struct manifest *target) {
    for (size_t i = 0; i < now->count; i++) {
        const struct file *known = manifest_find(target, now->files[i].path);
        if (!known || known->size != now->files[i].size)
            continue;
        memcpy(now->files[i].sha256, known->sha256, sizeof known->sha256);
        now->files[i].kept = known->kept;
    }
    files_take(all, now);
    all->changed = true;
}

/* A branch does not get its parent's sockets. Anything else that it lacks is told as well. */
static void note_missing(struct files *all, const struct manifest *now,
                         const struct manifest *parents, json_t *notes) {
    struct restore r = {.all = all, .notes = notes};
    for (size_t i = 0; !now->missing && i < parents->count; i++)
        if (!manifest_find(now, parents->files[i].path))
            note(&r, &parents->files[i], "is not in the branch");
    if (r.failed || now->missing)
        all->incomplete = true;
}

int filestore_inherit(struct files *all, const struct files *parent, json_t *notes) {
    struct manifest now = {0};
    int r = files_list(all, &now, NULL);
    if (r < 0)
        return r;
    note_missing(all, &now, &parent->manifest, notes);
    adopt_known(all, &now, &parent->manifest);
    for (size_t i = 0; i < all->manifest.count; i++) {
        struct file *f = &all->manifest.files[i];
        if (S_ISREG(f->mode) && !f->sha256[0]) /* written meanwhile */
            filestore_keep(all, f);
    }
    return 0;
}

int filestore_restore(struct files *all, const struct manifest *target, json_t *notes) {
    static const struct manifest nothing;
    struct manifest now = {0}, copy = {0};
    struct restore r = {.all = all, .target = target ? target : &nothing, .notes = notes};
    int e = restore(&r, &now);
    if (e < 0)
        return e;
    e = manifest_copy(r.target, &copy); /* it may be the session's own, which is replaced now */
    if (e == 0)
        adopt_known(all, &now, &copy);
    else
        manifest_done(&now);
    manifest_done(&copy);
    return e;
}
