/* Questions to an idle interpreter: completion, variables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "base/scope.h"
#include "engine/timeline/timeline.h"

#define ANSWER_NS 10000000000ull

static int send_question(struct retort_session *s, const char *code, size_t cursor) {
    scoped_buf b = BUF_INIT(MAX_TEXT);
    int r = frame_begin(&b, FRAME_COMPLETE);
    if (r == 0)
        r = frame_put_text(&b, F_CODE, code);
    if (r == 0)
        r = frame_put_int(&b, F_START, (int64_t)cursor);
    if (r == 0)
        r = frame_end(&b, 0);
    return r < 0 ? r : interp_send(&s->interp, b.data, b.len, ANSWER_NS);
}

/* What a new interpreter says first; a cell would have heard it. */
static int await_ready(struct retort_session *s) {
    struct frame f;
    if (s->interp.greeted || s->interp.ready)
        return 0;
    int r = interp_await_frame(&s->interp, FRAME_READY, ANSWER_NS, &f);
    if (r < 0)
        return r;
    s->interp.ready = true;
    interp_consume(&s->interp, &f);
    return 0;
}

static json_t *completions_json(const struct frame *f) {
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
    return json_pack("{s:I s:o}", "start", (json_int_t)start, "names", names);
}

int question_complete(struct retort_session *s, const char *code, size_t cursor, char **ret_json,
                      struct retort_error *err) {
    struct frame f;
    if (s->state != SESSION_LIVE || (!s->interp.greeted && s->spec->language != LANG_PYTHON)) {
        *ret_json = strdup("{\"start\":0,\"names\":[]}");
        return *ret_json ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot complete");
    }
    int r = await_ready(s);
    if (r == 0)
        r = send_question(s, code, cursor);
    if (r == 0)
        r = interp_await_frame(&s->interp, FRAME_COMPLETIONS, ANSWER_NS, &f);
    if (r < 0) { /* half a question, or an answer that comes late, would spoil the next cell */
        recover(s, s->timeline.nsteps, 1u << s->interp.language, NULL);
        return err_errno(err, ERR_GUEST, -r, "the session does not answer");
    }
    json_t *o = completions_json(&f);
    *ret_json = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    interp_consume(&s->interp, &f);
    return *ret_json ? 0 : err_errno(err, ERR_HOST, ENOMEM, "cannot complete");
}

json_t *question_variables(struct retort_session *s) {
    scoped_buf b = BUF_INIT(MAX_TEXT);
    struct frame f;
    struct field field;
    struct json_count count = {0};
    json_t *list = NULL;
    size_t pos = 0;
    if (s->spec->language != LANG_PYTHON || s->state != SESSION_LIVE)
        return NULL;
    if (!s->interp.greeted)
        return json_array();
    if (frame_begin(&b, FRAME_COMPLETE) < 0 || frame_end(&b, 0) < 0 ||
        interp_send(&s->interp, b.data, b.len, ANSWER_NS) < 0 ||
        interp_await_frame(&s->interp, FRAME_COMPLETIONS, ANSWER_NS, &f) < 0) {
        recover(s, s->timeline.nsteps, 1u << s->interp.language,
                NULL); /* its answer, if it comes, would be taken for another's */
        return NULL;
    }
    while (!list && frame_next(&f, &pos, &field) > 0)
        if (field.tag == F_VARIABLES)
            list = guest_json(&field, &count);
    interp_consume(&s->interp, &f);
    return list;
}
