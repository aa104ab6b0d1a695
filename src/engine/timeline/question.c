/* Questions to an idle interpreter: completion, variables. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonout.h"
#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "engine/host/languages.h"
#include "engine/session/supervisor.h"
#include "engine/timeline/question.h"
#include "engine/timeline/timeline.h"

#define ANSWER_NS 10000000000ull

/* What a new interpreter says first; a cell would have heard it. */
static int await_ready(struct interp *i) {
    struct frame f;
    if (i->greeted || i->ready)
        return 0;
    int r = interp_await_frame(i, FRAME_READY, ANSWER_NS, &f);
    if (r < 0)
        return r;
    i->ready = true;
    interp_consume(i, &f);
    return 0;
}

/* Python answers even before its HELLO, and its first cell finds it as if nobody had asked. */
static int greet_interp(struct retort_session *s, struct interp *i) {
    scoped_buf b = BUF_INIT(MAX_FRAME);
    int r = await_ready(i);
    if (r < 0 || i->greeted || i->language == LANG_PYTHON)
        return r;
    r = cell_put_hello(s, i, UINT_MAX, &b);
    if (r == 0)
        r = interp_send(i, b.data, b.len, ANSWER_NS);
    i->greeted = r == 0;
    return r;
}

/* Sends the question that `b` holds; the answer, of this type, stays until it is consumed. */
static int ask(struct retort_session *s, struct interp *i, struct buf *b, enum frame_type answer,
               struct frame *ret) {
    int r = frame_end(b, 0);
    if (r == 0)
        r = greet_interp(s, i);
    if (r == 0)
        r = interp_send(i, b->data, b->len, ANSWER_NS);
    if (r == 0)
        r = interp_await_frame(i, answer, ANSWER_NS, ret);
    if (r < 0) /* half a question, or a late answer, would spoil the next cell */
        recover(s, s->timeline.nsteps, 1u << i->language, NULL);
    return r;
}

/* The interpreter of a language, live and with its state. */
static int question_interp(struct retort_session *s, enum language language, struct interp **ret,
                           struct retort_error *err) {
    int r = session_wake(s, err);
    if (r == 0) {
        timeline_settle(s);
        r = recover_ready(s, language, err);
    }
    *ret = session_interp(s, language);
    return r;
}

/* --- completion --- */

static json_t *completions_json(const struct frame *f, size_t skipped) {
    json_t *names = json_array();
    int64_t start = 0;
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0) {
        if (field.tag == F_START)
            field_int(&field, &start);
        if (field.tag == F_NAME)
            json_array_append_new(
                names, json_text(field.data, field.len < MAX_NAME ? field.len : MAX_NAME));
    }
    return json_pack("{s:I s:o}", "start", (json_int_t)start + (json_int_t)skipped, "names", names);
}

static int put_question(struct buf *b, const struct cell_language *language, const char *code,
                        size_t cursor) {
    int r = frame_begin(b, FRAME_COMPLETE);
    if (r == 0)
        r = frame_put_text(b, F_CODE, code);
    if (r == 0)
        r = frame_put_int(b, F_START, (int64_t)cursor);
    if (r == 0 && language_is_module(language))
        r = frame_put_text(b, F_LANGUAGE, language->read_as);
    return r;
}

int question_complete(struct retort_session *s, const char *named, const char *code, size_t cursor,
                      char **ret_json, struct retort_error *err) {
    scoped_buf b = BUF_INIT(MAX_TEXT);
    struct frame f;
    struct interp *i = NULL;
    const struct cell_language *language = s->spec->cells;
    const char *rest = code;
    size_t len = strlen(code);
    int r = language_choose(named, &rest, &len, &language, err);
    if (r == 0)
        r = question_interp(s, language->interpreter, &i, err);
    if (r != 0)
        return r;
    size_t skipped = (size_t)(rest - code);
    r = put_question(&b, language, rest, cursor > skipped ? cursor - skipped : 0);
    if (r == 0)
        r = ask(s, i, &b, FRAME_COMPLETIONS, &f);
    if (r < 0)
        return err_errno(err, ERR_GUEST, -r, "the session does not answer");
    scoped_json *o = completions_json(&f, skipped);
    *ret_json = json_whole(o, JSON_COMPACT);
    interp_consume(i, &f);
    return *ret_json ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot hold the completions");
}

/* --- variables --- */

static json_t *take_list(struct interp *i, const struct frame *f) {
    struct field field;
    struct json_count count = {0};
    json_t *list = NULL;
    size_t pos = 0;
    while (!list && frame_next(f, &pos, &field) > 0)
        if (field.tag == F_VARIABLES && field.len <= MAX_VALUES)
            list = guest_json(&field, &count);
    interp_consume(i, f);
    return list;
}

json_t *question_contents(struct retort_session *s) {
    scoped_buf b = BUF_INIT(MAX_TEXT);
    struct frame f;
    if (s->spec->language != LANG_PYTHON || s->state != SESSION_LIVE)
        return NULL;
    if (!s->interp.greeted)
        return json_array();
    if (frame_begin(&b, FRAME_VARIABLES) < 0 || ask(s, &s->interp, &b, FRAME_LISTING, &f) < 0)
        return NULL;
    return take_list(&s->interp, &f);
}

/* Nothing but what is promised of a variable. */
static json_t *variables_json(const json_t *list) {
    static const char *const members[] = {"name", "type", "repr"};
    json_t *found = json_array(), *one;
    size_t n;
    json_array_foreach(list, n, one) {
        json_t *variable = json_object();
        for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
            json_t *text = json_object_get(one, members[m]);
            json_object_set_new(variable, members[m],
                                json_is_string(text) ? json_incref(text) : json_null());
        }
        json_array_append_new(found, variable);
    }
    return json_pack("{s:o}", "variables", found);
}

int question_variables(struct retort_session *s, const char *named, char **ret_json,
                       struct retort_error *err) {
    scoped_buf b = BUF_INIT(MAX_TEXT);
    struct frame f;
    struct interp *i = NULL;
    const struct cell_language *language = s->spec->cells;
    int r = named ? language_parse(named, &language, err) : 0;
    if (r == 0)
        r = question_interp(s, language->interpreter, &i, err);
    if (r != 0)
        return r;
    r = frame_begin(&b, FRAME_VARIABLES);
    if (r == 0)
        r = frame_put_text(&b, F_LANGUAGE, language->read_as);
    if (r == 0)
        r = ask(s, i, &b, FRAME_LISTING, &f);
    if (r < 0)
        return err_errno(err, ERR_GUEST, -r, "the session does not answer");
    scoped_json *list = take_list(i, &f), *o = variables_json(list);
    *ret_json = json_out(o, JSON_COMPACT);
    return *ret_json ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot list the variables");
}
