/* What is true of every session between cells. */
#include <string.h>

#include "engine/session/session.h"

static const char *broken_interp(const struct retort_session *s) {
    const struct interp *i = &s->interp;
    if (i->ctl < 0 && (i->channel >= 0 || i->out >= 0 || i->err >= 0))
        return "an interpreter without a supervisor";
    if (i->ctl < 0 && (i->ready || i->frames.len))
        return "something was heard of an interpreter that is not there";
    if (i->frames.len > i->frames.cap)
        return "more bytes of frames than there is room for";
    for (int l = 0; l < LANG_COUNT; l++) {
        const struct interp *o = s->others[l];
        if (o && (o->language != (enum language)l || o->language == i->language))
            return "an interpreter in the place of another";
        if (o && o->channel >= 0 && (o->ctl < 0 || o->ctl != i->ctl))
            return "an interpreter without the session's supervisor";
    }
    return NULL;
}

static const char *broken_tools(const struct retort_session *s) {
    return s->tools.sent && !s->tools.offered ? "tools were sent that are not offered" : NULL;
}

static const char *broken_rest(const struct retort_session *s) {
    if (s->idle.rest < 0)
        return NULL;
    if (s->interp.ctl < 0)
        return "a session without a process rests";
    return s->interp.out >= 0 || s->interp.err >= 0 || s->files.work >= 0 || s->usage.net >= 0
               ? "a session rests and has what it has given up"
               : NULL;
}

static const char *broken_usage(const struct retort_session *s) {
    const struct usage *u = &s->usage;
    bool all = true, none = true;
    for (int i = 0; i < CREATED_MEASURES; i++) {
        all = all && u->measure[i] >= 0;
        none = none && u->measure[i] < 0;
    }
    bool has = s->interp.ctl >= 0 && u->cgroup && s->idle.rest < 0;
    if (has ? !all : !none)
        return "files of the cgroup without one, or the other way round";
    if (s->iso.layers & s->iso.missing)
        return "a layer is in force and missing";
    return NULL;
}

static const char *broken_manifest(const struct manifest *m, const struct files *f) {
    size_t bytes = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct file *file = &m->files[i];
        bytes += file_bytes(file);
        if (i && strcmp(m->files[i - 1].path, file->path) >= 0)
            return "a list of files is not sorted";
        if (file->kept >= 0 && (uint64_t)file->kept + file->size > f->spool_len)
            return "bytes of a file are kept beyond the end of the spool";
    }
    return bytes == m->bytes ? NULL : "a list of files has another size than it says";
}

static const char *broken_files(const struct retort_session *s) {
    const struct files *f = &s->files;
    uint64_t lists = f->manifest.bytes;
    unsigned uploads = 0;
    const char *broken = broken_manifest(&f->manifest, f);
    for (const struct retort_upload *u = f->uploads; u; u = u->next)
        uploads++;
    for (const struct snapshot *snap = f->snapshots; snap && !broken; snap = snap->next) {
        lists += snap->files.bytes;
        broken = snap->refs ? broken_manifest(&snap->files, f) : "a snapshot that nobody has";
    }
    if (broken)
        return broken;
    if (uploads != f->nuploads)
        return "another number of uploads than it says";
    if (f->spool < 0 && f->spool_len)
        return "kept bytes without a spool";
    if (f->in_store != s->recorded || (f->in_store && !f->ledger))
        return "a session and its files differ in whether they are recorded";
    return lists == account_used(&s->account, ACCOUNT_LISTS) ? NULL
                                                             : "lists of files are not accounted";
}

static const char *broken_outputs(const struct retort_session *s) {
    uint64_t held = 0, stored = 0;
    for (unsigned i = 0; i < OUTPUTS; i++) {
        const struct output *o = &s->outputs.ring[i];
        if (!o->cell && (o->fd >= 0 || o->data || o->name || o->len))
            return "an output of no cell";
        *(o->fd >= 0 ? &stored : &held) += o->len;
    }
    if (held != account_used(&s->account, ACCOUNT_OUTPUT) ||
        stored != account_used(&s->account, ACCOUNT_STORED_OUTPUT))
        return "outputs are not accounted";
    return NULL;
}

static const char *broken_timeline(const struct retort_session *s) {
    const struct timeline *t = &s->timeline;
    uint64_t past, saved, calls;
    if (t->checkpoint_at > t->nsteps || t->shed_calls > t->nsteps || t->shed_files > t->nsteps)
        return "a place in the timeline beyond its end";
    if (t->has_checkpoint && (!s->files.checkpoint || s->interp.ctl < 0))
        return "a checkpoint without its files, or without a process";
    for (size_t i = 0; i < t->nsteps; i++)
        if (!t->steps[i].cell == !t->steps[i].path)
            return "a step that is not one of a cell and a file";
    timeline_bytes(t, &past, &saved, &calls);
    if (past != account_used(&s->account, ACCOUNT_PAST) ||
        saved != account_used(&s->account, ACCOUNT_SAVED) ||
        calls != account_used(&s->account, ACCOUNT_CALLS))
        return "the timeline is not accounted";
    return account_used(&s->account, ACCOUNT_RESULT) ? "a result is accounted that nobody has"
                                                     : NULL;
}

static const char *broken_state(const struct retort_session *s) {
    bool connected = s->interp.ctl >= 0, files = !files_gone(&s->files);
    switch ((enum session_state)s->state) {
    case SESSION_NEW: return NULL;
    case SESSION_LIVE:
        return !s->spec || !s->idle.used_ns ? "a live session was never begun"
               : !connected || !files       ? "a live session has no process"
                                            : NULL;
    case SESSION_ASLEEP: return connected || files ? "a sleeping session has a process" : NULL;
    case SESSION_ENDED: return NULL; /* a program that has run may leave files to be read */
    }
    return "no state at all";
}

const char *session_broken(const struct retort_session *s) {
    static const char *(*const all[])(const struct retort_session *) = {
        broken_state, broken_interp, broken_tools,   broken_rest,
        broken_usage, broken_files,  broken_outputs, broken_timeline};
    const char *broken = NULL;
    if (s->state == SESSION_NEW) /* only its maker knows it, and holds no lock */
        return NULL;
    for (size_t i = 0; !broken && i < sizeof all / sizeof *all; i++)
        broken = all[i](s);
    return broken;
}
