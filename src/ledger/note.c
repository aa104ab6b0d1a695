/* Notes: what somebody outside the session says about it, such as the steps of the agent.
 *
 * The body is {"source": …, "event": {…}}. A long member of the event is stored as a blob: the
 * event lacks it, and "moved" lists {member, form, blob}, where the form tells text (its bytes, so
 * that code is stored once, with its cell) from JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonscope.h"
#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "ledger/internal.h"
#include "ledger/store.h"

#define LONG_MEMBER 1024

static int move(struct ledger *l, const char *name, const json_t *value, json_t *moved,
                struct retort_error *err) {
    bool text = json_is_string(value);
    scoped_free char *dump = text ? NULL : json_whole(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *data = text ? json_string_value(value) : dump;
    size_t len = text ? json_string_length(value) : dump ? strlen(dump) : 0;
    char blob[HASH_TEXT_SIZE];
    struct hash h;
    if (data && len < LONG_MEMBER)
        return 0;
    int r = data ? store_put(l, data, len, &h, err) : err_memory(err);
    if (r < 0)
        return r;
    hash_text(&h, blob);
    json_array_append_new(moved, json_pack("{s:s, s:s, s:s}", "member", name, "form",
                                           text ? "text" : "json", "blob", blob));
    return 1;
}

static int note_make_body(struct ledger *l, const char *source, const json_t *event, json_t **ret,
                          struct retort_error *err) {
    json_t *kept = json_object(), *moved = json_array(), *value;
    const char *name;
    int r = 0;
    json_object_foreach(unconst(event), name, value) {
        r = r < 0 ? r : move(l, name, value, moved, err);
        if (r == 0)
            json_object_set(kept, name, value);
    }
    *ret = json_pack("{s:s, s:o, s:o}", "source", source, "event", kept, "moved", moved);
    if (r >= 0 && !*ret)
        r = err_memory(err);
    return r < 0 ? r : 0;
}

int ledger_note(struct ledger *l, const char *session, const char *source, const json_t *event,
                struct ledger_ref *ret, struct retort_error *err) {
    scoped_json *body = NULL;
    if (!json_is_object(event))
        return err_set(err, ERR_CALLER, EINVAL, "a note has to be a JSON object");
    int r = note_make_body(l, source, event, &body, err);
    return r < 0 ? r : ledger_append(l, session, LEDGER_NOTE, body, ret, err);
}

static json_t *bring(struct ledger *l, const json_t *moved) {
    const char *blob = json_string_value(json_object_get(moved, "blob"));
    const char *form = json_string_value(json_object_get(moved, "form"));
    scoped_free char *data = NULL;
    struct hash h;
    size_t len;
    if (!blob || !form || hash_parse(blob, &h) < 0 ||
        store_get(l, &h, MAX_NOTE, &data, &len, NULL) < 0)
        return NULL;
    if (strcmp(form, "text") == 0)
        return json_stringn(data, len);
    return json_in(data, len, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
}

json_t *ledger_note_event(struct ledger *l, const json_t *body) {
    json_t *event = json_copy(json_object_get(body, "event")), *moved;
    size_t i;
    json_array_foreach(json_object_get(body, "moved"), i, moved) {
        const char *name = json_string_value(json_object_get(moved, "member"));
        json_t *value = bring(l, moved);
        if (value && name)
            json_object_set_new(event, name, value);
        else
            json_decref(value);
    }
    return event;
}
