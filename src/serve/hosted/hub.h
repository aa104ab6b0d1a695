/* Events for the readers of /events.
 *
 * Each owner has one ring of events, ready to be sent, which all of its readers share: a reader
 * costs a few hundred bytes, whether it reads or not. The ring is bounded, and so are all rings
 * together; the oldest events are dropped, first those of the largest ring. A reader that had not
 * read them yet is told how many it lost; a reader in the middle of a dropped event is
 * disconnected, and may come back with the id of the last event it got.
 *
 * Runs in: broker, any thread.
 * Owns: the events.
 * Invariants: reader->next is an event of its ring that the reader wants, or NULL.
 * Tests: tests/unit/test_queues.c, tests/system/test_serve.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct hub;
struct hub_reader;

struct hub *hub_new(void);
void hub_free(struct hub *hub);
/* Called before somebody may listen: until then no event is kept. */
void hub_open(struct hub *hub);
bool hub_is_open(struct hub *hub);

/* Where a reader begins. With neither member: after all events there are. */
struct hub_start {
    const char *last; /* the id of the last event that the reader got, or NULL */
    uint64_t first;   /* else the number of the first event that the reader wants, or 0 */
};
/* A reader of an owner's events: of one session, or (NULL) of all. NULL if there is no memory or
 * descriptor. */
struct hub_reader *hub_subscribe(struct hub *hub, const char *owner, const char *session,
                                 const struct hub_start *start);
void hub_unsubscribe(struct hub *hub, struct hub_reader *reader);

/* Publishes a notification, one JSON text. Returns how many readers will get it; readers that lag
 * so far behind that they lost events do not count. */
unsigned hub_publish(struct hub *hub, const char *owner, const char *session, const char *text,
                     size_t len);
/* The number that the next event of the owner will have. */
uint64_t hub_next(struct hub *hub, const char *owner);

/* Readable when there is something to read, or when the hub ends. */
int hub_reader_fd(const struct hub_reader *reader);
/* Reads server-sent events, as many bytes as fit. 0: nothing now, and the last event was complete.
 * -EPIPE: no more will come. */
ssize_t hub_read(struct hub *hub, struct hub_reader *reader, char *data, size_t max);
/* No event is published any more: readers see the end. */
void hub_end(struct hub *hub);
