#include "serve/hosted/hub.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/list.h"
#include "base/maxima.h"
#include "base/tiny.h"
#include "serve/hosted/registry.h"

/* Events have blocks of memory of their own. They outlive the sessions that they tell of: a single
 * event on the heap would keep a page that its session had used from being given back. */
#define BLOCK TINY(256u << 10, 512u)
#define ALIGNMENT _Alignof(max_align_t)

struct shelf {
    size_t size, used; /* bytes, including this header */
    size_t events;
};

struct event {
    struct event *next;
    struct shelf *block;
    uint64_t number;
    char session[64];
    size_t len;
    char text[]; /* as the reader gets it */
};

struct ring {
    struct ring *next;
    char owner[OWNER_SIZE];
    struct event *first, *last;
    struct shelf *block; /* the block that is being filled, or NULL */
    uint64_t count;      /* the number of the last event */
    size_t bytes;
};

struct hub_reader {
    struct hub_reader *next_reader;
    struct ring *ring;
    char session[64]; /* "": all */
    struct event *next;
    size_t sent;   /* bytes of `next` that were read */
    bool cut;      /* the rest of the event that it was reading was dropped */
    bool unknown;  /* it lost events, and nobody knows how many */
    uint64_t lost; /* events that it lost and was not told of yet */
    char notice[128];
    size_t notice_len, notice_sent;
    int fd;
};

struct hub {
    pthread_mutex_t lock;
    struct ring *rings;
    struct hub_reader *readers;
    size_t bytes;   /* in all rings */
    uint64_t epoch; /* the start of this server, from which events are numbered */
    bool open, ended;
};

struct hub *hub_new(void) {
    struct hub *hub = calloc(1, sizeof *hub);
    struct timespec now;

    if (!hub)
        return NULL;
    pthread_mutex_init(&hub->lock, NULL);
    clock_gettime(CLOCK_REALTIME, &now);
    hub->epoch = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    return hub;
}

static void shelf_free(struct shelf *block) {
    if (block)
        munmap(block, block->size);
}

static struct shelf *shelf_new(size_t size) {
    struct shelf *block =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (block == MAP_FAILED)
        return NULL;
    *block = (struct shelf){.size = size, .used = sizeof *block};
    return block;
}

/* A block with room for this many bytes. */
static struct shelf *ring_room(struct ring *ring, size_t size) {
    struct shelf *old = ring->block, *block;

    if (old && old->size - old->used >= size)
        return old;
    block = shelf_new(sizeof *block + size > BLOCK ? sizeof *block + size : BLOCK);
    if (!block)
        return NULL;
    if (old && old->events == 0)
        shelf_free(old);
    return ring->block = block;
}

static void event_free(const struct ring *ring, struct event *event) {
    struct shelf *block = event->block;

    if (--block->events == 0 && block != ring->block)
        shelf_free(block);
}

static void ring_free(struct ring *ring) {
    for (struct event *event = ring->first, *next; event; event = next) {
        next = event->next;
        event_free(ring, event);
    }
    shelf_free(ring->block);
    free(ring);
}

void hub_free(struct hub *hub) {
    if (!hub)
        return;
    for (struct ring *ring = hub->rings, *next; ring; ring = next) {
        next = ring->next;
        ring_free(ring);
    }
    pthread_mutex_destroy(&hub->lock);
    free(hub);
}

void hub_open(struct hub *hub) {
    pthread_mutex_lock(&hub->lock);
    hub->open = true;
    pthread_mutex_unlock(&hub->lock);
}

bool hub_is_open(struct hub *hub) {
    bool open;

    pthread_mutex_lock(&hub->lock);
    open = hub->open;
    pthread_mutex_unlock(&hub->lock);
    return open;
}

/* Makes the ring when it is first needed; there are no more owners than tokens. */
static struct ring *ring_of(struct hub *hub, const char *owner) {
    struct ring *ring = hub->rings;

    while (ring && strcmp(ring->owner, owner) != 0)
        ring = ring->next;
    if (ring || !(ring = calloc(1, sizeof *ring)))
        return ring;
    snprintf(ring->owner, sizeof ring->owner, "%s", owner);
    ring->next = hub->rings;
    hub->rings = ring;
    return ring;
}

/* --- readers --- */

static bool wants(const struct hub_reader *reader, const char *session) {
    return !reader->session[0] || strcmp(reader->session, session) == 0;
}

static struct event *wanted_from(const struct hub_reader *reader, struct event *event) {
    while (event && !wants(reader, event->session))
        event = event->next;
    return event;
}

/* The first event after the one with this id. An id from before a restart of the server says
 * nothing, so the reader gets all events there are. */
