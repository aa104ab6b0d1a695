/* Environments that `retort env` makes: packages from wheels, an index, npm's archives.
 *
 * A recipe is what was asked for: {"pip": [spec…], "npm": [spec…], "requirements": text, "index":
 * directory or address, "registry": address, "addresses": [HOST=ADDRESS…], "python": path,
 * "preload": [module…], "limits": {…}, "network": rules, "image": path}, every member optional. A
 * spec that is a path (environments_is_path) is a file or directory of the host; that, and a
 * directory that is the index, are copied into the session that installs. An image (an archive of a
 * container's root file system, or an OCI layout) is copied in, too; no packages can go with it,
 * because it is all that its sessions have.
 *
 * Runs in: broker; the command line, and JSON-RPC for administrators.
 * Hostile: nothing; the code of packages runs in sessions (install.h).
 * Life cycle: none.
 * Owns: nothing; objects that are returned are the caller's.
 * Tests: tests/system/test_environments.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "retort.h"

struct environments_job {
    const char *state; /* the engine's state directory, or NULL */
    const char *name;
    const json_t *recipe;
    const json_t *lock;           /* the lock file that the result must match, or NULL */
    struct retort_engine *engine; /* runs the sessions that install; NULL: one of its own */
    double timeout;               /* seconds for each session that installs; 0: ten minutes */
    void (*progress)(void *user, const char *text, size_t len); /* or NULL */
    void *user;
};

bool environments_is_path(const char *spec);

/* All or nothing. {"name", "packages", "pip": […], "npm": […]}, and for an image "image": what
 * probe.h finds. */
int environments_create(const struct environments_job *job, json_t **ret, struct retort_error *err);
/* The same for an existing environment: members of the recipe replace those that it was made with.
 * Running sessions keep their packages. Old packages stay as long as engines use them or records
 * name them. */
int environments_update(const struct environments_job *job, json_t **ret, struct retort_error *err);
int environments_remove(const char *state, const char *name, struct retort_error *err);
/* [{"name", "made", "packages", "pip", "npm"}] with the number of each; and "image" if it is
 * one. */
int environments_list(const char *state, json_t **ret, struct retort_error *err);
/* {"name", "made", "file", "lock"}. */
int environments_show(const char *state, const char *name, json_t **ret, struct retort_error *err);
