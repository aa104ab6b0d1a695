/* Branches: sessions that begin with the present state of another and go their own way.
 *
 * A branch is a new session with everything of its own: a live one, for which the parent's
 * interpreter forks (branch_live.c); or, where that cannot be, one in which the cells of its parent
 * are run again and to which the parent's files are copied. Its chain in the ledger goes on from
 * the parent's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/files/collector.h"
#include "engine/files/filestore.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/branch.h"
#include "engine/timeline/idle.h"
#include "engine/timeline/timeline.h"
#include "wire/collect.h"

static int copy_step(struct step *q, const struct step *p) {
    q->cell = p->cell;
    q->len = p->len;
    q->language = p->language;
    q->limits = p->limits;
    q->cost_us = p->cost_us;
    q->interrupted = p->interrupted;
    q->code = p->code ? strndup(p->code, p->len) : NULL;
    q->state = p->state ? malloc(p->state_len + 1) : NULL;
    if (q->state) {
        memcpy(q->state, p->state, p->state_len);
        q->state_len = p->state_len;
    }
    q->path = p->path ? strdup(p->path) : NULL;
    q->calls = json_incref(p->calls);
    q->ncalls = p->ncalls;
    q->calls_lost = p->calls_lost;
    q->files_lost = p->files_lost;
    q->failed = p->failed;
    q->seq = p->seq;
    memcpy(q->chain, p->chain, sizeof q->chain);
    q->write = json_incref(p->write);
    return (p->code && !q->code) || (p->path && !q->path) ? -ENOMEM : 0;
}

static int copy_past(struct retort_session *to, const struct retort_session *from) {
    int r = filestore_copy(&to->files, &from->files); /* it may go back as far as its parent */
    for (size_t i = 0; r == 0 && i < from->timeline.nsteps; i++) {
        const struct step *p = &from->timeline.steps[i];
        struct step *q = timeline_grow(to);
        r = q ? copy_step(q, p) : -ENOMEM;
        if (q)
            timeline_count(to, q);
        to->timeline.replay_us += p->cost_us;
        if (r < 0 || !p->files)
            continue;
        bool shared = i > 0 && from->timeline.steps[i - 1].files == p->files;
        q->files = shared ? snapshot_ref(q[-1].files)
                          : snapshot_new(&to->files.snapshots, &to->account, &p->files->files);
        r = q->files ? 0 : -ENOMEM;
    }
    to->cells = to->outputs.gone = from->cells;
    return r;
}

static int branch_copy_file(struct retort_session *to, struct retort_session *from,
                            const struct file *f) {
    char chunk[65536];
    uint64_t size;
    scoped_fd in = collector_open(&from->files.collector, f->path, &size, NULL);
    scoped_fd out = in < 0 ? -1 : collector_begin(&to->files.collector, f);
    if (out < 0)
        return -EIO;
    for (ssize_t n; (n = read(in, chunk, sizeof chunk)) != 0;)
        if (n < 0 || write_all(out, chunk, (size_t)n) < 0)
            return -EIO;
    return collector_finish(&to->files.collector, f);
}

static bool branch_same_file(const struct file *a, const struct file *b) {
    return a && a->mode == b->mode &&
           (S_ISREG(a->mode) ? strcmp(a->sha256, b->sha256) == 0
                             : strcmp(a->target, b->target) == 0);
}

static void branch_note_left_out(struct retort_session *to, const struct file *f) {
    json_t *name = json_name(f->path, strlen(f->path));
    json_array_append_new(to->timeline.notes,
                          json_sprintf("%.300s: is not in the branch", json_string_value(name)));
    json_decref(name);
    to->files.incomplete = true;
}

/* Makes the files those of the parent. Files that are right already stay untouched: the branch may
 * have them open. */
