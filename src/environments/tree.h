/* A tree of files as one stream of bytes, in which a session hands over what it has installed.
 *
 * The stream is a magic line and entries, each a head (struct tree_head as bytes, little endian),
 * its path, and the contents of a file or the target of a link. Paths are relative, without empty
 * parts, "." and "..", and each is greater than the one before it, byte by byte: so there is one
 * stream for a tree, nothing comes twice, and a directory comes before what is in it. The hash of
 * the stream is the name of the tree.
 *
 * Runs in: broker.
 * Hostile: every byte; tree_head_read, tree_path_ok and tree_link_stays are pure (fuzz_tree).
 * Owns: nothing.
 * Tests: tests/unit/test_tree.c, tests/fuzz/fuzz_tree.c
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

#define TREE_MAGIC "retort-tree/1\n"
#define TREE_HEAD 13 /* kind, length of the path, length of what follows */
#define TREE_PATH 4096
#define TREE_DEPTH 128 /* names in a path; removing a tree takes two open descriptors for each */

enum tree_kind { TREE_DIR = 'd', TREE_FILE = 'f', TREE_PROGRAM = 'x', TREE_LINK = 'l' };

struct tree_head {
    enum tree_kind kind;
    uint32_t path_len;
    uint64_t size; /* of the contents, or of a link's target; 0 for a directory */
};

/* 0, or -EBADMSG. */
int tree_head_read(const unsigned char bytes[TREE_HEAD], struct tree_head *ret);
/* Whether this may be the path of the entry after one with the path `last` ("" at the
 * beginning). */
bool tree_path_ok(const char *path, size_t len, const char *last);

/* Whether a link at this path stays in the tree, whatever other such links are on its way: it may
 * go up only at its beginning, and not out of the tree. */
bool tree_link_stays(const char *path, const char *target);

struct tree_bounds {
    uint64_t bytes, entries;
    bool rooted; /* the tree will be the root of sessions, which no link can leave */
};

/* Makes the tree in the empty directory `dir`: directories 0755, files 0444, programs 0555. After
 * an error, a part of the tree may be there. */
int tree_unpack(int stream, int dir, const struct tree_bounds *bounds, struct hash *ret,
                struct retort_error *err);
/* Removes what is in the directory, and follows no link. 0 or -errno. */
int tree_empty(int dir);
