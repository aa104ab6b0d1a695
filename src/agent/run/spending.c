#include "agent/run/spending.h"

#include "base/io.h"

void spending_init(struct spending *s) {
    *s = (struct spending){.started = now_ns(), .sharers = 1};
    pthread_mutex_init(&s->lock, NULL);
}

void spending_done(struct spending *s) {
    pthread_mutex_destroy(&s->lock);
}

void spending_add(struct spending *s, unsigned long long tokens, double cpu) {
    pthread_mutex_lock(&s->lock);
    s->tokens += tokens;
    s->cpu += cpu;
    pthread_mutex_unlock(&s->lock);
}

void spending_share(struct spending *s, unsigned sharers) {
    pthread_mutex_lock(&s->lock);
    s->sharers = sharers ? sharers : 1;
    pthread_mutex_unlock(&s->lock);
}

double spending_wall(const struct spending *s) {
    return (double)(now_ns() - s->started) / 1e9;
}

double spending_cpu(struct spending *s) {
    pthread_mutex_lock(&s->lock);
    double cpu = s->cpu;
    pthread_mutex_unlock(&s->lock);
    return cpu;
}

unsigned long long spending_tokens(struct spending *s) {
    pthread_mutex_lock(&s->lock);
    unsigned long long tokens = s->tokens;
    pthread_mutex_unlock(&s->lock);
    return tokens;
}

unsigned long long spending_part(struct spending *s, unsigned long long limit) {
    pthread_mutex_lock(&s->lock);
    unsigned long long left = limit > s->tokens ? (limit - s->tokens) / s->sharers : 1;
    pthread_mutex_unlock(&s->lock);
    return left ? left : 1;
}
