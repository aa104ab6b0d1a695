/* Events for those who listen beside the request: readers of /events, each with a bounded queue.
 *
 * Runs in: broker, any thread.
 * Owns: copies of the events; a reader that does not read loses events, and is told how many.
 * Tests: tests/unit/test_queues.c.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"

struct hub;
struct hub_reader;

struct hub *hub_new(void);
void hub_free(struct hub *hub);

/* Events of an owner, of one session or (NULL) of all. `first` (may be NULL) holds lines to begin
 * with. */
struct hub_reader *hub_subscribe(struct hub *hub, const char *owner, const char *session,
                                 const struct buf *first);
void hub_unsubscribe(struct hub *hub, struct hub_reader *reader);

/* One JSON text. `session` may be NULL: then only readers of all sessions get it. Returns how many
 * got it: those that lost it do not count. */
unsigned hub_publish(struct hub *hub, const char *owner, const char *session, const char *text,
                     size_t len);

/* Readable when there is something to take, or when the hub ends. */
int hub_reader_fd(const struct hub_reader *reader);
/* Moves what waits, as lines, into `out` (appended). Returns how many events were dropped before;
 * -EPIPE when the hub has ended. */
int hub_take(struct hub *hub, struct hub_reader *reader, struct buf *out);
/* No further events: readers see the end. */
void hub_end(struct hub *hub);
