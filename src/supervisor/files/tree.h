/* A walk over a tree of directories that a guest made, however deep: one directory is open at a
 * time, and the way back is taken by "..", which must lead to where one came from.
 *
 * Runs in: the collector.
 * Hostile: names, depths, counts, and changes meanwhile.
 * Owns: the path in hand, and the names of directories not yet looked into.
 */
#pragma once

#include <stddef.h>

struct tree_visit {
    /* One entry. `name` is the last part of `path`. 1: what is in it is wanted, too; 0; -errno
     * ends the walk. */
    int (*entry)(void *arg, int dir, const char *path, const char *name);
    /* A directory of which all has been visited; may be NULL. -errno ends the walk. */
    int (*left)(void *arg, int dir, const char *name);
    void *arg;
};

/* 0, or -errno: not all was visited. Of what vanishes meanwhile nothing is said; -ESTALE: a
 * directory was moved while one was in it. */
int tree_walk(int root, const struct tree_visit *visit);
