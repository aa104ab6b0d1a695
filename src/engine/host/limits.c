#include "engine/host/limits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

const struct limits limits_default = {.timeout_ms = 30000,
                                      .cpu_ms = 60000,
                                      .memory = 512ull << 20,
                                      .disk = 256ull << 20,
                                      .inodes = 16384,
                                      .output = 64 << 10,
                                      .output_stored = 64ull << 20,
                                      .idle_ms = 30ull * 60 * 1000,
                                      .pids = 64,
                                      .open_files = 1024};

#define LONGEST (365.0 * 86400)

static int limit_seconds(double given, uint64_t otherwise, const char *name, uint64_t *ret_ms,
                         struct err *err) {
    if (given == 0) {
        *ret_ms = otherwise;
        return 0;
    }
    if (isinf(given) && given > 0) /* the most that is allowed */
        given = LONGEST;
    if (!isfinite(given) || given < 0.001 || given > LONGEST)
        return err_set(err, ERR_CALLER, EINVAL,
                       "limit %s must be between 0.001 and 31536000 seconds", name);
    *ret_ms = (uint64_t)ceil(given * 1000);
    return 0;
}

struct bounds {
    uint64_t least, most;
};

static bool limit_choose(uint64_t given, uint64_t otherwise, struct bounds of, uint64_t *ret) {
    *ret = given ? given : otherwise;
    return *ret >= of.least && *ret <= of.most;
}

static int limit_count(uint64_t given, uint64_t otherwise, struct bounds of, const char *name,
                       uint64_t *ret, struct err *err) {
    if (limit_choose(given, otherwise, of, ret))
        return 0;
    return err_set(err, ERR_CALLER, EINVAL, "limit %s must be between %llu and %llu", name,
                   (unsigned long long)of.least, (unsigned long long)of.most);
}

/* "16 MiB": in whole units, as people and options write them. */
static const char *bytes_text(uint64_t v, char to[32]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    size_t u = 0;
    for (; v && v % 1024 == 0 && u < 4; u++)
        v /= 1024;
    snprintf(to, 32, "%llu %s", (unsigned long long)v, units[u]);
    return to;
}

static int limit_bytes(uint64_t given, uint64_t otherwise, struct bounds of, const char *name,
                       uint64_t *ret, struct err *err) {
    char least[32], most[32];
    if (limit_choose(given, otherwise, of, ret))
        return 0;
    return err_set(err, ERR_CALLER, EINVAL, "limit %s must be between %s and %s", name,
                   bytes_text(of.least, least), bytes_text(of.most, most));
}

int options_known(const void *reserved, size_t size, struct err *err) {
    for (size_t i = 0; i < size; i++)
        if (((const char *)reserved)[i])
            return err_set(err, ERR_CALLER, EINVAL,
                           "the program sets options that this version of the library does not "
                           "know, or did not set its structures to zero");
    return 0;
}

int limits_fill(const struct retort_limits *g, const struct limits *d, struct limits *ret,
                struct err *err) {
    struct limits l = {0};
    uint64_t pids = 0, open_files = 0;
    const uint64_t tera = 1ull << 40;
    int r = OPTIONS_KNOWN(g, err);
    if (r == 0)
        r = limit_seconds(g->timeout, d->timeout_ms, "timeout", &l.timeout_ms, err);
    if (r == 0)
        r = limit_seconds(g->cpu, d->cpu_ms, "cpu", &l.cpu_ms, err);
    if (r == 0)
        r = limit_seconds(g->idle, d->idle_ms, "idle", &l.idle_ms, err);
    if (r == 0)
        r = limit_bytes(g->memory, d->memory, (struct bounds){16ull << 20, tera}, "memory",
                        &l.memory, err);
    if (r == 0)
        r = limit_bytes(g->disk, d->disk, (struct bounds){64ull << 10, tera}, "disk", &l.disk, err);
    if (r == 0)
        r = limit_count(g->inodes, d->inodes, (struct bounds){64, 1u << 30}, "inodes", &l.inodes,
                        err);
    if (r == 0)
        r = limit_bytes(g->output, d->output, (struct bounds){256, 64ull << 20}, "output",
                        &l.output, err);
    if (r == 0)
        r = limit_bytes(g->output_stored, d->output_stored, (struct bounds){0, tera},
                        "output_stored", &l.output_stored, err);
    if (r == 0)
        r = limit_count(g->pids, d->pids, (struct bounds){1, 32768}, "pids", &pids, err);
    if (r == 0)
        r = limit_count(g->open_files, d->open_files, (struct bounds){16, MAX_OPEN_FILES},
                        "open_files", &open_files, err);
    if (r < 0)
        return r;
    l.pids = (uint32_t)pids;
    l.open_files = (uint32_t)open_files;
    *ret = l;
    return 0;
}

