#include "agent/model/secret.h"

#include "agent/model/model.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_IN_MESSAGE 4
#define LEAST_IN_REPLY 16

/* How many bytes at the end of the text are the beginning of the key. */
static size_t begun(const char *key, size_t n, const char *text, size_t len) {
    for (size_t k = len < n ? len : n - 1; k > 0; k--)
        if (memcmp(text + len - k, key, k) == 0)
            return k;
    return 0;
}

static void hide_whole(const char *key, size_t n, char *text, size_t len) {
    for (char *at = text; (at = memmem(at, len - (size_t)(at - text), key, n)); at += n)
        memset(at, '*', n);
}

void secret_hide_message(const char *key, char *message) {
    size_t n = key ? strlen(key) : 0, len = strlen(message);
    if (n < LEAST_IN_MESSAGE)
        return;
    hide_whole(key, n, message, len);
    size_t rest = begun(key, n, message, len);
    if (rest >= LEAST_IN_MESSAGE)
        memset(message + len - rest, '*', rest);
}

static void hide_text(const char *key, char *text) {
    if (text)
        hide_whole(key, strlen(key), text, strlen(text));
}

static void hide_json(const char *key, json_t *value) {
    const char *name;
    json_t *sub;
    size_t i;
    if (json_is_string(value) && strstr(json_string_value(value), key)) {
        char *copy = strdup(json_string_value(value));
        hide_text(key, copy);
        json_string_set(value, copy ? copy : "");
        free(copy);
    }
    json_array_foreach(value, i, sub) {
        hide_json(key, sub);
    }
    json_object_foreach(value, name, sub) {
        hide_json(key, sub);
    }
}

void secret_hide_reply(const char *key, struct model_reply *reply) {
    if (!key || strlen(key) < LEAST_IN_REPLY)
        return;
    hide_text(key, reply->text.data);
    hide_text(key, reply->thought.data);
    secret_hide_message(key, reply->finish);
    for (size_t i = 0; i < reply->call_count; i++) {
        hide_text(key, reply->calls[i].id);
        hide_text(key, reply->calls[i].name);
        hide_text(key, reply->calls[i].arguments.data);
    }
    hide_json(key, reply->blocks);
}

void secret_stream_init(struct secret_stream *s, const char *key) {
    bool secret = key && strlen(key) >= LEAST_IN_REPLY;
    *s = (struct secret_stream){.key = secret ? key : NULL, .held = BUF_INIT(2 * MAX_SSE_EVENT)};
}

void secret_stream_feed(struct secret_stream *s, const char *text, size_t len, secret_emit *emit,
                        void *user) {
    if (!s->key) {
        if (len)
            emit(user, text, len);
        return;
    }
    size_t n = strlen(s->key);
    if (text && buf_add(&s->held, text, len) < 0)
        return;
    if (s->held.len)
        hide_whole(s->key, n, s->held.data, s->held.len);
    size_t kept = text ? begun(s->key, n, s->held.data, s->held.len) : 0;
    if (s->held.len > kept)
        emit(user, s->held.data, s->held.len - kept);
    buf_drop(&s->held, s->held.len - kept);
}

void secret_stream_done(struct secret_stream *s) {
    buf_done(&s->held);
}
