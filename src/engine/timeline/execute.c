/* Executing a cell: the steps around cell_run. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "engine/cell/review.h"
#include "engine/host/limits.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/branch.h"
#include "engine/timeline/timeline.h"

static json_t *collect(struct cell *c, struct outcome *o) {
    struct files *files = &c->s->files;
    struct manifest now;
    struct retort_error err = ERR_INIT;
    if (files_gone(files))
        return json_array();
    files->unlisted = files_list(files, &now, &err) < 0;
    if (files->unlisted) {
        json_array_append_new(o->notes, json_string(err.message));
        files->incomplete = true;
        return json_array();
    }
    if (now.missing)
        json_array_append_new(o->notes, json_sprintf("the list of files is not complete: %s",
                                                     files_missing_text(now.missing)));
    return files_changes(files, &now, &o->rejected);
}

/* The state forgets a cell whose interpreter died, or that a limit stopped. */
static bool must_go_back(const struct cell *c) {
    if (c->options->script)
        return false;
    bool limit = c->stop == STOP_TIMEOUT || c->stop == STOP_CPU || c->stop == STOP_MEMORY;
    bool raised = c->said.has_result && c->said.kind == RESULT_ERROR;
    return (c->facts.exited && !c->said.notes) || c->killed || limit ||
           (raised && c->s->spec->on_error == RETORT_ON_ERROR_ROLLBACK);
}

static void go_back(struct cell *c, struct outcome *o) {
    struct retort_session *s = c->s;
    o->files = json_array();
    json_decref(c->said.variables); /* what it did to names is undone */
    json_decref(c->said.dataframes);
    c->said.variables = c->said.dataframes = NULL;
    bool lost = c->stop == STOP_PROTOCOL && c->in == &s->interp;
    o->via = lost ? NULL : recover(s, s->timeline.nsteps, 1u << c->in->language, o->notes);
    if (s->spec->background && c->in != &s->interp) /* which says itself what it had */
        json_array_append_new(o->notes, json_string("processes that were left running in the "
                                                    "background, if any, have ended"));
    o->state = o->via ? "rolled_back" : "lost";
    if (!o->via)
        session_finish(s);
}

#define NEVER_AGAIN (1ull << 50)

/* What running the cell once more would cost, in microseconds. An interrupted cell would not reach
 * the same state again. */
static uint64_t cost_of_replay(const struct cell *c) {
    uint64_t wall = (c->clock.ended - c->clock.started) / 1000;
    if (c->stop == STOP_INTERRUPT)
        return NEVER_AGAIN;
    return c->facts.used.cpu_us > wall ? c->facts.used.cpu_us : wall;
}

static bool wants_files(const struct cell *c) {
    return !(c->options->script && c->options->quiet);
}

static void note_end(struct outcome *o) {
    o->state = "ended";
    json_array_append_new(o->notes,
                          json_string("the session has run its program, and has ended with "
                                      "it; its files can be read"));
}

static void add_step(struct retort_session *s, struct cell *c, const char *code, size_t len) {
    struct step *p = timeline_grow(s);
    if (!p)
        return;
    p->cell = c->number;
    p->limits = c->limits;
    p->code = strndup(code, len);
    p->len = p->code ? len : 0;
    p->language = c->language;
    p->state = c->said.state;
    p->state_len = c->said.state_len;
    c->said.state = NULL;
    p->interrupted = c->interrupted;
    p->failed = strcmp(cell_status(c), "ok") != 0;
    p->ncalls = c->calls.count + c->traffic.total;
    if (json_array_size(c->calls.answers)) {
        p->calls = json_incref(c->calls.answers);
        account_sub(&s->account, ACCOUNT_CALLS, c->calls.bytes); /* it is counted as the past's */
        c->calls.bytes = 0;
    }
    if (c->calls.unrecorded.fault == ERR_NONE) {
        p->seq = c->seq;
        memcpy(p->chain, s->id, sizeof p->chain);
    }
    p->files = s->files.unlisted ? NULL : snapshot_ref(files_snapshot(&s->files));
    timeline_count(s, p);
    timeline_make_room_for_list(s);
    timeline_make_room_for_state(s);
}

/* What it cannot save it still has, as long as it lives. */
static void tell_unsaved(const struct cell *c, json_t *notes) {
    const struct cell_language *l = language_of(c->in->language);
    if (l->comes == COMES_SAVED && !c->said.state)
        json_array_append_new(
            notes, json_sprintf("%s holds more than the %u MiB that are saved of its state: one "
                                "that comes after it begins without what this cell has changed",
                                l->name, MAX_SAVED_STATE >> 20));
}

/* It has said that it ends, with its state saved. */
static bool ends_interpreter(const struct cell *c) {
    return c->said.notes && language_of(c->in->language)->comes == COMES_SAVED;
}

/* The next cell finds another one. */
static void end_interpreter(struct cell *c, struct outcome *o) {
    struct retort_session *s = c->s;
    json_array_extend(o->notes, c->said.notes);
    if (c->in != &s->interp)
        session_drop_interp(s, c->in->language);
    else if (!recover(s, s->timeline.nsteps, 1u << c->in->language, o->notes))
        o->state = "lost";
}