json_t *limits_json(const struct limits *l) {
    return json_pack("{s:f s:f s:f s:I s:I s:I s:I s:I s:i s:i}", "timeout",
                     (double)l->timeout_ms / 1000, "cpu", (double)l->cpu_ms / 1000, "idle",
                     (double)l->idle_ms / 1000, "memory", (json_int_t)l->memory, "disk",
                     (json_int_t)l->disk, "inodes", (json_int_t)l->inodes, "output",
                     (json_int_t)l->output, "output_stored", (json_int_t)l->output_stored, "pids",
                     (int)l->pids, "open_files", (int)l->open_files);
}

struct retort_limits limits_again(const struct limits *had) {
    return (struct retort_limits){.timeout = fmin((double)had->timeout_ms / 500, LONGEST),
                                  .cpu = fmin((double)had->cpu_ms / 500, LONGEST),
                                  .output = had->output,
                                  .output_stored = had->output_stored};
}

struct retort_limits limits_recorded(const json_t *o) {
    return (struct retort_limits){
        .timeout = json_number_value(json_object_get(o, "timeout")),
        .cpu = json_number_value(json_object_get(o, "cpu")),
        .idle = json_number_value(json_object_get(o, "idle")),
        .memory = (uint64_t)json_integer_value(json_object_get(o, "memory")),
        .disk = (uint64_t)json_integer_value(json_object_get(o, "disk")),
        .output = (uint64_t)json_integer_value(json_object_get(o, "output")),
        .output_stored = (uint64_t)json_integer_value(json_object_get(o, "output_stored")),
        .inodes = (uint32_t)json_integer_value(json_object_get(o, "inodes")),
        .pids = (uint32_t)json_integer_value(json_object_get(o, "pids")),
        .open_files = (uint32_t)json_integer_value(json_object_get(o, "open_files"))};
}

/* --- as clients and files give them --- */

static uint64_t size_of(const json_t *limits, const char *name, unsigned shift) {
    uint64_t value = (uint64_t)json_integer_value(json_object_get(limits, name));
    return value < (shift == 10 ? 1u << 16 : 1u << 20) ? value << shift : value;
}

static uint32_t count_of(const json_t *limits, const char *name) {
    json_int_t value = json_integer_value(json_object_get(limits, name));
    return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

void limits_from_json(const json_t *object, struct retort_limits *ret) {
    *ret = (struct retort_limits){
        .timeout = json_number_value(json_object_get(object, "timeout")),
        .cpu = json_number_value(json_object_get(object, "cpu")),
        .idle = json_number_value(json_object_get(object, "idle")),
        .memory = size_of(object, "memory", 20),
        .disk = size_of(object, "disk", 20),
        .output = size_of(object, "output", 10),
        .output_stored = size_of(object, "output_stored", 20),
        .inodes = count_of(object, "inodes"),
        .pids = count_of(object, "pids"),
        .open_files = count_of(object, "open_files"),
    };
}

/* Who asks for the most that is allowed gets what the files allow. */
#define MERGE(field)                                                      \
    if (to->field == 0 || (from->field != 0 && isinf((double)to->field))) \
    to->field = from->field

void limits_merge(struct retort_limits *to, const struct retort_limits *from) {
    MERGE(timeout);
    MERGE(cpu);
    MERGE(idle);
    MERGE(memory);
    MERGE(disk);
    MERGE(output);
    MERGE(output_stored);
    MERGE(inodes);
    MERGE(pids);
    MERGE(open_files);
}
