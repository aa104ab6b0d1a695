/* A guest's frames as the state machine of a cell takes them: the first byte says in what state the
 * cell and its session are, frames follow. Whatever came, the result can be built and is bounded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "engine/cell/cell.h"
#include "engine/session/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STARTED = 1, REPLAYED = 2, LATE = 4, KNOWN = 8, DEAF = 16, DIED = 32 };

static void must(bool fact) {
    if (!fact)
        abort();
}

/* --- what belongs to other parts of the engine --- */

int record_settled(struct retort_session *s, uint64_t seq, struct retort_error *err) {
    (void)s, (void)seq, (void)err;
    return 0;
}

int record_tool(struct retort_session *s, unsigned cell, const json_t *call,
                struct retort_error *err) {
    must(s && cell && json_is_object(call) && err);
    return 0;
}

json_t *record_calls(struct retort_session *s, const struct step *p) {
    (void)s, (void)p;
    return NULL;
}

void timeline_make_room(struct retort_session *s, size_t bytes) {
    (void)s, (void)bytes;
}

void cell_show_withheld(struct cell *c) {
    c->shown = true;
}

/* --- the client --- */

static void shown(void *user, const char *display_json) {
    json_t *o = json_loads(display_json, JSON_ALLOW_NUL, NULL);
    must(user && o && json_is_object(json_object_get(o, "mime")));
    json_decref(o);
}

static char *tool(void *user, const char *name, const char *arguments_json, char **ret_failure) {
    json_t *o = json_loads(arguments_json, JSON_ALLOW_NUL, NULL);
    must(user && json_is_object(o) && strcmp(name, "add") == 0);
    json_decref(o);
    if (strlen(arguments_json) % 3 == 0) {
        *ret_failure = strdup("it \xff failed");
        return NULL;
    }
    return strdup("{\"sum\": [1, 2.5, null]}");
}

static bool accepted(struct cell *c, const struct frame *f) {
    bool had_result = c->said.has_result, ready = c->s->interp.ready;
    unsigned late = c->s->interp.unanswered;
    if (cell_frame(c, f) < 0)
        return false;
    must(c->clock.started || f->type == FRAME_READY || f->type == FRAME_CHECKPOINTED);
    must(f->type != FRAME_READY || !ready);
    must(f->type != FRAME_CHECKPOINTED || late);
    must(!had_result || f->type == FRAME_READY || f->type == FRAME_CHECKPOINTED);
    must(f->type != FRAME_RESULT ||
         (c->said.kind >= RESULT_OK && c->said.kind <= RESULT_INTERRUPTED));
    must(json_array_size(c->said.displays) <= MAX_DISPLAYS + 1 &&
         json_array_size(c->calls.answers) <= 1000);
    return true;
}

static void take(struct cell *c, const uint8_t *data, size_t size) {
    struct frame f;
    int64_t whole;
    while ((whole = frame_peek(data, size, &f)) > 0 && (uint64_t)whole <= size) {
        if (frame_check(&f) < 0 || !accepted(c, &f)) {
            c->stop = STOP_PROTOCOL;
            return;
        }
        data += whole;
        size -= (size_t)whole;
    }
}

static void build_result(struct cell *c) {
    struct outcome o = {.files = json_array(), .notes = json_array(), .state = "kept"};
    json_t *result = cell_result(c, &o);
    char *text = json_dumps(result, JSON_COMPACT);
    must(text != NULL);
    must(json_is_string(json_object_get(result, "status")));
    free(text);
    json_decref(result);
}

static void clean(struct cell *c) {
    json_t *all[] = {c->said.value,     c->said.displays,   c->said.plots, c->said.error,
                     c->said.variables, c->said.dataframes, c->said.final, c->said.notes,
                     c->calls.answers,  c->calls.unused};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        json_decref(all[i]);
    free(c->said.state);
    stream_done(&c->out);
    stream_done(&c->err);
    buf_done(&c->send);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size)
        return 0;
    struct retort_callbacks client = {.user = &client, .display = shown, .tool = tool};
    struct retort_execute_options options = {.callbacks = data[0] & DEAF ? NULL : &client};
    static const struct session_spec spec;
    struct retort_session s = {
        .spec = &spec, .interp = {.unanswered = data[0] & LATE ? 1 : 0, .ready = data[0] & KNOWN}};
    json_t *answers = json_loads("[{\"name\": \"add\", \"text\": \"3\"}]", 0, NULL);
    s.tools.offered = json_loads("[{\"name\": \"add\"}]", 0, NULL);
    outputs_init(&s.outputs, &s.account);
    struct cell c = {
        .s = &s,
        .in = &s.interp,
        .options = &options,
        .number = 7,
        .clock.started = data[0] & STARTED,
        .facts = {.exited = data[0] & DIED, .wait_status = 9},
        .calls = {.replay = data[0] & REPLAYED ? answers : NULL, .answers = json_array()},
        .said = {.displays = json_array(), .plots = json_array()},
        .send = BUF_INIT(1 << 20)};
    stream_init(&c.out, 4096, 0);
    stream_init(&c.err, 4096, 0);
    take(&c, data + 1, size - 1);
    build_result(&c);
    clean(&c);
    outputs_done(&s.outputs);
    json_decref(answers);
    json_decref(s.tools.offered);
    isolation_done(&s.iso);
    return 0;
}
