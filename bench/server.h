/* What the measuring programs have in common: they read one request a line from standard input and
 * answer each with one line, so that bench/run can let them take turns with the alternatives.
 *
 * An answer is a list of numbers, in milliseconds unless the request says otherwise, or "error:
 * ...".
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REQUEST_WORDS 8

static inline double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static inline void pause_us(long us) {
    struct timespec t = {us / 1000000, us % 1000000 * 1000};
    if (us > 0)
        nanosleep(&t, NULL);
}

struct request {
    const char *name;
    void (*answer)(char **words); /* prints numbers; words[0] is the name, the rest is never NULL */
};

static inline double sample(double ms) {
    printf(" %.5f", ms);
    return ms;
}

static inline int split(char *line, char **words) {
    static char empty[] = "";
    char *rest;
    int n = 0;
    for (int i = 0; i <= REQUEST_WORDS; i++)
        words[i] = empty;
    for (char *w = strtok_r(line, " \n", &rest); w && n < REQUEST_WORDS;
         w = strtok_r(NULL, " \n", &rest))
        words[n++] = w;
    return n;
}

static inline int serve_requests(const struct request *table, size_t count) {
    char line[8192], *words[REQUEST_WORDS + 1];
    while (fgets(line, sizeof line, stdin)) {
        size_t i = 0;
        if (!split(line, words))
            continue;
        while (i < count && strcmp(table[i].name, words[0]) != 0)
            i++;
        if (i < count)
            table[i].answer(words);
        else
            printf("error: no measure %s", words[0]);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}

static inline long number(const char *word, long otherwise) {
    return *word ? strtol(word, NULL, 10) : otherwise;
}
