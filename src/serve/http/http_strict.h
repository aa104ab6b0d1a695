/* Requests that two readers could take for different ones are refused.
 *
 * A proxy in front and this server must agree where a request ends; where they need not, one
 * request hides in another (request smuggling). So a length is given once, or the body is chunked,
 * there is one Host, lines end with CRLF, and no line is continued on the next.
 *
 * Runs in: broker, the thread of the connection.
 * Hostile: the whole head.
 * Tests: tests/system/test_serve_strict.py, tests/fuzz/fuzz_http.c
 */
#pragma once

#include <microhttpd.h>

/* NULL if there is but one way to read the head, else what is wrong with it. `method` and `version`
 * are those that libmicrohttpd passes to the handler. */
const char *http_strict(struct MHD_Connection *mhd, const char *method, const char *version);
