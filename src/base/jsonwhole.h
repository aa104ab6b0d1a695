/* JSON read and written as a whole or not at all.
 *
 * Where jansson (2.14) has no memory for a character it drops it, and goes on: of the method
 * "session.execute" it makes "session.execut", of a key half of one, in texts that are recorded for
 * good; or it says that a text is no JSON. So its allocations are watched while it reads and writes,
 * and what came out when one failed is thrown away.
 *
 * Runs in: broker.
 * Hostile: the text that is read. What bounds its depth and size is jsonshape.h.
 * Tests: tests/hostile/test_L10_allocations.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* As json_loadb; NULL with the code json_error_out_of_memory if there was not enough. */
json_t *json_in(const char *text, size_t len, size_t flags, json_error_t *ret_error);
json_t *json_in_file(FILE *file, size_t flags, json_error_t *ret_error);
bool json_in_short(const json_error_t *error); /* whether it was that */

char *json_whole(const json_t *value, size_t flags); /* as json_dumps */
