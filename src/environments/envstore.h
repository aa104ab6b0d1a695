/* The directory STATE/environments: what `retort env` has made.
 *
 *   NAME.json      an environment: its packages by hash, and what else its sessions have
 *   HASH/          packages, named by their content; never changed
 *   .new-…/        being made, and locked by who makes it
 *   .lock          held while names appear and go
 *
 * What a process that was killed has left, nobody has locked and no file names: it goes with the
 * next envstore_open. So do packages of before an update, which a file still names as such, when no
 * session holds them and no record of one names them. What goes gets a name of what is being
 * made first: so a name that is a hash has all that belongs to it, whoever is killed.
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
    const char *state; /* as the engine has it, or NULL */
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
/* The tree gets its name ahead of the rest: until then no session can have it. It does not go as
 * long as the maker has `dir`. */
int envstore_name(const struct envstore *store, struct envstore_new *tree, const char hash[],
                  struct retort_error *err);
/* The tree gets its name, unless there is one of that name already, and the environment its file:
 * durably, and in this order. */
int envstore_commit(const struct envstore *store, struct envstore_new *tree, const char hash[],
                    const char *name, const json_t *file, struct retort_error *err);
void envstore_abandon(const struct envstore *store,
                      struct envstore_new *tree); /* after a commit, too */

/* Removes what nobody needs: a tree that got its name and is no environment after all. */
void envstore_tidy(const struct envstore *store);

/* The file of the environment goes, and then what it alone has named. */
int envstore_remove(const struct envstore *store, const char *name, struct retort_error *err);
/* Whether there is a tree of this hash. */
bool envstore_has(const struct envstore *store, const char *hash);
/* A JSON file of a directory: whole and durable before it has its name. */
int envstore_write(int dir, const char *name, const json_t *value, struct retort_error *err);
/* A JSON file of the tree with this hash; NULL if it has none. */
json_t *envstore_load(const struct envstore *store, const char *hash, const char *name);
