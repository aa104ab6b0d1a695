/* The ways back to a state.
 *
 * A session is the list of what happened to it (steps.h). Its interpreter is a cache of the whole
 * list; a dormant checkpoint, forked from the interpreter, is a cache of the first part. To go back
 * to the first n steps, if those contain what the checkpoint does: resume it and run what lies
 * between again; otherwise start a new interpreter and run all n. Files are set to what they were
 * at that point from their kept bytes, before an interpreter may open them again.
 */
#include <errno.h>

#include "engine/files/filestore.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/timeline.h"

/* Cells that were run again made their files again, perhaps with other bytes: those of the first
 * time count. */
static int set_files(struct retort_session *s, size_t count, json_t *notes) {
    const struct step *last = count ? &s->timeline.steps[count - 1] : NULL;
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
    return timeline_note_files(s);
}

/* Outcomes in the ledger are as long as a guest made them, and have been compared. */
static void forget_outcomes(struct retort_session *s) {
    for (size_t i = 0; i < s->timeline.nsteps; i++) {
        json_decref(s->timeline.steps[i].outcome);
        s->timeline.steps[i].outcome = NULL;
    }
}

static void count_replay_cost(struct retort_session *s) {
    s->timeline.replay_us = 0;
    for (size_t i = 0; i < s->timeline.nsteps; i++)
        s->timeline.replay_us += s->timeline.steps[i].cost_us;
}

static const char *lose(struct retort_session *s) {
    if (s->state == SESSION_LIVE)
        session_finish(s);
    else
        session_disconnect(s);
    return NULL;
}

static bool by_checkpoint(struct retort_session *s, size_t at, size_t count, json_t *notes) {
    return checkpoint_revive(s, notes) == 0 && rerun(s, at, count, notes) == 0;
}

/* In a new interpreter. Of an attempt with the checkpoint, and of how the session came about, there
 * is nothing left to tell. */
static int by_replay(struct retort_session *s, size_t count, size_t noted, json_t *notes) {
    struct retort_error err = ERR_INIT;
    while (json_array_size(notes) > noted)
        json_array_remove(notes, noted);
    json_array_clear(s->timeline.notes);
    s->timeline.replayed = false;
    int r = session_reconnect(s, &err);
    if (r < 0)
        json_array_append_new(notes, json_string(err.message));
    return r < 0 ? r : rerun(s, 0, count, notes);
}

const char *recover(struct retort_session *s, size_t count, json_t *notes) {
    size_t at = s->timeline.checkpoint_at, noted = json_array_size(notes);
    bool replay = true;
    timeline_cut(s, count);
    session_cut(s);
    if (s->timeline.has_checkpoint && at <= count && by_checkpoint(s, at, count, notes))
        replay = at < count;
    else if (by_replay(s, count, noted, notes) < 0)
        return lose(s);
    forget_outcomes(s);
    count_replay_cost(s); /* the checkpoint is used up: all of it counts, until the next */
    if (replay && set_files(s, count, notes) < 0)
        return lose(s);
    return replay ? "replay" : "checkpoint";
}

static bool printable(const char *text) {
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

/* The last note says why, if it is one of ours: names of files are the guest's, with any bytes. */
int recover_error(const char *what, const json_t *notes, struct retort_error *err) {
    const char *why = json_string_value(json_array_get(notes, json_array_size(notes) - 1));
    bool told = why && printable(why);
    return err_errno(err, ERR_HOST, EIO, "%s, because its state could not be rebuilt%s%s", what,
                     told ? ": " : "", told ? why : "");
}
