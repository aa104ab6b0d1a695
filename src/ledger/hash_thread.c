#include "ledger/hash_thread.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/thread.h"

struct lane {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t given, taken;
    struct hasher *hasher;
    const void *data; /* NULL: nothing to do */
    size_t len;
    bool stop;
    int result;
};

static void *lane_main(void *arg) {
    struct lane *lane = arg;
    pthread_mutex_lock(&lane->lock);
    for (;;) {
        while (!lane->data && !lane->stop)
            pthread_cond_wait(&lane->given, &lane->lock);
        if (!lane->data)
            break;
        pthread_mutex_unlock(&lane->lock);
        int r = hasher_add(lane->hasher, lane->data, lane->len);
        pthread_mutex_lock(&lane->lock);
        if (r < 0)
            lane->result = r;
        lane->data = NULL;
        pthread_cond_signal(&lane->taken);
    }
    pthread_mutex_unlock(&lane->lock);
    return NULL;
}

struct lane *lane_new(struct hasher *hasher) {
    struct lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return NULL;
    lane->hasher = hasher;
    pthread_mutex_init(&lane->lock, NULL);
    pthread_cond_init(&lane->given, NULL);
    pthread_cond_init(&lane->taken, NULL);
    if (thread_start(&lane->thread, lane_main, lane) == 0)
        return lane;
    free(lane);
    return NULL;
}

void lane_give(struct lane *lane, const void *data, size_t len) {
    pthread_mutex_lock(&lane->lock);
    lane->data = data;
    lane->len = len;
    pthread_cond_signal(&lane->given);
    pthread_mutex_unlock(&lane->lock);
}

int lane_wait(struct lane *lane) {
    pthread_mutex_lock(&lane->lock);
    while (lane->data)
        pthread_cond_wait(&lane->taken, &lane->lock);
    int r = lane->result;
    pthread_mutex_unlock(&lane->lock);
    return r;
}

void lane_free(struct lane *lane) {
    if (!lane)
        return;
    pthread_mutex_lock(&lane->lock);
    lane->stop = true;
    pthread_cond_signal(&lane->given);
    pthread_mutex_unlock(&lane->lock);
    pthread_join(lane->thread, NULL);
    pthread_mutex_destroy(&lane->lock);
    pthread_cond_destroy(&lane->given);
    pthread_cond_destroy(&lane->taken);
    free(lane);
}
