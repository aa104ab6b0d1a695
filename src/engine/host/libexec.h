/* Where the programs are that users do not call themselves.
 *
 * Runs in: the broker and the command line.
 * Hostile: nothing.
 * Life cycle: none.
 * Owns: nothing.
 * Tests: tests/system/test_library.py
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

int libexec_find(char *ret, size_t size, struct retort_error *err);
