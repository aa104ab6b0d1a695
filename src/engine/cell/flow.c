/* Where the data of a cell goes, as far as its code shows. toolcall.c and traffic.c compare that
 * with what the cell does. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/cell/review.h"

static bool are_guarded(const json_t *tools, const json_t *policy) {
    bool guarded = json_object_size(policy) > 0;
    for (size_t i = 0; !guarded && i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);
        guarded = json_object_get(tool, "source") || json_object_get(tool, "sinks");
    }
    return guarded;
}

static json_t *hear_flow(struct retort_session *s, const json_t *tools, const json_t *policy,
                         const json_t *cells, struct retort_error *err) {
    scoped_json *declared =
        json_pack("{s:O,s:O*}", "tools", tools, "files", json_object_get(policy, "files"));
    scoped_free char *rules = declared ? json_whole(declared, JSON_COMPACT) : NULL;
    scoped_free char *program = json_whole(cells, JSON_COMPACT);
    if (!rules || !program) {
        err_errno(err, ERR_HOST, ENOMEM, "cannot hold the tools");
        return NULL;
    }
    return review_take(s, err) == 0 ? judge_follow(s->reviewed.judge, rules, program, err) : NULL;
}

static int try_policy(struct retort_session *s, const json_t *tools, const json_t *policy,
                      struct retort_error *err) {
    scoped_json *cells = json_array();
    scoped_json *verdict = cells ? hear_flow(s, tools, policy, cells, err) : NULL;
    if (!verdict)
        return err->fault == ERR_NONE ? err_errno(err, ERR_HOST, ENOMEM, "cannot hold the tools")
                                      : -EINVAL;
    return 0;
}

/* The policy that was given beside the tools: {"files", "policy"}; empty if there is none. */
static int read_beside(const json_t *given, json_t **ret, struct retort_error *err) {
    const char *mode = json_string_value(json_object_get(given, "policy"));
    bool known = !json_object_get(given, "policy") ||
                 (mode && (strcmp(mode, "block") == 0 || strcmp(mode, "calls") == 0));
    json_t *files = json_object_get(given, "files");
    if (!known)
        return err_set(err, ERR_CALLER, EINVAL, "the policy is neither `calls` nor `block`");
    *ret = json_object();
    if (*ret && json_object_size(files))
        json_object_set(*ret, "files", files);
    if (*ret && mode && strcmp(mode, "block") == 0)
        json_object_set_new(*ret, "policy", json_string(mode));
    return *ret ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the tools");
}

/* From now on the session counts as having untrusted files, whoever puts them there. */
static void note_files(struct host_tools *t) {
    const char *pattern;
    json_t *rule;
    json_object_foreach(json_object_get(t->policy, "files"), pattern, rule) {
        const json_t *source = json_object_get(rule, "source");
        const char *word = json_string_value(source);
        if (source && (!word || strcmp(word, "trusted") != 0) && !t->origin[0])
            snprintf(t->origin, sizeof t->origin, "files (%.64s)", pattern);
    }
}

int flow_offer(struct retort_session *s, json_t *tools, const json_t *given,
               struct retort_error *err) {
    scoped_json *policy = given ? NULL : json_incref(s->tools.policy);
    if (given)
        TRY(read_beside(given, &policy, err));
    if (are_guarded(tools, policy))
        TRY(try_policy(s, tools, policy, err));
    json_decref(s->tools.offered);
    json_decref(s->tools.policy);
    s->tools.offered = json_incref(tools);
    s->tools.policy = json_incref(policy);
    s->tools.sent = 0;
    s->tools.recorded = false;
    note_files(&s->tools);
    return 0;
}

static bool is_python(const struct cell_language *language) {
    return strcmp(language->name, "python") == 0;
}

/* The most bytes of code that are read for a verdict. All cells of the present state are read again
 * each time: if a judge kept what it knows, we would have to believe that it is about these cells.
 */
#define MAX_FOLLOWED (1u << 20)

static size_t length_of_past(const struct timeline *t) {
    size_t len = 0;
    for (size_t i = 0; i < t->nsteps; i++)
        len += t->steps[i].cell ? t->steps[i].len : 0;
    return len;
}

/* [[number, code, whether it failed], …] of the cells before this one, and of itself. NULL: they
 * cannot be followed, and `why` says why. */
