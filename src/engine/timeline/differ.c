/* Cells that were run again and came out differently than their record says. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/timeline/timeline.h"

#define MAX_NOTES 256 /* of one rebuilding */

static const json_t *sum_of(const json_t *was, const char *name) {
    return json_object_get(json_object_get(was, "sums"), name);
}

static bool same_text(const json_t *sum, json_t *value) {
    json_t *now = ledger_summary(value);
    bool same = !sum || json_equal(sum, now);
    json_decref(now);
    json_decref(value);
    return same;
}

/* A long value is stored apart and compared by its length. */
static bool same_stream(const json_t *sum, const struct stream *stream) {
    if (stream->store >= 0)
        return json_integer_value(json_object_get(sum, "size")) == (json_int_t)stream->stored;
    return same_text(sum, stream_text(stream));
}

static bool same_file(const struct retort_session *s, const json_t *file) {
    const char *name = json_string_value(json_object_get(file, "path")),
               *sha = json_string_value(json_object_get(file, "sha256")),
               *change = json_string_value(json_object_get(file, "change"));
    char *path = name ? name_bytes(name) : NULL;
    const struct file *now = path ? manifest_find(&s->files.manifest, path) : NULL;
    free(path);
    if (change && strcmp(change, "deleted") == 0)
        return !now || !S_ISREG(now->mode);
    return !sha || (now && strcmp(now->sha256, sha) == 0);
}

/* What the cell wrote, as far as the record says what that was. */
static bool same_files(struct retort_session *s, const json_t *files) {
    const json_t *file;
    size_t i;
    bool same = true;
    if (json_array_size(files) > 0)
        timeline_note_files(s);
    json_array_foreach(files, i, file) {
        same = same && same_file(s, file);
    }
    return same;
}

static json_t *copied(json_t *value, json_t *otherwise) {
    if (!value)
        return otherwise;
    json_decref(otherwise);
    return json_incref(value);
}

void differ_note(struct retort_session *s, const struct step *p, struct cell *c, json_t *notes) {
    const json_t *status = json_object_get(p->outcome, "status");
    const struct {
        const char *name;
        bool same;
    } parts[] = {
        {"status", !status || strcmp(json_string_value(status), cell_status(c)) == 0},
        {"stdout", same_stream(sum_of(p->outcome, "stdout"), &c->out)},
        {"stderr", same_stream(sum_of(p->outcome, "stderr"), &c->err)},
        {"value", same_text(sum_of(p->outcome, "value"), copied(c->said.value, json_null()))},
        {"displays",
         same_text(sum_of(p->outcome, "displays"), copied(c->said.displays, json_array()))},
        {"files", same_files(s, json_object_get(p->outcome, "files"))},
    };
    char text[200];
    size_t len = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!parts[i].same)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s", len ? ", " : "",
                                    parts[i].name);
    if (len == 0 || !notes || json_array_size(notes) >= MAX_NOTES)
        return;
    json_array_append_new(notes, json_sprintf("cell %u was run again and came out differently "
                                              "than it is recorded: %s",
                                              p->cell, text));
}

void differ_load(struct retort_session *s, const struct ledger_history *h) {
    for (size_t i = 0, at = 0; i < s->timeline.nsteps; i++) {
        struct step *p = &s->timeline.steps[i];
        while (p->cell && at < h->count &&
               (h->steps[at].kind != LEDGER_CELL_INTENT ||
                (unsigned)json_integer_value(json_object_get(h->steps[at].body, "cell")) < p->cell))
            at++;
        if (!p->cell || p->outcome || at == h->count ||
            (unsigned)json_integer_value(json_object_get(h->steps[at].body, "cell")) != p->cell)
            continue;
        p->outcome = json_incref(h->steps[at].outcome);
    }
}
