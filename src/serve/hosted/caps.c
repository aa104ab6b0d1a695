#include "serve/hosted/caps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/host/limits.h"
#include "serve/hosted/fault.h"

static const char *caps_show(const struct limit *l, double value, char to[40]) {
    if (l->kind == LIMIT_BYTES)
        snprintf(to, 40, "%.10g %s", value / l->unit, l->unit == 1024 ? "KiB" : "MiB");
    else
        snprintf(to, 40, "%.10g%s", value, l->kind == LIMIT_SECONDS ? " s" : "");
    return to;
}

static int caps_refuse(const struct limit *l, double asked, double cap,
                       struct retort_error *error) {
    char a[40], c[40];
    return err_set(error, ERR_CALLER, EINVAL,
                   "limit %s: %s asked for, cap %s (limits of the server)", l->name,
                   caps_show(l, asked, a), caps_show(l, cap, c));
}

int caps_cell(const struct retort_limits *caps, const struct retort_limits *asked,
              struct retort_error *error) {
    for (const struct limit *l = limit_table; l->name; l++)
        if (limit_get(caps, l) > 0 && limit_get(asked, l) > limit_get(caps, l))
            return caps_refuse(l, limit_get(asked, l), limit_get(caps, l), error);
    return 0;
}

void caps_replace(struct retort_limits *caps, const struct retort_limits *by) {
    for (const struct limit *l = limit_table; l->name; l++)
        if (limit_get(by, l) > 0)
            limit_set(caps, l, limit_get(by, l));
}

static double caps_least(double a, double b) {
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

int caps_session(const struct retort_limits *own, const struct retort_limits *usual,
                 struct retort_limits *caps, struct retort_limits *asked,
                 struct retort_error *error) {
    for (const struct limit *l = limit_table; l->name; l++)
        limit_set(caps, l, caps_least(limit_get(own, l), limit_get(caps, l)));
    int r = caps_cell(caps, asked, error);
    for (const struct limit *l = limit_table; r == 0 && l->name; l++)
        if (limit_get(caps, l) > 0 && limit_get(asked, l) == 0)
            limit_set(asked, l,
                      caps_least(limit_get(usual, l) > 0 ? limit_get(usual, l) : l->usual,
                                 limit_get(caps, l)));
    return r;
}

int caps_word(const char *word, struct retort_limits *caps) {
    size_t name = strcspn(word, "=");
    char *end;
    double value = word[name] ? strtod(word + name + 1, &end) : 0;
    for (const struct limit *l = limit_table; l->name; l++)
        if (strlen(l->name) == name && strncmp(l->name, word, name) == 0) {
            if (!(value > 0 && value < 1e9) || *end)
                return -EINVAL;
            limit_set(caps, l, l->kind == LIMIT_BYTES ? value * l->unit : value);
            return limit_get(caps, l) > 0 ? 0 : -EINVAL;
        }
    return -EINVAL;
}
