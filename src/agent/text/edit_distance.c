#include "agent/text/edit_distance.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void similar_start(struct similar *s, const char *wanted) {
    *s = (struct similar){.distance = strlen(wanted) / 3 + 1};
    snprintf(s->wanted, sizeof s->wanted, "%.63s", wanted);
}

static size_t distance_least(size_t a, size_t b, size_t c) {
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Insertions, deletions, changes; case does not count. */
static size_t distance(const char *a, const char *b) {
    size_t row[64], n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t corner = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t old = row[j];
            size_t change = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            row[j] = distance_least(old + 1, row[j - 1] + 1, corner + change);
            corner = old;
        }
    }
    return row[n];
}

void similar_try(struct similar *s, const char *name) {
    if (strlen(name) >= sizeof s->best)
        return;
    size_t d = distance(s->wanted, name);
    if (d < s->distance || (d == s->distance && !s->best[0])) {
        s->distance = d;
        snprintf(s->best, sizeof s->best, "%s", name);
    }
}
