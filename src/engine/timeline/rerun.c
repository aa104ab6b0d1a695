/* Running cells again, and putting files in again, in the order in which they came first. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/files/filestore.h"
#include "engine/host/limits.h"
#include "engine/timeline/timeline.h"

static void note_changed(const struct step *p, json_t *notes) {
    char text[160];
    snprintf(text, sizeof text,
             "cell %u could not be run again: this time it ended its interpreter or was stopped",
             p->cell);
    json_array_append_new(notes, json_string(text));
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

/* A file that was put in or deleted from outside. Cells that come after may need it: that it is not
 * there again is told, and they run all the same. */
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

int rerun(struct retort_session *s, size_t from, size_t to, json_t *notes) {
    int r = 0;
    for (size_t i = from; r == 0 && i < to; i++) {
        const struct step *p = &s->timeline.steps[i];
        if (p->cell && p->interrupted.after_us)
            note_interrupted(p, notes);
        if (p->cell)
            r = rerun_cell(s, p, notes);
        else if (p->path)
            rerun_file(s, p, notes);
    }
    return r;
}
