/* The ways back to a state.
 *
 * A session is the list of what happened to it (steps.h). Its interpreter is a cache of the whole
 * list; a dormant checkpoint, forked from the interpreter, is a cache of the first part. To go back
 * to the first n steps, if those contain what the checkpoint does: resume it and run what lies
 * between again; otherwise start a new interpreter and run all n. Files are set to what they were
 * at that point from their kept bytes, before an interpreter may open them again.
 */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "engine/files/filestore.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/timeline.h"

/* Cells that were run again have made their files again, perhaps with other bytes. We restore those
 * of the first time. */
static int set_files(struct retort_session *s, size_t count, json_t *notes) {
    struct step *last = count ? &s->timeline.steps[count - 1] : NULL;
    if (!last)
        return filestore_restore(&s->files, NULL, notes);
    if (last->files && !last->files_lost)
        return filestore_restore(&s->files, &last->files->files, notes);
    if (last->files_lost) {
        s->files.incomplete = true;
        json_array_append_new(notes, json_string("the files are those that the cells made when "
                                                 "they were run again: no list of what there was "
                                                 "is held any more"));
    }
    int r = timeline_note_files(s);
    if (r == 0 && !last->files_lost)
        last->files = snapshot_ref(files_snapshot(&s->files));
    return r;
}

/* Frees the outcomes, which are as long as the guest made them: they have been compared. */
static void forget_outcomes(struct retort_session *s) {
    for (size_t i = 0; i < s->timeline.nsteps; i++) {
        json_decref(s->timeline.steps[i].outcome);
        s->timeline.steps[i].outcome = NULL;
    }
}

static void count_replay_cost(struct retort_session *s) {
    s->timeline.replay_us = 0;
    for (size_t i = 0; i < s->timeline.nsteps; i++) {
        const struct step *p = &s->timeline.steps[i];
        if (p->cell && p->language->interpreter == s->interp.language)
            s->timeline.replay_us += p->cost_us;
    }
}

static const char *lose(struct retort_session *s) {
    if (s->state == SESSION_LIVE)
        session_finish(s);
    else
        session_disconnect(s);
    return NULL;
}

static bool by_checkpoint(struct retort_session *s, size_t at, size_t count, json_t *notes) {
    return checkpoint_revive(s, notes) == 0 && rerun(s, s->interp.language, at, count, notes) == 0;
}

/* Goes back in a new interpreter. Notes about an attempt with the checkpoint, or about how the
 * session began, no longer apply. */
static int by_replay(struct retort_session *s, size_t count, size_t noted, json_t *notes) {
    struct retort_error err = ERR_INIT;
    while (json_array_size(notes) > noted)
        json_array_remove(notes, noted);
    json_array_clear(s->timeline.notes);
    s->timeline.replayed = false;
    int r = session_reconnect(s, &err);
    if (r < 0) {
        session_disconnect(s);
        json_array_append_new(notes, json_string(err.message));
    }
    return r < 0 ? r : rerun(s, s->interp.language, 0, count, notes);
}

/* Whether it ran cells that have to be run again for its state. */
static bool has_past(const struct retort_session *s, enum language language) {
    return language_of(language)->comes != COMES_SAVED &&
           timeline_ran(s, 0) & 1u << (unsigned)language;
}

/* Starts another interpreter than the first anew. The files are then those of some step of the
 * past. */
static int rebuild(struct retort_session *s, enum language language, json_t *notes,
                   struct retort_error *err) {
    int r = session_add_interp(s, language, err);
    if (r == 0 && has_past(s, language) &&
        (r = rerun(s, language, 0, s->timeline.nsteps, notes)) < 0)
        recover_error("the interpreter cannot go on", notes, err);
    if (r < 0)
        session_drop_interp(s, language);
    return r;
}

/* Everything since the checkpoint ran in other interpreters and was taken back. So the checkpoint
 * also holds for an earlier step, with that step's files. */
