/* The files of an image while its layers are put together: names in memory, contents in a spool. We
 * make no file of a layer in a file system, so none of its links can lead anywhere.
 *
 * Runs in: a sealed session, in the program `unpack`.
 * Hostile: paths and targets, which come from archives.
 * Owns: all nodes, until the program ends.
 * Tests: tests/system/test_images.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NAMES_PATH 4000 /* what a tree allows (src/environments/tree.h), minus `root/` */

/* Kinds are those of the tree: d, f, x (a program), l (a link). */
struct node {
    struct node *parent;
    void *below;       /* root of a tsearch tree; for a directory */
    char *target;      /* of a link */
    uint64_t at, size; /* contents: where in the spool */
    unsigned layer;    /* the layer that it came with, or that changed it */
    unsigned depth;    /* names in its path */
    char kind;
    char name[];
};

/* Ends the program with one line, which names a file of the image unless `path` is NULL. */
_Noreturn void image_refuse(const char *path, const char *why);

/* Normalises a path of an archive: without a leading slash, "." and empty parts. Refuses "..", and
 * paths that are too long. "": the root itself. */
void names_clean(const char *path, char ret[NAMES_PATH]);

struct node *names_root(void);
/* The directory that holds the path's last part, made if it is missing; follows links inside of the
 * image. */
struct node *names_parent(const char *path, unsigned layer, const char **ret_last);
struct node *names_child(const struct node *dir, const char *name); /* or NULL */
/* Does not follow a link in the last part; NULL if there is none. */
struct node *names_lookup(const char *path);
/* Replaces what is there, except a directory, which stays one if the new entry is one. */
struct node *names_put(struct node *dir, const char *name, char kind, unsigned layer);
/* Removes what layers below have left of it, and everything beneath. */
void names_hide(struct node *node, unsigned layer);
void names_hide_below(struct node *dir, unsigned layer);

/* Calls the function for each node except the root. */
void names_each(void (*call)(struct node *node, void *user), void *user);
