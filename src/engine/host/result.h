/* The result of a cell: an object, and the text that programs get of it.
 *
 * Runs in: the broker.
 * Hostile: strings in it are the guest's.
 * Life cycle: result_new, retort_result_free.
 * Owns: the object.
 * Tests: tests/system/test_library.py
 */
#pragma once

#include <jansson.h>

#include "retort.h"

/* Takes the object; NULL: out of memory. */
struct retort_result *result_new(json_t *json);
/* Borrowed; for callers who need parts of it and would otherwise parse the text again. */
json_t *result_object(const struct retort_result *result);
