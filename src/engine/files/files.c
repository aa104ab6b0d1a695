#include "engine/files/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "base/io.h"
#include "base/mime.h"
#include "base/scope.h"
#include "engine/files/collector.h"
#include "engine/files/filestore.h"
#include "engine/parts/stream.h"

void files_init(struct files *f, struct account *account) {
    *f = (struct files){.collector = COLLECTOR_NONE, .work = -1, .spool = -1, .account = account};
}

void files_close(struct files *f) {
    collector_done(&f->collector);
    fd_done(&f->work);
}

void files_done(struct files *f) {
    files_close(f);
    fd_done(&f->spool);
    account_sub(f->account, ACCOUNT_LISTS, f->manifest.bytes);
    manifest_done(&f->manifest);
    snapshot_unref(f->checkpoint);
    snapshot_unref(f->snapshot);
}

bool files_hide(const struct files *f, const char *path) {
    for (const struct retort_upload *u = f->uploads; u; u = u->next)
        if (strcmp(u->staged, path) == 0)
            return true;
    return false;
}

/* --- the list --- */

/* An upload that is not complete is no file yet. We pass over exactly those names, which vanish
 * soon. */
static void hide_uploads(const struct files *f, struct manifest *m) {
    size_t kept = 0;
    for (size_t i = 0; f->uploads && i < m->count; i++) {
        if (files_hide(f, m->files[i].path)) {
            m->bytes -= file_bytes(&m->files[i]);
            file_done(&m->files[i]);
        } else
            m->files[kept++] = m->files[i];
    }
    if (f->uploads)
        m->count = kept;
}

const char *files_missing_text(int missing) {
    switch (missing) {
    case 0: return "all files are known";
    case E2BIG: return "there are more files, or longer names, than a list can hold";
    case ENAMETOOLONG: return "some files lie deeper than a path can say";
    case ESTALE: return "directories were moved while they were looked at";
    default: return "some files could not be looked at";
    }
}

bool files_full(const struct files *f) {
    struct statfs fs;
    return f->work >= 0 && fstatfs(f->work, &fs) == 0 && (fs.f_bfree == 0 || fs.f_ffree == 0);
}

uint64_t files_bytes(const struct files *f) {
    struct statfs fs;
    if (f->work < 0 || fstatfs(f->work, &fs) < 0)
        return 0;
    return (uint64_t)(fs.f_blocks - fs.f_bfree) * (uint64_t)fs.f_bsize;
}

bool files_gone(const struct files *f) {
    return f->collector.ctl < 0;
}

int files_list(struct files *f, struct manifest *ret, struct retort_error *err) {
    /* Most sessions never have a file: then we need not ask the collector. */
    struct stat st;
    if (f->work >= 0 && tmpfs_dir_is_empty(f->work) && fstat(f->work, &st) == 0) {
        *ret = (struct manifest){.mode = st.st_mode & 07777};
        return 0;
    }
    int r = collector_list(&f->collector, ret, err);
    if (r == 0)
        hide_uploads(f, ret);
    return r;
}

void files_take(struct files *f, struct manifest *now) {
    account_sub(f->account, ACCOUNT_LISTS, f->manifest.bytes);
    account_add(f->account, ACCOUNT_LISTS, now->bytes);
    manifest_done(&f->manifest);
    f->manifest = *now;
    *now = (struct manifest){0};
}

struct snapshot *files_snapshot(struct files *f) {
    if (f->snapshot && !f->changed)
        return f->snapshot;
    struct snapshot *snap = snapshot_new(&f->snapshots, f->account, &f->manifest);
    if (!snap)
        return NULL;
    snapshot_unref(f->snapshot);
    f->snapshot = snap;
    f->changed = false;
    return snap;
}

/* --- what changed --- */

static bool unchanged(const struct file *a, const struct file *b) {
    return a->settled && a->ctime_ns == b->ctime_ns && a->size == b->size && a->inode == b->inode &&
           a->mode == b->mode;
}

static json_t *change_json(const struct file *f, const char *change) {
    json_t *o = json_object();
    json_object_set_new(o, "path", json_name(f->path, strlen(f->path)));
    json_object_set_new(o, "size", json_integer((json_int_t)f->size));
    json_object_set_new(o, "sha256", f->sha256[0] ? json_string(f->sha256) : json_null());
    json_object_set_new(o, "mime", json_string(mime_of(f->path)));
    json_object_set_new(o, "change", json_string(change));
    return o;
}

/* Hashes, keeps and lists the file at one path, if it is new or has changed. False if it would
 * exceed `budget`: everything that was written fits on the session's disk, so the excess is holes
 * or further links, of which there could be petabytes. */
static bool files_compare(struct files *all, const struct file *old, struct file *found,
                          uint64_t *budget, json_t *list) {
    if (old && unchanged(old, found)) {
        memcpy(found->sha256, old->sha256, sizeof found->sha256);
        found->kept = old->kept;
        return true;
    }
    bool was_file = old && S_ISREG(old->mode);
    all->changed = true;
    if (!S_ISREG(found->mode)) {
        if (was_file)
            json_array_append_new(list, change_json(old, "deleted"));
        bool known = old && old->mode == found->mode && strcmp(old->target, found->target) == 0;
        return known || S_ISDIR(found->mode);
    }
    if (found->size > *budget)
        return false;
    *budget -= found->size;
    filestore_keep(all, found);
    if (!was_file || strcmp(old->sha256, found->sha256) != 0)
        json_array_append_new(list, change_json(found, was_file ? "modified" : "created"));
    return true;
}

json_t *files_changes(struct files *all, struct manifest *now, bool *ret_rejected) {
    struct manifest *last = &all->manifest;
    json_t *list = json_array();
    uint64_t budget = all->disk;
    size_t i = 0, j = 0;
    while (i < last->count || j < now->count) {
        struct file *old = i < last->count ? &last->files[i] : NULL;
        struct file *found = j < now->count ? &now->files[j] : NULL;
        int order = !old ? 1 : !found ? -1 : strcmp(old->path, found->path);
        all->changed = all->changed || order < 0;
        if (old && order < 0 && S_ISREG(old->mode) && !now->missing) /* else it may be there */
            json_array_append_new(list, change_json(old, "deleted"));
        if (found && order >= 0) {
            bool taken = files_compare(all, order == 0 ? old : NULL, found, &budget, list);
            *ret_rejected = *ret_rejected || !taken;
        }
        i += order <= 0;
        j += order >= 0;
    }
    all->changed = all->changed || last->mode != now->mode;
    all->incomplete = all->incomplete || now->missing;
    files_take(all, now);
    filestore_compact(all);
    return list;
}
