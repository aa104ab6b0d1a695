#include "engine/files/manifest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/unconst.h"

void file_done(struct file *f) {
    free(f->path);
    free(f->target);
}

size_t file_bytes(const struct file *f) {
    return sizeof *f + strlen(f->path) + strlen(f->target) + 2 * 16; /* and what malloc adds */
}

void manifest_done(struct manifest *m) {
    for (size_t i = 0; i < m->count; i++)
        file_done(&m->files[i]);
    free(m->files);
    *m = (struct manifest){0};
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

void manifest_sort(struct manifest *m) {
    if (m->count)
        qsort(m->files, m->count, sizeof *m->files, by_path);
}

int manifest_copy(const struct manifest *from, struct manifest *ret) {
    struct manifest m = *from;
    m.files = calloc(from->count ? from->count : 1, sizeof *m.files);
    if (!m.files)
        return -ENOMEM;
    for (m.count = 0; m.count < from->count; m.count++) {
        struct file *f = &m.files[m.count];
        *f = from->files[m.count];
        f->path = strdup(f->path);
        f->target = strdup(f->target);
        if (!f->path || !f->target) {
            m.count++;
            manifest_done(&m);
            return -ENOMEM;
        }
    }
    *ret = m;
    return 0;
}

struct file *manifest_find(const struct manifest *m, const char *path) {
    struct file key = {.path = unconst(path)};
    return m->count ? bsearch(&key, m->files, m->count, sizeof *m->files, by_path) : NULL;
}

/* --- points of the past --- */

struct snapshot *snapshot_new(struct snapshot **list, struct account *account,
                              const struct manifest *files) {
    struct snapshot *snap = calloc(1, sizeof *snap);
    if (!snap || manifest_copy(files, &snap->files) < 0) {
        free(snap);
        return NULL;
    }
    snap->refs = 1;
    snap->account = account;
    snap->next = *list;
    snap->before = list;
    if (*list)
        (*list)->before = &snap->next;
    *list = snap;
    account_add(snap->account, ACCOUNT_LISTS, snap->files.bytes);
    return snap;
}

struct snapshot *snapshot_of(struct snapshot **list, struct account *account,
                             const struct manifest *files, const char *path) {
    struct file *f = manifest_find(files, path);
    struct manifest one = {.files = f, .count = f != NULL, .bytes = f ? file_bytes(f) : 0};
    return snapshot_new(list, account, &one);
}

struct snapshot *snapshot_ref(struct snapshot *snap) {
    if (snap)
        snap->refs++;
    return snap;
}

void snapshot_unref(struct snapshot *snap) {
    if (!snap || --snap->refs)
        return;
    account_sub(snap->account, ACCOUNT_LISTS, snap->files.bytes);
    *snap->before = snap->next;
    if (snap->next)
        snap->next->before = snap->before;
    manifest_done(&snap->files);
    free(snap);
}
