/* /files/SESSION/PATH: upload (whole or not at all) and download (of one version) in constant
 * memory, with ranges.
 *
 * Runs in: broker, the thread of the connection.
 * Hostile: paths and ranges; the files' contents are a guest's, so browsers are told to run nothing
 *   of them.
 * Tests: tests/unit/test_guard.c (ranges), tests/system/test_serve.py
 */
#pragma once

#include "serve/http/http.h"

enum MHD_Result http_files_get(struct http_request *request);
int http_files_put_begin(struct http_request *request);
int http_files_put_data(struct http_request *request, const char *data, size_t len);
enum MHD_Result http_files_put(struct http_request *request);
void http_files_put_done(struct http_request *request);
enum MHD_Result http_files_delete(struct http_request *request);

/* One range of a header Range against a size. 1: a range, 0: none that is served, -ERANGE: not
 * satisfiable. Pure. */
int http_range(const char *header, uint64_t size, uint64_t *ret_first, uint64_t *ret_last);
/* Whether a header If-Match or If-None-Match names this version. Pure. */
bool http_etag_listed(const char *header, const char *etag);