static void conclude(struct cell *c, const char *code, size_t len, struct outcome *o) {
    struct retort_session *s = c->s;
    *o = (struct outcome){.notes = json_array(), .state = "kept"};
    if (c->unstarted) { /* nothing of it is in the state, now or after a replay */
        o->state = "rolled_back";
        o->files = json_array();
        return;
    }
    if (!cell_outcome_only(c)) {
        cell_measure(c);
        cell_sweep(c);
    }
    cell_drain(c);
    c->facts.disk_full = files_full(&s->files);
    if (s->timeline.resumed) {
        o->via = "replay";
        json_array_append_new(o->notes,
                              json_string("the session had no process and was rebuilt by replay"));
    }
    if (s->timeline.notes) {
        o->via = s->timeline.replayed ? "replay" : o->via;
        json_array_extend(o->notes, s->timeline.notes);
    }
    if (must_go_back(c)) {
        go_back(c, o);
        return;
    }
    o->files = wants_files(c) ? collect(c, o) : json_array();
    flow_wrote(c, o->files, wants_files(c) && !s->files.unlisted && !s->files.incomplete);
    if (c->options->script && c->in->language != LANG_PYTHON)
        note_end(o);
    if (c->options->script)
        return;
    tell_unsaved(c, o->notes);
    add_step(s, c, code, len);
    if (ends_interpreter(c))
        end_interpreter(c, o);
}

static int refuse_ended(struct retort_error *err) {
    return err_set(err, ERR_CALLER, ESRCH,
                   "the session has ended: make a new one, or resume it if it was recorded");
}

static int check_code(const struct retort_session *s, const char *code, size_t len,
                      struct retort_error *err) {
    if (len > MAX_CODE)
        return err_set(err, ERR_CALLER, E2BIG, "the code has %zu bytes, more than the %u allowed",
                       len, MAX_CODE);
    if (memchr(code, 0, len))
        return err_set(err, ERR_CALLER, EINVAL, "the code contains a NUL byte");
    if (s->state == SESSION_ENDED)
        return refuse_ended(err);
    return 0;
}

static int check_options(const struct retort_execute_options *o, struct retort_error *err) {
    int r = OPTIONS_KNOWN(o, err);
    return r == 0 && o->callbacks ? OPTIONS_KNOWN(o->callbacks, err) : r;
}

/* The program that was named as interpreter did not load our guest, so it is no interpreter. */
static bool never_ready(const struct cell *c) {
    return !cell_is_program(c) && !c->in->ready && c->facts.exited && !c->killed &&
           c->stop == STOP_NONE && WIFEXITED(c->facts.wait_status);
}

/* Our guest says in one line that the Python is too old or not CPython; anything else that is wrong
 * the interpreter has said itself. */
static int blame_interpreter(struct cell *c, struct retort_error *err) {
    const char *named = c->s->spec->env.interpreter;
    char said[200];
    cell_last_words(c, said, sizeof said);
    if (strncmp(said, "Retort needs ", 13) == 0)
        return err_set(err, ERR_CALLER, 0, "%s", said);
    return err_set(err, ERR_CALLER, 0,
                   "the interpreter%s%.100s ended with status %d before it read any code%s%s%s",
                   named[0] ? " " : "", named, WEXITSTATUS(c->facts.wait_status),
                   said[0] ? ": " : "", said, named[0] ? "; is it a CPython?" : "");
}

/* The program could not be started, or never read its code: there is no result, and the session
 * cannot go on. */
static int check_started(struct cell *c, struct retort_error *err) {
    int r = 0;
    if (c->facts.failed.fault != ERR_NONE) {
        *err = c->facts.failed;
        r = err->code ? -err->code : -EIO;
    } else if (never_ready(c))
        r = blame_interpreter(c, err);
    if (r < 0 && c->in == &c->s->interp)
        session_finish(c->s);
    else if (r < 0)
        session_drop_interp(c->s, c->in->language);
    return r;
}

/* NULL: it is not part of the state. */
static const struct step *own_step(const struct cell *c) {
    const struct timeline *t = &c->s->timeline;
    const struct step *last = t->nsteps ? &t->steps[t->nsteps - 1] : NULL;
    return last && last->cell == c->number ? last : NULL;
}

static void record_result(struct cell *c, json_t *result) {
    record_outcome(c->s,
                   &(struct record_outcome){.step = own_step(c),
                                            .out = &c->out,
                                            .err = &c->err,
                                            .interrupted = c->interrupted,
                                            .unrecorded = &c->calls.unrecorded},
                   result);
}

/* Holds, for checks of answers, what the record does not have, unless the cell was taken back. */
static void keep_proof(struct cell *c, const json_t *result) {
    const struct step *last = own_step(c);
    if (!c->s->recorded && last)
        proof_note(&c->s->proof, last->code, last->len, result);
}

/* What the result has told is not told again. */
static void told(struct retort_session *s) {
    s->timeline.checkpoint_dropped = s->timeline.resumed = s->files.incomplete = false;
    json_decref(s->timeline.notes);
    s->timeline.notes = NULL;
}

