/* Branches: sessions that begin with the present state of another and go their own way.
 *
 * A branch is a new session with everything of its own: a live one, for which the parent's
 * interpreter forks (nest.c); or, where that cannot be, one in which the cells of its parent are
 * run again and to which the parent's files are copied. Its chain in the ledger goes on from the
 * parent's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/scope.h"
#include "engine/nest.h"
#include "engine/record.h"
#include "wire/collect.h"

static int copy_env(struct retort_session *to, const struct retort_session *from) {
    size_t n = 0;
    while (from->env && from->env[n])
        n++;
    to->env = calloc(n + 1, sizeof *to->env);
    for (size_t i = 0; to->env && i < n; i++)
        if (!(to->env[i] = strdup(from->env[i])))
            return -ENOMEM;
    return to->env ? 0 : -ENOMEM;
}

static int copy_step(struct past *q, const struct past *p) {
    q->cell = p->cell;
    q->len = p->len;
    q->limits = p->limits;
    q->cost_us = p->cost_us;
    q->interrupted = p->interrupted;
    q->code = p->code ? strndup(p->code, p->len) : NULL;
    q->path = p->path ? strdup(p->path) : NULL;
    q->calls = json_incref(p->calls);
    q->ncalls = p->ncalls;
    q->calls_lost = p->calls_lost;
    q->files_lost = p->files_lost;
    q->seq = p->seq;
    memcpy(q->chain, p->chain, sizeof q->chain);
    q->write = json_incref(p->write);
    return (p->code && !q->code) || (p->path && !q->path) ? -ENOMEM : 0;
}

static int copy_past(struct retort_session *to, const struct retort_session *from) {
    int r = keep_copy(to, from); /* it may go back as far as its parent */
    for (size_t i = 0; r == 0 && i < from->npast; i++) {
        const struct past *p = &from->past[i];
        struct past *q = past_grow(to);
        r = q ? copy_step(q, p) : -ENOMEM;
        if (q)
            past_count(to, q);
        to->loose_us += p->cost_us;
        if (r < 0 || !p->files)
            continue;
        bool shared = i > 0 && from->past[i - 1].files == p->files;
        q->files = shared ? snapshot_ref(q[-1].files) : snapshot_new(to, &p->files->files);
        r = q->files ? 0 : -ENOMEM;
    }
    to->cells = to->outputs_gone = from->cells;
    return r;
}

static int copy_file(struct retort_session *to, struct retort_session *from, const struct file *f) {
    char chunk[65536];
    uint64_t size;
    scoped_fd in = files_open(from->collector, f->path, &size, NULL);
    scoped_fd out =
        in < 0 ? -1 : files_create(to->collector, f->path, COLLECT_TRUNCATE, f->mode, NULL);
    if (out < 0)
        return -EIO;
    for (ssize_t n; (n = read(in, chunk, sizeof chunk)) != 0;)
        if (n < 0 || write_all(out, chunk, (size_t)n) < 0)
            return -EIO;
    return 0;
}

static bool same(const struct file *a, const struct file *b) {
    return a && a->mode == b->mode &&
           (S_ISREG(a->mode) ? strcmp(a->sha256, b->sha256) == 0
                             : strcmp(a->target, b->target) == 0);
}

static void note_left_out(struct retort_session *to, const struct file *f) {
    json_t *name = json_name(f->path, strlen(f->path));
    json_array_append_new(to->birth_notes,
                          json_sprintf("%.300s: is not in the branch", json_string_value(name)));
    json_decref(name);
    to->files_incomplete = true;
}

/* Makes the files those of the parent. What is right already stays as it is: the branch may have it
 * open. */
static int copy_files(struct retort_session *to, struct retort_session *from) {
    int r = state_note_files(to);
    for (size_t i = to->manifest.count; r == 0 && i-- > 0;)
        if (!manifest_find(&from->manifest, to->manifest.files[i].path))
            files_delete(to->collector, to->manifest.files[i].path, NULL);
    for (size_t i = 0; r == 0 && i < from->manifest.count; i++) {
        const struct file *f = &from->manifest.files[i];
        if (same(manifest_find(&to->manifest, f->path), f))
            continue;
        if (S_ISSOCK(f->mode) || (S_ISREG(f->mode) && !f->sha256[0]))
            note_left_out(to, f); /* one that was never hashed may have petabytes of holes */
        else if (S_ISREG(f->mode))
            r = copy_file(to, from, f);
        else if (!S_ISDIR(f->mode) && manifest_find(&to->manifest, f->path) &&
                 (r = files_delete(to->collector, f->path, NULL)) < 0)
            break;
        else
            r = files_make(to->collector, f, NULL);
    }
    return r < 0 ? r : state_note_files(to);
}

static void copy_settings(struct retort_session *to, const struct retort_session *from) {
    to->language = from->language;
    to->limits = from->limits;
    account_limits(&to->account, &to->limits);
    to->flags = from->flags;
    to->create = from->create;
    to->background = from->background;
    to->checkpoint = from->checkpoint;
    to->on_error = from->on_error;
    to->seed = from->seed;
    memcpy(to->owner, from->owner, sizeof to->owner);
    memcpy(to->door, from->door, sizeof to->door);
    to->tools = json_incref(from->tools);
}

