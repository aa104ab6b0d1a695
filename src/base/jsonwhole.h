/* JSON read and written as a whole or not at all. No other file calls json_loads() and its
 * relatives, and none but jsonout.c writes by json_dumps() and its relatives.
 *
 * Where jansson (2.14) has no memory for a character it drops it, and goes on: the method
 * "session.execute" becomes "session.execut", a key loses its second half, in texts that are
 * recorded for good; or it calls a text invalid that is valid. Without the quote that ends a
 * string, or the character after a number, it reads and writes past its memory or calls abort(). So
 * we watch its allocations while it reads and writes. When the first one fails during a read, we
 * serve it from a reserve and end the text there; the value that comes out is thrown away.
 *
 * Runs in: broker, gate, command line.
 * Hostile: the text that is read. What bounds its depth and size is jsonshape.h.
 * Tests: tests/unit/test_jsonwhole.c, tests/hostile/test_L10_allocations.py
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* As json_loadb, json_loads and json_loadfd; NULL with the code json_error_out_of_memory if there
 * was not enough memory. `ret_error` may be NULL; a text that is NULL is invalid JSON. */
json_t *json_in(const char *text, size_t len, size_t flags, json_error_t *ret_error);
json_t *json_in_text(const char *text, size_t flags, json_error_t *ret_error);
json_t *json_in_fd(int fd, size_t flags, json_error_t *ret_error);
bool json_in_short(const json_error_t *error); /* whether it was that */

char *json_whole(const json_t *value, size_t flags); /* as json_dumps */

/* For values that are made piece by piece: tells whether an allocation of jansson failed in this
 * thread since the mark. If so, a piece may be missing. */
unsigned json_mark(void);
bool json_lost(unsigned mark);
/* The same for a piece that could not be made for want of other memory. Returns NULL. */
json_t *json_lose(void);
