#include "sandbox/locks.h"

#include <stdio.h>
#include <string.h>

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

/* The list is read in pieces and grows at its front meanwhile, by locks of anybody: what was read may come again. Of POSIX locks one owner
 * has one at a place; of the others, which open files have, as many as there are descriptors. */
#define SEEN 4096 /* places; a power of two, and more than twice what is counted */

static bool is_new(uint64_t seen[SEEN], const char *lock) {
    uint64_t hash = 14695981039346656037u;
    for (const char *c = lock; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    hash |= 1; /* 0 is nobody */
    for (size_t at = hash >> 1; seen[at % SEEN] != hash; at++)
        if (!seen[at % SEEN]) {
            seen[at % SEEN] = hash;
            return true;
        }
    return false;
}

uint64_t locks_count(const struct proctree *tree, uint64_t most) {
    FILE *f = fopen("/proc/locks", "re");
    struct asked last = {0};
    uint64_t count = 0, seen[SEEN] = {0};
    char line[256];
    int pid, from;
    if (most > SEEN / 2)
        most = SEEN / 2;
    while (f && count <= most && fgets(line, sizeof line, f))
        if (sscanf(line, "%*u:%n%*[^0-9]%d", &from, &pid) == 1 && is_of(tree, pid, &last))
            count += !strstr(line, "POSIX") || is_new(seen, line + from);
    if (f)
        fclose(f);
    return count;
}
