/* Environments that are images: `retort env import` has made their root file system.
 *
 * Runs in: the broker, with the caller's rights. Runs nothing of the image: it looks whether files
 *   are there.
 * Hostile: what is in the image; links of it lead nowhere but into it.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_images.py
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "wire/control.h"

/* Whether an environment that `retort env` made is an image, not packages. */
bool image_is(const char *packages);
/* Opens a file or directory of the image. Links are followed inside of the image only. -1 with
 * errno. */
int image_open(const char *packages, const char *path, int flags);
/* Which program of the image runs the language: `named`, a path in it, or the first on PATH, which
 * `variables` (NAME=VALUE, or NULL) may set. */
int image_interpreter(enum language language, const char *named, const char *const *variables,
                      struct ctl_environment *env, struct retort_error *err);
