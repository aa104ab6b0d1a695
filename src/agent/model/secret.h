/* Keeps a key out of what a model server says: a server may quote the key in errors and in replies,
 * whole or, if a text was cut, its beginning. We replace it by stars.
 *
 * Runs in: the broker's process.
 * Hostile: the texts.
 * Owns: nothing but what a stream holds back.
 * Tests: tests/unit/test_agent_model.c, tests/system/test_agent_models.py
 */
#pragma once

#include "base/buf.h"

#include <jansson.h>

struct model_reply;

/* For a message, which may have been cut in the middle of the key. */
void secret_hide_message(const char *key, char *message);
/* Only for a key of 16 characters or more: a reply is code, in which "test" or "none" may be a
 * word. */
void secret_hide_reply(const char *key, struct model_reply *reply);

/* The same for the text of a reply as it comes, in pieces. */
struct secret_stream {
    const char *key;
    struct buf held;
};

typedef void secret_emit(void *user, const char *text, size_t len);

void secret_stream_init(struct secret_stream *s, const char *key);
/* Passes on text that can no longer become the key. `text` NULL: the end. */
void secret_stream_feed(struct secret_stream *s, const char *text, size_t len, secret_emit *emit,
                        void *user);
void secret_stream_done(struct secret_stream *s);
