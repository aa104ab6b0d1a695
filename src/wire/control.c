#include "wire/control.h"

#include <string.h>

const char *const layer_names[LAYER_COUNT] = {
    "user",   "mount",   "pid",      "net",  "ipc", "uts",
    "cgroup", "seccomp", "landlock", "caps", "nnp", "uid",
};

static uint64_t add(uint64_t a, uint64_t b) {
    return a > INT64_MAX || b > INT64_MAX - a ? INT64_MAX : a + b;
}

uint64_t memory_ceiling(const struct limits *l, uint64_t files) {
    uint64_t grown = add(files, MEMORY_ROOM);
    return add(add(l->memory, MEMORY_ALLOWANCE), grown < l->disk ? grown : l->disk);
}

int layer_by_name(const char *name) {
    for (int i = 0; i < LAYER_COUNT; i++)
        if (strcmp(layer_names[i], name) == 0)
            return i;
    return -1;
}