static void pull_checkpoint(struct retort_session *s) {
    struct timeline *t = &s->timeline;
    if (t->checkpoint_at <= t->nsteps)
        return;
    const struct step *last = t->nsteps ? &t->steps[t->nsteps - 1] : NULL;
    t->has_checkpoint = t->has_checkpoint && last && last->files && !last->files_lost;
    t->checkpoint_at = t->has_checkpoint ? t->nsteps : 0;
    snapshot_unref(s->files.checkpoint);
    s->files.checkpoint = t->has_checkpoint ? snapshot_ref(last->files) : NULL;
}

/* Interpreters that save their state begin with it when their next cell comes. */
static void tell_saved(struct retort_session *s, uint32_t dead, json_t *notes) {
    for (int l = 0; l < LANG_COUNT; l++) {
        struct saved_state saved;
        if (!(dead & 1u << l))
            continue;
        timeline_saved(s, (enum language)l, UINT_MAX, &saved);
        saved_state_tell(&saved, (enum language)l, notes);
        saved_state_done(&saved);
    }
}

enum way { WAY_NONE, WAY_SAVED, WAY_CHECKPOINT, WAY_REPLAY };

/* Brings the first interpreter back. Without a checkpoint it gets new namespaces, and the others
 * end with the old ones: *dead is then all of them. */
static int recover_first(struct retort_session *s, uint32_t *dead, enum way *way, json_t *notes) {
    size_t at = s->timeline.checkpoint_at, count = s->timeline.nsteps,
           noted = json_array_size(notes);
    session_cut(s, &s->interp);
    if (s->timeline.has_checkpoint && at <= count && by_checkpoint(s, at, count, notes)) {
        bool ran = timeline_ran(s, at) & 1u << s->interp.language;
        *way = ran ? WAY_REPLAY : WAY_CHECKPOINT;
        return 0;
    }
    *dead = ~0u;
    *way = language_of(s->interp.language)->comes == COMES_SAVED ? WAY_SAVED : WAY_REPLAY;
    return by_replay(s, count, noted, notes);
}

static int recover_others(struct retort_session *s, uint32_t dead, enum way *way, json_t *notes) {
    struct retort_error err = ERR_INIT;
    for (int l = 0; l < LANG_COUNT; l++) {
        if (!(dead & 1u << l) || l == (int)s->interp.language)
            continue;
        session_drop_interp(s, (enum language)l);
        if (*way == WAY_NONE && language_of((enum language)l)->comes == COMES_SAVED)
            *way = WAY_SAVED; /* its next cell starts another, which begins with that */
        if (!has_past(s, (enum language)l))
            continue;
        if (rebuild(s, (enum language)l, notes, &err) < 0)
            return -1;
        *way = WAY_REPLAY;
    }
    return 0;
}

#define TELL_NS 1000000000ull     /* patience with an interpreter that does not read */
#define MAX_TOLD (MAX_FIELDS / 2) /* files */

static int put_anew(struct buf *b, const struct manifest *was, const struct manifest *is) {
    unsigned told = 0;
    int r = frame_begin(b, FRAME_ANEW);
    for (size_t i = 0; r == 0 && i < was->count && told < MAX_TOLD; i++) {
        const struct file *old = &was->files[i], *now = manifest_find(is, old->path);
        if (!now || now->inode == old->inode || (now->mode & S_IFMT) != (old->mode & S_IFMT))
            continue;
        told++;
        r = frame_put_int(b, F_INODE, (int64_t)old->inode);
        if (r == 0)
            r = frame_put_text(b, F_PATH, old->path);
    }
    return r == 0 && told ? frame_end(b, 0) : -1;
}

/* To run cells again, files that came later were removed, and then made again. Interpreters that
 * were left alone, or came back before others, may have the old ones open, or as their working
 * directory. */
static void tell_anew(struct retort_session *s, const struct snapshot *before) {
    scoped_buf b = BUF_INIT(MAX_FRAME);
    if (!before || put_anew(&b, &before->files, &s->files.manifest) < 0)
        return;
    for (int l = 0; l < LANG_COUNT; l++) {
        const struct interp *in = session_interp(s, (enum language)l);
        if (session_speaks(s, (enum language)l) && in->greeted)
            interp_send(in, b.data, b.len, TELL_NS);
    }
}

/* The files that interpreters may have open: those from before, and those that the first one found
 * if it was brought back. */
struct found {
    struct snapshot *before, *first;
};

