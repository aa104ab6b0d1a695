#include "serve/hosted/caps.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/hosted/fault.h"

#define MIB 1048576.0

enum kind { SECONDS, BYTES, COUNT };

static const struct limit {
    const char *name;
    enum kind kind;
    size_t at;
    double usual; /* where nobody says anything */
} all[] = {{"timeout", SECONDS, offsetof(struct retort_limits, timeout), 30},
           {"cpu", SECONDS, offsetof(struct retort_limits, cpu), 60},
           {"idle", SECONDS, offsetof(struct retort_limits, idle), 1800},
           {"memory", BYTES, offsetof(struct retort_limits, memory), 512 * MIB},
           {"disk", BYTES, offsetof(struct retort_limits, disk), 256 * MIB},
           {"output", BYTES, offsetof(struct retort_limits, output), 64 << 10},
           {"output_stored", BYTES, offsetof(struct retort_limits, output_stored), 64 * MIB},
           {"inodes", COUNT, offsetof(struct retort_limits, inodes), 16384},
           {"pids", COUNT, offsetof(struct retort_limits, pids), 64},
           {"open_files", COUNT, offsetof(struct retort_limits, open_files), 1024}};

#define LIMITS (sizeof all / sizeof *all)

static double caps_get(const struct retort_limits *limits, const struct limit *l) {
    const void *p = (const char *)limits + l->at;
    double seconds = 0;
    uint64_t bytes = 0;
    uint32_t count = 0;
    if (l->kind == SECONDS)
        memcpy(&seconds, p, sizeof seconds);
    else if (l->kind == BYTES)
        memcpy(&bytes, p, sizeof bytes);
    else
        memcpy(&count, p, sizeof count);
    return seconds + (double)bytes + count;
}

static void set(struct retort_limits *limits, const struct limit *l, double value) {
    void *p = (char *)limits + l->at;
    uint64_t bytes = l->kind == BYTES ? (uint64_t)value : 0;
    uint32_t count = l->kind == COUNT ? (uint32_t)value : 0;
    if (l->kind == SECONDS)
        memcpy(p, &value, sizeof value);
    else if (l->kind == BYTES)
        memcpy(p, &bytes, sizeof bytes);
    else
        memcpy(p, &count, sizeof count);
}

/* In which bytes are asked for. */
static double unit(const struct limit *l) {
    return strcmp(l->name, "output") == 0 ? 1024 : 1048576;
}

static const char *caps_show(const struct limit *l, double value, char to[40]) {
    if (l->kind == BYTES)
        snprintf(to, 40, "%.10g %s", value / unit(l), unit(l) == 1024 ? "KiB" : "MiB");
    else
        snprintf(to, 40, "%.10g%s", value, l->kind == SECONDS ? " s" : "");
    return to;
}

static int caps_refuse(const struct limit *l, double asked, double cap,
                       struct retort_error *error) {
    char a[40], c[40];
    return fault_set(error, RETORT_FAULT_CALLER, EINVAL,
                     "limit %s: %s asked for, cap %s (limits of the server)", l->name,
                     caps_show(l, asked, a), caps_show(l, cap, c));
}

int caps_cell(const struct retort_limits *caps, const struct retort_limits *asked,
              struct retort_error *error) {
    for (const struct limit *l = all; l < all + LIMITS; l++)
        if (caps_get(caps, l) > 0 && caps_get(asked, l) > caps_get(caps, l))
            return caps_refuse(l, caps_get(asked, l), caps_get(caps, l), error);
    return 0;
}

void caps_raise(struct retort_limits *caps, const struct retort_limits *to) {
    for (const struct limit *l = all; l < all + LIMITS; l++)
        if (caps_get(caps, l) > 0 && caps_get(to, l) > caps_get(caps, l))
            set(caps, l, caps_get(to, l));
}

static double caps_least(double a, double b) {
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

int caps_session(const struct retort_limits *own, const struct retort_limits *usual,
                 struct retort_limits *caps, struct retort_limits *asked,
                 struct retort_error *error) {
    for (const struct limit *l = all; l < all + LIMITS; l++)
        set(caps, l, caps_least(caps_get(own, l), caps_get(caps, l)));
    int r = caps_cell(caps, asked, error);
    for (const struct limit *l = all; r == 0 && l < all + LIMITS; l++)
        if (caps_get(caps, l) > 0 && caps_get(asked, l) == 0)
            set(asked, l,
                caps_least(caps_get(usual, l) > 0 ? caps_get(usual, l) : l->usual,
                           caps_get(caps, l)));
    return r;
}

int caps_word(const char *word, struct retort_limits *caps) {
    size_t name = strcspn(word, "=");
    char *end;
    double value = word[name] ? strtod(word + name + 1, &end) : 0;
    for (const struct limit *l = all; l < all + LIMITS; l++)
        if (strlen(l->name) == name && strncmp(l->name, word, name) == 0) {
            if (!(value > 0 && value < 1e9) || *end)
                return -EINVAL;
            set(caps, l, l->kind == BYTES ? value * unit(l) : value);
            return caps_get(caps, l) > 0 ? 0 : -EINVAL;
        }
    return -EINVAL;
}
