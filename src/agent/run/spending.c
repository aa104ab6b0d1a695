#include "agent/run/spending.h"

#include "agent/run/agent.h"
#include "base/io.h"

#include <errno.h>
#include <stdio.h>

void spending_init(struct spending *s) {
    *s = (struct spending){.started = now_ns(), .sharers = 1};
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->ended, NULL);
}

void spending_done(struct spending *s) {
    pthread_cond_destroy(&s->ended);
    pthread_mutex_destroy(&s->lock);
}

void spending_tokens_add(struct spending *s, unsigned long long prompt,
                         unsigned long long completion) {
    pthread_mutex_lock(&s->lock);
    s->prompt += prompt;
    s->completion += completion;
    pthread_mutex_unlock(&s->lock);
}

static bool is_price(const json_t *price) {
    const json_t *in = json_object_get(price, "input"), *out = json_object_get(price, "output");
    return json_is_number(in) && json_is_number(out) && json_number_value(in) >= 0 &&
           json_number_value(out) >= 0;
}

bool spending_priced(const json_t *prices, const char *const *models, const char **ret_without) {
    *ret_without = models[0] ? NULL : "";
    for (; *models && !*ret_without; models++)
        if (!is_price(json_object_get(prices, *models)))
            *ret_without = *models;
    return !*ret_without;
}

double spending_cost_add(struct spending *s, const json_t *prices, const char *model,
                         unsigned long long prompt, unsigned long long completion) {
    const json_t *price = model ? json_object_get(prices, model) : NULL;
    double cost = ((double)prompt * json_number_value(json_object_get(price, "input")) +
                   (double)completion * json_number_value(json_object_get(price, "output"))) /
                  1e6;
    pthread_mutex_lock(&s->lock);
    s->cost += cost;
    pthread_mutex_unlock(&s->lock);
    return cost;
}

void spending_cpu_add(struct spending *s, double cpu) {
    pthread_mutex_lock(&s->lock);
    s->cpu += cpu;
    pthread_mutex_unlock(&s->lock);
}

/* --- questions of code --- */

static int spending_breach(struct spending *s, const struct agent_budgets *b) {
    if (s->calls >= b->calls)
        snprintf(s->breached, sizeof s->breached, "calls (%u)", b->calls);
    else if (b->tokens && s->prompt + s->completion >= b->tokens)
        snprintf(s->breached, sizeof s->breached, "tokens (%llu)", b->tokens);
    else if (b->wall > 0 && spending_wall(s) >= b->wall)
        snprintf(s->breached, sizeof s->breached, "time (%g s)", b->wall);
    else
        return 0;
    return -EDQUOT;
}

int spending_begin(struct spending *s, const struct agent_budgets *limits, char *why, size_t size) {
    pthread_mutex_lock(&s->lock);
    int r = spending_breach(s, limits);
    while (r == 0 && s->in_flight >= limits->concurrency) {
        pthread_cond_wait(&s->ended, &s->lock);
        r = spending_breach(s, limits);
    }
    if (r == 0) {
        s->calls++;
        s->in_flight++;
    } else {
        snprintf(why, size, "the limit of %s is reached", s->breached);
    }
    pthread_mutex_unlock(&s->lock);
    return r;
}

void spending_end(struct spending *s, unsigned long long prompt, unsigned long long completion) {
    pthread_mutex_lock(&s->lock);
    s->prompt += prompt;
    s->completion += completion;
    s->in_flight--;
    pthread_cond_broadcast(&s->ended);
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
    unsigned long long tokens = s->prompt + s->completion;
    pthread_mutex_unlock(&s->lock);
    return tokens;
}

unsigned long long spending_part(struct spending *s, unsigned long long limit) {
    pthread_mutex_lock(&s->lock);
    unsigned long long used = s->prompt + s->completion;
    unsigned sharers = s->sharers > s->in_flight ? s->sharers : s->in_flight;
    unsigned long long left = limit > used ? (limit - used) / sharers : 1;
    pthread_mutex_unlock(&s->lock);
    return left ? left : 1;
}
