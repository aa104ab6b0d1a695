#include "engine/host/limits.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define TIB (1ull << 40)
#define LONGEST (365.0 * 86400)

const struct limits limits_default = {
#define LIMIT_TIME(name, per, usual, ...) .name##_ms = usual * 1000ull,
#define LIMIT_SIZE(name, per, unit, usual, ...) .name = usual,
#define LIMIT_COUNT(name, per, usual, ...) .name = usual,
#include "base/limits.def"
};

#define AT(name) offsetof(struct retort_limits, name)
const struct limit limit_table[] = {
#define LIMIT_TIME(name, per, usual, ...) \
    {#name, LIMIT_SECONDS, AT(name), 1, usual, 0.001, LONGEST},
#define LIMIT_SIZE(name, per, unit, usual, least, most, ...) \
    {#name, LIMIT_BYTES, AT(name), unit, usual, least, most},
#define LIMIT_COUNT(name, per, usual, least, most, ...) \
    {#name, LIMIT_NUMBER, AT(name), 1, usual, least, most},
#include "base/limits.def"
    {.name = NULL},
};

/* --- one limit --- */

const struct limit *limit_named(const char *name) {
    const struct limit *l = limit_table;
    while (l->name && strcmp(l->name, name) != 0)
        l++;
    return l->name ? l : NULL;
}

double limit_get(const struct retort_limits *limits, const struct limit *l) {
    const void *p = (const char *)limits + l->at;
    double seconds = 0;
    uint64_t bytes = 0;
    uint32_t number = 0;
    switch (l->kind) {
    case LIMIT_SECONDS: memcpy(&seconds, p, sizeof seconds); return seconds;
    case LIMIT_BYTES: memcpy(&bytes, p, sizeof bytes); return (double)bytes;
    case LIMIT_NUMBER: memcpy(&number, p, sizeof number); break;
    }
    return number;
}

/* A number too large for its field becomes the largest that fits, which limits_fill refuses. */
void limit_set(struct retort_limits *limits, const struct limit *l, double value) {
    void *p = (char *)limits + l->at;
    uint64_t bytes = value >= 0 && value < 0x1p63 ? (uint64_t)value : UINT64_MAX;
    uint32_t number = bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
    switch (l->kind) {
    case LIMIT_SECONDS: memcpy(p, &value, sizeof value); break;
    case LIMIT_BYTES: memcpy(p, &bytes, sizeof bytes); break;
    case LIMIT_NUMBER: memcpy(p, &number, sizeof number); break;
    }
}

/* "16 MiB", "0.001", "64": in whole units, as people and options write them. */
static const char *limit_text(const struct limit *l, double v, char to[32]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t u = 0;
    for (; l->kind == LIMIT_BYTES && v >= 1024 && fmod(v, 1024) == 0 && u < 4; u++)
        v /= 1024;
    snprintf(to, 32, "%.10g%s%s", v, l->kind == LIMIT_BYTES ? " " : "",
             l->kind == LIMIT_BYTES ? units[u] : "");
    return to;
}

/* 0 stands for the default, infinite seconds for the most that is allowed. */
static int limit_check(const struct limit *l, double given, struct retort_error *err) {
    char least[32], most[32];
    if (given == 0 || (given >= l->least && given <= l->most) || (isinf(given) && given > 0))
        return 0;
    return err_set(err, ERR_CALLER, EINVAL, "limit %s must be between %s and %s%s", l->name,
                   limit_text(l, l->least, least), limit_text(l, l->most, most),
                   l->kind == LIMIT_SECONDS ? " seconds" : "");
}

/* --- all of them --- */

int options_known(const void *reserved, size_t size, struct retort_error *err) {
    for (size_t i = 0; i < size; i++)
        if (((const char *)reserved)[i])
            return err_set(err, ERR_CALLER, EINVAL,
                           "the program sets options that this version of the library does not "
                           "know, or did not set its structures to zero");
    return 0;
}

static uint64_t milliseconds(double given, uint64_t otherwise) {
    return given == 0 ? otherwise : (uint64_t)ceil(fmin(given, LONGEST) * 1000);
}

int limits_fill(const struct retort_limits *g, const struct limits *d, struct limits *ret,
                struct retort_error *err) {
    int r = OPTIONS_KNOWN(g, err);
    for (const struct limit *l = limit_table; r == 0 && l->name; l++)
        r = limit_check(l, limit_get(g, l), err);
    if (r < 0)
        return r;
    *ret = (struct limits){
#define LIMIT_TIME(name, ...) .name##_ms = milliseconds(g->name, d->name##_ms),
#define LIMIT_SIZE(name, ...) .name = g->name ? g->name : d->name,
#define LIMIT_COUNT LIMIT_SIZE
#include "base/limits.def"
    };
    return 0;
}

json_t *limits_json(const struct limits *l) {
    json_t *o = json_object();
#define LIMIT_TIME(name, ...) json_object_set_new(o, #name, json_real((double)l->name##_ms / 1000));
#define LIMIT_SIZE(name, ...) json_object_set_new(o, #name, json_integer((json_int_t)l->name));
#define LIMIT_COUNT LIMIT_SIZE
#include "base/limits.def"
    return o;
}

struct retort_limits limits_again(const struct limits *had) {
    return (struct retort_limits){.timeout = fmin((double)had->timeout_ms / 500, LONGEST),
                                  .cpu = fmin((double)had->cpu_ms / 500, LONGEST),
                                  .output = had->output,
                                  .output_stored = had->output_stored};
}

struct retort_limits limits_recorded(const json_t *o) {
    struct retort_limits limits = {0};
    for (const struct limit *l = limit_table; l->name; l++)
        limit_set(&limits, l, json_number_value(json_object_get(o, l->name)));
    return limits;
}

/* --- as clients and files give them --- */

static double in_bytes(const struct limit *l, double given) {
    double largest = l->unit == KIB ? 1u << 16 : 1u << 20;
    return l->kind == LIMIT_BYTES && given < largest ? given * l->unit : given;
}

void limits_from_json(const json_t *object, struct retort_limits *ret) {
    *ret = (struct retort_limits){0};
    for (const struct limit *l = limit_table; l->name; l++)
        limit_set(ret, l, in_bytes(l, json_number_value(json_object_get(object, l->name))));
}

/* Who asks for the most that is allowed gets what the files allow. */
void limits_merge(struct retort_limits *to, const struct retort_limits *from) {
    for (const struct limit *l = limit_table; l->name; l++) {
        double has = limit_get(to, l), other = limit_get(from, l);
        if (has == 0 || (other != 0 && isinf(has)))
            limit_set(to, l, other);
    }
}
