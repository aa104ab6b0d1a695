/* Sends a file as a response: bytes of one version, in constant memory, with ranges and conditions.
 *
 * Runs in: broker, the thread of the connection.
 * Hostile: ranges and conditions; the contents are a guest's, so we tell browsers to run none of
 *   them.
 * Owns: the descriptor, until the response is gone.
 * Tests: tests/unit/test_guard.c (ranges), tests/system/test_serve.py, tests/clients/test_e2b.py
 */
#pragma once

#include "serve/http/http.h"

/* Takes the descriptor. The type follows from the path. */
enum http_result http_download(struct http_request *request, const char *path, int fd);

/* One range of a header Range against a size. 1: a range, 0: none that is served, -ERANGE: not
 * satisfiable. Pure. */
int http_range(const char *header, uint64_t size, uint64_t *ret_first, uint64_t *ret_last);
/* Whether a header If-Match or If-None-Match names this version. Pure. */
bool http_etag_listed(const char *header, const char *etag);
