/* Events for those who listen beside the request, the readers of /events.
 *
 * Each owner has one ring of events, ready to be sent, which all of its readers share: a reader
 * costs a few hundred bytes, whether it reads or not. The ring is bounded, and so are all rings
 * together; the oldest events go, those of the largest ring first. A reader that had not come so
 * far is told how many it lost; one that was in the middle of an event is ended, and may come back
 * with the id of the last event it got.
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
/* Somebody may come to listen. Before, nothing is kept. */
void hub_open(struct hub *hub);
bool hub_is_open(struct hub *hub);

/* Where a reader begins. With neither: behind everything there is. */
struct hub_start {
    const char *last; /* the id of the last event that it got, or NULL */
    uint64_t first;   /* else the number of the first event that it wants, or 0 */
};
/* Events of an owner, of one session or (NULL) of all. NULL if there is no memory or descriptor. */
struct hub_reader *hub_subscribe(struct hub *hub, const char *owner, const char *session,
                                 const struct hub_start *start);
void hub_unsubscribe(struct hub *hub, struct hub_reader *reader);

/* One JSON text, a notification. Returns how many readers will get it: those that lag behind so far
 * that they lost some do not count. */
unsigned hub_publish(struct hub *hub, const char *owner, const char *session, const char *text,
                     size_t len);
/* The number that the next event of the owner will have. */
uint64_t hub_next(struct hub *hub, const char *owner);

/* Readable when there is something to read, or when the hub ends. */
int hub_reader_fd(const struct hub_reader *reader);
/* Server-sent events, as many bytes as there are and fit. 0: nothing now, and the last event was
 * complete. -EPIPE: there will be no more. */
ssize_t hub_read(struct hub *hub, struct hub_reader *reader, char *data, size_t max);
/* No further events: readers see the end. */
void hub_end(struct hub *hub);