static int branch_copy_files(struct retort_session *to, struct retort_session *from) {
    int r = timeline_note_files(to);
    for (size_t i = to->files.manifest.count; r == 0 && i-- > 0;)
        if (!manifest_find(&from->files.manifest, to->files.manifest.files[i].path))
            collector_delete(&to->files.collector, to->files.manifest.files[i].path, NULL);
    for (size_t i = 0; r == 0 && i < from->files.manifest.count; i++) {
        const struct file *f = &from->files.manifest.files[i];
        if (branch_same_file(manifest_find(&to->files.manifest, f->path), f))
            continue;
        if (S_ISSOCK(f->mode) || (S_ISREG(f->mode) && !f->sha256[0]))
            branch_note_left_out(to, f); /* one that was never hashed may have petabytes of holes */
        else if (S_ISREG(f->mode))
            r = branch_copy_file(to, from, f);
        else if (!S_ISDIR(f->mode) && manifest_find(&to->files.manifest, f->path) &&
                 (r = collector_delete(&to->files.collector, f->path, NULL)) < 0)
            break;
        else
            r = collector_make(&to->files.collector, f, NULL);
    }
    return r < 0 ? r : timeline_note_files(to);
}

static int branch_prepare(struct retort_session *to, struct retort_session *from,
                          struct retort_error *err) {
    tools_share(&to->tools, &from->tools); /* with what is known of where its data came from */
    to->timeline.notes = json_array();
    return session_specify(to, spec_ref(from->spec), err);
}

/* --- by replay --- */

static int branch_by_replay(struct retort_session *to, struct retort_session *from,
                            struct retort_error *err) {
    int r = copy_past(to, from);
    if (r < 0)
        return err_errno(err, ERR_HOST, -r, "cannot hold a branch");
    if ((r = session_reconnect(to, err)) < 0)
        return r;
    json_array_clear(to->timeline.notes);
    r = rerun(to, to->interp.language, 0, to->timeline.nsteps, to->timeline.notes);
    if (r == 0)
        r = branch_copy_files(to, from);
    return r < 0 ? err_errno(err, ERR_HOST, -r, "the branch could not be given its parent's state")
                 : 0;
}

static void note_replay(struct retort_session *to, const struct retort_error *why) {
    if (!to->timeline.nsteps)
        return;
    char text[sizeof why->message + 80];
    snprintf(text, sizeof text, "the branch was made by running its cells again, not by a fork: %s",
             why->message);
    json_array_insert_new(to->timeline.notes, 0, json_string(text));
    to->timeline.replayed = true;
}

/* --- live --- */

static int live(struct retort_session *to, struct retort_session *from, struct retort_error *err) {
    int r = to->interp.ctl < 0 ? -ENOTCONN : branch_live_fork(to, from, err);
    if (r < 0)
        return r;
    to->tools.sent = from->tools.sent & 1u << from->interp.language;
    to->tools.recorded = from->tools.recorded;
    json_array_extend(to->timeline.notes, from->timeline.notes); /* nobody has been told yet */
    to->timeline.resumed = from->timeline.resumed;
    session_set_recorded(to, from->recorded);
    r = copy_past(to, from);
    if (r == 0)
        r = filestore_inherit(&to->files, &from->files, to->timeline.notes);
    if (r < 0) {
        session_disconnect(to);
        session_set_recorded(to, false);
        timeline_clear(to);
        filestore_drop(&to->files);
        err_errno(err, ERR_HOST, -r, "the branch could not be given its parent's files");
    }
    return r;
}

/* --- one and many --- */

static int branch_one(struct retort_session *to, struct retort_session *from,
                      const struct retort_error *asked, bool recorded, struct retort_error *err) {
    struct retort_error why = *asked;
    int r = live(to, from, &why);
    if (r < 0) {
        r = branch_by_replay(to, from, err);
        note_replay(to, &why);
    }
    if (r == 0 && (!recorded || (r = record_branch(to, from, err)) < 0))
        session_set_recorded(to, false);
    if (r == 0) {
        proof_copy(&to->proof, &from->proof);
        session_begin(to);
    }
    return r;
}

