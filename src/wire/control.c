#include "wire/control.h"

#include <string.h>

const char *const layer_names[LAYER_COUNT] = {
    "user",   "mount",   "pid",      "net",  "ipc", "uts",
    "cgroup", "seccomp", "landlock", "caps", "nnp", "uid",
};

int layer_by_name(const char *name) {
    for (int i = 0; i < LAYER_COUNT; i++)
        if (strcmp(layer_names[i], name) == 0)
            return i;
    return -1;
}
