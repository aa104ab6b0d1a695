#include "sandbox/locks.h"

#include <stdio.h>

/* Processes take them in a row: who is asked for is mostly the one that was asked for last. */
struct asked {
    int pid;
    bool is_member;
};

static bool is_of(const struct proctree *tree, int pid, struct asked *last) {
    if (pid != last->pid)
        *last = (struct asked){pid, proctree_has(tree, pid)};
    return last->is_member;
}

uint64_t locks_count(const struct proctree *tree, uint64_t most) {
    FILE *f = fopen("/proc/locks", "re");
    struct asked last = {0};
    uint64_t count = 0;
    char line[256];
    int pid;
    while (f && count <= most && fgets(line, sizeof line, f))
        if (sscanf(line, "%*u:%*[^0-9]%d", &pid) == 1)
            count += is_of(tree, pid, &last);
    if (f)
        fclose(f);
    return count;
}
