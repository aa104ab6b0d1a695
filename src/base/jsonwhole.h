/* JSON read and written as a whole or not at all. Nobody else calls json_loads() and its like.
 *
 * Where jansson (2.14) has no memory for a character it drops it, and goes on: of the method
 * "session.execute" it makes "session.execut", of a key half of one, in texts that are recorded for
 * good; or it says that a text is no JSON. Without the quote that ends a string, or the character
 * after a number, it reads and writes past its memory or calls abort(). So its allocations are
 * watched while it reads and writes. The first that fails while it reads is served from memory that
 * was laid by, and the text ends there; what came out is thrown away.
 *
 * Runs in: broker, gate, command line.
 * Hostile: the text that is read. What bounds its depth and size is jsonshape.h.
 * Tests: tests/unit/test_jsonwhole.c, tests/hostile/test_L10_allocations.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* As json_loadb, json_loads and json_loadfd; NULL with the code json_error_out_of_memory if there
 * was not enough. `ret_error` may be NULL, and so may the text, which is none then. */
json_t *json_in(const char *text, size_t len, size_t flags, json_error_t *ret_error);
json_t *json_in_text(const char *text, size_t flags, json_error_t *ret_error);
json_t *json_in_fd(int fd, size_t flags, json_error_t *ret_error);
bool json_in_short(const json_error_t *error); /* whether it was that */

char *json_whole(const json_t *value, size_t flags); /* as json_dumps */

/* For what is made piece by piece: whether jansson was refused memory in this thread since the mark.
 * Then a piece may be missing, whoever made it. */
unsigned json_mark(void);
bool json_lost(unsigned mark);
