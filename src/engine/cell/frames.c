/* What a guest says during a cell. Everything here is a claim: it fills fields of the result that
 * are the guest's to fill, and decides nothing that the kernel knows better. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/jsonout.h"
#include "base/jsonshape.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/utf8.h"
#include "engine/cell/cell.h"

static json_t *base64(const char *data, size_t len) {
    char *text = base64_text(data, len);
    json_t *s = text ? json_string_nocheck(text) : json_null();
    free(text);
    return s;
}

/* Looks at the text before parsing it: "[]," becomes an object fifty times as large, and jansson
 * recurses. */
static bool json_fits(const struct field *f, struct json_count *count) {
    struct json_shape shape = json_shape(f->data, f->len);
    if (shape.values > MAX_JSON_VALUES - count->values) {
        count->exceeded = true;
        return false;
    }
    count->values += shape.values;
    return shape.depth <= MAX_JSON_DEPTH;
}

json_t *guest_json(const struct field *f, struct json_count *count) {
    json_error_t error;
    json_t *v = json_fits(f, count)
                    ? json_in(f->data, f->len,
                              JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error)
                    : NULL;
    return v ? v : json_null();
}

/* Takes a text that has no reason to be longer than `most`; cuts off the end of a longer one, and
 * the result says so. */
static json_t *guest_text(struct cell *c, const struct field *f, size_t most) {
    size_t len = f->len > most ? utf8_cut(f->data, most) : f->len;
    c->said.overflow = c->said.overflow || len < f->len;
    return json_text(f->data, len);
}

/* The same for values. Those that are too long are dropped, because half a value has no meaning. */
static json_t *guest_values(struct cell *c, const struct field *f, size_t most) {
    c->said.overflow = c->said.overflow || f->len > most;
    return f->len > most ? json_null() : guest_json(f, &c->said.json);
}

static bool mime_is_text(const char *mime) {
    return strncmp(mime, "text/", 5) == 0 || strcmp(mime, "image/svg+xml") == 0 ||
           strcmp(mime, "application/javascript") == 0;
}

static json_t *mime_value(struct cell *c, const char *mime, const struct field *f) {
    size_t len = strlen(mime);
    if (strcmp(mime, "application/json") == 0 || (len > 5 && strcmp(mime + len - 5, "+json") == 0))
        return guest_json(f, &c->said.json);
    return mime_is_text(mime) ? json_text(f->data, f->len) : base64(f->data, f->len);
}

static bool mime_copy(const struct field *f, char *mime, size_t size) {
    if (f->len == 0 || f->len >= size)
        return false;
    for (uint32_t i = 0; i < f->len; i++)
        if (f->data[i] <= ' ' || f->data[i] >= 127)
            return false;
    memcpy(mime, f->data, f->len);
    mime[f->len] = 0;
    return true;
}

static int add_display(struct cell *c, json_t *o) {
    const struct retort_callbacks *cb = c->options->callbacks;
    char *text = cb && cb->display ? json_out(o, JSON_COMPACT) : NULL;
    if (text)
        cb->display(cb->user, text);
    free(text);
    return json_array_append_new(c->said.displays, o);
}

static int display(struct cell *c, const struct frame *f) {
    json_t *bundle = json_object(), *id = json_null();
    char mime[128] = "";
    size_t pos = 0;
    struct field field;
    while (frame_next(f, &pos, &field) > 0) {
        if (field.tag == F_MIME && !mime_copy(&field, mime, sizeof mime))
            mime[0] = 0;
        else if (field.tag == F_DATA && mime[0])
            json_object_set_new(bundle, mime, mime_value(c, mime, &field));
        else if (field.tag == F_ID) {
            json_decref(id);
            id = json_text(field.data, field.len < 256 ? field.len : 256);
        }
    }
    return add_display(c, json_pack("{s:o s:o}", "mime", bundle, "id", id));
}

/* The picture becomes one of the displays. A plot that the code did not save can be read by a name
 * of its own. */
static void plot_picture(struct cell *c, const char *path, const struct field *data) {
    json_t *bundle = json_pack("{s:o}", "image/png", base64(data->data, data->len));
    add_display(c, json_pack("{s:o s:n}", "mime", bundle, "id"));
    if (path && strncmp(path, ".plots/", 7) == 0)
        outputs_keep_plot(&c->s->outputs, c->number, path, data->data, data->len, c->s->recorded);
}

static int plot(struct cell *c, const struct frame *f) {
    json_t *o = json_object();
    size_t pos = 0;
    struct field field, data = {0};
    while (frame_next(f, &pos, &field) > 0)
        switch (field.tag) {
        case F_PATH:
            json_object_set_new(o, "path",
                                json_name(field.data, field.len < MAX_PATH ? field.len : MAX_PATH));
            break;
        case F_TITLE: json_object_set_new(o, "title", guest_text(c, &field, MAX_NAME)); break;
        case F_CHART: json_object_set_new(o, "chart", guest_values(c, &field, MAX_VALUES)); break;
        case F_DATA:
            data = field;
            json_object_set_new(o, "size", json_integer(field.len));
            break;
        default: break;
        }
    if (!json_object_get(o, "path")) { /* not saved: it gets a name of its own */
        char name[64];
        snprintf(name, sizeof name, ".plots/cell%u-%u.png", c->number, ++c->said.unsaved);
        json_object_set_new(o, "path", json_string(name));
    }
    if (data.data)
        plot_picture(c, json_string_value(json_object_get(o, "path")), &data);
    return json_array_append_new(c->said.plots, o);
}

