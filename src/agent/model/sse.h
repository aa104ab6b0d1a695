/* Server-sent events: makes events of bytes that come in pieces of any size. Pure, so that it can
 * be fuzzed.
 *
 * Runs in: the broker's process.
 * Hostile: the bytes (anybody may run a model server).
 * Owns: the unfinished line and event.
 * Tests: tests/unit/test_agent_model.c, tests/fuzz/fuzz_model.c
 */
#pragma once

#include "base/buf.h"
#include "base/maxima.h"

struct sse {
    struct buf line, data;
    char event[40];
    bool after_cr; /* a line feed right after a carriage return is the same line end */
    bool begun;    /* it is past a byte order mark */
};

/* Called for each event; a negative return ends the feed. */
typedef int sse_event(void *user, const char *event, const char *data, size_t len);

void sse_init(struct sse *s);
void sse_done(struct sse *s);
/* 0, -ENOSPC when an event is too long, -ENOMEM, or what the callback returned. */
int sse_feed(struct sse *s, const char *bytes, size_t len, sse_event *callback, void *user);
/* At the end of the stream: an event without its blank line counts too. */
int sse_finish(struct sse *s, sse_event *callback, void *user);
