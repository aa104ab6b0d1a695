/* The files of an image while its layers are laid one upon the other: names in memory, contents in
 * a spool. Nothing of a layer is ever made in a file system, so that no link of it leads anywhere.
 *
 * Runs in: a sealed session, in the program `unpack`.
 * Hostile: paths and targets, which come from archives.
 * Owns: all nodes, until the program ends.
 * Tests: tests/system/test_images.py
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define NAMES_PATH 4000 /* what a tree may have (src/environments/tree.h), and `root/` before it */

/* Kinds are those of the tree: d, f, x (a program), l (a link). */
struct node {
    struct node *parent;
    void *below;       /* of tsearch; of a directory */
    char *target;      /* of a link */
    uint64_t at, size; /* contents: where in the spool */
    unsigned layer;    /* that it came with, or was changed by */
    unsigned depth;    /* names in its path */
    char kind;
    char name[];
};

/* Ends the program with one line, which names a file of the image if there is one. */
_Noreturn void image_refuse(const char *path, const char *why);

/* What a path of an archive means: without a slash at its beginning, "." and empty parts. Refuses
 * "..", and what is too long. "": the root itself. */
void names_clean(const char *path, char ret[NAMES_PATH]);

struct node *names_root(void);
/* The directory that holds the path's last part, made if it is missing; links on the way lead
 * to where they do inside of the image. */
struct node *names_parent(const char *path, unsigned layer, const char **ret_last);
struct node *names_child(const struct node *dir, const char *name); /* or NULL */
/* Without following a link in its last part; NULL if there is none. */
struct node *names_lookup(const char *path);
/* In place of what is there, but for a directory, which stays one. */
struct node *names_put(struct node *dir, const char *name, char kind, unsigned layer);
/* What layers below have left of it goes, and what is beneath. */
void names_hide(struct node *node, unsigned layer);
void names_hide_below(struct node *dir, unsigned layer);

/* Calls for each but the root. */
void names_each(void (*call)(struct node *node, void *user), void *user);