static json_t *cells_of(const struct cell *c, const char *code, size_t len, const char **why) {
    const struct timeline *t = &c->s->timeline;
    if (length_of_past(t) + len > MAX_FOLLOWED) {
        *why = "the cells of the session are too long together to be followed";
        return NULL;
    }
    json_t *cells = json_array();
    bool python = is_python(c->language) && !c->s->tools.unknown;
    for (size_t i = 0; cells && python && i < t->nsteps; i++) {
        const struct step *p = &t->steps[i];
        python = !p->cell || is_python(p->language);
        if (p->cell && json_array_append_new(cells, json_pack("[i,s%,b]", (int)p->cell, p->code,
                                                              p->len, p->failed)) < 0)
            python = false;
    }
    if (python &&
        json_array_append_new(cells, json_pack("[i,s%,b]", (int)c->number, code, len, false)) == 0)
        return cells;
    *why = c->s->tools.unknown ? "nothing is known of the cells before the session came back"
                               : "only Python can be followed, and a cell is in another language";
    json_decref(cells);
    return NULL;
}

static void flow_judge(struct cell *c, const char *code, size_t len) {
    struct retort_session *s = c->s;
    struct retort_error err = ERR_INIT;
    const char *why = err.message;
    scoped_json *cells = cells_of(c, code, len, &why);
    scoped_json *verdict =
        cells ? hear_flow(s, s->tools.offered, s->tools.policy, cells, &err) : NULL;
    const char *word = json_string_value(json_object_get(verdict, "verdict"));
    c->calls.proved = word && strcmp(word, "accepted") == 0;
    c->calls.policy = json_pack("{s:s s:O* s:s*}", "verdict", word ? word : "unknown", "refusals",
                                json_object_get(verdict, "refusals"), "reason", word ? NULL : why);
}

/* The first of what was found, as the error of the cell. */
static json_t *flow_error(const struct cell *c) {
    const json_t *first = json_array_get(json_object_get(c->calls.policy, "refusals"), 0);
    const json_t *line = json_object_get(first, "line");
    const char *text = json_string_value(first ? json_object_get(first, "message")
                                               : json_object_get(c->calls.policy, "reason"));
    bool here = (unsigned)json_integer_value(json_object_get(first, "cell")) == c->number;
    return review_error(text && *text ? text : "there is no verdict",
                        line && here ? json_integer(json_integer_value(line)) : json_null(),
                        json_null(),
                        "the policy of the session refuses this cell; nothing of it has run");
}

bool flow_cell(struct cell *c, const char *code, size_t len) {
    const struct host_tools *t = &c->s->tools;
    c->calls.guarded = are_guarded(t->offered, t->policy);
    if (!c->calls.guarded)
        return true;
    flow_judge(c, code, len);
    if (c->calls.proved || !json_object_get(t->policy, "policy"))
        return true;
    review_refuse(c, flow_error(c));
    return false;
}

/* --- files --- */

static bool is_sink(const struct host_tools *t, const char *path) {
    const char *pattern;
    json_t *rule;
    json_object_foreach(json_object_get(t->policy, "files"), pattern, rule) {
        if (json_object_get(rule, "sink") && fnmatch(pattern, path, FNM_NOESCAPE) == 0)
            return true;
    }
    return false;
}

static void hold_file(struct host_tools *t, const char *path, unsigned cell) {
    if (!t->held)
        t->held = json_object();
    json_object_set_new(t->held, path, json_integer(cell));
}

void flow_wrote(struct cell *c, const json_t *files, bool whole) {
    struct host_tools *t = &c->s->tools;
    const json_t *file;
    size_t i;
    if (!c->calls.guarded || c->calls.proved || (!t->origin[0] && !c->s->spec->network))
        return;
    json_array_foreach(files, i, file) {
        const char *path = json_string_value(json_object_get(file, "path"));
        if (path && is_sink(t, path))
            hold_file(t, path, c->number);
    }
    if (!whole)
        hold_file(t, "*", c->number);
}

bool flow_gives(const struct retort_session *s, const char *path, struct retort_error *err) {
    const struct host_tools *t = &s->tools;
    const json_t *cell = json_object_get(t->held, path);
    if (!cell && is_sink(t, path))
        cell = json_object_get(t->held, "*");
    if (!cell)
        return true;
    err_set(err, ERR_CALLER, EACCES,
            "not given out: cell %d has written this file, and it is not proved that nothing of %s "
            "is in it",
            (int)json_integer_value(cell), t->origin[0] ? t->origin : "the network");
    return false;
}

int flow_forget_file(struct retort_session *s, const char *path, int r) {
    if (r >= 0 && path)
        json_object_del(s->tools.held, path);
    return r;
}