static uint64_t number_after(const struct hub *hub, struct hub_reader *reader, const char *id) {
    unsigned long long epoch, number;
    char more;

    if (sscanf(id, "%llx-%llu%c", &epoch, &number, &more) == 2 && epoch == hub->epoch &&
        number <= reader->ring->count)
        return number + 1;
    reader->unknown = true;
    return 1;
}

static void hub_place(const struct hub *hub, struct hub_reader *reader,
                      const struct hub_start *start) {
    const struct ring *ring = reader->ring;
    bool told = start->last && start->last[0];
    uint64_t number = told ? number_after(hub, reader, start->last) : start->first;
    uint64_t kept = ring->first ? ring->first->number : ring->count + 1;
    struct event *event = number ? ring->first : NULL;

    if (number && number < kept && !reader->unknown)
        reader->lost = kept - number; /* some of these may be of other sessions */
    while (event && event->number < number)
        event = event->next;
    reader->next = wanted_from(reader, event);
}

static void reader_free(struct hub_reader *reader) {
    if (reader->fd >= 0)
        close(reader->fd);
    free(reader);
}

struct hub_reader *hub_subscribe(struct hub *hub, const char *owner, const char *session,
                                 const struct hub_start *start) {
    struct hub_reader *reader = calloc(1, sizeof *reader);

    if (!reader)
        return NULL;
    reader->fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    snprintf(reader->session, sizeof reader->session, "%s", session ? session : "");
    pthread_mutex_lock(&hub->lock);
    reader->ring = ring_of(hub, owner);
    if (reader->fd < 0 || !reader->ring) {
        pthread_mutex_unlock(&hub->lock);
        reader_free(reader);
        return NULL;
    }
    hub_place(hub, reader, start);
    reader->next_reader = hub->readers;
    hub->readers = reader;
    pthread_mutex_unlock(&hub->lock);
    return reader;
}

void hub_unsubscribe(struct hub *hub, struct hub_reader *reader) {
    if (!reader)
        return;
    pthread_mutex_lock(&hub->lock);
    LIST_DROP(hub->readers, reader, next_reader);
    pthread_mutex_unlock(&hub->lock);
    reader_free(reader);
}

int hub_reader_fd(const struct hub_reader *reader) {
    return reader->fd;
}

/* --- the rings --- */

static void pass_over(struct hub_reader *reader, struct event *gone) {
    if (reader->next != gone)
        return;
    if (reader->sent > 0)
        reader->cut = true;
    else
        reader->lost++;
    reader->sent = 0;
    reader->next = wanted_from(reader, gone->next);
}

static void drop_oldest(struct hub *hub, struct ring *ring) {
    struct event *gone = ring->first;

    for (struct hub_reader *reader = hub->readers; reader; reader = reader->next_reader)
        pass_over(reader, gone);
    ring->first = gone->next;
    if (!ring->first)
        ring->last = NULL;
    ring->bytes -= gone->len;
    hub->bytes -= gone->len;
    event_free(ring, gone);
}

static struct ring *largest(const struct hub *hub) {
    struct ring *found = hub->rings;

    for (struct ring *ring = hub->rings; ring; ring = ring->next)
        if (ring->bytes > found->bytes)
            found = ring;
    return found;
}

static void hub_make_room(struct hub *hub, struct ring *ring, size_t len) {
    while (ring->bytes + len > MAX_EVENT_RING)
        drop_oldest(hub, ring);
    while (hub->bytes + len > MAX_EVENT_RINGS)
        drop_oldest(hub, largest(hub));
}

static int name_length(const char *text, size_t len, const char **ret_name) {
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"method\":\"";

    *ret_name = text + sizeof head - 1;
    if (len <= sizeof head || strncmp(text, head, sizeof head - 1) != 0)
        return 0;
    return (int)strcspn(*ret_name, "\"\n");
}

#define FRAMING 256 /* most bytes around the text of an event */