static int branch_prepare(struct retort_session *to, struct retort_session *from, struct err *err) {
    copy_settings(to, from);
    to->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    to->birth_notes = json_array();
    int r = to->wake < 0 ? -errno : copy_env(to, from);
    return r < 0 ? err_set(err, ERR_HOST, -r, "cannot hold a branch") : 0;
}

/* --- by replay ----------------------------------------------------------------------------------
 */

static int replay(struct retort_session *to, struct retort_session *from, struct err *err) {
    int r = copy_past(to, from);
    if (r < 0)
        return err_set(err, ERR_HOST, -r, "cannot hold a branch");
    if ((r = session_connect(to, &to->create, err)) < 0)
        return r;
    json_array_clear(to->birth_notes);
    r = state_rerun(to, 0, to->npast, to->birth_notes);
    if (r == 0)
        r = copy_files(to, from);
    return r < 0 ? err_set(err, ERR_HOST, -r, "the branch could not be given its parent's state")
                 : 0;
}

static void note_replay(struct retort_session *to, const struct err *why) {
    if (!to->npast)
        return;
    char text[sizeof why->msg + 80];
    snprintf(text, sizeof text, "the branch was made by running its cells again, not by a fork: %s",
             why->msg);
    json_array_insert_new(to->birth_notes, 0, json_string(text));
    to->birth_replayed = true;
}

/* --- live ---------------------------------------------------------------------------------------
 */

static int live(struct retort_session *to, struct retort_session *from, struct err *err) {
    int r = to->ctl < 0 ? -ENOTCONN : nest_fork(to, from, err);
    if (r < 0)
        return r;
    to->tools_sent = from->tools_sent;
    to->tools_recorded = from->tools_recorded;
    json_array_extend(to->birth_notes, from->birth_notes); /* nobody has been told yet */
    to->resumed = from->resumed;
    to->recorded = from->recorded;
    r = copy_past(to, from);
    if (r == 0)
        r = keep_inherit(to, from);
    if (r < 0) {
        session_hang_up(to);
        to->dead = to->recorded = false;
        past_done(to);
        to->npast = to->loose_us = to->spool_len = 0;
        fd_done(&to->spool);
        err_set(err, ERR_HOST, -r, "the branch could not be given its parent's files");
    }
    return r;
}

/* --- one and many -------------------------------------------------------------------------------
 */

static int branch_one(struct retort_session *to, struct retort_session *from,
                      const struct err *asked, struct err *err) {
    struct err why = *asked;
    int r = live(to, from, &why);
    if (r < 0) {
        r = replay(to, from, err);
        note_replay(to, &why);
    }
    if (r == 0 && (r = record_branch(to, from, err)) < 0)
        to->recorded = false;
    session_begin(to);
    return r;
}

static int branch_admit(struct retort_session *from, struct retort_session **ret, struct err *err) {
    struct retort_session *to = session_alloc(from->engine);
    int r = to ? engine_admit(from->engine, to, err)
               : err_set(err, ERR_HOST, ENOMEM, "cannot hold another session");
    if (r < 0) {
        if (to)
            session_free(to);
        return r;
    }
    *ret = to;
    return branch_prepare(to, from, err);
}

/* Their namespaces are made at the same time; the interpreter forks one after the other. */
static int branch_all(struct retort_session *s, unsigned count, struct retort_session **ret,
                      struct err *err) {
    struct err asked = ERR_INIT;
    int r = 0;
    for (unsigned i = 0; r == 0 && i < count; i++)
        r = branch_admit(s, &ret[i], err);
    bool can = s->warm && s->ready && !s->late && !s->gone && state_note_files(s) == 0;
    if (!can)
        err_set(&asked, ERR_HOST, 0, "its parent's interpreter cannot be forked");
    for (unsigned i = 0; r == 0 && can && i < count; i++)
        can = nest_ask(ret[i], s, &asked) == 0;
    for (unsigned i = 0; r == 0 && i < count; i++)
        r = branch_one(ret[i], s, &asked, err);
    return r;
}

static int branch(struct retort_session *s, unsigned count, struct retort_session **ret,
                  struct err *err) {
    int woken = state_wake(s, err);
    if (woken < 0)
        return woken;
    state_settle(s);
    if (s->language != LANG_PYTHON || s->dead)
        return err_set(err, ERR_CALLER, ESRCH, "the session has no state to branch from");
    if (s->unlisted && state_note_files(s) < 0)
        return err_set(err, ERR_HOST, EIO,
                       "the files of the session cannot be listed, so no branch can have them");
    if (count == 0 || count > 64)
        return err_set(err, ERR_CALLER, EINVAL, "from 1 to 64 branches can be made at once");
    uint64_t branching = __atomic_add_fetch(&s->engine->branchings, 1, __ATOMIC_RELAXED);
    memset(ret, 0, count * sizeof *ret);
    int r = branch_all(s, count, ret, err);
    for (unsigned i = 0; i < count; i++)
        if (r < 0)
            retort_session_close(ret[i]);
        else
            ret[i]->branching = branching;
    return r;
}

int retort_branch(struct retort_session *s, unsigned count, struct retort_session **ret_sessions,
                  struct retort_error *error) {
    struct err err = ERR_INIT;
    pthread_mutex_lock(&s->lock);
    int r = branch(s, count, ret_sessions, &err);
    pthread_mutex_unlock(&s->lock);
    return api_error(error, &err, r);
}
