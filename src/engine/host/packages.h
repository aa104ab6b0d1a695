/* Where environments that `retort env` made are: STATE/environments, with NAME.json for each and a
 * directory of packages named by the hash of what is in it.
 *
 * Runs in: broker.
 * Hostile: nothing; names come from the caller and from the user's own files.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_environments.py
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* The path of `name` there; "" is the directory itself. `state`: the engine's, or NULL. */
int packages_path(const char *state, const char *name, char *ret, size_t size,
                  struct retort_error *err);
/* The default indexes of packages, those of pip and npm. */
enum packages_kind { PACKAGES_PIP, PACKAGES_NPM };
const char *packages_index(enum packages_kind kind);
/* The text without names and passwords in its addresses: this form is kept and shown. malloc'ed. */
char *packages_public(const char *text);
/* 64 lower-case hexadecimal digits. */
bool packages_is_hash(const char *text);
/* The hash at the end of a path that packages_path made. */
const char *packages_hash(const char *path);
/* A descriptor that keeps the directory from being removed for as long as it is open. */
int packages_hold(const char *path, struct retort_error *err);
