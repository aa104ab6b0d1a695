#include "ledger/hash_thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/thread.h"

struct hash_thread {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t given, taken;
    struct hasher *hasher;
    const void *data; /* NULL: nothing to do */
    size_t len;
    bool stop;
    int result;
};

static void *hash_thread_main(void *arg) {
    struct hash_thread *t = arg;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (!t->data && !t->stop)
            pthread_cond_wait(&t->given, &t->lock);
        if (!t->data)
            break;
        pthread_mutex_unlock(&t->lock);
        int r = hasher_add(t->hasher, t->data, t->len);
        pthread_mutex_lock(&t->lock);
        if (r < 0)
            t->result = r;
        t->data = NULL;
        pthread_cond_signal(&t->taken);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

struct hash_thread *hash_thread_new(struct hasher *hasher) {
    struct hash_thread *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->hasher = hasher;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->given, NULL);
    pthread_cond_init(&t->taken, NULL);
    if (thread_start(&t->thread, hash_thread_main, t) == 0)
        return t;
    free(t);
    return NULL;
}

void hash_thread_give(struct hash_thread *t, const void *data, size_t len) {
    pthread_mutex_lock(&t->lock);
    t->data = data;
    t->len = len;
    pthread_cond_signal(&t->given);
    pthread_mutex_unlock(&t->lock);
}

int hash_thread_wait(struct hash_thread *t) {
    pthread_mutex_lock(&t->lock);
    while (t->data)
        pthread_cond_wait(&t->taken, &t->lock);
    int r = t->result;
    pthread_mutex_unlock(&t->lock);
    return r;
}

void hash_thread_free(struct hash_thread *t) {
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->stop = true;
    pthread_cond_signal(&t->given);
    pthread_mutex_unlock(&t->lock);
    pthread_join(t->thread, NULL);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->given);
    pthread_cond_destroy(&t->taken);
    free(t);
}
