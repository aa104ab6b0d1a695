#include "engine/parts/measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scope.h"

int measure_number(const char *text, uint64_t *ret_value) {
    if (*text < '0' || *text > '9')
        return -EPROTO;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || (*end && *end != '\n'))
        return -EPROTO;
    *ret_value = v;
    return 0;
}

int measure_keyed(const char *text, const char *key, uint64_t *ret_value) {
    size_t n = strlen(key);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, key, n) && line[n] == ' ')
            return measure_number(line + n + 1, ret_value);
    return -EPROTO;
}

static int read_text(int fd, char *text, size_t size) {
    ssize_t n = pread(fd, text, size - 1, 0);
    if (n < 0)
        return -errno;
    text[n] = 0;
    return 0;
}

static int measure_file(int fd, uint64_t *ret_value) {
    char text[32];
    int r = read_text(fd, text, sizeof text);
    return r < 0 ? r : measure_number(text, ret_value);
}

static int read_keyed(int fd, const char *key, uint64_t *ret_value) {
    char text[1024];
    int r = read_text(fd, text, sizeof text);
    return r < 0 ? r : measure_keyed(text, key, ret_value);
}

static int read_cpu(int version, int fd, uint64_t *ret_us) {
    if (version == 2)
        return read_keyed(fd, "usage_usec", ret_us);
    uint64_t ns;
    int r = measure_file(fd, &ns);
    if (r == 0)
        *ret_us = ns / 1000;
    return r;
}

int measure_cpu(int version, const int fds[CREATED_MEASURES], uint64_t *ret_us) {
    return read_cpu(version, fds[0], ret_us);
}

int measure_read(int version, const int fds[CREATED_MEASURES], struct measure *ret) {
    if (version != 1 && version != 2)
        return -EOPNOTSUPP;
    struct measure m;
    int r = read_cpu(version, fds[0], &m.cpu_us);
    if (r == 0)
        r = measure_file(fds[1], &m.peak_bytes);
    if (r == 0)
        r = read_keyed(fds[2], "oom_kill", &m.oom_kills);
    if (r == 0)
        r = read_keyed(fds[3], "max", &m.pids_denied);
    if (r == 0)
        r = measure_file(fds[4], &m.tasks);
    if (r == 0)
        *ret = m;
    return r;
}

int measure_begin(int version, const int fds[CREATED_MEASURES], const struct measure *last,
                  struct measure *ret) {
    ssize_t n = pwrite(fds[CREATED_MEMORY - CREATED_CPU], "0", 1, 0);
    (void)n; /* before Linux 6.12 version 2 has but the peak of its life */
    if (!last)
        return measure_read(version, fds, ret);
    *ret = *last;
    return read_cpu(version, fds[0], &ret->cpu_us);
}

static uint64_t counted_since(uint64_t before, uint64_t after) {
    return after > before ? after - before : 0;
}

struct measure measure_since(const struct measure *before, const struct measure *after) {
    return (struct measure){
        .cpu_us = counted_since(before->cpu_us, after->cpu_us),
        .peak_bytes = after->peak_bytes,
        .oom_kills = counted_since(before->oom_kills, after->oom_kills),
        .pids_denied = counted_since(before->pids_denied, after->pids_denied),
        .tasks = after->tasks,
    };
}

/* --- the part of a session --- */

void usage_init(struct usage *u) {
    *u = (struct usage){.net = -1};
    for (int i = 0; i < CREATED_MEASURES; i++)
        u->measure[i] = -1;
}

uint64_t lasting_ns(uint64_t before, uint64_t took) {
    return took > before / 2 ? took : before / 2;
}

void usage_take(struct usage *u, const struct ctl_created *created, const int *fds, size_t nfds) {
    u->cgroup = nfds == CREATED_FDS ? created->cgroup : 0;
    u->room = (struct room){0};
    u->net = fds[CREATED_NET];
    if (created->missing & LAYER_BIT(LAYER_NET)) /* it would be the host's */
        fd_done(&u->net);
    for (size_t i = CREATED_CPU; i < nfds; i++)
        u->measure[i - CREATED_CPU] = fds[i];
}

void usage_measured(struct usage *u, const struct ctl_measured *m) {
    u->tree_cpu_us = m->cpu_us;
    u->tree_memory = m->memory;
}

void usage_roomed(struct usage *u, const struct ctl_roomed *r) {
    struct room *room = &u->room;
    room->asked -= room->asked > 0;
    room->foreign = room->files > r->files ? room->files - r->files : 0;
    room->memory = r->memory;
    if (r->memory > room->most)
        room->most = r->memory;
    room->copies = r->copies;
}

void usage_locked(struct usage *u, const struct ctl_locked *l) {
    u->locks.held = l->locks;
    u->locks.asked = false;
    u->locks.told = true;
}

void usage_close(struct usage *u) {
    for (int i = 0; i < CREATED_MEASURES; i++)
        fd_done(&u->measure[i]);
    fd_done(&u->net);
    u->counted = (struct measure){0};
    u->only_own = false;
    u->own_tasks = 0;
    u->cells_unswept = 0;
    u->leftover = (struct leftover){0};
    u->locks = (struct file_locks){0};
    u->tree_cpu_us = u->tree_memory = 0;
}
