/* replay FILE [ITEMS]: judges the answers of recorded scenarios, without running anything.
 *
 * Each line of FILE is {"question", "cells": [{"code", "result"}], "answers": [text]}. Prints a line
 * for each: a list of the numbers of each answer, with verdicts and features. */
#include "agent/ground/decide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *items, *steps;
bool decide_is_watched;
static unsigned scenario, answer;
static bool is_true; /* nothing in the answer is wrong */

#ifdef TALLY_TERMS
#define SAMPLE 80
#define MOST_HITS 400

/* What was combined for one claim: all that fits, and some of what does not. */
static struct {
    float hit[MOST_HITS][COMBINE_TERMS], miss[SAMPLE][COMBINE_TERMS];
    size_t hits, misses;
} seen;

void combine_watch(const struct combination *c, bool match) {
    size_t at = match ? seen.hits++ : seen.misses++, most = match ? MOST_HITS : SAMPLE;
    if (!match && at >= SAMPLE)
        at = (size_t)rand() % (at + 1);
    if (at < most)
        memcpy(match ? seen.hit[at] : seen.miss[at], c->tally.term, sizeof seen.hit[0]);
}

static void put_steps(const struct decision *d) {
    size_t hits = seen.hits < MOST_HITS ? seen.hits : MOST_HITS;
    size_t n = seen.misses < SAMPLE ? seen.misses : SAMPLE;
    if (steps && is_true && d->searched && hits && n) {
        int32_t head[6] = {(int32_t)scenario, (int32_t)answer, (int32_t)d->g->claim.start,
                           (int32_t)hits,     (int32_t)n,      (int32_t)seen.misses};
        fwrite(head, sizeof head, 1, steps);
        fwrite(seen.hit, sizeof seen.hit[0], hits, steps);
        fwrite(seen.miss, sizeof seen.miss[0], n, steps);
    }
    seen.hits = seen.misses = 0;
}

static void put_terms(const struct decision *d, const struct weigh_told *told) {
    for (size_t k = 0; k < d->count && is_true; k++) {
        struct tally t = weigh_item(d->j, d->n, told, d->list[k].item);
        float match = d->list[k].match;
        fwrite(t.term, sizeof *t.term, ITEM_TERMS, items);
        fwrite(&match, sizeof match, 1, items);
    }
    put_steps(d);
}
#else
void combine_watch(const struct combination *c, bool match) {
    (void)c, (void)match;
}

static void put_terms(const struct decision *d, const struct weigh_told *told) {
    (void)d, (void)told;
}
#endif

void decide_watch(const struct decision *d, const struct weigh_told *told) {
    int32_t head[6] = {(int32_t)scenario,
                       (int32_t)answer,
                       (int32_t)d->g->claim.start,
                       (int32_t)(d->g->claim.start + d->g->claim.len),
                       is_true ? (int32_t)d->count : 0,
                       d->searched};
    if (!items)
        return;
    fwrite(head, sizeof head, 1, items);
    fwrite(d->f, sizeof d->f, 1, items);
    put_terms(d, told);
}

static json_t *judge_one(struct evidence *e, const char *text) {
    struct ground_report report;
    if (ground_answer(e, text, NULL, &report) < 0)
        abort();
    json_t *numbers = ground_json(&report, e, text);
    ground_done(&report);
    return numbers;
}

static void judge_scenario(const json_t *s) {
    struct evidence e;
    evidence_init(&e);
    size_t k;
    const json_t *cell, *text;
    json_array_foreach(json_object_get(s, "cells"), k, cell) evidence_result(
        &e, json_string_value(json_object_get(cell, "code")), json_object_get(cell, "result"));
    const char *question = json_string_value(json_object_get(s, "question"));
    json_t *out = json_array();
    json_array_foreach(json_object_get(s, "answers"), k, text) {
        answer = (unsigned)k;
        is_true = json_is_true(json_array_get(json_object_get(s, "true"), k));
        struct evidence_mark mark = evidence_mark(&e);
        if (question)
            evidence_question(&e, question);
        json_array_append_new(out, judge_one(&e, json_string_value(text)));
        evidence_take_back(&e, &mark);
    }
    json_dumpf(out, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(out);
    evidence_done(&e);
}

int main(int argc, char **argv) {
    if (argc < 2)
        return printf("{\"items\": %d, \"steps\": %d, \"features\": %d}\n", ITEM_TERMS,
                      COMBINE_TERMS, FEATURES) < 0;
    FILE *f = fopen(argv[1], "r");
    items = argc > 2 ? fopen(argv[2], "w") : NULL;
    decide_is_watched = items != NULL;
    steps = argc > 3 ? fopen(argv[3], "w") : NULL;
    char *line = NULL;
    size_t room = 0;
    while (f && getline(&line, &room, f) > 0) {
        json_t *s = json_loads(line, 0, NULL);
        judge_scenario(s);
        json_decref(s);
        scenario++;
    }
    free(line);
    if (items)
        fclose(items);
    if (steps)
        fclose(steps);
    return !f;
}
