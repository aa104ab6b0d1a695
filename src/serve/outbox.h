/* Messages on their way to one HTTP client: written by any thread, read by the thread of the
 * connection.
 *
 * Runs in: broker. Owns: what was put in. Tests: tests/clients (every streamed MCP call).
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

struct outbox;

struct outbox *outbox_new(void);
struct outbox *outbox_ref(struct outbox *outbox);
void outbox_unref(struct outbox *outbox);

/* Puts an event "message". Past its maximum messages are dropped: the client does not read. */
void outbox_put(struct outbox *outbox, const char *text, size_t len);
void outbox_end(struct outbox *outbox); /* nothing follows */
int outbox_fd(const struct outbox *outbox);
/* Moves the waiting events into `out`. -EPIPE when nothing is there and nothing follows. */
int outbox_take(struct outbox *outbox, struct buf *out);
