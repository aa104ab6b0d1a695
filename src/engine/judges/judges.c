#include "engine/judges/judges.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

void judges_init(struct judges *j) {
    pthread_mutex_init(&j->lock, NULL);
}

static void code_judge_free(struct code_judge *judge) {
    judge->end(judge->reviewer);
    free(judge->key);
    free(judge);
}

void judges_end(struct judges *j) {
    for (struct code_judge *judge = j->first; judge; judge = judge->next) {
        judge->end(judge->reviewer);
        judge->reviewer = NULL;
    }
}

void judges_done(struct judges *j) {
    pthread_mutex_destroy(&j->lock);
}

struct code_judge *judges_find(struct judges *j, const char *key) {
    struct code_judge *judge;
    pthread_mutex_lock(&j->lock);
    for (judge = j->first; judge && strcmp(judge->key, key) != 0;)
        judge = judge->next;
    if (judge)
        judge->refs++;
    pthread_mutex_unlock(&j->lock);
    return judge;
}

void judges_add(struct judges *j, struct code_judge *judge) {
    judge->refs = 1;
    pthread_mutex_lock(&j->lock);
    judge->next = j->first;
    j->first = judge;
    pthread_mutex_unlock(&j->lock);
}

void judges_leave(struct judges *j, struct code_judge *judge) {
    bool last = false;
    if (!judge)
        return;
    pthread_mutex_lock(&j->lock);
    last = --judge->refs == 0;
    if (last)
        LIST_DROP(j->first, judge, next);
    pthread_mutex_unlock(&j->lock);
    if (last)
        code_judge_free(judge);
}
