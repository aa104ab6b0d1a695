/* Keeps a key out of what a model server says: a server may quote what it was sent, in errors and
 * in replies, whole or, where a text is cut, the beginning of it. Stars stand in its place.
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

/* In a message, which may have been cut in the middle of it. */
void secret_hide_message(const char *key, char *message);
/* Only a key of 16 characters or more: a reply is code, and "test" or "none" is a word in it. */
void secret_hide_reply(const char *key, struct model_reply *reply);

/* The same for the text of a reply as it comes, in pieces. */
struct secret_stream {
    const char *key;
    struct buf held;
};

typedef void secret_emit(void *user, const char *text, size_t len);

void secret_stream_init(struct secret_stream *s, const char *key);
/* Passes on what can no longer become the key. `text` NULL: it ends here. */
void secret_stream_feed(struct secret_stream *s, const char *text, size_t len, secret_emit *emit,
                        void *user);
void secret_stream_done(struct secret_stream *s);
