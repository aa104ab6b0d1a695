/* Installs packages inside of sealed sessions, and copies the result out of them.
 *
 * Two sessions. The first turns the recipe into wheels: it may reach the index, and the code of
 * packages runs in it. The second has no network, gets those wheels, which we hash on the way, and
 * installs them: no code of a package runs, so that the same wheels make the same files.
 * guest/python/install.py is what runs in both.
 *
 * Runs in: broker.
 * Hostile: all that comes out of the sessions: names, wheels, the tree.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_environments.py
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "base/hash.h"
#include "retort.h"

struct install {
    struct retort_engine *engine;
    const json_t *recipe;                                       /* environments.h */
    double timeout;                                             /* of each session, in seconds */
    void (*progress)(void *user, const char *text, size_t len); /* or NULL */
    void *user;
};

/* Fills the directory. `ret_lock`, which the caller frees, is {"pip": [{name, version, file,
 * sha256}], "npm": [{name, version, integrity}]}. */
int install_into(const struct install *job, int dir, struct hash *ret_hash, json_t **ret_lock,
                 struct retort_error *err);

/* The same for an image: the recipe's member "image" is an archive, or a directory with an OCI
 * layout. The tree is the root file system, below "root". `ret_facts`, which the caller frees, is
 * {"env": {name: value}, "layers", "platform", "pip": [], "npm": []}. guest/python/image.py runs in
 * the session. */
int install_image(const struct install *job, int dir, struct hash *ret_hash, json_t **ret_facts,
                  struct retort_error *err);
