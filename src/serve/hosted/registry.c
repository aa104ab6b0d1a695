#include "serve/hosted/registry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/maxima.h"
#include "base/thread.h"
#include "base/tiny.h"
#include "serve/hosted/fault.h"
#include "skills/skillset.h"

#define BUCKETS TINY(1024, 2)

struct given_up {
    struct given_up *next;
    uint64_t ticket;
};

struct registry {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    struct hosted *buckets[BUCKETS];
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

static void live_free(struct hosted *hosted) {
    retort_session_close(hosted->session);
    pthread_mutex_destroy(&hosted->lock);
    skillset_unref(hosted->skills);
    free(hosted->tools);
    json_decref(hosted->approvals);
    free(hosted);
}

void registry_free(struct registry *registry) {
    if (!registry)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct hosted *hosted = registry->buckets[i], *next; hosted; hosted = next) {
            next = hosted->next;
            live_free(hosted);
        }
    pthread_cond_destroy(&registry->turn);
    pthread_mutex_destroy(&registry->lock);
    free(registry);
}

static size_t count_owned(struct registry *registry, const char *owner) {
    size_t n = 0;

    for (size_t i = 0; i < BUCKETS; i++)
        for (struct hosted *hosted = registry->buckets[i]; hosted; hosted = hosted->next)
            n += !owner || strcmp(hosted->owner, owner) == 0;
    return n;
}

static struct hosted *live_new(const char *owner, struct retort_session *session) {
    struct hosted *hosted = calloc(1, sizeof *hosted);

    if (!hosted)
        return NULL;
    pthread_mutex_init(&hosted->lock, NULL);
    hosted->session = session;
    hosted->refs = 2; /* one for the table, one for the caller */
    snprintf(hosted->id, sizeof hosted->id, "%s", retort_session_id(session));
    snprintf(hosted->owner, sizeof hosted->owner, "%s", owner);
    return hosted;
}

int registry_add(struct registry *registry, const char *owner, unsigned max,
                 struct retort_session *session, struct hosted **ret_hosted,
                 struct retort_error *error) {
    struct hosted *hosted = live_new(owner, session);
    struct hosted **bucket;

    if (!hosted)
        return err_memory(error);
    pthread_mutex_lock(&registry->lock);
    if (max && count_owned(registry, owner) >= max) {
        pthread_mutex_unlock(&registry->lock);
        hosted->session = NULL;
        live_free(hosted);
        return err_set(error, ERR_LIMIT, EBUSY, "this token may have at most %u sessions", max);
    }
    bucket = &registry->buckets[bucket_of(hosted->id)];
    hosted->next = *bucket;
    *bucket = hosted;
    registry->count++;
    pthread_mutex_unlock(&registry->lock);
    *ret_hosted = hosted;
    return 0;
}

struct hosted *registry_get(struct registry *registry, const char *owner, const char *id) {
    struct hosted *hosted;

    pthread_mutex_lock(&registry->lock);
    for (hosted = registry->buckets[bucket_of(id)]; hosted; hosted = hosted->next)
        if (strcmp(hosted->id, id) == 0 && (!owner || strcmp(hosted->owner, owner) == 0)) {
            hosted->refs++;
            break;
        }
    pthread_mutex_unlock(&registry->lock);
    return hosted;
}

bool registry_remove(struct registry *registry, struct hosted *hosted) {
    struct hosted **at;
    bool removed;

    pthread_mutex_lock(&registry->lock);
    removed = !hosted->removed;
    if (removed) {
        for (at = &registry->buckets[bucket_of(hosted->id)]; *at != hosted; at = &(*at)->next)
            ;
        *at = hosted->next;
        hosted->removed = true;
        hosted->refs--;
        registry->count--;
    }
    pthread_mutex_unlock(&registry->lock);
    return removed;
}

void registry_unref(struct registry *registry, struct hosted *hosted) {
    if (hosted && last_reference(&registry->lock, &hosted->refs))
        live_free(hosted);
}

bool hosted_interrupted(struct hosted *hosted) {
    bool interrupted;

    pthread_mutex_lock(&hosted->lock);
    interrupted = hosted->interrupted;
    pthread_mutex_unlock(&hosted->lock);
    return interrupted;
}

size_t registry_list(struct registry *registry, const char *owner, struct hosted ***ret_list) {
    size_t n = 0;
    struct hosted **list;

    pthread_mutex_lock(&registry->lock);
    list = calloc(registry->count + 1, sizeof *list);
    for (size_t i = 0; list && i < BUCKETS; i++)
        for (struct hosted *hosted = registry->buckets[i]; hosted; hosted = hosted->next)
            if (!owner || strcmp(hosted->owner, owner) == 0) {
                hosted->refs++;
                list[n++] = hosted;
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

uint64_t registry_ticket(struct registry *registry, struct hosted *hosted) {
    uint64_t ticket;

    pthread_mutex_lock(&registry->lock);
    ticket = hosted->next_ticket++;
    pthread_mutex_unlock(&registry->lock);
    return ticket;
}

void registry_enter(struct registry *registry, struct hosted *hosted, uint64_t ticket) {
    pthread_mutex_lock(&registry->lock);
    while (hosted->serving != ticket)
        pthread_cond_wait(&registry->turn, &registry->lock);
    pthread_mutex_unlock(&registry->lock);
}

bool registry_enter_within(struct registry *registry, struct hosted *hosted, uint64_t ticket,
                           unsigned seconds) {
    struct timespec until;
    bool entered;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&registry->lock);
    while (hosted->serving != ticket &&
           pthread_cond_clockwait(&registry->turn, &registry->lock, CLOCK_MONOTONIC, &until) !=
               ETIMEDOUT)
        ;
    entered = hosted->serving == ticket;
    pthread_mutex_unlock(&registry->lock);
    return entered;
}

bool registry_try_enter(struct registry *registry, struct hosted *hosted) {
    bool entered;

    pthread_mutex_lock(&registry->lock);
    entered = hosted->serving == hosted->next_ticket;
    if (entered)
        hosted->next_ticket++;
    pthread_mutex_unlock(&registry->lock);
    return entered;
}

/* Moves on past the tickets that were given up. */
static void skip_given_up(struct hosted *hosted) {
    struct given_up **at = &hosted->given_up;

    while (*at) {
        struct given_up *one = *at;

        if (one->ticket != hosted->serving) {
            at = &one->next;
            continue;
        }
        hosted->serving++;
        *at = one->next;
        free(one);
        at = &hosted->given_up;
    }
}

void registry_leave(struct registry *registry, struct hosted *hosted) {
    pthread_mutex_lock(&registry->lock);
    hosted->serving++;
    skip_given_up(hosted);
    /* Waiters are rare: a client that waits for its answers never queues behind itself. */
    if (hosted->serving != hosted->next_ticket)
        pthread_cond_broadcast(&registry->turn);
    pthread_mutex_unlock(&registry->lock);
}

void registry_give_up(struct registry *registry, struct hosted *hosted, uint64_t ticket) {
    struct given_up *one = malloc(sizeof *one);

    if (!one) {
        registry_enter(registry, hosted, ticket);
        registry_leave(registry, hosted);
        return;
    }
    pthread_mutex_lock(&registry->lock);
    *one = (struct given_up){.next = hosted->given_up, .ticket = ticket};
    hosted->given_up = one;
    skip_given_up(hosted);
    pthread_cond_broadcast(&registry->turn);
    pthread_mutex_unlock(&registry->lock);
}
