/* Taking back the last cells. */
#include <errno.h>

#include "base/jsonwhole.h"
#include "engine/timeline/branch.h"
#include "engine/timeline/timeline.h"

static char *undone_json(struct retort_session *s, unsigned cells, const char *via, json_t *notes) {
    json_t *o =
        json_pack("{s:i s:s s:O}", "cells", (int)cells, "state_via", via, "state_notes", notes);
    if (s->files.incomplete)
        json_object_set_new(o, "flags", json_pack("[s]", "files_incomplete"));
    s->files.incomplete = false;
    char *text = json_whole(o, JSON_COMPACT);
    json_decref(o);
    return text;
}

int undo(struct retort_session *s, unsigned cells, char **ret_json, struct retort_error *err) {
    if (s->state == SESSION_ENDED)
        return err_set(err, ERR_CALLER, ESRCH, "the session has no state to take back");
    if (cells == 0 || cells > timeline_cells(s))
        return err_set(err, ERR_CALLER, EINVAL, "the session has %zu cells that can be taken back",
                       timeline_cells(s));
    int r = session_wake(s, err);
    timeline_settle(s);
    if (r == 0)
        r = record_undo(s, cells, err);
    if (r < 0)
        return r;
    json_t *notes = json_array();
    const char *via = recover(s, timeline_before(s, cells), 0, notes);
    compare_note(s, NULL);
    proof_undo(&s->proof, cells);
    *ret_json = via ? undone_json(s, cells, via, notes) : NULL;
    if (!*ret_json)
        r = recover_error("the session is lost", notes, err);
    json_decref(notes);
    return r;
}
