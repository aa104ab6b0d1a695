/* Executing a cell: the steps around cell_run. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/maxima.h"
#include "engine/record.h"
#include "engine/result.h"

#define UNSWEPT_MAX 16

/* What the cell left running ends with it, before the last output is read and files are looked at:
 * nothing writes any more. When there are no more tasks than the session's own, it left nothing,
 * unless it means to deceive, by killing its own checkpoint and putting something in that place.
 * What lives so ends as soon as the session is idle, or a few cells later. As many as before the
 * cell would not do: while it started one, another may have ended. */
void cell_sweep(struct cell *c) {
    struct retort_session *s = c->s;
    if (c->killed || s->background ||
        (s->alone && s->engine->idle_running && ++s->unswept < UNSWEPT_MAX))
        return;
    uint32_t processes = session_sweep(s) + 1;
    c->processes = processes > c->processes ? processes : c->processes;
    if (s->gone) {
        c->exited = true;
        c->wait_status = s->gone_status;
    }
}

static void measure(struct cell *c) {
    struct retort_session *s = c->s;
    if (s->cgroup && measure_read((int)s->cgroup, s->measure, &s->counted) == 0) {
        c->used = measure_since(&c->before, &s->counted);
        room_after(c);
        uint64_t own = s->own_tasks + s->dormant;
        s->alone = s->counted.tasks == own;
        c->others = s->counted.tasks > own ? s->counted.tasks - own : 0;
    }
    if (c->processes == 0)
        c->processes = 1;
}

static json_t *collect(struct cell *c, struct outcome *o) {
    struct manifest now;
    struct err err = ERR_INIT;
    if (c->s->collector < 0)
        return json_array();
    c->s->unlisted = files_list(c->s, &now, &err) < 0;
    if (c->s->unlisted) {
        json_array_append_new(o->notes, json_string(err.msg));
        c->s->files_incomplete = true;
        return json_array();
    }
    if (now.missing)
        json_array_append_new(o->notes, json_sprintf("the list of files is not complete: %s",
                                                     files_missing_text(now.missing)));
    return files_changes(c->s, &now, &o->rejected);
}

/* A cell whose interpreter died, or that was stopped by a limit, never happened. */
static bool must_go_back(const struct cell *c) {
    if (c->options->script)
        return false;
    bool limit = c->stop == STOP_TIMEOUT || c->stop == STOP_CPU || c->stop == STOP_MEMORY;
    bool raised = c->has_result && c->kind == RESULT_ERROR;
    return c->exited || c->killed || limit ||
           (raised && c->s->on_error == RETORT_ON_ERROR_ROLLBACK);
}

static void go_back(struct cell *c, struct outcome *o) {
    struct retort_session *s = c->s;
    o->files = json_array();
    json_decref(c->variables); /* what it did to names is undone */
    json_decref(c->dataframes);
    c->variables = c->dataframes = NULL;
    o->via = c->stop == STOP_PROTOCOL ? NULL : state_recover(s, s->npast, o->notes);
    o->state = o->via ? "rolled_back" : "lost";
    if (!o->via)
        session_hang_up(s);
}

#define NEVER_AGAIN (1ull << 50)

/* What running the cell once more would cost, in microseconds. One that a client interrupted would
 * not come to the same again. */
static uint64_t cost_of_replay(const struct cell *c) {
    uint64_t wall = (c->ended - c->started) / 1000;
    if (c->stop == STOP_INTERRUPT)
        return NEVER_AGAIN;
    return c->used.cpu_us > wall ? c->used.cpu_us : wall;
}

static bool wants_files(const struct cell *c) {
    return !(c->options->script && c->options->quiet);
}

static void note_end(struct outcome *o) {
    o->state = "ended";
    json_array_append_new(o->notes, json_string("a session in bash or JavaScript has one cell, and "
                                                "has ended with it; its files can be read"));
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
        measure(c);
        cell_sweep(c);
    }
    cell_drain(c);
    c->disk_full = files_full(s);
    if (s->resumed) {
        o->via = "replay";
        json_array_append_new(o->notes,
                              json_string("the session had no process and was rebuilt by replay"));
    }
    if (s->birth_notes) {
        o->via = s->birth_replayed ? "replay" : o->via;
        json_array_extend(o->notes, s->birth_notes);
    }
    if (must_go_back(c)) {
        go_back(c, o);
        return;
    }
    o->files = wants_files(c) ? collect(c, o) : json_array();
    if (s->language != LANG_PYTHON)
        note_end(o);
    if (c->options->script)
        return;
    past_add_cell(s, c, code, len);
    state_after_cell(s, cost_of_replay(c));
}

/* ESRCH, without its words: no process is what people look for. */
static int ended(const struct retort_session *s, struct err *err) {
    err_set(err, ERR_CALLER, EINVAL, "%s",
            s->language == LANG_PYTHON
                ? "the session has ended: make a new one, or resume it if it was recorded"
                : "the session has ended with its cell, as those in bash and JavaScript do: make a "
                  "new one for the next");
    err->eno = ESRCH;
    return -ESRCH;
}

static int check_code(const struct retort_session *s, const char *code, size_t len,
                      struct err *err) {
    if (len > MAX_CODE)
        return err_set(err, ERR_CALLER, E2BIG, "the code has %zu bytes, more than the %u allowed",
                       len, MAX_CODE);
    if (memchr(code, 0, len))
        return err_set(err, ERR_CALLER, EINVAL, "the code contains a NUL byte");
    if (s->dead && !s->asleep)
        return ended(s, err);
    return 0;
}