static int branch_admit(struct retort_session *from, struct retort_session **ret,
                        struct retort_error *err) {
    struct retort_session *to = session_alloc(from->engine);
    int r = to ? engine_admit(from->engine, to, err)
               : err_errno(err, ERR_HOST, ENOMEM, "cannot hold another session");
    if (r < 0) {
        if (to)
            session_free(to);
        return r;
    }
    *ret = to;
    return branch_prepare(to, from, err);
}

/* The supervisor makes all namespaces at the same time; the interpreter forks into one after the
 * other. */
static int branch_all(struct retort_session *s, unsigned count, bool recorded,
                      struct retort_session **ret, struct retort_error *err) {
    struct retort_error asked = ERR_INIT;
    int r = 0;
    for (unsigned i = 0; r == 0 && i < count; i++)
        r = branch_admit(s, &ret[i], err);
    bool can = s->interp.warm && s->interp.greeted && !s->interp.unanswered && !s->interp.exited &&
               timeline_note_files(s) == 0;
    if (!can)
        err_set(&asked, ERR_HOST, 0, "its parent's interpreter cannot be forked");
    for (unsigned i = 0; r == 0 && can && i < count; i++)
        can = branch_live_ask(ret[i], s, &asked) == 0;
    for (unsigned i = 0; r == 0 && i < count; i++)
        r = branch_one(ret[i], s, &asked, recorded, err);
    return r;
}

static int parent_ready(struct retort_session *s, struct retort_error *err) {
    int woken = session_wake(s, err);
    if (woken < 0)
        return woken;
    timeline_settle(s);
    if (s->state != SESSION_LIVE)
        return err_set(err, ERR_CALLER, ESRCH, "the session has no state to branch from");
    if (s->files.unlisted && timeline_note_files(s) < 0)
        return err_errno(err, ERR_HOST, EIO,
                         "the files of the session cannot be listed, so no branch can have them");
    return 0;
}

/* Closes them all. Returns whether one of them, or their parent, has lost its supervisor. */
static bool branch_unmake(const struct retort_session *s, unsigned count,
                          struct retort_session **made) {
    bool left = session_was_left(s);
    for (unsigned i = 0; i < count; i++)
        if (made[i]) {
            left = left || session_was_left(made[i]);
            session_close(made[i]);
        }
    return left;
}

/* A supervisor that dies meanwhile takes only processes of the parent or of a branch with it: so we
 * try again. */
static int branch_make(struct retort_session *s, unsigned count, bool recorded,
                       struct retort_session **ret, struct retort_error *err) {
    for (int tries = 1;; tries++) {
        memset(ret, 0, count * sizeof *ret);
        int r = parent_ready(s, err);
        if (r < 0 || (r = branch_all(s, count, recorded, ret, err)) == 0)
            return r;
        if (!branch_unmake(s, count, ret) || tries == SUPERVISOR_TRIES)
            return r;
    }
}

int branch_aside(struct retort_session *s, struct retort_session **ret, struct retort_error *err) {
    return branch_make(s, 1, false, ret, err);
}

int branch(struct retort_session *s, unsigned count, struct retort_session **ret,
           struct retort_error *err) {
    if (count == 0 || count > 64)
        return err_set(err, ERR_CALLER, EINVAL, "from 1 to 64 branches can be made at once");
    uint64_t branching = __atomic_add_fetch(&s->engine->branchings, 1, __ATOMIC_RELAXED);
    int r = branch_make(s, count, true, ret, err);
    for (unsigned i = 0; r == 0 && i < count; i++)
        ret[i]->branching = branching;
    return r;
}

/* --- keeping one --- */

bool branch_siblings(const struct retort_session *a, const struct retort_session *b) {
    return a != b && a->engine == b->engine && a->branching && a->branching == b->branching;
}

void branch_give_up(struct retort_session *s, const char *kept) {
    session_enter(s);
    idle_forget(s);
    record_kept(s, kept);
    session_finish(s);
    session_leave(s);
}
