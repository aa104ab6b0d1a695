/* The directory STATE/environments: what `retort env` has made.
 *
 *   NAME.json      an environment: its packages by hash, and what else its sessions have
 *   HASH/          packages, named by their content; never changed
 *   .new-…/        being made, and locked by who makes it
 *   .lock          held while names appear and go
 *
 * If a process is killed, what it left is neither locked nor named by a file, and the next
 * envstore_open removes it. That also removes packages from before an update, which a file still
 * names as old, once no session holds them and no record names them. Before a tree is removed it is
 * renamed to .new-…: so a directory whose name is a hash is always complete, whichever process is
 * killed.
 *
 * Runs in: broker.
 * Hostile: nothing but what is in the trees, which are opened without following anything.
 * Life cycle: envstore_open, envstore_close; envstore_begin, envstore_commit or envstore_abandon.
 * Owns: its descriptors.
 * Tests: tests/system/test_environments.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/hash.h"

struct envstore {
    const char *state; /* the engine's state directory, or NULL */
    int dir;
};

/* Makes the directory if there is none, and removes what nobody needs any more. */
int envstore_open(const char *state, struct envstore *ret, struct retort_error *err);
void envstore_close(struct envstore *store);

/* A place for a new tree. */
#define ENVSTORE_NAME 32

struct envstore_new {
    char name[ENVSTORE_NAME];
    int dir; /* -1: none */
};
int envstore_begin(const struct envstore *store, struct envstore_new *ret,
                   struct retort_error *err);
/* Gives the tree its name before the environment's file is written: without a name, no session can
 * use it. It is not removed as long as the maker has `dir` open. */
int envstore_name(const struct envstore *store, struct envstore_new *tree, const char hash[],
                  struct retort_error *err);
/* Gives the tree its name, unless a tree has that name already, and writes the environment's file:
 * durably, and in this order. */
int envstore_commit(const struct envstore *store, struct envstore_new *tree, const char hash[],
                    const char *name, const json_t *file, struct retort_error *err);
void envstore_abandon(const struct envstore *store,
                      struct envstore_new *tree); /* also after a commit */

/* Removes what nobody needs, such as a tree that was named but did not become an environment. */
void envstore_tidy(const struct envstore *store);

/* Removes the environment's file, then the trees that only it named. */
int envstore_remove(const struct envstore *store, const char *name, struct retort_error *err);
/* Whether there is a tree of this hash. */
bool envstore_has(const struct envstore *store, const char *hash);
/* Writes a JSON file in a directory: whole and durable before it gets its name. */
int envstore_write(int dir, const char *name, const json_t *value, struct retort_error *err);
/* A JSON file of the tree with this hash; NULL if it has none. */
json_t *envstore_load(const struct envstore *store, const char *hash, const char *name);
