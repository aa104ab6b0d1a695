/* Calls of host tools, as steps of a timeline hold them. */
#include <stdlib.h>

#include "base/jsonout.h"
#include "engine/session/steps.h"

/* Keeps texts, because a JSON value takes up to fifty times the memory of its text. A call that was
 * refused gets the same answer whatever its arguments are. */
json_t *step_call(const json_t *record) {
    json_t *name = json_object_get(record, "name"), *result = json_object_get(record, "result");
    char *text = result ? json_out(result, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    json_t *held = json_pack("{s:O? s:s? s:O?}", "name", name, "text", text, "failure",
                             json_object_get(record, "failure"));
    if (!json_is_true(json_object_get(record, "refused")))
        json_object_set(held, "arguments", json_object_get(record, "arguments"));
    free(text);
    return held;
}

json_t *step_answer_of(json_t *event, const char *data) {
    return json_pack("{s:O s:s*}", "network", event, "data", data);
}

#define CALL_OVERHEAD 768    /* of an object with four strings */
#define ANSWER_OVERHEAD 6144 /* of an event of the gate */

size_t step_call_bytes(const json_t *held) {
    static const char *const parts[] = {"name", "arguments", "text", "failure", "data"};
    size_t sum = json_object_get(held, "network") ? ANSWER_OVERHEAD : CALL_OVERHEAD;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        sum += json_string_length(json_object_get(held, parts[i]));
    return sum;
}