static void replace(json_t **slot, json_t *value) {
    json_decref(*slot);
    *slot = value;
}

static void error_field(struct cell *c, const char *name, json_t *value) {
    if (!c->said.error)
        c->said.error = json_pack("{s:s s:s s:s s:n s:n s:{} s:n}", "name", "", "message", "",
                                  "traceback", "", "line", "source", "values", "hint");
    json_object_set_new(c->said.error, name, value);
}

static void keep_state(struct cell *c, const struct field *f) {
    if (c->said.state || f->len > MAX_SAVED_STATE || !(c->said.state = malloc(f->len + 1)))
        return;
    memcpy(c->said.state, f->data, f->len);
    c->said.state_len = f->len;
}

static void result_field(struct cell *c, const struct field *f, bool *in_value, char *mime,
                         size_t mime_size) {
    int64_t n = 0;
    switch (f->tag) {
    case F_KIND: field_int(f, &c->said.kind); break;
    case F_EXIT_CODE: field_int(f, &c->said.exit_code); break;
    case F_THREADS: field_int(f, &c->said.threads); break;
    case F_VALUE:
        *in_value = true;
        replace(&c->said.value, json_object());
        break;
    case F_MIME:
        if (!mime_copy(f, mime, mime_size))
            mime[0] = 0;
        break;
    case F_DATA:
        if (*in_value && mime[0])
            json_object_set_new(c->said.value, mime, mime_value(c, mime, f));
        break;
    case F_ERROR_NAME: error_field(c, "name", guest_text(c, f, MAX_NAME)); break;
    case F_ERROR_MESSAGE: error_field(c, "message", guest_text(c, f, MAX_MESSAGE)); break;
    case F_ERROR_TRACEBACK: error_field(c, "traceback", guest_text(c, f, MAX_TRACEBACK)); break;
    case F_ERROR_LINE:
        if (field_int(f, &n) && n > 0 && n <= MAX_CODE)
            error_field(c, "line", json_integer(n));
        break;
    case F_ERROR_SOURCE: error_field(c, "source", guest_text(c, f, MAX_MESSAGE)); break;
    case F_ERROR_VALUES: error_field(c, "values", guest_values(c, f, MAX_TEXT)); break;
    case F_ERROR_HINT: error_field(c, "hint", guest_text(c, f, MAX_MESSAGE)); break;
    case F_VARIABLES: replace(&c->said.variables, guest_values(c, f, MAX_VALUES)); break;
    case F_DATAFRAMES: replace(&c->said.dataframes, guest_values(c, f, MAX_VALUES)); break;
    case F_STATE: keep_state(c, f); break;
    case F_NOTE:
        if (!c->said.notes)
            c->said.notes = json_pack("[o]", guest_text(c, f, MAX_MESSAGE));
        break;
    case F_FINAL: replace(&c->said.final, guest_json(f, &c->said.json)); break;
    default: break;
    }
}

static int result(struct cell *c, const struct frame *f) {
    bool in_value = false;
    char mime[128] = "";
    size_t pos = 0;
    struct field field;
    if (c->said.has_result)
        return -EPROTO;
    while (frame_next(f, &pos, &field) > 0) {
        int64_t cell = c->number;
        /* A result of another cell: somebody forged one for that cell, and its own comes late. */
        if (field.tag == F_CELL && (!field_int(&field, &cell) || cell != c->number))
            return -EPROTO;
        result_field(c, &field, &in_value, mime, sizeof mime);
    }
    c->said.has_result = true;
    return c->said.kind < RESULT_OK || c->said.kind > RESULT_INTERRUPTED ? -EPROTO : 0;
}

#define UNREAD (64u << 10) /* answers that a guest has asked for and does not read */

/* A guest that asks for it writes no text until it knows that the display was taken: what it
 * printed before stands in the pipes by now, and what it prints after comes after. */
static int answer_shown(struct cell *c, const struct frame *f) {
    bool asked = false;
    size_t pos = 0, begin = c->send.len;
    struct field field;
    while (frame_next(f, &pos, &field) > 0)
        asked = asked || field.tag == F_CALL;
    if (!asked || begin > UNREAD)
        return 0;
    int r = frame_begin(&c->send, FRAME_SHOWN);
    return r < 0 ? r : frame_end(&c->send, begin);
}

static int show_frame(struct cell *c, const struct frame *f) {
    int r = 0;
    if (json_array_size(c->said.displays) >= MAX_DISPLAYS ||
        json_array_size(c->said.plots) >= MAX_DISPLAYS)
        c->said.overflow = true;
    else
        r = f->type == FRAME_PLOT ? plot(c, f) : display(c, f);
    return r < 0 ? r : answer_shown(c, f);
}

int cell_frame(struct cell *c, const struct frame *f) {
    if (!c->clock.started && f->type != FRAME_READY && f->type != FRAME_CHECKPOINTED)
        return -EPROTO;
    switch (f->type) {
    case FRAME_READY:
        if (c->in->ready)
            return -EPROTO;
        c->in->ready = true;
        cell_show_withheld(c);
        return 0;
    case FRAME_DISPLAY:
    case FRAME_PLOT: return c->said.has_result ? -EPROTO : show_frame(c, f);
    case FRAME_RESULT: return result(c, f);
    case FRAME_TOOL_CALL: return c->said.has_result ? -EPROTO : cell_tool_call(c, f);
    case FRAME_CHECKPOINTED:
        if (!c->in->unanswered)
            return -EPROTO;
        c->in->unanswered--;
        return 0;
    default: return -EPROTO;
    }
}
