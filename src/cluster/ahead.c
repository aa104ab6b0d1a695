/* Entries that are on their way while what they announce runs: a cell waits for its first entry at its end, or before it does
 * anything that others see. */
#include <errno.h>

#include "base/thread.h"
#include "cluster/node.h"

#define MOST_THREADS 32

static void *ahead_main(void *user) {
    struct cluster *c = user;
    struct ahead *a = &c->ahead;
    pthread_mutex_lock(&c->lock);
    while (a->first || !a->ending) {
        struct outgoing *one = a->first;
        if (!one) {
            a->idle++;
            pthread_cond_wait(&a->wanted, &c->lock);
            a->idle--;
            continue;
        }
        a->first = one->next;
        a->waiting--;
        pthread_mutex_unlock(&c->lock);
        places_append_held(c, one->held, &one->record, NULL);
        outgoing_free(one);
        pthread_mutex_lock(&c->lock);
    }
    a->threads--;
    pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* With the lock: whether there is, or will be, a thread that takes one more. */
static bool ahead_has_room(struct cluster *c) {
    struct ahead *a = &c->ahead;
    pthread_t thread;
    if (a->ending)
        return false;
    if (a->waiting < a->idle)
        return true;
    if (a->threads == MOST_THREADS || thread_start(&thread, ahead_main, c) < 0)
        return false;
    pthread_detach(thread);
    a->threads++;
    return true;
}

int ahead_begin(void *user, struct outgoing *entry) {
    struct cluster *c = user;
    struct ahead *a = &c->ahead;
    struct outgoing **end = &a->first;
    pthread_mutex_lock(&c->lock);
    entry->held = ahead_has_room(c) ? places_hold(c, entry->record.session) : NULL;
    if (entry->held) {
        entry->next = NULL;
        while (*end)
            end = &(*end)->next;
        *end = entry;
        a->waiting++;
        pthread_cond_signal(&a->wanted);
    }
    pthread_mutex_unlock(&c->lock);
    return entry->held ? 0 : -EBUSY;
}

void ahead_end(struct cluster *c) {
    pthread_mutex_lock(&c->lock);
    c->ahead.ending = true;
    pthread_cond_broadcast(&c->ahead.wanted);
    while (c->ahead.threads)
        pthread_cond_wait(&c->change, &c->lock);
    pthread_mutex_unlock(&c->lock);
}