static struct event *event_new(const struct hub *hub, struct ring *ring, const char *session,
                               const char *text, size_t len) {
    struct shelf *block = ring_room(ring, sizeof(struct event) + len + FRAMING);
    struct event *event;
    const char *name;
    int name_len = name_length(text, len, &name), n;

    if (!block)
        return NULL;
    event = (void *)((char *)block + block->used);
    *event = (struct event){.block = block, .number = ring->count + 1};
    block->events++;
    snprintf(event->session, sizeof event->session, "%s", session);
    n = snprintf(event->text, FRAMING,
                 "id: %llx-%llu\nevent: %.*s\ndata: ", (unsigned long long)hub->epoch,
                 (unsigned long long)event->number, name_len < 100 ? name_len : 0, name);
    memcpy(event->text + n, text, len);
    event->len = (size_t)n + len;
    event->text[event->len++] = '\n';
    event->text[event->len++] = '\n';
    block->used += (sizeof *event + event->len + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (block->used > block->size)
        block->used = block->size;
    return event;
}

static void hub_append(struct hub *hub, struct ring *ring, struct event *event) {
    ring->count = event->number;
    *(ring->last ? &ring->last->next : &ring->first) = event;
    ring->last = event;
    ring->bytes += event->len;
    hub->bytes += event->len;
}

/* Tells the readers about a new event, or (NULL) about one that could not be kept. */
static unsigned announce(struct hub *hub, const struct ring *ring, const char *session,
                         struct event *event) {
    unsigned n = 0;

    for (struct hub_reader *reader = hub->readers; reader; reader = reader->next_reader) {
        if (reader->ring != ring || !wants(reader, session))
            continue;
        if (!event)
            reader->lost++;
        else if (!reader->next)
            reader->next = event;
        n += event && !reader->lost && !reader->cut;
        eventfd_write(reader->fd, 1);
    }
    return n;
}

static unsigned hub_append_event(struct hub *hub, const char *owner, const char *session,
                                 const char *text, size_t len) {
    struct ring *ring = ring_of(hub, owner);
    struct event *event;

    if (!ring)
        return 0;
    event = len <= MAX_EVENT ? event_new(hub, ring, session, text, len) : NULL;
    if (event) {
        hub_make_room(hub, ring, event->len);
        hub_append(hub, ring, event);
    }
    return announce(hub, ring, session, event);
}

unsigned hub_publish(struct hub *hub, const char *owner, const char *session, const char *text,
                     size_t len) {
    unsigned n = 0;

    pthread_mutex_lock(&hub->lock);
    if (hub->open)
        n = hub_append_event(hub, owner, session, text, len);
    pthread_mutex_unlock(&hub->lock);
    return n;
}

uint64_t hub_next(struct hub *hub, const char *owner) {
    const struct ring *ring;
    uint64_t next;

    pthread_mutex_lock(&hub->lock);
    ring = hub->open ? ring_of(hub, owner) : NULL;
    next = ring ? ring->count + 1 : 0;
    pthread_mutex_unlock(&hub->lock);
    return next;
}

/* --- reading --- */

static void write_notice(struct hub_reader *reader) {
    char count[24] = "null";

    if (!reader->unknown)
        snprintf(count, sizeof count, "%llu", (unsigned long long)reader->lost);
    reader->notice_len = (size_t)snprintf(
        reader->notice, sizeof reader->notice,
        "event: events.dropped\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"events.dropped\","
        "\"params\":{\"count\":%s}}\n\n",
        count);
    reader->notice_sent = 0;
    reader->lost = 0;
    reader->unknown = false;
}

static size_t copy_part(const char *text, size_t len, size_t *sent, char *data, size_t max) {
    size_t n = len - *sent < max ? len - *sent : max;

    memcpy(data, text + *sent, n);
    *sent += n;
    return n;
}

static ssize_t read_some(struct hub_reader *reader, char *data, size_t max) {
    size_t n;

    if (reader->cut)
        return -EPIPE;
    if (reader->sent == 0 && reader->notice_sent == reader->notice_len &&
        (reader->lost || reader->unknown))
        write_notice(reader);
    if (reader->notice_sent < reader->notice_len)
        return (ssize_t)copy_part(reader->notice, reader->notice_len, &reader->notice_sent, data,
                                  max);
    if (!reader->next)
        return 0;
    n = copy_part(reader->next->text, reader->next->len, &reader->sent, data, max);
    if (reader->sent == reader->next->len) {
        reader->sent = 0;
        reader->next = wanted_from(reader, reader->next->next);
    }
    return (ssize_t)n;
}

ssize_t hub_read(struct hub *hub, struct hub_reader *reader, char *data, size_t max) {
    eventfd_t ignored;
    ssize_t n = 0, got = 1;

    pthread_mutex_lock(&hub->lock);
    eventfd_read(reader->fd, &ignored);
    while ((size_t)n < max && got > 0) {
        got = read_some(reader, data + n, max - (size_t)n);
        n += got > 0 ? got : 0;
    }
    if (n == 0 && (got < 0 || hub->ended))
        n = -EPIPE;
    if (hub->ended)
        eventfd_write(reader->fd, 1);
    pthread_mutex_unlock(&hub->lock);
    return n;
}

void hub_end(struct hub *hub) {
    pthread_mutex_lock(&hub->lock);
    hub->ended = true;
    for (struct hub_reader *reader = hub->readers; reader; reader = reader->next_reader)
        eventfd_write(reader->fd, 1);
    pthread_mutex_unlock(&hub->lock);
}
