/* Finds out what runs in an image that was just unpacked, with sessions of it.
 *
 * Runs in: broker.
 * Hostile: the image, whose interpreter runs sealed, and all that comes out of its sessions.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_images.py
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "retort.h"

/* `ret`, which the caller frees, is {"python": version or null, "warm", "programs": [of "python3",
 * "bash", "node"]}. An image in which nothing can run is refused. `env`: its variables. */
int probe_image(struct retort_engine *engine, const char *packages, const json_t *env, json_t **ret,
                struct retort_error *err);
