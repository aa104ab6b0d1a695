#include "agent/run/memory.h"

#include <string.h>

#include "base/jsonwhole.h"
#include "base/unconst.h"

static bool memory_is(const json_t *object, const char *key, const char *text) {
    const char *found = json_string_value(json_object_get(object, key));
    return found && strcmp(found, text) == 0;
}

json_t *memory_event(const json_t *event, bool text) {
    if (json_object_get(event, "delta") || memory_is(event, "event", "output"))
        return NULL;
    json_t *kept = json_copy(unconst(event)), *result = json_object_get(event, "result");
    if (result) {
        json_object_set(kept, "cell", json_object_get(result, "cell"));
        json_object_set(kept, "status", json_object_get(result, "status"));
        json_object_del(kept, "result");
        if (!text)
            json_object_del(kept, "text");
    }
    return kept;
}

json_t *memory_messages(const json_t *messages) {
    json_t *kept = json_array(), *m;
    size_t i;
    json_array_foreach(messages, i, m) {
        json_t *copy = json_copy(m);
        json_object_del(copy, "images");
        json_array_append_new(kept, copy);
    }
    return kept;
}

json_t *memory_conversation(const json_t *messages) {
    return json_pack("{s:s,s:o}", "event", "conversation", "messages", memory_messages(messages));
}

size_t memory_size_of(const json_t *message) {
    size_t n = json_string_length(json_object_get(message, "content"));
    const json_t *c;
    size_t i;
    json_array_foreach(json_object_get(message, "calls"), i, c) {
        n += json_string_length(json_object_get(c, "arguments"));
    }
    return n;
}

size_t memory_size(const json_t *messages) {
    size_t size = 0, i;
    const json_t *m;
    json_array_foreach(messages, i, m) {
        size += memory_size_of(m);
    }
    return size;
}

/* The index at which the second turn begins; 0: there is none. */
static size_t second_turn(const json_t *messages) {
    size_t found = 0;
    for (size_t i = 0; i < json_array_size(messages); i++)
        if (json_is_true(json_object_get(json_array_get(messages, i), "turn")) && found++)
            return i;
    return 0;
}

void memory_shorten(json_t *messages, size_t most) {
    static const char note[] = "(Earlier turns of this conversation were left out. Variables and "
                               "files from them are still there.)";
    size_t size = memory_size(messages), end, dropped = 0;
    while (size > most && (end = second_turn(messages))) {
        for (; end > 1; end--, dropped++) {
            size -= memory_size_of(json_array_get(messages, 1));
            json_array_remove(messages, 1);
        }
    }
    if (dropped)
        json_array_insert_new(messages, 1, json_pack("{s:s,s:s}", "role", "user", "content", note));
}

static json_t *last_conversation(const json_t *log) {
    for (size_t i = json_array_size(log); i > 0; i--) {
        const json_t *entry = json_array_get(log, i - 1), *event = json_object_get(entry, "event");
        if (memory_is(entry, "kind", "note") &&
            memory_is(json_object_get(entry, "body"), "source", MEMORY_SOURCE) &&
            memory_is(event, "event", "conversation"))
            return json_object_get(event, "messages");
    }
    return NULL;
}

json_t *memory_load(struct retort_engine *engine, const char *session) {
    char *text;
    if (retort_log(engine, session, &text, NULL) < 0)
        return NULL;
    json_t *log = json_in_text(text, JSON_ALLOW_NUL, NULL);
    retort_free(text);
    json_t *messages = json_incref(last_conversation(log));
    json_decref(log);
    return messages;
}
