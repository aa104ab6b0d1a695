/* Where the data of a cell goes, as far as its code shows. toolcall.c and traffic.c hold that against
 * what it does. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/cell/review.h"

static bool is_guarded(const json_t *tools) {
    bool guarded = false;
    for (size_t i = 0; !guarded && i < json_array_size(tools); i++) {
        const json_t *tool = json_array_get(tools, i);
        guarded = json_object_get(tool, "source") || json_object_get(tool, "sinks");
    }
    return guarded;
}

static json_t *hear_flow(struct retort_session *s, const json_t *tools, const json_t *cells,
                         struct retort_error *err) {
    json_t *declared = json_pack("{s:O}", "tools", tools);
    scoped_free char *policy = declared ? json_whole(declared, JSON_COMPACT) : NULL;
    scoped_free char *program = json_whole(cells, JSON_COMPACT);
    json_decref(declared);
    if (!policy || !program) {
        err_errno(err, ERR_HOST, ENOMEM, "cannot hold the tools");
        return NULL;
    }
    return review_take(s, err) == 0 ? judge_follow(s->reviewed.judge, policy, program, err) : NULL;
}

static int try_policy(struct retort_session *s, const json_t *tools, struct retort_error *err) {
    json_t *cells = json_array();
    json_t *verdict = cells ? hear_flow(s, tools, cells, err) : NULL;
    json_decref(cells);
    if (!verdict)
        return err->fault == ERR_NONE ? err_errno(err, ERR_HOST, ENOMEM, "cannot hold the tools")
                                      : -EINVAL;
    json_decref(verdict);
    return 0;
}

int flow_offer(struct retort_session *s, json_t *tools, struct retort_error *err) {
    int r = is_guarded(tools) ? try_policy(s, tools, err) : 0;
    if (r < 0)
        return r;
    json_decref(s->tools.offered);
    s->tools.offered = tools;
    s->tools.sent = 0;
    s->tools.recorded = false;
    return 0;
}

static bool is_python(const struct cell_language *language) {
    return strcmp(language->name, "python") == 0;
}

/* [[number, code, whether it failed], …] of the cells behind which this one runs, and of itself. NULL:
 * they cannot be followed, and `why` says it. */
static json_t *cells_of(const struct cell *c, const char *code, size_t len, const char **why) {
    const struct timeline *t = &c->s->timeline;
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

void flow_judge(struct cell *c, const char *code, size_t len) {
    struct retort_session *s = c->s;
    struct retort_error err = ERR_INIT;
    const char *why = err.message;
    c->calls.guarded = is_guarded(s->tools.offered);
    if (!c->calls.guarded)
        return;
    json_t *cells = cells_of(c, code, len, &why);
    json_t *verdict = cells ? hear_flow(s, s->tools.offered, cells, &err) : NULL;
    const char *word = json_string_value(json_object_get(verdict, "verdict"));
    c->calls.proved = word && strcmp(word, "accepted") == 0;
    c->calls.policy = json_pack("{s:s s:O* s:s*}", "verdict", word ? word : "unknown", "refusals",
                                json_object_get(verdict, "refusals"), "reason", word ? NULL : why);
    json_decref(cells);
    json_decref(verdict);
}