/* NULL: it could not be brought there. */
static const char *go_to(struct retort_session *s, size_t count, uint32_t dead, struct found *found,
                         json_t *notes) {
    uint32_t own = 1u << s->interp.language;
    enum way way = WAY_NONE;
    dead |= timeline_ran(s, count) | (s->interp.ctl < 0 ? own : 0);
    timeline_cut(s, count);
    if (!(dead & own))
        pull_checkpoint(s);
    bool kept_files = s->timeline.has_checkpoint && s->timeline.checkpoint_at == count;
    if (dead & own && recover_first(s, &dead, &way, notes) < 0)
        return NULL;
    if (dead == ~0u) {
        /* It is another file system, in which the old inode numbers belong to other files. */
        snapshot_unref(found->before);
        found->before = NULL;
    }
    kept_files = kept_files && way == WAY_CHECKPOINT;
    /* The files are now those of the last step, of which a resumed session has no list yet. Other
     * interpreters that are run again will leave the files of earlier steps. */
    if (way == WAY_REPLAY && set_files(s, count, notes) < 0)
        return NULL;
    if (dead & own)
        found->first = snapshot_ref(files_snapshot(&s->files));
    if (recover_others(s, dead, &way, notes) < 0)
        return NULL;
    tell_saved(s, dead, notes);
    forget_outcomes(s);
    if (dead & own)
        count_replay_cost(s); /* the checkpoint is used up: all of it counts, until the next */
    if (!(kept_files && way == WAY_CHECKPOINT) && set_files(s, count, notes) < 0)
        return NULL;
    static const char *const names[] = {"replay", "saved", "checkpoint", "replay"};
    return names[way];
}

static const char *go_once(struct retort_session *s, size_t count, uint32_t dead, json_t *notes) {
    struct found found = {.before = snapshot_ref(files_snapshot(&s->files))};
    const char *via = go_to(s, count, dead, &found, notes);
    if (via) {
        tell_anew(s, found.before);
        tell_anew(s, found.first);
    }
    snapshot_unref(found.before);
    snapshot_unref(found.first);
    return via;
}

/* A supervisor may die while it brings back what another one had: that is not the session's fault,
 * so we try again. But we stop after some tries, in case the session's own code ends them. */
const char *recover(struct retort_session *s, size_t count, uint32_t dead, json_t *notes) {
    size_t noted = json_array_size(notes);
    const char *via = go_once(s, count, dead, notes);
    for (int tries = 1; !via && tries < SUPERVISOR_TRIES && session_was_left(s); tries++) {
        while (json_array_size(notes) > noted)
            json_array_remove(notes, noted);
        via = go_once(s, count, ~0u, notes);
    }
    return via ? via : lose(s);
}

int recover_ready(struct retort_session *s, enum language language, struct retort_error *err) {
    if (language == s->interp.language || session_speaks(s, language))
        return 0;
    if (!has_past(s, language))
        return session_add_interp(s, language, err);
    if (!s->timeline.notes)
        s->timeline.notes = json_array();
    session_drop_interp(s, language);
    struct snapshot *before = snapshot_ref(files_snapshot(&s->files));
    int r = rebuild(s, language, s->timeline.notes, err);
    if (set_files(s, s->timeline.nsteps, s->timeline.notes) < 0 && r == 0)
        r = err_set(err, ERR_HOST, EIO, "the session's files could not be restored");
    tell_anew(s, before);
    snapshot_unref(before);
    s->timeline.replayed = s->timeline.replayed || r == 0;
    if (r == 0)
        json_array_append_new(s->timeline.notes,
                              json_sprintf("the cells in %s were run again in a new interpreter",
                                           language_of(language)->name));
    return r;
}

static bool printable(const char *text) {
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

/* The last note says why, if it is one of ours. Others contain file names, which are bytes of the
 * guest. */
int recover_error(const char *what, const json_t *notes, struct retort_error *err) {
    const char *why = json_string_value(json_array_get(notes, json_array_size(notes) - 1));
    bool told = why && printable(why);
    return err_errno(err, ERR_HOST, EIO, "%s, because its state could not be rebuilt%s%s", what,
                     told ? ": " : "", told ? why : "");
}
