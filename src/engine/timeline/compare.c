/* Branches side by side: what differs in files, variables and last results.
 *
 * We look at sessions one after the other, each under its own lock, and never hold two locks at
 * once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/jsonout.h"
#include "base/maxima.h"
#include "base/utf8.h"
#include "engine/timeline/branch.h"
#include "engine/timeline/question.h"
#include "engine/timeline/timeline.h"

#define SHORT 2000 /* bytes of a value or an output that are shown */

/* --- the last result --- */

/* The end of a text, or its beginning, from a whole character on. */
static json_t *cut(json_t *text, bool end) {
    const char *s = json_string_value(text);
    size_t len = json_string_length(text), from = end && len > SHORT ? len - SHORT : 0;
    if (!s || len <= SHORT)
        return s ? json_incref(text) : json_null();
    while (from && from < len && utf8_goes_on(s[from]))
        from++;
    size_t most = len - from < SHORT ? len - from : SHORT;
    return json_stringn(s + from, end ? most : utf8_cut(s, most));
}

void compare_note(struct retort_session *s, const json_t *result) {
    const json_t *error = json_object_get(result, "error");
    json_t *note =
        result
            ? json_pack("{s:O s:O s:o s:o s:o}", "cell", json_object_get(result, "cell"), "status",
                        json_object_get(result, "status"), "value",
                        cut(json_object_get(json_object_get(result, "value"), "text/plain"), false),
                        "stdout", cut(json_object_get(result, "stdout"), true), "error",
                        cut(json_object_get(error, "message"), false))
            : NULL;
    json_decref(s->last);
    s->last = note;
}

/* --- one session --- */

struct view {
    json_t *files, *variables; /* objects: name to what is there */
    json_t *last;
};

static void view_done(struct view *v) {
    json_decref(v->files);
    json_decref(v->variables);
    json_decref(v->last);
}

static json_t *view_file(const struct file *f) {
    if (S_ISLNK(f->mode))
        return json_pack("{s:o}", "link",
                         json_name(f->target ? f->target : "", f->target ? strlen(f->target) : 0));
    return json_pack("{s:I s:o}", "size", (json_int_t)f->size, "sha256",
                     f->sha256[0] ? json_string(f->sha256) : json_null());
}

static json_t *view_files(const struct manifest *m) {
    json_t *files = json_object();
    for (size_t i = 0; i < m->count; i++) {
        const struct file *f = &m->files[i];
        json_t *name = S_ISDIR(f->mode) ? NULL : json_name(f->path, strlen(f->path));
        if (name)
            json_object_set_new(files, json_string_value(name), view_file(f));
        json_decref(name);
    }
    return files;
}

/* The guest's list of variables, by name. Takes only the members that a variable may have, and only
 * strings. */
static json_t *view_variables(json_t *list) {
    static const char *const members[] = {"type", "repr", "digest"};
    json_t *found = json_object(), *one;
    size_t i;
    json_array_foreach(list, i, one) {
        const char *name = json_string_value(json_object_get(one, "name"));
        json_t *variable = json_object();
        for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
            json_t *text = json_object_get(one, members[m]);
            json_object_set_new(variable, members[m], cut(text, false));
        }
        if (name)
            json_object_set_new(found, name, variable);
        else
            json_decref(variable);
    }
    return found;
}

static void note_about(json_t *notes, const char *id, const char *what) {
    json_array_append_new(notes, json_sprintf("%s: %s", id, what));
}

static int view_session(struct retort_session *s, struct view *ret, json_t *notes,
                        struct retort_error *err) {
    int r = session_wake(s, err);
    if (r < 0)
        return r;
    if (s->state != SESSION_LIVE)
        return err_set(err, ERR_CALLER, ESRCH, "the session %s has ended", s->id);
    timeline_settle(s);
    json_t *list = question_contents(s);
    if (!list)
        note_about(notes, s->id, "its variables could not be looked at");
    if (s->files.manifest.missing)
        note_about(notes, s->id, files_missing_text(s->files.manifest.missing));
    *ret = (struct view){.files = view_files(&s->files.manifest),
                         .variables = view_variables(list),
                         .last = s->last ? json_incref(s->last) : json_null()};
    json_decref(list);
    return 0;
}

