/* Messages on their way to one HTTP client: written by any thread, read by the thread of the
 * connection.
 *
 * Runs in: broker.
 * Owns: what was put in.
 * Tests: tests/unit/test_queues.c, tests/clients (every streamed MCP call)
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct outbox;

struct outbox *outbox_new(void);
void outbox_unref(struct outbox *outbox);

/* Puts an event "message". outbox_note drops it if MAX_EVENT_QUEUE bytes wait because the client
 * does not read; outbox_reply never does. */
void outbox_note(struct outbox *outbox, const char *text, size_t len);
void outbox_reply(struct outbox *outbox, const char *text, size_t len);
/* Put bytes as they are, once no more than 4 MiB wait. outbox_try waits a second for that, and
 * after that not at all until the client has read something; false: the bytes were dropped.
 * outbox_bytes waits until the client reads or has gone (outbox_leave). */
bool outbox_try(struct outbox *outbox, const char *data, size_t len);
void outbox_bytes(struct outbox *outbox, const char *data, size_t len);
void outbox_leave(struct outbox *outbox); /* nobody will read any more */
void outbox_end(struct outbox *outbox);   /* nothing follows */
int outbox_fd(const struct outbox *outbox);
/* Moves the waiting events into `out`. -EPIPE when nothing is there and nothing follows. */
int outbox_take(struct outbox *outbox, struct buf *out);