static int check_options(const struct retort_execute_options *o, struct err *err) {
    int r = API_KNOWN(o, err);
    return r == 0 && o->callbacks ? API_KNOWN(o->callbacks, err) : r;
}

/* Whatever was named as interpreter did not load our part, so it was none. */
static bool never_ready(const struct cell *c) {
    return c->s->language != LANG_BASH && !c->s->ready_seen && c->exited && !c->killed &&
           c->stop == STOP_NONE && WIFEXITED(c->wait_status);
}

/* Our part of it says in one line that a Python is too old or another one; what else is wrong, the
 * interpreter said itself. */
static int blame_interpreter(struct cell *c, struct err *err) {
    const char *named = c->s->create.env.interpreter;
    char said[200];
    cell_last_words(c, said, sizeof said);
    if (strncmp(said, "Retort needs ", 13) == 0)
        return err_set(err, ERR_CALLER, 0, "%s", said);
    return err_set(err, ERR_CALLER, 0,
                   "the interpreter%s%.100s ended with status %d before it read any code%s%s%s",
                   named[0] ? " " : "", named, WEXITSTATUS(c->wait_status), said[0] ? ": " : "",
                   said, named[0] ? "; is it a CPython?" : "");
}

/* A program that could not be started, or never read its code: there is no result, and nothing to
 * go on with. */
static int check_started(struct cell *c, struct err *err) {
    int r = 0;
    if (c->failed.kind != ERR_NONE) {
        *err = c->failed;
        r = err->eno ? -err->eno : -EIO;
    } else if (never_ready(c))
        r = blame_interpreter(c, err);
    if (r < 0)
        session_hang_up(c->s);
    return r;
}

/* The result, recorded; what it was made of is kept for later questions. */
static struct retort_result *finish(struct cell *c, const struct outcome *o) {
    struct retort_session *s = c->s;
    past_notes(s, o->notes);
    json_t *result = cell_result(c, o);
    record_outcome(s, c, result);
    compare_note(s, result);
    s->given_up = 0;
    if (c->options->script)
        s->dead = true;
    else {
        output_keep(s, c->number, RETORT_STDOUT, &c->out);
        output_keep(s, c->number, RETORT_STDERR, &c->err);
    }
    if (!c->unstarted) { /* whose result does not tell of it */
        s->dropped = s->resumed = s->files_incomplete = false;
        json_decref(s->birth_notes);
        s->birth_notes = NULL;
    }
    s->used_ns = now_ns();
    return result_new(result);
}

static int run(struct cell *c, const char *code, size_t len, struct retort_result **ret,
               struct err *err) {
    struct retort_session *s = c->s;
    struct outcome o;
    state_settle(s);
    if (!c->options->script)
        state_before_cell(s);
    int r = record_intent(s, c, code, len, err);
    bool starts = r == 0 && cell_may_start(c);
    if (starts && s->language == LANG_BASH)
        r = session_go(s, code, len, err);
    if (starts && r == 0)
        r = cell_run(c, code, len, err);
    if (r == 0)
        r = check_started(c, err);
    if (r < 0)
        return r;
    conclude(c, code, len, &o);
    *ret = finish(c, &o);
    return *ret ? 0 : err_set(err, ERR_HOST, ENOMEM, "cannot hold the result");
}

/* No checkpoint, no record: only what the cell does. */
int execute_again(struct retort_session *s, const struct past *p, bool script, json_t **ret,
                  struct err *err) {
    struct retort_execute_options options = {.script = script, .limits = limits_again(&p->limits)};
    struct cell c;
    struct outcome o = {.state = "kept"};
    int r = cell_init(&c, s, &options, err);
    if (r < 0)
        return r;
    c.number = p->cell;
    cell_call_again(&c, p, NULL);
    c.again = p->interrupted.after_us ? &p->interrupted : NULL;
    cell_forget_interrupts(&c);
    r = cell_run(&c, p->code, p->len, err);
    if (r == 0) {
        measure(&c);
        cell_sweep(&c);
        cell_drain(&c);
        if (!script && (c.exited || c.killed)) /* nothing is left to run the next one in */
            o.state = "lost";
        o.notes = json_array();
        o.files = collect(&c, &o);
        *ret = cell_result(&c, &o);
    }
    cell_done(&c);
    return r;
}

int retort_execute(struct retort_session *s, const char *code, size_t len,
                   const struct retort_execute_options *options, struct retort_result **ret_result,
                   struct retort_error *error) {
    static const struct retort_execute_options none;
    struct retort_execute_options o = options ? *options : none;
    struct err err = ERR_INIT;
    struct cell c;
    if (s->language != LANG_PYTHON)
        o.script = true; /* one program each; they end with it */
    pthread_mutex_lock(&s->lock);
    int r = check_options(&o, &err);
    if (r == 0)
        r = check_code(s, code, len, &err);
    if (r == 0 && !o.script)
        r = past_check_room(s, len, &err);
    if (r == 0)
        r = state_wake(s, &err);
    if (r == 0 && (r = cell_init(&c, s, &o, &err)) == 0) {
        r = run(&c, code, len, ret_result, &err);
        cell_done(&c);
    }
    pthread_mutex_unlock(&s->lock);
    return api_error(error, &err, r);
}

int retort_interrupt(struct retort_session *s) {
    uint64_t one = 1;
    int r = write(s->wake, &one, sizeof one) == sizeof one ? 0 : -errno;
    s->woken = true; /* last: who finds it false has a cell that this interrupt may well be for */
    return r;
}
