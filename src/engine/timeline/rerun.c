/* Running cells again, and putting files in again, in the order in which they came first. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/files/filestore.h"
#include "engine/host/limits.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/timeline.h"

#define MAX_OTHERWISE 64 /* notes of one rebuilding */

static void note_changed(const struct step *p, json_t *notes) {
    char text[160];
    snprintf(text, sizeof text,
             "cell %u could not be run again: this time it ended its interpreter or was stopped",
             p->cell);
    json_array_append_new(notes, json_string(text));
}

/* What the interpreter itself says of it. */
static void note_otherwise(const struct cell *c, json_t *notes) {
    const char *said = json_string_value(json_array_get(c->said.notes, 0));
    if (said && json_array_size(notes) < MAX_OTHERWISE)
        json_array_append_new(notes, json_sprintf("cell %u was run again: %s", c->number, said));
}

static int rerun_cell(struct retort_session *s, const struct step *p, json_t *notes) {
    struct retort_execute_options options = {.limits = limits_again(&p->limits)};
    struct cell c;
    struct retort_error err = ERR_INIT;
    int r = cell_init(&c, s, &options, &err);
    if (r < 0)
        return r;
    c.number = p->cell;
    c.language = p->language;
    c.in = session_interp(s, p->language->interpreter);
    cell_call_again(&c, p, notes);
    c.again = p->interrupted.after_us ? &p->interrupted : NULL;
    c.quiet = !p->outcome; /* else it is compared */
    unsigned cells = s->cells;
    cell_forget_interrupts(&c);
    r = cell_run(&c, p->code, p->len, &err);
    s->cells = cells;
    if (r == 0) {
        cell_sweep(&c);
        cell_drain(&c);
    }
    bool stopped = c.stop != STOP_NONE && !(c.again && c.stop == STOP_INTERRUPT && !c.killed);
    if (r == 0 && (c.facts.exited || stopped)) {
        note_changed(p, notes);
        r = -ECANCELED;
    }
    if (r == 0) {
        cell_traffic_missing(&c, notes);
        note_otherwise(&c, notes);
    }
    if (r == 0 && p->outcome)
        differ_note(s, p, &c, notes);
    cell_done(&c);
    return r;
}

static void note_interrupted(const struct step *p, json_t *notes) {
    char text[160];
    snprintf(text, sizeof text,
             "cell %u was interrupted when it ran first: it was run again for as long, which may "
             "have led elsewhere",
             p->cell);
    json_array_append_new(notes, json_string(text));
}

/* Puts a file in, or deletes it, as was done from outside. If that fails, a note says so, and later
 * cells, which may need the file, run all the same. */
static void rerun_file(struct retort_session *s, const struct step *p, json_t *notes) {
    int r = p->files ? filestore_restore_path(&s->files, &p->files->files, p->path)
                     : record_rewrite(s, p);
    if (r >= 0 || r == -ENOENT) /* to delete what is not there */
        return;
    json_t *name = json_name(p->path, strlen(p->path));
    char text[400];
    snprintf(text, sizeof text,
             "%.200s: was put in from outside, and its bytes are gone; cells that need it came to "
             "something else",
             json_string_value(name));
    json_array_append_new(notes, json_string(text));
    json_decref(name);
}

static void keep_files(struct retort_session *s, struct step *p) {
    if (timeline_note_files(s) == 0)
        p->files = snapshot_ref(files_snapshot(&s->files));
}

/* Does to the files what a cell of another interpreter did, as far as the record tells. */
static void redo_files(struct retort_session *s, struct step *p, json_t *notes) {
    if (record_redo_files(s, p->outcome) < 0)
        json_array_append_new(
            notes, json_sprintf("cell %u: not all of its files are there again", p->cell));
    keep_files(s, p);
}

/* When other interpreters are run again, they use the lists that this one leaves: the record has no
 * links and directories. */
static bool leaves_lists(const struct retort_session *s, enum language language) {
    return language == s->interp.language && timeline_ran(s, 0) & ~(1u << (unsigned)language);
}

/* The files as a step found them. The lists of the steps before are known, or were made just now.
 */
static void files_before(struct retort_session *s, size_t i, json_t *notes) {
    const struct step *last = i ? &s->timeline.steps[i - 1] : NULL;
    if (!last)
        filestore_restore(&s->files, NULL, notes);
    else if (last->files && !last->files_lost)
        filestore_restore(&s->files, &last->files->files, notes);
}

/* The first interpreter is run again with the right files already there. Another one finds the
 * files of later steps: tells whether they still have to be set. */
static bool begin_files(struct retort_session *s, enum language language, size_t from,
                        json_t *notes) {
    if (from || language == s->interp.language || !s->timeline.nsteps)
        return false;
    if (s->timeline.steps[0].files)
        return true;
    files_before(s, 0, notes);
    return false;
}

/* Cells of other interpreters are not run: instead the next one finds the files that they left. */
int rerun(struct retort_session *s, enum language language, size_t from, size_t to, json_t *notes) {
    bool saves = language_of(language)->comes == COMES_SAVED; /* then no cell is run twice */
    bool passed = begin_files(s, language, from, notes), leaves = leaves_lists(s, language);
    int r = 0;
    for (size_t i = from; r == 0 && i < to; i++) {
        struct step *p = &s->timeline.steps[i];
        bool other = p->cell && (p->language->interpreter != language || saves);
        if (other && !p->files && p->outcome) {
            if (passed)
                files_before(s, i, notes);
            redo_files(s, p, notes);
        }
        passed = passed || other;
        if (other || !(p->cell || p->path))
            continue;
        bool lists = p->path && p->files; /* a file, and all there are with it */
        if (passed && !lists)
            files_before(s, i, notes);
        passed = passed && lists;
        if (p->cell && p->interrupted.after_us)
            note_interrupted(p, notes);
        if (p->cell)
            r = rerun_cell(s, p, notes);
        else if (!passed || !p->files)
            rerun_file(s, p, notes);
        if (r == 0 && leaves && !p->files && !p->files_lost)
            keep_files(s, p);
    }
    return r;
}
