#include "serve/hosted/registry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "serve/hosted/fault.h"

#define BUCKETS 1024

struct given_up {
    struct given_up *next;
    uint64_t ticket;
};

struct registry {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    struct live *buckets[BUCKETS];
    size_t count;
};

static size_t bucket_of(const char *id) {
    uint32_t h = 2166136261u;

    for (; *id; id++)
        h = (h ^ (unsigned char)*id) * 16777619u;
    return h % BUCKETS;
}

struct registry *registry_new(void) {
    struct registry *registry = calloc(1, sizeof *registry);

    if (registry) {
        pthread_mutex_init(&registry->lock, NULL);
        pthread_cond_init(&registry->turn, NULL);
    }
    return registry;
}

static void live_free(struct live *live) {
    retort_session_close(live->session);
    pthread_mutex_destroy(&live->lock);
    free(live->tools);
    free(live);
}

void registry_free(struct registry *registry) {
    if (!registry)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct live *live = registry->buckets[i], *next; live; live = next) {
            next = live->next;
            live_free(live);
        }
    pthread_cond_destroy(&registry->turn);
    pthread_mutex_destroy(&registry->lock);
    free(registry);
}

static size_t count_owned(struct registry *registry, const char *owner) {
    size_t n = 0;

    for (size_t i = 0; i < BUCKETS; i++)
        for (struct live *live = registry->buckets[i]; live; live = live->next)
            n += !owner || strcmp(live->owner, owner) == 0;
    return n;
}

static struct live *live_new(const char *owner, struct retort_session *session) {
    struct live *live = calloc(1, sizeof *live);

    if (!live)
        return NULL;
    pthread_mutex_init(&live->lock, NULL);
    live->session = session;
    live->refs = 2; /* the table's and the caller's */
    snprintf(live->id, sizeof live->id, "%s", retort_session_id(session));
    snprintf(live->owner, sizeof live->owner, "%s", owner);
    return live;
}

int registry_add(struct registry *registry, const char *owner, unsigned max,
                 struct retort_session *session, struct live **ret_live,
                 struct retort_error *error) {
    struct live *live = live_new(owner, session);
    struct live **bucket;

    if (!live)
        return fault_set(error, RETORT_FAULT_HOST, ENOMEM, "out of memory");
    pthread_mutex_lock(&registry->lock);
    if (max && count_owned(registry, owner) >= max) {
        pthread_mutex_unlock(&registry->lock);
        live->session = NULL;
        live_free(live);
        return fault_set(error, RETORT_FAULT_LIMIT, EBUSY, "this token may have %u sessions", max);
    }
    bucket = &registry->buckets[bucket_of(live->id)];
    live->next = *bucket;
    *bucket = live;
    registry->count++;
    pthread_mutex_unlock(&registry->lock);
    *ret_live = live;
    return 0;
}

struct live *registry_get(struct registry *registry, const char *owner, const char *id) {
    struct live *live;

    pthread_mutex_lock(&registry->lock);
    for (live = registry->buckets[bucket_of(id)]; live; live = live->next)
        if (strcmp(live->id, id) == 0 && strcmp(live->owner, owner) == 0) {
            live->refs++;
            break;
        }
    pthread_mutex_unlock(&registry->lock);
    return live;
}

bool registry_remove(struct registry *registry, struct live *live) {
    struct live **at;
    bool removed;

    pthread_mutex_lock(&registry->lock);
    removed = !live->removed;
    if (removed) {
        for (at = &registry->buckets[bucket_of(live->id)]; *at != live; at = &(*at)->next)
            ;
        *at = live->next;
        live->removed = true;
        live->refs--;
        registry->count--;
    }
    pthread_mutex_unlock(&registry->lock);
    return removed;
}

void registry_unref(struct registry *registry, struct live *live) {
    bool last;

    if (!live)
        return;
    pthread_mutex_lock(&registry->lock);
    last = --live->refs == 0;
    pthread_mutex_unlock(&registry->lock);
    if (last)
        live_free(live);
}