/* It ran, and is not on record. */
static int result_lost(struct retort_error *err) {
    return err_errno(err, ERR_HOST, ENOMEM, "cannot hold the result");
}

/* The result, recorded; what it was made of is kept for later questions. NULL: there was not enough
 * memory for the whole of it. */
static json_t *execute_finish(struct cell *c, const struct outcome *o) {
    struct retort_session *s = c->s;
    timeline_tell(s, o->notes);
    json_t *result = cell_result(c, o);
    if (result) {
        record_result(c, result);
        keep_proof(c, result);
    }
    compare_note(s, result);
    s->timeline.given_up = 0;
    s->outputs.lost = false;
    if (c->options->script)
        s->state = SESSION_ENDED; /* its files can still be read */
    else {
        outputs_keep(&s->outputs, c->number, RETORT_STDOUT, &c->out, s->recorded);
        outputs_keep(&s->outputs, c->number, RETORT_STDERR, &c->err, s->recorded);
    }
    if (!c->unstarted) /* whose result does not tell of it */
        told(s);
    s->idle.used_ns = now_ns();
    if (own_step(c))
        checkpoint_after_cell(s, cost_of_replay(c));
    return result;
}

static int intend(struct cell *c, const char *code, size_t len, struct retort_error *err) {
    struct record_intent intent = {.cell = c->number,
                                   .code = code,
                                   .len = len,
                                   .language = c->language,
                                   .limits = &c->limits,
                                   .script = c->options->script,
                                   .request = c->options->request};
    int r = record_intent(c->s, &intent, &c->seq, err);
    /* Its gate asks nobody. */
    return r == 0 && c->s->spec->network ? record_settled(c->s, c->seq, err) : r;
}

static int execute_run(struct cell *c, const char *code, size_t len, json_t **ret,
                       struct retort_error *err) {
    struct retort_session *s = c->s;
    struct outcome o;
    timeline_settle(s);
    int r = recover_ready(s, c->language->interpreter, err);
    if (r < 0)
        return r;
    c->in = session_interp(s, c->language->interpreter);
    if (!c->options->script && c->in == &s->interp)
        checkpoint_before_cell(s);
    r = intend(c, code, len, err);
    bool starts =
        r == 0 && review_cell(c, code, len) && flow_cell(c, code, len) && cell_may_start(c);
    if (starts && cell_is_program(c))
        r = session_go(s, code, len, err);
    else if (starts && c->in == &s->interp)
        r = session_go_live(s, err);
    if (starts && r == 0)
        r = cell_run(c, code, len, err);
    if (r == 0)
        r = check_started(c, err);
    if (r < 0)
        return r;
    conclude(c, code, len, &o);
    *ret = execute_finish(c, &o);
    return *ret ? 0 : result_lost(err);
}

int execute_again(struct retort_session *s, const struct step *p, bool script, json_t **ret,
                  struct retort_error *err) {
    struct retort_execute_options options = {.script = script, .limits = limits_again(&p->limits)};
    struct cell c;
    struct outcome o = {.state = "kept"};
    int r = cell_init(&c, s, &options, err);
    if (r < 0)
        return r;
    c.number = p->cell;
    c.language = p->language;
    r = session_add_interp(s, p->language->interpreter, err);
    if (r < 0) {
        cell_done(&c);
        return r;
    }
    c.in = session_interp(s, p->language->interpreter);
    if (!script && c.in == &s->interp && (r = session_go_live(s, err)) < 0) {
        cell_done(&c);
        return r;
    }
    cell_call_again(&c, p, NULL);
    c.again = p->interrupted.after_us ? &p->interrupted : NULL;
    cell_forget_interrupts(&c);
    r = cell_run(&c, p->code, p->len, err);
    if (r == 0) {
        cell_measure(&c);
        cell_sweep(&c);
        cell_drain(&c);
        if (ends_interpreter(&c) && c.in != &s->interp) /* another begins with its state */
            session_drop_interp(s, c.in->language);
        else if (!script &&
                 (c.facts.exited || c.killed)) /* nothing is left to run the next one in */
            o.state = "lost";
        o.notes = json_array();
        o.files = collect(&c, &o);
        *ret = cell_result(&c, &o);
        r = *ret ? 0 : result_lost(err);
    }
    cell_done(&c);
    return r;
}

int execute(struct retort_session *s, const char *code, size_t len,
            const struct retort_execute_options *options, json_t **ret, struct retort_error *err) {
    struct retort_execute_options o = *options;
    struct cell c;
    const struct cell_language *language = s->spec->cells;
    int r = check_options(&o, err);
    if (r == 0)
        r = check_code(s, code, len, err);
    if (r == 0)
        r = language_choose(o.language, &code, &len, &language, err);
    if (r == 0 && !o.script)
        r = timeline_check_room(s, len, err);
    if (r == 0)
        r = session_wake(s, err);
    if (r == 0 && (r = cell_init(&c, s, &o, err)) == 0) {
        c.language = language;
        r = execute_run(&c, code, len, ret, err);
        cell_done(&c);
    }
    return r;
}