/* --- side by side --- */

static json_t *view_member(const struct view *v, bool files) {
    return files ? v->files : v->variables;
}

/* What each session has under this name; NULL if all have the same. A value without a digest is not
 * known to be the same as any. */
static json_t *row(const struct view *views, unsigned count, bool files, const char *name) {
    json_t *in = json_array(), *first = NULL;
    bool same = true;
    for (unsigned i = 0; i < count; i++) {
        json_t *one = json_object_get(view_member(&views[i], files), name);
        const json_t *mark = json_object_get(one, files ? "sha256" : "digest");
        if (i == 0)
            first = one;
        if (!one || !first || (json_is_null(mark) && i > 0) || !json_equal(one, first))
            same = false;
        json_array_append_new(in, one ? json_incref(one) : json_null());
    }
    if (same) {
        json_decref(in);
        return NULL;
    }
    return in;
}

static json_t *all_names(const struct view *views, unsigned count, bool files) {
    json_t *names = json_object();
    for (unsigned i = 0; i < count; i++)
        json_object_update(names, view_member(&views[i], files));
    return names;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The rows that differ, in the order of their names; the others are counted. */
static json_t *rows(const struct view *views, unsigned count, bool files, json_int_t *ret_same) {
    json_t *names = all_names(views, count, files), *list = json_array(), *ignored;
    const char **sorted = calloc(json_object_size(names) + 1, sizeof *sorted), *name;
    size_t n = 0;
    json_object_foreach(names, name, ignored) {
        if (sorted)
            sorted[n++] = name;
    }
    if (n)
        qsort(sorted, n, sizeof *sorted, by_name);
    *ret_same = 0;
    for (size_t i = 0; i < n; i++) {
        json_t *in = row(views, count, files, sorted[i]);
        if (in)
            json_array_append_new(
                list, json_pack("{s:s s:o}", files ? "path" : "name", sorted[i], "in", in));
        else
            ++*ret_same;
    }
    free(sorted);
    json_decref(names);
    return list;
}

static json_t *side_by_side(struct retort_session *const *sessions, const struct view *views,
                            unsigned count, json_t *notes) {
    json_t *ids = json_array(), *last = json_array();
    json_int_t same_files, same_variables;
    for (unsigned i = 0; i < count; i++) {
        json_array_append_new(ids, json_string(sessions[i]->id));
        json_array_append(last, views[i].last);
    }
    json_t *files = rows(views, count, true, &same_files);
    json_t *variables = rows(views, count, false, &same_variables);
    return json_pack("{s:o s:o s:o s:{s:I s:I} s:o s:O}", "sessions", ids, "files", files,
                     "variables", variables, "same", "files", same_files, "variables",
                     same_variables, "last", last, "notes", notes);
}

static int look_at_all(struct retort_session *const *sessions, unsigned count, struct view *views,
                       json_t *notes, struct retort_error *err) {
    int r = 0;
    for (unsigned i = 0; r == 0 && i < count; i++) {
        session_enter(sessions[i]);
        r = view_session(sessions[i], &views[i], notes, err);
        session_leave(sessions[i]);
    }
    return r;
}

int compare(struct retort_session *const *sessions, unsigned count, char **ret_json,
            struct retort_error *err) {
    struct view *views = calloc(count + 1, sizeof *views);
    json_t *notes = json_array();
    int r = views ? look_at_all(sessions, count, views, notes, err)
                  : err_errno(err, ERR_HOST, ENOMEM, "cannot hold a comparison");
    if (r == 0) {
        json_t *found = side_by_side(sessions, views, count, notes);
        *ret_json = json_out(found, JSON_COMPACT);
        json_decref(found);
        r = *ret_json ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold a comparison");
    }
    for (unsigned i = 0; views && i < count; i++)
        view_done(&views[i]);
    free(views);
    json_decref(notes);
    return r;
}