bool live_interrupted(struct live *live) {
    bool interrupted;

    pthread_mutex_lock(&live->lock);
    interrupted = live->interrupted;
    pthread_mutex_unlock(&live->lock);
    return interrupted;
}

size_t registry_list(struct registry *registry, const char *owner, struct live ***ret_list) {
    size_t n = 0;
    struct live **list;

    pthread_mutex_lock(&registry->lock);
    list = calloc(registry->count + 1, sizeof *list);
    for (size_t i = 0; list && i < BUCKETS; i++)
        for (struct live *live = registry->buckets[i]; live; live = live->next)
            if (!owner || strcmp(live->owner, owner) == 0) {
                live->refs++;
                list[n++] = live;
            }
    pthread_mutex_unlock(&registry->lock);
    *ret_list = list;
    return n;
}

size_t registry_count(struct registry *registry) {
    size_t n;

    pthread_mutex_lock(&registry->lock);
    n = registry->count;
    pthread_mutex_unlock(&registry->lock);
    return n;
}

size_t registry_owned(struct registry *registry, const char *owner) {
    size_t n;

    pthread_mutex_lock(&registry->lock);
    n = count_owned(registry, owner);
    pthread_mutex_unlock(&registry->lock);
    return n;
}

uint64_t registry_ticket(struct registry *registry, struct live *live) {
    uint64_t ticket;

    pthread_mutex_lock(&registry->lock);
    ticket = live->next_ticket++;
    pthread_mutex_unlock(&registry->lock);
    return ticket;
}

void registry_enter(struct registry *registry, struct live *live, uint64_t ticket) {
    pthread_mutex_lock(&registry->lock);
    while (live->serving != ticket)
        pthread_cond_wait(&registry->turn, &registry->lock);
    pthread_mutex_unlock(&registry->lock);
}

bool registry_enter_within(struct registry *registry, struct live *live, uint64_t ticket,
                           unsigned seconds) {
    struct timespec until;
    bool entered;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&registry->lock);
    while (live->serving != ticket && pthread_cond_clockwait(&registry->turn, &registry->lock,
                                                             CLOCK_MONOTONIC, &until) != ETIMEDOUT)
        ;
    entered = live->serving == ticket;
    pthread_mutex_unlock(&registry->lock);
    return entered;
}

bool registry_try_enter(struct registry *registry, struct live *live) {
    bool entered;

    pthread_mutex_lock(&registry->lock);
    entered = live->serving == live->next_ticket;
    if (entered)
        live->next_ticket++;
    pthread_mutex_unlock(&registry->lock);
    return entered;
}

/* Moves on past the tickets that were given up. */
static void skip_given_up(struct live *live) {
    struct given_up **at = &live->given_up;

    while (*at) {
        struct given_up *one = *at;

        if (one->ticket != live->serving) {
            at = &one->next;
            continue;
        }
        live->serving++;
        *at = one->next;
        free(one);
        at = &live->given_up;
    }
}

void registry_leave(struct registry *registry, struct live *live) {
    pthread_mutex_lock(&registry->lock);
    live->serving++;
    skip_given_up(live);
    /* Waiters are rare: a client that waits for its answers never queues behind itself. */
    if (live->serving != live->next_ticket)
        pthread_cond_broadcast(&registry->turn);
    pthread_mutex_unlock(&registry->lock);
}

void registry_give_up(struct registry *registry, struct live *live, uint64_t ticket) {
    struct given_up *one = malloc(sizeof *one);

    if (!one) {
        registry_enter(registry, live, ticket);
        registry_leave(registry, live);
        return;
    }
    pthread_mutex_lock(&registry->lock);
    *one = (struct given_up){.next = live->given_up, .ticket = ticket};
    live->given_up = one;
    skip_given_up(live);
    pthread_cond_broadcast(&registry->turn);
    pthread_mutex_unlock(&registry->lock);
}
