/* Refuses requests that two programs could read differently.
 *
 * A proxy in front and this server must agree where a request ends; if they do not, one request can
 * hide in another (request smuggling). So a length is given once, or the body is chunked, there is
 * one Host, lines end with CRLF, and no line is continued on the next.
 *
 * Runs in: broker, the thread of the connection.
 * Hostile: the whole head.
 * Tests: tests/system/test_serve_strict.py, tests/fuzz/fuzz_http.c
 */
#pragma once

#include <microhttpd.h>

/* NULL if the head can be read in one way only, else what is wrong with it. `method` and `version`
 * are those that libmicrohttpd passes to the handler. */
const char *http_strict(struct MHD_Connection *mhd, const char *method, const char *version);
