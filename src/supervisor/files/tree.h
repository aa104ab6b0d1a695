/* A walk over a tree of directories that a guest made, however deep: we open one directory at a
 * time and go back by "..", which must lead to where we came from.
 *
 * Runs in: the collector.
 * Hostile: names, depths, counts, and changes meanwhile.
 * Owns: the present path, and the names of directories not yet visited.
 */
#pragma once

#include <stddef.h>

struct tree_visit {
    /* Called for each entry. `name` is the last part of `path`. 1: visit what is in it, too; 0;
     * -errno ends the walk. */
    int (*entry)(void *arg, int dir, const char *path, const char *name);
    /* Called when all of a directory was visited; may be NULL. -errno ends the walk. */
    int (*left)(void *arg, int dir, const char *name);
    void *arg;
};

/* 0, or -errno: not everything was visited. Entries that vanish meanwhile are not reported;
 * -ESTALE: a directory was moved while we were in it. */
int tree_walk(int root, const struct tree_visit *visit);
